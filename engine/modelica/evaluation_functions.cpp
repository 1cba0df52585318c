// Calls: what is known by name, and functions of the files with their statements.
#include <algorithm>
#include <cmath>

#include "components/names.h"
#include "engine/expression/functions.h"
#include "engine/modelica/evaluation.h"
#include "engine/modelica/formula.h"
#include "engine/modelica/known_classes.h"
#include "engine/modelica/named_arguments.h"
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

Value filledArray(const Value& v, const std::vector<int>& sizes) {
  Value result = v;
  for (auto n = sizes.rbegin(); n != sizes.rend(); ++n)
    result = Value::array(std::vector<Value>(*n, result));
  return result;
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
  throw Refusal{scope.mark(call.at), "the function has " + std::to_string(all.size()) +
                                         (all.size() == 1 ? " result" : " results") +
                                         ", and none that is number " + std::to_string(i + 1)};
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

/// A value as long and wide as that of `e`; of a variable that has none before the run, zeros.
Value Evaluation::likeness(const Expression& e, const Scope& scope) {
  if (const auto elements = spread(e, scope, true)) return likeness(*elements, scope);
  if (e.kind == ExpressionKind::array) {
    return Value::array(
        mapped(e.arguments, [&](const Expression& item) { return likeness(item, scope); }));
  }
  const std::optional<Target> named = componentNamed(e, scope);
  if (!named || !named->tail.empty() || known(e, scope)) return value(e, scope);
  const auto& sizes = named->component->sizes;
  const auto given = named->part ? std::ssize(named->part->subscripts) : 0;
  if (given > std::ssize(sizes)) return value(e, scope);
  return filledArray(Value::real(0), {sizes.begin() + given, sizes.end()});
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
    if (first.number != 1) refuse(scope, e.at, "'cat' is known for the first dimension only");
    std::vector<Value> items;
    for (size_t i = 1; i < count; ++i) {
      if (!arguments[i].isArray()) refuse(scope, e.at, "'cat' is for arrays");
      items.insert(items.end(), arguments[i].items.begin(), arguments[i].items.end());
    }
    if (elementsOf(Value::array(items)) > kMostElements)
      refuse(scope, e.at, "an array must not have more than a million elements");
    return Value::array(std::move(items));
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
  if ((name == "sum" || name == "product") && count == 1 && first.isArray() && first.items.empty())
    return Value::real(name == "sum" ? 0 : 1);
  return std::nullopt;
}

std::optional<Value> Evaluation::builtin(const std::string& name, const Expression& e,
                                         std::vector<Value>& arguments, const Scope& scope) {
  const auto count = arguments.size();
  // Formulas pass where nothing asks for their value.
  for (size_t i = 0; i < count; ++i) {
    const bool isKept =
        isOneOf(name, {"cat", "scalar", "vector", "homotopy", "noEvent", "smooth"}) ||
        (i == 0 && isOneOf(name, {"fill", "size", "ndims"}));
    if (hasFormula(arguments[i]) && !isKept && caller_ && findFunction(name) && name != "der")
      return formulaOf(name, arguments);
    if (arguments[i].isFormula() && !isKept)
      refuse(scope, e.at, "'" + arguments[i].format() + "' has no value before the run");
  }
  if (auto array = arrayBuiltin(name, e, arguments, scope)) return array;
  if (name == "Integer" && count == 1) return Value::real(arguments[0].number);
  if (name == "String" && count >= 1) {
    return Value::string(arguments[0].kind == Value::Kind::text ? arguments[0].text
                                                                : arguments[0].format());
  }
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

const ClassDefinition& Evaluation::severalResults(const Expression& e, const Scope& scope) {
  const FunctionTarget f = e.kind == ExpressionKind::call ? function(e, scope) : FunctionTarget{};
  if (!f.definition || f.definition->restriction != "function")
    refuseUnsupported(scope.mark(e.at), "several results must come from a function of the files");
  return *f.definition;
}

Value Evaluation::call(const Expression& e, const Scope& scope) {
  const FunctionTarget f = function(e, scope);
  if (!f.definition && !e.argumentNames.empty()) {
    if (const auto ordered = inOrder(e, f.name)) return call(*ordered, scope);
  }
  if (f.definition) {
    if (f.definition->restriction == "function" || f.definition->restriction == "record")
      return resultOf(results(*f.definition, e, scope), e, scope);
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
  if (f.name == "cardinality" && e.arguments.size() == 1)
    return Value::real(cardinality(e.arguments[0], scope));
  std::vector<Value> arguments;
  for (const Expression& a : e.arguments) {
    if (a.kind == ExpressionKind::function)
      refuseUnsupported(scope.mark(a.at), "functions as arguments are not supported");
    const bool isShapeAsked = arguments.empty() && (f.name == "size" || f.name == "ndims");
    arguments.push_back(isShapeAsked ? likeness(a, scope) : value(a, scope));
  }
  if (!e.argumentNames.empty() && f.name != "String") {
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

/// What the names of a function begin with: arguments, else what their declarations say.
FunctionBody Evaluation::enter(const ClassDefinition& f, const Expression& e, const Scope& scope) {
  if (f.externalAt)
    refuseUnsupported(scope.mark(e.at),
                      "function '" + f.name + "' is external, which is not supported");
  FunctionBody result;
  result.definition = &f;
  result.inner = Scope{&f, nullptr, std::make_shared<Locals>()};
  const bool isRecord = f.restriction == "record";
  const ClassDefinition*& body = result.definition;
  for (int depth = 0; body->isShort && body->base && depth < 20; ++depth) {
    const Entity base = lookup_.base(*body->base, *body);
    if (!base.definition) break;
    changeDefaults(result, body->baseModification, body->parent ? *body->parent : *body);
    body = base.definition;
  }
  Scope& inner = result.inner;
  inner.lexical = body;
  gatherElements(result, *body, isRecord, 0);
  if (result.outputs.empty() && !isRecord)
    refuse(scope, e.at, "function '" + f.name + "' has no output");
  giveArguments(f, e, scope, result.inputs, inner);
  auto& values = inner.locals->values;
  for (const Element* element : result.all) {
    if (values.contains(element->name)) continue;
    if (const auto other = result.defaults.find(element->name); other != result.defaults.end()) {
      const auto& [given, where] = other->second;
      values[element->name] = value(*given, Scope{where, nullptr, inner.locals});
    } else if (element->modification.value) {
      values[element->name] = value(*element->modification.value, inner);
    } else if (std::ranges::find(result.inputs, element) != result.inputs.end()) {
      refuse(scope, e.at, "function '" + f.name + "': input '" + element->name + "' has no value");
    } else {
      values[element->name] = blank(*element, inner);
    }
  }
  return result;
}

/// What is said outside counts.
void Evaluation::changeDefaults(FunctionBody& body, const Modification& m,
                                const ClassDefinition& where) {
  for (const Argument& a : m.arguments) {
    if (a.name.size() == 1 && a.modification.value)
      body.defaults.emplace(a.name[0], std::pair{&*a.modification.value, &where});
  }
}

void Evaluation::gatherElements(FunctionBody& body, const ClassDefinition& c, bool isRecord,
                                int depth) {
  if (depth > 20) return;
  for (const Element& element : c.elements) {
    if (element.kind == ElementKind::extends) {
      changeDefaults(body, element.modification, c);
      if (const Entity base = lookup_.base(element.type, c); base.definition)
        gatherElements(body, *base.definition, isRecord, depth + 1);
    }
    if (element.kind != ElementKind::component) continue;
    body.all.push_back(&element);
    if (element.isInput || isRecord) body.inputs.push_back(&element);
    if (element.isOutput) body.outputs.push_back(&element);
  }
}

/// Inputs by position, then by name.
void Evaluation::giveArguments(const ClassDefinition& f, const Expression& e, const Scope& scope,
                               const std::vector<const Element*>& inputs, const Scope& inner) {
  const auto given = [&](const Expression& a, const Element& input) {
    return caller_ ? argument(a, scope, input, inner) : value(a, scope);
  };
  auto& values = inner.locals->values;
  const size_t positional = e.arguments.size() - e.argumentNames.size();
  if (positional > inputs.size()) {
    refuse(scope, e.at,
           "function '" + f.name + "' has " + std::to_string(inputs.size()) + " inputs, found " +
               std::to_string(e.arguments.size()) + " arguments");
  }
  for (size_t i = 0; i < positional; ++i)
    values[inputs[i]->name] = given(e.arguments[i], *inputs[i]);
  for (size_t i = positional; i < e.arguments.size(); ++i) {
    const std::string& name = e.argumentNames[i - positional];
    const auto input = std::ranges::find(inputs, name, &Element::name);
    if (input == inputs.end())
      refuse(scope, e.arguments[i].at, "function '" + f.name + "' has no input '" + name + "'");
    values[name] = given(e.arguments[i], **input);
  }
}

/// What a variable of a function holds before anything is assigned to it.
Value Evaluation::blank(const Element& declared, const Scope& inner, int depth) {
  std::vector<int> sizes;
  for (const Expression& size : declared.sizes) {
    const Value n = size.kind == ExpressionKind::all ? Value::real(0) : settled(size, inner);
    if (!n.isNumber() || n.number < 0 || n.number > 1e5)
      refuse(inner, size.at, "a size must be a whole number, found " + n.describe());
    sizes.push_back(static_cast<int>(n.number));
  }
  const Entity type = lookup_.base(declared.type, *inner.lexical);
  if (const auto known = knownType(type.fullName); known && known->size > 0)
    sizes.push_back(known->size);
  const bool isRecord = type.definition && type.definition->restriction == "record";
  return filledArray(isRecord ? blankRecord(*type.definition, depth + 1) : Value::real(0), sizes);
}

Value Evaluation::blankRecord(const ClassDefinition& c, int depth) {
  Value record;
  record.kind = Value::Kind::record;
  if (depth > kDeepestRecord) return record;
  Scope inner{&c, nullptr, std::make_shared<Locals>()};
  const auto inherit = [&](const TypeName& name) {
    const Entity base = lookup_.base(name, c);
    if (!base.definition) return;
    for (auto& [field, v] : blankRecord(*base.definition, depth + 1).fields) {
      inner.locals->values[field] = v;
      record.fields.emplace_back(field, std::move(v));
    }
  };
  if (c.isShort && c.base) inherit(*c.base);
  for (const Element& e : c.elements) {
    if (e.kind == ElementKind::extends) inherit(e.type);
    if (e.kind != ElementKind::component) continue;
    const auto& given = e.modification.value;
    Value v = given ? value(*given, inner) : blank(e, inner, depth);
    inner.locals->values[e.name] = v;
    record.fields.emplace_back(e.name, std::move(v));
  }
  return record;
}

/// Inputs by position and name, then the statements; the values of all outputs. A record: its fields.
std::vector<Value> Evaluation::results(const ClassDefinition& f, const Expression& e,
                                       const Scope& scope) {
  const Meanwhile deeper(calls_, calls_ + 1);
  if (calls_ > kDeepestCalls || (!caller_ && depth_ > kDeepestCalls))
    refuse(scope, e.at, "calls of functions are nested too deep");
  FunctionBody body = enter(f, e, scope);
  auto& values = body.inner.locals->values;
  if (f.restriction == "record") {
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
  const Meanwhile<const std::vector<const Element*>*> inIt(declared_,
                                                           caller_ ? &body.all : nullptr);
  run(body.definition->algorithm, body.inner);
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
        assign(*s.left, value(*s.right, scope), scope);
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
      if (caller_)
        refuseUnsupported(scope.mark(s.at), "'while' in a function of variables is not supported");
      while (truthOf(value(*s.branches[0].condition, scope), *s.branches[0].condition, scope)) {
        step(scope.mark(s.at));
        const Flow flow = run(s.branches[0].equations, scope);
        if (flow == Flow::finish) return flow;
        if (flow == Flow::leave) break;
      }
      return Flow::next;
    case EquationKind::breakLoop:
      if (caller_)
        refuseUnsupported(scope.mark(s.at), "'break' in a function of variables is not supported");
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
           "the function has " + std::to_string(all.size()) + " results, found " +
               std::to_string(left.size()) + " variables for them");
  }
  for (size_t i = 0; i < left.size(); ++i) {
    if (left[i].kind == ExpressionKind::name) assign(left[i], all[i], scope);
  }
}

/// `assert(condition, message)`; other calls print.
void Evaluation::check(const Statement& s, const Scope& scope) {
  const std::vector<Expression>& arguments = s.left->arguments;
  if (calledName(*s.left) != "assert" || arguments.empty()) return;
  const Value holds = value(arguments[0], scope);
  if (caller_ && holds.isFormula())
    refuseUnsupported(scope.mark(s.at), "'assert' of variables in a function is not supported");
  if (truthOf(holds, arguments[0], scope)) return;
  if (conditions_ > 0) {
    refuseUnsupported(scope.mark(s.at),
                      "'assert' under a condition of variables in a function is not supported");
  }
  const bool hasText = arguments.size() > 1;
  const Value text = hasText ? value(arguments[1], scope) : Value{};
  refuse(scope, s.at, "the assertion does not hold" + (hasText ? ": " + text.text : ""));
}

void Evaluation::assign(const Expression& left, Value v, Scope& scope) {
  if (declared_ && left.name.size() == 1 && left.name[0].subscripts.empty()) {
    const auto declared = std::ranges::find(*declared_, left.name[0].name, &Element::name);
    if (declared != declared_->end())
      v = shaped(std::move(v), **declared, scope, scope.mark(left.at));
    if (declared != declared_->end() && (*declared)->sizes.empty()) v.isMaybeArray = false;
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
    for (const Expression& e : left.name[part].subscripts) {
      if (e.kind == ExpressionKind::all) {
        if (left.name[part].subscripts.size() == 1) break;
        refuseUnsupported(scope.mark(e.at), "a part of an array cannot be assigned");
      }
      const Value i = settled(e, scope);
      if (!i.isNumber() || i.number < 1 || i.number > static_cast<double>(target->items.size()))
        refuse(scope, e.at, "index " + i.describe() + " is out of range");
      target = &target->items[i.number - 1];
    }
  }
  *target = std::move(v);
}

}  // namespace cardan::modelica
