#include "components/interfaces/line_force_base.h"

#include <utility>
#include <vector>

namespace cardan {

void LineForceBase::read(ParameterReader& r) {
  r.real("s_small", s_small, "m", "a smaller length does not make the direction undefined",
         kPositive);
  bool fixed_a = false, fixed_b = false;
  r.boolean("fixedRotationAtFrame_a", fixed_a,
            "frame_a may be a point without mass that line forces meet (found without being told)");
  r.boolean("fixedRotationAtFrame_b", fixed_b,
            "frame_b may be a point without mass that line forces meet (found without being told)");
}

void LineForceBase::readStart(ParameterReader& r) {
  r.start("r_rel_0", r_rel_0, "m", "from frame_a to frame_b, resolved in world");
}

void LineForceBase::declare(Structure& s, bool massAt_a, bool massAt_b) {
  frames.declare(s);
  declareEnd(s, frames.frame_a, "a", massAt_a);
  declareEnd(s, frames.frame_b, "b", massAt_b);
}

void LineForceBase::declareEnd(Structure& s, FrameId f, const std::string& name, bool mass) const {
  std::vector<UnknownInfo> positions, velocities;
  for (const char* i : {"[1]", "[2]", "[3]"}) {
    positions.push_back(
        {"freePoint_" + name + i, "m", "position of frame_" + name + " as a free point"});
    if (mass) {
      velocities.push_back({"der(freePoint_" + name + i + ")", "m/s",
                            "velocity of frame_" + name + " as a free point"});
    }
  }
  if (mass) {
    s.inertia(f);
    s.root(f, pointMotion_, std::move(positions), std::move(velocities), RootRank::pointMass);
  } else {
    s.root(f, freePoint_, std::move(positions), {}, RootRank::freePoint);
  }
}

void LineForceBase::describe(Variables& v, const std::string& prefix) const {
  v.scalar({prefix + "length", "m", "distance from frame_a to frame_b", Level::Position},
           [this](const auto& x) { return line(x).s; });
  v.scalar({prefix + "s", "m", "guarded distance from frame_a to frame_b, at least s_small",
            Level::Position},
           [this](const auto& x) { return guarded(line(x)); });
  v.vector({prefix + "r_rel_0", "m", "from frame_a to frame_b, resolved in world", Level::Position},
           [this](const auto& x) {
             return (x.frame(frames.frame_b).r_0 - x.frame(frames.frame_a).r_0).eval();
           });
  v.vector({prefix + "e_rel_0", "1", "direction from frame_a to frame_b, resolved in world",
            Level::Position},
           [this](const auto& x) { return line(x).e_0; });
  if (r_rel_0.given) v.start(prefix + "r_rel_0", r_rel_0);
}

void MassOnLine::read(ParameterReader& r) {
  r.real("m", m, "kg", "mass of a point on the line", kNotNegative);
  r.real("lengthFraction", lengthFraction, "1",
         "place of the mass as a fraction of the distance from frame_a to frame_b", kNotNegative);
  r.require(lengthFraction <= 1, "lengthFraction", "must not be greater than 1");
}

}  // namespace cardan
