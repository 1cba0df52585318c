/// Lookup: what a name means in the text of a class: classes, constants and literals (the
/// components of an instance come before it, and are the instance's own affair).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/modelica/instance.h"
#include "engine/modelica/known_classes.h"
#include "engine/modelica/library.h"
#include "engine/text/joined.h"

namespace cardan::modelica {

/// What a name was found to be.
struct Entity {
  enum class Kind { none, classOrPackage, constant, literal };
  Kind kind = Kind::none;
  std::string fullName;
  const ClassDefinition* definition = nullptr;  ///< of a class; of a constant: that holds it
  const LocalClass* local = nullptr;            ///< of a class that an instance may have changed
  const Element* element = nullptr;             ///< of a constant
  const Expression* changed = nullptr;   ///< of a constant: what a short class or extends gives
  const Component* component = nullptr;  ///< of a constant of an instance around the text
  Scope scope;                           ///< where its definition, or what changes it, stands
  bool isModified = false;               ///< a class of which a heir says more
  Value value;                           ///< of a known literal
  std::vector<std::string> rest;         ///< parts of the name behind it that mean nothing

  explicit operator bool() const { return kind != Kind::none; }
  /// True if all of the name has a meaning.
  bool isWhole() const { return kind != Kind::none && rest.empty(); }
  /// Its full name, with the rest behind it.
  std::string written() const { return fullName + (rest.empty() ? "" : "." + joined(rest, ".")); }
};

class Lookup {
 public:
  Lookup(Library& library, Library& interfaces, const KnownClasses& known)
      : library_(library), interfaces_(interfaces), known_(known) {}

  /// The longest beginning of `parts` that means something.
  Entity find(const std::vector<std::string>& parts, bool isGlobal, const Scope& scope);
  Entity find(const TypeName& name, const Scope& scope) {
    return find(name.parts, name.isGlobal, scope);
  }
  /// What `name` is inside `outer`.
  Entity step(const Entity& outer, const std::string& name);
  /// The class that a name means where an extends clause or a short class stands.
  Entity base(const TypeName& name, const Scope& scope);
  /// The class of its own name that `class extends` stands for.
  Entity inherited(const ClassDefinition& c, const Scope& scope);

  const KnownClasses& known() const { return known_; }
  std::optional<std::string> resource(const std::string& uri) { return library_.resource(uri); }
  /// Full names of classes beside and above the scope, for suggestions.
  std::vector<std::string> namesNear(const Scope& scope) const;

 private:
  Entity first(const std::string& name, const Scope& scope);
  Entity inherited(const Entity& outer, const std::string& name);
  Entity inHeir(const ClassDefinition& c, const std::string& name, const Heritage* heritage);
  Entity root(const std::string& name);
  Entity imported(const ClassDefinition& c, const std::string& name);
  Entity whole(const std::vector<std::string>& parts);
  Entity classNamed(const std::string& fullName);
  const ClassDefinition* definitionOf(const std::string& fullName);

  Library& library_;
  Library& interfaces_;
  const KnownClasses& known_;
  std::set<std::pair<std::string, std::string>> underway_;  ///< against circles of extends, imports
};

}  // namespace cardan::modelica
