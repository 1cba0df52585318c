/// StepRoots: the first event within a step of an integrator.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "engine/integration/dae_system.h"
#include "engine/integration/root_search.h"

namespace cardan {

/// RootSearch on the switching functions of a system, between the ends of a step: on interpolated
/// values, which are made to satisfy the equations where the functions need that.
class StepRoots {
 public:
  /// y and y' at an instant within the step. False: not computable.
  using Interpolate = std::function<bool(double t, double* y, double* yp)>;

  /// The end of a step, and how well times are known.
  struct Step {
    double end;       ///< [s]
    const double* y;  ///< there
    const double* yp;
    double resolution;  ///< [s]  of the time of an event
    double together;    ///< [s]  events closer than that are one
    double look = 0;    ///< [s]  a longer step is looked at in parts of this length; 0: as a whole
  };

  explicit StepRoots(DaeSystem& system);

  /// After a start or restart: the next begin() gives the functions their sides.
  void forget();
  /// To be called before every step, at its beginning. False: a function is not computable.
  bool begin(double t, const double* y, const double* yp);
  /// To be called at the beginning of every internal step: modes that do not fit are told once in it.
  void newStep() {
    modesAsked_ = told_ = exactly_ = anew_ = false;
    declined_ = 0;
    search_.newStep();
  }

  enum class Found { Nothing, Root, NotComputable };
  /// Looks between the last instant and the end of the step.
  Found advance(const Step& step, const Interpolate& inside);
  /// [s] Of the event, after Root.
  double time() const { return time_; }
  /// y() and yp() are of this instant, made to satisfy the equations by DaeSystem::refine().
  bool isRefinedAt(double t) const { return refinedAt_ == t; }
  const std::vector<double>& y() const { return refinedY_; }
  const std::vector<double>& yp() const { return refinedYp_; }
  /// Per function +1, -1 or 0; all 0 after Root: modes that do not fit.
  std::span<const int> found() const { return found_; }
  void clearFound();

  /// [s] Distance to a change of a switching function when the motion is continued from (t, y) by
  /// its rates yp for `longest`; infinity: none.
  double ahead(double t, const std::vector<double>& y, const std::vector<double>& yp,
               double longest);

  auto kept() {
    return std::tie(search_, begun_, modesAsked_, told_, exactly_, anew_, declined_, found_, time_,
                    refinedY_, refinedYp_, refinedAt_);
  }

 private:
  bool sample(RootSearch::Sample& s, const double* y, const double* yp);
  std::optional<double> searchInParts(RootSearch::Sample end, const Step& step, bool isDeclined,
                                      const RootSearch::Evaluate& each,
                                      const RootSearch::Evaluate& exact);
  void probeWithin(double from, double to);
  /// [s] To the second point, into the step.
  double probeAt(double t) const { return t < middle_ ? probe_ : -probe_; }
  void lookNearby(const RootSearch::Sample& s, const Interpolate& point);
  bool wasTooEarly(const RootSearch::Evaluate& refined);

  DaeSystem& system_;
  int count_;
  RootSearch search_;
  bool begun_ = false;
  bool modesAsked_ = false;  ///< an event of this step came from modes that do not fit
  bool told_ = false;        ///< an event of this step was told, and the step goes on
  bool exactly_ = false;     ///< interpolated values told an event of this step too early
  bool anew_ = false;        ///< exact ones did, too, with the factors of a point nearby
  int declined_ = 0;         ///< events of this step of which nothing came
  double turning_ = 0;       ///< [rad/s]  at the beginning of the step
  std::vector<int> found_;
  double time_ = 0;
  double middle_ = 0, probe_ = 0;  ///< [s]  of the step; over which slopes are taken
  std::vector<double> insideY_, insideYp_, refinedY_, refinedYp_, probedY_, probedYp_, nearby_;
  double refinedAt_;  ///< [s]  of refinedY_, not a number: none
};

}  // namespace cardan
