/// RunSettings: the settings that a run really has, the model file's with the options on top.
#pragma once

#include <optional>
#include <string>

#include "engine/results/output_grid.h"
#include "engine/results/run_options.h"

namespace cardan {

struct RunSettings {
  double start = 0, stop = 1;         ///< [s]
  double interval = 0;                ///< [s]  between rows
  double tolerance = 0;               ///< [1]  relative
  std::optional<double> maximumStep;  ///< [s]  none: as the integrator likes
  IntegratorChoice integrator = IntegratorChoice::ida;
  SourceMark integratorAt;     ///< where the file says so, if it does
  std::optional<double> step;  ///< [s]  of a method whose steps have one length
  ImpactLaw impact = ImpactLaw::moreau;
  std::string inputFile;  ///< what feeds the inputs; "": nothing does
  bool inputsHeld = false;
  OutputGrid grid;

  /// Reports what makes no run: a stop before the start, an interval, tolerance or step that is not
  /// positive, rows without end, a step for a method that chooses it, or none for one that does not.
  static RunSettings of(const SimulationSettings& file, const RunOptions& options,
                        Diagnostics& diagnostics);
};

}  // namespace cardan
