// Blocks: values and derivatives, relations at their thresholds, states against their equations,
// initial conditions.
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

// Blocks without memory

template <class Block>
double y(const Values& values, const std::vector<double>& u) {
  Bench<Block> b(values);
  REQUIRE(b.reader.errors.empty());
  REQUIRE(b.x.inputs.size() == u.size());
  b.x.inputs = u;
  b.settle();
  CHECK(b.described.variables.at("y").info.reads.size() == b.declared.inputs.size());
  return b.value("y");
}

TEST_CASE("algebraic blocks: values and derivatives") {
  CHECK(y<Class<"Blocks.Gain">>({{"k", 3.0}}, {2}) == 6);
  CHECK(y<Class<"Blocks.Add">>({{"k2", -1.0}}, {2, 5}) == -3);
  CHECK(y<Class<"Blocks.Add3">>({{"k3", -1.0}}, {2, 5, 1}) == 6);
  CHECK(y<Class<"Blocks.Feedback">>({}, {2, 5}) == -3);
  CHECK(y<Class<"Blocks.Product">>({}, {2, 5}) == 10);
  CHECK(y<Class<"Blocks.Division">>({}, {2, 5}) == 0.4);
  CHECK(y<Class<"Blocks.Max">>({}, {2, 5}) == 5);
  CHECK(y<Class<"Blocks.Min">>({}, {2, 5}) == 2);
  CHECK(y<Class<"Blocks.Abs">>({}, {-2}) == 2);
  CHECK(y<Class<"Blocks.Sqrt">>({}, {9}) == 3);
  checkClose(y<Class<"Blocks.Sin">>({}, {0.3}), std::sin(0.3));
  checkClose(y<Class<"Blocks.Cos">>({}, {0.3}), std::cos(0.3));
  checkClose(y<Class<"Blocks.Atan2">>({}, {0.3, -1}), std::atan2(0.3, -1));
  checkClose(y<Class<"Blocks.Log10">>({}, {1000}), 3);
  CHECK(y<Class<"Blocks.RealPassThrough">>({}, {2}) == 2);
  CHECK(y<Class<"Blocks.BooleanPassThrough">>({}, {1}) == 1);
  CHECK(y<Class<"Blocks.Limiter">>({{"uMax", 2.0}}, {5}) == 2);
  CHECK(y<Class<"Blocks.Limiter">>({{"uMax", 2.0}}, {-5}) == -2);
  CHECK(y<Class<"Blocks.DeadZone">>({{"uMax", 2.0}, {"uMin", -1.0}}, {5}) == 3);
  CHECK(y<Class<"Blocks.DeadZone">>({{"uMax", 2.0}, {"uMin", -1.0}}, {-5}) == -4);
  CHECK(y<Class<"Blocks.DeadZone">>({}, {0.5}) == 0);
  CHECK(y<Class<"Blocks.VariableLimiter">>({}, {5, 3, 1}) == 3);
  CHECK(y<Class<"Blocks.VariableLimiter">>({}, {0, 3, 1}) == 1);
  CHECK(y<Class<"Blocks.Switch">>({}, {5, 1, 7}) == 5);
  CHECK(y<Class<"Blocks.Switch">>({}, {5, 0, 7}) == 7);
  CHECK(y<Class<"Blocks.Not">>({}, {1}) == 0);
  CHECK(y<Class<"Blocks.And">>({}, {1, 0}) == 0);
  CHECK(y<Class<"Blocks.Or">>({}, {1, 0}) == 1);
  CHECK(y<Class<"Blocks.Xor">>({}, {1, 1}) == 0);
  CHECK(y<Class<"Blocks.BooleanToReal">>({{"realTrue", 4.0}}, {1}) == 4);
  CHECK(y<Class<"Blocks.Sum">>({{"nin", 3}}, {1, 2, 3}) == 6);
  CHECK(y<Class<"Blocks.RealExpression">>({}, {2.5}) == 2.5);
  CHECK(Bench<Class<"Blocks.Limiter">>({{"uMax", 1.0}, {"uMin", 2.0}}).reader.errors ==
        Errors{"'uMax' must not be below uMin"});

  Bench<Class<"Blocks.Product">> p;
  p.x.inputs = {3, 4};
  p.x.inputRates = {1, 10};
  checkClose(p.alongTime("y")[0].lane(0), 3 * 10 + 4 * 1);

  Bench<Class<"Blocks.MatrixGain">> m({{"K", Matrix{{1, 2, 3}, {4, 5, 6}}}});
  m.x.inputs = {1, 10, 100};
  CHECK(m.values("y") == std::vector<double>{321, 654});
}

