#include "engine/integration/root_search.h"

#include <cmath>

namespace cardan {
namespace {

/// A function is on its other side only beyond this part of the largest value it had: rounding
/// around a zero is no crossing.
constexpr double kSideRoundoff = 1e-14;
/// Fixed places inside a step at which functions are looked at that may turn back within it.
constexpr double kFractions[] = {0.25, 0.5, 0.75};
/// Of the first step behind a start: where functions that were zero have a side, tried in turn; zero beside
/// what they are there; and beside their largest value.
constexpr double kEarly[] = {1e-6, 1e-3};
constexpr double kAsNone = 1e-3;
constexpr double kNearly = 1e-6;
/// Secant steps that do not halve the bracket in this number are followed by a bisection.
constexpr int kSlow = 3;
/// Places tried for the turning point of a function that comes close to zero.
constexpr int kTurningPoints = 6;

}  // namespace

RootSearch::RootSearch(int count)
    : side_(count, 0),
      scale_(side_.size(), 0.0),
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
  hasPrevious_ = false;
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
  previous_ = std::exchange(last_, at);
  hasPrevious_ = previous_.t < last_.t;
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
    bool changes = false;
    std::erase_if(open, [&](size_t k) {
      const bool clear = std::abs(last_.g[k]) < kAsNone * std::abs(early.g[k]);
      const int side = sideOf(k, early.g[k]);
      changes = changes || (clear && !early.consistent && side_[k] != side);
      if (clear && early.consistent) side_[k] = side;
      return clear;
    });
    if (changes) return early;
  }
  return std::nullopt;
}

/// True: function k may have been on its other side within the step although it is on the same one
/// at both ends: the parabola through its last three values dips towards zero there, taken half as
/// long and twice as deep.
bool RootSearch::mayTurn(size_t k, const Sample& before, const Sample& a, const Sample& b) const {
  const double h = b.t - a.t, past = a.t - before.t;
  const double slope = (b.g[k] - a.g[k]) / h;
  const double curvature = (slope - (a.g[k] - before.g[k]) / past) / (h + past);
  if (!(a.g[k] * curvature > 0)) return false;  // it turns away from zero, or is a constant
  const double bend = std::abs(curvature * h);  // the slope changes by twice that
  return std::abs(slope) <= 1.5 * bend &&
         std::min(std::abs(a.g[k]), std::abs(b.g[k])) <= 0.5 * bend * std::abs(h);
}

/// Looks inside the step for a change that is undone before its end. The bracket of the first one
/// found, or nullopt.
std::optional<std::pair<RootSearch::Sample, RootSearch::Sample>> RootSearch::searchInside(
    const Sample& end, const Evaluate& inside) {
  const double h = end.t - last_.t;
  Sample middle;
  middle.t = last_.t + 0.5 * h;
  const Sample* before = &previous_;
  bool hasMiddle = false;
  if (!hasPrevious_) {
    // No past yet: the middle shows the curvature.
    if (!inside(middle)) return std::nullopt;
    if (anyChanged(middle, false)) return std::pair{last_, middle};
    hasMiddle = true;
  }
  std::vector<size_t> candidates;
  for (size_t k = 0; k < side_.size(); ++k) {
    const bool turns = hasMiddle ? mayTurn(k, last_, middle, end) || mayTurn(k, end, middle, last_)
                                 : mayTurn(k, *before, last_, end);
    if (turns) candidates.push_back(k);
  }
  if (candidates.empty()) return std::nullopt;
  lookedFor_ = candidates.front();

  std::vector<Sample> samples{last_};
  for (const double fraction : kFractions) {
    Sample s;
    s.t = last_.t + fraction * h;
    if (hasMiddle && fraction == 0.5) {
      s = middle;
    } else if (!inside(s)) {
      return std::nullopt;
    }
    if (anyChanged(s, false)) return std::pair{samples.back(), s};
    samples.push_back(std::move(s));
  }
  samples.push_back(end);
  for (const size_t k : candidates) {
    lookedFor_ = k;
    if (auto bracket = searchTurn(k, samples, inside)) return bracket;
  }
  return std::nullopt;
}

/// Towards the turning point of function k, by parabolas through three instants.
std::optional<std::pair<RootSearch::Sample, RootSearch::Sample>> RootSearch::searchTurn(
    size_t k, const std::vector<Sample>& samples, const Evaluate& inside) const {
  const double h = samples.back().t - samples.front().t;
  size_t i = 1;
  for (size_t j = 2; j + 1 < samples.size(); ++j) {
    if (std::abs(samples[j].g[k]) < std::abs(samples[i].g[k])) i = j;
  }
  Sample left = samples[i - 1], lowest = samples[i], right = samples[i + 1];
  for (int n = 0; n < kTurningPoints; ++n) {
    const double xl = left.t - lowest.t, xr = right.t - lowest.t;
    const double dl = (left.g[k] - lowest.g[k]) / xl, dr = (right.g[k] - lowest.g[k]) / xr;
    const double curvature = (dr - dl) / (xr - xl);
    if (!(lowest.g[k] * curvature > 0)) break;
    const double vertex = -0.5 * (dl / curvature - xl);
    // Far enough above zero: no use to go on.
    if (std::abs(lowest.g[k]) > 2 * std::abs(curvature) * vertex * vertex + 1e-3 * scale_[k]) break;
    Sample s;
    s.t = lowest.t + std::clamp(vertex, 0.9 * xl, 0.9 * xr);
    if (std::abs(s.t - lowest.t) < 1e-4 * h || !inside(s)) break;
    const bool later = s.t > lowest.t;
    if (anyChanged(s, false)) return std::pair{later ? lowest : left, s};
    if (std::abs(s.g[k]) < std::abs(lowest.g[k])) {
      (later ? left : right) = std::exchange(lowest, s);
    } else {
      (later ? right : left) = std::move(s);
    }
  }
  return std::nullopt;
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
  if (!first && !side_.empty() && !event && end.t - last_.t > 4 * resolution) {
    if (auto bracket = searchInside(end, inside)) {
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
  hasPrevious_ = false;
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
