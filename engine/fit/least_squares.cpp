#include "engine/fit/least_squares.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/structure/singular_values.h"

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kEps = std::numeric_limits<double>::epsilon();
// Of a loss, beside the one of its tangent parabola: beyond it Gauss-Newton's would be a plane.
constexpr double kLeastCurvature = 0.01;
constexpr double kSettled = 1e-6;  // of x: over such a last step the Jacobian stays what it is
constexpr std::array<std::pair<Loss, const char*>, 4> kLosses{{{Loss::linear, "linear"},
                                                               {Loss::softL1, "soft_l1"},
                                                               {Loss::huber, "huber"},
                                                               {Loss::cauchy, "cauchy"}}};

/// What a loss makes of z, and its first and second derivatives.
struct LossValues {
  double value, first, second;
};
LossValues lossAt(Loss loss, double z) {
  switch (loss) {
    case Loss::softL1: {
      const double t = 1 + z, root = std::sqrt(t);
      return {2 * (root - 1), 1 / root, -0.5 / (t * root)};
    }
    case Loss::huber:
      if (z <= 1) return {z, 1, 0};
      return {2 * std::sqrt(z) - 1, 1 / std::sqrt(z), -0.5 / (z * std::sqrt(z))};
    case Loss::cauchy:
      return {std::log1p(z), 1 / (1 + z), -1 / ((1 + z) * (1 + z))};
    case Loss::linear:
      break;
  }
  return {z, 1, 0};
}

/// Residuals and Jacobian whose linear least squares are Gauss-Newton's of the loss.
void weigh(VectorXd& r, MatrixXd& J, Index plainRows, Loss loss, double scale) {
  for (Index i = 0; loss != Loss::linear && i + plainRows < r.size(); ++i) {
    const double f = r[i] / scale;
    const LossValues v = lossAt(loss, f * f);
    const double curvature =
        std::sqrt(std::max(v.first + 2 * v.second * f * f, kLeastCurvature * v.first));
    r[i] *= v.first / curvature;
    J.row(i) *= curvature;
  }
}

/// The shortest A p + r within a radius: p of least squares, or with such a multiplier that it has that
/// length.
/// Source: More 1978, eqs. (5.2) to (5.6), by singular values
class TrustStep {
 public:
  TrustStep(const MatrixXd& A, const VectorXd& r, double radius) : svd_(A) {
    const VectorXd& s = svd_.values;
    least_ = kEps * static_cast<double>(std::max(A.rows(), A.cols())) * s[0];
    const VectorXd c = svd_.U.transpose() * -r;
    VectorXd q = along(c);
    if (q.norm() > radius * 1.1) q = shortened(c, radius);
    p_ = svd_.V * q;
  }
  const VectorXd& step() const { return p_; }

 private:
  VectorXd along(const VectorXd& c) const {
    const VectorXd& s = svd_.values;
    VectorXd q = VectorXd::Zero(s.size());
    for (Index i = 0; i < s.size(); ++i) {
      if (s[i] > least_) q[i] = s[i] * c[i] / (s[i] * s[i] + multiplier_);
    }
    return q;
  }
  /// |q(m)| falls with m and is convex: Newton's method on 1/|q|, between bounds that hold.
  VectorXd shortened(const VectorXd& c, double radius) {
    const VectorXd& s = svd_.values;
    double low = 0, high = s.cwiseProduct(c).norm() / radius;
    multiplier_ = 1e-3 * high;
    VectorXd q;
    for (int i = 0; i < 60; ++i) {
      q = along(c);
      const double length = q.norm();
      if (std::abs(length - radius) <= 0.1 * radius) break;
      (length > radius ? low : high) = multiplier_;
      double slope = 0;
      for (Index k = 0; k < s.size(); ++k) slope -= q[k] * q[k] / (s[k] * s[k] + multiplier_);
      const double next = multiplier_ - (length / radius - 1) * length * length / slope;
      multiplier_ = next > low && next < high ? next : std::max(1e-3 * high, std::sqrt(low * high));
    }
    return q;
  }

  SingularValues svd_;
  double least_ = 0, multiplier_ = 0;
  VectorXd p_;
};

/// One search.
class Search {
 public:
  Search(const LeastSquaresProblem& problem, const LeastSquaresOptions& options, VectorXd start)
      : p_(problem), o_(options) {
    x_.x = std::move(start);
  }

