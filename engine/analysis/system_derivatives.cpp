#include "engine/analysis/system_derivatives.h"

#include <algorithm>

#include "engine/structure/indices.h"

namespace cardan {

SystemDerivatives::SystemDerivatives(Equations& equations, std::vector<int> inputs)
    : equations_(equations), inputs_(std::move(inputs)), w_(equations.makeWorkspace<Dual>()) {
  const Layout& l = equations.layout();
  for (int i = 0; i < l.lambdaOffset(); ++i) unknowns_.push_back(i);
  firstVelocityRow_ = l.lambdaOffset();
  for (int k = 0; k < l.nlambda; ++k) {
    if (equations.state.redundant[k]) continue;
    unknowns_.push_back(l.lambdaOffset() + k);
    activeRows_.push_back(k);
    if (l.muOfLambda[k] >= 0) positionRows_.push_back(k);
  }
  for (const Layout::TreeJoint& s : l.tree) {
    for (int i = s.nv; i < s.nq; ++i) edgeRows_.push_back(s.q + i);
  }
}

Workspace<Dual>& SystemDerivatives::setPoint(double t, const std::vector<double>& y,
                                             const std::vector<double>& yp) {
  for (size_t i = 0; i < w_.y.size(); ++i) {
    w_.y[i] = Dual(y[i]);
    w_.yp[i] = Dual(yp[i]);
  }
  w_.tables.time = Dual(t);
  w_.tables.flow = nullptr;
  return w_;
}

void SystemDerivatives::setDirection(int lane, const double* y, const double* yp) {
  for (size_t i = 0; i < w_.y.size(); ++i) {
    w_.y[i].setLane(lane, y[i]);
    w_.yp[i].setLane(lane, yp[i]);
  }
}

/// Velocity and position rows are taken before their regularisation.
double SystemDerivatives::rowLane(int row, int lane) const {
  if (row < firstVelocityRow_) return w_.residual[row].lane(lane);
  if (row < columns()) {
    return w_.velocityResidues[activeRows_[row - firstVelocityRow_]].lane(lane);
  }
  return w_.positionResidues[positionRows_[row - columns()]].lane(lane);
}

double SystemDerivatives::rowValue(int row) const {
  if (row < firstVelocityRow_) return w_.residual[row].v;
  if (row < columns()) {
    return w_.velocityResidues[activeRows_[row - firstVelocityRow_]].v;
  }
  return w_.positionResidues[positionRows_[row - columns()]].v;
}

template <class Seed>
void SystemDerivatives::sweep(int count, Eigen::MatrixXd& out, Seed seed) {
  out.resize(rows(), count);
  for (int c0 = 0; c0 < count; c0 += kLanes) {
    const int c1 = std::min(count, c0 + kLanes);
    for (int c = c0; c < c1; ++c) seed(c, c - c0, 1.0);
    equations_.evaluate(w_, {});
    for (int c = c0; c < c1; ++c) {
      for (int i = 0; i < rows(); ++i) out(i, c) = rowLane(i, c - c0);
      seed(c, c - c0, 0.0);
    }
  }
}

Eigen::MatrixXd SystemDerivatives::byUnknowns(double t, const std::vector<double>& y,
                                              const std::vector<double>& yp) {
  setPoint(t, y, yp);
  Eigen::MatrixXd K;
  sweep(columns(), K, [&](int c, int lane, double on) { w_.y[unknowns_[c]].setLane(lane, on); });
  return K;
}

SystemDerivatives::Matrices SystemDerivatives::at(double t, const std::vector<double>& y,
                                                  const std::vector<double>& yp) {
  Matrices m;
  m.K = byUnknowns(t, y, yp);
  Eigen::MatrixXd byRates;
  sweep(firstVelocityRow_, byRates,
        [&](int c, int lane, double on) { w_.yp[c].setLane(lane, on); });
  m.E.setZero(rows(), columns());
  m.E.leftCols(firstVelocityRow_) = byRates;
  const auto rowValues = [&] {
    Eigen::VectorXd values(rows());
    for (int i = 0; i < rows(); ++i) values[i] = rowValue(i);
    return values;
  };
  m.F = rowValues();
  m.U.resize(rows(), std::ssize(inputs_));
  for (size_t k = 0; k < inputs_.size(); ++k) {
    m.U.col(k) = byInput(k, [&] {
      equations_.evaluate(w_, {});
      return rowValues();
    });
  }
  return m;
}

}  // namespace cardan
