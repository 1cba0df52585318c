#include "engine/equations/not_finite.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "engine/equations/model_equations.h"

namespace cardan {

std::optional<Diagnostic> whatIsNotFinite(const Equations& equations, Workspace<double>& w) {
  equations.evaluate(w, {.connectorLoads = true, .measure = true});
  const View<double> view(w.tables);
  std::optional<Diagnostic> symptom;
  /// True: the cause itself.
  const auto examine = [&](const ExpressionVariable& e, const std::string& user) {
    const auto fault = e.fault(view);
    if (!fault || (fault->isRead && symptom)) return false;
    std::string text = fault->text + ", for " + user;
    if (!fault->cure.empty()) text += "; where it is to end at that border, write " + fault->cure;
    symptom = Diagnostic{Severity::error, fault->at, std::move(text), ErrorKind::general};
    return !fault->isRead;
  };
  for (const SignalSource& s : equations.signals().sources()) {
    if (!s.expression) continue;
    const auto first = w.signals.begin() + s.slot;
    if (std::all_of(first, first + s.size, [](double x) { return std::isfinite(x); })) continue;
    if (examine(*s.expression, "'" + s.name + "'")) return symptom;
  }
  if (ModelEquations* rows = equations.signals().modelEquations()) {
    for (const ModelEquations::Row& r : rows->rows()) {
      for (const ExpressionVariable* side : {r.left.get(), r.right.get()}) {
        if (side && examine(*side, "an equation of the model")) return symptom;
      }
    }
  }
  return symptom;
}

std::vector<const ExpressionVariable*> undecidableIn(const Equations& equations,
                                                     const WhenClauses& whens) {
  std::vector<const ExpressionVariable*> found;
  const auto add = [&](const ExpressionVariable* e) {
    if (e && e->mayBeUndecided()) found.push_back(e);
  };
  for (const SignalSource& s : equations.signals().sources()) add(s.expression.get());
  if (ModelEquations* rows = equations.signals().modelEquations()) {
    for (const ModelEquations::Row& r : rows->rows()) {
      add(r.left.get());
      add(r.right.get());
    }
  }
  whens.forEachExpression([&](const ExpressionVariable& e, bool switches) {
    if (switches) add(&e);
  });
  return found;
}

}  // namespace cardan
