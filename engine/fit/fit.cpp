#include "engine/fit/fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/fit/experiment_run.h"
#include "engine/fit/student.h"
#include "engine/fit/told_apart.h"
#include "engine/model_file/bounded_parameter.h"
#include "engine/motion_point.h"
#include "engine/sensitivities/parameter_value.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostPasses = 20;        // of estimates of noise
constexpr double kSameNoise = 1e-3;    // relative
constexpr double kLeastNoise = 1e-9;   // of the spread of what was measured
constexpr double kManyFreedoms = 1e6;  // standard deviations are known
constexpr double kSameCost = 1e-6;     // relative: the same minimum
constexpr double kRoughly = 1e-8;      // of the cost: as far as deviations ask for
constexpr double kWell = 1e-14;        // of the cost
constexpr double kBent = 1.5;          // factor of what squares rise in a linear model
constexpr double kRunNoise = 100;      // of the error of a run: what squares may tell

double spreadOf(const std::vector<double>& x) {
  const Eigen::Map<const VectorXd> v(x.data(), std::ssize(x));
  const double mean = v.mean();
  const double spread = std::sqrt((v.array() - mean).square().mean());
  return spread > 0 ? spread : mean != 0 ? std::abs(mean) : 1;
}

double medianOf(std::vector<double> x) {
  const auto middle = x.begin() + std::ssize(x) / 2;
  std::ranges::nth_element(x, middle);
  return *middle;
}

}  // namespace

Fit::Fit(FitTask task, FitLoad load, const Catalogue& catalogue)
    : task_(std::move(task)), load_(std::move(load)) {
  Diagnostics diagnostics;
  task_.check(diagnostics);
  diagnostics.throwIfErrors();
  std::vector<Simulation> nominals;
  for (const FitExperiment& e : task_.experiments) {
    Overrides overrides = task_.overrides;
    overrides.insert(overrides.end(), e.overrides.begin(), e.overrides.end());
    nominals.push_back(load_(overrides));
    data_.push_back(ExperimentData::read(task_, e, nominals.back(), diagnostics));
    data_.back().overrides = std::move(overrides);
    for (const std::string& w : data_.back().warnings) warnings_.push_back(w);
  }
  findUnknowns(nominals, catalogue, diagnostics);
  diagnostics.throwIfErrors();
  for (size_t e = 0; e < data_.size(); ++e) {
    std::vector<ExperimentParameter> parameters;
    for (const size_t k : places_[e]) {
      const Unknown& u = unknowns_[k];
      parameters.push_back(
          {u.shown.name, u.shown.low, u.shown.high, u.scale,
           typicalSize(std::max(std::abs(u.shown.start), u.scale), u.shown.low, u.shown.high)});
    }
    runs_.push_back(
        std::make_unique<ExperimentRun>(data_[e], std::move(parameters), load_, catalogue));
  }
  findNoises(diagnostics);
  diagnostics.throwIfErrors();
}

Fit::~Fit() = default;

void Fit::findUnknowns(const std::vector<Simulation>& nominals, const Catalogue& catalogue,
                       Diagnostics& diagnostics) {
  places_.resize(data_.size());
  const auto add = [&](const FitParameter& p, const std::vector<size_t>& of, bool one) {
    ModelParameterValue found{0.0, "", "s"};
    if (p.name != kTimeShift) found = parameterValue(nominals[of[0]], p.name, catalogue);
    if (!found.value) {
      diagnostics.error(p.at, found.wrong);
      return false;
    }
    const double start = p.start.value_or(*found.value);
    const std::string label = one ? p.name + " of " + data_[of[0]].name : p.name;
    if (!(start >= p.low && start <= p.high)) {
      diagnostics.error(p.at,
                        fmt::format("the search must start within the bounds of '{}', {:g}..{:g}, "
                                    "found {:g}",
                                    p.name, p.low, p.high, start));
    }
    for (const size_t e : of) places_[e].push_back(unknowns_.size());
    unknowns_.push_back(
        {{label, p.name, of, found.unit, start, start, p.low, p.high}, p.scale, p.prior});
    if (p.prior) ++priors_;
    return true;
  };
  for (const bool shifts : {false, true}) {  // these are last
    for (const FitParameter& p : task_.parameters) {
      if ((p.name == kTimeShift) != shifts) continue;
      std::vector<size_t> of;
      for (size_t e = 0; e < data_.size(); ++e) {
        if (p.of.empty() || std::ranges::find(p.of, data_[e].name) != p.of.end()) of.push_back(e);
      }
      const bool one = p.each && data_.size() > 1;
      for (const size_t e : of) {
        if (!one) break;
        if (!add(p, {e}, true)) break;
      }
      if (!one) add(p, of, !p.of.empty() && of.size() == 1 && data_.size() > 1);
    }
  }
}

