/// Shapes from files: STL, OBJ, and the 3DFACEs of DXF.
#pragma once

#include <optional>
#include <string>

#include "engine/picture/mesh.h"

namespace cardan {

/// Reads the file of a shapeType: "modelica://Library/path" below one of the folders of the
/// environment variable MODELICAPATH, "file:///path", a path relative to `folder`, or a number,
/// which stands for NUMBER.dxf there. Nothing where that fails, and `why` says so.
std::optional<Mesh> readMeshFile(const std::string& shapeType, const std::string& folder,
                                 std::string& why);

/// The mesh in the text of a file with this ending ("stl", "obj", "dxf"). Nothing where there are
/// no triangles in it.
std::optional<Mesh> parseMesh(const std::string& text, const std::string& ending);

}  // namespace cardan
