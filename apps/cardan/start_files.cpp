#include "apps/cardan/start_files.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "engine/results/output_file.h"
#include "engine/results/result_table.h"
#include "engine/saved_state.h"

namespace cardan {
namespace {

std::string readWhole(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse("the file cannot be read", {file});
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// As `cardan equilibrium -o` writes it.
StartPoint equilibriumIn(const std::string& text, const std::string& file) {
  StartPoint point;
  point.file = file;
  try {
    const nlohmann::json all = nlohmann::json::parse(text);
    point.time = all.at("time");
    for (const auto& u : all.at("unknowns")) {
      point.names.push_back(u.at("name"));
      point.values.push_back(u.at("value"));
    }
  } catch (const nlohmann::json::exception& e) {
    refuse(std::string("it is no equilibrium as cardan writes it: ") + e.what(), {file});
  }
  return point;
}

StartPoint lastRowOf(const std::string& file) {
  const ResultTable result = ResultTable::read(file);
  if (result.time.empty()) throw ResultFileError(file + ": error: it has no rows");
  result.checkNames(file);
  StartPoint point;
  point.file = file;
  point.isRow = true;
  point.time = result.time.back();
  for (const std::string& name : result.names()) {
    point.names.push_back(name);
    point.values.push_back(result.find(name)->back());
  }
  return point;
}

}  // namespace

void StartOptions::add(CLI::App& command) {
  addOption(command, "--start", start, "FILE",
            "begin at an equilibrium (cardan equilibrium -o), at the last row of a result\n"
            "(.csv), or go on with a state that --save-state has saved");
  CLI::Option* const saving =
      addOption(command, "--save-state", save, "FILE",
                "save the state at the end, so that another run goes on bit for bit");
  addOption(command, "--save-at", saveAt, "S",
            "end with the first step that reaches this time, to go on later", finiteNumber())
      ->needs(saving);
}

void StartOptions::applyTo(RunOptions& run) const {
  run.saves = !save.empty();
  run.pauseAt = saveAt;
  if (start.empty()) return;
  const std::string text = readWhole(start);
  if (!SavedState::isOne(text)) {
    run.from = std::make_shared<StartPoint>(start.ends_with(".json") ? equilibriumIn(text, start)
                                                                     : lastRowOf(start));
    if (!run.startTime) run.startTime = run.from->time;
    return;
  }
  run.resume = std::make_shared<SavedState>(SavedState::read(text, start));
  if (run.startTime) refuse("a saved state has its own time: leave out --start-time", {start});
  run.startTime = run.resume->startTime;
  if (saveAt && *saveAt <= run.resume->time) {
    refuse(fmt::format("the state is of {} s, so that --save-at {} is over", run.resume->time,
                       *saveAt),
           {start});
  }
}

void StartOptions::write(const Simulation& simulation, const RunOptions& run) const {
  if (save.empty()) return;
  writeTextFile(save, simulation.save(run).write());
}

}  // namespace cardan
