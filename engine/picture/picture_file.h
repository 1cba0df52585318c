/// A scene as a file of the kind that its name says: .html, .glb, .png.
#pragma once

#include <string>
#include <vector>

#include "engine/picture/scene.h"
#include "engine/picture/still.h"

namespace cardan {

/// "", or why no picture can be written there: a name of no such kind, or something that was not there
/// when the program was built.
std::string whyNoPicture(const std::string& path);

/// `still`: of a .png; `open`: names and globs of curves that are open in a page, six at most.
/// Throws FileError. Pre: whyNoPicture() is ""
void writePicture(const Scene& scene, const std::string& path, const StillOptions& still,
                  const std::vector<std::string>& open);

}  // namespace cardan
