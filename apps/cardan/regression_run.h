/// One model of a regression: run, compared, summed up.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/cardan/regression_case.h"
#include "engine/model_file/simulation_settings.h"
#include "engine/results/tube.h"

namespace cardan {

struct RegressionSettings {
  std::optional<double> tolerance;             ///< [1]  one run with this one
  bool ownOnly = false;                        ///< one run, at the model's own tolerance
  bool update = false;                         ///< write the reference
  bool draw = false;                           ///< what differs, for a report
  std::optional<IntegratorChoice> integrator;  ///< instead of the model's
  std::optional<ImpactLaw> impact;             ///< likewise
  std::optional<double> step;                  ///< [s]  of all steps, where they have one length
  std::optional<double> until;                 ///< [s]  instead of the corpus's
  TubeOptions tube;
};

/// One run and what the comparison says about it.
struct RegressionFigures {
  double tolerance = 0;  ///< [1]  of the run
  double step = 0;       ///< [s]  of all its steps; 0: they are chosen
  bool pass = false;
  double margin = 0;  ///< largest deviation as a share of the tube's half height
  std::string worst;  ///< signal with that deviation, and where; "" where nothing deviates
  std::string why;    ///< not empty: what keeps the run from passing
  long steps = 0, residuals = 0, newtonMatrices = 0, events = 0;
  double seconds = 0;  ///< [s]  of the run: start values, integration, rows
};

enum class RegressionStatus {
  pass,
  fail,   ///< runs, and differs
  error,  ///< cannot be run or compared; `message`
  wrote,  ///< --update; `message`
};

struct RegressionOutcome {
  RegressionStatus status = RegressionStatus::error;
  std::string message;
  std::optional<RegressionFigures> own;    ///< as the model says, or as asked for
  std::optional<RegressionFigures> proof;  ///< at the tolerance of the proof, or with half the step
  std::string plot;                        ///< SVG of the signals that do not pass, or ""
  double seconds = 0;                      ///< [s]  of everything

  bool good() const {
    return status == RegressionStatus::pass || status == RegressionStatus::wrote;
  }
  /// The figures that decide; null where there are none.
  const RegressionFigures* deciding() const;
};

/// The tolerance at which agreement is proven: a tenth of the model's own, or of 1e-8 if that is
/// less.
double proofTolerance(double own);

/// "at 1e-07" (of a tolerance), "with steps of 0.001 s"; "at its own tolerance 1e-06".
std::string accuracyOf(const RegressionFigures& f, bool isOwn);

/// Never throws: what goes wrong is in the outcome.
RegressionOutcome runCase(const RegressionCase& c, const RegressionSettings& settings);

const char* word(RegressionStatus status);
nlohmann::ordered_json outcomeJson(const RegressionOutcome& outcome);
RegressionOutcome outcomeOf(const nlohmann::ordered_json& json);

}  // namespace cardan
