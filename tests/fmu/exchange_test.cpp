// Model exchange against `cardan simulate`: the motion and the events of a model that this file's own
// method integrates.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/fmu/compared.h"
#include "tests/fmu/exchange_run.h"
#include "tests/fmu/models.h"

using namespace test;

#if __has_include("fmi3FunctionTypes.h")
namespace {

// Some thousand steps.
constexpr double kAlike = 1e-5;  // of a signal's size

const char* const kBall = R"YAML(
model: Ball
parameters: {e: 0.8}
variables: {h: {start: 1, fixed: true}, v: {start: 0, fixed: true}, bounces: {start: 0, type: Integer}}
equations: ["der(h) = v", "der(v) = -9.81"]
when: [{condition: "h < 0", reinit: {v: "-e*pre(v)"}, set: {bounces: "pre(bounces) + 1"}}]
simulation: {stop: 2.5, interval: 0.01, tolerance: 1e-10}
outputs: [h, v, bounces]
)YAML";

const char* const kSampled = R"YAML(
model: Sampled
variables: {x: {start: 1, fixed: true}, v: {start: 0, fixed: true}, u: {start: 0}}
equations: ["der(x) = v", "der(v) = -x + u + (if time > 0.55 then 0.3 else 0) + (if sin(7*time) > 0.5 then 0.1 else 0)"]
when: [{condition: "sample(0, 0.1)", set: {u: "-0.5*x - v"}}]
simulation: {stop: 3, interval: 0.01, tolerance: 1e-10}
outputs: [x, v, u]
)YAML";

const Case kCases[] = {{"pendulum", "elementary/pendulum.yaml", 3},
                       {"double pendulum", "elementary/double_pendulum.yaml", 2},
                       {"free body", "elementary/free_body.yaml", 2},
                       {"T-handle", "spinning/t_handle.yaml", 2},
                       {"four-bar", "loops/fourbar.yaml", 2},
                       {"governor", "loops/governor.yaml", 2},
                       {"engine V6", "loops/engine_v6.yaml", 0.1},
                       {"rolling coin", "loops/rolling_coin.yaml", 2},
                       {"ball", kBall, 2.5},
                       {"sampled", kSampled, 3},
                       {"stick-slip", kStickSlip, 4},
                       {"Geneva drive", "machines/geneva.yaml", 0.27},
                       {"rectifier", kRectifier, 0.1},
                       {"arm with controllers", "robots/arm6.yaml", 0.3},
                       {"cart with a pole", kCartPole, 2},
                       {"chain in Modelica", "modelica/chain.mo", 0.3}};

/// The run beside the rows of `cardan simulate`.
Difference difference(ExchangeRun& run, const Fmu& fmu, const cardan::ResultTable& rows) {
  Difference of(fmu, rows);
  for (size_t row = 0; row < rows.time.size(); ++row) {
    run.advance(rows.time[row]);
    of.look(run.slave, row, rows.time[row]);
  }
  return of;
}

std::vector<double> all(Slave& slave, const Fmu& fmu) {
  std::vector<double> values;
  REQUIRE(slave.get(fmu.outputs(), values) == kFmuOk);
  return values;
}

}  // namespace

TEST_CASE("FMU: model exchange has the motion and the events of cardan simulate") {
  if (!canExport()) return;
  int version = 2;
  for (const Case& c : kCases) {
    CAPTURE(c.name);
    version = 5 - version;
    const Folder folder;
    const auto fmu = exported(folder, c.model, version);
    REQUIRE(fmu->offersExchange);
    ExchangeRun run(*fmu, {0, c.stop, kTolerance});
    const auto rows = simulated(folder, c);
    const Difference found = difference(run, *fmu, rows);
    INFO(found.where);
    if (std::getenv("CARDAN_FIGURES"))
      MESSAGE(c.name << ": " << found.largest << " at " << found.where << ", " << run.steps
                     << " steps, " << run.events << " events, " << run.stepEvents << " asked for, "
                     << run.moved << " with other states");
    CHECK(found.largest <= kAlike);
    CHECK(run.begun == run.events - 1);  // behind the first there is nothing to begin anew
  }
}

