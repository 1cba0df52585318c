/// FreeMotion: six freedoms between two frames; no force passes.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/orientation_states.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/two_tree_frames.h"

namespace cardan {

/// Names of the coordinates of a FreeMotionLaw between frame_a and frame_b.
inline std::vector<UnknownInfo> freeMotionPositions(const OrientationLaw& law) {
  std::vector<UnknownInfo> list;
  addVector(list, "r_rel_a", "m", "position of frame_b, resolved in frame_a");
  list.insert(list.end(), law.positions.begin(), law.positions.end());
  return list;
}
inline std::vector<UnknownInfo> freeMotionVelocities() {
  std::vector<UnknownInfo> list;
  addVector(list, "v_rel_a", "m/s", "velocity of frame_b, resolved in frame_a");
  addVector(list, "w_rel_b", "rad/s", "angular velocity, resolved in frame_b");
  return list;
}

/// Where other joints hold the two frames it adds no equation: it only measures, and says what
/// holds at the start. So all its variables come from the frames, not from its coordinates.
///
/// Unknowns   r_rel_a [m], orientation (Q | T | phi), v_rel_a [m/s], w_rel_b [rad/s]
/// Equations  f_a = f_b = 0;  t_a = t_b = 0   (see FreeMotionLaw)
/// Source     MSL 4.0 Joints.FreeMotion
class FreeMotion final : public ComponentOf<FreeMotion> {
 public:
  struct Parameters {
    StartVector<3> r_rel_a, v_rel_a,
        a_rel_a;  ///< [m], [m/s], [m/s2] origin of frame_b, resolved in frame_a
    OrientationStates orientation;

    Parameters() { orientation.enforceStates = true; }
  };

  FreeMotion() = default;
  explicit FreeMotion(const Parameters& p) : p_(p) {}

  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    r.start("r_rel_a", p_.r_rel_a, "m", "position of frame_b, resolved in frame_a");
    r.start("v_rel_a", p_.v_rel_a, "m/s", "der(r_rel_a)");
    r.start("a_rel_a", p_.a_rel_a, "m/s2", "der(v_rel_a)");
    p_.orientation.readStart(r, "rel_a");
    animation_.color(r, "arrowColor", kSensorColor, "arrow from frame_a to frame_b");
    animation_.specular(r);
    p_.orientation.readStates(r);
    for (StartVector<3>* s : {&p_.r_rel_a, &p_.v_rel_a}) {
      if (s->stateSelect == StateSelect::defaultSelect) {
        s->stateSelect = p_.orientation.enforceStates ? StateSelect::always : StateSelect::prefer;
      }
    }
  }
  void declare(Structure& s) override {
    law_ = p_.orientation.freeMotionLaw();
    frames_.declare(s, *law_.law, freeMotionPositions(law_), freeMotionVelocities());
  }
  void describe(Variables& v) const override {
    v.start("r_rel_a", p_.r_rel_a);
    v.start("v_rel_a", p_.v_rel_a);
    v.start("a_rel_a", p_.a_rel_a);
    v.vector({"r_rel_a", "m", "position of frame_b, resolved in frame_a", Level::Position},
             [this](const auto& x) { return frames_.relativeMotion(x).r_rel; });
    v.vector({"v_rel_a", "m/s", "der(r_rel_a)", Level::Velocity},
             [this](const auto& x) { return frames_.relativeMotion(x).v_rel; });
    v.vector({"a_rel_a", "m/s2", "der(v_rel_a)", Level::Acceleration},
             [this](const auto& x) { return frames_.relativeMotion(x).a_rel; });
    p_.orientation.describeJoint(v, frames_, "w_rel_b", 3);
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    picture::arrow(s, animation_, frames_.frame_a, frames_.frame_b);
  }

 private:
  Parameters p_;
  Animation animation_;
  OrientationLaw law_;
  TwoTreeFrames frames_;
};

}  // namespace cardan
