#include "engine/integration/step_roots.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/integration/vector_operations.h"

namespace cardan {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kMostDeclined = 1000;
constexpr double kFarther = 16;      // times as far beyond a root of which nothing came
constexpr double kTurn = 0.5;        // [rad]  that is looked at as a whole
constexpr double kMostPieces = 1e4;  // of a step
constexpr double kNotRefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace

StepRoots::StepRoots(DaeSystem& system)
    : system_(system),
      count_(system.rootCount()),
      search_(count_),
      found_(count_),
      refinedAt_(kNotRefined) {
  for (auto* v : {&insideY_, &insideYp_, &refinedY_, &refinedYp_, &probedY_, &probedYp_}) {
    v->resize(system.size());
  }
}

void StepRoots::forget() {
  newStep();
  begun_ = false;
  clearFound();
}

void StepRoots::clearFound() { std::fill(found_.begin(), found_.end(), 0); }

/// What the functions are at a second point within the step, which slopes are taken with; before the values,
/// whose point is evaluated last.
void StepRoots::lookNearby(const RootSearch::Sample& s, const Interpolate& point) {
  nearby_.clear();
  const double t = s.t + probeAt(s.t);
  if (!s.isSteep || !point(t, probedY_.data(), probedYp_.data())) return;
  nearby_.resize(count_);
  system_.roots(t, probedY_.data(), probedYp_.data(), nearby_.data());
}

bool StepRoots::sample(RootSearch::Sample& s, const double* y, const double* yp) {
  s.g.resize(count_);
  if (!system_.roots(s.t, y, yp, s.g.data())) return false;
  if (!vectors::allFinite(count_, s.g.data())) return false;
  s.consistent = system_.modesFit();
  if (!s.isSteep) return true;
  s.slope.assign(count_, 0.0);
  for (size_t k = 0; k < nearby_.size(); ++k) {
    const double slope = (nearby_[k] - s.g[k]) / probeAt(s.t);
    if (std::isfinite(slope)) s.slope[k] = slope;
  }
  return true;
}

/// Slopes are asked for between these instants.
void StepRoots::probeWithin(double from, double to) {
  constexpr double kProbe = 1e-5;
  middle_ = from + 0.5 * (to - from);
  probe_ = kProbe * (to - from);
  // Longer than what time itself is rounded by.
  const double rounding = 1e4 * std::numeric_limits<double>::epsilon() * std::abs(to);
  probe_ = std::min(std::max(probe_, rounding), 0.25 * (to - from));
}

bool StepRoots::begin(double t, const double* y, const double* yp) {
  if (count_ == 0) return true;
  turning_ = system_.turning(y);
  if (begun_) return true;
  RootSearch::Sample start;
  start.t = t;
  if (!sample(start, y, yp)) return false;
  search_.begin(start);
  begun_ = true;
  return true;
}

/// Nothing came of the event told last. True: the point that satisfies the equations lies before the
/// change (a quaternion was interpolated, its length not kept), so that the change is still to come.
bool StepRoots::wasTooEarly(const RootSearch::Evaluate& refined) {
  if (isRefinedAt(time_)) return false;
  RootSearch::Sample here;
  here.t = time_;
  return refined(here) && search_.retract(here);
}

/// The first root of the step. A long step says little of what lies inside, and so does one in which
/// something turns far: it is gone through as if it had been several, those instants left out that cannot
/// be computed.
/// `isDeclined`: nothing came of the root told last, where a function is hardly beyond zero; instants a little
/// beyond it are asked again, up to what gave it away.
std::optional<double> StepRoots::searchInParts(RootSearch::Sample end, const Step& step,
                                               bool isDeclined, const RootSearch::Evaluate& each,
                                               const RootSearch::Evaluate& exact) {
  // Interpolated algebraic unknowns say little of a long step, and less of modes; interpolated states tell
  // what a turn does.
  const auto lookAt = [&](double t, bool exactly) -> std::optional<double> {
    RootSearch::Sample inside;
    inside.t = t;
    inside.isSteep = true;
    if (!(exactly && exact ? exact : each)(inside)) return std::nullopt;
    inside.consistent = inside.consistent || modesAsked_ || !exactly;
    return search_.advance(inside, step.resolution, step.together, each, exact);
  };
  const double told = search_.time(), revealed = search_.revealedAt();
  for (double ahead = kFarther * step.resolution; isDeclined; ahead *= kFarther) {
    const double t = std::min(told + ahead, revealed);
    if (!(t > search_.time() && t < step.end)) break;
    const std::optional<double> root = lookAt(t, true);
    if (root || search_.failed()) return root;
    if (t == revealed) break;
  }
  const double from = search_.time();
  const double turned = std::max(turning_, system_.turning(step.y)) * (step.end - from);
  const double inLooks = step.look > 0 ? (step.end - from) / step.look : 1,
               inTurns = turned / kTurn;
  const double parts = std::ceil(std::min(std::max(inLooks, inTurns), kMostPieces));
  for (double part = 1; part < parts; ++part) {
    const std::optional<double> root =
        lookAt(from + part / parts * (step.end - from), inLooks > inTurns);
    if (root || search_.failed()) return root;
  }
  return search_.advance(end, step.resolution, step.together, each, exact);
}

StepRoots::Found StepRoots::advance(const Step& step, const Interpolate& inside) {
  if (count_ == 0) return Found::Nothing;
  const auto within = [&](RootSearch::Sample& s) {
    lookNearby(s, inside);
    return inside(s.t, insideY_.data(), insideYp_.data()) &&
           sample(s, insideY_.data(), insideYp_.data());
  };
  // Interpolated rates and algebraic unknowns are worse than the states.
  bool again = false;
  const auto solved = [&](double t, double* y, double* yp) {
    const bool found = inside(t, y, yp) && system_.refine(t, y, yp, again);
    again = again || (found && !anew_);
    return found;
  };
  const auto refined = [&](RootSearch::Sample& s) {
    lookNearby(s, solved);
    if (!solved(s.t, refinedY_.data(), refinedYp_.data())) return false;
    refinedAt_ = s.t;
    return sample(s, refinedY_.data(), refinedYp_.data());
  };
  const bool isDeclined = std::exchange(told_, false);
  // Of equations with several solutions the factors of a point nearby may lead to another one.
  if (isDeclined && wasTooEarly(refined)) anew_ = std::exchange(exactly_, true) || anew_;
  refinedAt_ = kNotRefined;
  probeWithin(search_.time(), step.end);
  RootSearch::Sample end;
  end.t = step.end;
  end.isSteep = true;
  bool computable;
  RootSearch::Evaluate each = within, exact;
  // Where equations nearly contradict each other the interpolated point is all there is.
  const auto best = [&](RootSearch::Sample& s) { return refined(s) || within(s); };
  if (exactly_) {
    each = best;
    computable = each(end);
  } else {
    if (system_.refines()) exact = best;
    lookNearby(end, inside);
    computable = sample(end, step.y, step.yp);
    // Once in a step: if nothing came of it, the interpolated point only seemed not to fit.
    end.consistent = end.consistent || modesAsked_;
  }
  if (!computable) return Found::NotComputable;
  // Of a step in which nothing comes of one after the other, its end says more.
  if (isDeclined && ++declined_ > kMostDeclined) {
    search_.begin(end);
    return Found::Nothing;
  }
  const std::optional<double> root = searchInParts(std::move(end), step, isDeclined, each, exact);
  system_.searched(search_.looks());
  search_.forgetLooks();
  if (search_.failed()) return Found::NotComputable;
  if (!root) return Found::Nothing;
  time_ = *root;
  told_ = true;
  std::copy(search_.found().begin(), search_.found().end(), found_.begin());
  modesAsked_ = std::ranges::all_of(found_, [](int sign) { return sign == 0; });
  return Found::Root;
}

double StepRoots::ahead(double t, const std::vector<double>& y, const std::vector<double>& yp,
                        double longest) {
  if (count_ == 0 || !(longest > 0)) return kNever;
  const auto straight = [&](double at, double* there, double* rates) {
    for (std::size_t i = 0; i < y.size(); ++i) there[i] = y[i] + (at - t) * yp[i];
    std::ranges::copy(yp, rates);
    return true;
  };
  const auto continued = [&](RootSearch::Sample& s) {
    lookNearby(s, straight);
    return straight(s.t, insideY_.data(), insideYp_.data()) &&
           sample(s, insideY_.data(), insideYp_.data());
  };
  RootSearch search = search_;
  probeWithin(t, t + longest);
  RootSearch::Sample end;
  end.t = t + longest;
  end.isSteep = true;
  const double resolution =
      4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(end.t), longest);
  if (!continued(end)) return kNever;
  const std::optional<double> root = search.advance(end, resolution, 0, continued);
  return root ? *root - t : kNever;
}

}  // namespace cardan
