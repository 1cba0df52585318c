#include "engine/dynamics/completion.h"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/tree_newton.h"
#include "engine/structure/indices.h"

namespace cardan {
namespace {

constexpr double kSingularScaledPivot = 1e-14;  // of a matrix with rows and columns of magnitude 1
constexpr double kDependent = 1e-11;            // of a combination of rows
constexpr double kNoMass = 1e-20;  // of a row, relative to the largest: arms of rounding, squared
constexpr int kIterations = 12;
constexpr double kRoundoff = 1e-13;
constexpr double kKernelTolerance = 1e-9;

/// Constraints among the q of one edge, and their derivatives by these q.
void gradients(const Layout::TreeJoint& s, const double* y, Eigen::Ref<Eigen::MatrixXd> J,
               Eigen::Ref<Eigen::VectorXd> residue) {
  Dual q[kMaxPerEdge], rates[kMaxPerEdge], v[6], rows[kMaxPerEdge];
  for (int j = 0; j < s.nq; ++j) rates[j] = Dual(0);
  for (int i = 0; i < s.nv; ++i) v[i] = Dual(0);
  for (int j0 = 0; j0 < s.nq; j0 += kLanes) {
    for (int j = 0; j < s.nq; ++j) {
      q[j] = Dual(y[index(s.q + j)]);
      if (j >= j0 && j < j0 + kLanes) q[j].setLane(j - j0, 1);
    }
    s.law->kinematics(q, rates, v, rows);
    for (int i = s.nv; i < s.nq; ++i) {
      residue[i - s.nv] = rows[i].v;
      for (int j = j0; j < std::min(s.nq, j0 + kLanes); ++j) J(i - s.nv, j) = rows[i].lane(j - j0);
    }
  }
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
    for (int i = 0; i < s.nq; ++i) y[index(s.q + i)] -= dq[i];
  }
  return before < 1e-9;
}

Completion::Completion(const Equations& equations, const std::vector<int>& redundantRows)
    : at_(equations) {
  const Layout& l = equations.layout();
  for (int k = 0; k < l.nlambda; ++k) {
    if (std::find(redundantRows.begin(), redundantRows.end(), k) != redundantRows.end()) continue;
    // A prescribed velocity that depends on the state is met by the integration alone.
    if (!equations.readsFollower[index(k)]) projected_.push_back(static_cast<int>(active_.size()));
    active_.push_back(k);
    if (l.muOfLambda[index(k)] >= 0) activePosition_.push_back(k);
  }
  still_.assign(index(l.size()), 0.0);
  for (const FlatModel::Edge& e : equations.flatModel().edges) {
    if (!e.isRoot && e.closure->closures() > 0 && e.closure->closures() < 6) {
      jointFrames_.push_back(e.b.index);
    }
  }
  for (const Layout::TreeJoint& s : l.tree) extraRows_ += s.nq - s.nv;
  if (l.recursionPays() && l.nx == 0 && active_.empty()) {
    tree_ = std::make_unique<TreeNewton>(equations);
    if (!tree_->fits()) tree_.reset();
  }
  for (Eigen::VectorXd* v : {&residue_, &change_}) v->setZero(size());
  if (!tree_) allocateMatrix();
  if (!active_.empty()) allocateRows();
}

Completion::~Completion() = default;

void Completion::allocateMatrix() {
  const int n = size();
  if (matrix_.rows() == n) return;
  matrix_.setZero(n, n);
  scaled_.setZero(n, n);
  for (Eigen::VectorXd* v : {&rowScale_, &columnScale_, &rowUnit_, &columnUnit_}) v->setZero(n);
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  const int rates = static_cast<int>(active_.size() + at_.equations().followers().size());
  rates_.setZero(rates, nvx);
  accelerationSweep_ = ColouredJacobian(n, n);
  rateSweep_ = ColouredJacobian(rates, nvx);
}

void Completion::allocateRows() {
  const Layout& l = at_.layout();
  const int na = static_cast<int>(active_.size());
  const int rows = extraRows_ + static_cast<int>(activePosition_.size());
  Jq_.setZero(rows, l.nq);
  rq_.setZero(rows);
  dq_.setZero(l.nq);
  const int projected = static_cast<int>(projected_.size());
  Jv_.setZero(projected, l.nv);
  rv_.setZero(projected);
  dv_.setZero(l.nv);
  positionSweep_ = ColouredJacobian(rows, l.nq);
  velocitySweep_ = ColouredJacobian(projected, l.nv);
  normal_.setZero(std::max(rows, na), std::max(rows, na));
}

/// Residues of all rows at the current point.
void Completion::accelerationRows() {
  const Layout& l = at_.layout();
  const Workspace<double>& w = at_.evaluate({.kinematicRows = false});
  for (int i = 0; i < l.nv + l.nx; ++i) residue_[i] = w.residual[index(l.nq + i)];
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  if (active_.empty() && followers.empty()) return;
  const Workspace<Dual>& flow = at_.alongTheFlow();
  // A followed signal's rate comes from its row, differentiated.
  for (const Equations::Follower& f : followers) {
    residue_[f.row - l.nq] = flow.residual[index(f.row)].lane(0);
  }
  for (size_t k = 0; k < active_.size(); ++k) {
    residue_[l.nv + l.nx + static_cast<int>(k)] = flow.velocityResidues[index(active_[k])].lane(0);
  }
}

void Completion::accelerationMatrix() {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  auto differential = [&](int i) { return l.unknowns[index(i)].differential; };
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  at_.sweep(
      accelerationSweep_, matrix_, {.kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        const int i = l.nq + c;
        if (c >= nvx) {
          w.y[index(l.lambdaOffset() + active_[index(c - nvx)])].setLane(lane, on);
        } else {
          (differential(i) ? w.yp : w.y)[index(i)].setLane(lane, on);
        }
      },
      [&](const Workspace<Dual>& w, int i, int lane) {
        return i < nvx ? w.residual[index(l.nq + i)].lane(lane) : 0.0;
      });
  if (active_.empty() && followers.empty()) return;
  // d/dt of a velocity row, or of a followed signal's, contains der(v) as the row itself has v.
  const int na = static_cast<int>(active_.size());
  at_.sweep(
      rateSweep_, rates_, {.kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        if (differential(l.nq + c)) w.y[index(l.nq + c)].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int i, int lane) {
        return i < na ? w.velocityResidues[index(active_[index(i)])].lane(lane)
                      : w.residual[index(followers[index(i - na)].row)].lane(lane);
      });
  matrix_.bottomRows(na).setZero();
  matrix_.block(nvx, 0, na, nvx) = rates_.topRows(na);
  for (size_t f = 0; f < followers.size(); ++f) {
    const int row = followers[f].row - l.nq;
    matrix_.row(row).setZero();
    matrix_.row(row).head(nvx) = rates_.row(na + static_cast<int>(f));
  }
  if (at_.prescribes() && !active_.empty()) prescribedAccelerations();
}

/// Accelerations change the second derivatives of followed signals, which prescribed motions read.
void Completion::prescribedAccelerations() {
  const Layout& l = at_.layout();
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  const int nvx = l.nv + l.nx, na = static_cast<int>(active_.size());
  Eigen::MatrixXd reads = Eigen::MatrixXd::Zero(na, static_cast<int>(followers.size()));
  at_.columns(
      static_cast<int>(followers.size()), {.kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        w.yp[index(followers[index(c)].unknown)].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int c, int lane) {
        for (int k = 0; k < na; ++k) {
          reads(k, c) = w.velocityResidues[index(active_[index(k)])].lane(lane);
        }
      });
  std::vector<double> yp(at_.valueWorkspace().yp);
  const std::vector<double> here = at_.secondRates();
  for (int c = 0; c < nvx; ++c) {
    const size_t i = index(l.nq + c);
    if (!l.unknowns[i].differential) continue;
    const double kept = yp[i];
    yp[i] = kept + 1;
    const std::vector<double>& there = at_.secondRatesFor(yp.data());
    yp[i] = kept;
    for (size_t f = 0; f < followers.size(); ++f) {
      const double slope = there[f] - here[f];
      // Rounding of the differences would pass for a weak dependence.
      if (std::abs(slope) < 1e-8) continue;
      matrix_.col(c).tail(na) += reads.col(static_cast<int>(f)) * slope;
    }
  }
  at_.secondRatesFor(yp.data());
}

/// change_ of the accelerations of a tree. False: a joint moves nothing without the others.
bool Completion::completeTree() {
  accelerationRows();
  if (!tree_->factorAccelerations(at_.valueWorkspace())) return false;
  tree_->solveAccelerations(residue_.data(), change_.data());
  return change_.allFinite();
}

/// Units of the mechanical rows and columns: the model's own length and mass, so that what is
/// negligible does not depend on those of the file.
void Completion::chooseUnits() {
  const Layout& l = at_.layout();
  const double length = at_.equations().state.scales.length;
  auto isLength = [&](int v) { return l.unknowns[index(l.nq + v)].unit == "m/s"; };
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
    const Eigen::Index i = l.nv + l.nx + static_cast<Eigen::Index>(k);
    const double size = at_.equations().isLength[index(active_[k])] ? 1 : length;
    rowUnit_[i] = size;
    columnUnit_[i] = mass * size;
  }
}

