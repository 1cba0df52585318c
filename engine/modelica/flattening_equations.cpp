// Equations, connections and what stands around them.
#include <algorithm>

#include "engine/modelica/algorithm_section.h"
#include "engine/modelica/circles.h"
#include "engine/modelica/equation_order.h"
#include "engine/modelica/flattening.h"
#include "engine/modelica/value_kinds.h"
#include "engine/text/mapped.h"
#include "engine/text/words.h"

namespace cardan::modelica {
namespace {

/// True of what writes to the screen, which has no part in the model.
bool isPrinting(const std::string& call) { return call == "print" || call.ends_with(".print"); }

/// True of an assertion that stops nothing.
bool warns(const Equation& e) {
  const std::vector<Expression>& arguments = e.left->arguments;
  return arguments.size() > 2 && isWarning(arguments[2]);
}

/// True of equations with a connection or call among them.
bool hasStructure(const std::vector<Equation>& equations) {
  return std::ranges::any_of(equations, [](const Equation& e) {
    return e.kind == EquationKind::connect ||
           std::ranges::any_of(e.branches, [](const auto& b) { return hasStructure(b.equations); });
  });
}

}  // namespace

void Flattening::gatherEquations(const Instance& instance) {
  for (const Scope& scope : instance.definitions) {
    const ClassDefinition* c = scope.lexical;
    gather(c->equations, scope, equations_, false);
    gather(c->initialEquations, scope, initialEquations_, false);
    const auto carryOut = [&](const std::vector<std::vector<Statement>>& sections, auto& out) {
      for (const std::vector<Statement>& statements : sections) {
        guarded([&] {
          carriedOut_.push_back(AlgorithmSection(evaluation_, scope).equations(statements));
          gather(carriedOut_.back(), scope, out, false);
        });
      }
    };
    carryOut(c->algorithms, equations_);
    carryOut(c->initialAlgorithms, initialEquations_);
  }
  forComponents(instance, [&](const Component& c) {
    if (c.instance && c.type.kind == TypeKind::composite) gatherEquations(*c.instance);
  });
}

void Flattening::gather(const std::vector<Equation>& equations, const Scope& scope,
                        std::vector<FlatEquation>& out, bool isInWhen) {
  for (const Equation& e : equations) {
    guarded([&] {
      const bool isCall = e.kind == EquationKind::call;
      if (isInWhen && isCall && isOneOf(calledName(*e.left), {"reinit", "terminate", "assert"})) {
        if (calledName(*e.left) == "assert" && warns(e)) {
          diagnostics_.warning(scope.mark(e.at),
                               "an assertion in 'when' that only warns has no "
                               "influence on the run, and is left out");
          return;
        }
        out.push_back({&e, scope, {}, {}});
        return;
      }
      if (isInWhen && (e.kind == EquationKind::connect || e.kind == EquationKind::when ||
                       (isCall && !isPrinting(calledName(*e.left))))) {
        refuseUnsupported(
            scope.mark(e.at),
            "in 'when' equations of variables, 'reinit', 'assert' and 'terminate' are "
            "supported");
      }
      switch (e.kind) {
        case EquationKind::equal:
          if (isOfNothing(*e.left, scope)) {
            ofNothing_.push_back({&e, scope, {}, {}});
          } else if (isGiven(*e.left, *e.right, scope)) {
            break;
          } else if (e.left->kind == ExpressionKind::tuple) {
            gatherResults(e, scope, out);
          } else if (!gatherElements(e, scope, out)) {
            out.push_back({&e, scope, {}, {}});
          }
          break;
        case EquationKind::connect:
          connect(e, scope);
          break;
        case EquationKind::loop:
          evaluation_.forEach(e.indices, scope, [&](const Scope& inner) {
            gather(e.branches[0].equations, inner, out, isInWhen);
          });
          break;
        case EquationKind::conditional:
          gatherIf(e, scope, out, isInWhen);
          break;
        case EquationKind::when:
          gatherWhen(e, scope);
          break;
        case EquationKind::call:
          gatherCall(e, scope, &out == &initialEquations_);
          break;
        default:
          break;
      }
    });
  }
}

/// True of the initial equation that is the value of its parameter already.
bool Flattening::isGiven(const Expression& left, const Expression& right, const Scope& scope) {
  const auto t = evaluation_.componentNamed(left, scope);
  if (!t || t->component->givenBy != &left) return false;
  requireKind(*t->component, right, scope);
  return true;
}

/// A variable or a part of one without elements, or its rate, or pre() of it: its equations say nothing.
bool Flattening::isOfNothing(const Expression& left, const Scope& scope) {
  const bool isCall = left.kind == ExpressionKind::call && left.arguments.size() == 1 &&
                      isOneOf(calledName(left), {"der", "pre"});
  const Expression& named = isCall ? left.arguments[0] : left;
  if (named.kind != ExpressionKind::name) return false;
  if (const Component* c = translation_.variableIn(named, scope); c && c->isEmpty()) return true;
  const auto hasNone = [](const auto& self, const Expression& e) -> bool {
    return e.kind == ExpressionKind::array &&
           std::ranges::all_of(e.arguments,
                               [&](const Expression& item) { return self(self, item); });
  };
  const auto elements = evaluation_.spread(named, scope);
  return elements && hasNone(hasNone, *elements);
}

/// What such an equation has on the other side has no elements either.
void Flattening::requireNothing(const Expression& right, const Scope& scope) {
  bool isKnown = false;
  const auto elements = translation_.elements(translation_.tree(right, scope), isKnown);
  if (!elements || !isKnown || elements->items.empty()) return;
  throw Refusal{
      scope.mark(right.at),
      "an equation between no elements and " +
          (elements->sizes.empty() ? "a scalar" : std::to_string(elements->items.size()))};
}

void Flattening::gatherIf(const Equation& e, const Scope& scope, std::vector<FlatEquation>& out,
                          bool isInWhen) {
  // Known before the run: one branch is all there is.
  bool isKnown = true;
  for (const Equation::Branch& b : e.branches) {
    if (!b.condition) {
      if (isKnown) gather(b.equations, scope, out, isInWhen);
      break;
    }
    try {
      evaluation_.value(*b.condition, scope);  // of variables nothing is settled
      const Value v = evaluation_.structural(*b.condition, scope);
      if (v.kind != Value::Kind::boolean) {
        throw Refusal{scope.mark(b.condition->at),
                      "a condition must be true or false, found " + v.describe()};
      }
      if (v.number == 0) continue;
      gather(b.equations, scope, out, isInWhen);
      return;
    } catch (const Refusal& r) {
      if (r.text.starts_with("unknown")) throw;
      isKnown = false;
      break;
    }
  }
  if (isKnown) return;
  FlatEquation conditional{&e, scope, {}, {}};
  for (const Equation::Branch& b : e.branches) {
    if (hasStructure(b.equations)) {
      refuseUnsupported(scope.mark(e.at),
                        "'if' around 'connect' must have a condition that is known before the run");
    }
    FlatEquation::Branch branch;
    branch.condition = b.condition ? &*b.condition : nullptr;
    gather(b.equations, scope, branch.equations, isInWhen);
    conditional.branches.push_back(std::move(branch));
  }
  out.push_back(std::move(conditional));
}

/// An equation for each element of an array of components, for each field of a record; false for other
/// equations.
bool Flattening::gatherElements(const Equation& e, const Scope& scope,
                                std::vector<FlatEquation>& out) {
  const auto add = [&](Expression left, Expression right) {
    Equation& one = separated_.emplace_back();
    one.at = e.at;
    one.left = std::move(left);
    one.right = std::move(right);
    if (!gatherElements(one, scope, out)) out.push_back({&one, scope, {}, {}});
  };
  if (e.left->kind != ExpressionKind::name) return false;
  if (const auto elements = evaluation_.spread(*e.left, scope)) {
    std::optional<Expression> values;
    if (e.right->kind == ExpressionKind::name) values = evaluation_.spread(*e.right, scope);
    const Expression& right = values ? *values : *e.right;
    const bool isList = right.kind == ExpressionKind::array;
    if (!isList && right.kind != ExpressionKind::name) return false;
    if (isList && right.arguments.size() != elements->arguments.size()) {
      throw Refusal{scope.mark(e.at), "an equation between " +
                                          std::to_string(elements->arguments.size()) + " and " +
                                          std::to_string(right.arguments.size()) + " elements"};
    }
    for (size_t i = 0; i < elements->arguments.size(); ++i) {
      Expression value = isList ? right.arguments[i] : right;
      if (!isList)
        value.name.back().subscripts.push_back(numberAt(e.right->at, static_cast<double>(i + 1)));
      add(elements->arguments[i], std::move(value));
    }
    return true;
  }
  const Component* const left = evaluation_.recordNamed(*e.left, scope);
  if (!left) return false;
  for (const auto& field : left->instance->components) {
    if (field->isParameter()) continue;
    Expression a = *e.left;
    a.name.push_back({field->name, {}});
    auto b = evaluation_.fieldOf(*e.right, scope, *left->instance, field->name);
    if (!b)
      throw Refusal{scope.mark(e.at),
                    "field '" + field->name + "' of '" + left->name + "' is given no value"};
    add(std::move(a), *std::move(b));
  }
  return true;
}

/// `(a, b) = f(x)`: an equation for each of the results.
void Flattening::gatherResults(const Equation& e, const Scope& scope,
                               std::vector<FlatEquation>& out) {
  evaluation_.severalResults(*e.right, scope);
  for (size_t i = 0; i < e.left->arguments.size(); ++i) {
    const Expression& variable = e.left->arguments[i];
    if (variable.kind == ExpressionKind::nothing) continue;
    if (variable.kind != ExpressionKind::name)
      throw Refusal{scope.mark(variable.at), "the results of a function are for variables"};
    Equation& one = separated_.emplace_back();
    one.at = e.at;
    one.left = variable;
    one.right = e.right;
    one.right->number = static_cast<double>(i);
    if (isGiven(variable, *one.right, scope)) continue;
    if (!gatherElements(one, scope, out)) out.push_back({&one, scope, {}, {}});
  }
}

/// What happens in `when` sets variables and states, or ends the run.
void Flattening::gatherWhen(const Equation& e, const Scope& scope) {
  FlatEquation all{&e, scope, {}, {}};
  for (const Equation::Branch& b : e.branches) {
    FlatEquation::Branch branch{&*b.condition, {}};
    gather(b.equations, scope, branch.equations, true);
    all.inWhen.push_back(std::move(branch));
  }
  // It reads variables: it is written with the equations.
  equations_.push_back(std::move(all));
}

void Flattening::gatherCall(const Equation& e, const Scope& scope, bool isInitial) {
  const std::string name = calledName(*e.left);
  if (isPrinting(name)) return warnOfPrinting(scope.mark(e.at));
  if (isInitial && name == "assert" && !e.left->arguments.empty() && !warns(e) &&
      !evaluation_.known(e.left->arguments[0], scope)) {
    // Of variables: at the start alone. A warning is a result, of the start as well.
    Expression isStart = made(ExpressionKind::call, e.at);
    isStart.name.push_back({"initial", {}});
    Equation& atStart = separated_.emplace_back();
    atStart.kind = EquationKind::when;
    atStart.at = e.at;
    atStart.branches.push_back({std::move(isStart), {e}});
    return gatherWhen(atStart, scope);
  }
  // What a function asserts of variables there is refused.
  if (isInitial && name != "assert") evaluation_.carryOut(*e.left, scope);
  equations_.push_back({&e, scope, {}, {}});
}

void Flattening::warnOfPrinting(const SourceMark& at) {
  diagnostics_.warning(at, "'print' has no influence on the run, and is left out");
}

std::string Flattening::connectorPath(const Expression& e, const Scope& scope, bool& isRemoved) {
  const Target t = evaluation_.resolve(e, scope);
  if (t.kind == Target::Kind::value)
    throw Refusal{scope.mark(e.at), "'connect' is between connectors, found a value"};
  const Component& c = *t.component;
  isRemoved = isRemoved || c.isRemoved;
  if (c.isRemoved) return "";
  switch (c.type.kind) {
    case TypeKind::none:
      isRemoved = true;  // has been reported
      return "";
    case TypeKind::catalogue: {
      if (t.tail.empty()) {
        throw Refusal{scope.mark(e.at),
                      "'connect' is between connectors, found component '" + c.path + "'"};
      }
      const std::string path = c.path + "." + t.tail;
      if (const auto missing = missingConnectors_.find(path); missing != missingConnectors_.end()) {
        diagnostics_.warning(scope.mark(e.at), "'" + path + "' is not there, as " +
                                                   missing->second +
                                                   " is false: nothing is connected with it");
        isRemoved = true;
        return "";
      }
      // What is no input of its component is an output or a connector with flow.
      const std::string whole = path.substr(0, path.find('[', c.path.size()));
      connections_.addEnd(path, inputPaths_.contains(whole));
      endPaths_.insert(path);
      return path;
    }
    case TypeKind::composite:
    case TypeKind::record:
    case TypeKind::empty:
      throw Refusal{scope.mark(e.at),
                    "'connect' is between connectors, found component '" + c.path + "'"};
    default:
      break;
  }
  if (c.type.isSimple() && !c.type.isSignal() && c.parent && c.parent->component &&
      c.parent->component->type.kind == TypeKind::bus)
    return c.path + (t.part ? evaluation_.indices(t.part->subscripts, scope) : "");
  if (c.type.isSimple() && !c.type.isSignal()) {
    throw Refusal{scope.mark(e.at),
                  "'connect' is between connectors, found variable '" + c.path + "'"};
  }
  const std::string index =
      c.type.isSimple() && t.part ? evaluation_.indices(t.part->subscripts, scope) : "";
  return c.path + index + (t.tail.empty() ? "" : "." + t.tail);
}

/// One reference an element, where arrays of components or parts of vectors are meant.
std::vector<Expression> Flattening::expanded(const Expression& e, const Scope& scope) {
  constexpr size_t most = 10'000;
  if (const auto elements = evaluation_.spread(e, scope, true)) {
    std::vector<Expression> all;
    const auto gather = [&](const auto& self, const Expression& one) -> void {
      if (one.kind == ExpressionKind::array) {
        for (const Expression& item : one.arguments) self(self, item);
        return;
      }
      for (Expression& leaf : expanded(one, scope)) all.push_back(std::move(leaf));
      if (all.size() > most) throw Refusal{scope.mark(e.at), "'connect' of too many elements"};
    };
    gather(gather, *elements);
    return all;
  }
  // All of a vector whose size its component knows: the vector as it is.
  Expression whole = e;
  for (NamePart& p : whole.name) {
    if (std::ranges::find(p.subscripts, ExpressionKind::all, &Expression::kind) ==
        p.subscripts.end())
      continue;
    if (p.subscripts.size() > 1) {
      refuseUnsupported(scope.mark(e.at), "'connect' of a part of a matrix is not supported");
    }
    p.subscripts.clear();
  }
  return {std::move(whole)};
}

void Flattening::connect(const Equation& e, const Scope& scope) {
  const std::vector<Expression> left = expanded(*e.left, scope), right = expanded(*e.right, scope);
  const SourceMark at = scope.mark(e.left->at);
  const bool isWhole = left.size() == 1 || right.size() == 1;
  if (left.size() != right.size() && !isWhole) {
    throw Refusal{at, "'connect' is between " + std::to_string(left.size()) + " and " +
                          std::to_string(right.size()) + " connectors"};
  }
  const size_t count = std::max(left.size(), right.size());
  if (left.empty() || right.empty()) return;
  for (size_t i = 0; i < count; ++i) {
    if (!connectOwn(left[left.size() == 1 ? 0 : i], right[right.size() == 1 ? 0 : i], scope))
      return;
    bool isRemoved = false;
    std::string a = connectorPath(left[left.size() == 1 ? 0 : i], scope, isRemoved);
    std::string b = connectorPath(right[right.size() == 1 ? 0 : i], scope, isRemoved);
    if (isRemoved) return;
    const std::string index = "[" + std::to_string(i + 1) + "]";
    const auto element = [&](std::string& path) {
      path += index;
      const std::string whole = path.substr(0, path.size() - index.size());
      if (inputPaths_.contains(whole)) {
        connections_.addEnd(path, true);
      } else if (endPaths_.contains(whole)) {
        connections_.addEnd(path, false);
      }
    };
    if (count > 1 && left.size() == 1) element(a);
    if (count > 1 && right.size() == 1) element(b);
    connections_.connect(a, b, scope.instance->path, at);
  }
}

/// How many `connect` statements are about a connector.
int Flattening::connectionsOf(const std::string& connector) {
  if (!counts_) {
    counts_.emplace();
    evaluation_.countBy({});  // what hangs on the count is not counted
    countConnections(folding_.model());
    evaluation_.countBy([this](const std::string& path) { return connectionsOf(path); });
  }
  return (*counts_)[connector];
}

void Flattening::countConnections(const Instance& instance) {
  for (const Scope& scope : instance.definitions) countConnections(scope.lexical->equations, scope);
  forComponents(instance, [&](const Component& c) {
    if (c.instance && c.type.kind == TypeKind::composite) countConnections(*c.instance);
  });
}

void Flattening::countConnections(const std::vector<Equation>& equations, const Scope& scope) {
  const auto count = [&](const Expression& side) {
    for (const Expression& one : expanded(side, scope)) {
      const Target t = evaluation_.resolve(one, scope);
      if (t.kind == Target::Kind::component)
        ++(*counts_)[t.component->path + (t.tail.empty() ? "" : "." + t.tail)];
    }
  };
  for (const Equation& e : equations) {
    try {
      if (e.kind == EquationKind::connect) {
        count(*e.left);
        count(*e.right);
      } else if (e.kind == EquationKind::loop) {
        evaluation_.forEach(e.indices, scope, [&](const Scope& inner) {
          countConnections(e.branches[0].equations, inner);
        });
      } else if (e.kind == EquationKind::conditional && hasStructure(e.branches[0].equations)) {
        for (const Equation::Branch& b : e.branches) {
          if (b.condition && evaluation_.structural(*b.condition, scope).number == 0) continue;
          countConnections(b.equations, scope);
          break;
        }
      }
    } catch (const Refusal&) {
      continue;  // said where it is connected
    }
  }
}

/// Connectors of the files have equations, alone or in others, of which Connections has the rest; false if one
/// of the two is not there.
bool Flattening::connectOwn(const Expression& a, const Expression& b, const Scope& scope) {
  const SourceMark at = scope.mark(a.at);
  const auto find = [&](const Expression& e) {
    const Target t = evaluation_.resolve(e, scope);
    return t.kind == Target::Kind::component && t.tail.empty() ? t.component : nullptr;
  };
  const Component *x = find(a), *y = find(b);
  if ((x && x->isRemoved) || (y && y->isRemoved)) return false;
  const auto isOwn = [](const Component* c) { return c && c->type.kind == TypeKind::connector; };
  const auto isOfThem = [](const Component* c) {
    return c && c->type.kind == TypeKind::bus && c->instance;
  };
  const bool areOfThem = isOfThem(x) && isOfThem(y);
  if (!areOfThem && !isOwn(x) && !isOwn(y)) return true;
  if (!areOfThem && (!isOwn(x) || !isOwn(y))) {
    throw Refusal{at, "'connect' is between connectors of the same kind, found '" +
                          (isOwn(x) ? x : y)->path + "' of class '" +
                          (isOwn(x) ? x : y)->type.definition->name + "' and another one"};
  }
  // A connector of the class itself, whole or a part of it.
  const auto isOutside = [&](const Expression& e) {
    const Component* first = scope.instance->find(e.name[0].name);
    return first && !first->inner && first->type.kind != TypeKind::composite;
  };
  ownConnectors_.connect(*x, isOutside(a), *y, isOutside(b), at);
  return true;
}

/// Variables on the left alone, which may drive signals.
void Flattening::markDefined(const std::vector<FlatEquation>& equations) {
  forSimple(equations, [&](const FlatEquation& e) {
    if (e.equation->kind != EquationKind::equal) return;
    for (const Expression* side : {&*e.equation->left, &*e.equation->right}) {
      const Component* c = translation_.variableIn(*side, e.scope);
      if (!c || defined_.contains(c)) continue;
      // An input has its value from outside: by a connection, or an equation there; a protected one,
      // which nothing outside sees, from inside.
      if (c->isInput() && c->parent == e.scope.instance && !c->element->isProtected) continue;
      defined_.insert(c);
      connections_.addVariable(c->path, c->isInput() || c->isOutput());
      break;
    }
  });
}

/// What stands on the left alone, there its equation gives it.
void Flattening::markLeft(const Equation& e, const Scope& scope) {
  if (e.kind != EquationKind::equal) return;
  if (const Component* c = translation_.variableIn(*e.left, scope)) left_.insert(c);
}

/// Outputs that the equations of their class speak of, and nothing inside gives: unknowns of them.
void Flattening::markOutputs(const Equation& e, const Scope& scope) {
  if (e.left) markOutputs(*e.left, scope);
  if (e.right) markOutputs(*e.right, scope);
}

void Flattening::markOutputs(const Expression& e, const Scope& scope) {
  for (const Expression& a : e.arguments) markOutputs(a, scope);
  const bool isName = e.kind == ExpressionKind::name && !e.isGlobal;
  const Component* c = isName ? scope.component(e.name[0].name) : nullptr;
  const bool isOutput =
      c && c->type.isSimple() && !c->isRemoved && !c->isParameter() && c->isOutput();
  if (!isOutput || e.name.size() > 1 || c->value() || defined_.contains(c) || isDrivenInside(*c))
    return;
  defined_.insert(c);
  connections_.addVariable(c->path, true);
}

/// A connection inside its class gives the output, or an element of it.
bool Flattening::isDrivenInside(const Component& output) const {
  std::vector<std::string> paths{output.path};
  for (int i = 1; output.sizes.size() == 1 && i <= output.sizes[0]; ++i)
    paths.push_back(output.path + "[" + std::to_string(i) + "]");
  return std::ranges::any_of(paths, [&](const std::string& path) {
    return std::ranges::any_of(connections_.connectedInside(path), [&](const std::string& other) {
      const size_t name = other.rfind('.') == std::string::npos ? 0 : other.rfind('.');
      return !inputPaths_.contains(other.substr(0, other.find('[', name)));
    });
  });
}

/// The rate of an unknown of the model stands in it: that makes the unknown a state, and an equation
/// of what is equal to the rate.
bool Flattening::readsRate(const Expression& e, const Scope& scope) {
  return anyIn(e, [&](const Expression& one) {
    const Expression* of = rateArgument(one);
    const Component* x = of ? translation_.variableIn(*of, scope) : nullptr;
    return x && !x->value();
  });
}

/// A value is as large as its variable; of a list at least as long. False where more is not known.
bool Flattening::requireSize(const Component& c, const Tree& value, const SourceMark& at) {
  if (c.type.kind == TypeKind::orientation) return true;
  bool isKnown = true;
  const auto elements = translation_.elements(value, isKnown);
  if (elements && elements->sizes == c.sizes) return true;
  isKnown = isKnown && elements;
  const std::vector<int> list{static_cast<int>(value->arguments.size())};
  const bool isAsLong = !c.sizes.empty() && c.sizes[0] == list[0];
  if (!isKnown && (value->kind != NodeKind::array || isAsLong)) return false;
  const std::vector<int>& found = isKnown ? elements->sizes : list;
  throw Refusal{at,
                "'" + c.name + "' is " + sizesText(c.sizes) + ", its value " + sizesText(found)};
}

std::string Flattening::kindFault(const Component& c, const Expression& value, const Scope& scope) {
  return mismatchOf(c.type.kind, kindOf(value, scope, evaluation_));
}

void Flattening::requireKind(const Component& c, const Expression& value, const Scope& scope) {
  const std::string fault = kindFault(c, value, scope);
  if (!fault.empty()) throw Refusal{scope.mark(value.at), "'" + c.name + "' is " + fault};
}

/// `variable = value`, if nothing else defines it: its value, or an equation where the file says more
/// of the variable than that.
bool Flattening::define(const Component& c, const Tree& value, const SourceMark& at,
                        bool isEquation) {
  if (isOrdered_ && !c.value()) return false;
  const auto place = variables_.find(&c);
  // A variable of another body is an unknown there, and this an equation for it here.
  if (place == variables_.end() || &folding_.bodyOf(*c.parent) != &translation_.body())
    return false;
  const bool isFitting = requireSize(c, value, at);
  ImportedModel::Entry& entry = out_->variables[place->second];
  const bool hasAttributes = std::ranges::any_of(
      entry.value.entries, [](const auto& e) { return e.key != "size" && e.key != "type"; });
  // What is not known here the equation tells by the size that stands with its variable.
  if (isEquation || hasAttributes || c.type.kind == TypeKind::integer ||
      c.type.kind == TypeKind::orientation || (!isFitting && !c.sizes.empty())) {
    addEquation(nameNode(entry.name), value, at);
  } else {
    if (c.type.kind != TypeKind::boolean)
      definitions_[out_][place->second] = {std::move(entry.value), at};
    entry.value = expressionNode(value, at);
  }
  variables_.erase(place);
  return true;
}

/// Equations that define variables in a circle hold between unknowns.
void Flattening::writeCircles() {
  for (auto& [out, all] : definitions_) {
    for (const size_t i : onCircles(*out)) {
      const auto found = all.find(i);
      if (found == all.end()) continue;
      const auto& [unknown, at] = found->second;
      ImportedModel::Entry& entry = out->variables[i];
      const std::string value = entry.value.text.substr(0, entry.value.text.find('\n'));
      out->equations.push_back({"", expressionNode(entry.name + " = " + value, at), "", at});
      entry.value = unknown;
    }
  }
}

/// The equations of connectors, and all of them in the order in which they give the variables.
void Flattening::writeOrdered() {
  for (const OwnConnectors::Equation& e : ownConnectors_.equations(folding_.model()))
    addEquation(e.left, e.right, e.at);
  std::set<std::string> known = setElements_, reset;
  for (const Component* c : discretes_) known.insert(c->path);
  const auto gatherReset = [&](const YamlNode& branch) {
    if (const YamlNode* map = branch.find("reinit")) {
      for (const auto& entry : map->entries) reset.insert(entry.key);
    }
  };
  for (const ImportedModel::Entry& w : model_.whens) {
    gatherReset(w.value);
    if (const YamlNode* more = w.value.find("elsewhen")) {
      for (const YamlNode& branch : more->items) gatherReset(branch);
    }
  }
  std::map<std::string, OrderedVariable> described;
  const auto visit = [&](const auto& self, const Instance& instance) -> void {
    forComponents(instance, [&](const Component& c) {
      if (c.instance) self(self, *c.instance);
      if (!c.type.isSimple() || c.isParameter()) return;
      OrderedVariable v{c.sizes, c.type.kind == TypeKind::real, preferenceOf(c)};
      if (reset.contains(c.path)) v.preference = 3;
      described.emplace(c.path, std::move(v));
    });
  };
  visit(visit, folding_.model());
  orderEquations(model_, described, known, diagnostics_);
}

/// What `stateSelect` says, from -2 to 2.
int Flattening::preferenceOf(const Component& c) {
  const std::optional<Value> v = evaluation_.known(c.modifier.find("stateSelect"));
  if (!v) return 0;
  static constexpr const char* words[] = {"never", "avoid", "default", "prefer", "always"};
  const auto word = std::ranges::find(words, v->text);
  return word == std::end(words) ? 0 : static_cast<int>(word - std::begin(words)) - 2;
}

/// Branches that do nothing but end the run become components that do.
void Flattening::writeWhen(const FlatEquation& e) {
  const Scope& scope = e.scope;
  const SourceMark at = scope.mark(e.equation->at);
  const auto ends = [&](const FlatEquation::Branch& b) {
    return std::ranges::all_of(b.equations, [&](const FlatEquation& inside) {
      return inside.equation->kind == EquationKind::call &&
             calledName(*inside.equation->left) == "terminate";
    });
  };
  const auto isEmpty = [](const FlatEquation::Branch& b) { return b.equations.empty(); };
  if (std::ranges::all_of(e.inWhen, isEmpty)) return;  // what does nothing but print has no event
  if (std::ranges::all_of(e.inWhen, ends)) {
    for (const FlatEquation::Branch& b : e.inWhen) {
      addPart("terminate" + std::to_string(++ends_[out_]), "Blocks.TerminateSimulation",
              {{"condition", translation_.tree(*b.condition, scope)}}, at);
    }
    return;
  }
  std::vector<YamlNode> branches =
      mapped(e.inWhen, [&](const FlatEquation::Branch& b) { return whenBranch(b, scope); });
  if (branches.size() > 1) {
    YamlNode rest = listOf({branches.begin() + 1, branches.end()}, at);
    addEntry(branches.front(), "elsewhen", std::move(rest), at);
  }
  out_->whens.push_back({"", std::move(branches.front()), "", at});
}

YamlNode Flattening::whenBranch(const FlatEquation::Branch& b, const Scope& scope) {
  const SourceMark at = scope.mark(b.condition->at);
  YamlNode map = emptyMap(at), set = emptyMap(at), reinit = emptyMap(at);
  addEntry(map, "condition", whenCondition(*b.condition, scope), at);
  std::optional<YamlNode> assertion;
  std::string end;
  for (const FlatEquation& e : b.equations) {
    const SourceMark here = e.scope.mark(e.equation->at);
    const std::string call =
        e.equation->kind == EquationKind::call ? calledName(*e.equation->left) : "";
    if (call == "terminate") {
      end = messageOf(argumentOf(e, 0), e.scope);
    } else if (call == "assert") {
      assertion = emptyMap(here);
      addEntry(*assertion, "condition", translation_.expression(argumentOf(e, 0), e.scope, here),
               here);
      const bool hasText = e.equation->left->arguments.size() > 1;
      const std::string text = hasText ? messageOf(argumentOf(e, 1), e.scope) : "assertion";
      addEntry(*assertion, "message", textNode(text, here), here);
    } else {
      for (const Deed& d : deedsOf(e))
        addEntry(d.isReinit ? reinit : set, d.name, expressionNode(d.value, here), here);
    }
  }
  if (!set.entries.empty()) addEntry(map, "set", std::move(set), at);
  if (!reinit.entries.empty()) addEntry(map, "reinit", std::move(reinit), at);
  if (assertion) addEntry(map, "assert", std::move(*assertion), at);
  if (!end.empty()) addEntry(map, "terminate", textNode(end, at), at);
  return map;
}

const Expression& Flattening::argumentOf(const FlatEquation& call, size_t i) {
  const Expression& e = *call.equation->left;
  if (i < e.arguments.size()) return e.arguments[i];
  throw Refusal{call.scope.mark(call.equation->at),
                "'" + calledName(e) + "' needs " + std::to_string(i + 1) + " arguments"};
}

/// Variables that an equation in `when` sets, and states that it sets anew; of `if` chosen by its conditions.
std::vector<Flattening::Deed> Flattening::deedsOf(const FlatEquation& e) {
  const Equation& equation = *e.equation;
  const SourceMark at = e.scope.mark(equation.at);
  if (equation.kind == EquationKind::equal) {
    const Tree value = translation_.tree(*equation.right, e.scope);
    const auto parts = equation.left->kind == ExpressionKind::name
                           ? evaluation_.spread(*equation.left, e.scope)
                           : std::nullopt;
    if (!parts) return {{setInWhen(*equation.left, e.scope), false, value}};
    // Part of an array: its elements, one by one.
    bool isKnown = false;
    const auto values = translation_.elements(value, isKnown);
    if (!values || values->sizes.size() != 1 || values->items.size() != parts->arguments.size()) {
      refuseUnsupported(
          at, "in 'when' a part of " + std::to_string(parts->arguments.size()) +
                  " elements must be set to a vector of as many, whose elements are known");
    }
    std::vector<Deed> deeds;
    for (size_t i = 0; i < values->items.size(); ++i)
      deeds.push_back({setInWhen(parts->arguments[i], e.scope), false, values->items[i]});
    return deeds;
  }
  if (equation.kind == EquationKind::call && calledName(*equation.left) == "reinit") {
    const auto c = coordinates_.find(translation_.variableIn(argumentOf(e, 0), e.scope));
    if (c != coordinates_.end()) {
      const Coordinate& x = c->second;
      const Tree value = translation_.tree(argumentOf(e, 1), e.scope);
      return {{translation_.nameHere(x.part), true,
               quotientOf(differenceOf(value, x.shift), x.factor)}};
    }
    return {{toString(*translation_.tree(argumentOf(e, 0), e.scope)), true,
             translation_.tree(argumentOf(e, 1), e.scope)}};
  }
  const std::string fault =
      "'if' in 'when' must have 'else', and equations of the same variables in every branch";
  if (equation.kind != EquationKind::conditional) refuseUnsupported(at, fault);
  std::vector<std::vector<Deed>> branches;
  std::vector<Deed> all;
  const auto find = [](std::vector<Deed>& deeds, const Deed& like) {
    return std::ranges::find_if(
        deeds, [&](const Deed& d) { return d.name == like.name && d.isReinit == like.isReinit; });
  };
  for (const FlatEquation::Branch& b : e.branches) {
    auto& deeds = branches.emplace_back();
    for (const FlatEquation& one : b.equations)
      std::ranges::move(deedsOf(one), std::back_inserter(deeds));
    for (const Deed& d : deeds) {
      if (find(all, d) == all.end()) all.push_back(d);
    }
  }
  if (e.branches.back().condition) branches.emplace_back();
  for (Deed& d : all) {
    Trees values;
    for (size_t i = 0; i < branches.size(); ++i) {
      const auto found = find(branches[i], d);
      // A state that is not set anew goes on.
      if (found == branches[i].end() && !d.isReinit) refuseUnsupported(at, fault);
      if (i < e.branches.size() && e.branches[i].condition)
        values.push_back(translation_.tree(*e.branches[i].condition, e.scope));
      values.push_back(found == branches[i].end() ? nameNode(d.name) : found->value);
    }
    d.value = treeOf(NodeKind::conditional, std::move(values));
  }
  return all;
}

YamlNode Flattening::whenCondition(const Expression& condition, const Scope& scope) {
  const SourceMark at = scope.mark(condition.at);
  if (condition.kind != ExpressionKind::array) return translation_.expression(condition, scope, at);
  YamlNode all = listOf({}, at);
  for (const Expression& one : condition.arguments)
    all.items.push_back(translation_.expression(one, scope, scope.mark(one.at)));
  return all;
}

/// `x = ...` in `when`: x, which keeps the value in between.
std::string Flattening::setInWhen(const Expression& left, const Scope& scope) {
  if (const std::string element = splitElement(left, scope); !element.empty()) {
    setElements_.insert(element);
    return element;
  }
  const Component* x = translation_.variableIn(left, scope);
  const auto place = x ? variables_.find(x) : variables_.end();
  if (place == variables_.end() && !(x && discretes_.contains(x))) {
    refuseUnsupported(scope.mark(left.at),
                      "in 'when' an equation must have a variable of the model on its left");
  }
  if (&folding_.bodyOf(*x->parent) != &translation_.body())
    throw NotFoldable{&folding_.bodyOf(*x->parent)};
  if (place != variables_.end()) {
    discretes_.insert(x);
    variables_.erase(place);  // no equation defines it
  }
  return translation_.nameHere(x->path);
}

/// What an assertion says when it does not hold, as far as that is known before the run.
std::string Flattening::messageOf(const Expression& text, const Scope& scope) {
  const std::optional<Value> v = evaluation_.known(text, scope);
  if (v && v->kind == Value::Kind::text) return v->text;
  if (!v && text.kind == ExpressionKind::binary)
    return messageOf(text.arguments[0], scope) + messageOf(text.arguments[1], scope);
  return "...";
}

void Flattening::writeAssertion(const FlatEquation& e) {
  const Scope& scope = e.scope;
  const std::vector<Expression>& arguments = e.equation->left->arguments;
  const SourceMark at = scope.mark(e.equation->at);
  if (arguments.empty()) throw Refusal{at, "'assert' must have a condition"};
  const Expression& condition = arguments[0];
  const std::string message = arguments.size() > 1 ? messageOf(arguments[1], scope) : "";
  const bool isWarning = warns(*e.equation);
  const std::optional<Value> v = evaluation_.known(condition, scope);
  if (v && v->kind == Value::Kind::boolean && v->number == 0) {
    const std::string text =
        "the assertion does not hold" + (message.empty() ? "" : ": " + message);
    if (!isWarning) throw Refusal{at, text};
    diagnostics_.warning(at, text);
  }
  const bool isTold = v && v->kind == Value::Kind::boolean && v->number == 0;
  if (v && (isTold || translation_.isSettled(condition, scope))) return;
  YamlNode holds = translation_.expression(condition, scope, scope.mark(condition.at));
  addAssertion(std::move(holds), message, at, isWarning);
}

/// A warning is a result that says whether it holds.
void Flattening::addAssertion(YamlNode holds, const std::string& message, const SourceMark& at,
                              bool warns) {
  if (warns) {
    out_->variables.push_back(
        {"check" + std::to_string(++checks_[out_]), std::move(holds), message, at});
    return;
  }
  YamlNode assertion = emptyMap(at);
  addEntry(assertion, "condition", std::move(holds), at);
  addEntry(assertion, "message",
           textNode(message.empty() ? "the assertion does not hold" : message, at), at);
  out_->assertions.push_back({"", std::move(assertion), "", at});
}

/// The variable of one dimension whose element an expression names; null for all others.
const Component* Flattening::elementNamed(const Expression& e, const Scope& scope, int& index) {
  const auto t = evaluation_.componentNamed(e, scope);
  if (!t || e.name.back().subscripts.size() != 1 || !t->tail.empty() ||
      !variables_.contains(t->component) || t->component->sizes.size() != 1)
    return nullptr;
  try {
    const int size = t->component->sizes[0];
    const Value i = evaluation_.subscript(t->part->subscripts[0], scope, size);
    index = i.isNumber() ? static_cast<int>(i.number) : 0;
    return index >= 1 && index <= size ? t->component : nullptr;
  } catch (const Refusal&) {
    return nullptr;  // said where it is written
  }
}

/// Variables of which an expression has derivatives.
void Flattening::findRates(const Expression& e, const Scope& scope,
                           std::set<const Component*>& rates) {
  forAll(e, [&](const Expression& one) {
    const Expression* of = rateArgument(one);
    int index = 0;
    if (const Component* c = of ? elementNamed(*of, scope, index) : nullptr) rates.insert(c);
    if (const Component* c = of ? translation_.variableIn(*of, scope) : nullptr) rates.insert(c);
  });
}

/// Vectors of which equations differentiate some elements, and of which `when` or pre() are about one: the
/// elements of these are variables by themselves.
class Flattening::SplitSearch {
 public:
  explicit SplitSearch(Flattening& flattening) : f_(flattening) {}

