#include "engine/dynamics/inverse_dynamics.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

constexpr int kClosingIterations = 30;
constexpr double kClosed = 1e-13;   // of the last change of a coordinate
constexpr double kFits = 1e-7;      // residue that rounding and the file's digits may leave
constexpr double kOpenRank = 1e-9;  // of pivots
constexpr double kUndriven = 1e-7;  // of the forces: what no actuator makes

constexpr Purpose kMotionOnly{.loads = false, .everyFrame = false, .kinematicRows = false};

}  // namespace

InverseDynamics::InverseDynamics(const Equations& equations, const std::vector<int>& positions,
                                 double t, const std::vector<double>& y)
    : at_(equations) {
  refuseWhatIsNotTaken();
  const Layout& l = equations.layout();
  positionOf_.assign(l.nv, -1);
  for (const Layout::TreeJoint& s : l.tree) {
    for (int j = 0; s.plain && j < s.nv; ++j) positionOf_[s.v + j] = s.q + j;
  }
  for (int k = 0; k < l.nlambda; ++k) {
    if (l.muOfLambda[k] >= 0) positionRows_.push_back(k);
  }
  chooseIndependent(positions, t, y);
  actuators_ = given_;
  if (const int v = undetermined(velocityRows(open_, t, y, std::vector<double>(y.size(), 0.0)));
      v >= 0) {
    throw InverseError("the motion leaves '" + nameOf(v) + "' open: give it, too");
  }
  if (given_.empty()) {
    throw InverseError("nothing is free to move: constraints and drives of the model determine '" +
                       l.unknowns[positions.front()].name + "' and all else");
  }
}

void InverseDynamics::refuseWhatIsNotTaken() const {
  const Layout& l = at_.layout();
  const FlatModel& flat = at_.equations().flatModel();
  if (!flat.modes.empty()) {
    const FlatModel::Mode& m = flat.modes.front();
    const std::string& part = flat.instances[m.instance].name;
    throw InverseError(
        fmt::format("inverse dynamics takes no parts that switch, as contacts, friction and stops "
                    "do, found '{}'",
                    part.empty() ? m.name : part));
  }
  if (l.nx > 0 || !at_.equations().followers().empty()) {
    throw InverseError(
        fmt::format("inverse dynamics takes mechanisms without unknowns of their parts, found '{}'",
                    l.unknowns[l.xOffset()].name));
  }
  for (const Layout::TreeJoint& s : l.tree) {
    if (s.plain || s.nq == s.nv + 1) continue;
    throw InverseError(
        fmt::format("inverse dynamics takes orientations as quaternions (useQuaternions: true), "
                    "found '{}'",
                    l.unknowns[s.q + s.nq - 1].name));
  }
}

const std::string& InverseDynamics::nameOf(int v) const {
  const int q = positionOf_[v];
  return at_.layout().unknowns[q >= 0 ? q : at_.layout().nq + v].name;
}

std::vector<double> InverseDynamics::directionOf(int v, const std::vector<double>& y) const {
  const Layout& l = at_.layout();
  std::vector<double> there = y, rates(y.size(), 0.0);
  std::fill(there.begin() + l.nq, there.begin() + l.nq + l.nv, 0.0);
  there[l.nq + v] = 1;
  kinematicRates(l, there.data(), rates.data());
  rates.resize(l.nq);
  return rates;
}

void InverseDynamics::normaliseQuaternions(std::vector<double>& y) const {
  for (const Layout::TreeJoint& s : at_.layout().tree) {
    if (s.plain) continue;
    // The last four positions, behind those of a translation.
    Eigen::Map<Eigen::Vector4d> Q(y.data() + s.q + s.nq - 4);
    Q /= Q.norm();
  }
}

/// Derivatives of all velocity rows by the velocities of some coordinates.
Eigen::MatrixXd InverseDynamics::velocityRows(const std::vector<int>& coordinates, double t,
                                              const std::vector<double>& y,
                                              const std::vector<double>& yp) {
  at_.setPoint(t, y.data(), yp.data());
  return at_.velocityRows(coordinates, kMotionOnly).dense();
}

/// An open coordinate that these rows leave undetermined, or -1.
int InverseDynamics::undetermined(const Eigen::MatrixXd& G) const {
  const auto open = std::ssize(open_);
  if (open == 0) return -1;
  if (G.rows() == 0) return open_.front();
  const PivotedQr factors(G, kOpenRank);
  if (factors.rank() == open) return -1;
  return open_[factors.columnOrder()[factors.rank()]];
}