void Fit::findNoises(Diagnostics& diagnostics) {
  std::vector<double> measured, weights;
  for (const ExperimentData& d : data_) {
    for (const ExperimentData::Signal& s : d.signals) {
      auto noise = std::ranges::find_if(noises_, [&](const Noise& n) {
        return n.variable == s.variable && n.isKnown == s.sigma.has_value() &&
               (!s.sigma || n.sigma == *s.sigma);
      });
      if (noise == noises_.end()) {
        noises_.push_back(
            {s.variable, s.sigma.value_or(spreadOf(s.measured)), s.sigma.has_value()});
        noise = noises_.end() - 1;
      }
      noise->points += std::ssize(s.measured);
      measured.insert(measured.end(), s.measured.begin(), s.measured.end());
      weights.resize(measured.size(), s.weight);
      noiseOf_.resize(measured.size(), noise - noises_.begin());
    }
  }
  measured_ = Eigen::Map<const VectorXd>(measured.data(), std::ssize(measured));
  weights_ = Eigen::Map<const VectorXd>(weights.data(), std::ssize(weights));
  if (measured_.size() + priors_ < std::ssize(unknowns_))
    diagnostics.error({}, fmt::format("{} values are measured, fewer than there are parameters: {}",
                                      measured_.size(), unknowns_.size()));
}

VectorXd Fit::start() const {
  VectorXd x(std::ssize(unknowns_));
  for (size_t k = 0; k < unknowns_.size(); ++k) x[k] = unknowns_[k].shown.start;
  return x;
}

VectorXd Fit::ofExperiment(size_t e, const VectorXd& x) const {
  VectorXd own(std::ssize(places_[e]));
  for (size_t k = 0; k < places_[e].size(); ++k) own[k] = x[places_[e][k]];
  return own;
}

std::optional<VectorXd> Fit::model(const VectorXd& x) {
  VectorXd y(measured_.size());
  Index first = 0;
  for (size_t e = 0; e < runs_.size(); ++e) {
    const auto part = runs_[e]->simulate(ofExperiment(e, x));
    if (!part) {
      failure_ = data_[e].name + ": " + runs_[e]->failure();
      return std::nullopt;
    }
    y.segment(first, part->size()) = *part;
    first += part->size();
  }
  return y;
}

VectorXd Fit::weighted(const VectorXd& y, const VectorXd& x) const {
  VectorXd r(y.size() + priors_);
  for (Index i = 0; i < y.size(); ++i)
    r[i] = (y[i] - measured_[i]) * weights_[i] / noises_[noiseOf_[i]].sigma;
  Index row = y.size();
  for (size_t k = 0; k < unknowns_.size(); ++k) {
    if (const auto& p = unknowns_[k].prior) r[row++] = (x[k] - p->mean) / p->deviation;
  }
  return r;
}

/// How far a parameter may be thought to go.
double Fit::sizeOf(const Unknown& u, double x) const {
  double size = std::max({std::abs(x), std::abs(u.shown.start), u.scale});
  if (std::isfinite(u.shown.high - u.shown.low))
    size = std::max(size, (u.shown.high - u.shown.low) / 2);
  const ExperimentData& d = data_[u.shown.experiments.front()];
  if (u.shown.name == kTimeShift) size = std::max(size, 0.1 * (d.lastTime() - d.start));
  return size > 0 ? size : 1;
}

/// [1] What runs leave open of their results.
double Fit::openByRuns() const {
  double tolerance = 0;
  for (const auto& run : runs_) tolerance = std::max(tolerance, run->tolerance());
  return tolerance;
}

std::optional<VectorXd> Fit::residuals(const VectorXd& x) {
  const auto y = model(x);
  if (!y) return std::nullopt;
  return weighted(*y, x);
}

