// cardan compare and cardan regress, as the user runs them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/apps/process.h"

using test::contains;
using test::Folder;
using test::Process;
using test::runCardan;
using Json = nlohmann::json;

namespace {

const char* const kReference = "time,x,y[1],y[2]\n0,0,1,0\n1,1,2,0\n2,4,3,0\n";

std::string pendulum(const std::string& more = "") {
  return "model: Pendulum\n"
         "components:\n"
         "  revolute: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {fixed: true}}\n"
         "  body:     {type: Body, m: 1, r_CM: [1, 0, 0]}\n"
         "connections:\n"
         "  - [world.frame_b, revolute.frame_a]\n"
         "  - [revolute.frame_b, body.frame_a]\n"
         "simulation: {stop: 1, interval: 0.002}\n" +
         more;
}

/// The line of `text` that holds `part`.
std::string lineWith(const std::string& text, const std::string& part) {
  const size_t at = text.find(part);
  if (at == text.npos) return "";
  const size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
  return text.substr(begin, text.find('\n', at) - begin);
}

void makeFolder(const Folder& folder, const std::string& name) {
  std::filesystem::create_directories(folder / name);
}

}  // namespace

TEST_CASE("cardan compare: equal is 0, different 1, unusable 2") {
  const Folder folder;
  folder.write("ref.csv", kReference);
  folder.write("same.csv", "\"time\";\"x\";\"y[1]\";\"y[2]\"\r\n0;0;1;0\r\n1;1;2;0\r\n2;4;3;0\r\n");
  folder.write("other.csv", "time,x,y[1],y[2]\n0,0,1,0\n1,1.5,2,0\n2,4,3,0\n");
  folder.write("few.csv", "time,x\n0,0\n1,1\n2,4\n");
  folder.write("short.csv", "time,x,y[1],y[2]\n0,0,1,0\n1,1,2,0\n1.5,1,2,0\n");
  folder.write("none.csv", "no result\n");

  Process p = runCardan(folder, "compare same.csv ref.csv");
  CHECK(p.code == 0);
  CHECK(contains(p.out, "equal: 3 of 3 signals inside the tube"));
  CHECK(p.err.empty());

  folder.write("twice.csv", "time,x,y[1],y[2],x\n0,0,1,0,5\n1,1,2,0,5\n2,4,3,0,5\n");
  for (const char* files : {"twice.csv ref.csv", "ref.csv twice.csv"}) {
    p = runCardan(folder, std::string("compare ") + files);
    CHECK(p.code == 2);
    CHECK(p.err == "twice.csv:1: error: 'x' is the name of several columns\n");
  }

  p = runCardan(folder, "compare other.csv ref.csv");
  CHECK(p.code == 1);
  CHECK(lineWith(p.out, "FAIL  x").ends_with("outside of the tube from time = 1 s on"));
  // 0.5 of a range of 4, less the slope 3 within the width 4e-4.
  CHECK(contains(lineWith(p.out, "FAIL  x"), "0.125"));
  CHECK(contains(p.out, "different: 2 of 3 signals inside the tube"));
  CHECK(runCardan(folder, "compare other.csv ref.csv --tolerance 0.13").code == 0);
  CHECK(runCardan(folder, "compare other.csv ref.csv --until 0.5").code == 0);
  CHECK(runCardan(folder, "compare other.csv ref.csv --signals 'y*'").code == 0);
  CHECK(runCardan(folder, "compare other.csv ref.csv --signals 'y[1],y[2]'").code == 0);
  CHECK(runCardan(folder, "compare other.csv ref.csv --signals 'y[1]' --signals x").code == 1);
  p = runCardan(folder, "compare other.csv ref.csv -q");
  CHECK_FALSE(contains(p.out, "y[1]"));

  p = runCardan(folder, "compare few.csv ref.csv");
  CHECK(p.code == 2);
  CHECK(lineWith(p.out, "FAIL  y[2]").ends_with("missing in the result"));
  CHECK(runCardan(folder, "compare few.csv ref.csv --signals x").code == 0);
  p = runCardan(folder, "compare few.csv ref.csv --signals z");
  CHECK(p.code == 2);
  CHECK(lineWith(p.out, "FAIL  z").ends_with("missing in the reference"));

  p = runCardan(folder, "compare short.csv ref.csv");
  CHECK(p.code == 1);
  CHECK(contains(p.out, "the result covers 0 s to 1.5 s, the reference 0 s to 2 s"));

  p = runCardan(folder, "compare none.csv ref.csv");
  CHECK(p.code == 2);
  CHECK(p.err ==
        "none.csv:1: error: a CSV file of results must have a time and further columns, found 'no "
        "result'\n");
  p = runCardan(folder, "compare nowhere.csv ref.csv");
  CHECK(p.code == 2);
  CHECK(p.err == "nowhere.csv: error: cannot read the file: No such file or directory\n");
  CHECK(runCardan(folder, "compare same.csv").code == 2);
  CHECK(runCardan(folder, "compare same.csv ref.csv --tolerance -1").code == 2);
}

