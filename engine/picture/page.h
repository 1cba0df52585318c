/// Page: a scene, or curves alone, as one HTML file that needs nothing else.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "engine/picture/scene.h"

namespace cardan {

/// The library that draws in a page was not there when the program was built: false.
bool canDrawPages();
/// What the user has to do then.
const char* whyNoPages();

/// The moving picture with its curves. Of these, the `shown` ones are open.
/// Pre: canDrawPages()
std::string formatPage(const Scene& scene, const std::vector<std::string>& shown);

/// The page without its 3D part: curves of `scene` with a common cursor; all are open.
std::string formatCurvePage(const Scene& scene);

}  // namespace cardan
