#include "components/interfaces/picture.h"

#include <array>

namespace cardan::picture {
namespace {

/// A stroke of a letter, in heights of it.
struct Stroke {
  double x1, y1, x2, y2;
};
std::vector<Stroke> strokes(char letter) {
  if (letter == 'x') return {{0, 0, 1, 1}, {0, 1, 1, 0}};
  if (letter == 'y') return {{0, 0, 1, 1.5}, {0, 1.5, 0.5, 0.75}};
  if (letter == 'z') return {{0, 0, 1, 0}, {0, 1, 1, 1}, {0, 1, 1, 0}};
  return {};
}

/// f(a, b) of two sizes of a coordinate system.
template <class F>
PictureValue ofSizes(const PictureValue& a, const PictureValue& b, int size, F f) {
  std::vector<PictureValue::Input> inputs = a.inputs();
  inputs.insert(inputs.end(), b.inputs().begin(), b.inputs().end());
  const auto number = [](const PictureValue& v) { return v.isConstant() ? v.constant()[0] : 0.0; };
  const bool varies_a = !a.isConstant(), varies_b = !b.isConstant();
  const double a0 = number(a), b0 = number(b);
  const auto all = [=](const double* in, double* out) {
    const double x = varies_a ? *in++ : a0;
    f(x, varies_b ? *in : b0, out);
  };
  if (inputs.empty()) {
    std::vector<double> constant(size);
    f(a0, b0, constant.data());
    return constant;
  }
  return PictureValue::ofInputs(std::move(inputs), size, all);
}

}  // namespace

void addAxes(Shapes& s, const Axes& axes) {
  constexpr double kHeadLength = 5, kLetterHeight = 3;  // [1]  by the arrows' diameter
  // Directions of the letters' own x and y.
  const std::array<Vector3d, 3> right{Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, 0, 1)};
  const std::array<Vector3d, 3> up{Vector3d(0, 1, 0), Vector3d(-1, 0, 0), Vector3d(0, 1, 0)};
  for (size_t i = 0; i < 3; ++i) {
    const Vector3d e = right[i];
    const std::string name(1, "xyz"[i]);
    s.add(ArrowShape{.name = name + "_arrow",
                     .place = axes.place,
                     .r_head = ofSizes(axes.length, axes.diameter, 3,
                                       [e](double length, double, double* out) {
                                         for (int k = 0; k < 3; ++k) out[k] = e[k] * length;
                                       }),
                     .diameter = axes.diameter,
                     .color = axes.color[i],
                     .specular = axes.specular,
                     .headLength = kHeadLength});
    if (i >= axes.letters.size()) continue;
    int number = 0;
    for (const Stroke& t : strokes(axes.letters[i])) {
      const Vector3d from = right[i] * t.x1 + up[i] * t.y1;
      const Vector3d along = right[i] * (t.x2 - t.x1) + up[i] * (t.y2 - t.y1);
      s.add(Shape{.name = name + "_label" + std::to_string(++number),
                  .type = "cylinder",
                  .place = axes.place,
                  .r_shape = ofSizes(axes.length, axes.diameter, 3,
                                     [e, from](double length, double d, double* out) {
                                       const Vector3d r =
                                           e * (1.05 * length) + from * (kLetterHeight * d);
                                       for (int k = 0; k < 3; ++k) out[k] = r[k];
                                     }),
                  .lengthDirection = along,
                  .widthDirection = Vector3d(cross(right[i], up[i])),
                  .length = ofSizes(axes.diameter, 0.0, 1,
                                    [l = along.norm()](double d, double, double* out) {
                                      *out = kLetterHeight * d * l;
                                    }),
                  .width = axes.diameter,
                  .height = axes.diameter,
                  .color = axes.color[i],
                  .specular = axes.specular});
    }
  }
}

}  // namespace cardan::picture
