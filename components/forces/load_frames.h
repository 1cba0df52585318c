/// WorldLoad, LoadBetweenFrames: frames of the loads that signals give, and the frame in which
/// those are resolved.
#pragma once

#include "components/animation.h"
#include "components/interfaces/ext_load.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/resolving.h"
#include "components/interfaces/two_no_tree_frames.h"

namespace cardan {

/// A load on frame_b, resolved in world, frame_b or frame_resolve; its reaction on the world is
/// left out, as in MSL.
/// Source  MSL 4.0 Forces.Internal.BasicWorldForce, BasicWorldTorque
struct WorldLoad {
  ResolveInFrame resolveInFrame = ResolveInFrame::world;
  OneFrame_b frame;
  FrameId resolve;  ///< the frame in which the signals are resolved; not valid: world

  void read(ParameterReader& r);
  void declare(Structure& s);

  /// Force [N] and torque [N.m] on what frame_b is connected to.
  template <class S>
  void add(View<S>& x, const Vector3<S>& force, const Vector3<S>& torque) const {
    addExternalLoad(frame.frame_b, resolve, x, force, torque);
  }
};

/// A load on frame_b and its reaction on frame_a, resolved in world, frame_a, frame_b or
/// frame_resolve.
/// Source  MSL 4.0 Forces.Internal.BasicForce, BasicTorque, Interfaces.PartialForce
struct LoadBetweenFrames {
  ResolveInFrame resolveInFrame = ResolveInFrame::frame_b;
  TwoNoTreeFrames frames;
  FrameId resolve;  ///< the frame in which the signals are resolved; not valid: world

  void read(ParameterReader& r);
  void declare(Structure& s);
  /// Variables `part`.r_0 and `part`.`load`_b_0 (MSL's inner part), the latter of the input
  /// `signal`.
  void describe(Variables& v, const char* part, const char* load, const char* unit,
                SignalId signal) const;

  /// Force [N] and torque [N.m] on what frame_b is connected to; frame_a gets what keeps the
  /// balance.
  template <class S>
  void add(View<S>& x, const Vector3<S>& force, const Vector3<S>& torque) const {
    frames.addBalanced(x, Wrench<S>{-resolved_0(x, force), -resolved_0(x, torque)});
  }

 private:
  template <class S>
  Vector3<S> resolved_0(const View<S>& x, const Vector3<S>& load) const {
    return resolve.valid() ? frames::resolve1(x.frame(resolve).R, load) : load;
  }
};

/// MSL's animation parameters of an arrow: its scale, its diameter, its colour.
inline void readForceArrow(ParameterReader& r, Animation& a, const char* diameter,
                           const char* color) {
  a.real(r, "N_to_m", r.world().defaultN_to_m);
  a.length(r, diameter, r.world().defaultArrowDiameter);
  a.color(r, color, {0, 128, 0});
}
inline void readTorqueArrow(ParameterReader& r, Animation& a, const char* diameter,
                            const char* color) {
  a.real(r, "Nm_to_m", r.world().defaultNm_to_m);
  a.length(r, diameter, r.world().defaultArrowDiameter);
  a.color(r, color, {0, 128, 0});
}
/// MSL's animation parameters of the line from frame_a to frame_b, and the light on all.
inline void readConnectionLine(ParameterReader& r, Animation& a) {
  a.length(r, "connectionLineDiameter", r.world().defaultArrowDiameter);
  a.color(r, "connectionLineColor", kSensorColor);
  a.specular(r);
}

namespace picture {

/// The arrow of a load that acts on what frame_b is connected to: it ends at frame_b. `resolve`:
/// the frame in which the signal is resolved; not valid: world. `scale`: load by length.
inline ArrowShape load(std::string name, FrameId frame_b, FrameId resolve, SignalId signal,
                       double scale, double diameter, const std::array<int, 3>& color,
                       double specular, int heads) {
  return {.name = std::move(name),
          .place = frame_b,
          .r_head = PictureValue::vector(
              Level::Force,
              [frame_b, resolve, signal](const View<double>& x) {
                const Vector3d load = x.inputVector(signal);
                return frames::resolve2(
                    x.frame(frame_b).R,
                    resolve.valid() ? frames::resolve1(x.frame(resolve).R, load) : load);
              }),
          .scale = scale,
          .diameter = diameter,
          .color = rgb(color),
          .specular = specular,
          .heads = heads,
          .headAtTail = true};
}
/// The line from frame_a to frame_b (readConnectionLine).
inline void connectionLine(Shapes& s, const Animation& a, const TwoNoTreeFrames& frames) {
  Shape line = onLine(
      "connectionLine", "cylinder", frames.frame_a, frames.frame_b,
      [](const View<double>&, double) { return 0.0; },
      [](const View<double>&, double length) { return length; });
  setDiameter(line, a.realValue("connectionLineDiameter"));
  line.color = rgb(a.colorValue("connectionLineColor"));
  line.specular = a.specularValue();
  s.add(std::move(line));
}

}  // namespace picture

}  // namespace cardan
