/// SensitivityRun: goes along a run with the derivatives of its unknowns by parameters, through its
/// events, and writes those of its results.
#pragma once

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "components/instants.h"
#include "engine/integration/prescribed_jumps.h"
#include "engine/integration/run_companion.h"
#include "engine/motion_point.h"
#include "engine/results/rows.h"
#include "engine/sensitivities/explicit_sensitivities.h"
#include "engine/sensitivities/sensitivity_integrator.h"
#include "engine/sensitivities/unseen_jumps.h"

namespace cardan {

/// Between events SensitivityIntegrator or ExplicitSensitivities steps. At an event at the time t_e, found by g = 0, the
/// derivatives jump: with
///
///   dt_e/dp = -(g_y s + g_p) / (dg/dt)
///
/// the values just before it change by s- + y'- dt_e/dp where the parameter changes; what the event
/// makes of them (states that `when` sets, velocities that constraints take over) is gone through
/// again in modes that stay what they were, at neighbouring points, and gives the change of those
/// just after it; less y'+ dt_e/dp these are the new s+. Conditions of time alone are solved again
/// for the time of the event by the variants. Derivatives along s are differences over 2^-17 of the
/// unknowns' typical sizes.
class SensitivityRun final : public RunCompanion, public RowSink {
 public:
  /// The variants' model `self` is the run's own. `prepare`: makes `self` and the points of all
  /// parameters, once the run stands at its start; their startY is that of each. All outlive it.
  SensitivityRun(const Equations& run, std::vector<VariedParameter>& parameters, RowSink& sink,
                 std::function<std::unique_ptr<ModelVariant>()> prepare)
      : run_(run),
        parameters_(parameters),
        sink_(sink),
        prepare_(std::move(prepare)),
        unseen_(run) {}
  /// Of the run: what decides on the times of events.
  void setSpan(double start, double stop, double tolerance) {
    start_ = start;
    stop_ = stop;
    tolerance_ = tolerance;
  }

  std::unique_ptr<Integrator> makeIntegrator(IntegratorChoice choice, MultibodySystem& system,
                                             const IntegratorOptions& options) override {
    const auto keep = [this](auto made) -> std::unique_ptr<Integrator> {
      integrator_ = made.get();
      method_ = made.get();
      return made;
    };
    if (choice == IntegratorChoice::ida)
      return keep(std::make_unique<SensitivityIntegrator>(system, parameters_, tangents_, options));
    return keep(std::make_unique<ExplicitSensitivities>(
        choice, system, parameters_, tangents_, [this]() -> ModelVariant& { return *self_; },
        [this](double t, const std::vector<double>& y, const std::vector<double>& yp) {
          completeTangents(t, y, yp);
        },
        options));
  }
  EventJournal* journal() override { return &journal_; }
  void beforeStart(double t, const std::vector<double>& y, const std::vector<double>& yp) override {
    self_ = prepare_();
    self_->startY = y;
    journal_.rounds.clear();
    before_ = run_.state;
    noteEvent(t, y, yp);
    const auto spanned = [&](ModelVariant& v) { v.events.setSpan(start_, stop_, tolerance_); };
    spanned(*self_);
    const size_t size = y.size() * parameters_.size();
    tangents_.s.assign(size, 0.0);
    tangents_.sp.assign(size, 0.0);
    for (VariedParameter& parameter : parameters_) {
      parameter.held.assign(self_->startHeld.size(), 0.0);
      for (const VariedParameter::Point& p : parameter.points) {
        spanned(*p.variant);
        for (size_t i = 0; i < parameter.held.size(); ++i)
          parameter.held[i] += p.weight * p.variant->startHeld[i];
      }
      for (double& derivative : parameter.held) derivative = finiteOrNone(derivative);
    }
  }
  void afterStart(double t, const std::vector<double>& y, const std::vector<double>& yp) override {
    const RunState after = run_.state;
    shifts_.assign(parameters_.size(), 0.0);
    for (size_t j = 0; j < parameters_.size(); ++j) {
      const VectorXd jumped = parameters_[j].derivative(
          before_, [&](ModelVariant& v) { return settledAgain(v, t, t, v.startY, after, y); });
      takeJump(parameters_[j], j, jumped, VectorXd::Zero(moved()));
    }
    completeTangents(t, y, yp);
  }
  /// Throws AnalysisError, by name, where rates have jumped at a time that a parameter moves.
  void afterStep() override {
    self_->follow(run_.state, 0, {});
    const std::optional<UnseenJumps::Jump> jump = unseen_.in(*integrator_, *self_);
    if (!jump) return;
    std::ranges::copy(
        method_->tangents(std::clamp(jump->time, integrator_->previousTime(), integrator_->time())),
        tangents_.s.begin());
    for (size_t j = 0; j < parameters_.size(); ++j) {
      if (staysAt(*jump, j)) continue;
      self_->follow(run_.state, 0, {});
      throw AnalysisError(
          fmt::format("at time = {:.6g} s {} jumps, which is no event, and '{}' moves that "
                      "instant: there is no "
                      "derivative after it",
                      jump->time, UnseenJumps::nameOf(*jump, *self_), parameters_[j].name));
    }
  }
  void beforeEvent(Instant instant, double t, double since, const std::vector<double>& y,
                   const std::vector<double>& yp) override {
    journal_.rounds.clear();
    before_ = run_.state;
    noteEvent(t, y, yp);
    std::ranges::copy(method_->tangents(integrator_->time()), tangents_.s.begin());
    atEvent_ = true;
    shifts_.assign(parameters_.size(), 0.0);
    if (instant == Instant::ofState) {
      shifts_ = shiftsOfState(t, since);
    } else if (instant == Instant::ofTime) {
      for (size_t j = 0; j < parameters_.size(); ++j)
        shifts_[j] = shiftOfTime(parameters_[j], t, since);
    }
  }
  void afterEvent(double t, const std::vector<double>& y, const std::vector<double>& yp) override {
    const RunState after = run_.state;
    const VectorXd ratesBefore = ratesOf(eventYp_), ratesAfter = ratesOf(yp);
    for (size_t j = 0; j < parameters_.size(); ++j) {
      const Direction way{shifts_[j], tangent(j) + shifts_[j] * ratesBefore};
      VectorXd jumped = total(parameters_[j], before_, t, eventY_, way,
                              [&](ModelVariant& v, double at, std::vector<double> there) {
                                const double instant = t + shifts_[j] * v.shift();
                                return settledAgain(v, at, instant, std::move(there), after, y);
                              });
      // Along the way discrete variables stay what they are; by the parameter they had moved before.
      takeJump(parameters_[j], j, jumped, ratesAfter);
    }
    completeTangents(t, y, yp);
    unseen_.event(t);
  }

