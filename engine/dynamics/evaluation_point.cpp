#include "engine/dynamics/evaluation_point.h"

#include "engine/structure/indices.h"

namespace cardan {
namespace {

/// The rows are affine in der(q): A der(q) = -b, with the constraints' gradients as the last rows.
void solveEdge(const Layout::TreeJoint& s, const double* q, const double* v, double* qd) {
  double rows[kMaxPerEdge];
  const int extra = s.nq - s.nv;
  SmallMatrix A = kinematicDerivatives(s, q, nullptr, v, 0, 1, rows);
  A.bottomRows(extra) = kinematicDerivatives(s, q, nullptr, v, 1, 0).bottomRows(extra);
  SmallVector b(s.nq);
  for (int i = 0; i < s.nq; ++i) b[i] = i < s.nv ? -rows[i] : 0.0;
  const SmallVector x = solveSmall(A, b);
  for (int j = 0; j < s.nq; ++j) qd[j] = x[j];
}

}  // namespace

const BlockMatrix& EvaluationPoint::velocityRows(Purpose purpose) {
  const Layout& l = layout();
  BlockMatrix& G = velocityRows_;
  if (G.blocks() == 0) {
    const Partition& unknowns = equations_.islands().unknowns;
    G = {unknowns.range(l.lambdaOffset(), l.nlambda), unknowns.range(l.nq, l.nv)};
    velocitySweep_ = ColouredJacobian(G);
    velocitySweep_.stayPlain();
  }
  sweepVelocities(velocitySweep_, G, purpose, [&](int c) { return c; });
  return G;
}

BlockMatrix EvaluationPoint::velocityRows(const std::vector<int>& velocities, Purpose purpose) {
  const Layout& l = layout();
  const Partition& unknowns = equations_.islands().unknowns;
  BlockMatrix G(unknowns.range(l.lambdaOffset(), l.nlambda),
                unknowns.range(l.nq, l.nv).some(velocities));
  ColouredJacobian once(G);
  once.stayPlain();
  sweepVelocities(once, G, purpose, [&](int c) { return velocities[c]; });
  return G;
}

/// `velocity(c)`: of column c.
template <class Velocity>
void EvaluationPoint::sweepVelocities(ColouredJacobian& of, BlockMatrix& G, Purpose purpose,
                                      Velocity velocity) {
  if (G.rows() == 0) return;
  sweep(
      of, G, purpose,
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        w.y[layout().nq + velocity(c)].setLane(lane, on);
      },
      [](const Workspace<Dual>& w, int k, int lane) { return w.velocityResidues[k].lane(lane); });
}

const BlockMatrix& EvaluationPoint::scaledVelocityRows(Purpose purpose) {
  const Layout& l = layout();
  velocityRows(purpose);
  BlockMatrix& G = velocityRows_;
  for (int v = 0; v < l.nv; ++v) {
    double* element = G.data() + G.start(v);
    for (const int k : G.rowsOfColumn(v)) {
      *element /= equations_.positionScale(k);
      if (l.inMetres[l.nq + v]) *element *= equations_.state.scales.length;
      ++element;
    }
  }
  return G;
}

/// The point (t, y, yp), beside the one that is set, with what moves by its rates in lane 0.
Workspace<Dual>& EvaluationPoint::evaluateMoving(double t, const std::vector<double>& y,
                                                 const std::vector<double>& yp) {
  if (!moved_) moved_ = std::make_unique<Workspace<Dual>>(equations_.makeWorkspace<Dual>());
  const Layout& l = layout();
  for (int i = 0; i < std::ssize(y); ++i) {
    const bool moves = i < l.lambdaOffset() && l.unknowns[i].differential;
    moved_->y[i] = Dual(y[i]);
    if (moves) moved_->y[i].setLane(0, yp[i]);
    moved_->yp[i] = Dual(yp[i]);
  }
  moved_->tables.time = Dual::seed(t, 0);
  equations_.evaluate(*moved_, {.kinematicRows = false});
  return *moved_;
}

