// FMUs as components, run by the program: what their steps are, how they fail, what is refused.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "tests/apps/process.h"
#include "tests/cosimulation/small_fmu.h"

namespace test {
namespace {

bool canZip() {
  if (cardan::ZipFile::whyNone().empty()) return true;
  MESSAGE("TEST SKIPPED: " << cardan::ZipFile::whyNone());
  return false;
}

/// A model around the small FMU; `keys`: more of the component.
std::string model(const std::string& keys = "", const std::string& u = "\"sin(3*time)\"") {
  return "model: Small\ncomponents:\n  f: {type: FMU, file: small.fmu, u: " + u + keys +
         "}\nsimulation: {stop: 1, interval: 0.05}\noutputs: [f.y, f.count, f.on]\n";
}

/// Rows of a CSV file without its header.
std::vector<std::vector<double>> rowsOf(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<double>& row = rows.emplace_back();
    std::istringstream values(line);
    for (std::string x; std::getline(values, x, ',');) row.push_back(std::stod(x));
  }
  return rows;
}

/// Temporary folders go into `folder`/tmp, so that what is left there is seen.
Process simulate(const Folder& folder, const std::string& text, const std::string& more = "") {
  folder.write("m.yaml", text);
  std::filesystem::create_directories(folder / "tmp");
  return shell(folder, "TMPDIR=$PWD/tmp $cardan simulate m.yaml -q -o m.csv " + more);
}

/// The guard of a folder ends after the program.
bool leftNothing(const Folder& folder) {
  for (int i = 0; i < 500 && !std::filesystem::is_empty(folder / "tmp"); ++i) ::usleep(10000);
  return std::filesystem::is_empty(folder / "tmp");
}

}  // namespace

TEST_CASE("FMU: an output changes at the end of a step, by the input at its beginning") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu().write(folder);
  for (const char* process : {"true", "false"}) {
    for (const char* integrator : {"automatic", "explicit", "ida", "stepping"}) {
      CAPTURE(process);
      CAPTURE(integrator);
      const bool steps = std::string(integrator) == "stepping";
      std::string text = model(", parameters: {gain: 2}, process: " + std::string(process));
      text.replace(
          text.find("interval: 0.05"), 14,
          "interval: 0.05, integrator: " + std::string(integrator) + (steps ? ", step: 0.01" : ""));
      const Process p = simulate(folder, text);
      CAPTURE(p.err);
      REQUIRE(p.code == 0);
      const auto rows = rowsOf(folder.read("m.csv"));
      CHECK(rows.size() >= 21);
      double before = -1;
      for (const auto& row : rows) {
        // The last row of an instant is the one after it.
        if (row[0] == before) continue;
        before = row[0];
        const double within = row[0] / 0.1 - std::floor(row[0] / 0.1 + 1e-9);
        if (within < 1e-6) continue;
        const double k = std::floor(row[0] / 0.1 + 1e-9);
        const double at = k == 0 ? 0 : (k - 1) * 0.1;
        CHECK(row[1] == doctest::Approx(2 * std::sin(3 * at)).epsilon(1e-14));
        CHECK(row[2] == k);
        CHECK(row[3] == (row[1] > 0 ? 1 : 0));
      }
      CHECK(leftNothing(folder));
    }
  }
}

TEST_CASE(
    "FMU: at the start values go through a chain of them, and an instance gets what is settled at "
    "it") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu().write(folder);
  const Process p = simulate(
      folder,
      "model: Chain\ncomponents:\n  s: {type: Blocks.Sampler, u: \"2 + time\", samplePeriod: 0.1}\n"
      "  a: {type: FMU, file: small.fmu, u: s.y}\n"
      "  b: {type: FMU, file: small.fmu, u: a.y, interval: 0.2}\n"
      "simulation: {stop: 0.4, interval: 0.1}\noutputs: [a.y, b.y]\n",
      "--no-event-rows");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const std::vector<std::vector<double>> expected{
      {0, 2, 2}, {0.1, 2, 2}, {0.2, 2.1, 2}, {0.3, 2.2, 2}, {0.4, 2.3, 2.1}};
  CHECK(rowsOf(folder.read("m.csv")) == expected);
}

