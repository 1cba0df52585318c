#include "engine/robots/shapes.h"

#include <cmath>

#include "engine/robots/mesh_files.h"
#include "engine/robots/model_values.h"

namespace cardan::robots {
namespace {

/// A direction, without what rounding leaves beside an axis.
Vector3d direction(const Vector3d& e) {
  constexpr double kNothing = 1e-12;
  Vector3d clean = e;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(clean[i]) < kNothing) clean[i] = 0;
    if (std::abs(std::abs(clean[i]) - 1) < kNothing) clean[i] = std::copysign(1.0, clean[i]);
  }
  return clean;
}

/// A place [m], without what rounding leaves beyond a picometre.
Vector3d place(const Vector3d& r) {
  constexpr double kPerMetre = 1e12;
  return r.unaryExpr([](double x) {
    const double rounded = std::round(x * kPerMetre) / kPerMetre;
    return std::isfinite(rounded) ? rounded : x;
  });
}

void addPlace(ArgumentList& a, const Vector3d& from, const Vector3d& length,
              const Vector3d& width) {
  const Vector3d r = place(from);
  if (r != Vector3d::Zero()) a.add("r_shape", r);
  if (length != Vector3d::UnitX()) a.add("lengthDirection", rounded(length));
  if (width != Vector3d::UnitY()) a.add("widthDirection", rounded(width));
}

void addSizes(ArgumentList& a, double length, double width, double height) {
  a.add("length", length).add("width", width).add("height", height);
}

}  // namespace

std::optional<YamlNode> shapeOf(const Visual& visual, const std::string& urdf,
                                const ImportOptions& options, std::string& reason) {
  const SourceMark at = visual.element->mark();
  const Matrix3d R = visual.pose.R;
  const Vector3d x = direction(R.col(0)), y = direction(R.col(1)), z = direction(R.col(2));
  const Vector3d &r = visual.pose.r, &size = visual.size;
  ArgumentList a(at);
  // URDF places a shape by its middle, a Shape begins at r_shape.
  switch (visual.geometry) {
    case Geometry::box:
      addPlace(a, r - x * size[0] / 2, x, y);
      addSizes(a, size[0], size[1], size[2]);
      break;
    case Geometry::cylinder:
      a.addWord("shapeType", "cylinder");
      addPlace(a, r - z * size[1] / 2, z, x);
      addSizes(a, size[1], 2 * size[0], 2 * size[0]);
      break;
    case Geometry::sphere:
      a.addWord("shapeType", "sphere");
      addPlace(a, r - Vector3d::UnitX() * size[0], Vector3d::UnitX(), Vector3d::UnitY());
      addSizes(a, 2 * size[0], 2 * size[0], 2 * size[0]);
      break;
    case Geometry::ellipsoid:
      a.addWord("shapeType", "sphere");
      addPlace(a, r - x * size[0] / 2, x, y);
      addSizes(a, size[0], size[1], size[2]);
      break;
    case Geometry::mesh: {
      const MeshFile file = findMesh(visual.file, urdf, options);
      if (file.path.empty()) {
        reason = file.why;
        return std::nullopt;
      }
      a.addWord("shapeType", file.path);
      addPlace(a, r, x, y);
      if (size != Vector3d::Ones()) {
        addSizes(a, size[0], size[1], size[2]);
        a.add("extra", 1.0);  // of a file: the sizes scale it
      }
      break;
    }
  }
  Vector3d color(180, 180, 180);
  if (visual.color) {
    for (int i = 0; i < 3; ++i) color[i] = std::round(255 * (*visual.color)[i]);
  }
  a.add("color", color);
  return a.map();
}

}  // namespace cardan::robots
