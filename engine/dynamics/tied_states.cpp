#include "engine/dynamics/tied_states.h"

#include <algorithm>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

constexpr double kCancelled = 1e-8;  // of the terms of a combination

}  // namespace

/// What the time derivatives of the rows are now, and how they depend on the rates of states.
void TiedStates::findRowRates() {
  rowRatesKnown_ = true;
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  const Workspace<Dual>& flow = at_.alongTheFlow();
  rowRates_.setZero(system_.size());
  for (int i = 0; i < nvx; ++i) rowRates_[i] = flow.residual[l.nq + i].lane(0);
  byState_ = system_.matrix;
  at_.sweepOnce(
      byState_, {.kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        if (c < nvx && l.unknowns[l.nq + c].differential) w.y[l.nq + c].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int i, int lane) {
        return i < nvx ? w.residual[l.nq + i].lane(lane) : 0.0;
      });
}

/// Rows of components that together hold neither a rate nor an algebraic unknown tie states to each
/// other (two inductors in series, a capacitor across a voltage source). None: there are no such rows.
TiedStates::Ties TiedStates::find(int island) {
  const Layout& l = at_.layout();
  if (l.nx == 0) return {};
  const std::vector<int>&rows = system_.matrix.rowsOf(island),
        &columns = system_.matrix.columnsOf(island);
  const auto scaled = system_.scaled().block(island);
  const int n = scaled.rows();
  const Eigen::MatrixXd U = kernel(scaled.transpose(), ScaledSystem::kDependent);
  if (U.cols() == 0) return {};
  double dynamics = 0, constraints = 0;
  for (int i = 0; i < n; ++i) {
    if (rows[i] < l.nv) dynamics += U.row(i).cwiseAbs().sum();
    if (rows[i] >= l.nv + l.nx) constraints += U.row(i).cwiseAbs().sum();
  }
  if (std::max(dynamics, constraints) > 1e-9) return {};
  if (!rowRatesKnown_) findRowRates();
  const Eigen::VectorXd scale = system_.rowScale()(rows),
                        columnScale = system_.columnScale()(columns);
  Ties ties{U.transpose() * scale.asDiagonal(), {}, Eigen::VectorXd(U.cols())};
  const Eigen::MatrixXd byState = byState_.block(island) * columnScale.asDiagonal();
  ties.all.resize(n + U.cols(), n);
  ties.all << scaled, ties.rows * byState;
  // What cancels in a combination is no dependence of it.
  const Eigen::MatrixXd terms = ties.rows.cwiseAbs() * byState.cwiseAbs();
  for (Eigen::Index i = 0; i < U.cols(); ++i) {
    const double largest = ties.all.row(n + i).cwiseAbs().maxCoeff();
    if (largest < std::max(ScaledSystem::kDependent, kCancelled * terms.row(i).maxCoeff()))
      return {};
    ties.all.row(n + i) /= largest;
    ties.scales[i] = 1 / largest;
  }
  return ties;
}

/// Rates of the island, or what they become in an instant: `matrix` of the rows of the matrix, `tied` of those
/// that are combined. Of no size: that does not make the solution unique.
Eigen::VectorXd TiedStates::combine(const Ties& ties, int island, const Eigen::VectorXd& matrix,
                                    const Eigen::VectorXd& tied) const {
  const std::vector<int>&rows = system_.matrix.rowsOf(island),
        &columns = system_.matrix.columnsOf(island);
  const PivotedQr qr(ties.all, ScaledSystem::kDependent);
  if (qr.rank() < std::ssize(columns)) return {};
  const Eigen::VectorXd scale = system_.rowScale()(rows),
                        columnScale = system_.columnScale()(columns);
  Eigen::VectorXd b(ties.all.rows());
  b << scale.cwiseProduct(matrix(rows)), ties.scales.cwiseProduct(ties.rows * tied(rows));
  const Eigen::VectorXd x = qr.solve(b);
  if ((ties.all * x - b).cwiseAbs().maxCoeff() > 1e-8 * (1 + b.cwiseAbs().maxCoeff())) return {};
  return columnScale.cwiseProduct(x);
}

bool TiedStates::solve(int island) {
  const Ties ties = find(island);
  if (ties.rows.rows() == 0) return false;
  const Eigen::VectorXd x = combine(ties, island, system_.residue, rowRates_);
  if (x.size() == 0) return false;
  system_.change(system_.matrix.columnsOf(island)) = x;
  return true;
}

Eigen::VectorXd TiedStates::jump() {
  const Layout& l = at_.layout();
  rowRatesKnown_ = false;
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(l.size());
  bool ties = false;
  for (int s = 0; s < system_.scaled().blocks(); ++s) {
    if (!system_.isSingular(s)) continue;
    const Ties tied = find(s);
    if (tied.rows.rows() == 0) continue;
    const Eigen::VectorXd x =
        combine(tied, s, Eigen::VectorXd::Zero(system_.size()), system_.residue);
    if (x.size() == 0) return {};
    ties = true;
    const std::vector<int>& columns = system_.matrix.columnsOf(s);
    for (int i = 0; i < std::ssize(columns); ++i) {
      const int u = l.nq + columns[i];
      if (columns[i] < l.nv + l.nx && l.unknowns[u].differential) moved[u] = -x[i];
    }
  }
  return ties ? moved : Eigen::VectorXd();
}

}  // namespace cardan
