/// ColladaFile: the triangles of a Collada file (.dae), read by the assimp library where it is installed.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace cardan {

/// Three corners [m], in the axes of the file (which way it calls up does not count), its unit taken into
/// account. Nothing where that fails, and `why` says so.
std::optional<std::vector<std::array<float, 9>>> readCollada(const std::string& text,
                                                             std::string& why);

/// Whether this program can read such files, here and now.
bool canReadCollada();

}  // namespace cardan
