#include "engine/dynamics/constraint_projection.h"

#include <algorithm>
#include <cmath>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

constexpr int kProjections = 12;
constexpr double kRoundoff = 1e-13;
// Of the residues before: reached with derivatives of a point before.
constexpr double kBringsNear = 1e-3;
constexpr int kVelocityRounds = 4;
constexpr double kFarLess = 100;  // bound of what a change of positions changes of the derivatives

/// Derivatives of the first nv kinematic rows of one edge by der(q): those of v.
void rateRows(const Layout::TreeJoint& s, const double* y, Eigen::Ref<Eigen::MatrixXd> K) {
  K.topRows(s.nv) = kinematicDerivatives(s, y + s.q, nullptr, nullptr, 0, 1).topRows(s.nv);
}

/// Constraints among the q of one edge, and their derivatives by these q.
void gradients(const Layout::TreeJoint& s, const double* y, Eigen::Ref<Eigen::MatrixXd> J,
               Eigen::Ref<Eigen::VectorXd> residue) {
  double rows[kMaxPerEdge];
  const int extra = s.nq - s.nv;
  J = kinematicDerivatives(s, y + s.q, nullptr, nullptr, 1, 0, rows).bottomRows(extra);
  std::copy_n(rows + s.nv, extra, residue.data());
}

}  // namespace

bool projectEdge(const Layout::TreeJoint& s, std::vector<double>& y) {
  const int extra = s.nq - s.nv;
  if (extra == 0) return true;
  SmallMatrix J(extra, s.nq);
  SmallVector r(extra);
  double before = 1e300;
  for (int k = 0; k < kProjections; ++k) {
    gradients(s, y.data(), J, r);
    const double largest = r.cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) return false;
    if (largest < 1e-16 || (largest < kRoundoff && largest > 0.1 * before)) return true;
    before = largest;
    const SmallVector dq = J.transpose() * solveSmallSymmetric(J * J.transpose(), r);
    for (int i = 0; i < s.nq; ++i) y[s.q + i] -= dq[i];
  }
  return before < 1e-9;
}

ConstraintProjection::ConstraintProjection(EvaluationPoint& at, ConstraintColumns& columns)
    : at_(at), columns_(columns), still_(at.layout().size(), 0.0) {
  for (const Layout::TreeJoint& s : at.layout().tree) extraRows_ += s.nq - s.nv;
}

void ConstraintProjection::allocate() {
  if (columns_.active().empty()) return;
  const Layout& l = at_.layout();
  const Partition& unknowns = at_.equations().islands().unknowns;
  const Partition lambdas = unknowns.range(l.lambdaOffset(), l.nlambda),
                  projected = lambdas.some(columns_.active()).some(columns_.projected()),
                  velocities = unknowns.range(l.nq, l.nv);
  std::vector<int> edges;
  for (const Layout::TreeJoint& s : l.tree) edges.insert(edges.end(), s.nq - s.nv, s.q);
  const Partition rows = unknowns.some(edges).with(lambdas.some(columns_.onPositions()));
  Jq_ = BlockMatrix::zero(rows, unknowns.range(0, l.nq));
  normal_ = BlockMatrix::zero(rows, rows);
  rq_.setZero(rows.size());
  dq_.setZero(l.nq);
  const size_t active = columns_.active().size();
  sameRows_ = extraRows_ == 0 && l.nq == l.nv && columns_.projected().size() == active &&
              columns_.onPositions().size() == active;
  for (const Layout::TreeJoint& s : l.tree) sameRows_ = sameRows_ && (s.nq == 0 || s.plain);
  Jv_ = BlockMatrix::zero(projected, velocities);
  normalOfVelocities_ = BlockMatrix::zero(projected, projected);
  rv_.setZero(projected.size());
  dv_.setZero(l.nv);
  ofIsland_.setZero(std::max(rows.widest, projected.widest));
  rateRows_.setZero(6, l.nq);
  stepOf_.assign(l.nv, -1);
  for (const int i : l.moving) std::fill_n(stepOf_.begin() + l.tree[i].v, l.tree[i].nv, i);
}

