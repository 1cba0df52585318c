#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <tuple>

#include "apps/cosimulation/fmi_calls.h"
#include "apps/fmu/fmi2.h"

namespace cardan::cosimulation {
namespace {

class Fmi2Calls final : public FmiCalls {
 public:
  Fmi2Calls(const FmuLibrary& library, const FmuOpening& o, Log log)
      : FmiCalls(library, std::move(log),
                 {"fmi2GetFMUstate", "fmi2SetFMUstate", "fmi2FreeFMUstate",
                  "fmi2SerializedFMUstateSize", "fmi2SerializeFMUstate", "fmi2DeSerializeFMUstate"},
                 {"fmi2SetTime", "fmi2SetContinuousStates", "fmi2GetContinuousStates",
                  "fmi2GetNominalsOfContinuousStates", "fmi2GetDerivatives",
                  "fmi2GetEventIndicators", "fmi2EnterEventMode", "fmi2EnterContinuousTimeMode",
                  "fmi2NewDiscreteStates", "fmi2CompletedIntegratorStep"}),
        sizes_(o.states, o.indicators) {
    getReal_ = find<decltype(fmi2::fmi2GetReal)>("fmi2GetReal");
    setReal_ = find<decltype(fmi2::fmi2SetReal)>("fmi2SetReal");
    if (!o.isExchange) doStep_ = find<decltype(fmi2::fmi2DoStep)>("fmi2DoStep");
    free_ = find<decltype(fmi2::fmi2FreeInstance)>("fmi2FreeInstance");
    callbacks_ = {logger, std::calloc, std::free, nullptr, this};
    const bool isChosen = !o.logCategories.empty();
    instance_ = find<decltype(fmi2::fmi2Instantiate)>("fmi2Instantiate")(
        o.name.c_str(), o.isExchange ? fmi2::kModelExchange : fmi2::kCoSimulation, o.token.c_str(),
        ("file://" + o.resources).c_str(), &callbacks_, 0, isChosen ? 0 : 1);
    if (!instance_) throw FmuFailure("its fmi2Instantiate gives no instance");
    if (!isChosen) return;
    std::vector<const char*> categories;
    for (const std::string& c : o.logCategories) categories.push_back(c.c_str());
    find<decltype(fmi2::fmi2SetDebugLogging)>("fmi2SetDebugLogging")(
        instance_, 1, categories.size(), categories.data());  // one that tells nothing still runs
  }
  ~Fmi2Calls() override {
    if (isRunning_) find<decltype(fmi2::fmi2Terminate)>("fmi2Terminate")(instance_);
    if (instance_) free_(instance_);
  }

  void enterInitialisation(double start) override {
    call(CARDAN_FMI(fmi2, fmi2SetupExperiment), 0, 0.0, start, 0, 0.0);
    simple("fmi2EnterInitializationMode");
  }
  void exitInitialisation() override {
    simple("fmi2ExitInitializationMode");
    isRunning_ = true;
  }
  void set(const FmuSetting& s) override {
    if (s.slot.type != FmuType::String) return setNumbers({&s.slot, 1}, s.numbers.data());
    const char* text = s.text.c_str();
    call(CARDAN_FMI(fmi2, fmi2SetString), &s.slot.reference, size_t{1}, &text);
  }
  void setNumbers(std::span<const FmuSlot> slots, const double* values) override {
    for (const FmuSlot& s : slots) {
      const double x = *values++;
      const int whole =
          s.type == FmuType::Boolean ? int{x > 0.5} : static_cast<int>(std::lround(x));
      if (s.type == FmuType::Float64) {
        call(setReal_, "fmi2SetReal", &s.reference, size_t{1}, &x);
      } else if (s.type == FmuType::Boolean) {
        call(CARDAN_FMI(fmi2, fmi2SetBoolean), &s.reference, size_t{1}, &whole);
      } else {
        call(CARDAN_FMI(fmi2, fmi2SetInteger), &s.reference, size_t{1}, &whole);
      }
    }
  }
  void getNumbers(std::span<const FmuSlot> slots, double* values) override {
    for (const FmuSlot& s : slots) {
      int whole = 0;
      if (s.type == FmuType::Float64) {
        call(getReal_, "fmi2GetReal", &s.reference, size_t{1}, values++);
        continue;
      }
      if (s.type == FmuType::Boolean) {
        call(CARDAN_FMI(fmi2, fmi2GetBoolean), &s.reference, size_t{1}, &whole);
        whole = whole != 0;
      } else {
        call(CARDAN_FMI(fmi2, fmi2GetInteger), &s.reference, size_t{1}, &whole);
      }
      *values++ = whole;
    }
  }
  void step(double time, double length) override { call(doStep_, "fmi2DoStep", time, length, 1); }
  bool completedStep() override { return completed<fmi2::Boolean>(); }
  double leaveEvent() override {
    return settle([this] {
      fmi2::EventInfo e{};
      callExchange(exchange_.updateDiscrete, &e);
      return std::tuple(
          e.newDiscreteStatesNeeded != 0, e.terminateSimulation != 0,
          e.nextEventTimeDefined ? e.nextEventTime : std::numeric_limits<double>::infinity());
    });
  }
  std::pair<int, int> exchangeSizes() override { return sizes_; }

 private:
  void simple(const char* name) { call(find<fmi2::Status(fmi2::Component)>(name), name); }
  static void logger(fmi2::Environment self, fmi2::String, fmi2::Status status, fmi2::String,
                     fmi2::String message, ...) {
    char text[2048] = "";
    std::va_list arguments;
    va_start(arguments, message);
    if (message) std::vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    static_cast<Fmi2Calls*>(self)->log_(status, text);
  }

  fmi2::Callbacks callbacks_{};
  std::pair<int, int> sizes_;  ///< of model exchange
  decltype(fmi2::fmi2GetReal)* getReal_ = nullptr;
  decltype(fmi2::fmi2SetReal)* setReal_ = nullptr;
  decltype(fmi2::fmi2DoStep)* doStep_ = nullptr;
  decltype(fmi2::fmi2FreeInstance)* free_ = nullptr;
};

}  // namespace

std::unique_ptr<FmiCalls> fmi2Calls(const FmuLibrary& library, const FmuOpening& opening,
                                    FmiCalls::Log log) {
  return std::make_unique<Fmi2Calls>(library, opening, std::move(log));
}

}  // namespace cardan::cosimulation
