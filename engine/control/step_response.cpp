#include "engine/control/step_response.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/analysis/eigenvalues.h"
#include "engine/control/held_inputs.h"

namespace cardan {
namespace {

/// [s]  After eight time constants of the slowest mode that settles, or five of what grows; of what does
/// neither, ten periods.
double usualSpan(const LinearModel& model) {
  double settles = 0, grows = 0, swings = 0, largest = 0;
  const Eigen::VectorXcd all = eigenpairs(model.A).values;
  for (const auto& z : all) largest = std::max(largest, std::abs(z));
  for (const auto& z : all) {
    const double part = 1e-9 * largest;
    if (z.real() < -part) settles = std::max(settles, -1 / z.real());
    if (z.real() > part) grows = std::max(grows, 1 / z.real());
    if (std::abs(z.real()) <= part && std::abs(z) > 1e-6 * largest)
      swings = std::max(swings, 6.3 / std::abs(z));
  }
  if (grows > 0) return 5 * grows;
  if (swings > 0) return 10 * swings;
  return settles > 0 ? 8 * settles : 1;
}

}  // namespace

StepResponse StepResponse::of(const LinearModel& model, int input, double span, int count) {
  StepResponse r;
  const bool isSampled = model.sample > 0;
  if (!(span > 0))
    span = isSampled ? count * model.sample : model.A.rows() > 0 ? usualSpan(model) : 1;
  const LinearModel steps = isSampled ? model : sampled(model, span / count);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(model.A.rows());
  r.y.resize(static_cast<size_t>(model.C.rows()));
  for (int k = 0; k * steps.sample <= span * (1 + 1e-9); ++k) {
    const Eigen::VectorXd y = model.C * x + model.D.col(input);
    r.t.push_back(k * steps.sample);
    for (size_t i = 0; i < r.y.size(); ++i) r.y[i].push_back(y[static_cast<Eigen::Index>(i)]);
    x = steps.A * x + steps.B.col(input);
    if (!x.allFinite()) break;
  }
  return r;
}

Settling Settling::of(const std::vector<double>& t, const std::vector<double>& y) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Settling s{y.back(), kNone, kNone, kNone};
  if (!(std::abs(s.last) > 0)) return s;
  double low = kNone, most = 0;
  size_t outside = y.size();
  for (size_t i = 0; i < y.size(); ++i) {
    const double part = y[i] / s.last;
    if (std::isnan(low) && part >= 0.1) low = t[i];
    if (std::isnan(s.rise) && part >= 0.9) s.rise = t[i] - low;
    most = std::max(most, part);
    if (std::abs(part - 1) > 0.02) outside = i;
  }
  s.overshoot = std::max(0.0, most - 1);
  if (outside == y.size()) s.settled = 0;
  if (outside + 1 < y.size()) s.settled = t[outside + 1];
  return s;
}

}  // namespace cardan
