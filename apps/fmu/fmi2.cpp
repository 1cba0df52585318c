// The functions of FMI 2.0 over FmuInstance.
#include "apps/fmu/fmi2.h"

#include <algorithm>
#include <charconv>

#include "apps/fmu/fmu_border.h"

namespace cardan::fmi2 {
namespace {

/// With what its importer gave it.
struct Slave : FmuSlave {
  Callbacks callbacks{};
};

void log(const Slave& slave, FmuInstance::Category category, const std::string& text) {
  if (!slave.callbacks.logger || !slave.wants(category)) return;
  constexpr Status kStatus[] = {kOk, kWarning, kError};
  const auto c = static_cast<size_t>(category);
  slave.callbacks.logger(slave.callbacks.environment, slave.name.c_str(), kStatus[c],
                         kLogCategories[c], "%s", text.c_str());
}

/// "file:///models/a%20b" -> "/models/a b"; a path stays what it is.
std::string pathOf(const std::string& uri) {
  if (!uri.starts_with("file:")) return uri;
  std::string rest = uri.substr(5);
  if (rest.starts_with("//")) rest.erase(0, std::min(rest.find('/', 2), rest.size()));
  std::string path;
  for (size_t i = 0; i < rest.size(); ++i) {
    int code = 0;
    const char* end = rest.data() + std::min(i + 3, rest.size());
    const bool isCode = rest[i] == '%' && i + 2 < rest.size() &&
                        std::from_chars(rest.data() + i + 1, end, code, 16).ptr == end;
    path += isCode ? static_cast<char>(code) : rest[i];
    if (isCode) i += 2;
  }
  return path;
}

}  // namespace

const char* fmi2GetTypesPlatform() { return "default"; }
const char* fmi2GetVersion() { return "2.0"; }

Status fmi2SetDebugLogging(Component c, Boolean on, size_t count, const String categories[]) {
  return guarded<Status>(c, __func__, [=](FmuSlave& s) { s.setLogging(on, count, categories); });
}

Component fmi2Instantiate(String name, Type type, String guid, String resources,
                          const Callbacks* callbacks, Boolean, Boolean loggingOn) {
  try {
    auto slave = std::make_unique<Slave>();
    if (callbacks) slave->callbacks = *callbacks;
    slave->name = name ? name : "";
    try {
      if (!name || !*name) throw FmuRefusal("an instance must have a name");
      if (!guid || !resources) throw FmuRefusal("an instance needs the GUID and the resources");
      slave->instance = std::make_unique<FmuInstance>(
          pathOf(resources), guid,
          type == kModelExchange ? FmuInterface::modelExchange : FmuInterface::coSimulation,
          [s = slave.get()](FmuInstance::Category k, const std::string& text) {
            log(*s, k, text);
          });
      slave->setLogging(loggingOn != 0, 0, static_cast<const String*>(nullptr));
    } catch (const std::exception& e) {
      log(*slave, FmuInstance::Category::error, std::string(__func__) + ": " + e.what());
      return nullptr;
    }
    return static_cast<FmuSlave*>(slave.release());
  } catch (...) {
    return nullptr;
  }
}

void fmi2FreeInstance(Component c) { delete static_cast<Slave*>(static_cast<FmuSlave*>(c)); }

Status fmi2SetupExperiment(Component c, Boolean toleranceDefined, Real tolerance, Real start,
                           Boolean stopDefined, Real stop) {
  return guarded<Status>(c, __func__, [=](FmuSlave& s) {
    FmuSetup setup{start, {}, {}};
    if (stopDefined) setup.stop = stop;
    if (toleranceDefined) setup.tolerance = tolerance;
    s.instance->setUp(setup);
  });
}
FMU_CALL(fmi2EnterInitializationMode, enterInitialisation);
FMU_CALL(fmi2ExitInitializationMode, exitInitialisation);
FMU_CALL(fmi2Terminate, terminate);
FMU_CALL(fmi2Reset, reset);

#define NUMBERS(Type, kind)                                                               \
  Status fmi2Get##Type(Component c, const ValueReference r[], size_t n, Type x[]) {       \
    return getNumbers<Status>(c, __func__, r, n, x, n, FmuKind::kind);                    \
  }                                                                                       \
  Status fmi2Set##Type(Component c, const ValueReference r[], size_t n, const Type x[]) { \
    return setNumbers<Status>(c, __func__, r, n, x, n, FmuKind::kind);                    \
  }
NUMBERS(Real, real)
NUMBERS(Integer, integer)
NUMBERS(Boolean, boolean)
#undef NUMBERS

Status fmi2GetString(Component c, const ValueReference r[], size_t n, String values[]) {
  return guarded<Status>(c, __func__, [=](FmuSlave& s) {
    requireArray(values, n, "the values");
    s.instance->getTexts(references(r, n), values);
  });
}
Status fmi2SetString(Component c, const ValueReference r[], size_t n, const String[]) {
  return guarded<Status>(c, __func__, [=](FmuSlave& s) { s.instance->setTexts(references(r, n)); });
}

