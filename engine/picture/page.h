/// Page: a scene, or curves alone, as one HTML file that needs nothing else.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/picture/scene.h"

namespace cardan {

/// The library that draws in a page was not there when the program was built: false.
bool canDrawPages();
/// What the user has to do then.
const char* whyNoPages();

/// The scripts of a page that shows runs, in the order in which they are read; then comes what opens it.
inline constexpr std::array<std::string_view, 8> kViewerScripts{
    "run_data.js", "ruler.js", "scene.js",          "camera.js",
    "curves.js",   "stage.js", "component_list.js", "viewer.js"};

/// What they show: JSON, and bytes that its lists of numbers lie in (RunData in run_data.js).
struct PageData {
  std::string json;
  std::string bytes;
};
/// Of these curves, the `shown` ones are open.
PageData pageData(const Scene& scene, const std::vector<std::string>& shown);

/// The moving picture with its curves. Of these, the `shown` ones are open.
/// Pre: canDrawPages()
std::string formatPage(const Scene& scene, const std::vector<std::string>& shown);

/// The page without its 3D part: curves of `scene` with a common cursor; all are open.
std::string formatCurvePage(const Scene& scene);

}  // namespace cardan
