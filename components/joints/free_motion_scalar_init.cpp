#include "components/joints/free_motion_scalar_init.h"

#include <fmt/format.h>

#include <algorithm>

#include "components/interfaces/coordinate.h"
#include "components/interfaces/picture.h"

namespace cardan {

void FreeMotionScalarInit::readGroup(ParameterReader& r, Group& g, const std::string& flag,
                                     const std::string& name, const char* unit,
                                     bool hasStateSelect) {
  r.boolean(flag, g.use, name + "_1, _2, _3 are there");
  for (int i = 0; i < 3; ++i) {
    StartValue& x = g.values[i];
    const std::string key = name + "_" + std::to_string(i + 1);
    r.start(key, x, unit, "start value of the output");
    if (hasStateSelect) {
      StateSelect s = StateSelect::never;
      readStateSelect(r, key + "_stateSelect", s);
      if (x.stateSelect == StateSelect::defaultSelect) x.stateSelect = s;
    }
  }
}

void FreeMotionScalarInit::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  readGroup(r, r_rel_a_, "use_r", "r_rel_a", "m", true);
  readGroup(r, v_rel_a_, "use_v", "v_rel_a", "m/s", true);
  readGroup(r, a_rel_a_, "use_a", "a_rel_a", "m/s2", false);
  r.integers("sequence_start", sequence_start_, "axes of the angles from frame_a to frame_b");
  readGroup(r, angle_, "use_angle", "angle", "rad", true);
  readGroup(r, angle_d_, "use_angle_d", "angle_d", "rad/s", true);
  readGroup(r, angle_dd_, "use_angle_dd", "angle_dd", "rad/s2", false);
  readGroup(r, w_rel_b_, "use_w", "w_rel_b", "rad/s", true);
  readGroup(r, z_rel_b_, "use_z", "z_rel_b", "rad/s2", false);
  animation_.color(r, "arrowColor", kSensorColor, "arrow from frame_a to frame_b");
  animation_.specular(r);

  const auto& q = sequence_start_;
  if (!r.require(std::ranges::all_of(q, [](int i) { return 1 <= i && i <= 3; }) && q[0] != q[1] &&
                     q[1] != q[2],
                 "sequence_start", "must consist of 1, 2 and 3, neighbours different")) {
    sequence_start_ = frames::kCardanSequence;
  }
  // What rests on what: a derivative is there only with what it is the derivative of.
  r_rel_a_.shown = r_rel_a_.use;
  v_rel_a_.shown = r_rel_a_.shown && v_rel_a_.use;
  a_rel_a_.shown = v_rel_a_.shown && a_rel_a_.use;
  angle_.shown = angle_.use;
  angle_d_.shown = angle_.shown && angle_d_.use;
  angle_dd_.shown = angle_d_.shown && angle_dd_.use;
  w_rel_b_.shown = w_rel_b_.use;
  z_rel_b_.shown = w_rel_b_.shown && z_rel_b_.use;

  const bool angleStates =
      angle_.shown && std::ranges::any_of(angle_.values, [](const StartValue& x) {
        return x.stateSelect >= StateSelect::prefer;
      });
  orientation_.orientationStates =
      angleStates ? OrientationForm::angles : OrientationForm::quaternions;
  orientation_.sequence_start = orientation_.sequence_angleStates = sequence_start_;
  orientation_.angles_start = angle_.starts();
}

void FreeMotionScalarInit::declare(Structure& s) {
  law_ = orientation_.freeMotionLaw();
  std::vector<UnknownInfo> positions = freeMotionPositions(law_),
                           velocities = freeMotionVelocities();
  // What its outputs begin with, where nothing else says.
  const Vector3d w =
      frames::Internal::from_anglesd(sequence_start_, orientation_.angles_start, angle_d_.starts());
  for (int i = 0; i < 3; ++i) {
    positions[i].start = r_rel_a_.starts()[i];
    velocities[i].start = v_rel_a_.starts()[i];
    const bool isGiven = w_rel_b_.shown && w_rel_b_.values[i].given;
    velocities[3 + i].start = isGiven ? w_rel_b_.starts()[i] : w[i];
  }
  frames_.declare(s, *law_.law, positions, velocities);
}

