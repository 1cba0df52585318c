#include "engine/initialisation/held_starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/expression/value.h"

namespace cardan {
namespace {

/// Numbers that continuous unknowns determine are found to this part of themselves.
constexpr double kSameNumber = 1e-10;

}  // namespace

View<double> HeldStarts::viewAt(double t, const std::vector<double>& y,
                                const std::vector<double>& yp) {
  if (!point_) point_.emplace(equations_);
  point_->setPoint(t, y.data(), yp.data());
  point_->evaluateWithFlow();
  return View<double>(point_->valueWorkspace().tables);
}

bool HeldStarts::take(double t, const std::vector<double>& y, const std::vector<double>& yp) {
  const std::vector<HeldStart>& all = model_.heldStarts();
  std::vector<double>& held = equations_.state.held;
  const std::vector<double> before = held;
  bool changes = !all.empty();
  // A chain of them takes as many rounds as it is long.
  for (size_t round = 0; changes && round <= all.size(); ++round) {
    changes = false;
    for (const HeldStart& s : all) {
      buffer_.resize(s.places.size());
      s.value->evaluate(viewAt(t, y, yp), buffer_.data());
      for (size_t i = 0; i < s.places.size(); ++i) {
        const double now = buffer_[i], was = held[s.places[i].front()];
        if (!std::isfinite(now)) continue;
        for (const int place : s.places[i]) held[place] = now;
        if (std::abs(now - was) <= kSameNumber * std::max(std::abs(now), std::abs(was))) continue;
        changes = true;
        changed_ = &s;
        before_ = was;
        after_ = now;
      }
      ++equations_.state.changes;
    }
  }
  return changes || !std::ranges::equal(held, before, [](double a, double b) {
           return std::abs(a - b) <= kSameNumber * std::max(std::abs(a), std::abs(b));
         });
}

void HeldStarts::throwRestless() const {
  Diagnostics diagnostics;
  diagnostics.error(
      changed_->equation->at,
      fmt::format("no start was found that '{}' agrees with: where '{}' is {}, it is to be {}",
                  changed_->equation->text, changed_->held->text(), formatNumber(before_),
                  formatNumber(after_)));
  diagnostics.throwIfErrors();
}

void HeldStarts::check(double t, const std::vector<double>& y, const std::vector<double>& yp) {
  Diagnostics diagnostics;
  for (const HeldStart& s : model_.heldStarts()) {
    const View<double> view = viewAt(t, y, yp);
    buffer_.resize(s.places.size());
    s.value->evaluate(view, buffer_.data());
    for (const double x : buffer_) {
      if (!std::isfinite(x)) {
        const auto fault = s.value->fault(view);
        diagnostics.error(fault ? fault->at : s.equation->at,
                          fmt::format("'{}' begins at no number: {}", s.held->text(),
                                      fault ? fault->text : formatNumber(x)));
        break;
      }
      if (!s.isInteger || x == std::round(x)) continue;
      diagnostics.error(s.equation->at, fmt::format("'{}' is an Integer, it is to begin at {}",
                                                    s.held->text(), formatNumber(x)));
      break;
    }
  }
  diagnostics.throwIfErrors();
}

void HeldStarts::checkConditions(double t, const std::vector<double>& y,
                                 const std::vector<double>& yp) {
  Diagnostics diagnostics;
  for (const auto& e : model_.initialEquations()) {
    if (e->isDone || !e->isDiscrete) continue;
    buffer_.resize(e->size());
    e->evaluate(viewAt(t, y, yp), buffer_.data());
    if (std::ranges::all_of(buffer_, [](double x) { return x == 0; })) continue;
    const auto start = std::ranges::find(model_.heldStarts(), e.get(), &HeldStart::equation);
    diagnostics.error(
        e->at,
        start != model_.heldStarts().end()
            ? fmt::format(
                  "'{}' does not hold: an equation of the model says what '{}' is at the start",
                  e->text, start->held->text())
            : fmt::format(
                  "'{}' does not hold, and no start of the motion can make it so: both sides "
                  "change at events alone. An initial equation says where such a variable "
                  "begins if it has it alone on one side, and no other one does",
                  e->text));
  }
  diagnostics.throwIfErrors();
}

void HeldStarts::explain(Diagnostics& diagnostics) const {
  for (const auto& e : model_.initialEquations()) {
    for (const ExpressionVariable* side : {e->left.get(), e->right.get()}) {
      const auto held = std::ranges::find_if(
          side->sources(), [&](const auto& s) { return model_.whens().held.isFree(s.variable); });
      if (e->isDone || held == side->sources().end()) continue;
      diagnostics.note(
          e->at, fmt::format("'{}' changes at events alone: an initial equation says where that "
                             "begins if it has it alone on one side",
                             model_.assembly().variables[held->variable].name));
      break;
    }
  }
}

}  // namespace cardan
