#include "engine/dynamics/completion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/dynamics/body_accelerations.h"
#include "engine/dynamics/operations.h"
#include "engine/structure/indices.h"

namespace cardan {
namespace {

constexpr double kSingularScaledPivot = 1e-14;  // of a matrix with rows and columns of magnitude 1
constexpr double kNearlyDependent = 1e-12;      // pivot of constraints scaled to magnitude 1
constexpr double kDependent = 1e-11;            // of a combination of rows
constexpr double kCancelled = 1e-8;             // of the terms of a combination
/// Of pivots and columns: shares of a load differ by a hair in their arms, and are open nevertheless.
constexpr double kAlike = 1e-8;
constexpr double kTakesPart = 1e-6;
constexpr double kSolved = 1e-11;   // of a change, relative to 1 or to the unknown
constexpr double kRounding = 1e-6;  // likewise: what shrinks no more is rounding
constexpr double kNoMass = 1e-20;   // of a row, relative to the largest: arms of rounding, squared
/// Of pivots: what is rounding in the equations may be this much more in unknowns along null vectors of smaller ones ...
constexpr double kLoose = 1e-6;
constexpr double kShares = 1e-3;         // ... up to such changes, relative to 1 or to the unknown
constexpr double kJustRounding = 2e-15;  // of the terms of an equation: a residue that is rounding
constexpr int kIterations = 12;
constexpr int kDampedIterations = 100;     // each halves the distance to a bend
constexpr double kShortestPart = 0x1p-20;  // of a step
constexpr double kRoundoff = 1e-13;
constexpr double kChord =
    1e-3;  // of the residues before: reached with derivatives of a point before
constexpr int kRounds = 4;
constexpr double kFarLess = 100;  // bound of what a change of positions changes of the derivatives
constexpr double kKernelTolerance = 1e-9;

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
  for (int k = 0; k < kIterations; ++k) {
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

Completion::Completion(const Equations& equations) : at_(equations), reactions_(equations) {
  const Layout& l = equations.layout();
  still_.assign(l.size(), 0.0);
  for (const FlatModel::Edge& e : equations.flatModel().edges) {
    if (!e.isRoot && e.closure->closures() > 0 && e.closure->closures() < 6) {
      jointFrames_.push_back(e.b.index);
    }
  }
  for (const Layout::TreeJoint& s : l.tree) extraRows_ += s.nq - s.nv;
  for (int i = l.xOffset(); i < l.lambdaOffset(); ++i) {
    if (!l.unknowns[i].differential) algebraic_.push_back(i);
  }
  if (equations.followers().empty()) {
    tree_ = std::make_unique<BodyAccelerations>(equations);
    if (!tree_->fits()) tree_.reset();
  }
  leftOut_.assign(l.nlambda, true);
  chooseRows();
  recursive_ = tree_ && active_.empty() && l.recursionPays();
  if (!recursive_) allocateMatrix();
}

Completion::~Completion() = default;

/// Those that the run keeps at present.
void Completion::chooseRows() {
  const Layout& l = at_.layout();
  const Equations& equations = at_.equations();
  leftOut_ = equations.state.redundant;
  for (std::vector<int>* of : {&active_, &activePosition_, &projected_, &swept_}) of->clear();
  for (int k = 0; k < l.nlambda; ++k) {
    if (leftOut_[k]) continue;
    // A prescribed velocity that depends on the state is met by the integration alone.
    if (!equations.readsPrescribed[k]) projected_.push_back(std::ssize(active_));
    if (!reactions_.has(k)) swept_.push_back(std::ssize(active_));
    active_.push_back(k);
    if (l.muOfLambda[k] >= 0) activePosition_.push_back(k);
  }
  for (Eigen::VectorXd* v : {&residue_, &change_}) v->setZero(size());
  matrix_ = {};
  loose_.clear();
  pattern_ = -1;
  if (!active_.empty()) allocateRows();
}

void Completion::allocateMatrix() {
  const int n = size();
  if (matrix_.rows() == n) return;
  const Layout& l = at_.layout();
  const Islands& islands = at_.equations().islands();
  const int nvx = l.nv + l.nx;
  const Partition lambdas = islands.unknowns.range(l.lambdaOffset(), l.nlambda).some(active_),
                  rows = islands.rows.range(l.nq, nvx).with(lambdas),
                  columns = islands.unknowns.range(l.nq, nvx).with(lambdas);
  const bool follows = !at_.equations().followers().empty();
  const Partition rates = lambdas.with(islands.rows.range(l.xOffset(), follows ? l.nx : 0)),
                  states = columns.range(0, nvx);
  matrix_ = scaled_ = BlockMatrix::zero(rows, columns);
  for (Eigen::VectorXd* v : {&rowScale_, &columnScale_, &rowUnit_, &columnUnit_}) v->setZero(n);
  rates_ = BlockMatrix::zero(rates, states);
  accelerationSweep_ = ColouredJacobian(rows, columns);
  rateSweep_ = ColouredJacobian(rates, states);
  if (forgetful_) forgetPoints();
}

void Completion::forgetPoints() {
  forgetful_ = true;
  if (size() >= SparseLu::kLeast) return;
  accelerationSweep_.stayPlain();
  rateSweep_.stayPlain();
}

void Completion::allocateRows() {
  const Layout& l = at_.layout();
  const Partition& unknowns = at_.equations().islands().unknowns;
  const Partition lambdas = unknowns.range(l.lambdaOffset(), l.nlambda),
                  active = lambdas.some(active_), projected = active.some(projected_),
                  swept = active.some(swept_), velocities = unknowns.range(l.nq, l.nv);
  std::vector<int> edges;
  for (const Layout::TreeJoint& s : l.tree) edges.insert(edges.end(), s.nq - s.nv, s.q);
  const Partition rows = unknowns.some(edges).with(lambdas.some(activePosition_));
  Jq_ = BlockMatrix::zero(rows, unknowns.range(0, l.nq));
  normal_ = BlockMatrix::zero(rows, rows);
  rq_.setZero(rows.size());
  dq_.setZero(l.nq);
  sameRows_ = extraRows_ == 0 && l.nq == l.nv && projected_.size() == active_.size() &&
              activePosition_.size() == active_.size();
  for (const Layout::TreeJoint& s : l.tree) sameRows_ = sameRows_ && (s.nq == 0 || s.plain);
  Jv_ = BlockMatrix::zero(projected, velocities);
  normalOfVelocities_ = BlockMatrix::zero(projected, projected);
  rv_.setZero(projected.size());
  dv_.setZero(l.nv);
  ofIsland_.setZero(std::max(rows.widest, projected.widest));
  Gt_ = loads_ = ofMultipliers_ = BlockMatrix::zero(velocities, active);
  ofSwept_ = BlockMatrix::zero(velocities.with(velocities), swept);
  transposeSweep_ = ColouredJacobian(velocities.with(velocities), swept);
  schur_ = BlockMatrix::zero(active, active);
  for (Eigen::VectorXd* v : {&load_, &answer_}) v->setZero(l.nv);
  multiplierChange_.setZero(active.size());
  rowResidue_.setZero(active.size());
  rowScale_.setZero(size());
  rateRows_.setZero(6, l.nq);
  stepOf_.assign(l.nv, -1);
  for (const int i : l.moving) std::fill_n(stepOf_.begin() + l.tree[i].v, l.tree[i].nv, i);
}

/// Residues of all rows at the current point; `inertia`: Purpose's.
void Completion::accelerationRows(bool inertia) {
  const Layout& l = at_.layout();
  const Workspace<double>& w =
      at_.evaluate({.everyFrame = false, .kinematicRows = false, .inertia = inertia});
  for (int i = 0; i < l.nv + l.nx; ++i) residue_[i] = w.residual[l.nq + i];
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  if (active_.empty() && followers.empty()) return;
  const Workspace<Dual>& flow =
      at_.alongTheFlow({.loads = !followers.empty(), .everyFrame = false, .kinematicRows = false});
  // A followed signal's rate comes from its row, differentiated.
  for (size_t i = 0; i < followers.size(); ++i) {
    const Equations::Follower& f = followers[i];
    if (!leads(i)) residue_[f.row - l.nq] = flow.residual[f.row].lane(0);
  }
  for (size_t k = 0; k < active_.size(); ++k) {
    residue_[l.nv + l.nx + k] = flow.velocityResidues[active_[k]].lane(0);
  }
}

/// All rows as they are.
void Completion::accelerationMatrix() {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  at_.sweep(
      accelerationSweep_, matrix_, {.everyFrame = false, .kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        const int i = l.nq + c;
        if (c >= nvx) {
          w.y[l.lambdaOffset() + active_[c - nvx]].setLane(lane, on);
        } else {
          (l.unknowns[i].differential ? w.yp : w.y)[i].setLane(lane, on);
        }
      },
      [&](const Workspace<Dual>& w, int i, int lane) {
        return i < nvx ? w.residual[l.nq + i].lane(lane) : 0.0;
      });
}

/// Rows of constraints and of followed signals become their time derivatives.
void Completion::differentiateRows() {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx, na = std::ssize(active_);
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  if (active_.empty() && followers.empty()) return;
  // d/dt of a velocity row, or of a followed signal's, contains der(v) as the row itself has v.
  at_.sweep(
      rateSweep_, rates_, {.everyFrame = false, .kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        if (l.unknowns[l.nq + c].differential) w.y[l.nq + c].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int i, int lane) {
        return i < na ? w.velocityResidues[active_[i]].lane(lane)
                      : w.residual[l.xOffset() + i - na].lane(lane);
      });
  for (int k = 0; k < na; ++k) {
    for (const int c : matrix_.columnsOfRow(nvx + k))
      matrix_(nvx + k, c) = c < nvx ? rates_(k, c) : 0;
  }
  for (size_t f = 0; f < followers.size(); ++f) {
    if (leads(f)) continue;
    // All is one island.
    const int row = followers[f].row - l.nq;
    const auto rates = rates_.block(0);
    auto matrix = matrix_.block(0);
    Eigen::RowVectorXd rate = rates.row(na + row - l.nv);
    if (rides(f)) {
      for (size_t a = 0; a < algebraic_.size(); ++a) {
        const double reads = matrix_(row, algebraic_[a] - l.nq);
        for (size_t c = 0; reads != 0 && c < carriers_.size(); ++c)
          rate += reads * ofCarriers_(a, c) * rates.row(na + carriers_[c] - l.xOffset());
      }
    }
    matrix.row(row).setZero();
    matrix.row(row).head(nvx) = rate;
  }
  if (at_.prescribes() && !active_.empty()) prescribedAccelerations();
}

/// Accelerations change the second derivatives of followed signals, which prescribed motions read.
void Completion::prescribedAccelerations() {
  const Layout& l = at_.layout();
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  const int nvx = l.nv + l.nx, na = std::ssize(active_);
  Eigen::MatrixXd reads = Eigen::MatrixXd::Zero(na, std::ssize(followers));
  at_.columns(
      std::ssize(followers), {.kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        w.yp[followers[c].unknown].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int c, int lane) {
        for (int k = 0; k < na; ++k) {
          reads(k, c) = w.velocityResidues[active_[k]].lane(lane);
        }
      });
  std::vector<double> yp(at_.valueWorkspace().yp);
  const std::vector<double> here = at_.secondRates();
  for (int c = 0; c < nvx; ++c) {
    const size_t i = l.nq + c;
    if (!l.unknowns[i].differential) continue;
    const double kept = yp[i];
    yp[i] = kept + 1;
    const std::vector<double>& there = at_.secondRatesFor(yp.data());
    yp[i] = kept;
    for (size_t f = 0; f < followers.size(); ++f) {
      const double slope = there[f] - here[f];
      // Rounding of the differences would pass for a weak dependence.
      if (std::abs(slope) < 1e-8) continue;
      matrix_.column(c).tail(na) += reads.col(f) * slope;
    }
  }
  at_.secondRatesFor(yp.data());
}

/// Largest element of the smallest constraint row, in the model's own units.
double Completion::weakestRow() const {
  const Layout& l = at_.layout();
  const double length = at_.equations().state.scales.length, perLength = 1 / length;
  double weakest = 1;
  for (size_t k = 0; k < active_.size(); ++k) {
    double largest = 0;
    const double* element = Gt_.data() + Gt_.start(k);
    for (const int v : Gt_.rowsOfColumn(k)) {
      const double unit = l.inMetres[l.nq + v] ? 1 : perLength;
      largest = std::max(largest, unit * std::abs(*element++));
    }
    weakest = std::min(weakest, largest * (at_.equations().isLength[active_[k]] ? 1 : length));
  }
  return weakest;
}

/// change_ by elimination joint by joint, of unknowns with a row der(x) - rate by that alone; of the
/// multipliers by what is left of their rows:
///   M x + A y = b, G x = c:  (G M^-1 A) y = G M^-1 b - c
/// False: a joint moves nothing without the others, or the constraints are nearly dependent.
bool Completion::completeRecursively() {
  const int nv = at_.layout().nv, na = std::ssize(active_);
  accelerationRows(false);
  const int nx = at_.layout().nx;
  change_.segment(nv, nx) = residue_.segment(nv, nx);
  if (!tree_->accelerations(at_.valueWorkspace(), residue_.data(), change_.data())) return false;
  if (na == 0) return change_.allFinite();
  constraintTranspose();
  solveForReactions();
  for (int s = 0; s < schur_.blocks(); ++s)
    schur_.block(s).noalias() = Gt_.block(s).transpose() * ofMultipliers_.block(s);
  Gt_.transposeTimes(change_, rowResidue_);
  rowResidue_ -= residue_.tail(na);
  for (int k = 0; k < na; ++k) rowScale_[k] = 1 / std::sqrt(std::abs(schur_(k, k)));
  schur_.scale(rowScale_, rowScale_);
  if (!schur_.allFinite()) return false;
  schurLu_.factor(schur_);
  if (!schurLu_.pivotsExceed(kNearlyDependent)) return false;
  const double weakest = weakestRow();
  conditioning_ = schurLu_.smallestPivot() * weakest * weakest;
  const auto scale = rowScale_.head(na);
  rowResidue_.array() *= scale.array();
  schurLu_.solve(rowResidue_, multiplierChange_);
  multiplierChange_.array() *= scale.array();
  change_.tail(na) = multiplierChange_;
  ofMultipliers_.addTimes(multiplierChange_, -1, change_);
  return change_.allFinite();
}

/// One multiplier of each island at a time: they move nothing in common.
void Completion::solveForReactions() {
  const BlockMatrix& loads = swept_.empty() ? Gt_ : loads_;
  if (loads.blocks() == 1) {
    for (int k = 0; k < loads.cols(); ++k)
      tree_->solve(loads.column(k).data(), ofMultipliers_.column(k).data());
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
    tree_->solve(load_.data(), answer_.data());
    each([&](int v, int k) { ofMultipliers_(v, k) = answer_[v]; });
  }
}

double Completion::operations() const {
  constexpr double kColumn = 0.3;  // evaluations: a reaction carried to the world, and its answer
  const double once = operations::evaluation(at_.equations()),
               na = static_cast<double>(active_.size());
  const double along = na > 0 ? operations::kWithDirections : 0;
  if (recursive_)
    return once * (2 + along + kColumn * na) + operations::denseFactors(na) + tree_->operations();
  const int sweeps = accelerationSweep_.evaluations() + (na > 0 ? rateSweep_.evaluations() : 0);
  return once * (1 + along + operations::kWithDirections * sweeps) +
         (sparse_ ? operations::sparseFactors(static_cast<double>(rows_.size()))
                  : operations::denseFactors(size()));
}

/// Units of the mechanical rows and columns: the model's own length and mass, so that what is
/// negligible does not depend on those of the file.
void Completion::chooseUnits() {
  const Layout& l = at_.layout();
  const double length = at_.equations().state.scales.length;
  auto isLength = [&](int v) { return l.inMetres[l.nq + v] != 0; };
  double mass = 0;
  for (int v = 0; v < l.nv; ++v) {
    const double inertia = std::abs(matrix_(v, v));
    mass = std::max(mass, isLength(v) ? inertia : inertia / (length * length));
  }
  if (!(mass > 0) || !std::isfinite(mass)) mass = 1;
  rowUnit_.setOnes();
  columnUnit_.setOnes();
  for (int v = 0; v < l.nv; ++v) {
    columnUnit_[v] = isLength(v) ? 1 : 1 / length;
    rowUnit_[v] = columnUnit_[v] / mass;
  }
  for (size_t k = 0; k < active_.size(); ++k) {
    const Eigen::Index i = l.nv + l.nx + k;
    const double size = at_.equations().isLength[active_[k]] ? 1 : length;
    rowUnit_[i] = size;
    columnUnit_[i] = mass * size;
  }
}

/// Elements (i, j) of the matrix: those of the pattern where one is known, else all.
template <class Visit>
void Completion::eachElement(Visit visit) {
  const int n = size();
  for (int j = 0; j < n; ++j) {
    if (sparse_) {
      for (int k = start_[j]; k < start_[j + 1]; ++k) visit(rows_[k], j, matrix_(rows_[k], j), k);
    } else {
      for (const int i : matrix_.rowsOfColumn(j)) visit(i, j, matrix_(i, j), 0);
    }
  }
}

/// Rows and columns of magnitude 1. False: something is not finite.
bool Completion::scale() {
  const int n = size();
  chooseUnits();
  Eigen::VectorXd& largest = columnScale_;  // of a row, until the columns are scaled
  largest.setZero();
  rowScale_.setZero();
  eachElement([&](int i, int j, double a, int) {
    const double x = std::abs(a) * columnUnit_[j];
    rowScale_[i] += x;
    largest[i] = std::max(largest[i], x);
  });
  double smallest = 0;
  for (int i = 0; i < n; ++i) {
    const double sum = rowUnit_[i] * rowScale_[i];
    if (!std::isfinite(sum) || !std::isfinite(residue_[i])) return false;
    smallest = std::max(smallest, kNoMass * sum);
  }
  for (int i = 0; i < n; ++i)
    rowScale_[i] = rowUnit_[i] * largest[i] > smallest ? 1 / largest[i] : rowUnit_[i];
  columnScale_.setZero();
  eachElement([&](int i, int j, double a, int) {
    columnScale_[j] = std::max(columnScale_[j], columnUnit_[j] * std::abs(a) * rowScale_[i]);
  });
  for (int j = 0; j < n; ++j)
    columnScale_[j] = columnUnit_[j] * (columnScale_[j] > kNoMass ? 1 / columnScale_[j] : 1);
  return true;
}

/// False: the pattern is not known, or does not pay, or the matrix is nearly singular.
bool Completion::factorSparse() {
  const int n = size();
  if (!accelerationSweep_.grouped() || !at_.equations().followers().empty()) return false;
  const int nvx = at_.layout().nv + at_.layout().nx, na = n - nvx;
  if (na > 0 && !rateSweep_.grouped()) return false;
  const int version = accelerationSweep_.version() + rateSweep_.version();
  if (pattern_ != version) {
    pattern_ = version;
    start_.assign(1, 0);
    rows_.clear();
    for (int j = 0; j < n; ++j) {
      const auto append = [&](const ColouredJacobian& of, int before, int after, int shift) {
        for (int k = of.start()[j]; k < of.start()[j + 1]; ++k) {
          const int i = of.rows()[k];
          if (i >= before && i < after) rows_.push_back(i + shift);
        }
      };
      append(accelerationSweep_, 0, nvx, 0);
      if (na > 0 && j < nvx) append(rateSweep_, 0, na, nvx);
      start_.push_back(std::ssize(rows_));
    }
    sparseLu_.analyse(start_, rows_);
    values_.resize(rows_.size());
  }
  if (!SparseLu::pays(n, rows_.size())) return false;
  sparse_ = true;
  if (!scale()) return false;
  eachElement(
      [&](int i, int j, double a, int k) { values_[k] = a * rowScale_[i] * columnScale_[j]; });
  return sparseLu_.factor(values_) && sparseLu_.pivotRatio() > kSingularScaledPivot;
}

/// change_ = matrix^-1 residue by the factors.
void Completion::solveByFactors() {
  scaledResidue_ = residue_.cwiseProduct(rowScale_);
  if (sparse_) {
    change_ = scaledResidue_;
    sparseLu_.solve(std::span(change_.data(), size()));
  } else {
    lu_.solve(scaledResidue_, change_);
  }
  change_.array() *= columnScale_.array();
}

BlockMatrix Completion::scaledMatrix() const {
  BlockMatrix scaled = matrix_;
  scaled.scale(rowScale_, columnScale_);
  return scaled;
}

/// change_ = matrix^-1 residue; of least norm where that is not unique.
bool Completion::solve() {
  sparse_ = false;
  factored_ = factorSparse();
  if (!factored_) {
    sparse_ = false;
    if (!scale()) return false;
    scaled_ = matrix_;
    scaled_.scale(rowScale_, columnScale_);
    lu_.factor(scaled_);
    factored_ = lu_.pivotsExceed(kSingularScaledPivot);
  }
  double weakest = 1;
  for (int i = size() - std::ssize(active_); i < size(); ++i)
    weakest = std::min(weakest, rowUnit_[i] / rowScale_[i]);
  const double pivot = sparse_ ? sparseLu_.pivotRatio() : lu_.smallestPivot();
  conditioning_ = pivot * weakest * weakest;
  loose_.clear();
  if (factored_ && !sparse_ && pivot < kAlike) findUndetermined();
  solveByFactors();
  if (factored_) return true;
  rowRatesKnown_ = false;
  for (int s = 0; s < scaled_.blocks(); ++s) {
    if (lu_.pivotsExceed(s, kSingularScaledPivot)) continue;
    if (solveWithHidden(s)) {
      hidden_ = true;
    } else {
      contradiction_ = std::max(contradiction_, solveAtLeastNorm(s));
      singular_ = true;
    }
  }
  if (singular_) findUndetermined();
  return contradiction_ == 0;
}

/// Returns the largest residue that is left, 0: none.
double Completion::solveAtLeastNorm(int island) {
  const std::vector<int>&rows = matrix_.rowsOf(island), &columns = matrix_.columnsOf(island);
  const Eigen::VectorXd scale = rowScale_(rows), b = scale.cwiseProduct(residue_(rows));
  const Eigen::MatrixXd A = scale.asDiagonal() * matrix_.block(island);
  const Eigen::VectorXd x = OrthogonalFactors(A, kDependent).leastNorm(b);
  change_(columns) = x;
  const double left =
      scale.cwiseProduct(residue_(rows) - matrix_.block(island) * x).cwiseAbs().maxCoeff();
  return left <= 1e-8 * (1 + b.cwiseAbs().maxCoeff()) ? 0 : left;
}

/// Unknowns of parts that take part in a null vector, of columns scaled to magnitude 1.
void Completion::findUndetermined() {
  const Layout& l = at_.layout();
  undetermined_.clear();
  open_.clear();
  for (int s = 0; l.nx > 0 && s < scaled_.blocks(); ++s) {
    if (!(lu_.smallestPivot(s) < kAlike)) continue;
    // With accelerations: of what slides on more places than hold it, other shares move it along them.
    Eigen::MatrixXd open = kernel(scaled_.block(s), kAlike);
    for (const int i : ofParts(s, open)) undetermined_.push_back(l.nq + i);
    if (open.cols() > 0) open_.emplace_back(s, std::move(open));
  }
  std::ranges::sort(undetermined_);
}

/// Columns of unknowns of parts in null vectors of an island.
std::vector<int> Completion::ofParts(int island, const Eigen::MatrixXd& open) const {
  const Layout& l = at_.layout();
  const std::vector<int>& columns = scaled_.columnsOf(island);
  std::vector<int> own;
  for (int i = 0; i < std::ssize(columns) && open.cols() > 0; ++i) {
    const bool ofPart = columns[i] >= l.nv && columns[i] < l.nv + l.nx;
    if (ofPart && open.row(i).norm() > kTakesPart) own.push_back(columns[i]);
  }
  return own;
}

/// Unknowns whose last change may be rounding though it is not small: those of shares of a load that hardly
/// anything tells apart, in islands whose equations one solution has met to rounding, as they are linear.
void Completion::findLoose(const std::vector<double>& y, const std::vector<double>& yp) {
  loose_.assign(size(), 0);
  for (int s = 0; s < scaled_.blocks(); ++s) {
    if (!(lu_.smallestPivot(s) < kLoose)) continue;
    double residue = 0, unknowns = 1;
    for (const int i : scaled_.rowsOf(s)) residue = std::max(residue, std::abs(scaledResidue_[i]));
    for (const int i : scaled_.columnsOf(s))
      unknowns = std::max(unknowns, std::abs(unknownAt(i, y, yp)) / columnScale_[i]);
    if (!(residue <= kJustRounding * unknowns)) continue;
    for (const int i : ofParts(s, kernel(scaled_.block(s), kLoose))) loose_[i] = 1;
  }
}

/// That of column i: a rate, an unknown of a part, or a multiplier.
double Completion::unknownAt(int i, const std::vector<double>& y,
                             const std::vector<double>& yp) const {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  if (i >= nvx) return y[l.lambdaOffset() + active_[i - nvx]];
  return (l.unknowns[l.nq + i].differential ? yp : y)[l.nq + i];
}

/// What the time derivatives of the rows are now, and how they depend on the rates of states.
void Completion::findRowRates() {
  rowRatesKnown_ = true;
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  const Workspace<Dual>& flow = at_.alongTheFlow();
  rowRates_.setZero(size());
  for (int i = 0; i < nvx; ++i) rowRates_[i] = flow.residual[l.nq + i].lane(0);
  byState_ = matrix_;
  at_.sweepOnce(
      byState_, {.kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        if (c < nvx && l.unknowns[l.nq + c].differential) w.y[l.nq + c].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int i, int lane) {
        return i < nvx ? w.residual[l.nq + i].lane(lane) : 0.0;
      });
}

Eigen::MatrixXd Completion::openAlone(const std::vector<int>& own) const {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  Eigen::MatrixXd loads(l.nx, 0);
  for (const auto& [island, vectors] : open_) {
    const std::vector<int>& columns = scaled_.columnsOf(island);
    std::vector<int> mine, others;
    for (int i = 0; i < std::ssize(columns); ++i) {
      if (columns[i] >= nvx) continue;
      (std::ranges::find(own, l.nq + columns[i]) != own.end() ? mine : others).push_back(i);
    }
    if (mine.empty()) continue;
    Eigen::MatrixXd open = vectors;
    for (Eigen::Index c = 0; c < open.cols(); ++c) {
      open.col(c) /= open.col(c).cwiseAbs().maxCoeff();
      for (double& x : open.col(c)) x = std::abs(x) > kTakesPart ? x : 0;
    }
    const Eigen::MatrixXd alone = kernel(open(others, Eigen::all), kTakesPart);
    const Eigen::MatrixXd mixed = kernel(open(mine, Eigen::all), kTakesPart);
    if (alone.cols() + mixed.cols() != open.cols()) return {};
    const Eigen::Index before = loads.cols();
    loads.conservativeResize(Eigen::NoChange, before + alone.cols());
    loads.rightCols(alone.cols()).setZero();
    for (const int i : mine) {
      if (columns[i] >= l.nv)
        loads.row(columns[i] - l.nv).tail(alone.cols()) =
            columnScale_[columns[i]] * open.row(i) * alone;
    }
  }
  return loads;
}

/// Rows of components that together hold neither a rate nor an algebraic unknown tie states to each
/// other (two inductors in series, a capacitor across a voltage source). None: there are no such rows.
Completion::Ties Completion::findTies(int island) {
  const Layout& l = at_.layout();
  if (l.nx == 0) return {};
  const std::vector<int>&rows = matrix_.rowsOf(island), &columns = matrix_.columnsOf(island);
  const auto scaled = scaled_.block(island);
  const int n = scaled.rows();
  const Eigen::MatrixXd U = kernel(scaled.transpose(), kDependent);
  if (U.cols() == 0) return {};
  double dynamics = 0, constraints = 0;
  for (int i = 0; i < n; ++i) {
    if (rows[i] < l.nv) dynamics += U.row(i).cwiseAbs().sum();
    if (rows[i] >= l.nv + l.nx) constraints += U.row(i).cwiseAbs().sum();
  }
  if (std::max(dynamics, constraints) > 1e-9) return {};
  if (!rowRatesKnown_) findRowRates();
  const Eigen::VectorXd scale = rowScale_(rows), columnScale = columnScale_(columns);
  Ties ties{U.transpose() * scale.asDiagonal(), {}, Eigen::VectorXd(U.cols())};
  const Eigen::MatrixXd byState = byState_.block(island) * columnScale.asDiagonal();
  ties.all.resize(n + U.cols(), n);
  ties.all << scaled, ties.rows * byState;
  // What cancels in a combination is no dependence of it.
  const Eigen::MatrixXd terms = ties.rows.cwiseAbs() * byState.cwiseAbs();
  for (Eigen::Index i = 0; i < U.cols(); ++i) {
    const double largest = ties.all.row(n + i).cwiseAbs().maxCoeff();
    if (largest < std::max(kDependent, kCancelled * terms.row(i).maxCoeff())) return {};
    ties.all.row(n + i) /= largest;
    ties.scales[i] = 1 / largest;
  }
  return ties;
}

/// Rates of the island, or what they become in an instant: `matrix` of the rows of the matrix, `tied` of those
/// that are combined. Of no size: that does not make the solution unique.
Eigen::VectorXd Completion::solveTies(const Ties& ties, int island, const Eigen::VectorXd& matrix,
                                      const Eigen::VectorXd& tied) const {
  const std::vector<int>&rows = matrix_.rowsOf(island), &columns = matrix_.columnsOf(island);
  const PivotedQr qr(ties.all, kDependent);
  if (qr.rank() < std::ssize(columns)) return {};
  const Eigen::VectorXd scale = rowScale_(rows), columnScale = columnScale_(columns);
  Eigen::VectorXd b(ties.all.rows());
  b << scale.cwiseProduct(matrix(rows)), ties.scales.cwiseProduct(ties.rows * tied(rows));
  const Eigen::VectorXd x = qr.solve(b);
  if ((ties.all * x - b).cwiseAbs().maxCoeff() > 1e-8 * (1 + b.cwiseAbs().maxCoeff())) return {};
  return columnScale.cwiseProduct(x);
}

/// The time derivative of what ties states determines the rates. False: nothing does, or not uniquely.
bool Completion::solveWithHidden(int island) {
  const Ties ties = findTies(island);
  if (ties.rows.rows() == 0) return false;
  const Eigen::VectorXd x = solveTies(ties, island, residue_, rowRates_);
  if (x.size() == 0) return false;
  change_(matrix_.columnsOf(island)) = x;
  return true;
}

Eigen::VectorXd Completion::jumpOfTied() {
  const Layout& l = at_.layout();
  rowRatesKnown_ = false;
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(l.size());
  bool ties = false;
  for (int s = 0; s < scaled_.blocks(); ++s) {
    if (lu_.pivotsExceed(s, kSingularScaledPivot)) continue;
    const Ties tied = findTies(s);
    if (tied.rows.rows() == 0) continue;
    const Eigen::VectorXd x = solveTies(tied, s, Eigen::VectorXd::Zero(size()), residue_);
    if (x.size() == 0) return {};
    ties = true;
    const std::vector<int>& columns = matrix_.columnsOf(s);
    for (int i = 0; i < std::ssize(columns); ++i) {
      const int u = l.nq + columns[i];
      if (columns[i] < l.nv + l.nx && l.unknowns[u].differential) moved[u] = -x[i];
    }
  }
  return ties ? moved : Eigen::VectorXd();
}

void Completion::step(std::vector<double>& y, std::vector<double>& yp) const {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  for (int c = 0; c < nvx; ++c) {
    const size_t i = l.nq + c;
    (l.unknowns[i].differential ? yp : y)[i] -= change_[c];
  }
  for (size_t k = 0; k < active_.size(); ++k) {
    y[l.lambdaOffset() + active_[k]] -= change_[nvx + k];
  }
}

/// Largest element of change_, relative to 1 or to what it is of: of all, or of rates of states alone.
double Completion::largestChange(const std::vector<double>& y, const std::vector<double>& yp,
                                 bool ratesAlone) const {
  const Layout& l = at_.layout();
  double largest = 0;
  for (int i = 0; i < (ratesAlone ? l.nv + l.nx : size()); ++i) {
    if (ratesAlone && !l.unknowns[l.nq + i].differential) continue;
    const double x = i >= l.nv + l.nx ? 0 : unknownAt(i, y, yp);
    const double change = std::abs(change_[i]) / (1 + std::abs(x));
    const bool isLoose = !loose_.empty() && loose_[i] != 0;
    if (isLoose && change < kShares) continue;
    if (!(change <= largest)) largest = change;
  }
  return largest;
}

/// What is known beforehand, and zero where nothing will be found.
void Completion::clear(std::vector<double>& y, std::vector<double>& yp) {
  const Layout& l = at_.layout();
  kinematicRates(l, y.data(), yp.data());
  for (int i = l.lambdaOffset(); i < l.size(); ++i) yp[i] = 0;
  for (int i = l.muOffset(); i < l.size(); ++i) y[i] = 0;
  if (std::ssize(active_) < l.nlambda) {
    for (int k = 0; k < l.nlambda; ++k) {
      if (!std::binary_search(active_.begin(), active_.end(), k)) y[l.lambdaOffset() + k] = 0;
    }
  }
  singular_ = hidden_ = false;
  undetermined_.clear();
  open_.clear();
  contradiction_ = lastChange_ = 0;
  conditioning_ = 1;
}

bool Completion::complete(double t, std::vector<double>& y, std::vector<double>& yp,
                          Factors factors) {
  const Layout& l = at_.layout();
  if (leftOut_ != at_.equations().state.redundant) chooseRows();
  clear(y, yp);
  if (size() == 0) return true;
  if (tree_ && recursive_) {
    at_.setPoint(t, y.data(), yp.data());
    if (completeRecursively()) {
      step(y, yp);
      recursionTried_ = true;
      return true;
    }
    // Joints without mass of their own stay so; what happens on the way is no reason to change.
    recursive_ = recursionTried_;
  }
  allocateMatrix();
  if (following_.size() != at_.equations().followers().size()) sortFollowers(t, y, yp);
  follow(t, y, yp);
  // Mechanics alone are linear in all of this; parts with unknowns of their own need not be.
  const int iterations = l.nx > 0 ? kIterations : 1;
  bool near = factors == Factors::near && factored_ && l.nx > 0 && !anyRides_;
  factored_ = near;
  double largest = 0, taken = 0;  // changes: found, and of the step before
  const bool canDamp = iterations > 1 && !anyRides_;
  if (canDamp) {
    before_ = y;
    ratesBefore_ = yp;
  }
  for (int k = 0; k < iterations; ++k) {
    at_.setPoint(t, y.data(), yp.data());
    if (anyRides_) {
      accelerationMatrix();
      carry(t, y, yp);
    }
    accelerationRows();
    // What is linear is solved by now: the factors of the step before tell.
    if (factored_ && !anyRides_) {
      solveByFactors();
      largest = largestChange(y, yp);
      if (k == 1 && largest > kSolved && largest < kShares && !sparse_ && loose_.empty() &&
          lu_.smallestPivot() < kLoose) {
        findLoose(y, yp);
        largest = largestChange(y, yp);
      }
      const bool done =
          largest <= kSolved || (largest < kRounding && taken > 0 && largest > 0.5 * taken);
      near = near && (k == 0 || largest < kChord * taken);
      if (done || near) step(y, yp);
      if (done) break;
      taken = largest;
      if (near) continue;
    }
    if (!anyRides_) accelerationMatrix();
    differentiateRows();
    if (!solve()) {
      largest = 1;
      if (k > 0 && canDamp) break;  // whole steps have led astray
      // Equations that contradict each other are all met as well as they can be.
      if (std::isfinite(contradiction_) && contradiction_ > 0) step(y, yp);
      return false;
    }
    step(y, yp);
    if (anyRides_) follow(t, y, yp);
    taken = largest = largestChange(y, yp);
    if (largest <= kSolved) break;
  }
  bool isSolved = iterations == 1 || largest < kRounding;
  if (!isSolved && canDamp) {
    // Whole steps may have ended anywhere.
    y = before_;
    yp = ratesBefore_;
    isSolved = completeDamped(t, y, yp);
  }
  lastChange_ = iterations == 1 ? 0 : largestChange(y, yp, true);
  if (!at_.carried().empty()) carry(t, y, yp);
  return isSolved;
}

/// Behind a bend that no event tells of whole steps may lead to and fro for ever: of each only a part is
/// taken, such that the next one, by the same matrix, is shorter (Deuflhard's natural monotonicity).
bool Completion::completeDamped(double t, std::vector<double>& y, std::vector<double>& yp) {
  const auto residues = [&] {
    at_.setPoint(t, y.data(), yp.data());
    accelerationRows();
  };
  residues();
  for (int k = 0; k < kDampedIterations; ++k) {
    accelerationMatrix();
    differentiateRows();
    if (!solve()) return false;
    const std::vector<double> from = y, rates = yp;
    const Eigen::VectorXd whole = change_;
    const double change = largestChange(from, rates);
    step(y, yp);
    residues();
    if (change < kRounding) return true;
    for (double part = 1;; part /= 2) {
      solveByFactors();
      if (largestChange(from, rates) <= (1 - part / 2) * change) break;
      if (part < kShortestPart) return false;
      y = from;
      yp = rates;
      change_ = part / 2 * whole;
      step(y, yp);
      residues();
    }
  }
  return false;
}

/// Loads of all joints at their frame_b, and the multipliers of constraints that are no joints.
Eigen::VectorXd Completion::reactions(double t, const std::vector<double>& y,
                                      const std::vector<double>& yp) {
  const Layout& l = at_.layout();
  const Workspace<double>& w =
      at_.evaluateAt(t, y.data(), yp.data(), {.kinematicRows = false, .connectorLoads = true});
  Eigen::VectorXd r = Eigen::VectorXd::Zero(6 * std::ssize(jointFrames_) + l.nlambda);
  int i = 0;
  for (int frame : jointFrames_) {
    const Wrench<double>& load = w.connectorLoads[frame];
    r.segment<3>(i) = load.f_0;
    r.segment<3>(i + 3) = load.t_0;
    i += 6;
  }
  for (int k = 0; k < l.nlambda; ++k) {
    const bool ofCut = !l.cutJoints.empty() && k >= l.cutJoints.front().row;
    if (!ofCut) r[i + k] = y[l.lambdaOffset() + k];
  }
  return r;
}

void Completion::shareReactions(double t, std::vector<double>& y, const std::vector<double>& yp) {
  const Layout& l = at_.layout();
  if (std::ssize(active_) == l.nlambda || l.nv == 0) return;
  // Multipliers whose loads cancel in the motion: null space of the rows' transpose.
  at_.setPoint(t, y.data(), yp.data());
  const BlockMatrix& G = at_.velocityRows();
  std::vector<Eigen::MatrixXd> N, R;
  Eigen::Index most = 0;
  for (int s = 0; s < G.blocks(); ++s) {
    N.push_back(kernel(G.block(s).transpose(), kKernelTolerance));
    most = std::max(most, N.back().cols());
  }
  if (most == 0) return;
  Eigen::Map<Eigen::VectorXd> lambda(y.data() + l.lambdaOffset(), l.nlambda);
  std::vector<int> ofFrames;
  for (const int frame : jointFrames_) {
    const int instance = at_.equations().flatModel().frames[frame].instance;
    ofFrames.insert(ofFrames.end(), 6, at_.equations().islands().ofInstance[instance]);
  }
  const Partition loads = Partition(ofFrames, G.blocks()).with(G.rowSets());
  // All loads are affine in the multipliers; one combination of each island is looked at at a time.
  const Eigen::VectorXd here = reactions(t, y, yp);
  for (int s = 0; s < G.blocks(); ++s) R.emplace_back(std::ssize(loads.members[s]), N[s].cols());
  const auto each = [&](int i, auto visit) {
    for (int s = 0; s < G.blocks(); ++s) {
      if (i < N[s].cols()) visit(s, lambda(G.rowsOf(s)));
    }
  };
  for (int i = 0; i < most; ++i) {
    each(i, [&](int s, auto own) { own += N[s].col(i); });
    const Eigen::VectorXd change = reactions(t, y, yp) - here;
    each(i, [&](int s, auto own) {
      R[s].col(i) = change(loads.members[s]);
      own -= N[s].col(i);
    });
  }
  each(0, [&](int s, auto own) {
    const Eigen::VectorXd b = here(loads.members[s]);
    own -= N[s] * OrthogonalFactors(R[s], roundingTolerance(R[s])).leastNorm(b);
  });
}

/// Unknowns that follow signals get their values; one may follow another.
void Completion::follow(double t, std::vector<double>& y, const std::vector<double>& yp) {
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  bool changed = true;
  for (size_t pass = 0; changed && pass < followers.size(); ++pass) {
    const Workspace<double>& w = at_.evaluateAt(t, y.data(), yp.data(), {.kinematicRows = false});
    changed = false;
    for (size_t i = 0; i < followers.size(); ++i) {
      if (leads(i)) continue;
      const Equations::Follower& f = followers[i];
      const double residue = w.residual[f.row];
      y[f.unknown] -= residue;
      changed = changed || residue != 0;
    }
  }
}

/// A signal that reads algebraic unknowns, such as the angle of a flange without inertia, either
/// moves along with them, or the equations have the rate of what follows it (2*der(der(phi)) = tau):
/// then it is the follower that is a state, and the signal that is found from it, its row holding as
/// it is. So it is taken where the equations determine everything then.
void Completion::sortFollowers(double t, std::vector<double>& y, std::vector<double>& yp) {
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  const Layout& l = at_.layout();
  following_.assign(followers.size(), Following::moves);
  if (followers.empty()) return;
  at_.setPoint(t, y.data(), yp.data());
  accelerationRows();
  accelerationMatrix();
  const Eigen::MatrixXd asTheyAre = matrix_.block(0);  // all is one island
  bool grown = true;
  while (std::exchange(grown, false)) {
    for (size_t f = 0; f < followers.size(); ++f) {
      const auto row = asTheyAre.row(followers[f].row - l.nq);
      bool reads = false;
      for (int i = l.xOffset(); i < l.lambdaOffset() && !leads(f); ++i) {
        const bool open = !l.unknowns[i].differential;
        bool led = false;
        for (size_t k = 0; k < followers.size(); ++k)
          led = led || (leads(k) && followers[k].unknown == i);
        reads = reads || ((open || led) && row[i - l.nq] != 0);
      }
      if (!reads) continue;
      following_[f] = Following::leads;
      grown = true;
    }
  }
  // Each combination of rows that determines nothing holds a signal that cannot be led.
  for (size_t round = 0; round <= followers.size(); ++round) {
    matrix_.block(0) = asTheyAre;
    if (anyRides_) carry(t, y, yp);
    differentiateRows();
    if (!scale()) break;
    scaled_ = scaledMatrix();
    lu_.factor(scaled_);
    if (lu_.pivotsExceed(kSingularScaledPivot)) break;
    const Eigen::MatrixXd idle = kernel(scaled_.block(0).transpose(), kDependent);
    double largest = kDependent;
    size_t most = followers.size();
    for (size_t f = 0; f < followers.size() && idle.cols() > 0; ++f) {
      const double part = idle.row(followers[f].row - l.nq).norm();
      if (!leads(f) || part <= largest) continue;
      largest = part;
      most = f;
    }
    if (most == followers.size()) break;
    following_[most] = Following::rides;
    anyRides_ = true;
  }
  findOpenFollowers(asTheyAre);
}

/// What the signal of a follower reads besides states must have a rate that the states determine, or
/// be a rate whose own one is found (EvaluationPoint::secondRates).
void Completion::findOpenFollowers(const Eigen::MatrixXd& asTheyAre) {
  const Layout& l = at_.layout();
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  const auto isFollower = [&](int i) {
    return std::ranges::any_of(followers, [&](const auto& f) { return f.unknown == i; });
  };
  const auto isKnown = [&](int i) {
    if (at_.prescribes()) return isFollower(i);
    const auto a = std::ranges::find(algebraic_, i);
    return a != algebraic_.end() && isCarried_[a - algebraic_.begin()] &&
           std::ranges::find(at_.carried(), i) != at_.carried().end();
  };
  openFollowers_.clear();
  for (size_t f = 0; f < followers.size(); ++f) {
    if (leads(f)) continue;
    const auto row = asTheyAre.row(followers[f].row - l.nq);
    bool open = false;
    for (int c = 0; c < row.size(); ++c) open = open || (row[c] != 0 && !isKnown(l.nq + c));
    if (open) openFollowers_.push_back(f);
  }
}

/// Rows of components that hold neither an acceleration nor a multiplier tie algebraic unknowns to
/// the states.
void Completion::findCarriers() {
  const Layout& l = at_.layout();
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  carriers_.clear();
  for (int r = l.xOffset(); r < l.lambdaOffset(); ++r) {
    bool ties = true;
    for (size_t f = 0; f < followers.size(); ++f)
      ties = ties && (followers[f].row != r || leads(f));
    for (const int c : matrix_.columnsOfRow(r - l.nq)) {
      const bool isAlgebraic = c >= l.nv && c < l.nv + l.nx && !l.unknowns[l.nq + c].differential;
      ties = ties && (isAlgebraic || matrix_(r - l.nq, c) == 0);
    }
    if (ties) carriers_.push_back(r);
  }
}

/// Rates of the algebraic unknowns into yp: d/dt g(t, q, v, x, z) = 0 for the rows that tie them to
/// the states. Pre: matrix_ is of these modes.
void Completion::carry(double t, const std::vector<double>& y, std::vector<double>& yp) {
  if (algebraic_.empty()) return;
  findCarriers();
  for (int i : algebraic_) yp[i] = 0;
  at_.setPoint(t, y.data(), yp.data());
  const Purpose purpose{.everyFrame = false, .kinematicRows = false};
  const int rows = std::ssize(carriers_), columns = std::ssize(algebraic_);
  Eigen::VectorXd rates(rows);
  const Workspace<Dual>& flow = at_.alongTheFlow(purpose);
  for (int r = 0; r < rows; ++r) rates[r] = flow.residual[carriers_[r]].lane(0);
  const Partition ofRows = at_.equations().islands().rows.some(carriers_),
                  ofColumns = at_.equations().islands().unknowns.some(algebraic_);
  BlockMatrix G(ofRows, ofColumns);
  at_.sweepOnce(
      G, purpose,
      [&](Workspace<Dual>& w, int c, int lane, double on) { w.y[algebraic_[c]].setLane(lane, on); },
      [&](const Workspace<Dual>& w, int r, int lane) {
        return w.residual[carriers_[r]].lane(lane);
      });
  Eigen::VectorXd found = Eigen::VectorXd::Zero(columns), open = Eigen::VectorXd::Ones(columns);
  ofCarriers_.setZero(columns, rows);
  for (int s = 0; s < ofRows.sets(); ++s) {
    const auto A = G.block(s);
    if (A.size() == 0) continue;
    Eigen::VectorXd scale(A.rows());
    for (int r = 0; r < A.rows(); ++r) {
      const double largest = A.row(r).cwiseAbs().maxCoeff();
      scale[r] = largest > 0 ? 1 / largest : 1;
    }
    const OrthogonalFactors factors(scale.asDiagonal() * A, kDependent);
    const Eigen::VectorXd own = scale.cwiseProduct(rates(ofRows.members[s]));
    found(ofColumns.members[s]) = -factors.leastNorm(own);
    open(ofColumns.members[s]) = factors.nullSpace().rowwise().norm();
    if (anyRides_) ofCarriers_ = -factors.pseudoInverse() * scale.asDiagonal();
  }
  isCarried_.assign(columns, 0);
  openRates_.clear();
  for (int c = 0; c < columns; ++c) {
    isCarried_[c] = open[c] < kKernelTolerance;
    if (isCarried_[c]) {
      yp[algebraic_[c]] = found[c];
    } else {
      openRates_.push_back(algebraic_[c]);
    }
  }
  at_.setPoint(t, y.data(), yp.data());
}

/// rq_ = constraints among q of single edges, then position residues over their scale; returns the
/// largest.
double Completion::positionRows(const double* y) {
  const Layout& l = at_.layout();
  int row = 0;
  double rows[kMaxPerEdge];
  for (const Layout::TreeJoint& s : l.tree) {
    if (s.nq == s.nv) continue;
    s.law->kinematics(y + s.q, still_.data(), y + l.nq + s.v, rows);
    for (int i = s.nv; i < s.nq; ++i) rq_[row++] = rows[i];
  }
  if (!activePosition_.empty()) {
    const Workspace<double>& w = at_.evaluate({.loads = false, .everyFrame = false});
    for (int k : activePosition_) {
      rq_[row++] = w.positionResidues[k] / at_.equations().positionScale(k);
    }
  }
  return row > 0 ? rq_.cwiseAbs().maxCoeff() : 0.0;
}

bool Completion::project(double t, std::vector<double>& y, Care care) {
  if (leftOut_ != at_.equations().state.redundant) chooseRows();
  if (!constrains()) return true;
  if (active_.empty()) return projectEdges(y);
  transposeKnown_ = rowsKnown_ = false;
  return projectPositions(t, y, care) && projectVelocities(t, y, care);
}

/// Without constraints between the edges each one is on its own.
bool Completion::projectEdges(std::vector<double>& y) {
  return std::ranges::all_of(at_.layout().tree,
                             [&](const Layout::TreeJoint& s) { return projectEdge(s, y); });
}

/// change = J' (J J')^-1 residue; `normal` becomes the factor of J J'. `factored`: it is that of J.
void Completion::leastChange(const BlockMatrix& J, BlockMatrix& normal, Eigen::VectorXd& residue,
                             Eigen::VectorXd& change, bool& factored) {
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

/// Gt_: what the constraints' stabilising multipliers do to the velocities, one column for each of
/// active_; its transpose is the derivative of the velocity rows. Below, what their multipliers do to
/// the dynamic rows: the same but for components with more to say. At the motion evaluated last.
void Completion::constraintTranspose() {
  reactions_.evaluate(at_.valueWorkspace());
  for (size_t a = 0; a < active_.size(); ++a) {
    if (!reactions_.has(active_[a])) continue;
    Gt_.column(a) = reactions_.column(active_[a]);
    if (!swept_.empty()) loads_.column(a) = Gt_.column(a);
  }
  if (!swept_.empty()) sweepTranspose();
  transposeKnown_ = true;
  moved_ = 0;
}

/// The columns of multipliers that do more than react.
void Completion::sweepTranspose() {
  const Layout& l = at_.layout();
  const auto multiplier = [&](int j) { return active_[swept_[j]]; };
  at_.holdMotion();
  const bool known = transposeSweep_.fill(
      ofSwept_, [&](int j, int lane, double on) { at_.seedConstraint(multiplier(j), lane, on); },
      [&](int j, int lane) { at_.seedConstraint(multiplier(j), lane, 0); },
      [&] {
        at_.evaluateDual({.constraintsOnly = true, .kinematicRows = false, .virtualRates = true});
      },
      [&](int i, int lane) {
        const Workspace<Dual>& w = at_.dualWorkspace();
        return i < l.nv ? w.virtualRates[i].lane(lane) : w.residual[l.nq + i - l.nv].lane(lane);
      });
  if (!known) transposeSweep_.learn(ofSwept_);
  for (size_t j = 0; j < swept_.size(); ++j) {
    auto G = Gt_.column(swept_[j]);
    G = ofSwept_.column(j).head(G.size());
    loads_.column(swept_[j]) = ofSwept_.column(j).tail(G.size());
  }
}

/// Rows of positions by q. Where der(q) = v these are the velocity rows'; of other edges, times
/// the derivative of v by der(q).
void Completion::positionJacobian() {
  const Layout& l = at_.layout();
  constraintTranspose();
  positionsFactored_ = false;
  for (size_t a = 0, row = extraRows_; a < active_.size(); ++a) {
    const int k = active_[a];
    if (l.muOfLambda[k] < 0) continue;
    const double scale = 1 / at_.equations().positionScale(k);
    for (const int v : Gt_.rowsOfColumn(a)) {
      if (stepOf_[v] < 0 || l.tree[stepOf_[v]].v != v) continue;
      const Layout::TreeJoint& s = l.tree[stepOf_[v]];
      if (s.plain) {
        for (int i = 0; i < s.nq; ++i) Jq_(row, s.q + i) = scale * Gt_(v + i, a);
        continue;
      }
      for (int j = 0; j < s.nq; ++j) {
        double sum = 0;
        for (int i = 0; i < s.nv; ++i) sum += Gt_(v + i, a) * rateRows_(i, s.q + j);
        Jq_(row, s.q + j) = scale * sum;
      }
    }
    ++row;
  }
}

void Completion::velocityJacobian() {
  for (size_t i = 0; i < projected_.size(); ++i) {
    const int k = active_[projected_[i]];
    for (const int v : Jv_.columnsOfRow(i))
      Jv_(i, v) = Gt_(v, projected_[i]) / at_.equations().velocityScale(k);
  }
}

bool Completion::projectPositions(double t, std::vector<double>& y, Care care) {
  const Layout& l = at_.layout();
  if (Jq_.rows() == 0) return true;
  const bool brief = care == Care::row;
  double before = 1e300;
  for (int k = 0; k < kIterations; ++k) {
    at_.setPoint(t, y.data(), still_.data());
    const double largest = positionRows(y.data());
    if (!std::isfinite(largest)) return false;
    rowsKnown_ = !activePosition_.empty();
    const bool enough = largest < 1e-16 || largest > 0.1 * before || (brief && k == 0);
    if (largest < kRoundoff && enough) return true;
    // The derivatives at the beginning serve as long as they bring it near.
    const bool near = largest < kChord * before;
    before = largest;
    if (!activePosition_.empty() && !(k > 0 && near)) {
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

/// Of a row, what is left is not looked at where the positions have hardly moved since Gt_.
bool Completion::projectVelocities(double t, std::vector<double>& y, Care care) {
  const Layout& l = at_.layout();
  if (projected_.empty()) return true;
  const auto findResidues = [&] {
    for (int i = 0; i < rv_.size(); ++i) {
      const int multiplier = active_[projected_[i]];
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
  if (!transposeKnown_ && sameRows_) positionJacobian();
  if (!transposeKnown_) constraintTranspose();
  if (!sameRows_) velocityJacobian();
  bool factored = false;
  // Linear in v: further rounds remove rounding, and what the last step of the positions has changed.
  for (int k = 0; k < kRounds; ++k) {
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

}  // namespace cardan
