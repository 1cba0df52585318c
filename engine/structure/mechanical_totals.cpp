#include "engine/structure/mechanical_totals.h"

#include <algorithm>
#include <array>

namespace cardan {
namespace {

/// Sum of some elements of all contributions: each of `size` outputs is the sum over one element,
/// a scalar the sum over all of them.
class Total final : public VariableFunction {
 public:
  Total(const VariableTable& table, size_t first, size_t count, bool summed)
      : first_(first), count_(count), summed_(summed) {
    for (const auto& part : table.mechanics()) parts_.push_back(part.function.get());
  }
  void evaluate(const View<double>& x, double* out) const override { sum(x, out); }
  void evaluate(const View<Dual>& x, Dual* out) const override { sum(x, out); }

 private:
  template <class S>
  void sum(const View<S>& x, S* out) const {
    std::fill(out, out + (summed_ ? 1 : count_), S(0));
    std::array<S, kContribution> part;
    for (const VariableFunction* f : parts_) {
      f->evaluate(x, part.data());
      for (size_t i = 0; i < count_; ++i) out[summed_ ? 0 : i] += part[first_ + i];
    }
  }

  std::vector<const VariableFunction*> parts_;
  size_t first_, count_;
  bool summed_;
};

}  // namespace

void addMechanicalTotals(VariableTable& table, const std::vector<std::string>& taken) {
  if (table.mechanics().empty()) return;
  auto add = [&](const char* name, const char* unit, const char* description, size_t first,
                 int count, bool summed) {
    if (table.find(name) || std::find(taken.begin(), taken.end(), name) != taken.end()) return;
    // They belong to the world (instance 0): results for those who ask, not by default.
    table.add(name, {name, unit, description, Level::Velocity, false, table.mechanicsRead()},
              summed ? std::vector<int>{} : std::vector<int>{count},
              std::make_unique<Total>(table, first, count, summed), 0);
  };
  add("kineticEnergy", "J", "kinetic energy of all bodies", 0, 1, true);
  add("potentialEnergy", "J", "potential energy of gravity and springs", 1, 1, true);
  add("totalEnergy", "J", "kinetic and potential energy", 0, 2, true);
  add("linearMomentum", "N.s", "linear momentum of all bodies, resolved in world", 2, 3, false);
  add("angularMomentum", "N.m.s",
      "angular momentum of all bodies about the world's origin, resolved in world", 5, 3, false);
}

}  // namespace cardan
