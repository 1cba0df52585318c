/// The syntax tree of Modelica (specification 3.6), every part with its place.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/expression/expression.h"
#include "engine/modelica/tokens.h"

namespace cardan::modelica {

struct Expression;
struct ClassDefinition;

/// One name of a component reference with its subscripts: `a[1, :]`.
struct NamePart {
  std::string name;
  std::vector<Expression> subscripts;
};

/// `i in 1:3`.
struct ForIndex {
  std::string name;
  Position at;
  std::vector<Expression> range;  ///< one
  bool isImplied = false;         ///< none is written: all `size(a, d)` of what it is an index of
};

enum class ExpressionKind {
  number,
  string,
  boolean,
  name,           // component reference
  call,           // function, der, initial, pure: arguments, the last ones named
  function,       // `function f(a = 1)` as an argument
  unary,          // op: plus, negate, logicalNot
  binary,         // op
  conditional,    // condition, value, [condition, value, ...] value otherwise
  array,          // { }
  matrix,         // [ ; ]: each argument an array, one a row
  range,          // 2 or 3 arguments
  element,        // (e)[i, k]: arguments e, i, k
  comprehension,  // argument for indices; `text` is "" in { }, else a call's name
  tuple,          // (a, b), empty places are `nothing`
  nothing,        // left out
  end,            // `end` in a subscript
  all,            // `:` as a subscript
};

/// Only the members of its kind have a meaning.
struct Expression {
  ExpressionKind kind = ExpressionKind::nothing;
  Position at;
  Operator op = Operator::plus;
  std::string text;            ///< of a string; of a number as written; of a call: which field of
                               ///< its result, as "z.re"; "" for the whole
  double number = 0;           ///< also of a call: which of its results, from 0
  bool isGlobal = false;       ///< a name with '.' in front
  std::vector<NamePart> name;  ///< of a name, a call, a function
  std::vector<Expression> arguments;
  std::vector<std::string> argumentNames;  ///< of the last arguments of a call
  std::vector<ForIndex> indices;
};

/// The name of a name or a call, without subscripts: "a.b".
std::string calledName(const Expression& e);
/// An expression with nothing in it yet.
Expression made(ExpressionKind kind, Position at);
/// True of expressions that are written alike.
bool saysTheSame(const Expression& a, const Expression& b);
/// The level of an assertion that only warns.
inline bool isWarning(const Expression& e) { return calledName(e) == "AssertionLevel.warning"; }
/// A number as an expression.
Expression numberAt(Position at, double x);
/// Calls f for the expressions in an expression, those inside first, and for itself.
template <class F>
void forAll(const Expression& e, const F& f) {
  for (const Expression& a : e.arguments) forAll(a, f);
  f(e);
}
/// True if `is` holds for the expression, or for one in it.
bool anyIn(const Expression& e, const std::function<bool(const Expression&)>& is);
/// Calls f(name, is under der()) for all names; what is inside of pre() is known.
void forNames(const Expression& e, const std::function<void(const Expression&, bool)>& f,
              bool isRate = false);
/// What `der(...)` is of; null of other expressions.
const Expression* rateArgument(const Expression& e);
/// The name in `der(name)`; null of other expressions.
const Expression* rateNamed(const Expression& e);

/// Adds `size(a, d)` to the range of an index that has none, for all a that have it as index d.
void findUses(const Expression& e, ForIndex& index);

struct Element;

struct Argument;

/// `(arguments) = value`, `= value`, `:= value`.
struct Modification {
  std::vector<Argument> arguments;
  std::optional<Expression> value;
  Position valueAt;

  bool isEmpty() const { return arguments.empty() && !value; }
};

/// One entry of a class modification.
struct Argument {
  Position at;
  bool isEach = false;
  bool isFinal = false;
  std::vector<std::string> name;
  Modification modification;
  std::shared_ptr<const Element> redeclaration;  ///< `redeclare` or `replaceable` one
};

/// A name of a class as written, with its place.
struct TypeName {
  std::vector<std::string> parts;
  bool isGlobal = false;
  Position at;

