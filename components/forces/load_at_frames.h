/// WorldForce, WorldTorque, WorldForceAndTorque, Force, Torque, ForceAndTorque: loads that signals
/// give, on frame_b alone or between frame_a and frame_b.
#pragma once

#include <string>
#include <vector>

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/resolving.h"
#include "components/interfaces/two_no_tree_frames.h"

namespace cardan {

/// A load on frame_b; its reaction on the world is left out, as in MSL.
/// Source  MSL 4.0 Forces.Internal.BasicWorldForce, BasicWorldTorque
struct AtFrame : OneFrame_b {
  static constexpr ResolveInFrame kResolveInFrame = ResolveInFrame::world;
  static constexpr bool kHasLine = false;

  static void readResolveInFrame(ParameterReader& r, ResolveInFrame& X) {
    r.enumeration("resolveInFrame", X,
                  {{"world", ResolveInFrame::world},
                   {"frame_b", ResolveInFrame::frame_b},
                   {"frame_resolve", ResolveInFrame::frame_resolve}},
                  "frame in which the signals are resolved");
  }
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

  static void readResolveInFrame(ParameterReader& r, ResolveInFrame& X) {
    readResolveInFrameAB(r, "resolveInFrame", X, "frame in which the signals are resolved");
  }
  static void readLine(ParameterReader& r, Animation& a) {
    a.length(r, "connectionLineDiameter", r.world().defaultArrowDiameter,
             "diameter of the line from frame_a to frame_b; default: world.defaultArrowDiameter");
    a.color(r, "connectionLineColor", kSensorColor, "line from frame_a to frame_b");
  }
  void pictureLine(Shapes& s, const Animation& a) const {
    picture::rod(s, a, "connectionLine", frame_a, frame_b, "connectionLineDiameter",
                 "connectionLineColor");
  }
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
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animation", true);
    Frames::readResolveInFrame(r, resolveInFrame_);
    for (const Load& load : loads_) {
      const LoadNames& n = namesOf(load.isTorque);
      const ArrowNames arrow = arrowOf(n.load, isAlone());
      animation_.real(r, n.scale.c_str(),
                      load.isTorque ? r.world().defaultNm_to_m : r.world().defaultN_to_m,
                      n.load + " by length of its arrow; default: world.default" + n.scale,
                      (n.unit + "/m").c_str());
      animation_.length(
          r, arrow.diameter.c_str(), r.world().defaultArrowDiameter,
          "diameter of the arrow of the " + n.load + "; default: world.defaultArrowDiameter");
      animation_.color(r, arrow.color.c_str(), {0, 128, 0}, "arrow of the " + n.load);
    }
    if constexpr (Frames::kHasLine) frames_.readLine(r, animation_);
    animation_.specular(r);
    for (const Load& load : loads_) {
      const LoadNames& n = namesOf(load.isTorque);
      r.input(n.load, 3, n.unit,
              n.load + " on what frame_b is connected to, resolved as resolveInFrame says");
    }
  }
  void declare(Structure& s) override {
    frames_.declare(s);
    if (resolveInFrame_ == ResolveInFrame::frame_resolve) {
      resolve_ = s.frame("frame_resolve");
    } else if (resolveInFrame_ != ResolveInFrame::world) {
      resolve_ = frames_.of(resolveInFrame_);
    }
    for (Load& load : loads_) load.signal = s.input(namesOf(load.isTorque).load, 3);
  }
  void describe(Variables& v) const override {
    if constexpr (Frames::kHasLine) {
      for (const Load& load : loads_) {
        const LoadNames& n = namesOf(load.isTorque);
        v.vector(
            {n.part + "r_0", "m", "from frame_a to frame_b, resolved in world", Level::Position},
            [this](const auto& x) {
              return (x.frame(frames_.frame_b).r_0 - x.frame(frames_.frame_a).r_0).eval();
            });
        v.vector({n.part + n.f_b_0,
                  n.unit,
                  "load on the component at frame_b, resolved in world",
                  Level::Position,
                  false,
                  {load.signal}},
                 [this, u = load.signal](const auto& x) {
                   return (-resolved_0(x, x.inputVector(u))).eval();
                 });
      }
    }
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    for (const Load& load : loads_) {
      const LoadNames& n = namesOf(load.isTorque);
      const ArrowNames arrow = arrowOf(n.load, isAlone());
      const auto load_b = [this, u = load.signal](const View<double>& x) {
        return frames::resolve2(x.frame(frames_.frame_b).R, resolved_0(x, x.inputVector(u)));
      };
      s.add(ArrowShape{.name = arrow.shape,
                       .place = frames_.frame_b,
                       .r_head = PictureValue::vector(Level::Force, load_b),
                       .scale = animation_.realValue(n.scale),
                       .diameter = animation_.realValue(arrow.diameter),
                       .color = picture::rgb(animation_.colorValue(arrow.color)),
                       .specular = animation_.specularValue(),
                       .heads = n.heads,
                       .headAtTail = true});
    }
    if constexpr (Frames::kHasLine) frames_.pictureLine(s, animation_);
  }

  template <class S>
  void physics(View<S>& x) const {
    Wrench<S> load_b{-Vector3<S>::Zero(), -Vector3<S>::Zero()};  // on the component
    for (const Load& load : loads_) {
      (load.isTorque ? load_b.t_0 : load_b.f_0) = -resolved_0(x, x.inputVector(load.signal));
    }
    frames_.add(x, load_b);
  }

 protected:
  LoadAtFrames(bool hasForce, bool hasTorque) {
    if (hasForce) loads_.push_back({false});
    if (hasTorque) loads_.push_back({true});
  }

 private:
  /// What forces and torques differ in.
  struct LoadNames {
    std::string load, unit;
    std::string scale;        ///< animation parameter: load by length of its arrow
    std::string part, f_b_0;  ///< MSL's inner part and its load
    int heads;                ///< of the arrow
  };
  static const LoadNames& namesOf(bool isTorque) {
    static const LoadNames force{"force", "N", "N_to_m", "basicForce.", "f_b_0", 1};
    static const LoadNames torque{"torque", "N.m", "Nm_to_m", "basicTorque.", "t_b_0", 2};
    return isTorque ? torque : force;
  }

  /// MSL's names of what belongs to the arrow of a load, shorter where nothing else is shown.
  struct ArrowNames {
    std::string shape, diameter, color;
  };
  static ArrowNames arrowOf(const std::string& load, bool isAlone) {
    if (isAlone) return {"arrow", "diameter", "color"};
    return {load + "Arrow", load + "Diameter", load + "Color"};
  }

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
