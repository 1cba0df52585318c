/// WorldForce, WorldTorque, WorldForceAndTorque, Force, Torque, ForceAndTorque: loads that signals
/// give, on frame_b alone or between frame_a and frame_b.
#pragma once

#include <vector>

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/interfaces/resolving.h"
#include "components/interfaces/two_no_tree_frames.h"

namespace cardan {

/// A load on frame_b; its reaction on the world is left out, as in MSL.
/// Source  MSL 4.0 Forces.Internal.BasicWorldForce, BasicWorldTorque
struct AtFrame : OneFrame_b {
  static constexpr ResolveInFrame kResolveInFrame = ResolveInFrame::world;
  static constexpr bool kHasLine = false;

  static void readResolveInFrame(ParameterReader& r, ResolveInFrame& X);
  FrameId of(ResolveInFrame /*X*/) const { return frame_b; }
  template <class S>
  void add(View<S>& x, const Wrench<S>& load_b) const {
    x.addLoad0(frame_b, load_b);
  }
};

/// A load on frame_b and its reaction on frame_a.
/// Source  MSL 4.0 Forces.Internal.BasicForce, BasicTorque, Interfaces.PartialForce
struct BetweenFrames : TwoNoTreeFrames {
  static constexpr ResolveInFrame kResolveInFrame = ResolveInFrame::frame_b;
  static constexpr bool kHasLine = true;  ///< from frame_a to frame_b, in the picture

  static void readResolveInFrame(ParameterReader& r, ResolveInFrame& X);
  static void readLine(ParameterReader& r, Animation& a);
  void pictureLine(Shapes& s, const Animation& a) const;
  FrameId of(ResolveInFrame X) const { return X == ResolveInFrame::frame_a ? frame_a : frame_b; }
  template <class S>
  void add(View<S>& x, const Wrench<S>& load_b) const {
    addBalanced(x, load_b);
  }
};

/// What the six share: on what frame_b is connected to act a force, a torque or both, given by
/// signals that are resolved in a frame of choice.
template <class Frames>
class LoadAtFrames : public ComponentOf<LoadAtFrames<Frames>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    Wrench<S> load_b{-Vector3<S>::Zero(), -Vector3<S>::Zero()};  // on the component
    for (const Load& load : loads_) {
      (load.isTorque ? load_b.t_0 : load_b.f_0) = -resolved_0(x, x.inputVector(load.signal));
    }
    frames_.add(x, load_b);
  }

 protected:
  LoadAtFrames(bool hasForce, bool hasTorque);

 private:
  struct Load {
    bool isTorque;
    SignalId signal{};
  };

  template <class S>
  Vector3<S> resolved_0(const View<S>& x, const Vector3<S>& load) const {
    return resolve_.valid() ? frames::resolve1(x.frame(resolve_).R, load) : load;
  }

  bool isAlone() const { return loads_.size() == 1 && !Frames::kHasLine; }

  std::vector<Load> loads_;
  ResolveInFrame resolveInFrame_ = Frames::kResolveInFrame;
  Animation animation_;

  Frames frames_;
  FrameId resolve_;  ///< the frame in which the signals are resolved; not valid: world
};

/// Inputs     force [N], resolved in world, frame_b or frame_resolve
/// Equations  frame_b.f = -force;  frame_b.t = 0
/// Source     MSL 4.0 Forces.WorldForce
class WorldForce final : public LoadAtFrames<AtFrame> {
 public:
  WorldForce() : LoadAtFrames(true, false) {}
};

/// Inputs     torque [N.m], resolved in world, frame_b or frame_resolve
/// Equations  frame_b.f = 0;  frame_b.t = -torque
/// Source     MSL 4.0 Forces.WorldTorque
class WorldTorque final : public LoadAtFrames<AtFrame> {
 public:
  WorldTorque() : LoadAtFrames(false, true) {}
};

/// Inputs     force [N], torque [N.m], resolved in world, frame_b or frame_resolve
/// Equations  frame_b.f = -force;  frame_b.t = -torque
/// Source     MSL 4.0 Forces.WorldForceAndTorque
class WorldForceAndTorque final : public LoadAtFrames<AtFrame> {
 public:
  WorldForceAndTorque() : LoadAtFrames(true, true) {}
};

/// Inputs     force [N], resolved in world, frame_a, frame_b or frame_resolve
/// Equations  frame_b.f = -force;  frame_b.t = 0;
///            0 = frame_a.f + R_rel' frame_b.f
///            0 = frame_a.t + R_rel' frame_b.t + r_rel_a x R_rel' frame_b.f
/// Source     MSL 4.0 Forces.Force
class Force final : public LoadAtFrames<BetweenFrames> {
 public:
  Force() : LoadAtFrames(true, false) {}
};

/// Inputs     torque [N.m], resolved in world, frame_a, frame_b or frame_resolve
/// Equations  frame_b.f = 0;  frame_b.t = -torque;
///            0 = frame_a.f + R_rel' frame_b.f
///            0 = frame_a.t + R_rel' frame_b.t + r_rel_a x R_rel' frame_b.f
/// Source     MSL 4.0 Forces.Torque
class Torque final : public LoadAtFrames<BetweenFrames> {
 public:
  Torque() : LoadAtFrames(false, true) {}
};

/// Inputs     force [N], torque [N.m], resolved in world, frame_a, frame_b or frame_resolve
/// Equations  frame_b.f = -force;  frame_b.t = -torque;
///            0 = frame_a.f + R_rel' frame_b.f
///            0 = frame_a.t + R_rel' frame_b.t + r_rel_a x R_rel' frame_b.f
/// Source     MSL 4.0 Forces.ForceAndTorque
class ForceAndTorque final : public LoadAtFrames<BetweenFrames> {
 public:
  ForceAndTorque() : LoadAtFrames(true, true) {}
};

}  // namespace cardan
