// Our declarations of the standard's types and functions against its own headers.
#include <doctest/doctest.h>

#if __has_include("fmi3FunctionTypes.h")
#include <cstddef>
#include <type_traits>

#include "apps/fmu/fmi2.h"
#include "apps/fmu/fmi3.h"
#include "fmi2FunctionTypes.h"
#include "fmi3FunctionTypes.h"

namespace {

using namespace cardan;

template <class A, class B>
constexpr bool isAlike();

template <class A, class B>
struct AreAlike : std::false_type {};
template <class A, class... As, class B, class... Bs>
struct AreAlike<A(As...), B(Bs...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(As) != sizeof...(Bs)) {
      return false;
    } else {
      return isAlike<A, B>() && (isAlike<As, Bs>() && ...);
    }
  }();
};
template <class A, class... As, class B, class... Bs>
struct AreAlike<A(As..., ...), B(Bs..., ...)> : AreAlike<A(As...), B(Bs...)> {};

/// The same in a call: the same type, enumerations of one size and sign, pointers to such, functions of
/// such; records of one size and alignment, whose members are compared below.
template <class A, class B>
constexpr bool isAlike() {
  if constexpr (std::is_same_v<A, B>) {
    return true;
  } else if constexpr (std::is_const_v<A> && std::is_const_v<B>) {
    return isAlike<std::remove_const_t<A>, std::remove_const_t<B>>();
  } else if constexpr (std::is_const_v<A> != std::is_const_v<B>) {
    return false;
  } else if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    return isAlike<std::remove_pointer_t<A>, std::remove_pointer_t<B>>();
  } else if constexpr (std::is_enum_v<A> && std::is_enum_v<B>) {
    return std::is_same_v<std::underlying_type_t<A>, std::underlying_type_t<B>>;
  } else if constexpr (std::is_function_v<A> && std::is_function_v<B>) {
    return AreAlike<A, B>::value;
  } else if constexpr (std::is_class_v<A> && std::is_class_v<B>) {
    return sizeof(A) == sizeof(B) && alignof(A) == alignof(B);
  } else {
    return false;
  }
}

static_assert(!isAlike<int(double), int(float)>() && !isAlike<const char*, char*>());

#define FMI2(name) static_assert(isAlike<fmi2##name##TYPE, decltype(fmi2::fmi2##name)>(), #name);
#define FMI3(name) static_assert(isAlike<fmi3##name##TYPE, decltype(fmi3::fmi3##name)>(), #name);
FMI2(GetTypesPlatform)
FMI2(GetVersion)
FMI2(SetDebugLogging)
FMI2(Instantiate)
FMI2(FreeInstance)
FMI2(SetupExperiment)
FMI2(EnterInitializationMode)
FMI2(ExitInitializationMode)
FMI2(Terminate)
FMI2(Reset)
FMI2(GetReal)
FMI2(GetInteger)
FMI2(GetBoolean)
FMI2(GetString)
FMI2(SetReal)
FMI2(SetInteger)
FMI2(SetBoolean)
FMI2(SetString)
FMI2(GetFMUstate)
FMI2(SetFMUstate)
FMI2(FreeFMUstate)
FMI2(SerializedFMUstateSize)
FMI2(SerializeFMUstate)
FMI2(DeSerializeFMUstate)
FMI2(GetDirectionalDerivative)
FMI2(EnterEventMode)
FMI2(NewDiscreteStates)
FMI2(EnterContinuousTimeMode)
FMI2(CompletedIntegratorStep)
FMI2(SetTime)
FMI2(SetContinuousStates)
FMI2(GetDerivatives)
FMI2(GetEventIndicators)
FMI2(GetContinuousStates)
FMI2(GetNominalsOfContinuousStates)
FMI2(SetRealInputDerivatives)
FMI2(GetRealOutputDerivatives)
FMI2(DoStep)
FMI2(CancelStep)
FMI2(GetStatus)
FMI2(GetRealStatus)
FMI2(GetIntegerStatus)
FMI2(GetBooleanStatus)
FMI2(GetStringStatus)
FMI3(GetVersion)
FMI3(SetDebugLogging)
FMI3(InstantiateModelExchange)
FMI3(InstantiateCoSimulation)
FMI3(InstantiateScheduledExecution)
FMI3(FreeInstance)
FMI3(EnterInitializationMode)
FMI3(ExitInitializationMode)
FMI3(EnterEventMode)
FMI3(Terminate)
FMI3(Reset)
FMI3(GetFloat32)
FMI3(GetFloat64)
FMI3(GetInt8)
FMI3(GetUInt8)
FMI3(GetInt16)
FMI3(GetUInt16)
FMI3(GetInt32)
FMI3(GetUInt32)
FMI3(GetInt64)
FMI3(GetUInt64)
FMI3(GetBoolean)
FMI3(GetString)
FMI3(GetBinary)
FMI3(GetClock)
FMI3(SetFloat32)
FMI3(SetFloat64)
FMI3(SetInt8)
FMI3(SetUInt8)
FMI3(SetInt16)
FMI3(SetUInt16)
FMI3(SetInt32)
FMI3(SetUInt32)
FMI3(SetInt64)
FMI3(SetUInt64)
FMI3(SetBoolean)
FMI3(SetString)
FMI3(SetBinary)
FMI3(SetClock)
FMI3(GetNumberOfVariableDependencies)
FMI3(GetVariableDependencies)
FMI3(GetFMUState)
FMI3(SetFMUState)
FMI3(FreeFMUState)
FMI3(SerializedFMUStateSize)
FMI3(SerializeFMUState)
FMI3(DeserializeFMUState)
FMI3(GetDirectionalDerivative)
FMI3(GetAdjointDerivative)
FMI3(EnterConfigurationMode)
FMI3(ExitConfigurationMode)
FMI3(GetIntervalDecimal)
FMI3(GetIntervalFraction)
FMI3(GetShiftDecimal)
FMI3(GetShiftFraction)
FMI3(SetIntervalDecimal)
FMI3(SetIntervalFraction)
FMI3(SetShiftDecimal)
FMI3(SetShiftFraction)
FMI3(EvaluateDiscreteStates)
FMI3(UpdateDiscreteStates)
FMI3(EnterContinuousTimeMode)
FMI3(CompletedIntegratorStep)
FMI3(SetTime)
FMI3(SetContinuousStates)
FMI3(GetContinuousStateDerivatives)
FMI3(GetEventIndicators)
FMI3(GetContinuousStates)
FMI3(GetNominalsOfContinuousStates)
FMI3(GetNumberOfEventIndicators)
FMI3(GetNumberOfContinuousStates)
FMI3(EnterStepMode)
FMI3(GetOutputDerivatives)
FMI3(DoStep)
FMI3(ActivateModelPartition)