  LeastSquaresResult run() {
    x_.x = x_.x.cwiseMax(p_.low).cwiseMin(p_.high);
    x_.stop = begin() ? iterate() : LeastSquaresStop::noStart;
    finish();
    return std::move(x_);
  }

 private:
  bool begin() {
    ++x_.residualRuns;
    auto r = p_.residuals(x_.x);
    if (!r || !r->allFinite()) return false;
    x_.r = std::move(*r);
    x_.cost = x_.firstCost = cost(x_.r);
    return std::isfinite(x_.cost);
  }

  double cost(const VectorXd& r) const { return costOf(r, p_.plainRows, o_.loss, o_.lossScale); }

  LeastSquaresStop iterate() {
    for (;; ++x_.iterations) {
      if (!linearise()) return LeastSquaresStop::noJacobian;
      if (x_.iterations == 0) radius_ = o_.firstRadius * std::max(sizeOfX(), 1e-3 * first_);
      if (x_.cost == 0) return LeastSquaresStop::exact;
      if (x_.gradient <= o_.gradientTolerance) return LeastSquaresStop::gradient;
      if (o_.progress && !o_.progress({x_.iterations, x_.cost}))
        return LeastSquaresStop::interrupted;
      if (x_.iterations >= o_.mostIterations) return LeastSquaresStop::iterations;
      if (const auto stop = improve()) return *stop;
    }
  }

  /// The Jacobian at x, its scales and gradient; x_.jacobian is up to date.
  bool linearise() {
    ++x_.jacobianRuns;
    auto J = p_.jacobian(x_.x, x_.r);
    if (!J || !J->allFinite()) return false;
    x_.jacobian = *J;
    x_.weighed = std::move(*J);
    f_ = x_.r;
    weigh(f_, x_.weighed, p_.plainRows, o_.loss, o_.lossScale);
    const Index n = x_.x.size();
    if (D_.size() == 0) D_ = VectorXd::Zero(n);
    for (Index i = 0; i < n; ++i)
      D_[i] = p_.scale[i] > 0 ? 1 / p_.scale[i] : std::max(D_[i], x_.weighed.col(i).norm());
    scales_ = D_;
    for (Index i = 0; i < n; ++i) {
      if (!(scales_[i] > 0)) scales_[i] = 1;
    }
    findActive();
    return true;
  }

  void findActive() {
    const Index n = x_.x.size();
    const VectorXd g = x_.weighed.transpose() * f_;
    x_.active.assign(n, 0);
    x_.gradient = first_ = 0;
    for (Index i = 0; i < n; ++i) {
      if (x_.x[i] <= p_.low[i] && g[i] > 0) x_.active[i] = -1;
      if (x_.x[i] >= p_.high[i] && g[i] < 0) x_.active[i] = 1;
      const double size = x_.weighed.col(i).norm() * f_.norm();
      if (x_.active[i] == 0 && size > 0) {
        x_.gradient = std::max(x_.gradient, std::abs(g[i]) / size);
        first_ = std::max(first_, f_.norm());
      }
    }
  }

  double sizeOfX() const { return scales_.cwiseProduct(x_.x).norm(); }

  /// The step within the radius and the bounds.
  VectorXd boundedStep() const {
    const Index n = x_.x.size();
    VectorXd p = VectorXd::Zero(n), left = f_;
    std::vector<Index> free;
    for (Index i = 0; i < n; ++i) {
      if (x_.active[i] == 0) free.push_back(i);
    }
    double room = radius_;
    while (!free.empty()) {
      MatrixXd A(f_.size(), std::ssize(free));
      for (size_t k = 0; k < free.size(); ++k)
        A.col(k) = x_.weighed.col(free[k]) / scales_[free[k]];
      const VectorXd q = TrustStep(A, left, room).step();
      std::vector<Index> inside;
      double used = 0;
      for (size_t k = 0; k < free.size(); ++k) {
        const Index i = free[k];
        p[i] = q[k] / scales_[i];
        const double held = std::clamp(x_.x[i] + p[i], p_.low[i], p_.high[i]) - x_.x[i];
        if (held == p[i] || !(std::abs(held) < std::abs(p[i]))) {
          inside.push_back(i);
          continue;
        }
        p[i] = held;
        left += x_.weighed.col(i) * held;
        used += std::pow(held * scales_[i], 2);
      }
      if (inside.size() == free.size()) break;
      free = std::move(inside);
      room = std::sqrt(std::max(room * room - used, 1e-4 * room * room));
    }
    return p;
  }

