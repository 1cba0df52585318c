#include "components/forces/load_frames.h"

#include <string>

namespace cardan {
namespace {

constexpr const char* kAboutResolve = "frame in which the signals are resolved";

}  // namespace

void WorldLoad::read(ParameterReader& r) {
  r.enumeration("resolveInFrame", resolveInFrame,
                {{"world", ResolveInFrame::world},
                 {"frame_b", ResolveInFrame::frame_b},
                 {"frame_resolve", ResolveInFrame::frame_resolve}},
                kAboutResolve);
}

void WorldLoad::declare(Structure& s) {
  frame.declare(s);
  if (resolveInFrame == ResolveInFrame::frame_b) resolve = frame.frame_b;
  if (resolveInFrame == ResolveInFrame::frame_resolve) resolve = s.frame("frame_resolve");
}

void LoadBetweenFrames::read(ParameterReader& r) {
  readResolveInFrameAB(r, "resolveInFrame", resolveInFrame, kAboutResolve);
}

void LoadBetweenFrames::declare(Structure& s) {
  frames.declare(s);
  switch (resolveInFrame) {
    case ResolveInFrame::world:
      break;
    case ResolveInFrame::frame_a:
      resolve = frames.frame_a;
      break;
    case ResolveInFrame::frame_b:
      resolve = frames.frame_b;
      break;
    case ResolveInFrame::frame_resolve:
      resolve = s.frame("frame_resolve");
      break;
  }
}

void LoadBetweenFrames::describe(Variables& v, const char* part, const char* load, const char* unit,
                                 SignalId signal) const {
  const std::string prefix = std::string(part) + ".";
  v.vector({prefix + "r_0", "m", "from frame_a to frame_b, resolved in world", Level::Position},
           [this](const auto& x) {
             return (x.frame(frames.frame_b).r_0 - x.frame(frames.frame_a).r_0).eval();
           });
  v.vector(
      {prefix + load + "_b_0",
       unit,
       "load on the component at frame_b, resolved in world",
       Level::Position,
       false,
       {signal}},
      [this, signal](const auto& x) { return (-resolved_0(x, x.inputVector(signal))).eval(); });
}

}  // namespace cardan
