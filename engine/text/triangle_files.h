/// The triangles in the texts of STL, OBJ and DXF files.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace cardan {

/// Three corners, in the units of the file; in order about the normal where the file has them so.
using Triangle = std::array<float, 9>;

/// Those of a file with this ending ("stl", "obj", or "dxf": its 3DFACEs); none where it has none, or is
/// of another kind.
std::vector<Triangle> trianglesIn(const std::string& text, const std::string& ending);

}  // namespace cardan
