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

/// The pre() that this variable of the table is, or null.
const HeldValues::Before* HeldValues::shownAs(int variable) const {
  const auto before = std::ranges::find(befores_, variable, &Before::variable);
  return before == befores_.end() ? nullptr : &*before;
}

std::vector<int> HeldValues::placesOf(int variable, int element) const {
  const Before* const before = shownAs(variable);
  const std::string& name = before ? before->name : table_[variable].name;
  std::vector<int> places;
  if (const Discrete* d = discrete(name)) places.push_back(d->offset + element);
  for (const Before& b : befores_) {
    if (b.name == name) places.push_back(b.offset + element);
  }
  return places;
}

bool HeldValues::isFree(int variable) const {
  return shownAs(variable) || discrete(table_[variable].name);
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

namespace {

/// Variables that the value follows between events.
std::vector<int> followedBy(const ExpressionVariable& e) {
  std::vector<int> variables;
  for (const int slot : e.expression().follows().slots)
    variables.push_back(e.sources()[e.sourceOf(slot)].variable);
  return variables;
}

}  // namespace

bool HeldValues::isDiscrete(int variable) const { return areDiscrete({variable}); }

bool HeldValues::isDiscrete(const ExpressionVariable& expression) const {
  return !expression.expression().follows().time && areDiscrete(followedBy(expression));
}

bool HeldValues::areDiscrete(std::vector<int> open) const {
  std::set<int> seen;
  while (!open.empty()) {
    const int v = open.back();
    open.pop_back();
    if (!seen.insert(v).second) continue;
    const VariableTable::Variable& x = table_[v];
    if (x.info.isBoolean || x.info.level == Level::Constant) continue;
    if (held_.contains(v)) continue;
    if (!x.expression) return false;
    if (x.expression->expression().follows().time) return false;
    const std::vector<int> next = followedBy(*x.expression);
    open.insert(open.end(), next.begin(), next.end());
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
