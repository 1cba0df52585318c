#include "engine/control/frequency_response.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/analysis/eigenvalues.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
constexpr double kTurn = 2 * std::numbers::pi;

double frequencyOf(Complex eigenvalue, double sample) {
  return sample > 0 ? std::abs(std::log(eigenvalue)) / sample : std::abs(eigenvalue);
}

/// The root of `f` between a and b, where it has opposite signs.
template <class F>
double rootBetween(double a, double b, const F& f) {
  const double atA = f(a);
  for (int i = 0; i < 200 && std::abs(b - a) > 1e-15 * std::abs(b); ++i) {
    const double middle = std::sqrt(a * b);
    (f(middle) > 0) == (atA > 0) ? a = middle : b = middle;
  }
  return std::sqrt(a * b);
}

}  // namespace

Eigen::MatrixXcd transfer(const LinearModel& model, double w) {
  const Index n = model.A.rows(), m = model.B.cols();
  const Complex z = model.sample > 0 ? std::polar(1.0, w * model.sample) : Complex(0, w);
  Eigen::MatrixXcd G = model.D.cast<Complex>();
  if (n == 0) return G;
  // (z - A) x = B in real numbers.
  MatrixXd both(2 * n, 2 * n), right = MatrixXd::Zero(2 * n, m);
  const MatrixXd real = z.real() * MatrixXd::Identity(n, n) - model.A;
  const MatrixXd imaginary = z.imag() * MatrixXd::Identity(n, n);
  both << real, -imaginary, imaginary, real;
  right.topRows(n) = model.B;
  DenseLu lu;
  lu.factor(both);
  const MatrixXd x = lu.pivotsExceed(0)
                         ? lu.solve(right)
                         : MatrixXd::Constant(2 * n, m, std::numeric_limits<double>::infinity());
  G += model.C * x.topRows(n) + Complex(0, 1) * (model.C * x.bottomRows(n));
  return G;
}

std::vector<double> frequencies(const LinearModel& model, int count) {
  constexpr double kLeast = 1e-6;  // of the largest: an eigenvalue that is none
  const double h = model.sample, highest = h > 0 ? std::numbers::pi / h : 0;
  std::vector<Complex> poles;
  double largest = 0, least = std::numeric_limits<double>::infinity();
  if (model.A.rows() > 0) {
    for (const Complex z : eigenpairs(model.A).values) poles.push_back(z);
  }
  for (const Complex z : poles) {
    if (std::abs(z) > 0) largest = std::max(largest, frequencyOf(z, h));
  }
  for (const Complex z : poles) {
    const double w = std::abs(z) > 0 ? frequencyOf(z, h) : 0;
    if (w > kLeast * largest) least = std::min(least, w);
  }
  if (!(largest > 0)) largest = least = 1;
  const double from = std::max(0.1 * least, 1e-8 * largest), to = h > 0 ? highest : 10 * largest;
  std::vector<double> w;
  for (int i = 0; i < count; ++i) w.push_back(from * std::pow(to / from, i / (count - 1.0)));
  for (const Complex z : poles) {
    const Complex s = h > 0 && std::abs(z) > 0 ? std::log(z) / h : z;
    const double centre = std::abs(s.imag()), width = std::abs(s.real());
    for (double part = 1.0 / 16; part <= 64 && centre > 0 && width < 0.3 * centre; part *= 2) {
      for (const double side : {-part, part})
        w.push_back(centre + side * std::max(width, 1e-6 * centre));
    }
  }
  std::erase_if(w, [&](double x) { return !(x >= from && x <= to); });
  std::ranges::sort(w);
  w.erase(std::ranges::unique(w).begin(), w.end());
  return w;
}

FrequencyResponse FrequencyResponse::of(const LinearModel& model, int output, int input,
                                        const std::vector<double>& w) {
  FrequencyResponse r;
  for (const double x : w) {
    const Complex g = transfer(model, x)(output, input);
    if (!std::isfinite(std::abs(g))) continue;
    double phase = std::arg(g);
    if (!r.phase.empty()) phase += kTurn * std::round((r.phase.back() - phase) / kTurn);
    r.w.push_back(x);
    r.G.push_back(g);
    r.phase.push_back(phase);
  }
  return r;
}

Margins Margins::of(const LinearModel& model, int output, int input,
                    const FrequencyResponse& response) {
  Margins m;
  const auto at = [&](double w) { return transfer(model, w)(output, input); };
  m.rest = std::abs(at(0));
  if (!std::isfinite(m.rest) && !response.w.empty()) {
    // A pole at rest may be one that this output does not show.
    m.rest = std::abs(at(1e-3 * response.w.front()));
    if (!(std::abs(at(1e-2 * response.w.front())) > 0.9 * m.rest))
      m.rest = std::numeric_limits<double>::infinity();
  }
  const double fallen = m.rest / std::numbers::sqrt2;
  for (size_t i = 0; i + 1 < response.w.size(); ++i) {
    const double a = response.w[i], b = response.w[i + 1];
    const Complex ga = response.G[i], gb = response.G[i + 1];
    if ((std::abs(ga) > 1) != (std::abs(gb) > 1)) {
      const double w = rootBetween(a, b, [&](double x) { return std::abs(at(x)) - 1; });
      m.phase.push_back({w, std::remainder(std::arg(at(w)) + std::numbers::pi, kTurn)});
    }
    if ((ga.imag() > 0) != (gb.imag() > 0) && (ga.real() < 0 || gb.real() < 0)) {
      const double w = rootBetween(a, b, [&](double x) { return at(x).imag(); });
      const Complex g = at(w);
      // A pole in between turns the phase, too.
      if (g.real() < 0 && std::abs(g.imag()) < 1e-6 * std::abs(g))
        m.gain.push_back({w, -1 / g.real()});
    }
    if (std::isfinite(m.rest) && std::abs(ga) >= fallen && std::abs(gb) < fallen)
      m.bandwidth = rootBetween(a, b, [&](double x) { return std::abs(at(x)) - fallen; });
  }
  return m;
}

}  // namespace cardan
