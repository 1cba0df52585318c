/// RigidSurface: a component whose surfaces strike each other, or are pushed apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

struct RigidSurface {
  const Component* component;
  const std::string* name;
  std::size_t instance;
  bool pushed;  ///< ImpactPair::pushed
};

/// [m/s]  Beside it is nothing what velocities are: mobilities are seen so far along a response.
inline constexpr double kFarAlong = 1e6;

/// All of a model.
std::vector<RigidSurface> rigidSurfacesOf(const Equations& equations);
/// All that has impulses and no surfaces: Component::axialFriction.
std::vector<RigidSurface> axialFrictionsOf(const Equations& equations);

}  // namespace cardan
