/// Constraint: what the joints of MSL's Joints.Constraints share.
#pragma once

#include <string>

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/closure_rows.h"

namespace cardan::constraints {

/// A joint without coordinates: directions of frame_a in which frame_b is held, and rotations.
///
/// Derived adds `rotations`, the number of its rotation rows, closeRotation(m, rows) and
/// rotationName(i).
/// Source  MSL 4.0 Interfaces.PartialConstraint
template <class Derived>
class Constraint : public ComponentOf<Derived>, public ClosureLawOf<Derived> {
 public:
  void declare(Structure& s) override { frames_.declareCut(s, *this); }
  void describe(Variables& v) const override {
    describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                          [this](const auto& x) { return frames_.relativeRotation(x); });
    v.vector({"r_rel_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
             [this](const auto& x) { return frames_.relativeMotion(x).r_rel; });
  }

  void picture(Shapes& s) const override {
    if (animation_.shown()) picture::sphere(s, animation_, frames_.frame_a);
  }

  int closures() const override {
    return locked_[0] + locked_[1] + locked_[2] + Derived::rotations;
  }
  std::string closureName(int row) const override {
    for (int i = 0; i < 3; ++i) {
      if (locked_[i] && row-- == 0) return displacementName(i);
    }
    return static_cast<const Derived&>(*this).rotationName(row);
  }
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    for (int i = 0; i < 3; ++i) {
      if (locked_[i]) rows.position(m.r_rel[i], Vector3<S>::Unit(i));
    }
    static_cast<const Derived&>(*this).closeRotation(m, rows);
  }

 protected:
  void readLocks(ParameterReader& r) {
    r.boolean("x_locked", locked_[0], "frame_b is held along the x axis of frame_a");
    r.boolean("y_locked", locked_[1], "frame_b is held along the y axis of frame_a");
    r.boolean("z_locked", locked_[2], "frame_b is held along the z axis of frame_a");
    animation_.boolean(r, "animation", true);
  }
  void readSphere(ParameterReader& r) {
    animation_.sphere(r, r.world().defaultJointLength / 3, "world.defaultJointLength/3",
                      kJointColor);
    animation_.specular(r);
  }

  TwoTreeFrames frames_;

 private:
  bool locked_[3] = {true, true, true};  ///< along x, y, z of frame_a
  Animation animation_;
};

}  // namespace cardan::constraints
