/// BodyBase: mass and inertia of a rigid body about a frame that is fixed in it.
#pragma once

#include "components/principal_moments.h"
#include "components/variables.h"
#include "components/view.h"

namespace cardan {

/// Force and torque that move a body, and its energy and momentum (older BodyBase; Body, Rotor1D,
/// rods with mass).
struct BodyBase {
  double m = 1;            ///< [kg]
  Vector3d r_CM{0, 0, 0};  ///< [m]      origin of frame_a to centre of mass, resolved in frame_a
  Matrix3d I =
      Matrix3d::Identity() * 0.001;  ///< [kg.m2] about the centre of mass, resolved in frame_a

  template <class S>
  Vector3<S> centreOfMass(const FrameState<S>& a) const {
    return a.r_0 + frames::resolve1(a.R, r_CM);
  }

  /// Newton and Euler about frame_a, with gravity g_0 at the centre of mass:
  ///   f = m (T (a_0 - g_0) + z x r_CM + w x (w x r_CM))
  ///   t = I z + w x (I w) + r_CM x f
  template <class S>
  void addInertia(FrameId frame_a, View<S>& x) const {
    const FrameState<S>& a = x.frame(frame_a);
    const Vector3<S>& w = frames::angularVelocity2(a.R);
    const Vector3<S> g_0 = x.world().gravityAcceleration(centreOfMass(a));
    const Vector3<S> f =
        (frames::resolve2(a.R, a.a_0 - g_0) + cross(a.z_a, r_CM) + cross(w, cross(w, r_CM))) * m;
    const Vector3<S> t = multiply(I, a.z_a) + cross(w, multiply(I, w)) + cross(r_CM, f);
    x.addLoad(frame_a, f, t);
  }

  template <class S>
  MechanicalSums<S> sums(FrameId frame_a, const View<S>& x) const {
    const FrameState<S>& a = x.frame(frame_a);
    const Vector3<S>& w = frames::angularVelocity2(a.R);
    const Vector3<S> Iw = multiply(I, w);
    const Vector3<S> r_C = centreOfMass(a);
    const Vector3<S> v_C = a.v_0 + frames::resolve1(a.R, cross(w, r_CM));
    MechanicalSums<S> sum;
    sum.kineticEnergy = 0.5 * (m * dot(v_C, v_C) + dot(w, Iw));
    sum.potentialEnergy = m * x.world().gravityPotential(r_C);
    sum.p_0 = v_C * m;
    sum.L_0 = cross(r_C, sum.p_0) + frames::resolve1(a.R, Iw);
    return sum;
  }

  /// Smallest eigenvalue of I [kg.m2].
  double smallestInertia() const { return principalMoments(I)[0]; }
};

}  // namespace cardan
