/// Where the files of a robot's shapes are.
#pragma once

#include <string>

#include "engine/robots/import_options.h"

namespace cardan::robots {

struct MeshFile {
  std::string path;  ///< as the model file names it; "" where there is none that can be read
  std::string why;   ///< then: the reason
};

/// Looks for the file that a <mesh> names: "package://NAME/path" in the folder given for NAME, else
/// in a folder of that name around or beside one of those that `urdf` is in; "file://path"; or a
/// path from the folder of `urdf` on.
MeshFile findMesh(const std::string& name, const std::string& urdf, const ImportOptions& options);

}  // namespace cardan::robots
