/// RigidFrames: which frames of a picture move with another one as one piece, and need no tracks.
#pragma once

#include <vector>

#include "engine/picture/scene.h"

namespace cardan {

/// Of the recorder's places but the world, those that `moves` says true of: what carries them through all
/// rows, to 1e-9 of `length` [m].
std::vector<CarriedFrame> carriedFrames(const PictureRecorder& recorder,
                                        const std::vector<bool>& moves, double length);

}  // namespace cardan