TEST_CASE("cardan compare: a result that shows too little is not comparable, the gap is named") {
  const Folder folder;
  std::string reference = "time,x,y\n", gap = reference, two = reference;
  for (int i = 0; i <= 100; ++i) {
    const std::string row = fmt::format("{},{},1\n", i / 100.0, std::sin(6 * i / 100.0));
    reference += row;
    if (i <= 30 || i >= 70) gap += row;
    if (i % 100 == 0) two += row;
  }
  folder.write("ref.csv", reference);
  folder.write("gap.csv", gap);
  folder.write("two.csv", two);
  CHECK(runCardan(folder, "compare ref.csv ref.csv").code == 0);
  Process p = runCardan(folder, "compare gap.csv ref.csv");
  CHECK(p.code == 1);
  CHECK(contains(p.out, "the result has no rows between 0.3 s and 0.7 s, the reference has 39"));
  CHECK(contains(p.out, "not comparable: 0 of 2 signals inside"));
  p = runCardan(folder, "compare two.csv ref.csv --json");
  CHECK(p.code == 1);
  CHECK(Json::parse(p.out)["signals"][1]["verdict"] == "gap");
  CHECK(Json::parse(p.out)["signals"][1]["gap"]["stopTime"] == 1);
  CHECK(runCardan(folder, "compare gap.csv ref.csv --longest-gap 0.4 --signals y").code == 0);
  CHECK(runCardan(folder, "compare gap.csv ref.csv --until 0.3").code == 0);
  for (const char* wrong : {"--signals ''", "--signals ,", "--signals '!*'", "--until 0",
                            "--longest-gap 0", "--longest-gap nan", "--floor -1"}) {
    CAPTURE(wrong);
    p = runCardan(folder, "compare ref.csv ref.csv " + std::string(wrong));
    CHECK(p.code == 2);
    CHECK_FALSE(p.err.empty());
  }
  p = runCardan(folder, "compare ref.csv ref.csv --signals '!y'");
  CHECK(p.code == 0);
  CHECK(contains(p.out, "1 of 1 signals"));
}

TEST_CASE("cardan compare --signals: * stays within one name, ** crosses dots") {
  const Folder folder;
  folder.write("ref.csv", "time,a.x,a.b.x\n0,0,0\n1,0,0\n");
  auto compared = [&](const std::string& pattern) {
    return Json::parse(
               runCardan(folder, "compare ref.csv ref.csv --json --signals '" + pattern + "'")
                   .out)["signals"]
        .size();
  };
  CHECK(compared("a.*") == 1);
  CHECK(compared("*.x") == 1);
  CHECK(compared("a.**") == 2);
  CHECK(compared("**,!a.x") == 1);
}

