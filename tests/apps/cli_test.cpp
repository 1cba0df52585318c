#include <doctest/doctest.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/apps/process.h"

using test::contains;
using test::Folder;
using test::Process;
using test::runCardan;

namespace {

const char* const kCliPendulum = R"(
model: Pendulum
description: "A rod"
components:
  revolute: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {fixed: true}}
  body:     {type: Body, m: 1, r_CM: [1, 0, 0]}
connections:
  - [world.frame_b, revolute.frame_a]
  - [revolute.frame_b, body.frame_a]
simulation: {stop: 1, interval: 0.1}
)";

/// The same with a result that is a square root of a negative number after 0.5 s.
std::string failing() {
  return std::string(kCliPendulum) + "variables: {bad: sqrt(0.55 - time)}\n";
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + 1) {
    parts.push_back(text.substr(begin, end - begin));
  }
  if (begin < text.size()) parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace

TEST_CASE("cardan --version: name and version on stdout") {
  const Process p = runCardan(Folder(), "--version");
  CHECK(p.code == 0);
  CHECK(p.out.starts_with("cardan 0."));
  CHECK(p.err.empty());
}

TEST_CASE("cardan --help: names the commands, also for every command") {
  const Folder folder;
  const Process p = runCardan(folder, "--help");
  CHECK(p.code == 0);
  CHECK(p.err.empty());
  for (const char* command : {"simulate", "check", "components", "compare", "regress"}) {
    CHECK(contains(p.out, command));
    const Process help = runCardan(folder, std::string(command) + " --help");
    CHECK(help.code == 0);
    CHECK(contains(help.out, "Examples:"));
  }
}

TEST_CASE("cardan: a wrong command line is exit code 2, with the name that is close") {
  const Folder folder;
  const std::string model = folder.write("p.yaml", kCliPendulum);
  Process p = runCardan(folder, "simulat p.yaml");
  CHECK(p.code == 2);
  CHECK(contains(p.err, "error: unknown command 'simulat'; did you mean 'simulate'?"));
  p = runCardan(folder, "simulate p.yaml --stop-tim 2");
  CHECK(p.code == 2);
  CHECK(contains(p.err, "unknown option '--stop-tim'; did you mean '--stop-time'?"));
  p = runCardan(folder, "simulate -- p.yaml -o z.csv");
  CHECK(p.code == 2);
  CHECK(contains(p.err, "error: unexpected argument '-o': behind -- are files, not options"));
  for (const char* command :
       {"simulate", "animate", "linearize", "equilibrium", "inverse --motion p.csv",
        "sensitivities -p L", "export", "fit", "optimize", "sweep", "schema", "plot"}) {
    CAPTURE(command);
    p = runCardan(folder, std::string(command) + " p.yaml -o ''");
    CHECK(p.code == 2);
    CHECK(contains(p.err, ": a file must have a name, found ''"));
  }
  p = runCardan(folder, "simulate p.yaml --tolerance big");
  CHECK(p.code == 2);
  p = runCardan(folder, "simulate p.yaml --stop-time nan");
  CHECK(p.code == 2);
  p = runCardan(folder, "simulate");
  CHECK(p.code == 2);
  CHECK(contains(p.err, "MODEL"));
  p = runCardan(folder, "");
  CHECK(p.code == 2);
  CHECK(p.out.empty());
  p = runCardan(folder, "simulate p.yaml --stop-time -1");
  CHECK(p.code == 2);
  CHECK(contains(p.err, "the stop time must not be before the start time"));
  p = runCardan(folder, "simulate p.yaml -o ./p.yaml");
  CHECK(p.code == 2);
  CHECK(folder.read("p.yaml") == kCliPendulum);
  CHECK_FALSE(folder.has("Pendulum.csv"));
}

