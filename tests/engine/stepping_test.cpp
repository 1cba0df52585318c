// A run in steps: as a run in one go; saved and restored bit for bit; many runs of one model.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_source.h"
#include "engine/run.h"
#include "engine/saved_state.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

const std::string kModels = std::string(CARDAN_SOURCE_DIR) + "/models/";

/// Trees, loops, orientations by quaternions and by angles, friction, limits, conditions of time.
const char* const kFiles[] = {"elementary/double_pendulum.yaml", "elementary/free_body_matrix.yaml",
                              "loops/fourbar.yaml", "loops/bricard.yaml", "robots/arm6.yaml"};

/// Spins through many references of its angles, and slides with friction that sticks.
const char* const kSpinning = R"yaml(
components:
  free: {type: FreeMotion, orientationStates: angles, w_rel_a_start: [4, 7, 1], w_rel_a_fixed: true,
    r_rel_a: {fixed: true}, v_rel_a: {start: [0.2, 0, 1], fixed: true}, angles_fixed: true}
  body: {type: Body, m: 1, I_11: 1, I_22: 2, I_33: 2.5}
  block: {type: Translational.Mass, m: 2, s: {fixed: true}, v: {start: 1, fixed: true}}
  pull: {type: Translational.Force, f: "if time < 1.3 then 4*sin(5*time) else 0.5"}
  rub: {type: Translational.SupportFriction, f_pos: [[0, 2], [1, 2.5]], peak: 1.3}
  loop: {type: Blocks.Integrator, u: "max(block.v, 0.1)"}
connections:
  - [world.frame_b, free.frame_a]
  - [free.frame_b, body.frame_a]
  - [pull.flange, block.flange_a]
  - [rub.flange_a, block.flange_b]
simulation: {stop: 3, interval: 0.05}
outputs: [body.frame_a.R.T, body.r_0, body.w_a, block.s, rub.f, rub.mode, loop.y]
)yaml";

Simulation spinning() { return Simulation::fromText(catalogue(), kSpinning); }

/// A copy of all values that can be read.
std::vector<double> values(Simulation& s) {
  std::vector<double> all;
  for (const std::string& name : s.outputs()) all.push_back(s.value(s.variable(name)));
  return all;
}

/// The same to the last bit.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return true;
}

/// All values at `parts` instants from the time reached up to `end`.
std::vector<double> goOn(Simulation& s, double end, int parts) {
  std::vector<double> all;
  const double begin = s.time();
  for (int i = 1; i <= parts; ++i) {
    s.advance(i == parts ? end : begin + (end - begin) * i / parts);
    for (double x : values(s)) all.push_back(x);
  }
  return all;
}

void goesOnFromWhatWasSaved(Simulation& s, IntegratorChoice integrator) {
  const double stop = std::min(1.5, s.source().simulation.stop);
  RunOptions options{.stopTime = stop, .integrator = integrator};
  if (integrator == IntegratorChoice::stepping) options.step = 1e-3;
  s.start(options);
  goOn(s, 0.4 * stop, 3);
  const auto saved = s.save();
  const std::vector<double> first = goOn(s, stop, 4);
  s.restore(saved);
  CHECK(s.time() == 0.4 * stop);
  CHECK(same(goOn(s, stop, 4), first));

  Simulation other = s.another();
  other.start(options);
  other.restore(saved);
  CHECK(same(goOn(other, stop, 4), first));
  CHECK(other.report().integrator.steps == s.report().integrator.steps);
}

}  // namespace

TEST_CASE("Stepping: a run in steps gives the values of a run in one go") {
  Simulation s = spinning();
  Trajectory rows;
  s.run(rows, {.tolerance = 1e-9, .eventRows = false});
  s.start({.tolerance = 1e-9});
  size_t row = 1;
  for (int k = 1; k <= 60; ++k) {
    s.advance(0.05 * k);
    while (rows.time()[row] < 0.05 * k - 1e-9) ++row;
    for (const std::string& name : s.outputs()) {
      CAPTURE(name);
      CAPTURE(k);
      CHECK(std::abs(s.value(s.variable(name)) - rows[name][row]) < 1e-6);
    }
  }
  CHECK(s.report().events > 2);
  CHECK(s.report().chartChanges >= 2);
}