/// change_ = matrix^-1 residue; of least norm where that is not unique.
bool Completion::solve() {
  const int n = size();
  chooseUnits();
  double smallest = 0;
  for (int i = 0; i < n; ++i) {
    rowScale_[i] = rowUnit_[i] * matrix_.row(i).cwiseAbs().dot(columnUnit_);
    if (!std::isfinite(rowScale_[i]) || !std::isfinite(residue_[i])) return false;
    smallest = std::max(smallest, kNoMass * rowScale_[i]);
  }
  for (int i = 0; i < n; ++i) {
    const double largest =
        matrix_.row(i).cwiseAbs().cwiseProduct(columnUnit_.transpose()).maxCoeff();
    rowScale_[i] = rowUnit_[i] * largest > smallest ? 1 / largest : rowUnit_[i];
  }
  for (int j = 0; j < n; ++j) {
    const double largest =
        columnUnit_[j] * matrix_.col(j).cwiseProduct(rowScale_).cwiseAbs().maxCoeff();
    columnScale_[j] = columnUnit_[j] * (largest > kNoMass ? 1 / largest : 1);
    scaled_.col(j) = matrix_.col(j).cwiseProduct(rowScale_) * columnScale_[j];
  }
  lu_.factor(scaled_);
  double weakest = 1;
  for (int i = n - static_cast<int>(active_.size()); i < n; ++i) {
    weakest = std::min(weakest, rowUnit_[i] / rowScale_[i]);
  }
  conditioning_ = lu_.smallestPivot() * weakest * weakest;
  if (lu_.pivotsExceed(kSingularScaledPivot)) {
    residue_.array() *= rowScale_.array();
    lu_.solve(residue_, change_);
    change_.array() *= columnScale_.array();
    return true;
  }
  hidden_ = solveWithHidden();
  if (hidden_) return true;
  singular_ = true;
  const OrthogonalFactors factors(rowScale_.asDiagonal() * matrix_, kDependent);
  change_ = factors.leastNorm(rowScale_.cwiseProduct(residue_));
  const double left = (rowScale_.cwiseProduct(residue_ - matrix_ * change_)).cwiseAbs().maxCoeff();
  if (left <= 1e-8 * (1 + rowScale_.cwiseProduct(residue_).cwiseAbs().maxCoeff())) return true;
  contradiction_ = left;
  return false;
}

