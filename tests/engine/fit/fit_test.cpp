// Fits of simulated measurements whose truth is known.
#include "engine/fit/fit.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/integration/input_table.h"
#include "engine/results/result_table.h"
#include "engine/study/distribution.h"
#include "engine/study/philox.h"
#include "engine/study/sampling.h"
#include "tests/folder.h"

using namespace cardan;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr const char* kPendulum = R"yaml(
model: Swing
parameters: {L: 0.5, d: 0.05, m: 2}
components:
  j1: {type: Revolute, useAxisFlange: true, n: [0, 0, 1], phi: {start: 1, fixed: true}, w: {fixed: true}}
  damper: {type: Rotational.Damper, d: d}
  rod: {type: FixedTranslation, r: [0, -L, 0]}
  body: {type: PointMass, m: m}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, rod.frame_a]
  - [rod.frame_b, body.frame_a]
  - [damper.flange_b, j1.axis]
  - [damper.flange_a, j1.support]
simulation: {stop: 2}
outputs: [j1.phi, j1.w]
)yaml";

/// A mass on an arm that a torque turns, without gravity.
constexpr const char* kDriven = R"yaml(
model: Driven
parameters: {m: 1, L: 0.5}
inputs: {torque: 0}
world: {g: 0}
components:
  j1: {type: Revolute, useAxisFlange: true, n: [0, 1, 0], phi: {fixed: true}, w: {fixed: true}}
  motor: {type: Rotational.Torque, tau: torque}
  rod: {type: FixedTranslation, r: [L, 0, 0]}
  body: {type: PointMass, m: m}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, rod.frame_a]
  - [rod.frame_b, body.frame_a]
  - [motor.flange, j1.axis]
outputs: [j1.phi]
)yaml";

FitLoad loaderOf(const std::string& text) {
  return [text](const Overrides& more) {
    return Simulation::fromText(catalogue(), text, "m.yaml", more);
  };
}

double noise(std::uint64_t seed, std::uint64_t index) {
  return normalQuantile(uniformNumber(seed, 7, 0, index));
}

Trajectory runOf(const std::string& text, const Overrides& overrides, double stop, double interval,
                 std::shared_ptr<const InputTable> inputs = {}) {
  Simulation s = Simulation::fromText(catalogue(), text, "m.yaml", overrides);
  Trajectory rows;
  s.run(rows, {.stopTime = stop,
               .outputInterval = interval,
               .tolerance = 1e-11,
               .eventRows = false,
               .inputs = std::move(inputs)});
  return rows;
}

/// A file of one column, with noise.
std::string dataOf(const Trajectory& rows, const std::string& column, double sigma,
                   std::uint64_t seed) {
  std::string text = "time," + column + "\n";
  for (size_t i = 0; i < rows.time().size(); ++i)
    text += fmt::format("{},{}\n", rows.time()[i], rows[column][i] + sigma * noise(seed, i));
  return text;
}

FitTask taskOf(const std::vector<std::string>& files, const std::vector<std::string>& parameters,
               const std::vector<std::string>& signals = {}) {
  FitTask task;
  Diagnostics d;
  for (const std::string& f : files) task.addData(f, {});
  for (const std::string& p : parameters) task.addParameter(p, {}, d);
  for (const std::string& s : signals) task.addSignal(s, {}, d);
  d.throwIfErrors();
  return task;
}

const FitEstimate& estimateOf(const FitResult& r, const std::string& label) {
  const auto found = std::ranges::find(r.estimates, label, &FitEstimate::label);
  REQUIRE(found != r.estimates.end());
  return *found;
}

