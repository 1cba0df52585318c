#include "engine/control/step_response.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "engine/analysis/eigenvalues.h"
#include "engine/control/held_inputs.h"
#include "engine/control/margins.h"

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kNoRate = 1e-7;      // of a sample: a factor that far from 1 is 1
constexpr int kMostLonger = 6;        // of a span that is too short
constexpr double kPartOfMode = 0.25;  // of a radian or a time constant: between two places
constexpr double kFadedAfter = 25;    // time constants
constexpr double kMostPlaces = 5e4;   // while one mode lasts
constexpr int kStepHalvings = 45;     // of a step, to where something is
constexpr double kSettledTo = 5e-3;   // of where an output goes: it has got there

/// Eigenvalues [1/s], of a sampled model by their factors; what is gone after a sample is left out.
std::vector<std::complex<double>> rates(const LinearModel& model) {
  std::vector<std::complex<double>> all;
  for (const std::complex<double> z : eigenpairs(model.A).values) {
    if (model.sample == 0) {
      all.push_back(z);
    } else if (std::abs(z - 1.0) < kNoRate) {
      all.emplace_back(0);
    } else if (std::abs(z) > 1e-9) {
      all.push_back(std::log(z) / model.sample);
    }
  }
  return all;
}

struct Span {
  double length;  ///< [s]
  bool mayBeShort;
};

/// Eight time constants of the slowest mode that settles, or five of what grows; of what does neither, ten
/// periods. Of modes that settle alike, one after the other, eight may be too few.
Span usualSpan(const LinearModel& model, int count) {
  double settles = 0, grows = 0, swings = 0, largest = 0;
  const std::vector<std::complex<double>> all = rates(model);
  for (const auto& z : all) largest = std::max(largest, std::abs(z));
  for (const auto& z : all) {
    const double part = 1e-9 * largest;
    if (z.real() < -part) settles = std::max(settles, -1 / z.real());
    if (z.real() > part) grows = std::max(grows, 1 / z.real());
    if (std::abs(z.real()) <= part && std::abs(z) > 1e-6 * largest)
      swings = std::max(swings, 6.3 / std::abs(z));
  }
  const double samples = model.sample * 20;
  if (grows > 0) return {std::max(5 * grows, samples), false};
  if (swings > 0) return {std::max(10 * swings, samples), false};
  if (settles > 0) return {std::max(8 * settles, samples), true};
  return {model.sample > 0 ? count * model.sample : 1, false};
}

/// The model with every second sample.
LinearModel everySecond(const LinearModel& model) {
  LinearModel result = model;
  result.A = model.A * model.A;
  result.B = model.A * model.B + model.B;
  result.sample = 2 * model.sample;
  return result;
}

/// The steps of a model: exact ones, as long as powers of two of a unit, or of its sample.
class Steps {
 public:
  Steps(const LinearModel& model, int input, double unit)
      : model_(model),
        u_(model.B.col(input)),
        unit_(model.sample > 0 ? model.sample : unit),
        input_(input) {}
  int finest() const { return model_.sample > 0 ? 0 : kFinest; }
  double length(int level) const { return std::ldexp(unit_, level); }
  /// The longest that is no longer than `most`, or the shortest of all.
  int levelOf(double most) const {
    return std::max(finest(), static_cast<int>(std::floor(std::log2(most / unit_) + 1e-9)));
  }
  VectorXd after(const VectorXd& x, int level) {
    const LinearModel& m = of(level);
    return m.A * x + m.B.col(input_);
  }
  /// Where it goes: rates, or what a sample adds.
  VectorXd change(const VectorXd& x) const {
    return model_.sample > 0 ? VectorXd(model_.A * x + u_ - x) : VectorXd(model_.A * x + u_);
  }

 private:
  static constexpr int kFinest = -60;
  const LinearModel& of(int level) {
    const auto known = all_.find(level);
    if (known != all_.end()) return known->second;
    LinearModel m = model_.sample == 0 ? sampled(model_, length(level))
                    : level == 0       ? model_
                                       : everySecond(of(level - 1));
    return all_.emplace(level, std::move(m)).first->second;
  }

  const LinearModel& model_;
  VectorXd u_;
  double unit_;
  int input_;
  std::map<int, LinearModel> all_;
};

/// States at times of a response, and how long the step from there is.
struct Place {
  double t;
  VectorXd x;
  int level;
};

/// What lasts: how close times have to be, and until when.
struct Lasting {
  double apart, until;
};
std::vector<Lasting> lastingOf(const LinearModel& model, double span) {
  std::vector<Lasting> all;
  for (const auto& z : rates(model)) {
    if (!(std::abs(z) * span > 1e-6)) continue;
    const double until = z.real() < 0 ? std::min(span, kFadedAfter / -z.real()) : span;
    all.push_back({std::max(kPartOfMode / std::abs(z), until / kMostPlaces), until});
  }
  return all;
}

std::vector<Place> placesOf(const LinearModel& model, Steps& steps, double span, int count) {
  const std::vector<Lasting> lasting = lastingOf(model, span);
  std::vector<Place> places;
  VectorXd x = VectorXd::Zero(model.A.rows());
  for (double t = 0; t <= span * (1 + 1e-9) && x.allFinite();) {
    double most = span / count;
    for (const Lasting& l : lasting) {
      if (t < l.until) most = std::min(most, l.apart);
    }
    const int level = steps.levelOf(most);
    places.push_back({t, x, level});
    t += steps.length(level);
    x = steps.after(x, level);
  }
  return places;
}

double largestOf(const std::vector<double>& y) {
  double most = 0;
  for (const double x : y) most = std::max(most, std::abs(x));
  return most;
}

