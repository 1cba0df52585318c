/// Forcing: what time alone does to a model, looked at ahead of the steps.
#pragma once

#include <tuple>
#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

class Integrator;

/// The integrator sees the equations at the ends of its steps. A pulse between them, or a vibration
/// faster than the steps, would pass unseen while nothing else moves. So the signals that contain
/// time explicitly are looked at on a fixed grid inside each step to come; a step that would pass
/// over a bend of theirs which the motion feels ends before it. From there on the error test sees
/// it.
///
/// Steps shorter than the grid cost nothing. Features shorter than the grid (a 3200th of the run)
/// are seen by chance only: a maximum step is the means against these.
class Forcing {
 public:
  explicit Forcing(const Equations& equations);

  /// To be called before a run over [start, stop]. `always`: bends count even where nothing moves,
  /// as switching functions may read what they do to forces.
  void begin(double start, double stop, bool always);

  /// Where a step from the integrator's time towards `limit` has to end, at most `limit`. `w` is
  /// work space.
  double endOfStep(Integrator& integrator, double limit, Workspace<double>& w);

  auto kept() { return std::tie(start_, cell_, always_, lowest_, highest_); }

 private:
  void valuesAt(double t, Workspace<double>& w, double* values);

  const Equations& equations_;
  std::vector<int> slots_;       ///< of signals that contain time explicitly
  bool ofTimeAlone_ = true;      ///< and nothing else
  double start_ = 0, cell_ = 0;  ///< [s]
  bool always_ = false;
  std::vector<double> lowest_, highest_;  ///< per slot, as met so far
  std::vector<double> values_;
};

}  // namespace cardan