std::string errorsOf(const FitTask& task, const std::string& model) {
  try {
    Fit(task, loaderOf(model), catalogue());
  } catch (const ModelError& e) {
    return e.what();
  } catch (const ResultFileError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Fit: intervals of 95 % hold the truth in 92 to 98 % of 200 draws") {
  const test::Folder folder;
  const Trajectory truth = runOf(kPendulum, {"L=0.62", "d=0.08"}, 2, 0.05);
  const double truths[] = {0.62, 0.08, 1};
  int inside[3] = {}, far = 0;
  constexpr int kDraws = 200;
  for (int draw = 0; draw < kDraws; ++draw) {
    const std::string file = folder.write("run.csv", dataOf(truth, "j1.phi", 0.02, draw + 1));
    Fit fit(taskOf({file}, {"L", "d", "j1.phi.start"}), loaderOf(kPendulum), catalogue());
    const FitResult r = fit.run();
    REQUIRE(isFound(r.search.stop));
    for (int k = 0; k < 3; ++k) {
      const FitEstimate& e = r.estimates[k];
      inside[k] += e.from <= truths[k] && truths[k] <= e.to;
      far += std::abs(e.value - truths[k]) > 3 * e.error;
    }
  }
  for (const int n : inside) {
    CHECK(n >= 0.92 * kDraws);
    CHECK(n <= 0.98 * kDraws);
  }
  CHECK(far <= 0.01 * 3 * kDraws);
}

TEST_CASE("Fit: an interval within which the model bends is called rough, and no other one") {
  const test::Folder folder;
  const std::string bending = R"yaml(
parameters: {k: 1, a: 2, b: 5}
variables: {y: "k^2", one: a, two: "b - a^2"}
outputs: [y, one, two]
)yaml";
  const std::string file =
      folder.write("run.csv", "time,y,one,two\n0,1,2,1\n1,1,2,1\n2,1,2,1\n3,1,2,1\n");
  // Four readings of k^2 = 1: an error of sigma/4. To k = 1 +- 1 squares rise by (1 +- 1/2)^2 of what the
  // slope at 1 says.
  const double sigma = 4 / 1.959964;
  const auto bent = [&](const std::vector<std::string>& parameters, const std::string& signal) {
    std::vector<std::string> signals{signal};
    if (parameters.size() > 1) signals.push_back("two+-0.1");
    return Fit(taskOf({file}, parameters, signals), loaderOf(bending), catalogue()).run().bent;
  };
  const auto found = bent({"k"}, fmt::format("y+-{}", sigma));
  REQUIRE(found.size() == 1);
  CAPTURE(found[0]);
  CHECK(found[0].find("the interval of k is rough: the squares rise 0.25 times as far at ") == 0);
  CHECK(found[0].find(" and 2.3 times as far at 2,") != std::string::npos);
  CHECK(bent({"k"}, fmt::format("y+-{}", 0.1 * sigma)).empty());
  CHECK(bent({"k=0.9..1.1"}, fmt::format("y+-{}", sigma)).empty());
  // a is read as it is, and b goes with it along a parabola: that of a is right, however long it is.
  const auto along = bent({"a", "b"}, "one+-4");
  REQUIRE(along.size() == 1);
  CAPTURE(along[0]);
  CHECK(along[0].find("the interval of b is rough") == 0);
}

