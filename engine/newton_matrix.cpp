#include "engine/newton_matrix.h"

#include <algorithm>
#include <cmath>

#include "engine/edge_unknowns.h"
#include "engine/tree_newton.h"

namespace cardan {
namespace {

/// Smallest pivot of the scaled matrix that still counts as regular: the regularisation of a loop
/// in a singular position leaves tiny ones, which are right.
constexpr double kNoPivot = 1e-30;
}  // namespace

NewtonMatrix::NewtonMatrix(const Equations& equations) : equations_(equations) {
  const Layout& l = equations.layout();
  n_ = l.size();
  nq_ = l.nq;
  nv_ = l.nv;
  nr_ = n_ - nq_ - nv_;
  nc_ = nq_ + nr_;
}

NewtonMatrix::~NewtonMatrix() = default;

void NewtonMatrix::allocateDense() {
  if (!w_.y.empty()) return;
  const Layout& l = equations_.layout();
  w_ = equations_.makeWorkspace<Dual>();
  matrix_.setZero(nc_, nc_);
  scale_.setOnes(nc_);
  columnScale_.setOnes(nc_);
  rhs_.setZero(nc_);
  solution_.setZero(nc_);
  lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(nc_);
  K_.setZero(6, nq_);
  extra_.setZero(6, nq_);
  Gt_.setZero(nv_, l.nmu);
}

void NewtonMatrix::setPoint(double t, const double* y, const double* yp) {
  for (int i = 0; i < n_; ++i) {
    w_.y[static_cast<size_t>(i)] = Dual(y[i]);
    w_.yp[static_cast<size_t>(i)] = Dual(yp[i]);
  }
  w_.tables.time = Dual(t);
}

/// Derivatives of the kinematic rows of every edge with its own q: dv/dq and the constraints among
/// q.
void NewtonMatrix::kinematicBlocks(double cj) {
  const Layout& l = equations_.layout();
  for (const Layout::Step& s : l.tree) {
    if (s.nq == 0) continue;
    if (s.plain) {
      for (int j = 0; j < s.nq; ++j) {
        K_.col(s.q + j).setZero();
        K_(j, s.q + j) = cj;
      }
      continue;
    }
    Dual q[kMaxPerEdge], qd[kMaxPerEdge], rows[kMaxPerEdge];
    for (int j0 = 0; j0 < s.nq; j0 += kLanes) {
      for (int j = 0; j < s.nq; ++j) {
        q[j] = w_.y[static_cast<size_t>(s.q + j)];
        qd[j] = w_.yp[static_cast<size_t>(s.q + j)];
        if (j >= j0 && j < j0 + kLanes) {
          q[j].setLane(j - j0, 1);
          qd[j].setLane(j - j0, cj);
        }
      }
      s.law->kinematics(q, qd, w_.y.data() + nq_ + s.v, rows);
      for (int j = j0; j < std::min(s.nq, j0 + kLanes); ++j) {
        for (int i = 0; i < s.nv; ++i) K_(i, s.q + j) = rows[i].lane(j - j0);
        for (int i = s.nv; i < s.nq; ++i) extra_(i - s.nv, s.q + j) = rows[i].lane(j - j0);
      }
    }
  }
}

/// Columns of G^T: what the stabilising multipliers add to the velocities.
void NewtonMatrix::constraintTranspose() {
  const Layout& l = equations_.layout();
  for (int j0 = 0; j0 < l.nmu; j0 += kLanes) {
    const int j1 = std::min(l.nmu, j0 + kLanes);
    for (int j = j0; j < j1; ++j) w_.y[static_cast<size_t>(l.muOffset() + j)].setLane(j - j0, 1);
    equations_.evaluate(w_, {.kinematicRows = false});
    for (int j = j0; j < j1; ++j) {
      for (int i = 0; i < nv_; ++i)
        Gt_(i, j) = w_.virtualRates[static_cast<size_t>(i)].lane(j - j0);
      w_.y[static_cast<size_t>(l.muOffset() + j)].setLane(j - j0, 0);
    }
  }
}

/// All columns of the condensed matrix, one lane each.
void NewtonMatrix::columns(double cj) {
  const Layout& l = equations_.layout();
  const size_t v0 = static_cast<size_t>(nq_);
  auto seedVelocity = [&](int v, int lane, double dv) {
    w_.y[v0 + static_cast<size_t>(v)].setLane(lane, dv);
    w_.yp[v0 + static_cast<size_t>(v)].setLane(lane, cj * dv);
  };
  // Edge of every position, walked along with the columns.
  size_t step = 0;
  auto stepOf = [&](int q) -> const Layout::Step& {
    while (q >= l.tree[step].q + l.tree[step].nq) ++step;
    return l.tree[step];
  };
  auto seed = [&](int column, int lane, double on) {
    if (column < nq_) {
      const Layout::Step& s = stepOf(column);
      w_.y[static_cast<size_t>(column)].setLane(lane, on);
      for (int i = 0; i < s.nv; ++i) seedVelocity(s.v + i, lane, on * K_(i, column));
      return;
    }
    const int i = column + nv_;
    w_.y[static_cast<size_t>(i)].setLane(lane, on);
    if (l.unknowns[static_cast<size_t>(i)].differential)
      w_.yp[static_cast<size_t>(i)].setLane(lane, on * cj);
    if (i >= l.muOffset()) {
      for (int v = 0; v < nv_; ++v) seedVelocity(v, lane, on * Gt_(v, i - l.muOffset()));
    }
  };

  matrix_.setZero();
  for (int c0 = 0; c0 < nc_; c0 += kLanes) {
    const int c1 = std::min(nc_, c0 + kLanes);
    const size_t first = step;
    for (int c = c0; c < c1; ++c) seed(c, c - c0, 1);
    equations_.evaluate(w_, {.kinematicRows = false});
    for (const Layout::Step& s : l.tree) {
      for (int i = 0; i < s.nv; ++i) {
        const Dual& r = w_.residual[v0 + static_cast<size_t>(s.v + i)];
        for (int c = c0; c < c1; ++c) matrix_(s.q + i, c) = r.lane(c - c0);
      }
    }
    for (int i = 0; i < nr_; ++i) {
      const Dual& r = w_.residual[static_cast<size_t>(nq_ + nv_ + i)];
      for (int c = c0; c < c1; ++c) matrix_(nq_ + i, c) = r.lane(c - c0);
    }
    step = first;
    for (int c = c0; c < c1; ++c) seed(c, c - c0, 0);
  }
  for (const Layout::Step& s : l.tree) {
    for (int i = s.nv; i < s.nq; ++i) {
      for (int j = 0; j < s.nq; ++j) matrix_(s.q + i, s.q + j) = extra_(i - s.nv, s.q + j);
    }
  }
}

bool NewtonMatrix::factor(double t, double cj, const double* y, const double* yp,
                          const Workspace<double>* evaluated) {
  const bool large = TreeNewton::pays(equations_.layout());
  overTree_ = (form_ == Form::tree || (form_ == Form::automatic && large)) &&
              factorTree(t, cj, y, yp, evaluated);
  return overTree_ || factorDense(t, cj, y, yp);
}

void NewtonMatrix::solve(const double* b, double* x) {
  if (overTree_) {
    tree_->solve(b, x);
  } else {
    solveDense(b, x);
  }
}

/// False where the structure does not allow it, or where a joint moves nothing without the others.
bool NewtonMatrix::factorTree(double t, double cj, const double* y, const double* yp,
                              const Workspace<double>* evaluated) {
  if (!tree_) tree_ = std::make_unique<TreeNewton>(equations_);
  if (!tree_->fits()) return false;
  if (!evaluated) {
    if (!at_) at_ = std::make_unique<Workspace<double>>(equations_.makeWorkspace<double>());
    std::copy_n(y, n_, at_->y.begin());
    std::copy_n(yp, n_, at_->yp.begin());
    at_->tables.time = t;
    equations_.evaluate(*at_, {.kinematicRows = false});
    evaluated = at_.get();
  }
  return tree_->factor(*evaluated, cj);
}

bool NewtonMatrix::factorDense(double t, double cj, const double* y, const double* yp) {
  allocateDense();
  cj_ = cj;
  setPoint(t, y, yp);
  kinematicBlocks(cj);
  constraintTranspose();
  columns(cj);
  for (int i = 0; i < nc_; ++i) {
    const double largest = matrix_.row(i).cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) return false;
    scale_[i] = largest > 0 ? 1 / largest : 1;
  }
  matrix_.array().colwise() *= scale_.array();
  // Columns of multipliers are small by cj^2 against those of positions.
  for (int j = 0; j < nc_; ++j) {
    const double largest = matrix_.col(j).cwiseAbs().maxCoeff();
    columnScale_[j] = largest > 0 ? 1 / largest : 1;
    matrix_.col(j) *= columnScale_[j];
  }
  lu_.compute(matrix_);
  for (int i = 0; i < nc_; ++i) {
    if (!(std::abs(lu_.matrixLU()(i, i)) > kNoPivot)) return false;
  }
  return true;
}

