#include "engine/modelica/lookup.h"

#include <algorithm>

namespace cardan::modelica {
namespace {

std::string joinedPath(const std::string& a, const std::string& b) {
  return a.empty() ? b : a + "." + b;
}

Entity entityOfClass(std::string fullName, const ClassDefinition* definition) {
  Entity e;
  e.kind = Entity::Kind::classOrPackage;
  e.fullName = std::move(fullName);
  e.definition = definition;
  if (definition) e.scope.lexical = definition->parent ? definition->parent : definition;
  return e;
}

/// A class around a text.
Entity entityAround(std::string fullName, const ClassDefinition* c, const Scope& text) {
  Entity e = entityOfClass(std::move(fullName), c);
  e.scope.heritage = text.heritage;
  return e;
}

/// A class that an instance may have changed.
Entity localIn(const Instance& instance, const std::string& name) {
  const auto local = instance.classes.find(name);
  if (local == instance.classes.end()) return {};
  const ClassDefinition* d = local->second.definition;
  Entity e = entityOfClass(d->fullName.empty() ? name : d->fullName, d);
  e.local = &local->second;
  e.scope = local->second.scope;
  return e;
}

}  // namespace

const ClassDefinition* Lookup::definitionOf(const std::string& fullName) {
  if (const ClassDefinition* c = library_.find(fullName)) return c;
  return interfaces_.find(fullName);
}

/// A class or package of this full name.
Entity Lookup::classNamed(const std::string& fullName) {
  if (fullName.starts_with("Modelica.")) {
    if (!known_.catalogueType(fullName).empty() || knownType(fullName) || isIcon(fullName) ||
        isUndrawn(fullName))
      return entityOfClass(fullName, nullptr);
  }
  if (const ClassDefinition* c = definitionOf(fullName)) return entityOfClass(fullName, c);
  if (isKnownPackage(fullName) || isKnownFunction(fullName))
    return entityOfClass(fullName, nullptr);
  return {};
}

Entity Lookup::step(const Entity& outer, const std::string& name) {
  const std::string full = joinedPath(outer.fullName, name);
  const ClassDefinition* c = outer.definition;
  const auto literal = c && c->isEnumeration ? std::ranges::find(c->literals, name)
                                             : std::vector<std::string>::const_iterator();
  if (c && c->isEnumeration && literal != c->literals.end()) {
    Entity e;
    e.kind = Entity::Kind::literal;
    e.fullName = full;
    // Those of the library go by their names.
    const bool isOurs = interfaces_.find(outer.fullName) == c;
    e.value = Value::literal(name, isOurs ? 0 : literal - c->literals.begin() + 1);
    return e;
  }
  if (c) {
    const Scope inside = outer.scope.inside(*c);
    if (const auto own = c->classes.find(name); own != c->classes.end()) {
      Entity e = entityOfClass(full, own->second.get());
      e.scope = inside;
      return e;
    }
    for (const Element& element : c->elements) {
      if (element.kind != ElementKind::component || element.name != name) continue;
      Entity e;
      e.kind = Entity::Kind::constant;
      e.fullName = full;
      e.definition = c;
      e.element = &element;
      e.scope = inside;
      return e;
    }
  }
  if (Entity e = classNamed(full)) return e;
  return c ? inherited(outer, name) : Entity{};
}

/// What is inherited, or what a short class stands for.
Entity Lookup::inherited(const Entity& outer, const std::string& name) {
  const ClassDefinition* c = outer.definition;
  const auto key =
      std::make_pair(c->fullName.empty() ? outer.fullName + "." + name : c->fullName, name);
  if (!underway_.insert(key).second) return {};
  Entity found;
  const auto inherit = [&](const Entity& from, const Modification& m, const Scope& where) {
    if (!from) return;
    found = step(from, name);
    if (!found) return;
    found.scope.heritage = std::make_shared<const Heritage>(Heritage{
        found.scope.lexical, std::make_shared<const Entity>(outer), nullptr, found.scope.heritage});
    const bool isClass = found.kind == Entity::Kind::classOrPackage;
    for (const Argument& a : m.arguments) {
      if (a.name.size() != 1 || a.name[0] != name) continue;
      if (isClass && a.redeclaration && a.redeclaration->definition) {
        found = entityOfClass(name, a.redeclaration->definition.get());
        found.scope = where;
      } else if (isClass) {
        found.isModified = true;
      } else if (a.modification.value) {
        found.changed = &*a.modification.value;
        found.scope = where;
      }
    }
  };
  if (c->isShort && c->base) inherit(base(*c->base, outer.scope), c->baseModification, outer.scope);
  const Scope inside = outer.scope.inside(*c);
  if (c->extendsItself) inherit(inherited(*c, outer.scope), c->baseModification, inside);
  for (const Element& element : c->elements) {
    if (found || element.kind != ElementKind::extends) continue;
    inherit(base(element.type, inside), element.modification, inside);
  }
  underway_.erase(key);
  return found;
}

Entity Lookup::base(const TypeName& name, const Scope& scope) {
  if (name.parts.empty()) return {};
  const std::string mark = "extends " + name.format();
  const ClassDefinition* where = scope.lexical;
  const std::string place = !where ? "" : where->fullName.empty() ? where->name : where->fullName;
  if (!underway_.emplace(place, mark).second) return {};
  Entity found = find(name, scope);
  if (!found.rest.empty() || found.kind != Entity::Kind::classOrPackage) found = {};
  underway_.erase({place, mark});
  return found;
}

Entity Lookup::inherited(const ClassDefinition& c, const Scope& scope) {
  if (!scope.lexical || scope.lexical == &c) return {};
  const Scope inside = scope.inside(*scope.lexical);
  return inherited(entityAround(scope.lexical->fullName, scope.lexical, inside), c.name);
}

Entity Lookup::whole(const std::vector<std::string>& parts) {
  Entity e = root(parts[0]);
  for (size_t i = 1; e && i < parts.size(); ++i) e = step(e, parts[i]);
  return e;
}

/// Those by name come before whole packages.  Source  MLS 3.6, 5.3.1
Entity Lookup::imported(const ClassDefinition& c, const std::string& name) {
  if (!underway_.emplace(c.fullName, "import " + name).second) return {};
  Entity found;
  for (const bool all : {false, true}) {
    for (const Element& element : c.elements) {
      if (found || element.kind != ElementKind::import || element.type.parts.empty() ||
          element.importsAll != all)
        continue;
      const std::vector<std::string>& path = element.type.parts;
      if (all || !element.imported.empty()) {
        const auto& list = element.imported;
        if (!all && std::ranges::find(list, name) == list.end()) continue;
        // Of quantities all names are taken for known: others come first.
        const bool isLoose = all && root(name);
        if (const Entity package = isLoose ? Entity{} : whole(path)) found = step(package, name);
      } else if ((element.name.empty() ? path.back() : element.name) == name) {
        found = whole(path);
      }
    }
  }
  underway_.erase({c.fullName, "import " + name});
  return found;
}

Entity Lookup::root(const std::string& name) {
  if (knownType(name)) return entityOfClass(name, nullptr);
  if (const ClassDefinition* c = library_.find(name)) return entityOfClass(name, c);
  if (const ClassDefinition* c = interfaces_.find(name)) return entityOfClass(name, c);
  return {};
}

/// What a name of class `c` is for whoever inherits it or is instantiated from it.
Entity Lookup::inHeir(const ClassDefinition& c, const std::string& name, const Heritage* heritage) {
  const auto isOf = [&](const Heritage& h) {
    return h.instance ? h.instance->isOf(c) : h.ancestor == &c;
  };
  while (heritage && !isOf(*heritage)) heritage = heritage->further.get();
  if (!heritage) return {};
  if (const Instance* instance = heritage->instance) {
    const Component* component = instance->find(name);
    if (!component) return localIn(*instance, name);
    Entity e;
    e.kind = Entity::Kind::constant;
    e.fullName = component->path;
    e.definition = component->scope.lexical;
    e.element = component->element;
    e.component = component;
    return e;
  }
  const Entity& heir = *heritage->heir;
  Entity further = inHeir(*heir.definition, name, heir.scope.heritage.get());
  return further ? further : step(heir, name);
}

Entity Lookup::first(const std::string& name, const Scope& scope) {
  if (scope.instance) {
    if (Entity e = localIn(*scope.instance, name)) return e;
  }
  const ClassDefinition* c = scope.lexical;
  std::string full = c ? c->fullName : "";
  while (true) {
    if (c || !full.empty()) {
      if (Entity e = step(entityAround(full, c, scope), name)) {
        Entity ofHeir = c ? inHeir(*c, name, scope.heritage.get()) : Entity{};
        return ofHeir ? ofHeir : e;
      }
    }
    if (c) {
      if (Entity e = imported(*c, name)) return e;
      if (c->isEncapsulated) break;
    }
    if (c && c->parent) {
      c = c->parent;
      full = c->fullName;
      continue;
    }
    const size_t dot = full.rfind('.');
    if (dot == std::string::npos) break;
    full.erase(dot);
    c = definitionOf(full);
  }
  return root(name);
}

Entity Lookup::find(const std::vector<std::string>& parts, bool isGlobal, const Scope& scope) {
  Entity e = isGlobal ? root(parts[0]) : first(parts[0], scope);
  if (!e) return e;
  size_t used = 1;
  while (used < parts.size() && e.kind == Entity::Kind::classOrPackage) {
    Entity next = step(e, parts[used]);
    if (!next) break;
    e = std::move(next);
    ++used;
  }
  e.rest.assign(parts.begin() + used, parts.end());
  return e;
}

std::vector<std::string> Lookup::namesNear(const Scope& scope) const {
  std::vector<std::string> names;
  for (const ClassDefinition* c = scope.lexical; c; c = c->parent) {
    for (const auto& [name, inner] : c->classes) names.push_back(name);
  }
  return names;
}

}  // namespace cardan::modelica
