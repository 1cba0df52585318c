#include "engine/model_file/model_source.h"

#include <algorithm>
#include <cmath>

#include "components/names.h"
#include "engine/expression/functions.h"

namespace cardan {

std::string tooShortToRun(double start, double stop) {
  constexpr double kShortest = 1e-100;  // its square is a number still
  constexpr double kDigits = 1e-12;  // of the time: a few thousand instants that can be told apart
  const double span = stop - start;
  if (span >= std::max(kShortest, kDigits * std::max(std::abs(start), std::abs(stop)))) return "";
  return "must be farther from 'start' (" + formatNumber(start) +
         "): numbers cannot resolve steps within " + formatNumber(span) + " s there";
}

std::string ModelSource::withoutAliases(const std::string& full) const {
  if (connectorAliases.empty()) return full;
  for (std::string_view part = full; !part.empty(); part = ownerName(part, ".[")) {
    const auto found = connectorAliases.find(std::string(part));
    if (found != connectorAliases.end()) return found->second + full.substr(part.size());
  }
  return full;
}

namespace {

/// By its form: a relation, `and`, `not`, `if` between such, and what names of such stand for.
bool isBooleanForm(const ExpressionNode& node,
                   const std::function<bool(const std::string&)>& isBooleanName) {
  switch (node.kind) {
    case NodeKind::name:
      return isBooleanName(node.text);
    case NodeKind::boolean:
      return true;
    case NodeKind::unary:
      return node.op == Operator::logicalNot;
    case NodeKind::binary:
      return node.op >= Operator::logicalOr && node.op <= Operator::notEqual;
    case NodeKind::conditional:
      return isBooleanForm(*node.arguments[1], isBooleanName);
    case NodeKind::call: {
      const FunctionKind k = node.function->kind;
      if (k == FunctionKind::before || k == FunctionKind::noEvent)
        return isBooleanForm(*node.arguments[0], isBooleanName);
      return k == FunctionKind::edge || k == FunctionKind::change || k == FunctionKind::initial ||
             k == FunctionKind::terminal || k == FunctionKind::sample;
    }
    default:
      return false;
  }
}

}  // namespace

bool ModelSource::isBoolean(const VariableDescription& of,
                            const std::function<bool(const std::string&)>& isOther) const {
  std::set<const VariableDescription*> open;  // that the answer is looked for through
  const auto isOne = [&](const auto& self, const VariableDescription& v) -> bool {
    if (!v.type.empty()) return v.type == "Boolean";
    if (const auto& start = v.start.start; start && start->isScalar())
      return start->text == "true" || start->text == "false";
    if (!open.insert(&v).second) return false;
    const auto isForm = [&](const ExpressionNode& node, int scope) {
      return isBooleanForm(node, [&](const std::string& local) {
        for (int s = scope; s >= 0; s = scopes[s].parent) {
          const std::string full = scopes[s].prefix + local;
          const auto own = std::ranges::find(variables, full, &VariableDescription::name);
          if (own != variables.end()) return self(self, *own);
          if (isOther && isOther(withoutAliases(full))) return true;
        }
        return false;
      });
    };
    if (v.expression)
      return v.expression->tree && isForm(v.expression->tree->root(), v.expression->scope);
    for (const SourceEquation& e : equations) {
      if (!e.tree || e.tree->left.root().kind != NodeKind::name) continue;
      const std::string full = scopes[e.scope].prefix + e.tree->left.root().text;
      if (full == v.name) return isForm(e.tree->right.root(), e.scope);
    }
    return false;
  };
  return isOne(isOne, of);
}

bool ModelSource::isUnread(const std::string& full) const {
  if (unread.empty()) return false;
  for (std::string_view part = full; !part.empty(); part = ownerName(part, ".[")) {
    if (unread.contains(std::string(part))) return true;
  }
  return false;
}

}  // namespace cardan
