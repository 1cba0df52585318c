/// OptimumTask: which parameters of a model make what of its runs smallest, within which constraints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model_file/bounded_parameter.h"
#include "engine/results/run_options.h"
#include "engine/study/kept_value.h"
#include "engine/text/yaml_document.h"

namespace cardan {

struct OptimumTask : ModelTask {
  /// A kept value that is to be small, or large.
  struct Goal {
    std::string text;
    SourceMark at;
    size_t kept;  ///< its number among the kept values
    bool isMaximised;
  };
  /// A kept value that is to stay on one side of a bound.
  struct Constraint {
    std::string text;
    SourceMark at;
    size_t kept;
    int side;  ///< -1: at most, 1: at least, 0: equal
    double bound;
  };

  std::vector<BoundedParameter> parameters;
  KeptValues kept;
  std::vector<Goal> goals;  ///< two: their front is looked for
  std::vector<Constraint> constraints;
  std::string method = "local";
  SourceMark methodAt;
  long starts = 1;  ///< the first at the model's values, the others all over the bounds
  std::uint64_t seed = 1;
  long front = 0;         ///< points of it
  long iterations = 200;  ///< of a search
  long runs = 0;          ///< of methods that know no end of their own; 0: by the parameters

  /// True of a YAML file with the section `optimize`.
  static bool isOptimum(const YamlNode& root) { return root.isMap() && root.find("optimize"); }
  /// Reads it; `path` is its name, to which others in it are relative.
  static OptimumTask read(const YamlNode& root, const std::string& path, Diagnostics& diagnostics);

  // These report what is wrong.
  void addParameter(const std::string& text, const SourceMark& at, Diagnostics& diagnostics);
  void addGoal(const std::string& text, bool isMaximised, const SourceMark& at,
               Diagnostics& diagnostics);
  /// `max(x) < 0.1`, `final(x) == 1`, `0 < max(x) < 0.1`; all sides may be expressions.
  void addConstraint(const std::string& text, const SourceMark& at, Diagnostics& diagnostics);
  /// Reports what is only seen once all of it is known.
  void check(Diagnostics& diagnostics) const;

 private:
  std::optional<size_t> keep(const std::string& text, const SourceMark& at,
                             Diagnostics& diagnostics);
  void relate(const std::string& text, const std::string& left, int side, const std::string& right,
              const SourceMark& at, Diagnostics& diagnostics);
};

/// "local", and those of NLopt.
std::vector<std::string> optimumMethods();

}  // namespace cardan
