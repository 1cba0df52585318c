#include "tests/random/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/random/rows.h"

namespace cardan::random {
namespace {

constexpr int kGrid = 200;  // rows of the output grid
/// A run whose error is larger than this has not found the trajectory.
constexpr double kLarge = 1e-2;
/// A run at a tenth of the tolerance is better by this factor at least: events, where the order is
/// one, let errors fall with the root of the tolerance.
constexpr double kFalls = 2;
/// Errors in tolerances differ by less than this between the runs of one smooth problem: the
/// error of a step control falls with the tolerance to a power near 5/6.
constexpr double kAlike = 1000;
/// The same error, brought in by two runs of one problem, has grown alike within this factor.
constexpr double kGrowth = 10;

/// First row at each point of the output grid that was reached.
std::vector<size_t> gridRows(const Mechanism& m, const Rows& rows) {
  std::vector<size_t> found;
  size_t i = 0;
  for (int k = 0; k <= kGrid; ++k) {
    const double t = m.stop * k / kGrid;
    while (i < rows.size() && rows.time()[i] < t - 1e-9 * m.stop) ++i;
    if (i == rows.size() || rows.time()[i] > t + 1e-9 * m.stop) break;
    found.push_back(i);
  }
  return found;
}

struct Group {
  std::vector<std::vector<std::string>> signals;  ///< vectors, by their elements
  bool relative;                                  ///< its size is its range, else its magnitude
};

std::vector<Group> groups(const Mechanism& m) {
  Group r{{}, true}, v{{}, false}, w{{}, false}, q{{}, true};
  for (const std::string& b : m.bodies) {
    auto elements = [&](const char* name) {
      std::vector<std::string> e;
      for (int i = 1; i <= 3; ++i) e.push_back(fmt::format("{}.{}[{}]", b, name, i));
      return e;
    };
    r.signals.push_back(elements("r_0"));
    v.signals.push_back(elements("v_0"));
    w.signals.push_back(elements("w_a"));
  }
  for (const std::string& a : m.axes) q.signals.push_back({a});
  return {r, v, w, q};
}

}  // namespace

std::vector<double> deviation(const Mechanism& m, const BoundedRun& a, const BoundedRun& b) {
  const Rows x(a.rows), y(b.rows);
  const std::vector<size_t> xs = gridRows(m, x), ys = gridRows(m, y);
  const size_t common = std::min(xs.size(), ys.size());
  std::vector<double> worst(common, 0.0);
  for (const Group& g : groups(m)) {
    std::vector<double> scales;
    double largest = 0;
    for (const auto& signal : g.signals) {
      double scale = 1e-3;
      for (const std::string& e : signal) {
        const std::vector<double>& values = y[e];
        const double middle = g.relative ? values[0] : 0;
        for (size_t k = 0; k < common; ++k)
          scale = std::max(scale, std::abs(values[ys[k]] - middle));
      }
      scales.push_back(scale);
      largest = std::max(largest, scale);
    }
    for (size_t s = 0; s < g.signals.size(); ++s) {
      // What hardly moves beside the rest is measured by the rest.
      const double scale = std::max(scales[s], 0.05 * largest);
      for (const std::string& e : g.signals[s]) {
        const std::vector<double>&p = x[e], &q = y[e];
        for (size_t k = 0; k < common; ++k)
          worst[k] = std::max(worst[k], std::abs(p[xs[k]] - q[ys[k]]) / scale);
      }
    }
  }
  for (size_t k = 1; k < common; ++k) worst[k] = std::max(worst[k], worst[k - 1]);
  return worst;
}

AgreementVerdict judgeAgreement(const Mechanism& m, const std::vector<const BoundedRun*>& runs,
                                const BoundedRun& exact) {
  AgreementVerdict verdict;
  std::vector<std::vector<double>> errors;
  for (const BoundedRun* r : runs) errors.push_back(deviation(m, *r, exact));
  // Errors that have grown by so much that they no longer keep to their proportion are those of the
  // problem, not of a run, where a tighter run's grow by as much and are smaller.
  const auto growsAlike = [&](size_t b, size_t k) {
    for (size_t c = 0; c < runs.size(); ++c) {
      const double loose = runs[b]->settings.tolerance, tight = runs[c]->settings.tolerance;
      if (tight >= loose || k >= errors[c].size()) continue;
      if (errors[c][k] <= errors[b][k] / kFalls &&
          errors[c][k] / tight >= errors[b][k] / loose / kGrowth)
        return true;
    }
    return false;
  };
  for (size_t a = 0; a < runs.size(); ++a) {
    const auto large =
        std::find_if(errors[a].begin(), errors[a].end(), [](double e) { return e > kLarge; });
    if (large == errors[a].end()) continue;
    verdict.sensitive = true;
    const size_t k = static_cast<size_t>(large - errors[a].begin());
    for (size_t b = 0; b < runs.size(); ++b) {
      if (b == a || k >= errors[b].size()) continue;
      const double tight = runs[b]->settings.tolerance, loose = runs[a]->settings.tolerance;
      if (tight >= loose) continue;
      const std::string detail = fmt::format(
          "at {} s the run at {:g} is off by {:.2g}, that at {:g} by {:.2g}",
          m.stop * static_cast<double>(k) / kGrid, loose, errors[a][k], tight, errors[b][k]);
      if (errors[b][k] / tight < errors[a][k] / loose / kAlike)
        return {false, false, "a looser run is another motion", detail};
      if (errors[b][k] > errors[a][k] / kFalls && errors[b][k] > 1e-4 && !growsAlike(b, k))
        return {false, false, "errors do not fall with the tolerance", detail};
    }
  }
  return verdict;
}

}  // namespace cardan::random
