/// Files that come with the program, in a build or installed: found from where it is, as it may be moved.
#pragma once

#include <filesystem>
#include <string>

namespace cardan {

/// lib/cardan/NAME below a folder above this program, above the shared library that this code is in (a module
/// of another language), or where the project is installed; empty where there is none.
std::filesystem::path fileOfProgram(const std::string& name);

/// The folder of the models that come along; empty where there is none.
std::filesystem::path modelsOfProgram();

}  // namespace cardan
