// Films of modes: frames go where the eigenvectors say, and constraints hold on the way.
#include "engine/analysis/mode_film.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

/// Where some frames are, at every picture.
class Places final : public RowWatch {
 public:
  Places(const Model& model, const std::vector<std::string>& connectors) {
    for (const std::string& c : connectors)
      frames_.push_back(FrameId{model.assembly().flatModel.connectors.find(c)->second.index});
  }
  const std::vector<int>& variables() const override { return none_; }
  Level level() const override { return Level::Position; }
  void look(double t, const View<double>& x, std::span<const double>) override {
    times.push_back(t);
    for (FrameId f : frames_) {
      const auto& r = x.frame(f).r_0;
      places.emplace_back(r[0], r[1], r[2]);
    }
  }
  std::vector<double> times;
  std::vector<Eigen::Vector3d> places;  ///< frame by frame at every time

 private:
  std::vector<FrameId> frames_;
  std::vector<int> none_;
};

struct Film {
  Simulation simulation;
  MotionPoint point;
  LinearModel linear;
  ModalAnalysis modes;

  explicit Film(Simulation s) : simulation(std::move(s)) {
    simulation.initialise();
    point = {0, simulation.y(), simulation.yp()};
    linear = linearise(simulation, point);
    modes = findModes(linear);
  }
  std::vector<FilmedMode> show(RowWatch& watch, size_t most = 10) {
    return filmModes(simulation, point, linear, modes, most, watch);
  }
};

const char* const kDouble = R"yaml(
world: {g: 9.81, n: [0, -1, 0]}
components:
  j1: {type: Revolute, phi: {start: -90 deg}}
  b1: {type: BodyShape, r: [0.7, 0, 0], r_CM: [0.7, 0, 0], m: 2, I_11: 0, I_22: 0, I_33: 0}
  j2: {type: Revolute}
  b2: {type: BodyShape, r: [0.4, 0, 0], r_CM: [0.4, 0, 0], m: 3, I_11: 0, I_22: 0, I_33: 0}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, b1.frame_a]
  - [b1.frame_b, j2.frame_a]
  - [j2.frame_b, b2.frame_a]
simulation: {stop: 1}
outputs: [j1.phi]
)yaml";

}  // namespace

TEST_CASE("ModeFilm: the ends of a double pendulum swing as its eigenvectors say") {
  Film film(Simulation::fromText(catalogue(), kDouble));
  Places places(film.simulation.model(), {"b1.frame_b", "b2.frame_b"});
  const std::vector<FilmedMode> filmed = film.show(places);
  REQUIRE(filmed.size() == 2);
  const size_t pictures = places.times.size() / 2;
  // M v'' = -K v of the angles from below, of a point of 2 kg at 0.7 m and one of 3 kg 0.4 m further.
  const double m1 = 2, m2 = 3, l1 = 0.7, l2 = 0.4, g = 9.81;
  Eigen::Matrix2d M, K;  // by absolute angles
  M << (m1 + m2) * l1 * l1, m2 * l1 * l2, m2 * l1 * l2, m2 * l2 * l2;
  K << (m1 + m2) * g * l1, 0, 0, m2 * g * l2;
  for (size_t k = 0; k < 2; ++k) {
    CHECK(filmed[k].from == places.times[k * pictures]);
    CHECK(filmed[k].to == doctest::Approx(places.times[(k + 1) * pictures - 1]));
    const double w = film.modes.modes[k].eigenvalue.imag();
    CHECK(std::abs((K - w * w * M).determinant()) < 1e-10 * K.determinant());
    const double ratio = (K(0, 0) - w * w * M(0, 0)) / (w * w * M(0, 1));  // second by first angle
    double most = 0;
    for (size_t i = 0; i < pictures; ++i) {
      const Eigen::Vector3d& a = places.places[2 * (k * pictures + i)];
      const Eigen::Vector3d b = places.places[2 * (k * pictures + i) + 1] - a;
      const double phi1 = std::atan2(a[0], -a[1]), phi2 = std::atan2(b[0], -b[1]);
      const double phase = 2 * std::numbers::pi * static_cast<double>(i) / (pictures - 1.0);
      const double first =
          std::atan2(places.places[2 * k * pictures][0], -places.places[2 * k * pictures][1]);
      CHECK(phi1 == doctest::Approx(first * std::cos(phase)).epsilon(1e-12).scale(1));
      CHECK(phi2 == doctest::Approx(ratio * phi1).epsilon(1e-10).scale(1));
      most = std::max({most, std::abs(phi1), std::abs(phi2 - phi1)});
    }
    CHECK(most == doctest::Approx(0.15));  // of a radian: the coordinates are relative
  }
  const double frequency = film.modes.modes[0].eigenvalue.imag() / (2 * std::numbers::pi);
  CHECK(filmed[0].name == fmt::format("mode 1: {:.5g} Hz", frequency));
}

TEST_CASE("ModeFilm: loops stay closed") {
  Film film(Simulation(catalogue(), std::string(CARDAN_SOURCE_DIR) + "/models/loops/stewart.yaml"));
  Places places(film.simulation.model(), {"leg1.top.frame_b", "platform.frame_a"});
  const std::vector<FilmedMode> filmed = film.show(places, 3);
  CHECK(filmed.size() == 3);
  double least = 1e9, most = 0;
  for (size_t i = 0; i + 1 < places.places.size(); i += 2) {
    const double tip = (places.places[i] - places.places[i + 1]).norm();
    CHECK(tip == doctest::Approx(std::hypot(0.3, 0.52)).epsilon(1e-9));
    least = std::min(least, places.places[i + 1][2]);
    most = std::max(most, places.places[i + 1][2]);
  }
  CHECK(most - least > 0.001);
}
