// cardan watch: a command once more after each change of a model, and what has changed in its result.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/interruption.h"
#include "apps/cardan/model_options.h"
#include "apps/cosimulation/types.h"
#include "engine/model_file/model_source.h"
#include "engine/picture/plot.h"
#include "engine/result_metadata.h"
#include "engine/results/result_table.h"
#include "engine/text/file_text.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
constexpr size_t kMostColumns = 8;        // in a list of what differs
constexpr size_t kMostSidecar = 1 << 26;  // [bytes]

constexpr const char* kWatchFooter =
    R"(Runs the command, and again whenever the model or a file that it includes changes; then prints what is
another than before: counts, the end of the run, and the columns of the result that moved, the one that
moved most as a picture. The result is the file behind -o in the command. Ctrl-C ends it.

Examples:
  cardan watch arm.yaml -- cardan simulate arm.yaml -o arm.csv
  cardan watch arm.yaml -- cardan check arm.yaml)";

/// What is known of a result.
struct Seen {
  ResultTable table;
  nlohmann::json statistics;
};

/// Value of a column between rows.
double valueAt(const std::vector<double>& time, const std::vector<double>& values, double t) {
  const size_t next = std::ranges::upper_bound(time, t) - time.begin();
  if (next == 0 || next == time.size()) return values[next == 0 ? 0 : next - 1];
  const double share = (t - time[next - 1]) / (time[next] - time[next - 1]);
  return values[next - 1] + share * (values[next] - values[next - 1]);
}

struct Moved {
  std::string name;
  double most, at;  ///< difference, and when [s]
  double size;      ///< largest value of both
};

std::vector<Moved> movedColumns(const ResultTable& before, const ResultTable& now) {
  std::vector<Moved> list;
  for (const std::string& name : now.names()) {
    const auto* old = before.find(name);
    if (!old || before.time.empty()) continue;
    const std::vector<double>& values = *now.find(name);
    Moved m{name, 0, 0, 0};
    for (size_t i = 0; i < values.size(); ++i) {
      const double was = valueAt(before.time, *old, now.time[i]), d = std::abs(values[i] - was);
      m.size = std::max({m.size, std::abs(values[i]), std::abs(was)});
      if (d > m.most) m = {name, d, now.time[i], m.size};
    }
    if (m.most > 1e-9 * m.size) list.push_back(m);
  }
  std::ranges::stable_sort(list, std::greater(), [](const Moved& m) { return m.most / m.size; });
  return list;
}

void printDifference(const Seen& before, const Seen& now) {
  std::string text;
  for (const char* count : {"rows", "steps", "events"}) {
    const auto was = before.statistics.value(count, 0L), is = now.statistics.value(count, 0L);
    if (was != is) text += fmt::format("{}: {}, were {}\n", count, is, was);
  }
  if (const double was = before.table.time.back(), is = now.table.time.back(); was != is)
    text += fmt::format("end: {:.6g} s, was {:.6g} s\n", is, was);
  const std::vector<Moved> moved = movedColumns(before.table, now.table);
  for (size_t i = 0; i < std::min(moved.size(), kMostColumns); ++i)
    text += fmt::format("{}: by {:.4g} at {:.4g} s\n", moved[i].name, moved[i].most, moved[i].at);
  if (moved.size() > kMostColumns)
    text += fmt::format("... and {} more\n", moved.size() - kMostColumns);
  printOutput(text.empty() ? "nothing has changed\n" : text);
  if (moved.empty()) return;
  Plot plot;
  const std::string& name = moved.front().name;
  plot.panels.push_back(
      {.yLabel = name,
       .curves = {{.label = "now", .x = now.table.time, .y = *now.table.find(name)},
                  {.label = "before",
                   .x = before.table.time,
                   .y = *before.table.find(name),
                   .dashed = true,
                   .color = 1}}});
  printOutput(formatBraille(plot, terminalWidth()));
}

struct Watch {
  std::string model;
  std::vector<std::string> command;

  int run() {
    Interruption interruption;
    std::optional<Seen> before;
    while (true) {
      const auto times = timesOfFiles();
      const int code = runCommand();
      if (interruption.wished()) return interruption.exitCode();
      if (code == 0) showResult(before);
      while (timesOfFiles() == times) {
        std::this_thread::sleep_for(kBetweenLooks);
        if (interruption.wished()) return interruption.exitCode();
      }
      printMessages(fmt::format("--- {} has changed", model));
    }
  }

 private:
  /// When the model and what it includes were written; of one that is wrong, those that it included before.
  std::map<std::string, fs::file_time_type> timesOfFiles() {
    std::error_code none;
    std::map<std::string, fs::file_time_type> times;
    for (const std::string& f : files_) times[f] = fs::last_write_time(f, none);
    if (!files_.empty() && times == last_) return times;
    try {
      files_ = sourcesOf(Simulation::open(allTypes(), formats({}, {}), model).source());
    } catch (const ModelError&) {
      if (files_.empty()) files_ = {model};
    }
    last_.clear();
    for (const std::string& f : files_) last_[f] = fs::last_write_time(f, none);
    return last_;
  }

  int runCommand() const {
    std::vector<char*> words;
    for (const std::string& w : command) words.push_back(const_cast<char*>(w.c_str()));
    words.push_back(nullptr);
    const pid_t process = ::fork();
    if (process == 0) {
      if (command.front() == "cardan") ::execv("/proc/self/exe", words.data());
      ::execvp(words[0], words.data());
      printMessages("error: cannot start '" + command.front() + "': " + std::strerror(errno));
      ::_exit(127);
    }
    int status = 0;
    while (process > 0 && ::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return process > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : kFailed;
  }

  void showResult(std::optional<Seen>& before) const {
    const auto option = std::ranges::find_if(
        command, [](const std::string& w) { return w == "-o" || w == "--output-file"; });
    if (option == command.end() || option + 1 == command.end() || !(option + 1)->ends_with(".csv"))
      return;
    const std::string path = *(option + 1);
    Seen now{ResultTable::read(path), {}};
    Diagnostics ignored;
    if (const auto text = readFileText(metadataPath(path), kMostSidecar, "sidecar", ignored)) {
      const auto sidecar = nlohmann::json::parse(*text, nullptr, false);
      if (sidecar.is_object())
        now.statistics = sidecar.value("statistics", nlohmann::json::object());
    }
    if (now.table.time.empty()) return;
    if (before) printDifference(*before, now);
    before = std::move(now);
  }

  std::vector<std::string> files_;
  std::map<std::string, fs::file_time_type> last_;
};

}  // namespace

CommandRun addWatch(CLI::App& app) {
  auto watch = std::make_shared<Watch>();
  app.footer(kWatchFooter);
  addOption(app, "MODEL", watch->model, "", "model file that is watched")->required();
  addOption(app, "COMMAND", watch->command, "", "what is run, behind --; 'cardan' is this program")
      ->required();
  return [watch] { return watch->run(); };
}

}  // namespace cardan
