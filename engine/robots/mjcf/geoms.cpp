#include "engine/robots/mjcf/geoms.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/robots/colliders.h"
#include "engine/robots/inertia.h"
#include "frames/algebra.h"

namespace cardan::robots::mjcf {
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

/// Volume [m3], and principal moments by the mass [m2], of a solid shape.
void volumeOf(const Geom& g, double& volume, Vector3d& square) {
  constexpr double pi = std::numbers::pi;
  const double r = g.size[0], h = 2 * g.size[1];
  switch (g.type) {
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
    default: {  // an ellipsoid or a box
      const Vector3d s = g.size.cwiseProduct(g.size);
      const bool isBox = g.type == Geom::Type::box;
      volume = (isBox ? 8 : 4 * pi / 3) * g.size.prod();
      square = Vector3d(s[1] + s[2], s[0] + s[2], s[0] + s[1]) / (isBox ? 3 : 5);
    }
  }
}

/// Area [m2], and principal moments by the mass [m2], of a shape that is its surface.
void surfaceOf(const Geom& g, double& area, Vector3d& square) {
  constexpr double pi = std::numbers::pi;
  const double r = g.size[0], h = 2 * g.size[1];
  const auto& s = g.size;
  const double wall = 2 * pi * r * h;
  const double wallAcross = (6 * r * r + h * h) / 12;
  switch (g.type) {
    case Geom::Type::sphere:
      area = 4 * pi * r * r;
      square.setConstant(2 * r * r / 3);
      break;
    case Geom::Type::cylinder: {
      const double lids = 2 * pi * r * r;
      area = lids + wall;
      const double across = (lids * (r * r + h * h) / 4 + wall * wallAcross) / area;
      square << across, across, (lids * r * r / 2 + wall * r * r) / area;
      break;
    }
    case Geom::Type::capsule: {
      // The centres of mass of half shells are r/2 beyond the ends of the wall.
      const double ball = 4 * pi * r * r;
      area = ball + wall;
      const double beyond = 2 * r * r / 3 + h * h / 4 + h * r / 2;
      const double across = (ball * beyond + wall * wallAcross) / area;
      square << across, across, (ball * 2 * r * r / 3 + wall * r * r) / area;
      break;
    }
    case Geom::Type::ellipsoid: {
      // Area by Thomsen's formula; between two ellipsoids whose axes differ by the same small length.
      constexpr double p = 1.6075;
      const Vector3d product{s[1] * s[2], s[0] * s[2], s[0] * s[1]};
      area = 4 * pi * std::pow(product.array().pow(p).sum() / 3, 1 / p);
      const double volume = s.prod(), growth = product.sum();
      for (int i = 0; i < 3; ++i) {
        const double b = s[(i + 1) % 3], c = s[(i + 2) % 3];
        square[i] = (b * b + c * c) / 5 + 2 * volume * (b + c) / (5 * growth);
      }
      break;
    }
    default: {  // a box: six plates
      const Vector3d plate = 8 * Vector3d(s[1] * s[2], s[0] * s[2], s[0] * s[1]);
      area = plate.sum();
      // Mean squares of the coordinates over all plates.
      Vector3d mean{0, 0, 0};
      for (int i = 0; i < 3; ++i) mean[i] = s[i] * s[i] * (1 + 2 * plate[i] / area) / 3;
      square << mean[1] + mean[2], mean[0] + mean[2], mean[0] + mean[1];
    }
  }
}

std::optional<Mass> massOfMesh(const Geom& g, const Assets& assets, MeshSolids& solids,
                               std::string& why) {
  const auto asset = assets.meshes.find(g.mesh);
  if (asset == assets.meshes.end()) {
    why = "it names no mesh";
    return std::nullopt;
  }
  const MeshSolids::Entry& mesh = solids.of(asset->second);
  why = mesh.why;
  if (!mesh.solid) return std::nullopt;
  Mass mass;
  mass.m = g.m.value_or(g.density * mesh.solid->size);
  mass.r_CM = g.pose.r + g.pose.R * mesh.solid->centre;
  mass.I = mass.m / mesh.solid->size * (g.pose.R * mesh.solid->I * g.pose.R.transpose());
  mass.I = (mass.I + mass.I.transpose().eval()) / 2;
  return mass;
}

Visual visualOf(const Geom& g, Geometry geometry, const Vector3d& size, const Vector3d& at) {
  Visual v;
  v.pose.r = g.pose.r + g.pose.R * at;
  v.pose.R = g.pose.R;
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
  if (const auto type = choice(full, "type", kTypes, diagnostics)) {
    g.type = static_cast<Geom::Type>(*type);
  } else if (full.attribute("type")) {
    return std::nullopt;
  }
  g.pose = poseOf(full, conventions, owner, diagnostics);
  if (const XmlAttribute* mesh = full.attribute("mesh")) g.mesh = mesh->value;
  if (!g.mesh.empty() && !assets.meshes.contains(g.mesh)) {
    std::vector<std::string> known;
    for (const auto& [n, unused] : assets.meshes) known.push_back(n);
    diagnostics.error(full.mark(*full.attribute("mesh")),
                      owner + ": no mesh '" + g.mesh + "'" + didYouMean(g.mesh, known));
  }
  if (const XmlAttribute* field = full.attribute("hfield")) {
    g.field = field->value;
    std::vector<std::string> known;
    for (const auto& [n, unused] : assets.fields) known.push_back(n);
    if (!assets.fields.contains(g.field))
      diagnostics.error(full.mark(*field),
                        owner + ": no hfield '" + g.field + "'" + didYouMean(g.field, known));
  }
  // What stands for a mesh has its sizes from there.
  const size_t needed = g.mesh.empty() ? sizesOf(g.type) : 0;
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
  g.isShell = flag(full, "shellinertia", false, diagnostics);
  g.fitScale = number(full, "fitscale", 1, owner, diagnostics);
  if (const XmlAttribute* m = full.attribute("material")) {
    if (const auto known = assets.colors.find(m->value); known != assets.colors.end())
      g.color = known->second;
  }
  if (const auto rgba = numbers(full, "rgba", 4, 4, owner, diagnostics)) g.color = colorFrom(*rgba);
  if (diagnostics.errorCount() > before) return std::nullopt;
  return g;
}

const MeshSolids::Entry& MeshSolids::of(const MeshAsset& mesh) {
  const auto [at, isNew] = known_.try_emplace(mesh.element);
  Entry& e = at->second;
  if (!isNew) return e;
  e.faces = facesOf(mesh, robot_, e.why);
  if (!e.faces.empty()) {
    e.solid = solidOf(e.faces, mesh.kind);
    e.why = "the volume of mesh '" + mesh.name +
            "' is not positive: it is flat, or its triangles are not all seen from outside; try "
            "inertia=\"convex\" or \"shell\"";
  }
  return e;
}

const std::optional<Collider>& MeshSolids::hullOf(const MeshAsset& mesh, std::string& why) {
  const auto [at, isNew] = hulls_.try_emplace(mesh.element);
  Hull& hull = at->second;
  if (isNew) {
    const Entry& entry = of(mesh);
    hull.why = entry.why;
    Collider c;
    if (!entry.faces.empty() && makeHull(entry.faces, c, hull.why)) hull.collider = std::move(c);
  }
  why = hull.why;
  return hull.collider;
}

bool fitToMesh(Geom& g, const Assets& assets, const Conventions& conventions, MeshSolids& solids,
               std::string& why) {
  const MeshSolids::Entry& mesh = solids.of(assets.meshes.at(g.mesh));
  why = mesh.why;
  if (!mesh.solid) return false;
  // In the mesh's principal axes, the largest moment first: z is along it.
  const PrincipalAxes p = principalAxes(mesh.solid->I);
  std::array<int, 3> order{0, 1, 2};
  std::ranges::sort(order, [&](int a, int b) { return p.moments[a] > p.moments[b]; });
  Pose pose{mesh.solid->centre, Matrix3d::Identity()};
  for (int i = 0; i < 3; ++i) pose.R.col(i) = p.axes.col(order[i]);
  pose.R.col(2) = cross(Vector3d(pose.R.col(0)), Vector3d(pose.R.col(1)));
  Vector3d half{0, 0, 0};
  if (conventions.fitsBoxes) {
    Vector3d least = Vector3d::Constant(INFINITY), most = -least;
    for (const Face& f : mesh.faces) {
      for (const Vector3d& corner : f) {
        const Vector3d q = pose.R.transpose() * (corner - pose.r);
        least = least.cwiseMin(q);
        most = most.cwiseMax(q);
      }
    }
    pose.r += pose.R * (least + most) / 2;
    half = (most - least) / 2;
  } else {  // the box of the same moments
    const double sum = p.moments.sum();
    for (int i = 0; i < 3; ++i)
      half[i] = std::sqrt(std::max(0.0, 1.5 * (sum - 2 * p.moments[order[i]]) / mesh.solid->size));
  }
  const double across =
      conventions.fitsBoxes ? std::max(half[0], half[1]) : (half[0] + half[1]) / 2;
  switch (g.type) {
    case Geom::Type::sphere:
      g.size[0] = conventions.fitsBoxes ? half.maxCoeff() : half.sum() / 3;
      break;
    case Geom::Type::capsule:
      g.size << across, std::max(0.0, half[2] - (conventions.fitsBoxes ? across : across / 2)), 0;
      break;
    case Geom::Type::cylinder:
      g.size << across, half[2], 0;
      break;
    default:
      g.size = half;
  }
  g.size *= g.fitScale;
  g.pose = g.pose * pose;
  g.mesh.clear();
  return true;
}

std::optional<Mass> massOf(const Geom& g, const Assets& assets, MeshSolids& solids,
                           std::string& why) {
  using Type = Geom::Type;
  if (g.type == Type::plane || g.type == Type::hfield || g.m.value_or(g.density) == 0)
    return Mass{};
  if (g.type == Type::mesh || g.type == Type::sdf) return massOfMesh(g, assets, solids, why);
  double size = 0;
  Vector3d square{0, 0, 0};
  (g.isShell ? surfaceOf : volumeOf)(g, size, square);
  Mass mass;
  mass.m = g.m.value_or(g.density * size);
  mass.r_CM = g.pose.r;
  mass.I = g.pose.R * (mass.m * square).asDiagonal() * g.pose.R.transpose();
  mass.I = (mass.I + mass.I.transpose().eval()) / 2;
  return mass;
}

std::optional<Collider> colliderOf(const Geom& g, const Assets& assets, MeshSolids& solids,
                                   std::string& why) {
  using Kind = Collider::Kind;
  Collider c;
  c.pose = g.pose;
  c.color = g.color;
  c.element = g.element;
  switch (g.type) {
    case Geom::Type::plane:
      c.kind = Kind::plane;
      return c;
    case Geom::Type::sphere:
      c.size = {g.size[0], 0, 0};
      return c;
    case Geom::Type::capsule:
    case Geom::Type::cylinder:
      c.kind = g.type == Geom::Type::capsule ? Kind::capsule : Kind::cylinder;
      c.size = {g.size[0], 2 * g.size[1], 0};
      return c;
    case Geom::Type::ellipsoid:
      c.kind = Kind::ellipsoid;
      c.size = g.size;
      return c;
    case Geom::Type::box:
      c.kind = Kind::box;
      c.size = 2 * g.size;
      return c;
    case Geom::Type::mesh: {
      const auto mesh = assets.meshes.find(g.mesh);
      if (mesh == assets.meshes.end()) {
        why = "it names no mesh";
        return std::nullopt;
      }
      const std::optional<Collider>& hull = solids.hullOf(mesh->second, why);
      if (!hull) return std::nullopt;
      c.kind = hull->kind;
      c.points = hull->points;
      c.cut = hull->cut;
      return c;
    }
    case Geom::Type::hfield: {
      const auto field = assets.fields.find(g.field);
      if (field == assets.fields.end()) {
        why = "it names no hfield";
        return std::nullopt;
      }
      const HeightField& f = field->second;
      c.kind = Kind::heights;
      c.heights = heightsOf(f, solids.robot(), why);
      if (c.heights.empty()) return std::nullopt;
      c.size = {2 * f.half[0] / static_cast<double>(c.heights[0].size() - 1),
                2 * f.half[1] / static_cast<double>(c.heights.size() - 1), 0};
      return c;
    }
    default:
      why = "of signed distances no contact is computed";
      return std::nullopt;
  }
}

std::vector<Visual> visualsOf(const Geom& g, const Assets& assets) {
  const Vector3d centre = Vector3d::Zero(), ball{g.size[0], 0, 0};
  const Vector3d half{0, 0, g.size[1]};
  switch (g.type) {
    case Geom::Type::sphere:
      return {visualOf(g, Geometry::sphere, ball, centre)};
    case Geom::Type::cylinder:
      return {visualOf(g, Geometry::cylinder, {g.size[0], 2 * g.size[1], 0}, centre)};
    case Geom::Type::capsule:
      return {visualOf(g, Geometry::cylinder, {g.size[0], 2 * g.size[1], 0}, centre),
              visualOf(g, Geometry::sphere, ball, half),
              visualOf(g, Geometry::sphere, ball, -half)};
    case Geom::Type::box:
      return {visualOf(g, Geometry::box, 2 * g.size, centre)};
    case Geom::Type::ellipsoid:
      return {visualOf(g, Geometry::ellipsoid, 2 * g.size, centre)};
    case Geom::Type::mesh: {
      const auto mesh = assets.meshes.find(g.mesh);
      if (mesh == assets.meshes.end() || mesh->second.file.empty()) return {};
      const MeshAsset& m = mesh->second;
      Visual v = visualOf(g, Geometry::mesh, m.scale, centre);
      // The file's own frame; with a turned one the scale is that of all axes.
      v.pose.r = g.pose.r - g.pose.R * m.scale.cwiseProduct(m.ref.R.transpose() * m.ref.r);
      v.pose.R = g.pose.R * m.ref.R.transpose();
      v.file = m.file;
      return {v};
    }
    default:
      return {};
  }
}

}  // namespace cardan::robots::mjcf
