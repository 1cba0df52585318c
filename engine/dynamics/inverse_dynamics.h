/// InverseDynamics: the forces that a given motion needs.
#pragma once

#include <Eigen/Core>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/dynamics/evaluation_point.h"

namespace cardan {

/// The motion cannot be made: it does not fit the loops, leaves something open, or no force of the
/// actuators makes it.
class InverseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// At each instant: coordinates that are not given follow from the constraints, by Newton's method
/// for positions, linear equations for velocities and accelerations. Then
///
///   M(q) der(v) + h(q, v) - f = G' lambda + B u
///
/// is solved for the forces u of the actuators along their velocities: of those that do, in the
/// directions that the constraints leave free, the ones of least norm. f are the forces of the
/// model's own parts.
///
/// A coordinate is called by its velocity, an index into v: that of a scalar position, or one of those
/// of an orientation, whose positions (a quaternion) are given as a whole.
class InverseDynamics {
 public:
  /// `positions`: those that are given, as indices into q; of coordinates that loops tie to each
  /// other at the assembled pose (t, y), later ones follow from earlier ones, see given(). Throws
  /// InverseError for models with angles as orientations, unknowns or modes of parts.
  InverseDynamics(const Equations& equations, const std::vector<int>& positions, double t,
                  const std::vector<double>& y);

  /// Coordinates that determine the motion, and their positions: the values of solve() belong to
  /// them. They are the actuators, unless others are named.
  const std::vector<int>& given() const { return given_; }
  const std::vector<int>& positions() const { return positions_; }
  void setActuators(std::vector<int> coordinates) { actuators_ = std::move(coordinates); }
  const std::vector<int>& actuators() const { return actuators_; }

  /// At t [s], with the values of the given positions, velocities and accelerations; y and yp of
  /// length n are guesses, and hold the whole motion and the multipliers afterwards. Quaternions are
  /// brought to length 1. Throws InverseError.
  void solve(double t, std::span<const double> q, std::span<const double> v,
             std::span<const double> a, std::vector<double>& y, std::vector<double>& yp);

  /// The same without forces: for the way to the first pose.
  void close(double t, std::span<const double> q, std::span<const double> v,
             std::span<const double> a, std::vector<double>& y, std::vector<double>& yp);

  /// Forces of the actuators [N | N.m] at the last instant.
  const Eigen::VectorXd& forces() const { return forces_; }

  /// "r1.phi", or "ball.w_rel[1]"
  const std::string& nameOf(int v) const;

 private:
  void refuseWhatIsNotTaken() const;
  void chooseIndependent(const std::vector<int>& positions, double t, const std::vector<double>& y);
  Eigen::MatrixXd velocityRows(const std::vector<int>& coordinates, double t,
                               const std::vector<double>& y, const std::vector<double>& yp);
  int undetermined(const Eigen::MatrixXd& G) const;
  void closePositions(double t, std::vector<double>& y, const std::vector<double>& yp);
  void closeRates(double t, std::vector<double>& y, std::vector<double>& yp);
  void findForces(double t, std::vector<double>& y, const std::vector<double>& yp);
  /// Rates of all positions where one coordinate alone has a velocity of 1: its direction.
  std::vector<double> directionOf(int v, const std::vector<double>& y) const;
  void normaliseQuaternions(std::vector<double>& y) const;
  [[noreturn]] void fail(double t, const std::string& why) const;

  EvaluationPoint at_;
  std::vector<int> given_, positions_, open_, actuators_;
  std::vector<int> positionOf_;    ///< of a coordinate, -1: one of an orientation
  std::vector<int> positionRows_;  ///< multipliers with a row on position level
  Eigen::VectorXd forces_;
};

}  // namespace cardan
