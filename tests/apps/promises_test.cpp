// What a run promises and what it leaves behind (apps/README.md), each promise as the user meets
// it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/apps/process.h"

using test::contains;
using test::Folder;
using test::Process;
using test::runCardan;
using test::shell;
using Json = nlohmann::json;

namespace {

const char* const kPromisesPendulum = R"(
model: Pendulum
components:
  revolute: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {fixed: true}}
  body:     {type: Body, m: 1, r_CM: [1, 0, 0]}
connections:
  - [world.frame_b, revolute.frame_a]
  - [revolute.frame_b, body.frame_a]
simulation: {stop: 1, interval: 0.1}
)";

/// Goes on for hours, a row every ten seconds of simulated time.
const char* const kEndless = " p.yaml -q --stop-time 1e8 --output-interval 10 ";

/// Waits until the file r.csv has rows beyond its header.
const char* const kWaitForRows =
    "for i in $(seq 600); do [ -e r.csv ] && [ $(wc -l <r.csv) -gt 1 ] && break; sleep 0.1; done\n";

long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

std::string statusOf(const Folder& folder, const std::string& sidecar = "r.meta.json") {
  return Json::parse(folder.read(sidecar))["status"]["kind"];
}

/// Every line has as many fields as the first, and the text ends with one.
bool hasWholeRows(const std::string& text) {
  if (!text.ends_with('\n')) return false;
  long commas = -1, here = 0;
  for (const char c : text) {
    if (c == ',') ++here;
    if (c != '\n') continue;
    if (commas >= 0 && here != commas) return false;
    commas = here;
    here = 0;
  }
  return commas >= 0;
}

}  // namespace

TEST_CASE("promises: a killed run leaves whole rows, and a sidecar that says it was running") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  REQUIRE(runCardan(folder, "simulate p.yaml -q -o r.csv").code == 0);
  REQUIRE(statusOf(folder) == "completed");
  const Process p = shell(folder, "rm r.csv\n$cardan simulate -o r.csv" + std::string(kEndless) +
                                      "& p=$!\n" + kWaitForRows + "kill -KILL $p; wait $p\n");
  CHECK(p.code == 137);
  CHECK(hasWholeRows(folder.read("r.csv")));
  CHECK(lines(folder.read("r.csv")) > 1);
  const Json j = Json::parse(folder.read("r.meta.json"));
  CHECK(j["status"]["kind"] == "running");
  CHECK(j["result"] == "r.csv");
  CHECK(j["columns"].size() == 3);
  CHECK(j["simulation"]["stopTime"] == 1e8);
  // Nothing keeps the next run from the file.
  CHECK(runCardan(folder, "simulate p.yaml -q -o r.csv").code == 0);
  CHECK(statusOf(folder) == "completed");
  CHECK(lines(folder.read("r.csv")) == 12);
}

TEST_CASE("promises: every signal that ends programs leaves the rows, and its own exit code") {
  for (const auto& [signal, code] : {std::pair{"INT", 130}, {"TERM", 143}, {"HUP", 129}}) {
    CAPTURE(signal);
    const Folder folder;
    folder.write("p.yaml", kPromisesPendulum);
    const Process p =
        shell(folder, "$cardan simulate -o r.csv" + std::string(kEndless) + "& p=$!\n" +
                          kWaitForRows + "kill -" + signal + " $p; wait $p\n");
    CHECK(p.code == code);
    CHECK(hasWholeRows(folder.read("r.csv")));
    CHECK(statusOf(folder) == "interrupted");
    const Json j = Json::parse(folder.read("r.meta.json"));
    CHECK(j["statistics"]["rows"] == lines(folder.read("r.csv")) - 1);
  }
}

TEST_CASE("promises: SIGHUP ends no run that is to go on without a terminal") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  const Process p =
      shell(folder, "trap '' HUP\n$cardan simulate -o r.csv" + std::string(kEndless) + "& p=$!\n" +
                        kWaitForRows + "kill -HUP $p; sleep 0.2; kill -TERM $p; wait $p\n");
  CHECK(p.code == 143);
}

TEST_CASE("promises: two runs into one file never mix, the second one is refused") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  const Process p =
      shell(folder, "$cardan simulate -o r.csv" + std::string(kEndless) + "& p=$!\n" +
                        kWaitForRows + "cp r.csv before.csv\n$cardan simulate p.yaml -o r.csv\n" +
                        "echo code $?\nkill -TERM $p; wait $p\n");
  CHECK(p.out == "code 1\n");
  CHECK(p.err == "error: cannot write the result to 'r.csv': another run is writing it\n");
  CHECK(folder.read("r.csv").starts_with(folder.read("before.csv")));
  CHECK(statusOf(folder) == "interrupted");
}

