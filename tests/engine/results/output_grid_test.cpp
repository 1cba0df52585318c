// Times of rows: the decimal that is meant, to the last bit.
#include "engine/results/output_grid.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "engine/results/run_settings.h"

using namespace cardan;

TEST_CASE("output grid: times of decimal intervals are the doubles nearest to their decimals") {
  const OutputGrid tenths(0, 1000, 0.1);
  for (long k = 0; k <= 10000; ++k) {
    CHECK(tenths.time(k) == std::strtod(fmt::format("{}e-1", k).c_str(), nullptr));
  }
  const OutputGrid shifted(-0.3, 5, 0.002);
  for (long k = 0; k <= 2650; ++k) {
    CHECK(shifted.time(k) == std::strtod(fmt::format("{}e-3", 2 * k - 300).c_str(), nullptr));
  }
  CHECK_FALSE(std::signbit(shifted.time(150)));  // 0, and no -0
  CHECK(OutputGrid(1e9, 1e9 + 1, 0.001).time(7) == 1000000000.007);
  CHECK(OutputGrid(0, 1e-5, 1e-7).time(3) == 3e-7);
  CHECK(OutputGrid(0, 1e12, 1e9).time(7) == 7e9);
}

TEST_CASE("output grid: equal parts of a decimal span are rounded once") {
  const OutputGrid grid = OutputGrid::equalParts(0, 0.7, 500);
  for (long k = 0; k <= 500; ++k) {
    CHECK(grid.time(k) == std::strtod(fmt::format("{}e-4", 14 * k).c_str(), nullptr));
  }
  CHECK(grid.interval() == 0.7 / 500);
  const OutputGrid thirds = OutputGrid::equalParts(0, 1, 3);
  CHECK(thirds.time(1) == 1.0 / 3);
  CHECK(thirds.time(2) == 2.0 / 3);
}

TEST_CASE("output grid: numbers that are no short decimals are multiplied as they are") {
  const double third = 1.0 / 3, small = std::ldexp(1.0, -20);
  const OutputGrid thirds(0, 10, third), powers(0, 1, small), odd(0.1 + 0.2, 9, 0.1);
  for (long k = 1; k < 25; ++k) {
    CHECK(thirds.time(k) == static_cast<double>(k) * third);
    CHECK(powers.time(k) == static_cast<double>(k) * small);
    const double plain = 0.1 + 0.2 + static_cast<double>(k) * 0.1;  // rounded once or twice
    CHECK(std::abs(odd.time(k) - plain) <= std::numeric_limits<double>::epsilon() * plain);
  }
}

TEST_CASE("output grid: it ends with the stop time, and never falls") {
  for (const auto& [start, stop, interval] : {std::tuple{0.0, 1.0, 0.1},
                                              {0.0, 1.0, 0.3},
                                              {0.0, 1.0, 1.0 / 3},
                                              {-2.0, 7.5, 1e-2},
                                              {0.0, 3e8, 3.000000001},
                                              {0.1, 0.1, 1.0},
                                              {0.0, 4e15, 0.5}}) {
    CAPTURE(interval);
    const OutputGrid grid(start, stop, interval);
    CHECK(grid.time(0) == start);
    for (long k = 0; k < 100; ++k) CHECK(grid.time(k + 1) >= grid.time(k));
    const long last = std::lround(std::ceil((stop - start) / interval));
    CHECK(grid.time(last) == stop);
    CHECK(grid.time(last + 5) == stop);
    if (last > 1) CHECK(grid.time(last - 1) < stop);
  }
}

TEST_CASE("output grid: an instant is that of the stop or of a row") {
  const OutputGrid tenths(0, 1.2, 0.1);
  CHECK(tenths.meant(3 * 0.1) == 0.3);
  CHECK(tenths.meant(0.35) == 0.35);
  CHECK(tenths.meant(12 * 0.1) == 1.2);
  CHECK(OutputGrid(0, 12 * 0.1, 0.1).meant(1.2) == 12 * 0.1);
  CHECK(std::isinf(tenths.meant(HUGE_VAL)));
}

TEST_CASE("output grid: listed times stand between start and stop, each once and in order") {
  const OutputGrid grid = OutputGrid::listed(0, 2, {1.5, 0.3, 0, -1, 2, 1.5, 7, 0.1 + 0.2});
  const double wanted[] = {0, 0.3, 0.1 + 0.2, 1.5, 2, 2};
  for (int k = 0; k < 6; ++k) CHECK(grid.time(k) == wanted[k]);
  CHECK(grid.meant(std::nextafter(1.5, 2)) == 1.5);
  CHECK(grid.meant(1.4) == 1.4);
}

TEST_CASE("run settings: what makes no run is told before it begins") {
  auto errors = [](const RunOptions& options) {
    Diagnostics diagnostics;
    RunSettings::of(SimulationSettings(), options, diagnostics);
    return diagnostics.format();
  };
  RunOptions o;
  CHECK(errors(o).empty());
  for (const double bad : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    CAPTURE(bad);
    for (std::optional<double> RunOptions::*x :
         {&RunOptions::outputInterval, &RunOptions::tolerance, &RunOptions::maximumStep}) {
      RunOptions wrong;
      wrong.*x = bad;
      CHECK(errors(wrong).starts_with("error: the "));
    }
  }
  o.outputInterval = 1e-300;
  CHECK(
      errors(o) ==
      "error: the output interval must not ask for more than 1e+08 output points from 0 s to 1 s, "
      "found 1e-300");
  o.outputInterval = 0.01;
  o.stopTime = 1e7;
  CHECK_FALSE(errors(o).empty());
  o.startTime = 2e7;
  CHECK(errors(o) == "error: the stop time must not be before the start time");
  o.startTime = 1e15;
  o.stopTime = 1e15 + 1;
  o.outputInterval = 0.01;
  CHECK(errors(o) ==
        "error: the output interval must be greater than the resolution of the time, 0.222 s at "
        "1000000000000001 s, found 0.01");
  o.stopTime = std::nan("");
  CHECK(errors(o) == "error: the start time and the stop time must be finite");
}