bool ConstraintProjection::project(double t, std::vector<double>& y, Care care) {
  if (!constrains()) return true;
  if (columns_.active().empty()) return projectEdges(y);
  columnsKnown_ = rowsKnown_ = false;
  return projectPositions(t, y, care) && projectVelocities(t, y, care);
}

/// Without constraints between the edges each one is on its own.
bool ConstraintProjection::projectEdges(std::vector<double>& y) {
  return std::ranges::all_of(at_.layout().tree,
                             [&](const Layout::TreeJoint& s) { return projectEdge(s, y); });
}

/// rq_ = constraints among q of single edges, then position residues over their scale; returns the
/// largest.
double ConstraintProjection::positionRows(const double* y) {
  const Layout& l = at_.layout();
  int row = 0;
  double rows[kMaxPerEdge];
  for (const Layout::TreeJoint& s : l.tree) {
    if (s.nq == s.nv) continue;
    s.law->kinematics(y + s.q, still_.data(), y + l.nq + s.v, rows);
    for (int i = s.nv; i < s.nq; ++i) rq_[row++] = rows[i];
  }
  if (!columns_.onPositions().empty()) {
    const Workspace<double>& w = at_.evaluate({.loads = false, .everyFrame = false});
    for (int k : columns_.onPositions()) {
      rq_[row++] = w.positionResidues[k] / at_.equations().positionScale(k);
    }
  }
  return row > 0 ? rq_.cwiseAbs().maxCoeff() : 0.0;
}

bool ConstraintProjection::projectPositions(double t, std::vector<double>& y, Care care) {
  const Layout& l = at_.layout();
  if (Jq_.rows() == 0) return true;
  const bool brief = care == Care::row;
  double before = 1e300;
  for (int k = 0; k < kProjections; ++k) {
    at_.setPoint(t, y.data(), still_.data());
    const double largest = positionRows(y.data());
    if (!std::isfinite(largest)) return false;
    rowsKnown_ = !columns_.onPositions().empty();
    const bool enough = largest < 1e-16 || largest > 0.1 * before || (brief && k == 0);
    if (largest < kRoundoff && enough) return true;
    // The derivatives at the beginning serve as long as they bring it near.
    const bool near = largest < kBringsNear * before;
    before = largest;
    if (!columns_.onPositions().empty() && !(k > 0 && near)) {
      for (const Layout::TreeJoint& s : l.tree) {
        if (!s.plain && s.nq > 0) rateRows(s, y.data(), rateRows_.middleCols(s.q, s.nq));
      }
      positionJacobian();
    }
    int row = 0;
    for (const Layout::TreeJoint& s : l.tree) {
      const int extra = s.nq - s.nv;
      if (extra == 0) continue;
      const int island = Jq_.rowSets().setOf[row], first = Jq_.columnSets().place[s.q];
      gradients(s, y.data(), Jq_.block(island).block(Jq_.rowSets().place[row], first, extra, s.nq),
                rq_.segment(row, extra));
      row += extra;
    }
    if (extraRows_ > 0) positionsFactored_ = false;
    leastChange(Jq_, normal_, rq_, dq_, positionsFactored_);
    for (int i = 0; i < l.nq; ++i) y[i] -= dq_[i];
    const double perLength = 1 / at_.equations().state.scales.length;
    for (int i = 0; i < l.nq; ++i) moved_ += std::abs(dq_[i]) * (l.inMetres[i] ? perLength : 1);
    // What this leaves of so little is less than any residue could show.
    if (brief && near && largest < kRoundoff) return true;
    rowsKnown_ = false;
  }
  return before < 1e-9;
}

