#include "engine/control/margins.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>

#include "engine/analysis/eigenvalues.h"
#include "engine/control/frequency_response.h"

namespace cardan {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRoundingOfG = 1e-12;      // of the terms that G is the sum of
constexpr double kRoundingOfModel = 1e-12;  // of its columns, states in units of their size

/// Of each entry of M that is not zero: the rounding of the largest of its column.
MatrixXd roundingOf(const MatrixXd& M, const VectorXd& sizes) {
  const RowVectorXd most = (sizes.cwiseInverse().asDiagonal() * M).cwiseAbs().colwise().maxCoeff();
  const MatrixXd all = kRoundingOfModel * sizes * most;
  return (M.array() != 0).select(all, 0);
}

/// One output by one input, states in units that make A, b and c of like sizes.
struct Loop {
  double sample;
  MatrixXd A;
  VectorXd b;
  RowVectorXd c;
  double d;
  MatrixXd ofA;  ///< rounding
  VectorXd ofB;
  double ofD = 0;

  Loop(const LinearModel& model, int output, int input)
      : sample(model.sample), A(model.A), b(model.B.col(input)), c(model.C.row(output)) {
    d = model.D(output, input);
    const Index n = A.rows();
    MatrixXd all = MatrixXd::Zero(n + 1, n + 1);
    all << A, b, c, 0;
    const VectorXd units = balancing(all);
    all = units.cwiseInverse().asDiagonal() * all * units.asDiagonal();
    A = all.topLeftCorner(n, n);
    b = all.topRightCorner(n, 1);
    c = all.bottomLeftCorner(1, n);
    if (n == 0) return;
    const VectorXd sizes = model.sizes.cwiseQuotient(units.head(n));
    ofA = roundingOf(A, sizes);
    ofB = roundingOf(b, sizes);
    ofD = d != 0 ? kRoundingOfModel * (b.cwiseQuotient(sizes)).lpNorm<Eigen::Infinity>() *
                       c.cwiseProduct(sizes.transpose()).lpNorm<Eigen::Infinity>()
                 : 0;
  }

  struct Value {
    Complex G;
    double rounding;
  };
  Value at(double w) const {
    const Eigen::VectorXcd x = statesAt(A, b, sample, w);
    return {(c * x)(0) + d, kRoundingOfG * ((c.cwiseAbs() * x.cwiseAbs())(0) + std::abs(d))};
  }
  /// What rounding of the model may make of G.
  double noise(double w) const {
    if (A.rows() == 0) return 0;
    const VectorXd x = statesAt(A, b, sample, w).cwiseAbs(),
                   y = statesAt(A.transpose(), c.transpose(), sample, w).cwiseAbs();
    return y.dot(ofA * x + ofB) + ofD;
  }
  /// [rad/s]  At which a pole or a zero swings.
  double frequencyOf(Complex z) const {
    return sample > 0 ? std::abs(std::arg(z)) / sample : std::abs(z.imag());
  }
  double highest() const { return sample > 0 ? std::numbers::pi / sample : kInfinity; }
};

/// G(s) = c (s - A)^-1 b + d beside a second system that is the same or its dual, taken at the mirror image
/// -s, or 1/z of a sampled one: the frequencies near which the sum of both has zeros.
struct Mirrored {
  MatrixXd F, H;  ///< q at the mirror image is (F q + H x + g u)
  VectorXd g;
  RowVectorXd sum;  ///< of x, q, u