TEST_CASE("Stepping: a restored run goes on bit for bit, here and in another simulation") {
  for (const IntegratorChoice integrator :
       {IntegratorChoice::ida, IntegratorChoice::explicitMethod, IntegratorChoice::automatic,
        IntegratorChoice::stepping}) {
    CAPTURE(word(integrator));
    Simulation s = spinning();
    goesOnFromWhatWasSaved(s, integrator);
    for (const char* file : kFiles) {
      CAPTURE(file);
      Simulation model(catalogue(), kModels + file);
      goesOnFromWhatWasSaved(model, integrator);
    }
  }
}

namespace {

/// A chain of rods above the ground, whose joints rub and whose ends strike: numbers are fractions of
/// multiples of irrational ones.
std::string rubbingChain(int seed) {
  int drawn = 7 * seed;
  const auto any = [&drawn](double from, double to) {
    const double n = ++drawn;
    return from + (to - from) * std::fmod(n * 0.7548776662 + n * n * 0.0569840291, 1.0);
  };
  std::string text = fmt::format(
      "world: {{g: 9.81, n: [0, -1, 0]}}\ncomponents:\n  up: {{type: FixedTranslation, r: [0, {}, "
      "0]}}\n",
      any(0.3, 0.9));
  std::string links = "  - [world.frame_b, up.frame_a]\n", before = "up.frame_b";
  const int count = 2 + seed % 3;
  for (int i = 0; i < count; ++i) {
    const std::string friction = any(0, 1) < 0.5
                                     ? fmt::format("torque: {}", any(0.01, 0.6))
                                     : fmt::format("mu: {}, radius: 0.02", any(0.05, 0.4));
    text +=
        any(0, 1) < 0.6
            ? fmt::format(
                  "  j{0}: {{type: Revolute, n: [0, 0, 1], phi: {{start: {1}, fixed: true}}, w: "
                  "{{start: {2}, fixed: true}}, friction: {{{3}}}}}\n",
                  i, any(-1.5, 1.5), any(-3, 3), friction)
            : fmt::format(
                  "  j{0}: {{type: Spherical, angles_fixed: true, angles_start: [{1}, {2}, {3}], "
                  "w_rel_a_fixed: true, friction: {{{4}}}}}\n",
                  i, any(-1, 1), any(-1, 1), any(-1, 1), friction);
    text += fmt::format(
        "  k{0}: {{type: BodyCylinder, r: [{1}, 0, 0], diameter: 0.03, density: {2}}}\n"
        "  h{0}: {{type: Contact.SpherePlane, radius: 0.02, rigid: true, restitution: {3}, mu: "
        "{4}, "
        "stick: {5}}}\n",
        i, any(0.1, 0.3), any(500, 8000), any(0.1, 0.8), i % 2 == 0 ? 0.8 : 0.3, i % 2 == 0);
    links += fmt::format(
        "  - [{1}, j{0}.frame_a]\n  - [j{0}.frame_b, k{0}.frame_a]\n  - [k{0}.frame_b, "
        "h{0}.frame_b]\n  - [world.frame_b, h{0}.frame_a]\n",
        i, before);
    before = fmt::format("k{}.frame_b", i);
  }
  return text + "connections:\n" + links + "simulation: {stop: 1.5, interval: 0.1}\n";
}

}  // namespace

TEST_CASE("Stepping: a restored run goes on bit for bit from among frictions and impacts") {
  int runs = 0;
  for (int seed = 0; seed < 19; ++seed) {
    CAPTURE(seed);
    Simulation s = Simulation::fromText(catalogue(), rubbingChain(seed));
    try {
      s.start({});
    } catch (const SolverError&) {
      continue;  // it overlaps with the ground
    }
    ++runs;
    goesOnFromWhatWasSaved(s, IntegratorChoice::ida);
  }
  CHECK(runs > 12);
}

