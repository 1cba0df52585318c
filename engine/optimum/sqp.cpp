#include "engine/optimum/sqp.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/structure/dense_algebra.h"

namespace cardan {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kArmijo = 1e-4;     // of the fall that the slope promises
constexpr double kShortest = 1e-9;   // of a step
constexpr double kRelaxation = 1e4;  // what it costs to meet constraints in part only
constexpr double kSlope = 1e-4;  // of the Lagrangian where it counts as flat, of those at the start
constexpr double kLeastCurvature = 1e-10;  // of the slope by the box
constexpr double kFarAway = 1e12;          // of a parameter's size: no optimum of a model is there
constexpr double kDamping = 0.2;           // Powell's: of the curvature that B has

}  // namespace

std::string reasonOf(SqpStop stop) {
  switch (stop) {
    case SqpStop::optimum:
      return "an optimum: no step lowers the objective within the constraints";
    case SqpStop::step:
      return "steps have become too short to matter";
    case SqpStop::noise:
      return "the runs are not exact enough to tell a better point";
    case SqpStop::unbounded:
      return "no optimum within these bounds: the objective falls as far as a parameter goes";
    case SqpStop::infeasible:
      return "the constraints cannot be met around here";
    case SqpStop::failed:
      return "the model cannot be run around here";
    case SqpStop::iterations:
      return "it took as many iterations as it may";
    case SqpStop::none:
      break;
  }
  return "it was stopped";
}

VectorXd violations(const VectorXd& c, Index equalities) {
  VectorXd v = (-c).cwiseMax(0);
  v.head(equalities) = c.head(equalities).cwiseAbs();
  return v;
}

bool isFound(SqpStop stop) {
  return stop == SqpStop::optimum || stop == SqpStop::step || stop == SqpStop::noise;
}

Sqp::Sqp(VectorXd start, SqpOptions options) : o_(std::move(options)) {
  const VectorXd range = o_.high - o_.low;
  size_ = start.cwiseAbs();
  for (Index k = 0; k < start.size(); ++k) {
    if (std::isfinite(range[k])) size_[k] = std::clamp(size_[k], 1e-2 * range[k], range[k]);
    if (!(size_[k] > 0)) size_[k] = 1;
  }
  trial_ = start.cwiseQuotient(size_);
}

double Sqp::worst(const VectorXd& c) const {
  return c.size() > 0 ? violations(c, o_.equalities).maxCoeff() : 0;
}

double Sqp::merit(double f, const VectorXd& c) const {
  for (Index i = 0; i < c.size(); ++i)
    f += penalty_[i] * (i < o_.equalities ? std::abs(c[i]) : std::max(0.0, -c[i]));
  return f;
}

/// Functions in units of their slopes.
void Sqp::findScales(const SmoothDerivatives& d) {
  const auto unit = [&](const VectorXd& slopes) {
    const double most = slopes.cwiseProduct(size_).cwiseAbs().maxCoeff();
    return most > 1e-100 ? 1 / most : 1;
  };
  fScale_ = unit(d.f);
  cScale_.resize(d.c.rows());
  for (Index i = 0; i < d.c.rows(); ++i) cScale_[i] = unit(d.c.row(i));
  penalty_ = VectorXd::Zero(d.c.rows());
  lambda_ = penalty_;
  B_ = MatrixXd::Identity(z_.size(), z_.size());
}

void Sqp::tell(const SmoothValues& values) {
  told_ = values;
  if (!values.failure.empty() || !std::isfinite(values.f) || !values.c.allFinite()) {
    failure_ = values.failure.empty() ? "the objective has no value" : values.failure;
    return shorten(0.25);
  }
  if (fScale_ == 0) {  // the start
    phase_ = Phase::derivatives;
    return;
  }
  trialF_ = fScale_ * values.f;
  trialC_ = cScale_.cwiseProduct(values.c);
  const double before = merit(f_, c_), now = merit(trialF_, trialC_);
  const double noise = o_.noise * std::max({std::abs(f_), std::abs(trialF_), 1e-3});
  if (now <= before + kArmijo * alpha_ * slope_ + noise) {
    phase_ = Phase::derivatives;
    return;
  }
  if (alpha_ == 1 && !corrected_ && c_.size() > 0) {
    // Constraints bend: once more to where they are by what was found behind the step.
    corrected_ = true;
    const VectorXd bent = trialC_ - A_ * d_;
    if (const auto again = stepFor(bent)) {
      trial_ = z_ + again->d;
      return;
    }
  }
  corrected_ = true;
  const double fall = alpha_ * slope_;
  shorten(std::clamp(-fall / (2 * (now - before - fall)), 0.1, 0.5));
}

void Sqp::settle(const SmoothValues& values) {
  if (values.failure.empty()) best_ = {point(), values, {}, {}};
  failure_ = values.failure;
  c_ = values.c;
  stop_ = isFarAway(trial_) ? SqpStop::unbounded : SqpStop::step;
}