/// Of a row, what is left is not looked at where the positions have hardly moved since columns_.transpose().
bool ConstraintProjection::projectVelocities(double t, std::vector<double>& y, Care care) {
  const Layout& l = at_.layout();
  if (columns_.projected().empty()) return true;
  const auto findResidues = [&] {
    for (int i = 0; i < rv_.size(); ++i) {
      const int multiplier = columns_.active()[columns_.projected()[i]];
      rv_[i] = at_.valueWorkspace().velocityResidues[multiplier] /
               at_.equations().velocityScale(multiplier);
    }
    return rv_.cwiseAbs().maxCoeff();
  };
  const auto evaluate = [&] {
    at_.evaluateAt(t, y.data(), still_.data(), {.loads = false, .everyFrame = false});
  };
  const bool brief = care == Care::row;
  if (!brief || !rowsKnown_) evaluate();
  double largest = findResidues();
  if (brief && largest <= kRoundoff) return true;
  if (!columnsKnown_ && sameRows_) positionJacobian();
  if (!columnsKnown_) evaluateColumns();
  if (!sameRows_) velocityJacobian();
  bool factored = false;
  // Linear in v: further rounds remove rounding, and what the last step of the positions has changed.
  for (int k = 0; k < kVelocityRounds; ++k) {
    if (sameRows_) {
      leastChange(Jq_, normal_, rv_, dv_, positionsFactored_);
      dv_ /= at_.equations().state.scales.time;
    } else {
      leastChange(Jv_, normalOfVelocities_, rv_, dv_, factored);
    }
    for (int i = 0; i < l.nv; ++i) y[l.nq + i] -= dv_[i];
    if (brief && kFarLess * moved_ * largest < kRoundoff) return dv_.allFinite();
    evaluate();
    largest = findResidues();
    if (!(largest > kRoundoff)) return true;
  }
  return std::isfinite(rv_.sum());
}

/// change = J' (J J')^-1 residue; `normal` becomes the factor of J J'. `factored`: it is that of J.
void ConstraintProjection::leastChange(const BlockMatrix& J, BlockMatrix& normal,
                                       Eigen::VectorXd& residue, Eigen::VectorXd& change,
                                       bool& factored) {
  for (int s = 0; s < J.blocks(); ++s) {
    const auto A = J.block(s);
    if (A.rows() == 0) continue;
    auto N = normal.block(s);
    auto r = ofIsland_.head(A.rows());
    for (int i = 0; i < r.size(); ++i) r[i] = residue[J.rowsOf(s)[i]];
    if (factored) {
      solveByCholesky(N, r);
    } else {
      N.noalias() = A * A.transpose();
      const double small = 1e-15 * N.diagonal().maxCoeff();
      N.diagonal().array() += small;
      solvePositiveInPlace(N, r);
    }
    for (int i = 0; i < r.size(); ++i) residue[J.rowsOf(s)[i]] = r[i];
  }
  J.transposeTimes(residue, change);
  factored = true;
}

void ConstraintProjection::evaluateColumns() {
  columns_.evaluate();
  columnsKnown_ = true;
  moved_ = 0;
}

/// Rows of positions by q. Where der(q) = v these are the velocity rows'; of other edges, times
/// the derivative of v by der(q).
void ConstraintProjection::positionJacobian() {
  const Layout& l = at_.layout();
  evaluateColumns();
  positionsFactored_ = false;
  for (size_t a = 0, row = extraRows_; a < columns_.active().size(); ++a) {
    const int k = columns_.active()[a];
    if (l.muOfLambda[k] < 0) continue;
    const double scale = 1 / at_.equations().positionScale(k);
    for (const int v : columns_.transpose().rowsOfColumn(a)) {
      if (stepOf_[v] < 0 || l.tree[stepOf_[v]].v != v) continue;
      const Layout::TreeJoint& s = l.tree[stepOf_[v]];
      if (s.plain) {
        for (int i = 0; i < s.nq; ++i) Jq_(row, s.q + i) = scale * columns_.transpose()(v + i, a);
        continue;
      }
      for (int j = 0; j < s.nq; ++j) {
        double sum = 0;
        for (int i = 0; i < s.nv; ++i)
          sum += columns_.transpose()(v + i, a) * rateRows_(i, s.q + j);
        Jq_(row, s.q + j) = scale * sum;
      }
    }
    ++row;
  }
}

void ConstraintProjection::velocityJacobian() {
  for (size_t i = 0; i < columns_.projected().size(); ++i) {
    const int k = columns_.active()[columns_.projected()[i]];
    for (const int v : Jv_.columnsOfRow(i))
      Jv_(i, v) =
          columns_.transpose()(v, columns_.projected()[i]) / at_.equations().velocityScale(k);
  }
}

}  // namespace cardan
