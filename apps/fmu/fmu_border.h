/// The border to C: no exception crosses it; what is wrong is told to the importer's logger.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "apps/fmu/fmu_instance.h"

namespace cardan {

/// Names of the log's categories, by FmuInstance::Category.
inline constexpr const char* kLogCategories[] = {"logEvents", "logStatusWarning", "logStatusError"};

/// Throws FmuRefusal where an array of `count` has no place.
inline void requireArray(const void* array, size_t count, const char* what) {
  if (count > 0 && !array) throw FmuRefusal(std::string(what) + " must not be a null pointer");
}

/// What a call of either version works on: an instance, its states, and which messages are wanted.
struct FmuSlave {
  std::string name;
  std::unique_ptr<FmuInstance> instance;
  std::map<void*, std::unique_ptr<FmuState>> states;
  bool logsWarnings = false;

  /// Errors are told always. Throws FmuRefusal for a category that is none.
  template <class String>
  void setLogging(bool on, size_t count, const String categories[]) {
    bool events = count == 0 && on, warnings = events;
    for (size_t i = 0; i < count; ++i) {
      const std::string_view c = categories && categories[i] ? categories[i] : "";
      if (c == kLogCategories[0])
        events = on;
      else if (c == kLogCategories[1])
        warnings = on;
      else if (c != kLogCategories[2])
        throw FmuRefusal("there is no log category '" + std::string(c) + "'");
    }
    instance->setLogsEvents(events);
    logsWarnings = warnings;
  }
  bool wants(FmuInstance::Category c) const {
    return c == FmuInstance::Category::error || c == FmuInstance::Category::events || logsWarnings;
  }

