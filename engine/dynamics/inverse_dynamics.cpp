#include "engine/dynamics/inverse_dynamics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

InverseDynamics::InverseDynamics(const Equations& equations, const std::vector<int>& given,
                                 double t, const std::vector<double>& y)
    : at_(equations) {
  const Layout& l = equations.layout();
  if (!equations.flatModel().modes.empty())
    throw InverseError("inverse dynamics takes no parts that switch, as friction and stops do");
  if (l.nx > 0 || !equations.followers().empty()) {
    throw InverseError(
        fmt::format("inverse dynamics takes mechanisms without unknowns of their parts, found '{}'",
                    l.unknowns[l.xOffset()].name));
  }
  velocityOf_.assign(l.nq, -1);
  for (const Layout::TreeJoint& s : l.tree) {
    if (!s.plain) {
      throw InverseError(
          fmt::format("inverse dynamics takes joints with scalar coordinates, found "
                      "the orientation '{}'",
                      nameOf(s.q)));
    }
    for (int j = 0; j < s.nq; ++j) velocityOf_[s.q + j] = s.v + j;
  }
  for (int k = 0; k < l.nlambda; ++k) {
    if (l.muOfLambda[k] >= 0) positionRows_.push_back(k);
  }
  chooseIndependent(given, t, y);
  actuators_ = given_;
  if (const int q = undetermined(velocityRows(open_, t, y, std::vector<double>(y.size(), 0.0)));
      q >= 0) {
    throw InverseError("the motion leaves '" + nameOf(q) + "' open: give it, too");
  }
}

/// Derivatives of all velocity rows by the velocities of some coordinates.
Eigen::MatrixXd InverseDynamics::velocityRows(const std::vector<int>& coordinates, double t,
                                              const std::vector<double>& y,
                                              const std::vector<double>& yp) {
  const Layout& l = at_.layout();
  Eigen::MatrixXd G(l.nlambda, static_cast<Eigen::Index>(coordinates.size()));
  if (G.size() == 0) return G;
  at_.setPoint(t, y.data(), yp.data());
  at_.columns(
      static_cast<int>(coordinates.size()), kMotionOnly,
      [&](Workspace<Dual>& d, int c, int lane, double on) {
        const int v = velocityOf(coordinates[c]);
        d.y[l.nq + v].setLane(lane, on);
      },
      [&](const Workspace<Dual>& d, int c, int lane) {
        for (int k = 0; k < l.nlambda; ++k) G(k, c) = d.velocityResidues[k].lane(lane);
      });
  return G;
}

/// An open coordinate that these rows leave undetermined, or -1.
int InverseDynamics::undetermined(const Eigen::MatrixXd& G) const {
  const auto open = static_cast<int>(open_.size());
  if (open == 0) return -1;
  if (G.rows() == 0) return open_.front();
  const PivotedQr factors(G, kOpenRank);
  if (factors.rank() == open) return -1;
  return open_[factors.columnOrder()[factors.rank()]];
}

