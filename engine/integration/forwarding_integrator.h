/// ForwardingIntegrator: an integrator that is one of several methods at a time.
#pragma once

#include "engine/integration/integrator.h"

namespace cardan {

/// Whatever is asked goes to the method in force.
class ForwardingIntegrator : public Integrator {
 public:
  std::string examine(double t, const std::vector<double>& y) override {
    return now().examine(t, y);
  }
  void start(double t, std::span<const double> y, std::span<const double> yp, double h) override {
    now().start(t, y, yp, h);
  }
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h) override {
    now().restart(t, y, yp, h);
  }
  StepResult step(double tStop) override { return now().step(tStop); }
  bool startsAtOrderOne() const override { return now().startsAtOrderOne(); }
  bool hasFixedStep() const override { return now().hasFixedStep(); }
  double time() const override { return now().time(); }
  double previousTime() const override { return now().previousTime(); }
  std::span<const double> y() const override { return now().y(); }
  std::span<const double> yp() const override { return now().yp(); }
  void interpolate(double t, std::span<double> y, std::span<double> yp) const override {
    now().interpolate(t, y, yp);
  }
  int troublesomeUnknown() const override { return now().troublesomeUnknown(); }
  int leadingError() const override { return now().leadingError(); }
  double lastStep() const override { return now().lastStep(); }
  int lastOrder() const override { return now().lastOrder(); }
  double regularStep() const override { return now().regularStep(); }
  double nextStep() const override { return now().nextStep(); }
  double effectOfTime(double t) override { return now().effectOfTime(t); }
  double norm(std::span<const double> change, std::span<const double> y) const override {
    return now().norm(change, y);
  }
  bool isRefined() const override { return now().isRefined(); }
  void mapHistory(const std::function<void(double* y)>& map) override { now().mapHistory(map); }
  bool regularises() const override { return now().regularises(); }
  IntegratorStatistics statistics() const override { return now().statistics(); }
  std::vector<MethodChange> methods() const override { return now().methods(); }
  std::vector<std::string> warnings() const override { return now().warnings(); }
  void exchange(StateArchive& archive) override { now().exchange(archive); }

 protected:
  virtual Integrator& now() = 0;
  virtual const Integrator& now() const = 0;
};

}  // namespace cardan
