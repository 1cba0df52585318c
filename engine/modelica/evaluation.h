/// Evaluation: values of expressions that are known before the run, functions among them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/expression/constant_evaluation.h"
#include "engine/modelica/instance.h"
#include "engine/modelica/lookup.h"
#include "engine/text/meanwhile.h"

namespace cardan::modelica {

/// Calls of functions inside each other, known and inlined ones alike.
inline constexpr int kDeepestCalls = 150;

/// What a component reference means.
struct Target {
  enum class Kind { value, component };
  Kind kind = Kind::value;
  Value value;                           ///< of an index, constant or literal
  std::string word;                      ///< how expressions of a model file say it; "" as a value
  const Component* component = nullptr;  ///< the last one on the way that has a declaration
  std::string tail;                      ///< what is named inside it: "frame_a.r_0[1]"
  const NamePart* part = nullptr;        ///< of a simple component: with its subscripts
};

/// A function as a call names it.
struct FunctionTarget {
  std::string name;                             ///< in full, of one that expressions know
  const ClassDefinition* definition = nullptr;  ///< of one that a file defines
  /// Defaults that short classes and extends clauses change, and where they do.
  std::map<std::string, std::pair<const Expression*, Scope>> defaults;
  Scope scope;  ///< of the definition
};

/// A function of the files, or a record as one, with the values that its names begin with.
struct FunctionBody {
  FunctionTarget function;
  std::vector<Scope> classes;  ///< of those with its elements and statements, bases first
  Scope inner;
  std::vector<const Element*> all, inputs, outputs;

  /// Goes on in the text of one of its classes.
  void enter(Scope text) {
    text.locals = std::move(inner.locals);
    inner = std::move(text);
  }
};

/// Of a variable of 3D mechanics, by the names that all its classes have; nothing for other names.
std::optional<std::vector<int>> sizesInSpace(std::string_view path);

class Evaluation {
 public:
  explicit Evaluation(Lookup& lookup) : lookup_(lookup) {}

  /// What a function that is inlined is given: expressions of the model as formulas, where they have
  /// no value for good.
  struct Caller {
    std::function<Value(const Expression&, const Scope&)> formula;
    std::function<bool(const Expression&, const Scope&)> isSettled;
    /// What must hold during the run, and what is said where it does not.
    std::function<void(const Value&, const std::string&, const SourceMark&, bool warns)> require;
    bool isOfSizes = false;  ///< nothing but sizes is asked for
  };
  /// An expression of the model by its elements, each a formula where it has no value for good.
  Value formula(const Expression& e, const Scope& scope, const Caller& caller);
  /// The result of a call whose arguments vary during the run. Throws Refusal where statements depend
  /// on variables in a way that an expression cannot say.
  Value inlined(const FunctionTarget& f, const Expression& e, const Scope& scope,
                const Caller& caller);

  /// Who finds out of a component that a name leads to whether it is there, its size and inside,
  /// while there are some of which that is not known.
  void completeBy(std::function<void(const Component&)> complete) {
    complete_ = std::move(complete);
  }

  /// Who counts the `connect` statements about the connector of a full name.
  void countBy(std::function<int(const std::string&)> cardinality) {
    cardinality_ = std::move(cardinality);
  }

  /// Who tells what an assertion of level `warning` says that does not hold.
  void warnBy(std::function<void(const std::string&, const SourceMark&)> warn) {
    warn_ = std::move(warn);
  }

  /// The value before the run, or nothing where there is none.
  std::optional<Value> known(const Binding& binding);
  std::optional<Value> known(const Expression& e, const Scope& scope) {
    return known(Binding{&e, scope, {}});
  }
  /// Of what is said, if anything is.
  std::optional<Value> known(const Modifier* said) {
    return said && said->value ? known(*said->value) : std::nullopt;
  }

  /// All of these throw Refusal where there is no value before the run.
  Value value(const Expression& e, const Scope& scope);
  Value value(const Binding& binding);
  /// The same where the structure of the model depends on it.
  Value structural(const Expression& e, const Scope& scope);
  Value structural(const Binding& binding);
  Value valueOf(const Component& c);
  /// The lengths of what a variable is given, by dimension.
  std::vector<int> sizesOf(const Binding& binding);

