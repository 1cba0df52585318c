/// What an FMU has of native code: the library of all FMUs, and those that it needs.
#pragma once

#include <string>
#include <vector>

namespace cardan {

struct FmuLibraries {
  struct File {
    std::string name;  ///< in the folder of binaries: "libklu.so.1"
    std::string path;  ///< on this machine
  };
  std::string runtime;       ///< path of the library of all FMUs
  std::vector<File> needed;  ///< but those that every Linux has
  std::string processor;     ///< that it was compiled for, as the compiler calls it: "native"

  /// Throws ModelError where they are not here.
  static FmuLibraries find();
  /// Their licences, and where their sources are.
  std::string licences() const;
  /// Files of licences by their names in documentation/licenses.
  std::vector<File> licenceFiles() const;
};

}  // namespace cardan
