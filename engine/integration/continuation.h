/// Continuation: carries what variables remember through the accepted steps of a run: branches of
/// angles and signs of quaternions.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/equations/motion_of_parts.h"
#include "engine/integration/integrator.h"
#include "engine/structure/variable_table.h"

namespace cardan {

/// A step may hold many turns. It is followed at points of its own, so close together that no
/// branch is in doubt; which rows are written within it changes nothing.
class Continuation {
 public:
  /// `variables`: with memories that somebody reads; null: coordinates of cut joints are all there is.
  Continuation(Equations& equations, const VariableTable* variables)
      : equations_(equations),
        variables_(variables),
        w_(equations.makeWorkspace<double>()),
        next_(equations.state.memory) {
    if (!variables)
      motion_.emplace(equations, std::vector<bool>(equations.flatModel().instances.size()));
  }

  /// The integrator has arrived at `t`. Pre: called for every accepted step, before its rows.
  void follow(const Integrator& integrator, double t, double look) {
    const auto evaluate = [&](double at) {
      integrator.interpolate(at, w_.y, w_.yp);
      w_.tables.time = at;
      if (motion_) {
        motion_->evaluate(w_);
      } else {
        equations_.evaluate(w_, {.loads = false, .measure = true});
      }
    };
    points_ = 0;
    if (!begun_) {
      begun_ = true;
      now_ = integrator.previousTime();
      evaluate(now_);
      turning_ = fastestTurn();
      arrive(now_);
    } else {
      take(now_);
    }
    const double from = now_;
    evaluate(t);
    const double turning = fastestTurn();
    // Relative to each other two frames turn twice as fast at most.
    const double turned = 2 * std::max(turning, turning_) * (t - from);
    // What rests at both ends may have turned in between.
    const double parts = std::max(turned / kSmallTurn, std::ceil((t - from) / look) - 1);
    const int n = 1 + static_cast<int>(std::min(parts, kMostPoints));
    double begin = from;
    for (int k = 1; k <= n; ++k) {
      const double at = k == n ? t : from + (t - from) * k / n;
      double turn = turned / n;
      bool isThere = n == 1;
      for (double most = room(); turn > most && points_ < kMostPoints; most = room()) {
        begin += (at - begin) * most / turn;
        turn -= most;
        isThere = false;
        evaluate(begin);
        arrive(begin);
      }
      if (!isThere) evaluate(at);
      arrive(at);
      begin = at;
    }
    now_ = t;
    turning_ = turning;
  }
  /// For a row at `t` of the step followed last: what was remembered at the point before it.
  void recall(double t) {
    if (points_ == 0) return;
    const auto end = times_.begin() + points_;
    const auto after = std::upper_bound(times_.begin(), end, t);
    give(after == times_.begin() ? 0 : after - times_.begin() - 1);
  }
  /// After the rows: back to the end of the step.
  void recallNewest() {
    if (points_ > 0) give(points_ - 1);
  }

  auto kept() { return std::tie(begun_, now_, turning_, times_, memories_, measured_, points_); }

 private:
  /// How far any two frames may turn against each other between two points [rad]: a branch is in
  /// doubt beyond half a turn, and which of two triples of angles goes on already near their singular
  /// places.
  static constexpr double kSmallTurn = 0.25;
  /// Points in one step: a bound of time and memory where something spins beyond all measure.
  static constexpr double kMostPoints = 20000;
  /// A small turn where what is remembered allows for none at all [rad].
  static constexpr double kLeastTurn = 1e-3;

  /// How far frames may turn up to the next point [rad]: the last number of every memory says it.
  double room() const {
    double least = kSmallTurn;
    const std::vector<double>& now = equations_.state.memory;
    for (size_t i = 0; variables_ && i < variables_->memories().size(); ++i) {
      const bool isLast = i + 1 == variables_->memories().size();
      const size_t end = isLast ? now.size() : variables_->memories()[i + 1].offset;
      least = std::min(least, now[end - 1]);
    }
    return std::max(least, kLeastTurn);
  }

  /// The evaluated point is the newest that was passed.
  void arrive(double t) {
    const View<double> view(w_.tables);
    if (variables_) {
      for (const VariableTable::Memory& m : variables_->memories())
        m.next->evaluate(view, next_.data() + m.offset);
      std::copy(next_.begin(), next_.end(), equations_.state.memory.begin());
    }
    std::copy(w_.measured.begin(), w_.measured.end(), equations_.state.measured.begin());
    take(t);
  }
  /// Notes what is remembered at `t`.
  void take(double t) {
    if (points_ == times_.size()) {
      times_.emplace_back();
      memories_.emplace_back();
      measured_.emplace_back();
    }
    times_[points_] = t;
    memories_[points_] = equations_.state.memory;
    measured_[points_] = equations_.state.measured;
    ++points_;
  }
  void give(size_t point) {
    std::copy(memories_[point].begin(), memories_[point].end(), equations_.state.memory.begin());
    std::copy(measured_[point].begin(), measured_[point].end(), equations_.state.measured.begin());
  }
  double fastestTurn() const {
    double w = 0;
    if (motion_) {
      for (const BodyTree::Body& b : w_.bodies) w = std::max(w, b.w.vector().norm());
      return w;
    }
    for (const FrameState<double>& f : w_.frames) {
      w = std::max(w, frames::angularVelocity2(f.R).norm());
    }
    return w;
  }

  Equations& equations_;
  const VariableTable* variables_;
  Workspace<double> w_;
  std::optional<MotionOfParts> motion_;
  bool begun_ = false;
  double now_ = 0, turning_ = 0;  ///< the end of the step followed last, |w| [rad/s] there
  /// Points of that step in their order, the first at its beginning, with what is remembered there.
  std::vector<double> times_;
  std::vector<std::vector<double>> memories_, measured_;
  std::vector<double> next_;  ///< work space
  size_t points_ = 0;         ///< of them that belong to the step
};

}  // namespace cardan