  std::vector<double> zerosWith(const Loop& loop) const {
    const Index n = loop.A.rows(), all = 2 * n + 1;
    MatrixXd M = MatrixXd::Zero(all, all), E = M;
    M.topLeftCorner(n, n) = loop.A;
    M.topRightCorner(n, 1) = loop.b;
    E.topLeftCorner(n, n).setIdentity();
    MatrixXd &mirrored = loop.sample > 0 ? E : M, &own = loop.sample > 0 ? M : E;
    mirrored.middleRows(n, n) << H, F, g;
    own.block(n, n, n, n).setIdentity();
    if (loop.sample == 0) mirrored.middleRows(n, n) *= -1;
    M.bottomRows(1) = sum;
    std::vector<double> w;
    for (const Complex z : pencilEigenvalues(M, E)) w.push_back(loop.frequencyOf(z));
    return w;
  }
};

/// Where G(s) G(-s) is `level`^2.
std::vector<double> nearLevel(const Loop& loop, double level) {
  const VectorXd b = loop.b / level;
  const double d = loop.d / level;
  Loop unit = loop;
  unit.b = b;
  RowVectorXd sum(2 * b.size() + 1);
  sum << d * loop.c, b.transpose(), d * d - 1;
  return Mirrored{loop.A.transpose(), loop.c.transpose() * loop.c, d * loop.c.transpose(), sum}
      .zerosWith(unit);
}

/// Where G(s) is G(-s), its conjugate.
std::vector<double> nearReal(const Loop& loop) {
  const Index n = loop.A.rows();
  RowVectorXd sum(2 * n + 1);
  sum << loop.c, -loop.c, 0;
  return Mirrored{loop.A, MatrixXd::Zero(n, n), loop.b, sum}.zerosWith(loop);
}

/// Frequencies with one of `places` at most between neighbours.
std::vector<double> between(std::vector<double> places, double highest) {
  std::erase_if(places, [&](double w) { return !(w > 1e-100 && w < highest && w < 1e100); });
  if (places.empty()) places.push_back(std::min(1.0, 0.5 * highest));
  std::ranges::sort(places);
  std::vector<double> w{0.1 * places.front()};
  for (size_t i = 0; i + 1 < places.size(); ++i) w.push_back(std::sqrt(places[i] * places[i + 1]));
  const double last = places.back();
  w.push_back(std::isfinite(highest) ? 0.5 * (last + highest) : 10 * last);
  return w;
}

/// Where `f` of the loop at w changes its sign: between neighbours of `w` that tell it.
template <class F>
std::vector<double> crossings(const Loop& loop, const std::vector<double>& w, const F& f) {
  std::vector<double> found;
  double before = 0, a = 0;
  for (const double b : w) {
    const Loop::Value v = loop.at(b);
    const double now = f(v.G);
    if (!(std::abs(now) > v.rounding)) continue;
    if (before != 0 && (now > 0) != (before > 0)) {
      double low = a, high = b;
      for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
        const double middle = std::sqrt(low * high);
        ((f(loop.at(middle).G) > 0) == (before > 0) ? low : high) = middle;
      }
      found.push_back(std::sqrt(low * high));
    }
    before = now;
    a = b;
  }
  return found;
}

}  // namespace

double gainAtRest(const LinearModel& model, int output, int input) {
  const Loop loop(model, output, input);
  const auto beyondNoise = [&](double w, double G) { return std::abs(G) <= loop.noise(w) ? 0 : G; };
  const Complex G = loop.at(0).G;
  if (std::isfinite(std::abs(G))) return beyondNoise(0, G.real());
  // A pole at rest may be one that this output does not show: it is so if G does not grow towards it.
  const double low = frequencies(model, 2).front();
  const Complex near = loop.at(1e-3 * low).G, far = loop.at(1e-2 * low).G;
  if (std::abs(near) <= loop.noise(1e-3 * low)) return 0;
  if (std::abs(far) > 0.9 * std::abs(near)) return near.real();
  return std::copysign(kInfinity, near.real());
}

Margins Margins::of(const LinearModel& model, int output, int input) {
  const Loop loop(model, output, input);
  Margins m;
  m.rest = gainAtRest(model, output, input);
  // Poles turn the phase, too; what curves show is a second opinion on where to look.
  std::vector<double> always = frequencies(model, 100);
  const double fast = always.back();
  for (const Complex z : eigenpairs(loop.A).values) always.push_back(loop.frequencyOf(z));
  const auto search = [&](std::vector<double> places, const std::function<double(Complex)>& f) {
    places.insert(places.end(), always.begin(), always.end());
    return crossings(loop, between(std::move(places), loop.highest()), f);
  };
  for (const double w : search(nearLevel(loop, 1), [](Complex G) { return std::abs(G) - 1; })) {
    const double turn = std::arg(loop.at(w).G) + std::numbers::pi;
    if (!(1 <= loop.noise(w))) m.phase.push_back({w, std::remainder(turn, 2 * std::numbers::pi)});
  }
  const auto addReal = [&](double w, double G, double rounding) {
    if (std::isfinite(G) && G < 0 && !(-G <= rounding)) m.gain.push_back({w, -1 / G});
  };
  addReal(0, m.rest, loop.at(0).rounding);
  for (const double w : search(nearReal(loop), [](Complex G) { return G.imag(); })) {
    const Complex G = loop.at(w).G;
    if (std::abs(G.imag()) < 1e-6 * std::abs(G)) addReal(w, G.real(), loop.noise(w));
  }
  if (loop.sample > 0) {
    const Loop::Value end = loop.at(loop.highest());
    addReal(loop.highest(), end.G.real(), std::max(end.rounding, loop.noise(loop.highest())));
  } else if (loop.A.rows() > 0) {
    // What u passes on at once.
    addReal(kInfinity, loop.d, std::max(loop.at(fast).rounding, loop.ofD));
  }
  const double fallen = std::abs(m.rest) / std::numbers::sqrt2;
  if (fallen > 0 && std::isfinite(fallen)) {
    const auto all =
        search(nearLevel(loop, fallen), [&](Complex G) { return std::abs(G) - fallen; });
    if (!all.empty()) m.bandwidth = all.front();
  }
  return m;
}

}  // namespace cardan
