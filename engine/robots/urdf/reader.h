/// Reader: from the elements of a URDF file to links and joints, everything with its place.
#pragma once

#include "engine/robots/import_report.h"
#include "engine/robots/robot.h"

namespace cardan::robots::urdf {

/// q = multiplier q_joint + offset
struct Mimic {
  std::string joint;
  double multiplier = 1;
  double offset = 0;  ///< [rad] or [m]
  const XmlElement* element = nullptr;
  SourceMark at;
};

/// A joint, with what it says of others by name.
struct NamedJoint : Joint {
  std::string parent, child;
  SourceMark parentAt, childAt;
  std::optional<Mimic> mimic;
};

/// What a file holds, in its order.
struct Parts {
  std::string name;
  std::vector<Body> links;
  std::vector<NamedJoint> joints;
  std::vector<std::pair<int, Visual>> collisions;  ///< of links; none are read unless asked for
  const XmlElement* element = nullptr;
};

/// Reads links and joints of <robot>. What is wrong is in `diagnostics`; what URDF does not know, or
/// the mechanics do not need, in `report`. The parts refer to `root`.
Parts readParts(const XmlElement& root, bool collisions, ImportReport& report,
                Diagnostics& diagnostics);

}  // namespace cardan::robots::urdf
