/// RootSearch: where within a step of the integrator a switching function first changes its sign.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace cardan {

/// Follows switching functions g_k(t) from step to step.
///
/// Every function has a side: the sign it had when it was last clearly away from zero. An event is
/// a change of side. A function that is zero at a start has no side yet: the first clear value, soon
/// behind it, gives it one. What that may hide (a switch that acts at once), `consistent` reports: the modes
/// of the model, compared with what the point asks for, are one function more.
///
/// A change of side between the ends of a step is seen there. What turns back within the step, or before
/// another change, is looked for inside it: between two instants a function is taken for the cubic through its
/// values and slopes, where these let it reach zero and come back; another instant shows whether it is, and if
/// not, both parts are looked at in the same way.
class RootSearch {
 public:
  /// Values at one instant. False: not computable there. `consistent`: the modes are those that
  /// this point asks for.
  struct Sample {
    double t = 0;
    std::vector<double> g;
    bool consistent = true;
    bool isSteep = false;         ///< slopes are asked for
    std::vector<double> slope{};  ///< [1/s]  of g

    auto kept() { return std::tie(t, g, consistent, slope); }
  };
  /// Fills a sample at its time; false: not computable.
  using Evaluate = std::function<bool(Sample&)>;

  explicit RootSearch(int count);

  /// (Re)start at an instant in consistent modes.
  void begin(const Sample& at);
  /// To be called where a step of the integrator begins: a bound of the looks that it may cost.
  void newStep() { left_ = kMostLooks; }

  /// The step from the last instant to that of `end` was taken. Returns the first instant at which
  /// a function has changed its side: at most `resolution` after the change. Changes of others
  /// within `together` of it are the same event. nullopt: nothing changed; the next step continues
  /// from `end`, which has slopes. `inside` evaluates instants within the step.
  ///
  /// Where interpolation is less accurate than the functions need, `exact` evaluates, too, at a
  /// higher price: the change is then where its values say, or nowhere.
  std::optional<double> advance(const Sample& end, double resolution, double together,
                                const Evaluate& inside, const Evaluate& exact = nullptr);

  /// The same of an instant at which somebody else looks for changes: gives a side to what had none.
  void pass(const Sample& at) { accept(at, false); }
  /// How far function k, which is `g`, is from a change of its side: positive on it, whichever it is.
  double margin(size_t k, double g) const;

  /// After a change: `here`, a better sample of its instant, is asked whether it has been at all. True:
  /// no; what has changed is back on the side it came from, and the search goes on from there.
  bool retract(const Sample& here);

  /// After a change: +1 (rising), -1 (falling), 0 per function.
  std::span<const int> found() const { return found_; }
  /// Evaluations inside steps so far, by the function that was looked for; the last: by none.
  std::span<const long> looks() const { return looks_; }
  void forgetLooks() { std::fill(looks_.begin(), looks_.end(), 0); }
  /// An instant within the last step could not be evaluated.
  bool failed() const { return failed_; }
  double time() const { return last_.t; }
  /// After a change: the instant beyond it that gave it away.
  double revealedAt() const { return revealedAt_; }

  auto kept() {
    return std::tie(side_, scale_, steepest_, found_, last_, isStart_, byModes_, failed_,
                    revealedAt_);
  }

 private:
  int sideOf(size_t k, double g) const;
  std::optional<Sample> takeFirstSides(double end, const Evaluate& evaluate);
  bool changed(const Sample& s) const;
  bool anyChanged(const Sample& s, bool withModes) const;
  using Bracket = std::pair<Sample, Sample>;
  /// What a function does between two instants: in parts of the way, positive on its side.
  struct Cubic {
    double from, to, down, up;  ///< values and slopes at both
    double steepest;            ///< slope there, or shortly before

    double at(double part) const;
    double slopeAt(double part) const;
    double lowest() const;
    bool dips() const;
    double lookAt() const;
  };
  /// A function that may do more between two instants than its cubic; it does, when asked for a longer part.
  struct Open {
    size_t k;
    bool isOther = false;
  };
  Cubic cubic(size_t k, const Sample& a, const Sample& b) const;
  bool isAsThought(size_t k, const Cubic& c, double part, double h, const Sample& there) const;
  std::optional<Bracket> firstChange(const Sample& a, const Sample& b, std::vector<Open> open,
                                     double shortest, const Evaluate& inside);
  void takeSteepness(const Sample& at);
  bool takeSlopes(const Evaluate& inside);
  size_t firstChanged(const Sample& s) const;
  double smallestRootEstimate(const Sample& a, const Sample& b) const;
  Sample locate(Sample a, Sample b, double resolution, const Evaluate& inside);
  std::optional<Sample> polish(const Sample& from, const Sample& rough, double end,
                               double resolution, const Evaluate& exact);
  void takeFollowing(Sample& at, double until, const Evaluate& evaluate) const;
  void accept(const Sample& at, bool withSides);

  std::vector<int> side_;         ///< -1, +1; 0: not known yet
  std::vector<double> scale_;     ///< largest |g| met
  std::vector<double> steepest_;  ///< [1/s]  largest slope met, the older the less
  std::vector<int> found_;
  std::vector<long> looks_;
  size_t lookedFor_;  ///< function that evaluations are for
  static constexpr int kMostLooks = 5000;
  int left_ = kMostLooks;  ///< looks that the step may still cost
  Sample last_;
  bool isStart_ = false;  ///< last_ is where begin() was
  bool byModes_ = false;  ///< what is looked for are modes that do not fit
  bool failed_ = false;
  double revealedAt_ = 0;  ///< [s]
};

}  // namespace cardan