TEST_CASE("FMU: an input without a signal keeps its start value, which parameters may give") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu().write(folder);
  const std::string unbound =
      "model: M\ncomponents:\n  f: {type: FMU, file: small.fmu KEYS}\nsimulation: {stop: 0.3}\n"
      "outputs: [f.y]\n";
  const auto last = [&](const std::string& keys) {
    std::string text = unbound;
    text.replace(text.find(" KEYS"), 5, keys);
    const Process p = simulate(folder, text);
    CAPTURE(p.err);
    REQUIRE(p.code == 0);
    return rowsOf(folder.read("m.csv")).back()[1];
  };
  CHECK(last("") == 0.25);
  CHECK(last(", parameters: {u: 3}") == 3);
  CHECK(last(", u: 4, parameters: {u: 3}") == 4);
}

TEST_CASE("FMU: one that fails ends the run by name, with the rows so far and its last message") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu().write(folder);
  struct Failing {
    SmallMode mode;
    const char* says;
  };
  for (const Failing f :
       {Failing{crash, "crashed with signal 6 (Aborted); its last message: about to crash"},
        Failing{exits, "exit code 3"}, Failing{sleeps, "has not answered within 0.2 s"},
        Failing{error, "fmi2DoStep answers Error; its last message: no solution of 7"},
        Failing{discard, "fmi2DoStep answers Discard"}, Failing{fatal, "fmi2DoStep answers Fatal"},
        Failing{notANumber, "its output 'y' is"}}) {
    CAPTURE(f.says);
    const Process p = simulate(
        folder,
        model(", timeout: 0.2, parameters: {when: 0.45, mode: " + std::to_string(f.mode) + "}"));
    CHECK(p.code == 1);
    CHECK(contains(p.err, "f: "));
    CHECK(contains(p.err, f.says));
    CHECK(contains(p.err, "time = 0.6"));  // the end of the first step that begins behind 0.45
    const auto rows = rowsOf(folder.read("m.csv"));
    REQUIRE(!rows.empty());
    CHECK(rows.back()[0] == doctest::Approx(0.6));
    for (const auto& row : rows) CHECK(std::isfinite(row[1]));
    CHECK(leftNothing(folder));
  }
}

TEST_CASE("FMU: warnings are the run's, once each; what it prints is no result") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu().write(folder);
  folder.write("m.yaml", model(", parameters: {mode: " + std::to_string(warn) + "}"));
  Process p = runCardan(folder, "simulate m.yaml -o -");
  CHECK(p.code == 0);
  const std::size_t first = p.err.find("'f': the valve is stiff");
  REQUIRE(first != std::string::npos);
  CHECK(p.err.find("the valve is stiff", first + 10) == std::string::npos);
  folder.write("m.yaml", model(", parameters: {mode: " + std::to_string(prints) + "}"));
  p = runCardan(folder, "simulate m.yaml -o -");
  CHECK(p.code == 0);
  CHECK(!contains(p.out, "printed"));
  CHECK(contains(p.err, "printed by the FMU"));
}

