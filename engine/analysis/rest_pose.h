/// RestPose: poses at rest, some coordinates held and some moving steadily, with what their rates
/// depend on.
#pragma once

#include <fmt/format.h>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/analysis/linear_model.h"
#include "engine/analysis/movements.h"
#include "engine/analysis/reduction.h"
#include "engine/motion_point.h"
#include "engine/structure/dense_algebra.h"
#include "engine/structure/unknowns.h"

namespace cardan {

/// Pivot of displacements and drives that change nothing, relative.
inline constexpr double kFlat = 1e-10;

/// A pose with the velocities that it has to have, and the forces that hold what is held.
struct RestPose {
  MotionPoint point;
  Eigen::VectorXd forces;  ///< [N | N.m]  per drive
};

/// Which coordinates are free, which are held, which velocities stay; settles poses accordingly.
/// Free are velocity states and states of parts; numbers are in the model's own units and time.
class RestConditions {
 public:
  using Index = Eigen::Index;
  using MatrixXd = Eigen::MatrixXd;
  using VectorXd = Eigen::VectorXd;

  /// `free`: globs of coordinates that may move, none: all; `steady`: of velocities that stay what they
  /// are at the start.
  RestConditions(const PointEquations& equations, const std::vector<std::string>& free,
                 const std::vector<std::string>& steady)
      : equations_(equations), layout_(equations.unknowns()), movements_(movementsOf(equations)) {
    Diagnostics diagnostics;
    if (free.empty()) {
      for (Movement& m : movements_) m.chosen = true;
    }
    chooseMovements(equations, free, "--free", movements_, diagnostics);
    kept_ = velocitiesNamed(equations, steady, "--steady", diagnostics);
    diagnostics.throwIfErrors();
  }

  /// The start, settled; decides what is held. Throws AnalysisError where it cannot be.
  RestPose begin(const MotionPoint& start) {
    origin_ = start.y;
    targets_.assign(layout_.nv, 0.0);
    for (int i : kept_) targets_[i - layout_.nq] = start.y[i];
    RestPose pose{start, {}};
    const auto refuse = [](bool settled) {
      if (!settled)
        throw AnalysisError("the accelerations and reactions without velocities cannot be found");
    };
    refuse(settle(pose));
    for (int i = layout_.nq; i < layout_.xOffset(); ++i)
      moves_ = moves_ || std::abs(pose.point.y[i]) > kMoves * size(i);
    decideDrives(pose);
    refuse(settle(pose));
    return pose;
  }
  /// Positions onto their constraints, velocities, accelerations, forces. False: not possible there.
  bool settle(RestPose& pose) {
    MotionPoint& p = pose.point;
    std::ranges::copy(targets_, p.y.begin() + layout_.nq);
    std::fill(p.yp.begin(), p.yp.begin() + layout_.xOffset(), 0.0);
    const auto finite = [](double x) { return std::isfinite(x); };
    if (!equations_.makeConsistent(p) || !std::ranges::all_of(p.yp, finite)) return false;
    if (reduction_ && moves_ && !correctVelocities(p)) return false;
    ReducedSystem held;
    return drives_.empty() || hold(drives_, pose, held);
  }
  /// Rates of the free states at a pose that is settled: velocities, then states of parts.
  Eigen::VectorXd rates(const MotionPoint& p) const {
    VectorXd rates(static_cast<Index>(free_.size() + parts_.size()));
    Index i = 0;
    for (int s : free_) rates[i++] = p.yp[s] * equations_.typicalTime() / rateSize(s);
    for (int s : parts_) rates[i++] = p.yp[s] * equations_.typicalTime() / size(s);
    return rates;
  }
  /// How far held coordinates are from where they belong.
  Eigen::VectorXd drift(const MotionPoint& p) const {
    const std::vector<int> positions = heldPositions();
    VectorXd drift(std::ssize(positions));
    for (size_t i = 0; i < positions.size(); ++i) {
      const int q = positions[i];
      drift[i] = (origin_[q] - p.y[q]) / size(q);
    }
    return drift;
  }

