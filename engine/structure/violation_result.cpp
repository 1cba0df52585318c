#include "engine/structure/violation_result.h"

#include <algorithm>

#include "engine/structure/variable_function.h"

namespace cardan {
void addViolationResult(VariableTable& table, const FlatModel& flat,
                        const std::vector<std::string>& taken) {
  constexpr const char* kName = "contactViolation";
  std::vector<bool> hasFrame(flat.instances.size(), false);
  for (const FlatModel::Frame& f : flat.frames) {
    if (f.instance >= 0) hasFrame[static_cast<size_t>(f.instance)] = true;
  }
  const bool any = std::ranges::any_of(flat.modes, [&](const FlatModel::Mode& m) {
    return hasFrame[static_cast<size_t>(m.instance)];
  });
  if (!any || table.find(kName) || std::ranges::find(taken, kName) != taken.end()) return;
  // It belongs to the world (instance 0), as the totals do.
  table.add(
      kName,
      {kName, "1",
       "the most by which laws of contact could not be kept since the row before, as a part of "
       "the speed or size that each is about; 0: all were",
       Level::Acceleration},
      {}, variableFunction([](const auto& x, auto* out) { *out = x.contactViolation(); }), 0);
}

}  // namespace cardan
