#include "components/joints/free_motion.h"

#include "components/interfaces/picture.h"

namespace cardan {

std::vector<UnknownInfo> freeMotionPositions(const OrientationLaw& law) {
  std::vector<UnknownInfo> list;
  addVector(list, "r_rel_a", "m", "position of frame_b, resolved in frame_a");
  list.insert(list.end(), law.positions.begin(), law.positions.end());
  return list;
}

std::vector<UnknownInfo> freeMotionVelocities() {
  std::vector<UnknownInfo> list;
  addVector(list, "v_rel_a", "m/s", "velocity of frame_b, resolved in frame_a");
  addVector(list, "w_rel_b", "rad/s", "angular velocity, resolved in frame_b");
  return list;
}

void FreeMotion::read(ParameterReader& r) {
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

void FreeMotion::declare(Structure& s) {
  law_ = p_.orientation.freeMotionLaw();
  frames_.declare(s, *law_.law, freeMotionPositions(law_), freeMotionVelocities());
}

void FreeMotion::describe(Variables& v) const {
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

void FreeMotion::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  picture::arrow(s, animation_, frames_.frame_a, frames_.frame_b);
}

}  // namespace cardan
