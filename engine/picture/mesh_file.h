/// Shapes from files: STL, OBJ, the 3DFACEs of DXF, and, where its library is there, Collada.
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

/// The mesh in the text of a file with this ending ("stl", "obj", "dxf", "dae"). Nothing where there are
/// no triangles in it, or it cannot be read; then `why`, if given, says so.
std::optional<Mesh> parseMesh(const std::string& text, const std::string& ending,
                              std::string* why = nullptr);

}  // namespace cardan
