/// Shapes: the visuals of links as shapes of a picture.
#pragma once

#include <optional>
#include <string>

#include "engine/robots/import_options.h"
#include "engine/robots/robot.h"
#include "engine/text/imported_model.h"

namespace cardan::robots {

/// The arguments of the Visualizers.FixedShape at the link's frame; nothing, and why in `reason`,
/// where there is no such shape. `urdf` is the path of the robot's file.
std::optional<YamlNode> shapeOf(const Visual& visual, const std::string& urdf,
                                const ImportOptions& options, std::string& reason);

}  // namespace cardan::robots
