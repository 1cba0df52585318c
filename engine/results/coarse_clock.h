/// CoarseClock: the time to some milliseconds, for a look at every row.
#pragma once

#include <time.h>

#include <chrono>

namespace cardan {

/// Never goes back. A tenth of the cost of std::chrono::steady_clock where the system keeps such a
/// time (Linux), the same elsewhere.
struct CoarseClock {
  using duration = std::chrono::steady_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<CoarseClock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept {
#ifdef CLOCK_MONOTONIC_COARSE
    timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return time_point(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
#else
    return time_point(std::chrono::steady_clock::now().time_since_epoch());
#endif
  }
};

}  // namespace cardan
