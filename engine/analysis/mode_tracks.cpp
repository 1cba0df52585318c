#include "engine/analysis/mode_tracks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::VectorXcd;

/// A shape that has nothing of the other one counts as much as an eigenvalue that is twice as large.
constexpr double kMostUnlike = 1.2;

/// Of the largest eigenvalue: the double zeros of a free movement, which rounding parts by its root.
constexpr double kFree = 1e-7;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool isThere(const std::complex<double>& value) { return std::isfinite(value.real()); }

/// The shape in all unknowns, whatever the states are, of length 1.
VectorXcd shapeOf(const LinearModel& linear, const EigenMode& mode,
                  const std::vector<double>& nominals) {
  VectorXcd shape = linear.unknowns.leftCols(mode.shape.size()) * mode.shape;
  for (Index i = 0; i < shape.size(); ++i) shape[i] /= nominals[i];
  const double length = shape.norm();
  return length > 0 && std::isfinite(length) ? VectorXcd(shape / length) : VectorXcd(0 * shape);
}

}  // namespace

std::vector<double> ModeTracks::Track::frequencies() const {
  std::vector<double> result;
  for (const auto& value : values) result.push_back(value.imag() / (2 * std::numbers::pi));
  return result;
}

std::vector<double> ModeTracks::Track::dampingRatios() const {
  std::vector<double> result;
  for (const auto& value : values)
    result.push_back(value.real() == 0 ? 0 : -value.real() / std::abs(value));
  return result;
}

std::complex<double> ModeTracks::expected(size_t track) const {
  const auto& values = tracks_[track].values;
  const size_t n = values.size();
  if (n < 2 || !isThere(values[n - 2])) return values[n - 1];
  return 2.0 * values[n - 1] - values[n - 2];
}

void ModeTracks::add(const LinearModel& linear, const ModalAnalysis& modes,
                     const std::vector<double>& nominals) {
  std::vector<const EigenMode*> there;
  std::vector<VectorXcd> shapes;
  double largest = 0;
  for (const EigenMode& m : modes.modes) largest = std::max(largest, std::abs(m.eigenvalue));
  for (const EigenMode& m : modes.modes) {
    if (!m.isPair() || std::abs(m.eigenvalue) <= kFree * largest) continue;
    there.push_back(&m);
    shapes.push_back(shapeOf(linear, m, nominals));
  }
  // The pairs that fit best come first.
  std::vector<std::tuple<double, size_t, size_t>> pairs;
  for (size_t k = 0; k < tracks_.size(); ++k) {
    if (!isThere(tracks_[k].values.back())) continue;
    const std::complex<double> goal = expected(k);
    for (size_t i = 0; i < there.size(); ++i) {
      const std::complex<double> value = there[i]->eigenvalue;
      const double apart = std::abs(value - goal) / std::max(std::abs(value), std::abs(goal));
      const double like =
          shapes_[k].size() == shapes[i].size() ? std::norm(shapes_[k].dot(shapes[i])) : 0;
      const double unlike = apart + 1 - like;
      if (unlike < kMostUnlike) pairs.emplace_back(unlike, k, i);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<bool> taken(there.size(), false), followed(tracks_.size(), false);
  for (const auto& [unlike, k, i] : pairs) {
    if (taken[i] || followed[k]) continue;
    taken[i] = followed[k] = true;
    tracks_[k].values.push_back(there[i]->eigenvalue);
    shapes_[k] = shapes[i];
  }
  for (size_t k = 0; k < tracks_.size(); ++k) {
    if (!followed[k]) tracks_[k].values.emplace_back(kNone, kNone);
  }
  for (size_t i = 0; i < there.size(); ++i) {
    if (taken[i]) continue;
    Track track;
    const auto& shares = there[i]->participation;
    track.name = shares.empty() ? "" : shares.front().first;
    track.values.assign(points_, {kNone, kNone});
    track.values.push_back(there[i]->eigenvalue);
    tracks_.push_back(std::move(track));
    shapes_.push_back(shapes[i]);
  }
  ++points_;
}

}  // namespace cardan