  Target resolve(const Expression& name, const Scope& scope);
  /// The same of what names a component; nothing of other expressions, and where it is refused.
  std::optional<Target> componentNamed(const Expression& e, const Scope& scope);
  /// The record that an expression names; null for all others.
  const Component* recordNamed(const Expression& e, const Scope& scope);
  /// A name that goes through arrays of components, as an array of the names of its elements;
  /// nothing for other names. `isAllSpread`: `:` of a variable is an array, too.
  std::optional<Expression> spread(const Expression& name, const Scope& scope,
                                   bool isAllSpread = false);
  /// What an expression of a record of variables is for one field: of a name, a call of the constructor or
  /// of a function, `if`. Nothing where a constructor leaves the field to its declaration. Throws Refusal for
  /// other expressions.
  std::optional<Expression> fieldOf(const Expression& e, const Scope& scope, const Instance& record,
                                    const std::string& field);
  /// The function that a call names. Throws Refusal where a known one does not take so many arguments.
  FunctionTarget function(const Expression& call, const Scope& scope);
  /// Of a variable of the function that is carried out; `none` if it is not known.
  TypeKind kindOfLocal(const std::string& name) const;
  /// Carries out a call for what its function asserts: on values, or on formulas where that can be said.
  void carryOut(const Expression& call, const Scope& scope);
  void carryOut(const Expression& call, const Scope& scope, const Caller& caller);
  /// The function of the files whose results, more than one, an expression asks for.
  FunctionTarget severalResults(const Expression& call, const Scope& scope);
  /// A subscript of an array of `size` elements, which `end` in it means.
  Value subscript(const Expression& e, const Scope& scope, int size);
  /// Subscripts as they stand in names: "[1,2]"; `sizes`: what `end` means in them.
  std::string indices(const std::vector<Expression>& subscripts, const Scope& scope,
                      const std::vector<int>& sizes = {});
  /// `(whole)[i, k]`: what the expression takes of the whole.
  Tree element(const Tree& whole, const Expression& e, const Scope& scope);
  /// Parameters that sizes, conditions and loops depend on.
  bool isStructural(const Component& c) const { return structural_.contains(&c); }
  /// Runs `body` for all values of the indices of a loop, the scope having them.
  template <class Body>
  void forEach(const std::vector<ForIndex>& indices, const Scope& scope, Body body,
               size_t first = 0);

