#include "engine/modelica/scalar_expression.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "components/names.h"
#include "engine/expression/functions.h"
#include "engine/text/mapped.h"

namespace cardan::modelica {
namespace {

bool isValue(const ExpressionNode& e, double x) { return numberIn(e) == x; }

bool mentionsName(const ExpressionNode& e, const std::string& name) {
  if (e.kind == NodeKind::name) return e.text == name;
  return std::ranges::any_of(e.arguments, [&](const Tree& a) { return mentionsName(*a, name); });
}

Tree conditionalNode(const ExpressionNode& like, Trees values) {
  Trees all;
  const size_t n = like.arguments.size();
  const bool isSame =
      std::ranges::all_of(values, [&](const auto& v) { return saysTheSame(*v, *values[0]); });
  if (isSame) return values[0];
  for (size_t i = 0, k = 0; i < n; ++i) {
    const bool isCondition = i + 1 < n && i % 2 == 0;
    all.push_back(isCondition ? like.arguments[i] : values[k++]);
  }
  return withArguments(like, std::move(all));
}

Trees valuesOf(const ExpressionNode& conditional) {
  Trees values;
  const size_t n = conditional.arguments.size();
  for (size_t i = 0; i < n; ++i) {
    if (i + 1 == n || i % 2 == 1) values.push_back(conditional.arguments[i]);
  }
  return values;
}

/// Products of rows and columns; nothing where the sizes do not fit.
std::optional<ScalarElements> multiplied(const ScalarElements& a, const ScalarElements& b) {
  if (a.sizes.empty() || b.sizes.empty()) {
    const ScalarElements& array = a.sizes.empty() ? b : a;
    ScalarElements result{array.sizes, {}};
    for (const Tree& x : array.items)
      result.items.push_back(a.sizes.empty() ? productOf(a.items[0], x) : productOf(x, b.items[0]));
    return result;
  }
  const int rows = a.sizes.size() == 2 ? a.sizes[0] : 1;
  const int columns = b.sizes.size() == 2 ? b.sizes[1] : 1;
  const int n = a.sizes.back();
  if (b.sizes[0] != n || a.sizes.size() > 2 || b.sizes.size() > 2) return std::nullopt;
  ScalarElements result;
  if (a.sizes.size() == 2) result.sizes.push_back(rows);
  if (b.sizes.size() == 2) result.sizes.push_back(columns);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < columns; ++k) {
      Tree sum = numberNode(0);
      for (int j = 0; j < n; ++j)
        sum = sumOf(sum, productOf(a.items[i * n + j], b.items[j * columns + k]));
      result.items.push_back(std::move(sum));
    }
  }
  return result;
}

Tree sumOfSquares(const Trees& items) {
  Tree sum = numberNode(0);
  for (const Tree& x : items) sum = sumOf(sum, operationNode(Operator::power, x, numberNode(2)));
  return sum;
}

/// The same operation of other operands, done where that is simple.
Tree made(const ExpressionNode& like, Trees a) {
  if (like.kind == NodeKind::unary && like.op == Operator::negate) return negativeOf(a[0]);
  if (like.kind == NodeKind::unary && like.op == Operator::plus) return a[0];
  if (like.kind == NodeKind::binary) {
    switch (withoutPoint(like.op)) {
      case Operator::add:
        return sumOf(a[0], a[1]);
      case Operator::subtract:
        return differenceOf(a[0], a[1]);
      case Operator::multiply:
        return productOf(a[0], a[1]);
      case Operator::divide:
        return quotientOf(a[0], a[1]);
      case Operator::power:
        return operationNode(Operator::power, a[0], a[1]);
      default:
        break;
    }
  }
  return withArguments(like, std::move(a));
}

class Scalarisation {
 public:
  explicit Scalarisation(const std::function<std::vector<int>(const std::string&)>& sizesOf)
      : sizesOf_(sizesOf) {}

  std::optional<ScalarElements> elements(const Tree& e) {
    switch (e->kind) {
      case NodeKind::name:
        return ofName(e);
      case NodeKind::array:
      case NodeKind::matrix:
        return ofList(*e);
      case NodeKind::index:
        return ofIndex(*e);
      case NodeKind::unary:
        return elementwise(*e, Trees(e->arguments));
      case NodeKind::binary:
        return ofBinary(*e);
      case NodeKind::conditional:
        return ofConditional(*e);
      case NodeKind::call:
        return ofCall(*e);
      case NodeKind::all:
      case NodeKind::string:
        return std::nullopt;
      default:
        return ScalarElements{{}, {e}};
    }
  }

