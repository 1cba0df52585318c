#include "components/catalogue_folders.h"
#include "components/visualizers/visualizer.h"

namespace cardan::folders {

// One class for all of them, which differ in the sheet of their parameters.
Catalogue visualizers() {
  Catalogue list;
  for (const VisualizerType& v : visualizerTypes())
    list.push_back({v.type, "visualizers", v.description, v.make});
  return list;
}

}  // namespace cardan::folders
