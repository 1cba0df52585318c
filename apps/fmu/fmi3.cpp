// The functions of FMI 3.0 over FmuInstance.
#include "apps/fmu/fmi3.h"

#include <algorithm>

#include "apps/fmu/fmu_border.h"

namespace cardan::fmi3 {
namespace {

/// With what its importer gave it.
struct Slave : FmuSlave {
  Environment environment = nullptr;
  LogMessage logMessage = nullptr;
};

void log(const Slave& slave, FmuInstance::Category category, const std::string& text) {
  if (!slave.logMessage || !slave.wants(category)) return;
  constexpr Status kStatus[] = {kOk, kWarning, kError};
  const auto c = static_cast<size_t>(category);
  slave.logMessage(slave.environment, kStatus[c], kLogCategories[c], text.c_str());
}

/// A function that belongs to what the FMU does not offer.
Status refuse(Instance i, const char* call, const char* why) {
  return guarded<Status>(i, call, [why](FmuSlave&) { throw FmuRefusal(why); });
}
Status noExchange(Instance i, const char* call) {
  return refuse(i, call, "the FMU is one of co-simulation, not of model exchange");
}
Status noEventMode(Instance i, const char* call) {
  return refuse(i, call, "events are handled within steps (hasEventMode is false)");
}
Status noClocks(Instance i, const char* call) { return refuse(i, call, "the FMU has no clocks"); }

/// Of a type that no variable has.
Status noneOf(Instance i, const char* call, const ValueReference r[], size_t n) {
  return guarded<Status>(i, call, [=](FmuSlave&) {
    if (!references(r, n).empty()) throw FmuRefusal("no variable has this type");
  });
}

/// Every variable is a scalar.
void requireAsMany(size_t n, size_t count) {
  if (n != count) throw FmuRefusal("there must be as many values as value references");
}

template <class T>
Status getNumbers(Instance i, const char* call, const ValueReference r[], size_t n, T values[],
                  size_t count, FmuKind kind) {
  return guarded<Status>(i, call, [=](FmuSlave& s) {
    requireAsMany(n, count);
    requireArray(values, n, "the values");
    T* to = values;
    s.instance->get(references(r, n), kind, [&to](double x) { *to++ = static_cast<T>(x); });
  });
}
template <class T>
Status setNumbers(Instance i, const char* call, const ValueReference r[], size_t n,
                  const T values[], size_t count, FmuKind kind) {
  return guarded<Status>(i, call, [=](FmuSlave& s) {
    requireAsMany(n, count);
    requireArray(values, n, "the values");
    s.instance->set(references(r, n), kind, [values](size_t k) { return values[k]; });
  });
}

Instance noInstance(LogMessage logMessage, Environment environment, const char* why) {
  if (logMessage)
    logMessage(environment, kError,
               kLogCategories[static_cast<size_t>(FmuInstance::Category::error)], why);
  return nullptr;
}

}  // namespace

const char* fmi3GetVersion() { return "3.0"; }

Status fmi3SetDebugLogging(Instance i, Boolean on, size_t count, const String categories[]) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) { s.setLogging(on, count, categories); });
}

Instance fmi3InstantiateModelExchange(String, String, String, Boolean, Boolean,
                                      Environment environment, LogMessage logMessage) {
  return noInstance(logMessage, environment,
                    "the FMU is one of co-simulation, not of model exchange");
}
Instance fmi3InstantiateScheduledExecution(String, String, String, Boolean, Boolean,
                                           Environment environment, LogMessage logMessage,
                                           ClockUpdate, LockPreemption, LockPreemption) {
  return noInstance(logMessage, environment,
                    "the FMU is one of co-simulation, not of scheduled execution");
}

