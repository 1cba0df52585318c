#include "engine/dynamics/bordered_tree.h"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/operations.h"

namespace cardan {
namespace {

constexpr double kNearlyDependent = 1e-12;  // pivot of constraints scaled to magnitude 1

}  // namespace

void BorderedTree::allocate() {
  if (columns_.active().empty()) return;
  const Layout& l = at_.layout();
  const Partition& unknowns = at_.equations().islands().unknowns;
  const Partition active = unknowns.range(l.lambdaOffset(), l.nlambda).some(columns_.active());
  ofMultipliers_ = BlockMatrix::zero(unknowns.range(l.nq, l.nv), active);
  schur_ = BlockMatrix::zero(active, active);
  for (Eigen::VectorXd* v : {&load_, &answer_}) v->setZero(l.nv);
  for (Eigen::VectorXd* v : {&multiplierChange_, &rowResidue_, &scale_}) v->setZero(active.size());
}

bool BorderedTree::solve(const Eigen::VectorXd& residue, Eigen::VectorXd& change) {
  const int nv = at_.layout().nv, nx = at_.layout().nx, na = std::ssize(columns_.active());
  conditioning_ = 1;
  change.segment(nv, nx) = residue.segment(nv, nx);
  if (!tree_.accelerations(at_.valueWorkspace(), residue.data(), change.data())) return false;
  if (na == 0) return change.allFinite();
  columns_.evaluate();
  solveForReactions();
  const BlockMatrix& Gt = columns_.transpose();
  for (int s = 0; s < schur_.blocks(); ++s)
    schur_.block(s).noalias() = Gt.block(s).transpose() * ofMultipliers_.block(s);
  Gt.transposeTimes(change, rowResidue_);
  rowResidue_ -= residue.tail(na);
  for (int k = 0; k < na; ++k) scale_[k] = 1 / std::sqrt(std::abs(schur_(k, k)));
  schur_.scale(scale_, scale_);
  if (!schur_.allFinite()) return false;
  schurLu_.factor(schur_);
  if (!schurLu_.pivotsExceed(kNearlyDependent)) return false;
  const double weakest = weakestRow();
  conditioning_ = schurLu_.smallestPivot() * weakest * weakest;
  rowResidue_.array() *= scale_.array();
  schurLu_.solve(rowResidue_, multiplierChange_);
  multiplierChange_.array() *= scale_.array();
  change.tail(na) = multiplierChange_;
  ofMultipliers_.addTimes(multiplierChange_, -1, change);
  return change.allFinite();
}

double BorderedTree::operations() const {
  constexpr double kColumn = 0.3;  // evaluations: a reaction carried to the world, and its answer
  const auto na = static_cast<double>(columns_.active().size());
  return operations::evaluation(at_.equations()) * kColumn * na + operations::denseFactors(na) +
         tree_.operations();
}

/// Largest element of the smallest constraint row, in the model's own units.
double BorderedTree::weakestRow() const {
  const Layout& l = at_.layout();
  const double length = at_.equations().state.scales.length, perLength = 1 / length;
  const BlockMatrix& Gt = columns_.transpose();
  double weakest = 1;
  for (size_t k = 0; k < columns_.active().size(); ++k) {
    double largest = 0;
    const double* element = Gt.data() + Gt.start(k);
    for (const int v : Gt.rowsOfColumn(k)) {
      const double unit = l.inMetres[l.nq + v] ? 1 : perLength;
      largest = std::max(largest, unit * std::abs(*element++));
    }
    weakest =
        std::min(weakest, largest * (at_.equations().isLength[columns_.active()[k]] ? 1 : length));
  }
  return weakest;
}

/// One multiplier of each island at a time: they move nothing in common.
void BorderedTree::solveForReactions() {
  const BlockMatrix& loads = columns_.loads();
  if (loads.blocks() == 1) {
    for (int k = 0; k < loads.cols(); ++k)
      tree_.solve(loads.column(k).data(), ofMultipliers_.column(k).data());
    return;
  }
  const std::vector<std::vector<int>>& columns = loads.columnSets().members;
  for (int i = 0; i < loads.columnSets().widest; ++i) {
    const auto each = [&](auto visit) {
      for (const std::vector<int>& own : columns) {
        if (i >= std::ssize(own)) continue;
        for (const int v : loads.rowsOfColumn(own[i])) visit(v, own[i]);
      }
    };
    load_.setZero();
    each([&](int v, int k) { load_[v] = loads(v, k); });
    tree_.solve(load_.data(), answer_.data());
    each([&](int v, int k) { ofMultipliers_(v, k) = answer_[v]; });
  }
}

}  // namespace cardan
