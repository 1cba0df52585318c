/// Sensitivities: a run with the derivatives of its results by parameters of the model.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/simulation.h"

namespace cardan {

struct DerivativeTools;
struct ModelVariant;
struct VariedParameter;

/// Forward sensitivities of a simulation's results.
///
///   Sensitivities s(simulation, load, {"L"}, {"j1.phi"}, catalogue());
///   s.run(sink, {.stopTime = 5});          // columns "j1.phi", "d(j1.phi)/d(L)"
class Sensitivities {
 public:
  /// The model of the simulation once more, with `more` behind its overrides.
  using Load = std::function<Simulation(const Overrides& more)>;

  /// `parameters`: names as overrides have them. `sizes`: per parameter what is typical of it where its
  /// value happens to be small; 0 or none: its value is (or 1 where that is 0). `outputs`: names and patterns; none: the model's.
  /// `roughly`: derivatives by neighbours on one side, good to 1e-4 or better, for half the price.
  /// `nominal` outlives it. Throws ModelError with all that is wrong: unknown names, parameters that
  /// are no number or change the structure of the model, outputs that only jump.
  Sensitivities(Simulation& nominal, const Load& load, const std::vector<std::string>& parameters,
                const std::vector<std::string>& outputs, const Catalogue& catalogue,
                const std::vector<double>& sizes = {}, bool roughly = false);
  ~Sensitivities();

  /// As Simulation::run(), with the outputs given above; by any method but `stepping`.
  RunReport run(RowSink& sink, RunOptions options);
  /// Outputs of patterns that were left out.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  /// A model of its own and its place in the difference.
  struct Neighbour {
    Simulation simulation;
    double shift, weight;
  };
  struct Parameter {
    double value;
    std::vector<Neighbour> neighbours;
    double ownWeight = 0;  ///< of the model itself
  };

  void refuseWhatIsNotFollowed(Diagnostics& diagnostics) const;
  void findOutputs(const std::vector<std::string>& outputs, Diagnostics& diagnostics);
  void addParameter(const std::string& name, double least, bool roughly, const Load& load,
                    const Catalogue& catalogue, Diagnostics& diagnostics);
  bool sameStructure(const Model& other) const;

  Simulation& nominal_;
  std::vector<std::string> outputs_, warnings_;
  std::vector<Parameter> neighbours_;
  std::vector<VariedParameter> parameters_;
  std::vector<std::unique_ptr<ModelVariant>> variants_;  ///< of the last run
};

/// All of this for others.
DerivativeTools derivativeTools(const Catalogue& catalogue);

}  // namespace cardan
