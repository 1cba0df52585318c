// FMUs for model exchange as components: Cardan's own ones, without what they have for co-simulation, against
// closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "apps/cosimulation/zip_file.h"
#include "engine/results/result_table.h"
#include "tests/apps/process.h"

namespace test {
namespace {

using namespace cardan;

/// A ball that bounces, an integral of the input, a stiff state that follows a cosine, and a count of instants.
const char* const kPlant = R"YAML(
model: Plant
inputs: {u: {start: 0}}
variables:
  h: {start: 1, fixed: true}
  v: {start: 0, fixed: true}
  z: {start: 0, fixed: true}
  s: {start: 1, fixed: true}
  bounces: {start: 0, type: Integer}
  instants: {start: 0, type: Integer}
equations: ["der(h) = v", "der(v) = -9.81", "der(z) = u", "der(s) = -1e5*(s - cos(time))"]
when:
  - {condition: "h < 0", reinit: {v: "-0.8*pre(v)"}, set: {bounces: "pre(bounces) + 1"}}
  - {condition: "sample(0.1, 0.25)", set: {instants: "pre(instants) + 1"}}
outputs: [h, v, z, s, bounces, instants]
simulation: {stop: 1.5}
)YAML";

/// `plant.fmu` for model exchange alone. False: there is none without libzip.
bool exported(const Folder& folder, int version, const char* model = kPlant) {
  if (!ZipFile::whyNone().empty()) {
    MESSAGE("TEST SKIPPED: " << ZipFile::whyNone());
    return false;
  }
  folder.write("plant.yaml", model);
  const Process p =
      runCardan(folder, "export plant.yaml -o both.fmu --fmi " + std::to_string(version));
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const ZipArchive both(folder / "both.fmu");
  ZipFile alone;
  for (size_t i = 0; i < both.entries().size(); ++i) {
    std::string content;
    both.read(i, [&](std::string_view piece) { content += piece; });
    if (both.entries()[i].name == "modelDescription.xml") {
      const size_t begin = content.find("<CoSimulation"), end = content.find("/>", begin);
      REQUIRE(end != std::string::npos);
      content.erase(begin, end + 2 - begin);
    }
    if (!both.entries()[i].name.ends_with('/')) alone.add(both.entries()[i].name, content);
  }
  alone.write(folder / "plant.fmu");
  return true;
}

/// The ball's height at t: falls of which each has 0.8 of the speed of the one before.
double heightAt(double t) {
  const double g = 9.81;
  double from = std::sqrt(2 / g), speed = 0.8 * std::sqrt(2 * g);
  if (t < from) return 1 - g * t * t / 2;
  while (t > from + 2 * speed / g) {
    from += 2 * speed / g;
    speed *= 0.8;
  }
  return speed * (t - from) - g * (t - from) * (t - from) / 2;
}

}  // namespace

TEST_CASE("FMU: one for model exchange alone is integrated, with its events") {
  for (const int version : {2, 3}) {
    CAPTURE(version);
    const Folder folder;
    if (!exported(folder, version)) return;
    folder.write("m.yaml",
                 "model: M\ncomponents:\n"
                 "  f: {type: FMU, file: plant.fmu, interval: 0.05, u: \"sin(3*time)\"}\n"
                 "simulation: {stop: 1.5, interval: 0.05}\n"
                 "outputs: [f.h, f.z, f.s, f.bounces, f.instants]\n");
    const Process p = runCardan(folder, "simulate m.yaml -q --no-event-rows -o m.csv");
    CAPTURE(p.err);
    REQUIRE(p.code == 0);
    const ResultTable r = ResultTable::read(folder / "m.csv");
    REQUIRE(r.time.size() == 31);
    double z = 0;
    for (size_t k = 0; k < r.time.size(); ++k) {
      const double t = r.time[k];
      CAPTURE(t);
      const auto value = [&](const char* name) { return (*r.find(name))[k]; };
      // 1e-7 a step, some hundred of them; speeds turn an error in the instant of a bounce into one in h.
      CHECK(value("f.h") == doctest::Approx(heightAt(t)).epsilon(1e-5));
      CHECK(value("f.z") == doctest::Approx(z).epsilon(1e-9));
      CHECK(value("f.s") == doctest::Approx(std::cos(t)).epsilon(1e-4));
      CHECK(value("f.instants") == std::floor((t - 0.1) / 0.25 + 1 + 1e-9));
      z += 0.05 * std::sin(3 * t);  // inputs are held
    }
    CHECK(r.find("f.bounces")->back() == 2);
  }
}

TEST_CASE("FMU: one for model exchange whose conditions turn at once is integrated") {
  const Folder folder;
  const char* const turning =
      "model: Turning\ninputs: {u: {start: 0}}\n"
      "variables:\n  x: {start: 0, fixed: true}\n  y: {start: 0, fixed: true}\n"
      "  ofTime: \"if sin(7*time) <= 0 then 1 else 0\"\n"
      "  ofState: \"if x <= 0 then 1 else 0\"\n"
      "  flat: \"if y <= 0 then 1 else 0\"\n"
      "equations: [\"der(x) = 1 + u\", \"der(y) = time^2\"]\n"
      "outputs: [ofTime, ofState, flat]\nsimulation: {stop: 1}\n";
  if (!exported(folder, 3, turning)) return;
  folder.write("m.yaml",
               "model: M\ncomponents:\n"
               "  f: {type: FMU, file: plant.fmu, interval: 0.05, u: \"sin(3*time)\"}\n"
               "simulation: {stop: 1, interval: 0.05}\n"
               "outputs: [f.ofTime, f.ofState, f.flat]\n");
  const Process p = runCardan(folder, "simulate m.yaml -q --no-event-rows -o m.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const ResultTable r = ResultTable::read(folder / "m.csv");
  REQUIRE(r.time.size() == 21);
  for (size_t k = 0; k < r.time.size(); ++k) {
    const double t = r.time[k];
    CAPTURE(t);
    CHECK((*r.find("f.ofTime"))[k] == (std::sin(7 * t) <= 0));
    CHECK((*r.find("f.ofState"))[k] == (t <= 0));
    CHECK((*r.find("f.flat"))[k] == (t <= 0));
  }
}

TEST_CASE("FMU: a run with one for model exchange goes on from a saved state, bit for bit") {
  const Folder folder;
  if (!exported(folder, 3)) return;
  folder.write("m.yaml",
               "model: M\ncomponents:\n"
               "  f: {type: FMU, file: plant.fmu, interval: 0.05, u: \"sin(3*time)\"}\n"
               "simulation: {stop: 1.5, interval: 0.05}\noutputs: [f.h, f.z]\n");
  const Process p = shell(folder,
                          "$cardan simulate m.yaml -q -o all.csv &&"
                          "$cardan simulate m.yaml -q -o first.csv --save-state s --save-at 0.72 &&"
                          "$cardan simulate m.yaml -q -o rest.csv --start s");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const std::string all = folder.read("all.csv"), rest = folder.read("rest.csv");
  const std::string tail = rest.substr(rest.find('\n') + 1);
  CHECK(tail.size() > 1000);
  CHECK(all.ends_with(tail.substr(tail.find('\n') + 1)));
}

}  // namespace test
