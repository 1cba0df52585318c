/// BridgingIntegrator: a method, and steps of one length where events come without end.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "engine/integration/forwarding_integrator.h"
#include "engine/integration/stepping_integrator.h"

namespace cardan {

/// Goes on with SteppingIntegrator from a restart at which touching is no event (RunState::ahead, the
/// length of its steps), and with its own method from one at which it is.
class BridgingIntegrator final : public ForwardingIntegrator {
 public:
  /// The system outlives the integrator.
  BridgingIntegrator(std::unique_ptr<Integrator> method, MultibodySystem& system,
                     const IntegratorOptions& options);

  std::string examine(double t, const std::vector<double>& y) override {
    return method_->examine(t, y);
  }
  void start(double t, std::span<const double> y, std::span<const double> yp,
             double h = 0) override;
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h) override;

  /// Of its own method, which is to come back.
  bool startsAtOrderOne() const override { return method_->startsAtOrderOne(); }
  double regularStep() const override { return method_->regularStep(); }

  IntegratorStatistics statistics() const override;
  std::vector<MethodChange> methods() const override;
  std::vector<std::string> warnings() const override;

  void exchange(StateArchive& archive) override;
  /// Own numbers.
  auto kept() { return std::tie(isBridging_, bridges_); }

 private:
  Integrator& now() override { return isBridging_ ? *bridge_ : *method_; }
  const Integrator& now() const override { return isBridging_ ? *bridge_ : *method_; }
  void build(double step);
  void note(double t, const std::string& method, const std::string& reason);

  MultibodySystem& system_;
  IntegratorOptions options_;
  std::unique_ptr<Integrator> method_;
  std::unique_ptr<SteppingIntegrator> bridge_;  ///< null: none so far
  bool isBridging_ = false;
  std::vector<MethodChange> bridges_;  ///< onto them and off; "": to what was in force
};

}  // namespace cardan
