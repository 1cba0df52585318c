/// ImplicitStep: one step of Euler's implicit method, whatever bends within it.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "engine/integration/multibody_system.h"
#include "engine/integration/run_report.h"

namespace cardan {

class StateArchive;

/// F(t + h, y, (y - y_0)/h) = 0 by Newton's method, damped as long as the update that would follow, by
/// the same factors, does not become smaller (Deuflhard's natural test: it sees no units). Factors
/// serve as long as updates become smaller by themselves, over several steps.
class ImplicitStep {
 public:
  enum class Outcome {
    solved,
    nearest,       ///< not solved: y() is the nearest that was met, by the update that would follow
    notComputable  ///< already where it begins
  };

  /// `counts` is added to; both outlive it.
  ImplicitStep(MultibodySystem& system, double relativeTolerance, bool timing,
               IntegratorStatistics& counts);

  /// From y_0 at t with the rates yp_0, along which it looks first, then from y_0 itself.
  Outcome solve(double t, double h, std::span<const double> y0, std::span<const double> yp0);
  /// The same step once more, from y(): loads that are given have changed.
  Outcome again() { return iterate(); }

  const std::vector<double>& y() const { return at_.y; }
  const std::vector<double>& yp() const { return at_.yp; }
  double end() const { return t_; }  ///< [s]
  /// Of the update that would follow y(), or the last, in units of the tolerance; the unknown of which it
  /// is largest.
  double size() const { return size_; }
  int largest() const { return largest_; }
  /// Factors at y(), unless the last ones are.
  bool factorHere();
  /// The next step has factors of its own.
  void forget() { cj_ = 0; }

  /// Largest update over the unknowns, in units of the tolerance.
  double norm(std::span<const double> update, std::span<const double> y, int* largest) const;

  /// Factors are made again from where they were made. `t`, `y`, `yp`: any point; `h` [s]: a step there.
  void exchange(StateArchive& archive, double t, double h, const double* y, const double* yp);
  auto kept() { return std::tie(cj_, factorT_, factorY_, factorYp_, factorModes_); }

 private:
  /// A point of the iteration. `d`, the way from y_0, is not y less y_0: it has all its digits.
  struct Point {
    std::vector<double> d, y, yp, r;
  };
  void place(Point& p) const;
  bool residual(Point& p);
  void updateFrom(const std::vector<double>& r, std::vector<double>& update);
  Outcome iterate();
  bool shorten(bool& fresh, double& part, double& next);

  MultibodySystem& system_;
  double tolerance_;
  bool timing_;
  IntegratorStatistics& counts_;
  std::vector<double> units_;  ///< [per unknown] of which the tolerance is taken, besides y
  double t_ = 0, h_ = 0, size_ = 0;
  int largest_ = -1;
  std::vector<double> y0_, update_, trialUpdate_;
  Point at_, trial_, first_;
  double cj_ = 0;  ///< of the factors; 0: none
  bool isHere_ = false;
  double factorT_ = 0;
  std::vector<double> factorY_, factorYp_;
  std::vector<int> factorModes_;
};

}  // namespace cardan
