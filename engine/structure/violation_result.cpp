#include "engine/structure/violation_result.h"

#include <algorithm>
#include <memory>

namespace cardan {
namespace {

class Violation final : public VariableFunction {
 public:
  void evaluate(const View<double>& x, double* out) const override { *out = x.contactViolation(); }
  void evaluate(const View<Dual>& x, Dual* out) const override {
    *out = Dual(x.contactViolation());
  }
};

}  // namespace

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
      {}, std::make_unique<Violation>(), 0);
}

}  // namespace cardan
