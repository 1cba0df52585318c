/// Robots of URDF and MJCF files as model files of components of the catalogue.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/robots/import_options.h"
#include "engine/robots/import_report.h"
#include "engine/text/imported_model.h"

namespace cardan {

struct RobotImport {
  ImportedModel model;
  ImportReport report;  ///< its warnings are among the diagnostics, too
};

/// Reads a file, in MJCF if its name says so, else in URDF. Everything that is wrong is in
/// `diagnostics`, and nothing is returned then. In MJCF bodies are links, and of the options
/// --floating and --merge-fixed have no meaning.
std::optional<RobotImport> importRobot(const std::string& path,
                                       const robots::ImportOptions& options,
                                       Diagnostics& diagnostics);

/// The same from a text; `name` stands for its file in messages, and for the place of other files.
std::optional<RobotImport> importRobotText(std::string_view text, const std::string& name,
                                           const robots::ImportOptions& options,
                                           Diagnostics& diagnostics);

/// Without a folder for the model among `options`, files that it names are beside the robot's own.
ModelFormat robotFormat(const robots::ImportOptions& options = {});

/// True of names of MJCF files.
inline bool isMjcfFile(std::string_view path) { return path.ends_with(".xml"); }
/// True of names of robots: MJCF files, URDF files, and the templates that these are made from.
inline bool isRobotFile(std::string_view path) {
  return isMjcfFile(path) || path.ends_with(".urdf") || path.ends_with(".xacro");
}

}  // namespace cardan