/// Lets given coordinates follow from the others as long as these determine them, the last first.
void InverseDynamics::chooseIndependent(const std::vector<int>& positions, double t,
                                        const std::vector<double>& y) {
  const Layout& l = at_.layout();
  const auto isGiven = [&](int q) { return std::ranges::find(positions, q) != positions.end(); };
  /// What is given as one.
  struct Group {
    std::vector<int> positions, coordinates;
  };
  std::vector<Group> groups;
  for (const Layout::TreeJoint& s : l.tree) {
    std::vector<int> all, there;
    for (int j = 0; j < s.nq; ++j) {
      all.push_back(s.q + j);
      if (isGiven(s.q + j)) there.push_back(s.q + j);
    }
    if (!s.plain && !there.empty() && there.size() < all.size()) {
      const int missing = *std::ranges::find_if_not(all, isGiven);
      throw InverseError(fmt::format(
          "the motion gives '{}' and not '{}': those of a joint with a quaternion belong together",
          l.unknowns[there.front()].name, l.unknowns[missing].name));
    }
    Group whole{there, {}};
    for (int j = 0; j < s.nv; ++j) {
      const bool given = s.plain ? isGiven(s.q + j) : !there.empty();
      if (!given) {
        open_.push_back(s.v + j);
      } else if (s.plain) {
        groups.push_back({{s.q + j}, {s.v + j}});
      } else {
        whole.coordinates.push_back(s.v + j);
      }
    }
    if (!whole.coordinates.empty()) groups.push_back(std::move(whole));
  }
  const std::vector<double> still(y.size(), 0.0);
  for (size_t i = groups.size(); i-- > 0 && l.nlambda > 0;) {
    const std::vector<int> before = open_;
    open_.insert(open_.end(), groups[i].coordinates.begin(), groups[i].coordinates.end());
    if (PivotedQr(velocityRows(open_, t, y, still), kOpenRank).rank() == std::ssize(open_)) {
      groups.erase(groups.begin() + i);
    } else {
      open_ = before;
    }
  }
  for (const Group& g : groups) {
    positions_.insert(positions_.end(), g.positions.begin(), g.positions.end());
    given_.insert(given_.end(), g.coordinates.begin(), g.coordinates.end());
  }
}

void InverseDynamics::fail(double t, const std::string& why) const {
  throw InverseError(fmt::format("at time = {:g} s: {}", t, why));
}

void InverseDynamics::solve(double t, std::span<const double> q, std::span<const double> v,
                            std::span<const double> a, std::vector<double>& y,
                            std::vector<double>& yp) {
  close(t, q, v, a, y, yp);
  findForces(t, y, yp);
}

void InverseDynamics::close(double t, std::span<const double> q, std::span<const double> v,
                            std::span<const double> a, std::vector<double>& y,
                            std::vector<double>& yp) {
  const int nq = at_.layout().nq;
  for (size_t i = 0; i < positions_.size(); ++i) y[positions_[i]] = q[i];
  normaliseQuaternions(y);
  for (size_t i = 0; i < given_.size(); ++i) {
    const int k = nq + given_[i];
    y[k] = v[i];
    yp[k] = a[i];
  }
  std::fill(y.begin() + at_.layout().lambdaOffset(), y.end(), 0.0);
  kinematicRates(at_.layout(), y.data(), yp.data());
  closePositions(t, y, yp);
  closeRates(t, y, yp);
}

void InverseDynamics::closePositions(double t, std::vector<double>& y,
                                     const std::vector<double>& yp) {
  const auto rows = std::ssize(positionRows_);
  if (rows == 0) return;
  Eigen::MatrixXd J(rows, std::ssize(open_));
  Eigen::VectorXd r(rows);
  for (int k = 0;; ++k) {
    const Workspace<double>& w = at_.evaluateAt(t, y.data(), yp.data(), kMotionOnly);
    for (Eigen::Index i = 0; i < rows; ++i) r[i] = w.positionResidues[positionRows_[i]];
    if (!r.allFinite()) fail(t, "the positions cannot be computed");
    if (open_.empty() || k == kClosingIterations) break;
    std::vector<std::vector<double>> directions;
    for (const int v : open_) directions.push_back(directionOf(v, y));
    at_.columns(
        std::ssize(open_), kMotionOnly,
        [&](Workspace<Dual>& d, int c, int lane, double on) {
          for (size_t q = 0; q < directions[c].size(); ++q) {
            if (directions[c][q] != 0) d.y[q].setLane(lane, on * directions[c][q]);
          }
        },
        [&](const Workspace<Dual>& d, int c, int lane) {
          for (Eigen::Index i = 0; i < rows; ++i) {
            J(i, c) = d.positionResidues[positionRows_[i]].lane(lane);
          }
        });
    const Eigen::VectorXd change = OrthogonalFactors(J, kOpenRank).leastNorm(r);
    for (size_t i = 0; i < open_.size(); ++i) {
      for (size_t q = 0; q < directions[i].size(); ++q) y[q] -= change[i] * directions[i][q];
    }
    normaliseQuaternions(y);
    if (change.cwiseAbs().maxCoeff() < kClosed) break;
  }
  if (r.cwiseAbs().maxCoeff() > kFits) {
    fail(t, fmt::format("the motion does not fit the loops: they stay open by {:.2g}",
                        r.cwiseAbs().maxCoeff()));
  }
}

