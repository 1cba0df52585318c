#include "engine/modelica/translation.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "components/names.h"
#include "engine/expression/functions.h"
#include "engine/modelica/formula.h"
#include "engine/modelica/inlining.h"
#include "engine/modelica/named_arguments.h"
#include "engine/text/imported_model.h"

namespace cardan::modelica {
namespace {

constexpr int kDeepestTranslation = 500;
constexpr size_t kLongestText = kLongestFormula;

/// Variables of connectors that are the same for all that are united.
bool isPotential(const std::string& tail) {
  const std::string first = tail.substr(0, tail.find_first_of(".["));
  for (const char* name : {"r_0", "R", "phi", "s", "v", "T"}) {
    if (first == name) return true;
  }
  return false;
}

/// True of texts with a name in them that is no function.
bool namesSomething(const std::string& text) {
  for (size_t i = 0; i < text.size();) {
    if (std::isalpha(static_cast<unsigned char>(text[i])) == 0) {
      // Digits and what follows them, as in 1e-3, are numbers.
      const bool isDigit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
      ++i;
      while (isDigit && i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0)
        ++i;
      continue;
    }
    while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
                               text[i] == '_' || text[i] == '.'))
      ++i;
    if (i >= text.size() || text[i] != '(') return true;
  }
  return false;
}

class Deeper {
 public:
  explicit Deeper(int& n) : n_(n) { ++n_; }
  ~Deeper() { --n_; }
  Deeper(const Deeper&) = delete;

 private:
  int& n_;
};

}  // namespace

bool Translation::isWritten(const Component& c) const {
  const bool isNumber = c.type.kind == TypeKind::real || c.type.kind == TypeKind::integer ||
                        c.type.kind == TypeKind::boolean;
  const bool isOfModel = c.parent && c.parent == &folding_.model();
  const bool isOfSubmodel =
      c.parent && folding_.isFolded(*c.parent) && c.variability == Variability::parameter;
  return (isOfModel || isOfSubmodel) && isNumber && c.isParameter() && c.value() &&
         !evaluation_.isStructural(c) && c.sizes.size() <= 2 &&
         std::ranges::find(c.sizes, 0) == c.sizes.end();
}

bool Translation::isFree(const Component& c) {
  return c.parent && !c.parent->parent && c.parent->path.empty() && c.isParameter() && !c.value() &&
         c.sizes.empty() && c.type.kind == TypeKind::real && c.modifier.find("fixed");
}

std::string Translation::text(const Expression& e, const Scope& scope) {
  return translated(e, scope).text;
}

std::string Translation::ranked(const Expression& e, const Scope& scope, int atLeast) {
  Text t = translated(e, scope);
  if (t.text.size() > kLongestText)
    throw Refusal{scope.mark(e.at), "the expression is too long with all parameters put in"};
  return t.rank >= atLeast ? t.text : "(" + t.text + ")";
}

Translation::Text Translation::literal(const Value& v) const {
  if (v.isFormula()) return {v.text, static_cast<int>(v.number)};
  const bool isNegative = v.isNumber() && v.number < 0;
  return {v.format(), isNegative ? kSum : kPrimary};
}

std::string Translation::text(const Component& connector, const std::string& variable) {
  Expression e;
  e.at = connector.element->at;
  return component(connector, nullptr, variable, e, connector.scope).text;
}

std::string Translation::text(const Binding& b) {
  if (b.picks.empty()) return text(*b.expression, b.scope);
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
  if (picked == b.picks.size()) return text(*e, b.scope);
  try {
    return literal(evaluation_.value(b)).text;
  } catch (const Refusal&) {
    if (b.expression->kind != ExpressionKind::name) throw;
  }
  std::string indices;
  for (const int i : b.picks) indices += (indices.empty() ? "" : ",") + std::to_string(i);
  return text(*b.expression, b.scope) + "[" + indices + "]";
}

