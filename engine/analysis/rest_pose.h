/// RestPose: poses at rest, some coordinates held and some moving steadily, with what their rates
/// depend on.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/linear_model.h"
#include "engine/analysis/movements.h"
#include "engine/analysis/reduction.h"

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
  /// `free`: globs of coordinates that may move, none: all; `steady`: of velocities that stay what they
  /// are at the start.
  RestConditions(const PointEquations& equations, const std::vector<std::string>& free,
                 const std::vector<std::string>& steady);

  /// The start, settled; decides what is held. Throws AnalysisError where it cannot be.
  RestPose begin(const MotionPoint& start);
  /// Positions onto their constraints, velocities, accelerations, forces. False: not possible there.
  bool settle(RestPose& pose);
  /// Rates of the free states at a pose that is settled: velocities, then states of parts.
  Eigen::VectorXd rates(const MotionPoint& p) const;
  /// How far held coordinates are from where they belong.
  Eigen::VectorXd drift(const MotionPoint& p) const;

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
  Slopes slopes(const RestPose& pose, const std::vector<int>* states = nullptr);
  /// A in the model's own units and time.
  Eigen::MatrixXd scaled(const Slopes& s) const;
  /// The pose moved by a change as J has it, and held coordinates back to where they belong; not
  /// settled.
  RestPose moved(const RestPose& pose, const Slopes& s, const Eigen::VectorXd& change) const;
  /// The free states near a settled pose.
  LinearModel freeModel(const RestPose& pose, const Slopes& s) const;

  int mechanical() const { return std::ssize(free_); }
  bool moves() const { return moves_; }
  /// Velocities (indices into y) that a force holds or keeps, its name, and which of the two it is.
  const std::vector<int>& drives() const { return drives_; }
  DriveName nameOf(int drive) const { return driveName(layout_, movementOf(drive), drive); }
  bool keeps(int drive) const;
  /// Those whose rates() are looked at, indices into y.
  std::vector<int> freeStates() const;
  double timeAhead(const MotionPoint& p) const { return reduction_->shortTime(p.yp); }
  /// Throws AnalysisError where a velocity that is to stay does not.
  void checkKept(const MotionPoint& p) const;

 private:
  double size(int i) const { return equations_.nominal(i); }
  const Movement& movementOf(int velocity) const;
  std::vector<double> wanted() const;
  void decideDrives(const RestPose& pose);
  /// A typical one, by the displacement that belongs to it.
  double rateSize(int velocity) const;
  void sort(const ReducedSystem& r, Slopes& s);
  bool correctVelocities(MotionPoint& p);
  bool hold(const std::vector<int>& drives, RestPose& pose, ReducedSystem& system);
  int placeOf(const ReducedSystem& r, int unknown) const;
  std::vector<int> heldPositions() const;

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