  /// Results, then their derivatives: of each by all parameters.
  void begin(const std::vector<Column>& columns) override {
    std::vector<Column> all = columns;
    columns_ = columns.size();
    for (const Column& c : columns) {
      for (const VariedParameter& p : parameters_) {
        all.push_back({"d(" + c.name + ")/d(" + p.name + ")", unitOfQuotient(c.unit, p.unit),
                       "derivative of " + c.name + " by " + p.name, false});
      }
    }
    row_.resize(all.size());
    sink_.begin(all);
  }
  void event(const std::vector<std::string>& changed) override { sink_.event(changed); }
  void row(double time, std::span<const double> values) override {
    const size_t n = run_.layout().size();
    std::vector<double> y(n), yp(n);
    const bool event = atEvent_ && time == eventTime_;
    if (event) {
      y = eventY_;
      yp = eventYp_;
    } else {
      atEvent_ = false;
      integrator_->interpolate(time, y, yp);
      std::ranges::copy(method_->tangents(time), tangents_.s.begin());
      self_->follow(run_.state, 0, {});
      self_->completion.project(time, y);
    }
    std::ranges::copy(values, row_.begin());
    VectorXd here;  // of the model itself, for all parameters
    for (size_t j = 0; j < parameters_.size(); ++j) {
      const VectorXd d = total(parameters_[j], run_.state, time, y, {0, tangent(j)},
                               [&](ModelVariant& v, double at, std::vector<double> there) {
                                 const bool isHere = &v == self_.get() && there == y;
                                 if (isHere && here.size() > 0) return here;
                                 std::vector<double> rates = yp;
                                 VectorXd out(columns_);
                                 v.recorder.record(at, there, rates, v.completion, out.data());
                                 if (isHere) here = out;
                                 return out;
                               });
      for (size_t c = 0; c < columns_; ++c) row_[columns_ + c * parameters_.size() + j] = d[c];
    }
    sink_.row(time, row_);
  }

 private:
  using VectorXd = Eigen::VectorXd;