  /// What the rates depend on near a pose.
  struct Slopes {
    Eigen::MatrixXd J;     ///< rates by displacements along the velocities, then states of parts
    Eigen::MatrixXd mass;  ///< of the free velocities; the identity where there is none
    ReducedSystem system;
    Eigen::MatrixXd A;  ///< of the system, with what is held held
    /// Places of the free states, and of the free velocities among all.
    std::vector<int> positions, velocities, parts, amongVelocities;
  };
  /// `states` fixes the choice of states.
  Slopes slopes(const RestPose& pose, const std::vector<int>* states = nullptr) {
    Slopes s;
    ReducedSystem& r = s.system;
    reduction_->drive(drives_, pose.forces);
    r = reduction_->reduce(pose.point, states);
    sort(r, s);
    std::vector<int> columns(drives_.size());
    for (size_t k = 0; k < columns.size(); ++k) columns[k] = k;
    // Where accelerations are large, A has what they make of a change of the inertia, too: the forces
    // alone are seen where everything is held.
    if (const VectorXd now = rates(pose.point);
        now.size() > 0 && now.cwiseAbs().maxCoeff() > kFar) {
      std::vector<int> all;
      for (int u : r.states) {
        if (u >= layout_.nq && u < layout_.xOffset()) all.push_back(u);
      }
      RestPose still{pose.point, {}};
      ReducedSystem held;
      if (!all.empty() && hold(all, still, held) && held.states == r.states) {
        r = std::move(held);
        for (size_t k = 0; k < columns.size(); ++k)
          columns[k] = std::ranges::find(all, drives_[k]) - all.begin();
      }
    }
    s.A = r.A;
    if (!drives_.empty()) {
      std::vector<int> driven, states_(r.states.size());
      for (int v : drives_) driven.push_back(placeOf(r, v));
      for (size_t i = 0; i < states_.size(); ++i) states_[i] = i;
      const MatrixXd N = OrthogonalFactors(part(r.B, driven, columns), kFlat).pseudoInverse();
      s.A -= part(r.B, states_, columns) * (N * part(r.A, driven, states_));
    }
    const double time = equations_.typicalTime();
    const Index nm = std::ssize(free_), nx = std::ssize(parts_);
    VectorXd v(nm), x(nx);
    for (Index i = 0; i < nm; ++i) v[i] = rateSize(free_[i]);
    for (Index i = 0; i < nx; ++i) x[i] = size(parts_[i]);
    const MatrixXd along = part(s.A, s.positions, s.velocities) * v.asDiagonal() * time;
    s.J.resize(nm + nx, nm + nx);
    s.J.topLeftCorner(nm, nm) = part(s.A, s.velocities, s.positions) * along;
    s.J.topRightCorner(nm, nx) = part(s.A, s.velocities, s.parts) * x.asDiagonal();
    s.J.bottomLeftCorner(nx, nm) = part(s.A, s.parts, s.positions) * along;
    s.J.bottomRightCorner(nx, nx) = part(s.A, s.parts, s.parts) * x.asDiagonal();
    for (Index i = 0; i < nm; ++i) s.J.row(i) *= time / v[i];
    for (Index i = 0; i < nx; ++i) s.J.row(nm + i) *= time / x[i];
    s.mass = MatrixXd::Identity(nm, nm);
    if (r.mass.rows() == nm + std::ssize(drives_))
      s.mass = v.asDiagonal() * part(r.mass, s.amongVelocities, s.amongVelocities) * v.asDiagonal();
    return s;
  }
  /// A in the model's own units and time.
  Eigen::MatrixXd scaled(const Slopes& s) const {
    MatrixXd A = s.A * equations_.typicalTime();
    for (Index i = 0; i < A.rows(); ++i) {
      A.row(i) /= size(s.system.states[i]);
      A.col(i) *= size(s.system.states[i]);
    }
    return A;
  }
  /// The pose moved by a change as J has it, and held coordinates back to where they belong; not
  /// settled.
  RestPose moved(const RestPose& pose, const Slopes& s, const VectorXd& change) const {
    const ReducedSystem& r = s.system;
    const Index ns = std::ssize(r.states);
    VectorXd along = VectorXd::Zero(ns), dz = VectorXd::Zero(ns);
    for (size_t i = 0; i < free_.size(); ++i) {
      along[placeOf(r, free_[i])] = change[i] * rateSize(free_[i]) * equations_.typicalTime();
    }
    for (size_t i = 0; i < parts_.size(); ++i) {
      dz[placeOf(r, parts_[i])] = change[free_.size() + i] * size(parts_[i]);
    }
    if (const std::vector<int> held = heldPositions(); !held.empty()) {
      MatrixXd back(std::ssize(held), std::ssize(drives_));
      for (size_t i = 0; i < held.size(); ++i) {
        for (size_t k = 0; k < drives_.size(); ++k)
          back(i, k) = r.yp(held[i], placeOf(r, drives_[k])) / size(held[i]);
      }
      const VectorXd u = OrthogonalFactors(back, kFlat).leastNorm(drift(pose.point));
      for (size_t k = 0; k < drives_.size(); ++k) along[placeOf(r, drives_[k])] = u[k];
    }
    for (Index i = 0; i < ns; ++i) {
      if (r.states[i] < layout_.nq) dz[i] = r.A.row(i) * along;
    }
    RestPose next = pose;
    add(next.point.y, r.y.leftCols(ns) * dz);
    return next;
  }
  /// The free states near a settled pose.
  LinearModel freeModel(const RestPose& pose, const Slopes& s) const {
    LinearModel m;
    const ReducedSystem& r = s.system;
    m.A = s.A;
    m.B.resize(m.A.rows(), 0);
    for (int u : r.states) {
      const Unknowns::Unknown& unknown = layout_.unknowns[u];
      m.states.push_back({unknown.name, unknown.unit, pose.point.y[u]});
    }
    pairRates(m);
    std::vector<bool> gone(r.states.size(), false);
    for (int v : drives_) {
      const size_t place = placeOf(r, v);
      gone[place] = true;
      if (m.rateOf[place] >= 0) gone[m.rateOf[place]] = true;
    }
    std::vector<int> left;
    std::vector<LinearSignal> states;
    for (size_t i = 0; i < gone.size(); ++i) {
      if (gone[i]) continue;
      left.push_back(i);
      states.push_back(m.states[i]);
    }
    m.A = part(MatrixXd(m.A), left, left);
    m.sizes.resize(m.A.rows());
    for (size_t i = 0; i < left.size(); ++i) m.sizes[i] = size(r.states[left[i]]);
    m.B.resize(m.A.rows(), 0);
    m.states = std::move(states);
    pairRates(m);
    if (r.mass.size() > 0) {
      VectorXd back(s.mass.rows());
      for (Index i = 0; i < back.size(); ++i) back[i] = 1 / rateSize(free_[i]);
      m.mass = back.asDiagonal() * s.mass * back.asDiagonal();
      m.stiffness = part(r.stiffness, s.amongVelocities, left);
    }
    return m;
  }