TEST_CASE("cardan simulate: writes MODEL.csv here, a summary to stderr and nothing to stdout") {
  const Folder folder;
  folder.write("p.yaml", kCliPendulum);
  const Process p = runCardan(folder, "simulate p.yaml");
  CHECK(p.code == 0);
  CHECK(p.out.empty());
  CHECK(p.err.starts_with("Pendulum: 11 rows to time = 1 s"));
  const std::vector<std::string> lines = split(folder.read("Pendulum.csv"), '\n');
  REQUIRE(lines.size() == 12);
  CHECK(lines[0] == R"("time","revolute.phi","revolute.w")");
  CHECK(lines[1] == "0,0.3,0");
  CHECK(lines[11].starts_with("1,"));
}

TEST_CASE(
    "cardan simulate: numbers are the shortest that read back, so printing again changes nothing") {
  const Folder folder;
  folder.write("p.yaml", kCliPendulum);
  REQUIRE(runCardan(folder, "simulate p.yaml -q").code == 0);
  const std::vector<std::string> lines = split(folder.read("Pendulum.csv"), '\n');
  REQUIRE(lines.size() == 12);
  for (size_t i = 1; i < lines.size(); ++i) {
    for (const std::string& field : split(lines[i], ',')) {
      double x = 0;
      const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), x);
      REQUIRE(error == std::errc());
      REQUIRE(end == field.data() + field.size());
      char shortest[64];
      const auto printed = std::to_chars(shortest, shortest + sizeof shortest, x);
      CHECK(field.size() <= static_cast<size_t>(printed.ptr - shortest) + 1);
      CHECK(field != "-0");
    }
  }
}

TEST_CASE("cardan simulate -o -: the result alone on stdout") {
  const Folder folder;
  folder.write("p.yaml", kCliPendulum);
  const Process p = runCardan(folder, "simulate p.yaml -o - --stats");
  CHECK(p.code == 0);
  CHECK(split(p.out, '\n').size() == 12);
  CHECK(p.out.starts_with("\"time\","));
  CHECK(contains(p.err, "Newton matrices"));
  CHECK_FALSE(folder.has("Pendulum.csv"));
  CHECK_FALSE(folder.has("-.meta.json"));
}

TEST_CASE("cardan simulate: options change the run, --set a parameter") {
  const Folder folder;
  folder.write("p.yaml", kCliPendulum);
  const Process p =
      runCardan(folder,
                "simulate --set body.m=2 --set revolute.phi.start=10*deg p.yaml -o r.csv "
                "--stop-time 2 --output-interval 0.5 --output-variable 'rev*.phi' "
                "--output-variable totalEnergy --quiet");
  CHECK(p.code == 0);
  CHECK(p.err.empty());
  const std::vector<std::string> lines = split(folder.read("r.csv"), '\n');
  REQUIRE(lines.size() == 6);
  CHECK(lines[0] == R"("time","revolute.phi","totalEnergy")");
  const std::vector<std::string> first = split(lines[1], ',');
  CHECK(std::stod(first[1]) == doctest::Approx(0.17453292519943295).epsilon(1e-12));
  CHECK(std::stod(first[2]) ==
        doctest::Approx(2 * 9.80665 * std::sin(std::stod(first[1]))).epsilon(1e-12));
}

TEST_CASE(
    "cardan simulate: the sidecar is JSON and holds columns, parameters, statistics, status") {
  const Folder folder;
  folder.write("p.yaml", kCliPendulum);
  REQUIRE(runCardan(folder, "simulate p.yaml -o run.csv --set body.m=3").code == 0);
  const nlohmann::json j = nlohmann::json::parse(folder.read("run.meta.json"));
  CHECK(j["tool"]["name"] == "Cardan");
  CHECK(j["model"]["name"] == "Pendulum");
  CHECK(j["model"]["description"] == "A rod");
  CHECK(j["model"]["file"] == "p.yaml");
  CHECK(j["result"] == "run.csv");
  CHECK(j["status"]["kind"] == "completed");
  CHECK(j["simulation"]["stopTime"] == 1.0);
  CHECK(j["simulation"]["tolerance"] == 1e-8);
  REQUIRE(j["columns"].size() == 3);
  CHECK(j["columns"][1]["name"] == "revolute.phi");
  CHECK(j["columns"][1]["unit"] == "rad");
  CHECK_FALSE(j["columns"][1]["description"].get<std::string>().empty());
  CHECK(j["parameters"]["body.m"] == 3.0);
  CHECK(j["parameters"]["body.r_CM"] == std::vector<double>{1, 0, 0});
  CHECK(j["parameters"]["world.gravityType"] == "UniformGravity");
  CHECK(j["statistics"]["rows"] == 11);
  CHECK(j["statistics"]["steps"].get<int>() > 0);
}

