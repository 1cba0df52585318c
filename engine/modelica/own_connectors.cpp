#include "engine/modelica/own_connectors.h"

#include <algorithm>
#include <functional>

#include "engine/modelica/scalar_expression.h"
#include "engine/text/mapped.h"

namespace cardan::modelica {
namespace {

/// The names of a variable's elements: "a.i[2]".
std::vector<std::string> elementNames(const Component& c) {
  if (c.sizes.empty()) return {c.path};
  return mapped(indicesOf(c.sizes), [&](const std::vector<int>& indices) {
    return elementNode(nameNode(c.path), indices)->text;
  });
}

/// What equal potentials and flows are about: numbers of a connector that are no signals.
bool isCarried(const Component& c) {
  return c.type.isSimple() && !c.type.isSignal() && !c.element->isInput && !c.element->isOutput &&
         !c.isParameter();
}

bool isOwnConnector(const Component& c) { return c.type.kind == TypeKind::connector; }

/// Calls `visit` for the connectors of the files, those in others' arrays and insides too.
void forConnectors(const Instance& instance, const std::function<void(const Component&)>& visit) {
  forComponents(instance, [&](const Component& c) {
    if (!c.instance) return;
    if (isOwnConnector(c)) visit(c);
    forConnectors(*c.instance, visit);
  });
}

}  // namespace

bool hasOwnConnectors(const Instance& instance) {
  bool found = false;
  forConnectors(instance, [&](const Component&) { found = true; });
  return found;
}

OwnConnectors::Side OwnConnectors::standing(const std::map<Side, Side>& united, Side s) {
  for (auto u = united.find(s); u != united.end() && u->second != s; u = united.find(s))
    s = u->second;
  return s;
}

void OwnConnectors::connect(const Component& a, bool isOutsideA, const Component& b,
                            bool isOutsideB, const SourceMark& at) {
  const auto isExpandable = [](const Component& c) { return c.type.definition->isExpandable; };
  const bool isOpen = isExpandable(a) || isExpandable(b);
  const auto require = [&](const Component& in, const Component& other) {
    for (const auto& field : other.instance->components) {
      if (field->isRemoved || field->isParameter() || in.instance->find(field->name)) continue;
      throw Refusal{at, "connectors '" + a.path + "' and '" + b.path +
                            "' must have the same elements: '" + in.path + "' has no '" +
                            field->name + "'"};
    }
  };
  if (!isOpen) {
    require(a, b);
    require(b, a);
  }
  for (const auto& field : a.instance->components) {
    const Component* other = b.instance->find(field->name);
    if (!other || field->isRemoved || other->isRemoved) continue;
    const auto both = [&](const auto& self, const Component& x, const Component& y) -> void {
      if (x.elements.size() != y.elements.size() || x.sizes != y.sizes) {
        throw Refusal{at, "connectors '" + a.path + "' and '" + b.path +
                              "' must have the same elements: '" + x.path + "' and '" + y.path +
                              "' differ in size"};
      }
      for (size_t i = 0; i < x.elements.size(); ++i) self(self, *x.elements[i], *y.elements[i]);
      if (x.instance && y.instance && x.type.kind != TypeKind::physical) {
        connect(x, isOutsideA, y, isOutsideB, at);
      } else if (isCarried(x) && isOwnConnector(a)) {
        connectField(x, isOutsideA, y, isOutsideB, at);
      }
    };
    both(both, *field, *other);
  }
}

void OwnConnectors::connectField(const Component& a, bool isOutsideA, const Component& b,
                                 bool isOutsideB, const SourceMark& at) {
  if (a.element->isFlow != b.element->isFlow) {
    throw Refusal{
        at, "'" + a.path + "' and '" + b.path + "' must both be 'flow' variables, or neither"};
  }
  const std::vector<std::string> left = elementNames(a), right = elementNames(b);
  for (size_t i = 0; i < left.size(); ++i) {
    const bool isFlow = a.element->isFlow;
    auto& all = isFlow ? flows_ : potentials_;
    const Side x{left[i], isFlow && isOutsideA}, y{right[i], isFlow && isOutsideB};
    if (isFlow) {
      for (const Side& s : {x, y}) {
        if (all.try_emplace(s, s).second) met_.emplace_back(s, at);
      }
    }
    const Side first = standing(all, x), second = standing(all, y);
    if (first == second) continue;
    all[second] = first;
    all.try_emplace(first, first);
    if (!isFlow) potentialEquations_.push_back({nameNode(x.path), nameNode(y.path), at});
  }
}

std::vector<OwnConnectors::Equation> OwnConnectors::equations(const Instance& model) const {
  std::vector<Equation> all = potentialEquations_;
  // Flows into parts, less what flows into the class around them from outside.
  std::vector<Side> order;
  std::map<Side, Equation> sums;
  for (const auto& [side, at] : met_) {
    const Side set = standing(flows_, side);
    const auto [found, isNew] = sums.try_emplace(set, Equation{numberNode(0), numberNode(0), at});
    if (isNew) order.push_back(set);
    Tree& sum = found->second.left;
    sum = side.isOutside ? differenceOf(sum, nameNode(side.path)) : sumOf(sum, nameNode(side.path));
  }
  for (const Side& set : order) all.push_back(sums[set]);
  forConnectors(model, [&](const Component& c) { addFlows(c, all); });
  return all;
}

/// Nothing flows where nothing is connected.
void OwnConnectors::addFlows(const Component& c, std::vector<Equation>& out) const {
  for (const auto& field : c.instance->components) {
    if (field->isRemoved || !field->element->isFlow || !isCarried(*field)) continue;
    for (const std::string& name : elementNames(*field)) {
      if (!flows_.contains({name, false})) out.push_back({nameNode(name), numberNode(0), c.mark()});
    }
  }
}

}  // namespace cardan::modelica
