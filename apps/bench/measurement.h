/// Measurement: one line of the bench, and the clocks behind it.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace cardan::bench {

struct Measurement {
  std::string benchCase, method, setting, note;
  int n = 0;
  double stop = 0;                ///< [s] simulated
  std::vector<double> wall, cpu;  ///< [s] per repeat
  double steps = -1, residuals = -1;
  double error = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> final;  ///< values at the end, to compare with others
  std::vector<std::pair<std::string, double>> extra;

  /// One JSON line, with the fields that the programs of the other simulators print.
  std::string json() const;
};

/// Calls run() several times (REPS in the environment, 5 if not given; more for short runs).
void repeat(Measurement& m, const std::function<void()>& run);
/// Time of one call of f(i), i = 0, 1, ...; samples of at least 4 ms each; ends with f(0).
void timeCall(Measurement& m, const std::function<void(int)>& f);
/// A smooth pseudo-random number of size `amplitude` for place i in call number `call`.
double sample(int i, int call, double amplitude);

}  // namespace cardan::bench