namespace {

/// Rows with their times, as bits.
std::vector<double> bitsOf(const Trajectory& t) {
  std::vector<double> all;
  for (size_t i = 0; i < t.time().size(); ++i) {
    all.push_back(t.time()[i]);
    for (const Column& c : t.columns()) all.push_back(t[c.name][i]);
  }
  return all;
}

/// A run in two parts with a saved state between, read from its text by a model loaded anew.
template <class Load>
void goesOnFromAFile(Load load, RunOptions options) {
  Trajectory whole, first, second;
  Simulation one = load();
  one.run(whole, options);
  options.pauseAt = 0.45 * options.stopTime.value();
  Simulation two = load();
  const RunReport report = two.run(first, options);
  CHECK(report.paused);
  const std::string text = two.save(options).write();
  options.pauseAt.reset();
  options.resume = std::make_shared<SavedState>(SavedState::read(text, "run.state"));
  Simulation three = load();
  three.run(second, options);
  std::vector<double> both = bitsOf(first);
  for (double x : bitsOf(second)) both.push_back(x);
  CHECK(first.time().size() > 10);
  CHECK(same(both, bitsOf(whole)));
  CHECK(three.report().integrator.steps == one.report().integrator.steps);
  CHECK(three.report().events == one.report().events);
}

std::string whyNot(const std::string& text, const std::string& model, RunOptions options) {
  try {
    options.resume = std::make_shared<SavedState>(SavedState::read(text, "run.state"));
    Simulation s = Simulation::fromText(catalogue(), model);
    Trajectory rows;
    s.run(rows, options);
  } catch (const ModelError& e) {
    return e.diagnostics().all().front().format();
  }
  return "";
}

}  // namespace

TEST_CASE("Stepping: a run goes on bit for bit from a saved state in a file") {
  for (const IntegratorChoice integrator :
       {IntegratorChoice::ida, IntegratorChoice::explicitMethod, IntegratorChoice::automatic}) {
    CAPTURE(word(integrator));
    goesOnFromAFile(spinning, {.stopTime = 3, .integrator = integrator});
    for (const char* file : kFiles) {
      CAPTURE(file);
      const auto load = [&] { return Simulation(catalogue(), kModels + file); };
      goesOnFromAFile(load, {.stopTime = std::min(1.5, load().source().simulation.stop),
                             .integrator = integrator});
    }
  }
  // One matrix serves several steps.
  const auto engine = [] { return Simulation(catalogue(), kModels + "loops/engine_v6.yaml"); };
  for (const double stop : {0.021, 0.022, 0.023})
    goesOnFromAFile(engine, {.stopTime = stop, .outputInterval = 5e-4});
}

TEST_CASE("Stepping: rows of a run that goes on are those of its grid behind the state") {
  RunOptions options{.stopTime = 1, .outputInterval = 0.01};
  Simulation s = spinning();
  // Rows may have been written or not, to within an interval or to the end of one.
  for (const bool writes : {false, true}) {
    for (const double time : {0.0, 0.333, 0.34, 0.505, 1.0}) {
      CAPTURE(writes);
      CAPTURE(time);
      Trajectory before, rows;
      options.stopTime = writes ? time : 1;
      options.resume.reset();
      s.start(options, writes ? &before : nullptr);
      s.advance(time);
      options.stopTime = 1;
      options.resume = std::make_shared<SavedState>(s.save(options));
      spinning().run(rows, options);
      const int behind = static_cast<int>(std::floor(time / 0.01 + 1e-9)) + 1;
      std::vector<double> times;
      for (int k = behind; k <= 100; ++k) times.push_back(k / 100.0);
      std::vector<double> found = rows.time();  // without the second one of each event
      std::erase_if(found, [](double t) { return std::abs(100 * t - std::round(100 * t)) > 1e-9; });
      CHECK(found == times);
    }
  }
}

