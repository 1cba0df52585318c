/// An importer of FMUs as the standard describes one, written against its own C headers: unpacks,
/// reads modelDescription.xml, loads the library, calls it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/folder.h"

namespace test {

/// What modelDescription.xml says of a variable.
struct FmuScalar {
  unsigned reference = 0;
  std::string type, causality, variability, initial, start, unit;
};

/// An FMU, unpacked and loaded.
class Fmu {
 public:
  /// `file`: the .fmu, unpacked beside itself. Throws std::runtime_error.
  explicit Fmu(const std::string& file);
  ~Fmu();
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;

  int version = 0;
  std::string folder, token, identifier, library;
  std::map<std::string, FmuScalar> variables;
  double start = 0, stop = 0, interval = 0;  ///< [s]  of the default experiment
  bool offersExchange = false;               ///< model exchange, too
  size_t states = 0, indicators = 0;         ///< of it

  std::vector<std::string> outputs() const;
  /// Throws std::runtime_error where the library has no such function.
  void* function(const std::string& name) const;

 private:
  void* handle_ = nullptr;
};

/// Statuses of both versions have these numbers.
enum FmuStatus { kFmuOk, kFmuWarning, kFmuDiscard, kFmuError, kFmuFatal };

/// Who integrates, and, in steps of the FMU (of FMI 3), who handles events: it may return early before one.
enum class SlaveKind { coSimulation, exchange, events, eventsEarly };

/// An instance; what the version has different is hidden here.
class Slave {
 public:
  /// `token`: else the FMU's own. instance() is null where the FMU refuses.
  explicit Slave(const Fmu& fmu, const std::string& token = "", bool logging = false,
                 SlaveKind kind = SlaveKind::coSimulation);
  ~Slave();
  Slave(const Slave&) = delete;
  Slave& operator=(const Slave&) = delete;

  void* instance() const { return instance_; }
  /// What the logger was told, a line each: "logStatusError: ...".
  const std::string& log() const { return *log_; }
  void forget() { log_->clear(); }

  struct Setup {
    double start = 0, stop = 0;  ///< [s]  stop 0: not said
    double tolerance = 0;        ///< 0: not said
  };
  int enter(const Setup& setup);  ///< with the set-up, which FMI 2 has apart
  int setUp(const Setup& setup);  ///< of FMI 2 alone
  int enterAlone();               ///< of FMI 2 alone
  int exit();
  int initialise(const Setup& setup);
  int terminate();
  int reset();
  int step(double at, double length);
  bool terminated = false;            ///< by the model, in the last step
  double reached = 0;                 ///< [s]  after it
  bool event = false, early = false;  ///< is to be handled; the step was cut

  int enterEvents();
  int enterSteps();  ///< of FMI 3 alone

  // Of model exchange:
  int enterMotion();
  int completeStep(bool& isEvent);
  struct Update {
    bool again = false, nominals = false, values = false;
    double next = 1e300;  ///< [s]
  };
  int update(Update& update);  ///< tells `terminated`, too
  int setTime(double time);
  int setStates(const std::vector<double>& x);
  int states(std::vector<double>& x);  ///< these are as long as is asked for
  int nominals(std::vector<double>& x);
  int derivatives(std::vector<double>& x);
  int indicators(std::vector<double>& z);

  int get(const std::vector<std::string>& names, std::vector<double>& values);
  double operator[](const std::string& name);
  int set(const std::string& name, double value);
  int getReference(unsigned reference, double& value);
  int setReference(unsigned reference, double value);
  int getBoolean(const std::string& name, bool& value);
  int getString(const std::string& name, std::string& value);
  int getInteger(const std::string& name, int& value);

  int getState(void*& state);
  int setState(void* state);
  int freeState(void*& state);
  int serialise(void* state, std::string& bytes);
  int deserialise(const std::string& bytes, void*& state);
  int derivative(const std::string& unknown, const std::string& known, double& value);

 private:
  template <class F>
  F* f(const char* name) const;

  const Fmu& fmu_;
  std::unique_ptr<std::string> log_ = std::make_unique<std::string>();
  std::unique_ptr<char[]> callbacks_;
  void* instance_ = nullptr;
};

}  // namespace test
