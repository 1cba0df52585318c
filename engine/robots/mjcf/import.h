/// Import: the elements of an MJCF file as a robot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/robots/import_report.h"
#include "engine/robots/robot.h"

namespace cardan::robots::mjcf {

/// `path` stands for the file in messages, and for the place of those that it includes, whose elements
/// are put into `root` and whose names into `files`. Everything that is wrong is in `diagnostics`, and
/// nothing is returned then; what has become of each element is in `report`.
std::optional<Robot> readRobot(XmlElement& root, const std::string& path,
                               const ImportOptions& options, std::vector<std::string>& files,
                               ImportReport& report, Diagnostics& diagnostics);

}  // namespace cardan::robots::mjcf
