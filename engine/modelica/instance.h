/// A Modelica model as it is instantiated: a tree of components, each with the modifications that
/// apply to it.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/modelica/syntax.h"
#include "engine/modelica/value.h"

namespace cardan::modelica {

struct Component;
struct Entity;
struct Instance;

/// Values that names have in a loop or a function.
struct Locals {
  std::map<std::string, Value, std::less<>> values;
  std::shared_ptr<Locals> outer;
};

/// Whose names those of a class are that is around a text: of a package that inherits them, or of what the
/// class is instantiated as.
struct Heritage {
  const ClassDefinition* ancestor = nullptr;  ///< of a package
  std::shared_ptr<const Entity> heir;
  const Instance* instance = nullptr;
  std::shared_ptr<const Heritage> further;
};

/// Where the names of an expression are looked up.
struct Scope {
  const ClassDefinition* lexical = nullptr;  ///< the class in whose text it stands
  const Instance* instance = nullptr;        ///< whose components it may name; null in packages
  std::shared_ptr<Locals> locals;
  std::shared_ptr<const Heritage> heritage = nullptr;  ///< of the classes around it

  SourceMark mark(Position p) const { return lexical ? lexical->mark(p) : SourceMark{}; }
  /// What a name is in a loop or a function; null where it is none of theirs.
  const Value* local(const std::string& name) const;
  /// The component of the instance that has this name, or null.
  const Component* component(std::string_view name) const;
  /// This one, and in it a name with a value.
  Scope with(const std::string& name, Value value) const;
  /// Of the text of a class that is defined here.
  Scope inside(const ClassDefinition& c, const Instance* of = nullptr) const;
};

/// An expression with its scope; of an array of components the elements that one of them takes.
struct Binding {
  const Expression* expression = nullptr;
  Scope scope;
  std::vector<int> picks;  ///< 1-based

  SourceMark mark() const { return scope.mark(expression->at); }
};

/// All that is said of an element from outside: its value and modifications of its parts.
struct Modifier {
  SourceMark at;
  std::optional<Binding> value;
  bool isEach = false;
  bool isFinal = false;
  std::vector<std::pair<std::string, Modifier>> parts;
  /// With its own modifications among `parts`, and whoever says more from outside of it.
  const Element* redeclaration = nullptr;
  Scope redeclarationScope;
  /// Of every redeclaration: what is said of whatever stands there, which stays if it is redeclared again.
  std::shared_ptr<const Modifier> kept;

  const Modifier* find(std::string_view name) const;
  /// What is said of "body.m": of a part inside a part.
  const Modifier* inside(std::string_view path) const;
  Modifier& part(const std::string& name);
  bool isEmpty() const { return !value && parts.empty() && !redeclaration; }
};

enum class TypeKind {
  real,
  integer,
  boolean,
  text,
  enumeration,
  orientation,  // Frames.Orientation
  catalogue,
  physical,   // a connector with flow variables that the catalogue has
  bus,        // an expandable connector, or one made of connectors or signals
  connector,  // one of the files with flow variables
  record,
  composite,  // a model or block made of components
  empty,      // an icon
  none,       // could not be found; reported
};

/// What a component is.
struct Type {
  TypeKind kind = TypeKind::none;
  std::string fullName;
  std::string catalogueType;  ///< "Revolute"
  const ClassDefinition* definition = nullptr;
  Scope scope;                        ///< of its definition
  Modifier modifier;                  ///< of short classes on the way
  std::vector<Binding> sizes;         ///< of short classes on the way
  int knownSize = 0;                  ///< of known types with elements
  std::string causality;              ///< "input", "output" of a signal's connector
  std::vector<std::string> literals;  ///< of an enumeration, where known