/// Rows of components that together hold neither a rate nor an algebraic unknown tie states to each
/// other (two inductors in series, a capacitor across a voltage source). Their time derivative
/// determines the rates. False: there are none, or they do not make the solution unique.
bool Completion::solveWithHidden() {
  const Layout& l = at_.layout();
  const int n = size(), nvx = l.nv + l.nx;
  if (l.nx == 0) return false;
  const Eigen::MatrixXd U = kernel(scaled_.transpose(), kDependent);
  if (U.cols() == 0) return false;
  const double others =
      std::max(U.topRows(l.nv).cwiseAbs().sum(), U.bottomRows(n - nvx).cwiseAbs().sum());
  if (others > 1e-9) return false;
  const Eigen::MatrixXd combined = U.transpose() * rowScale_.asDiagonal();

  // Rates of the combinations: what they are now, and how they depend on the rates of states.
  const Workspace<Dual>& flow = at_.alongTheFlow();
  Eigen::VectorXd rates = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < nvx; ++i) rates[i] = flow.residual[index(l.nq + i)].lane(0);
  Eigen::MatrixXd byState = Eigen::MatrixXd::Zero(n, n);
  at_.columns(
      nvx, {.kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        if (l.unknowns[index(l.nq + c)].differential) w.y[index(l.nq + c)].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int c, int lane) {
        for (int i = 0; i < nvx; ++i) byState(i, c) = w.residual[index(l.nq + i)].lane(lane);
      });
  Eigen::MatrixXd A(n + U.cols(), n);
  Eigen::VectorXd b(n + U.cols());
  A << scaled_, combined * byState * columnScale_.asDiagonal();
  b << rowScale_.cwiseProduct(residue_), combined * rates;
  for (Eigen::Index i = n; i < A.rows(); ++i) {
    const double largest = A.row(i).cwiseAbs().maxCoeff();
    if (largest < kDependent) return false;
    A.row(i) /= largest;
    b[i] /= largest;
  }
  const PivotedQr qr(A, kDependent);
  if (qr.rank() < n) return false;
  const Eigen::VectorXd x = qr.solve(b);
  if ((A * x - b).cwiseAbs().maxCoeff() > 1e-8 * (1 + b.cwiseAbs().maxCoeff())) return false;
  change_ = columnScale_.cwiseProduct(x);
  return true;
}