TEST_CASE("promises: an old result stays until model and options are known to be good") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  folder.write("wrong.yaml", std::string(kPromisesPendulum) + "outputs: [revolute.phy]\n");
  folder.write("fails.yaml",
               std::string(kPromisesPendulum) + "initial_equations: [\"revolute.w = 1\"]\n");
  REQUIRE(runCardan(folder, "simulate p.yaml -q -o r.csv").code == 0);
  const std::string rows = folder.read("r.csv"), sidecar = folder.read("r.meta.json");
  for (const std::string wrong :
       {"p.yaml --maximum-step -1", "p.yaml --maximum-step 0", "p.yaml --maximum-step nan",
        "p.yaml --tolerance 0", "p.yaml --tolerance 2", "p.yaml --tolerance inf",
        "p.yaml --output-interval 0", "p.yaml --output-interval 1e-300",
        "p.yaml --output-interval -1", "p.yaml --stop-time 1e300 --output-interval 1",
        "p.yaml --stop-time nan", "p.yaml --start-time inf", "p.yaml --start-time 2",
        "p.yaml --output-variable nothing", "p.yaml --set body.n=1", "wrong.yaml", "fails.yaml",
        "none.yaml"}) {
    CAPTURE(wrong);
    const Process p = runCardan(folder, "simulate -o r.csv " + wrong);
    CHECK(p.code == 2);
    CHECK_FALSE(p.err.empty());
    CHECK(folder.read("r.csv") == rows);
    CHECK(folder.read("r.meta.json") == sidecar);
  }
}

TEST_CASE("promises: no file of a model is overwritten by its result") {
  const Folder folder;
  const std::string library = "submodels: {S: {components: {b: {type: Body}}}}\n";
  const std::string model = "include: [lib.yaml]\n" + std::string(kPromisesPendulum);
  auto reset = [&] {
    folder.write("p.yaml", model);
    folder.write("lib.yaml", library);
    folder.write("x.meta.json", model);
  };
  reset();
  std::filesystem::create_symlink("lib.yaml", folder / "link.csv");
  std::filesystem::create_hard_link(folder / "p.yaml", folder / "hard.csv");
  for (const std::string command :
       {"p.yaml -o p.yaml", "p.yaml -o ./p.yaml", "p.yaml -o lib.yaml", "p.yaml -o link.csv",
        "p.yaml -o hard.csv", "x.meta.json -o x.csv", "p.yaml --events lib.yaml",
        "p.yaml -o r.csv --events r.csv", "p.yaml -o r.csv --events ./r.meta.json",
        "- -o p.yaml <p.yaml"}) {
    CAPTURE(command);
    const Process p = shell(folder, "$cardan simulate " + command + "\n");
    CHECK(p.code == 2);
    CHECK(p.err.starts_with("error: "));
    CHECK(folder.read("p.yaml") == model);
    CHECK(folder.read("lib.yaml") == library);
    CHECK(folder.read("x.meta.json") == model);
    CHECK_FALSE(folder.has("r.csv"));
  }
  CHECK(runCardan(folder, "regress p.yaml --table lib.yaml").code == 2);
  CHECK(runCardan(folder, "regress p.yaml --table hard.csv").code == 2);
  CHECK(folder.read("lib.yaml") == library);
  // A reference that is a link to the model.
  std::filesystem::create_directory(folder / "reference");
  std::filesystem::create_symlink("../p.yaml", folder / "reference/p.csv");
  CHECK(runCardan(folder, "regress p.yaml --update").code == 1);
  CHECK(folder.read("p.yaml") == model);
}

TEST_CASE("promises: where the rows find no room, those that fit are kept whole") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  const Process p = shell(folder,
                          "ulimit -f 64\n"
                          "$cardan simulate p.yaml -q -o r.csv --output-interval 1e-4\n");
  CHECK(p.code == 1);
  CHECK(contains(p.err, "error: cannot write the result to 'r.csv': File too large"));
  const std::string rows = folder.read("r.csv");
  CHECK(hasWholeRows(rows));
  CHECK(lines(rows) > 100);
  const Json j = Json::parse(folder.read("r.meta.json"));
  CHECK(j["status"]["kind"] == "failed");
  CHECK(contains(j["status"]["message"], "File too large"));
  CHECK(j["statistics"]["rows"] == lines(rows) - 1);
}

