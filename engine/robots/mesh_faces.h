/// Faces of meshes, from files and from lists of numbers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/robots/solids.h"

namespace cardan::robots {

/// Triangles, three corners each, as indices into `points`; without corners the hull of the points; none where
/// a corner is not there.
std::vector<Face> facesFrom(const std::vector<Vector3d>& points,
                            const std::vector<double>& corners);

/// Those of an STL or OBJ file, or of a .msh of MuJoCo, in the units of the file and of single precision; none,
/// and `why` says so, where they cannot be had.
std::vector<Face> facesInFile(const std::filesystem::path& path, std::string& why);

}  // namespace cardan::robots