void NewtonMatrix::solveDense(const double* b, double* x) {
  const Layout& l = equations_.layout();
  const size_t v0 = static_cast<size_t>(nq_);
  // What the kinematic residues do to the other rows, as one direction: dv = -b, da = cj dv.
  for (const Layout::Step& s : l.tree) {
    for (int i = 0; i < s.nv; ++i) {
      const size_t k = v0 + static_cast<size_t>(s.v + i);
      w_.y[k].setLane(0, -b[s.q + i]);
      w_.yp[k].setLane(0, -cj_ * b[s.q + i]);
    }
  }
  equations_.evaluate(w_, {.kinematicRows = false});
  for (const Layout::Step& s : l.tree) {
    for (int i = 0; i < s.nv; ++i) {
      const size_t k = v0 + static_cast<size_t>(s.v + i);
      rhs_[s.q + i] = b[k] - w_.residual[k].lane(0);
      w_.y[k].setLane(0, 0);
      w_.yp[k].setLane(0, 0);
    }
    for (int i = s.nv; i < s.nq; ++i) rhs_[s.q + i] = b[s.q + i];
  }
  for (int i = 0; i < nr_; ++i) {
    const size_t k = static_cast<size_t>(nq_ + nv_ + i);
    rhs_[nq_ + i] = b[k] - w_.residual[k].lane(0);
  }
  rhs_.array() *= scale_.array();
  solution_.noalias() = lu_.permutationP() * rhs_;
  lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(solution_);
  lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(solution_);
  solution_.array() *= columnScale_.array();

  for (size_t i = l.tree.size(); i-- > 0;) {
    const Layout::Step& s = l.tree[i];
    double dv[6];
    for (int k = 0; k < s.nv; ++k) {
      dv[k] = -b[s.q + k];
      for (int j = 0; j < s.nq; ++j) dv[k] += K_(k, s.q + j) * solution_[s.q + j];
      for (int m = 0; m < l.nmu; ++m) dv[k] += Gt_(s.v + k, m) * solution_[nq_ + nr_ - l.nmu + m];
    }
    for (int j = 0; j < s.nq; ++j) x[s.q + j] = solution_[s.q + j];
    for (int k = 0; k < s.nv; ++k) x[nq_ + s.v + k] = dv[k];
  }
  for (int i = 0; i < nr_; ++i) x[nq_ + nv_ + i] = solution_[nq_ + i];
}

Eigen::MatrixXd NewtonMatrix::dense(double t, double cj, const double* y, const double* yp) {
  allocateDense();
  setPoint(t, y, yp);
  Eigen::MatrixXd J(n_, n_);
  for (int c0 = 0; c0 < n_; c0 += kLanes) {
    const int c1 = std::min(n_, c0 + kLanes);
    auto seed = [&](double on) {
      for (int c = c0; c < c1; ++c) {
        w_.y[static_cast<size_t>(c)].setLane(c - c0, on);
        w_.yp[static_cast<size_t>(c)].setLane(c - c0, on * cj);
      }
    };
    seed(1);
    equations_.evaluate(w_, {});
    for (int i = 0; i < n_; ++i) {
      for (int c = c0; c < c1; ++c) J(i, c) = w_.residual[static_cast<size_t>(i)].lane(c - c0);
    }
    seed(0);
  }
  return J;
}

}  // namespace cardan
