/// Revolute joint: frame_b turns about the axis n, which is fixed in frame_a and in frame_b.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/axis_law.h"
#include "components/one_dimensional/joint_drag.h"

namespace cardan {

/// Unknowns   phi [rad], w [rad/s]
/// Equations  der(phi) = w;  0 = tau + e.t_b   (d'Alembert along the free axis)
/// Source     MSL 4.0 Joints.Revolute
class Revolute final : public ComponentOf<Revolute>,
                       public JointLawOf<Revolute>,
                       public TurningLaw {
 public:
  static constexpr int nq = 1, nv = 1;

  struct Parameters {
    bool useAxisFlange = false;
    Vector3d n{0, 0, 1};  ///< [1]  axis of rotation, any length but zero, resolved in frame_a
    Coordinate phi{"phi", "rad", "angle"};
    Coordinate w{"w", "rad/s", "angular velocity"};
    Coordinate a{"a", "rad/s2", "angular acceleration"};
    double phi_offset = 0;  ///< [rad]  angle between the frames where phi = 0; MSL 3.2.3 has it
    bool cut = false;       ///< only closes a loop
    bool thrust = true;     ///< friction comes from the force along the axis, too
    one_dimensional::JointFrictionParameters friction;
    one_dimensional::JointLimitsParameters limits;

    /// Of a part that turns about n and starts as the coordinates of the joint around it say.
    static Parameters about(const Vector3d& n, const Coordinate& phi, const Coordinate& w,
                            const Coordinate& a) {
      Parameters p;
      p.n = n;
      p.phi = phi.start;
      p.w = w.start;
      p.a = a.start;
      return p;
    }
  };

  Revolute() : Revolute(Parameters()) {}
  explicit Revolute(const Parameters& p) : TurningLaw(p.n, p.phi_offset), p_(p) {}

  void read(ParameterReader& r) override {
    r.boolean("useAxisFlange", p_.useAxisFlange, "axis and support flanges are there");
    animation_.boolean(r, "animation", true);
    r.vector("n", p_.n, "1", "axis of rotation, resolved in frame_a and frame_b");
    animation_.cylinder(r);
    animation_.specular(r);
    readCoordinates(r, p_.phi, p_.w, p_.a);
    r.real("phi_offset", p_.phi_offset, "rad", "angle from frame_a to frame_b where phi = 0");
    readCut(r, p_.cut);
    p_.friction.read(r, true);
    p_.limits.read<one_dimensional::RotationalAxis>(r);
    r.require(p_.n.norm() > 0, "n", "must not be the zero vector");
  }
  void parametersChanged() override { setAxis(p_.n, p_.phi_offset); }
  void declare(Structure& s) override {
    const bool hasDrag = p_.friction.isUsed() || p_.limits.isUsed();
    frames_.declare(s, *this, p_.phi, p_.w, p_.cut, p_.useAxisFlange || hasDrag);
    if (p_.useAxisFlange) frames_.declareDrive(s, Domain::Rotational, "support");
    if (!hasDrag) return;
    one_dimensional::declareDrag<one_dimensional::RotationalAxis>(
        s, frames_.joint, p_.useAxisFlange, p_.friction, p_.limits, "f_bearing");
  }
  void describe(Variables& v) const override {
    describeCoordinates(v, frames_.joint, p_.phi, p_.w, p_.a);
    v.scalar({"tau", "N.m", "driving torque along the axis", Level::Force},
             [this](const auto& x) { return -dot(axis_.e, frames_.load_b(x).t); });
    if (p_.phi_offset == 0) {
      v.alias("angle", "phi");
    } else {
      v.scalar({"angle", "rad", "phi + phi_offset", Level::Position},
               [this](const auto& x) { return x.joint(frames_.joint).q[0] + p_.phi_offset; });
    }
    if (p_.friction.isOfLoad()) {
      v.scalar(
          {"f_bearing", "N",
           p_.thrust ? "force between the frames" : "force between the frames, across the axis",
           Level::Force, true},
          [this](const auto& x) {
            const auto f = frames_.load_b(x).f;
            return p_.thrust ? frames::length(f) : frames::length(f - axis_.e * dot(axis_.e, f));
          });
    }
    describe::vector(v, "e", "1", "unit axis of rotation", [this] { return axis_.e; });
    describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                          [this](const auto& x) { return frames_.relativeRotation(x); });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::pin(s, animation_, frames_.frame_a, axis_.e);
  }

  AxisMotion axisMotion() const override { return {AxisMotion::Kind::turn, axis_.e, offset_}; }

  /// Its place in the model, once declared.
  JointId joint() const { return frames_.joint; }

  std::string closureName(int row) const override {
    if (row < 3) return displacementName(row);
    return "rotation about " + axisName(row == 3 ? axis_.across2 : axis_.across1);
  }

 private:
  Parameters p_;
  Animation animation_;

  TwoTreeFrames frames_;
};

}  // namespace cardan