  static constexpr double kSameInstant =
      1e-6;  // of the model's time: a function that is zero there
  static constexpr double kFirstInstants = 1e-4;  // of the model's time, after a start or an event
  static constexpr double kSameShift = 1e-4;      // relative: of events that are one
  static constexpr double kSlowest =
      1e-9;  // of a switching function, where it is zero to all digits
  static constexpr double kSameTime = 1e-9;  // of the run

  /// Of a number that stands for one that is none yet, as an infinite instant, there is no derivative.
  static double finiteOrNone(double x) { return std::isfinite(x) ? x : 0; }

  /// "m/(kg.m2)"; "" where one of them is not known.
  static std::string unitOfQuotient(const std::string& above, const std::string& below) {
    if (above.empty() || below.empty()) return "";
    if (below == "1") return above;
    const bool several = below.find_first_of("./*") != std::string::npos;
    const bool quotient = above.find('/') != std::string::npos;
    return (quotient ? "(" + above + ")" : above) + "/" + (several ? "(" + below + ")" : below);
  }

  static VectorXd stacked(std::initializer_list<std::span<const double>> parts) {
    std::vector<double> all;
    for (const std::span<const double> part : parts)
      all.insert(all.end(), part.begin(), part.end());
    return Eigen::Map<const VectorXd>(all.data(), std::ssize(all));
  }

