#include "engine/modelica/folding.h"

#include <algorithm>

#include "components/names.h"
#include "engine/modelica/own_connectors.h"
#include "engine/text/words.h"

namespace cardan::modelica {
namespace {

/// Calls `visit` for every composite that is there, outer ones first.
template <class Visit>
void forComposites(const Instance& instance, const Visit& visit) {
  forComponents(instance, [&](const Component& c) {
    if (!c.instance) return;
    if (c.type.kind == TypeKind::composite) visit(*c.instance);
    forComposites(*c.instance, visit);
  });
}

/// Words of a model file that no parameter of a submodel can have for its name.
bool hasOddParameter(const Instance& instance) {
  return std::ranges::any_of(instance.components, [](const auto& c) {
    return isOneOf(c->name, {"type", "count", "if", "pi", "deg", "time", "redeclare"});
  });
}

}  // namespace

Folding::Folding(const Instance& model, const std::set<const Instance*>& excluded) : model_(model) {
  std::map<const ClassDefinition*, int> uses;
  forComposites(model, [&](const Instance& i) { ++uses[i.definition]; });
  forComposites(model, [&](const Instance& i) {
    if (uses[i.definition] > 1 && !excluded.contains(&i) && !hasOddParameter(i) &&
        !hasOwnConnectors(i))
      byPath_.emplace(i.path, &i);
  });
}

const Instance& Folding::bodyOf(const Instance& instance) const {
  const Instance* i = &instance;
  while (i->parent && !isFolded(*i)) i = i->parent;
  return *i;
}

const Instance& Folding::bodyOf(std::string_view path) const {
  for (auto owner = ownerName(path); !owner.empty(); owner = ownerName(owner)) {
    const auto found = byPath_.find(owner);
    if (found != byPath_.end()) return *found->second;
  }
  return model_;
}

const Instance& Folding::common(std::string_view a, std::string_view b) const {
  const Instance* body = &bodyOf(a);
  while (!isInside(b, *body)) body = &around(*body);
  return *body;
}

bool Folding::isInside(std::string_view path, const Instance& body) {
  const std::string& in = body.path;
  return in.empty() || (path.size() > in.size() && path.starts_with(in) && path[in.size()] == '.');
}

std::string Folding::nameIn(const Instance& body, const std::string& path) {
  if (body.path.empty()) return path;
  if (!isInside(path, body)) throw NotFoldable{&body};
  return path.substr(body.path.size() + 1);
}

}  // namespace cardan::modelica
