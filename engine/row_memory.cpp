#include "engine/row_memory.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/equations/held_values.h"

namespace cardan {
namespace {

/// Which variables show a mode or a number that a component holds is found by trying: two values, and
/// whether the variable is both.
class RowMemoryReader {
 public:
  RowMemoryReader(const std::map<std::string_view, double>& row, const VariableTable& table,
                  Equations& equations, double time, const std::vector<double>& y,
                  const std::vector<double>& yp)
      : row_(row), table_(table), equations_(equations), w_(equations.makeWorkspace<double>()) {
    equations_.evaluateAt(w_, time, y, yp);
  }

  RowMemory read() {
    if (const HeldValues* held = table_.held()) readHeld(*held);
    const FlatModel& flat = equations_.flatModel();
    std::vector<std::vector<VariableElement>> shown(flat.instances.size());
    for (const int v : table_.all()) {
      if (table_[v].instance < 0 || table_[v].info.level > Level::Time) continue;
      for (int e = 0; e < table_[v].size; ++e) shown[table_[v].instance].push_back({v, e});
    }
    std::vector<char> holds(flat.instances.size(), 0), shows = holds;  // per instance: a number
    for (const FlatModel::Number& n : flat.numbers) {
      holds[n.instance] = 1;
      if (readNumber(n.modes, shown[n.instance])) shows[n.instance] = 1;
    }
    for (const FlatModel::Past& p : flat.pasts) {
      if (p.instance < 0) continue;
      holds[p.instance] = 1;
      shows[p.instance] = 0;
    }
    for (size_t i = 0; i < holds.size(); ++i) {
      if (holds[i] && !shows[i]) found_.missing.push_back(flat.instances[i].name);
    }
    for (size_t m = 0; m < flat.modes.size(); ++m) {
      if (!flat.modes[m].isHalf) readTruth(m, shown[flat.modes[m].instance]);
    }
    ++equations_.state.changes;
    return std::move(found_);
  }

 private:
  /// Of the row; nothing, and noted, where it has no such column.
  std::optional<double> valueOf(VariableElement e) {
    const VariableTable::Variable& v = table_[e.variable];
    const std::string name = v.size == 1 ? v.name : table_.nameOf(e);  // as columns are called
    const auto found = row_.find(name);
    if (found != row_.end() && std::isfinite(found->second)) return found->second;
    if (std::ranges::find(found_.missing, name) == found_.missing.end())
      found_.missing.push_back(name);
    return std::nullopt;
  }

  void readHeld(const HeldValues& held) {
    const auto take = [&](int variable, int offset, int size) {
      for (int e = 0; e < size; ++e) {
        if (const auto value = valueOf({variable, e})) equations_.state.held[offset + e] = *value;
      }
    };
    for (const auto& [name, d] : held.discretes()) take(d.variable, d.offset, d.size);
    for (const HeldValues::Before& b : held.befores()) {
      if (b.discrete) take(b.of, b.offset, b.size);
    }
  }

  double now(VariableElement e) {
    values_.resize(table_[e.variable].size);
    table_[e.variable].function->evaluate(View<double>(w_.tables), values_.data());
    return values_[e.element];
  }

  /// The one of `shown` that is what `set` sets; the setting of before is back afterwards.
  template <class Set>
  std::optional<VariableElement> showing(const std::vector<VariableElement>& shown, double one,
                                         double other, double before, const Set& set) {
    for (const VariableElement e : shown) {
      set(one);
      const bool isFirst = now(e) == one;
      set(other);
      const bool isSecond = now(e) == other;
      set(before);
      if (isFirst && isSecond) return e;
    }
    return std::nullopt;
  }

  /// False: no variable shows it.
  bool readNumber(const NumberId& n, const std::vector<VariableElement>& shown) {
    std::vector<int>& modes = equations_.state.modes;
    const auto set = [&](double x) {
      const HalvesOfNumber h = HalvesOfNumber::of(x);
      modes[n.high.index] = h.high;
      modes[n.low.index] = h.low;
    };
    const double before = HalvesOfNumber{modes[n.high.index], modes[n.low.index]}.number();
    const auto e = showing(shown, 0.718281828, -31415.9265, before, set);
    if (!e) return false;
    if (const auto value = valueOf(*e)) {
      set(*value);
      found_.modes.insert(found_.modes.end(), {n.high.index, n.low.index});
    }
    return true;
  }

  /// Of blocks alone: contacts, frictions and stops find theirs by the motion.
  void readTruth(size_t m, const std::vector<VariableElement>& shown) {
    const FlatModel& flat = equations_.flatModel();
    const int i = flat.modes[m].instance;
    const auto isOf = [i](const auto& connector) { return connector.instance == i; };
    int& mode = equations_.state.modes[m];
    if ((mode != 0 && mode != 1) || std::ranges::any_of(flat.frames, isOf) ||
        std::ranges::any_of(flat.flanges, isOf))
      return;
    std::vector<VariableElement> truths = shown;
    std::erase_if(truths, [&](VariableElement e) { return !table_[e.variable].info.isBoolean; });
    const auto e = showing(truths, 0, 1, mode, [&](double x) { mode = static_cast<int>(x); });
    if (!e) return;
    if (const auto value = valueOf(*e)) mode = *value != 0 ? 1 : 0;
  }

  const std::map<std::string_view, double>& row_;
  const VariableTable& table_;
  Equations& equations_;
  Workspace<double> w_;
  std::vector<double> values_;
  RowMemory found_;
};

}  // namespace

RowMemory RowMemory::take(const std::map<std::string_view, double>& row, const VariableTable& table,
                          Equations& equations, double time, const std::vector<double>& y,
                          const std::vector<double>& yp) {
  return RowMemoryReader(row, table, equations, time, y, yp).read();
}

}  // namespace cardan
