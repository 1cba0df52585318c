/// Types and functions of FMI 3.0 ("Functional Mock-up Interface Specification", Modelica Association,
/// 3.0), as the standard's C headers have them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cardan::fmi3 {

using Instance = void*;
using Environment = void*;
using State = void*;
using ValueReference = std::uint32_t;
using Float32 = float;
using Float64 = double;
using Int8 = std::int8_t;
using UInt8 = std::uint8_t;
using Int16 = std::int16_t;
using UInt16 = std::uint16_t;
using Int32 = std::int32_t;
using UInt32 = std::uint32_t;
using Int64 = std::int64_t;
using UInt64 = std::uint64_t;
using Boolean = bool;
using String = const char*;
using Byte = std::uint8_t;
using Binary = const Byte*;
using Clock = bool;

enum Status { kOk, kWarning, kDiscard, kError, kFatal };
enum DependencyKind { kIndependent, kConstant, kFixed, kTunable, kDiscrete, kDependent };
enum IntervalQualifier { kIntervalNotYetKnown, kIntervalUnchanged, kIntervalChanged };

using LogMessage = void (*)(Environment, Status, String category, String message);
using ClockUpdate = void (*)(Environment);
using IntermediateUpdate = void (*)(Environment, Float64 time, Boolean setRequested,
                                    Boolean getAllowed, Boolean stepFinished,
                                    Boolean canReturnEarly, Boolean* earlyReturnRequested,
                                    Float64* earlyReturnTime);
using LockPreemption = void (*)();

