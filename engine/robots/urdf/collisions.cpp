#include "engine/robots/urdf/collisions.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/robots/colliders.h"
#include "engine/robots/mesh_faces.h"
#include "engine/robots/mesh_files.h"

namespace cardan::robots::urdf {
namespace {

bool readHull(const Visual& v, const std::string& path, const ImportOptions& options, Collider& c,
              std::string& why) {
  const MeshFile file = findMesh(v.file, path, options);
  why = file.why;
  if (file.path.empty()) return false;
  std::vector<Face> faces =
      facesInFile(std::filesystem::path(options.modelFolder) / file.path, why);
  for (Face& f : faces) {
    for (Vector3d& corner : f) corner = corner.cwiseProduct(v.size);
  }
  return !faces.empty() && makeHull(faces, c, why);
}

bool readSizes(const Visual& v, const std::string& path, const ImportOptions& options, Collider& c,
               std::string& why) {
  if (v.geometry == Geometry::mesh) return readHull(v, path, options, c, why);
  const int count = v.geometry == Geometry::box ? 3 : v.geometry == Geometry::cylinder ? 2 : 1;
  c.kind = v.geometry == Geometry::box        ? Collider::Kind::box
           : v.geometry == Geometry::cylinder ? Collider::Kind::cylinder
                                              : Collider::Kind::sphere;
  c.size = v.size;
  why = "its sizes must be positive";
  return v.size.head(count).minCoeff() > 0;
}

}  // namespace

std::optional<Collider> colliderOf(const Visual& v, const std::string& path,
                                   const ImportOptions& options, std::string& why) {
  Collider c;
  c.element = v.element;
  c.pose = v.pose;
  if (const XmlAttribute* name = v.element->attribute("name")) c.name = name->value;
  return readSizes(v, path, options, c, why) ? std::optional(c) : std::nullopt;
}

void makeContacts(Robot& robot, const ImportOptions& options, ImportReport& report) {
  const bool isAsked = options.ground || options.selfCollisions;
  if (robot.colliders.empty()) {
    if (isAsked)
      report.warn("", robot.element->mark(), "the robot touches nothing: it has no shapes for it");
    return;
  }
  const SourceMark at = robot.colliders.front().element->mark();
  ContactRules& rules = robot.contacts;
  ContactRules::Group all{"robot", {}};
  for (Collider& c : robot.colliders) {
    takeName(c, "_collision", robot);
    all.members.push_back(c.component);
    report.convert(*c.element, "collision", c.component);
  }
  // A group hides a shape of its name.
  while (std::ranges::find(all.members, all.name) != all.members.end()) all.name += "_shapes";
  tellCutHulls(robot, report);
  if (options.ground)
    takeName(robot.colliders.emplace_back(groundAt(*options.ground, *robot.element)), "_plane",
             robot);
  // What else a model has, a floor that is put under it as well, may touch all of it.
  if (!options.selfCollisions) {
    rules.exclude.push_back({all.name, all.name, std::nullopt});
    rules.groups.push_back(std::move(all));
  }
  if (isAsked)
    report.warn("", at,
                "contacts are Cardan's: URDF says nothing of materials, and simulators differ in "
                "what they take");
}

}  // namespace cardan::robots::urdf
