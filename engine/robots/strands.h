/// Strands: lengths of what tendons along paths are made of, and how they pull.
#pragma once

#include <vector>

#include "engine/robots/robot.h"

namespace cardan::robots {

struct StrandState {
  struct Pull {
    int body = -1;
    Vector3d at, force;  ///< [m], [1]  of a tension of 1 N, in the world
  };
  double length = 0;  ///< [m]
  std::vector<Pull> pulls;
};

/// `poses`: of the bodies in the world.
StrandState stateOf(const Strand& strand, const std::vector<Pose>& poses);

}  // namespace cardan::robots
