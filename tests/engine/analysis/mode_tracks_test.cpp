// Modes followed through crossings: by where their eigenvalues go, and by their shapes in typical sizes.
#include "engine/analysis/mode_tracks.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <vector>

using namespace cardan;

namespace {

/// Two damped oscillators of w[i] [rad/s] and ratio z[i], whose shapes in the positions are the columns
/// of `shapes`, the positions counted in units of `sizes`.
LinearModel twoOscillators(const double (&w)[2], const double (&z)[2],
                           const Eigen::Matrix2d& shapes, const Eigen::Vector2d& sizes) {
  const Eigen::Matrix2d T = sizes.asDiagonal() * shapes, back = T.inverse();
  Eigen::Vector2d stiffness, damping;
  for (int i = 0; i < 2; ++i) {
    stiffness[i] = w[i] * w[i];
    damping[i] = 2 * z[i] * w[i];
  }
  LinearModel m;
  m.states = {{"x1", "m", 0}, {"v1", "m/s", 0}, {"x2", "m", 0}, {"v2", "m/s", 0}};
  m.rateOf = {-1, 0, -1, 2};
  m.A.setZero(4, 4);
  const Eigen::Matrix2d K = T * stiffness.asDiagonal() * back, D = T * damping.asDiagonal() * back;
  for (int i = 0; i < 2; ++i) {
    m.A(2 * i, 2 * i + 1) = 1;
    for (int k = 0; k < 2; ++k) {
      m.A(2 * i + 1, 2 * k) = -K(i, k);
      m.A(2 * i + 1, 2 * k + 1) = -D(i, k);
    }
  }
  m.unknowns.setIdentity(4, 4);
  return m;
}

struct Row {
  std::vector<double> w1, w2;
  double z[2];
};

ModeTracks follow(const Row& row, const Eigen::Matrix2d& shapes, const Eigen::Vector2d& sizes) {
  const std::vector<double> nominals{sizes[0], sizes[0], sizes[1], sizes[1]};
  ModeTracks tracks;
  for (size_t k = 0; k < row.w1.size(); ++k) {
    const LinearModel m = twoOscillators({row.w1[k], row.w2[k]}, row.z, shapes, sizes);
    tracks.add(m, findModes(m), nominals);
  }
  return tracks;
}

/// Both tracks are those of the oscillators, in the order of their first frequencies.
void checkTracks(const ModeTracks& tracks, const Row& row) {
  REQUIRE(tracks.tracks().size() == 2);
  CHECK(tracks.points() == row.w1.size());
  for (int i = 0; i < 2; ++i) {
    const std::vector<double> f = tracks.tracks()[i].frequencies(),
                              z = tracks.tracks()[i].dampingRatios();
    const std::vector<double>& w = i == 0 ? row.w1 : row.w2;
    REQUIRE(f.size() == w.size());
    for (size_t k = 0; k < w.size(); ++k) {
      CAPTURE(i);
      CAPTURE(k);
      const double ratio = row.z[i];
      CHECK(f[k] ==
            doctest::Approx(w[k] * std::sqrt(1 - ratio * ratio) / (2 * M_PI)).epsilon(1e-9));
      CHECK(z[k] == doctest::Approx(ratio).epsilon(1e-9));
    }
  }
}

}  // namespace

TEST_CASE("ModeTracks: where shapes are unlike, they tell modes that change places in one step") {
  Eigen::Matrix2d shapes;
  shapes << 1, -0.3, 0.4, 1;
  const Row row{{1, 2, 2.1}, {2, 1, 1.1}, {0.02, 0.05}};
  // A micrometre beside a kilometre: only in typical sizes are the shapes unlike.
  for (const Eigen::Vector2d& sizes :
       {Eigen::Vector2d(1, 1), Eigen::Vector2d(1e-6, 1e3), Eigen::Vector2d(1e4, 1e-3)})
    checkTracks(follow(row, shapes, sizes), row);
}

TEST_CASE("ModeTracks: where shapes are alike, eigenvalues go on straight through their crossing") {
  Eigen::Matrix2d shapes;
  shapes << 1, 1, 0.1, -0.1;
  Row row{{}, {}, {0.03, 0.01}};
  for (int k = 0; k < 5; ++k) {
    row.w1.push_back(1 + 0.3 * k);
    row.w2.push_back(2.05 - 0.3 * k);
  }
  checkTracks(follow(row, shapes, Eigen::Vector2d(1, 1)), row);
}

TEST_CASE("ModeTracks: a mode that stops to swing ends, and the other one goes on") {
  Eigen::Matrix2d shapes;
  shapes << 1, -0.3, 0.4, 1;
  ModeTracks tracks;
  for (const double z : {0.5, 0.8, 1.3, 1.5}) {
    const LinearModel m = twoOscillators({1.0, 3.0}, {z, 0.1}, shapes, Eigen::Vector2d(1, 1));
    tracks.add(m, findModes(m), {1, 1, 1, 1});
  }
  REQUIRE(tracks.tracks().size() == 2);
  const auto& first = tracks.tracks()[0].values;
  const auto& second = tracks.tracks()[1].values;
  REQUIRE(first.size() == 4);
  REQUIRE(second.size() == 4);
  CHECK(first[1].imag() == doctest::Approx(0.6).epsilon(1e-9));
  CHECK(std::isnan(first[2].real()));
  CHECK(std::isnan(first[3].real()));
  for (const auto& value : second) CHECK(value.real() == doctest::Approx(-0.3).epsilon(1e-9));
}
