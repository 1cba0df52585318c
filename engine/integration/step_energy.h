/// StepEnergy: what a step has made of the energy of a model in which things touch.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/structure/mechanical_totals.h"
#include "engine/structure/variable_table.h"

namespace cardan {

/// Euler's implicit method takes energy where forces grow along the motion, and makes some where they
/// fall: E_1 - E_0 - h dE/dt_1, with the rate that springs, dampers, drives and gravity have at the end,
/// is its error. In contact that is much more than elsewhere: a corner that turns away from under its
/// load loses its force within one step, and the law of a pair that has passed its middle has no
/// meaning. What drives give a step by their power at its end is no such error.
class StepEnergy {
 public:
  StepEnergy(Equations& equations, const VariableTable& variables)
      : equations_(equations), w_(equations.makeWorkspace<double>()) {
    const FlatModel& flat = equations.flatModel();
    std::vector<char> hasModes(flat.instances.size(), 0);
    for (const FlatModel::Mode& m : flat.modes) hasModes[static_cast<size_t>(m.instance)] = 1;
    for (const bool touches : {true, false}) {
      for (const VariableTable::Mechanics& m : variables.mechanics()) {
        if ((hasModes[static_cast<size_t>(m.instance)] != 0) == touches)
          parts_.push_back(m.function.get());
      }
      if (touches) touching_ = parts_.size();
    }
    for (Energies* e : {&begin_, &end_, &after_, &before_}) e->touching.resize(touching_);
    given_.resize(touching_);
  }

  /// Something stores energy that has modes: what touches and parts.
  bool any() const { return touching_ > 0; }

  /// A point at whose rates yp a step has gone for `length` [s].
  struct Stage {
    double length, t;
    const std::vector<double>*y, *yp;
  };
  /// Energies at the beginning of a step, with which made() compares.
  void begin(double t, const std::vector<double>& y, const std::vector<double>& yp) {
    look(t, y, yp, 0, begin_);
  }
  /// [J]  Energy that the step to the last of its `stages` has made, if it is more than is taken for
  /// nothing; else 0. All stages together are as long as the step.
  double made(std::span<const Stage> stages) {
    const Stage& last = stages.back();
    look(last.t, *last.y, *last.yp, 0, end_);
    double known = begin_.kinetic;
    for (const double x : begin_.touching) known += std::abs(x);
    const double nothing = kNothing * known + kRounding * (begin_.sizes + end_.sizes);
    const double more = end_.total - begin_.total;
    if (more <= nothing) return 0;
    double power = 0, length = 0;
    std::ranges::fill(given_, 0.0);
    for (const Stage& s : stages) length += s.length;
    for (const Stage& s : stages) {
      const double aside = kAside * length, part = 0.5 * s.length / aside;
      look(s.t, *s.y, *s.yp, aside, after_);
      look(s.t, *s.y, *s.yp, -aside, before_);
      power += part * (after_.total - before_.total);
      for (size_t i = 0; i < touching_; ++i)
        given_[i] += part * (after_.touching[i] - before_.touching[i]);
    }
    double byTouch = 0;
    for (size_t i = 0; i < touching_; ++i)
      byTouch += std::max(0.0, end_.touching[i] - begin_.touching[i] - given_[i]);
    // Of one stage, what drives give unsteadily is an error of first order and no business of ours; of two
    // it is of second, and motion alone may have made it.
    const double unpaid = more - std::max(0.0, power);
    const double made = stages.size() > 1 ? unpaid : std::min(unpaid, byTouch);
    return made > nothing ? made : 0;
  }

 private:
  static constexpr double kNothing = 1e-8;    // of the energies of motion and touch
  static constexpr double kRounding = 1e-13;  // of the sizes of all terms
  static constexpr double kAside = 1e-3;      // of a step: rates are differences over twice that

  struct Energies {
    double total = 0, kinetic = 0, sizes = 0;  ///< [J]  sizes: of all terms, without signs
    std::vector<double> touching;              ///< [J]  of each that touches
  };
  /// At a point, or `ahead` [s] from there along its rates.
  void look(double t, const std::vector<double>& y, const std::vector<double>& yp, double ahead,
            Energies& to) {
    for (size_t i = 0; i < y.size(); ++i) w_.y[i] = y[i] + ahead * yp[i];
    std::ranges::copy(yp, w_.yp.begin());
    w_.tables.time = t + ahead;
    equations_.evaluate(w_, {.loads = false, .kinematicRows = false});
    const View<double> view(w_.tables);
    to.total = to.kinetic = to.sizes = 0;
    std::array<double, kContribution> part;
    for (size_t i = 0; i < parts_.size(); ++i) {
      parts_[i]->evaluate(view, part.data());
      if (i < touching_) to.touching[i] = part[1];
      to.kinetic += part[0];
      to.total += part[0] + part[1];
      to.sizes += std::abs(part[0]) + std::abs(part[1]);
    }
  }

  Equations& equations_;
  Workspace<double> w_;
  std::vector<const VariableFunction*> parts_;  ///< those that touch come first
  size_t touching_ = 0;
  Energies begin_, end_, after_, before_;
  std::vector<double> given_;  ///< [J]  what those that touch took, by the rates of the stages
};

}  // namespace cardan