TEST_CASE(
    "Fit: the Jacobian is that of differences of tight runs, of start values and shifts, too") {
  const test::Folder folder;
  const Trajectory truth = runOf(kPendulum, {"L=0.62", "d=0.08"}, 2, 0.05);
  const std::string file = folder.write("run.csv", dataOf(truth, "j1.phi", 0.02, 5));
  FitTask task = taskOf({file}, {"L", "d", "j1.phi.start", "time_shift=0.03"}, {"j1.phi+-0.02"});
  task.experiments[0].settings.tolerance = 1e-11;
  Fit fit(task, loaderOf(kPendulum), catalogue());
  const VectorXd x = fit.start();
  const MatrixXd J = *fit.jacobian(x);
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    CAPTURE(k);
    const double h = 1e-3 * std::max(std::abs(x[k]), 0.1);
    // A central difference of fourth order.
    const auto at = [&](double steps) {
      VectorXd there = x;
      there[k] += steps * h;
      return *fit.residuals(there);
    };
    const VectorXd wanted = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
    CHECK((J.col(k) - wanted).cwiseAbs().maxCoeff() < 1e-6 * wanted.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("Fit: three parameters of a Stribeck friction from one swing, through its events") {
  const std::string whole = R"yaml(
parameters: {T_C: 0.03, T_S: 0.1, w_S: 0.6}
components:
  j1: {type: Revolute, useAxisFlange: true, n: [0, 0, 1], phi: {start: 1.2, fixed: true}, w: {fixed: true}}
  bearing: {type: Rotational.BearingFriction, tau_pos: [[0, T_S], [w_S, T_C], [10, T_C]]}
  rod: {type: FixedTranslation, r: [0, -0.5, 0]}
  body: {type: PointMass, m: 0.2}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, rod.frame_a]
  - [rod.frame_b, body.frame_a]
  - [bearing.flange_a, j1.axis]
outputs: [j1.phi]
)yaml";
  const test::Folder folder;
  const Trajectory truth = runOf(whole, {"T_C=0.05", "T_S=0.12", "w_S=0.9"}, 10, 0.02);
  const std::string file = folder.write("run.csv", dataOf(truth, "j1.phi", 0.002, 3));
  FitTask task = taskOf({file}, {"T_C=0.02..0.1", "T_S=0.05..0.2", "w_S=0.3..3"});
  // Where one more half swing comes to be, or comes not, there are valleys of their own.
  task.starts = 3;
  const Sampling latin(SamplingMethod::latin, 3, 2, 1, false);
  Fit fit(task, loaderOf(whole), catalogue());
  const FitResult r = fit.run([&](long k, int dimension) { return latin(k - 1, dimension); });
  CHECK(isFound(r.search.stop));
  // At the truth derivatives are those through the events.
  Fit one(taskOf({file}, {"T_C=0.05", "T_S=0.12", "w_S=0.9"}), loaderOf(whole), catalogue());
  CHECK(one.run().differences.empty());
  // It comes to rest within the run.
  CHECK(std::abs(truth["j1.phi"].back() - truth["j1.phi"][truth.time().size() - 10]) < 1e-9);
  const double truths[] = {0.05, 0.12, 0.9};
  for (int k = 0; k < 3; ++k) {
    CAPTURE(r.estimates[k].label);
    CHECK(std::abs(r.estimates[k].value - truths[k]) < 4 * r.estimates[k].error);
    CHECK(r.estimates[k].error < 0.1 * truths[k]);
  }
  CHECK(r.signals[0].rmsAfter == doctest::Approx(0.002).epsilon(0.1));
}

TEST_CASE("Fit: what signals cannot tell is named, by products, quotients and alone") {
  const test::Folder folder;
  std::string data = "time,torque,j1.phi\n";
  auto inputs = std::make_shared<InputTable>(
      InputTable{"inputs", {0, 1, 1, 2}, {"torque"}, {{0.4, 0.4, -0.4, -0.4}}, false});
  const Trajectory truth = runOf(kDriven, {"m=1.5", "L=0.4"}, 2, 0.1, inputs);
  for (size_t i = 0; i < truth.time().size(); ++i) {
    const double t = truth.time()[i], phi = truth["j1.phi"][i] + 1e-3 * noise(2, i);
    data += fmt::format("{},{},{}\n", t, t < 1.05 ? 0.4 : -0.4, phi);
    if (i == 10) data += fmt::format("{},-0.4,\n", t);  // the jump, and a gap
  }
  const std::string file = folder.write("run.csv", data);
  {
    Fit fit(taskOf({file}, {"m", "L"}), loaderOf(kDriven), catalogue());
    const FitResult r = fit.run();
    CHECK(isFound(r.search.stop));
    REQUIRE(r.untold.size() == 1);
    CHECK(r.untold[0] == "only m*L^2 can be told from these signals, not m and L");
    CHECK(std::isinf(r.estimates[0].error));
    const double inertia = r.estimates[0].value * std::pow(r.estimates[1].value, 2);
    CHECK(inertia == doctest::Approx(1.5 * 0.16).epsilon(0.01));
  }
  {
    // A swing tells d/m, and a mass alone nothing.
    const Trajectory swing = runOf(kPendulum, {"L=0.62", "d=0.08"}, 2, 0.05);
    const std::string run = folder.write("swing.csv", dataOf(swing, "j1.phi", 0.01, 1));
    Fit both(taskOf({run}, {"L", "d", "m"}), loaderOf(kPendulum), catalogue());
    const FitResult r = both.run();
    CHECK(r.untold ==
          std::vector<std::string>{"only d/m can be told from these signals, not d and m"});
    CHECK(estimateOf(r, "L").error < 0.01);
    Fit alone(taskOf({run}, {"L", "m"}), loaderOf(std::string(kPendulum) + "set: {d: 0}\n"),
              catalogue());
    CHECK(alone.run().untold == std::vector<std::string>{"m changes nothing in these signals"});
  }
  {
    // A sum: two offsets of one signal.
    const std::string line =
        "parameters: {a: 1, b: 2, c: 3}\nvariables: {y: \"a + 2*b + c*time\"}\nsimulation: {stop: "
        "1}\n";
    const std::string run = folder.write("line.csv", "time,y\n0,1\n0.5,2.1\n1,2.9\n1,3.1\n");
    Fit fit(taskOf({run}, {"a", "b", "c"}), loaderOf(line), catalogue());
    CHECK(fit.run().untold ==
          std::vector<std::string>{"only a + 2*b can be told from these signals, not a and b"});
  }
}

