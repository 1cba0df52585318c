/// PrescribedRates: whether velocities and accelerations that are prescribed beside a position are its rates.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/integration/warning_tally.h"

namespace cardan {

/// A component may take them from signals that do not know of each other (Rotational.Move). Positions then
/// follow the one, velocities the other, nothing follows the accelerations, and no motion is all: so it is
/// told.
class PrescribedRates {
 public:
  PrescribedRates(const Equations& equations, const VariableTable& variables);

  /// Looks at (t, y, yp), where the constraints are met and rates of states are those of the model;
  /// `tolerance`: relative, of the run.
  void look(double t, std::span<const double> y, std::span<const double> yp, double tolerance);

  /// Rates whose own rates have a part in the motion, at (t, y, yp): der(y) where something reads
  /// der(der(y)).
  struct Rated {
    double value, rate;
  };
  std::vector<Rated> ratedTwice(double t, std::span<const double> y, std::span<const double> yp);
  /// The same behind an event, where they were `before` in front of it: what they jump by no second rate has.
  void lookAtJumps(const std::vector<Rated>& before, double t, std::span<const double> y,
                   std::span<const double> yp, double tolerance);
  std::vector<std::string> warnings() const { return warnings_.texts(); }

  auto kept() { return std::tie(warnings_); }

 private:
  struct Row {
    int multiplier, instance;
    /// What its component guesses of the acceleration; null: nothing.
    const VariableFunction* acceleration = nullptr;
  };
  bool isOpen(bool ofVelocity, int multiplier);

  /// What a rate may be off, in tolerances and in its scale: far above what an integration
  /// leaves of either.
  static constexpr double kMostOff = 1000, kLeastOff = 1e-4;

  EvaluationPoint& pointAt(double t, std::span<const double> y, std::span<const double> yp);