/// Second derivatives of the unknowns of components: their rows, differentiated along the motion,
/// F_y' der(y') = -F_y y' - F_t. Those of coordinates are the accelerations' affair.
void EvaluationPoint::secondDerivatives(std::vector<double>& ypp) {
  const Layout& l = equations_.layout();
  ypp.assign(value_.yp.size(), 0.0);
  std::vector<int> columns;
  for (int i = l.xOffset(); i < l.lambdaOffset(); ++i) {
    const bool follows =
        std::ranges::any_of(equations_.followers(), [&](const auto& f) { return f.unknown == i; });
    if (l.unknowns[i].differential && !follows) columns.push_back(i);
  }
  if (columns.empty()) return;
  Workspace<Dual>& w = evaluateMoving(value_.tables.time, value_.y, value_.yp);
  Eigen::VectorXd b(l.nx);
  for (int r = 0; r < l.nx; ++r) b[r] = w.residual[l.xOffset() + r].lane(0);
  for (Dual& y : w.y) y.setLane(0, 0);
  w.tables.time = Dual(value_.tables.time);
  Eigen::MatrixXd A(l.nx, std::ssize(columns));
  for (size_t c = 0; c < columns.size(); ++c) {
    Dual& rate = w.yp[columns[c]];
    rate.setLane(0, 1);
    equations_.evaluate(w, {.kinematicRows = false});
    rate.setLane(0, 0);
    for (int r = 0; r < l.nx; ++r) {
      A(r, c) = w.residual[l.xOffset() + r].lane(0);
    }
  }
  // Rows without any rate (algebraic unknowns, followers) have nothing to say here.
  for (int r = 0; r < l.nx; ++r) {
    if (A.row(r).isZero(0)) b[r] = 0;
  }
  const Eigen::VectorXd x = PivotedQr(A, roundingTolerance(A)).solve(-b);
  for (size_t c = 0; c < columns.size(); ++c) {
    ypp[columns[c]] = x[c];
  }
}

/// Central differences of the exact first derivatives, between two moments of the motion.
void EvaluationPoint::findSecondRates() {
  const Layout& l = equations_.layout();
  secondDerivatives(ypp_);
  const double now = value_.tables.time, h = equations_.state.scales.moment(now);
  std::fill(secondRates_.begin(), secondRates_.end(), 0.0);
  for (double side : {-h, h}) {
    moment_.assign(value_.y.begin(), value_.y.end());
    momentRates_.assign(value_.yp.begin(), value_.yp.end());
    for (int i = 0; i < std::ssize(moment_) && i < l.lambdaOffset(); ++i) {
      if (l.unknowns[i].differential) moment_[i] += side * value_.yp[i];
      momentRates_[i] += side * ypp_[i];
    }
    kinematicRates(l, moment_.data(), momentRates_.data());
    const Workspace<Dual>& w = evaluateMoving(now + side, moment_, momentRates_);
    for (size_t f = 0; f < secondRates_.size(); ++f) {
      // The row is y - signal, so that its derivative holds minus the signal's.
      const Equations::Follower& follower = equations_.followers()[f];
      const double rate = momentRates_[follower.unknown] - w.residual[follower.row].lane(0);
      secondRates_[f] += (side < 0 ? -rate : rate) / (2 * h);
    }
  }
}

SmallMatrix kinematicDerivatives(const Layout::TreeJoint& s, const double* q, const double* qd,
                                 const double* v, double ofPosition, double ofRate, double* rows) {
  Dual q_[kMaxPerEdge], qd_[kMaxPerEdge], v_[6], rows_[kMaxPerEdge];
  SmallMatrix K(s.nq, s.nq);
  for (int i = 0; i < s.nv; ++i) v_[i] = Dual(v ? v[i] : 0);
  for (int j0 = 0; j0 < s.nq; j0 += kLanes) {
    const int j1 = std::min(s.nq, j0 + kLanes);
    for (int j = 0; j < s.nq; ++j) {
      q_[j] = Dual(q[j]);
      qd_[j] = Dual(qd ? qd[j] : 0);
      if (j < j0 || j >= j1) continue;
      q_[j].setLane(j - j0, ofPosition);
      qd_[j].setLane(j - j0, ofRate);
    }
    s.law->kinematics(q_, qd_, v_, rows_);
    for (int i = 0; i < s.nq; ++i) {
      if (rows) rows[i] = rows_[i].v;
      for (int j = j0; j < j1; ++j) K(i, j) = rows_[i].lane(j - j0);
    }
  }
  return K;
}

void kinematicRates(const Layout& layout, const double* y, double* yp) {
  for (const int i : layout.moving) {
    const Layout::TreeJoint& s = layout.tree[i];
    const double* v = y + layout.nq + s.v;
    if (s.plain) {
      std::copy_n(v, s.nv, yp + s.q);
    } else if (!s.law->rates(y + s.q, v, yp + s.q)) {
      solveEdge(s, y + s.q, v, yp + s.q);
    }
  }
}

}  // namespace cardan
