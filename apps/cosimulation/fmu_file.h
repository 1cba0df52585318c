/// FmuFile: an FMU of anyone as a run needs it: what its modelDescription.xml says, and its files, unpacked.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "apps/cosimulation/fmu_host.h"
#include "apps/cosimulation/guarded_folder.h"

namespace cardan::cosimulation {

/// A variable that is an input, an output or a parameter. Elements that have an index each, y[1], y[2], ...,
/// are one array, as are arrays of FMI 3; matrices are parameters alone.
struct FmuPort {
  std::string name, unit, description;  ///< unit: of SI, "1" where there is none, "" of a Boolean
  std::vector<FmuSlot> slots;
  std::vector<double> start;  ///< per element, rows first
  std::string text{};         ///< start of a String
  int columns = 0;            ///< of a matrix; 0: it is none
  int size() const { return static_cast<int>(start.size()); }
  FmuType type() const { return slots.front().type; }
};

struct FmuFile {
  /// Throws std::runtime_error with a sentence about what is wrong with it ("it has no ...").
  explicit FmuFile(const std::string& path);

  std::string path;
  int version = 0;          ///< of FMI: 2 or 3
  bool isExchange = false;  ///< for model exchange alone, so that it has no solver of its own
  int states = 0, indicators = 0;  ///< of model exchange by FMI 2
  std::string identifier, token;
  std::optional<double> stepSize;  ///< [s]  of its default experiment
  bool hasVariableSteps = false, savesStates = false;
  std::vector<std::string> logCategories;  ///< of warnings and errors
  std::vector<FmuPort> inputs, outputs, parameters;

  /// The folder that it is unpacked to, at the first call; gone with this. From any thread. Throws as above.
  std::string folder() const;
  /// "binaries/linux64/NAME.so" there.
  std::string library() const;

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<GuardedFolder> unpacked_;
};

}  // namespace cardan::cosimulation