std::optional<MatrixXd> Fit::jacobian(const VectorXd& x, bool roughly) {
  MatrixXd J = MatrixXd::Zero(measured_.size() + priors_, x.size());
  Index first = 0;
  for (size_t e = 0; e < runs_.size(); ++e) {
    const Index n = data_[e].points;
    const auto part = runs_[e]->differentiate(ofExperiment(e, x), roughly);
    if (!part) {
      failure_ = data_[e].name + ": " + runs_[e]->failure();
      return std::nullopt;
    }
    for (size_t k = 0; k < places_[e].size(); ++k) {
      for (Index i = 0; i < n; ++i)
        J(first + i, places_[e][k]) =
            (*part)(i, k) * weights_[first + i] / noises_[noiseOf_[first + i]].sigma;
    }
    first += n;
  }
  for (size_t k = 0; k < unknowns_.size(); ++k) {
    if (const auto& p = unknowns_[k].prior) J(first++, k) = 1 / p->deviation;
  }
  return J;
}

/// Parameters that no bound holds.
std::vector<Index> Fit::freeOf(const LeastSquaresResult& s) const {
  std::vector<Index> free;
  for (Index k = 0; k < s.x.size(); ++k) {
    if (s.active[k] == 0) free.push_back(k);
  }
  return free;
}

/// Of the residuals of the data alone: parameters take one each, less what priors give of it, which is the
/// leverage of their rows.
double Fit::dataFreedoms(const LeastSquaresResult& s, const std::vector<Index>& free) const {
  double freedoms = static_cast<double>(measured_.size() - std::ssize(free));
  if (priors_ == 0 || free.empty()) return freedoms;
  MatrixXd J = s.weighed(Eigen::all, free);
  for (Index c = 0; c < J.cols(); ++c) {
    if (const double size = J.col(c).norm(); size > 0) J.col(c) /= size;
  }
  const MatrixXd inverse = OrthogonalFactors(J.transpose() * J, 1e-12).pseudoInverse();
  const MatrixXd priors = J.bottomRows(priors_);
  return freedoms + (priors * inverse).cwiseProduct(priors).sum();
}

/// From the residuals of what no standard deviation is given for. False: none has changed.
bool Fit::estimateNoises(const LeastSquaresResult& s) {
  const double points = static_cast<double>(measured_.size());
  const double share = std::max(0.1, dataFreedoms(s, freeOf(s)) / points);
  const std::vector<Noise> before = noises_;
  bool changed = false;
  for (size_t g = 0; g < noises_.size(); ++g) {
    Noise& noise = noises_[g];
    if (noise.isKnown) continue;
    std::vector<double> sizes, values;
    double squares = 0;
    for (Index i = 0; i < measured_.size(); ++i) {
      if (noiseOf_[i] != g) continue;
      const double r = s.r[i] * before[noiseOf_[i]].sigma;
      sizes.push_back(std::abs(r));
      values.push_back(measured_[i]);
      squares += r * r;
    }
    const double sigma = task_.loss == Loss::linear
                             ? std::sqrt(squares / (static_cast<double>(sizes.size()) * share))
                             : 1.4826 * medianOf(sizes);  // of a normal distribution
    const double next = std::max(sigma, kLeastNoise * spreadOf(values));
    changed = changed || std::abs(next - noise.sigma) > kSameNoise * noise.sigma;
    noise.sigma = next;
  }
  return changed;
}

/// `roughly`: to where a search that goes on exactly begins.
LeastSquaresResult Fit::search(VectorXd x, Loss loss, long number, bool roughly, int iterations,
                               const std::function<bool(const Progress&)>& progress) {
  LeastSquaresProblem p;
  p.residuals = [this](const VectorXd& at) { return residuals(at); };
  p.jacobian = [this, roughly](const VectorXd& at, const VectorXd&) {
    return jacobian(at, roughly);
  };
  p.plainRows = priors_;
  const Index n = x.size();
  p.low.resize(n);
  p.high.resize(n);
  p.scale.resize(n);
  for (Index k = 0; k < n; ++k) {
    p.low[k] = unknowns_[k].shown.low;
    p.high[k] = unknowns_[k].shown.high;
    p.scale[k] = unknowns_[k].scale;
  }
  LeastSquaresOptions o;
  o.loss = loss;
  o.lossScale = task_.lossScale;
  o.mostIterations = iterations;
  o.costTolerance = std::max(roughly ? kRoughly : kWell, 1e-2 * openByRuns());
  if (progress) {
    o.progress = [&](const LeastSquaresStep& s) { return progress({number, s.iteration, s.cost}); };
  }
  return leastSquares(p, x, o);
}

