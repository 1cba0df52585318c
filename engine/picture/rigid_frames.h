/// RigidFrames: frames of a scene that move with another one as one piece need no tracks of their own.
#pragma once

#include "engine/picture/picture_recorder.h"
#include "engine/picture/scene.h"

namespace cardan {

/// Says of each moving frame that an earlier one carries through all rows, which one does, and where it is
/// in that one. Pre: the scene's frames are the recorder's places but the world, with their tracks folded.
void findRigidFrames(const PictureRecorder& recorder, Scene& scene);

}  // namespace cardan