TEST_CASE("Fit: several runs, shared parameters and those of one, inputs, a shift and bounds") {
  const test::Folder folder;
  const Overrides truth{"L=0.62", "d=0.08"};
  const auto run = [&](double start, double shift, std::uint64_t seed) {
    Overrides all = truth;
    all.push_back(fmt::format("j1.phi.start={}", start));
    const Trajectory rows = runOf(kPendulum, all, 2, 0.01);
    // By the clock of the measurement it is `shift` earlier, in milliseconds and degrees.
    std::string text = "clock [ms];angle [deg];unused\n";
    for (size_t i = 20; i < rows.time().size(); i += 3)
      text += fmt::format("{};{};1\n", 1000 * (rows.time()[i] - shift),
                          (rows["j1.phi"][i] + 0.005 * noise(seed, i)) * 180 / std::acos(-1.0));
    return text;
  };
  folder.write("a.csv", run(0.7, 0, 1));
  folder.write("b.csv", run(1.3, 0.05, 2));
  const std::string study = folder.write("study.yaml", R"yaml(
study: Two swings
model_file: m.yaml
set: {m: 2}
fit:
  data:
    a: a.csv
    b: {file: b.csv, set: {m: 2}}
  signals: {angle: j1.phi}
  sigma: {j1.phi: 0.005}
  parameters:
    L: 0.3..0.9
    d: {start: 0.01, bounds: 0..1, scale: 0.1}
    j1.phi.start: {each: true}
    time_shift: {of: b, bounds: -0.2..0.2}
)yaml");
  Diagnostics diagnostics;
  const FitTask task = FitTask::read(*readYaml(study, diagnostics), study, diagnostics);
  CAPTURE(diagnostics.format());
  REQUIRE(diagnostics.errorCount() == 0);
  Fit fit(task, loaderOf(kPendulum), catalogue());
  const FitResult r = fit.run();
  CHECK(isFound(r.search.stop));
  REQUIRE(r.estimates.size() == 5);
  const std::pair<const char*, double> wanted[] = {{"L", 0.62},
                                                   {"d", 0.08},
                                                   {"j1.phi.start of a", 0.7},
                                                   {"j1.phi.start of b", 1.3},
                                                   {"time_shift of b", 0.05}};
  for (const auto& [label, value] : wanted) {
    CAPTURE(label);
    const FitEstimate& e = estimateOf(r, label);
    CHECK(std::abs(e.value - value) < 4 * e.error);
    CHECK(e.error < 0.02);
  }
  CHECK(r.sigmasKnown);
  CHECK(r.reducedChi2 == doctest::Approx(1).epsilon(0.25));

  FitTask bounded = task;
  bounded.parameters[0].high = 0.6;
  const FitResult atBound = Fit(bounded, loaderOf(kPendulum), catalogue()).run();
  CHECK(estimateOf(atBound, "L").value == 0.6);
  CHECK(estimateOf(atBound, "L").atBound == 1);

  FitTask known = task;
  known.parameters[0].prior = FitParameter::Prior{0.7, 1e-5};  // more than the data say
  const FitResult held = Fit(known, loaderOf(kPendulum), catalogue()).run();
  CHECK(estimateOf(held, "L").value == doctest::Approx(0.7).epsilon(1e-3));
}

