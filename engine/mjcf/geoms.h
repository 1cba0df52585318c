/// Geoms: the shapes of bodies, and the masses that follow from them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/mjcf/values.h"

namespace cardan::mjcf {

/// What <asset> says of meshes and materials, by name.
struct Assets {
  struct Mesh {
    std::string file;
    Vector3d scale{1, 1, 1};
  };
  std::map<std::string, Mesh> meshes;
  std::map<std::string, std::array<double, 4>> colors;  ///< of materials
};

struct Geom {
  enum class Type { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf };
  Type type = Type::sphere;
  Pose pose;
  Vector3d size{0, 0, 0};   ///< [m]  radius; radius, half length; half axes or edges
  std::optional<double> m;  ///< [kg]
  double density = 1000;    ///< [kg/m3]
  int group = 0;
  std::string mesh;
  std::optional<std::array<double, 4>> color;  ///< [1]
  bool touches = true;                         ///< it takes part in contacts
  const XmlElement* element = nullptr;         ///< in the file
};

/// Reads an element that has all attributes; nothing, and errors, where it is wrong.
std::optional<Geom> readGeom(const XmlElement& full, const XmlElement& element,
                             const Conventions& conventions, const Assets& assets,
                             Diagnostics& diagnostics);

/// Its mass, resolved in the body's frame; nothing for a mesh, whose volume is in another file.
std::optional<Mass> massOf(const Geom& geom);

/// What is drawn of it; nothing of planes and height fields.
std::vector<urdf::Visual> visualsOf(const Geom& geom, const Assets& assets,
                                    const std::string& meshFolder);

}  // namespace cardan::mjcf
