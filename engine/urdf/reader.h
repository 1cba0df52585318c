/// Reader: from the elements of a URDF file to a Robot, everything with its place.
#pragma once

#include "engine/text/import_report.h"
#include "engine/urdf/robot.h"

namespace cardan::urdf {

/// Reads links and joints of <robot>. What is wrong is in `diagnostics`; what URDF does not know, or
/// the mechanics do not need, in `report`. The robot refers to `root`.
Robot readRobot(const XmlElement& root, ImportReport& report, Diagnostics& diagnostics);

}  // namespace cardan::urdf
