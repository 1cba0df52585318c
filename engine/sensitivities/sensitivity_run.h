/// SensitivityRun: goes along a run with the derivatives of its unknowns by parameters, through its
/// events, and writes those of its results.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/integration/run_companion.h"
#include "engine/results/rows.h"
#include "engine/sensitivities/sensitivity_integrator.h"

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
      : run_(run), parameters_(parameters), sink_(sink), prepare_(std::move(prepare)) {}
  /// Of the run: what decides on the times of events.
  void setSpan(double start, double stop, double tolerance);

  std::unique_ptr<Integrator> makeIntegrator(IntegratorChoice choice, MultibodySystem& system,
                                             const IntegratorOptions& options) override;
  EventJournal* journal() override { return &journal_; }
  void beforeStart(double t, const std::vector<double>& y, const std::vector<double>& yp) override;
  void afterStart(double t, const std::vector<double>& y, const std::vector<double>& yp) override;
  void beforeEvent(Instant instant, double t, double since, const std::vector<double>& y,
                   const std::vector<double>& yp) override;
  void afterEvent(double t, const std::vector<double>& y, const std::vector<double>& yp) override;

  /// Results, then their derivatives: of each by all parameters.
  void begin(const std::vector<Column>& columns) override;
  void row(double time, std::span<const double> values) override;

 private:
  void noteEvent(double t, const std::vector<double>& y, const std::vector<double>& yp);
  /// A way through time and unknowns.
  struct Direction {
    double time;
    Eigen::VectorXd y;  ///< of the first unknowns; the others are not moved
  };
  double reachOf(const RunState& run, const Direction& way) const;
  template <class F>
  Eigen::VectorXd atPoint(ModelVariant& v, double t, const std::vector<double>& y,
                          const Direction& way, double along, F f);
  template <class F>
  Eigen::VectorXd along(const RunState& run, double t, const std::vector<double>& y,
                        const Direction& way, F f);
  template <class F>
  Eigen::VectorXd total(const VariedParameter& parameter, const RunState& run, double t,
                        const std::vector<double>& y, const Direction& way, F f);
  Eigen::VectorXd settledAgain(ModelVariant& v, double t, double instant, std::vector<double> y,
                               const RunState& after) const;
  void takeJump(VariedParameter& parameter, size_t number, const Eigen::VectorXd& jumped,
                const Eigen::VectorXd& rates);
  void completeTangents(double t, const std::vector<double>& y, const std::vector<double>& yp);
  double shiftOfTime(const VariedParameter& parameter, double t, double since) const;
  std::vector<double> shiftsOfState(double t, double since);
  std::vector<Eigen::Index> functionsAtZero(double t, double since, const Eigen::VectorXd& here,
                                            const Eigen::VectorXd& rates) const;
  Eigen::VectorXd crossings(ModelVariant& v, double t, std::vector<double> y) const;
  Eigen::VectorXd tangent(size_t number) const;
  /// Unknowns without multipliers.
  Eigen::Index moved() const { return run_.layout().lambdaOffset(); }
  /// Rates of the differential ones among them, 0 of the others.
  Eigen::VectorXd ratesOf(const std::vector<double>& yp) const;

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
  bool atEvent_ = true;  ///< rows are those of the event, or the start: of eventY_ and tangents_
  RunState before_;
  double eventTime_ = 0;
  std::vector<double> eventY_, eventYp_;
  std::vector<double> shifts_;  ///< of the event's time, per parameter
  size_t columns_ = 0;
  std::vector<double> row_;
};

}  // namespace cardan