  std::string format() const;
};

enum class ElementKind { import, extends, classDefinition, component };
enum class Variability { continuous, discrete, parameter, constant };

/// One element of a class: one component, where a clause declares several.
struct Element {
  ElementKind kind = ElementKind::component;
  Position at;  ///< of the name (import, extends: of the class)
  bool isProtected = false;
  bool isRedeclare = false;
  bool isFinal = false;
  bool isInner = false;
  bool isOuter = false;
  bool isReplaceable = false;
  bool isFlow = false;
  bool isStream = false;
  bool isInput = false;
  bool isOutput = false;
  Variability variability = Variability::continuous;
  TypeName type;                  ///< of a component, extends, import
  std::string name;               ///< of a component; of `import name = ...`
  std::vector<Expression> sizes;  ///< those of the type behind those of the name
  Modification modification;      ///< of a component or extends
  std::optional<Expression> condition;
  std::optional<TypeName> constrainedBy;
  Modification constrainingModification;
  std::string comment;
  std::vector<std::string> imported;  ///< names of `import a.{b, c}`
  bool importsAll = false;            ///< `import a.*`
  std::shared_ptr<ClassDefinition> definition;
};

enum class EquationKind {
  equal,  // of a statement: assign
  call,
  conditional,
  loop,
  when,
  connect,    // an equation alone
  whileLoop,  // a statement alone, as those that follow
  breakLoop,
  finish,
};

/// An equation, or what takes its place; or a statement of an algorithm.
struct Equation {
  struct Branch {
    std::optional<Expression> condition;  ///< none: else
    std::vector<Equation> equations;
  };
  EquationKind kind = EquationKind::equal;
  Position at;
  std::optional<Expression> left, right;  ///< `left` alone of a call
  std::vector<ForIndex> indices;
  std::vector<Branch> branches;  ///< one of a loop
};
using Statement = Equation;

/// True of components that are declared alike: type, prefixes, sizes and modifiers.
bool saysTheSame(const Element& a, const Element& b);

/// A class. `parent` and `fullName` are set when it has got its place in a library.
struct ClassDefinition {
  std::string restriction;  ///< "model", "function", "operator record", ...
  std::string name;
  Position at;  ///< of its name
  std::shared_ptr<const std::string> file;
  bool isPartial = false;
  bool isEncapsulated = false;
  bool isExpandable = false;
  std::string comment;

  bool isShort = false;                   ///< `class A = B(...)`
  std::vector<Expression> sizes;          ///< of a short one
  std::string causality;                  ///< "input", "output" of a short one
  std::optional<TypeName> extendsItself;  ///< `extends A(...)`: the inherited class of that name
  std::optional<TypeName> base;           ///< of a short one
  Modification baseModification;          ///< of a short one or `class extends`
  bool isEnumeration = false;
  std::vector<std::string> literals;   ///< of an enumeration
  std::vector<std::string> derivedBy;  ///< of `function f = der(g, x)`

  std::vector<Element> elements;
  std::vector<Equation> equations, initialEquations;
  std::vector<std::vector<Statement>> algorithms, initialAlgorithms;  ///< by section
  std::optional<Position> externalAt;
  std::vector<std::pair<std::string, Expression>> experiment;  ///< of the annotation

  ClassDefinition* parent = nullptr;
  std::string fullName;
  std::map<std::string, std::shared_ptr<ClassDefinition>, std::less<>>
      classes;  ///< inside, by name

  SourceMark mark(Position p) const { return {file ? *file : std::string(), p.line, p.column}; }
};

/// A file: `within` and the classes behind it.
struct StoredDefinition {
  std::optional<std::vector<std::string>> within;  ///< empty for `within ;`
  std::vector<std::shared_ptr<ClassDefinition>> classes;
};

}  // namespace cardan::modelica