TEST_CASE("Fit: signals of different size count by their own noise, which is found") {
  const test::Folder folder;
  const Trajectory rows = runOf(kPendulum, {"L=0.62", "d=0.08"}, 2, 0.01);
  std::string data = "time,j1.phi,j1.w\n";
  for (size_t i = 0; i < rows.time().size(); ++i)
    data += fmt::format("{},{},{}\n", rows.time()[i], rows["j1.phi"][i] + 1e-3 * noise(1, i),
                        rows["j1.w"][i] + 0.5 * noise(2, i));
  const std::string file = folder.write("run.csv", data);
  const FitResult r = Fit(taskOf({file}, {"L", "d"}), loaderOf(kPendulum), catalogue()).run();
  REQUIRE(r.signals.size() == 2);
  CHECK(r.signals[0].sigma == doctest::Approx(1e-3).epsilon(0.2));
  CHECK(r.signals[1].sigma == doctest::Approx(0.5).epsilon(0.2));
  CHECK(std::abs(estimateOf(r, "L").value - 0.62) < 4 * estimateOf(r, "L").error);
}

TEST_CASE("Fit: what a model says at one place is computed once") {
  const test::Folder folder;
  const Trajectory rows = runOf(kPendulum, {"L=0.62", "d=0.08"}, 2, 0.01);
  const std::string file = folder.write("run.csv", dataOf(rows, "j1.phi", 1e-3, 1));
  int loads = 0;
  const FitLoad counting = [&, load = loaderOf(kPendulum)](const Overrides& more) {
    ++loads;
    return load(more);
  };
  Fit fit(taskOf({file}, {"L", "d"}), counting, catalogue());
  const VectorXd here = fit.start(), there = 1.1 * here;
  const auto loadsOf = [&](auto ask) {
    const int before = loads;
    ask();
    return loads - before;
  };
  VectorXd r = *fit.residuals(here);
  MatrixXd J = *fit.jacobian(here);
  CHECK(loadsOf([&] { CHECK(*fit.residuals(here) == r); }) == 0);
  CHECK(loadsOf([&] { CHECK(*fit.jacobian(here) == J); }) == 0);
  CHECK(loadsOf([&] { CHECK(*fit.residuals(there) != r); }) > 0);
  CHECK(loadsOf([&] { CHECK(*fit.jacobian(there) != J); }) > 0);
  CHECK(*fit.residuals(here) == r);
  CHECK(*fit.jacobian(here) == J);
  // A millionth of a parameter is another place.
  CHECK(loadsOf([&] { fit.jacobian(here * (1 + 1e-6)); }) > 0);
}

TEST_CASE("Fit: what is known beforehand counts as it is, whatever noise is found") {
  // A level k of n values, known beforehand as m +- p: 1/error^2 = n/s^2 + 1/p^2, and k is the mean of both
  // by these weights; s^2 are the squares by n less what the data give of k.
  constexpr int n = 12;
  constexpr double m = 2.02, p = 0.03;
  std::string data = "time,y\n";
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double y = 2 + 0.1 * noise(3, i);
    sum += y;
    squares += y * y;
    data += fmt::format("{},{}\n", 0.1 * i, y);
  }
  double k = sum / n, s2 = 0.01, weight = 0;
  for (int i = 0; i < 200; ++i) {
    weight = n / s2 + 1 / (p * p);
    k = (sum / s2 + m / (p * p)) / weight;
    s2 = (squares - 2 * k * sum + n * k * k) / (n - n / s2 / weight);
  }
  const test::Folder folder;
  FitTask task = taskOf({folder.write("level.csv", data)}, {"k"});
  task.parameters[0].prior = FitParameter::Prior{m, p};
  const FitResult r =
      Fit(task,
          loaderOf("model: Level\nparameters: {k: 1}\nvariables: {z: {start: 0, fixed: "
                   "true}, y: k}\nequations: ['der(z) = 0']\n"),
          catalogue())
          .run();
  CHECK(r.estimates[0].value == doctest::Approx(k).epsilon(1e-4));
  CHECK(r.estimates[0].error == doctest::Approx(1 / std::sqrt(weight)).epsilon(2e-3));
  CHECK(r.signals[0].sigma == doctest::Approx(std::sqrt(s2)).epsilon(2e-3));
}

