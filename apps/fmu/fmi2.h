/// Types and functions of FMI 2.0 ("Functional Mock-up Interface for Model Exchange and Co-Simulation",
/// Modelica Association, 2.0.4), as the standard's C headers have them.
#pragma once

#include <cstddef>

namespace cardan::fmi2 {

using Component = void*;
using Environment = void*;
using State = void*;
using ValueReference = unsigned int;
using Real = double;
using Integer = int;
using Boolean = int;
using Char = char;
using String = const char*;
using Byte = char;

enum Status { kOk, kWarning, kDiscard, kError, kFatal, kPending };
enum Type { kModelExchange, kCoSimulation };
enum StatusKind { kDoStepStatus, kPendingStatus, kLastSuccessfulTime, kTerminated };

/// What the importer gives an instance.
struct Callbacks {
  void (*logger)(Environment, String instanceName, Status, String category, String message, ...);
  void* (*allocateMemory)(size_t count, size_t size);
  void (*freeMemory)(void*);
  void (*stepFinished)(Environment, Status);
  Environment environment;
};

/// Of model exchange.
struct EventInfo {
  Boolean newDiscreteStatesNeeded;
  Boolean terminateSimulation;
  Boolean nominalsOfContinuousStatesChanged;
  Boolean valuesOfContinuousStatesChanged;
  Boolean nextEventTimeDefined;
  Real nextEventTime;
};

extern "C" {

const char* fmi2GetTypesPlatform();
const char* fmi2GetVersion();
Status fmi2SetDebugLogging(Component, Boolean on, size_t count, const String categories[]);

Component fmi2Instantiate(String name, Type, String guid, String resources, const Callbacks*,
                          Boolean visible, Boolean loggingOn);
void fmi2FreeInstance(Component);

Status fmi2SetupExperiment(Component, Boolean toleranceDefined, Real tolerance, Real start,
                           Boolean stopDefined, Real stop);
Status fmi2EnterInitializationMode(Component);
Status fmi2ExitInitializationMode(Component);
Status fmi2Terminate(Component);
Status fmi2Reset(Component);

Status fmi2GetReal(Component, const ValueReference[], size_t count, Real[]);
Status fmi2GetInteger(Component, const ValueReference[], size_t count, Integer[]);
Status fmi2GetBoolean(Component, const ValueReference[], size_t count, Boolean[]);
Status fmi2GetString(Component, const ValueReference[], size_t count, String[]);
Status fmi2SetReal(Component, const ValueReference[], size_t count, const Real[]);
Status fmi2SetInteger(Component, const ValueReference[], size_t count, const Integer[]);
Status fmi2SetBoolean(Component, const ValueReference[], size_t count, const Boolean[]);
Status fmi2SetString(Component, const ValueReference[], size_t count, const String[]);

Status fmi2GetFMUstate(Component, State*);
Status fmi2SetFMUstate(Component, State);
Status fmi2FreeFMUstate(Component, State*);
Status fmi2SerializedFMUstateSize(Component, State, size_t*);
Status fmi2SerializeFMUstate(Component, State, Byte[], size_t);
Status fmi2DeSerializeFMUstate(Component, const Byte[], size_t, State*);

Status fmi2GetDirectionalDerivative(Component, const ValueReference unknowns[], size_t,
                                    const ValueReference knowns[], size_t, const Real seed[],
                                    Real result[]);

// Of model exchange.
Status fmi2EnterEventMode(Component);
Status fmi2NewDiscreteStates(Component, EventInfo*);
Status fmi2EnterContinuousTimeMode(Component);
Status fmi2CompletedIntegratorStep(Component, Boolean noSetState, Boolean* enterEventMode,
                                   Boolean* terminateSimulation);
Status fmi2SetTime(Component, Real);
Status fmi2SetContinuousStates(Component, const Real[], size_t);
Status fmi2GetDerivatives(Component, Real[], size_t);
Status fmi2GetEventIndicators(Component, Real[], size_t);
Status fmi2GetContinuousStates(Component, Real[], size_t);
Status fmi2GetNominalsOfContinuousStates(Component, Real[], size_t);

// Of co-simulation.
Status fmi2SetRealInputDerivatives(Component, const ValueReference[], size_t, const Integer order[],
                                   const Real[]);
Status fmi2GetRealOutputDerivatives(Component, const ValueReference[], size_t,
                                    const Integer order[], Real[]);
Status fmi2DoStep(Component, Real current, Real step, Boolean noSetState);
Status fmi2CancelStep(Component);
Status fmi2GetStatus(Component, StatusKind, Status*);
Status fmi2GetRealStatus(Component, StatusKind, Real*);
Status fmi2GetIntegerStatus(Component, StatusKind, Integer*);
Status fmi2GetBooleanStatus(Component, StatusKind, Boolean*);
Status fmi2GetStringStatus(Component, StatusKind, String*);

}  // extern "C"

}  // namespace cardan::fmi2