 private:
  std::optional<ScalarElements> ofName(const Tree& e) {
    const std::vector<int> sizes = sizesOf_(e->text);
    if (sizes.empty()) return ScalarElements{{}, {e}};
    return ScalarElements{sizes, mapped(indicesOf(sizes), [&](const std::vector<int>& indices) {
                            return elementNode(e, indices);
                          })};
  }

  std::optional<ScalarElements> ofList(const ExpressionNode& e) {
    ScalarElements result;
    result.sizes.push_back(std::ssize(e.arguments));
    for (const Tree& a : e.arguments) {
      auto one = elements(a);
      if (!one || one->sizes.size() > 1) return std::nullopt;
      const bool isFirst = &a == &e.arguments[0];
      if (isFirst && !one->sizes.empty()) result.sizes.push_back(one->sizes[0]);
      if (std::ssize(result.sizes) != 1 + std::ssize(one->sizes) ||
          (!one->sizes.empty() && one->sizes[0] != result.sizes[1]))
        return std::nullopt;
      for (Tree& x : one->items) result.items.push_back(std::move(x));
    }
    return result;
  }

  std::optional<ScalarElements> ofIndex(const ExpressionNode& e) {
    auto whole = elements(e.arguments[0]);
    if (!whole || whole->sizes.size() + 1 != e.arguments.size()) return std::nullopt;
    const int columns = whole->sizes.size() == 2 ? whole->sizes[1] : 1;
    std::vector<int> from(2, 0), to(2, 0);
    ScalarElements result;
    for (size_t d = 0; d + 1 < e.arguments.size(); ++d) {
      const ExpressionNode& i = *e.arguments[d + 1];
      const bool isAll = i.kind == NodeKind::all;
      const auto number = numberIn(i);
      if (!isAll && (!number || *number < 1 || *number > whole->sizes[d])) return std::nullopt;
      from[d] = isAll ? 0 : static_cast<int>(*number) - 1;
      to[d] = isAll ? whole->sizes[d] - 1 : from[d];
      if (isAll) result.sizes.push_back(whole->sizes[d]);
    }
    for (int i = from[0]; i <= to[0]; ++i) {
      for (int k = from[1]; k <= to[1]; ++k) result.items.push_back(whole->items[i * columns + k]);
    }
    return result;
  }

  /// Scalars are the same for all elements.
  std::optional<ScalarElements> elementwise(const ExpressionNode& like, Trees arguments) {
    std::vector<ScalarElements> all;
    std::vector<int> sizes;
    for (const Tree& a : arguments) {
      auto one = elements(a);
      if (!one || (!one->sizes.empty() && !sizes.empty() && sizes != one->sizes))
        return std::nullopt;
      if (!one->sizes.empty()) sizes = one->sizes;
      all.push_back(*std::move(one));
    }
    size_t count = 1;
    for (const int n : sizes) count *= n;
    ScalarElements result{sizes, {}};
    for (size_t i = 0; i < count; ++i) {
      Trees each;
      for (const ScalarElements& one : all) each.push_back(one.items[one.sizes.empty() ? 0 : i]);
      result.items.push_back(made(like, std::move(each)));
    }
    return result;
  }

  std::optional<ScalarElements> ofBinary(const ExpressionNode& e) {
    if (e.op != Operator::multiply) return elementwise(e, e.arguments);
    const auto a = elements(e.arguments[0]), b = elements(e.arguments[1]);
    if (!a || !b) return std::nullopt;
    return multiplied(*a, *b);
  }