void Completion::step(std::vector<double>& y, std::vector<double>& yp) const {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  for (int c = 0; c < nvx; ++c) {
    const size_t i = index(l.nq + c);
    (l.unknowns[i].differential ? yp : y)[i] -= change_[c];
  }
  for (size_t k = 0; k < active_.size(); ++k) {
    y[index(l.lambdaOffset() + active_[k])] -= change_[nvx + static_cast<int>(k)];
  }
}

bool Completion::complete(double t, std::vector<double>& y, std::vector<double>& yp) {
  const Layout& l = at_.layout();
  kinematicRates(l, y.data(), yp.data());
  for (int i = l.lambdaOffset(); i < l.size(); ++i) yp[index(i)] = 0;
  for (int i = l.muOffset(); i < l.size(); ++i) y[index(i)] = 0;
  if (active_.size() < index(l.nlambda)) {
    for (int k = 0; k < l.nlambda; ++k) {
      if (!std::binary_search(active_.begin(), active_.end(), k))
        y[index(l.lambdaOffset() + k)] = 0;
    }
  }
  singular_ = hidden_ = false;
  contradiction_ = lastChange_ = 0;
  conditioning_ = 1;
  if (size() == 0) return true;
  if (tree_) {
    at_.setPoint(t, y.data(), yp.data());
    if (completeTree()) {
      step(y, yp);
      return true;
    }
  }
  allocateMatrix();
  follow(t, y, yp);
  // Mechanics alone are linear in all of this; parts with unknowns of their own need not be.
  const int iterations = l.nx > 0 ? kIterations : 1;
  double largest = 0;
  for (int k = 0; k < iterations; ++k) {
    at_.setPoint(t, y.data(), yp.data());
    accelerationRows();
    accelerationMatrix();
    if (!solve()) {
      // Equations that contradict each other are all met as well as they can be.
      if (std::isfinite(contradiction_) && contradiction_ > 0) step(y, yp);
      return false;
    }
    step(y, yp);
    largest = 0;
    for (int i = 0; i < size(); ++i) {
      const size_t unknown = index(l.nq + std::min(i, l.nv + l.nx - 1));
      const double x = i >= l.nv + l.nx ? 0 : (l.unknowns[unknown].differential ? yp : y)[unknown];
      largest = std::max(largest, std::abs(change_[i]) / (1 + std::abs(x)));
    }
    if (largest <= 1e-11) break;
  }
  lastChange_ = iterations == 1 ? 0 : largest;
  return iterations == 1 || largest < 1e-6;
}