// Members of records.
template <class A, class B>
constexpr bool isMemberAlike(size_t a, size_t b) {
  return a == b && isAlike<A, B>();
}
#define MEMBER(R, r, S, s) \
  static_assert(isMemberAlike<decltype(R::r), decltype(S::s)>(offsetof(R, r), offsetof(S, s)));
MEMBER(fmi2CallbackFunctions, logger, fmi2::Callbacks, logger)
MEMBER(fmi2CallbackFunctions, allocateMemory, fmi2::Callbacks, allocateMemory)
MEMBER(fmi2CallbackFunctions, freeMemory, fmi2::Callbacks, freeMemory)
MEMBER(fmi2CallbackFunctions, stepFinished, fmi2::Callbacks, stepFinished)
MEMBER(fmi2CallbackFunctions, componentEnvironment, fmi2::Callbacks, environment)
MEMBER(fmi2EventInfo, nextEventTime, fmi2::EventInfo, nextEventTime)

// Numbers of enumerations.
static_assert(fmi2OK == int(fmi2::kOk) && fmi2Warning == int(fmi2::kWarning) &&
              fmi2Discard == int(fmi2::kDiscard) && fmi2Error == int(fmi2::kError) &&
              fmi2Fatal == int(fmi2::kFatal) && fmi2Pending == int(fmi2::kPending));
static_assert(fmi2ModelExchange == int(fmi2::kModelExchange) &&
              fmi2CoSimulation == int(fmi2::kCoSimulation));
static_assert(fmi2DoStepStatus == int(fmi2::kDoStepStatus) &&
              fmi2PendingStatus == int(fmi2::kPendingStatus) &&
              fmi2LastSuccessfulTime == int(fmi2::kLastSuccessfulTime) &&
              fmi2Terminated == int(fmi2::kTerminated));
static_assert(fmi3OK == int(fmi3::kOk) && fmi3Warning == int(fmi3::kWarning) &&
              fmi3Discard == int(fmi3::kDiscard) && fmi3Error == int(fmi3::kError) &&
              fmi3Fatal == int(fmi3::kFatal));
static_assert(fmi3Independent == int(fmi3::kIndependent) && fmi3Dependent == int(fmi3::kDependent));
static_assert(fmi3IntervalNotYetKnown == int(fmi3::kIntervalNotYetKnown) &&
              fmi3IntervalUnchanged == int(fmi3::kIntervalUnchanged) &&
              fmi3IntervalChanged == int(fmi3::kIntervalChanged));

}  // namespace
#endif

TEST_CASE("FMI: the library's declarations are those of the standard's headers") {
#if !__has_include("fmi3FunctionTypes.h")
  MESSAGE("TEST SKIPPED: no headers of FMI beside the project");
#endif
}