Instance fmi3InstantiateCoSimulation(String name, String token, String resources, Boolean,
                                     Boolean loggingOn, Boolean eventModeUsed, Boolean,
                                     const ValueReference[], size_t, Environment environment,
                                     LogMessage logMessage, IntermediateUpdate) {
  try {
    auto slave = std::make_unique<Slave>();
    slave->environment = environment;
    slave->logMessage = logMessage;
    if (!name || !*name) throw FmuRefusal("an instance must have a name");
    if (!token || !resources)
      throw FmuRefusal("an instance needs the instantiation token and the resources");
    if (eventModeUsed) throw FmuRefusal("there is no event mode (hasEventMode is false)");
    slave->name = name;
    slave->instance = std::make_unique<FmuInstance>(
        resources, token,
        [s = slave.get()](FmuInstance::Category k, const std::string& text) { log(*s, k, text); });
    slave->setLogging(loggingOn, 0, static_cast<const String*>(nullptr));
    return static_cast<FmuSlave*>(slave.release());
  } catch (const std::exception& e) {
    return noInstance(logMessage, environment, e.what());
  } catch (...) {
    return nullptr;
  }
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
Status fmi3ExitInitializationMode(Instance i) {
  return guarded<Status>(i, __func__, [](FmuSlave& s) { s.instance->exitInitialisation(); });
}
Status fmi3EnterEventMode(Instance i) { return noEventMode(i, __func__); }
Status fmi3Terminate(Instance i) {
  return guarded<Status>(i, __func__, [](FmuSlave& s) { s.instance->terminate(); });
}
Status fmi3Reset(Instance i) {
  return guarded<Status>(i, __func__, [](FmuSlave& s) { s.instance->reset(); });
}

Status fmi3GetFloat32(Instance i, const ValueReference r[], size_t n, Float32[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3SetFloat32(Instance i, const ValueReference r[], size_t n, const Float32[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3GetFloat64(Instance i, const ValueReference r[], size_t n, Float64 values[],
                      size_t count) {
  return getNumbers(i, __func__, r, n, values, count, FmuKind::real);
}
Status fmi3SetFloat64(Instance i, const ValueReference r[], size_t n, const Float64 values[],
                      size_t count) {
  return setNumbers(i, __func__, r, n, values, count, FmuKind::real);
}
Status fmi3GetInt8(Instance i, const ValueReference r[], size_t n, Int8[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3SetInt8(Instance i, const ValueReference r[], size_t n, const Int8[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3GetUInt8(Instance i, const ValueReference r[], size_t n, UInt8[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3SetUInt8(Instance i, const ValueReference r[], size_t n, const UInt8[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3GetInt16(Instance i, const ValueReference r[], size_t n, Int16[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3SetInt16(Instance i, const ValueReference r[], size_t n, const Int16[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3GetUInt16(Instance i, const ValueReference r[], size_t n, UInt16[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3SetUInt16(Instance i, const ValueReference r[], size_t n, const UInt16[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3GetInt32(Instance i, const ValueReference r[], size_t n, Int32 values[], size_t count) {
  return getNumbers(i, __func__, r, n, values, count, FmuKind::integer);
}
Status fmi3SetInt32(Instance i, const ValueReference r[], size_t n, const Int32 values[],
                    size_t count) {
  return setNumbers(i, __func__, r, n, values, count, FmuKind::integer);
}
Status fmi3GetUInt32(Instance i, const ValueReference r[], size_t n, UInt32[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3SetUInt32(Instance i, const ValueReference r[], size_t n, const UInt32[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3GetInt64(Instance i, const ValueReference r[], size_t n, Int64[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3SetInt64(Instance i, const ValueReference r[], size_t n, const Int64[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3GetUInt64(Instance i, const ValueReference r[], size_t n, UInt64[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3SetUInt64(Instance i, const ValueReference r[], size_t n, const UInt64[], size_t) {
  return noneOf(i, __func__, r, n);
}
Status fmi3GetBoolean(Instance i, const ValueReference r[], size_t n, Boolean values[],
                      size_t count) {
  return getNumbers(i, __func__, r, n, values, count, FmuKind::boolean);
}
Status fmi3SetBoolean(Instance i, const ValueReference r[], size_t n, const Boolean values[],
                      size_t count) {
  return setNumbers(i, __func__, r, n, values, count, FmuKind::boolean);
}
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

Status fmi3GetNumberOfVariableDependencies(Instance i, ValueReference, size_t*) {
  return refuse(i, __func__, "dependencies of elements are not told");
}
Status fmi3GetVariableDependencies(Instance i, ValueReference, size_t[], ValueReference[], size_t[],
                                   DependencyKind[], size_t) {
  return refuse(i, __func__, "dependencies of elements are not told");
}

Status fmi3GetFMUState(Instance i, State* state) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) { s.getState(state); });
}
Status fmi3SetFMUState(Instance i, State state) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) { s.instance->setState(s.stateOf(state)); });
}
Status fmi3FreeFMUState(Instance i, State* state) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) { s.freeState(state); });
}
Status fmi3SerializedFMUStateSize(Instance i, State state, size_t* size) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) {
    requireArray(size, 1, "the place of the size");
    *size = s.bytesOf(state).size();
  });
}
Status fmi3SerializeFMUState(Instance i, State state, Byte bytes[], size_t size) {
  return guarded<Status>(
      i, __func__, [=](FmuSlave& s) { s.serialise(state, reinterpret_cast<char*>(bytes), size); });
}
Status fmi3DeserializeFMUState(Instance i, const Byte bytes[], size_t size, State* state) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) {
    s.deserialise(reinterpret_cast<const char*>(bytes), size, state);
  });
}

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
Status fmi3GetAdjointDerivative(Instance i, const ValueReference[], size_t, const ValueReference[],
                                size_t, const Float64[], size_t, Float64[], size_t) {
  return refuse(i, __func__, "there are no adjoint derivatives");
}

Status fmi3EnterConfigurationMode(Instance i) {
  return refuse(i, __func__, "there are no structural parameters that could be set");
}
Status fmi3ExitConfigurationMode(Instance i) {
  return refuse(i, __func__, "there are no structural parameters that could be set");
}
Status fmi3GetIntervalDecimal(Instance i, const ValueReference[], size_t, Float64[],
                              IntervalQualifier[]) {
  return noClocks(i, __func__);
}
Status fmi3GetIntervalFraction(Instance i, const ValueReference[], size_t, UInt64[], UInt64[],
                               IntervalQualifier[]) {
  return noClocks(i, __func__);
}
Status fmi3GetShiftDecimal(Instance i, const ValueReference[], size_t, Float64[]) {
  return noClocks(i, __func__);
}
Status fmi3GetShiftFraction(Instance i, const ValueReference[], size_t, UInt64[], UInt64[]) {
  return noClocks(i, __func__);
}
Status fmi3SetIntervalDecimal(Instance i, const ValueReference[], size_t, const Float64[]) {
  return noClocks(i, __func__);
}
Status fmi3SetIntervalFraction(Instance i, const ValueReference[], size_t, const UInt64[],
                               const UInt64[]) {
  return noClocks(i, __func__);
}
Status fmi3SetShiftDecimal(Instance i, const ValueReference[], size_t, const Float64[]) {
  return noClocks(i, __func__);
}
Status fmi3SetShiftFraction(Instance i, const ValueReference[], size_t, const UInt64[],
                            const UInt64[]) {
  return noClocks(i, __func__);
}
Status fmi3EvaluateDiscreteStates(Instance i) { return noEventMode(i, __func__); }
Status fmi3UpdateDiscreteStates(Instance i, Boolean*, Boolean*, Boolean*, Boolean*, Boolean*,
                                Float64*) {
  return noEventMode(i, __func__);
}

Status fmi3EnterContinuousTimeMode(Instance i) { return noExchange(i, __func__); }
Status fmi3CompletedIntegratorStep(Instance i, Boolean, Boolean*, Boolean*) {
  return noExchange(i, __func__);
}
Status fmi3SetTime(Instance i, Float64) { return noExchange(i, __func__); }
Status fmi3SetContinuousStates(Instance i, const Float64[], size_t) {
  return noExchange(i, __func__);
}
Status fmi3GetContinuousStateDerivatives(Instance i, Float64[], size_t) {
  return noExchange(i, __func__);
}
Status fmi3GetEventIndicators(Instance i, Float64[], size_t) { return noExchange(i, __func__); }
Status fmi3GetContinuousStates(Instance i, Float64[], size_t) { return noExchange(i, __func__); }
Status fmi3GetNominalsOfContinuousStates(Instance i, Float64[], size_t) {
  return noExchange(i, __func__);
}
Status fmi3GetNumberOfEventIndicators(Instance i, size_t*) { return noExchange(i, __func__); }
Status fmi3GetNumberOfContinuousStates(Instance i, size_t*) { return noExchange(i, __func__); }

Status fmi3EnterStepMode(Instance i) { return noEventMode(i, __func__); }
Status fmi3GetOutputDerivatives(Instance i, const ValueReference[], size_t, const Int32[],
                                Float64[], size_t) {
  return refuse(i, __func__, "there are no derivatives of outputs (maxOutputDerivativeOrder is 0)");
}
Status fmi3DoStep(Instance i, Float64 current, Float64 step, Boolean, Boolean* eventHandlingNeeded,
                  Boolean* terminateSimulation, Boolean* earlyReturn, Float64* lastSuccessfulTime) {
  return guarded<Status>(i, __func__, [=](FmuSlave& s) {
    if (!eventHandlingNeeded || !terminateSimulation || !earlyReturn || !lastSuccessfulTime)
      throw FmuRefusal("the places of what a step tells must not be null pointers");
    if (!(step > 0)) throw FmuRefusal("a step must be longer than 0 s");
    *eventHandlingNeeded = *terminateSimulation = *earlyReturn = false;
    const auto tell = [&] { *lastSuccessfulTime = s.instance->time(); };
    try {
      s.instance->step(current, step);
    } catch (...) {
      tell();
      throw;
    }
    tell();
    *terminateSimulation = s.instance->isTerminated();
  });
}

Status fmi3ActivateModelPartition(Instance i, ValueReference, Float64) {
  return refuse(i, __func__, "the FMU is one of co-simulation, not of scheduled execution");
}

}  // namespace cardan::fmi3
