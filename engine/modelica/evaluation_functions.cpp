// Calls: what is known by name, and functions of the files with their statements.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "components/names.h"
#include "engine/expression/functions.h"
#include "engine/modelica/evaluation.h"
#include "engine/modelica/formula.h"
#include "engine/modelica/known_classes.h"
#include "engine/modelica/named_arguments.h"
#include "engine/modelica/scalar_expression.h"
#include "engine/modelica/value_kinds.h"
#include "engine/text/joined.h"
#include "engine/text/mapped.h"
#include "engine/text/meanwhile.h"
#include "engine/text/words.h"

namespace cardan::modelica {
namespace {

constexpr int kDeepestRecord = 20;

constexpr double kMostElements = 1e6;

double elementsOf(const Value& v) {
  double n = v.isArray() ? 0 : 1;
  for (const Value& item : v.items) n += elementsOf(item);
  return n;
}

}  // namespace

/// The result that a call asks for, of all that its function has.
Value Evaluation::resultOf(std::vector<Value> all, const Expression& call, const Scope& scope) {
  const auto i = static_cast<size_t>(call.number);
  if (i < all.size()) {
    Value v = std::move(all[i]);
    for (size_t from = 0; from < call.text.size();) {
      const size_t dot = std::min(call.text.find('.', from), call.text.size());
      const Value* field = v.field(call.text.substr(from, dot - from));
      if (!field) throw Refusal{scope.mark(call.at), "the result has no field '" + call.text + "'"};
      v = Value(*field);
      from = dot + 1;
    }
    return v;
  }
  refuse(scope, call.at,
         "function '" + calledName(call) + "' has " + std::to_string(all.size()) +
             (all.size() == 1 ? " result" : " results") + ", and none that is number " +
             std::to_string(i + 1));
}

/// The arguments from one on as the sizes of an array, of elements like those before.
std::vector<int> Evaluation::sizesFrom(size_t first, const std::vector<Value>& arguments,
                                       const Expression& e, const Scope& scope) {
  std::vector<int> result;
  double all = first == 1 ? elementsOf(arguments[0]) : 1;
  for (size_t i = first; i < arguments.size(); ++i) {
    const double n = arguments[i].number;
    all *= std::max(n, 1.0);
    if (!arguments[i].isNumber() || n < 0 || n != std::floor(n))
      refuse(scope, e.at, "a size must be a whole number, found " + arguments[i].describe());
    if (all > kMostElements)
      refuse(scope, e.at, "an array must not have more than a million elements");
    result.push_back(static_cast<int>(n));
  }
  return result;
}

/// A value as long and wide as that of `e`, of formulas where it has none before the run.
Value Evaluation::likeness(const Expression& e, const Scope& scope) {
  if (!scope.instance) return value(e, scope);
  const auto name = [](const Expression&, const Scope&) { return Value::formula(nameNode("x")); };
  const auto isSettled = [&](const Expression& one, const Scope& where) {
    return known(one, where).has_value();
  };
  const Value v = formula(e, scope, {name, isSettled, nullptr, true});
  if (!v.isFormula() || !v.isMaybeArray) return v;
  const auto parts = modelica::elementsOf(v.tree, [](const auto&) { return std::vector<int>(); });
  if (!parts) refuse(scope, e.at, "the size of '" + v.format() + "' is not known before the run");
  return filledArray(Value::real(0), parts->sizes);
}

std::vector<int> Evaluation::sizesOf(const Binding& b) {
  if (known(b)) return structural(b).sizes();
  const Meanwhile structural(isStructural_, true);
  std::vector<int> all = likeness(*b.expression, b.scope).sizes();
  all.erase(all.begin(), all.begin() + std::min(std::ssize(b.picks), std::ssize(all)));
  return all;
}

/// What must hold, under the conditions of variables that there are.
void Evaluation::require(const Value& holds, const std::string& text, const SourceMark& at,
                         bool warns) {
  if (!asking_ || !asking_->require) return;
  Value all =
      condition_ ? operated(prefixed(Operator::logicalNot, *condition_), Operator::logicalOr, holds)
                 : holds;
  if (returned_) all = operated(*returned_, Operator::logicalOr, all);
  asking_->require(all, text, at, warns);
}

/// Arrays one behind the other along a dimension.
Value Evaluation::joinedAlong(double dimension, const std::vector<Value>& parts,
                              const Expression& e, const Scope& scope) {
  std::vector<Value> items;
  for (const Value& part : parts) {
    if (!part.isArray()) refuse(scope, e.at, "'cat' is for arrays, found " + part.describe());
    if (dimension > 1 && part.items.size() != parts[0].items.size())
      refuse(scope, e.at, "the parts of a matrix must have as many rows as each other");
    if (dimension <= 1) items.insert(items.end(), part.items.begin(), part.items.end());
  }
  for (size_t i = 0; dimension > 1 && i < parts[0].items.size(); ++i) {
    items.push_back(joinedAlong(
        dimension - 1, mapped(parts, [&](const Value& part) { return part.items[i]; }), e, scope));
  }
  if (elementsOf(Value::array(items)) > kMostElements)
    refuse(scope, e.at, "an array must not have more than a million elements");
  return Value::array(std::move(items));
}

/// Functions that make arrays, or tell of their sizes.
std::optional<Value> Evaluation::arrayBuiltin(const std::string& name, const Expression& e,
                                              const std::vector<Value>& arguments,
                                              const Scope& scope) {
  const auto count = arguments.size();
  const auto sizes = [&](size_t first) { return sizesFrom(first, arguments, e, scope); };
  if (name == "zeros") return filledArray(Value::real(0), sizes(0));
  if (name == "ones") return filledArray(Value::real(1), sizes(0));
  if (count == 0) return std::nullopt;
  const Value& first = arguments[0];
  if (name == "fill") return filledArray(first, sizes(1));
  if (name == "size") {
    const std::vector<int> all = first.sizes();
    if (count == 1) return Value::array(mapped(all, Value::real));
    const double i = arguments[1].number;
    if (i < 1 || i > static_cast<double>(all.size()))
      refuse(scope, e.at, "there is no dimension " + arguments[1].describe());
    return Value::real(all[i - 1]);
  }
  if (name == "ndims" && count == 1) return Value::real(static_cast<double>(first.sizes().size()));
  if (name == "cat" && count >= 2) {
    const size_t dimensions = arguments[1].sizes().size();
    if (!first.isNumber() || first.number < 1 || first.number > static_cast<double>(dimensions))
      refuse(scope, e.at, "'cat' is along a dimension of its arrays, found " + first.describe());
    return joinedAlong(first.number, {arguments.begin() + 1, arguments.end()}, e, scope);
  }
  if (name == "promote" && count == 2 && arguments[1].isNumber())
    return promoted(first, static_cast<size_t>(std::clamp(arguments[1].number, 0.0, 9.0)));
  if (name == "matrix" && count == 1 && first.sizes().size() <= 2) return promoted(first, 2);
  if (name == "symmetric" && count == 1) {
    Value v = first;
    const std::vector<int> n = v.sizes();
    if (n.size() != 2 || n[0] != n[1])
      refuse(scope, e.at, "'symmetric' is of a square matrix, found " + first.describe());
    for (int i = 0; i < n[0]; ++i) {
      for (int k = 0; k < i; ++k) v.items[i].items[k] = v.items[k].items[i];
    }
    return v;
  }
  if (name == "scalar" && count == 1) {
    Value v = first;
    while (v.isArray() && v.items.size() == 1) {
      Value inner = v.items[0];
      v = std::move(inner);
    }
    return v;
  }
  if (name == "vector" && count == 1) {
    if (std::ranges::count_if(first.sizes(), [](int n) { return n > 1; }) > 1)
      refuse(scope, e.at, "'vector' is not for " + first.describe());
    std::vector<Value> items;
    const auto gather = [&](const auto& self, const Value& v) -> void {
      if (!v.isArray()) items.push_back(v);
      for (const Value& item : v.items) self(self, item);
    };
    gather(gather, first);
    return Value::array(std::move(items));
  }
  if (const auto none = ofNothing(name); none && count == 1 && elementsOf(first) == 0)
    return Value::real(*none);
  return std::nullopt;
}

std::optional<Value> Evaluation::builtin(const std::string& name, const Expression& e,
                                         std::vector<Value>& arguments, const Scope& scope) {
  const auto count = arguments.size();
  // Formulas pass where nothing asks for their value.
  for (size_t i = 0; i < count; ++i) {
    const bool isKept = isOneOf(name, {"cat", "scalar", "vector", "matrix", "promote", "symmetric",
                                       "homotopy", "noEvent", "smooth"}) ||
                        (i == 0 && isOneOf(name, {"fill", "size", "ndims"}));
    if (hasFormula(arguments[i]) && !isKept && caller_ && findFunction(name) &&
        (name != "der" || scope.instance))
      return formulaOf(name, arguments);
    if (arguments[i].isFormula() && !isKept)
      refuse(scope, e.at, "'" + arguments[i].format() + "' has no value before the run");
  }
  if (auto array = arrayBuiltin(name, e, arguments, scope)) return array;
  if (name == "Integer" && count == 1) return Value::real(arguments[0].number);
  if (lastName(name) == "loadResource" && count == 1 && arguments[0].kind == Value::Kind::text) {
    const auto path = lookup_.resource(arguments[0].text);
    if (path) return Value::string(*path);
    refuse(scope, e.at,
           "no folder is known of the package of '" + arguments[0].text +
               "'; --library names the one around it");
  }
  if ((name == "homotopy" || name == "noEvent" || name == "pre") && count >= 1) return arguments[0];
  if (name == "smooth" && count == 2) return arguments[1];
  if (lastName(name).starts_with("to_unit1") && count == 1) return arguments[0];
  if (caller_ && (name == "initial" || name == "terminal")) return formulaOf(name, arguments);
  if (name == "initial" || name == "terminal" || name == "der")
    refuse(scope, e.at, "'" + name + "' has no value before the run");
  return std::nullopt;
}

/// `String(x, significantDigits = 3, minimumLength = 8, leftJustified = false)`.
/// Source  MLS 3.6, 3.7.1.2
Value Evaluation::textOf(const Expression& e, const Scope& scope) {
  const Value x = value(e.arguments[0], scope);
  if (x.isFormula() || x.isArray()) refuse(scope, e.at, "'String' is not of " + x.describe());
  const size_t positional = e.arguments.size() - e.argumentNames.size();
  std::optional<int> digits;
  size_t least = 0;
  bool isLeft = true;
  for (size_t i = 1; i < e.arguments.size(); ++i) {
    const std::string name = i < positional ? "" : e.argumentNames[i - positional];
    const Value v = settled(e.arguments[i], scope);
    if (name == "leftJustified" && v.kind == Value::Kind::boolean) {
      isLeft = v.number != 0;
    } else if (isOneOf(name, {"significantDigits", "minimumLength"}) && v.isNumber() &&
               v.number >= 0 && v.number <= 1000) {
      if (name == "minimumLength") least = static_cast<size_t>(v.number);
      if (name == "significantDigits") digits = static_cast<int>(v.number);
    } else {
      refuseUnsupported(scope.mark(e.arguments[i].at),
                        "'String' is of one value, with 'significantDigits', 'minimumLength' and "
                        "'leftJustified' by name");
    }
  }
  const bool isReal = x.isNumber() && (digits || x.number != std::floor(x.number));
  std::string text = x.kind == Value::Kind::text ? x.text
                     : isReal ? fmt::format("{:.{}g}", x.number, digits.value_or(6))
                              : x.format();
  const size_t more = least - std::min(least, text.size());
  return Value::string(isLeft ? text + std::string(more, ' ') : std::string(more, ' ') + text);
}

FunctionTarget Evaluation::severalResults(const Expression& e, const Scope& scope) {
  FunctionTarget f = e.kind == ExpressionKind::call ? function(e, scope) : FunctionTarget{};
  if (!f.definition || f.definition->restriction != "function")
    refuseUnsupported(scope.mark(e.at), "several results must come from a function of the files");
  return f;
}

Value Evaluation::call(const Expression& e, const Scope& scope) {
  FunctionTarget f = function(e, scope);
  // Where files lie the library asks its tool for.
  if (f.definition && f.definition->name == "loadResource" &&
      (f.definition->externalAt || f.definition->fullName.starts_with("Modelica"))) {
    f.name = f.definition->name;
    f.definition = nullptr;
  }
  if (!f.definition && !e.argumentNames.empty()) {
    if (const auto ordered = inOrder(e, f.name)) return call(*ordered, scope);
  }
  if (f.definition) {
    if (f.definition->restriction == "function" || f.definition->restriction == "record")
      return resultOf(results(f, e, scope), e, scope);
    if (f.definition->isEnumeration && e.arguments.size() == 1) {
      const Value place = value(e.arguments[0], scope);
      const auto count = static_cast<double>(f.definition->literals.size());
      if (place.isNumber() && place.number >= 1 && place.number <= count)
        return Value::literal(f.definition->literals[place.number - 1],
                              static_cast<int>(place.number));
      refuse(scope, e.at, "'" + f.definition->name + "' has no literal " + place.describe());
    }
    refuse(scope, e.at, "'" + f.definition->name + "' is no function");
  }
  if (f.name == "String" && !e.arguments.empty()) return textOf(e, scope);
  if (f.name == "cardinality" && e.arguments.size() == 1)
    return Value::real(cardinality(e.arguments[0], scope));
  std::vector<Value> arguments;
  for (const Expression& a : e.arguments) {
    const bool isShapeAsked = arguments.empty() && (f.name == "size" || f.name == "ndims");
    arguments.push_back(isShapeAsked ? likeness(a, scope) : value(a, scope));
  }
  if (!e.argumentNames.empty()) {
    refuseUnsupported(scope.mark(e.at), "named arguments of '" + f.name + "' are not supported");
  }
  if (auto v = builtin(f.name, e, arguments, scope)) return *v;
  const FunctionInfo* info = findFunction(f.name);
  if (!info) {
    throw Refusal{scope.mark(e.at),
                  "unknown function '" + f.name + "'" + didYouMean(f.name, functionNames()),
                  f.name.starts_with("Modelica.") ? ErrorKind::unsupported : ErrorKind::general};
  }
  for (const Value& v : arguments) {
    if (!toExpressionValue(v)) refuse(scope, e.at, "'" + f.name + "' is not for " + v.describe());
  }
  std::string name = f.name;
  if (findFunction(lastName(name)) == info) name = lastName(name);
  return delegated(callNode(name, treesOf(arguments)), e, scope);
}

void Evaluation::carryOut(const Expression& call, const Scope& scope) {
  const FunctionTarget f = function(call, scope);
  if (!f.definition || f.definition->restriction != "function") {
    refuseUnsupported(scope.mark(call.at), "'" + calledName(call) +
                                               "' must be an assertion or a function of the files, "
                                               "to stand as a statement or an equation");
  }
  results(f, call, scope);
}

void Evaluation::carryOut(const Expression& call, const Scope& scope, const Caller& caller) {
  try {
    asked(caller, [&] { carryOut(call, scope); });
  } catch (const Refusal& ofFormulas) {
    try {
      const Meanwhile structural(isStructural_, true);
      carryOut(call, scope);
    } catch (const Refusal& ofValues) {
      throw isOfVariables(ofValues) ? ofFormulas : ofValues;
    }
  }
}

/// A function with the arguments of a call.
FunctionBody Evaluation::enter(const FunctionTarget& f, const Expression& e, const Scope& scope) {
  const ClassDefinition& definition = *f.definition;
  FunctionBody body;
  body.function = f;
  body.inner = f.scope.inside(definition);
  body.inner.locals = std::make_shared<Locals>();
  const bool isRecord = definition.restriction == "record";
  gatherElements(body, definition, f.scope, isRecord, 0);
  bool isComplete = isRecord;
  for (const Scope& text : body.classes) {
    const ClassDefinition* c = text.lexical;
    if (c->externalAt)
      refuseUnsupported(scope.mark(e.at),
                        "function '" + definition.name + "' is external, which is not supported");
    isComplete = isComplete || !c->algorithms.empty();
  }
  const auto isGiven = [](const Element* o) { return o->modification.value.has_value(); };
  if (!isComplete && !std::ranges::all_of(body.outputs, isGiven))
    refuse(scope, e.at, "function '" + definition.name + "' has no statements");
  giveArguments(body, e, scope);
  return body;
}

/// What the other names begin with, by their declarations.
void Evaluation::giveDefaults(FunctionBody& body, const Expression& e, const Scope& scope) {
  auto& values = body.inner.locals->values;
  for (const Scope& text : body.classes) {
    body.enter(text);
    for (const Element& element : text.lexical->elements) {
      if (element.kind != ElementKind::component || values.contains(element.name)) continue;
      const auto other = body.function.defaults.find(element.name);
      if (other != body.function.defaults.end()) {
        Scope where = other->second.second;
        if (!where.instance) where.locals = body.inner.locals;
        const Expression& given = *other->second.first;
        values[element.name] =
            caller_ ? argument(given, where, element, body.inner) : value(given, where);
        requireFit(values[element.name], nullptr, where, element, body.inner, where.mark(given.at));
      } else if (element.modification.value) {
        const Expression& given = *element.modification.value;
        values[element.name] = value(given, body.inner);
        requireFit(values[element.name], nullptr, body.inner, element, body.inner,
                   body.inner.mark(given.at));
      } else if (std::ranges::find(body.inputs, &element) != body.inputs.end()) {
        const ClassDefinition& c = *body.function.definition;
        const bool isRecord = c.restriction == "record";
        refuse(scope, e.at,
               c.restriction + " '" + c.name + "': " + (isRecord ? "field '" : "input '") +
                   element.name + "' has no value");
      } else {
        values[element.name] = blank(element, body.inner);
      }
    }
  }
}

/// What is said outside counts.
void Evaluation::changeDefaults(FunctionTarget& f, const Modification& m, const Scope& where) {
  for (const Argument& a : m.arguments) {
    if (a.name.size() == 1 && a.modification.value)
      f.defaults.emplace(a.name[0], std::pair{&*a.modification.value, where});
  }
}

void Evaluation::gatherElements(FunctionBody& body, const ClassDefinition& c, const Scope& where,
                                bool isRecord, int depth) {
  if (depth > 20) return;
  const Scope text = where.inside(c);
  const auto inherit = [&](const Entity& base, const Modification& m, const Scope& saidIn) {
    changeDefaults(body.function, m, saidIn);
    if (base.definition) gatherElements(body, *base.definition, base.scope, isRecord, depth + 1);
  };
  if (c.extendsItself) inherit(lookup_.inherited(c, where), c.baseModification, text);
  if (c.isShort && c.base) inherit(lookup_.base(*c.base, where), c.baseModification, where);
  for (const Element& element : c.elements) {
    if (element.kind == ElementKind::extends)
      inherit(lookup_.base(element.type, text), element.modification, text);
    if (element.kind != ElementKind::component) continue;
    body.all.push_back(&element);
    if (element.isInput || isRecord) body.inputs.push_back(&element);
    if (element.isOutput) body.outputs.push_back(&element);
  }
  body.classes.push_back(text);
}

/// Inputs by position, then by name.
void Evaluation::giveArguments(const FunctionBody& body, const Expression& e, const Scope& scope) {
  const auto& inputs = body.inputs;
  const ClassDefinition& definition = *body.function.definition;
  const std::string function = definition.restriction + " '" + definition.name + "' has ",
                    word = definition.restriction == "record" ? "field" : "input";
  const auto given = [&](const Expression& a, const Element& input) {
    return caller_ ? argument(a, scope, input, body.inner) : value(a, scope);
  };
  auto& values = body.inner.locals->values;
  const size_t positional = e.arguments.size() - e.argumentNames.size();
  if (positional > inputs.size()) {
    refuse(scope, e.at,
           function + std::to_string(inputs.size()) + " " + word + "s, found " +
               std::to_string(e.arguments.size()) + " arguments");
  }
  for (size_t i = 0; i < positional; ++i)
    values[inputs[i]->name] = given(e.arguments[i], *inputs[i]);
  for (size_t i = positional; i < e.arguments.size(); ++i) {
    const std::string& name = e.argumentNames[i - positional];
    const auto found = std::ranges::find(inputs, name, &Element::name);
    if (found == inputs.end())
      refuse(scope, e.arguments[i].at,
             function + "no " + word + " '" + name + "'" +
                 didYouMean(name, mapped(inputs, &Element::name)));
    values[name] = given(e.arguments[i], **found);
  }
}

/// What a variable of a function holds before anything is assigned to it.
Value Evaluation::blank(const Element& declared, const Scope& inner, int depth) {
  auto [sizes, type] = shapeOf(declared, inner);
  for (int& n : sizes) n = std::max(n, 0);
  const bool isRecord = type.definition && type.definition->restriction == "record";
  return filledArray(isRecord ? blankRecord(type, depth + 1) : Value::real(0), sizes);
}

std::vector<int> Evaluation::lengthsOf(const std::vector<Expression>& sizes, const Scope& where) {
  return mapped(sizes, [&](const Expression& size) {
    if (size.kind == ExpressionKind::all) return -1;
    const Value n = settled(size, where);
    if (!n.isNumber() || n.number < 0 || n.number > 1e5 || n.number != std::floor(n.number))
      refuse(where, size.at, "a size must be a whole number, found " + n.describe());
    return static_cast<int>(n.number);
  });
}

std::pair<std::vector<int>, Entity> Evaluation::shapeOf(const Element& declared,
                                                        const Scope& inner) {
  std::vector<int> sizes = lengthsOf(declared.sizes, inner);
  Entity type = lookup_.base(declared.type, inner);
  for (int k = 0; k < kDeepestRecord && type.definition && type.definition->isShort; ++k) {
    const ClassDefinition& d = *type.definition;
    for (const int n : lengthsOf(d.sizes, type.scope)) sizes.push_back(n);
    if (!d.base || d.restriction != "type") break;
    type = lookup_.base(*d.base, type.scope);
  }
  if (const auto known = knownType(type.fullName); known && known->size > 0)
    sizes.push_back(known->size);
  return {std::move(sizes), std::move(type)};
}

TypeKind Evaluation::kindOfLocal(const std::string& name) const {
  for (const Element* e : declared_ ? *declared_ : std::vector<const Element*>()) {
    if (const auto kind = kinds_.find(e); e->name == name && kind != kinds_.end())
      return kind->second.first;
  }
  return TypeKind::none;
}

/// A value, said by an expression if there is one, has the sizes and the kind that are declared.
void Evaluation::requireFit(const Value& v, const Expression* said, const Scope& saidIn,
                            const Element& declared, const Scope& inner, const SourceMark& at) {
  requireKind(v, said, saidIn, declared, inner, at);
  if (v.isFormula() && v.isMaybeArray) return;
  const std::vector<int> sizes = declaredKind(declared, inner).second
                                     ? shapeOf(declared, inner).first
                                     : lengthsOf(declared.sizes, inner);
  const std::vector<int> found = v.sizes();
  bool fits = sizes.size() == found.size() ||
              (found.size() < sizes.size() && !found.empty() && found.back() == 0);
  for (size_t i = 0; fits && i < found.size(); ++i) fits = sizes[i] < 0 || sizes[i] == found[i];
  if (fits) return;
  const std::string wanted =
      joined(sizes, " x ", [](int n) { return n < 0 ? std::string(":") : std::to_string(n); });
  throw Refusal{at, "'" + declared.name + "' is " +
                        (sizes.empty() ? "a scalar" : "an array of " + wanted) + ", its value " +
                        sizesText(found)};
}

std::pair<TypeKind, bool> Evaluation::declaredKind(const Element& declared, const Scope& inner) {
  const auto [kind, isNew] = kinds_.try_emplace(&declared, TypeKind::none, false);
  if (!isNew) return kind->second;
  const auto [sizes, type] = shapeOf(declared, inner);
  kind->second.second = sizes.size() > declared.sizes.size();
  if (const auto known = knownType(type.fullName)) {
    for (const auto& [name, is] :
         {std::pair{"Real", TypeKind::real}, std::pair{"Integer", TypeKind::integer},
          std::pair{"Boolean", TypeKind::boolean}, std::pair{"String", TypeKind::text}}) {
      if (known->base == name) kind->second.first = is;
    }
  }
  return kind->second;
}

void Evaluation::requireKind(const Value& v, const Expression* said, const Scope& saidIn,
                             const Element& declared, const Scope& inner, const SourceMark& at) {
  const TypeKind is = declaredKind(declared, inner).first;
  const auto check = [&](const auto& self, const Value& one) -> void {
    using K = Value::Kind;
    for (const Value& item : one.items) self(self, item);
    const bool isOther =
        (is == TypeKind::boolean && (one.kind == K::real || one.kind == K::text)) ||
        (is == TypeKind::text && (one.kind == K::real || one.kind == K::boolean)) ||
        ((is == TypeKind::real || is == TypeKind::integer) &&
         (one.kind == K::boolean || one.kind == K::text)) ||
        (is == TypeKind::integer && one.isNumber() && one.number != std::floor(one.number));
    if (isOther)
      throw Refusal{at, "'" + declared.name + "' is of type " + declared.type.format() +
                            ", its value is " + one.describe()};
  };
  check(check, v);
  if (!said || !hasFormula(v)) return;
  const std::string fault = mismatchOf(is, modelica::kindOf(*said, saidIn, *this));
  if (!fault.empty()) throw Refusal{at, "'" + declared.name + "' is " + fault};
}

Value Evaluation::blankRecord(const Entity& of, int depth) {
  const ClassDefinition& c = *of.definition;
  Value record;
  record.kind = Value::Kind::record;
  if (depth > kDeepestRecord) return record;
  Scope inner = of.scope.inside(c);
  inner.locals = std::make_shared<Locals>();
  const auto inherit = [&](const Entity& base) {
    if (!base.definition) return;
    for (auto& [field, v] : blankRecord(base, depth + 1).fields) {
      inner.locals->values[field] = v;
      record.fields.emplace_back(field, std::move(v));
    }
  };
  if (c.isShort && c.base) inherit(lookup_.base(*c.base, of.scope));
  if (c.extendsItself) inherit(lookup_.inherited(c, of.scope));
  for (const Element& e : c.elements) {
    if (e.kind == ElementKind::extends) inherit(lookup_.base(e.type, inner));
    if (e.kind != ElementKind::component) continue;
    const auto& given = e.modification.value;
    Value v = given ? value(*given, inner) : blank(e, inner, depth);
    inner.locals->values[e.name] = v;
    record.fields.emplace_back(e.name, std::move(v));
  }
  return record;
}

/// Inputs by position and name, then the statements; the values of all outputs. A record: its fields.
std::vector<Value> Evaluation::results(const FunctionTarget& f, const Expression& e,
                                       const Scope& scope) {
  const Meanwhile deeper(calls_, calls_ + 1);
  if (calls_ > kDeepestCalls) refuse(scope, e.at, "calls of functions are nested too deep");
  if (!f.definition->derivedBy.empty()) return derivative(f, e, scope);
  return outcome(enter(f, e, scope), e, scope);
}

/// `function fd = der(f, x)`: what f makes of formulas, differentiated.  Source  MLS 3.6, 12.7.2
std::vector<Value> Evaluation::derivative(const FunctionTarget& f, const Expression& e,
                                          const Scope& scope) {
  const ClassDefinition& definition = *f.definition;
  FunctionTarget of;
  const Entity base = lookup_.base(*definition.base, f.scope);
  of.definition = base.definition;
  of.scope = base.scope;
  if (!base.isWhole() || !of.definition || of.definition->restriction != "function")
    refuse(scope, e.at, "'" + definition.base->format() + "' is no function of the files");
  FunctionBody body = enter(of, e, scope);
  giveDefaults(body, e, scope);
  // All that varies goes by a name that no other thing has, so that nothing varies but by that.
  std::map<std::string, Tree> meant;
  const auto hide = [&](const auto& self, Value& v, bool isAll) -> void {
    for (Value& item : v.items) self(self, item, isAll);
    for (auto& [name, field] : v.fields) self(self, field, isAll);
    if (!v.isFormula() && !(isAll && v.isNumber())) return;
    const std::string name = "." + std::to_string(meant.size());
    meant[name] = treeOf(v);
    v = Value::formula(nameNode(name), v.isMaybeArray);
  };
  std::vector<std::string> by;
  for (auto& [name, v] : body.inner.locals->values) {
    const bool isOfIt = std::ranges::find(definition.derivedBy, name) != definition.derivedBy.end();
    hide(hide, v, isOfIt);
  }
  for (const std::string& name : definition.derivedBy) {
    const auto input = std::ranges::find(body.inputs, name, &Element::name);
    const auto v = body.inner.locals->values.find(name);
    if (input == body.inputs.end() || !v->second.isFormula())
      refuse(scope, e.at,
             "'" + name + "' is no scalar input of function '" + of.definition->name + "'");
    by.push_back(v->second.tree->text);
  }
  const Caller itself{[&](const Expression& one, const Scope& where) { return value(one, where); },
                      [](const Expression&, const Scope&) { return true; }, nullptr};
  const Meanwhile<const Caller*> forIt(caller_, caller_ ? caller_ : &itself);
  const bool isKnown = caller_ == &itself;
  const auto differentiated = [&](const auto& self, const Value& v) -> Value {
    if (v.isArray()) {
      return Value::array(mapped(v.items, [&](const Value& item) { return self(self, item); }));
    }
    if (!v.isFormula()) return Value::real(0);
    Tree d = v.tree;
    for (const std::string& name : by) {
      d = rateOfScalar(
          d, [&](const ScalarAtom& a) { return numberNode(a.name == name && a.order == 0); });
      if (!d)
        refuseUnsupported(scope.mark(e.at), "function '" + of.definition->name +
                                                "' cannot be differentiated by '" + name + "'");
    }
    d = replaced(d, [&](const ScalarAtom& a) -> Tree {
      const auto found = meant.find(a.name);
      return found == meant.end() ? nullptr : found->second;
    });
    return isKnown ? delegated(d, e, scope) : Value::formula(std::move(d), v.isMaybeArray);
  };
  return mapped(outcome(std::move(body), e, scope),
                [&](const Value& v) { return differentiated(differentiated, v); });
}

/// True of an input that is no array.
bool Evaluation::isForScalars(const Element& input, const Scope& inner) {
  return input.sizes.empty() && !blank(input, inner).isArray();
}

std::vector<Value> Evaluation::outcome(FunctionBody body, const Expression& e, const Scope& scope) {
  const bool isRecord = body.function.definition->restriction == "record";
  // A function of scalars is carried out for each element of arrays.  Source  MLS 3.6, 12.4.6
  std::vector<std::string> lists;
  size_t count = 0;
  for (const Element* input : isRecord ? std::vector<const Element*>() : body.inputs) {
    const auto v = body.inner.locals->values.find(input->name);
    const bool isList = v != body.inner.locals->values.end() && v->second.isArray() &&
                        isForScalars(*input, body.inner);
    if (!isList) continue;
    if (!lists.empty() && count != v->second.items.size())
      refuse(scope, e.at, "arrays for scalar inputs must be of the same size");
    count = v->second.items.size();
    lists.push_back(input->name);
  }
  if (!lists.empty()) {
    std::vector<Value> all(body.outputs.size(), Value::array({}));
    for (size_t i = 0; i < count; ++i) {
      FunctionBody one = body;
      one.inner.locals = std::make_shared<Locals>(*body.inner.locals);
      for (const std::string& name : lists)
        one.inner.locals->values[name] = body.inner.locals->values[name].items[i];
      std::vector<Value> each = outcome(std::move(one), e, scope);
      for (size_t k = 0; k < all.size(); ++k) all[k].items.push_back(std::move(each[k]));
    }
    return all;
  }
  giveDefaults(body, e, scope);
  const size_t positional = e.arguments.size() - e.argumentNames.size();
  for (size_t i = 0; i < e.arguments.size(); ++i) {
    const auto input =
        i < positional
            ? body.inputs.begin() + static_cast<std::ptrdiff_t>(i)
            : std::ranges::find(body.inputs, e.argumentNames[i - positional], &Element::name);
    const Value& given = body.inner.locals->values[(*input)->name];
    requireFit(given, &e.arguments[i], scope, **input, body.inner, scope.mark(e.arguments[i].at));
  }
  auto& values = body.inner.locals->values;
  if (isRecord) {
    Value record;
    record.kind = Value::Kind::record;
    for (const Element* element : body.all)
      record.fields.emplace_back(element->name, values[element->name]);
    return {record};
  }
  // A call of what is known is carried out as any other.
  const bool varies =
      std::ranges::any_of(values, [](const auto& v) { return hasFormula(v.second); });
  const Meanwhile<const Caller*> forIt(caller_, varies || calls_ == 1 ? caller_ : nullptr);
  const Meanwhile<const std::vector<const Element*>*> inIt(declared_, &body.all);
  const Meanwhile within(
      condition_,
      returned_ ? both(condition_, prefixed(Operator::logicalNot, *returned_)) : condition_);
  const Meanwhile unreturned(returned_, std::optional<Value>());
  for (const Scope& text : body.classes) {
    body.enter(text);
    const auto ends = [&](const auto& section) { return run(section, body.inner) == Flow::finish; };
    if (std::ranges::any_of(text.lexical->algorithms, ends)) break;
  }
  return mapped(body.outputs, [&](const Element* output) { return values[output->name]; });
}

Evaluation::Flow Evaluation::run(const std::vector<Statement>& statements, Scope& scope) {
  for (const Statement& s : statements) {
    step(scope.mark(s.at));
    if (const Flow flow = run(s, scope); flow != Flow::next) return flow;
  }
  return Flow::next;
}

Evaluation::Flow Evaluation::run(const Statement& s, Scope& scope) {
  switch (s.kind) {
    case EquationKind::equal:
      if (s.left->kind == ExpressionKind::tuple) {
        assignResults(s, scope);
      } else {
        assign(*s.left, value(*s.right, scope), &*s.right, scope);
      }
      return Flow::next;
    case EquationKind::call:
      check(s, scope);
      return Flow::next;
    case EquationKind::conditional:
      return branch(s, scope);
    case EquationKind::loop: {
      Flow result = Flow::next;
      forEach(s.indices, scope, [&](const Scope& each) {
        if (result != Flow::next) return;
        Scope inner = each;
        result = run(s.branches[0].equations, inner);
      });
      return result == Flow::finish ? result : Flow::next;
    }
    case EquationKind::whileLoop:
      while (true) {
        const Value goesOn = value(*s.branches[0].condition, scope);
        if (goesOn.isFormula())
          refuseUnsupported(scope.mark(s.at),
                            "'while' with a condition of variables in a function is not supported");
        if (!truthOf(goesOn, *s.branches[0].condition, scope)) break;
        step(scope.mark(s.at));
        const Flow flow = run(s.branches[0].equations, scope);
        if (flow == Flow::finish) return flow;
        if (flow == Flow::leave) break;
      }
      return Flow::next;
    case EquationKind::breakLoop:
      return Flow::leave;
    case EquationKind::finish:
      return Flow::finish;
    case EquationKind::when:
      refuse(scope, s.at, "'when' is not for functions");
    default:
      return Flow::next;
  }
}

/// `(a, b) := f(x)`
void Evaluation::assignResults(const Statement& s, Scope& scope) {
  const std::vector<Expression>& left = s.left->arguments;
  const std::vector<Value> all = results(severalResults(*s.right, scope), *s.right, scope);
  if (left.size() > all.size()) {
    refuse(scope, s.at,
           "function '" + calledName(*s.right) + "' has " + std::to_string(all.size()) +
               " results, found " + std::to_string(left.size()) + " variables for them");
  }
  for (size_t i = 0; i < left.size(); ++i) {
    if (left[i].kind == ExpressionKind::name) assign(left[i], all[i], nullptr, scope);
  }
}

/// `assert(condition, message)`, `error(message)`, or a call for what its function asserts.
void Evaluation::check(const Statement& s, const Scope& scope) {
  const std::vector<Expression>& arguments = s.left->arguments;
  const FunctionTarget f = function(*s.left, scope);
  const std::string& name = f.definition ? f.definition->fullName : f.name;
  const std::string streams = "Modelica.Utilities.Streams.";
  if (name == streams + "print") return;
  const bool isError = name == streams + "error" && !arguments.empty();
  if (!isError && (name != "assert" || arguments.empty())) return carryOut(*s.left, scope);
  const Value holds = isError ? Value::boolean(false) : value(arguments[0], scope);
  const bool isOpen = caller_ && holds.isFormula();
  if (!isOpen && truthOf(holds, arguments[0], scope)) return;
  std::string text = isError ? "" : "the assertion does not hold";
  if (isError || arguments.size() > 1) {
    const auto said = known(arguments[isError ? 0 : 1], scope);
    text += (isError ? "" : ": ") + (said ? said->text : "...");
  }
  const bool warns = !isError && arguments.size() > 2 && isWarning(arguments[2]);
  if (!isOpen && !condition_ && !returned_) {
    if (!warns) refuse(scope, s.at, text);
    if (warn_) warn_(text, scope.mark(s.at));
    return;
  }
  require(holds, text, scope.mark(s.at), warns);
}

/// `target[subscripts] := v`, from one of the subscripts on. Once the function has ended outputs stay as they
/// are; of all else nothing is asked then.
void Evaluation::assignTo(Value& target, const std::vector<Expression>& subscripts, size_t first,
                          const Value& v, bool isOutput, const Scope& scope) {
  if (first == subscripts.size()) {
    target = returned_ && isOutput ? chosen(*returned_, target, v) : v;
    return;
  }
  Value all = Value::array({});
  for (size_t i = 1; i <= target.items.size(); ++i)
    all.items.push_back(Value::real(static_cast<double>(i)));
  const Value places = select(all, {subscripts[first]}, scope, subscripts[first].at);
  if (places.isFormula()) refuse(scope, subscripts[first].at, "an index must be a known number");
  if (places.isNumber())
    return assignTo(target.items[places.number - 1], subscripts, first + 1, v, isOutput, scope);
  if (v.isArray() && v.items.size() != places.items.size())
    refuse(scope, subscripts[first].at,
           std::to_string(places.items.size()) + " elements are assigned " + v.describe());
  for (int k = 0; k < std::ssize(places.items); ++k) {
    const Value item =
        v.isArray() ? v.items[k] : Value::formula(elementNode(treeOf(v), {k + 1}), true);
    assignTo(target.items[places.items[k].number - 1], subscripts, first + 1, item, isOutput,
             scope);
  }
}

void Evaluation::assign(const Expression& left, Value v, const Expression* said, Scope& scope) {
  const Element* declared = nullptr;
  for (const Element* e : declared_ ? *declared_ : std::vector<const Element*>())
    if (e->name == left.name[0].name) declared = e;
  if (declared && left.name.size() == 1 && left.name[0].subscripts.empty()) {
    v = shaped(std::move(v), *declared, scope, scope.mark(left.at));
    if (declared->sizes.empty()) v.isMaybeArray = false;
    requireFit(v, said, scope, *declared, scope, scope.mark(left.at));
  } else if (declared && left.name.size() == 1) {
    requireKind(v, said, scope, *declared, scope, scope.mark(left.at));
  }
  Value* target = nullptr;
  for (Locals* l = scope.locals.get(); l && !target; l = l->outer.get()) {
    const auto found = l->values.find(left.name[0].name);
    if (found != l->values.end()) target = &found->second;
  }
  if (!target) refuse(scope, left.at, "unknown variable '" + left.name[0].name + "'");
  for (size_t part = 0; part < left.name.size(); ++part) {
    if (part > 0) {
      const auto field = std::ranges::find(target->fields, left.name[part].name,
                                           [](const auto& f) { return f.first; });
      if (field == target->fields.end())
        refuse(scope, left.at, "there is no element '" + left.name[part].name + "'");
      target = &field->second;
    }
    const std::vector<Expression>& subscripts = left.name[part].subscripts;
    if (part + 1 == left.name.size())
      return assignTo(*target, subscripts, 0, v, declared && declared->isOutput, scope);
    for (const Expression& e : subscripts) target = &target->items.at(settled(e, scope).number - 1);
  }
}

}  // namespace cardan::modelica