extern "C" {

const char* fmi3GetVersion();
Status fmi3SetDebugLogging(Instance, Boolean on, size_t count, const String categories[]);

Instance fmi3InstantiateModelExchange(String name, String token, String resources, Boolean visible,
                                      Boolean loggingOn, Environment, LogMessage);
Instance fmi3InstantiateCoSimulation(String name, String token, String resources, Boolean visible,
                                     Boolean loggingOn, Boolean eventModeUsed,
                                     Boolean earlyReturnAllowed,
                                     const ValueReference intermediate[], size_t count, Environment,
                                     LogMessage, IntermediateUpdate);
Instance fmi3InstantiateScheduledExecution(String name, String token, String resources,
                                           Boolean visible, Boolean loggingOn, Environment,
                                           LogMessage, ClockUpdate, LockPreemption lock,
                                           LockPreemption unlock);
void fmi3FreeInstance(Instance);

Status fmi3EnterInitializationMode(Instance, Boolean toleranceDefined, Float64 tolerance,
                                   Float64 start, Boolean stopDefined, Float64 stop);
Status fmi3ExitInitializationMode(Instance);
Status fmi3EnterEventMode(Instance);
Status fmi3Terminate(Instance);
Status fmi3Reset(Instance);

#define CARDAN_FMI3_TYPE(Type)                                                    \
  Status fmi3Get##Type(Instance, const ValueReference[], size_t, Type[], size_t); \
  Status fmi3Set##Type(Instance, const ValueReference[], size_t, const Type[], size_t);
CARDAN_FMI3_TYPE(Float32)
CARDAN_FMI3_TYPE(Float64)
CARDAN_FMI3_TYPE(Int8)
CARDAN_FMI3_TYPE(UInt8)
CARDAN_FMI3_TYPE(Int16)
CARDAN_FMI3_TYPE(UInt16)
CARDAN_FMI3_TYPE(Int32)
CARDAN_FMI3_TYPE(UInt32)
CARDAN_FMI3_TYPE(Int64)
CARDAN_FMI3_TYPE(UInt64)
CARDAN_FMI3_TYPE(Boolean)
CARDAN_FMI3_TYPE(String)
#undef CARDAN_FMI3_TYPE
Status fmi3GetBinary(Instance, const ValueReference[], size_t, size_t sizes[], Binary[], size_t);
Status fmi3GetClock(Instance, const ValueReference[], size_t, Clock[]);
Status fmi3SetBinary(Instance, const ValueReference[], size_t, const size_t sizes[], const Binary[],
                     size_t);
Status fmi3SetClock(Instance, const ValueReference[], size_t, const Clock[]);

Status fmi3GetNumberOfVariableDependencies(Instance, ValueReference, size_t*);
Status fmi3GetVariableDependencies(Instance, ValueReference, size_t elements[],
                                   ValueReference independents[], size_t theirs[], DependencyKind[],
                                   size_t);

Status fmi3GetFMUState(Instance, State*);
Status fmi3SetFMUState(Instance, State);
Status fmi3FreeFMUState(Instance, State*);
Status fmi3SerializedFMUStateSize(Instance, State, size_t*);
Status fmi3SerializeFMUState(Instance, State, Byte[], size_t);
Status fmi3DeserializeFMUState(Instance, const Byte[], size_t, State*);

Status fmi3GetDirectionalDerivative(Instance, const ValueReference unknowns[], size_t,
                                    const ValueReference knowns[], size_t, const Float64 seed[],
                                    size_t, Float64 result[], size_t);
Status fmi3GetAdjointDerivative(Instance, const ValueReference unknowns[], size_t,
                                const ValueReference knowns[], size_t, const Float64 seed[], size_t,
                                Float64 result[], size_t);

Status fmi3EnterConfigurationMode(Instance);
Status fmi3ExitConfigurationMode(Instance);
Status fmi3GetIntervalDecimal(Instance, const ValueReference[], size_t, Float64[],
                              IntervalQualifier[]);
Status fmi3GetIntervalFraction(Instance, const ValueReference[], size_t, UInt64 counters[],
                               UInt64 resolutions[], IntervalQualifier[]);
Status fmi3GetShiftDecimal(Instance, const ValueReference[], size_t, Float64[]);
Status fmi3GetShiftFraction(Instance, const ValueReference[], size_t, UInt64 counters[],
                            UInt64 resolutions[]);
Status fmi3SetIntervalDecimal(Instance, const ValueReference[], size_t, const Float64[]);
Status fmi3SetIntervalFraction(Instance, const ValueReference[], size_t, const UInt64 counters[],
                               const UInt64 resolutions[]);
Status fmi3SetShiftDecimal(Instance, const ValueReference[], size_t, const Float64[]);
Status fmi3SetShiftFraction(Instance, const ValueReference[], size_t, const UInt64 counters[],
                            const UInt64 resolutions[]);
Status fmi3EvaluateDiscreteStates(Instance);
Status fmi3UpdateDiscreteStates(Instance, Boolean* needUpdate, Boolean* terminateSimulation,
                                Boolean* nominalsChanged, Boolean* valuesChanged,
                                Boolean* nextEventTimeDefined, Float64* nextEventTime);

// Of model exchange.
Status fmi3EnterContinuousTimeMode(Instance);
Status fmi3CompletedIntegratorStep(Instance, Boolean noSetState, Boolean* enterEventMode,
                                   Boolean* terminateSimulation);
Status fmi3SetTime(Instance, Float64);
Status fmi3SetContinuousStates(Instance, const Float64[], size_t);
Status fmi3GetContinuousStateDerivatives(Instance, Float64[], size_t);
Status fmi3GetEventIndicators(Instance, Float64[], size_t);
Status fmi3GetContinuousStates(Instance, Float64[], size_t);
Status fmi3GetNominalsOfContinuousStates(Instance, Float64[], size_t);
Status fmi3GetNumberOfEventIndicators(Instance, size_t*);
Status fmi3GetNumberOfContinuousStates(Instance, size_t*);

// Of co-simulation.
Status fmi3EnterStepMode(Instance);
Status fmi3GetOutputDerivatives(Instance, const ValueReference[], size_t, const Int32 orders[],
                                Float64[], size_t);
Status fmi3DoStep(Instance, Float64 current, Float64 step, Boolean noSetState,
                  Boolean* eventHandlingNeeded, Boolean* terminateSimulation, Boolean* earlyReturn,
                  Float64* lastSuccessfulTime);

// Of scheduled execution.
Status fmi3ActivateModelPartition(Instance, ValueReference clock, Float64 time);

}  // extern "C"

}  // namespace cardan::fmi3
