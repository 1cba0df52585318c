#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "apps/cosimulation/fmi_calls.h"
#include "apps/fmu/fmi3.h"

namespace cardan::cosimulation {
namespace {

class Fmi3Calls final : public FmiCalls {
 public:
  Fmi3Calls(const FmuLibrary& library, const FmuOpening& o, Log log)
      : FmiCalls(library, std::move(log),
                 {"fmi3GetFMUState", "fmi3SetFMUState", "fmi3FreeFMUState",
                  "fmi3SerializedFMUStateSize", "fmi3SerializeFMUState", "fmi3DeserializeFMUState"},
                 {"fmi3SetTime", "fmi3SetContinuousStates", "fmi3GetContinuousStates",
                  "fmi3GetNominalsOfContinuousStates", "fmi3GetContinuousStateDerivatives",
                  "fmi3GetEventIndicators", "fmi3EnterEventMode", "fmi3EnterContinuousTimeMode",
                  "fmi3UpdateDiscreteStates", "fmi3CompletedIntegratorStep"}) {
    free_ = find<decltype(fmi3::fmi3FreeInstance)>("fmi3FreeInstance");
    const bool isChosen = !o.logCategories.empty();
    const std::string resources = o.resources + "/";
    if (o.isExchange) {
      instance_ =
          find<decltype(fmi3::fmi3InstantiateModelExchange)>("fmi3InstantiateModelExchange")(
              o.name.c_str(), o.token.c_str(), resources.c_str(), false, !isChosen, this, logger);
    } else {
      doStep_ = find<decltype(fmi3::fmi3DoStep)>("fmi3DoStep");
      instance_ = find<decltype(fmi3::fmi3InstantiateCoSimulation)>("fmi3InstantiateCoSimulation")(
          o.name.c_str(), o.token.c_str(), resources.c_str(), false, !isChosen, false, false,
          nullptr, 0, this, logger, nullptr);
    }
    if (!instance_)
      throw FmuFailure(fmt::format("its fmi3Instantiate{} gives no instance",
                                   o.isExchange ? "ModelExchange" : "CoSimulation"));
    if (!isChosen) return;
    std::vector<const char*> categories;
    for (const std::string& c : o.logCategories) categories.push_back(c.c_str());
    find<decltype(fmi3::fmi3SetDebugLogging)>("fmi3SetDebugLogging")(
        instance_, true, categories.size(),
        categories.data());  // one that tells nothing still runs
  }
  ~Fmi3Calls() override {
    if (isRunning_) find<decltype(fmi3::fmi3Terminate)>("fmi3Terminate")(instance_);
    if (instance_) free_(instance_);
  }

  void enterInitialisation(double start) override {
    call(CARDAN_FMI(fmi3, fmi3EnterInitializationMode), false, 0.0, start, false, 0.0);
  }
  void exitInitialisation() override {
    call(CARDAN_FMI(fmi3, fmi3ExitInitializationMode));
    isRunning_ = true;
  }
  void set(const FmuSetting& s) override {
    if (s.slot.type != FmuType::String) return setNumbers({&s.slot, 1}, s.numbers.data());
    const char* text = s.text.c_str();
    call(CARDAN_FMI(fmi3, fmi3SetString), &s.slot.reference, size_t{1}, &text, size_t{1});
  }
  void setNumbers(std::span<const FmuSlot> slots, const double* values) override {
    for (const FmuSlot& s : slots) {
      withType(s.type, [&]<class T>(T, const char* set, const char*) {
        std::unique_ptr<T[]> typed(new T[s.size]);  // a vector of Booleans would be of bits
        for (int i = 0; i < s.size; ++i) typed[i] = rounded<T>(values[i]);
        using Set =
            fmi3::Status(fmi3::Instance, const fmi3::ValueReference*, size_t, const T*, size_t);
        call(find<Set>(set), set, &s.reference, size_t{1}, typed.get(), size_t(s.size));
      });
      values += s.size;
    }
  }
  void getNumbers(std::span<const FmuSlot> slots, double* values) override {
    for (const FmuSlot& s : slots) {
      withType(s.type, [&]<class T>(T, const char*, const char* get) {
        std::unique_ptr<T[]> typed(new T[s.size]());
        using Get = fmi3::Status(fmi3::Instance, const fmi3::ValueReference*, size_t, T*, size_t);
        call(find<Get>(get), get, &s.reference, size_t{1}, typed.get(), size_t(s.size));
        for (int i = 0; i < s.size; ++i) values[i] = static_cast<double>(typed[i]);
      });
      values += s.size;
    }
  }
  void step(double time, double length) override {
    bool event = false, ends = false, early = false;
    double reached = time;
    call(doStep_, "fmi3DoStep", time, length, true, &event, &ends, &early, &reached);
    if (ends) throw FmuFailure("its fmi3DoStep asks for the end of the simulation");
    if (early) throw FmuFailure("its fmi3DoStep returns early, which nobody has allowed");
  }
  bool completedStep() override { return completed<bool>(); }
  double leaveEvent() override {
    return settle([this] {
      bool isNeeded = false, ends = false, nominals = false, values = false, isDefined = false;
      double next = 0;
      callExchange(exchange_.updateDiscrete, &isNeeded, &ends, &nominals, &values, &isDefined,
                   &next);
      return std::tuple(isNeeded, ends, isDefined ? next : std::numeric_limits<double>::infinity());
    });
  }
  std::pair<int, int> exchangeSizes() override {
    size_t states = 0, indicators = 0;
    callState("fmi3GetNumberOfContinuousStates", &states);
    callState("fmi3GetNumberOfEventIndicators", &indicators);
    return {states, indicators};
  }

