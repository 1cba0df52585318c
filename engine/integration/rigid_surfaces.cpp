#include "engine/integration/rigid_surfaces.h"

#include <algorithm>

namespace cardan {
namespace {

/// What has impulses, with surfaces or without.
std::vector<RigidSurface> withImpulses(const Equations& equations, bool surfaces) {
  std::vector<RigidSurface> all;
  std::vector<int> having = equations.flatModel().impulses;
  std::ranges::sort(having);
  having.erase(std::ranges::unique(having).begin(), having.end());
  if (having.empty()) return all;
  Workspace<double> w = equations.makeWorkspace<double>();
  equations.evaluate(w, {});
  for (const int i : having) {
    const Instance& of = equations.flatModel().instances[i];
    ImpactPair blow;
    if (of.component->blow(View<double>(w.tables), blow) == surfaces)
      all.push_back({of.component, &of.name, static_cast<std::size_t>(i), blow.pushed});
  }
  return all;
}

}  // namespace

std::vector<RigidSurface> rigidSurfacesOf(const Equations& equations) {
  return withImpulses(equations, true);
}

std::vector<RigidSurface> axialFrictionsOf(const Equations& equations) {
  return withImpulses(equations, false);
}

}  // namespace cardan
