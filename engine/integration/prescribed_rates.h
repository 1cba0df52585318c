/// PrescribedRates: whether a velocity that is prescribed beside a position is its rate.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/integration/warning_tally.h"

namespace cardan {

/// A component may take both from signals that do not know of each other (Rotational.Move). Positions then
/// follow the one, velocities the other, and no motion is both: so it is told.
class PrescribedRates {
 public:
  explicit PrescribedRates(const Equations& equations);

  /// Looks at (t, y, yp), where the constraints are met and rates of states are those of the model;
  /// `tolerance`: relative, of the run.
  void look(double t, std::span<const double> y, std::span<const double> yp, double tolerance);
  std::vector<std::string> warnings() const { return warnings_.texts(); }

  auto kept() { return std::tie(warnings_); }

 private:
  struct Row {
    int multiplier, instance;
  };
  bool isOpen(int multiplier);

  /// What the rate of a position may be off, in tolerances and in its scale: far above what an integration
  /// leaves of either.
  static constexpr double kMostOff = 1000, kLeastOff = 1e-4;

  const Equations& equations_;
  std::vector<Row> rows_;  ///< of components that take both
  std::optional<EvaluationPoint> at_;
  WarningTally warnings_;
};

inline PrescribedRates::PrescribedRates(const Equations& equations) : equations_(equations) {
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
}

/// The position reads an unknown whose rate nobody knows.
inline bool PrescribedRates::isOpen(int multiplier) {
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
        reads = reads || w.positionResidues[multiplier].lane(lane) != 0;
      });
  return reads;
}

inline void PrescribedRates::look(double t, std::span<const double> y, std::span<const double> yp,
                                  double tolerance) {
  if (rows_.empty()) return;
  if (!at_) at_.emplace(equations_);
  std::vector<double> rates(yp.begin(), yp.end());
  kinematicRates(equations_.layout(), y.data(), rates.data());
  at_->setPoint(t, y.data(), rates.data());
  const double largest = std::max(kMostOff * tolerance, kLeastOff);
  const Workspace<Dual>& w = at_->alongTheFlow();
  std::vector<double> offs;
  for (const Row& row : rows_) {
    const int k = row.multiplier;
    offs.push_back(w.positionResidues[k].lane(0) - w.velocityResidues[k].v);
  }
  for (size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const int k = row.multiplier;
    const double off = offs[i];
    if (!(std::abs(off) > largest * equations_.velocityScale(k)) || isOpen(k)) continue;
    const FlatModel& flat = equations_.flatModel();
    const Instance& of = flat.instances[row.instance];
    warnings_.add(
        of.name,
        fmt::format("{} ({}:{}:{}): the velocity that it prescribes is not the rate of its "
                    "position but {:.3g} {} more: no motion is both",
                    flat.typeAndName(row.instance), of.at.file, of.at.line, of.at.column, off,
                    equations_.isLength[k] ? "m/s" : "rad/s"),
        t, std::abs(off));
  }
}

}  // namespace cardan