  std::optional<ScalarElements> ofConditional(const ExpressionNode& e) {
    std::vector<ScalarElements> branches;
    for (const Tree& value : valuesOf(e)) {
      auto one = elements(value);
      if (!one || (!branches.empty() && branches[0].sizes != one->sizes)) return std::nullopt;
      branches.push_back(*std::move(one));
    }
    // Conditions are scalars, of elements of arrays perhaps.
    Trees arguments;
    for (size_t i = 0; i < e.arguments.size(); ++i) {
      const bool isCondition = i + 1 < e.arguments.size() && i % 2 == 0;
      auto one = isCondition ? elements(e.arguments[i]) : std::nullopt;
      if (isCondition && (!one || !one->sizes.empty())) return std::nullopt;
      arguments.push_back(isCondition ? one->items[0] : e.arguments[i]);
    }
    const Tree like = withArguments(e, std::move(arguments));
    ScalarElements result{branches[0].sizes, {}};
    for (size_t i = 0; i < branches[0].items.size(); ++i) {
      Trees values;
      for (const ScalarElements& b : branches) values.push_back(b.items[i]);
      result.items.push_back(conditionalNode(*like, std::move(values)));
    }
    return result;
  }

  std::optional<ScalarElements> ofCall(const ExpressionNode& e) {
    const FunctionKind kind = e.function->kind;
    switch (kind) {
      case FunctionKind::elementwise:
      case FunctionKind::conversion:
      case FunctionKind::derivative:
      case FunctionKind::noEvent:
      case FunctionKind::before:
      case FunctionKind::edge:
      case FunctionKind::change:
        return elementwise(e, e.arguments);
      case FunctionKind::smooth: {
        auto x = elements(e.arguments[1]);
        if (!x) return std::nullopt;
        for (Tree& item : x->items) item = withArguments(e, {e.arguments[0], item});
        return x;
      }
      case FunctionKind::initial:
      case FunctionKind::terminal:
        return ScalarElements{{}, {withArguments(e, {})}};
      default:
        return ofArrays(e, kind);
    }
  }

  std::optional<ScalarElements> ofArrays(const ExpressionNode& e, FunctionKind kind) {
    std::vector<ScalarElements> a;
    for (const Tree& argument : e.arguments) {
      auto one = elements(argument);
      if (!one) return std::nullopt;
      a.push_back(*std::move(one));
    }
    const auto scalar = [](Tree x) { return ScalarElements{{}, {std::move(x)}}; };
    const auto isVector = [&](size_t i) { return i < a.size() && a[i].sizes.size() == 1; };
    switch (kind) {
      case FunctionKind::minimum:
      case FunctionKind::maximum: {
        Trees all = a[0].items;
        if (a.size() > 1) all.insert(all.end(), a[1].items.begin(), a[1].items.end());
        if (all.empty()) return scalar(numberNode(*ofNothing(lastName(e.text))));
        Tree best = all[0];
        for (size_t i = 1; i < all.size(); ++i) best = withArguments(e, {best, all[i]});
        return scalar(std::move(best));
      }
      case FunctionKind::sum:
      case FunctionKind::product: {
        const bool isSum = kind == FunctionKind::sum;
        Tree all = numberNode(isSum ? 0 : 1);
        for (const Tree& x : a[0].items) all = isSum ? sumOf(all, x) : productOf(all, x);
        return scalar(std::move(all));
      }
      case FunctionKind::dot:
        return isVector(0) && isVector(1) ? multiplied(a[0], a[1]) : std::nullopt;
      case FunctionKind::length:
        if (!isVector(0)) return std::nullopt;
        return scalar(callNode("sqrt", {sumOfSquares(a[0].items)}));
      case FunctionKind::transpose: {
        if (a[0].sizes.size() != 2) return std::nullopt;
        ScalarElements result{{a[0].sizes[1], a[0].sizes[0]}, {}};
        for (int k = 0; k < a[0].sizes[1]; ++k) {
          for (int i = 0; i < a[0].sizes[0]; ++i)
            result.items.push_back(a[0].items[i * a[0].sizes[1] + k]);
        }
        return result;
      }
      case FunctionKind::cross: {
        if (!isVector(0) || !isVector(1) || a[0].items.size() != 3 || a[1].items.size() != 3)
          return std::nullopt;
        ScalarElements result{{3}, {}};
        for (int i = 0; i < 3; ++i) {
          const int j = (i + 1) % 3, k = (i + 2) % 3;
          result.items.push_back(differenceOf(productOf(a[0].items[j], a[1].items[k]),
                                              productOf(a[0].items[k], a[1].items[j])));
        }
        return result;
      }
      default:
        return std::nullopt;
    }
  }