TEST_CASE("cardan: --integrator chooses the method, which --stats and the sidecar name") {
  const Folder folder;
  folder.write("p.yaml", kCliPendulum);
  Process p = runCardan(folder, "simulate p.yaml -o run.csv --stats --integrator explicit");
  CHECK(p.code == 0);
  CHECK(contains(p.err, "explicit"));
  CHECK(contains(p.err, "rates"));
  nlohmann::json j = nlohmann::json::parse(folder.read("run.meta.json"));
  CHECK(j["simulation"]["integrator"] == "explicit");
  REQUIRE(j["methods"].size() == 1);
  CHECK(j["methods"][0]["time"] == 0.0);
  CHECK(j["methods"][0]["method"] == "explicit");
  CHECK(j["statistics"]["rates"].get<int>() > 0);
  REQUIRE(runCardan(folder, "simulate p.yaml -o run.csv -q").code == 0);
  j = nlohmann::json::parse(folder.read("run.meta.json"));
  CHECK(j["methods"][0]["method"] == "ida");
  for (const char* command : {"simulate", "regress"}) {
    p = runCardan(folder, std::string(command) + " p.yaml --integrator euler");
    CHECK(p.code == 2);
    for (const char* known : {"euler", "automatic", "ida", "explicit", "stepping"}) {
      CHECK(contains(p.err, known));
    }
  }
}

TEST_CASE("cardan simulate: a run that fails keeps its rows and is exit code 1") {
  const Folder folder;
  folder.write("f.yaml", failing());
  const Process p = runCardan(folder, "simulate f.yaml --output-variable bad");
  CHECK(p.code == 1);
  CHECK(p.err.starts_with("f.yaml: error: the simulation stops at time = 0.6 s"));
  const std::vector<std::string> lines = split(folder.read("Pendulum.csv"), '\n');
  CHECK(lines.size() == 7);  // header, 0 to 0.5 s
  const nlohmann::json j = nlohmann::json::parse(folder.read("Pendulum.meta.json"));
  CHECK(j["status"]["kind"] == "failed");
  CHECK(contains(j["status"]["message"], "bad"));
  CHECK(j["statistics"]["rows"] == 6);
}

TEST_CASE("cardan: a wrong model is exit code 2, all errors at once, and leaves no result") {
  const Folder folder;
  folder.write("w.yaml", R"(
components:
  revolute: {type: Revolut}
  body:     {type: Body, mass: 1}
)");
  for (const char* command : {"simulate", "check"}) {
    const Process p = runCardan(folder, std::string(command) + " w.yaml");
    CHECK(p.code == 2);
    CHECK(p.out.empty());
    CHECK(contains(p.err,
                   "w.yaml:3:20: error: component 'revolute': unknown type 'Revolut'; did you mean "
                   "'Revolute'?"));
    CHECK(contains(p.err, "w.yaml:4:26: error: Body 'body': unknown key 'mass'"));
    CHECK(contains(p.err, "errors\n"));
    CHECK_FALSE(contains(p.err, "\033"));
  }
  CHECK_FALSE(folder.has("w.csv"));
  CHECK(runCardan(folder, "simulate none.yaml").code == 2);
}