 private:
  FunctionTarget meant(const Expression& call, const Scope& scope);
  const Component& reached(const Component& c);
  int cardinality(const Expression& connector, const Scope& scope);
  std::optional<Expression> sliced(const Expression& name, size_t part,
                                   const std::vector<int>& sizes, bool isAllSpread,
                                   const Scope& scope);
  const Component& elementOf(const Component& array, const NamePart& part, const Expression& name,
                             const Scope& scope);
  std::string tailOf(const Component& c, const Expression& name, size_t part, const Scope& scope);
  Target inside(const Component& start, const Expression& name, size_t part, const Scope& scope);
  Value select(Value v, const std::vector<Expression>& subscripts, const Scope& scope, Position at);
  std::optional<Value> derived(const Component& c, const std::string& name, const Expression& e,
                               const Scope& scope, int depth);
  std::optional<Value> ofCatalogue(const Component& c, const std::string& name);
  Value binary(const Expression& e, const Scope& scope);
  Value nameValue(const Expression& e, const Scope& scope);
  Value ofModel(const Expression& e, const Scope& scope, const Target& t);
  void require(const Value& holds, const std::string& text, const SourceMark& at,
               bool warns = false);
  Value unary(const Expression& e, const Scope& scope);
  Value conditional(const Expression& e, const Scope& scope);
  bool truthOf(const Value& v, const Expression& condition, const Scope& scope);
  Value kindOf(const Expression& e, const Scope& scope);
  Value partOf(const Value& local, const Expression& name, const Scope& scope);
  Value constant(const Entity& found, const Expression& name, const Scope& scope);
  Value matrix(const Expression& e, const Scope& scope);
  Value textOf(const Expression& e, const Scope& scope);
  Value range(const Expression& e, const Scope& scope);
  Value rangeOfWords(const Expression& e, const Value& from, const Value& to, const Scope& scope);
  std::vector<Value> impliedRange(const ForIndex& index, const Scope& scope);
  Value comprehension(const Expression& e, const Scope& scope);
  Value call(const Expression& e, const Scope& scope);
  Value likeness(const Expression& e, const Scope& scope);
  std::optional<Value> arrayBuiltin(const std::string& name, const Expression& e,
                                    const std::vector<Value>& arguments, const Scope& scope);
  std::vector<int> sizesFrom(size_t first, const std::vector<Value>& arguments, const Expression& e,
                             const Scope& scope);
  std::optional<Value> builtin(const std::string& name, const Expression& e,
                               std::vector<Value>& arguments, const Scope& scope);
  Value delegated(const Tree& tree, const Expression& e, const Scope& scope,
                  const NameLookup& lookup = nullptr);
  /// Declared lengths, -1 of an open one.
  std::vector<int> lengthsOf(const std::vector<Expression>& sizes, const Scope& where);
  /// Those of what a function declares, with those of its type, and what that is an array of.
  std::pair<std::vector<int>, Entity> shapeOf(const Element& declared, const Scope& inner);
  void requireFit(const Value& v, const Expression* said, const Scope& saidIn,
                  const Element& declared, const Scope& inner, const SourceMark& at);
  std::pair<TypeKind, bool> declaredKind(const Element& declared, const Scope& inner);
  void requireKind(const Value& v, const Expression* said, const Scope& saidIn,
                   const Element& declared, const Scope& inner, const SourceMark& at);
  Value blank(const Element& declared, const Scope& inner, int depth = 0);
  Value blankRecord(const Entity& record, int depth);
  std::vector<Value> results(const FunctionTarget& f, const Expression& e, const Scope& scope);
  std::vector<Value> derivative(const FunctionTarget& f, const Expression& e, const Scope& scope);
  std::vector<Value> outcome(FunctionBody body, const Expression& e, const Scope& scope);
  bool isForScalars(const Element& input, const Scope& inner);
  enum class Flow { next, leave, finish };
  Flow run(const std::vector<Statement>& statements, Scope& scope);
  Flow run(const Statement& s, Scope& scope);
  Flow branch(const Statement& s, Scope& scope);
  static void changeDefaults(FunctionTarget& f, const Modification& m, const Scope& where);
  void gatherElements(FunctionBody& body, const ClassDefinition& c, const Scope& where,
                      bool isRecord, int depth);
  void assignResults(const Statement& s, Scope& scope);
  void check(const Statement& s, const Scope& scope);
  FunctionBody enter(const FunctionTarget& f, const Expression& call, const Scope& scope);
  void giveArguments(const FunctionBody& body, const Expression& call, const Scope& scope);
  void giveDefaults(FunctionBody& body, const Expression& call, const Scope& scope);
  void assignTo(Value& target, const std::vector<Expression>& subscripts, size_t first,
                const Value& v, bool isOutput, const Scope& scope);
  void assign(const Expression& left, Value v, const Expression* said, Scope& scope);
  static Value resultOf(std::vector<Value> all, const Expression& call, const Scope& scope);
  // Functions of variables (evaluation_formulas.cpp).
  template <class Find>
  auto asked(const Caller& caller, const Find& find) {
    const Meanwhile<const Caller*> forIt(caller_, &caller), asking(asking_, &caller);
    const Meanwhile outermost(calls_, 0);
    const Meanwhile unconditional(condition_, std::optional<Value>());
    return find();
  }
  Value placeFound(Value index, const Expression& e, const Scope& scope);
  static void limitLength(const Value& v, const SourceMark& at);
  Value settled(const Expression& e, const Scope& scope);
  Value argument(const Expression& e, const Scope& scope, const Element& input, const Scope& inner);
  std::optional<Value> recordOf(const Expression& e, const Scope& scope);
  Value shaped(Value v, const Element& declared, const Scope& inner, const SourceMark& at);
  static Value formulaOf(const std::string& name, const std::vector<Value>& arguments);
  Value joinedAlong(double dimension, const std::vector<Value>& parts, const Expression& e,
                    const Scope& scope);
  static Value operated(const Value& a, Operator op, const Value& b);
  void step(const SourceMark& at);
  void countLoop(const SourceMark& at);
  std::vector<Value> rangeOf(const ForIndex& index, const Scope& scope);
  [[noreturn]] static void refuse(const Scope& scope, Position at, const std::string& text) {
    throw Refusal{scope.mark(at), text};
  }

  Lookup& lookup_;
  std::function<void(const Component&)> complete_;
  std::function<int(const std::string&)> cardinality_;
  std::function<void(const std::string&, const SourceMark&)> warn_;
  std::map<const Component*, Value> values_;
  std::map<const Component*, std::map<std::string, Value>> ofCatalogue_;  ///< parameters
  std::map<const Component*, Refusal> refused_;
  std::vector<const Component*> underway_;
  std::set<const Component*> structural_;
  std::set<std::string> constantsUnderway_;
  /// Of what functions declare; and whether its type is one of arrays.
  std::map<const Element*, std::pair<TypeKind, bool>> kinds_;
  const Caller* caller_ = nullptr;  ///< of what is inlined
  const Caller* asking_ = nullptr;  ///< the same, in what is known on the way as well
  const std::vector<const Element*>* declared_ = nullptr;  ///< in the function that is carried out
  std::optional<Value> condition_;  ///< of variables, under which all is carried out
  std::optional<Value> returned_;   ///< of variables, under which the function has ended already
  int calls_ = 0;
  bool isStructural_ = false;
  int depth_ = 0;
  long steps_ = 0;  ///< of the value that is being found
  long loops_ = 0;  ///< of all loops around equations
};

template <class Body>
void Evaluation::forEach(const std::vector<ForIndex>& indices, const Scope& scope, Body body,
                         size_t first) {
  if (first == indices.size()) {
    body(scope);
    return;
  }
  for (const Value& v : rangeOf(indices[first], scope)) {
    countLoop(scope.mark(indices[first].at));
    forEach(indices, scope.with(indices[first].name, v), body, first + 1);
  }
}

}  // namespace cardan::modelica