TEST_CASE("Abs, Max, Min, limiters, dead zone: kinks are events, and the branch holds up to them") {
  auto check = [](auto bench, std::vector<double> before, std::vector<double> after,
                  double beyond) {
    bench.x.inputs = before;
    bench.settle();
    const double y = bench.value("y");
    auto crossed = bench.events().crossings;
    bench.x.inputs = after;
    const auto g = bench.events().crossings;
    bool any = false;
    for (size_t i = 0; i < g.size(); ++i) any = any || g[i] * crossed[i] < 0;
    CHECK(any);
    checkClose(bench.value("y"), beyond);  // the old branch, continued
    bench.settle();
    CHECK(bench.value("y") != beyond);
    // Noise about the kink is no event.
    bench.x.inputs = before;
    bench.settle();
    CHECK(bench.value("y") == y);
    CHECK(!bench.transition());
  };
  check(Bench<Class<"Blocks.Abs">>(), {1}, {-1}, -1);
  check(Bench<Class<"Blocks.Max">>(), {2, 1}, {2, 3}, 2);
  check(Bench<Class<"Blocks.Min">>(), {2, 1}, {2, 3}, 3);
  check(Bench<Class<"Blocks.Limiter">>({{"uMax", 2.0}}), {1}, {3}, 3);
  check(Bench<Class<"Blocks.Limiter">>({{"uMax", 2.0}}), {-1}, {-3}, -3);
  check(Bench<Class<"Blocks.DeadZone">>({{"uMax", 2.0}}), {1}, {3}, 0);
  check(Bench<Class<"Blocks.VariableLimiter">>(), {2, 3, 1}, {4, 3, 1}, 4);
  check(Bench<Class<"Blocks.VariableLimiter">>(), {2, 3, 1}, {0, 3, 1}, 0);

  Bench<Class<"Blocks.Abs">> noise;
  noise.x.inputs = {1};
  noise.settle();
  const double g = noise.events().crossings[0];
  for (double u : {1e-16, -1e-16, 3e-14, -2e-11}) {
    noise.x.inputs = {u};
    CHECK(!noise.transition());
    CHECK(noise.events().crossings[0] * g > 0);
  }
}

TEST_CASE("TerminateSimulation: ends the run with its message when the condition is true") {
  Bench<Class<"Blocks.TerminateSimulation">> b({{"terminationText", std::string("there")}});
  CHECK(b.events().ends.empty());
  b.x.inputs = {1};
  CHECK(b.events().ends == Errors{"there"});
}

// Relations

