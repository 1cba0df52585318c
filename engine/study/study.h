/// Study: many runs of one model: which parameters vary, and what is kept of each run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/results/run_options.h"
#include "engine/study/distribution.h"
#include "engine/study/kept_value.h"
#include "engine/text/yaml_document.h"

namespace cardan {

/// How trajectories are kept: a CSV file a run, or an HDF5 file a shard.
enum class TrajectoryFormat { csv, hdf5 };
std::optional<TrajectoryFormat> trajectoryFormatOf(std::string_view text);

/// How the unit cube is filled.
enum class SamplingMethod {
  random,  ///< independent
  latin,   ///< a Latin hypercube: each n-th part of each axis has one point
  sobol,   ///< Sobol's sequence, unscrambled
};
const char* word(SamplingMethod method);
std::optional<SamplingMethod> samplingMethodOf(std::string_view text);
std::vector<std::string> samplingMethodWords();

/// Values of parameters are texts, as behind `--set NAME=`.
struct Study : ModelTask {
  struct Axis {
    std::string parameter;
    SourceMark at;
    std::vector<std::string> values;
  };
  struct Sample {
    std::string parameter;
    SourceMark at;
    std::string text;  ///< as written
    Distribution distribution;
  };
  /// Rows of a CSV file: one value for each of its columns.
  struct List {
    std::string file;
    std::vector<std::string> parameters;
    std::vector<SourceMark> at;
    std::vector<std::vector<std::string>> rows;
  };

  std::vector<Axis> axes;
  std::optional<List> list;
  std::vector<Sample> samples;
  SamplingMethod method = SamplingMethod::random;
  SourceMark methodAt;
  std::optional<long> runs;  ///< samples at each point of the grid
  SourceMark runsAt;
  std::uint64_t seed = 1;
  KeptValues kept;
  std::vector<OutputPattern> trajectories;
  TrajectoryFormat format = TrajectoryFormat::csv;
  SourceMark formatAt;

  /// True of a YAML file that describes a study: it has the key `study` or `model_file`.
  static bool isStudy(const YamlNode& root);
  /// Reads a study file; `path` is its name, to which others in it are relative.
  static Study read(const YamlNode& root, const std::string& path, Diagnostics& diagnostics);

  // These report what is wrong; `at` is the place of the parameter's name.
  void vary(const std::string& parameter, const SourceMark& at, const YamlNode& values,
            Diagnostics& diagnostics);
  void sample(const std::string& parameter, const SourceMark& at, const std::string& distribution,
              const SourceMark& distributionAt, Diagnostics& diagnostics);
  void readList(const std::string& path, const SourceMark& at, Diagnostics& diagnostics);

  /// Reports what is only seen once all of it is known: a parameter that is given twice, samples
  /// without a number of runs, nothing to keep.
  void check(Diagnostics& diagnostics) const;
};

}  // namespace cardan
