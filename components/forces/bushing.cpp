#include "components/forces/bushing.h"

namespace cardan {

void Bushing::read(ParameterReader& r) {
  r.vector("c", c_, "N/m", "stiffness along the axes of frame_a", kNotNegative);
  r.vector("d", d_, "N.s/m", "damping along the axes of frame_a", kNotNegative);
  r.vector("c_rot", c_rot_, "N.m/rad", "stiffness about the axes", kNotNegative);
  r.vector("d_rot", d_rot_, "N.m.s/rad", "damping about the axes of frame_b", kNotNegative);
  r.vector("b", b_, "kg", "inertance along the axes of frame_a", kNotNegative);
  r.vector("b_rot", b_rot_, "kg.m2", "inertance about the axes of frame_b", kNotNegative);
  r.vector("r_rel0", r_rel0_, "m",
           "vector from frame_a to frame_b without load, resolved in frame_a");
}

void Bushing::declare(Structure& s) {
  frames_.declare(s);
  if (!hasInertance()) return;
  s.inertia(frames_.frame_a);
  s.inertia(frames_.frame_b);
}

void Bushing::describe(Variables& v) const {
  v.vector({"r_rel", "m", "vector from frame_a to frame_b, resolved in frame_a", Level::Position},
           [this](const auto& x) { return frames_.relativeMotion(x).r_rel; });
  v.vector({"theta", "rad", "rotation vector from frame_a to frame_b", Level::Position},
           [this](const auto& x) { return turn(frames_.relativeMotion(x)); });
  const Level level = hasInertance() ? Level::Acceleration : Level::Velocity;
  v.vector({"f", "N", "force on the bushing at frame_b, resolved in frame_a", level},
           [this](const auto& x) { return force(frames_.relativeMotion(x)); });
  v.vector({"t", "N.m", "torque on the bushing at frame_b, resolved in frame_b", level},
           [this](const auto& x) { return torque(frames_.relativeMotion(x)); });
  v.scalar({"lossPower", "W", "power of the dampers", Level::Velocity}, [this](const auto& x) {
    const auto m = frames_.relativeMotion(x);
    const auto& w = frames::angularVelocity2(m.R_rel);
    return dot(times(d_, m.v_rel), m.v_rel) + dot(times(d_rot_, w), w);
  });
  v.mechanics([this](const auto& x) {
    using S = std::decay_t<decltype(x.time())>;
    const RelativeMotion<S> m = frames_.relativeMotion(x);
    const Vector3<S> u = stretch(m), theta = turn(m);
    MechanicalSums<S> sum;
    sum.potentialEnergy = 0.5 * (dot(times(c_, u), u) + dot(times(c_rot_, theta), theta));
    const Vector3<S> w = frames::angularVelocity2(m.R_rel);
    sum.kineticEnergy = 0.5 * (dot(times(b_, m.v_rel), m.v_rel) + dot(times(b_rot_, w), w));
    return sum;
  });
}

}  // namespace cardan