/// Lets given coordinates follow from the others as long as these determine them, the last first.
void InverseDynamics::chooseIndependent(const std::vector<int>& given, double t,
                                        const std::vector<double>& y) {
  given_ = given;
  for (int q = 0; q < at_.layout().nq; ++q) {
    if (std::ranges::find(given_, q) == given_.end()) open_.push_back(q);
  }
  const std::vector<double> still(y.size(), 0.0);
  for (size_t i = given_.size(); i-- > 0 && at_.layout().nlambda > 0;) {
    open_.push_back(given_[i]);
    const PivotedQr rank(velocityRows(open_, t, y, still), kOpenRank);
    if (rank.rank() == static_cast<int>(open_.size())) {
      given_.erase(given_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      open_.pop_back();
    }
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
  const size_t nq = at_.layout().nq;
  for (size_t i = 0; i < given_.size(); ++i) {
    const size_t k = given_[i];
    const auto kv = nq + static_cast<size_t>(velocityOf(given_[i]));
    y[k] = q[i];
    y[kv] = yp[k] = v[i];
    yp[kv] = a[i];
  }
  std::fill(y.begin() + at_.layout().lambdaOffset(), y.end(), 0.0);
  closePositions(t, y, yp);
  closeRates(t, y, yp);
}

void InverseDynamics::closePositions(double t, std::vector<double>& y,
                                     const std::vector<double>& yp) {
  const auto rows = static_cast<Eigen::Index>(positionRows_.size());
  if (rows == 0) return;
  Eigen::MatrixXd J(rows, static_cast<Eigen::Index>(open_.size()));
  Eigen::VectorXd r(rows);
  for (int k = 0;; ++k) {
    at_.setPoint(t, y.data(), yp.data());
    const Workspace<double>& w = at_.evaluate(kMotionOnly);
    for (Eigen::Index i = 0; i < rows; ++i) r[i] = w.positionResidues[positionRows_[i]];
    if (!r.allFinite()) fail(t, "the positions cannot be computed");
    if (open_.empty() || k == kClosingIterations) break;
    at_.columns(
        static_cast<int>(open_.size()), kMotionOnly,
        [&](Workspace<Dual>& d, int c, int lane, double on) { d.y[open_[c]].setLane(lane, on); },
        [&](const Workspace<Dual>& d, int c, int lane) {
          for (Eigen::Index i = 0; i < rows; ++i) {
            J(i, c) = d.positionResidues[positionRows_[i]].lane(lane);
          }
        });
    const Eigen::VectorXd change = OrthogonalFactors(J, kOpenRank).leastNorm(r);
    for (size_t i = 0; i < open_.size(); ++i) y[open_[i]] -= change[static_cast<Eigen::Index>(i)];
    if (change.cwiseAbs().maxCoeff() < kClosed) break;
  }
  if (r.cwiseAbs().maxCoeff() > kFits) {
    fail(t, fmt::format("the motion does not fit the loops: they stay open by {:.2g}",
                        r.cwiseAbs().maxCoeff()));
  }
}

void InverseDynamics::closeRates(double t, std::vector<double>& y, std::vector<double>& yp) {
  const Layout& l = at_.layout();
  const auto vOf = [&](size_t i) {
    return static_cast<size_t>(l.nq) + static_cast<size_t>(velocityOf(open_[i]));
  };
  const Eigen::MatrixXd G = velocityRows(open_, t, y, yp);
  if (const int q = undetermined(G); q >= 0) {
    fail(t, "the position is singular: '" + nameOf(q) + "' is left open");
  }
  if (l.nlambda == 0) return;
  const OrthogonalFactors factors(G, kOpenRank);
  Eigen::VectorXd r(l.nlambda);
  // The rows are linear in the velocities, their rates in the accelerations.
  at_.setPoint(t, y.data(), yp.data());
  const Workspace<double>& w = at_.evaluate(kMotionOnly);
  for (int k = 0; k < l.nlambda; ++k) r[k] = w.velocityResidues[k];
  if (!open_.empty()) {
    const Eigen::VectorXd change = factors.leastNorm(r);
    for (size_t i = 0; i < open_.size(); ++i) {
      y[vOf(i)] -= change[static_cast<Eigen::Index>(i)];
      yp[open_[i]] = y[vOf(i)];
    }
  }
  at_.setPoint(t, y.data(), yp.data());
  const Workspace<Dual>& flow = at_.alongTheFlow(kMotionOnly);
  for (int k = 0; k < l.nlambda; ++k) r[k] = flow.velocityResidues[k].lane(0);
  if (!open_.empty()) {
    const Eigen::VectorXd change = factors.leastNorm(r);
    for (size_t i = 0; i < open_.size(); ++i) yp[vOf(i)] -= change[static_cast<Eigen::Index>(i)];
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
  const auto n = static_cast<Eigen::Index>(actuators_.size());
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(l.nv, n);
  for (Eigen::Index c = 0; c < n; ++c) B(velocityOf(actuators_[c]), c) = 1;
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
    forces_ = OrthogonalFactors(freeB, kOpenRank).leastNorm(freeNeeded);
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