std::string Translation::subscripts(const std::vector<Expression>& all, const Scope& scope) {
  if (all.empty()) return "";
  std::string result;
  for (const Expression& e : all) {
    result += result.empty() ? "" : ",";
    if (e.kind == ExpressionKind::all) {
      result += ":";
      continue;
    }
    const Value v = evaluation_.structural(e, scope);
    result += v.kind == Value::Kind::enumeration ? formatNumber(v.number) : v.format();
  }
  return "[" + result + "]";
}

/// A text or the literal of an enumeration, which expressions of a model file do not have.
bool Translation::isWord(const Expression& e, const Scope& scope) {
  const std::optional<Value> v = evaluation_.known(e, scope);
  return v && (v->kind == Value::Kind::text || v->kind == Value::Kind::enumeration);
}

Translation::Text Translation::list(const std::vector<Expression>& items, const Scope& scope) {
  std::string all;
  for (const Expression& item : items) all += (all.empty() ? "" : ", ") + text(item, scope);
  return {"{" + all + "}", kPrimary};
}

Translation::Text Translation::translated(const Expression& e, const Scope& scope) {
  const Deeper deeper(depth_);
  if (depth_ > kDeepestTranslation)
    throw Refusal{scope.mark(e.at), "the expression depends on too many others"};
  switch (e.kind) {
    case ExpressionKind::number:
      return {e.text, kPrimary};
    case ExpressionKind::string:
      return {quotedText(e.text), kPrimary};
    case ExpressionKind::boolean:
      return {e.number != 0 ? "true" : "false", kPrimary};
    case ExpressionKind::name:
      return name(e, scope);
    case ExpressionKind::call:
      return call(e, scope);
    case ExpressionKind::unary: {
      if (e.text == "not") return {"not " + ranked(e.arguments[0], scope, kRelation), kNot};
      const std::string sign = e.text == "-" || e.text == ".-" ? "-" : "";
      return {sign + ranked(e.arguments[0], scope, kProduct), kSum};
    }
    case ExpressionKind::binary: {
      if ((e.text == "==" || e.text == "<>") && isWord(e.arguments[0], scope))
        return literal(evaluation_.value(e, scope));
      const int rank = rankOf(e.text);
      const bool isChain = rank == kSum || rank == kProduct || rank == kAnd || rank == kOr;
      const std::string left = ranked(e.arguments[0], scope, isChain ? rank : rank + 1);
      const bool isSpaced = rank != kProduct && rank != kPower;
      return {
          left + (isSpaced ? " " + e.text + " " : e.text) + ranked(e.arguments[1], scope, rank + 1),
          rank};
    }
    case ExpressionKind::conditional: {
      std::string result;
      size_t i = 0;
      for (; i + 1 < e.arguments.size(); i += 2) {
        const std::string condition = text(e.arguments[i], scope);
        if (condition == "false") continue;
        if (condition == "true") {
          ++i;
          break;
        }
        result += (result.empty() ? "if " : " elseif ") + condition + " then " +
                  text(e.arguments[i + 1], scope);
      }
      if (result.empty()) return translated(e.arguments[i], scope);
      return {result + " else " + text(e.arguments[i], scope), kIf};
    }
    case ExpressionKind::array:
      return list(e.arguments, scope);
    case ExpressionKind::matrix: {
      std::string rows;
      for (const Expression& row : e.arguments) {
        std::string cells;
        for (const Expression& cell : row.arguments)
          cells += (cells.empty() ? "" : ", ") + text(cell, scope);
        rows += (rows.empty() ? "" : "; ") + cells;
      }
      return {"[" + rows + "]", kPrimary};
    }
    case ExpressionKind::comprehension: {
      std::string all;
      evaluation_.forEach(e.indices, scope, [&](const Scope& inner) {
        all += (all.empty() ? "" : ", ") + text(e.arguments[0], inner);
      });
      const std::string array = "{" + all + "}";
      return {e.text.empty() ? array : e.text + "(" + array + ")", kPrimary};
    }
    default:
      return literal(evaluation_.value(e, scope));
  }
}

Translation::Text Translation::name(const Expression& e, const Scope& scope) {
  if (const auto elements = evaluation_.spread(e, scope)) return translated(*elements, scope);
  const Target t = evaluation_.resolve(e, scope);
  if (t.kind == Target::Kind::value) {
    if (!t.word.empty()) return {t.word, kPrimary};
    return literal(t.value);
  }
  return component(*t.component, t.part, t.tail, e, scope);
}

