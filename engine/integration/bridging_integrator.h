/// BridgingIntegrator: a method, and steps of one length where events come without end.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/integration/forwarding_integrator.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/state_archive.h"
#include "engine/integration/stepping_integrator.h"

namespace cardan {

/// Goes on with SteppingIntegrator from a restart at which touching is no event (RunState::ahead, the
/// length of its steps), and with its own method from one at which it is.
class BridgingIntegrator final : public ForwardingIntegrator {
 public:
  /// The system outlives the integrator.
  BridgingIntegrator(std::unique_ptr<Integrator> method, MultibodySystem& system,
                     const IntegratorOptions& options)
      : system_(system), options_(options), method_(std::move(method)) {}

  std::string examine(double t, const std::vector<double>& y) override {
    return method_->examine(t, y);
  }
  void start(double t, std::span<const double> y, std::span<const double> yp,
             double h = 0) override {
    isBridging_ = false;
    bridge_.reset();
    bridges_.clear();
    method_->start(t, y, yp, h);
  }
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h) override {
    const double step = system_.equations().state.ahead;
    if (!(step > 0)) {
      method_->restart(t, y, yp, h);
      if (isBridging_) note(t, "", "events have come to rest, or may be slow enough again");
      isBridging_ = false;
      return;
    }
    if (bridge_) {
      bridge_->setStep(step);
      bridge_->restart(t, y, yp, h);
    } else {
      build(step);
      bridge_->start(t, y, yp, h);
    }
    if (!isBridging_) note(t, "stepping", "events came faster than a step of order one is long");
    isBridging_ = true;
  }

  /// Of its own method, which is to come back.
  bool startsAtOrderOne() const override { return method_->startsAtOrderOne(); }
  double regularStep() const override { return method_->regularStep(); }

  IntegratorStatistics statistics() const override {
    IntegratorStatistics total = method_->statistics();
    return bridge_ ? total += bridge_->statistics() : total;
  }
  /// A change back has the name of the method that was in force.
  std::vector<MethodChange> methods() const override {
    std::vector<MethodChange> all = method_->methods();
    all.insert(all.end(), bridges_.begin(), bridges_.end());
    std::ranges::stable_sort(all, {}, &MethodChange::time);
    std::string own;
    for (MethodChange& change : all) {
      if (change.method.empty()) change.method = own;
      if (change.method != "stepping") own = change.method;
    }
    return all;
  }
  std::vector<std::string> warnings() const override {
    return bridge_ ? bridge_->warnings() : std::vector<std::string>();
  }

  void exchange(StateArchive& archive) override {
    archive(*this);
    // Its first factors learn the structure of the equations: those that it steps.
    RunState& state = system_.equations().state;
    const double ahead = std::exchange(state.ahead, 0.0);
    method_->exchange(archive);
    bool built = bridge_ != nullptr;
    archive(built);
    if (!built) bridge_.reset();
    if (built) {
      state.ahead = ahead > 0 ? ahead : 1;  // [s]  of any length: surfaces are pushed apart
      if (archive.isReading()) build(state.ahead);
      bridge_->exchange(archive);
    }
    state.ahead = ahead;
  }
  /// Own numbers.
  auto kept() { return std::tie(isBridging_, bridges_); }

 private:
  static constexpr std::size_t kMostListed =
      200;  // changes of the method, after which no more are kept

  Integrator& now() override { return isBridging_ ? *bridge_ : *method_; }
  const Integrator& now() const override { return isBridging_ ? *bridge_ : *method_; }
  /// Pre: RunState::ahead > 0, as it sees which surfaces are pushed apart
  void build(double step) {
    IntegratorOptions options = options_;
    options.step = step;
    bridge_ = std::make_unique<SteppingIntegrator>(system_, options);
  }
  void note(double t, const std::string& method, const std::string& reason) {
    if (bridges_.size() < kMostListed) bridges_.push_back({t, method, reason});
  }

  MultibodySystem& system_;
  IntegratorOptions options_;
  std::unique_ptr<Integrator> method_;
  std::unique_ptr<SteppingIntegrator> bridge_;  ///< null: none so far
  bool isBridging_ = false;
  std::vector<MethodChange> bridges_;  ///< onto them and off; "": to what was in force
};

}  // namespace cardan
