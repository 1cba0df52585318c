/// RigidFrames: which frames of a picture move with another one as one piece, and need no tracks.
#pragma once

#include <array>
#include <vector>

namespace cardan {

class PictureRecorder;

/// How a frame rides on another one.
struct CarriedFrame {
  int base = -1;                            ///< an earlier frame, itself not carried; -1: none
  std::array<double, 3> r_rel{};            ///< [m]  in that one
  std::array<double, 4> q_rel{0, 0, 0, 1};  ///< quaternion in that one
};

/// Of the recorder's places but the world, those that `moves` says true of: what carries them through all
/// rows, to 1e-9 of `length` [m].
std::vector<CarriedFrame> carriedFrames(const PictureRecorder& recorder,
                                        const std::vector<bool>& moves, double length);

}  // namespace cardan
