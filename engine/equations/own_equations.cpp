#include "engine/equations/own_equations.h"

#include <algorithm>
#include <utility>

#include "engine/structure/circles.h"

namespace cardan {

OwnEquations::OwnEquations(const ModelSource& model, Diagnostics& diagnostics) : model_(&model) {
  for (size_t i = 0; i < model.variables.size(); ++i) byName_.emplace(model.variables[i].name, i);
  order_.assign(model.variables.size(), 0);
  findDiscretes();
  read(diagnostics);
  findOrders();
  // The name of a rate that is differentiated itself is a state.
  std::vector<bool> isRow;
  for (const Definition& d : definitions_) isRow.push_back(isState(d) || startsAsState(d));
  std::vector<Definition> kept;
  for (size_t i = 0; i < definitions_.size(); ++i) {
    Definition& d = definitions_[i];
    if (isRow[i]) {
      rows_.push_back({std::move(d.equation), d.scope});
    } else {
      kept.push_back(std::move(d));
    }
  }
  definitions_ = std::move(kept);
  breakCircles();
  std::vector<bool> defined(model.variables.size(), false);
  for (const Definition& d : definitions_) defined[d.variable] = true;
  for (size_t i = 0; i < model.variables.size(); ++i) {
    if (!defined[i] && !isDiscrete_[i] && !model.variables[i].expression) unknowns_.push_back(i);
  }
}

std::optional<size_t> OwnEquations::variable(const std::string& name, int scope) const {
  for (int s = scope; s >= 0; s = model_->scopes[s].parent) {
    const std::string full = model_->scopes[s].prefix + name;
    for (size_t end = full.size(); end != std::string::npos && end > 0;) {
      const auto found = byName_.find(full.substr(0, end));
      if (found != byName_.end()) return found->second;
      if (full[end - 1] != ']') break;
      end = full.rfind('[', end - 1);
    }
  }
  return std::nullopt;
}

/// What `when` sets changes at events alone.
void OwnEquations::findDiscretes() {
  isDiscrete_.assign(model_->variables.size(), false);
  for (const WhenDescription& w : model_->whens) {
    for (const WhenBranchDescription& b : w.branches) {
      for (const auto& a : b.set) {
        const auto v = variable(a.target, w.scope);
        if (!v || model_->variables[*v].expression || isDiscrete_[*v]) continue;
        isDiscrete_[*v] = true;
        discretes_.push_back(*v);
      }
    }
  }
  std::ranges::sort(discretes_);
}

void OwnEquations::read(Diagnostics& diagnostics) {
  std::vector<bool> defined(model_->variables.size(), false);
  for (const SourceEquation& e : model_->equations) {
    std::optional<Equation> equation = e.readTree(diagnostics);
    if (!equation) continue;
    const ExpressionNode& left = equation->left.root();
    std::optional<size_t> of;
    if (left.kind == NodeKind::name) {
      of = variable(left.text, e.scope);
      // "x[2] = ..." is an equation for one element.
      const bool whole = of && model_->variables[*of].name.ends_with(left.text);
      if (!whole || model_->variables[*of].expression || defined[*of]) of.reset();
    }
    if (of && isDiscrete_[*of]) {
      diagnostics.error(equation->left.at(),
                        "variable '" + model_->variables[*of].name +
                            "' is set by 'when', so that an equation must not define it");
      continue;
    }
    if (of) {
      defined[*of] = true;
      definitions_.push_back({*of, std::move(*equation), e.scope});
    } else {
      rows_.push_back({std::move(*equation), e.scope});
    }
  }
}

void OwnEquations::findOrders() {
  std::vector<bool> seen(model_->variables.size(), false);
  std::vector<size_t> open;  // variables with expressions, which the equations read
  const auto count = [&](const Expression& e, int scope) {
    for (const NameReference& n : namesIn(e)) {
      const auto v = n.derivativeOrder >= 0 ? variable(n.name, scope) : std::nullopt;
      if (!v) continue;
      order_[*v] = std::max(order_[*v], n.derivativeOrder);
      if (seen[*v] || !model_->variables[*v].expression) continue;
      seen[*v] = true;
      open.push_back(*v);
    }
  };
  for (const Row& r : rows_) {
    count(r.equation.left, r.scope);
    count(r.equation.right, r.scope);
  }
  for (const Definition& d : definitions_) count(d.equation.right, d.scope);
  while (!open.empty()) {
    const auto& expression = model_->variables[open.back()].expression;
    open.pop_back();
    if (expression->tree) count(*expression->tree, expression->scope);
  }
}

/// `v = der(s)`, where the rate of v is used as well and s is an unknown, or is defined by some: what
/// components alone define has rates of its own.
bool OwnEquations::isState(const Definition& d) const {
  if (order_[d.variable] == 0) return false;
  std::vector<const Definition*> definition(model_->variables.size(), nullptr);
  for (const Definition& other : definitions_) definition[other.variable] = &other;
  std::vector<bool> seen(model_->variables.size(), false);
  std::vector<size_t> open;
  for (const NameReference& n : namesIn(d.equation.right)) {
    const auto v = n.derivativeOrder > 0 ? variable(n.name, d.scope) : std::nullopt;
    if (v) open.push_back(*v);
  }
  while (!open.empty()) {
    const size_t v = open.back();
    open.pop_back();
    if (seen[v] || model_->variables[v].expression) continue;
    seen[v] = true;
    if (!definition[v]) return true;
    for (size_t r : readBy(definition[v]->equation.right, definition[v]->scope)) open.push_back(r);
  }
  return false;
}

/// `x = z^3`, where x starts at a fixed value, an equation has its rate and none that of z: x is the state, from
/// which z is found.
bool OwnEquations::startsAsState(const Definition& d) const {
  const auto& fixed = model_->variables[d.variable].start.fixed;
  if (order_[d.variable] == 0 || !fixed || fixed->text != "true") return false;
  const auto hasRate = [&](const Expression& e, int scope) {
    return std::ranges::any_of(namesIn(e), [&](const NameReference& n) {
      return n.derivativeOrder > 0 && variable(n.name, scope) == d.variable;
    });
  };
  const bool isInRow = std::ranges::any_of(rows_, [&](const Row& r) {
    return hasRate(r.equation.left, r.scope) || hasRate(r.equation.right, r.scope);
  });
  return isInRow && std::ranges::any_of(readBy(d.equation.right, d.scope), [&](size_t v) {
           return order_[v] == 0 && !isDiscrete_[v] && !model_->variables[v].expression &&
                  std::ranges::find(definitions_, v, &Definition::variable) == definitions_.end();
         });
}

std::vector<size_t> OwnEquations::readBy(const Expression& e, int scope) const {
  std::vector<size_t> result;
  for (const NameReference& n : namesIn(e)) {
    if (n.derivativeOrder < 0) continue;
    if (const auto v = variable(n.name, scope)) result.push_back(*v);
  }
  return result;
}

/// Definitions that depend on themselves become equations between unknowns.
void OwnEquations::breakCircles() {
  const size_t n = model_->variables.size();
  std::vector<std::vector<size_t>> reads(n);
  std::vector<bool> left(n, false);
  for (const Definition& d : definitions_) {
    left[d.variable] = true;
    reads[d.variable] = readBy(d.equation.right, d.scope);
  }
  for (size_t i = 0; i < n; ++i) {
    const auto& expression = model_->variables[i].expression;
    if (!expression || !expression->tree) continue;
    left[i] = true;
    reads[i] = readBy(*expression->tree, expression->scope);
  }
  left = onCircles(reads, std::move(left));
  std::vector<Definition> kept;
  for (Definition& d : definitions_) {
    if (left[d.variable]) {
      rows_.push_back({std::move(d.equation), d.scope});
    } else {
      kept.push_back(std::move(d));
    }
  }
  definitions_ = std::move(kept);
}

}  // namespace cardan
