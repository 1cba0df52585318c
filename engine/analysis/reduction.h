/// Reduction: the linearised equations of a point in as few states as they have freedoms.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "engine/motion_point.h"

namespace cardan {

/// dz' = A dz + B du, and what every unknown does with z and u.
struct ReducedSystem {
  std::vector<int> states;  ///< indices into y
  Eigen::MatrixXd A;        ///< states x states
  Eigen::MatrixXd B;        ///< states x inputs, drives behind them
  Eigen::MatrixXd y, yp;    ///< length of y x (states + inputs): derivatives of y and y'
  /// What y and y' lack where forces of drives act; empty without drives.
  Eigen::VectorXd missingY, missingYp;
  Eigen::MatrixXd mass;         ///< of the velocities among the states, in their order
  Eigen::MatrixXd stiffness;    ///< -d(forces along these velocities)/d(states), as long as `mass`
  std::vector<bool> needsRate;  ///< per input: the motion follows it, so that its rates matter
  bool hidden = false;          ///< some equations tie states to each other
  /// The whole of it: E x' = A x + B u, x = all unknowns and multipliers (columns of
  /// PointDerivatives), velocity rows and norms differentiated once.
  Eigen::MatrixXd fullE, fullA, fullB;
};

/// What depends on the structure alone: which states are wanted rather than others.
///
/// The accelerations, multipliers and algebraic unknowns follow from the equations with velocity
/// rows (and norms of quaternions) differentiated once; this is solved exactly, with the derivatives
/// of the multipliers' loads (geometric stiffness) among the rows. What the constraints leave of
/// positions and velocities is the null space of position rows, norms and velocity rows. Of all
/// unknowns those become states that are preferred and far from dependent. Along a motion the
/// derivatives of constraints change: their rates are differences of sixth order of exact ones.
class Reduction {
 public:
  /// `weights`: per element of y, > 1 for unknowns that shall be states.
  Reduction(const PointEquations& equations, const std::vector<PointInput>& inputs,
            std::vector<double> weights);

  /// From now on forces [N | N.m] act along these velocities (indices into y).
  void drive(const std::vector<int>& velocities, const Eigen::VectorXd& forces) {
    drives_ = velocities;
    forces_ = forces;
  }

  /// At a consistent point (accelerations and multipliers, too); `states` fixes the choice. Throws
  /// AnalysisError where the equations leave something open.
  ReducedSystem reduce(const MotionPoint& point, const std::vector<int>* states = nullptr);

  PointDerivatives& derivatives() { return derivatives_; }
  /// [s] In this time no unknown moves more than a hundredth of its typical size.
  double shortTime(const std::vector<double>& yp) const;

 private:
  struct Matrices {
    Eigen::MatrixXd E, K, U;
    Eigen::VectorXd F;
  };
  Matrices matricesAt(const MotionPoint& point);
  void collect(const Matrices& m);
  void addDrives(Matrices& m) const;
  Eigen::MatrixXd constraintRates(const MotionPoint& point);
  void writePencil(const Matrices& m, const Eigen::MatrixXd& rates, Eigen::MatrixXd& P,
                   Eigen::MatrixXd& R, ReducedSystem& out) const;
  void solveRates(const Matrices& m, const Eigen::MatrixXd& rates, ReducedSystem& out);
  void solveHiddenRates(Eigen::MatrixXd P, Eigen::MatrixXd R, ReducedSystem& out);
  void takeRates(const Eigen::MatrixXd& X);
  void addHiddenRows(const Eigen::MatrixXd& rows, Eigen::MatrixXd& P, Eigen::MatrixXd& R);
  Eigen::MatrixXd constraints(const Eigen::MatrixXd& K) const;
  void chooseStates(const Eigen::MatrixXd& J, const Eigen::MatrixXd& basis,
                    const std::vector<int>* states, ReducedSystem& out);
  std::vector<int> independentVelocities(const Eigen::MatrixXd& J) const;
  Eigen::MatrixXd forcesByStates(const Matrices& m, const std::vector<int>& rows,
                                 const ReducedSystem& out) const;
  void setMass(const Matrices& m, const Eigen::MatrixXd& J, ReducedSystem& out);

  PointEquations equations_;
  PointDerivatives derivatives_;
  Eigen::Index inputs_;
  std::vector<double> weights_;
  std::vector<int> drives_;
  Eigen::VectorXd forces_;
  std::vector<int> differential_;  ///< columns whose rate is found
  std::vector<int> algebraic_;     ///< the others
  std::vector<int> place_;         ///< per column: in the one list or the other
  std::vector<bool> isDifferential_;
  std::vector<int> differentiated_;      ///< rows that hold once differentiated
  Eigen::VectorXd sizes_;                ///< typical ones of the differential columns
  Eigen::MatrixXd hiddenRows_;           ///< further constraints among the differential columns
  Eigen::MatrixXd byStates_, byInputs_;  ///< rates or values of the columns
};

}  // namespace cardan