TEST_CASE("FMU: what cannot be used is refused at its place") {
  if (!canZip()) return;
  const Folder folder;
  const auto refused = [&](const SmallFmu& fmu, const std::string& keys, const std::string& text,
                           const char* place = "m.yaml:3:") {
    CAPTURE(text);
    fmu.write(folder);
    const Process p = simulate(folder, model(keys));
    CAPTURE(p.err);
    CHECK(p.code == 2);
    CHECK(contains(folder.shortened(p.err), text));
    CHECK(contains(folder.shortened(p.err), place));
    CHECK(leftNothing(folder));
  };
  const SmallFmu good;
  SmallFmu fmu = good;
  fmu.interface = "ScheduledExecution";
  refused(fmu, "", "it is neither for co-simulation nor for model exchange");
  fmu = good;
  fmu.library = "binaries/win64/small.dll";
  refused(fmu, "",
          "it has no 'binaries/linux64/small.so', the library for this machine; it is for win64");
  fmu = good;
  fmu.version = "1.0";
  refused(fmu, "", "it is of FMI '1.0'; 2.0 and 3.0 are read");
  fmu = good;
  fmu.stepSize = "";
  refused(fmu, "", "'interval' must be given, as the FMU has no step size of its own");
  fmu = good;
  fmu.files = {{"../../evil.txt", "x"}};
  refused(fmu, "", "the path '../../evil.txt' in it leads out of its folder");
  fmu.files = {{"resources/../../evil.txt", "x"}};
  refused(fmu, "", "leads out of its folder");
  fmu.files = {{"/evil.txt", "x"}};
  refused(fmu, "", "leads out of its folder");
  fmu = good;
  fmu.capabilities += " <";
  refused(fmu, "", "its modelDescription.xml, line 3");
  refused(good, ", parameters: {gian: 2}", "unknown key 'parameters.gian'; did you mean 'gain'?");
  refused(good, ", parameters: {mode: 1.5}", "'parameters.mode' must be a whole number");
  refused(good, ", w: 3", "unknown key 'w'");
  refused(good, ", interval: -1", "'interval' must be");
  fmu = good;
  fmu.variables =
      R"(<ScalarVariable name="interval" valueReference="2" causality="input"><Real start="0"/></ScalarVariable>)";
  refused(fmu, "", "'interval' is an input of the FMU, and the name of a key");

  folder.write("small.fmu", "no zip");
  Process p = simulate(folder, model());
  CHECK(p.code == 2);
  CHECK(contains(p.err, "is no zip file"));
  std::filesystem::remove(folder / "small.fmu");
  p = simulate(folder, model());
  CHECK(p.code == 2);
  CHECK(contains(p.err, "m.yaml:3:"));
  CHECK(contains(p.err, "'file' must be an FMU, and there is no 'small.fmu'"));
}

TEST_CASE("FMU: a link in its file is refused") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu().write(folder);
  if (shell(
          folder,
          "command -v zip && ln -s /etc/passwd resources && zip -q --symlinks small.fmu resources")
          .code != 0) {
    MESSAGE("TEST SKIPPED: no zip");
    return;
  }
  const Process p = simulate(folder, model());
  CHECK(p.code == 2);
  CHECK(contains(p.err, "is a link, not a file"));
}

TEST_CASE("FMU: a wrong GUID is told by the FMU itself") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu fmu;
  fmu.guid = "{other}";
  fmu.write(folder);
  const Process p = simulate(folder, model());
  CHECK(p.code == 1);
  CHECK(
      contains(p.err, "fmi2Instantiate gives no instance; its last message: wrong GUID '{other}'"));
  CHECK(leftNothing(folder));
}

TEST_CASE("FMU: where the run begins between two instants the first step is shorter") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu fmu;
  fmu.write(folder);
  Process p = simulate(folder, model(), "--start-time 0.05 --stop-time 0.35");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  auto rows = rowsOf(folder.read("m.csv"));
  CHECK(rows.back()[2] == 3);  // 0.1, 0.2, 0.3
  fmu.capabilities = "";
  fmu.write(folder);
  p = simulate(folder, model(), "--start-time 0.05 --stop-time 0.35");
  CHECK(p.code == 1);
  CHECK(contains(p.err, "its steps have one length"));
}

TEST_CASE("FMU: a saved state goes on bit for bit; without states it is refused by name") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu fmu;
  fmu.write(folder);
  for (const char* process : {"true", "false"}) {
    const std::string text = model(", process: " + std::string(process));
    REQUIRE(simulate(folder, text).code == 0);
    const auto whole = rowsOf(folder.read("m.csv"));
    Process p = simulate(folder, text, "--save-state s.state --save-at 0.42");
    CAPTURE(p.err);
    REQUIRE(p.code == 0);
    p = simulate(folder, text, "--start s.state");
    CAPTURE(p.err);
    REQUIRE(p.code == 0);
    const auto rest = rowsOf(folder.read("m.csv"));
    REQUIRE(rest.size() < whole.size());
    REQUIRE(rest.size() > 10);
    for (std::size_t i = 0; i < rest.size(); ++i)
      CHECK(rest[i] == whole[whole.size() - rest.size() + i]);
  }
  fmu.capabilities = "";
  fmu.write(folder);
  const Process p = simulate(folder, model(), "--save-state s.state --save-at 0.42");
  CHECK(p.code == 2);
  CHECK(contains(p.err, "FMU 'f': it cannot save its state"));
}

