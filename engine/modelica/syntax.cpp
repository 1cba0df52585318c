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

void findUses(const Expression& e, ForIndex& index) {
  for (const Expression& a : e.arguments) findUses(a, index);
  for (const ForIndex& inner : e.indices) {
    for (const Expression& range : inner.range) findUses(range, index);
  }
  const auto isIndex = [&](const Expression& one) {
    return one.kind == ExpressionKind::name && calledName(one) == index.name;
  };
  bool isInside = false;  // a part before has it already
  for (size_t p = 0; p < e.name.size(); ++p) {
    const std::vector<Expression>& subscripts = e.name[p].subscripts;
    for (size_t d = 0; d < subscripts.size(); ++d) {
      findUses(subscripts[d], index);
      if (!isIndex(subscripts[d]) || isInside) continue;
      Expression size = made(ExpressionKind::call, e.at), array = made(ExpressionKind::name, e.at);
      size.name.push_back({"size", {}});
      array.isGlobal = e.isGlobal;
      array.name.assign(e.name.begin(), e.name.begin() + p + 1);
      array.name.back().subscripts.clear();
      size.arguments = {std::move(array), numberAt(e.at, static_cast<double>(d + 1))};
      index.range.push_back(std::move(size));
      index.isImplied = true;
    }
    isInside = isInside || std::ranges::any_of(
                               subscripts, [&](const Expression& s) { return anyIn(s, isIndex); });
  }
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