TEST_CASE("promises: on a full disk the sidecar still says that the run has failed") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  const Process p =
      shell(folder,
            "mkdir disk && unshare -rm bash -c \"mount -t tmpfs -o size=128k none disk || exit 77\n"
            "cd disk && $cardan simulate ../p.yaml -q -o r.csv --output-interval 1e-4\n"
            "code=\\$?; cp r.csv r.meta.json ..; exit \\$code\"\n");
  if (p.code == 77 || contains(p.err, "unshare")) {
    MESSAGE("TEST SKIPPED: no small disk can be mounted here");
    return;
  }
  CHECK(p.code == 1);
  CHECK(contains(p.err, "No space left on device"));
  CHECK(hasWholeRows(folder.read("r.csv")));
  CHECK(statusOf(folder) == "failed");
}

TEST_CASE("promises: stdout that cannot be written is exit code 1, whatever the command") {
  if (!std::filesystem::exists("/dev/full")) {
    MESSAGE("TEST SKIPPED: there is no /dev/full");
    return;
  }
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  REQUIRE(runCardan(folder, "simulate p.yaml -q -o r.csv").code == 0);
  for (const std::string command :
       {"check p.yaml", "compare r.csv r.csv", "compare r.csv r.csv --json", "--help", "--version",
        "simulate --help", "components", "components Revolute --json", "simulate p.yaml -q -o -",
        "regress p.yaml --update", "regress p.yaml", "regress p.yaml --json"}) {
    CAPTURE(command);
    Process p = shell(folder, "$cardan " + command + " >/dev/full\n");
    CHECK(p.code == 1);
    CHECK(contains(p.err, "standard output: No space left on device"));
    p = shell(folder, "$cardan " + command + " >&-\n");
    CHECK(p.code == 1);
    CHECK(contains(p.err, "standard output: Bad file descriptor"));
  }
}

TEST_CASE("promises: a closed stderr takes no messages and ends nothing, no file gets them") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  for (const std::string closed : {"2>&-", "2>/dev/full", "0<&- 2>&-"}) {
    if (closed == "2>/dev/full" && !std::filesystem::exists("/dev/full")) continue;
    CAPTURE(closed);
    const Process p = shell(folder, "$cardan simulate p.yaml -o r.csv --stats " + closed + "\n");
    CHECK(p.code == 0);
    CHECK(hasWholeRows(folder.read("r.csv")));
    CHECK(lines(folder.read("r.csv")) == 12);
    CHECK(statusOf(folder) == "completed");
    CHECK(shell(folder, "$cardan simulate none.yaml " + closed + "\n").code == 2);
  }
}

TEST_CASE("promises: a reader that goes away ends the program without a word") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  const Process p = shell(
      folder,
      "set -o pipefail\n$cardan simulate p.yaml -q -o - --output-interval 1e-5 | head -n 1\n");
  CHECK(p.code == 141);
  CHECK(p.out == "\"time\",\"revolute.phi\",\"revolute.w\"\n");
  CHECK(p.err.empty());
}

TEST_CASE("promises: the same model gives the same bytes, wherever and with whatever locale") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  const Process p = shell(folder, R"(
set -e
$cardan simulate p.yaml -q -o a.csv
$cardan simulate p.yaml -q -o b.csv
mkdir elsewhere; (cd elsewhere; $cardan simulate ../p.yaml -q -o ../c.csv)
$cardan simulate - -q -o d.csv <p.yaml
$cardan simulate p.yaml -q -o - >e.csv
for l in $(locale -a | grep -i -E '^(de|fr|nl|cs|da)_') xx_XX; do
  LC_ALL=$l LANG=$l $cardan simulate p.yaml -q -o f.csv; cmp a.csv f.csv
done
for x in b c d e; do cmp a.csv $x.csv; done
)");
  CHECK(p.code == 0);
  CHECK(p.err.empty());
}

TEST_CASE("promises: a model from standard input, results beside it or on standard output") {
  const Folder folder;
  folder.write("lib.yaml", "submodels: {S: {components: {b: {type: Body}}}}\n");
  folder.write("p.yaml", "include: [lib.yaml]\n" + std::string(kPromisesPendulum));
  folder.write("w.yaml", "components: {j: {type: Revolut}}\n");
  Process p = shell(folder, "$cardan simulate - <p.yaml && $cardan check - <p.yaml\n");
  CHECK(p.code == 0);
  CHECK(folder.has("Pendulum.csv"));
  CHECK(contains(p.out, "Pendulum (stdin)"));
  p = shell(folder, "$cardan simulate - <w.yaml\n");
  CHECK(p.code == 2);
  CHECK(p.err.starts_with("stdin:1:24: error: "));
  p = shell(folder, "$cardan simulate - <&-\n");
  CHECK(p.code == 2);
  CHECK(contains(p.err, "stdin: error: cannot read the model"));
}