void Sqp::shorten(double factor) {
  phase_ = Phase::values;
  corrected_ = true;
  if (fScale_ == 0) {
    stop_ = SqpStop::failed;
    return;
  }
  alpha_ *= factor;
  if (alpha_ > kShortest && alpha_ * d_.cwiseAbs().maxCoeff() > 1e-14) {
    trial_ = z_ + alpha_ * d_;
    return;
  }
  if (!fresh_) return startAnew();  // perhaps for curvatures that are none
  const bool isClose = -slope_ <= 1e2 * o_.noise * std::max(std::abs(f_), 1.0);
  stop_ = !failure_.empty() && !isClose         ? SqpStop::failed
          : worst(c_) > std::sqrt(o_.tolerance) ? SqpStop::infeasible
                                                : SqpStop::noise;
}

void Sqp::tell(const SmoothDerivatives& d) {
  if (!d.failure.empty() || !d.f.allFinite() || !d.c.allFinite()) {
    failure_ = d.failure.empty() ? "the objective has no derivative" : d.failure;
    return shorten(0.25);
  }
  failure_.clear();
  const VectorXd x = point();
  if (fScale_ == 0) {
    z_ = trial_;
    findScales(d);
  } else {
    const double length = (trial_ - z_).cwiseAbs().maxCoeff();
    if (alpha_ == 1 && d_.cwiseAbs().maxCoeff() > 0.99 * radius_) radius_ *= 4;
    if (alpha_ < 0.5) radius_ = std::min(radius_, 2 * length);
  }
  const VectorXd g = fScale_ * d.f.cwiseProduct(size_);
  const MatrixXd A = cScale_.asDiagonal() * d.c * size_.asDiagonal();
  if (best_.x.size() > 0) {
    estimate(g, A);
    update(g, A);
    ++iterations_;
  }
  z_ = trial_;
  g_ = g;
  A_ = A;
  f_ = fScale_ * told_.f;
  c_ = cScale_.cwiseProduct(told_.c);
  best_ = {x, told_, d, VectorXd::Zero(c_.size())};
  if (isFarAway(z_)) {
    stop_ = SqpStop::unbounded;
    return;
  }
  plan();
  if (!hasEnded() && iterations_ >= o_.mostIterations) stop_ = SqpStop::iterations;
}

/// The multipliers of what was active that leave the shortest slope of the Lagrangian there. Those of the
/// step hold what B makes of its length as well, and a B made of them would feed on itself.
void Sqp::estimate(const VectorXd& g, const MatrixXd& A) {
  std::vector<Index> active, free;
  for (Index i = 0; i < lambda_.size(); ++i) {
    if (lambda_[i] != 0) active.push_back(i);
  }
  for (Index k = 0; k < g.size(); ++k) {
    if (held_[k] == 0) free.push_back(k);
  }
  lambda_.setZero();
  if (active.empty() || free.empty()) return;
  const VectorXd found = PivotedQr(A(active, free).transpose(), 1e-10).solve(g(free));
  for (size_t j = 0; j < active.size(); ++j)
    lambda_[active[j]] = active[j] < o_.equalities ? found[j] : std::max(0.0, found[j]);
}

/// Of the Lagrangian by the way from z_ to trial_; damped, so that B stays positive definite.
void Sqp::update(const VectorXd& g, const MatrixXd& A) {
  const VectorXd s = trial_ - z_;
  VectorXd y = g - g_ - (A - A_).transpose() * lambda_;
  if (!(s.norm() > 0)) return;
  if (fresh_ && y.dot(s) > 1e-8 * s.squaredNorm())
    B_ = (y.dot(s) / s.squaredNorm()) * MatrixXd::Identity(s.size(), s.size());
  fresh_ = false;
  const VectorXd Bs = B_ * s;
  const double sBs = s.dot(Bs), sy = s.dot(y);
  if (sy < kDamping * sBs) {
    const double share = (1 - kDamping) * sBs / (sBs - sy);
    y = share * y + (1 - share) * Bs;
  }
  const MatrixXd next = B_ - Bs * Bs.transpose() / sBs + y * y.transpose() / s.dot(y);
  if (next.allFinite()) B_ = (next + next.transpose()) / 2;
}

/// The step for constraints that are worth `c` here; nothing where they cannot be met together.
std::optional<QuadraticSolution> Sqp::stepFor(const VectorXd& c) const {
  const VectorXd low = (o_.low.cwiseQuotient(size_) - z_).cwiseMax(-radius_).cwiseMin(0);
  const VectorXd high = (o_.high.cwiseQuotient(size_) - z_).cwiseMin(radius_).cwiseMax(0);
  // Where B is almost nothing beside the slope its own minimum is so far away that no digit of the box is
  // left there.
  MatrixXd B = B_;
  B.diagonal().array() += kLeastCurvature * g_.lpNorm<Eigen::Infinity>() / radius_;
  return solve(QuadraticProgram{B, g_, A_, c, o_.equalities, low, high});
}

