#include "engine/optimum/quadratic_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kViolated = 1e-11;   // of the size of the terms
constexpr double kDependent = 1e-20;  // of a square
constexpr int kMostStepsEach = 20;    // per constraint: rounding may turn in circles

/// The method while it runs. Constraints are rows n'd + b >= 0 in the metric of B: W = L^-1 N.
class DualMethod {
 public:
  explicit DualMethod(const QuadraticProgram& p) : p_(p), n_(p.g.size()), m_(p.c.size()) {
    Eigen::MatrixXd L = p.B;
    d_ = -p.g;
    solvePositiveInPlace(L, d_);
    L_ = L.triangularView<Eigen::Lower>();
    normals_ = MatrixXd::Zero(n_, m_ + 2 * n_);
    offsets_.resize(m_ + 2 * n_);
    normals_.leftCols(m_) = p.A.transpose();
    normals_.middleCols(m_, n_).setIdentity();
    normals_.rightCols(n_) = -MatrixXd::Identity(n_, n_);
    offsets_ << p.c, -p.low, p.high;
    signs_ = VectorXd::Ones(offsets_.size());
  }

  std::optional<QuadraticSolution> run() {
    for (Index steps = 0; steps < kMostStepsEach * offsets_.size(); ++steps) {
      const Index next = worst();
      if (next < 0) return solution();
      if (!takeUp(next)) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  double slack(Index i) const { return signs_[i] * (normals_.col(i).dot(d_) + offsets_[i]); }
  bool isHeld(Index i) const {
    return std::find(active_.begin(), active_.end(), i) != active_.end();
  }

  /// The constraint that is violated most, equalities first; -1: none is.
  Index worst() {
    Index found = -1;
    double least = 0;
    for (Index i = 0; i < offsets_.size(); ++i) {
      if (!std::isfinite(offsets_[i]) || isHeld(i)) continue;
      double s = slack(i);
      if (i < p_.equalities && s > 0) {
        signs_[i] = -signs_[i];
        s = -s;
      }
      const double size =
          std::abs(offsets_[i]) + normals_.col(i).cwiseAbs().dot(d_.cwiseAbs()) + kViolated;
      if (s >= -kViolated * size) continue;
      if (i < p_.equalities) return i;
      if (s < least) {
        least = s;
        found = i;
      }
    }
    return found;
  }

  /// Goes to where constraint `p` holds, and lets go of others on the way; false: there is no such place.
  bool takeUp(Index p) {
    const VectorXd normal = signs_[p] * normals_.col(p);
    const VectorXd w = L_.triangularView<Eigen::Lower>().solve(normal);
    double own = 0;
    while (true) {
      const Index q = std::ssize(active_);
      MatrixXd W(n_, q);
      for (Index j = 0; j < q; ++j) W.col(j) = signs_[active_[j]] * normals_.col(active_[j]);
      L_.triangularView<Eigen::Lower>().solveInPlace(W);
      const VectorXd r = q > 0 ? PivotedQr(W, 1e-14).solve(w) : VectorXd();
      const VectorXd rest = q > 0 ? VectorXd(w - W * r) : w;
      const double slope = rest.squaredNorm();
      const bool moves = q < n_ && slope > kDependent * w.squaredNorm();
      const double full = moves ? -slack(p) / slope : kInfinity;
      double partial = kInfinity;
      Index leaves = -1;
      for (Index j = 0; j < q; ++j) {
        if (active_[j] < p_.equalities || r[j] <= 0 || u_[j] / r[j] >= partial) continue;
        partial = u_[j] / r[j];
        leaves = j;
      }
      const double t = std::min(full, partial);
      if (!std::isfinite(t)) return false;
      if (moves) d_ += t * L_.transpose().triangularView<Eigen::Upper>().solve(rest);
      for (Index j = 0; j < q; ++j) u_[j] -= t * r[j];
      own += t;
      if (full <= partial) {
        active_.push_back(p);
        u_.push_back(own);
        return true;
      }
      active_.erase(active_.begin() + leaves);
      u_.erase(u_.begin() + leaves);
    }
  }

  QuadraticSolution solution() const {
    VectorXd all = VectorXd::Zero(offsets_.size());
    for (size_t j = 0; j < active_.size(); ++j) all[active_[j]] = signs_[active_[j]] * u_[j];
    return {d_, all.head(m_), all.segment(m_, n_), all.tail(n_)};
  }

  const QuadraticProgram& p_;
  Index n_, m_;
  MatrixXd L_, normals_;
  VectorXd offsets_, signs_, d_;
  std::vector<Index> active_;
  std::vector<double> u_;  ///< multipliers of these
};

}  // namespace

std::optional<QuadraticSolution> solve(const QuadraticProgram& program) {
  return DualMethod(program).run();
}

}  // namespace cardan