TEST_CASE("promises: a device or pipe as result has no sidecar") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  const Process p = shell(folder,
                          "mkfifo pipe; cat pipe >rows.csv & $cardan simulate p.yaml -q -o pipe; "
                          "code=$?; wait; exit $code\n");
  CHECK(p.code == 0);
  CHECK(lines(folder.read("rows.csv")) == 12);
  CHECK_FALSE(folder.has("pipe.meta.json"));
}

TEST_CASE("promises: writing through a link keeps the link") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  folder.write("real.csv", "");
  folder.write("real.json", "");
  std::filesystem::create_symlink("real.csv", folder / "r.csv");
  std::filesystem::create_symlink("real.json", folder / "r.meta.json");
  CHECK(runCardan(folder, "simulate p.yaml -q -o r.csv").code == 0);
  CHECK(std::filesystem::is_symlink(folder / "r.csv"));
  CHECK(std::filesystem::is_symlink(folder / "r.meta.json"));
  CHECK(lines(folder.read("real.csv")) == 12);
  CHECK(statusOf(folder, "real.json") == "completed");
}

TEST_CASE("promises: times of rows are the decimals that are meant") {
  const Folder folder;
  folder.write("p.yaml", kPromisesPendulum);
  const Process p = runCardan(folder, "simulate p.yaml -q -o - --output-variable revolute.phi");
  CHECK(p.code == 0);
  for (const char* time : {"0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"})
    CHECK(contains(p.out, "\n" + std::string(time) + ","));
}

TEST_CASE("promises: events are listed; without their rows the result stays on its grid") {
  const Folder folder;
  folder.write("p.yaml", std::string(kPromisesPendulum) +
                             "variables: {late: \"if time > 0.25 then 1 else 0\", "
                             "on: \"if time > 0.5 then 1 else 0\"}\n");
  REQUIRE(runCardan(folder, "simulate p.yaml -q -o all.csv --events events.csv").code == 0);
  REQUIRE(runCardan(folder, "simulate p.yaml -q -o grid.csv --no-event-rows").code == 0);
  CHECK(lines(folder.read("all.csv")) == 1 + 11 + 2 + 1);  // the second event is on the grid
  const std::string grid = folder.read("grid.csv");
  CHECK(lines(grid) == 1 + 11);
  CHECK_FALSE(contains(grid, "\n0.25,"));
  const Json events = Json::parse(folder.read("all.meta.json"))["events"];
  REQUIRE(events.size() == 2);
  CHECK(events[0]["time"] == 0.25);
  CHECK(events[1]["time"] == 0.5);
  const std::string list = folder.read("events.csv");
  CHECK(list.starts_with("\"time\",\"changed\"\n0.25,"));
  CHECK(contains(list, "\n0.5,"));
  // On the grid every row is one of the rows with events.
  const std::string all = folder.read("all.csv");
  for (size_t at = 0, end; (end = grid.find('\n', at)) != grid.npos; at = end + 1) {
    CHECK(contains(all, grid.substr(at, end - at + 1)));
  }
}

TEST_CASE(
    "promises: a sidecar lists the first 1000 events, a picture holds 1000 rows and 2000 at "
    "events") {
  const Folder folder;
  folder.write("clock.yaml",
               "model: Clock\n"
               "variables: {n: {start: 0, type: Integer}}\n"
               "components:\n"
               "  hinge: {type: Revolute, phi: {fixed: true}, w: {start: 1, fixed: true}}\n"
               "  rod: {type: BodyBox, r: [0.3, 0, 0], width: 0.02}\n"
               "connections: [[world.frame_b, hinge.frame_a], [hinge.frame_b, rod.frame_a]]\n"
               "when: [{condition: \"sample(0.001, 0.001)\", set: {n: \"pre(n) + 1\"}}]\n"
               "simulation: {stop: 1.5, interval: 0.0005, tolerance: 1e-4, integrator: automatic}\n"
               "outputs: [hinge.phi]\n");
  const Process p =
      runCardan(folder, "simulate clock.yaml -o r.csv --animate r.glb --events e.csv");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const Json meta = Json::parse(folder.read("r.meta.json"));
  const long events = meta["statistics"]["events"];
  CHECK(events == 1500);
  CHECK(meta["events"].size() == 1000);
  const std::string all = folder.read("e.csv");
  CHECK(std::count(all.begin(), all.end(), '\n') > events);
  const Process again = runCardan(folder, "animate clock.yaml --from r.csv -o again.glb");
  int frames = 0;
  REQUIRE(std::sscanf(again.err.c_str(), "Clock: %d frames", &frames) == 1);
  CHECK(frames > 2000);
  CHECK(frames <= 3000);
}