/// Loads of all joints at their frame_b, and the multipliers of constraints that are no joints.
Eigen::VectorXd Completion::reactions(double t, const std::vector<double>& y,
                                      const std::vector<double>& yp) {
  const Layout& l = at_.layout();
  at_.setPoint(t, y.data(), yp.data());
  const Workspace<double>& w = at_.evaluate({.kinematicRows = false, .connectorLoads = true});
  Eigen::VectorXd r = Eigen::VectorXd::Zero(6 * static_cast<int>(jointFrames_.size()) + l.nlambda);
  int i = 0;
  for (int frame : jointFrames_) {
    const Wrench<double>& load = w.connectorLoads[index(frame)];
    r.segment<3>(i) = load.f_0;
    r.segment<3>(i + 3) = load.t_0;
    i += 6;
  }
  for (int k = 0; k < l.nlambda; ++k) {
    const bool ofCut = !l.loose.empty() && k >= l.loose.front().row;
    if (!ofCut) r[i + k] = y[index(l.lambdaOffset() + k)];
  }
  return r;
}

void Completion::shareReactions(double t, std::vector<double>& y, const std::vector<double>& yp) {
  const Layout& l = at_.layout();
  if (active_.size() == index(l.nlambda) || l.nv == 0) return;
  // Multipliers whose loads cancel in the motion: null space of the rows' transpose.
  Eigen::MatrixXd Gt = Eigen::MatrixXd::Zero(l.nv, l.nlambda);
  at_.setPoint(t, y.data(), yp.data());
  at_.columns(
      l.nv, {.kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        w.y[index(l.nq + c)].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int c, int lane) {
        for (int k = 0; k < l.nlambda; ++k) Gt(c, k) = w.velocityResidues[index(k)].lane(lane);
      });
  const Eigen::MatrixXd N = kernel(Gt, kKernelTolerance);
  if (N.cols() == 0) return;
  Eigen::Map<Eigen::VectorXd> lambda(y.data() + l.lambdaOffset(), l.nlambda);
  // All loads are affine in the multipliers.
  const Eigen::VectorXd here = reactions(t, y, yp);
  Eigen::MatrixXd R(here.size(), N.cols());
  for (int i = 0; i < N.cols(); ++i) {
    lambda += N.col(i);
    R.col(i) = reactions(t, y, yp) - here;
    lambda -= N.col(i);
  }
  lambda -= N * OrthogonalFactors(R, roundingTolerance(R)).leastNorm(here);
}

/// Unknowns that follow signals get their values; one may follow another.
void Completion::follow(double t, std::vector<double>& y, const std::vector<double>& yp) {
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  bool changed = true;
  for (size_t pass = 0; changed && pass < followers.size(); ++pass) {
    at_.setPoint(t, y.data(), yp.data());
    const Workspace<double>& w = at_.evaluate({.kinematicRows = false});
    changed = false;
    for (const Equations::Follower& f : followers) {
      const double residue = w.residual[index(f.row)];
      y[index(f.unknown)] -= residue;
      changed = changed || residue != 0;
    }
  }
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
    const Workspace<double>& w = at_.evaluate({.loads = false});
    for (int k : activePosition_) {
      rq_[row++] = w.positionResidues[index(k)] / at_.equations().positionScale(k);
    }
  }
  return row > 0 ? rq_.cwiseAbs().maxCoeff() : 0.0;
}