TEST_CASE("cardan: a study is no model, and the command that runs it is named") {
  const Folder folder;
  folder.write("fit.yaml", "model_file: m.yaml\nfit: {parameters: {L: {}}}\n");
  folder.write("best.yaml", "model_file: m.yaml\noptimize: {parameters: {L: {}}}\n");
  folder.write("many.yaml", "study: S\nmodel_file: m.yaml\nvary: {L: [1, 2]}\n");
  const std::pair<const char*, const char*> cases[] = {
      {"simulate fit.yaml", "'cardan fit fit.yaml' runs it"},
      {"check best.yaml", "'cardan optimize best.yaml' runs it"},
      {"animate many.yaml -o m.html", "'cardan sweep many.yaml' runs it"},
      {"fit many.yaml --data d.csv -p L", "'cardan sweep many.yaml' runs it"},
      {"export many.yaml -o m.mo", "'cardan sweep many.yaml' runs it"}};
  for (const auto& [arguments, message] : cases) {
    CAPTURE(arguments);
    const Process p = runCardan(folder, arguments);
    CAPTURE(p.err);
    CHECK(p.code == 2);
    CHECK(contains(p.err, message));
    CHECK_FALSE(contains(p.err, "unknown section"));
  }
}

TEST_CASE("cardan simulate: a result that cannot be written is exit code 1 and says why") {
  const Folder folder;
  folder.write("p.yaml", kCliPendulum);
  Process p = runCardan(folder, "simulate p.yaml -o none/r.csv");
  CHECK(p.code == 1);
  CHECK(contains(p.err, "cannot write the result to 'none/r.csv': No such file or directory"));
  if (std::filesystem::exists("/dev/full")) {
    p = runCardan(folder, "simulate p.yaml -o /dev/full");
    CHECK(p.code == 1);
    CHECK(contains(p.err, "No space left on device"));
  }
}

TEST_CASE("cardan simulate: a termination signal ends the run with the rows so far") {
  const Folder folder;
  folder.write("p.yaml", kCliPendulum);
  const std::string command =
      "cd '" + (folder / "") +
      "' && { '" CARDAN_BINARY
      "' simulate p.yaml --stop-time 1e7 --output-interval 1 2>stderr.txt & "
      "p=$!; sleep 1; kill -TERM $p; wait $p; }";
  const int status = std::system(command.c_str());
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 143);
  CHECK(contains(folder.read("stderr.txt"), "interrupted"));
  const std::string rows = folder.read("Pendulum.csv");
  CHECK(rows.ends_with("\n"));
  CHECK(split(rows, '\n').size() > 2);
  const nlohmann::json j = nlohmann::json::parse(folder.read("Pendulum.meta.json"));
  CHECK(j["status"]["kind"] == "interrupted");
}

TEST_CASE("cardan check: explains the model on stdout") {
  const Folder folder;
  folder.write("p.yaml", kCliPendulum);
  const Process p = runCardan(folder, "check p.yaml");
  CHECK(p.code == 0);
  CHECK(p.err.empty());
  CHECK(p.out.starts_with("Pendulum (p.yaml)\nA rod\n"));
  CHECK(contains(p.out, "degrees of freedom: 1"));
  CHECK(contains(p.out, "revolute.phi = 0.3 rad"));
  CHECK(contains(p.out, "\n  world\n    revolute (Revolute): body\n"));
  CHECK_FALSE(contains(p.out, "names of results"));
}