VectorXd Fit::spreadStart(long k, const UnitPoint& spread) const {
  VectorXd x(std::ssize(unknowns_));
  for (size_t i = 0; i < unknowns_.size(); ++i) {
    const FitEstimate& u = unknowns_[i].shown;
    const double share = spread(k, static_cast<int>(i));
    const bool decades = u.low > 0 && u.high > 100 * u.low;
    x[i] = decades ? u.low * std::pow(u.high / u.low, share) : u.low + share * (u.high - u.low);
  }
  return x;
}

FitResult Fit::run(const UnitPoint& spread, const std::function<bool(const Progress&)>& progress) {
  FitResult result;
  const auto before = model(start());
  if (!before && task_.starts < 2)
    throw AnalysisError("the model cannot be run at the start of the search: " + failure_);
  result.sigmasKnown = std::ranges::all_of(noises_, &Noise::isKnown);
  const bool plain = task_.loss == Loss::linear;
  const bool passes = !result.sigmasKnown && (noises_.size() > 1 || priors_ > 0 || !plain);
  const Loss first = result.sigmasKnown ? task_.loss : Loss::linear;
  std::vector<double> costs;
  for (long k = 0; k < task_.starts; ++k) {
    LeastSquaresResult one = search(k == 0 ? start() : spreadStart(k, spread), first, k, true,
                                    task_.iterations, progress);
    const bool stopped = one.stop == LeastSquaresStop::interrupted;
    if (one.stop != LeastSquaresStop::noStart) costs.push_back(one.cost);
    if (k == 0 || result.search.r.size() == 0 ||
        (one.r.size() > 0 && one.cost < result.search.cost))
      result.search = std::move(one);
    if (stopped) break;
  }
  result.starts = task_.starts;
  result.foundAgain = std::ranges::count_if(
      costs, [&](double c) { return c <= result.search.cost * (1 + kSameCost) + 1e-300; });
  if (result.search.jacobian.size() == 0)
    throw AnalysisError("no start could be improved: " + failure_);
  if (!result.sigmasKnown) findSigmas(result, passes, progress);
  polish(result.search, progress);
  judge(result);
  if (!isFound(result.search.stop)) result.failure = failure_;
  describeSignals(result, before.value_or(VectorXd::Constant(measured_.size(), NAN)));
  for (size_t e = 0; e < runs_.size(); ++e) {
    result.runs += runs_[e]->runs();
    for (const std::string& d : runs_[e]->differences()) {
      if (std::ranges::find(result.differences, d) == result.differences.end())
        result.differences.push_back(d);
    }
  }
  return result;
}

/// Standard deviations and parameters, one after the other, until both stay. `passes`: they depend on each
/// other; else there is one, and what was found stands.
void Fit::findSigmas(FitResult& result, bool passes,
                     const std::function<bool(const Progress&)>& progress) {
  LeastSquaresResult& s = result.search;
  for (int pass = 0; pass < kMostPasses && s.stop != LeastSquaresStop::interrupted; ++pass) {
    const double before = noises_.front().sigma;
    if (!estimateNoises(s) && (pass > 0 || !passes)) return;
    if (!passes) {
      const double factor = before / noises_.front().sigma;
      s.r *= factor;
      s.jacobian *= factor;
      s.weighed *= factor;
      s.cost *= factor * factor;
      s.firstCost *= factor * factor;
      return;
    }
    const int iterations = s.iterations;
    s = search(s.x, task_.loss, task_.starts - 1, true, task_.iterations, progress);
    s.iterations += iterations;
  }
}

/// From where rough derivatives have led, with those that are as good as the runs; what is told of the
/// parameters is theirs, too.
void Fit::polish(LeastSquaresResult& s, const std::function<bool(const Progress&)>& progress) {
  if (s.stop == LeastSquaresStop::interrupted) return;
  const bool goesOn = isFound(s.stop);
  LeastSquaresResult last =
      search(s.x, task_.loss, task_.starts - 1, false, goesOn ? task_.iterations : 0, progress);
  if (last.jacobian.size() == 0) return;
  last.iterations += s.iterations;
  last.firstCost = s.firstCost;
  if (!goesOn) last.stop = s.stop;
  s = std::move(last);
}

