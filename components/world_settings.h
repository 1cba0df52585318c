/// World: gravity, defaults of animation and drive trains, as every component may read them.
#pragma once

#include <memory>

#include "frames/frames.h"

namespace cardan {

enum class GravityType { NoGravity, UniformGravity, PointGravity };

/// A field of gravity that replaces World's own (redeclared gravityAcceleration).
class GravityField {
 public:
  virtual ~GravityField() = default;
  /// Acceleration [m/s2] at position r_0 [m], both resolved in world.
  virtual Vector3<double> acceleration(const Vector3<double>& r_0) const = 0;
  virtual Vector3<Dual> acceleration(const Vector3<Dual>& r_0) const = 0;
  /// Potential [J/kg] there, zero at the origin.
  virtual double potential(const Vector3<double>& r_0) const = 0;
  virtual Dual potential(const Vector3<Dual>& r_0) const = 0;
};

/// Parameters of MSL's World that other components read.
class WorldSettings {
 public:
  GravityType gravityType = GravityType::UniformGravity;
  double g = 9.80665;          ///< [m/s2]  acceleration of uniform gravity
  Vector3d n{0, -1, 0};        ///< [1]     its direction, any length but zero, resolved in world
  double mu = 3.986004418e14;  ///< [m3/s2] field constant of point gravity
  std::shared_ptr<const GravityField> field;  ///< not null: replaces all of the above
  bool driveTrainMechanics3D = true;
  bool enableAnimation = true;  ///< components are shown

  double nominalLength = 1;              ///< [m]
  double defaultAxisLength = 0.2;        ///< [m] nominalLength/5
  double defaultJointLength = 0.1;       ///< [m] nominalLength/10
  double defaultJointWidth = 0.05;       ///< [m] nominalLength/20
  double defaultForceLength = 0.1;       ///< [m] nominalLength/10
  double defaultForceWidth = 0.05;       ///< [m] nominalLength/20
  double defaultBodyDiameter = 1.0 / 9;  ///< [m] nominalLength/9
  double defaultWidthFraction = 20;
  double defaultArrowDiameter = 1.0 / 40;  ///< [m] nominalLength/40
  double defaultFrameDiameterFraction = 40;
  double defaultSpecularCoefficient = 0.7;
  double defaultN_to_m = 1000;   ///< [N/m]
  double defaultNm_to_m = 1000;  ///< [N.m/m]

  /// Gravity acceleration [m/s2] at position r_0 [m], both resolved in world (MSL's
  /// World.gravityAcceleration).
  template <class S>
  Vector3<S> gravityAcceleration(const Vector3<S>& r_0) const {
    if (field) return field->acceleration(r_0);
    switch (gravityType) {
      case GravityType::NoGravity:
        return Vector3<S>::Zero();
      case GravityType::UniformGravity:
        return uniform_.template cast<S>();
      case GravityType::PointGravity:
        break;
    }
    const S square = r_0.dot(r_0);
    using std::sqrt;
    return r_0 * (-mu / (square * sqrt(square)));
  }

  /// Potential [J/kg] of gravity at r_0, zero at the origin, or at infinity (point).
  template <class S>
  S gravityPotential(const Vector3<S>& r_0) const {
    using std::sqrt;
    if (field) return field->potential(r_0);
    if (gravityType == GravityType::NoGravity) return S(0);
    if (gravityType == GravityType::UniformGravity) return S(-r_0.dot(uniform_.template cast<S>()));
    return S(-mu) / sqrt(r_0.dot(r_0));
  }

  /// To be called after g or n were changed.
  void prepare() { uniform_ = g * frames::normalize(n); }

 private:
  Vector3d uniform_{0, -9.80665, 0};
};

}  // namespace cardan
