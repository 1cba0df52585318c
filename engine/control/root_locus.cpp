#include "engine/control/root_locus.h"

#include <algorithm>
#include <cmath>

#include "engine/analysis/eigenvalues.h"

namespace cardan {
namespace {

using Complex = std::complex<double>;
constexpr double kOnEdge = 1e-12;  // of the largest pole: rounding of one that does not settle
constexpr double kNoGain = 1e-3;   // of the first gain: a turn there is one at 0

/// Poles in the order of their nearest predecessors, the closest pair first.
std::vector<Complex> inOrder(const std::vector<Complex>& before, std::vector<Complex> now) {
  struct Pair {
    double distance;
    size_t from, to;
  };
  std::vector<Pair> pairs;
  for (size_t i = 0; i < before.size(); ++i) {
    for (size_t j = 0; j < now.size(); ++j) pairs.push_back({std::abs(before[i] - now[j]), i, j});
  }
  std::ranges::stable_sort(pairs, {}, &Pair::distance);
  std::vector<Complex> sorted(now.size());
  std::vector<bool> from(now.size()), to(now.size());
  for (const Pair& p : pairs) {
    if (from[p.from] || to[p.to]) continue;
    from[p.from] = to[p.to] = true;
    sorted[p.from] = now[p.to];
  }
  return sorted;
}

std::vector<Complex> polesWith(const LinearModel& model, int output, int input, double k) {
  const double loop = 1 + k * model.D(output, input);
  const Eigen::MatrixXd A = model.A - (k / loop) * model.B.col(input) * model.C.row(output);
  const Eigen::VectorXcd values = eigenpairs(A).values;
  return {values.begin(), values.end()};
}

bool settle(const LinearModel& model, const std::vector<Complex>& poles) {
  double largest = 0;
  for (const Complex z : poles) largest = std::max(largest, std::abs(z));
  return std::ranges::all_of(poles, [&](Complex z) {
    return model.sample > 0 ? std::abs(z) < 1 - kOnEdge : z.real() < -kOnEdge * largest;
  });
}

}  // namespace

RootLocus RootLocus::of(const LinearModel& model, int output, int input, double most, int count) {
  RootLocus r;
  r.branches.resize(static_cast<size_t>(model.A.rows()));
  std::vector<Complex> before;
  bool stable = r.startsStable = settle(model, polesWith(model, output, input, 0));
  for (int i = 0; i <= count; ++i) {
    // Half of the gains in the first thousandth.
    const double k = most * (std::pow(1e6, static_cast<double>(i) / count) - 1) / (1e6 - 1);
    if (1 + k * model.D(output, input) == 0) continue;
    std::vector<Complex> poles = polesWith(model, output, input, k);
    if (!before.empty()) poles = inOrder(before, std::move(poles));
    if (settle(model, poles) != stable) {
      double low = r.gains.back(), high = k;
      for (int half = 0; half < 60; ++half) {
        const double middle = 0.5 * (low + high);
        (settle(model, polesWith(model, output, input, middle)) == stable ? low : high) = middle;
      }
      const bool atOnce = r.gains.size() == 1 && std::abs(high) < kNoGain * std::abs(k);
      r.turns.push_back(atOnce ? 0 : high);
      stable = !stable;
    }
    r.gains.push_back(k);
    for (size_t b = 0; b < poles.size(); ++b) r.branches[b].push_back(poles[b]);
    before = std::move(poles);
  }
  return r;
}

}  // namespace cardan