/// What the data tell of the parameters `free`.
/// `variance`: of the residuals of the data; of priors it is 1.
ToldApart Fit::tellApart(const LeastSquaresResult& s, const std::vector<Index>& free,
                         double variance) {
  std::vector<std::string> names;
  MatrixXd J(s.weighed.rows(), std::ssize(free));
  VectorXd x(J.cols()), sizes(J.cols());
  for (Index c = 0; c < J.cols(); ++c) {
    J.col(c) = s.weighed.col(free[c]);
    x[c] = s.x[free[c]];
    sizes[c] = sizeOf(unknowns_[free[c]], x[c]);
    names.push_back(unknowns_[free[c]].shown.label);
  }
  J.bottomRows(priors_) *= std::sqrt(variance);
  double error = 0;
  for (const auto& run : runs_) error = std::max(error, run->derivativeError());
  ToldApart told(J, x, sizes, names, error);
  if (!told.isOpen()) return told;
  // Somewhere else, to see what stays: by amounts that no combination of them undoes.
  VectorXd there = s.x;
  double by = 0.05;
  for (const Index k : free) {
    const FitEstimate& u = unknowns_[k].shown;
    there[k] = std::clamp(there[k] != 0 ? there[k] * (1 + by) : by, u.low, u.high);
    by *= -1.3;
  }
  const auto other = jacobian(there);
  for (Index c = 0; other && c < J.cols(); ++c) {
    J.col(c) = other->col(free[c]);
    x[c] = there[free[c]];
  }
  J.bottomRows(priors_) *= std::sqrt(variance);
  told.tell(J, x);
  return told;
}

/// Errors, intervals and what is not told, of the parameters that no bound holds.
void Fit::judge(FitResult& result) {
  const LeastSquaresResult& s = result.search;
  const Index n = s.x.size();
  const std::vector<Index> free = freeOf(s);
  const Index count = std::ssize(free);
  // What priors cost tells nothing of the noise of the data.
  const double ofPriors = result.sigmasKnown ? 0 : s.r.tail(priors_).squaredNorm();
  result.freedoms = result.sigmasKnown ? static_cast<double>(measured_.size() + priors_ - count)
                                       : dataFreedoms(s, free);
  result.reducedChi2 =
      result.freedoms > 0 ? std::max(0.0, 2 * s.cost - ofPriors) / result.freedoms : 0;
  const double variance = result.sigmasKnown ? 1 : result.reducedChi2;
  const ToldApart told = tellApart(s, free, variance);
  result.untold = told.texts;
  const double t =
      studentInterval(task_.confidence, result.sigmasKnown ? kManyFreedoms : result.freedoms);
  result.covariance = MatrixXd::Zero(n, n);
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b < count; ++b)
      result.covariance(free[a], free[b]) = variance * told.inverse(a, b);
  }
  result.correlation = MatrixXd::Identity(n, n);
  for (Index a = 0; a < n; ++a) {
    for (Index b = 0; b < n; ++b) {
      const double size = std::sqrt(result.covariance(a, a) * result.covariance(b, b));
      if (a != b) result.correlation(a, b) = size > 0 ? result.covariance(a, b) / size : 0;
    }
  }
  for (Index k = 0; k < n; ++k) {
    FitEstimate e = unknowns_[k].shown;
    e.value = s.x[k];
    e.atBound = s.active[k];
    e.error = std::sqrt(result.covariance(k, k));
    const auto place = std::ranges::find(free, k);
    if (place != free.end() && !told.isDetermined[place - free.begin()]) e.error = INFINITY;
    e.from = e.value - t * e.error;
    e.to = e.value + t * e.error;
    result.estimates.push_back(std::move(e));
  }
  checkIntervals(result, variance, t);
}