TEST_CASE(
    "FMU: in model exchange inputs move as the importer likes, and conditions on them switch") {
  if (!canExport()) return;
  const Case c{"", R"YAML(
variables: {x: {start: 0.2, fixed: true}, y: {start: 0, fixed: true}, n: {start: 0, type: Integer}}
inputs: {u: {start: 0}}
equations: ["der(x) = if 2*u > 0.5 then 1 else u - x", "der(y) = x"]
when: [{condition: "u > 0.4", set: {n: "pre(n) + 1"}}]
simulation: {stop: 2, interval: 0.01, tolerance: 1e-10}
outputs: [x, y, n]
)YAML",
               2};
  const auto at = [](int i) { return 0.01 * std::round(60 * std::sin(2.1 * i)); };
  std::string table = "time,u\n";
  for (int i = 0; i <= 20; ++i)
    table += std::to_string(0.1 * i) + "," + std::to_string(at(i)) + "\n";
  for (const int version : {2, 3}) {
    const Folder folder;
    folder.write("u.csv", table);
    const auto fmu = exported(folder, c.model, version);
    ExchangeRun run(*fmu, {0, c.stop, kTolerance}, [&](Slave& slave, double t) {
      const int i = std::min(static_cast<int>(10 * t * (1 + 1e-15)), 19);
      CHECK(slave.set("u", at(i) + (10 * t - i) * (at(i + 1) - at(i))) == kFmuOk);
    });
    const auto rows = simulated(folder, c, "--input u.csv");
    const Difference found = difference(run, *fmu, rows);
    INFO(found.where);
    CHECK(found.largest <= kAlike);
    CHECK(run.slave["n"] > 3);
  }
}

TEST_CASE("FMU: what jumps from outside at an event is an event of the model") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu = exported(folder, kCartPole, version);
    double push = 1;
    ExchangeRun run(*fmu, {0, 2, kTolerance},
                    [&](Slave& slave, double) { CHECK(slave.set("push", push) == kFmuOk); });
    std::string table = "time,push,brake.force[1]\n";
    for (int i = 0; i < 20; ++i) {
      push = 0.25 * i - 2;
      run.handle([&](Slave& slave) {
        CHECK(slave.set("push", push) == kFmuOk);
        CHECK(slave.set("brake.force[1]", 0.125 * i) == kFmuOk);
      });
      CHECK(run.slave.set("brake.force[1]", 1) == kFmuError);  // between events
      table += std::to_string(0.1 * i) + "," + std::to_string(push) + "," +
               std::to_string(0.125 * i) + "\n";
      run.advance(0.1 * (i + 1));
    }
    folder.write("u.csv", table);
    const auto rows = simulated(folder, {"", kCartPole, 2}, "--input u.csv --hold-input");
    CHECK(run.slave["hinge.phi"] ==
          doctest::Approx(rows.find("hinge.phi")->back()).epsilon(kAlike));
  }
}

TEST_CASE("FMU: states and their derivatives are variables, alike in both interfaces") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu = exported(folder, kCartPole, version);
    CHECK(fmu->states == 4);
    Slave step(*fmu), exchange(*fmu, "", false, SlaveKind::exchange);
    for (Slave* s : {&step, &exchange}) CHECK(s->initialise({0, 2, 1e-9}) == kFmuOk);
    for (const char* name : {"rail.s", "der(rail.s)", "der(rail.v)", "der(hinge.w)", "rail.a"})
      CHECK(step[name] == doctest::Approx(exchange[name]).epsilon(1e-12));
    CHECK(exchange["der(rail.v)"] == doctest::Approx(exchange["rail.a"]).epsilon(1e-12));
    std::vector<double> x(4), k(4);
    CHECK(exchange.enterMotion() == kFmuOk);
    CHECK(exchange.states(x) == kFmuOk);
    CHECK(x[0] == exchange["rail.s"]);
    x = {0.3, -1, 0.5, 0.25};
    CHECK(exchange.setStates(x) == kFmuOk);
    CHECK(exchange["rail.s"] == 0.3);
    CHECK(exchange["hinge.phi"] == -1);
    CHECK(exchange.derivatives(k) == kFmuOk);
    CHECK(k[0] == exchange["der(rail.s)"]);
    CHECK(k[0] == exchange["rail.v"]);
    CHECK(k[2] == exchange["der(rail.v)"]);
    CHECK(k[2] == doctest::Approx(exchange["rail.a"]).epsilon(1e-12));
  }
}