  bool isSimple() const { return kind <= TypeKind::orientation; }
  bool isSignal() const { return isSimple() && !causality.empty(); }
};

/// One declared element, or one element of an array of them.
struct Component {
  std::string name;  ///< with indices
  std::string path;  ///< in full, as the model file has it
  const Element* element = nullptr;
  Scope scope;      ///< where the declaration stands
  Scope typeScope;  ///< of a redeclaration: where that stands
  Modifier modifier;
  Type type;
  Instance* parent = nullptr;
  Variability variability = Variability::continuous;
  bool isRemoved = false;                            ///< its condition is false
  bool isBegun = false;                              ///< Instantiation::complete
  const Expression* givenBy = nullptr;               ///< left side: giveParameters()
  const Component* inner = nullptr;                  ///< of an outer one
  std::vector<int> sizes;                            ///< of an array
  std::vector<std::unique_ptr<Component>> elements;  ///< of an array of parts, row by row
  std::unique_ptr<Instance> instance;                ///< of a composite, record, bus or connector

  bool isParameter() const {
    return variability == Variability::parameter || variability == Variability::constant;
  }
  /// Signals by their type, or as they are declared.
  bool isInput() const { return type.causality == "input" || element->isInput; }
  bool isOutput() const { return type.causality == "output" || element->isOutput; }
  /// An array without elements.
  bool isEmpty() const { return std::ranges::find(sizes, 0) != sizes.end(); }
  SourceMark mark() const { return scope.mark(element->at); }
  /// True of fields of a record that is given as a whole, or is a field of one that is.
  bool isOfWhole() const;
  /// The value that the declaration, or whoever uses the class, gives; null if none.
  const Binding* value() const { return modifier.value ? &*modifier.value : nullptr; }
};

/// A class defined inside the class of an instance, as it is there.
struct LocalClass {
  const ClassDefinition* definition = nullptr;
  Scope scope;
  Modifier modifier;
  Modifier constraint;  ///< of whatever it is, behind what its definition says
  bool isInner = false;
};

/// A class with its components.
struct Instance {
  std::string path;
  Component* component = nullptr;  ///< that it is the inside of; null for the model
  Instance* parent = nullptr;
  const ClassDefinition* definition = nullptr;
  std::vector<std::unique_ptr<Component>> components;
  std::map<std::string, Component*, std::less<>> byName;
  std::map<std::string, LocalClass, std::less<>> classes;
  std::vector<Scope> definitions;  ///< of all classes whose elements it has, bases first
  /// Of the fields of a record that is given as a whole; of parameters that initial equations give.
  std::deque<Expression> values;

  Component* find(std::string_view name) const {
    const auto found = byName.find(name);
    return found == byName.end() ? nullptr : found->second;
  }
  /// True if it has the elements of the class.
  bool isOf(const ClassDefinition& c) const {
    return definition == &c ||
           std::ranges::find(definitions, &c, &Scope::lexical) != definitions.end();
  }
  /// Of all its components.
  std::vector<std::string> names() const;
};

inline bool Component::isOfWhole() const {
  const Component* record = parent ? parent->component : nullptr;
  return record && record->type.kind == TypeKind::record &&
         (record->value() || record->isOfWhole());
}

/// Calls f(component) for those of an instance that are there; the elements of an array come before it.
template <class F>
void forComponents(const Instance& instance, const F& f) {
  const auto below = [&](const auto& self, const Component& c) -> void {
    if (c.isRemoved || c.inner) return;
    for (const auto& element : c.elements) self(self, *element);
    f(c);
  };
  for (const auto& c : instance.components) below(below, *c);
}

/// What `outer` says beats what `inner` says.
Modifier merged(const Modifier& outer, const Modifier& inner);

/// Why an expression has no value, or cannot be said in a model file; thrown.
struct Refusal {
  SourceMark at;
  std::string text;
  ErrorKind kind = ErrorKind::general;
};
/// True where it is what variables hang on that has no value.
inline bool isOfVariables(const Refusal& r) {
  return r.text.find("no value before the run") != std::string::npos;
}
/// Throws a Refusal of what Modelica has and we have not.
[[noreturn]] inline void refuseUnsupported(const SourceMark& at, const std::string& text) {
  throw Refusal{at, text, ErrorKind::unsupported};
}

}  // namespace cardan::modelica
