// The functions of FMI 3.0 over FmuInstance.
#include "apps/fmu/fmi3.h"

#include "apps/fmu/fmu_border.h"

namespace cardan::fmi3 {
namespace {

/// With what its importer gave it.
struct Slave : FmuSlave {
  Environment environment = nullptr;
  LogMessage logMessage = nullptr;
  bool mayEndEarly = false;  ///< steps, before events
};

void log(const Slave& slave, FmuInstance::Category category, const std::string& text) {
  if (!slave.logMessage || !slave.wants(category)) return;
  constexpr Status kStatus[] = {kOk, kWarning, kError};
  const auto c = static_cast<size_t>(category);
  slave.logMessage(slave.environment, kStatus[c], kLogCategories[c], text.c_str());
}

constexpr const char* kNoClocks = "the FMU has no clocks";
constexpr const char* kNoStructure = "there are no structural parameters that could be set";
constexpr const char* kNoDependencies = "dependencies of elements are not told";
constexpr const char* kNoSchedule = "there is no scheduled execution";

/// Of a type that no variable has.
Status noneOf(Instance i, const char* call, const ValueReference r[], size_t n) {
  return guarded<Status>(i, call, [=](FmuSlave&) {
    if (!references(r, n).empty()) throw FmuRefusal("no variable has this type");
  });
}

Instance noInstance(LogMessage logMessage, Environment environment, const char* why) {
  if (logMessage)
    logMessage(environment, kError,
               kLogCategories[static_cast<size_t>(FmuInstance::Category::error)], why);
  return nullptr;
}

Instance instantiate(String name, String token, String resources, bool loggingOn,
                     FmuInterface interface, Environment environment, LogMessage logMessage,
                     bool mayEndEarly = false) {
  try {
    auto slave = std::make_unique<Slave>();
    slave->environment = environment;
    slave->logMessage = logMessage;
    slave->mayEndEarly = mayEndEarly;
    if (!name || !*name) throw FmuRefusal("an instance must have a name");
    if (!token || !resources)
      throw FmuRefusal("an instance needs the instantiation token and the resources");
    slave->name = name;
    slave->instance = std::make_unique<FmuInstance>(
        resources, token, interface,
        [s = slave.get()](FmuInstance::Category k, const std::string& text) { log(*s, k, text); });
    slave->setLogging(loggingOn, 0, static_cast<const String*>(nullptr));
    return static_cast<FmuSlave*>(slave.release());
  } catch (const std::exception& e) {
    return noInstance(logMessage, environment, e.what());
  } catch (...) {
    return nullptr;
  }
}

/// How many there are of something that the model description lists.
Status tellCount(Instance i, const char* call, size_t* count, size_t (FmuInstance::*of)() const) {
  return guarded<Status>(i, call, [=](FmuSlave& s) {
    requireArray(count, 1, "the place of the number");
    *count = ((*s.instance).*of)();
  });
}

}  // namespace

const char* fmi3GetVersion() { return "3.0"; }

Status fmi3SetDebugLogging(Instance i, Boolean on, size_t count, const String categories[]) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) { s.setLogging(on, count, categories); });
}

Instance fmi3InstantiateModelExchange(String name, String token, String resources, Boolean,
                                      Boolean loggingOn, Environment environment,
                                      LogMessage logMessage) {
  return instantiate(name, token, resources, loggingOn, FmuInterface::modelExchange, environment,
                     logMessage);
}
Instance fmi3InstantiateScheduledExecution(String, String, String, Boolean, Boolean,
                                           Environment environment, LogMessage logMessage,
                                           ClockUpdate, LockPreemption, LockPreemption) {
  return noInstance(logMessage, environment, kNoSchedule);
}

Instance fmi3InstantiateCoSimulation(String name, String token, String resources, Boolean,
                                     Boolean loggingOn, Boolean eventModeUsed,
                                     Boolean earlyReturnAllowed, const ValueReference[], size_t,
                                     Environment environment, LogMessage logMessage,
                                     IntermediateUpdate) {
  return instantiate(
      name, token, resources, loggingOn,
      eventModeUsed ? FmuInterface::coSimulationOfEvents : FmuInterface::coSimulation, environment,
      logMessage, eventModeUsed && earlyReturnAllowed);
}

void fmi3FreeInstance(Instance i) { delete static_cast<Slave*>(static_cast<FmuSlave*>(i)); }

