/// FmiCalls: the functions of an FMU's library, of either version of the standard, by which one instance is run.
#pragma once

#include <dlfcn.h>

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "apps/cosimulation/fmu_host.h"

namespace cardan::cosimulation {

/// A call that the FMU did not carry out, or a library that is none.
class FmuFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Statuses of both versions have these numbers.
enum FmiStatus { kFmiOk, kFmiWarning, kFmiDiscard, kFmiError, kFmiFatal, kFmiPending };

/// A shared library that is loaded for an instance.
class FmuLibrary {
 public:
  explicit FmuLibrary(const std::string& path)
      : handle_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) throw FmuFailure(std::string("its library cannot be loaded: ") + ::dlerror());
  }
  ~FmuLibrary() { ::dlclose(handle_); }
  FmuLibrary(const FmuLibrary&) = delete;
  FmuLibrary& operator=(const FmuLibrary&) = delete;

  template <class F>
  F* find(const char* name) const {
    if (void* f = ::dlsym(handle_, name)) return reinterpret_cast<F*>(f);
    throw FmuFailure(std::string("its library has no function ") + name);
  }

 private:
  void* handle_;
};

/// Throws FmuFailure unless a call went well.
inline void requireStatus(int status, const char* call) {
  static constexpr const char* kNames[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  if (status == kFmiOk || status == kFmiWarning) return;
  const bool isKnown = status >= 0 && status <= kFmiPending;
  throw FmuFailure(std::string("its ") + call + " answers " +
                   (isKnown ? kNames[status] : "a status that there is not"));
}

/// One instance. What throws is FmuFailure, where a status is Discard or worse.
class FmiCalls {
 public:
  using Log = std::function<void(int status, const std::string& text)>;
  virtual ~FmiCalls() = default;

  virtual void enterInitialisation(double start) = 0;
  virtual void exitInitialisation() = 0;
  virtual void set(const FmuSetting& setting) = 0;
  virtual void setNumbers(std::span<const FmuSlot> slots, const double* values) = 0;
  virtual void getNumbers(std::span<const FmuSlot> slots, double* values) = 0;
  virtual void step(double time, double length) = 0;
  std::string save();
  void restore(const std::string& state);

 protected:
  /// Functions of states, which both versions have under names of their own.
  struct StateNames {
    const char *get, *set, *free, *size, *write, *read;
  };
  FmiCalls(const FmuLibrary& library, Log log, const StateNames& states)
      : log_(std::move(log)), library_(library), states_(states) {}

  template <class F>
  F* find(const char* name) const {
    return library_.find<F>(name);
  }
  template <class F, class... Arguments>
  void call(F* f, const char* name, Arguments... arguments) {
    requireStatus(f(instance_, arguments...), name);
  }
  template <class... Arguments>
  void callState(const char* name, Arguments... arguments) {
    call(find<int(void*, Arguments...)>(name), name, arguments...);
  }

  Log log_;
  void* instance_ = nullptr;
  bool isRunning_ = false;

 private:
  const FmuLibrary& library_;
  StateNames states_;
};

inline std::string FmiCalls::save() {
  void* state = nullptr;
  size_t size = 0;
  callState(states_.get, &state);
  callState(states_.size, state, &size);
  std::string bytes(size, '\0');
  callState(states_.write, state, bytes.data(), size);
  callState(states_.free, &state);
  return bytes;
}

inline void FmiCalls::restore(const std::string& bytes) {
  void* state = nullptr;
  callState(states_.read, bytes.data(), bytes.size(), &state);
  callState(states_.set, state);
  callState(states_.free, &state);
}

std::unique_ptr<FmiCalls> fmi2Calls(const FmuLibrary& library, const FmuOpening& opening,
                                    FmiCalls::Log log);
std::unique_ptr<FmiCalls> fmi3Calls(const FmuLibrary& library, const FmuOpening& opening,
                                    FmiCalls::Log log);

}  // namespace cardan::cosimulation