bool Completion::project(double t, std::vector<double>& y) {
  if (extraRows_ == 0 && active_.empty()) return true;
  if (active_.empty()) return projectEdges(y);
  return projectPositions(t, y) && projectVelocities(t, y);
}

/// Without constraints between the edges each one is on its own.
bool Completion::projectEdges(std::vector<double>& y) {
  return std::ranges::all_of(at_.layout().tree,
                             [&](const Layout::TreeJoint& s) { return projectEdge(s, y); });
}

/// change = J' (J J')^-1 residue.
void Completion::leastChange(Eigen::MatrixXd& J, Eigen::VectorXd& residue,
                             Eigen::VectorXd& change) {
  const int m = static_cast<int>(J.rows());
  auto N = normal_.topLeftCorner(m, m);
  N.noalias() = J * J.transpose();
  const double small = 1e-15 * N.diagonal().maxCoeff();
  N.diagonal().array() += small;
  solvePositiveInPlace(N, residue);
  change.noalias() = J.transpose() * residue;
}

bool Completion::projectPositions(double t, std::vector<double>& y) {
  const Layout& l = at_.layout();
  if (Jq_.rows() == 0) return true;
  double before = 1e300;
  for (int k = 0; k < kIterations; ++k) {
    at_.setPoint(t, y.data(), still_.data());
    const double largest = positionRows(y.data());
    if (!std::isfinite(largest)) return false;
    if (largest < 1e-16 || (largest < kRoundoff && largest > 0.1 * before)) return true;
    before = largest;
    if (!activePosition_.empty()) {
      at_.sweep(
          positionSweep_, Jq_, {.loads = false},
          [](Workspace<Dual>& w, int c, int lane, double on) { w.y[index(c)].setLane(lane, on); },
          [&](const Workspace<Dual>& w, int i, int lane) {
            if (i < extraRows_) return 0.0;
            const int multiplier = activePosition_[index(i - extraRows_)];
            return w.positionResidues[index(multiplier)].lane(lane) /
                   at_.equations().positionScale(multiplier);
          });
    }
    int row = 0;
    for (const Layout::TreeJoint& s : l.tree) {
      const int extra = s.nq - s.nv;
      if (extra == 0) continue;
      gradients(s, y.data(), Jq_.block(row, s.q, extra, s.nq), rq_.segment(row, extra));
      row += extra;
    }
    leastChange(Jq_, rq_, dq_);
    for (int i = 0; i < l.nq; ++i) y[index(i)] -= dq_[i];
  }
  return before < 1e-9;
}

bool Completion::projectVelocities(double t, std::vector<double>& y) {
  const Layout& l = at_.layout();
  if (projected_.empty()) return true;
  at_.setPoint(t, y.data(), still_.data());
  auto multiplierOf = [&](int i) { return active_[index(projected_[index(i)])]; };
  auto residueOf = [&](const auto& w, int i) -> const auto& {
    return w.velocityResidues[index(multiplierOf(i))];
  };
  auto scaleOf = [&](int i) { return at_.equations().velocityScale(multiplierOf(i)); };
  at_.sweep(
      velocitySweep_, Jv_, {.loads = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        w.y[index(l.nq + c)].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int i, int lane) {
        return residueOf(w, i).lane(lane) / scaleOf(i);
      });
  for (int i = 0; i < rv_.size(); ++i) rv_[i] = residueOf(at_.dualWorkspace(), i).v / scaleOf(i);
  // Linear in v: the second round only removes rounding.
  for (int k = 0; k < 2; ++k) {
    leastChange(Jv_, rv_, dv_);
    for (int i = 0; i < l.nv; ++i) y[index(l.nq + i)] -= dv_[i];
    at_.setPoint(t, y.data(), still_.data());
    const Workspace<double>& w = at_.evaluate({.loads = false});
    for (int i = 0; i < rv_.size(); ++i) rv_[i] = residueOf(w, i) / scaleOf(i);
    if (!(rv_.cwiseAbs().maxCoeff() > kRoundoff)) return true;
  }
  return std::isfinite(rv_.sum());
}

}  // namespace cardan
