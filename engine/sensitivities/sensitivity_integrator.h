/// SensitivityIntegrator: IDA on a SensitivitySystem; to its run it is an integrator of the model.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "engine/integration/forwarding_integrator.h"
#include "engine/integration/ida_integrator.h"
#include "engine/sensitivities/sensitivity_system.h"
#include "engine/sensitivities/tangent_states.h"

namespace cardan {

/// What a run with derivatives asks of its method beside what an integrator is.
class TangentMethod {
 public:
  virtual ~TangentMethod() = default;
  /// Derivatives of y at t in [previousTime(), time()], laid out as Tangents::s; where they follow from
  /// those of the states they may be 0.
  virtual std::span<const double> tangents(double t) const = 0;
  /// Per switching function +1, -1 or 0.
  virtual std::span<const int> rootsFound() const = 0;
};

/// The derivatives `s` of all unknowns in the coordinates that `map` turns y into: y is where they are.
inline void mapTangents(const std::function<void(double* y)>& map, std::span<const double> y,
                        const std::vector<double>& nominals, std::span<double> s) {
  const size_t n = y.size();
  std::vector<double> there(n), back(n);
  for (double* one = s.data(); one != s.data() + s.size(); one += n) {
    double reach = 0;
    for (size_t i = 0; i < n; ++i) reach = std::max(reach, std::abs(one[i]) / nominals[i]);
    if (!(reach > 0)) continue;
    const double h = kDifferenceReach / reach;
    for (size_t i = 0; i < n; ++i) {
      there[i] = y[i] + h * one[i];
      back[i] = y[i] - h * one[i];
    }
    map(there.data());
    map(back.data());
    for (size_t i = 0; i < n; ++i) one[i] = (there[i] - back[i]) / (2 * h);
  }
}

class SensitivityIntegrator final : public ForwardingIntegrator, public TangentMethod {
 public:
  /// `tangents`: what start() and restart() begin with beside the model's values.
  SensitivityIntegrator(MultibodySystem& system, std::vector<VariedParameter>& parameters,
                        const Tangents& tangents, const IntegratorOptions& options)
      : nominals_(system.equations().state.nominals),
        system_(system, parameters),
        tangents_(tangents),
        n_(system.size()),
        ida_(system_, options, allowances(options.relativeTolerance)),
        all_(system_.size()),
        allRates_(all_.size()) {}

  void start(double t, std::span<const double> y, std::span<const double> yp, double h) override {
    system_.follow();
    join(y, yp);
    ida_.start(t, all_, allRates_, h);
  }
  void restart(double t, std::span<const double> y, std::span<const double> yp, double h) override {
    system_.follow();
    join(y, yp);
    ida_.restart(t, all_, allRates_, h);
  }
  StepResult step(double tStop) override {
    system_.follow();
    return ida_.step(tStop);
  }
  std::span<const double> y() const override { return ida_.y().first(n_); }
  std::span<const double> yp() const override { return ida_.yp().first(n_); }
  void interpolate(double t, std::span<double> y, std::span<double> yp) const override {
    ida_.interpolate(t, all_, allRates_);
    std::copy_n(all_.begin(), n_, y.begin());
    std::copy_n(allRates_.begin(), n_, yp.begin());
  }
  std::span<const double> tangents(double t) const override {
    ida_.interpolate(t, all_, allRates_);
    return std::span<const double>(all_).subspan(n_);
  }
  std::span<const int> rootsFound() const override { return ida_.rootsFound(); }

  int troublesomeUnknown() const override { return ofModel(ida_.troublesomeUnknown()); }
  int leadingError() const override { return ofModel(ida_.leadingError()); }
  double norm(std::span<const double> change, std::span<const double> y) const override {
    std::ranges::fill(all_, 0.0);
    std::ranges::fill(allRates_, 0.0);
    std::ranges::copy(change, all_.begin());
    std::ranges::copy(y, allRates_.begin());
    // As if the derivatives were not there.
    return ida_.norm(all_, allRates_) * std::sqrt(static_cast<double>(all_.size() / n_));
  }
  /// The derivatives are those of the new coordinates afterwards.
  void mapHistory(const std::function<void(double* y)>& map) override {
    ida_.mapHistory([&](double* y) {
      mapTangents(map, {y, n_}, nominals_, {y + n_, all_.size() - n_});
      map(y);
    });
  }

 private:
  /// The error test sees no less of the derivatives than what differences leave of them.
  std::vector<double> allowances(double tolerance) const {
    std::vector<double> all(n_, 1.0);
    all.resize(system_.size(), std::max(1.0, kTangentRounding / tolerance));
    return all;
  }
  Integrator& now() override { return ida_; }
  const Integrator& now() const override { return ida_; }
  int ofModel(int i) const {
    const int n = n_;
    return i < 0 ? i : i % n;
  }
  /// The model's y and y', each with its derivatives behind it, into all_ and allRates_.
  void join(std::span<const double> y, std::span<const double> yp) {
    std::ranges::copy(y, all_.begin());
    std::ranges::copy(yp, allRates_.begin());
    std::ranges::copy(tangents_.s, all_.begin() + n_);
    std::ranges::copy(tangents_.sp, allRates_.begin() + n_);
  }

  const std::vector<double>& nominals_;
  SensitivitySystem system_;
  const Tangents& tangents_;
  size_t n_;
  IdaIntegrator ida_;
  mutable std::vector<double> all_, allRates_;  ///< work space
};

}  // namespace cardan
