/// A model of the catalogue from a text, run to its end.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <exception>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"

namespace test {

struct ModelRun {
  cardan::Trajectory rows;
  cardan::RunReport report;

  const std::vector<double>& operator[](const std::string& name) const { return rows[name]; }
  double first(const std::string& name) const { return rows[name].front(); }
  double last(const std::string& name) const { return rows[name].back(); }
  /// The value in the first row at this time, which must be there.
  double at(double time, const std::string& name) const {
    size_t k = 0;
    while (k + 1 < rows.time().size() && rows.time()[k] < time - 1e-9) ++k;
    REQUIRE(std::abs(rows.time()[k] - time) < 1e-9);
    return rows[name][k];
  }
  /// Times of the events: rows that come twice.
  std::vector<double> eventTimes() const {
    std::vector<double> times;
    for (size_t i = 1; i < rows.time().size(); ++i) {
      if (rows.time()[i] == rows.time()[i - 1] && (times.empty() || times.back() != rows.time()[i]))
        times.push_back(rows.time()[i]);
    }
    return times;
  }
};

inline ModelRun runModel(const std::string& text, const cardan::RunOptions& options = {},
                         const cardan::Overrides& set = {}) {
  cardan::Simulation s = cardan::Simulation::fromText(cardan::catalogue(), text, "model.yaml", set);
  ModelRun r;
  r.report = s.run(r.rows, options);
  return r;
}

/// What stops loading, start or run with an error of this kind, or "".
template <class Error = std::exception>
std::string messageOfRun(const std::string& text, const cardan::RunOptions& options = {}) {
  try {
    runModel(text, options);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace test
