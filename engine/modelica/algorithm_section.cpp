#include "engine/modelica/algorithm_section.h"

#include <algorithm>
#include <utility>

#include "components/names.h"

namespace cardan::modelica {
namespace {

constexpr int kMostRounds = 10'000;
constexpr size_t kLargestExpression = 20'000;

size_t nodesOf(const Expression& e) {
  size_t n = 0;
  forAll(e, [&](const Expression&) { ++n; });
  return n;
}

Expression functionCall(const std::string& f, std::vector<Expression> arguments, Position at) {
  Expression e = made(ExpressionKind::call, at);
  e.name.push_back({f, {}});
  e.arguments = std::move(arguments);
  return e;
}

bool hasNames(const Expression& e) {
  return anyIn(e, [](const Expression& one) {
    return one.kind == ExpressionKind::name || one.kind == ExpressionKind::call;
  });
}

/// What an expression of an array has at these places.
Expression elementAt(const Expression& e, std::vector<Expression> indices) {
  if (indices.empty()) return e;
  const auto first = static_cast<size_t>(indices[0].number);
  if (e.kind == ExpressionKind::array && first >= 1 && first <= e.arguments.size())
    return elementAt(e.arguments[first - 1], {indices.begin() + 1, indices.end()});
  Expression element = made(ExpressionKind::element, e.at);
  element.arguments = {e};
  for (Expression& i : indices) element.arguments.push_back(std::move(i));
  return element;
}

std::string functionOf(const Expression& call) { return call.name.back().name; }

/// True if an expression reads a variable other than as it was before the event.
bool readsNow(const Expression& e, const std::string& name) {
  if (e.kind == ExpressionKind::call && functionOf(e) == "pre") return false;
  if (e.kind == ExpressionKind::name && e.name[0].name == name) return true;
  return std::ranges::any_of(e.arguments, [&](const Expression& a) { return readsNow(a, name); });
}

Expression operation(Operator op, std::vector<Expression> operands) {
  Expression e =
      made(operands.size() == 1 ? ExpressionKind::unary : ExpressionKind::binary, operands[0].at);
  e.op = op;
  e.arguments = std::move(operands);
  return e;
}

/// A value that is known, as an expression.
Expression literalExpression(const Value& v, Position at) {
  if (v.kind == Value::Kind::boolean) {
    Expression e = made(ExpressionKind::boolean, at);
    e.number = v.number;
    return e;
  }
  if (!v.isArray() && v.number < 0) {
    return operation(Operator::negate, {numberAt(at, -v.number)});
  }
  if (!v.isArray()) return numberAt(at, v.number);
  Expression e = made(ExpressionKind::array, at);
  for (const Value& item : v.items) e.arguments.push_back(literalExpression(item, at));
  return e;
}

}  // namespace

std::vector<Equation> AlgorithmSection::equations(const std::vector<Statement>& statements) {
  findAssigned(statements, false);
  run(statements, scope_);
  std::vector<Equation> all;
  for (const std::string& key : order_) {
    const Expression& value = values_.at(key);
    if (value.kind == ExpressionKind::name && keyOf(value) == key) continue;  // `when` sets it
    Equation e;
    e.at = names_.at(key).at;
    e.left = names_.at(key);
    e.right = value;
    all.push_back(std::move(e));
  }
  joinWhens();
  for (Equation& e : out_) all.push_back(std::move(e));
  return all;
}

void AlgorithmSection::findAssigned(const std::vector<Statement>& statements, bool isInWhen) {
  const auto add = [&](const Expression& left) {
    if (left.kind != ExpressionKind::name) return;
    const std::string& name = left.name[0].name;
    assigned_.insert(name);
    const Component* c = scope_.component(name);
    if (isInWhen ||
        (c && (c->type.kind == TypeKind::integer || c->type.kind == TypeKind::boolean ||
               c->type.kind == TypeKind::enumeration || c->variability == Variability::discrete)))
      discretes_.insert(name);
  };
  for (const Statement& s : statements) {
    if (s.kind == EquationKind::equal) {
      if (s.left->kind == ExpressionKind::tuple) {
        for (const Expression& one : s.left->arguments) add(one);
      } else {
        add(*s.left);
      }
    }
    for (const Statement::Branch& b : s.branches)
      findAssigned(b.equations, isInWhen || s.kind == EquationKind::when);
  }
}

/// "x[1,2]", its indices as numbers.
std::string AlgorithmSection::keyOf(const Expression& name) const {
  std::string key;
  for (const NamePart& p : name.name) {
    key += (key.empty() ? "" : ".") + p.name;
    for (size_t i = 0; i < p.subscripts.size(); ++i)
      key += (i == 0 ? "[" : ",") + formatNumber(p.subscripts[i].number);
    if (!p.subscripts.empty()) key += "]";
  }
  return key;
}

/// A name with what has been assigned in its indices.
Expression AlgorithmSection::indexed(const Expression& e, const Scope& scope) {
  Expression result = e;
  for (NamePart& p : result.name) {
    for (Expression& index : p.subscripts) index = substituted(index, scope);
  }
  return result;
}

/// A name with numbers as indices.
Expression AlgorithmSection::named(const Expression& e, const Scope& scope) {
  Expression result = indexed(e, scope);
  for (NamePart& p : result.name) {
    for (Expression& index : p.subscripts) {
      if (index.kind == ExpressionKind::all) continue;
      const Component* c = scope_.component(p.name);
      const int size = c && !c->sizes.empty() ? c->sizes[&index - p.subscripts.data()] : 0;
      const Value v = evaluation_.subscript(index, scope, size);
      if (!v.isNumber())
        refuseUnsupported(scope.mark(e.at), "an index in an algorithm must be a known number");
      index = numberAt(e.at, v.number);
    }
  }
  return result;
}

/// The name of an array with `:` as its indices.
Expression AlgorithmSection::allOf(const Expression& name) const {
  Expression all = name;
  const auto t = evaluation_.componentNamed(name, scope_);
  all.name.back().subscripts.resize(t ? t->component->sizes.size() : 0,
                                    made(ExpressionKind::all, name.at));
  return all;
}

/// What a name holds that the section assigns.
Expression AlgorithmSection::read(const std::string& key) {
  if (const auto found = values_.find(key); found != values_.end()) return found->second;
  const Expression& name = names_.at(key);
  const std::vector<Expression>& indices = name.name.back().subscripts;
  if (!indices.empty()) {
    Expression whole = name;
    whole.name.back().subscripts.clear();
    const auto found = values_.find(keyOf(whole));
    const Expression* e = found == values_.end() ? nullptr : &found->second;
    const bool isName = e && e->kind == ExpressionKind::name && e->name.back().subscripts.empty();
    if (e && !isName) return elementAt(*e, indices);
    if (e) {
      Expression element = *e;
      element.name.back().subscripts = indices;
      return element;
    }
  }
  // A record of which fields are assigned.
  const Component* record = evaluation_.recordNamed(name, scope_);
  const bool hasFields =
      std::ranges::any_of(values_, [&](const auto& v) { return v.first.starts_with(key + "."); });
  if (record && hasFields) {
    Expression all = made(ExpressionKind::call, name.at);
    all.isGlobal = true;
    const std::string& full = record->type.definition->fullName;
    for (size_t from = 0; from <= full.size();
         from = std::min(full.find('.', from), full.size()) + 1)
      all.name.push_back({full.substr(from, full.find('.', from) - from), {}});
    for (const auto& field : record->instance->components) {
      Expression part = name;
      part.name.push_back({field->name, {}});
      names_.try_emplace(keyOf(part), part);
      all.argumentNames.push_back(field->name);
      all.arguments.push_back(read(keyOf(part)));
    }
    return all;
  }
  // An array of which elements are assigned.
  const bool hasElements =
      std::ranges::any_of(values_, [&](const auto& v) { return v.first.starts_with(key + "["); });
  if (indices.empty() && hasElements) {
    if (const auto parts = evaluation_.spread(allOf(name), scope_, true))
      return substituted(*parts, scope_);
  }
  return before(name);
}

/// What a variable is before anything is assigned to it.
Expression AlgorithmSection::before(const Expression& name) const {
  const std::string& first = name.name[0].name;
  if (discretes_.contains(first)) return functionCall("pre", {name}, name.at);
  const Component* c = scope_.component(first);
  const std::optional<Value> v = c ? evaluation_.known(c->modifier.find("start")) : std::nullopt;
  Value one = v ? *v : Value::real(0);
  for (const Expression& index : name.name.back().subscripts) {
    if (!one.isArray()) break;
    Value item = one.items.at(static_cast<size_t>(index.number) - 1);
    one = std::move(item);
  }
  return literalExpression(one, name.at);
}

/// The expression with what has been assigned in place of names.
Expression AlgorithmSection::substituted(const Expression& e, const Scope& scope) {
  if (e.kind == ExpressionKind::name && !e.isGlobal) {
    if (const Value* index = e.name.size() == 1 && e.name[0].subscripts.empty()
                                 ? scope.local(e.name[0].name)
                                 : nullptr)
      return literalExpression(*index, e.at);
    if (!assigned_.contains(e.name[0].name)) {
      return indexed(e, scope);
    }
    if (const auto parts = evaluation_.spread(indexed(e, scope), scope, true))
      return substituted(*parts, scope);
    const Expression name = named(e, scope);
    const std::string key = keyOf(name);
    names_.try_emplace(key, name);
    return read(key);
  }
  const bool isOfBefore =
      e.kind == ExpressionKind::call && e.name.size() == 1 &&
      (functionOf(e) == "pre" || functionOf(e) == "edge" || functionOf(e) == "change" ||
       functionOf(e) == "der" || functionOf(e) == "size" || functionOf(e) == "ndims");
  Expression result = e;
  if (isOfBefore) {
    for (Expression& a : result.arguments) {
      if (a.kind == ExpressionKind::name) a = named(a, scope);
    }
    return result;
  }
  for (Expression& a : result.arguments) a = substituted(a, scope);
  if (nodesOf(result) > kLargestExpression)
    throw Refusal{scope.mark(e.at), "the expression is too long with all statements put in"};
  return result;
}

std::optional<bool> AlgorithmSection::truth(const Expression& condition, const Scope& scope) {
  try {
    evaluation_.value(condition, scope);  // of variables nothing is settled
    const Value v = evaluation_.structural(condition, scope);
    if (v.kind == Value::Kind::boolean) return v.number != 0;
  } catch (const Refusal&) {
    // It hangs on variables, or is said where it is written.
  }
  return std::nullopt;
}

void AlgorithmSection::assign(const Expression& left, Expression value, const Scope& scope) {
  if (left.kind != ExpressionKind::name)
    throw Refusal{scope.mark(left.at), "':=' must have a variable on its left"};
  // Counters of loops stay numbers.
  const auto number = hasNames(value) ? std::nullopt : evaluation_.known(value, scope);
  if (number && (number->isNumber() || number->kind == Value::Kind::boolean))
    value = literalExpression(*number, value.at);
  if (const auto parts = evaluation_.spread(indexed(left, scope), scope, true)) {
    const auto each = [&](const auto& self, const Expression& part, std::vector<Expression> at) {
      if (part.kind != ExpressionKind::array) return assign(part, elementAt(value, at), scope);
      at.emplace_back();
      for (size_t i = 0; i < part.arguments.size(); ++i) {
        at.back() = numberAt(left.at, static_cast<double>(i + 1));
        self(self, part.arguments[i], at);
      }
    };
    return each(each, *parts, {});
  }
  const Expression name = named(left, scope);
  if (const Component* record = evaluation_.recordNamed(name, scope_)) {
    for (const auto& field : record->instance->components) {
      Expression part = name;
      part.name.push_back({field->name, {}});
      auto given = evaluation_.fieldOf(value, scope, *record->instance, field->name);
      if (!given)
        throw Refusal{scope.mark(left.at), "field '" + field->name + "' is given no value"};
      assign(part, *std::move(given), scope);
    }
    return;
  }
  const std::string key = keyOf(name);
  names_.try_emplace(key, name);
  // The whole takes the place of its elements, an element that of one in a list.
  std::erase_if(values_, [&](const auto& v) { return v.first.starts_with(key + "["); });
  std::erase_if(order_, [&](const std::string& k) { return k.starts_with(key + "["); });
  Expression whole = name;
  whole.name.back().subscripts.clear();
  const std::string of = keyOf(whole);
  if (of != key && values_.contains(of)) {
    const Expression before = values_.at(of);
    values_.erase(of);
    std::erase(order_, of);
    assign(allOf(whole), before, scope);
  }
  values_[key] = std::move(value);
  if (std::ranges::find(order_, key) == order_.end()) order_.push_back(key);
}

AlgorithmSection::Flow AlgorithmSection::run(const std::vector<Statement>& statements,
                                             const Scope& scope) {
  for (const Statement& s : statements) {
    switch (s.kind) {
      case EquationKind::equal:
        if (s.left->kind != ExpressionKind::tuple) {
          assign(*s.left, substituted(*s.right, scope), scope);
          break;
        }
        {
          Expression result = substituted(*s.right, scope);
          for (size_t i = 0; i < s.left->arguments.size(); ++i) {
            result.number = static_cast<double>(i);
            if (s.left->arguments[i].kind != ExpressionKind::nothing)
              assign(s.left->arguments[i], result, scope);
          }
        }
        break;
      case EquationKind::conditional:
        if (const Flow flow = branch(s, scope); flow != Flow::next) return flow;
        break;
      case EquationKind::loop: {
        Flow result = Flow::next;
        evaluation_.forEach(s.indices, scope, [&](const Scope& inner) {
          if (result == Flow::next) result = run(s.branches[0].equations, inner);
        });
        if (result == Flow::finish) return result;
        break;
      }
      case EquationKind::whileLoop:
        loop(s, scope);
        break;
      case EquationKind::when:
        when(s, scope);
        break;
      case EquationKind::call:
        call(s, scope);
        break;
      case EquationKind::breakLoop:
        return Flow::leave;
      case EquationKind::finish:
        return Flow::finish;
      default:
        break;
    }
  }
  return Flow::next;
}

void AlgorithmSection::loop(const Statement& s, const Scope& scope) {
  for (int n = 0; n < kMostRounds; ++n) {
    const auto goesOn = truth(substituted(*s.branches[0].condition, scope), scope);
    if (!goesOn) {
      refuseUnsupported(scope.mark(s.at),
                        "the condition of 'while' in a model must be known before the run");
    }
    if (!*goesOn || run(s.branches[0].equations, scope) != Flow::next) return;
  }
  throw Refusal{scope.mark(s.at),
                "'while' must end, found more than " + std::to_string(kMostRounds) + " rounds"};
}

/// What the branches leave, chosen by their conditions.
AlgorithmSection::Flow AlgorithmSection::branch(const Statement& s, const Scope& scope) {
  struct Result {
    Expression condition;
    Values values;
  };
  const Values first = values_;
  std::vector<std::string> order = std::move(order_), changed;
  std::vector<Result> results;
  bool isComplete = false;
  for (const Statement::Branch& b : s.branches) {
    std::optional<bool> known = true;
    Expression condition;
    if (b.condition) {
      condition = substituted(*b.condition, scope);
      known = truth(condition, scope);
    }
    if (known == false) continue;
    const bool isAlone = known && results.empty();
    if (isAlone) {
      order_ = std::move(order);
      return run(b.equations, scope);
    }
    const size_t depth = around_.size();
    for (const Result& r : results)
      around_.push_back(operation(Operator::logicalNot, {r.condition}));
    if (!known) around_.push_back(condition);
    order_.clear();
    const Flow flow = run(b.equations, scope);
    around_.resize(depth);
    if (flow != Flow::next)
      refuseUnsupported(scope.mark(s.at), "'break' and 'return' under a condition of variables");
    for (const std::string& key : order_) {
      if (std::ranges::find(changed, key) == changed.end()) changed.push_back(key);
    }
    results.push_back({std::move(condition), std::exchange(values_, first)});
    isComplete = known.has_value();
    if (isComplete) break;
  }
  Values merged;
  for (const std::string& key : changed) {
    Expression& chosen = merged[key] = made(ExpressionKind::conditional, names_.at(key).at);
    for (size_t i = 0; i < results.size(); ++i) {
      values_ = results[i].values;
      if (!isComplete || i + 1 < results.size()) chosen.arguments.push_back(results[i].condition);
      chosen.arguments.push_back(read(key));
    }
    values_ = first;
    if (!isComplete) chosen.arguments.push_back(read(key));
  }
  order_ = std::move(order);
  for (const std::string& key : changed) assign(names_.at(key), merged.at(key), scope);
  return Flow::next;
}

/// Each branch sets what it assigns.
void AlgorithmSection::when(const Statement& s, const Scope& scope) {
  if (calls_ || !around_.empty())
    refuseUnsupported(scope.mark(s.at), "'when' inside of 'when' or 'if' is not supported");
  Equation e;
  e.kind = EquationKind::when;
  e.at = s.at;
  const Values first = values_;
  const std::vector<std::string> order = order_;
  std::vector<std::string> set;
  for (const Statement::Branch& b : s.branches) {
    Equation::Branch& made = e.branches.emplace_back();
    made.condition = substituted(*b.condition, scope);
    // What it does not set stays away: it begins with nothing assigned.
    order_.clear();
    std::vector<Equation> calls;
    calls_ = &calls;
    run(b.equations, scope);
    calls_ = nullptr;
    for (const std::string& key : order_) {
      Equation& one = made.equations.emplace_back();
      one.at = names_.at(key).at;
      one.left = names_.at(key);
      one.right = values_.at(key);
      if (std::ranges::find(set, key) == set.end()) set.push_back(key);
    }
    for (Equation& one : calls) made.equations.push_back(std::move(one));
    values_ = first;
    order_ = order;
  }
  for (const std::string& key : set) {
    values_[key] = names_.at(key);
    if (std::ranges::find(order_, key) == order_.end()) order_.push_back(key);
  }
  out_.push_back(std::move(e));
}

/// A variable that several `when` set, each in all its branches, is that of the last one that fires: a `when`
/// of its own, the last one first. One that reads what another one has set stays where it is.
void AlgorithmSection::joinWhens() {
  std::map<std::string, std::vector<size_t>> setBy;
  for (size_t i = 0; i < out_.size(); ++i) {
    for (const Equation::Branch& b : out_[i].branches) {
      for (const Equation& e : b.equations) {
        if (e.kind != EquationKind::equal) continue;
        std::vector<size_t>& whens = setBy[keyOf(*e.left)];
        if (whens.empty() || whens.back() != i) whens.push_back(i);
      }
    }
  }
  for (const auto& [key, whens] : setBy) {
    const auto isIts = [&](const Equation& e) {
      return e.kind == EquationKind::equal && keyOf(*e.left) == key;
    };
    // A branch that does nothing else would be empty: none that does may follow.
    const auto canGive = [&](size_t i) {
      bool isEmpty = false;
      return std::ranges::all_of(out_[i].branches, [&](const Equation::Branch& b) {
        const auto e = std::ranges::find_if(b.equations, isIts);
        if (e == b.equations.end() || readsNow(*e->right, names_.at(key).name[0].name))
          return false;
        const bool follows = std::exchange(isEmpty, b.equations.size() == 1);
        return !follows || isEmpty;
      });
    };
    if (whens.size() < 2 || !std::ranges::all_of(whens, canGive)) continue;
    Equation joined;
    joined.kind = EquationKind::when;
    joined.at = out_[whens.back()].at;
    for (auto i = whens.rbegin(); i != whens.rend(); ++i) {
      for (Equation::Branch& b : out_[*i].branches) {
        const auto e = std::ranges::find_if(b.equations, isIts);
        joined.branches.push_back({b.condition, {std::move(*e)}});
        b.equations.erase(e);
      }
      std::erase_if(out_[*i].branches,
                    [](const Equation::Branch& b) { return b.equations.empty(); });
    }
    out_.push_back(std::move(joined));
  }
  std::erase_if(
      out_, [](const Equation& e) { return e.kind == EquationKind::when && e.branches.empty(); });
}

/// Assertions hold throughout, or at the events of `when`.
void AlgorithmSection::call(const Statement& s, const Scope& scope) {
  const std::string f = functionOf(*s.left);
  const bool isOfWhen = calls_ && (f == "reinit" || f == "terminate");
  const bool isPrinting = f == "print";
  if (isPrinting && !around_.empty()) return;
  if (calls_ && !isOfWhen && !isPrinting && f != "assert")
    refuseUnsupported(scope.mark(s.at), "'" + f + "' as a statement is not supported here");
  if (f != "assert" && !around_.empty()) {
    refuseUnsupported(scope.mark(s.at),
                      "'" + f + "' under a condition of variables is not supported");
  }
  Equation e;
  e.kind = EquationKind::call;
  e.at = s.at;
  e.left = *s.left;
  std::vector<Expression>& arguments = e.left->arguments;
  for (size_t i = f == "reinit" ? 1 : 0; i < arguments.size(); ++i)
    arguments[i] = substituted(arguments[i], scope);
  // Elsewhere an assertion holds.
  for (const Expression& condition : around_) {
    arguments.at(0) = operation(Operator::logicalOr,
                                {operation(Operator::logicalNot, {condition}), arguments.at(0)});
  }
  (calls_ ? *calls_ : out_).push_back(std::move(e));
}

}  // namespace cardan::modelica
