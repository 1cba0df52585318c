/// Forcing: what time alone does to a model, looked at ahead of the steps.
#pragma once

#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

class Integrator;
class Model;

/// The integrator sees the equations at the ends of its steps. A pulse between them, or a vibration
/// faster than the steps, would pass unseen while nothing else moves. So what contains time explicitly
/// (signals, the file's own equations, what its relations compare) is looked at on a fixed grid inside
/// each step to come; a step in which one does what the method's own few looks cannot make out, and the
/// motion feels it, is shortened until they can. From there on the error test sees it.
///
/// Sums and products of polynomials, sin, cos and exp of time say themselves how fast they are; a step
/// that is short beside that is not looked into. Else the grid has 3200 cells a run, and up to 128 times
/// as many where probes of it show that signals do more within a cell than its ends tell. Steps shorter
/// than a cell cost nothing. What is rare and shorter than a cell is seen by chance only: a maximum step
/// is the means against it.
class Forcing {
 public:
  Forcing(const Model& model, const Equations& equations);

  /// Whether there is such a thing.
  bool any() const { return !names_.empty(); }

  /// To be called before a run over [start, stop], from (y, yp). `always`: bends count even where
  /// nothing moves, as switching functions may read what they do to forces. `w` is work space.
  void begin(double start, double stop, bool always, std::span<const double> y,
             std::span<const double> yp, Workspace<double>& w);

  /// What even the finest grid does not show, for the user; empty: nothing.
  const std::string& warning() const { return warning_; }

  /// Where a step from the integrator's time towards `limit` has to end, at most `limit`. `w` is
  /// work space.
  double endOfStep(Integrator& integrator, double limit, Workspace<double>& w);

  auto kept() { return std::tie(start_, cell_, always_, lowest_, highest_, warning_); }

 private:
  void place(double t, std::span<const double> y, std::span<const double> yp,
             Workspace<double>& w) const;
  std::vector<double> exponentialTypes(double span) const;
  void functionsAt(double t, Workspace<double>& w, double* values);
  void valuesAt(double t, Workspace<double>& w, double* values);
  double at(size_t point, size_t k) const { return values_[point * names_.size() + k]; }
  size_t hiddenAt(size_t k, size_t end, int degree) const;
  bool isFelt(Integrator& integrator, size_t k, size_t hidden) const;
  size_t straightUpTo() const;
  void add(const ExpressionVariable& e, bool isCompared);

  /// An expression whose values are looked at, or the differences that its relations compare.
  struct Own {
    const ExpressionVariable* expression;
    std::vector<int> relations;  ///< empty: its values
    size_t size;                 ///< of all that is evaluated
  };

  const Equations& equations_;
  std::vector<const SignalSource*> sources_;  ///< signals that contain time explicitly
  std::vector<int> slots_;                    ///< theirs
  std::vector<Own> own_;                      ///< after them
  std::vector<std::string> names_;            ///< of all, for messages
  bool ofTimeAlone_ = true;                   ///< and nothing else
  double start_ = 0, cell_ = 0;               ///< [s]
  double type_ = 0;  ///< [1/s]  the largest exponential type; infinity: not known
  bool always_ = false;
  std::vector<double> lowest_, highest_;  ///< of each, as met so far
  std::vector<double> times_;             ///< [s]  of the step to come, where signals are looked at
  std::vector<double> values_;            ///< there
  std::vector<size_t> hidden_;  ///< those that a step to there would not see, and that are felt
  std::vector<double> scratch_;
  std::string warning_;
};

}  // namespace cardan
