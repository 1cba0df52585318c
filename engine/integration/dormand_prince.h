/// DormandPrince: one step of the explicit Runge-Kutta method 8(5,3), with dense output.
#pragma once

#include <array>
#include <tuple>
#include <vector>

#include "engine/integration/ode_system.h"

namespace cardan {

/// Twelve evaluations a step, the last of which is taken at the end and begins the next one.
///
/// The error is that of the method of order 5 within, corrected by one of order 3, so that it goes
/// with the eighth power of the step. Inside a step a polynomial of order 7 takes three evaluations
/// more, once, if it is asked for. Nothing is allocated after construction.
///
/// Source  E. Hairer, S. P. Norsett, G. Wanner: Solving Ordinary Differential Equations I, second
///         edition (1993), II.5, II.6 (DOP853); stiffness: Part II, IV.2
class DormandPrince {
 public:
  enum class Trial {
    Accepted,
    TooLarge,       ///< the error is
    NotComputable,  ///< a stage, or the rates at the end
    NotProjected    ///< the end does not come onto its invariants, or only by a jump
  };

  /// Tolerances per state; all norms are root mean squares in units of
  /// relative * |y| + absolute. The system must outlive the method.
  DormandPrince(OdeSystem& system, std::vector<double> relativeTolerances,
                std::vector<double> absoluteTolerances);
  DormandPrince(OdeSystem& system, double relativeTolerance,
                const std::vector<double>& absoluteTolerances)
      : DormandPrince(system, std::vector<double>(absoluteTolerances.size(), relativeTolerance),
                      absoluteTolerances) {}

  /// From t with states y and rates f there.
  void start(double t, const double* y, const double* f);

  /// The same point in other coordinates: the control of the steps stays.
  void replace(const double* y, const double* f);

  /// Tries a step of length h [s] from time(); all but Accepted leaves everything as it was. The
  /// end is projected, and rates are evaluated there.
  Trial attempt(double h);
  /// The last step, which was accepted, is none: back where it began.
  void takeBack() { fresh_ = hasDense_ = false; }

  double time() const { return fresh_ ? end_ : begin_; }  ///< [s]
  const std::vector<double>& y() const { return fresh_ ? yEnd_ : yBegin_; }
  const std::vector<double>& rates() const { return k_[fresh_ ? kEnd : 0]; }
  double previousTime() const { return begin_; }  ///< [s]
  const std::vector<double>& previousRates() const { return k_[0]; }

  /// [s] Length of the next trial, as the error of the last one says.
  double proposal() const { return proposal_; }
  /// Error of the last trial, in tolerances.
  double error() const { return error_; }
  /// The state with the largest part in that of the last accepted step, -1: none.
  int leadingError() const;
  /// How far the projection moved the end of the last step, in tolerances.
  double projected() const { return projected_; }

  /// [s] A first step of which the second derivative, seen a little ahead, leaves little error; at
  /// most `most`. Costs an evaluation.
  double firstStep(double most);

  /// Values and, unless null, their derivatives at t within the last accepted step.
  void interpolate(double t, double* y, double* f);

  /// h |lambda| of the last step, lambda the dominant eigenvalue met.
  double stiffness() const { return stiffness_; }
  /// Steps are as long as stability lets them be, not as the error would: in 15 of the last ones
  /// h |lambda| was beyond 6.1, without 6 others in a row between.
  bool isStiff() const { return stiff_.holds(); }
  /// What fades within them, and not the motion that it fades into, has set the length of 15 of the last
  /// steps, by the same count: their errors of low order say so.
  bool isFading() const { return fading_.holds(); }

  /// Root mean square of a change of the states at `y`, in units of the tolerance.
  double norm(const double* change, const double* y) const;

  auto kept() {
    return std::tie(begin_, end_, fresh_, yBegin_, yEnd_, k_, dense_, hasDense_, proposal_, error_,
                    projected_, rejected_, begins_, fades_, stiffness_, stiff_, fading_);
  }

 private:
  static constexpr int kStages = 12;
  static constexpr int kEnd = kStages;  ///< of k_: the rates at the end of the step
  static constexpr int kAll = kStages + 4;

  bool stage(int i, double h);
  bool overlooks() const;
  bool projectEnd(double h);
  void judgeStiffness(double h);
  void prepareDense();
  void denseByPartOfStep();

  OdeSystem& system_;
  std::vector<double> relative_, absolute_;

  double begin_ = 0, end_ = 0;  ///< [s]  of the last accepted step
  bool fresh_ = false;          ///< it has not been left yet: its end is where the method stands
  std::vector<double> yBegin_, yEnd_;
  std::array<std::vector<double>, kAll> k_;   ///< rates of the stages; the first: at begin_
  std::array<std::vector<double>, 7> dense_;  ///< polynomial of that step, beside yBegin_
  bool hasDense_ = false;
  double proposal_ = 0, error_ = 0, projected_ = 0;
  bool rejected_ = false;  ///< the last trial was
  bool begins_ = true;     ///< the next step is the first one behind a start
  bool fades_ = false;     ///< its error of order 3 was hardly larger than that of order 5
  double stiffness_ = 0;
  /// Steps of a kind among the last ones, without 6 others in a row between.
  struct Steps {
    void note(bool isOne);
    bool holds() const { return these >= 15; }
    int these = 0, others = 0;
  };
  Steps stiff_, fading_;
  std::vector<double> inside_, last_;  ///< work space: states of a stage; of the last one
};

}  // namespace cardan
