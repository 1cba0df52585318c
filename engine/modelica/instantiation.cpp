#include "engine/modelica/instantiation.h"

#include <algorithm>

#include "engine/modelica/known_classes.h"
#include "engine/modelica/value_kinds.h"
#include "engine/text/joined.h"

namespace cardan::modelica {
namespace {

constexpr int kDeepestInstance = 60;
constexpr size_t kMostComponents = 100'000;
constexpr double kMostElements = 1e6;  ///< of one array

/// Attributes of Real and its like.
constexpr std::string_view kAttributes[] = {"value",   "quantity",  "unit",       "displayUnit",
                                            "min",     "max",       "start",      "fixed",
                                            "nominal", "unbounded", "stateSelect"};

bool isAttribute(std::string_view name) {
  return std::ranges::find(kAttributes, name) != std::end(kAttributes);
}

TypeKind simpleKind(const std::string& base) {
  if (base == "Real") return TypeKind::real;
  if (base == "Integer") return TypeKind::integer;
  if (base == "Boolean") return TypeKind::boolean;
  if (base == "String") return TypeKind::text;
  if (base == "Orientation") return TypeKind::orientation;
  return TypeKind::enumeration;
}

const char* kindWord(TypeKind kind) {
  switch (kind) {
    case TypeKind::real:
      return "Real";
    case TypeKind::integer:
      return "Integer";
    case TypeKind::boolean:
      return "Boolean";
    case TypeKind::text:
      return "String";
    default:
      return "enumeration";
  }
}

/// Why a value is not of the declared kind, or "".
std::string kindMismatch(TypeKind kind, const Value& value) {
  if (value.isArray()) {
    for (const Value& item : value.items) {
      if (std::string text = kindMismatch(kind, item); !text.empty()) return text;
    }
    return "";
  }
  using K = Value::Kind;
  const bool fits =
      kind == TypeKind::real ? value.isNumber()
      : kind == TypeKind::integer
          ? value.isNumber() &&
                value.number == static_cast<double>(static_cast<long long>(value.number))
      : kind == TypeKind::boolean     ? value.kind == K::boolean
      : kind == TypeKind::text        ? value.kind == K::text
      : kind == TypeKind::enumeration ? value.kind == K::enumeration
                                      : true;
  return fits ? "" : value.describe();
}

/// What `find` finds in the innermost instance around one that has it.
template <class Find>
auto innerOf(const Instance& within, const Find& find) {
  decltype(find(within)) found = nullptr;
  for (const Instance* i = within.parent; i && !found; i = i->parent) found = find(*i);
  return found;
}

/// True of the modes of frictions that a model may have `fixed` at the start, as they are anyway.
bool isModeOfFriction(std::string_view name) {
  return name == "startForward" || name == "startBackward" || name == "locked" || name == "stuck";
}

}  // namespace

void pickElement(Modifier& modifier, int index) {
  if (modifier.value && !modifier.isEach) modifier.value->picks.push_back(index);
  for (auto& [name, part] : modifier.parts) {
    if (!part.isEach) pickElement(part, index);
  }
  if (!modifier.kept) return;
  Modifier kept = *modifier.kept;
  pickElement(kept, index);
  modifier.kept = std::make_shared<const Modifier>(std::move(kept));
}

bool Instantiation::error(const SourceMark& at, const std::string& text, ErrorKind kind) {
  if (reported_.insert(Diagnostic{Severity::error, at, text}.format()).second)
    diagnostics_.error(at, text, kind);
  return false;
}

Modifier Instantiation::merge(const Modifier& outer, const Modifier& inner) {
  for (const auto& [name, part] : outer.parts) {
    const Modifier* mine = inner.find(name);
    if (mine && mine->isFinal && (part.value || part.redeclaration))
      error(part.at, "'" + name + "' is final and must not be modified");
  }
  return merged(outer, inner);
}

Modifier Instantiation::modifierOf(const Modification& m, const Scope& scope, Position at) {
  Modifier result;
  result.at = scope.mark(at);
  if (m.value) result.value = Binding{&*m.value, scope, {}};
  for (const Argument& a : m.arguments) addArgument(result, a, scope);
  return result;
}

void Instantiation::addArgument(Modifier& modifier, const Argument& a, const Scope& scope) {
  Modifier* target = &modifier;
  for (const std::string& name : a.name) target = &target->part(name);
  if (a.redeclaration) {
    *target = merged(redeclarationAs(*a.redeclaration, scope, a.at), *target);
    target->isEach = a.isEach;
    return;
  }
  if (target->value && a.modification.value) {
    error(scope.mark(a.at), "'" + joined(a.name, ".") + "' is modified twice");
    return;
  }
  Modifier own = modifierOf(a.modification, scope, a.at);
  own.isEach = a.isEach;
  own.isFinal = a.isFinal;
  const bool isFinal = target->isFinal || own.isFinal;
  *target = merged(own, *target);
  target->isFinal = isFinal;
  target->isEach = target->isEach || a.isEach;
  target->at = scope.mark(a.at);
  if (a.isEach && a.name.size() > 1) modifier.part(a.name[0]).isEach = true;
}

Modifier Instantiation::redeclarationAs(const Element& element, const Scope& scope, Position at) {
  Modifier m;
  // A class has its own in its definition.
  if (element.kind == ElementKind::component) m = modifierOf(element.modification, scope, at);
  m.at = scope.mark(at);
  m.redeclaration = &element;
  m.redeclarationScope = scope;
  m.kept =
      std::make_shared<const Modifier>(modifierOf(element.constrainingModification, scope, at));
  return m;
}

Type Instantiation::typeOf(const TypeName& name, const Scope& scope) {
  const Entity found = lookup_.find(name, scope);
  const SourceMark at = scope.mark(name.at);
  if (found.isWhole() && found.kind == Entity::Kind::classOrPackage) return classify(found, at, 0);
  if (found.isWhole()) {
    error(at, "'" + name.format() + "' is no class");
    return {};
  }
  const bool isInside = found.kind == Entity::Kind::classOrPackage;
  const std::string full = isInside ? found.written() : name.format();
  error(at,
        "class '" + full + "' is not in Cardan's catalogue, and no file given defines it" +
            (name.parts.size() == 1 ? didYouMean(full, lookup_.namesNear(scope)) : ""),
        full.starts_with("Modelica.") ? ErrorKind::unsupported : ErrorKind::general);
  return {};
}

Type Instantiation::classify(const Entity& entity, const SourceMark& at, int depth) {
  Type type;
  type.fullName = entity.fullName;
  type.definition = entity.definition;
  if (entity.local) {
    type.scope = entity.scope;
    type.modifier = entity.local->modifier;
    Type result = classifyDefinition(std::move(type), at, depth);
    result.modifier = merge(result.modifier, entity.local->constraint);
    return result;
  }
  if (entity.isModified) {
    error(at,
          "class '" + entity.fullName +
              "' is inherited by a package that modifies it, which is "
              "not supported",
          ErrorKind::unsupported);
    return {};
  }
  if (const auto known = knownType(entity.fullName)) {
    type.kind = simpleKind(known->base);
    type.knownSize = known->size;
    return type;
  }
  if (isIcon(entity.fullName) || isUndrawn(entity.fullName)) {
    type.kind = TypeKind::empty;
    return type;
  }
  type.catalogueType = lookup_.known().catalogueType(entity.fullName);
  if (!type.catalogueType.empty()) {
    type.kind = TypeKind::catalogue;
    return type;
  }
  if (!physicalConnector(entity.fullName).empty()) {
    type.kind = TypeKind::physical;
    return type;
  }
  if (!entity.definition) {
    error(at, "'" + entity.fullName + "' is a package, and no class for a component");
    return {};
  }
  type.scope = entity.scope;
  return classifyDefinition(std::move(type), at, depth);
}

Type Instantiation::classifyDefinition(Type type, const SourceMark& at, int depth) {
  const ClassDefinition& d = *type.definition;
  if (depth > kDeepestInstance) {
    error(at, "class '" + d.name + "' is defined by itself");
    return {};
  }
  if (d.isEnumeration) {
    type.kind = TypeKind::enumeration;
    type.literals = d.literals;
    return type;
  }
  if (d.restriction == "package" || d.restriction == "function") {
    error(at, "'" + type.fullName + "' is a " + d.restriction + ", and no class for a component");
    return {};
  }
  if (d.isShort) return classifyShort(type, depth);
  if (d.restriction == "connector") return classifyConnector(std::move(type), depth);
  if (d.restriction == "record" || d.restriction == "operator record") {
    type.kind = TypeKind::record;
    return type;
  }
  const Scope text = type.scope.inside(d);
  if (const Element* base = onlyModified(text, 0))
    return inherited(type, base->type, base->modification, text, depth);
  type.kind = TypeKind::composite;
  return type;
}

/// What a definition that is `name(m)` means: that class, with its modifiers behind those of `type`.
Type Instantiation::inherited(const Type& type, const TypeName& name, const Modification& m,
                              const Scope& scope, int depth) {
  const ClassDefinition& d = *type.definition;
  const Entity base = lookup_.find(name, scope);
  if (base.definition == &d) {
    error(d.mark(name.at), "class '" + d.name + "' is defined by itself");
    return {};
  }
  if (!base.isWhole()) return typeOf(name, scope);
  Type result = classify(base, d.mark(name.at), depth + 1);
  result.modifier = merge(type.modifier, merge(modifierOf(m, scope, name.at), result.modifier));
  return result;
}

/// `type A = B[sizes](modifiers)`.
Type Instantiation::classifyShort(const Type& type, int depth) {
  const ClassDefinition& d = *type.definition;
  Type result = inherited(type, *d.base, d.baseModification, type.scope, depth);
  if (!d.causality.empty()) result.causality = d.causality;
  // An array of arrays: its own dimensions come first.  Source  MLS 3.6, 10.1
  result.sizes.insert(result.sizes.begin(), d.sizes.size(), Binding{nullptr, type.scope, {}});
  for (size_t i = 0; i < d.sizes.size(); ++i) result.sizes[i].expression = &d.sizes[i];
  if (result.kind == TypeKind::composite || result.kind == TypeKind::bus ||
      result.kind == TypeKind::connector || result.kind == TypeKind::record)
    result.fullName = type.fullName;
  return result;
}

/// One of the catalogue's, by inheritance, or with flow variables of its own; others are buses.
Type Instantiation::classifyConnector(Type type, int depth) {
  const ClassDefinition& d = *type.definition;
  type.kind = TypeKind::bus;
  if (d.isExpandable) return type;
  std::vector<Type> bases;
  if (const Entity base = d.extendsItself ? lookup_.inherited(d, type.scope) : Entity{})
    bases.push_back(classify(base, d.mark(d.at), depth + 1));
  for (const Element& e : d.elements) {
    if (e.kind == ElementKind::extends) bases.push_back(typeOf(e.type, type.scope.inside(d)));
  }
  for (const Type& base : bases) {
    if (base.kind == TypeKind::physical) return base;
    if (base.kind == TypeKind::connector) type.kind = base.kind;
  }
  for (const Element& e : d.elements) {
    if (e.kind != ElementKind::component) continue;
    if (e.isStream) {
      error(d.mark(e.at),
            "connector '" + d.name +
                "': 'stream' variables of connectors that the catalogue has not are not supported",
            ErrorKind::unsupported);
      return {};
    }
    if (e.isFlow) type.kind = TypeKind::connector;
  }
  return type;
}

/// The `extends` of a class that does nothing but modify one of the catalogue; null: it does more.
const Element* Instantiation::onlyModified(const Scope& text, int depth) {
  const ClassDefinition& d = *text.lexical;
  if (!d.algorithms.empty() || d.externalAt || !d.equations.empty() ||
      !d.initialEquations.empty() || d.extendsItself)
    return nullptr;
  const Element* only = nullptr;
  for (const Element& e : d.elements) {
    if (e.kind == ElementKind::component) return nullptr;
    if (e.kind != ElementKind::extends) continue;
    const Entity base = lookup_.find(e.type, text);
    if (base && isIcon(base.fullName)) continue;
    if (only) return nullptr;
    only = &e;
  }
  if (!only) return nullptr;
  return isOfCatalogue(lookup_.find(only->type, text), depth + 1) ? only : nullptr;
}

/// True of classes of the catalogue, by other names and with other parameters as well.
bool Instantiation::isOfCatalogue(const Entity& entity, int depth) {
  if (!entity.isWhole() || depth > kDeepestInstance) return false;
  if (!lookup_.known().catalogueType(entity.fullName).empty()) return true;
  const ClassDefinition* d = entity.definition;
  if (!d) return false;
  if (d->isShort) return d->base && isOfCatalogue(lookup_.find(*d->base, entity.scope), depth + 1);
  return onlyModified(entity.scope.inside(*d), depth);
}

std::unique_ptr<Instance> Instantiation::instantiate(const ClassDefinition& model) {
  auto instance = std::make_unique<Instance>();
  instance->definition = &model;
  std::vector<const ClassDefinition*> chain;
  Modifier none;
  collect(*instance, model, {model.parent ? model.parent : &model, nullptr, nullptr}, none, chain);
  finish(*instance);
  return instance;
}

/// `where`: where the definition stands.
void Instantiation::collect(Instance& instance, const ClassDefinition& c, const Scope& where,
                            Modifier& modifier, std::vector<const ClassDefinition*>& chain) {
  if (std::ranges::find(chain, &c) != chain.end()) {
    std::string circle;
    for (const ClassDefinition* d : chain) circle += d->name + " -> ";
    error(c.mark(c.at), "class '" + c.name + "' extends itself: " + circle + c.name);
    return;
  }
  if (std::ranges::find(instance.definitions, &c, &Scope::lexical) != instance.definitions.end())
    return;
  chain.push_back(&c);
  const Scope scope = where.inside(c, &instance);
  if (c.isShort && c.base) {
    // A model that is another one, modified.
    extend(instance, lookup_.find(*c.base, where), *c.base, c.baseModification, where, modifier,
           chain);
  }
  // Redeclarations among the elements change what is inherited.
  for (const Element& e : c.elements) {
    if (!e.isRedeclare) continue;
    Modifier& part = modifier.part(e.name);
    const bool isAgain = part.redeclaration;
    part = merged(part, redeclarationAs(e, scope, e.at));
    if (!isAgain) part.at = c.mark(e.at);
  }
  for (const Element& e : c.elements) {
    if (e.kind == ElementKind::classDefinition && !e.isRedeclare)
      addClass(instance, e, scope, modifier);
  }
  if (c.extendsItself)
    extend(instance, lookup_.inherited(c, where), *c.extendsItself, c.baseModification, scope,
           modifier, chain);
  for (const Element& e : c.elements) {
    if (e.kind == ElementKind::extends) {
      extend(instance, lookup_.find(e.type, scope), e.type, e.modification, scope, modifier, chain);
    } else if (e.kind == ElementKind::component && !e.isRedeclare) {
      addComponent(instance, e, scope, modifier);
    }
  }
  chain.pop_back();
  instance.definitions.push_back(scope);
  if (c.externalAt)
    error(c.mark(*c.externalAt), "external functions are not supported", ErrorKind::unsupported);
}

/// What a name was found to be, with the modifications of the clause that has it.
void Instantiation::extend(Instance& instance, const Entity& found, const TypeName& name,
                           const Modification& m, const Scope& scope, const Modifier& outer,
                           std::vector<const ClassDefinition*>& chain) {
  const ClassDefinition& c = *scope.lexical;
  const SourceMark at = scope.mark(name.at);
  if (found.isWhole() && isIcon(found.fullName)) return;
  if (!found.isWhole()) {
    if (c.extendsItself && &name == &*c.extendsItself) {
      error(at, "no class '" + c.name + "' is inherited here");
    } else {
      typeOf(name, scope);  // reports
    }
    return;
  }
  const std::string catalogueType = lookup_.known().catalogueType(found.fullName);
  if (!catalogueType.empty()) {
    error(at,
          "class '" + c.name + "' extends '" + catalogueType +
              "' of Cardan's catalogue and adds to it; make that a component instead",
          ErrorKind::unsupported);
    return;
  }
  const ClassDefinition* base = found.definition;
  if (!base) {
    error(at, "'" + found.fullName + "' cannot be extended by a model");
    return;
  }
  Modifier modifier = merge(outer, modifierOf(m, scope, name.at));
  collect(instance, *base, found.scope, modifier, chain);
  // Every modification must be of something there.
  for (const Argument& a : m.arguments) {
    if (a.name.empty() || instance.find(a.name[0]) || instance.classes.contains(a.name[0]))
      continue;
    error(scope.mark(a.at), "class '" + base->name + "' has no element '" + a.name[0] + "'" +
                                didYouMean(a.name[0], instance.names()));
  }
}

void Instantiation::addClass(Instance& instance, const Element& element, const Scope& scope,
                             Modifier& modifier) {
  LocalClass local;
  local.definition = element.definition.get();
  local.scope = scope;
  local.isInner = element.isInner;
  local.constraint = modifierOf(element.constrainingModification, scope, element.at);
  if (const Modifier* changed = modifier.find(element.name)) {
    if (changed->redeclaration) {
      if (!element.isReplaceable) {
        error(changed->at, "class '" + element.name + "' is not replaceable");
      } else if (changed->redeclaration->definition) {
        // Without constrainedby its own modifiers are those of any other.  Source  MLS 3.6, 7.3.2
        if (!element.constrainedBy)
          local.constraint = modifierOf(local.definition->baseModification, scope, element.at);
        local.constraint = merge(*changed->kept, local.constraint);
        local.definition = changed->redeclaration->definition.get();
        local.scope = changed->redeclarationScope;
      }
    }
    local.modifier = *changed;
    local.modifier.redeclaration = nullptr;
    local.modifier.kept = nullptr;
  }
  if (element.isOuter && !element.isInner) {
    const LocalClass* inner = innerOf(instance, [&](const Instance& around) {
      const auto found = around.classes.find(element.name);
      return found != around.classes.end() && found->second.isInner ? &found->second : nullptr;
    });
    if (inner) {
      local = *inner;
      local.isInner = false;
    } else {
      error(scope.mark(element.at), "no 'inner " + local.definition->restriction + " " +
                                        element.name + "' is around this 'outer' class");
    }
  }
  instance.classes.emplace(element.name, std::move(local));
}

void Instantiation::addComponent(Instance& instance, const Element& element, const Scope& scope,
                                 Modifier& modifier) {
  if (const Component* twice = instance.find(element.name)) {
    // One that is inherited may be declared again, if alike.  Source  MLS 3.6, 7.1
    const bool isInherited = twice->scope.lexical != scope.lexical;
    if (isInherited && saysTheSame(*twice->element, element)) return;
    error(scope.mark(element.at), "component '" + element.name + "' is declared twice" +
                                      (isInherited ? ", and not in the same way" : ""));
    diagnostics_.note(twice->mark(), "first declared here");
    return;
  }
  auto c = std::make_unique<Component>();
  c->name = element.name;
  c->path = instance.path.empty() ? element.name : instance.path + "." + element.name;
  c->element = &element;
  c->scope = c->typeScope = scope;
  c->parent = &instance;
  c->variability = element.variability;
  const Modifier* outer = modifier.find(element.name);
  const Modifier constraint = modifierOf(element.constrainingModification, scope, element.at);
  Modifier own = merge(modifierOf(element.modification, scope, element.at), constraint);
  if (element.isFinal && outer && (outer->value || outer->redeclaration))
    error(outer->at, "'" + element.name + "' is final and must not be modified");
  if (outer && outer->redeclaration) {
    const Element& redeclared = *outer->redeclaration;
    if (!element.isReplaceable && !redeclared.isReplaceable && !element.isRedeclare) {
      error(outer->at, "component '" + element.name + "' is not replaceable");
    }
    if (redeclared.kind == ElementKind::component) {
      if (element.constrainedBy) own = constraint;
      c->typeScope = outer->redeclarationScope;
      c->type = typeOf(redeclared.type, outer->redeclarationScope);
      if (redeclared.variability != Variability::continuous)
        c->variability = redeclared.variability;
    }
    own = merge(*outer->kept, own);
    Modifier rest = *outer;
    rest.redeclaration = nullptr;
    rest.kept = nullptr;
    c->modifier = merge(rest, own);
  } else if (outer) {
    c->modifier = merge(*outer, own);
  } else {
    c->modifier = std::move(own);
  }
  instance.byName[element.name] = c.get();
  instance.components.push_back(std::move(c));
}

void Instantiation::finish(Instance& instance) {
  for (const auto& c : instance.components) {
    if (c->type.kind == TypeKind::none && c->typeScope.lexical == c->scope.lexical &&
        !(c->element->isOuter && !c->element->isInner)) {
      // Types may be local classes: all elements are known by now.
      c->type = typeOf(c->element->type, c->scope);
    }
    if (c->type.isSimple()) c->modifier = merge(c->modifier, c->type.modifier);
    if (!instance.parent && !instance.component && !world_ && c->type.catalogueType == "World")
      world_ = c.get();
    if (c->type.kind == TypeKind::physical || c->type.isSignal()) continue;
    const Element& e = *c->element;
    if (e.isStream)
      error(c->mark(), "'stream' variables are not supported", ErrorKind::unsupported);
  }
  for (const auto& c : instance.components) complete(*c);
}

/// Whether it is there, its size and its inside: in the order of the declarations, and of what the
/// conditions and sizes among them name before these.
void Instantiation::complete(const Component& named) {
  if (named.isBegun || tooMany_) return;
  Component& c = *named.parent->byName.at(named.name);
  c.isBegun = true;
  c.isRemoved = !isThere(c);
  if (!c.isRemoved) finishComponent(c);
}

bool Instantiation::isThere(const Component& c) {
  if (!c.element->condition) return true;
  try {
    const Value v = evaluation_.structural(*c.element->condition, c.scope);
    if (v.kind != Value::Kind::boolean) {
      error(c.scope.mark(c.element->condition->at),
            "the condition of '" + c.name + "' must be true or false, found " + v.describe());
    }
    return v.number != 0;
  } catch (const Refusal& r) {
    report(r);
    return false;
  }
}

/// The model's World, or else the first one, where this one has the same field: there is one for all.
const Component* Instantiation::worldOf(const Component& c) {
  if (!world_) world_ = &c;
  if (world_ == &c) return nullptr;
  for (const char* name : {"gravityAcceleration", "gravityType", "g", "n", "mu", "mue"}) {
    const Modifier *a = world_->modifier.find(name), *b = c.modifier.find(name);
    if (!a && !b) continue;
    const auto x = evaluation_.known(a), y = evaluation_.known(b);
    if (!x || !y || !(*x == *y)) return nullptr;
  }
  return world_;
}

std::optional<std::vector<int>> Instantiation::sizesOf(const Component& c) {
  std::vector<int> sizes;
  std::vector<Binding> all;
  for (const Expression& e : c.element->sizes) all.push_back({&e, c.scope, {}});
  for (const Binding& b : c.type.sizes) all.push_back(b);
  for (size_t i = 0; i < all.size(); ++i) {
    const Expression& e = *all[i].expression;
    try {
      if (e.kind == ExpressionKind::all) {
        // As many as the value has.
        if (!c.value() && !c.isOfWhole()) {
          error(all[i].mark(), "the size of '" + c.name + "' is open, and it has no value");
          return std::nullopt;
        }
        const std::vector<int> found =
            c.value() ? evaluation_.sizesOf(*c.value()) : evaluation_.valueOf(c).sizes();
        if (found.size() <= i) {
          error(c.value() ? c.value()->mark() : c.mark(),
                "'" + c.name + "' must be an array, found a scalar");
          return std::nullopt;
        }
        sizes.push_back(found[i]);
        continue;
      }
      Value v = evaluation_.structural(e, all[i].scope);
      using K = Value::Kind;
      const K first = v.isArray() && !v.items.empty() ? v.items[0].kind : K::real;
      if (first == K::enumeration || first == K::boolean)
        v = Value::real(static_cast<double>(v.items.size()));
      if (!v.isNumber() || v.number < 0 || v.number > kMostElements ||
          v.number != static_cast<int>(v.number)) {
        error(all[i].mark(), "the size of '" + c.name +
                                 "' must be a whole number from 0 to a million, found " +
                                 v.describe());
        return std::nullopt;
      }
      sizes.push_back(static_cast<int>(v.number));
    } catch (const Refusal& r) {
      report(r);
      return std::nullopt;
    }
  }
  if (c.type.knownSize > 0) sizes.push_back(c.type.knownSize);
  double elements = 1;
  for (const int n : sizes) elements *= n;
  if (elements > kMostElements) {
    error(c.mark(), "'" + c.name + "' must not have more than a million elements, found " +
                        joined(sizes, " x ", [](int n) { return std::to_string(n); }));
    return std::nullopt;
  }
  return sizes;
}

void Instantiation::finishComponent(Component& c) {
  if (++components_ > kMostComponents) {
    error(c.mark(),
          "a model must not have more than " + std::to_string(kMostComponents) + " components");
    tooMany_ = true;
    return;
  }
  if (c.element->isOuter && !c.element->isInner) {
    c.inner = innerOf(*c.parent, [&](const Instance& around) {
      const Component* found = around.find(c.name);
      return found && found->element->isInner ? found : nullptr;
    });
    if (c.inner) return;
    const Type type = typeOf(c.element->type, c.scope);
    if (type.catalogueType == "World") {
      c.type = type;
      c.path = "world";  // there is always one
      return;
    }
    if (type.kind != TypeKind::none) {
      error(c.mark(), "no 'inner " + c.element->type.format() + " " + c.name +
                          "' is around this 'outer' component");
    }
    return;
  }
  if (c.type.kind == TypeKind::none) return;
  if (c.type.catalogueType == "World" && c.parent) {
    c.inner = worldOf(c);
    if (c.inner) return;
  }
  if (isUndrawn(c.type.fullName))
    diagnostics_.warning(c.mark(), "'" + c.path + "' is a picture that is not drawn");
  checkModifier(c);
  const auto sizes = sizesOf(c);
  if (!sizes) {
    c.type.kind = TypeKind::none;
    return;
  }
  c.sizes = *sizes;
  if (c.type.isSimple()) {
    checkValue(c);
    return;
  }
  if (c.sizes.empty()) {
    fill(c);
  } else {
    expand(c, c.sizes);
  }
}

/// What is said without `each` of an array of parts has an element for each of them.
void Instantiation::checkLengths(const Modifier& m, const std::vector<int>& sizes) {
  if (m.value && !m.isEach) {
    const std::optional<Value> v = evaluation_.known(*m.value);
    const Expression& e = *m.value->expression;
    std::vector<int> found = v ? v->sizes() : std::vector<int>();
    if (!v && e.kind == ExpressionKind::array && m.value->picks.empty())
      found = {static_cast<int>(e.arguments.size())};
    for (size_t d = 0; d < std::min(sizes.size(), found.size()); ++d) {
      if (found[d] == sizes[d]) continue;
      error(m.value->mark(), "the array of components has " + std::to_string(sizes[d]) +
                                 " elements, this value " + std::to_string(found[d]));
      break;
    }
  }
  for (const auto& [name, part] : m.parts) {
    if (!part.isEach) checkLengths(part, sizes);
  }
}

/// The elements of an array of parts, row by row.
void Instantiation::expand(Component& c, const std::vector<int>& sizes) {
  size_t count = 1;
  for (const int n : sizes) count *= n;
  if (count > kMostComponents) {
    error(c.mark(),
          "a model must not have more than " + std::to_string(kMostComponents) + " components");
    return;
  }
  checkLengths(c.modifier, sizes);
  for (const std::vector<int>& indices : indicesOf(sizes)) {
    if (tooMany_) return;
    auto one = std::make_unique<Component>();
    one->modifier = c.modifier;
    for (const int i : indices) pickElement(one->modifier, i);
    one->name = elementNode(nameNode(c.name), indices)->text;
    one->path = elementNode(nameNode(c.path), indices)->text;
    one->element = c.element;
    one->scope = c.scope;
    one->typeScope = c.typeScope;
    one->type = c.type;
    one->parent = c.parent;
    one->variability = c.variability;
    one->isBegun = true;
    if (++components_ > kMostComponents) tooMany_ = true;
    fill(*one);
    c.elements.push_back(std::move(one));
  }
}

/// Parameters of the catalogue's classes by the names that they have now.
void Instantiation::takePresentNames(Component& c) {
  for (auto& [name, modifier] : c.modifier.parts)
    name = std::string(presentName(c.type.catalogueType, name));
  std::erase_if(c.modifier.parts, [&](const auto& part) {
    const auto& [name, modifier] = part;
    if (name.empty()) return true;
    // Modes begin as not being so.
    if (!isModeOfFriction(name) || modifier.value || modifier.redeclaration) return false;
    return std::ranges::all_of(modifier.parts, [&](const auto& attribute) {
      const bool isFalse = attribute.second.value &&
                           attribute.second.value->expression->kind == ExpressionKind::boolean &&
                           attribute.second.value->expression->number == 0;
      return attribute.first == "fixed" || (attribute.first == "start" && isFalse);
    });
  });
}

/// The inside of a component that is no array.
void Instantiation::fill(Component& c) {
  const bool hasInside = c.type.kind == TypeKind::composite || c.type.kind == TypeKind::record ||
                         c.type.kind == TypeKind::bus || c.type.kind == TypeKind::connector;
  if (c.type.kind == TypeKind::catalogue) {
    c.modifier = merge(c.modifier, c.type.modifier);
    takePresentNames(c);
  }
  if (!hasInside || !c.type.definition) return;
  if (c.type.definition->isPartial && c.type.kind == TypeKind::composite) {
    error(c.mark(), "class '" + c.type.fullName + "' of component '" + c.name +
                        "' is partial and makes no component");
    return;
  }
  int depth = 0;
  for (const Instance* i = c.parent; i; i = i->parent) ++depth;
  if (depth > kDeepestInstance) {
    error(c.mark(), "components are nested deeper than " + std::to_string(kDeepestInstance) +
                        " levels; does class '" + c.type.definition->name + "' contain itself?");
    tooMany_ = true;
    return;
  }
  c.instance = std::make_unique<Instance>();
  c.instance->path = c.path;
  c.instance->component = &c;
  c.instance->parent = c.parent;
  c.instance->definition = c.type.definition;
  std::vector<const ClassDefinition*> chain;
  Modifier all = merge(c.modifier, c.type.modifier);
  collect(*c.instance, *c.type.definition, c.type.scope, all, chain);
  for (const auto& field : c.instance->components) {
    if (c.type.kind == TypeKind::record && c.isParameter() && !field->isParameter())
      field->variability = c.variability;
  }
  const bool isBus = c.type.kind == TypeKind::bus && c.type.definition->isExpandable;
  for (const auto& [name, modifier] : all.parts) {
    if (isBus || c.instance->find(name) || c.instance->classes.contains(name)) continue;
    error(modifier.at, "class '" + c.type.definition->name + "' has no element '" + name + "'" +
                           didYouMean(name, c.instance->names()));
  }
  if (c.type.kind == TypeKind::record) checkWhole(c);
  if (c.type.kind == TypeKind::record && c.value() && !c.isParameter()) giveFields(c);
  finish(*c.instance);
  if (c.type.kind == TypeKind::record && c.value() && c.value()->picks.empty())
    checkFields(c, *c.value()->expression, c.value()->scope);
  if (c.type.kind == TypeKind::connector) checkBalance(c);
}

/// Where a record, or one around it, is given as a whole, nobody farther outside gives a field of it: the
/// value would be lost.
void Instantiation::checkWhole(const Component& c) {
  const Component* record = &c;
  while (!record->value() && record->isOfWhole()) record = record->parent->component;
  if (!record->value()) return;
  const Scope& whole = record->value()->scope;
  const auto depthOf = [](const Instance* i) {
    int depth = 0;
    for (; i; i = i->parent) ++depth;
    return depth;
  };
  for (const auto& [name, modifier] : c.modifier.parts) {
    if (!modifier.value) continue;
    const Scope& field = modifier.value->scope;
    const int above = depthOf(whole.instance) - depthOf(field.instance);
    const bool isOfHeir =
        above == 0 && field.lexical != whole.lexical && whole.lexical == record->scope.lexical;
    if (above <= 0 && !isOfHeir) continue;
    error(modifier.at, "'" + name + "' must not be given alone: the record '" + record->name +
                           "' is given as a whole");
  }
}

/// What a call of its constructor gives a record.
void Instantiation::checkFields(const Component& c, const Expression& e, const Scope& scope) {
  if (e.kind != ExpressionKind::call) return;
  try {
    const ClassDefinition* called = evaluation_.function(e, scope).definition;
    if (!called || called->restriction != "record") return;
    for (const auto& field : c.instance->components) {
      const auto v = evaluation_.fieldOf(e, scope, *c.instance, field->name);
      if (!v && !field->value())
        throw Refusal{scope.mark(e.at),
                      "field '" + field->name + "' of '" + c.name + "' is given no value"};
      if (v && field->instance) checkFields(*field, *v, scope);
      if (!v || !field->type.isSimple() || !c.isParameter()) continue;  // of variables later
      const SourceMark at = scope.mark(v->at);
      const std::string fault = mismatchOf(field->type.kind, kindOf(*v, scope, evaluation_));
      if (!fault.empty()) throw Refusal{at, "'" + field->name + "' is " + fault};
      const auto known = evaluation_.known(*v, scope);
      if (known && known->sizes() != field->sizes)
        throw Refusal{at, "'" + field->name + "' is " + sizesText(field->sizes) + ", its value " +
                              sizesText(known->sizes())};
    }
  } catch (const Refusal& r) {
    report(r);
  }
}

/// A connector has as many potentials as flows.
void Instantiation::checkBalance(const Component& c) {
  int potentials = 0, flows = 0;
  const ClassDefinition& d = *c.type.definition;
  for (const auto& field : c.instance->components) {
    if (field->type.kind == TypeKind::physical) {
      error(d.mark(d.at),
            "connector '" + d.name +
                "': connectors of the catalogue beside variables with 'flow' are not "
                "supported",
            ErrorKind::unsupported);
      return;
    }
    const bool isSignal = field->type.isSignal() || field->element->isInput ||
                          field->element->isOutput || field->type.kind == TypeKind::bus;
    if (field->isRemoved || field->isParameter() || isSignal || field->instance) continue;
    int n = 1;
    for (const int size : field->sizes) n *= size;
    (field->element->isFlow ? flows : potentials) += n;
  }
  if (potentials == flows) return;
  error(d.mark(d.at), "connector '" + d.name +
                          "' must have as many variables without 'flow' as "
                          "with it, found " +
                          std::to_string(potentials) + " and " + std::to_string(flows));
}

/// The value of a record of variables as values of its fields.
void Instantiation::giveFields(Component& c) {
  Binding whole = *c.value();
  std::deque<Expression>& values = c.instance->values;
  if (!whole.picks.empty()) {
    values.push_back(*whole.expression);
    for (const int i : whole.picks) {
      Expression& e = values.back();
      if (e.kind == ExpressionKind::array && i <= std::ssize(e.arguments)) {
        values.push_back(e.arguments[i - 1]);
      } else if (e.kind == ExpressionKind::name) {
        e.name.back().subscripts.push_back(numberAt(e.at, i));
      } else {
        error(whole.mark(), "the records of '" + c.name + "' must be listed one by one");
        return;
      }
    }
    whole = {&values.back(), whole.scope, {}};
  }
  for (const auto& field : c.instance->components) {
    try {
      auto value = evaluation_.fieldOf(*whole.expression, whole.scope, *c.instance, field->name);
      if (!value) continue;
      values.push_back(*std::move(value));
      field->modifier.value = Binding{&values.back(), whole.scope, {}};
    } catch (const Refusal& r) {
      report(r);
      return;
    }
  }
}

void Instantiation::checkModifier(const Component& c) {
  if (!c.type.isSimple() || c.type.kind == TypeKind::orientation) return;
  for (const auto& [name, modifier] : c.modifier.parts) {
    if (isAttribute(name)) continue;
    error(modifier.at, std::string(kindWord(c.type.kind)) + " '" + c.name + "' has no attribute '" +
                           name + "'" +
                           didYouMean(name, {std::begin(kAttributes), std::end(kAttributes)}));
  }
}

/// Kind and size of a parameter's value, where it is known by now.
void Instantiation::checkValue(Component& c) {
  const Modifier* start = c.modifier.find("start");
  if (c.isParameter() && !c.value() && start && start->value && !c.modifier.find("fixed")) {
    diagnostics_.warning(c.mark(),
                         "parameter '" + c.path + "' has no value: its start value is taken");
    const Modifier taken = *start;
    c.modifier.value = taken.value;
    c.modifier.isEach = taken.isEach;
  }
  if (!c.isParameter() || !c.value() || c.type.kind == TypeKind::orientation) return;
  std::optional<Value> v;
  try {
    v = evaluation_.value(*c.value());
  } catch (const Refusal&) {
    return;  // said where it is used
  }
  if (const std::string found = kindMismatch(c.type.kind, *v); !found.empty()) {
    error(c.value()->mark(), "'" + c.name + "' must be " +
                                 (c.type.kind == TypeKind::real      ? "a number"
                                  : c.type.kind == TypeKind::integer ? "a whole number"
                                  : c.type.kind == TypeKind::boolean ? "true or false"
                                  : c.type.kind == TypeKind::text    ? "a text"
                                                                     : "a literal") +
                                 ", found " + found);
    return;
  }
  const std::vector<int> found = v->sizes();
  if (found != c.sizes && !(c.modifier.isEach && found.empty())) {
    error(c.value()->mark(),
          "'" + c.name + "' is " + sizesText(c.sizes) + ", its value " + sizesText(found));
  }
}

}  // namespace cardan::modelica
