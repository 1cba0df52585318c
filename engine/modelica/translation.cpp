#include "engine/modelica/translation.h"

#include <algorithm>
#include <cmath>

#include "components/names.h"
#include "engine/expression/functions.h"
#include "engine/modelica/formula.h"
#include "engine/modelica/named_arguments.h"
#include "engine/text/imported_model.h"
#include "engine/text/mapped.h"
#include "engine/text/meanwhile.h"
#include "engine/text/words.h"

namespace cardan::modelica {
namespace {

constexpr int kDeepestTranslation = 500;
constexpr size_t kLongestOfParameters = 2'000;

/// Variables of connectors that are the same for all that are united.
bool isPotential(const std::string& tail) {
  return isOneOf(tail.substr(0, tail.find_first_of(".[")), {"r_0", "R", "phi", "s", "v", "T"});
}

/// True of arithmetic of numbers.
bool isOfNumbers(const ExpressionNode& e) {
  const bool isWord =
      (e.kind == NodeKind::unary || e.kind == NodeKind::binary) && formOf(e.op).rank < kComparison;
  for (const NodeKind k : {NodeKind::boolean, NodeKind::string, NodeKind::constant, NodeKind::time,
                           NodeKind::name, NodeKind::conditional}) {
    if (e.kind == k) return false;
  }
  return !isWord && std::ranges::all_of(e.arguments, [](const auto& a) { return isOfNumbers(*a); });
}

bool hasList(const ExpressionNode& e) {
  return e.kind == NodeKind::array ||
         (e.kind != NodeKind::matrix &&
          std::ranges::any_of(e.arguments, [](const auto& a) { return hasList(*a); }));
}

Tree limited(Tree tree, const SourceMark& at) {
  if (isTooLong(*tree)) throw Refusal{at, "the expression is too long with all parameters put in"};
  return tree;
}

YamlNode quotedNode(const std::string& text, const SourceMark& at) {
  YamlNode n = textNode(text, at);
  n.quoted = true;
  return n;
}

}  // namespace

bool Translation::isWritten(const Component& c) const {
  const bool isNumber = c.type.kind == TypeKind::real || c.type.kind == TypeKind::integer ||
                        c.type.kind == TypeKind::boolean;
  const bool isOfModel = c.parent && c.parent == &folding_.model();
  const bool isOfSubmodel =
      c.parent && folding_.isFolded(*c.parent) && c.variability == Variability::parameter;
  // `constant Real pi = Modelica.Constants.pi`: the name is one of the language of expressions.
  double value = 0;
  const bool isConstantThere =
      c.variability == Variability::constant && findConstant(c.path, value);
  return (isOfModel || isOfSubmodel) && isNumber && c.isParameter() && c.value() &&
         !isConstantThere && !evaluation_.isStructural(c) && c.sizes.size() <= 2 && !c.isEmpty();
}

bool Translation::isFree(const Component& c) {
  const Component* of = c.parent ? c.parent->component : nullptr;
  return c.parent && (!of || of->type.kind == TypeKind::composite) && c.isParameter() &&
         !c.value() && c.sizes.empty() && c.type.kind == TypeKind::real && c.modifier.find("fixed");
}

Tree Translation::signal(const std::string& source) const {
  Tree name = nameNode(nameHere(source));
  if (!booleanInputs_.contains(source)) return name;
  return operationNode(Operator::greater, std::move(name), numberNode(0.5));
}

Tree Translation::tree(const Component& connector, const std::string& variable) {
  Expression e;
  e.at = connector.element->at;
  return component(connector, nullptr, variable, e, connector.scope);
}

Tree Translation::tree(const Binding& b) {
  if (b.picks.empty()) return tree(*b.expression, b.scope);
  const Expression* e = b.expression;
  std::optional<Expression> elements;
  if (e->kind == ExpressionKind::name) elements = evaluation_.spread(*e, b.scope);
  if (elements) e = &*elements;
  size_t picked = 0;
  while (picked < b.picks.size() && e->kind == ExpressionKind::array) {
    const size_t i = b.picks[picked];
    if (i > e->arguments.size()) break;
    e = &e->arguments[i - 1];
    ++picked;
  }
  if (picked == b.picks.size()) return tree(*e, b.scope);
  try {
    return treeOf(evaluation_.structural(b));
  } catch (const Refusal&) {
    if (b.expression->kind != ExpressionKind::name) throw;
  }
  return elementNode(tree(*b.expression, b.scope), b.picks);
}

/// A name with its indices.
Tree Translation::indexed(const std::string& name, const std::vector<Expression>& subscripts,
                          const Scope& scope, const Component& of) {
  if (subscripts.empty()) return nameNode(name);
  if (subscripts.size() > of.sizes.size())
    throw Refusal{scope.mark(subscripts[0].at),
                  "'" + of.path + "' has " + std::to_string(of.sizes.size()) +
                      " dimensions, found " + std::to_string(subscripts.size()) + " indices"};
  std::vector<int> indices;
  for (size_t d = 0; d < subscripts.size(); ++d) {
    const Expression& e = subscripts[d];
    if (e.kind == ExpressionKind::all) {
      indices.push_back(0);
      continue;
    }
    const Value v = evaluation_.subscript(e, scope, of.sizes[d]);
    if (!v.isNumber() || v.number < 1 || v.number > of.sizes[d] ||
        v.number != std::floor(v.number)) {
      throw Refusal{scope.mark(e.at), "index " + v.describe() + " of '" + of.path +
                                          "' is not a whole number from 1 to " +
                                          std::to_string(of.sizes[d])};
    }
    indices.push_back(static_cast<int>(v.number));
  }
  return elementNode(nameNode(name), indices);
}

/// Known by indices of loops, constants and parameters that the model file does not have: a branch
/// that it rules out is not looked at, an index in it may be out of range.
bool Translation::isSettled(const Expression& e, const Scope& scope) {
  const auto settled = [&](const auto& self, const Expression& part, const Scope& where,
                           int depth) -> bool {
    if (part.kind == ExpressionKind::name) {
      const Target t = evaluation_.resolve(part, where);
      if (t.kind == Target::Kind::value) return t.word != "time" && !t.value.isFormula();
      const Component& c = *t.component;
      if (!t.tail.empty() || !c.isParameter() || isWritten(c) || isFree(c) || depth > 20)
        return false;
      return evaluation_.isStructural(c) || c.isOfWhole() || !c.value() ||
             self(self, *c.value()->expression, c.value()->scope, depth + 1);
    }
    return std::ranges::all_of(part.arguments,
                               [&](const Expression& a) { return self(self, a, where, depth); });
  };
  try {
    return settled(settled, e, scope, 0) && evaluation_.known(e, scope).has_value();
  } catch (const Refusal&) {
    return false;
  }
}

/// A text or the literal of an enumeration, which expressions of a model file do not have.
bool Translation::isWord(const Expression& e, const Scope& scope) {
  const std::optional<Value> v = evaluation_.known(e, scope);
  return v && (v->kind == Value::Kind::text || v->kind == Value::Kind::enumeration);
}

Trees Translation::listed(const std::vector<Expression>& items, const Scope& scope) {
  return mapped(items, [&](const Expression& item) { return tree(item, scope); });
}

Tree Translation::tree(const Expression& e, const Scope& scope) {
  const Meanwhile deeper(depth_, depth_ + 1);
  if (depth_ > kDeepestTranslation)
    throw Refusal{scope.mark(e.at), "the expression depends on too many others"};
  const auto operand = [&](size_t i) {
    return limited(tree(e.arguments[i], scope), scope.mark(e.arguments[i].at));
  };
  switch (e.kind) {
    case ExpressionKind::number:
      return treeOf(NodeKind::number, {}, e.text, e.number);
    case ExpressionKind::string:
      return treeOf(NodeKind::string, {}, e.text);
    case ExpressionKind::boolean:
      return truthNode(e.number != 0);
    case ExpressionKind::name:
      return name(e, scope);
    case ExpressionKind::call:
      return call(e, scope);
    case ExpressionKind::unary:
      return e.op == Operator::plus ? operand(0) : operationNode(e.op, operand(0));
    case ExpressionKind::binary: {
      const bool isComparison = e.op == Operator::equal || e.op == Operator::notEqual;
      if (isComparison && isWord(e.arguments[0], scope) && isWord(e.arguments[1], scope))
        return treeOf(evaluation_.structural(e, scope));
      Tree left = operand(0);
      bool isKnown = true;
      const auto base = e.op == Operator::power ? elements(left, isKnown) : std::nullopt;
      if (!base || base->sizes.size() != 2) return operationNode(e.op, std::move(left), operand(1));
      return treeOf(NodeKind::matrix, treesOf(evaluation_.formula(e, scope, caller()).items));
    }
    case ExpressionKind::conditional:
      return conditional(e, scope);
    case ExpressionKind::array:
      return treeOf(NodeKind::array, listed(e.arguments, scope));
    case ExpressionKind::matrix:
      return matrix(e, scope);
    case ExpressionKind::element:
      return evaluation_.element(operand(0), e, scope);
    case ExpressionKind::comprehension:
      return comprehension(e, scope);
    default:
      return treeOf(evaluation_.structural(e, scope));
  }
}

/// Branches that are ruled out are left out. What one of them is the first to ask for holds only where that is
/// chosen; what has been asked for before holds as it did there.
Tree Translation::conditional(const Expression& e, const Scope& scope) {
  Trees all;
  Tree others;  // one of the conditions before
  const auto branch = [&](const Expression& of, const Tree& condition) {
    const size_t before = requirements_.size();
    Tree result = tree(of, scope);
    for (size_t k = before; k < requirements_.size(); ++k) {
      Tree& holds = requirements_[k].holds;
      if (condition)
        holds = operationNode(Operator::logicalOr, operationNode(Operator::logicalNot, condition),
                              holds);
      if (others) holds = operationNode(Operator::logicalOr, others, holds);
    }
    return result;
  };
  size_t i = 0;
  for (; i + 1 < e.arguments.size(); i += 2) {
    const Expression& c = e.arguments[i];
    Tree condition = isSettled(c, scope) ? treeOf(evaluation_.value(c, scope)) : tree(c, scope);
    const bool isKnown = condition->kind == NodeKind::boolean;
    if (isKnown && condition->number == 0) continue;
    if (isKnown) {
      ++i;
      break;
    }
    all.push_back(condition);
    all.push_back(branch(e.arguments[i + 1], condition));
    others = others ? operationNode(Operator::logicalOr, others, condition) : condition;
  }
  Tree otherwise = branch(e.arguments[i], nullptr);
  if (all.empty()) return otherwise;
  all.push_back(std::move(otherwise));
  return treeOf(NodeKind::conditional, std::move(all));
}

/// "[a, b; c, d]", of scalars or of arrays side by side.
Tree Translation::matrix(const Expression& e, const Scope& scope) {
  Trees rows;
  for (const Expression& row : e.arguments) {
    Trees cells = listed(row.arguments, scope);
    for (const Tree& cell : cells) {
      bool isKnown = true;
      const auto part = elements(cell, isKnown);
      if (part && !part->sizes.empty())
        return treeOf(NodeKind::matrix, treesOf(evaluation_.formula(e, scope, caller()).items));
    }
    rows.push_back(treeOf(NodeKind::array, std::move(cells)));
  }
  return treeOf(NodeKind::matrix, std::move(rows));
}

/// Of what a name of the body stands for; nothing where that is not known.
std::optional<std::vector<int>> Translation::sizesOf(const std::string& name) {
  const auto gather = [&](const auto& self, const Instance& instance) -> void {
    forComponents(instance, [&](const Component& c) {
      if (c.instance) self(self, *c.instance);
      if (c.type.isSimple() && c.type.kind != TypeKind::orientation) sizes_[c.path] = c.sizes;
    });
  };
  if (sizes_.empty()) gather(gather, folding_.model());
  const std::string path = body_->path.empty() ? name : body_->path + "." + name;
  const auto whole = sizes_.find(path);
  if (whole != sizes_.end())
    return whole->second.size() > 2 ? std::nullopt : std::optional(whole->second);
  return path.ends_with(']') ? std::optional<std::vector<int>>(std::in_place) : sizesInSpace(path);
}

std::optional<ScalarElements> Translation::elements(const Tree& e, bool& isKnown) {
  isKnown = true;
  return elementsOf(e, [&](const std::string& name) {
    const auto sizes = sizesOf(name);
    isKnown = isKnown && sizes;
    return sizes.value_or(std::vector<int>());
  });
}

Tree Translation::comprehension(const Expression& e, const Scope& scope) {
  Trees all;
  evaluation_.forEach(e.indices, scope,
                      [&](const Scope& inner) { all.push_back(tree(e.arguments[0], inner)); });
  if (const auto none = ofNothing(e.text); none && all.empty()) return numberNode(*none);
  Tree array = treeOf(NodeKind::array, std::move(all));
  if (e.text.empty()) return array;
  Tree call = callNode(e.text, {std::move(array)});
  if (const std::string fault = faultOfCall(*call); !fault.empty())
    throw Refusal{scope.mark(e.at), fault};
  return call;
}

Tree Translation::name(const Expression& e, const Scope& scope) {
  // By an index that changes it is one of the elements.
  const auto& subscripts = e.name.back().subscripts;
  const Scope inside = subscripts.empty() ? scope : scope.with("end", Value::real(1));
  const auto changes = [&](const Expression& index) {
    return index.kind != ExpressionKind::all && !evaluation_.known(index, inside);
  };
  if (std::ranges::any_of(subscripts, changes))
    return treeOf(evaluation_.formula(e, scope, caller()));
  if (const auto elements = evaluation_.spread(e, scope)) return tree(*elements, scope);
  const Target t = evaluation_.resolve(e, scope);
  if (t.kind == Target::Kind::value) {
    return t.word.empty() ? treeOf(placesOf(t.value)) : wordNode(t.word);
  }
  return component(*t.component, t.part, t.tail, e, scope);
}

Tree Translation::component(const Component& c, const NamePart* part, const std::string& tail,
                            const Expression& e, const Scope& scope) {
  const SourceMark at = scope.mark(e.at);
  if (c.isRemoved) {
    throw Refusal{at, "'" + c.path + "' is not there: its condition is false"};
  }
  const std::string dotTail = tail.empty() ? "" : "." + tail;
  switch (c.type.kind) {
    case TypeKind::none:
      throw Refusal{{}, ""};  // reported where it is declared
    case TypeKind::catalogue:
      if (tail.empty()) throw Refusal{at, "'" + c.path + "' is a component, and no value"};
      return ofCatalogue(c, tail, e, scope);
    case TypeKind::physical: {
      if (tail.empty()) throw Refusal{at, "'" + c.path + "' is a connector, and no value"};
      const std::string end =
          connections_.endOf(c.path, body_->path.empty() ? "" : body_->path + ".");
      if (end.empty()) throw Refusal{at, "connector '" + c.path + "' is connected to nothing"};
      if (!isPotential(tail)) return flow(c, dotTail, at);
      return nameNode(nameHere(end) + dotTail);
    }
    case TypeKind::bus: {
      const std::string source = connections_.sourceOf(c.path + dotTail);
      if (source.empty())
        throw Refusal{at, "'" + c.path + dotTail + "' on the bus is connected to no output"};
      return nameNode(nameHere(source));
    }
    case TypeKind::record:
    case TypeKind::composite:
    case TypeKind::empty:
      if (c.type.kind == TypeKind::record) return treeOf(evaluation_.structural(e, scope));
      throw Refusal{at, "'" + c.path + "' is a component, and no value"};
    default:
      break;
  }
  if (c.isParameter()) return parameter(c, part, e, scope);
  return variable(c, part, dotTail, scope, at);
}

/// A parameter or variable inside a component of the catalogue.
Tree Translation::ofCatalogue(const Component& c, const std::string& tail, const Expression& e,
                              const Scope& scope) {
  const std::string whole = tail.substr(0, tail.find('['));
  const std::string formula = derivedParameter(c.type.catalogueType, whole);
  if (!formula.empty() && !c.modifier.inside(whole)) {
    // The whole's own parameter under the name that a part of it has for it.
    if (tail.find('.') != std::string::npos)
      return component(c, nullptr, formula + tail.substr(whole.size()), e, scope);
    if (isValue_) return treeOf(evaluation_.structural(e, scope));
  }
  // There is one World for all.
  const bool isWorld = c.type.catalogueType == "World";
  return nameNode((isWorld ? c.path : nameHere(c.path)) + "." + tail);
}

Tree Translation::variable(const Component& c, const NamePart* part, const std::string& dotTail,
                           const Scope& scope, const SourceMark& at) {
  if (const Tree R = aliasOf(c)) return nameNode(R->text + dotTail);
  const std::vector<Expression> none;
  const Tree own = indexed("", part ? part->subscripts : none, scope, c);
  const std::string index = toString(*own);
  if (c.type.isSignal() || c.element->isInput || c.element->isOutput) {
    const std::string source = connections_.sourceOf(c.path + index);
    if (!source.empty()) return signal(source);
    // A vector whose elements come from here and there.
    Trees elements;
    for (int i = 1; index.empty() && c.sizes.size() == 1 && i <= c.sizes[0]; ++i) {
      const std::string one = connections_.sourceOf(c.path + "[" + std::to_string(i) + "]");
      if (one.empty()) {
        elements.clear();
        break;
      }
      elements.push_back(signal(one));
    }
    if (!elements.empty()) return treeOf(NodeKind::array, std::move(elements));
    if (c.isInput()) {
      if (c.value()) return tree(*c.value());
      throw Refusal{at, "input '" + c.path + index + "' is connected to no output"};
    }
  }
  if (c.isEmpty()) {
    const bool isMatrix = c.sizes.size() == 2 && index.empty();
    return isMatrix ? callNode("zeros", {numberNode(c.sizes[0]), numberNode(c.sizes[1])})
                    : treeOf(NodeKind::array, {});
  }
  if (split_.contains(&c) && (index.empty() || index == "[:]")) {
    Trees elements;
    for (int i = 1; i <= c.sizes[0]; ++i)
      elements.push_back(elementNode(nameNode(nameHere(c.path)), {i}));
    return treeOf(NodeKind::array, std::move(elements));
  }
  if (own->kind == NodeKind::index) return indexed(nameHere(c.path), part->subscripts, scope, c);
  return nameNode(nameHere(c.path) + index + dotTail);
}

Tree Translation::aliasOf(const Component& c) {
  if (c.type.kind != TypeKind::orientation || !c.value()) return nullptr;
  Tree R = tree(*c.value());
  return R->kind == NodeKind::name ? R : nullptr;
}

/// What flows into a connector of a composite: into all that its inside connects with it.
Tree Translation::flow(const Component& connector, const std::string& tail, const SourceMark& at) {
  if (driven_.contains(connector.path)) return nameNode(nameHere(connector.path) + tail);
  const std::vector<std::string> ends = connections_.innerEnds(connector.path);
  if (ends.empty()) {
    refuseUnsupported(
        at, "'" + connector.path + tail +
                "' is what flows through a connector that its model connects with no component");
  }
  Tree sum;
  for (const std::string& end : ends) {
    Tree one = nameNode(nameHere(end) + tail);
    sum = sum ? operationNode(Operator::add, std::move(sum), std::move(one)) : std::move(one);
  }
  return sum;
}

/// What the value of a record of parameters says of one of its fields; nothing where it says none by itself.
std::optional<Tree> Translation::fieldOfWhole(const Component& field) {
  std::vector<const Component*> way{&field};
  while (!way.back()->parent->component->value()) way.push_back(way.back()->parent->component);
  const Binding& whole = *way.back()->parent->component->value();
  if (!whole.picks.empty()) return std::nullopt;
  try {
    std::optional<Expression> e = *whole.expression;
    for (auto c = way.rbegin(); e && c != way.rend(); ++c)
      e = evaluation_.fieldOf(*e, whole.scope, *(*c)->parent, (*c)->name);
    if (e) return tree(*e, whole.scope);
  } catch (const Refusal&) {
    return std::nullopt;  // a value of it is
  }
  return std::nullopt;
}

Tree Translation::parameter(const Component& c, const NamePart* part, const Expression& e,
                            const Scope& scope) {
  const std::vector<Expression> none;
  const std::vector<Expression>& indices = part ? part->subscripts : none;
  if (isFree(c)) return nameNode(nameHere(c.path));
  if (isWritten(c)) return indexed(nameHere(c.path), indices, scope, c);
  if (std::ranges::find(underway_, &c) != underway_.end())
    throw Refusal{c.mark(), "parameter '" + c.path + "' depends on itself"};
  if (c.isOfWhole() && indices.empty() && !evaluation_.isStructural(c)) {
    if (auto field = fieldOfWhole(c)) return *std::move(field);
  }
  if (!c.value() || c.isOfWhole() || !indices.empty() || evaluation_.isStructural(c) ||
      (c.modifier.isEach && !c.sizes.empty()))
    return treeOf(evaluation_.structural(e, scope));
  auto underway = underway_;
  underway.push_back(&c);
  const Meanwhile deeper(underway_, std::move(underway));
  return limited(tree(*c.value()), scope.mark(e.at));
}

Tree Translation::delay(const Expression& e, const Scope& scope) {
  const SourceMark at = scope.mark(e.at);
  if (e.arguments.size() < 2)
    throw Refusal{at, "'delay' has 2 or 3 arguments, found " + std::to_string(e.arguments.size())};
  Delay one{body_, "", tree(e.arguments[0], scope), tree(e.arguments[1], scope), nullptr, at};
  if (!evaluation_.known(e.arguments[1], scope)) {
    if (e.arguments.size() < 3)
      throw Refusal{at, "'delay' by a time that varies must say the longest one"};
    one.longest = tree(e.arguments[2], scope);
  }
  const auto known = std::ranges::find_if(delays_, [&](const Delay& d) {
    return d.body == one.body && saysTheSame(*d.input, *one.input) &&
           saysTheSame(*d.time, *one.time) && !d.longest == !one.longest &&
           (!d.longest || saysTheSame(*d.longest, *one.longest));
  });
  if (known != delays_.end()) return nameNode(known->name + ".y");
  size_t n = delays_.size();
  do {
    one.name = "delay" + std::to_string(++n);
  } while (body_->find(one.name));
  delays_.push_back(one);
  return nameNode(one.name + ".y");
}

/// `world.gravityAcceleration(r)`; nothing for other calls.
std::optional<Tree> Translation::gravity(const Expression& e, const Scope& scope) {
  if (e.name.size() < 2 || e.name.back().name != "gravityAcceleration" || e.arguments.size() != 1)
    return std::nullopt;
  Expression part = e;
  part.kind = ExpressionKind::name;
  part.arguments.clear();
  part.argumentNames.clear();
  part.name.pop_back();
  const Target t = evaluation_.resolve(part, scope);
  if (t.kind != Target::Kind::component || t.component->type.catalogueType != "World")
    return std::nullopt;
  if (const Modifier* m = t.component->modifier.find("gravityAcceleration");
      m && m->redeclaration) {
    refuseUnsupported(scope.mark(e.at), "a gravity of one's own cannot be called");
  }
  const auto named = [&](const char* parameter) {
    Expression one = part;
    one.name.push_back({parameter, {}});
    return one;
  };
  const auto along = [&](Tree factor, const Tree& r) {
    return operationNode(Operator::multiply, std::move(factor), callNode("normalize", {r}));
  };
  const std::string type = evaluation_.structural(named("gravityType"), scope).text;
  if (type == "NoGravity") return treeOf(NodeKind::array, Trees(3, numberNode(0)));
  if (type == "UniformGravity") return along(tree(named("g"), scope), tree(named("n"), scope));
  const Tree r = tree(e.arguments[0], scope);
  Tree square = operationNode(Operator::power, callNode("length", {r}), numberNode(2));
  return operationNode(
      Operator::negate,
      along(operationNode(Operator::divide, tree(named("mue"), scope), std::move(square)), r));
}

Tree Translation::call(const Expression& e, const Scope& scope) {
  if (auto acceleration = gravity(e, scope)) return *std::move(acceleration);
  const FunctionTarget f = evaluation_.function(e, scope);
  if (f.name == "delay") return delay(e, scope);
  if (!f.definition && !e.argumentNames.empty()) {
    if (const auto ordered = inOrder(e, f.name)) return call(*ordered, scope);
  }
  if (f.name == "der" && e.arguments.size() == 1 && e.arguments[0].kind == ExpressionKind::name) {
    if (auto rate = this->rate(e, scope)) return *std::move(rate);
  }
  if (f.name == "der" && !motions_.empty()) {
    const Expression* inner = rateArgument(e);
    const Expression* second = inner ? rateNamed(*inner) : nullptr;
    const Expression* of = second ? second : rateNamed(e);
    const auto motion = of ? motions_.find({body_, toString(*tree(*of, scope))}) : motions_.end();
    if (motion != motions_.end()) return second ? motion->second.second : motion->second.first;
  }
  const std::string last(lastName(f.name));
  // Units and places of literals are numbers.
  const bool isNumber = f.definition ? f.definition->isEnumeration
                                     : last.starts_with("to_unit1") || f.name == "Integer";
  if (isNumber && e.arguments.size() == 1) return tree(e.arguments[0], scope);
  if (!f.definition && f.name == "homotopy" && !e.arguments.empty())
    return tree(e.arguments[0], scope);
  const FunctionInfo* info = f.definition ? nullptr : findFunction(f.name);
  const bool isOfSizes =
      isOneOf(last, {"size", "zeros", "ones", "fill", "identity", "cat", "ndims"});
  if (!info || isOfSizes) return carriedOut(f, e, scope);
  if (!e.argumentNames.empty()) {
    refuseUnsupported(scope.mark(e.at), "named arguments of '" + f.name + "' are not supported");
  }
  if (const auto none = ofNothing(last); none && e.arguments.size() == 1) {
    const std::optional<Value> of = evaluation_.known(e.arguments[0], scope);
    if (of && of->isArray() && of->sizes().back() == 0) return numberNode(*none);
  }
  const bool isShort = findFunction(last) == info && info->kind != FunctionKind::orientation;
  Trees arguments = listed(e.arguments, scope);
  const bool isBefore = isOneOf(f.name, {"pre", "edge", "change"});
  if (!isBefore || arguments.size() != 1 || arguments[0]->kind != NodeKind::array)
    return callNode(isShort ? last : f.name, std::move(arguments));
  Trees each;
  for (const Tree& item : arguments[0]->arguments) each.push_back(callNode(f.name, {item}));
  return treeOf(NodeKind::array, std::move(each));
}

/// `der(name)` where that is no name of the model file: measured, or of a vector of signals.
std::optional<Tree> Translation::rate(const Expression& e, const Scope& scope) {
  if (const Component* c = accelerations_.empty() ? nullptr : variableIn(e.arguments[0], scope)) {
    if (const auto a = accelerations_.find(c); a != accelerations_.end()) return a->second;
  }
  auto rates = evaluation_.spread(e.arguments[0], scope);
  if (!rates) return std::nullopt;
  const auto differentiate = [&](const auto& self, Expression& one) -> void {
    if (one.kind == ExpressionKind::array) {
      for (Expression& item : one.arguments) self(self, item);
      return;
    }
    Expression rate = e;
    rate.arguments[0] = std::move(one);
    one = std::move(rate);
  };
  differentiate(differentiate, *rates);
  return tree(*rates, scope);
}

/// A call of what is no function of the model file: its value, or what its statements come to.
Tree Translation::carriedOut(const FunctionTarget& f, const Expression& e, const Scope& scope) {
  const bool isFunction = f.definition && f.definition->restriction == "function";
  // Of parameters that may be changed later it stays a formula, if that is short.
  if (isFunction && !isSettled(e, scope) && evaluation_.known(e, scope)) {
    try {
      Tree t = treeOf(evaluation_.inlined(f, e, scope, caller()));
      if (toString(*t).size() <= kLongestOfParameters) return t;
    } catch (const Refusal&) {
      return treeOf(evaluation_.structural(e, scope));
    }
  }
  try {
    return treeOf(evaluation_.structural(e, scope));
  } catch (const Refusal& r) {
    const bool isArranged =
        isOneOf(f.name, {"fill", "cat", "matrix", "promote", "symmetric", "scalar", "vector"});
    if (isOfVariables(r) && !f.definition && isArranged)
      return treeOf(evaluation_.formula(e, scope, caller()));
    if (isOfVariables(r) && isFunction) return treeOf(evaluation_.inlined(f, e, scope, caller()));
    if (!f.definition && !findFunction(lastName(f.name))) {
      refuseUnsupported(scope.mark(e.at), "function '" + f.name + "' is not known to Cardan" +
                                              didYouMean(f.name, functionNames()));
    }
    throw;
  }
}

void Translation::carryOut(const Expression& call, const Scope& scope) {
  evaluation_.carryOut(call, scope, caller());
}

/// What is inlined gets expressions of the body, and what it asks for is noted.
Evaluation::Caller Translation::caller() {
  return {
      [this](const Expression& e, const Scope& scope) { return Value::formula(tree(e, scope)); },
      [this](const Expression& e, const Scope& scope) { return isSettled(e, scope); },
      [this](const Value& holds, const std::string& text, const SourceMark& at, bool warns) {
        require(holds, text, at, warns);
      }};
}

void Translation::require(const Value& holds, const std::string& text, const SourceMark& at,
                          bool warns) {
  const Requirement one{body_, treeOf(holds), text, at, warns};
  const bool isKnown = std::ranges::any_of(requirements_, [&](const Requirement& r) {
    return r.body == one.body && r.text == one.text && saysTheSame(*r.holds, *one.holds);
  });
  if (!isKnown) requirements_.push_back(one);
}

const Component* Translation::variableIn(const Expression& e, const Scope& scope) {
  const auto t = evaluation_.componentNamed(e, scope);
  const bool isVariable = t && t->tail.empty() && t->component->type.isSimple() &&
                          !t->component->isParameter() && t->part->subscripts.empty() &&
                          !t->component->isRemoved;
  return isVariable ? t->component : nullptr;
}

YamlNode Translation::node(const Value& v, const SourceMark& at) const {
  if (v.kind == Value::Kind::text) return quotedNode(v.text, at);
  if (!v.isArray()) return textNode(v.format(), at);
  YamlNode n = listOf({}, at);
  for (const Value& item : v.items) n.items.push_back(node(item, at));
  return n;
}

YamlNode Translation::node(const Binding& b) {
  const Meanwhile ofValue(isValue_, true);
  return node(*b.expression, b.scope, b.picks);
}

YamlNode Translation::sequence(const std::vector<Expression>& items, const Scope& scope,
                               const SourceMark& at) {
  YamlNode n = listOf({}, at);
  for (const Expression& item : items) n.items.push_back(node(item, scope, {}));
  return n;
}

/// What one of an array of components takes of a value.
YamlNode Translation::pickedNode(const Binding& b) {
  const SourceMark at = b.mark();
  const std::optional<Value> v = evaluation_.known(b);
  const bool isName = b.expression->kind == ExpressionKind::name;
  if (v && isName && v->isNumber()) {
    const Target t = evaluation_.resolve(*b.expression, b.scope);
    if (t.kind == Target::Kind::component && isWritten(*t.component))
      return expressionNode(elementNode(nameNode(nameHere(t.component->path)), b.picks), at);
  }
  if (v) return node(evaluation_.structural(b), at);
  if (!isName) evaluation_.value(b);  // refuses
  return expressionNode(tree(b), at);
}

/// What a parameter that the model file does not have is given, for all of it; null for other names.
const Binding* Translation::valueOfParameter(const Expression& name, const Scope& scope) {
  const Target t = evaluation_.resolve(name, scope);
  if (t.kind != Target::Kind::component || !t.tail.empty()) return nullptr;
  const Component& c = *t.component;
  const bool isGiven = c.isParameter() && c.type.isSimple() && !isWritten(c) && c.value() &&
                       !c.isOfWhole() && t.part->subscripts.empty() &&
                       (!c.modifier.isEach || c.sizes.empty()) && !evaluation_.isStructural(c);
  return isGiven ? c.value() : nullptr;
}

YamlNode Translation::node(const Expression& e, const Scope& scope, std::vector<int> picks) {
  const SourceMark at = scope.mark(e.at);
  if (e.kind == ExpressionKind::name) {
    if (const auto elements = evaluation_.spread(e, scope))
      return node(*elements, scope, std::move(picks));
  }
  if (!picks.empty() && e.kind == ExpressionKind::array) {
    const size_t i = picks[0];
    if (i > e.arguments.size()) evaluation_.value(Binding{&e, scope, picks});  // refuses
    picks.erase(picks.begin());
    return node(e.arguments[i - 1], scope, std::move(picks));
  }
  if (!picks.empty()) return pickedNode(Binding{&e, scope, std::move(picks)});
  if (e.kind == ExpressionKind::string) return quotedNode(e.text, at);
  if (e.kind == ExpressionKind::array) return sequence(e.arguments, scope, at);
  // Texts and literals stand for themselves; numbers are written as they are said.
  const std::optional<Value> v = evaluation_.known(e, scope);
  if (v && (v->kind == Value::Kind::text || v->kind == Value::Kind::enumeration))
    return node(*v, at);
  if (v && e.kind == ExpressionKind::matrix) {
    const std::vector<int> sizes = v->sizes();
    const bool isOfScalars = sizes.size() == 2 && sizes[0] == std::ssize(e.arguments) &&
                             sizes[1] == std::ssize(e.arguments[0].arguments);
    return isOfScalars ? sequence(e.arguments, scope, at)
                       : node(evaluation_.structural(e, scope), at);
  }
  // A parameter of a composite that is given an array, as the array.
  if (e.kind == ExpressionKind::name && v && v->isArray()) {
    if (const Binding* given = valueOfParameter(e, scope)) return node(*given);
  }
  try {
    const Tree said = tree(e, scope);
    // Arithmetic of arrays of numbers is clearer done.
    const bool isDone = v && v->isArray() && hasList(*said) && isOfNumbers(*said);
    if (!isDone) return expressionNode(said, at);
  } catch (const Refusal&) {
    if (!v) throw;
  }
  return node(evaluation_.structural(e, scope), at);
}

}  // namespace cardan::modelica
