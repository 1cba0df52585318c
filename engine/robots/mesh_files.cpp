#include "engine/robots/mesh_files.h"

#include <algorithm>
#include <filesystem>

namespace cardan::robots {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPackage = "package://", kFile = "file://", kModelica = "modelica://";

bool isFolder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

fs::path wholePath(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error);
}

/// The folder of a package; empty where there is none.
fs::path folderOf(const std::string& package, const std::string& urdf,
                  const ImportOptions& options) {
  const auto given = options.packages.find(package);
  if (given != options.packages.end()) return given->second;
  fs::path around = wholePath(urdf).parent_path();
  for (int levels = 0; levels < 10 && !around.empty(); ++levels) {
    if (around.filename() == package) return around;
    if (isFolder(around / package)) return around / package;
    if (around == around.root_path()) break;
    around = around.parent_path();
  }
  return {};
}

std::string endingOf(const fs::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return ending;
}

}  // namespace

MeshFile findMesh(const std::string& name, const std::string& urdf, const ImportOptions& options) {
  fs::path path;
  if (name.starts_with(kPackage)) {
    std::string rest = name.substr(kPackage.size());
    rest.erase(0, rest.find_first_not_of('/'));  // also package:///NAME/...
    const size_t slash = std::min(rest.find('/'), rest.size());
    const std::string package = rest.substr(0, slash);
    const fs::path folder = folderOf(package, urdf, options);
    if (package.empty() || folder.empty())
      return {"", "no folder of package '" + package + "' is known; --package " + package + "=DIR"};
    path = folder / rest.substr(std::min(slash + 1, rest.size()));
  } else if (name.starts_with(kModelica)) {
    return {name, ""};
  } else if (name.starts_with(kFile)) {
    path = name.substr(kFile.size());
  } else if (name.find("://") != std::string::npos) {
    return {"", "files are not fetched from elsewhere"};
  } else {
    path = fs::path(urdf).parent_path() / name;
  }
  const std::string ending = endingOf(path);
  if (ending != ".stl" && ending != ".obj" && ending != ".dxf" && ending != ".dae")
    return {"", "of meshes .stl, .obj, .dxf and .dae files are read, not " +
                    (ending.empty() ? "those without ending" : "*" + ending)};
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {"", "the file of the mesh is not there"};
  const fs::path here = wholePath(options.modelFolder.empty() ? "." : options.modelFolder);
  const fs::path relative = wholePath(path).lexically_relative(here);
  return {relative.empty() ? wholePath(path).string() : relative.string(), ""};
}

}  // namespace cardan::robots