Translation::Text Translation::component(const Component& c, const NamePart* part,
                                         const std::string& tail, const Expression& e,
                                         const Scope& scope) {
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
      if (isValue_ && !c.modifier.find(tail.substr(0, tail.find_first_of(".["))) &&
          !derivedParameter(c.type.catalogueType, tail.substr(0, tail.find('['))).empty())
        return literal(evaluation_.value(e, scope));
      // There is one World for all.
      if (c.type.catalogueType == "World") return {c.path + dotTail, kPrimary};
      return {nameHere(c.path) + dotTail, kPrimary};
    case TypeKind::physical: {
      if (tail.empty()) throw Refusal{at, "'" + c.path + "' is a connector, and no value"};
      const std::string end =
          connections_.endOf(c.path, body_->path.empty() ? "" : body_->path + ".");
      if (end.empty()) throw Refusal{at, "connector '" + c.path + "' is connected to nothing"};
      if (!isPotential(tail)) return flow(c, dotTail, at);
      return {nameHere(end) + dotTail, kPrimary};
    }
    case TypeKind::bus: {
      const Connections::Source source = connections_.sourceOf(c.path + dotTail);
      if (source.path.empty())
        throw Refusal{at, "'" + c.path + dotTail + "' on the bus is connected to no output"};
      return {nameHere(source.path), kPrimary};
    }
    case TypeKind::record:
    case TypeKind::composite:
    case TypeKind::empty:
      if (c.type.kind == TypeKind::record) return literal(evaluation_.valueOf(c));
      throw Refusal{at, "'" + c.path + "' is a component, and no value"};
    default:
      break;
  }
  if (c.isParameter()) return parameter(c, part, e, scope);
  // An orientation that has a value is another name for it.
  if (c.type.kind == TypeKind::orientation && c.value())
    return {ranked(*c.value()->expression, c.value()->scope, kPrimary) + dotTail, kPrimary};
  const std::string index = part ? subscripts(part->subscripts, scope) : "";
  if (c.type.isSignal() || c.element->isInput || c.element->isOutput) {
    const Connections::Source source = connections_.sourceOf(c.path + index);
    if (!source.path.empty()) return {nameHere(source.path) + dotTail, kPrimary};
    // A vector whose elements come from here and there.
    std::string elements;
    for (int i = 1; index.empty() && c.sizes.size() == 1 && i <= c.sizes[0]; ++i) {
      const Connections::Source one = connections_.sourceOf(c.path + "[" + std::to_string(i) + "]");
      if (one.path.empty()) {
        elements.clear();
        break;
      }
      elements += (i == 1 ? "" : ", ") + nameHere(one.path);
    }
    if (!elements.empty()) return {"{" + elements + "}", kPrimary};
    if (c.type.causality == "input" || c.element->isInput) {
      if (c.value()) return {"(" + text(*c.value()) + ")", kPrimary};
      throw Refusal{at, "input '" + c.path + index + "' is connected to no output"};
    }
  }
  return {nameHere(c.path) + index + dotTail, kPrimary};
}

/// What flows into a connector of a composite: into all that its inside connects with it.
Translation::Text Translation::flow(const Component& connector, const std::string& tail,
                                    const SourceMark& at) {
  if (driven_.contains(connector.path)) return {nameHere(connector.path) + tail, kPrimary};
  std::string sum;
  const std::vector<std::string> ends = connections_.innerEnds(connector.path);
  for (const std::string& end : ends) sum += (sum.empty() ? "" : " + ") + nameHere(end) + tail;
  if (ends.empty()) {
    throw Refusal{
        at,
        "'" + connector.path + tail +
            "' is what flows through a connector that its model connects with no component",
        ErrorKind::unsupported};
  }
  return {sum, ends.size() > 1 ? kSum : kPrimary};
}

