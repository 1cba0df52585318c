#include "engine/control/step_response.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "engine/analysis/eigenvalues.h"
#include "engine/control/held_inputs.h"
#include "engine/control/margins.h"

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kNoRate = 1e-7;     // of a sample: a factor that far from 1 is 1
constexpr int kMostLonger = 6;       // of a span that is too short
constexpr double kSettledTo = 5e-3;  // of where an output goes: it has got there

/// Eigenvalues [1/s], of a sampled model by their factors; what is gone after a sample is left out.
std::vector<std::complex<double>> rates(const LinearModel& model) {
  std::vector<std::complex<double>> all;
  for (const std::complex<double> z : eigenpairs(model.A).values) {
    if (model.sample == 0) {
      all.push_back(z);
    } else if (std::abs(z - 1.0) < kNoRate) {
      all.emplace_back(0);
    } else if (std::abs(z) > 1e-9) {
      all.push_back(std::log(z) / model.sample);
    }
  }
  return all;
}

struct Span {
  double length;  ///< [s]
  bool mayBeShort;
};

/// Eight time constants of the slowest mode that settles, or five of what grows; of what does neither, ten
/// periods. Of modes that settle alike, one after the other, eight may be too few.
Span usualSpan(const LinearModel& model, int count) {
  double settles = 0, grows = 0, swings = 0, largest = 0;
  const std::vector<std::complex<double>> all = rates(model);
  for (const auto& z : all) largest = std::max(largest, std::abs(z));
  for (const auto& z : all) {
    const double part = 1e-9 * largest;
    if (z.real() < -part) settles = std::max(settles, -1 / z.real());
    if (z.real() > part) grows = std::max(grows, 1 / z.real());
    if (std::abs(z.real()) <= part && std::abs(z) > 1e-6 * largest)
      swings = std::max(swings, 6.3 / std::abs(z));
  }
  const double samples = model.sample * 20;
  if (grows > 0) return {std::max(5 * grows, samples), false};
  if (swings > 0) return {std::max(10 * swings, samples), false};
  if (settles > 0) return {std::max(8 * settles, samples), true};
  return {model.sample > 0 ? count * model.sample : 1, false};
}

/// The model with every k-th sample.
LinearModel everyOf(const LinearModel& model, long k) {
  const Index n = model.A.rows(), m = model.B.cols();
  MatrixXd one = MatrixXd::Identity(n + m, n + m), all = one;
  one.topLeftCorner(n, n) = model.A;
  one.topRightCorner(n, m) = model.B;
  for (long left = k; left > 0; left /= 2) {
    if (left % 2 == 1) all = all * one;
    one = one * one;
  }
  LinearModel result = model;
  result.A = all.topLeftCorner(n, n);
  result.B = all.topRightCorner(n, m);
  result.sample = static_cast<double>(k) * model.sample;
  return result;
}

void fill(StepResponse& r, const LinearModel& model, int input, double span, int count) {
  const bool isSampled = model.sample > 0;
  const double most = 5.0 * count, samples = isSampled ? span / model.sample : 0;
  const LinearModel steps = !isSampled ? sampled(model, span / count)
                            : samples > most
                                ? everyOf(model, static_cast<long>(std::ceil(samples / most)))
                                : model;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(model.A.rows());
  r.t.clear();
  r.y.assign(static_cast<size_t>(model.C.rows()), {});
  for (int k = 0; k * steps.sample <= span * (1 + 1e-9); ++k) {
    const Eigen::VectorXd y = model.C * x + model.D.col(input);
    r.t.push_back(k * steps.sample);
    for (size_t i = 0; i < r.y.size(); ++i) r.y[i].push_back(y[static_cast<Index>(i)]);
    x = steps.A * x + steps.B.col(input);
    if (!x.allFinite()) break;
  }
}

double largestOf(const std::vector<double>& y) {
  double most = 0;
  for (const double x : y) most = std::max(most, std::abs(x));
  return most;
}

/// What deviations from `rest` are measured by: none of it where there is nothing to come to.
double sizeOf(const std::vector<double>& y, double rest) {
  const double most = largestOf(y);
  return std::abs(rest) > 1e-9 * most ? std::abs(rest) : most;
}

/// All that go somewhere are there in the last fifth.
bool isThere(const StepResponse& r) {
  for (size_t i = 0; i < r.y.size(); ++i) {
    if (!std::isfinite(r.rest[i])) continue;
    const double within = kSettledTo * sizeOf(r.y[i], r.rest[i]);
    for (size_t k = r.t.size() * 4 / 5; k < r.t.size(); ++k) {
      if (std::abs(r.y[i][k] - r.rest[i]) > within) return false;
    }
  }
  return true;
}

}  // namespace

StepResponse StepResponse::of(const LinearModel& model, int input, double span, int count) {
  StepResponse r;
  for (int i = 0; i < model.C.rows(); ++i) r.rest.push_back(gainAtRest(model, i, input));
  const Span usual = span > 0 ? Span{span, false} : usualSpan(model, count);
  double length = usual.length;
  fill(r, model, input, length, count);
  for (int i = 0; usual.mayBeShort && i < kMostLonger && !isThere(r); ++i)
    fill(r, model, input, length *= 2, count);
  return r;
}

Settling Settling::of(const std::vector<double>& t, const std::vector<double>& y, double rest) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Settling s{rest, kNone, kNone, kNone};
  const double size = sizeOf(y, rest);
  size_t outside = y.size();
  for (size_t i = 0; i < y.size(); ++i) {
    if (!(std::abs(y[i] - rest) <= 0.02 * size)) outside = i;
  }
  const double settled = outside == y.size() ? 0 : outside + 1 < y.size() ? t[outside + 1] : kNone;
  // What is there at the end only may be on its way elsewhere.
  if (!std::isfinite(rest) || !(settled <= 0.9 * t.back())) return {y.back(), kNone, kNone, kNone};
  s.settled = settled;
  if (!(std::abs(rest) > 1e-9 * largestOf(y))) return s;
  double low = kNone, most = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    const double part = y[i] / rest;
    if (std::isnan(low) && part >= 0.1) low = t[i];
    if (std::isnan(s.rise) && part >= 0.9) s.rise = t[i] - low;
    most = std::max(most, part);
  }
  s.overshoot = std::max(0.0, most - 1);
  return s;
}

}  // namespace cardan
