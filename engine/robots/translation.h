/// Translation: from the bodies of a robot to the components and connections of a model.
#pragma once

#include "engine/robots/robot.h"
#include "engine/text/imported_model.h"

namespace cardan::robots {

/// Bodies become bodies, joints the joints of the catalogue, in the order in which they turn the body;
/// what lies between them has names of its own.
ImportedModel translated(Robot robot);

}  // namespace cardan::robots