Translation::Text Translation::parameter(const Component& c, const NamePart* part,
                                         const Expression& e, const Scope& scope) {
  const std::vector<Expression> none;
  const std::vector<Expression>& indices = part ? part->subscripts : none;
  if (isFree(c)) return {c.path, kPrimary};
  if (isWritten(c)) return {nameHere(c.path) + subscripts(indices, scope), kPrimary};
  if (std::ranges::find(underway_, &c) != underway_.end())
    throw Refusal{c.mark(), "parameter '" + c.path + "' depends on itself"};
  if (!c.value() || c.isOfWhole() || !indices.empty() || evaluation_.isStructural(c) ||
      (c.modifier.isEach && !c.sizes.empty()))
    return literal(evaluation_.value(e, scope));
  struct Underway {
    std::vector<const Component*>& all;
    ~Underway() { all.pop_back(); }
  };
  underway_.push_back(&c);
  const Underway underway{underway_};
  const Binding& b = *c.value();
  Text t = b.picks.empty() ? translated(*b.expression, b.scope) : Text{text(b), kIf};
  if (t.text.size() > kLongestText)
    throw Refusal{scope.mark(e.at), "the expression is too long with all parameters put in"};
  if (b.picks.empty()) return t;
  double number = 0;
  const char* const end = t.text.data() + t.text.size();
  const auto read = std::from_chars(t.text.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end) return {t.text, number < 0 ? kSum : kPrimary};
  return {"(" + t.text + ")", kPrimary};
}

Translation::Text Translation::call(const Expression& e, const Scope& scope) {
  const FunctionTarget f = evaluation_.function(e, scope);
  if (!f.definition && !e.argumentNames.empty()) {
    if (const auto ordered = inOrder(e, f.name)) return call(*ordered, scope);
  }
  if (f.name == "der" && e.arguments.size() == 1 && e.arguments[0].kind == ExpressionKind::name) {
    if (auto rates = evaluation_.spread(e.arguments[0], scope)) {
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
      return translated(*rates, scope);
    }
  }
  const std::string last(lastName(f.name));
  if (!f.definition && e.arguments.size() == 1 && last.starts_with("to_unit1"))
    return translated(e.arguments[0], scope);
  if (!f.definition && f.name == "homotopy" && !e.arguments.empty())
    return translated(e.arguments[0], scope);
  const FunctionInfo* info = f.definition ? nullptr : findFunction(f.name);
  const bool isOfSizes = last == "size" || last == "zeros" || last == "ones" || last == "fill" ||
                         last == "identity" || last == "cat" || last == "ndims";
  if (!info || isOfSizes) {
    try {
      return literal(evaluation_.value(e, scope));
    } catch (const Refusal& r) {
      const bool isOfVariables = r.text.find("no value before the run") != std::string::npos;
      if (isOfVariables && f.definition && f.definition->restriction == "function") {
        const auto formula = [&](const Expression& argument, const Scope& around) {
          const Text t = translated(argument, around);
          return Value::formula(t.text, t.rank);
        };
        return literal(Inlining(evaluation_, formula).call(*f.definition, e, scope));
      }
      if (!info && !f.definition && findFunction(last) == nullptr) {
        throw Refusal{scope.mark(e.at),
                      "function '" + f.name + "' is not known to Cardan" +
                          didYouMean(f.name, functionNames()),
                      ErrorKind::unsupported};
      }
      throw;
    }
  }
  if (!e.argumentNames.empty()) {
    throw Refusal{scope.mark(e.at), "named arguments of '" + f.name + "' are not supported",
                  ErrorKind::unsupported};
  }
  std::string arguments;
  for (const Expression& a : e.arguments)
    arguments += (arguments.empty() ? "" : ", ") + text(a, scope);
  std::string written = f.name;
  if (findFunction(last) == info && info->kind != FunctionKind::orientation) written = last;
  return {written + "(" + arguments + ")", kPrimary};
}

const Component* Translation::variableIn(const Expression& e, const Scope& scope) {
  if (e.kind != ExpressionKind::name || !scope.instance) return nullptr;
  try {
    const Target t = evaluation_.resolve(e, scope);
    if (t.kind != Target::Kind::component || !t.tail.empty() || !t.component->type.isSimple() ||
        t.component->isParameter() || !t.part->subscripts.empty() || t.component->isRemoved)
      return nullptr;
    return t.component;
  } catch (const Refusal&) {
    return nullptr;
  }
}

