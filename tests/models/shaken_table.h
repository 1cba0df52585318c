/// A table that goes up and down: it carries what rests on it, and throws it off.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "tests/models/model_run.h"

namespace test {

/// `shaken`: runs 2 kg on a table at A (1 - cos(10 t)) [m] under g = 10 m/s2 for a time [s]. `height`:
/// the column of their height, which is `rest` [m] at the start; `force`: that of the normal force.
/// `tolerance` [m]: of a run.
inline void checkCarriedAndThrownOff(const std::function<ModelRun(double A, double stop)>& shaken,
                                     const std::string& height, double rest,
                                     const std::string& force, double tolerance) {
  const ModelRun stays = shaken(0.05, 1.5);  // 5 m/s2
  double way = 0, load = 0;
  for (size_t i = 0; i < stays.rows.time().size(); ++i) {
    const double c = std::cos(10 * stays.rows.time()[i]);
    way = std::max(way, std::abs(stays[height][i] - rest - 0.05 * (1 - c)));
    load = std::max(load, std::abs(stays[force][i] - 2 * (10 + 5 * c)));
  }
  CHECK(way < tolerance);
  CHECK(load < 100 * tolerance);
  // 20 m/s2: they leave where 20 cos(10 t) = -10, at t = 2 pi/30.
  const ModelRun leaves = shaken(0.2, 0.3);
  double when = -1;
  for (const cardan::EventRecord& r : leaves.report.eventRecords) {
    if (when < 0 && r.time > 0) when = r.time;
  }
  CHECK(when == doctest::Approx(2 * std::numbers::pi / 30).epsilon(1e-6));
}

}  // namespace test
