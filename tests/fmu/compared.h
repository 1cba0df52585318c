/// What an FMU computes beside what `cardan simulate` writes.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/results/result_table.h"
#include "tests/fmu/exported.h"

namespace test {

/// A shipped model or the text of one.
struct Case {
  std::string name;
  std::string model;
  double stop;  ///< [s]
};

/// Of both sides: they step otherwise, and differ by the local error times what the motion makes of it.
constexpr double kTolerance = 1e-10;

/// Rows of `cardan simulate` at its grid.
inline cardan::ResultTable simulated(const Folder& folder, const Case& c,
                                     const std::string& more = "") {
  const Process p = runCardan(folder, "simulate '" + pathOf(folder, c.model, "m") +
                                          "' -o r.csv --no-event-rows -q --tolerance 1e-10 " +
                                          "--stop-time " + std::to_string(c.stop) + " " + more);
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  return cardan::ResultTable::read(folder / "r.csv");
}

/// The largest difference of an FMU's outputs from such rows, in parts of each output's largest size.
class Difference {
 public:
  Difference(const Fmu& fmu, const cardan::ResultTable& rows) : names_(fmu.outputs()) {
    // [SI] What is smaller is known absolutely alone, as well as the tolerance says.
    constexpr double kSmall = kTolerance / 1e-6;
    for (const std::string& n : names_) {
      columns_.push_back(rows.find(n));
      REQUIRE(columns_.back());
      double size = kSmall;
      for (const double x : *columns_.back()) size = std::max(size, std::abs(x));
      sizes_.push_back(size);
    }
  }
  /// The slave stands at the time [s] of the row.
  void look(Slave& slave, size_t row, double time) {
    REQUIRE(slave.get(names_, values_) == kFmuOk);
    for (size_t i = 0; i < names_.size(); ++i) {
      const double d = std::abs(values_[i] - (*columns_[i])[row]) / sizes_[i];
      if (d <= largest) continue;
      largest = d;
      where = names_[i] + " at " + std::to_string(time);
    }
  }

  double largest = 0;
  std::string where;

 private:
  std::vector<std::string> names_;
  std::vector<const std::vector<double>*> columns_;
  std::vector<double> sizes_, values_;
};

}  // namespace test