Status fmi3EnterInitializationMode(Instance i, Boolean toleranceDefined, Float64 tolerance,
                                   Float64 start, Boolean stopDefined, Float64 stop) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) {
    FmuSetup setup{start, {}, {}};
    if (stopDefined) setup.stop = stop;
    if (toleranceDefined) setup.tolerance = tolerance;
    s.instance->setUp(setup);
    s.instance->enterInitialisation();
  });
}
FMU_CALL(fmi3ExitInitializationMode, exitInitialisation);
FMU_CALL(fmi3EnterEventMode, enterEvents);
FMU_CALL(fmi3Terminate, terminate);
FMU_CALL(fmi3Reset, reset);

// Every type has its functions; these have variables.
#define NUMBERS(Type, kind)                                                                        \
  Status fmi3Get##Type(Instance i, const ValueReference r[], size_t n, Type x[], size_t m) {       \
    return getNumbers<Status>(i, __func__, r, n, x, m, FmuKind::kind);                             \
  }                                                                                                \
  Status fmi3Set##Type(Instance i, const ValueReference r[], size_t n, const Type x[], size_t m) { \
    return setNumbers<Status>(i, __func__, r, n, x, m, FmuKind::kind);                             \
  }
#define NO_VARIABLES(Type)                                                                     \
  Status fmi3Get##Type(Instance i, const ValueReference r[], size_t n, Type[], size_t) {       \
    return noneOf(i, __func__, r, n);                                                          \
  }                                                                                            \
  Status fmi3Set##Type(Instance i, const ValueReference r[], size_t n, const Type[], size_t) { \
    return noneOf(i, __func__, r, n);                                                          \
  }
NO_VARIABLES(Float32);
NUMBERS(Float64, real);
NO_VARIABLES(Int8);
NO_VARIABLES(UInt8);
NO_VARIABLES(Int16);
NO_VARIABLES(UInt16);
NUMBERS(Int32, integer);
NO_VARIABLES(UInt32);
NO_VARIABLES(Int64);
NO_VARIABLES(UInt64);
NUMBERS(Boolean, boolean);
Status fmi3GetString(Instance i, const ValueReference r[], size_t n, String values[],
                     size_t count) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) {
    requireAsMany(n, count);
    requireArray(values, n, "the values");
    s.instance->getTexts(references(r, n), values);
  });
}
Status fmi3SetString(Instance i, const ValueReference r[], size_t n, const String[], size_t) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) { s.instance->setTexts(references(r, n)); });
}
Status fmi3GetBinary(Instance i, const ValueReference r[], size_t n, size_t[], Binary[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3SetBinary(Instance i, const ValueReference r[], size_t n, const size_t[], const Binary[],
                     size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3GetClock(Instance i, const ValueReference r[], size_t n, Clock[]) {
  return noneOf(i, __func__, r, n);
}
Status fmi3SetClock(Instance i, const ValueReference r[], size_t n, const Clock[]) {
  return noneOf(i, __func__, r, n);
}

FMU_REFUSED(fmi3GetNumberOfVariableDependencies, kNoDependencies, ValueReference, size_t*);
FMU_REFUSED(fmi3GetVariableDependencies, kNoDependencies, ValueReference, size_t[],
            ValueReference[], size_t[], DependencyKind[], size_t);

FMU_STATE_CALL(fmi3GetFMUState, getState, (Instance c, State* state), state)
FMU_STATE_CALL(fmi3SetFMUState, setState, (Instance c, State state), state)
FMU_STATE_CALL(fmi3FreeFMUState, freeState, (Instance c, State* state), state)
FMU_STATE_CALL(fmi3SerializedFMUStateSize, tellSize, (Instance c, State state, size_t* size), state,
               size)
FMU_STATE_CALL(fmi3SerializeFMUState, serialise,
               (Instance c, State state, Byte bytes[], size_t size), state, bytes, size)
FMU_STATE_CALL(fmi3DeserializeFMUState, deserialise,
               (Instance c, const Byte bytes[], size_t size, State* state), bytes, size, state)
Status fmi3GetDirectionalDerivative(Instance i, const ValueReference unknowns[], size_t n,
                                    const ValueReference knowns[], size_t m, const Float64 seed[],
                                    size_t seeds, Float64 result[], size_t results) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) {
    requireAsMany(m, seeds);
    requireAsMany(n, results);
    requireArray(seed, m, "the seed");
    requireArray(result, n, "the result");
    s.instance->directionalDerivative(references(unknowns, n), references(knowns, m), seed, result);
  });
}
FMU_REFUSED(fmi3GetAdjointDerivative, "there are no adjoint derivatives", const ValueReference[],
            size_t, const ValueReference[], size_t, const Float64[], size_t, Float64[], size_t);