TEST_CASE("FMU: free orientations change their coordinates at events that they ask for") {
  if (!canExport()) return;
  const Case c{"", R"YAML(
components:
  body: {type: Body, m: 1, r_CM: [0, 0, 0], I_11: 1, I_22: 2, I_33: 3, useQuaternions: false, w_0_fixed: true, w_0_start: [0.1, 3, 0.1], angles_fixed: true, r_0: {fixed: true}, v_0: {fixed: true}}
simulation: {stop: 5, interval: 0.05, tolerance: 1e-10}
outputs: [body.frame_a.R.T, body.w_a, body.r_0]
)YAML",
               5};
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu = exported(folder, c.model, version);
    ExchangeRun run(*fmu, {0, c.stop, kTolerance});
    const auto rows = simulated(folder, c);
    const Difference found = difference(run, *fmu, rows);
    INFO(found.where);
    CHECK(found.largest <= kAlike);
    CHECK(run.stepEvents > 2);
    CHECK(run.moved == run.stepEvents);
  }
}

TEST_CASE("FMU: in model exchange a state that is given back goes on bit for bit") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    for (const char* model : {kCartPole, kStickSlip, kBall, kSampled, "loops/rolling_coin.yaml",
                              "elementary/double_pendulum.yaml"}) {
      CAPTURE(model);
      const Folder folder;
      const auto fmu = exported(folder, model, version);
      const double h = 3 * fmu->interval;
      const Slave::Setup setup{0, fmu->stop, 1e-7};
      ExchangeRun run(*fmu, setup);
      run.advance(15 * h);
      void* state = nullptr;
      std::string bytes;
      CHECK(run.slave.getState(state) == kFmuOk);
      CHECK(run.slave.serialise(state, bytes) == kFmuOk);
      const ExchangeRun::Own own = run.own();
      const std::vector<double> here = all(run.slave, *fmu);
      run.advance(25 * h);
      const std::vector<double> end = all(run.slave, *fmu);
      CHECK(end != here);
      CHECK(run.slave.setState(state) == kFmuOk);
      CHECK(all(run.slave, *fmu) == here);
      run.goOnFrom(own);
      run.advance(25 * h);
      CHECK(all(run.slave, *fmu) == end);
      ExchangeRun second(*fmu, setup);
      void* read = nullptr;
      CHECK(second.slave.deserialise(bytes, read) == kFmuOk);
      CHECK(second.slave.setState(read) == kFmuOk);
      second.goOnFrom(own);
      second.advance(25 * h);
      CHECK(all(second.slave, *fmu) == end);
      Slave third(*fmu);  // of co-simulation
      read = nullptr;
      CHECK(third.deserialise(bytes, read) == kFmuOk);
      CHECK(third.setState(read) == kFmuError);
      CHECK(contains(third.log(), "the state is of another kind of instance"));
    }
  }
}

TEST_CASE("FMU: in model exchange a model that ends the simulation says so") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu = exported(folder,
                              "variables: {x: {start: 0, fixed: true}, n: {start: 0}}\n"
                              "equations: ['der(x) = 1']\n"
                              "when: [{condition: 'x > 0.55', terminate: far enough},\n"
                              "       {condition: 'terminal()', set: {n: 1}}]\n"
                              "simulation: {stop: 1, interval: 0.1}\noutputs: [x, n]\n",
                              version);
    ExchangeRun run(*fmu, {0, 1, 1e-9});
    run.advance(1);
    CHECK(run.slave.terminated);
    CHECK(run.time == doctest::Approx(0.55).epsilon(1e-9));
    CHECK(run.slave["n"] == 1);
    CHECK(contains(run.slave.log(), "far enough"));
    CHECK(run.slave.terminate() == kFmuOk);
    CHECK(run.slave["x"] == doctest::Approx(run.time).epsilon(1e-14));
  }
}

