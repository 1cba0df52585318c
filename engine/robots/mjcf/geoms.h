/// Geoms: the shapes of bodies, and the masses that follow from them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/robots/mjcf/height_fields.h"
#include "engine/robots/mjcf/meshes.h"
#include "engine/robots/mjcf/values.h"

namespace cardan::robots::mjcf {

/// What <asset> says of meshes, height fields and materials, by name.
struct Assets {
  std::map<std::string, MeshAsset> meshes;
  std::map<std::string, HeightField> fields;
  std::map<std::string, Color> colors;  ///< of materials
};

struct Geom {
  enum class Type { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf };
  Type type = Type::sphere;
  Pose pose;
  Vector3d size{0, 0, 0};   ///< [m]  radius; radius, half length; half axes or edges
  std::optional<double> m;  ///< [kg]
  double density = 1000;    ///< [kg/m3]; of a shell [kg/m2]
  bool isShell = false;     ///< its mass is on its surface
  double fitScale = 1;      ///< [1]  of what stands for a mesh: its sizes by those that fit
  int group = 0;
  std::string mesh, field;
  std::optional<Color> color;           ///< [1]
  bool touches = true;                  ///< it takes part in contacts
  const XmlElement* element = nullptr;  ///< in the file
};

/// Reads an element that has all attributes; nothing, and errors, where it is wrong.
std::optional<Geom> readGeom(const XmlElement& full, const XmlElement& element,
                             const Conventions& conventions, const Assets& assets,
                             Diagnostics& diagnostics);

/// The solids of meshes, each made when it is first asked for.
class MeshSolids {
 public:
  struct Entry {
    std::vector<Face> faces;
    std::optional<Solid> solid;
    std::string why;  ///< there is no solid
  };
  /// `robot`: the robot's file.
  explicit MeshSolids(std::string robot) : robot_(std::move(robot)) {}
  const Entry& of(const MeshAsset& mesh);
  /// What others touch of it; nothing, and `why` says so, where it has no hull.
  const std::optional<Collider>& hullOf(const MeshAsset& mesh, std::string& why);
  const std::string& robot() const { return robot_; }

 private:
  struct Hull {
    std::optional<Collider> collider;
    std::string why;
  };
  std::string robot_;
  std::map<const XmlElement*, Entry> known_;  ///< by the element of the mesh
  std::map<const XmlElement*, Hull> hulls_;
};

/// Of a geom that stands for a mesh: the sizes and the place that fit it. False, and `why` says so, where
/// the mesh has no solid.
bool fitToMesh(Geom& geom, const Assets& assets, const Conventions& conventions, MeshSolids& solids,
               std::string& why);

/// Its mass, resolved in the body's frame; nothing, and `why` says so, where that of its mesh is not known.
std::optional<Mass> massOf(const Geom& geom, const Assets& assets, MeshSolids& solids,
                           std::string& why);

/// What is drawn of it; nothing of planes and height fields.
std::vector<Visual> visualsOf(const Geom& geom, const Assets& assets);

/// What others touch of it; nothing, and `why` says so, where Cardan has no such shape.
std::optional<Collider> colliderOf(const Geom& geom, const Assets& assets, MeshSolids& solids,
                                   std::string& why);

}  // namespace cardan::robots::mjcf