  const Equations& equations_;
  const VariableTable& variables_;
  std::vector<Row> rows_;                     ///< of components that take both
  std::vector<const SignalSource*> ofRates_;  ///< der(y) where something reads der(der(y))
  std::optional<EvaluationPoint> at_;
  WarningTally warnings_;
};

inline PrescribedRates::PrescribedRates(const Equations& equations, const VariableTable& variables)
    : equations_(equations), variables_(variables) {
  const FlatModel& flat = equations.flatModel();
  const Layout& l = equations.layout();
  for (size_t c = 0; c < flat.constraints.size(); ++c) {
    const FlatModel::Constraint& of = flat.constraints[c];
    // A component that asks for the rate of its signal has the right one.
    const bool takesRates = std::ranges::any_of(flat.inputs, [&](const FlatModel::Input& i) {
      return i.instance == of.instance && i.rate == Rate::NotNeeded;
    });
    for (int k = l.constraintOffset[c]; takesRates && k < l.constraintOffset[c] + of.positionRows;
         ++k)
      if (!equations.readsPrescribed[k]) rows_.push_back({k, of.instance});
  }
  for (Row& row : rows_) {
    for (const VariableTable::Initial& i : variables.initials()) {
      if (i.instance == row.instance && i.info.level == Level::Acceleration)
        row.acceleration = i.function.get();
    }
  }
  for (const SignalSource& s : equations.signals().sources()) {
    if (s.rateOf >= 0 && s.rate && s.resultOrder == 0) ofRates_.push_back(&s);
  }
}

/// The residue reads an unknown whose rate nobody knows.
inline bool PrescribedRates::isOpen(bool ofVelocity, int multiplier) {
  const Layout& l = equations_.layout();
  std::vector<int> open;
  for (int i = l.xOffset(); i < l.lambdaOffset(); ++i) {
    if (!l.unknowns[i].differential && std::ranges::find(at_->carried(), i) == at_->carried().end())
      open.push_back(i);
  }
  bool reads = false;
  at_->columns(
      static_cast<int>(std::ssize(open)), {.kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) { w.y[open[c]].setLane(lane, on); },
      [&](const Workspace<Dual>& w, int, int lane) {
        const auto& residues = ofVelocity ? w.velocityResidues : w.positionResidues;
        reads = reads || residues[multiplier].lane(lane) != 0;
      });
  return reads;
}

inline EvaluationPoint& PrescribedRates::pointAt(double t, std::span<const double> y,
                                                 std::span<const double> yp) {
  if (!at_) at_.emplace(equations_);
  std::vector<double> rates(yp.begin(), yp.end());
  kinematicRates(equations_.layout(), y.data(), rates.data());
  at_->setPoint(t, y.data(), rates.data());
  return *at_;
}

inline std::vector<PrescribedRates::Rated> PrescribedRates::ratedTwice(double t,
                                                                       std::span<const double> y,
                                                                       std::span<const double> yp) {
  std::vector<Rated> found;
  if (ofRates_.empty()) return found;
  const Workspace<double>& w = pointAt(t, y, yp).evaluate({.kinematicRows = false});
  for (const SignalSource* s : ofRates_) {
    for (int k = s->slot; k < s->slot + s->size; ++k)
      found.push_back({w.signals[k], w.signalRates[k]});
  }
  return found;
}

inline void PrescribedRates::lookAtJumps(const std::vector<Rated>& before, double t,
                                         std::span<const double> y, std::span<const double> yp,
                                         double tolerance) {
  const std::vector<Rated> after = ratedTwice(t, y, yp);
  const double largest = std::max(kMostOff * tolerance, kLeastOff);
  // An instant is known to some accuracy only, in which a rate may pass zero.
  const auto scale = [&](const Rated& r) {
    return std::max(std::abs(r.value), std::abs(r.rate) * equations_.state.scales.time);
  };
  size_t i = 0;
  for (const SignalSource* s : ofRates_) {
    for (int k = 0; k < s->size; ++k, ++i) {
      const double jump = after[i].value - before[i].value;
      if (!(std::abs(jump) > largest * std::max(scale(before[i]), scale(after[i])))) continue;
      const auto& all = equations_.signals().sources();
      std::string name;
      const SignalSource* of = s;
      for (; of->rateOf >= 0; of = &*std::ranges::find(all, of->rateOf, &SignalSource::slot))
        name += "der(";
      const VariableTable::Variable& v = variables_[of->variable];
      const SourceMark& mark =
          v.expression || v.instance < 0 ? of->at : equations_.flatModel().instances[v.instance].at;
      name += v.name + std::string(std::ranges::count(name, '('), ')');
      warnings_.add(name,
                    fmt::format("'{}' ({}:{}:{}) jumps by {:.3g}: 'der({})', which the motion "
                                "takes, is not finite there and knows nothing of the jump",
                                name, mark.file, mark.line, mark.column, jump, name),
                    t, std::abs(jump));
    }
  }
}

inline void PrescribedRates::look(double t, std::span<const double> y, std::span<const double> yp,
                                  double tolerance) {
  if (rows_.empty()) return;
  const double largest = std::max(kMostOff * tolerance, kLeastOff);
  const Workspace<Dual>& w = pointAt(t, y, yp).alongTheFlow();
  struct Off {
    const Row* row;
    bool isAcceleration;
    double by;
  };
  std::vector<Off> offs;
  for (const Row& row : rows_) {
    const int k = row.multiplier;
    Dual acceleration(std::numeric_limits<double>::quiet_NaN());
    if (row.acceleration)
      row.acceleration->evaluate(View<Dual>(at_->dualWorkspace().tables), &acceleration);
    offs.push_back({&row, false, w.positionResidues[k].lane(0) - w.velocityResidues[k].v});
    offs.push_back({&row, true, w.velocityResidues[k].lane(0) - acceleration.v});
  }
  for (const auto& [row, isAcceleration, by] : offs) {
    const int k = row->multiplier;
    const double unit = isAcceleration ? equations_.state.scales.time : 1;
    if (!(std::abs(by) * unit > largest * equations_.velocityScale(k)) || isOpen(isAcceleration, k))
      continue;
    const Instance& of = equations_.flatModel().instances[row->instance];
    const char* const what = isAcceleration ? "acceleration" : "velocity";
    warnings_.add(
        of.name + what,
        fmt::format("{} ({}:{}:{}): the {} that it prescribes is not the rate of its {} "
                    "but {:.3g} {}{} more: no motion is both",
                    equations_.flatModel().typeAndName(row->instance), of.at.file, of.at.line,
                    of.at.column, what, isAcceleration ? "velocity" : "position", by,
                    equations_.isLength[k] ? "m/s" : "rad/s", isAcceleration ? "2" : ""),
        t, std::abs(by));
  }
}

}  // namespace cardan
