#include "engine/dynamics/constraint_columns.h"

#include <utility>

namespace cardan {

bool ConstraintColumns::choose() {
  const Equations& equations = at_.equations();
  if (leftOut_ == equations.state.redundant) return false;
  const Layout& l = at_.layout();
  leftOut_ = equations.state.redundant;
  for (std::vector<int>* of : {&active_, &onPositions_, &projected_, &swept_}) of->clear();
  for (int k = 0; k < l.nlambda; ++k) {
    if (leftOut_[k]) continue;
    // A prescribed velocity that depends on the state is met by the integration alone.
    if (!equations.readsPrescribed[k]) projected_.push_back(std::ssize(active_));
    if (!reactions_.has(k)) swept_.push_back(std::ssize(active_));
    active_.push_back(k);
    if (l.muOfLambda[k] >= 0) onPositions_.push_back(k);
  }
  if (active_.empty()) return true;
  const Partition& unknowns = equations.islands().unknowns;
  const Partition rows = unknowns.range(l.lambdaOffset(), l.nlambda).some(active_),
                  swept = rows.some(swept_), velocities = unknowns.range(l.nq, l.nv);
  Gt_ = loads_ = BlockMatrix::zero(velocities, rows);
  ofSwept_ = BlockMatrix::zero(velocities.with(velocities), swept);
  sweep_ = ColouredJacobian(velocities.with(velocities), swept);
  return true;
}

void ConstraintColumns::evaluate() {
  reactions_.evaluate(at_.valueWorkspace());
  for (size_t a = 0; a < active_.size(); ++a) {
    if (!reactions_.has(active_[a])) continue;
    Gt_.column(a) = reactions_.column(active_[a]);
    if (!swept_.empty()) loads_.column(a) = Gt_.column(a);
  }
  if (!swept_.empty()) sweepTranspose();
}

/// The columns of multipliers that do more than react.
void ConstraintColumns::sweepTranspose() {
  const Layout& l = at_.layout();
  const auto multiplier = [&](int j) { return active_[swept_[j]]; };
  at_.holdMotion();
  const bool known = sweep_.fill(
      ofSwept_, [&](int j, int lane, double on) { at_.seedConstraint(multiplier(j), lane, on); },
      [&](int j, int lane) { at_.seedConstraint(multiplier(j), lane, 0); },
      [&] {
        at_.evaluateDual({.constraintsOnly = true, .kinematicRows = false, .virtualRates = true});
      },
      [&](int i, int lane) {
        const Workspace<Dual>& w = at_.dualWorkspace();
        return i < l.nv ? w.virtualRates[i].lane(lane) : w.residual[l.nq + i - l.nv].lane(lane);
      });
  if (!known) sweep_.learn(ofSwept_);
  for (size_t j = 0; j < swept_.size(); ++j) {
    auto G = Gt_.column(swept_[j]);
    G = ofSwept_.column(j).head(G.size());
    loads_.column(swept_[j]) = ofSwept_.column(j).tail(G.size());
  }
}

}  // namespace cardan
