#include "engine/equations/held_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/equations/expression_variable.h"
#include "engine/structure/variable_function.h"

namespace cardan {
namespace {

std::unique_ptr<VariableFunction> heldVariable(int offset, int size) {
  return variableFunction([offset, size](const auto& x, auto* out) {
    std::copy_n(x.tables().expressions->held + offset, size, out);
  });
}

}  // namespace

int HeldValues::reserve(const std::vector<double>& start) {
  const int offset = std::ssize(start_);
  start_.insert(start_.end(), start.begin(), start.end());
  return offset;
}

/// A variable that is a result only where somebody asks for it.
int HeldValues::show(const std::string& name, const char* description, std::vector<int> dimensions,
                     int size, int offset, bool isBoolean) {
  VariableInfo info{name, "", description, Level::Time};
  info.isBoolean = isBoolean;
  const int v = table_.add(name, std::move(info), std::move(dimensions), heldVariable(offset, size),
                           VariableTable::kParameter);
  held_.insert(v);
  return v;
}

void HeldValues::addDiscrete(const std::string& name, VariableInfo info,
                             std::vector<int> dimensions, const std::vector<double>& start) {
  const int offset = reserve(start), size = std::ssize(start);
  info.level = Level::Time;
  const int v =
      table_.add(name, std::move(info), std::move(dimensions), heldVariable(offset, size));
  held_.insert(v);
  discretes_[name] = {v, offset, size};
  starts_[name] = start;
}

void HeldValues::beginAt(const std::string& name, const std::vector<double>& start) {
  starts_[name] = start;
  for (const Before& b : befores_) {
    if (b.name == name) std::ranges::copy(startOf(name, b.size), start_.begin() + b.offset);
  }
}

bool HeldValues::beginAt(int variable, const std::vector<double>& start) {
  const auto asked = std::ranges::find(befores_, variable, &Before::variable);
  const std::string name = asked != befores_.end() ? asked->name : table_[variable].name;
  const Discrete* set = discrete(name);
  beginAt(name, start);
  if (set) std::ranges::copy(startOf(name, set->size), start_.begin() + set->offset);
  return set || asked != befores_.end();
}

bool HeldValues::hasBefore(const std::string& name) const {
  return std::ranges::find(befores_, name, &Before::name) != befores_.end();
}

std::vector<double> HeldValues::startOf(const std::string& name, int size) const {
  const auto found = starts_.find(name);
  std::vector<double> start = found == starts_.end() ? std::vector<double>() : found->second;
  start.resize(size, 0.0);
  return start;
}

const HeldValues::Discrete* HeldValues::discrete(const std::string& name) const {
  const auto found = discretes_.find(name);
  return found == discretes_.end() ? nullptr : &found->second;
}

bool HeldValues::isDiscrete(int variable) const {
  std::set<int> seen;
  std::vector<int> open{variable};
  while (!open.empty()) {
    const int v = open.back();
    open.pop_back();
    if (!seen.insert(v).second) continue;
    const VariableTable::Variable& x = table_[v];
    if (x.info.isBoolean || x.info.level == Level::Constant) continue;
    if (held_.contains(v)) continue;
    if (!x.expression) return false;
    const Program::Reads follows = x.expression->expression().follows();
    if (follows.time) return false;
    for (const ExpressionVariable::Source& s : x.expression->sources()) {
      const int end = s.slot + table_[s.variable].size;
      if (std::ranges::any_of(follows.slots, [&](int i) { return i >= s.slot && i < end; }))
        open.push_back(s.variable);
    }
  }
  return true;
}

int HeldValues::before(int variable) {
  const VariableTable::Variable& v = table_[variable];
  const auto known = std::ranges::find(befores_, variable, &Before::of);
  if (known != befores_.end()) return known->variable;
  return before({variable, v.name, 0, 0, v.size, isDiscrete(variable)}, v.dimensions,
                v.info.isBoolean);
}

int HeldValues::before(const std::string& name, bool isBoolean) {
  return before({-1, name, 0, 0, 1, true}, {}, isBoolean);
}

/// `b`: but for where it is and is shown.
int HeldValues::before(Before b, const std::vector<int>& dimensions, bool isBoolean) {
  const auto known = std::ranges::find(befores_, b.name, &Before::name);
  if (known != befores_.end()) return known->variable;
  b.offset = reserve(startOf(b.name, b.size));
  b.variable = show("pre(" + b.name + ")", "value before the event", dimensions, b.size, b.offset,
                    isBoolean);
  befores_.push_back(b);
  return b.variable;
}

void HeldValues::resolve() {
  for (Before& b : befores_) {
    if (b.of >= 0) continue;
    const auto v = table_.find(b.name);
    if (v && table_[*v].size == 1) b.of = *v;
  }
  std::erase_if(befores_, [](const Before& b) { return b.of < 0; });
}

int HeldValues::sample(double start, double interval) {
  for (const Sample& s : samples_) {
    if (s.start == start && s.interval == interval) return s.variable;
  }
  const int offset = reserve({0.0, 0.0});
  const int shown = show(fmt::format("sample({}, {})", start, interval),
                         "true at the events of this clock", {}, 1, offset, true);
  samples_.push_back({shown, offset, start, interval});
  return shown;
}

int HeldValues::flag(std::pair<int, int>& which, const char* name) {
  if (which.first < 0) {
    which.second = reserve({0.0});
    which.first = show(name, "true at one instant of the run", {}, 1, which.second, true);
  }
  return which.first;
}

}  // namespace cardan
