/// Inertia: whether a body can have the inertia tensor that a file gives a link.
#pragma once

#include "engine/text/import_report.h"
#include "engine/urdf/robot.h"

namespace cardan::urdf {

/// Warns of every link whose mass and inertia belong to no body; where `refused`, these are errors.
/// A tensor with a negative principal moment becomes the nearest one without (Frobenius norm). One
/// that only violates the triangle inequality stays: the equations of motion are sound with it.
void checkInertias(Robot& robot, bool refused, ImportReport& report, Diagnostics& diagnostics);

}  // namespace cardan::urdf