TEST_CASE("Stepping: a run goes on bit for bit where another one has begun with other inputs") {
  const auto cartPole = [] {
    return Simulation::fromText(catalogue(), R"yaml(
inputs: {u: 0}
components:
  track: {type: Prismatic, n: [1, 0, 0], useAxisFlange: true, s: {fixed: true}, v: {fixed: true}}
  motor: {type: Translational.Force, f: u}
  cart: {type: Body, m: 1}
  pivot: {type: Revolute, phi: {start: 0.2, fixed: true}, w: {fixed: true}}
  pole: {type: BodyBox, r: [0, 0.5, 0], width: 0.03, density: 1000}
connections:
  - [world.frame_b, track.frame_a]
  - [motor.flange, track.axis]
  - [track.frame_b, cart.frame_a]
  - [cart.frame_a, pivot.frame_a]
  - [pivot.frame_b, pole.frame_a]
simulation: {stop: 5}
outputs: [track.s, track.v, pivot.phi, pivot.w]
)yaml");
  };
  for (const IntegratorChoice integrator :
       {IntegratorChoice::ida, IntegratorChoice::explicitMethod, IntegratorChoice::automatic}) {
    CAPTURE(word(integrator));
    const RunOptions options{.stopTime = 2, .tolerance = 1e-8, .integrator = integrator};
    Simulation s = cartPole(), other = cartPole();
    s.set(s.input("u"), 3);  // the sizes of its motion are others than the file's
    s.start(options);
    s.advance(0.5);
    const RunSnapshot here = s.save();
    other.start(options);
    other.restore(here);
    CHECK(same(goOn(other, 2, 5), goOn(s, 2, 5)));
  }
}

TEST_CASE("Stepping: what an input has made of a time is forgotten where a run is restored") {
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
inputs: {u: 0}
components:
  drive: {type: Translational.Position, exact: true, s_ref: "u*sin(time)"}
  mass: {type: Translational.Mass, m: 1}
connections:
  - [drive.flange, mass.flange_a]
outputs: [mass.v]
)yaml");
  s.start();
  s.advance(0.5);
  const RunSnapshot here = s.save();
  for (const double u : {1.0, 2.0, 3.0}) {
    CAPTURE(u);
    s.restore(here);
    s.set(s.input("u"), u);
    CHECK(s.value(s.variable("mass.v")) == doctest::Approx(u * std::cos(0.5)).epsilon(1e-9));
  }
}

TEST_CASE("Stepping: a saved state of something else is refused, with the reason") {
  const std::string model = "model: M\ncomponents:\n  m: {type: Translational.Mass, m: 2}\n";
  const RunOptions options{.stopTime = 1, .tolerance = 1e-6};
  Simulation s = Simulation::fromText(catalogue(), model);
  Trajectory rows;
  s.run(rows, options);
  const SavedState state = s.save(options);
  const std::string text = state.write();
  CHECK(whyNot(text, model, options) == "");
  CHECK(whyNot(text, model + "  n: {type: Translational.Mass, m: 2}\n", options) ==
        "run.state: error: model 'M' has changed since the state was saved: its parts, parameters "
        "or equations differ");
  CHECK(whyNot(text, "model: N" + model.substr(8), options) ==
        "run.state: error: the state is of model 'M', this is 'N'");
  CHECK(whyNot(text, model, {.stopTime = 1, .tolerance = 1e-7}) ==
        "run.state: error: the state is of a run with tolerance 1e-06, integrator ida, interval "
        "0.002 s, this one has tolerance 1e-07, integrator ida, interval 0.002 s");
  CHECK(whyNot(text, model, {.stopTime = 0.5, .outputInterval = 0.002, .tolerance = 1e-6}) ==
        "run.state: error: the state is of 1 s, this run ends at 0.5 s");
  CHECK(whyNot(text.substr(0, text.size() - 5), model, options) ==
        "run.state: error: the saved state was changed or cut short");
  CHECK(whyNot("time,x\n0,1\n", model, options) ==
        "run.state: error: a saved state was expected, as --save-state writes it");
  SavedState other = state;
  other.build = "0.0 old 8";
  CHECK(whyNot(other.write(), model, options)
            .starts_with("run.state: error: the state was saved by another build of the program "
                         "(0.0 old 8; this is "));
}

