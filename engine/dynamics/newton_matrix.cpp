#include "engine/dynamics/newton_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/dynamics/operations.h"
#include "engine/dynamics/tree_newton.h"

namespace cardan {
namespace {

/// Smallest pivot of the scaled matrix that still counts as regular: the regularisation of a loop
/// in a singular position leaves tiny ones, which are right.
constexpr double kNoPivot = 1e-30;

/// Evaluations that one sweep for all may take: it does not put columns without common rows together,
/// which saves more in larger models.
constexpr int kMostTogether = 3;

constexpr Purpose kOverClusters{.everyFrame = false, .kinematicRows = false};

}  // namespace

NewtonMatrix::NewtonMatrix(const Equations& equations)
    : equations_(equations), at_(equations), resting_(equations), reactions_(equations) {
  const Layout& l = equations.layout();
  n_ = l.size();
  nq_ = l.nq;
  nv_ = l.nv;
}

NewtonMatrix::~NewtonMatrix() = default;

void NewtonMatrix::allocateCondensed() {
  if (w_) return;
  w_ = &at_.dualWorkspace();
  K_.setZero(6, nq_);
  extra_.setZero(6, nq_);
  const Layout& l = equations_.layout();
  stepOfPosition_.resize(nq_);
  for (size_t i = 0; i < l.tree.size(); ++i) {
    for (int k = 0; k < l.tree[i].nq; ++k) {
      stepOfPosition_[l.tree[i].q + k] = i;
    }
  }
}

/// What is redundant changes at a start, and where loops have other rows from there on; what rests, as
/// bodies meet: allocates then.
void NewtonMatrix::chooseActive() {
  const Layout& l = equations_.layout();
  restBefore_.swap(rest_);
  rest_.clear();
  activeLambda_.clear();
  activeMu_.clear();
  lambdaOfMu_.clear();
  swept_.clear();
  for (int i = l.xOffset(); i < l.lambdaOffset(); ++i) {
    if (!resting_.isOut(i)) rest_.push_back(i);
  }
  for (int k = 0; k < l.nlambda; ++k) {
    if (equations_.state.redundant[k]) continue;
    rest_.push_back(l.lambdaOffset() + k);
    if (!reactions_.has(k)) swept_.push_back(std::ssize(activeLambda_));
    activeLambda_.push_back(k);
  }
  for (size_t i = 0; i < activeLambda_.size(); ++i) {
    const int m = l.muOfLambda[activeLambda_[i]];
    if (m < 0) continue;
    rest_.push_back(l.muOffset() + m);
    activeMu_.push_back(m);
    lambdaOfMu_.push_back(i);
  }
  if (nc_ >= 0 && rest_ == restBefore_) return;
  std::vector<int> elements;
  for (int i = 0; i < nq_; ++i) elements.push_back(i);
  elements.insert(elements.end(), restBefore_.begin(), restBefore_.end());
  const ColouredJacobian before = std::exchange(columnSweep_, {});
  allocateChosen();
  if (before.grouped()) keepPattern(before, elements);
  // The sparse form reads the elements of its pattern alone, all of which are written.
  const bool sparse = columnSweep_.grouped() && SparseLu::pays(nc_, columnSweep_.rows().size());
  if (!sparse || firstLambda_ < nc_) matrix_.setZero();
}

/// The pattern that is known, of those that are left of the `elements` of y before.
void NewtonMatrix::keepPattern(const ColouredJacobian& before, const std::vector<int>& elements) {
  std::vector<int> place(static_cast<size_t>(n_), -1);
  for (int k = 0; k < nc_; ++k) place[static_cast<size_t>(elementOf(k))] = k;
  const auto require = [&](int row, int column) {
    const int i = place[static_cast<size_t>(row)], k = place[static_cast<size_t>(column)];
    if (i >= 0 && k >= 0) columnSweep_.require(i, k);
  };
  before.forEachElement([&](int i, int k, Eigen::Index) {
    require(elements[static_cast<size_t>(i)], elements[static_cast<size_t>(k)]);
  });
  resting_.forEachNew(require);
  columnSweep_.adopt();
}

void NewtonMatrix::allocateChosen() {
  const Layout& l = equations_.layout();
  const Islands& islands = equations_.islands();
  nc_ = nq_ + std::ssize(rest_);
  const int mus = std::ssize(activeMu_), lambdas = std::ssize(activeLambda_);
  firstMu_ = nc_ - mus;
  firstLambda_ = firstMu_ - lambdas;
  std::vector<int> elements(nc_);
  for (int i = 0; i < nc_; ++i) elements[i] = elementOf(i);
  const Partition columns = islands.unknowns.some(elements), rows = islands.rows.some(elements),
                  velocities = islands.unknowns.range(nq_, nv_), all = rows.with(velocities),
                  ofLambda = columns.range(firstLambda_, lambdas), swept = ofLambda.some(swept_),
                  together = columns.range(0, firstMu_).with(velocities);
  matrix_ = BlockMatrix(rows, columns);
  scale_.setOnes(nc_);
  columnScale_.setOnes(nc_);
  rhs_.setZero(nc_);
  solution_.setZero(nc_);
  WGt_ = BlockMatrix::zero(velocities, columns.range(firstMu_, mus));
  multipliers_ = BlockMatrix::zero(all, ofLambda);
  columnSweep_ = ColouredJacobian(rows, columns);
  columnSweep_.setGiven(firstLambda_, lambdas);
  ofSwept_ = BlockMatrix::zero(all, swept);
  multiplierSweep_ = ColouredJacobian(all, swept);
  jointSweep_ = lambdas > 0 ? ColouredJacobian(all, together) : ColouredJacobian();
  if (swept_.empty()) jointSweep_.setGiven(firstLambda_, lambdas);
  together_ = lambdas > 0 && jointSweep_.evaluations() <= columnSweep_.evaluations() &&
              jointSweep_.evaluations() <= kMostTogether;
  if (together_) derivatives_ = BlockMatrix::zero(all, together);
  analysed_ = -1;
  residualOf_.assign(nc_, -1);
  positionOf_.resize(nv_);
  for (const Layout::TreeJoint& s : l.tree) {
    for (int i = 0; i < s.nv; ++i) {
      residualOf_[s.q + i] = nq_ + s.v + i;
      positionOf_[s.v + i] = s.q + i;
    }
    for (int i = s.nv; i < s.nq; ++i) {
      for (int j = 0; j < s.nq; ++j) columnSweep_.require(s.q + i, s.q + j);
    }
  }
  std::copy(rest_.begin(), rest_.end(), residualOf_.begin() + nq_);
}

/// Derivatives of the kinematic rows of every edge with its own q: dv/dq and the constraints among
/// q.
void NewtonMatrix::kinematicBlocks(double cj, const double* y, const double* yp) {
  const Layout& l = equations_.layout();
  for (const Layout::TreeJoint& s : l.tree) {
    if (s.nq == 0) continue;
    if (s.plain) {
      for (int j = 0; j < s.nq; ++j) {
        K_.col(s.q + j).setZero();
        K_(j, s.q + j) = cj;
      }
      continue;
    }
    const SmallMatrix rows = kinematicDerivatives(s, y + s.q, yp + s.q, y + nq_ + s.v, 1, cj);
    K_.block(0, s.q, s.nv, s.nq) = rows.topRows(s.nv);
    extra_.block(0, s.q, s.nq - s.nv, s.nq) = rows.bottomRows(s.nq - s.nv);
  }
}

/// Of a condensed row, and behind them of G^T mu.
[[gnu::always_inline]] inline double NewtonMatrix::derivative(int row, int lane) const {
  if (row >= nc_) return w_->virtualRates[row - nc_].lane(lane);
  const int r = residualOf_[row];
  return r < 0 ? 0.0 : w_->residual[r].lane(lane);
}

void NewtonMatrix::addVelocity(int v, int lane, double dv) {
  const size_t k = nq_ + v;
  w_->y[k].setLane(lane, w_->y[k].lane(lane) + dv);
  w_->yp[k].setLane(lane, w_->yp[k].lane(lane) + cj_ * dv);
}

void NewtonMatrix::clearVelocity(int v, int lane) {
  const size_t k = nq_ + v;
  w_->y[k].setLane(lane, 0);
  w_->yp[k].setLane(lane, 0);
}

/// Adds a condensed unknown with all that follows it, but for what mu adds to the velocities.
void NewtonMatrix::seedUnknown(int column, int lane, double on) {
  const Layout& l = equations_.layout();
  const size_t k = column < nq_ ? column : rest_[column - nq_];
  w_->y[k].setLane(lane, on);
  if (column < nq_) {
    const Layout::TreeJoint& s = l.tree[stepOfPosition_[column]];
    for (int i = 0; i < s.nv; ++i) addVelocity(s.v + i, lane, on * K_(i, column));
  } else if (l.unknowns[k].differential) {
    w_->yp[k].setLane(lane, on * cj_);
  }
}

void NewtonMatrix::clearUnknown(int column, int lane) {
  const size_t k = column < nq_ ? column : rest_[column - nq_];
  w_->y[k].setLane(lane, 0);
  if (column < nq_) {
    const Layout::TreeJoint& s = equations_.layout().tree[stepOfPosition_[column]];
    for (int i = 0; i < s.nv; ++i) clearVelocity(s.v + i, lane);
  } else {
    w_->yp[k].setLane(lane, 0);
  }
}

/// A multiplier on both levels, so that its column of G^T is found with it.
void NewtonMatrix::setMultiplier(int j, int lane, double on) {
  const Layout& l = equations_.layout();
  const int k = activeLambda_[j];
  w_->y[l.lambdaOffset() + k].setLane(lane, on);
  if (const int m = l.muOfLambda[k]; m >= 0) w_->y[l.muOffset() + m].setLane(lane, on);
}

/// Rows of constraints among the positions of an edge.
void NewtonMatrix::takeExtraRows() {
  for (const Layout::TreeJoint& s : equations_.layout().tree) {
    for (int i = s.nv; i < s.nq; ++i) {
      for (int j = 0; j < s.nq; ++j) matrix_(s.q + i, s.q + j) = extra_(i - s.nv, s.q + j);
    }
  }
}

/// Columns of the multipliers whose reactions are all they do, and of G^T: the same.
void NewtonMatrix::reactionColumns(const Workspace<double>& evaluated) {
  if (reactions_.empty()) return;
  reactions_.evaluate(evaluated);
  for (size_t j = 0; j < activeLambda_.size(); ++j) {
    const int k = activeLambda_[j];
    if (!reactions_.has(k)) continue;
    const auto G = reactions_.column(k);
    auto column = multipliers_.column(j);
    column.tail(G.size()) = G;
    const std::vector<int>& velocities = WGt_.rowsOf(multipliers_.columnSets().setOf[j]);
    const std::vector<int>& places = multipliers_.rowSets().place;
    for (Eigen::Index v = 0; v < G.size(); ++v) column[places[positionOf_[velocities[v]]]] = G[v];
    column[places[firstLambda_ + j]] = -equations_.state.regularisation[k];
  }
  // What a constraint reads of its stabiliser, for columnsTogether().
  for (size_t m = 0; m < activeMu_.size(); ++m) {
    const int j = lambdaOfMu_[m], k = activeLambda_[j];
    if (reactions_.has(k))
      multipliers_(firstMu_ + m, j) = -equations_.state.positionRegularisation[k];
  }
}

/// Columns of the multipliers of the velocity rows, and of G^T: what the stabilising multipliers add
/// to the velocities. Both are the constraints' own loads, at a motion that stays.
void NewtonMatrix::multiplierColumns(const Workspace<double>& evaluated) {
  multipliersKnown_ = true;
  if (activeLambda_.empty()) return;
  reactionColumns(evaluated);
  if (!swept_.empty()) {
    equations_.holdMotion(*w_, evaluated);
    multipliersKnown_ = multiplierSweep_.fill(
        ofSwept_, [&](int j, int lane, double on) { setMultiplier(swept_[j], lane, on); },
        [&](int j, int lane) { setMultiplier(swept_[j], lane, 0); },
        [&] {
          at_.evaluateDual({.constraintsOnly = true, .kinematicRows = false, .virtualRates = true});
        },
        [&](int i, int lane) { return derivative(i, lane); });
    if (!multipliersKnown_) multiplierSweep_.learn(ofSwept_);
    for (size_t j = 0; j < swept_.size(); ++j) multipliers_.column(swept_[j]) = ofSwept_.column(j);
  }
  takeMultiplierColumns();
}

void NewtonMatrix::takeMultiplierColumns() {
  for (int s = 0; s < matrix_.blocks(); ++s) {
    auto A = matrix_.block(s);
    const auto L = multipliers_.block(s);
    A.middleCols(A.cols() - WGt_.block(s).cols() - L.cols(), L.cols()) = L.topRows(A.rows());
  }
  const std::vector<double>& weights = equations_.state.stabiliserWeights;
  for (int m = 0; m < WGt_.cols(); ++m) {
    const std::vector<int>& velocities = WGt_.rowsOfColumn(m);
    auto column = WGt_.column(m);
    const auto G = multipliers_.column(lambdaOfMu_[m]).tail(column.size());
    for (Eigen::Index v = 0; v < G.size(); ++v) column[v] = weights[velocities[v]] * G[v];
  }
  // What a constraint reads of mu (its regularisation) is not of lambda.
  for (int m = 0; m < WGt_.cols(); ++m) matrix_(firstMu_ + m, firstLambda_ + lambdaOfMu_[m]) = 0;
}

/// All columns of the condensed matrix that are not of lambda.
void NewtonMatrix::columns() {
  const bool known = columnSweep_.fill(
      matrix_,
      [&](int column, int lane, double on) {
        seedUnknown(column, lane, on);
        const int m = column - firstMu_;
        if (m < 0) return;
        for (const int v : WGt_.rowsOfColumn(m)) addVelocity(v, lane, on * WGt_(v, m));
      },
      [&](int column, int lane) {
        clearUnknown(column, lane);
        if (column < firstMu_) return;
        for (const int v : WGt_.rowsOfColumn(column - firstMu_)) clearVelocity(v, lane);
      },
      [&] { at_.evaluateDual(kOverClusters); },
      [&](int i, int lane) { return derivative(i, lane); });
  takeExtraRows();
  if (!known || !multipliersKnown_) columnSweep_.learn(matrix_);
}

/// The whole condensed matrix from one sweep, with columns of the velocities in place of those of mu.
void NewtonMatrix::columnsTogether(const Workspace<double>& evaluated) {
  if (swept_.empty()) {
    reactionColumns(evaluated);
    for (int s = 0; s < matrix_.blocks(); ++s) {
      const auto L = multipliers_.block(s);
      auto D = derivatives_.block(s);
      D.middleCols(D.cols() - WGt_.block(s).rows() - L.cols(), L.cols()) = L;
    }
  }
  jointSweep_.fill(
      derivatives_,
      [&](int column, int lane, double on) {
        if (column < firstLambda_) {
          seedUnknown(column, lane, on);
        } else if (column < firstMu_) {
          setMultiplier(column - firstLambda_, lane, on);
        } else {
          addVelocity(column - firstMu_, lane, on);
        }
      },
      [&](int column, int lane) {
        if (column < firstLambda_) {
          clearUnknown(column, lane);
        } else if (column < firstMu_) {
          setMultiplier(column - firstLambda_, lane, 0);
        } else {
          clearVelocity(column - firstMu_, lane);
        }
      },
      [&] {
        at_.evaluateDual({.everyFrame = false, .kinematicRows = false, .virtualRates = true});
      },
      [&](int i, int lane) { return derivative(i, lane); });
  for (int s = 0; s < matrix_.blocks(); ++s) {
    auto A = matrix_.block(s), L = multipliers_.block(s);
    const auto D = derivatives_.block(s);
    const Eigen::Index first = D.cols() - WGt_.block(s).rows() - L.cols();
    A.leftCols(first) = D.topLeftCorner(A.rows(), first);
    L = D.middleCols(first, L.cols());
  }
  takeExtraRows();
  takeMultiplierColumns();
  for (int s = 0; s < matrix_.blocks(); ++s) {
    auto A = matrix_.block(s);
    const auto W = WGt_.block(s);
    A.rightCols(W.cols()) = derivatives_.block(s).topRightCorner(A.rows(), W.rows()).lazyProduct(W);
  }
  for (int m = 0; m < WGt_.cols(); ++m)
    matrix_(firstMu_ + m, firstMu_ + m) += multipliers_(firstMu_ + m, lambdaOfMu_[m]);
}

bool NewtonMatrix::factor(double t, double cj, const double* y, const double* yp,
                          const Workspace<double>* evaluated) {
  const bool large = equations_.layout().recursionPays();
  overTree_ = (form_ == Form::tree || (form_ == Form::automatic && large)) &&
              factorTree(t, cj, y, yp, evaluated);
  return overTree_ || factorCondensed(t, cj, y, yp, evaluated);
}

void NewtonMatrix::solve(const double* b, double* x) {
  if (overTree_) {
    tree_->solve(b, x);
  } else if (!carried_.empty()) {
    solveCarried(b, x);
  } else {
    solveCondensed(b, x);
  }
}

double NewtonMatrix::operations() const {
  constexpr double kOfTree = 3;  // evaluations
  const double once = operations::evaluation(equations_);
  if (overTree_) return kOfTree * once;
  return operations::kWithDirections * evaluations() * once +
         (sparse_ ? operations::sparseFactors(static_cast<double>(columnSweep_.rows().size()))
                  : operations::denseFactors(nc_));
}

double NewtonMatrix::operationsOfSolution() const {
  if (overTree_) return operations::evaluation(equations_);
  return sparse_ ? 2 * static_cast<double>(columnSweep_.rows().size()) : 0.25 * nc_ * nc_;
}

bool NewtonMatrix::carryTo(double cj) {
  if (overTree_) return false;
  ratio_ = cj / cj_;
  carried_.resize(n_ + nq_);
  return true;
}

/// With r the ratio of the cj, and inertia, constraints and kinematics alone in J,
///   cj dq - dv - W G' dmu = b_q,  M cj dv - G' dlambda = b_v,  G dv = b_lambda,  G dq = b_mu
/// is solved by dq/r^2, dv/r, dlambda, dmu/r of cj_ and r b_q, b_v, r b_lambda, r^2 b_mu. Where
/// der(q) = v, dq takes b_q/cj, which constraints alone feel, and the rest begins with 0.
void NewtonMatrix::solveCarried(const double* b, double* x) {
  const Layout& l = equations_.layout();
  const double r = ratio_;
  std::copy_n(b, n_, carried_.begin());
  double* c = carried_.data();
  double* moved = c + n_;
  for (const Layout::TreeJoint& s : l.tree) {
    for (int i = 0; i < s.nv; ++i) {
      moved[s.q + i] = s.plain ? c[s.q + i] / (r * cj_) : 0;
      c[s.q + i] *= s.plain ? 0 : r;
    }
    for (int i = s.nv; i < s.nq; ++i) {
      moved[s.q + i] = 0;
      c[s.q + i] *= r * r;
    }
  }
  for (size_t m = 0; m < activeMu_.size(); ++m) {
    double& row = c[l.muOffset() + activeMu_[m]];
    for (const int v : WGt_.rowsOfColumn(m))
      row -= multipliers_(nc_ + v, lambdaOfMu_[m]) * moved[positionOf_[v]];
  }
  for (const Equations::Follower& f : equations_.followers()) c[f.row] *= r;
  for (int i = l.lambdaOffset(); i < l.muOffset(); ++i) c[i] *= r;
  for (int i = l.muOffset(); i < n_; ++i) c[i] *= r * r;
  solveCondensed(c, x);
  for (int i = 0; i < nq_; ++i) x[i] = x[i] / (r * r) + moved[i];
  for (int i = nq_; i < l.xOffset(); ++i) x[i] /= r;
  for (int i = l.xOffset(); i < l.lambdaOffset(); ++i) {
    if (l.unknowns[i].differential) x[i] /= r;
  }
  for (int i = l.muOffset(); i < n_; ++i) x[i] /= r;
}

/// False where the structure does not allow it, or where a joint moves nothing without the others.
bool NewtonMatrix::factorTree(double t, double cj, const double* y, const double* yp,
                              const Workspace<double>* evaluated) {
  if (!tree_) tree_ = std::make_unique<TreeNewton>(equations_);
  if (!tree_->fits()) return false;
  return tree_->factor(evaluated ? *evaluated : at_.evaluateAt(t, y, yp, kOverClusters), cj);
}

bool NewtonMatrix::factorCondensed(double t, double cj, const double* y, const double* yp,
                                   const Workspace<double>* evaluated) {
  at_.setPoint(t, y, yp);
  at_.dualWorkspace();
  allocateCondensed();
  const Workspace<double>& here = evaluated ? *evaluated : at_.evaluate(kOverClusters);
  resting_.update(here);
  chooseActive();
  cj_ = cj;
  carried_.clear();
  kinematicBlocks(cj, y, yp);
  if (together_) {
    columnsTogether(here);
  } else {
    multiplierColumns(here);
    columns();
  }
  sparse_ = columnSweep_.grouped() && SparseLu::pays(nc_, columnSweep_.rows().size());
  return sparse_ ? factorSparse() : factorDense();
}

bool NewtonMatrix::factorDense() {
  for (int s = 0; s < matrix_.blocks(); ++s) {
    auto A = matrix_.block(s);
    const std::vector<int>&rows = matrix_.rowsOf(s), &columns = matrix_.columnsOf(s);
    for (int i = 0; i < A.rows(); ++i) {
      const double largest = A.row(i).cwiseAbs().maxCoeff();
      if (!std::isfinite(largest)) return false;
      scale_[rows[i]] = largest > 0 ? 1 / largest : 1;
      A.row(i) *= scale_[rows[i]];
    }
    // Columns of multipliers are small by cj^2 against those of positions.
    for (int j = 0; j < A.cols(); ++j) {
      const double largest = A.col(j).cwiseAbs().maxCoeff();
      columnScale_[columns[j]] = largest > 0 ? 1 / largest : 1;
      A.col(j) *= columnScale_[columns[j]];
    }
  }
  lu_.factor(matrix_);
  return lu_.pivotsExceed(kNoPivot);
}

/// The same over the pattern.
bool NewtonMatrix::factorSparse() {
  const std::vector<int>&start = columnSweep_.start(), &rows = columnSweep_.rows();
  auto each = [&](auto visit) {
    for (int c = 0; c < nc_; ++c) {
      for (int k = start[c]; k < start[c + 1]; ++k) {
        visit(rows[k], c, values_[k]);
      }
    }
  };
  values_.resize(rows.size());
  scale_.setZero();
  columnScale_.setZero();
  bool finite = true;
  each([&](int i, int c, double& value) {
    value = matrix_(i, c);
    finite = finite && std::isfinite(value);
    scale_[i] = std::max(scale_[i], std::abs(value));
  });
  if (!finite) return false;
  for (double& s : scale_) s = s > 0 ? 1 / s : 1;
  each([&](int i, int c, double& value) {
    value *= scale_[i];
    columnScale_[c] = std::max(columnScale_[c], std::abs(value));
  });
  for (double& s : columnScale_) s = s > 0 ? 1 / s : 1;
  each([&](int, int c, double& value) { value *= columnScale_[c]; });
  if (analysed_ != columnSweep_.version()) {
    analysed_ = columnSweep_.version();
    sparseLu_.analyse(start, rows);
  }
  return sparseLu_.factor(values_);
}

/// What the kinematic residues do to the other rows: dv = -b, da = cj dv. Those that a step before has
/// solved to rounding do nothing.
void NewtonMatrix::takeKinematicResidues(const double* b) {
  const Layout& l = equations_.layout();
  const size_t v0 = nq_;
  const auto counts = [&](const Layout::TreeJoint& s, int i) {
    const double rate = std::abs(value(w_->yp[s.q + i])) + std::abs(value(w_->y[v0 + s.v + i]));
    return std::abs(b[s.q + i]) > 4 * std::numeric_limits<double>::epsilon() * rate;
  };
  bool any = false;
  for (const Layout::TreeJoint& s : l.tree) {
    for (int i = 0; i < s.nv; ++i) any = any || counts(s, i);
  }
  rhs_.setZero();
  if (any && together_) {
    for (const Layout::TreeJoint& s : l.tree) {
      for (int i = 0; i < s.nv; ++i) {
        const int v = firstMu_ + s.v + i;
        const std::vector<int>& rows = matrix_.rowsOf(derivatives_.columnSets().setOf[v]);
        const double* column = derivatives_.data() + derivatives_.start(v);
        for (size_t k = 0; k < rows.size(); ++k) rhs_[rows[k]] += b[s.q + i] * column[k];
      }
    }
  } else if (any) {
    const auto seed = [&](double on) {
      for (const Layout::TreeJoint& s : l.tree) {
        for (int i = 0; i < s.nv; ++i) {
          const size_t k = v0 + s.v + i;
          w_->y[k].setLane(0, -on * b[s.q + i]);
          w_->yp[k].setLane(0, -on * cj_ * b[s.q + i]);
        }
      }
    };
    seed(1);
    at_.evaluateDual(kOverClusters);
    for (int i = 0; i < nc_; ++i) {
      if (const int r = residualOf_[i]; r >= 0) rhs_[i] = -w_->residual[r].lane(0);
    }
    seed(0);
  }
}

void NewtonMatrix::solveCondensed(const double* b, double* x) {
  const Layout& l = equations_.layout();
  const size_t v0 = nq_;
  takeKinematicResidues(b);
  for (const Layout::TreeJoint& s : l.tree) {
    for (int i = 0; i < s.nv; ++i) rhs_[s.q + i] += b[v0 + s.v + i];
    for (int i = s.nv; i < s.nq; ++i) rhs_[s.q + i] = b[s.q + i];
  }
  for (int i = nq_; i < nc_; ++i) rhs_[i] += b[rest_[i - nq_]];
  rhs_.array() *= scale_.array();
  if (sparse_) {
    solution_ = rhs_;
    sparseLu_.solve(std::span(solution_.data(), nc_));
  } else {
    lu_.solve(rhs_, solution_);
  }
  solution_.array() *= columnScale_.array();

  for (size_t i = l.tree.size(); i-- > 0;) {
    const Layout::TreeJoint& s = l.tree[i];
    double dv[6];
    for (int k = 0; k < s.nv; ++k) {
      dv[k] = -b[s.q + k];
      for (int j = 0; j < s.nq; ++j) dv[k] += K_(k, s.q + j) * solution_[s.q + j];
      for (const int m : WGt_.columnsOfRow(s.v + k))
        dv[k] += WGt_(s.v + k, m) * solution_[firstMu_ + m];
    }
    for (int j = 0; j < s.nq; ++j) x[s.q + j] = solution_[s.q + j];
    for (int k = 0; k < s.nv; ++k) x[nq_ + s.v + k] = dv[k];
  }
  for (int i = l.lambdaOffset(); i < n_; ++i) x[i] = 0;
  for (int i = nq_; i < nc_; ++i) x[rest_[i - nq_]] = solution_[i];
  for (const int i : resting_.out()) x[i] = b[i] / cj_;
}

}  // namespace cardan
