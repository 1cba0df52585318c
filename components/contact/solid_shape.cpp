#include "components/contact/solid_shape.h"

#include <algorithm>
#include <numbers>

#include "components/contact/shape_pair.h"
#include "components/contact/terrain.h"
#include "components/interfaces/picture.h"

namespace cardan::contact {

namespace {

constexpr int kSides = 48;  ///< of a prism in the place of a cylinder, a pyramid in that of a cone

}  // namespace

void SolidShape::read(ParameterReader& r) {
  const std::vector<std::pair<std::string_view, Kind>> kinds{
      {"plane", Kind::plane},       {"sphere", Kind::sphere},       {"capsule", Kind::capsule},
      {"cylinder", Kind::cylinder}, {"ellipsoid", Kind::ellipsoid}, {"box", Kind::box},
      {"cone", Kind::cone},         {"hull", Kind::hull},           {"heights", Kind::heights},
      {"mesh", Kind::mesh}};
  r.enumeration(
      "shape", kind_, kinds,
      "which body: a half-space below n, one about its origin, along z, or ground below z of "
      "heights or below triangles");
  r.vector("r", r_, "m", "from frame_a to the origin of the body, resolved in frame_a");
  r.integers("sequence", sequence_, "axes of the rotations from frame_a to the body");
  r.vector("angles", angles_, "deg", "angles about the axes of `sequence`");
  r.vector("n", n_, "1",
           "plane: its normal, to where it is free, resolved in frame_a as turned by `angles`");
  r.real("radius", radius_, "m", "of sphere, capsule, cylinder, and of a cone's base",
         kNotNegative);
  r.real("length", length_, "m",
         "along z: of cylinder and cone; of a capsule between the centres of its ends",
         kNotNegative);
  r.vector("radii", radii_, "m", "ellipsoid: half its sizes", kNotNegative);
  r.vector("size", size_, "m", "box: its sizes", kNotNegative);
  r.table("points", points_, "m", "hull: points whose convex hull it is, a row each");
  readGround(r);
  r.string("material", material_ = "", "name of a material under contacts; default: none");
  animation_.boolean(r, "animation", true);
  animation_.color(r, "color", has(Kind::plane) || isGround() ? kRodColor : kBodyColor, "body");
  animation_.specular(r);
  animation_.length(r, "planeSize", 2 * r.world().nominalLength,
                    "plane: edge of the square that it is shown as; default: 2 "
                    "world.nominalLength");

  if (!r.require(std::ranges::all_of(sequence_, [](int i) { return 1 <= i && i <= 3; }), "sequence",
                 "must consist of 1, 2 and 3"))
    sequence_ = {1, 2, 3};
  const std::string shape(
      std::ranges::find(kinds, kind_, &std::pair<std::string_view, Kind>::second)->first);
  const auto needs = [&](const char* name, bool wanted, bool positive) {
    if (wanted) {
      r.require(positive, name, "must be given, greater than 0, with shape: " + shape);
    } else {
      r.require(!r.isGiven(name), name, "is of no use with shape: " + shape);
    }
  };
  needs("n", has(Kind::plane), true);
  needs("radius", has(Kind::sphere) || has(Kind::capsule) || has(Kind::cylinder) || has(Kind::cone),
        radius_ > 0);
  needs("length", has(Kind::capsule) || has(Kind::cylinder) || has(Kind::cone), length_ > 0);
  needs("radii", has(Kind::ellipsoid), radii_.minCoeff() > 0);
  needs("size", has(Kind::box), size_.minCoeff() > 0);
  needs("points", has(Kind::hull), true);
  needs("heights", has(Kind::heights), true);
  needs("spacing", has(Kind::heights), spacing_.size() > 0 && spacing_.minCoeff() > 0);
  needs("triangles", has(Kind::mesh), true);
  needs("fileName", isGround(), true);
  if (!r.require(n_.norm() > 0, "n", "must not be the zero vector")) n_ = {0, 0, 1};
  parametersChanged();
  if (isGround()) checkGround(r);
  if (!has(Kind::hull)) return;
  if (!r.require(points_.rows() > 3 && points_.cols() == 3, "points",
                 "must have four rows at least, of three numbers each, with shape: hull"))
    return;
  r.require(!solid_.faces.faces.empty(), "points", "must not lie in one plane");
  r.require(std::ssize(solid_.faces.faces) <= kMostFaces, "points",
            "must have a hull of at most " + std::to_string(kMostFaces) + " faces, this one has " +
                std::to_string(solid_.faces.faces.size()) + ": leave points out");
}

/// Its parameters: numbers, or a file of them.
void SolidShape::readGround(ParameterReader& r) {
  TableFile file;
  r.string("fileName", file.fileName,
           "heights, mesh: path of a file with them, relative to the model file");
  const bool isFile = r.isGiven("fileName");
  const auto table = [&](const char* name, Kind kind, Eigen::MatrixXd& x, const char* about) {
    x.resize(0, 0);
    if (isFile && has(kind)) {
      r.table(name, x, "m", about, file);
    } else {
      r.table(name, x, "m", about);
    }
  };
  table("heights", Kind::heights, heights_,
        "heights: z at the places of a grid about the origin, a row for each y, along x");
  r.vectorOfAnySize("spacing", spacing_, "m", "heights: between places along x and along y");
  table("triangles", Kind::mesh, triangles_,
        "mesh: the nine coordinates of a triangle's corners a row, counterclockwise where it is "
        "free");
}

void SolidShape::checkGround(ParameterReader& r) const {
  if (has(Kind::heights)) {
    r.require(spacing_.size() <= 2, "spacing",
              "must be one number, or one along x and one along y");
    r.require(std::min(heights_.rows(), heights_.cols()) > 1, "heights",
              "must have two rows and two columns at least, with shape: heights");
    return;
  }
  if (r.require(triangles_.cols() == 9, "triangles",
                "must have nine numbers a row, with shape: mesh"))
    r.require(solid_.terrain != nullptr, "triangles", "must not all be without an area");
}

void SolidShape::parametersChanged() {
  makeSolid();
  turn();
}

void SolidShape::set(const std::string& type, const Bar& bar) {
  const frames::Orientation<double> R = frames::from_nxy(bar.lengthDirection, bar.widthDirection);
  const Matrix3d along = frames::to_T(R);  // its rows: along, width, height
  T_ << along.row(1), along.row(2), along.row(0);
  r_ = bar.r + along.row(0).transpose() * (bar.length / 2);
  size_ = {bar.width, bar.height, bar.length};
  length_ = bar.length;
  radius_ = bar.width / 2;
  radii_ = size_ / 2;
  kind_ = type == "box" ? Kind::box : type == "cylinder" ? Kind::cylinder : Kind::ellipsoid;
  const bool isRound = bar.width == bar.height && bar.width == bar.length;
  if (kind_ == Kind::ellipsoid && isRound) kind_ = Kind::sphere;
  makeSolid();
}

void SolidShape::makeSolid() {
  solid_ = Solid{};
  const double around = 2 * radius_;
  switch (kind_) {
    case Kind::plane:
      solid_.kind = Solid::Kind::Plane;
      solid_.faces = Polyhedron::halfSpace(Vector3d::UnitZ());
      break;
    case Kind::sphere:
      solid_.kind = Solid::Kind::Sphere;
      solid_.extent = Vector3d::Constant(around);
      break;
    case Kind::capsule:
      solid_.kind = Solid::Kind::Capsule;
      solid_.extent = {around, around, around + length_};
      break;
    case Kind::cylinder:
      solid_.kind = Solid::Kind::Cylinder;
      solid_.faces = Polyhedron::frustum(radius_, radius_, length_, kSides);
      solid_.extent = {around, around, length_};
      break;
    case Kind::ellipsoid:
      solid_.kind = Solid::Kind::Ellipsoid;
      solid_.extent = 2 * radii_;
      break;
    case Kind::box:
      solid_.faces = Polyhedron::box(size_);
      solid_.extent = size_;
      break;
    case Kind::cone:
      solid_.kind = Solid::Kind::Cone;
      solid_.faces = Polyhedron::frustum(radius_, 0, length_, kSides);
      solid_.extent = {around, around, length_};
      break;
    case Kind::hull: {
      std::vector<Vector3d> points;
      if (points_.cols() == 3) {
        for (Eigen::Index i = 0; i < points_.rows(); ++i) points.push_back(points_.row(i));
      }
      solid_.faces = Polyhedron::hull(points);
      if (!points.empty()) {
        const Vector3d high = points_.colwise().maxCoeff(), low = points_.colwise().minCoeff();
        solid_.extent = high - low;
        solid_.middle = 0.5 * (high + low);
      }
      break;
    }
    case Kind::heights:
    case Kind::mesh: {
      solid_.kind = Solid::Kind::Terrain;
      auto ground = std::make_shared<Terrain>(groundTriangles());
      if (ground->triangles.empty()) break;
      solid_.extent = ground->high - ground->low;
      solid_.middle = 0.5 * (ground->high + ground->low);
      solid_.terrain = std::move(ground);
      break;
    }
  }
  solid_.radius = radius_;
  solid_.length = length_;
  solid_.radii = radii_;
  if (!has(Kind::plane)) solid_.reach = (0.5 * solid_.extent + solid_.middle.cwiseAbs()).norm();
  for (const Vector3d& v : solid_.faces.vertices) solid_.reach = std::max(solid_.reach, v.norm());
}

Vector3d SolidShape::top(Eigen::Index i, Eigen::Index j) const {
  const double dx = spacing_(0), dy = spacing_(spacing_.size() - 1);
  return {(static_cast<double>(j) - 0.5 * static_cast<double>(heights_.cols() - 1)) * dx,
          (static_cast<double>(i) - 0.5 * static_cast<double>(heights_.rows() - 1)) * dy,
          heights_(i, j)};
}

std::vector<std::array<Vector3d, 3>> SolidShape::groundTriangles() const {
  std::vector<std::array<Vector3d, 3>> all;
  if (has(Kind::heights) && spacing_.size() > 0) {
    for (Eigen::Index i = 0; i + 1 < heights_.rows(); ++i) {
      for (Eigen::Index j = 0; j + 1 < heights_.cols(); ++j) {
        const Vector3d b = top(i, j + 1), c = top(i + 1, j);
        all.push_back({top(i, j), b, c});
        all.push_back({b, top(i + 1, j + 1), c});
      }
    }
  }
  if (has(Kind::mesh) && triangles_.cols() == 9) {
    for (Eigen::Index i = 0; i < triangles_.rows(); ++i) {
      std::array<Vector3d, 3>& t = all.emplace_back();
      for (int k = 0; k < 9; ++k) t[k / 3][k % 3] = triangles_(i, k);
    }
  }
  return all;
}

void SolidShape::turn() {
  constexpr double degree = std::numbers::pi / 180;
  T_ = frames::to_T(frames::axesRotations(sequence_, angles_ * degree, Vector3d::Zero()));
  if (!has(Kind::plane)) return;
  Eigen::Index least = 0;
  n_.cwiseAbs().minCoeff(&least);
  const Vector3d z = n_.normalized(), x = z.cross(Vector3d::Unit(least)).normalized();
  Matrix3d own;
  own << x.transpose(), z.cross(x).transpose(), z.transpose();
  T_ = own * T_;
}

std::unique_ptr<Component> SolidShape::against(const Surface& other, double mass,
                                               std::string& why) const {
  const auto* shape = dynamic_cast<const SolidShape*>(&other);
  if (!shape) {
    why = "these are surfaces of different kinds";
    return nullptr;
  }
  if (!hasLaw(solid_, shape->solid_, why)) return nullptr;
  return std::make_unique<ShapePair>(*this, *shape, mass);
}

void SolidShape::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  const auto add = [&](const char* name, const char* type, const Vector3d& from,
                       const Vector3d& size) {
    s.add(Shape{.name = name,
                .type = type,
                .place = frame_.frame_a,
                .r_shape = Vector3d(r_ + T_.transpose() * from),
                .lengthDirection = Vector3d(T_.row(2)),
                .widthDirection = Vector3d(T_.row(0)),
                .length = size[2],
                .width = size[0],
                .height = size[1],
                .color = picture::rgb(animation_.colorValue("color")),
                .specular = animation_.specularValue()});
  };
  const auto centred = [&](const char* name, const char* type, const Vector3d& size) {
    add(name, type, {0, 0, -size[2] / 2}, size);
  };
  const Vector3d& extent = solid_.extent;
  const double edge = has(Kind::plane) ? animation_.realValue("planeSize") : 0;
  switch (kind_) {
    case Kind::plane:
      add("plane", "box", {0, 0, -0.005 * edge}, {edge, edge, 0.005 * edge});
      break;
    case Kind::sphere:
    case Kind::ellipsoid:
      centred("body", "sphere", extent);
      break;
    case Kind::capsule:
      centred("body", "cylinder", {extent[0], extent[1], length_});
      for (double side : {-0.5, 0.5}) {
        add(side < 0 ? "lower" : "upper", "sphere", {0, 0, side * length_ - radius_},
            Vector3d::Constant(2 * radius_));
      }
      break;
    case Kind::cylinder:
      centred("body", "cylinder", extent);
      break;
    case Kind::box:
      centred("body", "box", extent);
      break;
    case Kind::cone:
      centred("body", "cone", extent);
      break;
    case Kind::hull:
      pictureHull(s);
      break;
    case Kind::heights:
    case Kind::mesh:
      pictureGround(s);
      break;
  }
}

