// The same model gives the same bits: run again, in another locale, with other results recorded.
#include <doctest/doctest.h>

#include <clocale>
#include <locale>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/model_file/model_source.h"
#include "engine/result_metadata.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

/// A crank and rocker with a spring that engages beyond an angle: a loop, and events.
const char* const kRerunModel = R"(
parameters: {c: 12.5}
components:
  j1: {type: Revolute, phi: {start: 0.9, fixed: true}, w: {start: 2.5, fixed: true}}
  j2: {type: Revolute, phi: {start: -0.6}}
  j3: {type: Revolute, phi: {start: 1.1}}
  j4: {type: Revolute, phi: {start: 1.3}}
  crank:   {type: BodyBox, r: [0.25, 0, 0], width: 0.05}
  coupler: {type: BodyBox, r: [0.75, 0, 0], width: 0.05}
  rocker:  {type: BodyBox, r: [-0.5, 0, 0], width: 0.05}
  base:    {type: FixedTranslation, r: [0.75, 0, 0]}
  push:    {type: WorldForce, force: ["if j1.phi > 1.5 then -c*(j1.phi - 1.5) else 0", 0, 0]}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, crank.frame_a]
  - [crank.frame_b, j2.frame_a]
  - [j2.frame_b, coupler.frame_a]
  - [coupler.frame_b, j3.frame_a]
  - [j3.frame_b, rocker.frame_a]
  - [rocker.frame_b, j4.frame_b]
  - [base.frame_b, j4.frame_a]
  - [world.frame_b, base.frame_a]
  - [coupler.frame_b, push.frame_b]
simulation: {stop: 1.5, interval: 0.01}
)";

struct Result {
  Trajectory rows;
  std::string sidecar;
};

Result run(const std::vector<std::string>& outputs = {"j?.phi", "j1.w"}, double interval = 0.01) {
  Simulation s = Simulation::fromText(catalogue(), kRerunModel, "m.yaml", {"crank.width=0.0625"});
  RunOptions options;
  options.outputs = outputs;
  options.outputInterval = interval;
  Result result;
  ResultMetadata data;
  data.report = s.run(result.rows, options);
  // Times of the clock are no results.
  data.report.initialisationSeconds = data.report.integrationSeconds = 0;
  data.report.outputSeconds = 0;
  Diagnostics diagnostics;
  data.settings = RunSettings::of(s.source().simulation, options, diagnostics);
  data.columns = result.rows.columns();
  result.sidecar = formatMetadata(s, data);
  return result;
}

void checkSame(const Result& a, const Result& b) {
  CHECK(a.rows.time() == b.rows.time());
  REQUIRE(a.rows.columns().size() == b.rows.columns().size());
  for (const Column& c : a.rows.columns()) CHECK(a.rows[c.name] == b.rows[c.name]);
  CHECK(a.sidecar == b.sidecar);
}

/// Numbers as many countries write them: "1.234,5".
class Commas final : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST_CASE("rerun: the same bits, also of a second run of the same object") {
  const Result first = run();
  CHECK(first.rows.time().size() > 150);
  checkSame(run(), first);
  Simulation s = Simulation::fromText(catalogue(), kRerunModel, "m.yaml");
  Trajectory a, b;
  s.run(a);
  s.run(b);
  CHECK(a.time() == b.time());
  for (const Column& c : a.columns()) CHECK(a[c.name] == b[c.name]);
}

TEST_CASE("rerun: the same bits and texts in every locale") {
  const Result first = run();
  const std::locale before = std::locale::global(std::locale(std::locale(), new Commas));
  std::ostringstream proof;
  proof << 1234.5;
  CHECK(proof.str() == "1.234,5");
  const Result other = run();
  std::locale::global(before);
  checkSame(other, first);
  // The C library's, where one with commas is installed.
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"}) {
    if (!std::setlocale(LC_ALL, name)) continue;
    const Result third = run();
    std::setlocale(LC_ALL, "C");
    checkSame(third, first);
  }
}

TEST_CASE("rerun: a result does not depend on what else is recorded") {
  const Trajectory few = run({"j1.phi"}).rows, all = run({"**"}).rows;
  CHECK(few.time() == all.time());
  CHECK(few["j1.phi"] == all["j1.phi"]);
}

TEST_CASE("rerun: a result does not depend on how often it is recorded") {
  const Trajectory seldom = run({"j1.phi", "totalEnergy"}, 0.05).rows;
  const Trajectory often = run({"j1.phi", "totalEnergy"}, 0.01).rows;
  REQUIRE(seldom.time().size() < often.time().size());
  size_t k = 0;
  for (size_t i = 0; i < seldom.time().size(); ++i) {
    while (k < often.time().size() && often.time()[k] < seldom.time()[i]) ++k;
    REQUIRE(k < often.time().size());
    CHECK(often.time()[k] == seldom.time()[i]);
    CHECK(often["j1.phi"][k] == seldom["j1.phi"][i]);
    CHECK(often["totalEnergy"][k] == seldom["totalEnergy"][i]);
    if (k + 1 < often.time().size() && often.time()[k + 1] == often.time()[k]) ++k;  // an event
  }
}

TEST_CASE("rerun: who wants no grid gets the same rows at the start, at events and at the end") {
  struct Few final : RowSink {
    void begin(const std::vector<Column>& columns) override { kept.begin(columns); }
    void row(double time, std::span<const double> values) override { kept.row(time, values); }
    bool wantsGrid() const override { return false; }
    Trajectory kept;
  };
  const char* const jumping = R"(
components:
  j1: {type: Revolute, phi: {start: 0.9, fixed: true}, w: {start: 2.5, fixed: true}}
  box: {type: BodyBox, r: [0.25, 0, 0], width: 0.05}
  push: {type: WorldForce, force: ["if j1.phi < 0.5 then 12.5 else 0", 0, 0]}
connections:
  - [world.frame_b, j1.frame_a]
  - [j1.frame_b, box.frame_a]
  - [box.frame_b, push.frame_b]
simulation: {stop: 1.5, interval: 0.01}
)";
  for (const IntegratorChoice method : {IntegratorChoice::ida, IntegratorChoice::explicitMethod}) {
    CAPTURE(word(method));
    RunOptions options;
    options.outputs = {"j1.phi", "j1.a", "totalEnergy"};
    options.integrator = method;
    Simulation s = Simulation::fromText(catalogue(), jumping, "m.yaml");
    Trajectory all;
    Few sink;
    const RunReport whole = s.run(all, options), report = s.run(sink, options);
    const Trajectory& few = sink.kept;
    REQUIRE(report.events > 0);
    CHECK(report.events == whole.events);
    REQUIRE(few.time().size() == static_cast<size_t>(2 + 2 * report.events));
    for (size_t i = 0, k = 0; i < few.time().size(); ++i, ++k) {
      while (k + 1 < all.time().size() && all.time()[k] < few.time()[i]) ++k;
      CHECK(few.time()[i] == all.time()[k]);
      for (const Column& c : all.columns()) CHECK(few[c.name][i] == all[c.name][k]);
    }
  }
}