TEST_CASE("cardan compare --json: every signal with its verdict") {
  const Folder folder;
  folder.write("ref.csv", kReference);
  folder.write("other.csv", "time,x,y[1]\n0,0,1\n1,1.5,2\n2,4,3\n");
  const Process p = runCardan(folder, "compare other.csv ref.csv --json");
  CHECK(p.code == 2);
  const Json j = Json::parse(p.out);
  CHECK(j["equal"] == false);
  CHECK(j["signals"].size() == 3);
  CHECK(j["signals"][0]["verdict"] == "outside");
  CHECK(j["signals"][0]["exitTime"] == 1);
  CHECK(j["signals"][1]["pass"] == true);
  CHECK(j["signals"][2]["verdict"] == "missingResult");
}

TEST_CASE("cardan regress: --update writes references that then pass") {
  const Folder folder;
  makeFolder(folder, "models/deep");
  folder.write("models/p.yaml", pendulum());
  folder.write("models/deep/q.yaml", pendulum("outputs: [body.r_0]\n"));
  folder.write("models/deep/parts.yaml", "submodels: {S: {components: {b: {type: Body}}}}\n");

  Process p = runCardan(folder, "regress models");
  CHECK(p.code == 1);
  CHECK(lineWith(p.out, "error  p")
            .ends_with("no reference 'models/reference/p.csv' (--update writes it)"));
  p = runCardan(folder, "regress models --update");
  CHECK(p.code == 0);
  CHECK(contains(p.out, "2 of 2 references written"));
  CHECK(folder.has("models/deep/reference/q.csv"));
  p = runCardan(folder, "regress models");
  CHECK(p.code == 0);
  CHECK(p.err.empty());
  CHECK(lineWith(p.out, "deep/q").starts_with("pass   deep/q  margin "));
  CHECK(contains(p.out, "2 of 2 models pass; worst margin "));
  CHECK(runCardan(folder, "regress models/p.yaml --own").code == 0);
  CHECK(runCardan(folder, "regress models/p.yaml --tolerance 1e-6 -q").code == 0);
  CHECK(runCardan(folder, "regress").code == 0);  // the current folder

  // Half the gravity moves it.
  folder.write("models/p.yaml", "world: {g: 4.9}\n" + pendulum());
  p = runCardan(folder, "regress models");
  CHECK(p.code == 1);
  CHECK(lineWith(p.out, "FAIL   p")
            .find("2 of 2 signals fail: revolute.phi outside of the tube "
                  "from time = ") != std::string::npos);
  CHECK(contains(p.out, "1 of 2 models pass, 1 differ"));
  CHECK(runCardan(folder, "regress models --until 0.005").code == 0);
}

TEST_CASE("cardan regress: one model that cannot run does not keep the others from running") {
  const Folder folder;
  folder.write("a.yaml", pendulum());
  folder.write("b.yaml", pendulum("variables: {bad: sqrt(0.55 - time)}\noutputs: [bad]\n"));
  folder.write("c.yaml", pendulum("  j: {typ: Revolute}\n"));
  folder.write("d.yaml", pendulum());
  folder.write("e.yaml", pendulum());
  folder.write("f.yaml", pendulum());
  REQUIRE(runCardan(folder, "regress a.yaml --update").code == 0);
  folder.write("reference/b.csv", "time,bad\n0,0.74\n1,0\n");
  for (const char* name : {"c", "d", "f"}) {
    folder.write(std::string("reference/") + name + ".csv", folder.read("reference/a.csv"));
  }
  folder.write("reference/d.csv", "time,revolute.phi,revolute.psi\n0,0.3,0\n1,0.3,0\n");
  folder.write("reference/e.csv", "nonsense\n");

  const Process p = runCardan(folder, "regress . nowhere.yaml --jobs 3");
  CHECK(p.code == 2);
  CHECK(p.err == "error: no file or folder 'nowhere.yaml'\n");
  CHECK(lineWith(p.out, "pass   a") != "");
  CHECK(contains(lineWith(p.out, "error  b"), "the simulation stops at time = 0."));
  CHECK(contains(lineWith(p.out, "error  c"), "c.yaml:"));
  CHECK(lineWith(p.out, "error  d")
            .ends_with("2 of 2 signals fail: revolute.psi missing in the result"));
  CHECK(contains(lineWith(p.out, "error  e"), "reference/e.csv:1: error: a CSV file"));
  CHECK(lineWith(p.out, "pass   f") != "");
  CHECK(contains(p.out, "2 of 6 models pass, 4 cannot be run or compared"));
  // One line each and the summary.
  CHECK(std::count(p.out.begin(), p.out.end(), '\n') == 7);

  const Json j = Json::parse(runCardan(folder, "regress . --json").out);
  CHECK(j["summary"]["passed"] == 2);
  CHECK(j["summary"]["errors"] == 4);
  CHECK(j["models"][0]["proof"]["tolerance"] == doctest::Approx(1e-9));
  CHECK(j["models"][0]["own"]["steps"] > 10);
}