/// Heights as the grid that they are. Of triangles each is four lines of two points, the first and the last
/// one in one of its corners: what joins these lines to others' has no area.
void SolidShape::pictureGround(Shapes& s) const {
  SurfaceShape ground{.name = "ground",
                      .place = frame_.frame_a,
                      .color = picture::rgb(animation_.colorValue("color")),
                      .specular = animation_.specularValue()};
  std::vector<double> points;
  const auto add = [&](const Vector3d& p) {
    const Vector3d q = r_ + T_.transpose() * p;
    points.insert(points.end(), {q[0], q[1], q[2]});
  };
  if (has(Kind::heights)) {
    ground.nu = static_cast<int>(heights_.rows());
    ground.nv = static_cast<int>(heights_.cols());
    for (Eigen::Index i = 0; i < heights_.rows(); ++i) {
      for (Eigen::Index j = 0; j < heights_.cols(); ++j) add(top(i, j));
    }
  } else {
    ground.nu = 4 * static_cast<int>(triangles_.rows());
    for (const auto& [a, b, c] : groundTriangles()) {
      for (const Vector3d* p : {&a, &a, &a, &b, &a, &c, &c, &c}) add(*p);
    }
  }
  ground.points = std::move(points);
  s.add(std::move(ground));
}

/// Every face as a grid of two lines, from one end of it to the other.
void SolidShape::pictureHull(Shapes& s) const {
  int count = 0;
  for (const Polyhedron::Face& f : solid_.faces.faces) {
    std::vector<double> points;
    const int size = std::ssize(f.corners), half = (size + 1) / 2;
    const auto corner = [&](int i) {
      const Vector3d p = r_ + T_.transpose() * solid_.faces.vertices[f.corners[i % size]];
      points.insert(points.end(), {p[0], p[1], p[2]});
    };
    for (int i = 0; i <= half; ++i) corner(i);
    for (int i = 0; i <= half; ++i) corner(std::max(size - i, half));
    s.add(SurfaceShape{.name = "face" + std::to_string(++count),
                       .place = frame_.frame_a,
                       .nu = 2,
                       .nv = half + 1,
                       .points = points,
                       .color = picture::rgb(animation_.colorValue("color")),
                       .specular = animation_.specularValue()});
  }
}

}  // namespace cardan::contact