TEST_CASE("comparisons: what holds at equality, and a clear decision at the event") {
  auto compared = [](auto bench, double u) {
    bench.x.inputs = {u};
    bench.settle();
    return bench.value("y");
  };
  const Values two{{"threshold", 2.0}};
  CHECK(compared(Bench<Class<"Blocks.LessThreshold">>(two), 1.9) == 1);
  CHECK(compared(Bench<Class<"Blocks.LessThreshold">>(two), 2) == 0);
  CHECK(compared(Bench<Class<"Blocks.LessEqualThreshold">>(two), 2) == 1);
  CHECK(compared(Bench<Class<"Blocks.GreaterThreshold">>(two), 2) == 0);
  CHECK(compared(Bench<Class<"Blocks.GreaterThreshold">>(two), 2.1) == 1);
  CHECK(compared(Bench<Class<"Blocks.GreaterEqualThreshold">>(two), 2) == 1);

  Bench<Class<"Blocks.Less">> less;
  less.x.inputs = {1, 2};
  less.settle();
  CHECK(less.value("y") == 1);
  // Up to the event the mode holds, whatever u does.
  less.x.inputs = {2.5, 2};
  CHECK(less.value("y") == 1);
  // Crossing upwards: at g = 0 the comparison is decided; then g has left zero for the way back.
  auto g = [&](double u) {
    less.x.inputs = {u, 2};
    return less.events().crossings.at(0);
  };
  CHECK(g(1.9) * g(2.1) < 0);
  less.x.inputs = {2 + 1e-9, 2};
  less.settle();
  CHECK(less.value("y") == 0);
  CHECK(g(2.0) != 0);
  CHECK(g(2.1) * g(1.9) < 0);
}

TEST_CASE("Sign and Hysteresis: modes") {
  Bench<Class<"Blocks.Sign">> sign;
  for (auto [u, expected] : {std::pair{0.0, 0.0}, {2.0, 1.0}, {-2.0, -1.0}, {0.0, 0.0}}) {
    sign.x.inputs = {u};
    sign.settle();
    CHECK(sign.value("y") == expected);
    CHECK(sign.events().crossings.size() == 2);
  }
  Bench<Class<"Blocks.Hysteresis">> h({{"uLow", 1.0}, {"uHigh", 2.0}});
  for (auto [u, expected] : {std::pair{1.5, 0.0}, {2.5, 1.0}, {1.5, 1.0}, {0.5, 0.0}, {1.5, 0.0}}) {
    h.x.inputs = {u};
    h.settle();
    CHECK(h.value("y") == expected);
  }
}

// Blocks with states

/// The rates that make all rows vanish: a state's row is its rate minus the right side.
template <class Block>
std::vector<double> rates(Bench<Block>& b) {
  b.x.yp.assign(b.x.yp.size(), 0);
  b.evaluate();
  for (size_t i = 0; i < b.x.yp.size(); ++i) b.x.yp[i] = -b.x.residual[i];
  b.evaluate();
  for (double r : b.x.residual) checkClose(r, 0);
  return b.x.yp;
}

/// Steady-state gain and gain at high frequency by Runge-Kutta response to u = sin(w t): amplitude
/// after settling.
template <class Block>
double amplitude(Bench<Block>& b, double w, double settling) {
  const double h = 0.01 / w;
  const int steps = static_cast<int>(settling / h);
  auto f = [&](const std::vector<double>& state, double t) {
    b.x.y = state;
    b.x.inputs[0] = std::sin(w * t);
    return rates(b);
  };
  auto plus = [](std::vector<double> a, const std::vector<double>& d, double s) {
    for (size_t i = 0; i < a.size(); ++i) a[i] += s * d[i];
    return a;
  };
  std::vector<double> state = b.x.y;
  double largest = 0;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const auto k1 = f(state, t), k2 = f(plus(state, k1, h / 2), t + h / 2),
               k3 = f(plus(state, k2, h / 2), t + h / 2), k4 = f(plus(state, k3, h), t + h);
    for (size_t k = 0; k < state.size(); ++k)
      state[k] += h / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
    b.x.y = state;
    b.x.inputs[0] = std::sin(w * (t + h));
    if (t > settling - 2 * pi / w - h) largest = std::max(largest, std::abs(b.value("y")));
  }
  return largest;
}