void InverseDynamics::closeRates(double t, std::vector<double>& y, std::vector<double>& yp) {
  const Layout& l = at_.layout();
  const auto vOf = [&](size_t i) { return l.nq + open_[i]; };
  const Eigen::MatrixXd G = velocityRows(open_, t, y, yp);
  if (const int v = undetermined(G); v >= 0) {
    fail(t, "the position is singular: '" + nameOf(v) + "' is left open");
  }
  if (l.nlambda == 0) {
    kinematicRates(l, y.data(), yp.data());
    return;
  }
  const OrthogonalFactors factors(G, kOpenRank);
  Eigen::VectorXd r(l.nlambda);
  // The rows are linear in the velocities, their rates in the accelerations.
  const Workspace<double>& w = at_.evaluateAt(t, y.data(), yp.data(), kMotionOnly);
  for (int k = 0; k < l.nlambda; ++k) r[k] = w.velocityResidues[k];
  if (!open_.empty()) {
    const Eigen::VectorXd change = factors.leastNorm(r);
    for (size_t i = 0; i < open_.size(); ++i) y[vOf(i)] -= change[i];
  }
  kinematicRates(l, y.data(), yp.data());
  at_.setPoint(t, y.data(), yp.data());
  const Workspace<Dual>& flow = at_.alongTheFlow(kMotionOnly);
  for (int k = 0; k < l.nlambda; ++k) r[k] = flow.velocityResidues[k].lane(0);
  if (!open_.empty()) {
    const Eigen::VectorXd change = factors.leastNorm(r);
    for (size_t i = 0; i < open_.size(); ++i) yp[vOf(i)] -= change[i];
  }
}

void InverseDynamics::findForces(double t, std::vector<double>& y, const std::vector<double>& yp) {
  const Layout& l = at_.layout();
  const Purpose loads{.everyFrame = false, .kinematicRows = false};
  at_.setPoint(t, y.data(), yp.data());
  Eigen::VectorXd needed(l.nv);
  const Workspace<double>& w = at_.evaluate(loads);
  for (int i = 0; i < l.nv; ++i) needed[i] = w.residual[l.nq + i];
  if (!needed.allFinite()) fail(t, "the forces cannot be computed");
  const auto n = std::ssize(actuators_);
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(l.nv, n);
  for (Eigen::Index c = 0; c < n; ++c) B(actuators_[c], c) = 1;
  double rest = 0;
  if (l.nlambda == 0) {
    forces_ = B.transpose() * needed;
    rest = (needed - B * forces_).cwiseAbs().maxCoeff();
  } else {
    Eigen::MatrixXd Gt(l.nv, l.nlambda);
    at_.columns(
        l.nlambda, loads,
        [&](Workspace<Dual>& d, int c, int lane, double on) {
          d.y[l.lambdaOffset() + c].setLane(lane, on);
        },
        [&](const Workspace<Dual>& d, int c, int lane) {
          for (int i = 0; i < l.nv; ++i) Gt(i, c) = d.residual[l.nq + i].lane(lane);
        });
    // In the directions that the constraints leave free they have no part.
    const OrthogonalFactors constraints(Gt, kOpenRank);
    const Eigen::Index freedoms = l.nv - constraints.rank();
    const Eigen::MatrixXd freeB = constraints.rotate(B).bottomRows(freedoms);
    const Eigen::VectorXd freeNeeded = constraints.rotate(needed).bottomRows(freedoms);
    // Columns of B are of length one: what is left of them is small where the position is singular.
    const double longest = freeB.size() > 0 ? freeB.colwise().norm().maxCoeff() : 1;
    forces_ = OrthogonalFactors(freeB, kOpenRank / std::max(longest, 1e-300)).leastNorm(freeNeeded);
    if (freedoms > 0) rest = (freeNeeded - freeB * forces_).cwiseAbs().maxCoeff();
    const Eigen::VectorXd lambda = constraints.leastNorm(B * forces_ - needed);
    for (int k = 0; k < l.nlambda; ++k) y[l.lambdaOffset() + k] = lambda[k];
  }
  const double scale = std::max(1.0, needed.size() > 0 ? needed.cwiseAbs().maxCoeff() : 0.0);
  if (rest > kUndriven * scale) {
    fail(t, fmt::format("the actuators cannot make the motion: {:.3g} [N | N.m] is missing along "
                        "coordinates without one",
                        rest));
  }
}

}  // namespace cardan
