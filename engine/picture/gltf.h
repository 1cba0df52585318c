/// glTF 2.0: a scene as one binary file (.glb) for viewers and tools of others.
#pragma once

#include <string>

#include "engine/picture/scene.h"

namespace cardan {

/// One node a frame, with the items fixed to it below; tracks of position, rotation, size and
/// weights. The root turns the model so that y is up, as glTF has it; below it all numbers are the
/// model's. Node names hold no dots and brackets, which loaders strip; the true ones are in
/// `extras`. Times begin at 0, and strictly rise: the rows after events are a moment late. Colours
/// are those of the first row.
std::string formatGlb(const Scene& scene);

}  // namespace cardan
