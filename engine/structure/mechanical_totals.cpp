#include "engine/structure/mechanical_totals.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "engine/structure/variable_function.h"

namespace cardan {
namespace {

/// Sum of some elements of all contributions: each of `count` outputs is the sum over one element,
/// a scalar (`summed`) the sum over all of them.
std::unique_ptr<VariableFunction> total(const VariableTable& table, size_t first, size_t count,
                                        bool summed) {
  std::vector<const VariableFunction*> parts;
  for (const auto& part : table.mechanics()) parts.push_back(part.function.get());
  return variableFunction([parts, first, count, summed](const auto& x, auto* out) {
    using S = std::decay_t<decltype(*out)>;
    std::fill(out, out + (summed ? 1 : count), S(0));
    std::array<S, kContribution> part;
    for (const VariableFunction* f : parts) {
      f->evaluate(x, part.data());
      for (size_t i = 0; i < count; ++i) out[summed ? 0 : i] += part[first + i];
    }
  });
}

}  // namespace

void addMechanicalTotals(VariableTable& table, const std::vector<std::string>& taken) {
  if (table.mechanics().empty()) return;
  auto add = [&](const char* name, const char* unit, const char* description, size_t first,
                 int count, bool summed) {
    if (table.find(name) || std::find(taken.begin(), taken.end(), name) != taken.end()) return;
    // They belong to the world (instance 0): results for those who ask, not by default.
    table.add(name, {name, unit, description, Level::Velocity, false, table.mechanicsRead()},
              summed ? std::vector<int>{} : std::vector<int>{count},
              total(table, first, count, summed), 0);
  };
  add("kineticEnergy", "J", "kinetic energy of all bodies", 0, 1, true);
  add("potentialEnergy", "J", "potential energy of gravity and springs", 1, 1, true);
  add("totalEnergy", "J", "kinetic and potential energy", 0, 2, true);
  add("linearMomentum", "N.s", "linear momentum of all bodies, resolved in world", 2, 3, false);
  add("angularMomentum", "N.m.s",
      "angular momentum of all bodies about the world's origin, resolved in world", 5, 3, false);
}

}  // namespace cardan
