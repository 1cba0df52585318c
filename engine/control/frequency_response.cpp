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

}  // namespace

Eigen::MatrixXcd statesAt(const MatrixXd& A, const MatrixXd& B, double sample, double w) {
  const Index n = A.rows(), m = B.cols();
  const Complex z = sample > 0 ? std::polar(1.0, w * sample) : Complex(0, w);
  if (n == 0) return Eigen::MatrixXcd(0, m);
  // In real numbers.
  MatrixXd both(2 * n, 2 * n), right = MatrixXd::Zero(2 * n, m);
  const MatrixXd real = z.real() * MatrixXd::Identity(n, n) - A;
  const MatrixXd imaginary = z.imag() * MatrixXd::Identity(n, n);
  both << real, -imaginary, imaginary, real;
  right.topRows(n) = B;
  DenseLu lu;
  lu.factor(both);
  const MatrixXd x = lu.pivotsExceed(0)
                         ? lu.solve(right)
                         : MatrixXd::Constant(2 * n, m, std::numeric_limits<double>::infinity());
  return x.topRows(n) + Complex(0, 1) * x.bottomRows(n);
}

Eigen::MatrixXcd transfer(const LinearModel& model, double w) {
  return model.C * statesAt(model.A, model.B, model.sample, w) + model.D;
}

std::vector<double> frequencies(const LinearModel& model, int count,
                                const std::vector<double>& marked) {
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
  double from = std::max(0.1 * least, 1e-8 * largest), to = h > 0 ? highest : 10 * largest;
  for (const double x : marked) {
    if (!(x > 0 && std::isfinite(x))) continue;
    from = std::min(from, 0.1 * x);
    if (h == 0) to = std::max(to, 10 * x);
  }
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

}  // namespace cardan