  const std::function<std::vector<int>(const std::string&)>& sizesOf_;
};

}  // namespace

std::optional<double> ofNothing(std::string_view function) {
  constexpr double largest = std::numeric_limits<double>::max();
  if (function == "sum") return 0;
  if (function == "product") return 1;
  if (function == "min") return largest;
  if (function == "max") return -largest;
  return std::nullopt;
}

Tree rateNode(Tree of) { return callNode("der", {std::move(of)}); }

std::optional<std::pair<Tree, Tree>> sidesOf(const std::string& equation) {
  Diagnostics own;
  const auto parsed = parseEquation(equation, {}, own);
  if (!parsed) return std::nullopt;
  return std::pair{parsed->left.tree(), parsed->right.tree()};
}

std::optional<double> numberIn(const ExpressionNode& e) {
  if (e.kind == NodeKind::number) return e.number;
  if (e.kind != NodeKind::unary || e.op != Operator::negate) return std::nullopt;
  const auto x = numberIn(*e.arguments[0]);
  return x ? std::optional(-*x) : std::nullopt;
}

Tree sumOf(Tree a, Tree b) {
  if (isValue(*a, 0)) return b;
  if (isValue(*b, 0)) return a;
  if (const auto x = numberIn(*a), y = numberIn(*b); x && y) return numberNode(*x + *y);
  if (b->kind == NodeKind::unary && b->op == Operator::negate)
    return differenceOf(std::move(a), b->arguments[0]);
  return operationNode(Operator::add, std::move(a), std::move(b));
}

Tree differenceOf(Tree a, Tree b) {
  if (isValue(*b, 0)) return a;
  if (isValue(*a, 0)) return negativeOf(std::move(b));
  if (const auto x = numberIn(*a), y = numberIn(*b); x && y) return numberNode(*x - *y);
  if (b->kind == NodeKind::unary && b->op == Operator::negate)
    return sumOf(std::move(a), b->arguments[0]);
  return operationNode(Operator::subtract, std::move(a), std::move(b));
}

Tree productOf(Tree a, Tree b) {
  if (isValue(*a, 0) || isValue(*b, 0)) return numberNode(0);
  if (isValue(*a, 1)) return b;
  if (isValue(*b, 1)) return a;
  if (isValue(*a, -1)) return negativeOf(std::move(b));
  if (isValue(*b, -1)) return negativeOf(std::move(a));
  return operationNode(Operator::multiply, std::move(a), std::move(b));
}

Tree quotientOf(Tree a, Tree b) {
  if (isValue(*b, 1)) return a;
  if (isValue(*b, -1)) return negativeOf(std::move(a));
  if (isValue(*a, 0)) return a;
  return operationNode(Operator::divide, std::move(a), std::move(b));
}

Tree negativeOf(Tree a) {
  if (const auto x = numberIn(*a)) return numberNode(*x == 0 ? 0 : -*x);
  if (a->kind == NodeKind::unary && a->op == Operator::negate) return a->arguments[0];
  if (a->kind == NodeKind::binary && a->op == Operator::subtract)
    return operationNode(Operator::subtract, a->arguments[1], a->arguments[0]);
  return operationNode(Operator::negate, std::move(a));
}

std::optional<ScalarElements> elementsOf(
    const Tree& e, const std::function<std::vector<int>(const std::string&)>& sizesOf) {
  return Scalarisation(sizesOf).elements(e);
}

std::optional<ScalarAtom> atomIn(const ExpressionNode& e) {
  if (e.kind == NodeKind::name) return ScalarAtom{e.text, 0};
  if (e.kind != NodeKind::call || e.function->kind != FunctionKind::derivative) return std::nullopt;
  auto inner = atomIn(*e.arguments[0]);
  if (inner) ++inner->order;
  return inner;
}

Tree atomNode(const ScalarAtom& atom) {
  Tree n = nameNode(atom.name);
  for (int k = 0; k < atom.order; ++k) n = rateNode(n);
  return n;
}

void forAtoms(const ExpressionNode& e, const std::function<void(const ScalarAtom&)>& f) {
  if (const auto atom = atomIn(e)) {
    f(*atom);
    return;
  }
  if (e.kind == NodeKind::call && e.function->kind == FunctionKind::before) return;
  for (const Tree& a : e.arguments) forAtoms(*a, f);
}