  int mechanical() const { return std::ssize(free_); }
  bool moves() const { return moves_; }
  /// Velocities (indices into y) that a force holds or keeps, its name, and which of the two it is.
  const std::vector<int>& drives() const { return drives_; }
  DriveName nameOf(int drive) const { return driveName(layout_, movementOf(drive), drive); }
  bool keeps(int drive) const { return among(kept_, drive); }
  /// Those whose rates() are looked at, indices into y.
  std::vector<int> freeStates() const {
    std::vector<int> states = free_;
    states.insert(states.end(), parts_.begin(), parts_.end());
    return states;
  }
  double timeAhead(const MotionPoint& p) const { return reduction_->shortTime(p.yp); }
  /// Throws AnalysisError where a velocity that is to stay does not.
  void checkKept(const MotionPoint& p) const {
    for (int v : kept_) {
      if (std::abs(p.y[v] - targets_[v - layout_.nq]) <= kMoves * size(v)) continue;
      throw AnalysisError(fmt::format(
          "'{}' cannot keep its speed: constraints tie it to others that keep theirs, or to drives",
          layout_.unknowns[v].name));
    }
  }

 private:
  static constexpr double kMoves = 1e-8;   // of a velocity, in the model's own units
  static constexpr double kExact = 1e-13;  // likewise, of what is solved
  static constexpr double kFar = 1e-3;     // likewise: accelerations that matter
  static constexpr int kRounds = 6;        // of holding forces, which are linear but for parts
  // Weights of velocities as states: kept, free, with a position that the start fixes.
  static constexpr double kKept = 1e8, kWanted = 1e4, kFixed = 1e2;

