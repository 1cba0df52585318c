/// Run: integrates a model from event to event and hands out the rows between.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/initialisation/initialisation.h"
#include "engine/integration/bridge.h"
#include "engine/integration/charts.h"
#include "engine/integration/event_system.h"
#include "engine/integration/forcing.h"
#include "engine/integration/input_feed.h"
#include "engine/integration/make_integrator.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/past_records.h"
#include "engine/integration/prescribed_rates.h"
#include "engine/integration/row_choice.h"
#include "engine/integration/run_companion.h"
#include "engine/integration/run_report.h"
#include "engine/integration/solver_error.h"
#include "engine/integration/step_check.h"
#include "engine/integration/step_limits.h"
#include "engine/results/coarse_clock.h"
#include "engine/results/output_grid.h"
#include "engine/results/recorder.h"
#include "engine/results/rows.h"
#include "engine/results/run_settings.h"

namespace cardan {

class StateArchive;
struct RunSnapshot;

/// One run of an initialised model. All references outlive it.
class Run {
 public:
  /// `sink`: gets the rows of the output grid and of events; null: none are written. What is wrong
  /// with the options is thrown as ModelError.
  /// `feed`: moves inputs, which stand at the start already; null: nothing does.
  Run(const Model& model, MultibodySystem& system, EventSystem& events, RowSink* sink,
      const RunOptions& options, const InitialReport& initial, const InputFeed* feed,
      Diagnostics& diagnostics);

  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// From consistent values at the start time.
  void begin(std::vector<double> y, std::vector<double> yp);
  /// On to `time` [s], events at it included; less far where the model ends the run or it is
  /// interrupted. Throws SolverError where it cannot go on; the rows so far are written, and time()
  /// and the values stay those of the last good step. Pre: time() <= time <= stop()
  void advance(double time);

  /// It stands before an event, by RunOptions::stopsAtEvents.
  bool isAtEvent() const { return waiting_; }
  bool begun() const { return integrator_ != nullptr; }
  double time() const { return t_; }     ///< [s]  reached
  double stop() const { return stop_; }  ///< [s]
  /// Unknowns and rates there.
  std::span<const double> y() const { return integrator_->y(); }
  std::span<const double> yp() const { return integrator_->yp(); }
  const std::vector<Column>& columns() const { return recorder_.columns(); }
  /// Values of all columns there.
  std::span<const double> row();
  /// Something outside has changed (an input): modes and rates are found again before it goes on.
  void disturb() {
    disturbed_ = true;
    rowIsOf_ = std::numeric_limits<double>::quiet_NaN();
  }

  // Of a run whose steps somebody outside makes (GivenSteps):
  /// The point has been put elsewhere.
  void look();
  /// A step has ended at the point. True: there an event is to be handled.
  bool passStep();
  /// Handles what happens at the point. False: nothing did; it was made consistent. Throws as advance().
  bool passEvent();
  /// [s] Of the next passEvent() that time alone asks for.
  double nextEvent() const { return std::min(nextEvent_, events_.lookedAheadTo()); }

  /// Without its records of events, which are many.
  RunReport report() const;
  const std::vector<EventRecord>& eventRecords() const { return eventRecords_; }

  RunSnapshot save() const;
  /// Goes on from there; `snapshot` may be of another run of the same model with the same options.
  /// Throws std::invalid_argument, and changes nothing, where it is of another method or size.
  void restore(const RunSnapshot& snapshot);
  auto kept() {
    return std::tie(t_, nextEvent_, nextInput_, lastWritten_, lastEvent_, eventsHere_,
                    timeEventsHere_, bridge_, jumpTold_, nextRow_, disturbed_, waiting_, ended_,
                    rowIsOf_, row_, report_, eventRecords_);
  }

 private:
  void exchange(StateArchive& archive);
  void exchangeOutside(StateArchive& archive);
  void prepareIntegrator();
  void arrive();
  bool hasEnded() const { return t_ >= stop_ || !events_.terminated().empty(); }
  bool isDue() { return events_.isDue(t_, y_, yp_, w_); }
  bool watchStep();
  void unjam(const SolverError& error);
  void tellCompanion(RunCompanion::Instant instant);
  void integrateTo(double time);
  bool stepOrUnjam(double limit, Integrator::StepResult& result);
  [[noreturn]] void explain(const SolverError& error);
  void makeConsistent();
  void takePoint();
  void solvePoint();
  void solveSettled();
  bool isInterrupted(double t);
  bool isTimeToAsk();
  void rowsUpTo(double t, bool endsAtEvent);
  void handleEvent(bool ofTime);
  void handleWaiting();
  void moveInputs();
  void bendInputs();
  void end();
  void tellJump(const std::vector<double>& before);
  void changeModes();
  void tellSharing();
  void tellSharing(const std::vector<std::string>& names, const std::string& how);
  void chooseRows();
  void restart();
  std::vector<double> ratesAhead(double ahead);
  double firstStep(double most);
  double stepOfOrderOne(double most, double error, size_t count);
  void watchChattering(bool ofTime);
  /// A companion goes with one method, and steps of one length bridge as it is.
  bool mayBridge() const { return !options_.companion && !(method_.step > 0); }
  double stepOfBridge();
  void leadOver(double step, const std::string& why);
  void leaveBridge();
  void lookAhead();
  double longestNow() const;
  void writePoint();
  void write(double t, std::vector<double>& y, std::vector<double>& yp, bool consistent = false);

  const Model& model_;
  Equations& equations_;
  MultibodySystem& system_;
  EventSystem& events_;
  RowSink* sink_;
  RunOptions options_;
  const InputFeed* feed_;
  Completion completion_;
  Recorder recorder_;
  Charts charts_;
  RowChoice rows_;
  Forcing forcing_;
  PastRecords pasts_;
  PrescribedRates prescribed_;
  std::optional<StepCheck> check_;
  std::optional<StepLimits> limits_;
  Workspace<double> w_;
  IntegratorChoice choice_ = IntegratorChoice::ida;
  SourceMark choiceAt_;
  IntegratorOptions method_;
  std::unique_ptr<Integrator> integrator_;
  RunReport report_;
  std::vector<EventRecord> eventRecords_;
  OutputGrid grid_;
  double start_ = 0, stop_ = 0, t_ = 0;
  double longest_ = 0;               ///< [s]  step
  double look_ = 0;                  ///< [s]  between two looks for events within a step
  double nextEvent_ = 0;             ///< [s]  time event
  double nextInput_ = 0;             ///< [s]  change of an input, event or not
  std::vector<std::string> jumped_;  ///< inputs, at the event that is being handled
  double lastWritten_ = 0;
  bool skipsGrid_ = false;  ///< its rows before the last one
  double lastEvent_ = -1e300;
  int eventsHere_ = 0, timeEventsHere_ = 0;
  Bridge bridge_;
  bool jumpTold_ = false;  ///< a position that a prescribed motion made jump
  long nextRow_ = 1;
  bool disturbed_ = false;
  bool waiting_ = false;               ///< there is an event that is yet to be handled
  bool ended_ = false;                 ///< terminal() has been true
  CoarseClock::time_point nextAsk_{};  // the first step asks
  double rowIsOf_ = 0;                 ///< [s]  row_ holds the values there
  std::vector<double> row_, y_, yp_, ye_, ype_;
};

}  // namespace cardan
