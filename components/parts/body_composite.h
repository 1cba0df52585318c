/// Parts that BodyShape, BodyBox and BodyCylinder consist of: `body` at frame_a, `frameTranslation`
/// to frame_b.
#pragma once

#include <string>

#include "components/interfaces/describe.h"
#include "components/parts/body.h"
#include "components/parts/fixed_translation.h"

namespace cardan {

/// Mass properties of a solid of uniform density with a hole.
struct SolidMass {
  double mo;                      ///< [kg]    of the solid without the hole
  double mi;                      ///< [kg]    of what the hole takes away
  double m;                       ///< [kg]    mo - mi
  frames::Orientation<double> R;  ///<         frame_a -> axes of the solid (x along it)
  Vector3d r_CM;                  ///< [m]     resolved in frame_a
  Matrix3d I;                     ///< [kg.m2] about the centre of mass, resolved in frame_a

  /// The variables mo, mi, m, R, r_CM, I of a "box" or "cylinder"; mass() gives them.
  template <class F>
  static void describe(Variables& v, const std::string& solid, F mass);
};

/// A rigid body with two parallel frames, as MSL composes it.
struct BodyComposite {
  Vector3d r{0, 0, 0};  ///< [m] frame_a to frame_b, resolved in frame_a
  Body::Parameters body;

  void declare(Structure& s) {
    frame_a_ = s.frame("frame_a");
    s.frame("frame_b");
    innerTranslation_ =
        &s.part<FixedTranslation>("frameTranslation", FixedTranslation::Parameters{r});
    innerBody_ = &s.part<Body>("body", body);
    s.connect("frame_a", "frameTranslation.frame_a");
    s.connect("frame_b", "frameTranslation.frame_b");
    s.connect("frame_a", "body.frame_a");
  }
  /// Hands changed parameters to the inner parts.
  void update() {
    if (innerBody_) innerBody_->setParameters(body);
    if (innerTranslation_) innerTranslation_->setOffset(r);
  }
  /// The same, with the mass properties of a solid whose frame_b is at r.
  void update(const Vector3d& r_, const SolidMass& mass) {
    r = r_;
    body.m = mass.m;
    body.r_CM = mass.r_CM;
    body.setI(mass.I);
    update();
  }
  /// r_0, v_0, a_0.
  void describe(Variables& v) const {
    for (const char* name : {"r_0", "v_0", "a_0"}) v.alias(name, std::string("body.") + name);
  }

  FrameId frame_a() const { return frame_a_; }

 private:
  FrameId frame_a_;
  Body* innerBody_ = nullptr;
  FixedTranslation* innerTranslation_ = nullptr;
};

template <class F>
void SolidMass::describe(Variables& v, const std::string& solid, F mass) {
  namespace describe = cardan::describe;
  describe::scalar(v, "mo", "kg", "mass of the " + solid + " without hole",
                   [mass] { return mass().mo; });
  describe::scalar(v, "mi", "kg", "mass of the hole", [mass] { return mass().mi; });
  describe::scalar(v, "m", "kg", "mass of the " + solid, [mass] { return mass().m; });
  describe::orientation(v, "R", "rotation from frame_a to the axes of the " + solid,
                        [mass](const auto&) { return mass().R; });
  describe::vector(v, "r_CM", "m", "frame_a to centre of mass, resolved in frame_a",
                   [mass] { return mass().r_CM; });
  describe::matrix(v, "I", "kg.m2", "inertia tensor about the centre of mass",
                   [mass] { return mass().I; });
}

}  // namespace cardan