FMU_STATE_CALL(fmi2GetFMUstate, getState, (Component c, State* state), state)
FMU_STATE_CALL(fmi2SetFMUstate, setState, (Component c, State state), state)
FMU_STATE_CALL(fmi2FreeFMUstate, freeState, (Component c, State* state), state)
FMU_STATE_CALL(fmi2SerializedFMUstateSize, tellSize, (Component c, State state, size_t* size),
               state, size)
FMU_STATE_CALL(fmi2SerializeFMUstate, serialise,
               (Component c, State state, Byte bytes[], size_t size), state, bytes, size)
FMU_STATE_CALL(fmi2DeSerializeFMUstate, deserialise,
               (Component c, const Byte bytes[], size_t size, State* state), bytes, size, state)
Status fmi2GetDirectionalDerivative(Component c, const ValueReference unknowns[], size_t n,
                                    const ValueReference knowns[], size_t m, const Real seed[],
                                    Real result[]) {
  return guarded<Status>(c, __func__, [=](FmuSlave& s) {
    requireArray(seed, m, "the seed");
    requireArray(result, n, "the result");
    s.instance->directionalDerivative(references(unknowns, n), references(knowns, m), seed, result);
  });
}

FMU_CALL(fmi2EnterEventMode, enterEvents);
Status fmi2NewDiscreteStates(Component c, EventInfo* i) {
  EventInfo unread;
  EventInfo& to = i ? *i : unread;
  return updated<Status>(c, __func__, i ? &to.newDiscreteStatesNeeded : nullptr,
                         &to.terminateSimulation, &to.nominalsOfContinuousStatesChanged,
                         &to.valuesOfContinuousStatesChanged, &to.nextEventTimeDefined,
                         &to.nextEventTime);
}
FMU_CALL(fmi2EnterContinuousTimeMode, enterMotion);
Status fmi2CompletedIntegratorStep(Component c, Boolean, Boolean* event, Boolean* terminates) {
  return completedStep<Status>(c, __func__, event, terminates);
}
FMU_CALL_WITH(fmi2SetTime, setTime);
FMU_CALL_FOR(fmi2SetContinuousStates, const double, setStates);
FMU_CALL_FOR(fmi2GetDerivatives, double, derivatives);
FMU_CALL_FOR(fmi2GetEventIndicators, double, indicators);
FMU_CALL_FOR(fmi2GetContinuousStates, double, states);
FMU_CALL_FOR(fmi2GetNominalsOfContinuousStates, double, nominals);

FMU_REFUSED(fmi2SetRealInputDerivatives,
            "inputs are held over a step (canInterpolateInputs is false)", const ValueReference[],
            size_t, const Integer[], const Real[]);
FMU_REFUSED(fmi2GetRealOutputDerivatives,
            "there are no derivatives of outputs (maxOutputDerivativeOrder is 0)",
            const ValueReference[], size_t, const Integer[], Real[]);

Status fmi2DoStep(Component c, Real current, Real step, Boolean) {
  bool isTerminated = false;
  const Status status = guarded<Status>(c, __func__, [&](FmuSlave& s) {
    s.instance->step(current, step);
    isTerminated = s.instance->isTerminated();
  });
  return isTerminated ? kDiscard : status;
}
FMU_REFUSED(fmi2CancelStep, "steps are carried out at once (canRunAsynchronuously is false)");
Status fmi2GetStatus(Component c, StatusKind kind, Status* value) {
  return guarded<Status>(c, __func__, [=](FmuSlave& s) {
    requireArray(value, 1, "the place of the status");
    if (kind != kDoStepStatus) throw FmuRefusal("this kind of status is no status of a call");
    *value = s.instance->isTerminated()                ? kDiscard
             : s.instance->phase() == FmuPhase::failed ? kError
                                                       : kOk;
  });
}
Status fmi2GetRealStatus(Component c, StatusKind kind, Real* value) {
  return guarded<Status>(c, __func__, [=](FmuSlave& s) {
    requireArray(value, 1, "the place of the status");
    if (kind != kLastSuccessfulTime) throw FmuRefusal("this kind of status is no real number");
    *value = s.instance->time();
  });
}
FMU_REFUSED(fmi2GetIntegerStatus, "no kind of status is an integer", StatusKind, Integer*);
Status fmi2GetBooleanStatus(Component c, StatusKind kind, Boolean* value) {
  return guarded<Status>(c, __func__, [=](FmuSlave& s) {
    requireArray(value, 1, "the place of the status");
    if (kind != kTerminated) throw FmuRefusal("this kind of status is no Boolean");
    *value = s.instance->isTerminated() ? 1 : 0;
  });
}
FMU_REFUSED(fmi2GetStringStatus, "no step is pending: steps are carried out at once", StatusKind,
            String*);

}  // namespace cardan::fmi2