/// How far half the squares have risen where `kept` is at x, in parts of `expected`, the others being as
/// good as one step of Gauss and Newton makes them if that is too far or not far enough; infinite where the
/// model cannot be run.
double Fit::riseAt(const LeastSquaresResult& s, VectorXd x, Index kept, double expected) {
  const auto rise = [&](const std::optional<VectorXd>& r) {
    return r ? (r->squaredNorm() / 2 - s.cost) / expected : INFINITY;
  };
  const auto r = residuals(x);
  const double first = rise(r);
  std::vector<Index> others = freeOf(s);
  std::erase(others, kept);
  if (!r || others.empty() || (first < kBent && first > 1 / kBent)) return first;
  const MatrixXd J = s.jacobian(Eigen::all, others);
  VectorXd sizes = J.colwise().norm();
  for (double& size : sizes) size = size > 0 ? 1 / size : 0;
  const OrthogonalFactors factors(J * sizes.asDiagonal(), 1e-10);
  x(others) -= sizes.asDiagonal() * (factors.pseudoInverse() * *r);
  for (size_t k = 0; k < unknowns_.size(); ++k)
    x[k] = std::clamp(x[k], unknowns_[k].shown.low, unknowns_[k].shown.high);
  return std::min(first, rise(residuals(x)));
}

/// An interval is that of a model which is linear about what was found: there the squares rise by t^2/2
/// variances to its ends. Where they do not, it is told; losses and what runs leave open are no squares.
void Fit::checkIntervals(FitResult& result, double variance, double t) {
  const LeastSquaresResult& s = result.search;
  const double expected = t * t * variance / 2;
  for (size_t i = 0; i < noiseOf_.size(); ++i) {
    const double noise = noises_[noiseOf_[i]].sigma * std::sqrt(variance);
    if (noise < kRunNoise * openByRuns() * std::abs(measured_[i])) return;
  }
  if (task_.loss != Loss::linear || !(expected > 0) || !std::isfinite(expected)) return;
  if (!isFound(s.stop)) return;
  for (Index k = 0; k < s.x.size(); ++k) {
    const FitEstimate& e = result.estimates[k];
    if (!(e.error > 0) || !std::isfinite(e.error)) continue;
    const VectorXd way = t / e.error * result.covariance.col(k);
    std::vector<std::string> rises;
    bool isBent = false;
    for (const double side : {-1.0, 1.0}) {
      const VectorXd there = s.x + side * way;
      const double end = there[k];
      bool isWithin = true;
      for (Index i = 0; i < there.size(); ++i)
        isWithin =
            isWithin && there[i] >= result.estimates[i].low && there[i] <= result.estimates[i].high;
      if (!isWithin) continue;
      const double rise = riseAt(s, there, k, expected);
      isBent = isBent || !(rise < kBent && rise > 1 / kBent);
      rises.push_back(std::isfinite(rise) ? fmt::format("{:.2g} times as far at {:.4g}", rise, end)
                                          : fmt::format("out of sight at {:.4g}", end));
    }
    if (isBent)
      result.bent.push_back(fmt::format(
          "the interval of {} is rough: the squares rise {}, of what they do in a linear model",
          e.label, fmt::join(rises, " and ")));
  }
}

void Fit::describeSignals(FitResult& result, const VectorXd& before) {
  const LeastSquaresResult& s = result.search;
  const double t =
      studentInterval(task_.confidence, result.sigmasKnown ? kManyFreedoms : result.freedoms);
  Index i = 0;
  for (const ExperimentData& d : data_) {
    for (const ExperimentData::Signal& signal : d.signals) {
      FittedSignal f;
      f.experiment = d.name;
      f.variable = signal.variable;
      f.unit = signal.unit;
      f.sigma = noises_[noiseOf_[i]].sigma;
      f.time = signal.time;
      f.measured = signal.measured;
      double squares = 0, squaresBefore = 0, sum = 0, products = 0, last = 0;
      for (size_t k = 0; k < f.time.size(); ++k, ++i) {
        const double unit = noises_[noiseOf_[i]].sigma / weights_[i];
        const double r = -s.r[i] * unit;
        const Eigen::RowVectorXd row = s.jacobian.row(i) * unit;
        f.after.push_back(f.measured[k] - r);
        f.before.push_back(before[i]);
        f.band.push_back(t * std::sqrt(std::max(0.0, (row * result.covariance).dot(row))));
        squares += r * r;
        squaresBefore += std::pow(f.measured[k] - before[i], 2);
        sum += r;
        products += k > 0 ? r * last : 0;
        last = r;
        f.largest = std::max(f.largest, std::abs(r));
      }
      const double n = static_cast<double>(f.time.size());
      f.rmsAfter = std::sqrt(squares / n);
      f.rmsBefore = std::sqrt(squaresBefore / n);
      f.mean = sum / n;
      f.correlation = squares > 0 ? products / squares : 0;
      result.signals.push_back(std::move(f));
    }
  }
}

}  // namespace cardan
