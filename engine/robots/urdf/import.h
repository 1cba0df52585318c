/// Import: the elements of a URDF file as a robot.
#pragma once

#include <optional>

#include "engine/robots/import_report.h"
#include "engine/robots/robot.h"

namespace cardan::robots::urdf {

/// `path` stands for the file in messages, and for the place of meshes. Everything that is wrong is in
/// `diagnostics`, and nothing is returned then; what has become of each element is in `report`.
std::optional<Robot> readRobot(const XmlElement& root, const std::string& path,
                               const ImportOptions& options, ImportReport& report,
                               Diagnostics& diagnostics);

}  // namespace cardan::robots::urdf
