#include "components/forces/load_at_frames.h"

#include <string>

#include "components/interfaces/picture.h"

namespace cardan {
namespace {

constexpr const char* kAboutResolve = "frame in which the signals are resolved";

/// What forces and torques differ in.
struct LoadNames {
  std::string load, unit;
  std::string scale;        ///< animation parameter: load by length of its arrow
  std::string part, f_b_0;  ///< MSL's inner part and its load
  int heads;                ///< of the arrow
};
const LoadNames& namesOf(bool isTorque) {
  static const LoadNames force{"force", "N", "N_to_m", "basicForce.", "f_b_0", 1};
  static const LoadNames torque{"torque", "N.m", "Nm_to_m", "basicTorque.", "t_b_0", 2};
  return isTorque ? torque : force;
}

/// MSL's names of what belongs to the arrow of a load, shorter where nothing else is shown.
struct ArrowNames {
  std::string shape, diameter, color;
};
ArrowNames arrowOf(const std::string& load, bool isAlone) {
  if (isAlone) return {"arrow", "diameter", "color"};
  return {load + "Arrow", load + "Diameter", load + "Color"};
}

}  // namespace

template <class Frames>
LoadAtFrames<Frames>::LoadAtFrames(bool hasForce, bool hasTorque) {
  if (hasForce) loads_.push_back({false});
  if (hasTorque) loads_.push_back({true});
}

void AtFrame::readResolveInFrame(ParameterReader& r, ResolveInFrame& X) {
  r.enumeration("resolveInFrame", X,
                {{"world", ResolveInFrame::world},
                 {"frame_b", ResolveInFrame::frame_b},
                 {"frame_resolve", ResolveInFrame::frame_resolve}},
                kAboutResolve);
}

void BetweenFrames::readResolveInFrame(ParameterReader& r, ResolveInFrame& X) {
  readResolveInFrameAB(r, "resolveInFrame", X, kAboutResolve);
}

void BetweenFrames::readLine(ParameterReader& r, Animation& a) {
  a.length(r, "connectionLineDiameter", r.world().defaultArrowDiameter,
           "diameter of the line from frame_a to frame_b; default: world.defaultArrowDiameter");
  a.color(r, "connectionLineColor", kSensorColor, "line from frame_a to frame_b");
}

void BetweenFrames::pictureLine(Shapes& s, const Animation& a) const {
  picture::rod(s, a, "connectionLine", frame_a, frame_b, "connectionLineDiameter",
               "connectionLineColor");
}

template <class Frames>
void LoadAtFrames<Frames>::read(ParameterReader& r) {
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

template <class Frames>
void LoadAtFrames<Frames>::declare(Structure& s) {
  frames_.declare(s);
  if (resolveInFrame_ == ResolveInFrame::frame_resolve) {
    resolve_ = s.frame("frame_resolve");
  } else if (resolveInFrame_ != ResolveInFrame::world) {
    resolve_ = frames_.of(resolveInFrame_);
  }
  for (Load& load : loads_) load.signal = s.input(namesOf(load.isTorque).load, 3);
}

template <class Frames>
void LoadAtFrames<Frames>::describe(Variables& v) const {
  if constexpr (Frames::kHasLine) {
    for (const Load& load : loads_) {
      const LoadNames& n = namesOf(load.isTorque);
      v.vector({n.part + "r_0", "m", "from frame_a to frame_b, resolved in world", Level::Position},
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

template <class Frames>
void LoadAtFrames<Frames>::picture(Shapes& s) const {
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

template class LoadAtFrames<AtFrame>;
template class LoadAtFrames<BetweenFrames>;

}  // namespace cardan