TEST_CASE("Fit: derivatives are differences where a model has no sensitivities, and it says so") {
  const std::string delayed = R"yaml(
parameters: {k: 1, T: 0.2}
variables: {x: {start: 1, fixed: true}}
equations: ["der(x) = -k*delay.y"]
components:
  delay: {type: Blocks.FixedDelay, delayTime: T, u: x}
)yaml";
  const test::Folder folder;
  const Trajectory truth = runOf(delayed, {"k=1.4", "T=0.5"}, 5, 0.05);
  const std::string file = folder.write("run.csv", dataOf(truth, "x", 1e-3, 1));
  const FitResult r = Fit(taskOf({file}, {"k", "T=0.01..2"}), loaderOf(delayed), catalogue()).run();
  REQUIRE(r.differences.size() == 1);
  CHECK(r.differences[0] ==
        "k, T: Blocks.FixedDelay 'delay': sensitivities are not followed through a delay");
  CHECK(std::abs(r.estimates[0].value - 1.4) < 4 * r.estimates[0].error);
  CHECK(std::abs(r.estimates[1].value - 0.5) < 4 * r.estimates[1].error);
  CHECK(r.estimates[1].error < 0.01);
}

TEST_CASE("Fit: through a force that jumps and is no event") {
  // A mass on a spring that it passes through.
  const std::string sprung = R"yaml(
parameters: {c: 18}
world: {g: 0}
components:
  slide: {type: Prismatic, n: [1, 0, 0], s: {start: 1, fixed: true}, v: {fixed: true}}
  body: {type: PointMass, m: 2}
  spring: {type: Spring, c: c, s_unstretched: 0.3}
connections:
  - [world.frame_b, slide.frame_a]
  - [slide.frame_b, body.frame_a]
  - [world.frame_b, spring.frame_a]
  - [spring.frame_b, body.frame_a]
)yaml";
  const test::Folder folder;
  const Trajectory truth = runOf(sprung, {"c=20"}, 1.5, 0.02);
  const std::string file = folder.write("run.csv", dataOf(truth, "slide.s", 1e-4, 1));
  const FitResult r = Fit(taskOf({file}, {"c"}), loaderOf(sprung), catalogue()).run();
  CHECK(std::abs(r.estimates[0].value - 20) < 4 * r.estimates[0].error);
  CHECK(r.estimates[0].error < 2e-3);
  REQUIRE(r.differences.size() == 1);
  CHECK(r.differences[0].find("Spring 'spring' jumps") != std::string::npos);
}

TEST_CASE("Fit: a start of the run that is a parameter") {
  const test::Folder folder;
  std::string data = "time,x\n";
  for (int i = 5; i <= 20; ++i)
    data += fmt::format("{},{}\n", 0.1 * i, std::exp(0.4 - 0.1 * i) + 1e-6 * noise(1, i));
  const FitResult r =
      Fit(taskOf({folder.write("run.csv", data)}, {"t0=0..0.5"}),
          loaderOf("parameters: {t0: 0.1}\nvariables: {x: {start: 1, fixed: true}}\n"
                   "equations: [der(x) = -x]\nsimulation: {start: t0}\n"),
          catalogue())
          .run();
  CHECK(std::abs(r.estimates[0].value - 0.4) < 4 * r.estimates[0].error);
  CHECK(r.estimates[0].error < 1e-5);
}

TEST_CASE("Fit: several starts find the deepest of many valleys") {
  const std::string wave =
      "parameters: {f: 1}\nvariables: {y: \"sin(f*time)\"}\nsimulation: {stop: 10}\n";
  const test::Folder folder;
  std::string data = "time,y\n";
  for (int i = 0; i <= 100; ++i)
    data += fmt::format("{},{}\n", 0.1 * i, std::sin(4.3 * 0.1 * i) + 0.01 * noise(1, i));
  FitTask task = taskOf({folder.write("run.csv", data)}, {"f=0.5..10"});
  CHECK(std::abs(Fit(task, loaderOf(wave), catalogue()).run().estimates[0].value - 4.3) > 0.1);
  task.starts = 20;
  const Sampling latin(SamplingMethod::latin, 1, 19, 1, false);
  const FitResult r = Fit(task, loaderOf(wave), catalogue()).run([&](long k, int dimension) {
    return latin(k - 1, dimension);
  });
  CHECK(r.estimates[0].value == doctest::Approx(4.3).epsilon(1e-3));
  CHECK(r.foundAgain >= 1);
}

