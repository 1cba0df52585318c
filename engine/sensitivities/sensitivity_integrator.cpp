#include "engine/sensitivities/sensitivity_integrator.h"

#include <algorithm>
#include <cmath>

namespace cardan {

void mapTangents(const std::function<void(double* y)>& map, std::span<const double> y,
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

SensitivityIntegrator::SensitivityIntegrator(MultibodySystem& system,
                                             std::vector<VariedParameter>& parameters,
                                             const Tangents& tangents,
                                             const IntegratorOptions& options)
    : nominals_(system.equations().state.nominals),
      system_(system, parameters),
      tangents_(tangents),
      n_(system.size()),
      ida_(system_, options),
      all_(system_.size()),
      allRates_(all_.size()) {}

void SensitivityIntegrator::join(std::span<const double> y, std::span<const double> yp) {
  std::ranges::copy(y, all_.begin());
  std::ranges::copy(yp, allRates_.begin());
  std::ranges::copy(tangents_.s, all_.begin() + n_);
  std::ranges::copy(tangents_.sp, allRates_.begin() + n_);
}

void SensitivityIntegrator::start(double t, std::span<const double> y, std::span<const double> yp,
                                  double h) {
  system_.follow();
  join(y, yp);
  ida_.start(t, all_, allRates_, h);
}

void SensitivityIntegrator::restart(double t, std::span<const double> y, std::span<const double> yp,
                                    double h) {
  system_.follow();
  join(y, yp);
  ida_.restart(t, all_, allRates_, h);
}

Integrator::StepResult SensitivityIntegrator::step(double tStop) {
  system_.follow();
  return ida_.step(tStop);
}

void SensitivityIntegrator::interpolate(double t, std::span<double> y, std::span<double> yp) const {
  ida_.interpolate(t, all_, allRates_);
  std::copy_n(all_.begin(), n_, y.begin());
  std::copy_n(allRates_.begin(), n_, yp.begin());
}

std::span<const double> SensitivityIntegrator::tangents(double t) const {
  ida_.interpolate(t, all_, allRates_);
  return std::span<const double>(all_).subspan(n_);
}

double SensitivityIntegrator::norm(std::span<const double> change,
                                   std::span<const double> y) const {
  std::ranges::fill(all_, 0.0);
  std::ranges::fill(allRates_, 0.0);
  std::ranges::copy(change, all_.begin());
  std::ranges::copy(y, allRates_.begin());
  // As if the derivatives were not there.
  return ida_.norm(all_, allRates_) * std::sqrt(static_cast<double>(all_.size() / n_));
}

void SensitivityIntegrator::mapHistory(const std::function<void(double* y)>& map) {
  ida_.mapHistory([&](double* y) {
    mapTangents(map, {y, n_}, nominals_, {y + n_, all_.size() - n_});
    map(y);
  });
}

}  // namespace cardan
