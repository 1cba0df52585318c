#include "apps/cardan/optimum_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/cardan/extending_model.h"
#include "apps/cardan/run_options.h"
#include "apps/cardan/text_table.h"
#include "engine/study/csv_text.h"

namespace cardan {
namespace {

std::string unitText(const std::string& unit) {
  return unit.empty() || unit == "1" ? "" : " " + unit;
}

std::string boundText(const OptimumResult& r, size_t k) {
  return r.atBound[k] < 0 ? "at its lower bound" : r.atBound[k] > 0 ? "at its upper bound" : "";
}

/// Parameters, then goals.
std::vector<std::string> frontHeader(const OptimumTask& task) {
  std::vector<std::string> names;
  for (const OptimumTask::Goal& g : task.goals) names.push_back(task.kept.values()[g.kept].name);
  for (const BoundedParameter& p : task.parameters) names.push_back(p.name);
  return names;
}

std::vector<double> frontRow(const OptimumResult& r) {
  std::vector<double> row = r.goals;
  row.insert(row.end(), r.x.begin(), r.x.end());
  return row;
}

}  // namespace

std::string optimumText(const OptimumRuns& runs, const OptimumResult& r) {
  const OptimumTask& task = runs.task();
  const char* best = r.found ? "optimum" : "best";
  std::vector<std::vector<std::string>> rows{{"parameter", best, "start", ""}};
  for (size_t k = 0; k < r.x.size(); ++k)
    rows.push_back({task.parameters[k].name,
                    fmt::format("{:.8g}{}", r.x[k], unitText(runs.units()[k])),
                    fmt::format("{:.6g}", runs.start()[k]), boundText(r, k)});
  std::string text = textTable(rows) + "\n";
  rows = {{"goal", best, "start"}};
  for (size_t g = 0; g < task.goals.size(); ++g)
    rows.push_back(
        {task.goals[g].text, fmt::format("{:.8g}", r.goals[g]), fmt::format("{:.6g}", r.first[g])});
  text += textTable(rows) + "\n";
  rows = {{"constraint", "value", "", "multiplier"}};
  for (size_t i = 0; i < task.constraints.size(); ++i) {
    const OptimumResult::Constraint& c = r.constraints[i];
    rows.push_back({task.constraints[i].text, fmt::format("{:.8g}", c.value),
                    c.isActive ? "active" : "", fmt::format("{:.4g}", c.multiplier)});
  }
  return task.constraints.empty() ? text : text + textTable(rows) + "\n";
}

std::string optimumModel(const OptimumRuns& runs, const OptimumResult& r, const std::string& file) {
  const OptimumTask& task = runs.task();
  const auto isFound = [&](const std::string& name) {
    return std::ranges::any_of(task.parameters, [&](const auto& p) { return p.name == name; });
  };
  std::string text = fmt::format("# {} as cardan optimize found it; {}\n", task.name, r.reason);
  for (size_t g = 0; g < task.goals.size(); ++g)
    text += fmt::format("# {}: {:.8g}\n", task.goals[g].text, r.goals[g]);
  text += extendingModel(task.modelFile, file, task.overrides, true, isFound);
  for (size_t k = 0; k < r.x.size(); ++k) {
    const std::string note = boundText(r, k);
    text += fmt::format("  {}: {}{}\n", task.parameters[k].name, r.x[k],
                        note.empty() ? "" : "  # " + note);
  }
  return text;
}

std::string frontText(const OptimumRuns& runs, const std::vector<OptimumResult>& front) {
  std::vector<std::vector<std::string>> rows{frontHeader(runs.task())};
  rows[0].emplace_back("");
  for (const OptimumResult& r : front) {
    rows.emplace_back();
    for (const double x : frontRow(r)) rows.back().push_back(fmt::format("{:.6g}", x));
    rows.back().push_back(r.found ? "" : r.reason);
  }
  return textTable(rows);
}

std::string frontCsv(const OptimumRuns& runs, const std::vector<OptimumResult>& front) {
  std::vector<std::string> names;
  for (const std::string& n : frontHeader(runs.task())) names.push_back(csvText(n));
  std::string text = fmt::format("{},\"found\"\n", fmt::join(names, ","));
  for (const OptimumResult& r : front) {
    for (const double x : frontRow(r)) text += (std::isfinite(x) ? fmt::format("{}", x) : "") + ",";
    text += r.found ? "true\n" : "false\n";
  }
  return text;
}

std::string optimumJson(const OptimumRuns& runs, const std::string& fingerprint) {
  const OptimumTask& task = runs.task();
  nlohmann::ordered_json j{{"model", task.modelFile}, {"fingerprint", fingerprint},
                           {"set", task.overrides},   {"method", task.method},
                           {"starts", task.starts},   {"seed", task.seed},
                           {"front", task.front},     {"runs", task.runs}};
  for (size_t k = 0; k < task.parameters.size(); ++k) {
    const BoundedParameter& p = task.parameters[k];
    j["parameters"][p.name] = fmt::format("{}:{}..{}", runs.start()[k], p.low, p.high);
  }
  for (const OptimumTask::Goal& g : task.goals) j["goals"].push_back(g.text);
  for (const OptimumTask::Constraint& c : task.constraints) j["constraints"].push_back(c.text);
  j["simulation"] = givenSettings(task.settings);
  return j.dump(1) + "\n";
}

}  // namespace cardan