  /// Steps from x, smaller and smaller ones, until one is better; or why there is none.
  std::optional<LeastSquaresStop> improve() {
    for (;;) {
      const VectorXd p = boundedStep();
      const VectorXd next = (x_.x + p).cwiseMax(p_.low).cwiseMin(p_.high);
      const double length = scales_.cwiseProduct(p).norm();
      const double before = f_.squaredNorm() / 2;
      const double expected = before - (f_ + x_.weighed * p).squaredNorm() / 2;
      ++x_.residualRuns;
      auto r = p_.residuals(next);
      const double now = r && r->allFinite() ? cost(*r) : std::numeric_limits<double>::infinity();
      const double found = x_.cost - now;
      const double ratio = expected > 0 ? found / expected : -1;
      const double worth = o_.costTolerance * x_.cost;
      adapt(ratio, length);
      const bool taken = ratio >= 1e-4 && found > 0;
      const bool small = std::abs(found) <= worth && expected <= worth;
      const bool still = length <= o_.stepTolerance * sizeOfX();
      if (taken) {
        x_.x = next;
        x_.r = std::move(*r);
        x_.cost = now;
      }
      if (small || still) {
        if (taken) {
          ++x_.iterations;
          if (length > kSettled * sizeOfX() && !linearise()) return LeastSquaresStop::noJacobian;
        }
        if (x_.cost == 0) return LeastSquaresStop::exact;
        return small ? LeastSquaresStop::cost : LeastSquaresStop::step;
      }
      if (taken) return std::nullopt;
      if (!(radius_ > kEps * kEps)) return LeastSquaresStop::step;
    }
  }

  void adapt(double ratio, double length) {
    if (!(ratio > 0.25)) {
      radius_ = 0.25 * std::min(radius_, length);
    } else if (ratio > 0.75) {
      radius_ = std::max(radius_, 2 * length);
    }
  }

  /// At its bound, also where the gradient is nothing there.
  void finish() {
    for (Index i = 0; x_.jacobian.size() > 0 && i < x_.x.size(); ++i) {
      if (x_.active[i] != 0) continue;
      if (x_.x[i] == p_.low[i]) x_.active[i] = -1;
      if (x_.x[i] == p_.high[i]) x_.active[i] = 1;
    }
  }

  const LeastSquaresProblem& p_;
  const LeastSquaresOptions& o_;
  LeastSquaresResult x_;
  VectorXd f_, D_, scales_;
  double radius_ = 0, first_ = 0;
};

}  // namespace

const char* word(Loss loss) { return kLosses[static_cast<size_t>(loss)].second; }

std::optional<Loss> lossOf(std::string_view word) {
  for (const auto& [loss, name] : kLosses) {
    if (word == name) return loss;
  }
  return std::nullopt;
}

std::vector<std::string> lossWords() {
  std::vector<std::string> words;
  for (const auto& [loss, name] : kLosses) words.emplace_back(name);
  return words;
}

std::string reasonOf(LeastSquaresStop stop) {
  using Stop = LeastSquaresStop;
  switch (stop) {
    case Stop::cost:
      return "the sum of squares falls no further";
    case Stop::step:
      return "steps have become as small as matters";
    case Stop::gradient:
      return "the residuals are orthogonal to all that parameters can change";
    case Stop::exact:
      return "no residual is left";
    case Stop::iterations:
      return "it has taken as many iterations as it may";
    case Stop::interrupted:
      return "interrupted";
    case Stop::noStart:
      return "there are no residuals at the start";
    case Stop::noJacobian:
      return "there are no derivatives of the residuals";
  }
  return "";
}

bool isFound(LeastSquaresStop stop) {
  using Stop = LeastSquaresStop;
  return stop == Stop::cost || stop == Stop::step || stop == Stop::gradient || stop == Stop::exact;
}

double costOf(const VectorXd& r, Index plainRows, Loss loss, double scale) {
  const Index robust = r.size() - plainRows;
  double sum = 0;
  for (Index i = 0; i < robust; ++i) {
    const double f = r[i] / scale;
    sum += lossAt(loss, f * f).value;
  }
  return (scale * scale * sum + r.tail(plainRows).squaredNorm()) / 2;
}

LeastSquaresResult leastSquares(const LeastSquaresProblem& problem, const VectorXd& start,
                                const LeastSquaresOptions& options) {
  return Search(problem, options, start).run();
}

}  // namespace cardan
