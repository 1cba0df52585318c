/// FmuInstance: a simulation as an FMU of either version has it: phases, values by references, steps,
/// states.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "apps/fmu/fmu_description.h"
#include "engine/motion_exchange.h"
#include "engine/saved_state.h"
#include "engine/simulation.h"

namespace cardan {

/// A call that is not carried out; nothing has changed.
class FmuRefusal : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A point of model exchange cannot be computed; one nearer to the last may.
class FmuDiscard : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Who integrates. Of events: the FMU, in steps that may end before an event, which the importer then has
/// handled (event mode of FMI 3).
enum class FmuInterface : std::uint8_t { coSimulation, modelExchange, coSimulationOfEvents };

/// Where an instance stands; moving on: of model exchange.
enum class FmuPhase : std::uint8_t {
  instantiated,
  initialising,
  stepping,
  atEvent,
  moving,
  terminated,
  failed
};

/// What the importer says of the run.
struct FmuSetup {
  double start = 0;                   ///< [s]
  std::optional<double> stop;         ///< [s]  no step goes beyond it
  std::optional<double> tolerance{};  ///< [1]
  bool operator==(const FmuSetup&) const = default;
  auto kept() { return std::tie(start, stop, tolerance); }
};

/// Everything that the rest of a run depends on.
struct FmuState {
  FmuInterface interface = FmuInterface::coSimulation;
  FmuPhase phase = FmuPhase::instantiated;
  FmuSetup setup;
  std::vector<double> values;                ///< that were set, by value references
  std::optional<std::vector<double>> begun;  ///< those that the run began with, once it has
  bool isTerminated = false;                 ///< by the model
  RunSnapshot run;
  auto kept() {
    return std::tie(interface, phase, setup, values, begun, isTerminated, run.numbers);
  }

  /// Bytes with a sum; `token`: of the FMU, whose states alone it can be.
  std::string write(const std::string& token) const;
  /// Throws FmuRefusal or ModelError where `bytes` are no state of this FMU and build.
  static FmuState read(std::string_view bytes, const std::string& token);
};

/// Throws FmuRefusal for a call that is out of order or wrong; ModelError, SolverError and others where
/// the run cannot start or go on: the instance has failed then, and keeps what was reached.
class FmuInstance {
 public:
  enum class Category { events, warning, error };
  using Log = std::function<void(Category, const std::string& text)>;
  using References = std::span<const std::uint32_t>;

  /// `resources`: the folder of the unpacked FMU. Throws FmuRefusal where `token` is another's, or the
  /// FMU has no such interface.
  FmuInstance(const std::string& resources, const std::string& token, FmuInterface interface,
              Log log);

  void setUp(const FmuSetup& setup);
  void enterInitialisation();
  void exitInitialisation();
  void terminate();
  void reset();

  /// Values of variables of one kind.
  void get(References references, FmuKind kind, const std::function<void(double)>& take);
  void getTexts(References references, const char** texts);
  void set(References references, FmuKind kind, const std::function<double(size_t)>& value);
  [[noreturn]] void setTexts(References references);

  /// From `current` on by `step` [s]; less far where the model ends the run, or, if it may, before an event.
  void step(double current, double step, bool mayEndEarly = false);
  bool isBeforeEvent() const { return begun_ && simulation_->isAtEvent(); }
  void enterSteps();
  double time() const;  ///< [s]  reached
  bool isTerminated() const { return isTerminated_; }
  FmuPhase phase() const { return phase_; }

  void enterEvents();
  /// Handles one.
  MotionExchange::Event update();

  // Of model exchange; arrays are as long as there are states, or indicators:
  void enterMotion();
  void setTime(double time);  ///< [s]
  void setStates(std::span<const double> states);
  void states(std::span<double> states);
  void nominals(std::span<double> nominals) const;
  /// Throw FmuDiscard where the point cannot be computed.
  void derivatives(std::span<double> derivatives);
  void indicators(std::span<double> indicators);
  /// A step has ended at the point. True: an event is to be handled.
  bool completeStep();
  size_t stateCount() const { return description_->states; }
  size_t indicatorCount() const { return description_->indicators; }

  FmuState state() const;
  void setState(const FmuState& state);
  const std::string& token() const { return description_->token; }

  /// Derivatives of results along directions of inputs, at the point reached.
  void directionalDerivative(References unknowns, References knowns, const double* seed,
                             double* result);

  void setLogsEvents(bool logs) { logsEvents_ = logs; }
  void tell(Category category, const std::string& text) const { log_(category, text); }

 private:
  void require(std::initializer_list<FmuPhase> phases, const char* call) const;
  const FmuVariable& variable(std::uint32_t reference) const;
  double value(std::uint32_t reference);
  double exchanged(const FmuVariable& v);
  void requireMany(std::span<const double> numbers, size_t right, const char* what) const;
  void requireExchange(const char* call) const;
  void requireEvents(std::initializer_list<FmuPhase> phases, const char* call) const;
  MotionExchange& exchange(std::initializer_list<FmuPhase> phases, const char* call);
  void requireSettable(const FmuVariable& v, double x) const;
  bool isFed(const FmuVariable& v) const;
  Overrides overrides() const;
  double stop() const;
  RunOptions options() const;
  void begin();
  void readCalculated();
  void tellNews();
  /// Calls f, in which the run may fail.
  template <class F>
  void run(F f) {
    try {
      f();
    } catch (...) {
      phase_ = FmuPhase::failed;
      throw;
    }
  }

  std::shared_ptr<const FmuDescription> description_;
  std::string resources_;
  FmuInterface interface_;
  Log log_;
  bool logsEvents_ = false;
  FmuPhase phase_ = FmuPhase::instantiated;
  FmuSetup setup_;
  bool isTerminated_ = false;
  std::vector<double> values_;
  std::optional<std::vector<double>> begun_;
  std::optional<Simulation> simulation_;
  std::optional<MotionExchange> exchange_;  ///< of it
  std::vector<VariableHandle> columns_;     ///< of results, by value references
  std::vector<InputHandle> inputs_;         ///< of what can be fed, by value references
  std::vector<double> work_;                ///< of derivatives, or indicators
  size_t warningsTold_ = 0, eventsTold_ = 0;
};

}  // namespace cardan