  void* keep(FmuState state) {
    auto kept = std::make_unique<FmuState>(std::move(state));
    void* handle = kept.get();
    states[handle] = std::move(kept);
    return handle;
  }
  FmuState& stateOf(void* handle) const {
    const auto found = states.find(handle);
    if (found != states.end()) return *found->second;
    throw FmuRefusal("the state is none of this instance, or was freed");
  }
  /// A handle that the importer has already stands for what is there now.
  void getState(void** handle) {
    requireArray(handle, 1, "the place of the state");
    const auto known = states.find(*handle);
    if (known == states.end()) {
      *handle = keep(instance->state());
    } else {
      *known->second = instance->state();
    }
  }
  void setState(void* handle) const { instance->setState(stateOf(handle)); }
  void freeState(void** handle) {
    if (!handle || !*handle) return;
    stateOf(*handle);
    states.erase(*handle);
    *handle = nullptr;
  }
  std::string bytesOf(void* handle) const { return stateOf(handle).write(instance->token()); }
  void tellSize(void* handle, size_t* size) const {
    requireArray(size, 1, "the place of the size");
    *size = bytesOf(handle).size();
  }
  template <class Byte>
  void serialise(void* handle, Byte bytes[], size_t size) const {
    const std::string all = bytesOf(handle);
    requireArray(bytes, 1, "the bytes");
    if (size < all.size()) throw FmuRefusal("the state needs more bytes than there is room for");
    std::ranges::copy(all, bytes);
  }
  template <class Byte>
  void deserialise(const Byte bytes[], size_t size, void** handle) {
    requireArray(bytes, size, "the bytes");
    requireArray(handle, 1, "the place of the state");
    const auto* const text = reinterpret_cast<const char*>(bytes);
    *handle = keep(FmuState::read({text, size}, instance->token()));
  }
};

inline FmuInstance::References references(const std::uint32_t* references, size_t count) {
  requireArray(references, count, "the value references");
  return {references, count};
}

/// Carries out f(slave); whatever it throws is told as an error of `call`, but for what is to be discarded.
template <class Status, class F>
Status guarded(void* handle, const char* call, F f) {
  if (!handle) return static_cast<Status>(3);
  FmuSlave& slave = *static_cast<FmuSlave*>(handle);
  std::string text;
  int status = 3;
  FmuInstance::Category category = FmuInstance::Category::error;
  try {
    f(slave);
    return static_cast<Status>(0);
  } catch (const FmuDiscard& e) {
    text = e.what();
    status = 2;
    category = FmuInstance::Category::warning;
  } catch (const std::bad_alloc&) {
    text = "not enough memory";
  } catch (const std::exception& e) {
    text = e.what();
  } catch (...) {
    text = "unexpected error";
  }
  try {
    slave.instance->tell(category, std::string(call) + ": " + text);
  } catch (...) {  // a logger that fails changes nothing
  }
  return static_cast<Status>(status);
}

/// Carries out (instance.*member)(a...).
template <class Status, class Member, class... A>
Status called(void* handle, const char* call, Member member, A... a) {
  return guarded<Status>(handle, call, [&](FmuSlave& s) { ((*s.instance).*member)(a...); });
}

/// A function that belongs to what the FMU does not offer.
template <class Status>
Status refused(void* handle, const char* call, const char* why) {
  return guarded<Status>(handle, call, [why](FmuSlave&) { throw FmuRefusal(why); });
}
/// Every variable is a scalar.
inline void requireAsMany(size_t n, size_t count) {
  if (n != count) throw FmuRefusal("there must be as many values as value references");
}
template <class Status, class T>
Status getNumbers(void* handle, const char* call, const std::uint32_t r[], size_t n, T values[],
                  size_t count, FmuKind kind) {
  return guarded<Status>(handle, call, [=](FmuSlave& s) {
    requireAsMany(n, count);
    requireArray(values, n, "the values");
    T* to = values;
    s.instance->get(references(r, n), kind, [&to](double x) { *to++ = static_cast<T>(x); });
  });
}
template <class Status, class T>
Status setNumbers(void* handle, const char* call, const std::uint32_t r[], size_t n,
                  const T values[], size_t count, FmuKind kind) {
  return guarded<Status>(handle, call, [=](FmuSlave& s) {
    requireAsMany(n, count);
    requireArray(values, n, "the values");
    s.instance->set(references(r, n), kind, [values](size_t k) { return values[k]; });
  });
}
/// The end of a step, and an event, with places for what they tell.
template <class Status, class Boolean>
Status completedStep(void* handle, const char* call, Boolean* event, Boolean* terminates) {
  return guarded<Status>(handle, call, [=](FmuSlave& s) {
    requireArray(event && terminates ? event : nullptr, 1, "the places of what a step tells");
    *event = s.instance->completeStep();
    *terminates = false;
  });
}
template <class Status, class Boolean>
Status updated(void* handle, const char* call, Boolean* again, Boolean* terminates,
               Boolean* nominals, Boolean* values, Boolean* hasNext, double* next) {
  return guarded<Status>(handle, call, [=](FmuSlave& s) {
    for (const Boolean* place : {again, terminates, nominals, values, hasNext})
      requireArray(place, 1, "the places of what an event tells");
    requireArray(next, 1, "the place of the next event's time");
    const MotionExchange::Event event = s.instance->update();
    *again = false;
    // Some importers let their method begin anew only where states or their nominal values are others.
    *nominals = event.happened;
    *terminates = s.instance->isTerminated();
    *values = event.statesChanged;
    *hasNext = std::isfinite(event.next);
    *next = *hasNext ? event.next : 0;
  });
}

}  // namespace cardan

// Functions of either version that one call of the instance carries out; of a number, of the states or the
// like.
#define FMU_CALL(function, member) \
  Status function(void* c) { return called<Status>(c, #function, &FmuInstance::member); }
#define FMU_CALL_WITH(function, member)                           \
  Status function(void* c, double x) {                            \
    return called<Status>(c, #function, &FmuInstance::member, x); \
  }
#define FMU_CALL_FOR(function, Type, member)                                          \
  Status function(void* c, Type x[], size_t n) {                                      \
    return called<Status>(c, #function, &FmuInstance::member, std::span<Type>(x, n)); \
  }
#define FMU_REFUSED(function, why, ...) \
  Status function(void* c __VA_OPT__(, ) __VA_ARGS__) { return refused<Status>(c, #function, why); }
// Functions of states, which the slave carries out.
#define FMU_STATE_CALL(function, member, parameters, ...)                              \
  Status function parameters {                                                         \
    return guarded<Status>(c, #function, [=](FmuSlave& s) { s.member(__VA_ARGS__); }); \
  }
