#include "engine/modelica/syntax.h"

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

void forNames(const Expression& e, const std::function<void(const Expression&, bool)>& f,
              bool isRate) {
  if (e.kind == ExpressionKind::name) f(e, isRate);
  const bool isCall = e.kind == ExpressionKind::call && e.name.size() == 1;
  if (isCall && e.name[0].name == "pre") return;
  const bool isOfRate = isRate || (isCall && e.name[0].name == "der");
  for (const Expression& a : e.arguments) forNames(a, f, isOfRate);
}

const Expression* rateNamed(const Expression& e) {
  const bool isRate = e.kind == ExpressionKind::call && e.name.size() == 1 &&
                      e.name[0].name == "der" && e.arguments.size() == 1 &&
                      e.arguments[0].kind == ExpressionKind::name;
  return isRate ? &e.arguments[0] : nullptr;
}

}  // namespace cardan::modelica