 private:
  template <class T>
  static T rounded(double x) {
    if constexpr (std::is_same_v<T, bool>) {
      return x > 0.5;
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(x);
    } else {
      // The nearest number of the type; the largest of 64 bits are no doubles.
      using Limits = std::numeric_limits<T>;
      if (x <= static_cast<double>(Limits::min())) return Limits::min();
      if (x >= static_cast<double>(Limits::max())) return Limits::max();
      return static_cast<T>(std::round(x));
    }
  }
  /// f(T(), "fmi3Set...", "fmi3Get...")
  template <class F>
  static void withType(FmuType type, F f) {
    switch (type) {
      case FmuType::Float64:
        return f(double(), "fmi3SetFloat64", "fmi3GetFloat64");
      case FmuType::Float32:
        return f(float(), "fmi3SetFloat32", "fmi3GetFloat32");
      case FmuType::Int8:
        return f(std::int8_t(), "fmi3SetInt8", "fmi3GetInt8");
      case FmuType::UInt8:
        return f(std::uint8_t(), "fmi3SetUInt8", "fmi3GetUInt8");
      case FmuType::Int16:
        return f(std::int16_t(), "fmi3SetInt16", "fmi3GetInt16");
      case FmuType::UInt16:
        return f(std::uint16_t(), "fmi3SetUInt16", "fmi3GetUInt16");
      case FmuType::Int32:
        return f(std::int32_t(), "fmi3SetInt32", "fmi3GetInt32");
      case FmuType::UInt32:
        return f(std::uint32_t(), "fmi3SetUInt32", "fmi3GetUInt32");
      case FmuType::Int64:
        return f(std::int64_t(), "fmi3SetInt64", "fmi3GetInt64");
      case FmuType::UInt64:
        return f(std::uint64_t(), "fmi3SetUInt64", "fmi3GetUInt64");
      case FmuType::Boolean:
        return f(bool(), "fmi3SetBoolean", "fmi3GetBoolean");
      case FmuType::String:
        return;
    }
  }
  static void logger(fmi3::Environment self, fmi3::Status status, fmi3::String,
                     fmi3::String message) {
    static_cast<Fmi3Calls*>(self)->log_(status, message ? message : "");
  }

  decltype(fmi3::fmi3FreeInstance)* free_ = nullptr;
  decltype(fmi3::fmi3DoStep)* doStep_ = nullptr;
};

}  // namespace

std::unique_ptr<FmiCalls> fmi3Calls(const FmuLibrary& library, const FmuOpening& opening,
                                    FmiCalls::Log log) {
  return std::make_unique<Fmi3Calls>(library, opening, std::move(log));
}

}  // namespace cardan::cosimulation
