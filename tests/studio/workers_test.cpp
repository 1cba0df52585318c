#include "apps/studio/server/workers.h"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/folder.h"

using namespace cardan::studio;

namespace {

const std::string kModel =
    "model: Swing\nvariables: {x: {start: 1, fixed: true}, v: {start: 0, fixed: true}}\n"
    "equations: [\"der(x) = v\", \"der(v) = -x\"]\n";

std::string run(const std::string& text) {
  return nlohmann::json{{"do", "run"}, {"file", "m.yaml"}, {"text", text}}.dump();
}

/// The last packet of an answer, and why there is none.
struct Answer {
  std::string failure;
  nlohmann::json json;
};
Answer ask(Workers& workers, const std::string& request, const Cancellation& cancellation = {}) {
  Answer answer;
  answer.failure = workers.ask(request, cancellation, [&](const Packet& p) {
    if (p.kind == Packet::end) answer.json = nlohmann::json::parse(p.json);
    return true;
  });
  return answer;
}

const std::string kEndless = kModel + "simulation: {stop: 1e9, interval: 1e8}\n";

// SIGKILL, which nobody catches: a sanitizer takes its time to tell of other signals.
void killAndWait(pid_t process) {
  ::kill(process, SIGKILL);
  for (std::string name, number, state; state != "Z";) {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    if (!(stat >> number >> name >> state)) return;  // waited for already
  }
}

}  // namespace

TEST_CASE("Workers: a run is answered with its curves, and with messages at their places") {
  const test::Folder folder;
  Workers workers(CARDAN_BINARY, folder / "", 60);
  const Answer good = ask(workers, run(kModel + "simulation: {stop: 1}\n"));
  CHECK(good.failure.empty());
  CHECK(good.json["diagnostics"].empty());
  CHECK(good.json["picture"]["curves"].size() == 2);
  const Answer bad = ask(workers, run(kModel + "simulaton: {stop: 1}\n"));
  REQUIRE(bad.json["diagnostics"].size() == 1);
  const auto& d = bad.json["diagnostics"][0];
  CHECK(d["line"] == 4);
  CHECK(d["endColumn"] == 10);
  CHECK(d["hint"].get<std::string>().starts_with("did you mean 'simulation'?"));
}

TEST_CASE(
    "Workers: a study is answered as what makes its runs, with what is wrong, and its model is "
    "shown") {
  const test::Folder folder;
  folder.write("swing.yaml",
               "parameters: {k: 1}\nvariables: {x: {start: 1, fixed: true}, v: {start: 0, "
               "fixed: true}}\nequations: [\"der(x) = v\", \"der(v) = -k*x\"]\n");
  folder.write("data.csv", "time,x\n0,1\n0.5,0.9\n1,0.5\n");
  Workers workers(CARDAN_BINARY, folder / "", 60);
  struct Study {
    std::string text, command;
    long runs;
  };
  const std::string begin = "study: S\nmodel_file: swing.yaml\n";
  for (const Study& s :
       {Study{begin + "vary: {k: [1, 2, 3]}\nkeep: {most: max(x)}\n", "sweep", 3},
        Study{begin + "fit: {data: [data.csv], signals: [x], parameters: [k]}\n", "fit", 0},
        Study{begin + "optimize: {parameters: {k: 0.5..2}, minimize: max(v)}\n", "optimize", 0}}) {
    CAPTURE(s.text);
    const Answer right = ask(workers, run(s.text));
    CHECK(right.json["diagnostics"].empty());
    CHECK(right.json["study"] == nlohmann::json{{"command", s.command}, {"runs", s.runs}});
    CHECK(right.json["picture"]["curves"].size() == 2);
    std::string text = s.text;
    const size_t at = text.rfind('k', text.find("keep") - 1);
    const Answer wrong = ask(workers, run(text.replace(at, 1, "kk")));
    REQUIRE(wrong.json["diagnostics"].size() == 1);
    CHECK(wrong.json["diagnostics"][0]["line"] == 3);
    CHECK_FALSE(wrong.json.contains("picture"));
    const auto schema = nlohmann::json{{"do", "schema"}, {"file", "s.yaml"}, {"text", s.text}};
    CHECK(ask(workers, schema.dump()).json == nlohmann::json::object());  // none of models
  }
}

TEST_CASE("Workers: one that crashes costs its answer, and the next one answers") {
  const test::Folder folder;
  Workers workers(CARDAN_BINARY, folder / "", 60);
  for (const bool whileItWaits : {false, true}) {
    std::thread killer([&] {
      if (!whileItWaits) std::this_thread::sleep_for(std::chrono::milliseconds(300));
      for (const pid_t p : workers.processes()) killAndWait(p);
    });
    if (whileItWaits) killer.join();
    const Answer crashed = ask(workers, run(whileItWaits ? kModel : kEndless));
    if (!whileItWaits) killer.join();
    CHECK(crashed.failure == (whileItWaits ? "" : "crashed with signal 9 (Killed)"));
  }
  CHECK(ask(workers, run(kModel)).failure.empty());
}

TEST_CASE("Workers: a run without end is stopped, or cancelled within a second") {
  const test::Folder folder;
  Workers workers(CARDAN_BINARY, folder / "", 1);
  CHECK(ask(workers, run(kEndless)).failure == "stopped after 1 s (--time-limit)");
  Workers patient(CARDAN_BINARY, folder / "", 60);
  Cancellation cancellation;
  std::thread impatient([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    cancellation.wish();
  });
  const auto begun = std::chrono::steady_clock::now();
  CHECK(ask(patient, run(kEndless), cancellation).failure == "cancelled");
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(2));
  impatient.join();
  CHECK(ask(patient, run(kModel)).failure.empty());
}

TEST_CASE("Workers: what is asked wrongly is answered so") {
  const test::Folder folder;
  Workers workers(CARDAN_BINARY, folder / "", 60);
  CHECK(ask(workers, "{").json.contains("error"));
  CHECK(ask(workers, R"({"do": "dance"})").json["error"] == "nobody can do 'dance'");
  CHECK(ask(workers, R"({"do": "run"})").json.contains("error"));
}

TEST_CASE("Workers: files are saved whole, in folders that are there") {
  const test::Folder folder;
  Workers workers(CARDAN_BINARY, folder / "", 60);
  const auto save = [&](const std::string& path) {
    return ask(workers, nlohmann::json{{"do", "save"}, {"file", path}, {"text", "a\n"}}.dump());
  };
  CHECK(!save(folder / "a.yaml").json.contains("error"));
  CHECK(folder.read("a.yaml") == "a\n");
  CHECK(save(folder / "none/a.yaml").json.contains("error"));
}
