#include "components/assemblies/rod.h"

#include "components/interfaces/total_power.h"

namespace cardan {

void Rod::readLast(ParameterReader& r) {
  // MSL's two forms of the same constraint: constraintResidue, which false would let one replace,
  // keeps its default here.
  bool kinematicConstraint = true;
  r.boolean("kinematicConstraint", kinematicConstraint,
            "how a Modelica compiler writes the distance; the rod holds it either way");
  readCheckTotalPower(r, checkTotalPower);
  r.start("rRod_0", rRod_0, "m", "from frame_a to frame_b, resolved in world");
  r.start("rRod_a", rRod_a, "m", "from frame_a to frame_b, resolved in frame_a");
}

void Rod::declare(Structure& s) {
  frames.declare(s);
  if (!computeRodLength) return;
  L_ = s.unknown({"rodLength", "m", "distance between frame_a and frame_b", rodLength},
                 Kind::Differential);
  constant_ = s.row("der(rodLength)");
}

void Rod::describe(Variables& v) const {
  v.start("rRod_0", rRod_0);
  v.start("rRod_a", rRod_a);
  if (!computeRodLength) {
    describe::scalar(v, "rodLength", "m", "distance between frame_a and frame_b",
                     [this] { return rodLength; });
  }
  v.vector({"rRod_0", "m", "from frame_a to frame_b, resolved in world", Level::Position},
           [this](const auto& x) {
             return (x.frame(frames.frame_b).r_0 - x.frame(frames.frame_a).r_0).eval();
           });
  v.vector({"rRod_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
           [this](const auto& x) { return line_a(x); });
  v.vector(
      {"eRod_a", "1", "direction from frame_a to frame_b, resolved in frame_a", Level::Position},
      [this](const auto& x) { return eRod_a(x); });
  v.scalar({"constraintResidue", "m2", "rRod_0.rRod_0 - rodLength^2", Level::Position},
           [this](const auto& x) {
             const auto r = line_a(x);
             const auto L = length(x);
             return dot(r, r) - L * L;
           });
}

}  // namespace cardan