FMU_REFUSED(fmi3EnterConfigurationMode, kNoStructure);
FMU_REFUSED(fmi3ExitConfigurationMode, kNoStructure);
FMU_REFUSED(fmi3GetIntervalDecimal, kNoClocks, const ValueReference[], size_t, Float64[],
            IntervalQualifier[]);
FMU_REFUSED(fmi3GetIntervalFraction, kNoClocks, const ValueReference[], size_t, UInt64[], UInt64[],
            IntervalQualifier[]);
FMU_REFUSED(fmi3GetShiftDecimal, kNoClocks, const ValueReference[], size_t, Float64[]);
FMU_REFUSED(fmi3GetShiftFraction, kNoClocks, const ValueReference[], size_t, UInt64[], UInt64[]);
FMU_REFUSED(fmi3SetIntervalDecimal, kNoClocks, const ValueReference[], size_t, const Float64[]);
FMU_REFUSED(fmi3SetIntervalFraction, kNoClocks, const ValueReference[], size_t, const UInt64[],
            const UInt64[]);
FMU_REFUSED(fmi3SetShiftDecimal, kNoClocks, const ValueReference[], size_t, const Float64[]);
FMU_REFUSED(fmi3SetShiftFraction, kNoClocks, const ValueReference[], size_t, const UInt64[],
            const UInt64[]);
FMU_REFUSED(fmi3EvaluateDiscreteStates, "discrete states are not evaluated apart");
Status fmi3UpdateDiscreteStates(Instance i, Boolean* again, Boolean* terminates, Boolean* nominals,
                                Boolean* values, Boolean* hasNext, Float64* next) {
  return updated<Status>(i, __func__, again, terminates, nominals, values, hasNext, next);
}

FMU_CALL(fmi3EnterContinuousTimeMode, enterMotion);
Status fmi3CompletedIntegratorStep(Instance i, Boolean, Boolean* event, Boolean* terminates) {
  return completedStep<Status>(i, __func__, event, terminates);
}
FMU_CALL_WITH(fmi3SetTime, setTime);
FMU_CALL_FOR(fmi3SetContinuousStates, const double, setStates);
FMU_CALL_FOR(fmi3GetContinuousStateDerivatives, double, derivatives);
FMU_CALL_FOR(fmi3GetEventIndicators, double, indicators);
FMU_CALL_FOR(fmi3GetContinuousStates, double, states);
FMU_CALL_FOR(fmi3GetNominalsOfContinuousStates, double, nominals);
Status fmi3GetNumberOfEventIndicators(Instance i, size_t* count) {
  return tellCount(i, __func__, count, &FmuInstance::indicatorCount);
}
Status fmi3GetNumberOfContinuousStates(Instance i, size_t* count) {
  return tellCount(i, __func__, count, &FmuInstance::stateCount);
}

FMU_CALL(fmi3EnterStepMode, enterSteps);
FMU_REFUSED(fmi3GetOutputDerivatives,
            "there are no derivatives of outputs (maxOutputDerivativeOrder is 0)",
            const ValueReference[], size_t, const Int32[], Float64[], size_t);
Status fmi3DoStep(Instance i, Float64 current, Float64 step, Boolean, Boolean* eventHandlingNeeded,
                  Boolean* terminateSimulation, Boolean* earlyReturn, Float64* lastSuccessfulTime) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) {
    if (!eventHandlingNeeded || !terminateSimulation || !earlyReturn || !lastSuccessfulTime)
      throw FmuRefusal("the places of what a step tells must not be null pointers");
    if (!(step > 0)) throw FmuRefusal("a step must be longer than 0 s");
    *eventHandlingNeeded = *terminateSimulation = *earlyReturn = false;
    const auto tell = [&] { *lastSuccessfulTime = s.instance->time(); };
    try {
      s.instance->step(current, step, static_cast<Slave&>(s).mayEndEarly);
    } catch (...) {
      tell();
      throw;
    }
    tell();
    *terminateSimulation = s.instance->isTerminated();
    *eventHandlingNeeded = s.instance->isBeforeEvent();
    *earlyReturn = *eventHandlingNeeded && *lastSuccessfulTime < current + step;
  });
}

FMU_REFUSED(fmi3ActivateModelPartition, kNoSchedule, ValueReference, Float64);

}  // namespace cardan::fmi3