Tree replaced(const Tree& e, const std::function<Tree(const ScalarAtom&)>& replacement) {
  if (const auto atom = atomIn(*e)) {
    Tree other = replacement(*atom);
    return other ? other : e;
  }
  if (e->arguments.empty() ||
      (e->kind == NodeKind::call && e->function->kind == FunctionKind::before))
    return e;
  Trees arguments;
  bool isChanged = false;
  for (const Tree& a : e->arguments) {
    arguments.push_back(replaced(a, replacement));
    isChanged = isChanged || arguments.back() != a;
  }
  return isChanged ? made(*e, std::move(arguments)) : e;
}

std::optional<LinearForm> linearIn(const Tree& e, const std::string& name) {
  if (!mentionsName(*e, name)) return LinearForm{numberNode(0), e};
  if (e->kind == NodeKind::name) return LinearForm{numberNode(1), numberNode(0)};
  if (e->kind == NodeKind::unary && (e->op == Operator::negate || e->op == Operator::plus)) {
    auto a = linearIn(e->arguments[0], name);
    if (a && e->op == Operator::negate) *a = {negativeOf(a->factor), negativeOf(a->rest)};
    return a;
  }
  if (e->kind == NodeKind::conditional) {
    Trees factors, rests;
    for (size_t i = 0; i + 1 < e->arguments.size(); i += 2) {
      if (mentionsName(*e->arguments[i], name)) return std::nullopt;
    }
    for (const Tree& value : valuesOf(*e)) {
      const auto one = linearIn(value, name);
      if (!one) return std::nullopt;
      factors.push_back(one->factor);
      rests.push_back(one->rest);
    }
    return LinearForm{conditionalNode(*e, std::move(factors)),
                      conditionalNode(*e, std::move(rests))};
  }
  if (e->kind != NodeKind::binary) return std::nullopt;
  const auto a = linearIn(e->arguments[0], name), b = linearIn(e->arguments[1], name);
  if (!a || !b) return std::nullopt;
  switch (withoutPoint(e->op)) {
    case Operator::add:
      return LinearForm{sumOf(a->factor, b->factor), sumOf(a->rest, b->rest)};
    case Operator::subtract:
      return LinearForm{differenceOf(a->factor, b->factor), differenceOf(a->rest, b->rest)};
    case Operator::multiply:
      if (isValue(*a->factor, 0))
        return LinearForm{productOf(a->rest, b->factor), productOf(a->rest, b->rest)};
      if (isValue(*b->factor, 0))
        return LinearForm{productOf(a->factor, b->rest), productOf(a->rest, b->rest)};
      return std::nullopt;
    case Operator::divide:
      if (!isValue(*b->factor, 0)) return std::nullopt;
      return LinearForm{quotientOf(a->factor, b->rest), quotientOf(a->rest, b->rest)};
    default:
      return std::nullopt;
  }
}

namespace {

/// The derivative of a function of one argument by this.
Tree slopeOf(const std::string& f, const Tree& call, const Tree& x) {
  const auto square = [](Tree a) {
    return operationNode(Operator::power, std::move(a), numberNode(2));
  };
  const Tree one = numberNode(1);
  if (f == "sin") return callNode("cos", {x});
  if (f == "cos") return negativeOf(callNode("sin", {x}));
  if (f == "tan") return sumOf(one, square(call));
  if (f == "asin" || f == "acos") {
    const Tree d = quotientOf(one, callNode("sqrt", {differenceOf(one, square(x))}));
    return f == "asin" ? d : negativeOf(d);
  }
  if (f == "atan") return quotientOf(one, sumOf(one, square(x)));
  if (f == "sinh") return callNode("cosh", {x});
  if (f == "cosh") return callNode("sinh", {x});
  if (f == "tanh") return differenceOf(one, square(call));
  if (f == "exp") return call;
  if (f == "log") return quotientOf(one, x);
  if (f == "log10") return quotientOf(one, productOf(x, callNode("log", {numberNode(10)})));
  if (f == "sqrt") return quotientOf(one, productOf(numberNode(2), call));
  if (f == "abs") return callNode("noEvent", {callNode("sign", {x})});
  if (f == "sign" || f == "floor" || f == "ceil" || f == "integer") return numberNode(0);
  return nullptr;
}

class RateOfScalar {
 public:
  explicit RateOfScalar(const std::function<Tree(const ScalarAtom&)>& rateOf) : rateOf_(rateOf) {}

