/// Prismatic joint: frame_b slides along the axis n, which is fixed in frame_a and in frame_b.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/axis_law.h"
#include "components/one_dimensional/joint_drag.h"

namespace cardan {

/// Unknowns   s [m], v [m/s]
/// Equations  der(s) = v;  0 = f + e.f_b   (d'Alembert along the free axis)
/// Source     MSL 4.0 Joints.Prismatic
class Prismatic final : public ComponentOf<Prismatic>,
                        public JointLawOf<Prismatic>,
                        public SlidingLaw {
 public:
  static constexpr int nq = 1, nv = 1;

  struct Parameters {
    bool useAxisFlange = false;
    Vector3d n{1, 0, 0};  ///< [1]  axis of translation, any length but zero, resolved in frame_a
    Coordinate s{"s", "m", "distance between frame_a and frame_b"};
    Coordinate v{"v", "m/s", "velocity"};
    Coordinate a{"a", "m/s2", "acceleration"};
    double s_offset = 0;  ///< [m]  distance between the frames where s = 0; MSL 3.2.3 has it
    bool cut = false;     ///< only closes a loop
    one_dimensional::JointFrictionParameters friction;
    one_dimensional::JointLimitsParameters limits;

    /// Of a part that slides along n and starts as the coordinates of the joint around it say.
    static Parameters along(const Vector3d& n, const Coordinate& s, const Coordinate& v,
                            const Coordinate& a) {
      Parameters p;
      p.n = n;
      p.s = s.start;
      p.v = v.start;
      p.a = a.start;
      return p;
    }
  };

  Prismatic() : Prismatic(Parameters()) {}
  explicit Prismatic(const Parameters& p) : SlidingLaw(p.n, p.s_offset), p_(p) {}

  void read(ParameterReader& r) override {
    r.boolean("useAxisFlange", p_.useAxisFlange, "axis and support flanges are there");
    animation_.boolean(r, "animation", true);
    r.vector("n", p_.n, "1", "axis of translation, resolved in frame_a and frame_b");
    animation_.box(r);
    animation_.specular(r);
    readCoordinates(r, p_.s, p_.v, p_.a);
    r.real("s_offset", p_.s_offset, "m", "distance between frame_a and frame_b where s = 0");
    readCut(r, p_.cut);
    p_.friction.read(r, false);
    p_.limits.read<one_dimensional::TranslationalAxis>(r);
    r.require(p_.n.norm() > 0, "n", "must not be the zero vector");
  }
  void parametersChanged() override { setAxis(p_.n, p_.s_offset); }
  void declare(Structure& s) override {
    const bool hasDrag = p_.friction.isUsed() || p_.limits.isUsed();
    frames_.declare(s, *this, p_.s, p_.v, p_.cut, p_.useAxisFlange || hasDrag);
    if (p_.useAxisFlange) frames_.declareDrive(s, Domain::Translational, "support");
    if (!hasDrag) return;
    one_dimensional::declareDrag<one_dimensional::TranslationalAxis>(
        s, frames_.joint, p_.useAxisFlange, p_.friction, p_.limits, "f_bearing");
  }
  void describe(Variables& v) const override {
    describeCoordinates(v, frames_.joint, p_.s, p_.v, p_.a);
    v.scalar({"f", "N", "driving force along the axis", Level::Force},
             [this](const auto& x) { return -dot(axis_.e, frames_.load_b(x).f); });
    if (p_.friction.isOfLoad()) {
      v.scalar({"f_bearing", "N", "force between the frames, across the axis", Level::Force, true},
               [this](const auto& x) {
                 const auto f = frames_.load_b(x).f;
                 return frames::length(f - axis_.e * dot(axis_.e, f));
               });
    }
    describe::vector(v, "e", "1", "unit axis of translation", [this] { return axis_.e; });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::slider(s, animation_, "box", frames_.frame_a, axis_.e, frames_.frame_b);
  }

  AxisMotion axisMotion() const override { return {AxisMotion::Kind::slide, axis_.e, offset_}; }

  std::string closureName(int row) const override {
    if (row < 2) return "displacement along " + axisName(row == 0 ? axis_.across1 : axis_.across2);
    return rotationName(row - 2);
  }

 private:
  Parameters p_;
  Animation animation_;

  TwoTreeFrames frames_;
};

}  // namespace cardan
