#include "components/interfaces/resolving.h"

namespace cardan {

void readResolveInFrameA(ParameterReader& r, std::string_view name, ResolveInFrame& x,
                         std::string_view about) {
  r.enumeration(name, x,
                {{"world", ResolveInFrame::world},
                 {"frame_a", ResolveInFrame::frame_a},
                 {"frame_resolve", ResolveInFrame::frame_resolve}},
                about);
}

void readResolveInFrameAB(ParameterReader& r, std::string_view name, ResolveInFrame& x,
                          std::string_view about) {
  r.enumeration(name, x,
                {{"world", ResolveInFrame::world},
                 {"frame_a", ResolveInFrame::frame_a},
                 {"frame_b", ResolveInFrame::frame_b},
                 {"frame_resolve", ResolveInFrame::frame_resolve}},
                about);
}

void AngleParameters::read(ParameterReader& r) {
  r.integers("sequence", sequence,
             "axes 1, 2, 3 of the rotations angles[1], angles[2], angles[3], in this order");
  r.real("guessAngle1", guessAngle1, "rad",
         "of the two solutions the one with angles[1] nearest to it is taken");
  bool axes = true;
  for (int i : sequence) axes = axes && 1 <= i && i <= 3;
  if (!r.require(axes, "sequence", "must hold axes 1, 2 or 3") ||
      !r.require(sequence[0] != sequence[1] && sequence[1] != sequence[2], "sequence",
                 "must not have equal neighbours")) {
    sequence = frames::kCardanSequence;
  }
}

void SensorFrames::declareA(Structure& s, bool needsResolve) {
  frame_a = s.frame("frame_a");
  if (needsResolve) frame_resolve = s.frame("frame_resolve");
}

void SensorFrames::declareAB(Structure& s, bool needsResolve) {
  frame_a = s.frame("frame_a");
  frame_b = s.frame("frame_b");
  if (needsResolve) frame_resolve = s.frame("frame_resolve");
}

}  // namespace cardan