TEST_CASE("cardan regress: a model that takes too long is stopped") {
  const Folder folder;
  folder.write("a.yaml", pendulum());
  REQUIRE(runCardan(folder, "regress a.yaml --update").code == 0);
  std::string endless = pendulum();
  endless.replace(endless.find("stop: 1,"), 8, "stop: 1e5,");
  folder.write("b.yaml", endless);
  folder.write("reference/b.csv", folder.read("reference/a.csv"));
  const Process p = runCardan(folder, "regress . --time-limit 2");
  CHECK(p.code == 1);
  CHECK(lineWith(p.out, "pass   a") != "");
  CHECK(lineWith(p.out, "error  b").ends_with("stopped after 2 s (--time-limit)"));
}

TEST_CASE("cardan regress: a pipe that nobody fills is a model that takes too long") {
  const Folder folder;
  const Process p = test::shell(folder, "mkfifo m.yaml\n$cardan regress m.yaml --time-limit 1\n");
  CHECK(p.code == 1);
  CHECK(lineWith(p.out, "error  m").ends_with("stopped after 1 s (--time-limit)"));
}

TEST_CASE("cardan regress --update: no reference that two models would write") {
  const Folder folder;
  makeFolder(folder, "a");
  makeFolder(folder, "b");
  folder.write("a/p.yaml", pendulum());
  folder.write("b/p.yaml", "world: {g: 1.6}\n" + pendulum());
  folder.write("b/q.yaml", pendulum());
  const Process p = runCardan(folder, "regress a b --update --references .");
  CHECK(p.code == 1);
  CHECK(contains(p.out, "no reference written: './p.csv' would be that of another model, too"));
  CHECK_FALSE(folder.has("p.csv"));
  CHECK(folder.has("q.csv"));
}

TEST_CASE("cardan regress --update: what long steps pass over is in the reference, or none is") {
  // A force of 10 N for about 1/20 s after seconds of rest: v = 10 N * 0.05 s * sqrt(pi) / 1 kg.
  const Folder folder;
  folder.write("pulse.yaml", R"yaml(
components:
  p: {type: Prismatic, useAxisFlange: true, s: {fixed: true}, v: {fixed: true}}
  m: {type: Body, m: 1}
  f: {type: Translational.Force, f: "10*exp(-((time - 7.3)/0.05)^2)"}
world: {n: [0, -1, 0]}
connections: [[world.frame_b, p.frame_a], [p.frame_b, m.frame_a], [f.flange, p.axis]]
simulation: {stop: 10, interval: 0.05, tolerance: 1e-6}
outputs: [p.v]
)yaml");
  const Process p = runCardan(folder, "regress pulse.yaml --update");
  const std::string written = folder.has("reference/pulse.csv")
                                  ? folder.read("reference/pulse.csv")
                                  : std::string("\n10,0.88622692545\n");
  const double v = std::stod(written.substr(written.rfind(',') + 1));
  CHECK(v == doctest::Approx(0.5 * std::sqrt(std::acos(-1.0))).epsilon(1e-6));
  CHECK(p.code == (folder.has("reference/pulse.csv") ? 0 : 1));
}

