#include "engine/modelica/instance.h"

#include "engine/text/mapped.h"

#include <algorithm>

namespace cardan::modelica {

const Value* Scope::local(const std::string& name) const {
  for (const Locals* l = locals.get(); l; l = l->outer.get()) {
    const auto found = l->values.find(name);
    if (found != l->values.end()) return &found->second;
  }
  return nullptr;
}

const Component* Scope::component(std::string_view name) const {
  return instance ? instance->find(name) : nullptr;
}

Scope Scope::with(const std::string& name, Value value) const {
  Scope inner = *this;
  inner.locals = std::make_shared<Locals>(Locals{{{name, std::move(value)}}, locals});
  return inner;
}

Scope Scope::inside(const ClassDefinition& c, const Instance* of) const {
  Scope inner{&c, of, nullptr, heritage};
  if (instance && instance != of)
    inner.heritage =
        std::make_shared<const Heritage>(Heritage{nullptr, nullptr, instance, heritage});
  return inner;
}

const Modifier* Modifier::find(std::string_view name) const {
  const auto found = std::ranges::find(parts, name, [](const auto& p) { return p.first; });
  return found == parts.end() ? nullptr : &found->second;
}

const Modifier* Modifier::inside(std::string_view path) const {
  const Modifier* m = this;
  for (size_t from = 0; m && from <= path.size();) {
    const size_t dot = std::min(path.find('.', from), path.size());
    m = m->find(path.substr(from, dot - from));
    from = dot + 1;
  }
  return m;
}

Modifier& Modifier::part(const std::string& name) {
  const auto found = std::ranges::find(parts, name, [](const auto& p) { return p.first; });
  if (found != parts.end()) return found->second;
  return parts.emplace_back(name, Modifier{}).second;
}

std::vector<std::string> Instance::names() const {
  return mapped(byName, [](const auto& named) { return named.first; });
}

Modifier merged(const Modifier& outer, const Modifier& inner) {
  if (outer.isEmpty()) return inner;
  if (inner.isEmpty()) return outer;
  if (outer.redeclaration) {
    // What an inner redeclaration says of its own goes with it.  Source  MLS 3.6, 7.3.2
    Modifier result = outer;
    result.isFinal = outer.isFinal || inner.isFinal;
    result.kept = std::make_shared<const Modifier>(
        merged(*outer.kept, inner.redeclaration ? *inner.kept : inner));
    return result;
  }
  Modifier result = inner;
  if (inner.redeclaration)
    result.kept = std::make_shared<const Modifier>(merged(outer, *inner.kept));
  result.at = outer.at;
  if (outer.value) {
    result.value = outer.value;
    result.isEach = outer.isEach;
  }
  result.isFinal = outer.isFinal || inner.isFinal;
  for (const auto& [name, modifier] : outer.parts) {
    Modifier& mine = result.part(name);
    mine = merged(modifier, mine);
  }
  return result;
}

}  // namespace cardan::modelica