TEST_CASE("cardan check: lists masses and the states of parts, and refuses what simulate does") {
  const Folder folder;
  folder.write(
      "m.yaml",
      "model: M\n"
      "components:\n"
      "  slide: {type: Prismatic, useAxisFlange: true, s: {fixed: true}, v: {fixed: true}}\n"
      "  box:   {type: BodyBox, r: [1, 0, 0], width: 0.1, density: 700}\n"
      "  tip:   {type: PointMass, m: 2}\n"
      "  coil:  {type: Spring, c: 10, m: 0.5}\n"
      "  pid:   {type: Blocks.PID, Ti: 1, Td: 0.1, u: -slide.s}\n"
      "  drive: {type: Translational.Force, f: pid.y}\n"
      "connections:\n"
      "  - [world.frame_b, slide.frame_a]\n"
      "  - [slide.frame_b, box.frame_a]\n"
      "  - [box.frame_b, tip.frame_a]\n"
      "  - [world.frame_b, coil.frame_a]\n"
      "  - [coil.frame_b, tip.frame_a]\n"
      "  - [drive.flange, slide.axis]\n");
  Process p = runCardan(folder, "check m.yaml");
  CAPTURE(p.out);
  CHECK(p.code == 0);
  CHECK(contains(p.out, "box 7, tip 2, coil 0.5, in all 9.5\n"));
  CHECK(contains(p.out, "states: slide.s, slide.v, pid."));
  folder.write(
      "driven.yaml",
      "model: Driven\n"
      "components:\n"
      "  a: {type: Rotational.Inertia, J: 1, phi: {start: 1, fixed: true}, w: {fixed: true}}\n"
      "  p: {type: Rotational.Position, exact: true, phi_ref: \"0.5*sin(a.phi)\"}\n"
      "  b: {type: Rotational.Inertia, J: 1}\n"
      "connections: [[p.flange, b.flange_a]]\n"
      "simulation: {integrator: explicit}\n");
  p = runCardan(folder, "check driven.yaml");
  CHECK(p.code == 2);
  CHECK(
      contains(p.err, "driven.yaml:7:26: error: the integrator 'explicit' cannot step this model"));
  CHECK(p.err == runCardan(folder, "simulate driven.yaml -o x.csv").err);
  CHECK(runCardan(folder, "check driven.yaml --json").code == 2);
}

TEST_CASE("cardan check: of long lists the first ones and how many more, with --all all of them") {
  const Folder folder;
  std::string components = "components:\n", connections = "connections:\n", end = "world.frame_b";
  for (int i = 1; i <= 250; ++i) {
    const std::string n = std::to_string(i);
    components += "  j" + n + ": {type: Revolute, phi: {start: 0.1, fixed: true}}\n  b" + n +
                  ": {type: Body, m: 1, r_CM: [1, 0, 0]}\n";
    connections +=
        "  - [" + end + ", j" + n + ".frame_a]\n  - [j" + n + ".frame_b, b" + n + ".frame_a]\n";
    end = "b" + n + ".frame_a";
  }
  folder.write("chain.yaml", components + connections);
  const Process some = runCardan(folder, "check chain.yaml");
  CHECK(some.code == 0);
  CHECK(contains(some.out, ", j199, j200, and 50 more\n"));
  CHECK(contains(some.out, "  j200.phi = 0.1 rad\n  and 50 more\n"));
  CHECK(contains(some.out, ", j200.phi, and 300 more\n"));
  CHECK(contains(some.out, "(Revolute): b200\n  and 50 more\n"));
  CHECK_FALSE(contains(some.out, "j201"));
  const Process all = runCardan(folder, "check chain.yaml --all");
  CHECK(all.code == 0);
  CHECK(contains(all.out, ", j249, j250\n"));
  CHECK(contains(all.out, "  j250.phi = 0.1 rad\n"));
  CHECK(contains(all.out, "(Revolute): b250\n"));
  CHECK_FALSE(contains(all.out, " more\n"));
}

TEST_CASE("cardan simulate: the sidecar is JSON as others write it, with all parameters") {
  const Folder folder;
  folder.write("p.yaml",
               std::string(kCliPendulum) +
                   "parameters: {L: 0.1, many: [1, -2.5, 1e-9], none: [[1, 2], [3, 4.5]], "
                   "far: 1e20, yes: true, word: \"=\\\"a\\\"\"}\n");
  const Process p = runCardan(folder, "simulate p.yaml");
  CHECK(p.code == 0);
  const std::string text = folder.read("Pendulum.meta.json");
  const auto j = nlohmann::ordered_json::parse(text);
  CHECK(j.dump(2) + "\n" == text);
  const auto& parameters = j["parameters"];
  CHECK(parameters["L"] == 0.1);
  CHECK(parameters["many"] == nlohmann::json({1.0, -2.5, 1e-9}));
  CHECK(parameters["none"][1][1] == 4.5);
  CHECK(parameters["yes"] == true);
  CHECK(parameters["body.m"] == 1.0);
  CHECK(parameters["world.gravityType"].is_string());
}