TEST_CASE("Stepping: a run begins at a point from outside, made consistent") {
  Simulation s(catalogue(), kModels + "loops/fourbar.yaml");
  Trajectory whole, rest;
  s.run(whole, {.stopTime = 1, .tolerance = 1e-10, .outputs = {"**"}});
  auto from = std::make_shared<StartPoint>();
  size_t row = 0;
  while (whole.time()[row] < 0.5) ++row;
  from->file = "r.csv";
  from->time = whole.time()[row];
  from->isRow = true;
  for (const Column& c : whole.columns()) {
    from->names.push_back(c.name);
    from->values.push_back(whole[c.name][row]);
  }
  s.run(rest, {.stopTime = 1, .tolerance = 1e-10, .outputs = {"**"}, .from = from});
  CHECK(rest.time().front() == from->time);
  for (const char* name : {"crank_joint.phi", "rocker_joint.w"})
    CHECK(std::abs(rest[name].back() - whole[name].back()) < 1e-7);  // 1000 tolerances
  SUBCASE("what is missing is named") {
    from->names[0] = "else";
    for (std::string& name : from->names) {
      if (name == "crank_joint.w") name = "other";
    }
    CHECK_THROWS_WITH_AS(s.run(rest, {.stopTime = 1, .from = from}),
                         "r.csv: error: a start must have all states of the model, missing are "
                         "crank_joint.w; write them with --output-variable",
                         ModelError);
  }
}

TEST_CASE("Stepping: an input that is set acts from then on") {
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
components:
  push: {type: Translational.Force, f: 0}
  mass: {type: Translational.Mass, m: 2, s: {fixed: true}, v: {fixed: true}}
connections:
  - [push.flange, mass.flange_a]
simulation: {stop: 3}
outputs: [mass.s, mass.v, mass.a]
)yaml");
  const InputHandle push = s.input("push.f");
  s.set(push, 4);
  s.start();
  const VariableHandle position = s.variable("mass.s"), speed = s.variable("mass.v"),
                       acceleration = s.variable("mass.a");
  CHECK(s.value(acceleration) == doctest::Approx(2));
  s.advance(1);
  CHECK(s.value(position) == doctest::Approx(1));
  s.set(push, -6);
  CHECK(s.value(speed) == doctest::Approx(2));
  s.advance(2);
  CHECK(s.value(acceleration) == doctest::Approx(-3));
  CHECK(s.value(speed) == doctest::Approx(-1));
  CHECK(s.value(position) == doctest::Approx(1.5));
  s.set(push, 0);
  s.advance(3);
  CHECK(s.value(position) == doctest::Approx(0.5));
}

TEST_CASE(
    "Stepping: the rows of a run in steps are those of its grid, and a jump of an input is two") {
  Simulation s = Simulation::fromText(catalogue(), R"yaml(
components:
  push: {type: Translational.Force, f: 4}
  mass: {type: Translational.Mass, m: 2, s: {fixed: true}, v: {fixed: true}}
connections:
  - [push.flange, mass.flange_a]
simulation: {stop: 3, interval: 0.5}
outputs: [mass.v, mass.a]
)yaml");
  for (const bool eventRows : {true, false}) {
    CAPTURE(eventRows);
    Trajectory rows;
    s.set(s.input("push.f"), 4);
    s.start({.eventRows = eventRows}, &rows);
    s.advance(1);
    CHECK(rows.time() == std::vector{0.0, 0.5, 1.0});
    s.set(s.input("push.f"), 4);  // as it is: no jump
    s.advance(1.25);
    s.set(s.input("push.f"), 4);
    s.advance(1.5);
    s.set(s.input("push.f"), -6);
    s.advance(2.25);
    s.set(s.input("push.f"), -4);
    s.advance(3);
    // A row that is there has the values before the jump; where none is, none is asked for.
    std::vector<double> times{0, 0.5, 1, 1.5, 1.5, 2, 2.25, 2.5, 3},
        accelerations{2, 2, 2, 2, -3, -3, -2, -2, -2};
    if (!eventRows) times.erase(times.begin() + 6), accelerations.erase(accelerations.begin() + 6);
    CHECK(rows.time() == times);
    REQUIRE(rows["mass.a"].size() == times.size());
    for (size_t i = 0; i < times.size(); ++i)
      CHECK(rows["mass.a"][i] == doctest::Approx(accelerations[i]));
    CHECK(rows["mass.v"].back() == doctest::Approx(3 - 0.75 * 3 - 0.75 * 2));
  }
}

