/// What each visualizer class shows.
#pragma once

#include <string_view>

#include "components/shapes.h"
#include "components/visualizers/visualizer.h"

namespace cardan {

/// Adds the shapes of `v`, of class `type`. Pre: it is one of visualizerTypes()
void addPicture(Shapes& s, const Visualizer& v, std::string_view type);

}  // namespace cardan