TEST_CASE("FirstOrder, SecondOrder, Integrator, Derivative, PI, PID: equations") {
  Bench<Class<"Blocks.Integrator">> integrator({{"k", 2.0}});
  integrator.x.inputs = {3};
  integrator.x.y = {5};
  CHECK(rates(integrator)[0] == 6);
  CHECK(integrator.value("y") == 5);
  CHECK(integrator.described.variables.at("y").info.reads.empty());
  CHECK(integrator.described.starts.at("y").fixed);

  Bench<Class<"Blocks.FirstOrder">> first({{"k", 2.0}, {"T", 0.5}});
  first.x.inputs = {3};
  first.x.y = {1};
  checkClose(rates(first)[0], (2 * 3 - 1) / 0.5);
  CHECK(!first.described.starts.at("y").fixed);

  Bench<Class<"Blocks.SecondOrder">> second({{"k", 2.0}, {"w", 3.0}, {"D", 0.4}});
  second.x.inputs = {1.5};
  second.x.y = {1, 0.5};
  checkClose(rates(second)[0], 0.5);
  checkClose(rates(second)[1], 3 * (3 * (2 * 1.5 - 1) - 2 * 0.4 * 0.5));

  Bench<Class<"Blocks.Derivative">> derivative({{"k", 2.0}, {"T", 0.1}});
  derivative.x.inputs = {1.5};
  derivative.x.y = {1};
  checkClose(rates(derivative)[0], 5);
  checkClose(derivative.value("y"), 10);
  CHECK(derivative.described.variables.at("y").info.reads.size() == 1);

  Bench<Class<"Blocks.PI">> controller({{"k", 0.5}, {"T", 0.05}});
  controller.x.inputs = {2};
  controller.x.y = {3};
  checkClose(rates(controller)[0], 40);
  checkClose(controller.value("y"), 2.5);

  Bench<Class<"Blocks.PID">> pid({{"k", 2.0}, {"Ti", 0.5}, {"Td", 0.1}, {"Nd", 10.0}});
  pid.x.inputs = {1};
  pid.x.y = {0.3, 0.4};
  checkClose(rates(pid)[0], 2);
  checkClose(rates(pid)[1], (1 - 0.4) / 0.01);
  checkClose(pid.value("y"), 2 * (1 + 0.3 + 10 * (1 - 0.4)));
}

TEST_CASE("CriticalDamping: 3 dB at the cut-off frequency for every order") {
  for (int n = 1; n <= 4; ++n) {
    Bench<Class<"Blocks.CriticalDamping">> b({{"n", n}, {"f", 5.0}});
    checkClose(amplitude(b, 2 * pi * 5, 3), std::sqrt(0.5), 1e-4);
  }
}

TEST_CASE("TransferFunction: amplitude of (2 s + 4)/(s^2 + 3 s + 5)") {
  Bench<Class<"Blocks.TransferFunction">> b(
      {{"b", std::vector<double>{2, 4}}, {"a", std::vector<double>{1, 3, 5}}});
  const double w = 2;
  checkClose(amplitude(b, w, 30), std::hypot(4, 2 * w) / std::hypot(5 - w * w, 3 * w), 1e-4);
  Bench<Class<"Blocks.TransferFunction">> proper(
      {{"b", std::vector<double>{2, 4}}, {"a", std::vector<double>{1, 3}}});
  proper.x.inputs = {1};
  proper.x.y = {0.2};
  checkClose(proper.value("y"), 2 - 2 * 0.2);
  Bench<Class<"Blocks.TransferFunction">> gain(
      {{"b", std::vector<double>{6}}, {"a", std::vector<double>{3}}});
  gain.x.inputs = {5};
  CHECK(gain.value("y") == 10);
  CHECK(Bench<Class<"Blocks.TransferFunction">>({{"b", std::vector<double>{1, 1}}}).reader.errors ==
        Errors{"'b' must not be longer than a"});
}

TEST_CASE("StateSpace: der(x) = A x + B u, y = C x + D u") {
  Bench<Class<"Blocks.StateSpace">> b({{"A", Matrix{{0.12, 2}, {3, 1.5}}},
                                       {"B", Matrix{{2, 7}, {3, 1}}},
                                       {"C", Matrix{{0.1, 2}}},
                                       {"D", Matrix{{0.5, 0}}}});
  REQUIRE(b.reader.errors.empty());
  b.x.inputs = {1, 2};
  b.x.y = {3, 4};
  checkClose(rates(b)[0], 0.36 + 8 + 2 + 14);
  checkClose(rates(b)[1], 9 + 6 + 3 + 2);
  checkClose(b.value("y"), 0.3 + 8 + 0.5);
  CHECK(Bench<Class<"Blocks.StateSpace">>({{"C", Matrix{{1, 2, 3}}}}).reader.errors ==
        Errors{"'C' must have as many columns as A"});
}