TEST_CASE("FMU: what knows no runs refuses a model with one by name") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu().write(folder);
  folder.write("m.yaml",
               "model: M\nparameters: {d: 1}\ncomponents:\n"
               "  i: {type: Rotational.Inertia, J: 1}\n  t: {type: Rotational.Torque, tau: f.y}\n"
               "  b: {type: Rotational.Damper, d: d}\n  g: {type: Rotational.Fixed}\n"
               "  f: {type: FMU, file: small.fmu, u: i.w}\n"
               "connections:\n  - [t.flange, i.flange_a]\n  - [b.flange_a, i.flange_a]\n"
               "  - [b.flange_b, g.flange]\n"
               "simulation: {stop: 1}\noutputs: [i.w]\n");
  CHECK(runCardan(folder, "simulate m.yaml -q -o m.csv").code == 0);
  for (const char* command :
       {"linearize m.yaml", "modes m.yaml", "equilibrium m.yaml", "sensitivities m.yaml -p d",
        "inverse m.yaml --motion m.csv", "export m.yaml", "export m.yaml -o x.fmu"}) {
    CAPTURE(command);
    const Process p = runCardan(folder, command);
    CAPTURE(p.err);
    CHECK(p.code == 2);
    CHECK(contains(p.err, "FMU 'f': "));
  }
}

TEST_CASE("FMU: where texts of others are run it is not, unless that is allowed") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu().write(folder);
  folder.write("m.yaml", model());
  const Process p = shell(folder, "CARDAN_FMU=refuse $cardan simulate m.yaml -q -o m.csv");
  CHECK(p.code == 2);
  CHECK(contains(p.err, "--allow-fmu"));
}

TEST_CASE("FMU: all processes of the studio refuse them, unless it was started with --allow-fmu") {
  const Folder folder;
  for (const char* option : {"", "--allow-fmu"}) {
    CAPTURE(option);
    const Process p = shell(
        folder, std::string("$cardan studio . --no-open ") + option +
                    " >address.txt & studio=$!\n"
                    "for i in $(seq 200); do\n"
                    "  worker=$(pgrep -P $studio | head -n 1) && [ -n \"$worker\" ] && break\n"
                    "  kill -0 $studio 2>/dev/null || exit 77\n"
                    "  sleep 0.05\ndone\n"
                    "tr '\\0' '\\n' <\"/proc/$worker/environ\" | grep -c '^CARDAN_FMU=refuse$'\n"
                    "kill $studio; wait $studio; exit 0");
    if (p.code == 77) {
      MESSAGE("TEST SKIPPED: " << p.err);
      return;
    }
    CHECK(p.out == (*option ? "0\n" : "1\n"));
  }
}

TEST_CASE("FMU: runs of a sweep have an instance each") {
  if (!canZip()) return;
  const Folder folder;
  SmallFmu().write(folder);
  folder.write("m.yaml", "parameters: {g: 1}\n" + model(", parameters: {gain: g}", "1"));
  std::filesystem::create_directories(folder / "tmp");
  const Process p = shell(folder,
                          "TMPDIR=$PWD/tmp $cardan sweep m.yaml --vary g=1,2,3,4,5,6,7,8 -j 2 -q "
                          "-o s --keep 'end=final(f.y)'");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  std::istringstream lines(folder.read("s/index.csv"));
  std::string line;
  std::getline(lines, line);
  for (int i = 1; i <= 8; ++i) {
    REQUIRE(std::getline(lines, line));
    const std::string n = std::to_string(i);
    CAPTURE(line);
    CHECK(line.starts_with(n + "," + n + ",completed,"));
    CHECK(line.ends_with("," + n));
  }
  CHECK(leftNothing(folder));
}

}  // namespace test
