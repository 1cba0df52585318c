/// Body: a rigid body with mass and inertia tensor; it floats where nothing holds it.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/interfaces/orientation_states.h"
#include "components/laws/body_base.h"

namespace cardan {

/// Unknowns   where it is a root: r_0, orientation (Q | T | phi), v_0, w_a
/// Equations  f = m (T (a_0 - g_0) + z x r_CM + w x (w x r_CM))
///            t = I z + w x (I w) + r_CM x f                      g_0 at the centre of mass
/// Source     MSL 4.0 Parts.Body
class Body final : public ComponentOf<Body> {
 public:
  struct Parameters {
    Vector3d r_CM{0, 0, 0};  ///< [m]  frame_a to centre of mass, resolved in frame_a
    double m = 1;            ///< [kg]
    double I_11 = 0.001, I_22 = 0.001,
           I_33 = 0.001;                  ///< [kg.m2] about the centre of mass, resolved in frame_a
    double I_21 = 0, I_31 = 0, I_32 = 0;  ///< [kg.m2]
    StartVector<3> r_0, v_0, a_0;         ///< [m], [m/s], [m/s2] of frame_a, resolved in world
    OrientationStates orientation;

    // Groups of MSL's parameters, for the bodies with a shape too.
    void readMass(ParameterReader& r);
    void readStart(ParameterReader& r);
    void readStates(ParameterReader& r);
    Matrix3d I() const;
    void setI(const Matrix3d& I);
  };

  Body() = default;
  explicit Body(const Parameters& p) { setParameters(p); }
  /// Also during a run, when a composite's parameters were changed.
  void setParameters(const Parameters& p);

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  void parametersChanged() override;

  std::optional<RigidBody> rigidBody() const override {
    return RigidBody{frame_.frame_a, mass_.m, mass_.r_CM, mass_.I};
  }
  template <class S>
  void physics(View<S>& x) const {
    mass_.addInertia(frame_.frame_a, x);
  }

 private:
  Parameters p_;
  Animation animation_;
  BodyBase mass_;  ///< derived from p_
  OneFrame_a frame_;
  OrientationLaw rootLaw_;
  JointId root_;
};

}  // namespace cardan