  void noteEvent(double t, const std::vector<double>& y, const std::vector<double>& yp) {
    eventTime_ = t;
    eventY_ = y;
    eventYp_ = yp;
  }
  /// A way through time and unknowns.
  struct Direction {
    double time;
    Eigen::VectorXd y;  ///< of the first unknowns; the others are not moved
  };
  /// The most by which a way moves anything, in typical sizes.
  double reachOf(const RunState& run, const Direction& way) const {
    double largest = std::abs(way.time) / run.scales.time;
    for (Eigen::Index i = 0; i < way.y.size(); ++i)
      largest = std::max(largest, std::abs(way.y[i]) / run.nominals[i]);
    return largest;
  }
  /// f(variant, t, y) so far along a way.
  template <class F>
  Eigen::VectorXd atPoint(ModelVariant& v, double t, const std::vector<double>& y,
                          const Direction& way, double along, F f) {
    return f(v, t + along * way.time, placed(y, way, along));
  }
  static std::vector<double> placed(std::vector<double> y, const Direction& way, double along) {
    for (Eigen::Index i = 0; along != 0 && i < way.y.size(); ++i) y[i] += along * way.y[i];
    return y;
  }
  /// Derivative of f(variant, t, y) along a way, with the run's own parameters.
  template <class F>
  Eigen::VectorXd along(const RunState& run, double t, const std::vector<double>& y,
                        const Direction& way, F f) {
    const double reach = reachOf(run, way), h = reach > 0 ? kDifferenceReach / reach : 0;
    const auto at = [&](double x) {
      self_->follow(run, 0, {});
      return atPoint(*self_, t, y, way, x, f);
    };
    if (h == 0) return VectorXd::Zero(at(0).size());
    return (at(h) - at(-h)) / (2 * h);
  }
  /// The same where the parameter moves as well.
  template <class F>
  Eigen::VectorXd total(const VariedParameter& parameter, const RunState& run, double t,
                        const std::vector<double>& y, const Direction& way, F f) {
    VectorXd sum;
    parameter.eachPoint(*self_, reachOf(run, way), tolerance_,
                        [&](ModelVariant& v, double shift, double along, double weight) {
                          v.follow(run, shift, parameter.held);
                          const VectorXd part = weight * atPoint(v, t, y, way, along, f);
                          sum = sum.size() > 0 ? VectorXd(sum + part) : part;
                        });
    return sum;
  }
  /// What the event makes of y: first unknowns, then what changes at events alone. `after`: modes and
  /// relations that it leaves, `made`: what it has made of the run's own.
  Eigen::VectorXd settledAgain(ModelVariant& v, double t, double instant, std::vector<double> y,
                               const RunState& after, const std::vector<double>& made) const {
    std::vector<double> yp = eventYp_;
    if (v.equations.state.inputs != after.inputs) {
      v.equations.state.inputs = after.inputs;
      ++v.equations.state.changes;
      followInputs(t, y, yp, v.equations, v.completion, v.w);
    }
    v.completion.complete(t, y, yp);
    v.events.settleAgain(journal_, t, instant, y, yp, v.completion, v.w);
    RunState& state = v.equations.state;
    const std::vector<double> held = v.heldNow();
    state.modes = after.modes;
    state.relations = after.relations;
    ++state.changes;
    v.countAs(after, made, y);
    v.completion.project(t, y);
    return stacked({std::span(y).first(moved()), held});
  }
  /// `jumped`: derivatives of what settledAgain() gives, at the event that moves with the parameter.
  void takeJump(VariedParameter& parameter, size_t number, const VectorXd& jumped,
                const VectorXd& rates) {
    const size_t first = number * run_.layout().size();
    for (Eigen::Index i = 0; i < moved(); ++i)
      tangents_.s[first + i] = jumped[i] - rates[i] * shifts_[number];
    for (size_t i = 0; i < parameter.held.size(); ++i)
      parameter.held[i] = finiteOrNone(jumped[moved() + i]);
  }
  /// Rates, multipliers and algebraic unknowns that belong to the derivatives of the others.
  void completeTangents(double t, const std::vector<double>& y, const std::vector<double>& yp) {
    const auto n = std::ssize(y);
    for (size_t j = 0; j < parameters_.size(); ++j) {
      const VectorXd all = total(parameters_[j], run_.state, t, y, {0, tangent(j)},
                                 [&](ModelVariant& v, double at, std::vector<double> there) {
                                   std::vector<double> rates = yp;
                                   v.completion.complete(at, there, rates);
                                   return stacked({there, rates});
                                 });
      const size_t first = j * y.size();
      for (size_t i = 0; i < y.size(); ++i) {
        const double s = all[i];
        const double sp = all[n + i];
        if (!run_.layout().unknowns[i].differential && std::isfinite(s)) tangents_.s[first + i] = s;
        tangents_.sp[first + i] = std::isfinite(sp) ? sp : 0;
      }
    }
    noteEvent(t, y, yp);
    atEvent_ = true;
  }
  /// The parameter does not move the jump by so much that derivatives would feel it.
  bool staysAt(const UnseenJumps::Jump& jump, size_t number) {
    const VariedParameter& parameter = parameters_[number];
    const Direction way{0, tangent(number)};
    const double felt = UnseenJumps::kFelt * run_.state.nominals[jump.unknown] / std::abs(jump.by);
    bool stays = true;
    parameter.eachPoint(
        *self_, reachOf(run_.state, way), tolerance_,
        [&](ModelVariant& v, double shift, double along, double /*weight*/) {
          v.follow(run_.state, shift, parameter.held);
          const double part = shift != 0 ? std::abs(shift) / parameter.size : kDifferenceReach;
          const double reach = std::max(jump.width, part * felt);
          stays = stays && UnseenJumps::isThere(
                               jump, v, jump.time - reach, placed(jump.at(-reach), way, along),
                               jump.time + reach, placed(jump.at(reach), way, along));
        });
    return stays;
  }
  /// d(time of the event)/d(parameter), of a condition of time alone.
  double shiftOfTime(const VariedParameter& parameter, double t, double since) const {
    const double from = t - std::max(0.5 * (t - since), kSameTime * (stop_ - start_));
    const auto eventOf = [&](ModelVariant& v) {
      v.evaluate(from, eventY_, eventYp_);
      return v.events.nextTimeEvent(v.w, from, 2 * (t - from),
                                    std::numeric_limits<double>::infinity());
    };
    self_->follow(before_, 0, {});
    const double here = eventOf(*self_);
    // An input that is fed has its event where its table says.
    if (std::abs(here - t) > kSameTime * (stop_ - start_)) return 0;
    double sum = 0;
    std::vector<double> slopes;
    for (const VariedParameter::Point& p : parameter.points) {
      p.variant->follow(before_, p.shift, parameter.held);
      const double at = eventOf(*p.variant);
      sum += p.weight * (at - here);
      // What rounding makes of the same time is no move.
      if (p.shift != 0) slopes.push_back(isSameInstant(at, here) ? 0 : (at - here) / p.shift);
    }
    const auto [least, most] = std::ranges::minmax(slopes);
    const double size = std::max(std::abs(least), std::abs(most));
    if (!std::isfinite(sum) || most - least > kSameShift * size + 1e-9 * std::abs(sum) + 1e-12) {
      throw AnalysisError(fmt::format(
          "at time = {:.6g} s several events coincide that '{}' moves differently, or one that it "
          "moves beyond another: there is no derivative after it",
          t, parameter.name));
    }
    return sum;
  }
  /// The same of an event at which a switching function is zero, for all parameters.
  std::vector<double> shiftsOfState(double t, double since) {
    const auto g = [&](ModelVariant& v, double at, std::vector<double> y) {
      return crossings(v, at, std::move(y));
    };
    self_->follow(before_, 0, {});
    const VectorXd here = crossings(*self_, t, eventY_);
    const VectorXd rates = along(before_, t, eventY_, {1, ratesOf(eventYp_)}, g);
    const std::vector<Eigen::Index> due = functionsAtZero(t, since, here, rates);
    if (due.empty()) {
      throw AnalysisError(fmt::format(
          "at time = {:.6g} s no switching function passes through zero with a rate (it touches "
          "zero, or a mode lets go on its own): the time of this event has no derivative",
          t));
    }
    std::vector<double> shifts;
    for (size_t j = 0; j < parameters_.size(); ++j) {
      const VectorXd byParameter = total(parameters_[j], before_, t, eventY_, {0, tangent(j)}, g);
      double least = std::numeric_limits<double>::infinity(), most = -least;
      for (const Eigen::Index k : due) {
        const double shift = -byParameter[k] / rates[k];
        least = std::min(least, shift);
        most = std::max(most, shift);
      }
      const double size = std::max(std::abs(least), std::abs(most));
      if (!(most - least <= kSameShift * size + 1e-7 * before_.scales.time / parameters_[j].size)) {
        throw AnalysisError(
            fmt::format("at time = {:.6g} s events coincide that '{}' moves apart: there is no "
                        "derivative after them",
                        t, parameters_[j].name));
      }
      shifts.push_back(0.5 * (least + most));
    }
    return shifts;
  }
  /// Switching functions that pass through zero at the event, `here` and `rates` being theirs.
  std::vector<Eigen::Index> functionsAtZero(double t, double since, const VectorXd& here,
                                            const VectorXd& rates) const {
    const std::span<const int> found = method_->rootsFound();
    const bool told = std::ranges::any_of(found, [](int f) { return f != 0; });
    const double same = kSameInstant * before_.scales.time;
    std::vector<Eigen::Index> due;
    Eigen::Index nearest = -1;
    double least = std::max(same, std::min(t - since, kFirstInstants * before_.scales.time));
    for (Eigen::Index k = 0; k < here.size(); ++k) {
      if (told && found[k] == 0) continue;
      const double distance = std::abs(here[k] / rates[k]);
      if (std::abs(rates[k]) <= kSlowest * std::abs(here[k])) continue;
      if (distance <= same) due.push_back(k);
      if (distance <= least) {
        nearest = k;
        least = distance;
      }
    }
    // One that began at zero, and at rest, is slow for a while: it does not come closer than that.
    if (due.empty() && nearest >= 0) due.push_back(nearest);
    return due;
  }
  Eigen::VectorXd crossings(ModelVariant& v, double t, std::vector<double> y) const {
    std::vector<double> yp = eventYp_;
    v.completion.complete(t, y, yp);
    v.evaluate(t, y, yp);
    VectorXd g(v.events.crossings());
    v.events.evaluateCrossings(v.w, g.data());
    return g;
  }
  Eigen::VectorXd tangent(size_t number) const {
    const double* first = tangents_.s.data() + number * run_.layout().size();
    return Eigen::Map<const VectorXd>(first, moved());
  }
  /// Unknowns without multipliers.
  Eigen::Index moved() const { return run_.layout().lambdaOffset(); }
  /// Rates of the differential ones among them, 0 of the others.
  Eigen::VectorXd ratesOf(const std::vector<double>& yp) const {
    VectorXd rates = VectorXd::Zero(moved());
    for (Eigen::Index i = 0; i < moved(); ++i) {
      const size_t k = i;
      if (run_.layout().unknowns[k].differential) rates[i] = yp[k];
    }
    return rates;
  }

  const Equations& run_;
  std::vector<VariedParameter>& parameters_;
  RowSink& sink_;
  std::function<std::unique_ptr<ModelVariant>()> prepare_;
  std::unique_ptr<ModelVariant> self_;
  double start_ = 0, stop_ = 1, tolerance_ = 1e-8;
  Integrator* integrator_ = nullptr;  ///< the run's
  TangentMethod* method_ = nullptr;   ///< the same
  EventJournal journal_;
  Tangents tangents_;
  UnseenJumps unseen_;
  bool atEvent_ = true;  ///< rows are those of the event, or the start: of eventY_ and tangents_
  RunState before_;
  double eventTime_ = 0;
  std::vector<double> eventY_, eventYp_;
  std::vector<double> shifts_;  ///< of the event's time, per parameter
  size_t columns_ = 0;
  std::vector<double> row_;
};

}  // namespace cardan
