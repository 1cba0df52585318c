#include "engine/modelica/syntax.h"

#include <algorithm>

#include "engine/expression/value.h"
#include "engine/text/joined.h"

namespace cardan::modelica {

std::string TypeName::format() const { return (isGlobal ? "." : "") + joined(parts, "."); }

std::string calledName(const Expression& e) { return joined(e.name, ".", &NamePart::name); }

Expression made(ExpressionKind kind, Position at) {
  Expression e;
  e.kind = kind;
  e.at = at;
  return e;
}

Expression numberAt(Position at, double x) {
  Expression e = made(ExpressionKind::number, at);
  e.number = x;
  e.text = formatNumber(x);
  return e;
}

bool anyIn(const Expression& e, const std::function<bool(const Expression&)>& is) {
  return is(e) ||
         std::ranges::any_of(e.arguments, [&](const Expression& a) { return anyIn(a, is); });
}

void forNames(const Expression& e, const std::function<void(const Expression&, bool)>& f,
              bool isRate) {
  if (e.kind == ExpressionKind::name) f(e, isRate);
  const bool isCall = e.kind == ExpressionKind::call && e.name.size() == 1;
  if (isCall && e.name[0].name == "pre") return;
  const bool isOfRate = isRate || (isCall && e.name[0].name == "der");
  for (const Expression& a : e.arguments) forNames(a, f, isOfRate);
}

const Expression* rateArgument(const Expression& e) {
  const bool isRate =
      e.kind == ExpressionKind::call && calledName(e) == "der" && e.arguments.size() == 1;
  return isRate ? &e.arguments[0] : nullptr;
}

const Expression* rateNamed(const Expression& e) {
  const Expression* of = rateArgument(e);
  return of && of->kind == ExpressionKind::name ? of : nullptr;
}

namespace {

bool areTheSame(const std::vector<Expression>& a, const std::vector<Expression>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return saysTheSame(x, y); });
}

bool saysTheSame(const Modification& a, const Modification& b) {
  const auto isSame = [](const Argument& x, const Argument& y) {
    return x.name == y.name && x.isEach == y.isEach && x.isFinal == y.isFinal &&
           x.redeclaration == y.redeclaration && saysTheSame(x.modification, y.modification);
  };
  return a.value.has_value() == b.value.has_value() &&
         (!a.value || saysTheSame(*a.value, *b.value)) &&
         std::ranges::equal(a.arguments, b.arguments, isSame);
}

}  // namespace

bool saysTheSame(const Expression& a, const Expression& b) {
  const auto isSamePart = [](const NamePart& x, const NamePart& y) {
    return x.name == y.name && areTheSame(x.subscripts, y.subscripts);
  };
  const auto isSameIndex = [](const ForIndex& x, const ForIndex& y) {
    return x.name == y.name && areTheSame(x.range, y.range);
  };
  return a.kind == b.kind && a.op == b.op && a.number == b.number && a.isGlobal == b.isGlobal &&
         (a.kind == ExpressionKind::number || a.text == b.text) &&
         std::ranges::equal(a.name, b.name, isSamePart) && areTheSame(a.arguments, b.arguments) &&
         a.argumentNames == b.argumentNames &&
         std::ranges::equal(a.indices, b.indices, isSameIndex);
}

bool saysTheSame(const Element& a, const Element& b) {
  return a.type.format() == b.type.format() && a.variability == b.variability &&
         a.isFlow == b.isFlow && a.isInput == b.isInput && a.isOutput == b.isOutput &&
         areTheSame(a.sizes, b.sizes) && saysTheSame(a.modification, b.modification);
}

}  // namespace cardan::modelica
