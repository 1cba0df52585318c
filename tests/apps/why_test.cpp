// cardan simulate --why: what limits the steps, of a stiff model, a chattering one and a plain one.
#include <doctest/doctest.h>

#include <string>

#include "tests/apps/process.h"

using test::Folder;
using test::Process;

namespace {

/// What `--why` prints of a model.
std::string whyOf(const std::string& model, const std::string& options = "") {
  const Folder folder;
  folder.write("m.yaml", model);
  const Process p = test::runCardan(folder, "simulate -q m.yaml -o m.csv --why" + options);
  CHECK(p.code == 0);
  CHECK(p.out + p.err == [&] {
    const Process again =
        test::runCardan(folder, "simulate -q m.yaml -o again.csv --why" + options);
    return again.out + again.err;
  }());
  // Who looks on changes nothing.
  test::runCardan(folder, "simulate -q m.yaml -o plain.csv" + options);
  CHECK(folder.read("m.csv") == folder.read("plain.csv"));
  return p.out + p.err;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kStiffModel = R"yaml(
variables: {x: {start: 0, fixed: true}, y: {start: 0, fixed: true}}
equations: ["der(x) = -10000*(x - cos(y))", "der(y) = x"]
simulation: {stop: 10}
)yaml";

}  // namespace

TEST_CASE("simulate --why: a decay of 0.1 ms is found, and called stiff") {
  const std::string ida = whyOf(kStiffModel);
  CAPTURE(ida);
  CHECK(says(ida, "the step is set by\n"));
  CHECK(says(ida, "%  the error of 'x'\n"));
  CHECK(says(ida, "the fastest motion decays within 0.0001 s (1/e), most of it in 'x'\n"));
  CHECK(says(ida, ": the equations are stiff\n"));
  CHECK(says(ida, "  - the fast decay of 'x' is stepped over: keep '--integrator ida'\n"));
  const std::string stepped = whyOf(kStiffModel, " --integrator explicit");
  CAPTURE(stepped);
  CHECK(says(stepped, "within 0.0001 s (1/e), most of it in 'x'\n"));
  CHECK(says(stepped,
             "  - the fast decay of 'x' keeps explicit steps short: '--integrator ida' steps over "
             "it\n"));
}

TEST_CASE("simulate --why: a switch that goes to and fro is named with its events") {
  // Between -1 and 1 mm at 1 m/s: from 49 ms on a turn of `on` every 2 ms.
  const std::string text = whyOf(R"yaml(
variables: {x: {start: 0.05, fixed: true}, on: "x > 1e-3 or pre(on) and x > -1e-3"}
equations: ["der(x) = if on then -1 else 1"]
simulation: {stop: 1}
)yaml");
  CAPTURE(text);
  CHECK(says(text, "an event inside the step\n"));
  CHECK(says(text, "     475  'on' from 0.051 to 0.999 s, at least 0.002 s apart: it chatters\n"));
  CHECK(says(text, "  - 'on' switches to and fro: give it a hysteresis"));
}

TEST_CASE("simulate --why: a pendulum is not stiff, its angular velocity sets the step") {
  const std::string text = whyOf(R"yaml(
components:
  rev:  {type: Revolute, phi: {start: 1e-3, fixed: true}, w: {fixed: true}}
  body: {type: PointMass, m: 1}
  rod:  {type: FixedTranslation, r: [0, -0.2485, 0]}
connections: [[world.frame_b, rev.frame_a], [rev.frame_b, rod.frame_a], [rod.frame_b, body.frame_a]]
simulation: {stop: 10}
)yaml");
  CAPTURE(text);
  CHECK(says(text, "%  the error of 'rev.w'\n"));
  // sqrt(g/L)/(2 pi) = 0.99982 Hz.
  CHECK(says(text, "the fastest motion turns with 1 Hz, most of it in 'rev."));
  CHECK(says(text, "the equations are not stiff\n"));
  CHECK(!says(text, "events\n"));
  CHECK(
      says(text, "  - the error of 'rev.w' sets the step: a larger --tolerance makes it longer\n"));
}

TEST_CASE("simulate --why: a condition that is dear to look for is named by its text and place") {
  // It never holds, but time alone does not tell.
  const std::string text = whyOf(R"yaml(
variables: {v: {start: 1, fixed: true}}
equations: ["der(v) = if sin(3*time) > 2 then 1 else -v"]
simulation: {stop: 3}
)yaml");
  CAPTURE(text);
  CHECK(says(text, "the search for events took "));
  CHECK(says(text, " %  'sin(3*time) > 2' at m.yaml:3:38\n"));
  CHECK(!says(whyOf(kStiffModel), "the search for events"));
}

TEST_CASE("simulate --why: a run that fails is explained, too") {
  const Folder folder;
  folder.write("m.yaml", R"yaml(
variables: {h: {start: 1, fixed: true}, v: {start: 0, fixed: true}}
equations: ["der(h) = v", "der(v) = -9.81"]
when: [{condition: "h < 0", reinit: {v: "-0.8*pre(v)"}}]
simulation: {stop: 10}
)yaml");
  const Process p = test::runCardan(folder, "simulate -q m.yaml -o m.csv --why");
  CHECK(p.code == 1);
  CAPTURE(p.err);
  CHECK(says(p.out + p.err, "'when h < 0' from 0.451524 to 4.0"));
}

TEST_CASE("simulate --why: steps of one length are that long because they are told to be") {
  const std::string text = whyOf(kStiffModel, " --integrator stepping --step 1e-2");
  CAPTURE(text);
  CHECK(says(text, "%  its length, which is given\n"));
  CHECK(says(text, "  - steps have the length of --step: half of it halves the error"));
  CHECK(!says(text, "--maximum-step"));
  CHECK(!says(text, "--integrator"));
}