  Tree of(const Tree& e) {
    if (const auto atom = atomIn(*e)) return rateOf_(*atom);
    switch (e->kind) {
      case NodeKind::number:
      case NodeKind::constant:
        return numberNode(0);
      case NodeKind::time:
        return numberNode(1);
      case NodeKind::unary: {
        const Tree a = of(e->arguments[0]);
        if (!a || e->op == Operator::plus) return a;
        return e->op == Operator::negate ? negativeOf(a) : nullptr;
      }
      case NodeKind::binary:
        return ofBinary(e);
      case NodeKind::conditional: {
        Trees rates;
        for (const Tree& value : valuesOf(*e)) {
          rates.push_back(of(value));
          if (!rates.back()) return nullptr;
        }
        return conditionalNode(*e, std::move(rates));
      }
      case NodeKind::call:
        return ofCall(e);
      default:
        return nullptr;
    }
  }

 private:
  Tree ofBinary(const Tree& e) {
    const Tree a = e->arguments[0], b = e->arguments[1];
    const Tree da = of(a), db = of(b);
    if (!da || !db) return nullptr;
    switch (withoutPoint(e->op)) {
      case Operator::add:
        return sumOf(da, db);
      case Operator::subtract:
        return differenceOf(da, db);
      case Operator::multiply:
        return sumOf(productOf(da, b), productOf(a, db));
      case Operator::divide:
        return quotientOf(differenceOf(da, productOf(e, db)), b);
      case Operator::power: {
        const Tree less = operationNode(Operator::power, a, differenceOf(b, numberNode(1)));
        const auto n = numberIn(*b);
        const Tree lower = n == 2 ? a
                           : n    ? operationNode(Operator::power, a, numberNode(*n - 1))
                                  : less;
        const Tree ofBase = productOf(productOf(b, lower), da);
        if (isValue(*db, 0)) return ofBase;
        return sumOf(ofBase, productOf(productOf(e, callNode("log", {a})), db));
      }
      default:
        return nullptr;
    }
  }

  Tree ofCall(const Tree& e) {
    const Trees& a = e->arguments;
    const FunctionKind kind = e->function->kind;
    const std::string f(e->function->name);
    if (kind == FunctionKind::before || kind == FunctionKind::initial) return numberNode(0);
    if (kind == FunctionKind::noEvent) {
      const Tree d = of(a[0]);
      return d ? callNode("noEvent", {d}) : nullptr;
    }
    if (kind == FunctionKind::smooth) return of(a[1]);
    if (kind == FunctionKind::conversion) {
      const Tree d = of(a[0]);
      return d ? productOf(numberNode(e->function->scale), d) : nullptr;
    }
    if (a.size() == 1) {
      const Tree d = of(a[0]);
      if (!d) return nullptr;
      if (isValue(*d, 0)) return d;
      const Tree slope = slopeOf(f, e, a[0]);
      return slope ? productOf(slope, d) : nullptr;
    }
    if (a.size() != 2) return nullptr;
    const Tree da = of(a[0]), db = of(a[1]);
    if (!da || !db) return nullptr;
    if (f == "min" || f == "max") {
      const Operator op = f == "min" ? Operator::less : Operator::greater;
      return callNode("noEvent",
                      {treeOf(NodeKind::conditional, {operationNode(op, a[0], a[1]), da, db})});
    }
    if (f == "atan2") {
      return quotientOf(differenceOf(productOf(a[1], da), productOf(a[0], db)),
                        sumOfSquares({a[0], a[1]}));
    }
    if (f == "div") return numberNode(0);
    if ((f == "mod" || f == "rem") && isValue(*db, 0)) return da;
    return nullptr;
  }

  const std::function<Tree(const ScalarAtom&)>& rateOf_;
};

}  // namespace

Tree rateOfScalar(const Tree& e, const std::function<Tree(const ScalarAtom&)>& rateOf) {
  return RateOfScalar(rateOf).of(e);
}

}  // namespace cardan::modelica