YamlNode Translation::scalar(std::string text, const SourceMark& at, bool quoted) {
  YamlNode n;
  n.kind = YamlNode::Kind::scalar;
  n.text = std::move(text);
  n.quoted = quoted;
  n.file = std::make_shared<const std::string>(at.file);
  n.line = at.line;
  n.column = at.column;
  return n;
}

YamlNode Translation::node(const Value& v, const SourceMark& at) const {
  if (!v.isArray())
    return scalar(v.kind == Value::Kind::text ? v.text : v.format(), at,
                  v.kind == Value::Kind::text);
  YamlNode n = scalar("", at);
  n.kind = YamlNode::Kind::sequence;
  for (const Value& item : v.items) n.items.push_back(node(item, at));
  return n;
}

YamlNode Translation::node(const Binding& b) {
  const bool was = isValue_;
  isValue_ = true;
  try {
    YamlNode n = node(*b.expression, b.scope, b.picks);
    isValue_ = was;
    return n;
  } catch (...) {
    isValue_ = was;
    throw;
  }
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
  if (!picks.empty()) {
    const Binding b{&e, scope, picks};
    const std::optional<Value> v = evaluation_.known(b);
    const bool isNamed = e.kind == ExpressionKind::name && v && v->isNumber();
    if (v && !isNamed) return node(*v, at);
    if (isNamed) {
      const Target t = evaluation_.resolve(e, scope);
      if (t.kind != Target::Kind::component || !isWritten(*t.component)) return node(*v, at);
      std::string index;
      for (const int i : picks) index += (index.empty() ? "" : ",") + std::to_string(i);
      return expressionNode(nameHere(t.component->path) + "[" + index + "]", at);
    }
    if (e.kind != ExpressionKind::name) evaluation_.value(b);  // refuses
    return expressionNode(text(b), at);
  }
  if (e.kind == ExpressionKind::string) return scalar(e.text, at, true);
  if (e.kind == ExpressionKind::array) {
    YamlNode n = scalar("", at);
    n.kind = YamlNode::Kind::sequence;
    for (const Expression& item : e.arguments) n.items.push_back(node(item, scope, {}));
    return n;
  }
  // Texts and literals stand for themselves; numbers are written as they are said.
  const std::optional<Value> v = evaluation_.known(e, scope);
  if (v && (v->kind == Value::Kind::text || v->kind == Value::Kind::enumeration))
    return node(*v, at);
  if (v && e.kind == ExpressionKind::matrix) {
    const std::vector<int> sizes = v->sizes();
    if (sizes.size() == 2 && sizes[0] == std::ssize(e.arguments) &&
        sizes[1] == std::ssize(e.arguments[0].arguments)) {
      YamlNode rows = scalar("", at);
      rows.kind = YamlNode::Kind::sequence;
      for (const Expression& row : e.arguments) rows.items.push_back(node(row, scope, {}));
      return rows;
    }
    return node(*v, at);
  }
  // A parameter of a composite that is given an array, as the array.
  if (e.kind == ExpressionKind::name && v && v->isArray()) {
    const Target t = evaluation_.resolve(e, scope);
    if (t.kind == Target::Kind::component && t.component->isParameter() && t.tail.empty() &&
        t.component->type.isSimple() && !isWritten(*t.component) && t.component->value() &&
        !t.component->isOfWhole() && t.part->subscripts.empty() &&
        (!t.component->modifier.isEach || t.component->sizes.empty()) &&
        !evaluation_.isStructural(*t.component))
      return node(*t.component->value());
  }
  try {
    const std::string said = text(e, scope);
    // Arithmetic of arrays of numbers is clearer done.
    const bool isOfNumbers =
        v && v->isArray() && said.find('{') != std::string::npos && !namesSomething(said);
    if (!isOfNumbers) return expressionNode(said, at);
  } catch (const Refusal&) {
    if (!v) throw;
  }
  return node(*v, at);
}

}  // namespace cardan::modelica
