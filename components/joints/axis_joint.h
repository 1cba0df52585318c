/// AxisJoint: what Revolute and Prismatic share: one freedom, about or along an axis n that is fixed in
/// frame_a and in frame_b.
#pragma once

#include <string>

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/axis_law.h"
#include "components/one_dimensional/joint_drag.h"

namespace cardan {

/// Law: TurningLaw or SlidingLaw; Axis: its names and units.
template <class Derived, class Law, class Axis>
class AxisJoint : public ComponentOf<Derived>, public JointLawOf<Derived>, public Law {
 public:
  static constexpr int nq = 1, nv = 1;
  static constexpr bool kTurns = Axis::domain == Domain::Rotational;

  struct Parameters {
    bool useAxisFlange = false;
    /// [1]  axis, any length but zero, resolved in frame_a
    Vector3d n = kTurns ? Vector3d(0, 0, 1) : Vector3d(1, 0, 0);
    Coordinate q{Axis::position, Axis::positionUnit,
                 kTurns ? "angle" : "distance between frame_a and frame_b"};
    Coordinate v{Axis::velocity, Axis::velocityUnit, Axis::velocityWord};
    Coordinate a{Axis::acceleration, Axis::accelerationUnit, Axis::accelerationWord};
    double offset = 0;     ///< [rad | m]  between the frames where q = 0; MSL 3.2.3 has it
    bool cut = false;      ///< only closes a loop
    bool thrust = kTurns;  ///< friction comes from the force along the axis, too
    one_dimensional::JointFrictionParameters friction;
    one_dimensional::JointLimitsParameters limits;

    /// Of a part that moves about or along n and starts as the coordinates of the joint around it say.
    static Parameters along(const Vector3d& n, const Coordinate& q, const Coordinate& v,
                            const Coordinate& a) {
      Parameters p;
      p.n = n;
      p.q = q.start;
      p.v = v.start;
      p.a = a.start;
      return p;
    }
  };

  AxisJoint() : AxisJoint(Parameters()) {}
  explicit AxisJoint(const Parameters& p) : Law(p.n, p.offset), p_(p) {}

  void read(ParameterReader& r) override {
    r.boolean("useAxisFlange", p_.useAxisFlange, "axis and support flanges are there");
    animation_.boolean(r, "animation", true);
    r.vector("n", p_.n, "1", "axis of " + motion() + ", resolved in frame_a and frame_b");
    if constexpr (kTurns) {
      animation_.cylinder(r);
    } else {
      animation_.box(r);
    }
    animation_.specular(r);
    readCoordinates(r, p_.q, p_.v, p_.a);
    const std::string position = Axis::position;
    r.real(position + "_offset", p_.offset, Axis::positionUnit,
           std::string(kTurns ? "angle from frame_a to frame_b" : p_.q.about) + " where " +
               position + " = 0");
    readCut(r, p_.cut);
    p_.friction.read(r, kTurns);
    p_.limits.template read<Axis>(r);
    r.require(p_.n.norm() > 0, "n", "must not be the zero vector");
  }
  void parametersChanged() override { this->setAxis(p_.n, p_.offset); }
  void declare(Structure& s) override {
    const bool hasDrag = p_.friction.isUsed() || p_.limits.isUsed();
    frames_.declare(s, *this, p_.q, p_.v, p_.cut, p_.useAxisFlange || hasDrag);
    if (p_.useAxisFlange) frames_.declareDrive(s, Axis::domain, "support");
    if (!hasDrag) return;
    one_dimensional::declareDrag<Axis>(s, frames_.joint, p_.useAxisFlange, p_.friction, p_.limits,
                                       "f_bearing");
  }
  void describe(Variables& v) const override {
    describeCoordinates(v, frames_.joint, p_.q, p_.v, p_.a);
    v.scalar({Axis::flow, Axis::flowUnit,
              std::string("driving ") + Axis::flowWord + " along the axis", Level::Force},
             [this](const auto& x) {
               const auto load = frames_.load_b(x);
               return -dot(axis_.e, kTurns ? load.t : load.f);
             });
    if constexpr (kTurns) {
      if (p_.offset == 0) {
        v.alias("angle", "phi");
      } else {
        v.scalar({"angle", "rad", "phi + phi_offset", Level::Position},
                 [this](const auto& x) { return x.joint(frames_.joint).q[0] + p_.offset; });
      }
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
    describe::vector(v, "e", "1", "unit axis of " + motion(), [this] { return axis_.e; });
    if constexpr (kTurns) {
      describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                            [this](const auto& x) { return frames_.relativeRotation(x); });
    }
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    if constexpr (kTurns) {
      picture::pin(s, animation_, frames_.frame_a, axis_.e);
    } else {
      picture::slider(s, animation_, "box", frames_.frame_a, axis_.e, frames_.frame_b);
    }
  }

  AxisMotion axisMotion() const override {
    return {kTurns ? AxisMotion::Kind::turn : AxisMotion::Kind::slide, axis_.e, this->offset_};
  }

  /// Its place in the model, once declared.
  JointId joint() const { return frames_.joint; }

 protected:
  using Law::axis_;

 private:
  static std::string motion() { return kTurns ? "rotation" : "translation"; }

  Parameters p_;
  Animation animation_;
  TwoTreeFrames frames_;
};

}  // namespace cardan
