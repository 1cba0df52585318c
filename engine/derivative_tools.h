/// DerivativeTools: derivatives of runs by parameters, for libraries that do not know the one that has them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation.h"

namespace cardan {

/// A parameter of the model or of a component, an element of one, or a start value.
struct ModelParameterValue {
  std::optional<double> value;  ///< as it stands; nothing: it is none that can vary
  std::string wrong;            ///< why
  std::string unit;             ///< SI; "": not known
};

struct DerivativeTools {
  /// The model of a simulation once more, with `more` behind its overrides.
  using Load = std::function<Simulation(const Overrides& more)>;
  /// `name`: as overrides have it.
  std::function<ModelParameterValue(const Simulation& simulation, const std::string& name)> value;
  /// A run of `nominal` with columns d(x)/d(p) beside x; without rows only tries whether there are
  /// such. `sizes`: what is typical of each parameter. Throws ModelError where there are none.
  std::function<void(Simulation& nominal, const Load& load,
                     const std::vector<std::string>& parameters, const std::vector<double>& sizes,
                     const std::vector<std::string>& outputs, RowSink* rows,
                     const RunOptions& options)>
      run;
};

}  // namespace cardan