template <class F>
void FreeMotionScalarInit::output(Variables& v, const Group& g, const std::string& name,
                                  const char* inner, const char* unit, Level level, F f,
                                  const char* derivative) const {
  if (!g.shown) return;
  for (int i = 0; i < 3; ++i) {
    const std::string key = name + "_" + std::to_string(i + 1);
    VariableInfo info{key, unit, "element of the motion of frame_b relative to frame_a", level};
    info.output = true;
    info.remembers = &g == &angle_ || &g == &angle_d_ || &g == &angle_dd_;
    v.scalar(info, [f, i](const auto& x) {
      const auto element = f(x);
      return std::decay_t<decltype(x.time())>(element[i]);
    });
    v.start(key, g.values[i]);
    v.alias(fmt::format(fmt::runtime(inner), i + 1), key);
    // MSL's derivative blocks read it, where there is one.
    if (derivative) v.alias(fmt::format("{}[{}].u", derivative, i + 1), key);
  }
}

void FreeMotionScalarInit::describe(Variables& v) const {
  const RememberedAngles remembered =
      rememberAngles(v, sequence_start_, orientation_.angles_start,
                     [this](const auto& x) { return frames_.relativeRotation(x); });
  const auto angles = [this, remembered](const auto& x) {
    const auto m = frames_.relativeMotion(x);
    return remembered.motion(x, m.R_rel, m.z_rel);
  };
  output(
      v, r_rel_a_, "r_rel_a", "initPosition.r_rel_a[{}]", "m", Level::Position,
      [this](const auto& x) { return frames_.relativeMotion(x).r_rel; },
      v_rel_a_.shown ? "derv" : nullptr);
  output(
      v, v_rel_a_, "v_rel_a", "derv[{}].y", "m/s", Level::Velocity,
      [this](const auto& x) { return frames_.relativeMotion(x).v_rel; },
      a_rel_a_.shown ? "dera" : nullptr);
  output(v, a_rel_a_, "a_rel_a", "dera[{}].y", "m/s2", Level::Acceleration,
         [this](const auto& x) { return frames_.relativeMotion(x).a_rel; });
  output(
      v, angle_, "angle", "initAngle.angle[{}]", "rad", Level::Position,
      [this, remembered](const auto& x) { return remembered.of(x, frames_.relativeRotation(x)); },
      angle_d_.shown ? "derd" : nullptr);
  output(
      v, angle_d_, "angle_d", "derd[{}].y", "rad/s", Level::Velocity,
      [angles](const auto& x) { return angles(x).phi_d; }, angle_dd_.shown ? "derdd" : nullptr);
  output(v, angle_dd_, "angle_dd", "derdd[{}].y", "rad/s2", Level::Acceleration,
         [angles](const auto& x) { return angles(x).phi_dd; });
  output(
      v, w_rel_b_, "w_rel_b", "initAngularVelocity.w_rel_b[{}]", "rad/s", Level::Velocity,
      [this](const auto& x) {
        const auto R = frames_.relativeRotation(x);
        return Vector3<std::decay_t<decltype(x.time())>>(frames::angularVelocity2(R));
      },
      z_rel_b_.shown ? "derz" : nullptr);
  output(v, z_rel_b_, "z_rel_b", "derz[{}].y", "rad/s2", Level::Acceleration,
         [this](const auto& x) { return frames_.relativeMotion(x).z_rel; });
}

void FreeMotionScalarInit::picture(Shapes& s) const {
  if (!animation_.shown() || !r_rel_a_.shown) return;
  picture::arrow(s, animation_, frames_.frame_a, frames_.frame_b);
}

}  // namespace cardan
