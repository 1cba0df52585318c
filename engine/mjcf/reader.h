/// Reader: from the elements of an MJCF file to a Robot, everything with its place.
#pragma once

#include "engine/mjcf/robot.h"
#include "engine/text/import_report.h"

namespace cardan::mjcf {

/// Reads <mujoco>. What is wrong is in `diagnostics`; what is no part of the mechanics, or what Cardan
/// has nothing for, in `report`. The robot refers to `root`.
Robot readRobot(const XmlElement& root, ImportReport& report, Diagnostics& diagnostics);

}  // namespace cardan::mjcf
