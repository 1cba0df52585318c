#include "engine/analysis/movements.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/model_file/model_source.h"
#include "engine/structure/unknowns.h"
#include "engine/text/glob.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr size_t kMostMovements = 20;

/// Calls take(i) for every name of `candidates` that the glob, or the name behind an alias, matches.
template <class Take>
void matching(const PointEquations& equations, const std::string& glob, const std::string& option,
              const std::vector<int>& candidates, const char* what, Diagnostics& diagnostics,
              Take take) {
  const Unknowns& l = equations.unknowns();
  const std::string full = equations.source().withoutAliases(glob);
  std::vector<std::string> known;
  bool any = false;
  for (int i : candidates) {
    const std::string& name = l.unknowns[i].name;
    known.push_back(name);
    const std::string whole = name.substr(0, name.find('['));
    if (!matchesGlob(name, full) && !matchesGlob(whole, full)) continue;
    any = true;
    take(i);
  }
  if (any) return;
  diagnostics.error(
      {option + " " + glob, 0, 0},
      fmt::format("no {} has this name{}", what,
                  known.empty()
                      ? "; there is none"
                      : didYouMean(glob, known,
                                   fmt::format("there are {}", joinMost(known, kMostMovements)))));
}

}  // namespace

std::vector<Movement> movementsOf(const PointEquations& equations) {
  const Unknowns& l = equations.unknowns();
  std::vector<Movement> movements;
  for (const PointJoint& s : equations.joints()) {
    int scalar = 0;  // coordinates that are one by one rates of the first velocities
    while (scalar < s.nv && (s.plain || l.unknowns[s.q + scalar].unit == "m")) {
      movements.push_back({{s.q + scalar}, {s.v + scalar}});
      ++scalar;
    }
    if (scalar == s.nv) continue;
    Movement turning;
    for (int i = scalar; i < s.nq; ++i) turning.positions.push_back(s.q + i);
    for (int i = scalar; i < s.nv; ++i) turning.velocities.push_back(s.v + i);
    movements.push_back(std::move(turning));
  }
  return movements;
}

void chooseMovements(const PointEquations& equations, const std::vector<std::string>& globs,
                     const std::string& option, std::vector<Movement>& movements,
                     Diagnostics& diagnostics) {
  const Unknowns& l = equations.unknowns();
  std::vector<int> of(l.nq, -1), positions;
  for (size_t m = 0; m < movements.size(); ++m) {
    for (int q : movements[m].positions) of[q] = m;
  }
  for (int q = 0; q < l.nq; ++q) positions.push_back(q);
  for (const std::string& glob : globs) {
    matching(equations, glob, option, positions, "coordinate", diagnostics, [&](int q) {
      if (of[q] >= 0) movements[of[q]].chosen = true;
    });
  }
}

std::vector<int> velocitiesNamed(const PointEquations& equations,
                                 const std::vector<std::string>& globs, const std::string& option,
                                 Diagnostics& diagnostics) {
  const Unknowns& l = equations.unknowns();
  std::vector<int> velocities, found;
  for (int i = l.nq; i < l.xOffset(); ++i) velocities.push_back(i);
  for (const std::string& glob : globs) {
    matching(equations, glob, option, velocities, "velocity", diagnostics, [&](int i) {
      if (std::ranges::find(found, i) == found.end()) found.push_back(i);
    });
  }
  return found;
}

DriveName driveName(const Unknowns& l, const Movement& m, int velocity) {
  const bool scalar = m.velocities.size() == 1;
  const Unknowns::Unknown& u = l.unknowns[scalar ? m.positions.front() : velocity];
  return {"drive(" + u.name + ")", u.unit == "m" ? "N" : "N.m"};
}

}  // namespace cardan