TEST_CASE("cardan regress: a model whose process crashes is one line") {
  const Folder folder;
  folder.write("a.yaml", pendulum());
  REQUIRE(runCardan(folder, "regress a.yaml --update").code == 0);
  std::string endless = pendulum();
  endless.replace(endless.find("stop: 1,"), 8, "stop: 1e5,");
  folder.write("b.yaml", endless);
  folder.write("reference/b.csv", folder.read("reference/a.csv"));
  // The first child is soon done with a.yaml; whoever is left after three seconds is b.yaml's.
  const std::string script =
      "cd '" + (folder / "") + "' && { '" CARDAN_BINARY "' regress a.yaml b.yaml --jobs 1 " +
      ">out.txt & p=$!; sleep 3; kill -KILL $(cat /proc/$p/task/$p/children); wait $p; }";
  if (!std::filesystem::exists("/proc/self/task")) {
    MESSAGE("TEST SKIPPED: children are found through /proc");
    return;
  }
  const int status = std::system(script.c_str());
  CHECK(WEXITSTATUS(status) == 1);
  const std::string out = folder.read("out.txt");
  CHECK(lineWith(out, "pass   a") != "");
  CHECK(lineWith(out, "error  b").find("crashed with signal 9 (Killed)") != std::string::npos);
}

TEST_CASE("cardan regress --references: flat, and a folder for every part of the name") {
  const Folder folder;
  makeFolder(folder, "models");
  makeFolder(folder, "flat");
  makeFolder(folder, "published/Library/Examples/Swing");
  std::string model = pendulum("outputs: [revolute.phi, revolute.w]\n");
  model.replace(0, 15, "model: Library.Examples.Swing");
  folder.write("models/swing.yaml", model);
  REQUIRE(runCardan(folder, "regress models --update --references flat").code == 0);
  REQUIRE(folder.has("flat/swing.csv"));
  CHECK(runCardan(folder, "regress models --references flat").code == 0);

  const std::string published = "published/Library/Examples/Swing/";
  std::string wrong = folder.read("flat/swing.csv");
  folder.write(published + "Swing.csv", wrong);
  CHECK(runCardan(folder, "regress models --references published").code == 0);
  // The last velocity is wrong; as long as it is not among the signals to compare, no matter.
  wrong = wrong.substr(0, wrong.rfind(',')) + ",77\n";
  folder.write(published + "Swing.csv", wrong);
  CHECK(runCardan(folder, "regress models --references published").code == 1);
  folder.write(published + "comparisonSignals.txt", "time\r\nrevolute.phi\r\n");
  CHECK(runCardan(folder, "regress models --references published").code == 0);
  const Process p = runCardan(folder, "regress models --references nowhere");
  CHECK(p.code == 2);
  CHECK(p.err == "error: --references 'nowhere' is no folder\n");
}

TEST_CASE(
    "cardan regress: corpus.csv says until when, which signals, and what others have needed") {
  const Folder folder;
  makeFolder(folder, "models");
  folder.write("models/p.yaml", pendulum("outputs: [revolute.phi, revolute.w]\n"));
  REQUIRE(runCardan(folder, "regress models --update").code == 0);
  std::string wrong = folder.read("models/reference/p.csv");
  folder.write("models/reference/p.csv", wrong.substr(0, wrong.rfind(',')) + ",77\n");
  CHECK(runCardan(folder, "regress models").code == 1);

  const std::string header =
      "model,note,compare_until,tolerance,quarantined_signals,dymola_steps,dymola_residual_evals\n";
  folder.write("corpus.csv", header + "Pendulum,\"one, two\",0.9,1e-6,,123,456\n");
  Process p = runCardan(folder, "regress models --table table.md");
  CHECK(p.code == 0);
  const std::string row = lineWith(folder.read("table.md"), "| p |");
  CHECK(row.starts_with("| p | pass | "));
  CHECK(contains(row, " | 123 | 456 |"));
  CHECK(contains(folder.read("table.md"), "1 of 1 models agree"));
  p = runCardan(folder, "regress models --json");
  CHECK(Json::parse(p.out)["models"][0]["own"]["tolerance"] == doctest::Approx(1e-6));

  folder.write("corpus.csv", header + "p,,,,revolute.w,,\n");
  CHECK(runCardan(folder, "regress models").code == 0);
}