  void find() {
    forEvery(f_.equations_, false, [&](const FlatEquation& e, bool isInWhen) {
      f_.guarded([&] { look(*e.equation, e.scope, isInWhen); });
    });
    for (const auto& [c, indices] : rates_) {
      if (!whole_.contains(c) && std::ssize(indices) < c->sizes[0]) f_.isOrdered_ = true;
    }
    for (const Component* c : before_) {
      if (whole_.contains(c) || c->type.isSignal()) continue;
      f_.split_.insert(c);
      f_.translation_.addSplit(*c);
    }
  }

 private:
  const Component* vectorIn(const Expression& e, const Scope& scope) {
    const auto t = f_.evaluation_.componentNamed(e, scope);
    const bool isVector = t && t->tail.empty() && t->part && t->component->type.isSimple() &&
                          !t->component->isParameter() && !t->component->value() &&
                          t->component->sizes.size() == 1;
    return isVector ? t->component : nullptr;
  }

  static bool hasIndex(const Expression& e) { return !e.name.back().subscripts.empty(); }

  void look(const Equation& e, const Scope& scope, bool isInWhen) {
    for (const auto* side : {&e.left, &e.right}) {
      if (*side) read(**side, scope);
    }
    if (e.kind == EquationKind::equal) {
      const Component* left = vectorIn(*e.left, scope);
      if (left && !hasIndex(*e.left)) whole_.insert(left);
      if (left && hasIndex(*e.left) && isInWhen) before_.insert(left);
    }
  }

