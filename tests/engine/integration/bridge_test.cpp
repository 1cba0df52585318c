// Bridge: which events are a crowd, and how long bridges over them are.
#include "engine/integration/bridge.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace cardan;

TEST_CASE("Bridge: fifty events in a row are a crowd by the time that they take, others end it") {
  Bridge bridge;
  const double apart = 0.25, longest = 1;  // [s]
  double t = -100;
  for (int i = 0; i < Bridge::kCrowd; ++i) {
    CHECK_FALSE(bridge.isNearlyCrowd(t, 1e9));
    CHECK(std::isinf(bridge.note(t += apart, true, longest)));
  }
  CHECK(bridge.isNearlyCrowd(t, Bridge::kCrowd * apart));
  CHECK_FALSE(bridge.isNearlyCrowd(t, 0.9 * (Bridge::kCrowd - 1) * apart));
  CHECK(bridge.note(t += apart, true, longest) == Bridge::kCrowd * apart);
  CHECK(std::isinf(bridge.note(t += apart, false, longest)));
  CHECK(std::isinf(bridge.note(t += apart, true, longest)));
}

TEST_CASE("Bridge: the next one is twice as long where the crowd is still there, up to a bound") {
  Bridge bridge;
  CHECK_FALSE(bridge.isOn());
  const double step = 1e-3;
  double t = 0, span = 0;
  for (int i = 0; i < 20; ++i) {
    bridge.begin(t, step);
    REQUIRE(bridge.isOn());
    CHECK(bridge.step() == step);
    CHECK(std::isinf(bridge.note(t, true, step)));  // what happens on it is no crowd
    const double was = span;
    span = bridge.end() - t;
    if (i > 0) CHECK(span == doctest::Approx(std::min(2 * was, 4096 * step)));
    t = bridge.end();
    bridge.leave();
    CHECK(std::isinf(bridge.end()));
  }
  bridge.begin(t + 5 * span, step);
  CHECK(bridge.end() - (t + 5 * span) == doctest::Approx(16 * step));
}

TEST_CASE("Bridge: a crowd that goes on without a bridge has longer and longer steps") {
  Bridge bridge;
  const double apart = 1e-3, longest = 1;  // [s]
  double t = 0;
  for (int i = 0; i < 3 * Bridge::kCrowd; ++i) bridge.note(t += apart, true, longest);
  CHECK(bridge.patience() == 3);
  bridge.begin(t, 0.1);
  t = bridge.end();
  bridge.leave();
  for (int i = 0; i < Bridge::kCrowd; ++i) bridge.note(t += apart, true, longest);
  CHECK(bridge.patience() == 3);  // the same crowd
  for (int i = 0; i <= Bridge::kCrowd; ++i) bridge.note(t += 2 * longest, true, longest);
  CHECK(bridge.patience() == 1);
}