/// Violated ones may be met in part: by 1 - relaxed.
std::optional<QuadraticSolution> Sqp::relaxedStep(double& relaxed) const {
  const Index n = z_.size(), m = c_.size();
  QuadraticProgram p{MatrixXd::Zero(n + 1, n + 1),
                     VectorXd::Zero(n + 1),
                     MatrixXd(m, n + 1),
                     c_,
                     o_.equalities,
                     VectorXd(n + 1),
                     VectorXd(n + 1)};
  p.B.topLeftCorner(n, n) = B_;
  p.B(n, n) = kRelaxation * std::max(1.0, B_.diagonal().maxCoeff());
  p.g.head(n) = g_;
  p.A.leftCols(n) = A_;
  for (Index i = 0; i < m; ++i) p.A(i, n) = i < o_.equalities || c_[i] < 0 ? -c_[i] : 0;
  p.low << (o_.low.cwiseQuotient(size_) - z_).cwiseMax(-radius_).cwiseMin(0), 0;
  p.high << (o_.high.cwiseQuotient(size_) - z_).cwiseMin(radius_).cwiseMax(0), 1;
  auto found = solve(p);
  if (!found) return std::nullopt;
  relaxed = found->d[n];
  for (VectorXd* all : {&found->d, &found->atLow, &found->atHigh}) all->conservativeResize(n);
  return found;
}

bool Sqp::isFarAway(const VectorXd& z) const { return !(z.cwiseAbs().maxCoeff() < kFarAway); }

/// The slope of the Lagrangian along what no bound holds: the box of a step is none.
double Sqp::steepness() const {
  VectorXd slope = g_ - A_.transpose() * lambda_;
  const VectorXd low = o_.low.cwiseQuotient(size_), high = o_.high.cwiseQuotient(size_);
  for (Index k = 0; k < slope.size(); ++k) {
    const double there = z_[k] + d_[k], rounding = 1e-12 * std::max(1.0, std::abs(there));
    if (slope[k] > 0 ? there <= low[k] + rounding : there >= high[k] - rounding) slope[k] = 0;
  }
  return slope.cwiseAbs().maxCoeff();
}

/// Without the curvatures so far.
void Sqp::startAnew() {
  B_.setIdentity();
  fresh_ = true;
  radius_ = 1;
  plan();
}

/// The next step, or the end.
void Sqp::plan() {
  double relaxed = 0;
  auto step = stepFor(c_);
  if (!step) step = relaxedStep(relaxed);
  const bool feasible = worst(c_) <= std::max(o_.tolerance, 1e-9);
  if (!step || !step->d.allFinite()) {
    if (!fresh_) return startAnew();
    stop_ = feasible ? SqpStop::step : SqpStop::infeasible;
    return;
  }
  d_ = step->d;
  lambda_ = step->multipliers;
  held_ = step->atLow + step->atHigh;
  best_.multipliers = lambda_.cwiseProduct(cScale_) / fScale_;
  double left = std::abs(g_.dot(d_));
  for (Index i = 0; i < c_.size(); ++i) {
    penalty_[i] = std::max(std::abs(lambda_[i]), (penalty_[i] + std::abs(lambda_[i])) / 2);
    left += std::abs(lambda_[i] * c_[i]);
  }
  const double length = d_.cwiseAbs().maxCoeff();
  const bool isFlat = steepness() <= kSlope * std::max(1.0, lambda_.lpNorm<Eigen::Infinity>());
  const bool isShort = length <= 1e-13 * std::max(1.0, z_.cwiseAbs().maxCoeff());
  if (feasible && (isShort || left <= o_.tolerance * std::max(std::abs(f_), 1.0))) {
    if (!isFlat && !fresh_) return startAnew();  // it is B that holds it
    stop_ = isFlat ? SqpStop::optimum : SqpStop::step;
  } else if (isShort || (!feasible && relaxed > 1 - 1e-7)) {
    if (radius_ < 1) return startAnew();  // it is the box that holds it
    stop_ = SqpStop::infeasible;
  }
  // What the step promises of the merit, the curvature being B's.
  slope_ = g_.dot(d_) - (1 - relaxed) * (merit(0, c_));
  if (slope_ > 0 && c_.size() > 0) {
    const double violated = (1 - relaxed) * (merit(0, c_) / std::max(penalty_.maxCoeff(), 1e-300));
    if (violated > 0) penalty_.array() += 2 * slope_ / violated;
    slope_ = g_.dot(d_) - (1 - relaxed) * merit(0, c_);
  }
  slope_ = std::min(slope_, 0.0);
  alpha_ = 1;
  corrected_ = false;
  phase_ = Phase::values;
  trial_ = z_ + d_;
}

}  // namespace cardan
