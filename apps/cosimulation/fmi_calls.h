/// FmiCalls: the functions of an FMU's library, of either version of the standard, by which one instance is run.
#pragma once

#include <dlfcn.h>

#include <Eigen/Core>
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

  // Of model exchange. In the mode of continuous time:
  void setTime(double time) { callExchange(exchange_.setTime, time); }
  void setStates(const Eigen::VectorXd& x) { exchange(exchange_.setStates, x); }
  void getStates(Eigen::VectorXd& x) { exchange(exchange_.getStates, x); }
  void getNominals(Eigen::VectorXd& x) { exchange(exchange_.getNominals, x); }
  void getRates(Eigen::VectorXd& x) { exchange(exchange_.getRates, x); }
  void getIndicators(Eigen::VectorXd& z) { exchange(exchange_.getIndicators, z); }
  void enterEvent() { callExchange(exchange_.enterEvent); }
  /// At the end of a step; true: it wants an event.
  virtual bool completedStep() = 0;
  /// From the mode of events, which it is in behind its initialisation, too, when all is settled. Returns the
  /// time of the next event that it knows of [s].
  virtual double leaveEvent() = 0;
  /// Numbers of states and of event indicators.
  virtual std::pair<int, int> exchangeSizes() = 0;

 protected:
  /// Functions of states, which both versions have under names of their own.
  struct StateNames {
    const char *get, *set, *free, *size, *write, *read;
  };
  /// A function that is called at every point: it is looked up once.
  struct Function {
    Function(const char* of) : name(of) {}
    const char* name;
    void* found = nullptr;
  };
  /// Functions of model exchange, likewise.
  struct ExchangeFunctions {
    Function setTime, setStates, getStates, getNominals, getRates, getIndicators, enterEvent,
        leaveEvent, updateDiscrete, completedStep;
  };
  FmiCalls(const FmuLibrary& library, Log log, const StateNames& states,
           const ExchangeFunctions& exchange)
      : log_(std::move(log)), exchange_(exchange), library_(library), states_(states) {}

  /// Its discrete states are updated until `update` asks for no more and says when the next event is [s].
  template <class Update>
  double settle(Update update) {
    constexpr int kMostUpdates = 1000;
    for (int i = 0; i < kMostUpdates; ++i) {
      const auto [isNeeded, ends, next] = update();
      if (ends) throw FmuFailure(kAsksForTheEnd);
      if (isNeeded) continue;
      callExchange(exchange_.leaveEvent);
      return next;
    }
    throw FmuFailure("its discrete states come to no rest");
  }
  /// completedStep() by the Boolean of a version.
  template <class Boolean>
  bool completed() {
    Boolean wantsEvent{}, ends{};
    callExchange(exchange_.completedStep, Boolean{1}, &wantsEvent, &ends);
    if (ends) throw FmuFailure(kAsksForTheEnd);
    return wantsEvent;
  }

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

  template <class... Arguments>
  void callExchange(Function& f, Arguments... arguments) {
    using Called = int(void*, Arguments...);
    if (!f.found) f.found = reinterpret_cast<void*>(find<Called>(f.name));
    call(reinterpret_cast<Called*>(f.found), f.name, arguments...);
  }

  Log log_;
  void* instance_ = nullptr;
  bool isRunning_ = false;
  ExchangeFunctions exchange_;

 private:
  static constexpr const char* kAsksForTheEnd = "it asks for the end of the simulation";

  /// Numbers handed over or taken; of none there is nothing to ask.
  template <class Vector>
  void exchange(Function& f, Vector& x) {
    if (x.size() > 0) callExchange(f, x.data(), static_cast<size_t>(x.size()));
  }

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

// A function of the library with its name, for FmiCalls::call().
#define CARDAN_FMI(version, name) find<decltype(version::name)>(#name), #name