TEST_CASE("cardan check: the tree as a tree, and with --names all that a result can hold") {
  const Folder folder;
  folder.write("arm.yaml", R"(
components:
  shoulder: {type: Universal}
  upper:    {type: BodyBox, r: [0.5, 0, 0]}
  elbow:    {type: Revolute}
  fore:     {type: Body, m: 1, r_CM: [0.2, 0, 0]}
  wrist:    {type: Revolute, n: [1, 0, 0]}
  hand:     {type: Body, m: 1, r_CM: [0, 0.1, 0]}
  loose:    {type: Body, m: 1}
connections:
  - [world.frame_b, shoulder.frame_a]
  - [shoulder.frame_b, upper.frame_a]
  - [upper.frame_b, elbow.frame_a]
  - [elbow.frame_b, fore.frame_a]
  - [upper.frame_b, wrist.frame_a]
  - [wrist.frame_b, hand.frame_a]
)");
  const Process p = runCardan(folder, "check arm.yaml --names");
  CHECK(p.code == 0);
  const size_t tree = p.out.find("  world\n");
  REQUIRE(tree != std::string::npos);
  const std::string expected =
      "  world\n"
      "    shoulder.revolute_a (Universal)\n"
      "      shoulder.revolute_b (Universal): upper.body\n"
      "        upper.frameTranslation (BodyBox)\n"
      "          elbow (Revolute): fore\n"
      "          wrist (Revolute): hand\n"
      "    loose (Body, floating)\n";
  CHECK(p.out.substr(tree, expected.size()) == expected);
  CHECK(contains(p.out, "\n  elbow.phi [rad]  "));
  CHECK(contains(p.out, "\n  fore.frame_a.R.T[3,3]  "));
  CHECK(contains(p.out, "\n  shoulder.phi_a = shoulder.revolute_a.phi\n"));
}

TEST_CASE("cardan components: the catalogue, and all that a type understands") {
  const Folder folder;
  const Process all = runCardan(folder, "components");
  CHECK(all.code == 0);
  CHECK(contains(all.out, "Revolute "));
  const Process p = runCardan(folder, "components Revolute");
  CHECK(p.code == 0);
  CHECK(contains(p.out, "frame_a"));
  CHECK(contains(p.out, "only with useAxisFlange: true"));
  CHECK(contains(p.out, "[rad/s]"));
  const Process wrong = runCardan(folder, "components Revolut");
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "did you mean 'Revolute'?"));
  const Process gears = runCardan(folder, "components gear");
  CHECK(gears.code == 0);
  CHECK(contains(gears.out, "Rotational.IdealGear "));
  CHECK(contains(gears.out, "BevelGear1D "));
  CHECK_FALSE(contains(gears.out, "Revolute "));
  CHECK(contains(runCardan(folder, "components belt").out, "Rotational.IdealGear "));
  CHECK(contains(runCardan(folder, "components Cylindr").out, "Cylindrical "));
  CHECK(contains(runCardan(folder, "components Flubber").err, "and none that speaks of it"));
  const nlohmann::json list = nlohmann::json::parse(runCardan(folder, "components --json").out);
  REQUIRE(list.is_array());
  for (const auto& entry : list) {
    const std::string type = entry["type"];
    CAPTURE(type);
    const Process one = runCardan(folder, "components " + type + " --json");
    REQUIRE(one.code == 0);
    const nlohmann::json j = nlohmann::json::parse(one.out);
    CHECK(j["type"] == type);
    CHECK_FALSE(j["description"].get<std::string>().empty());
    for (const auto& parameter : j["parameters"]) CHECK(parameter.contains("default"));
  }
}
