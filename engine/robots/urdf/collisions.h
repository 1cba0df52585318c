/// Collisions: what the links of a URDF file touch others with.
#pragma once

#include <optional>
#include <string>

#include "engine/robots/import_report.h"
#include "engine/robots/robot.h"

namespace cardan::robots::urdf {

/// What a <collision> of the file `path` becomes; nothing, and `why` says so, where Cardan has no such shape.
std::optional<Collider> colliderOf(const Visual& collision, const std::string& path,
                                   const ImportOptions& options, std::string& why);

/// Names the colliders of a robot and says which touch: all that is not the robot, and each other where
/// `options` say so.
void makeContacts(Robot& robot, const ImportOptions& options, ImportReport& report);

}  // namespace cardan::robots::urdf