TEST_CASE("cardan regress --update: no reference of a motion that the tolerance decides") {
  const Folder folder;
  // A chain of three that swings round: nearby motions part by a factor of about e in each swing.
  std::string model =
      "model: Chaos\ncomponents:\n"
      "  j1: {type: Revolute, phi: {start: 3, fixed: true}, w: {fixed: true}}\n"
      "  j2: {type: Revolute, phi: {start: 0.1, fixed: true}, w: {fixed: true}}\n"
      "  j3: {type: Revolute, phi: {start: 0.1, fixed: true}, w: {fixed: true}}\n"
      "  b1: {type: BodyBox, r: [0.3, 0, 0]}\n"
      "  b2: {type: BodyBox, r: [0.3, 0, 0]}\n"
      "  b3: {type: BodyBox, r: [0.3, 0, 0]}\n"
      "connections:\n"
      "  - [world.frame_b, j1.frame_a]\n  - [j1.frame_b, b1.frame_a]\n"
      "  - [b1.frame_b, j2.frame_a]\n  - [j2.frame_b, b2.frame_a]\n"
      "  - [b2.frame_b, j3.frame_a]\n  - [j3.frame_b, b3.frame_a]\n"
      "world: {n: [1, 0, 0]}\n"
      "simulation: {stop: 40, interval: 0.05, tolerance: 1e-6}\n"
      "outputs: [j3.phi]\n";
  folder.write("chaos.yaml", model);
  const Process p = runCardan(folder, "regress chaos.yaml --update");
  CHECK(p.code == 1);
  CHECK(contains(p.out, "no reference written: two runs with the tolerances 1e-09 and 1e-10"));
  CHECK_FALSE(folder.has("reference/chaos.csv"));
}

TEST_CASE("cardan regress: the models that ship agree with their references") {
  const Folder folder;
  const Process p = runCardan(folder, "regress '" CARDAN_SOURCE_DIR "/models' -q");
  INFO(p.out);
  CHECK(p.code == 0);
  CHECK(p.err.empty());
}

TEST_CASE("cardan regress: what is stepped is proven with half the step") {
  const Folder folder;
  const auto stepped = [&](const char* step) {
    std::string text = pendulum();
    text.insert(text.find("stop: 1"), fmt::format("integrator: stepping, step: {}, ", step));
    folder.write("s.yaml", text);
  };
  stepped("1e-2");
  Process p = runCardan(folder, "regress s.yaml --update");
  CHECK(p.code == 1);
  CHECK(contains(p.out, "two runs with steps of 0.01 and 0.005 s must agree to 0.1 of the tube"));
  CHECK(contains(p.out, "take a shorter step"));
  stepped("1e-4");
  CHECK(runCardan(folder, "regress s.yaml --update").code == 0);
  CHECK(runCardan(folder, "regress s.yaml").code == 0);
  p = runCardan(folder, "regress s.yaml --json");
  const Json own = Json::parse(p.out)["models"][0];
  CHECK(own["own"]["step"] == 1e-4);
  CHECK(own["proof"]["step"] == 5e-5);
  CHECK(own["proof"]["steps"] == 2 * own["own"]["steps"].get<int>());
  // A reference of the motion itself: the step is too long, and the line says so.
  folder.write("p.yaml", pendulum());
  CHECK(runCardan(folder, "regress p.yaml --update").code == 0);
  p = runCardan(folder, "regress p.yaml --integrator stepping");
  CHECK(p.code == 1);
  CHECK(lineWith(p.out, "error  p").find("the integrator 'stepping' needs a 'step' [s]") !=
        std::string::npos);
  CHECK(runCardan(folder, "regress p.yaml --integrator stepping --step 1e-4").code == 0);
  CHECK(contains(runCardan(folder, "regress p.yaml --step 1e-4").out,
                 "a step is for the integrator 'stepping' alone"));
}
