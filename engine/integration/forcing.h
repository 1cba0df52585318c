/// Forcing: what time alone does to a model, looked at ahead of the steps.
#pragma once

#include <tuple>
#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

class Integrator;

/// The integrator sees the equations at the ends of its steps. A pulse between them, or a vibration
/// faster than the steps, would pass unseen while nothing else moves. So the signals that contain
/// time explicitly are looked at on a fixed grid inside each step to come; a step in which one does
/// what the method's own few looks cannot make out, and the motion feels it, is shortened until they
/// can. From there on the error test sees it.
///
/// Steps shorter than the grid cost nothing. Features shorter than the grid (a 3200th of the run)
/// are seen by chance only: a maximum step is the means against these.
class Forcing {
 public:
  explicit Forcing(const Equations& equations);

  /// Whether there are such signals.
  bool any() const { return !slots_.empty(); }

  /// To be called before a run over [start, stop]. `always`: bends count even where nothing moves,
  /// as switching functions may read what they do to forces.
  void begin(double start, double stop, bool always);

  /// Where a step from the integrator's time towards `limit` has to end, at most `limit`. `w` is
  /// work space.
  double endOfStep(Integrator& integrator, double limit, Workspace<double>& w);

  auto kept() { return std::tie(start_, cell_, always_, lowest_, highest_); }

 private:
  void valuesAt(double t, Workspace<double>& w, double* values);
  double at(size_t point, size_t slot) const { return values_[point * slots_.size() + slot]; }
  size_t mostHidden(size_t end, int degree) const;
  size_t straightUpTo() const;

  const Equations& equations_;
  std::vector<int> slots_;       ///< of signals that contain time explicitly
  bool ofTimeAlone_ = true;      ///< and nothing else
  double start_ = 0, cell_ = 0;  ///< [s]
  bool always_ = false;
  std::vector<double> lowest_, highest_;  ///< per slot, as met so far
  std::vector<double> times_;             ///< [s]  of the step to come, where signals are looked at
  std::vector<double> values_;            ///< there
};

}  // namespace cardan
