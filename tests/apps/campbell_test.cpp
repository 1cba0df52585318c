// cardan modes --vary: frequencies over a parameter, as numbers and as a picture.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "engine/results/result_table.h"
#include "tests/apps/process.h"
#include "tests/rotor.h"

using test::Folder;
using test::kRotor;
using test::Process;

TEST_CASE("modes --vary: a rotor on two springs has its whirl over speed, each branch by itself") {
  const Folder folder;
  folder.write("rotor.yaml", kRotor);
  const Process p =
      test::runCardan(folder, "modes rotor.yaml --vary speed=0:10:1000 -o campbell.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  CHECK(p.err == "Rotor: 4 modes at 101 values of speed, in campbell.csv\n");
  // The first column stands for time there.
  const cardan::ResultTable table = cardan::ResultTable::read(folder / "campbell.csv");
  REQUIRE(table.time.size() == 101);
  CHECK(table.names().size() == 8);
  const double k = 2e5, l = 0.3, m = 12, It = 0.4, Ip = 0.7;
  double worst[4] = {0, 0, 0, 0};
  const std::vector<double>* f[4];
  for (int i = 0; i < 4; ++i) {
    f[i] = table.find("mode" + std::to_string(i + 1) + ".frequency");
    REQUIRE(f[i]);
  }
  // The two that tilt are one at rest: which of them comes first is open.
  if (f[2]->back() > f[3]->back()) std::swap(f[2], f[3]);
  for (size_t row = 0; row < table.time.size(); ++row) {
    const double half = Ip * table.time[row] / (2 * It),
                 root = std::sqrt(half * half + 2 * k * l * l / It), shift = std::sqrt(2 * k / m);
    // Shifts at one frequency, backward whirl, which falls through it, and forward whirl.
    const double wanted[4] = {shift, shift, root - half, root + half};
    for (int i = 0; i < 4; ++i) {
      const double w = 2 * std::numbers::pi * (*f[i])[row];
      worst[i] = std::max(worst[i], std::abs(w - wanted[i]) / wanted[i]);
    }
  }
  for (const double w : worst) CHECK(w < 1e-9);
  CHECK(std::abs(table.find("mode1.damping")->back()) < 1e-12);
}

TEST_CASE("modes --vary: the picture has a curve a mode, and lines of excitation") {
  const Folder folder;
  folder.write("rotor.yaml", kRotor);
  REQUIRE(test::runCardan(folder,
                          "modes rotor.yaml --vary speed=0:100:1000 --excitation 1 --excitation 2 "
                          "-q -o campbell.svg")
              .code == 0);
  const std::string svg = folder.read("campbell.svg");
  CHECK(svg.starts_with("<svg"));
  for (const char* label : {"1: ", "4: ", "order 1", "order 2", "frequency [Hz]", ">speed<"}) {
    CAPTURE(label);
    CHECK(svg.find(label) != std::string::npos);
  }
  CHECK(svg.find("damping ratio") == std::string::npos);  // nothing is damped

  for (const auto& [wrong, message] :
       {std::pair{"--excitation nan -o x.svg", "--excitation must be a positive number, found nan"},
        std::pair{"--excitation 0 -o x.svg", "--excitation must be a positive number, found 0"},
        std::pair{"--excitation 1 -o x.csv", "it needs -o with a .svg file"}}) {
    CAPTURE(wrong);
    const Process p =
        test::runCardan(folder, std::string("modes rotor.yaml --vary speed=0:100:1000 ") + wrong);
    CHECK(p.code == 2);
    CHECK(p.err.find(message) != std::string::npos);
  }
  CHECK_FALSE(folder.has("x.svg"));
  CHECK_FALSE(folder.has("x.csv"));
}

TEST_CASE("modes --vary: a pendulum on a turning shaft, in steady turning at every speed") {
  // A conical pendulum: cos(theta) = g/(w^2 l); about it the angle swings with w sqrt(1 + 3 cos^2).
  const Folder folder;
  folder.write("flyball.yaml",
               "model: Flyball\nworld: {g: 9.81, n: [0, 0, -1]}\ncomponents:\n"
               "  bearing: {type: Revolute, n: [0, 0, 1], w: {start: 6}}\n"
               "  hinge: {type: Revolute, n: [0, 1, 0], phi: {start: 60 deg}}\n"
               "  arm: {type: FixedTranslation, r: [0.5, 0, 0]}\n  ball: {type: PointMass, m: 5}\n"
               "connections:\n  - [world.frame_b, bearing.frame_a]\n"
               "  - [bearing.frame_b, hinge.frame_a]\n  - [hinge.frame_b, arm.frame_a]\n"
               "  - [arm.frame_b, ball.frame_a]\n");
  const Process p = test::runCardan(folder,
                                    "modes flyball.yaml --at-equilibrium --steady bearing.w --vary "
                                    "bearing.w.start=5:0.5:20 -q -o f.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const cardan::ResultTable table = cardan::ResultTable::read(folder / "f.csv");
  REQUIRE(table.names().size() == 2);  // one mode, and nothing of the shaft's free turning
  REQUIRE(table.time.size() == 31);
  for (size_t row = 0; row < table.time.size(); ++row) {
    const double w = table.time[row], cosine = 9.81 / (w * w * 0.5);
    const double wanted = w * std::sqrt(1 + 3 * cosine * cosine) / (2 * std::numbers::pi);
    CHECK(table.find("mode1.frequency")->at(row) == doctest::Approx(wanted).epsilon(1e-9));
  }
}

TEST_CASE("modes --vary: of a damped oscillator, damping, and where it ends to swing") {
  // m x'' = -c x - d x': w = sqrt(c/m - (d/2m)^2), D = d/(2 sqrt(c m)); from D = 1 on no mode swings.
  const Folder folder;
  folder.write("o.yaml",
               "model: O\nparameters: {d: 1}\nworld: {g: 0}\ncomponents:\n"
               "  x: {type: Prismatic, n: [1, 0, 0], useAxisFlange: true}\n"
               "  s: {type: Translational.SpringDamper, c: 100, d: d}\n  b: {type: Body, m: 4}\n"
               "connections:\n  - [world.frame_b, x.frame_a]\n  - [x.frame_b, b.frame_a]\n"
               "  - [x.support, s.flange_a]\n  - [s.flange_b, x.axis]\n");
  const Process p = test::runCardan(folder, "modes o.yaml --vary d=4:4:44");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  folder.write("o.csv", p.out);
  // Rows: "d,f,D", and ",," where there is no mode.
  size_t at = p.out.find('\n') + 1;
  for (int d = 4; d <= 44; d += 4) {
    CAPTURE(d);
    const std::string line = p.out.substr(at, p.out.find('\n', at) - at);
    at = p.out.find('\n', at) + 1;
    double x = 0, f = 0, D = 0;
    const int read = std::sscanf(line.c_str(), "%lf,%lf,%lf", &x, &f, &D);
    CHECK(x == d);
    if (d >= 40) {
      CHECK(read == 1);
      continue;
    }
    REQUIRE(read == 3);
    CHECK(f ==
          doctest::Approx(std::sqrt(25 - d * d / 64.0) / (2 * std::numbers::pi)).epsilon(1e-9));
    CHECK(D == doctest::Approx(d / 40.0).epsilon(1e-9));
  }
}

TEST_CASE("modes --vary: what is wrong is said") {
  const Folder folder;
  folder.write("rotor.yaml", kRotor);
  const auto error = [&](const std::string& arguments, int code) {
    const Process p = test::runCardan(folder, "modes rotor.yaml " + arguments);
    CHECK(p.code == code);
    return p.err;
  };
  CHECK(error("--vary speed -o c.svg", 2) ==
        "--vary speed: error: must be NAME=VALUES, found 'speed'\n");
  CHECK(error("--vary speed=[0,[1]] -o c.svg", 2).find("--vary speed=[0,[1]]: error: ") == 0);
  CHECK(error("--set speed=2 --vary speed=0:1", 2) ==
        "--vary speed=0:1: error: parameter 'speed' varies: it must not be set, found 'speed=2'\n");
  CHECK(error("--vary spead=0:1 -o c.svg", 2).find("did you mean 'speed'?") != std::string::npos);
  CHECK(error("--vary speed=0:1 -o c.png", 2).find("a .svg or a .csv file, found 'c.png'") !=
        std::string::npos);
  CHECK(error("-o c.svg", 2).find("--vary") != std::string::npos);
  CHECK(error("--set speed=0 --vary k=-2:1:-1 -o c.svg", 1)
            .find("no mode oscillates at any value of 'k'") != std::string::npos);
  CHECK_FALSE(folder.has("c.svg"));
}
