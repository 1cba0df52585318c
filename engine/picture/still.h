/// Still: one picture of a scene, drawn without a browser.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cardan {

struct Scene;

struct StillOptions {
  std::optional<double> time = {};  ///< [s]; none: the last one
  std::string view = "home";        ///< one of stillViews()
  int width = 960, height = 600;
};

/// The directions from which a still looks, named as in a page: x, y, z, iso, home.
const std::vector<std::string>& stillViews();

struct Image {
  int width = 0, height = 0;       ///< [pixels]
  std::vector<unsigned char> rgb;  ///< rows from the top
};

/// The scene as a page shows it: the same light, floor and lines behind traced frames, but near
/// enough to be filled by what is there at that time. Pre: the scene has times; the view is known
Image drawStill(const Scene& scene, const StillOptions& options);

/// False where libpng was not there when the program was built.
bool canWritePng();
const char* whyNoPng();
/// Pre: canWritePng()
std::string formatPng(const Image& image);

}  // namespace cardan
