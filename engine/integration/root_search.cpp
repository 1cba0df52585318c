#include "engine/integration/root_search.h"

#include <cmath>

namespace cardan {
namespace {

/// A function is on its other side only beyond this part of the largest value it had: rounding
/// around a zero is no crossing.
constexpr double kSideRoundoff = 1e-14;
/// Within a step slopes may be so much steeper than at its ends.
constexpr double kSteeper = 2;
/// A cubic with slopes of up to three times the mean one is monotone (de Boor and Swartz, 1977).
constexpr double kMonotone = 3;
/// Of distances from zero and of slopes, an error with which a cubic is as good as the function; of the largest
/// value, one that is none.
constexpr double kGoodValue = 0.05, kGoodSlope = 0.2, kNoError = 1e-6;
/// A place that shows what is at the lowest one, in parts of the way.
constexpr double kBeside = 0.05;
/// Of the steepest slope that was met, what may come again a step later; and a place within a part.
constexpr double kForgotten = 0.5, kAnywhere = 0.382;
/// The shortest part of a step that is looked into.
constexpr double kShortestPart = 1e-5;
/// Of the first step behind a start: where functions that were zero have a side, tried in turn; zero beside
/// what they are there, where rounding has left no side and where there is one; and beside their largest value.
constexpr double kEarly[] = {1e-6, 1e-3};
constexpr double kRounded = 0.1;
constexpr double kAsNone = 1e-3;
constexpr double kNearly = 1e-6;
/// Secant steps that do not halve the bracket in this number are followed by a bisection.
constexpr int kSlow = 3;

}  // namespace

RootSearch::RootSearch(int count)
    : side_(count, 0),
      scale_(side_.size(), 0.0),
      steepest_(side_.size(), 0.0),
      found_(side_.size(), 0),
      looks_(side_.size() + 1, 0),
      lookedFor_(side_.size()) {}

int RootSearch::sideOf(size_t k, double g) const {
  if (std::abs(g) <= kSideRoundoff * scale_[k]) return 0;
  return g > 0 ? 1 : -1;
}

double RootSearch::margin(size_t k, double g) const {
  constexpr double kLeast = 1e-100;  // of what has been zero only
  const double onSide = side_[k] == 0 ? std::abs(g) : side_[k] * g;
  return onSide + std::max(kSideRoundoff * scale_[k], kLeast);
}

bool RootSearch::changed(const Sample& s) const { return anyChanged(s, byModes_); }

bool RootSearch::anyChanged(const Sample& s, bool withModes) const {
  for (size_t k = 0; k < side_.size(); ++k) {
    if (side_[k] * sideOf(k, s.g[k]) < 0) return true;
  }
  return withModes && !s.consistent;
}

void RootSearch::begin(const Sample& at) {
  for (size_t k = 0; k < side_.size(); ++k) {
    scale_[k] = std::max(scale_[k], std::abs(at.g[k]));
    side_[k] = sideOf(k, at.g[k]);
  }
  std::fill(found_.begin(), found_.end(), 0);
  last_ = at;
  newStep();
  isStart_ = true;
  failed_ = false;
}

void RootSearch::accept(const Sample& at, bool withSides) {
  for (size_t k = 0; k < side_.size(); ++k) {
    scale_[k] = std::max(scale_[k], std::abs(at.g[k]));
    if (const int side = sideOf(k, at.g[k]); side != 0 && (withSides || side_[k] == 0)) {
      side_[k] = side;
    }
  }
  isStart_ = false;
  for (double& slope : steepest_) slope *= kForgotten;
  takeSteepness(at);
  last_ = at;
}

/// Slopes that were met shortly before may come again between two instants at which they are small.
void RootSearch::takeSteepness(const Sample& at) {
  for (size_t k = 0; k < at.slope.size(); ++k)
    steepest_[k] = std::max(steepest_[k], std::abs(at.slope[k]));
}

/// A function that is as good as zero at a start has the side that it goes to at once: within the first step
/// it may come back. Where modes are to follow that, it is a change instead: an instant behind it.
std::optional<RootSearch::Sample> RootSearch::takeFirstSides(double end, const Evaluate& evaluate) {
  if (!isStart_) return std::nullopt;
  std::vector<size_t> open;
  for (size_t k = 0; k < side_.size(); ++k) {
    if (std::abs(last_.g[k]) <= kNearly * scale_[k]) open.push_back(k);
  }
  Sample early;
  for (const double part : kEarly) {
    early.t = last_.t + part * (end - last_.t);
    if (open.empty() || !(early.t > last_.t) || !evaluate(early)) return std::nullopt;
    bool changes = false, turns = false;
    std::erase_if(open, [&](size_t k) {
      const double none = side_[k] == 0 ? kRounded : kAsNone;
      const int side = sideOf(k, early.g[k]);
      const bool clear = side != 0 && std::abs(last_.g[k]) < none * std::abs(early.g[k]);
      changes = changes || (clear && !early.consistent);
      if (!clear || !early.consistent) return clear;
      turns = turns || side * last_.g[k] < 0;
      side_[k] = side;
      return true;
    });
    if (changes) return early;
    // Else the start were on the other side.
    if (turns && !anyChanged(early, false)) last_ = early;
  }
  return std::nullopt;
}

double RootSearch::Cubic::at(double part) const {
  const double rise = to - from;
  return from + part * (down + part * (3 * rise - 2 * down - up + part * (down + up - 2 * rise)));
}

double RootSearch::Cubic::slopeAt(double part) const {
  const double rise = to - from;
  return down + part * (2 * (3 * rise - 2 * down - up) + part * 3 * (down + up - 2 * rise));
}

/// Where it is lowest, and lower than at both ends; 0: nowhere.
double RootSearch::Cubic::lowest() const {
  const double rise = to - from, a = 3 * (down + up - 2 * rise), b = 3 * rise - 2 * down - up;
  const double slope = b + std::sqrt(std::max(0.0, b * b - a * down));
  const double part = slope != 0 ? -down / slope : 0;
  constexpr double kEdge = 1e-9;
  return part > kEdge && part < 1 - kEdge && at(part) < std::min(from, to) ? part : 0;
}

bool RootSearch::Cubic::dips() const {
  const double part = lowest();
  return from > 0 && part > 0 && at(part) <= 0;
}

/// Where it is lowest, or a place that no period falls in with; 0: it cannot have been on the other side and
/// come back.
double RootSearch::Cubic::lookAt() const {
  if (to > 0 ? kSteeper * steepest < from + to : steepest <= kMonotone * (from - to)) return 0;
  const double part = lowest();
  return part > 0 ? part : kAnywhere;
}

RootSearch::Cubic RootSearch::cubic(size_t k, const Sample& a, const Sample& b) const {
  const double h = side_[k] * (b.t - a.t);
  const double down = h * a.slope[k], up = h * b.slope[k];
  const double known = steepest_[k] * (b.t - a.t);
  return {side_[k] * a.g[k], side_[k] * b.g[k], down, up,
          std::max({std::abs(down), std::abs(up), known})};
}

/// True: `there`, a part of the way of `h` [s], is where the cubic has it, and how steep.
bool RootSearch::isAsThought(size_t k, const Cubic& c, double part, double h,
                             const Sample& there) const {
  const double value = side_[k] * there.g[k], slope = side_[k] * there.slope[k] * h;
  const double nearest = std::min({std::abs(c.from), std::abs(c.to), std::abs(value)});
  return std::abs(value - c.at(part)) <= std::max(kGoodValue * nearest, kNoError * scale_[k]) &&
         std::abs(slope - c.slopeAt(part)) <=
             std::max(kGoodSlope * std::max(std::abs(c.down), std::abs(c.up)),
                      kNoError * scale_[k]);
}

/// The bracket of the first change between a, where there is none, and b, or nullopt.
std::optional<RootSearch::Bracket> RootSearch::firstChange(const Sample& a, const Sample& b,
                                                           std::vector<Open> open, double shortest,
                                                           const Evaluate& inside) {
  const double h = b.t - a.t;
  Sample there;
  there.isSteep = true;
  double part = 0;
  for (size_t i = 0; h > shortest && left_ > 0 && part == 0 && i < open.size(); ++i) {
    part = cubic(open[i].k, a, b).lookAt();
    if (part == 0 && open[i].isOther) part = kAnywhere;
    if (part > 0) lookedFor_ = open[i].k;
  }
  there.t = a.t + part * h;
  if (there.t > a.t && there.t < b.t && inside(there)) {
    --left_;
    takeSteepness(there);
    std::erase_if(open, [&](Open& o) {
      const Cubic whole = cubic(o.k, a, b);
      const double own = whole.lookAt(), low = own > 0 ? whole.lowest() : 0;
      o.isOther = own > 0 && !isAsThought(o.k, whole, part, h, there);
      // Far from where it would be lowest a bend, as of a distance that is passed, is not seen.
      const bool isSeen = low == 0 || std::abs(part - low) < kBeside;
      return isSeen && !o.isOther && !cubic(o.k, a, there).dips() && !cubic(o.k, there, b).dips();
    });
    if (auto first = firstChange(a, there, open, shortest, inside)) return first;
    return firstChange(there, b, std::move(open), shortest, inside);
  }
  return anyChanged(b, false) ? std::optional(Bracket(a, b)) : std::nullopt;
}

/// Those at the last instant, where it has none yet. False: there are no functions, or none are computable.
bool RootSearch::takeSlopes(const Evaluate& inside) {
  if (last_.slope.empty()) {
    Sample again;
    again.t = last_.t;
    again.isSteep = true;
    if (side_.empty() || !inside(again)) return false;
    last_.slope = std::move(again.slope);
  }
  return !side_.empty();
}

size_t RootSearch::firstChanged(const Sample& s) const {
  size_t k = 0;
  while (k < side_.size() && side_[k] * sideOf(k, s.g[k]) >= 0) ++k;
  return k;
}

/// Part of the way from a to b to the earliest zero of the chords of all functions that change
/// between them.
double RootSearch::smallestRootEstimate(const Sample& a, const Sample& b) const {
  double fraction = 1;
  bool any = false;
  for (size_t k = 0; k < side_.size(); ++k) {
    if (side_[k] * sideOf(k, b.g[k]) >= 0) continue;
    const double ga = std::abs(a.g[k]), gb = std::abs(b.g[k]);
    fraction = std::min(fraction, ga / (ga + gb));
    any = true;
  }
  return any ? fraction : 0.5;
}

/// The bracket (a, b] of a first change shrunk to `resolution`; b is on the far side.
///
/// Secants, in turn with steps of twice their length from the nearer end, which land just behind
/// the zero and so close the bracket from its other side; a bisection where both are slow. Modes alone
/// are asked just before b first: most of those change at an instant known beforehand, at which the step ends.
RootSearch::Sample RootSearch::locate(Sample a, Sample b, double resolution,
                                      const Evaluate& inside) {
  int slow = 0;
  bool early = byModes_;
  double reference = b.t - a.t;
  for (bool beyond = false; b.t - a.t > resolution; beyond = !beyond) {
    const double width = b.t - a.t;
    double fraction = smallestRootEstimate(a, b);
    if (beyond) fraction = fraction < 0.5 ? 2 * fraction : 2 * fraction - 1;
    if (slow >= kSlow) fraction = 0.5;
    // Half a resolution from both ends at least, so that the bracket closes around the zero.
    const double margin = std::min(0.5, 0.5 * resolution / width);
    Sample m;
    m.t = std::exchange(early, false) ? b.t - resolution
                                      : a.t + std::clamp(fraction, margin, 1 - margin) * width;
    if (!(m.t > a.t && m.t < b.t)) break;
    if (!inside(m)) {
      failed_ = true;
      break;
    }
    (changed(m) ? b : a) = std::move(m);
    if (b.t - a.t < 0.5 * reference) {
      slow = 0;
      reference = b.t - a.t;
    } else {
      ++slow;
    }
  }
  return b;
}

/// The change that interpolated values put at `rough`, by exact ones; `from` lies before it.
/// nullopt: there is none up to the end of the step.
std::optional<RootSearch::Sample> RootSearch::polish(const Sample& from, const Sample& rough,
                                                     double end, double resolution,
                                                     const Evaluate& exact) {
  Sample here;
  here.t = rough.t;
  if (!exact(here)) {
    failed_ = true;
    return rough;
  }
  // How far off it may be, by the slopes of the functions that change.
  double width = 4 * resolution;
  for (size_t k = 0; k < side_.size(); ++k) {
    if (side_[k] * sideOf(k, rough.g[k]) >= 0) continue;
    const double slope = std::abs(rough.g[k] - from.g[k]) / (rough.t - from.t);
    if (slope > 0) width = std::max(width, 2 * std::abs(here.g[k]) / slope);
  }
  constexpr double kWider = 8;
  if (changed(here)) {
    for (;; width *= kWider) {
      Sample before;
      before.t = here.t - width;
      if (before.t <= from.t) return locate(from, std::move(here), resolution, exact);
      if (!exact(before)) break;
      if (!changed(before)) return locate(std::move(before), std::move(here), resolution, exact);
      here = std::move(before);
    }
  } else {
    for (; here.t < end; width *= kWider) {
      Sample after;
      after.t = std::min(end, here.t + width);
      if (!exact(after)) break;
      if (changed(after)) return locate(std::move(here), std::move(after), resolution, exact);
      here = std::move(after);
    }
    if (here.t >= end) return std::nullopt;
  }
  failed_ = true;
  return rough;
}

/// What follows within the accuracy of time, up to `until`, belongs to the same instant.
void RootSearch::takeFollowing(Sample& at, double until, const Evaluate& evaluate) const {
  Sample later;
  later.t = until;
  if (!(later.t > at.t) || !evaluate(later)) return;
  bool more = false;
  for (size_t k = 0; k < side_.size(); ++k) {
    const bool now = side_[k] * sideOf(k, at.g[k]) < 0;
    const bool then = side_[k] * sideOf(k, later.g[k]) < 0;
    more = more || (then && !now);
  }
  if (more) at = std::move(later);
}

std::optional<double> RootSearch::advance(const Sample& end, double resolution, double together,
                                          const Evaluate& insideOf, const Evaluate& exactIn) {
  const auto counted = [&](const Evaluate& evaluate) -> Evaluate {
    if (!evaluate) return nullptr;
    return [&](Sample& s) {
      ++looks_[lookedFor_];
      return evaluate(s);
    };
  };
  const Evaluate inside = counted(insideOf), exact = counted(exactIn);
  lookedFor_ = side_.size();
  std::fill(found_.begin(), found_.end(), 0);
  failed_ = false;
  byModes_ = false;
  const std::optional<Sample> first = takeFirstSides(end.t, exact ? exact : inside);
  Sample a = last_, b = first.value_or(end);
  bool event = anyChanged(b, false);
  if (!first && takeSlopes(inside)) {
    std::vector<Open> open;
    for (size_t k = 0; k < side_.size(); ++k) {
      if (side_[k] != 0) open.push_back({k});
    }
    const double shortest = std::max(4 * resolution, kShortestPart * (end.t - last_.t));
    if (auto bracket = firstChange(last_, end, std::move(open), shortest, inside)) {
      std::tie(a, b) = std::move(*bracket);
      event = true;
    }
  }
  // Where no function tells of it the modes themselves are asked.
  if (!event && !b.consistent) event = byModes_ = true;
  if (!event) {
    accept(end, true);
    return std::nullopt;
  }
  revealedAt_ = b.t;
  lookedFor_ = firstChanged(b);
  const Evaluate& evaluate = byModes_ && exact ? exact : inside;
  b = locate(a, std::move(b), resolution, evaluate);
  if (exact && !byModes_ && !failed_) {
    const std::optional<Sample> exactly = polish(a, b, end.t, resolution, exact);
    if (!exactly) {
      accept(end, false);
      return std::nullopt;
    }
    b = *exactly;
  }
  if (together > 0 && b.t < end.t)
    takeFollowing(b, std::min(end.t, b.t + together), exact ? exact : inside);
  for (size_t k = 0; k < side_.size(); ++k) {
    const int side = sideOf(k, b.g[k]);
    if (side_[k] * side < 0) found_[k] = side;
  }
  const double t = b.t;
  accept(b, true);
  return t;
}

bool RootSearch::retract(const Sample& here) {
  bool back = byModes_ && here.consistent;
  for (size_t k = 0; k < side_.size(); ++k) {
    if (found_[k] == 0 || sideOf(k, here.g[k]) * found_[k] > 0) continue;
    side_[k] = -found_[k];
    back = true;
  }
  if (back) last_ = here;
  return back;
}

}  // namespace cardan
