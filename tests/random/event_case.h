/// Event cases: random models whose events have exact times.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/integration/input_feed.h"
#include "tests/random/outcome.h"
#include "tests/random/rows.h"

namespace cardan::random {

struct EventCase {
  std::uint64_t seed = 0;
  std::string family;
  std::string text;
  std::shared_ptr<const InputTable> inputs;  ///< null: none
  double tolerance = 1e-8, stop = 1;
  std::string column;         ///< its jumps are the events
  std::vector<double> times;  ///< [s]  all of them, rising
  double bound = 0;           ///< [s]  of the error of a time
  /// No other event: rows come twice at these times only.
  bool alone = true;
  /// A value at the end that is known, and how well.
  std::string endColumn;
  double endValue = 0, endBound = 0;
};

/// The case of a seed; the family follows from the seed, one after the other.
EventCase eventCase(std::uint64_t seed);
/// Runs it and compares number and times of the events, and what the motion has become.
Outcome runEventCase(const EventCase& c, double cpuSeconds);

}  // namespace cardan::random