TEST_CASE("Stepping: what was interrupted at the end of a step goes on") {
  Simulation s = spinning();
  bool goesOn = false;
  RunOptions options;
  options.saves = true;
  options.progress = [&](double) { return goesOn; };
  s.start(options);
  s.advance(2);
  const double reached = s.time();
  CHECK(reached < 2);
  CHECK(s.report().interrupted);
  goesOn = true;
  s.advance(2);
  CHECK(s.time() == 2);
  CHECK_FALSE(s.report().interrupted);
}

TEST_CASE("Stepping: what makes no sense is refused, and the run stays as it is") {
  Simulation s = spinning();
  CHECK_THROWS_AS(s.advance(1), std::logic_error);
  CHECK_THROWS_AS(s.input("pull.f"), std::out_of_range);  // an expression
  CHECK_THROWS_AS(s.input("nothing.u"), std::out_of_range);
  const Simulation v6(catalogue(), kModels + "loops/engine_v6.yaml");
  CHECK_THROWS_AS(v6.another(), std::logic_error);  // assemblies keep the branch of their start
  s.start();
  s.advance(1);
  CHECK_THROWS_AS(s.advance(0.5), std::invalid_argument);
  CHECK_THROWS_AS(s.advance(3.5), std::invalid_argument);
  CHECK_THROWS_AS(s.variable("body.m"), std::out_of_range);
  CHECK(s.time() == 1);
  s.advance(3);
  CHECK(s.time() == 3);
}

TEST_CASE("Stepping: a snapshot of another method or model is refused, and nothing changes") {
  const RunOptions options{.integrator = IntegratorChoice::automatic};
  Simulation s = spinning();
  s.start(options);
  s.advance(1);
  Simulation byIda = s.another();
  byIda.start({.integrator = IntegratorChoice::ida});
  byIda.advance(2);
  CHECK_THROWS_AS(s.restore(byIda.save()), std::invalid_argument);
  Simulation smaller(catalogue(), kModels + "elementary/double_pendulum.yaml");
  smaller.start(options);
  CHECK_THROWS_AS(s.restore(smaller.save()), std::invalid_argument);
  CHECK(s.time() == 1);
  s.advance(3);
  Simulation undisturbed = s.another();
  undisturbed.start(options);
  undisturbed.advance(1);
  undisturbed.advance(3);
  CHECK(same(s.y(), undisturbed.y()));
}

TEST_CASE("Stepping: runs of one model in threads give the bytes of one after the other") {
  const auto judge = [](Simulation& first) {
    const RunOptions options{.stopTime = std::min(1.0, first.source().simulation.stop)};
    Trajectory alone;
    first.run(alone, options);
    constexpr int kThreads = 3;
    std::vector<Simulation> simulations;
    for (int i = 0; i < kThreads; ++i) simulations.push_back(first.another());
    std::vector<Trajectory> rows(kThreads);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] { simulations[i].run(rows[i], options); });
    }
    for (std::thread& t : threads) t.join();
    for (const Trajectory& r : rows) {
      CHECK(same(r.time(), alone.time()));
      for (const Column& c : alone.columns()) CHECK(same(r[c.name], alone[c.name]));
    }
  };
  Simulation s = spinning();
  judge(s);
  for (const char* file : kFiles) {
    CAPTURE(file);
    Simulation model(catalogue(), kModels + file);
    judge(model);
  }
}
