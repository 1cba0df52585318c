// Signal sources: closed forms and their derivatives, phases and tables by hand, point-to-point
// movements.
#include <algorithm>
#include <numbers>

#include "tests/components/one_dimensional_bench.h"

namespace cardan {
namespace {

using bench::Bench;
using bench::checkClose;
using bench::Class;
using bench::Matrix;
using bench::Values;
using Errors = std::vector<std::string>;
using std::numbers::pi;

/// y(t) at t = 0, 0.05, ... is `expected`, its lane the derivative `slope`.
template <class Block, class F, class G>
void checkSource(const Values& values, F expected, G slope) {
  Bench<Block> b(values);
  REQUIRE(b.reader.errors.empty());
  CHECK(b.described.variables.at("y").info.output);
  CHECK(b.described.variables.at("y").info.reads.empty());
  for (int i = 0; i <= 80; ++i) {
    const double t = 0.05 * i + 0.001;
    CAPTURE(t);
    b.at(t);
    checkClose(b.value("y"), expected(t));
    const Dual y = b.alongTime("y")[0];
    checkClose(y.v, expected(t));
    checkClose(y.lane(0), slope(t));
  }
}

TEST_CASE("Step, Ramp, Clock: values and slopes") {
  checkSource<Class<"Blocks.Step">>(
      {{"height", 2.0}, {"offset", 0.5}, {"startTime", 1.0}},
      [](double t) { return t < 1 ? 0.5 : 2.5; }, [](double) { return 0.0; });
  checkSource<Class<"Blocks.Ramp">>(
      {{"height", 3.0}, {"duration", 1.5}, {"startTime", 1.0}},
      [](double t) { return t < 1     ? 0
                            : t < 2.5 ? 2 * (t - 1)
                                      : 3; },
      [](double t) { return t > 1 && t < 2.5 ? 2.0 : 0.0; });
  checkSource<Class<"Blocks.Ramp">>(
      {{"height", 3.0}, {"duration", 0.0}, {"startTime", 1.0}},
      [](double t) { return t < 1 ? 0.0 : 3.0; }, [](double) { return 0.0; });
  checkSource<Class<"Blocks.Clock">>(
      {{"startTime", 1.0}, {"offset", 2.0}}, [](double t) { return t < 1 ? 2 : 2 + t - 1; },
      [](double t) { return t < 1 ? 0.0 : 1.0; });
}

TEST_CASE("Sine, Cosine, ExpSine, Exponentials: values and slopes") {
  const double w = 2 * pi * 0.7, p = 0.3;
  const Values wave{
      {"amplitude", 2.0}, {"f", 0.7}, {"phase", p}, {"offset", 1.0}, {"startTime", 0.5}};
  checkSource<Class<"Blocks.Sine">>(
      wave, [&](double t) { return t < 0.5 ? 1 : 1 + 2 * std::sin(w * (t - 0.5) + p); },
      [&](double t) { return t < 0.5 ? 0 : 2 * w * std::cos(w * (t - 0.5) + p); });
  checkSource<Class<"Blocks.Cosine">>(
      wave, [&](double t) { return t < 0.5 ? 1 : 1 + 2 * std::cos(w * (t - 0.5) + p); },
      [&](double t) { return t < 0.5 ? 0 : -2 * w * std::sin(w * (t - 0.5) + p); });
  Values continuous = wave;
  continuous["continuous"] = true;
  Bench<Class<"Blocks.Sine">> held(continuous);
  checkClose(held.value("y"), 1 + 2 * std::sin(p));
  checkSource<Class<"Blocks.ExpSine">>(
      {{"amplitude", 2.0}, {"f", 0.7}, {"phase", p}, {"damping", 0.8}, {"startTime", 0.5}},
      [&](double t) {
        return t < 0.5 ? 0 : 2 * std::exp(-0.8 * (t - 0.5)) * std::sin(w * (t - 0.5) + p);
      },
      [&](double t) {
        const double u = w * (t - 0.5) + p;
        return t < 0.5 ? 0 : 2 * std::exp(-0.8 * (t - 0.5)) * (w * std::cos(u) - 0.8 * std::sin(u));
      });
  checkSource<Class<"Blocks.Exponentials">>(
      {{"outMax", 2.0}, {"riseTime", 1.0}, {"riseTimeConst", 0.3}, {"startTime", 0.5}},
      [](double t) {
        if (t < 0.5) return 0.0;
        return t < 1.5 ? 2 * (1 - std::exp(-(t - 0.5) / 0.3))
                       : 2 * (1 - std::exp(-1 / 0.3)) * std::exp(-(t - 1.5) / 0.3);
      },
      [](double t) {
        if (t < 0.5) return 0.0;
        return t < 1.5 ? 2 / 0.3 * std::exp(-(t - 0.5) / 0.3)
                       : -2 / 0.3 * (1 - std::exp(-1 / 0.3)) * std::exp(-(t - 1.5) / 0.3);
      });
}

TEST_CASE("Pulse, SawTooth, Trapezoid: periods, their number, and nothing after") {
  auto inPeriod = [](double t) { return (t - 0.5) - std::floor(t - 0.5); };
  checkSource<Class<"Blocks.Pulse">>(
      {{"amplitude", 2.0}, {"width", 25.0}, {"period", 1.0}, {"startTime", 0.5}, {"nperiod", 2}},
      [&](double t) { return t > 0.5 && t < 2.5 && inPeriod(t) < 0.25 ? 2.0 : 0.0; },
      [](double) { return 0.0; });
  checkSource<Class<"Blocks.SawTooth">>(
      {{"amplitude", 2.0}, {"period", 1.0}, {"startTime", 0.5}, {"nperiod", 3}},
      [&](double t) { return t > 0.5 && t < 3.5 ? 2 * inPeriod(t) : 0.0; },
      [](double t) { return t > 0.5 && t < 3.5 ? 2.0 : 0.0; });
  checkSource<Class<"Blocks.Trapezoid">>(
      {{"amplitude", 50},
       {"rising", 0.2},
       {"width", 0.3},
       {"falling", 0.1},
       {"period", 1.0},
       {"startTime", 0.5},
       {"offset", -30}},
      [&](double t) {
        const double u = inPeriod(t);
        if (t < 0.5) return -30.0;
        return -30 + (u < 0.2 ? 250 * u : u < 0.5 ? 50 : u < 0.6 ? 500 * (0.6 - u) : 0);
      },
      [&](double t) {
        const double u = inPeriod(t);
        return t < 0.5 ? 0.0 : u < 0.2 ? 250.0 : u > 0.5 && u < 0.6 ? -500.0 : 0.0;
      });
  Bench<Class<"Blocks.Pulse">> none({{"nperiod", 0}});
  none.at(0.1);
  CHECK(none.value("y") == 0);
}

/// After 2^27 whole periods, in whose middle nothing is rounded, y is what it is in the first one.
template <class Block>
void checkLate(Values values) {
  constexpr double kPeriods = 1 << 27;
  values["period"] = 0.5;
  for (const double t : {0.0625, 0.125, 0.3125, 0.4375}) {
    CAPTURE(t);
    Bench<Block> early(values), late(values);
    early.at(t);
    late.at(0.5 * kPeriods + t);
    CHECK(late.value("y") == early.value("y"));
    REQUIRE(late.events().times.size() == 1);
    CHECK(late.events().times[0] - 0.5 * kPeriods == early.events().times[0]);
  }
  values["period"] = 1e-9;
  Bench<Block> uncounted(values);
  uncounted.at(1e6);
  CHECK(uncounted.events().ends ==
        Errors{"its periods are too short to be counted up to this time"});
}

TEST_CASE("Periodic sources: a start after a hundred million periods begins in the right one") {
  checkLate<Class<"Blocks.Pulse">>({{"width", 50.0}});
  checkLate<Class<"Blocks.SawTooth">>({});
  checkLate<Class<"Blocks.Trapezoid">>({{"rising", 0.125}, {"width", 0.125}, {"falling", 0.125}});
  checkLate<Class<"Blocks.BooleanPulse">>({{"width", 50.0}});
}

TEST_CASE("Trapezoid: every bend is a time event, and the old phase holds up to it") {
  Bench<Class<"Blocks.Trapezoid">> b(
      {{"amplitude", 1}, {"rising", 0.25}, {"width", 0.25}, {"falling", 0.25}, {"period", 1.0}});
  b.at(0);
  double t = 0;
  for (double expected : {0.25, 0.5, 0.75, 1.0, 1.25}) {
    REQUIRE(b.events().times.size() == 1);
    CHECK(b.events().times[0] == expected);
    b.x.time = t = expected;  // the phase before still holds here
    const double left = b.value("y");
    CHECK(b.transition());
    CHECK(!b.transition());
    checkClose(b.value("y"), left);
  }
  CHECK(t == 1.25);
  // Without ramps: a pulse that jumps, and skips the phases of no length.
  Bench<Class<"Blocks.Trapezoid">> jump({{"width", 0.5}, {"period", 1.0}});
  jump.at(0);
  CHECK(jump.value("y") == 1);
  jump.x.time = 0.5;
  CHECK(jump.value("y") == 1);
  jump.settle();
  CHECK(jump.value("y") == 0);
  CHECK(jump.events().times[0] == 1);
}

TEST_CASE("BooleanStep, BooleanPulse, constants: truth as 0 and 1") {
  Bench<Class<"Blocks.BooleanStep">> step({{"startTime", 1.0}, {"startValue", true}});
  CHECK(step.value("y") == 1);
  step.at(1);
  CHECK(step.value("y") == 0);
  CHECK(step.described.variables.at("y").info.isBoolean);
  Bench<Class<"Blocks.BooleanPulse">> pulse({{"width", 50.0}, {"period", 1.0}, {"startTime", 0.5}});
  for (auto [t, y] :
       {std::pair{0.0, 0.0}, {0.5, 1.0}, {0.9, 1.0}, {1.0, 0.0}, {1.4, 0.0}, {1.5, 1.0}}) {
    pulse.at(t);
    CHECK(pulse.value("y") == y);
  }
  CHECK(Bench<Class<"Blocks.Constant">>({{"k", 3.5}}).value("y") == 3.5);
  CHECK(Bench<Class<"Blocks.BooleanConstant">>({{"k", false}}).value("y") == 0);
}

// Tables

const Matrix kJumps{{0, 0}, {1, 0}, {1, 1}, {2, 4}, {3, 9}, {4, 16}};

TEST_CASE("CombiTimeTable: straight lines, jumps and extrapolation through the last two points") {
  Bench<Class<"Blocks.CombiTimeTable">> b({{"table", kJumps}});
  b.at(0);
  CHECK(b.events().times == std::vector<double>{1});
  b.x.time = 1;
  CHECK(b.value("y") == 0);  // before the event
  b.settle();
  CHECK(b.value("y") == 1);  // after
  for (auto [t, y] : {std::pair{1.5, 2.5}, {2.0, 4.0}, {3.5, 12.5}, {5.0, 23.0}}) {
    b.at(t);
    checkClose(b.value("y"), y);
  }
  CHECK(b.events().times.empty());
  checkClose(b.alongTime("y")[0].lane(0), 7);
  CHECK(b.value("t_max") == 4);
}

TEST_CASE("CombiTimeTable: constant segments, hold, periods, columns, offsets, shifts and scale") {
  const Matrix table{{0, 1, 10}, {1, 2, 20}, {3, 5, 50}};
  Bench<Class<"Blocks.CombiTimeTable">> steps(
      {{"table", table}, {"smoothness", std::string("ConstantSegments")}});
  steps.at(0.5);
  CHECK(steps.values("y") == std::vector<double>{1, 10});
  steps.at(1);
  CHECK(steps.values("y") == std::vector<double>{2, 20});

  Bench<Class<"Blocks.CombiTimeTable">> held({{"table", table},
                                              {"extrapolation", std::string("HoldLastPoint")},
                                              {"columns", std::vector<double>{3}},
                                              {"offset", std::vector<double>{1}},
                                              {"startTime", 1.0},
                                              {"shiftTime", 2.0},
                                              {"timeScale", 10.0}});
  CHECK(held.events().times == std::vector<double>{1});
  CHECK(held.value("y") == 1);  // offset before startTime
  held.at(1);
  CHECK(held.value("y") == 11);  // held before the first point at 2
  held.at(7);
  checkClose(held.value("y"), 1 + 15);
  checkClose(held.alongTime("y")[0].lane(0), 1);
  held.at(100);
  CHECK(held.value("y") == 51);

  Bench<Class<"Blocks.CombiTimeTable">> turns(
      {{"table", table}, {"extrapolation", std::string("Periodic")}});
  turns.at(0);
  for (auto [t, y] :
       {std::pair{0.5, 1.5}, {2.0, 3.5}, {3.5, 1.5}, {5.0, 3.5}, {9.0, 1.0}, {302.0, 3.5}}) {
    turns.at(t);
    checkClose(turns.value("y"), y, 1e-11);
  }
  CHECK(turns.events().times[0] == 303);

  Bench<Class<"Blocks.CombiTimeTable">> ends(
      {{"table", table}, {"extrapolation", std::string("NoExtrapolation")}});
  ends.at(3);
  CHECK(ends.events().ends.empty());
  REQUIRE(ends.events().times.size() == 1);
  CHECK(ends.events().times[0] > 3);
  CHECK(ends.events().times[0] < 3 + 1e-8);
  ends.at(3.1);
  CHECK(ends.events().ends ==
        Errors{"time 3.1 is outside of the table, from 0 to 3, which must not be extrapolated "
               "(extrapolation: NoExtrapolation)"});
}

TEST_CASE("CombiTimeTable: cubic pieces pass the points with one slope from both sides") {
  const Matrix table{{0, 0}, {1, 1}, {2, 0}, {3, 0}, {5, 4}, {6, 4.5}};
  for (const char* smoothness :
       {"ContinuousDerivative", "ModifiedContinuousDerivative", "MonotoneContinuousDerivative1",
        "MonotoneContinuousDerivative2"}) {
    CAPTURE(smoothness);
    Bench<Class<"Blocks.CombiTimeTable">> b(
        {{"table", table}, {"smoothness", std::string(smoothness)}});
    b.at(0);
    // Where its curvature jumps first: at the second knot, or at the third.
    REQUIRE(b.events().times.size() == 1);
    CHECK((b.events().times[0] == 1 || b.events().times[0] == 2));
    for (const auto& row : table) {
      const double h = 1e-7;
      b.at(row[0] - h);
      const Dual left = b.alongTime("y")[0];
      b.at(row[0]);
      const Dual y = b.alongTime("y")[0];
      checkClose(y.v, row[1]);
      if (row[0] > 0) checkClose(left.lane(0), y.lane(0), 1e-5);
    }
    const bool monotone = std::string(smoothness).starts_with("Monotone");
    for (double t = 3; t < 5 && monotone; t += 0.1) {
      b.at(t);
      CHECK(b.alongTime("y")[0].lane(0) >= 0);
    }
  }
  // A straight line stays one, also outside.
  Bench<Class<"Blocks.CombiTimeTable">> line({{"table", Matrix{{0, 0}, {1, 10}, {2, 20}, {3, 30}}},
                                              {"smoothness", std::string("ContinuousDerivative")}});
  for (double t : {0.3, 1.7, 2.9, 4.5}) {
    line.at(t);
    checkClose(line.value("y"), 10 * t);
    checkClose(line.alongTime("y")[0].lane(0), 10);
  }
}

TEST_CASE("CombiTimeTable: breaks are where value, slope or a felt part of the curvature jumps") {
  auto events = [](const Matrix& table, const char* smoothness, const char* extrapolation,
                   double from, double to) {
    Bench<Class<"Blocks.CombiTimeTable">> b({{"table", table},
                                             {"smoothness", std::string(smoothness)},
                                             {"extrapolation", std::string(extrapolation)},
                                             {"startTime", from},
                                             {"shiftTime", 0.0}});
    std::vector<double> times;
    b.at(from);
    while (!b.events().times.empty() && b.events().times[0] < to) {
      times.push_back(b.events().times[0]);
      b.at(times.back());
    }
    return times;
  };
  using Times = std::vector<double>;
  const Matrix bent{{0, 0}, {1, 1}, {2, 2}, {3, 2}};
  CHECK(events(bent, "LinearSegments", "LastTwoPoints", -1, 9) == Times{2});
  CHECK(events(bent, "LinearSegments", "HoldLastPoint", -1, 9) == Times{0, 2});
  CHECK(events(bent, "ConstantSegments", "HoldLastPoint", -1, 9) == Times{1, 2});
  CHECK(events({{0, 0}, {1, 1}, {2, 0}}, "LinearSegments", "Periodic", -1.5, 3.5) ==
        Times{-1, 0, 1, 2, 3});
  CHECK(events({{0, 0}, {1, 1}}, "LinearSegments", "NoExtrapolation", 0, 0.9).empty());
  // A smooth period of a thousand points has no break, nor has its repetition.
  Matrix sine;
  for (int i = 0; i <= 1000; ++i) sine.push_back({0.001 * i, std::sin(2 * pi * 0.001 * i)});
  sine.back()[1] = sine.front()[1];
  CHECK(events(sine, "ContinuousDerivative", "Periodic", -2, 5).empty());
  Bench<Class<"Blocks.CombiTimeTable">> b({{"table", sine},
                                           {"smoothness", std::string("ContinuousDerivative")},
                                           {"extrapolation", std::string("Periodic")}});
  for (double t : {0.1234, 3.3, 7.77}) {
    b.at(t);
    checkClose(b.value("y"), std::sin(2 * pi * t), 1e-6);
  }
}

TEST_CASE("Akima: slope at a point by hand") {
  // Slopes of the intervals 1, -1, 0, 2, 0.5; at t = 2: weights |2 - 0| and |-1 - 1|.
  const Matrix table{{0, 0}, {1, 1}, {2, 0}, {3, 0}, {5, 4}, {6, 4.5}};
  Bench<Class<"Blocks.CombiTimeTable">> b(
      {{"table", table}, {"smoothness", std::string("ContinuousDerivative")}});
  b.at(2);
  checkClose(b.alongTime("y")[0].lane(0), (2 * -1 + 2 * 0) / 4.0);
}

TEST_CASE("Akima: a parabola stays one from the first point to the last") {
  // Slopes that rise by equal steps go on so beyond both ends: there as inside every slope of the
  // interpolation is that of the parabola.
  const Matrix table{{0, 5}, {1, 3}, {2, 3}, {3, 5}, {4, 9}, {5, 15}};
  Bench<Class<"Blocks.CombiTimeTable">> b(
      {{"table", table}, {"smoothness", std::string("ContinuousDerivative")}});
  for (double t : {0.0, 0.2, 0.7, 1.0, 2.4, 3.9, 4.3, 4.8}) {
    CAPTURE(t);
    b.at(t);
    const Dual y = b.alongTime("y")[0];
    checkClose(y.v, t * t - 3 * t + 5);
    checkClose(y.lane(0), 2 * t - 3);
  }
}

TEST_CASE(
    "TimeTable and CombiTimeTable: the table begins at startTime unless shiftTime says else") {
  const Matrix table{{0, 1}, {1, 3}, {2, 4}};
  const auto values = [&](auto bench) {
    std::vector<double> y;
    for (double t : {0.2, 0.5, 1.25, 2.0}) {
      bench.at(t);
      y.push_back(bench.value("y"));
    }
    return y;
  };
  using Table = Bench<Class<"Blocks.CombiTimeTable">>;
  using Line = Bench<Class<"Blocks.TimeTable">>;
  const std::vector<double> begins{0, 1, 2.5, 3.5}, shifted{0, 1.6, 3.05, 3.8};
  const Values at{{"table", table}, {"startTime", 0.5}};
  Values both = at;
  both["shiftTime"] = 0.2;
  for (size_t i = 0; i < begins.size(); ++i) {
    CAPTURE(i);
    checkClose(values(Table(at))[i], begins[i]);
    checkClose(values(Line(at))[i], begins[i]);
    checkClose(values(Table(both))[i], shifted[i]);
    checkClose(values(Line(both))[i], shifted[i]);
  }
}

TEST_CASE("TimeTable and CombiTimeTable: errors of the table") {
  const Matrix falling{{0, 0}, {2, 1}, {1, 2}};
  CHECK(Bench<Class<"Blocks.TimeTable">>({{"table", falling}}).reader.errors ==
        Errors{"'table' must not fall in its first column"});
  CHECK(Bench<Class<"Blocks.TimeTable">>({{"table", Matrix{{1, 0}, {2, 1}}}}).reader.errors ==
        Errors{"'table' must begin at time 0"});
  CHECK(Bench<Class<"Blocks.CombiTimeTable">>().reader.errors ==
        Errors{"'table' must have at least one row"});
  CHECK(Bench<Class<"Blocks.CombiTimeTable">>(
            {{"table", kJumps}, {"smoothness", std::string("ContinuousDerivative")}})
            .reader.errors == Errors{"'table' must rise in its first column"});
  CHECK(Bench<Class<"Blocks.CombiTimeTable">>(
            {{"table", kJumps}, {"columns", std::vector<double>{3}}})
            .reader.errors == Errors{"'columns' must be columns of the table"});
  Bench<Class<"Blocks.TimeTable">> one({{"table", Matrix{{0, 7}}}});
  one.at(3);
  CHECK(one.value("y") == 7);
}

// Movements

TEST_CASE("KinematicPTP2: end points, limits, and every output the derivative of the one before") {
  struct Case {
    std::vector<double> begin, end, qd_max, qdd_max;
  };
  for (const Case& c : {Case{{0}, {2.0943951023931953}, {3}, {10}}, Case{{1}, {1.5}, {3}, {10}},
                        Case{{-1.0, 0.3, 0.5}, {1.0, -1.2, 0.5}, {3, 1.5, 5}, {15, 15, 60}}}) {
    Bench<Class<"Blocks.KinematicPTP2">> b({{"q_begin", c.begin},
                                            {"q_end", c.end},
                                            {"qd_max", c.qd_max},
                                            {"qdd_max", c.qdd_max},
                                            {"startTime", 0.25}});
    REQUIRE(b.reader.errors.empty());
    const double end = b.value("endTime");
    std::vector<double> fastest(c.begin.size()), strongest(c.begin.size());
    for (int i = 0; i < 1000; ++i) {
      b.at((end + 0.1) * i / 1000 + 1e-9);
      const auto q = b.alongTime("q"), qd = b.alongTime("qd");
      const auto v = b.values("qd"), a = b.values("qdd");
      for (size_t k = 0; k < v.size(); ++k) {
        checkClose(q[k].lane(0), v[k]);
        checkClose(qd[k].lane(0), a[k]);
        CHECK(std::abs(v[k]) <= c.qd_max[k] * (1 + 1e-12));
        CHECK(std::abs(a[k]) <= c.qdd_max[k] * (1 + 1e-12));
        fastest[k] = std::max(fastest[k], std::abs(v[k]) / c.qd_max[k]);
        strongest[k] = std::max(strongest[k], std::abs(a[k]) / c.qdd_max[k]);
        CHECK(b.values("moving")[k] == (b.x.time < end && c.begin[k] != c.end[k] ? 1 : 0));
      }
    }
    // Some axis uses its acceleration in full.
    checkClose(*std::max_element(strongest.begin(), strongest.end()), 1);
    b.at(end);
    for (size_t k = 0; k < c.end.size(); ++k) checkClose(b.values("q")[k], c.end[k]);
    CHECK(b.values("qd") == std::vector<double>(c.end.size(), 0.0));
    CHECK(b.events().times.empty());
  }
  // One axis of the robot: 120 degrees, 3 rad/s, 10 rad/s2 take s/v + v/a.
  checkClose(
      Bench<Class<"Blocks.KinematicPTP2">>({{"q_end", std::vector<double>{2.0943951023931953}},
                                            {"qd_max", std::vector<double>{3}},
                                            {"qdd_max", std::vector<double>{10}}})
          .value("endTime"),
      2.0943951023931953 / 3 + 0.3);
  CHECK(Bench<Class<"Blocks.KinematicPTP2">>(
            {{"q_begin", std::vector<double>{0, 1}}, {"q_end", std::vector<double>{0, 1, 2}}})
            .reader.errors ==
        Errors{"'q_begin' must have one element or as many as the longest vector"});
  CHECK(Bench<Class<"Blocks.KinematicPTP2">>({{"qd_max", std::vector<double>{0}}}).reader.errors ==
        Errors{"'qd_max' must be positive"});
}

TEST_CASE(
    "KinematicPTP2: position is continuous over the phases, and rests where there is no way") {
  Bench<Class<"Blocks.KinematicPTP2">> b(
      {{"qd_max", std::vector<double>{1}}, {"qdd_max", std::vector<double>{2}}});
  b.at(0);
  while (!b.events().times.empty()) {
    b.x.time = b.events().times[0];
    const double q = b.value("q"), qd = b.value("qd");
    b.settle();
    checkClose(b.value("q"), q);
    checkClose(b.value("qd"), qd);
  }
  Bench<Class<"Blocks.KinematicPTP2">> rest({{"q_begin", std::vector<double>{1}}});
  rest.at(1);
  CHECK(rest.value("q") == 1);
  CHECK(rest.value("moving") == 0);
  CHECK(rest.value("endTime") == 0);
}

TEST_CASE("KinematicPTP: the acceleration of KinematicPTP2") {
  const std::vector<double> way{2, -1}, v{1, 3}, a{2, 2};
  Bench<Class<"Blocks.KinematicPTP">> p({{"deltaq", way}, {"qd_max", v}, {"qdd_max", a}});
  Bench<Class<"Blocks.KinematicPTP2">> q({{"q_end", way}, {"qd_max", v}, {"qdd_max", a}});
  for (double t = 0.01; t < 3; t += 0.1) {
    p.at(t);
    q.at(t);
    CHECK(p.values("y") == q.values("qdd"));
  }
}

}  // namespace
}  // namespace cardan