TEST_CASE("Fit: what is wrong with data and parameters is told") {
  const test::Folder folder;
  const std::string good = folder.write("good.csv", "time,j1.phi\n0,1\n0.1,0.9\n0.2,0.8\n");
  CHECK(errorsOf(taskOf({good}, {"l"}), kPendulum)
            .find("'l' is no parameter of the model or of a "
                  "component; did you mean 'L'?") != std::string::npos);
  CHECK(errorsOf(taskOf({good}, {"L=0.6..0.8"}), kPendulum)
            .find("the search must start within the bounds of 'L', 0.6..0.8, found 0.5") !=
        std::string::npos);
  CHECK(errorsOf(taskOf({good}, {"L"}, {"angle=j1.phi"}), kPendulum).find("no column 'angle'") !=
        std::string::npos);
  CHECK(errorsOf(taskOf({good}, {"L"}, {"j1.phi=j1.none"}), kPendulum).find("j1.none") !=
        std::string::npos);
  const auto refused = [&](const std::string& text, const std::string& why) {
    const std::string said = errorsOf(taskOf({folder.write("bad.csv", text)}, {"L"}), kPendulum);
    CAPTURE(said);
    CHECK(said.find(why) != std::string::npos);
  };
  refused("time,j1.phi [kg]\n0,1\n1,2\n",
          "column 'j1.phi' is in kg, and 'j1.phi' of the model in rad");
  refused("time,j1.phi [parsec]\n0,1\n1,2\n", "'parsec' of column 'j1.phi[parsec]' is no unit");
  refused("time [m],j1.phi\n0,1\n1,2\n", "the first column must be a time, found 'm'");
  refused("time,phi\n0,1\n1,2\n", "none of its columns is a result of the model");
  refused("time,j1.phi\n0,\n1,NaN\n", "column 'j1.phi' has no values within the run");
  refused("time,j1.phi\n0,x\n", "must be a number");
  refused("time,j1.phi,j1.phi\n0,1,2\n1,2,3\n", "'j1.phi' is the name of several columns");
  refused("time,j1.phi [rad],j1.phi [deg]\n0,1,2\n1,2,3\n", "'j1.phi' is the name of several");
  const std::string untimed =
      folder.write("untimed.csv", "time,j1.phi\n0,1\n,0.9\nNaN,3\n0.2,0.8\n");
  const Fit fit(taskOf({untimed}, {"L"}), loaderOf(kPendulum), catalogue());
  REQUIRE(fit.warnings().size() == 1);
  CHECK(fit.warnings()[0] == "untimed: 2 of 4 rows left out: they have no time");
  FitTask twice = taskOf({good}, {"L", "L"});
  CHECK(errorsOf(twice, kPendulum).find("parameter 'L' must not be given twice") !=
        std::string::npos);
  CHECK(errorsOf(taskOf({good}, {"L", "d", "m", "j1.phi.start"}), kPendulum)
            .find("3 values are measured, fewer than there are parameters: 4") !=
        std::string::npos);
}

TEST_CASE("a model file's 'set' stands above the rest of it and below overrides") {
  const std::string text =
      std::string(kPendulum) + "set: {L: 0.7, j1.phi.start: 0.3, \"rod.r[1]\": 0.1}\n";
  const auto start = [&](const Overrides& more) {
    Simulation s = Simulation::fromText(catalogue(), text, "m.yaml", more);
    Trajectory rows;
    s.run(rows, {.stopTime = 0.1, .outputs = {"j1.phi", "body.r_0"}});
    return std::pair(rows["j1.phi"].front(), rows["body.r_0[1]"].front());
  };
  CHECK(start({}).first == 0.3);
  CHECK(start({"L=0.5"}).second ==
        doctest::Approx(0.1 * std::cos(0.3) + 0.5 * std::sin(0.3)).epsilon(1e-12));
  CHECK(start({"j1.phi.start=0.4"}).first == 0.4);
  const auto said = [](const std::string& set) -> std::string {
    try {
      Simulation::fromText(catalogue(), "model: Swing" + std::string(kPendulum).substr(13) + set,
                           "m.yaml");
      return "";
    } catch (const ModelError& e) {
      return e.what();
    }
  };
  CHECK(said("set:\n  j1.fi: 1\n")
            .starts_with("m.yaml:17:10: error: Revolute 'j1': unknown key 'fi'"));
  CHECK(said("set: {l: 1}\n") == "m.yaml:16:10: error: unknown parameter 'l'; did you mean 'L'?");
  CHECK(said("set: {'a b': 2}\n") ==
        "m.yaml:16:7: error: 'set' must name parameters as --set does, found 'a b'");
}