TEST_CASE("initType: guesses, steady state, start values, output") {
  auto filter = [](const char* init) {
    return Values{
        {"initType", std::string(init)}, {"x_start", std::vector<double>{1, 2}}, {"y_start", 7.0}};
  };
  Bench<Class<"Blocks.CriticalDamping">> none(filter("NoInit"));
  CHECK(!none.described.starts.at("x[1]").fixed);
  CHECK(none.described.starts.at("x[2]").start == 2);
  CHECK(none.described.initials.empty());
  Bench<Class<"Blocks.CriticalDamping">> states(filter("InitialState"));
  CHECK(states.described.starts.at("x[1]").fixed);
  Bench<Class<"Blocks.CriticalDamping">> steady(filter("SteadyState"));
  REQUIRE(steady.described.initials.size() == 2);
  steady.x.yp = {3, 4};
  CHECK(steady.initial(0) == 3);
  CHECK(steady.initial(1) == 4);
  Bench<Class<"Blocks.CriticalDamping">> output(filter("InitialOutput"));
  REQUIRE(output.described.initials.size() == 2);
  output.x.y = {0, 9};
  output.x.yp = {3, 4};
  CHECK(output.initial(0) == 2);  // y - y_start
  CHECK(output.initial(1) == 3);  // the first state is steady
  Bench<Class<"Blocks.PI">> pi_({{"initType", std::string("InitialOutput")}, {"y_start", 2.0}});
  pi_.x.inputs = {1};
  pi_.x.y = {1};
  CHECK(pi_.initial(0) == 0);
}

TEST_CASE("LimPID: inside its limits a PID, at them the integral part is held back") {
  Bench<Class<"Blocks.LimPID">> b(
      {{"k", 2.0}, {"Ti", 0.5}, {"Td", 0.1}, {"Nd", 10.0}, {"wp", 0.5}, {"yMax", 100.0}});
  REQUIRE(b.reader.errors.empty());
  b.x.inputs = {3, 1};
  b.x.y = {0.3, 0.4};
  const double v = 2 * (0.5 * 3 - 1 + 0.3 + 10 * (-1 - 0.4));
  checkClose(b.value("y"), v);
  checkClose(rates(b)[0], (3 - 1) / 0.5);
  checkClose(rates(b)[1], (-1 - 0.4) / 0.01);
  CHECK(b.value("controlError") == 2);
  Bench<Class<"Blocks.LimPID">> limited(
      {{"controllerType", std::string("PI")}, {"yMax", 1.0}, {"withFeedForward", true}});
  limited.x.inputs = {3, 1, 0.5};
  limited.x.y = {2};
  CHECK(limited.value("y") == 4.5);  // up to the event
  limited.settle();
  CHECK(limited.value("y") == 1);
  checkClose(rates(limited)[0], (2 + (1 - 4.5) / 0.9) / 0.5);
  CHECK(
      Bench<Class<"Blocks.LimPID">>({{"initType", std::string("InitialOutput")}, {"y_start", 2.0}})
          .reader.errors == Errors{"'y_start' must lie within the limits yMin and yMax"});
  CHECK(Bench<Class<"Blocks.LimPID">>({{"controllerType", std::string("P")}})
            .declared.unknowns.empty());
}

TEST_CASE("Der: its output is the input's rate, and it has no state of its own") {
  Bench<Class<"Blocks.Der">> b;
  b.x.inputs = {3};
  b.x.inputRates = {5};
  CHECK(b.declared.unknowns.empty());
  CHECK(b.value("y") == 5);
}

}  // namespace
}  // namespace cardan