/// What deviations from `rest` are measured by: none of it where there is nothing to come to.
double sizeOf(const std::vector<double>& y, double rest) {
  const double most = largestOf(y);
  return std::abs(rest) > 1e-9 * most ? std::abs(rest) : most;
}

/// One output, with its extremes: between neighbours it rises or falls.
class Curve {
 public:
  Curve(const LinearModel& model, int output, int input, const std::vector<Place>& places,
        Steps& steps)
      : c_(model.C.row(output)), d_(model.D(output, input)), steps_(steps) {
    for (size_t k = 0; k < places.size(); ++k) {
      all_.push_back(places[k]);
      if (k + 1 == places.size()) break;
      const double slope = slopeOf(places[k].x);
      if (slope * slopeOf(places[k + 1].x) < 0)
        all_.push_back(
            firstIn(places[k], [&](const VectorXd& x) { return slope * slopeOf(x) <= 0; }));
    }
    for (const Place& p : all_) y_.push_back(valueOf(p.x));
  }
  const std::vector<double>& y() const { return y_; }
  double end() const { return all_.back().t; }
  /// When it first holds for the value behind the k-th; pre: not there, but at the next.
  template <class Holds>
  double after(size_t k, const Holds& holds) const {
    return firstIn(
               all_[k], [&](const VectorXd& x) { return holds(valueOf(x)); },
               all_[k + 1].t - all_[k].t)
        .t;
  }

 private:
  double valueOf(const VectorXd& x) const { return c_.dot(x) + d_; }
  double slopeOf(const VectorXd& x) const { return c_.dot(steps_.change(x)); }
  /// By halves of the step; where it holds nowhere in them, the end.
  template <class Holds>
  Place firstIn(const Place& from, const Holds& holds, double most = INFINITY) const {
    Place low = from;
    VectorXd found;
    double high = low.t + std::min(most, steps_.length(from.level));
    const int finest = std::max(steps_.finest(), from.level - kStepHalvings);
    for (int level = from.level - 1; level >= finest; --level) {
      if (low.t + steps_.length(level) >= high) continue;
      const VectorXd x = steps_.after(low.x, level);
      if (holds(x)) {
        high = low.t + steps_.length(level);
        found = x;
      } else {
        low.t += steps_.length(level);
        low.x = x;
      }
    }
    if (found.size() == 0 && low.x.size() > 0) found = steps_.after(low.x, finest);
    return {high, found, from.level};
  }

  Eigen::RowVectorXd c_;
  double d_;
  Steps& steps_;
  std::vector<Place> all_;
  std::vector<double> y_;
};

Settling settlingOf(const Curve& curve, double rest) {
  constexpr double kHasNone = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double>& y = curve.y();
  const double band = 0.02 * sizeOf(y, rest);
  const auto isIn = [&](double value) { return std::abs(value - rest) <= band; };
  size_t inside = y.size();  // from there on
  while (inside > 0 && isIn(y[inside - 1])) --inside;
  const double settled = inside == 0         ? 0
                         : inside < y.size() ? curve.after(inside - 1, isIn)
                                             : kHasNone;
  // What is there at the end only may be on its way elsewhere.
  if (!std::isfinite(rest) || !(settled <= 0.9 * curve.end()))
    return {y.back(), kHasNone, kHasNone, kHasNone};
  Settling s{rest, kHasNone, kHasNone, settled};
  if (!(std::abs(rest) > 1e-9 * largestOf(y))) return s;
  const auto firstAt = [&](double part) {
    const auto isThere = [&](double value) { return value / rest >= part; };
    const auto first = std::ranges::find_if(y, isThere);
    return first == y.end()     ? kHasNone
           : first == y.begin() ? 0.0
                                : curve.after(static_cast<size_t>(first - y.begin()) - 1, isThere);
  };
  s.rise = firstAt(0.9) - firstAt(0.1);
  double most = 0;
  for (const double value : y) most = std::max(most, value / rest);
  s.overshoot = std::max(0.0, most - 1);
  return s;
}

/// All that go somewhere are there in the last fifth.
bool isThere(const StepResponse& r) {
  for (size_t i = 0; i < r.y.size(); ++i) {
    if (!std::isfinite(r.rest[i])) continue;
    const double within = kSettledTo * sizeOf(r.y[i], r.rest[i]);
    for (size_t k = r.t.size(); k-- > 0 && r.t[k] >= 0.8 * r.t.back();) {
      if (std::abs(r.y[i][k] - r.rest[i]) > within) return false;
    }
  }
  return true;
}

}  // namespace

StepResponse StepResponse::of(const LinearModel& model, int input, double span, int count) {
  StepResponse r;
  const Index outputs = model.C.rows();
  for (int i = 0; i < outputs; ++i) r.rest.push_back(gainAtRest(model, i, input));
  const Span usual = span > 0 ? Span{span, false} : usualSpan(model, count);
  Steps steps(model, input, usual.length / count);
  std::vector<Place> places;
  double length = usual.length;
  for (int longer = 0; longer == 0 || (usual.mayBeShort && longer <= kMostLonger && !isThere(r));
       ++longer, length *= 2) {
    places = placesOf(model, steps, length, count);
    r.t.clear();
    r.y.assign(static_cast<size_t>(outputs), {});
    for (const Place& p : places) {
      const VectorXd y = model.C * p.x + model.D.col(input);
      r.t.push_back(p.t);
      for (size_t i = 0; i < r.y.size(); ++i) r.y[i].push_back(y[static_cast<Index>(i)]);
    }
  }
  for (int i = 0; i < outputs; ++i)
    r.settling.push_back(
        settlingOf(Curve(model, i, input, places, steps), r.rest[static_cast<size_t>(i)]));
  return r;
}

}  // namespace cardan
