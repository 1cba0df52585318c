/// FitTask: which parameters of a model are to be found from which measurements.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fit/least_squares.h"
#include "engine/results/run_options.h"
#include "engine/text/yaml_document.h"

namespace cardan {

struct Measurement;

/// Not of the model: what was measured at t has happened at t + time_shift [s].
inline constexpr const char* kTimeShift = "time_shift";

/// A parameter that is looked for.
struct FitParameter {
  std::string name;  ///< as overrides have it, or kTimeShift
  SourceMark at{};
  std::optional<double> start{};  ///< not given: the model's value; of a time shift 0
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double scale = 0;  ///< a change that is typical; 0: by what it does
  /// What is known of it beforehand: its value, give or take.
  struct Prior {
    double mean, deviation;
  };
  std::optional<Prior> prior{};
  bool each = false;              ///< one for every experiment, else the same in all
  std::vector<std::string> of{};  ///< experiments that have it; none: all
};

/// A variable of the model that was measured.
struct FitSignal {
  std::string variable, column;
  SourceMark at{};
  std::optional<double> sigma{};  ///< standard deviation of a measured value
  double weight = 1;              ///< of its residuals
};

/// A run that was measured.
struct FitExperiment {
  std::string name, file;
  SourceMark at{};
  std::shared_ptr<const Measurement> data{};  ///< in the place of what the file has
  std::vector<std::string> overrides{};       ///< "NAME=VALUE", of this run
  std::vector<FitSignal> signals{};           ///< none: those of the task
  bool held = false;                          ///< inputs keep their value until the next row
  RunOptions settings{};                      ///< where they differ from the model's
};

/// Its settings are those of experiments that a file names.
struct FitTask : ModelTask {
  std::vector<FitExperiment> experiments;
  std::vector<FitParameter> parameters;
  std::vector<FitSignal> signals;  ///< of all experiments; none: all columns that are results
  Loss loss = Loss::linear;
  double lossScale = 1;
  double confidence = 0.95;  ///< [1]  of intervals
  long starts = 1;           ///< the first at the model's values, the others all over the bounds
  std::uint64_t seed = 1;
  int iterations = 1000;

  /// True of a YAML file with the section `fit`.
  static bool isFit(const YamlNode& root) { return root.isMap() && root.find("fit"); }
  /// Reads it; `path` is its name, to which others in it are relative.
  static FitTask read(const YamlNode& root, const std::string& path, Diagnostics& diagnostics);

  /// Adds a parameter as commands name it: `L`, `L=0.3..0.8`, `L=0.5`, `L=0.5:0.3..0.8`.
  void addParameter(const std::string& text, const SourceMark& at, Diagnostics& diagnostics);
  /// A signal: `j1.phi`, `angle=j1.phi` (column and variable), each with `+-0.01` behind it where its
  /// standard deviation is known.
  void addSignal(const std::string& text, const SourceMark& at, Diagnostics& diagnostics);
  void addData(const std::string& text, const SourceMark& at);

  /// Reports what is only seen once all of it is known.
  void check(Diagnostics& diagnostics) const;
};

}  // namespace cardan
