#include "engine/analysis/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/analysis/analysis_error.h"
#include "engine/analysis/reduction.h"
#include "engine/structure/dense_algebra.h"
#include "engine/structure/indices.h"

namespace cardan {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kAtRestRate = 1e-11;  // of rates in the model's own units
constexpr double kGoodRate = 1e-8;     // where rounding lets it come no nearer
constexpr double kLongestStep = 0.2;   // in the model's own units
constexpr double kFlat = 1e-10;        // pivot of directions that change nothing
constexpr int kMostSteps = 400;
constexpr int kHalvings = 6;
constexpr size_t kMostUnbalanced = 5;

/// The search: a pose, its rates and their derivatives.
class RestSearch {
 public:
  RestSearch(const Model& model, Equations& equations)
      : layout_(model.assembly().layout),
        equations_(equations),
        reduction_(equations, {}, std::vector<double>(index(layout_.size()), 1.0)) {}

  Equilibrium run(const MotionPoint& start) {
    Equilibrium e;
    here_ = start;
    if (!settle(here_))
      throw AnalysisError("the accelerations and reactions without velocities cannot be found");
    for (int i = layout_.nq; i < layout_.xOffset(); ++i) {
      if (std::abs(scaledValue(here_, i)) > kGoodRate) {
        throw AnalysisError("a prescribed motion moves at this time ('" +
                            layout_.unknowns[index(i)].name + "'): nothing rests");
      }
    }
    double horizon = 1;  // of a pseudo-transient step, in the model's own time
    double before = 0;
    for (; e.iterations < kMostSteps; ++e.iterations) {
      linearise();
      const double now = rates_.norm();
      if (rates_.cwiseAbs().maxCoeff() < kAtRestRate) break;
      if (!e.transient) {
        if (newton(now)) continue;
        if (rates_.cwiseAbs().maxCoeff() < kGoodRate) break;
        e.transient = true;
      } else if (before > 0) {
        horizon *= std::clamp(before / now, 0.5, 4.0);
      }
      before = now;
      if (!transientStep(horizon)) break;
      // Near a minimum Newton's method goes on.
      if (scaledRates(here_).norm() < 1e-3) newton(scaledRates(here_).norm());
    }
    linearise();
    e.found = rates_.size() == 0 || rates_.cwiseAbs().maxCoeff() < kGoodRate;
    e.point = here_;
    if (!e.found) fillUnbalanced(e);
    return e;
  }

 private:
  double scaledValue(const MotionPoint& p, int i) const {
    return p.y[index(i)] / equations_.state.nominals[index(i)];
  }

  /// Velocities of zero and all that follows. False: not possible there.
  bool settle(MotionPoint& p) {
    std::fill(p.y.begin() + layout_.nq, p.y.begin() + layout_.xOffset(), 0.0);
    std::fill(p.yp.begin(), p.yp.begin() + layout_.xOffset(), 0.0);
    return makeConsistent(equations_, p) &&
           std::ranges::all_of(p.yp, [](double x) { return std::isfinite(x); });
  }

  VectorXd scaledRates(const MotionPoint& p) const {
    VectorXd rates(static_cast<Eigen::Index>(reduced_.states.size()));
    for (size_t i = 0; i < reduced_.states.size(); ++i) {
      const size_t s = index(reduced_.states[i]);
      rates[static_cast<Eigen::Index>(i)] =
          p.yp[s] * equations_.state.scales.time / equations_.state.nominals[s];
    }
    return rates;
  }

  void linearise() {
    reduced_ = reduction_.reduce(here_.time, here_.y, here_.yp);
    rates_ = scaledRates(here_);
    sizes_.resize(rates_.size());
    for (Eigen::Index i = 0; i < sizes_.size(); ++i)
      sizes_[i] = equations_.state.nominals[index(reduced_.states[static_cast<size_t>(i)])];
    J_ = equations_.state.scales.time *
         (sizes_.cwiseInverse().asDiagonal() * reduced_.A * sizes_.asDiagonal());
  }

  /// The point moved by a change of the states, velocities gone.
  bool move(const VectorXd& change, MotionPoint& p) {
    p = here_;
    const VectorXd dy = reduced_.y.leftCols(sizes_.size()) * (sizes_.asDiagonal() * change);
    for (size_t i = 0; i < p.y.size(); ++i) p.y[i] += dy[static_cast<Eigen::Index>(i)];
    return settle(p);
  }

  static void shorten(VectorXd& change) {
    const double longest = change.size() > 0 ? change.cwiseAbs().maxCoeff() : 0;
    if (longest > kLongestStep) change *= kLongestStep / longest;
  }

  /// False: it does not come nearer.
  bool newton(double now) {
    VectorXd change = OrthogonalFactors(J_, kFlat).leastNorm(-rates_);
    if (!change.allFinite()) return false;
    shorten(change);
    for (int k = 0; k < kHalvings; ++k, change /= 2) {
      MotionPoint p;
      if (!move(change, p) || !(scaledRates(p).norm() < now)) continue;
      here_ = std::move(p);
      return true;
    }
    return false;
  }

  bool transientStep(double horizon) {
    const Eigen::Index n = J_.rows();
    DenseLu lu;
    lu.factor(MatrixXd::Identity(n, n) / horizon - J_);
    if (!lu.pivotsExceed(0)) return false;
    VectorXd change(n);
    lu.solve(rates_, change);
    if (!change.allFinite()) return false;
    shorten(change);
    for (int k = 0; k < kHalvings; ++k, change /= 2) {
      MotionPoint p;
      if (!move(change, p)) continue;
      here_ = std::move(p);
      return true;
    }
    return false;
  }

  void fillUnbalanced(Equilibrium& e) const {
    std::vector<Eigen::Index> order;
    for (Eigen::Index i = 0; i < rates_.size(); ++i) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
      return std::abs(rates_[a]) > std::abs(rates_[b]);
    });
    for (Eigen::Index i : order) {
      if (std::abs(rates_[i]) < kGoodRate || e.unbalanced.size() == kMostUnbalanced) break;
      const size_t s = index(reduced_.states[static_cast<size_t>(i)]);
      const Layout::Unknown& u = layout_.unknowns[s];
      e.unbalanced.push_back({u.name, here_.yp[s], u.unit});
    }
  }

  const Layout& layout_;
  Equations& equations_;
  Reduction reduction_;
  MotionPoint here_;
  ReducedSystem reduced_;
  VectorXd rates_, sizes_;
  MatrixXd J_;
};

}  // namespace

Equilibrium findEquilibrium(const Model& model, Equations& equations, const MotionPoint& start) {
  if (model.assembly().layout.still)
    throw AnalysisError("nothing moves in this model: it has no states");
  return RestSearch(model, equations).run(start);
}

std::string explainNoEquilibrium(const Equilibrium& e) {
  std::string text =
      fmt::format("no equilibrium found in {} steps; what does not rest:", e.iterations);
  for (const Equilibrium::Rest& r : e.unbalanced)
    text += fmt::format("\n  der({}) = {:.6g} {}", r.name, r.rate,
                        r.unit.empty() ? "1/s" : "(" + r.unit + ")/s");
  return text;
}

}  // namespace cardan
