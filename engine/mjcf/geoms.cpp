#include "engine/mjcf/geoms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cardan::mjcf {
namespace {

constexpr const char* kTypes[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                  "cylinder", "box",    "mesh",   "sdf"};

/// How many sizes a type has.
size_t sizesOf(Geom::Type type) {
  switch (type) {
    case Geom::Type::sphere:
      return 1;
    case Geom::Type::capsule:
    case Geom::Type::cylinder:
      return 2;
    case Geom::Type::ellipsoid:
    case Geom::Type::box:
      return 3;
    default:
      return 0;
  }
}

bool readType(const XmlElement& full, Geom& g, const std::string& owner, Diagnostics& diagnostics) {
  const XmlAttribute* type = full.attribute("type");
  if (!type) return true;
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    if (type->value == kTypes[i]) {
      g.type = static_cast<Geom::Type>(i);
      return true;
    }
  }
  diagnostics.error(full.mark(*type),
                    owner + ": unknown type " + urdf::shown(type->value) +
                        didYouMean(type->value, {std::begin(kTypes), std::end(kTypes)}));
  return false;
}

/// Ends of the axis in place of a pose and a length.
bool readEnds(const XmlElement& full, Geom& g, const std::string& owner, Diagnostics& diagnostics) {
  const auto ends = numbers(full, "fromto", 6, 6, owner, diagnostics);
  if (!ends) return !full.attribute("fromto");
  const Vector3d from(ends->data()), to(ends->data() + 3), along = from - to;
  if (!(along.stableNorm() > 1e-14)) {
    diagnostics.error(full.mark(*full.attribute("fromto")),
                      owner + ": the ends in 'fromto' must not be the same");
    return false;
  }
  g.pose.r = (from + to) / 2;
  g.pose.R = turnZTo(along);
  const double half = along.stableNorm() / 2;
  g.size = g.type == Geom::Type::box || g.type == Geom::Type::ellipsoid
               ? Vector3d(g.size[0], g.size[0], half)
               : Vector3d(g.size[0], half, 0);
  return true;
}

urdf::Visual visualOf(const Geom& g, urdf::Geometry geometry, const Vector3d& size,
                      const Vector3d& at) {
  urdf::Visual v;
  v.pose.r = g.pose.r + g.pose.R * at;
  if (!g.pose.R.isIdentity(0)) v.pose.composed = g.pose.R;
  v.geometry = geometry;
  v.size = size;
  v.color = g.color;
  v.element = g.element;
  return v;
}

}  // namespace

std::optional<Geom> readGeom(const XmlElement& full, const XmlElement& element,
                             const Conventions& conventions, const Assets& assets,
                             Diagnostics& diagnostics) {
  Geom g;
  g.element = &element;
  const XmlAttribute* name = full.attribute("name");
  const std::string owner = name ? "geom '" + name->value + "'" : "a geom";
  const int before = diagnostics.errorCount();
  if (full.attribute("mesh") && !full.attribute("type")) g.type = Geom::Type::mesh;
  if (!readType(full, g, owner, diagnostics)) return std::nullopt;
  g.pose = poseOf(full, conventions, owner, diagnostics);
  const size_t needed = sizesOf(g.type);
  const bool hasEnds = full.attribute("fromto") && needed >= 2;
  const size_t least = hasEnds ? 1 : needed;
  if (const auto size = numbers(full, "size", std::max<size_t>(least, 1), 3, owner, diagnostics)) {
    for (size_t i = 0; i < size->size(); ++i) g.size[i] = (*size)[i];
    for (size_t i = 0; i < least; ++i) {
      if ((*size)[i] > 0) continue;
      diagnostics.error(full.mark(*full.attribute("size")),
                        owner + ": 'size' of <geom> must be positive");
      break;
    }
  } else if (least > 0 && !full.attribute("size")) {
    diagnostics.error(element.mark(), owner + ": 'size' of <geom> must be given");
  }
  if (hasEnds) readEnds(full, g, owner, diagnostics);
  if (full.attribute("mass")) g.m = number(full, "mass", 0, owner, diagnostics);
  g.density = number(full, "density", g.density, owner, diagnostics);
  if (g.density < 0 || (g.m && *g.m < 0))
    diagnostics.error(element.mark(), owner + ": mass and density must not be negative");
  g.group = static_cast<int>(std::clamp(number(full, "group", 0, owner, diagnostics), -1e6, 1e6));
  g.touches = number(full, "contype", 1, owner, diagnostics) != 0 ||
              number(full, "conaffinity", 1, owner, diagnostics) != 0;
  if (const XmlAttribute* mesh = full.attribute("mesh")) g.mesh = mesh->value;
  if (const XmlAttribute* m = full.attribute("material")) {
    if (const auto known = assets.colors.find(m->value); known != assets.colors.end())
      g.color = known->second;
  }
  if (const auto rgba = numbers(full, "rgba", 4, 4, owner, diagnostics)) {
    g.color.emplace();
    for (size_t i = 0; i < 4; ++i) (*g.color)[i] = std::clamp((*rgba)[i], 0.0, 1.0);
  }
  if (diagnostics.errorCount() > before) return std::nullopt;
  return g;
}

