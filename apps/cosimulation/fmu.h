/// Fmu: an FMU of anyone for co-simulation as a component with signals.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/cosimulation/fmu_file.h"
#include "components/component.h"
#include "components/instants.h"
#include "components/laws/held.h"

namespace cardan::cosimulation {

/// Steps of the FMU from one multiple of `interval` to the next, an event each: inputs are held over a step at
/// what they are at its beginning, once all is settled there; outputs change at its end.
///
/// At the start inputs follow their signals while the FMU initialises. Between a signal and the FMU there is
/// no algebraic loop but then.
///
/// Mode   next: number of the next instant; started: the FMU has left its initialisation; follows: how often
///        inputs have been told to it before
/// Held   at: the instant that the FMU has reached [s]; inputs, outputs
class Fmu final : public ComponentOf<Fmu> {
 public:
  enum class Permission { granted, refused };
  explicit Fmu(Permission permission) : permission_(permission) {}

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

 private:
  struct Running;

  void readFile(ParameterReader& r);
  void readParameters(ParameterReader& r);
  void readParameter(ParameterReader& r, const FmuPort& port);
  static void readArray(ParameterReader& r, const FmuPort& port, std::vector<double>& numbers);
  std::vector<double> numbers() const;
  FmuOpening opening(double start) const;
  int next(double t, int known) const;
  std::vector<double> signals(const View<double>& x) const;
  bool hold(const Held& held, const std::vector<double>& values, Modes& m) const;
  FmuReply call(Running& fmu, const FmuRequest& request, Modes& m) const;
  void begin(std::shared_ptr<Outside>& place, double t, Modes& m) const;
  bool initialise(const View<double>& x, Running& fmu, Modes& m) const;
  bool step(Running& fmu, double to, Modes& m) const;

  Permission permission_;
  std::string path_;
  double interval_ = 0;  ///< [s]
  double timeout_ = 10;  ///< [s]  of a step, > 0
  bool ownProcess_ = true;

  std::shared_ptr<const FmuFile> fmu_;  ///< null: there is none that can be used
  std::vector<FmuSetting> settings_;    ///< of all parameters; they stay where they are
  std::vector<bool> isGiven_;           ///< per parameter: by the model
  std::vector<std::vector<double>> inputStarts_;
  std::vector<double> asRead_;  ///< numbers of parameters and inputs
  Ticks ticks_;
  std::vector<SignalId> signals_;
  int inputCount_ = 0;  ///< elements
  Held at_, inputs_, outputs_;
  ModeId next_, started_, follows_;
  OutsideId outside_;
};

}  // namespace cardan::cosimulation
