#include "components/interfaces/picture.h"

namespace cardan::picture {
namespace {

/// A stroke of a letter, in heights of it.
struct Stroke {
  double x1, y1, x2, y2;
};
std::vector<Stroke> strokes(char letter) {
  if (letter == 'x') return {{0, 0, 1, 1}, {0, 1, 1, 0}};
  if (letter == 'y') return {{0, 0, 1, 1.5}, {0, 1.5, 0.5, 0.75}};
  if (letter == 'z') return {{0, 0, 1, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}};
  return {};
}

/// How the letter behind an axis lies: upright, and so that it reads from left to right where one looks
/// from the front, a little from the right (the view "home").
struct LetterPlace {
  Vector3d right, up;  ///< [1]  directions of the letter's own x and y
  double x, y;         ///< [1]  of its corner, in heights of it, so that it is behind the arrow
};
LetterPlace letterPlace(int axis, const Vector3d& towardsUp) {
  Eigen::Index upright = 0;
  const double size = towardsUp.cwiseAbs().maxCoeff(&upright);
  const double sign = towardsUp[upright] < 0 && size > 0 ? -1 : 1;
  const Vector3d up = sign * Vector3d::Unit(upright);
  const Vector3d across = upright == 0 ? Vector3d(0, 1, 0) : Vector3d(1, 0, 0);
  const Vector3d seenRight = across - 0.55 * cross(across, up);
  Vector3d e = Vector3d::Unit(axis);
  if (axis == upright) return {across, up, -0.5, sign < 0 ? -1.5 : 0};
  return e.dot(seenRight) < 0 ? LetterPlace{-e, up, -1, 0} : LetterPlace{e, up, 0, 0};
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
  for (size_t i = 0; i < 3; ++i) {
    const Vector3d e = Vector3d::Unit(i);
    const LetterPlace letter = letterPlace(i, axes.up);
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
      const Vector3d from = letter.right * (t.x1 + letter.x) + letter.up * (t.y1 + letter.y);
      const Vector3d along = letter.right * (t.x2 - t.x1) + letter.up * (t.y2 - t.y1);
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
                  .widthDirection = Vector3d(cross(letter.right, letter.up)),
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
