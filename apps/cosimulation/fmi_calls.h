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

/// Throws FmuFailure where a status is Discard or worse.
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
  virtual std::string save() = 0;
  virtual void restore(const std::string& state) = 0;
};

std::unique_ptr<FmiCalls> fmi2Calls(const FmuLibrary& library, const FmuOpening& opening,
                                    FmiCalls::Log log);
std::unique_ptr<FmiCalls> fmi3Calls(const FmuLibrary& library, const FmuOpening& opening,
                                    FmiCalls::Log log);

/// Throws FmuFailure unless a call went well.
inline void requireStatus(int status, const char* call) {
  static constexpr const char* kNames[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  if (status == kFmiOk || status == kFmiWarning) return;
  const bool isKnown = status >= 0 && status <= kFmiPending;
  throw FmuFailure(std::string("its ") + call + " answers " +
                   (isKnown ? kNames[status] : "a status that there is not"));
}

}  // namespace cardan::cosimulation