TEST_CASE(
    "FMU: points where nothing can be computed are to be discarded, and what was is there again") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu =
        exported(folder,
                 "variables: {x: {start: 1, fixed: true}}\nequations: ['der(x) = -1/sqrt(x)']\n"
                 "simulation: {stop: 0.5, interval: 0.1}\noutputs: [x]\n",
                 version);
    Slave slave(*fmu, "", true, SlaveKind::exchange);
    CHECK(slave.initialise({0, 0.5, 1e-9}) == kFmuOk);
    CHECK(slave.enterMotion() == kFmuOk);
    std::vector<double> k(1);
    CHECK(slave.derivatives(k) == kFmuOk);
    CHECK(k[0] == -1);
    CHECK(slave.setStates({-1}) == kFmuOk);
    CHECK(slave.derivatives(k) == kFmuDiscard);
    bool event = false;
    CHECK(slave.completeStep(event) == kFmuDiscard);
    CHECK(contains(slave.log(), "logStatusWarning: "));
    CHECK(slave.setStates({4}) == kFmuOk);
    CHECK(slave.derivatives(k) == kFmuOk);
    CHECK(k[0] == -0.5);
    CHECK(slave.setTime(0.1) == kFmuOk);
    CHECK(slave.completeStep(event) == kFmuOk);
    const auto tells = [&](int status, const std::string& text) {
      CHECK(status == kFmuError);
      CAPTURE(slave.log());
      CHECK(contains(slave.log(), text));
      slave.forget();
    };
    std::vector<double> two(2);
    tells(slave.setStates({NAN}), "states must be finite");
    tells(slave.setStates(two), "there are 1 states, found 2");
    tells(slave.derivatives(two), "there are 1 states, found 2");
    tells(slave.setTime(INFINITY), "the time must be finite");
    tells(slave.step(0.1, 0.1), "a step must not be called in continuous time");
    Slave::Update update;
    tells(slave.update(update), "must not be called in continuous time");
    CHECK(slave.derivatives(k) == kFmuOk);
    CHECK(k[0] == -0.5);
  }
}

TEST_CASE("FMU: a model without an explicit form offers co-simulation alone, and says why") {
  if (!canExport()) return;
  const Folder folder;
  const char* const delayed =
      "variables: {x: {start: 1, fixed: true}}\nequations: ['der(x) = -late.y']\n"
      "components: {late: {type: Blocks.FixedDelay, u: x, delayTime: 0.1}}\n"
      "simulation: {stop: 1}\noutputs: [x]\n";
  const char* const stepped =
      "variables: {x: {start: 1, fixed: true}}\nequations: ['der(x) = -x']\n"
      "simulation: {stop: 1, integrator: stepping, step: 0.01}\noutputs: [x]\n";
  for (const auto& [model, why] :
       {std::pair{delayed, "reads what a signal was"}, {stepped, "its steps have one length"}}) {
    const Process p =
        runCardan(folder, "export '" + folder.write("m.yaml", model) + "' -o m.fmu --no-page");
    CHECK(p.code == 0);
    CAPTURE(p.err);
    CHECK(contains(p.out + p.err, "no model exchange: "));
    CHECK(contains(p.out + p.err, why));
    for (const int version : {2, 3}) {
      const auto fmu = exported(folder, model, version);
      CHECK(!fmu->offersExchange);
      Slave none(*fmu, "", false, SlaveKind::exchange), slave(*fmu);
      CHECK(!none.instance());
      CHECK(contains(none.log(), why));
      const int initialised = slave.initialise({});
      CAPTURE(slave.log());
      CHECK(initialised == kFmuOk);
    }
  }
}
#endif