std::optional<Mass> massOf(const Geom& g) {
  constexpr double pi = std::numbers::pi;
  const double r = g.size[0], h = 2 * g.size[1];
  double volume = 0;         // [m3]
  Vector3d square{0, 0, 0};  // [m2]  principal moments by the mass
  switch (g.type) {
    case Geom::Type::plane:
    case Geom::Type::hfield:
      return Mass{};
    case Geom::Type::mesh:
    case Geom::Type::sdf:
      if (g.m && *g.m == 0) return Mass{};
      return g.density == 0 && !g.m ? std::optional(Mass{}) : std::nullopt;
    case Geom::Type::sphere:
      volume = 4 * pi / 3 * r * r * r;
      square.setConstant(0.4 * r * r);
      break;
    case Geom::Type::cylinder:
      volume = pi * r * r * h;
      square << (3 * r * r + h * h) / 12, (3 * r * r + h * h) / 12, r * r / 2;
      break;
    case Geom::Type::capsule: {
      // A cylinder between two half balls, whose centres of mass are 3/8 r beyond its ends.
      const double cylinder = pi * r * r * h, ball = 4 * pi / 3 * r * r * r;
      volume = cylinder + ball;
      const double c = cylinder / volume, b = ball / volume;
      const double across =
          c * (3 * r * r + h * h) / 12 + b * (0.4 * r * r + h * h / 4 + 3 * h * r / 8);
      square << across, across, c * r * r / 2 + b * 0.4 * r * r;
      break;
    }
    case Geom::Type::ellipsoid:
    case Geom::Type::box: {
      const Vector3d s = g.size.cwiseProduct(g.size);
      const bool isBox = g.type == Geom::Type::box;
      volume = (isBox ? 8 : 4 * pi / 3) * g.size.prod();
      square = Vector3d(s[1] + s[2], s[0] + s[2], s[0] + s[1]) / (isBox ? 3 : 5);
      break;
    }
  }
  Mass mass;
  mass.m = g.m.value_or(g.density * volume);
  mass.r_CM = g.pose.r;
  mass.I = g.pose.R * (mass.m * square).asDiagonal() * g.pose.R.transpose();
  mass.I = (mass.I + mass.I.transpose().eval()) / 2;
  return mass;
}

std::vector<urdf::Visual> visualsOf(const Geom& g, const Assets& assets,
                                    const std::string& meshFolder) {
  const Vector3d centre = Vector3d::Zero(), ball{g.size[0], 0, 0};
  const Vector3d half{0, 0, g.size[1]};
  switch (g.type) {
    case Geom::Type::sphere:
      return {visualOf(g, urdf::Geometry::sphere, ball, centre)};
    case Geom::Type::cylinder:
      return {visualOf(g, urdf::Geometry::cylinder, {g.size[0], 2 * g.size[1], 0}, centre)};
    case Geom::Type::capsule:
      return {visualOf(g, urdf::Geometry::cylinder, {g.size[0], 2 * g.size[1], 0}, centre),
              visualOf(g, urdf::Geometry::sphere, ball, half),
              visualOf(g, urdf::Geometry::sphere, ball, -half)};
    case Geom::Type::box:
      return {visualOf(g, urdf::Geometry::box, 2 * g.size, centre)};
    case Geom::Type::ellipsoid:
      return {visualOf(g, urdf::Geometry::ellipsoid, 2 * g.size, centre)};
    case Geom::Type::mesh: {
      const auto mesh = assets.meshes.find(g.mesh);
      if (mesh == assets.meshes.end() || mesh->second.file.empty()) return {};
      urdf::Visual v = visualOf(g, urdf::Geometry::mesh, mesh->second.scale, centre);
      v.file = meshFolder.empty() || mesh->second.file.starts_with('/')
                   ? mesh->second.file
                   : meshFolder + "/" + mesh->second.file;
      return {v};
    }
    default:
      return {};
  }
}

}  // namespace cardan::mjcf
