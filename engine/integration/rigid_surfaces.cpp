#include "engine/integration/rigid_surfaces.h"

namespace cardan {

std::vector<RigidSurface> rigidSurfacesOf(Equations& equations) {
  std::vector<RigidSurface> all;
  if (equations.flatModel().impulses.empty()) return all;
  Workspace<double> w = equations.makeWorkspace<double>();
  equations.evaluate(w, {});
  const std::vector<Instance>& instances = equations.flatModel().instances;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    Blow blow;
    if (instances[i].component->blow(View<double>(w.tables), blow))
      all.push_back({instances[i].component, &instances[i].name, i, blow.pushed});
  }
  return all;
}

}  // namespace cardan