  void read(const Expression& e, const Scope& scope) {
    for (const Expression& a : e.arguments) read(a, scope);
    if (e.kind != ExpressionKind::call || e.arguments.size() != 1) return;
    const std::string f = calledName(e);
    const bool isRate = f == "der", isBefore = f == "pre" || f == "edge" || f == "change";
    const Expression& of = e.arguments[0];
    const Component* c = isRate || isBefore ? vectorIn(of, scope) : nullptr;
    if (!c) return;
    if (isBefore && hasIndex(of)) before_.insert(c);
    if (!isRate) return;
    const Expression* index = hasIndex(of) ? &of.name.back().subscripts[0] : nullptr;
    if (!index || index->kind == ExpressionKind::all || index->kind == ExpressionKind::range) {
      whole_.insert(c);
      return;
    }
    const Value i = f_.evaluation_.subscript(*index, scope, c->sizes[0]);
    if (i.isNumber()) rates_[c].insert(static_cast<int>(i.number));
    if (!i.isNumber()) whole_.insert(c);
  }

  Flattening& f_;
  std::map<const Component*, std::set<int>> rates_;  ///< elements with a derivative
  std::set<const Component*> whole_;                 ///< given, or differentiated, as a whole
  std::set<const Component*> before_;                ///< in `when` or pre() by elements
};

void Flattening::findSplit() { SplitSearch(*this).find(); }

/// The name of the element of a split vector that an expression names; "" for all others.
std::string Flattening::splitElement(const Expression& e, const Scope& scope) {
  if (e.kind != ExpressionKind::name || e.name.back().subscripts.size() != 1) return "";
  const Target t = evaluation_.resolve(e, scope);
  const bool isElement =
      t.kind == Target::Kind::component && t.tail.empty() && split_.contains(t.component);
  return isElement ? toString(*translation_.tree(e, scope)) : "";
}

/// Where the equations give each element of a variable by itself, one equation gives it as their list.
void Flattening::findElementwise() {
  std::set<const Component*> excluded;
  for (const FlatEquation& e : equations_) {
    if (e.equation->kind != EquationKind::equal) continue;
    findRates(*e.equation->left, e.scope, excluded);
    findRates(*e.equation->right, e.scope, excluded);
    int index = 0;
    const Component* c = elementNamed(*e.equation->left, e.scope, index);
    if (!c) continue;
    auto& all = elementwise_[c];
    all.resize(c->sizes[0]);
    const bool isHere = &folding_.bodyOf(*c->parent) == &folding_.bodyOf(*e.scope.instance);
    if (!isHere || all[index - 1]) excluded.insert(c);
    all[index - 1] = &e;
  }
  for (const auto& [c, all] : elementwise_) {
    if (excluded.contains(c) || std::ranges::find(all, nullptr) != all.end()) continue;
    for (const FlatEquation* e : all) elementOf_[e] = c;
  }
}

void Flattening::writeEquation(const FlatEquation& e) {
  const Scope& scope = e.scope;
  const Equation& equation = *e.equation;
  const SourceMark at = scope.mark(equation.at);
  if (equation.kind == EquationKind::when) return writeWhen(e);
  if (equation.kind == EquationKind::call && calledName(*equation.left) != "assert")
    return translation_.carryOut(*equation.left, scope);
  if (equation.kind == EquationKind::call) return writeAssertion(e);
  if (equation.kind == EquationKind::conditional) return writeConditional(e);
  if (dropped_.contains(&e) || !inputNamed(*equation.left, scope).empty())
    return;  // a component has it
  if (const auto whole = elementOf_.find(&e); whole != elementOf_.end()) {
    const Component& x = *whole->second;
    const std::vector<const FlatEquation*>& all = elementwise_[&x];
    if (!written_.insert(&x).second) return;  // with the first of them
    Trees list = mapped(all, [&](const FlatEquation* one) {
      return translation_.tree(*one->equation->right, one->scope);
    });
    return addEquation(nameNode(translation_.nameHere(x.path)),
                       treeOf(NodeKind::array, std::move(list)), at);
  }
  if (const auto solved = solved_.find(&e); solved != solved_.end())
    return addEquation(solved->second.first, solved->second.second, at);
  const Component* left = translation_.variableIn(*equation.left, scope);
  const Component* right = translation_.variableIn(*equation.right, scope);
  // An Integer that another equation gives is a Real here.
  if (left && !left->value()) requireKind(*left, *equation.right, scope);
  const bool isGiven = right && (right->value() || left_.contains(right));
  if (isGiven && !kindFault(*right, *equation.left, scope).empty()) right = nullptr;
  if (right) requireKind(*right, *equation.left, scope);
  const auto defines = [&](const Component* x, const Expression& value) {
    if (!x || !variables_.contains(x) || readsRate(value, scope)) return false;
    return define(*x, translation_.tree(value, scope), scope.mark(value.at));
  };
  if (defines(left, *equation.right) || defines(right, *equation.left)) return;
  const auto [a, b] = sidesOf(e);
  addEquation(a, b, at);
}

Flattening::Sides Flattening::sidesOf(const FlatEquation& e) {
  Tree right = translation_.tree(*e.equation->right, e.scope);
  return {translation_.tree(*e.equation->left, e.scope), std::move(right)};
}

void Flattening::addEquation(const Tree& left, const Tree& right, const SourceMark& at) {
  out_->equations.push_back({"", equationNode(left, right, at), "", at});
}

void Flattening::addInitial(const Tree& left, const Tree& right, const SourceMark& at) {
  out_->initialEquations.push_back({"", equationNode(left, right, at), "", at});
}

/// One equation with `if` for each that the branches have.
void Flattening::writeConditional(const FlatEquation& e) {
  for (const EquationTree& one : conditionalTrees(e)) {
    if (!one.input.empty()) continue;  // its component has it
    if (one.variable && define(*one.variable, one.value, one.at)) continue;
    if (one.variable && isOrdered_) {
      addEquation(nameNode(translation_.nameHere(one.variable->path)), one.value, one.at);
    } else {
      addEquation(numberNode(0), one.residual, one.at);
    }
  }
}

std::vector<Flattening::EquationTree> Flattening::treesOf(const FlatEquation& e) {
  const Equation& equation = *e.equation;
  if (equation.kind == EquationKind::conditional) return conditionalTrees(e);
  if (equation.kind != EquationKind::equal) {
    refuseUnsupported(e.scope.mark(equation.at),
                      "between the branches of 'if' only equations are supported");
  }
  EquationTree one;
  one.at = e.scope.mark(equation.at);
  one.variable = translation_.variableIn(*equation.left, e.scope);
  one.input = inputNamed(*equation.left, e.scope);
  one.value = translation_.tree(*equation.right, e.scope);
  if (one.input.empty())
    one.residual =
        operationNode(Operator::subtract, translation_.tree(*equation.left, e.scope), one.value);
  return {one};
}

std::vector<Flattening::EquationTree> Flattening::conditionalTrees(const FlatEquation& e) {
  const SourceMark at = e.scope.mark(e.equation->at);
  std::vector<std::vector<EquationTree>> branches;
  for (const FlatEquation::Branch& b : e.branches) {
    auto& texts = branches.emplace_back();
    for (const FlatEquation& one : b.equations) {
      for (EquationTree& t : treesOf(one)) texts.push_back(std::move(t));
    }
  }
  const size_t count = branches[0].size();
  if (e.branches.back().condition ||
      std::ranges::any_of(branches, [&](const auto& b) { return b.size() != count; })) {
    refuseUnsupported(at, "'if' must have 'else', and as many equations in every branch");
  }
  for (size_t i = 1; i < branches.size(); ++i) arrange(branches[i], branches[0]);
  std::vector<EquationTree> result;
  for (size_t k = 0; k < count; ++k) {
    EquationTree all{branches[0][k].variable, branches[0][k].input, nullptr, nullptr, at};
    Trees values, residuals;
    for (size_t i = 0; i < branches.size(); ++i) {
      const EquationTree& one = branches[i][k];
      if (one.variable != all.variable) all.variable = nullptr;
      if (one.input != all.input) throw Refusal{one.at, "'if' must give an input in every branch"};
      if (const Expression* c = e.branches[i].condition) {
        values.push_back(translation_.tree(*c, e.scope));
        residuals.push_back(values.back());
      }
      values.push_back(one.value);
      residuals.push_back(one.residual);
    }
    all.value = treeOf(NodeKind::conditional, std::move(values));
    if (all.input.empty()) all.residual = treeOf(NodeKind::conditional, std::move(residuals));
    result.push_back(std::move(all));
  }
  return result;
}

/// Equations of the same variable or input belong together, the others by their order.
void Flattening::arrange(std::vector<EquationTree>& texts, const std::vector<EquationTree>& like) {
  std::vector<EquationTree> result(like.size());
  std::vector<bool> isTaken(texts.size(), false), isSet(like.size(), false);
  const auto take = [&](size_t k, size_t i) {
    result[k] = std::move(texts[i]);
    isTaken[i] = isSet[k] = true;
  };
  for (size_t k = 0; k < like.size(); ++k) {
    for (size_t i = 0; i < texts.size() && !isSet[k]; ++i) {
      const bool isNamed = like[k].variable || !like[k].input.empty();
      const bool isSame = texts[i].variable == like[k].variable && texts[i].input == like[k].input;
      if (isNamed && isSame && !isTaken[i]) take(k, i);
    }
  }
  for (size_t k = 0, i = 0; k < like.size(); ++k) {
    while (!isSet[k] && isTaken[i]) ++i;
    if (!isSet[k]) take(k, i);
  }
  texts = std::move(result);
}

// Signal inputs -----------------------------------------------------------------------------------

/// The full name of the component's signal input that an expression names; "" for all others.
std::string Flattening::inputNamed(const Expression& e, const Scope& scope) {
  const auto t = evaluation_.componentNamed(e, scope);
  if (!t || t->component->isRemoved || t->component->type.kind != TypeKind::catalogue ||
      t->tail.empty())
    return "";
  const std::string path = t->component->path + "." + t->tail;
  return inputPaths_.contains(path.substr(0, path.find('[', t->component->path.size()))) ? path
                                                                                         : "";
}

/// `hold.u = 2*x` says what the component is given for its input.
void Flattening::findGivenInputs() {
  for (const FlatEquation& whole : equations_) {
    forSimple({&whole, 1}, [&](const FlatEquation& e) {
      const Equation& equation = *e.equation;
      if (equation.kind != EquationKind::equal || inputNamed(*equation.left, e.scope).empty())
        return;
      auto& all = givenInputs_[evaluation_.resolve(*equation.left, e.scope).component->path];
      if (all.empty() || all.back() != &whole) all.push_back(&whole);
    });
  }
}

void Flattening::addGivenInputs(const Component& c, YamlNode& arguments) {
  const auto given = givenInputs_.find(c.path);
  if (given == givenInputs_.end()) return;
  std::map<std::string, YamlNode> vectors;
  for (const FlatEquation* e : given->second) {
    for (const EquationTree& t : treesOf(*e)) {
      if (!t.input.starts_with(c.path + ".")) continue;
      const std::string name = t.input.substr(c.path.size() + 1);
      const size_t open = name.find('[');
      const std::string whole = name.substr(0, open);
      YamlNode value = expressionNode(t.value, t.at);
      if (arguments.findEntry(whole)) throw Refusal{t.at, "input '" + t.input + "' is given twice"};
      if (open == std::string::npos) {
        addEntry(arguments, name, std::move(value), t.at);
        continue;
      }
      // Elements, from the first to the last.
      YamlNode& list = vectors.try_emplace(whole, listOf({}, t.at)).first->second;
      if (name != whole + "[" + std::to_string(list.items.size() + 1) + "]") {
        refuseUnsupported(t.at, "the elements of input '" + c.path + "." + whole +
                                    "' must be given one after the other, from the first");
      }
      list.items.push_back(std::move(value));
    }
  }
  for (auto& [name, list] : vectors) addEntry(arguments, name, std::move(list), c.mark());
}

void Flattening::writeInitial(const FlatEquation& e) {
  const SourceMark at = e.scope.mark(e.equation->at);
  if (e.equation->kind == EquationKind::conditional) {
    for (const EquationTree& one : conditionalTrees(e)) {
      if (!one.input.empty())
        refuseUnsupported(at, "an initial equation cannot give the input of a component");
      addInitial(numberNode(0), one.residual, at);
    }
    return;
  }
  if (e.equation->kind != EquationKind::equal) {
    refuseUnsupported(at, "this kind of initial equation is not supported");
  }
  const auto [left, right] = sidesOf(e);
  addInitial(left, right, at);
}

}  // namespace cardan::modelica