  static bool among(const std::vector<int>& list, int i) {
    return std::ranges::find(list, i) != list.end();
  }

  static void add(std::vector<double>& to, const VectorXd& change) {
    for (size_t i = 0; i < to.size(); ++i) to[i] += change[i];
  }

  /// Rows and columns of a matrix.
  static MatrixXd part(const MatrixXd& A, const std::vector<int>& rows,
                       const std::vector<int>& columns) {
    MatrixXd out(std::ssize(rows), std::ssize(columns));
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t k = 0; k < columns.size(); ++k) out(i, k) = A(rows[i], columns[k]);
    }
    return out;
  }

  double size(int i) const { return equations_.nominal(i); }
  const Movement& movementOf(int velocity) const {
    return *std::ranges::find_if(movements_,
                                 [&](const Movement& m) { return among(m.velocities, velocity); });
  }
  /// How much velocities are wanted as states, where not all are free.
  std::vector<double> wanted() const {
    std::set<std::string, std::less<>> fixed;
    for (const PointStart& s : equations_.starts()) {
      if (s.fixed) fixed.insert(s.name);
    }
    std::vector<double> weights(layout_.size(), 1.0);
    for (const Movement& m : movements_) {
      const bool isFixed = std::ranges::any_of(
          m.positions, [&](int q) { return fixed.contains(layout_.unknowns[q].name); });
      for (int v : m.velocities) weights[v] = m.chosen ? kWanted : isFixed ? kFixed : 1;
    }
    for (int v : kept_) weights[v] = kKept;
    return weights;
  }
  /// Of the velocities that the constraints leave independent those that are neither free nor of parts:
  /// drives hold or keep them.
  void decideDrives(const RestPose& pose) {
    if (kept_.empty() && std::ranges::all_of(movements_, &Movement::chosen)) {
      reduction_.emplace(equations_, std::vector<PointInput>{},
                         std::vector<double>(layout_.size(), 1.0));
      return;
    }
    std::vector<double> weights = wanted();
    reduction_.emplace(equations_, std::vector<PointInput>{}, weights);
    const ReducedSystem r = reduction_->reduce(pose.point);
    for (int s : r.states) {
      if (s < layout_.nq || s >= layout_.xOffset()) continue;
      if (movementOf(s).chosen && !among(kept_, s)) continue;
      drives_.push_back(s);
      weights[s] = kKept;
    }
    reduction_.emplace(equations_, std::vector<PointInput>{}, weights);
  }
  /// A typical one, by the displacement that belongs to it.
  double rateSize(int velocity) const {
    const Movement& m = movementOf(velocity);
    const double displacement = m.velocities.size() == 1 ? size(m.positions.front()) : 1;
    return displacement / equations_.typicalTime();
  }
  /// Places of the states by what they are.
  void sort(const ReducedSystem& r, Slopes& s) {
    free_.clear();
    parts_.clear();
    int velocity = 0;
    for (size_t i = 0; i < r.states.size(); ++i) {
      const int u = r.states[i], place = i;
      if (u < layout_.nq) {
        s.positions.push_back(place);
      } else if (u >= layout_.xOffset()) {
        s.parts.push_back(place);
        parts_.push_back(u);
      } else {
        if (!among(drives_, u)) {
          s.velocities.push_back(place);
          s.amongVelocities.push_back(velocity);
          free_.push_back(u);
        }
        ++velocity;
      }
    }
  }
  /// The projection changes all velocities a little; those that are states have to be what they shall
  /// be, the others follow.
  bool correctVelocities(MotionPoint& p) {
    const ReducedSystem r = reduction_->reduce(p);
    VectorXd change = VectorXd::Zero(std::ssize(r.states));
    double most = 0;
    for (size_t i = 0; i < r.states.size(); ++i) {
      const int s = r.states[i];
      if (s < layout_.nq || s >= layout_.xOffset()) continue;
      const double lack = targets_[s - layout_.nq] - p.y[s];
      change[i] = lack;
      most = std::max(most, std::abs(lack) / size(s));
    }
    if (most < kExact) return true;
    const VectorXd all = r.y.leftCols(change.size()) * change;
    for (int i = layout_.nq; i < layout_.xOffset(); ++i) p.y[i] += all[i];
    return equations_.makeConsistent(p);
  }
  /// Forces along velocities (states, all of them) so that these do not change; the system there.
  bool hold(const std::vector<int>& drives, RestPose& pose, ReducedSystem& r) {
    MotionPoint& p = pose.point;
    const Index nd = std::ssize(drives);
    if (pose.forces.size() != nd) pose.forces.setZero(nd);
    const double time = equations_.typicalTime();
    for (int round = 0; round < kRounds; ++round) {
      reduction_->drive(drives, pose.forces);
      r = reduction_->reduce(p);
      MatrixXd N(nd, nd);
      VectorXd lack(nd);
      double most = 0;
      for (Index k = 0; k < nd; ++k) {
        const int s = drives[k];
        N.row(k) = r.B.row(placeOf(r, s)) * (time / rateSize(s));
        lack[k] = (p.yp[s] + r.missingYp[s]) * time / rateSize(s);
      }
      for (int i = 0; i < layout_.lambdaOffset(); ++i) {
        const double missing =
            layout_.unknowns[i].differential ? r.missingYp[i] * time : r.missingY[i];
        most = std::max(most, std::abs(missing) / size(i));
      }
      if (!lack.allFinite() || !std::isfinite(most)) return false;
      if (most < kExact && lack.cwiseAbs().maxCoeff() < kExact) return true;
      const VectorXd change = OrthogonalFactors(N, kFlat).leastNorm(-lack);
      pose.forces += change;
      add(p.y, r.y.rightCols(nd) * change + r.missingY);
      add(p.yp, r.yp.rightCols(nd) * change + r.missingYp);
    }
    return true;
  }
  int placeOf(const ReducedSystem& r, int unknown) const {
    return std::ranges::find(r.states, unknown) - r.states.begin();
  }
  std::vector<int> heldPositions() const {
    std::vector<int> positions;
    for (const Movement& m : movements_) {
      const auto held = [&](int v) { return among(drives_, v) && !among(kept_, v); };
      if (std::ranges::any_of(m.velocities, held))
        positions.insert(positions.end(), m.positions.begin(), m.positions.end());
    }
    return positions;
  }

  PointEquations equations_;
  const Unknowns& layout_;
  std::vector<Movement> movements_;
  std::vector<int> kept_, drives_;  ///< velocities, indices into y
  std::vector<double> targets_;     ///< per velocity
  std::vector<double> origin_;      ///< y of the start
  std::vector<int> free_, parts_;   ///< free states, indices into y
  std::optional<Reduction> reduction_;
  bool moves_ = false;
};

}  // namespace cardan
