#include "apps/cardan/optimum_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <nlohmann/json.hpp>

#include "apps/cardan/extending_model.h"
#include "apps/cardan/report_page.h"
#include "apps/cardan/run_options.h"
#include "apps/cardan/text_table.h"
#include "engine/picture/plot.h"
#include "engine/study/csv_text.h"

namespace cardan {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string unitText(const std::string& unit) {
  return unit.empty() || unit == "1" ? "" : " " + unit;
}

std::string numberText(double x, int digits) {
  return std::isnan(x) ? "none" : fmt::format("{:.{}g}", x, digits);
}

std::string boundText(const OptimumResult& r, size_t k) {
  return r.atBound[k] < 0 ? "at its lower bound" : r.atBound[k] > 0 ? "at its upper bound" : "";
}

/// Of parameters, goals and constraints.
std::vector<Rows> optimumTables(const OptimumRuns& runs, const OptimumResult& r) {
  const OptimumTask& task = runs.task();
  const char* best = r.found ? "optimum" : "best";
  Rows parameters{{"parameter", best, "start", ""}}, goals{{"goal", best, "start"}},
      constraints{{"constraint", "value", "", "multiplier"}};
  for (size_t k = 0; k < r.x.size(); ++k)
    parameters.push_back({task.parameters[k].name,
                          numberText(r.x[k], 8) + (r.isKnown() ? unitText(runs.units()[k]) : ""),
                          numberText(runs.start()[k], 6), boundText(r, k)});
  for (size_t g = 0; g < task.goals.size(); ++g)
    goals.push_back({task.goals[g].text, numberText(r.goals[g], 8), numberText(r.first[g], 6)});
  for (size_t i = 0; i < task.constraints.size(); ++i) {
    const OptimumResult::Constraint& c = r.constraints[i];
    constraints.push_back({task.constraints[i].text, numberText(c.value, 8),
                           c.isViolated ? "violated"
                           : c.isActive ? "active"
                                        : "",
                           numberText(c.multiplier, 4)});
  }
  if (task.constraints.empty()) return {parameters, goals};
  return {parameters, goals, constraints};
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

Rows frontRows(const OptimumRuns& runs, const std::vector<OptimumResult>& front) {
  Rows rows{frontHeader(runs.task())};
  rows[0].emplace_back("");
  for (const OptimumResult& r : front) {
    rows.emplace_back();
    for (const double x : frontRow(r)) rows.back().push_back(numberText(x, 6));
    rows.back().push_back(r.found ? "" : r.reason);
    for (size_t i = 0; i < r.constraints.size(); ++i) {
      if (r.constraints[i].isViolated)
        rows.back().back() += "; violated: " + runs.task().constraints[i].text;
    }
  }
  return rows;
}

/// A front, one goal over the other; or what was tried, run by run, beside what was found.
class OptimumPlot {
 public:
  OptimumPlot(const OptimumTask& task, const std::vector<OptimumResult>& results,
              const OptimumTrail& trail) {
    plot.title = task.name;
    if (task.front > 0) {
      addFront(task, results);
      return;
    }
    plot.xLabel = "run";
    ends_ = {1, std::max(2.0, trail.asked)};
    const OptimumResult& r = results.front();
    for (size_t g = 0; g < task.goals.size(); ++g)
      add(task.goals[g].text, trail.number, trail.goals[g], "found", r.goals[g]);
    for (size_t i = 0; i < task.constraints.size(); ++i)
      add(task.constraints[i].text, trail.number, trail.constraints[i], "bound",
          task.constraints[i].bound);
    for (size_t k = 0; k < task.parameters.size(); ++k)
      add(task.parameters[k].name, trail.number, trail.parameters[k], "found", r.x[k]);
  }
  Plot plot;

 private:
  void addFront(const OptimumTask& task, const std::vector<OptimumResult>& results) {
    std::vector<double>&x = kept_.emplace_back(), &y = kept_.emplace_back();
    for (const OptimumResult& r : results) {
      if (!std::isfinite(r.goals[0] + r.goals[1])) continue;
      x.push_back(r.goals[0]);
      y.push_back(r.goals[1]);
    }
    plot.xLabel = task.goals[0].text;
    plot.panels.push_back(
        {task.goals[1].text, "", {{.label = "", .x = x, .y = y, .isMarked = true}}});
  }
  void add(const std::string& name, const std::vector<double>& x, const std::vector<double>& y,
           const char* label, double level) {
    PlotPanel panel{name, "", {{.label = "tried", .x = x, .y = y, .color = 1, .isMarked = true}}};
    if (std::isfinite(level)) {
      const std::vector<double>& line = kept_.emplace_back(2, level);
      panel.curves.push_back({.label = label, .x = ends_, .y = line, .dashed = true, .color = 0});
    }
    plot.panels.push_back(std::move(panel));
  }

  std::vector<double> ends_;
  std::deque<std::vector<double>> kept_;
};

nlohmann::ordered_json jsonNumber(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json jsonOf(const OptimumRuns& runs, const OptimumResult& r) {
  const OptimumTask& task = runs.task();
  nlohmann::ordered_json j{
      {"success", r.found}, {"message", r.reason}, {"iterations", r.iterations}};
  for (size_t k = 0; k < r.x.size(); ++k)
    j["parameters"].push_back({{"name", task.parameters[k].name},
                               {"unit", runs.units()[k]},
                               {"value", jsonNumber(r.x[k])},
                               {"start", runs.start()[k]},
                               {"low", jsonNumber(task.parameters[k].low)},
                               {"high", jsonNumber(task.parameters[k].high)},
                               {"atBound", r.atBound[k]}});
  for (size_t g = 0; g < task.goals.size(); ++g)
    j["goals"].push_back({{"text", task.goals[g].text},
                          {"maximised", task.goals[g].isMaximised},
                          {"value", jsonNumber(r.goals[g])},
                          {"start", jsonNumber(r.first[g])}});
  for (size_t i = 0; i < task.constraints.size(); ++i)
    j["constraints"].push_back({{"text", task.constraints[i].text},
                                {"value", jsonNumber(r.constraints[i].value)},
                                {"active", r.constraints[i].isActive},
                                {"violated", r.constraints[i].isViolated},
                                {"multiplier", jsonNumber(r.constraints[i].multiplier)}});
  return j;
}

}  // namespace

OptimumTrail::OptimumTrail(const OptimumTask& task)
    : parameters(task.parameters.size()),
      goals(task.goals.size()),
      constraints(task.constraints.size()),
      task_(task) {}

void OptimumTrail::add(const std::vector<OptimumRun>& runs,
                       const std::vector<OptimumOutcome>& outcomes) {
  const auto put = [](auto& lists, size_t i, std::optional<double> value) {
    lists[i].push_back(value.value_or(NAN));
  };
  for (size_t n = 0; n < runs.size(); ++n) {
    if (runs[n].kind != OptimumRun::Kind::plain || !outcomes[n].isMade()) continue;
    ++asked;
    if (!outcomes[n].isGood()) continue;
    number.push_back(asked);
    for (size_t k = 0; k < parameters.size(); ++k) put(parameters, k, runs[n].x[k]);
    for (size_t g = 0; g < goals.size(); ++g) put(goals, g, outcomes[n].kept[task_.goals[g].kept]);
    for (size_t i = 0; i < constraints.size(); ++i)
      put(constraints, i, outcomes[n].kept[task_.constraints[i].kept]);
  }
}

std::string optimumReport(const OptimumRuns& runs, const std::vector<OptimumResult>& results,
                          const OptimumTrail& trail, const std::string& summary,
                          const std::vector<std::string>& differences, const std::string& file) {
  const OptimumTask& task = runs.task();
  if (file.ends_with(".json")) {
    nlohmann::ordered_json j{{"model", task.modelFile}, {"differences", differences}};
    if (task.front == 0) j.update(jsonOf(runs, results.front()));
    for (size_t i = 0; task.front > 0 && i < results.size(); ++i)
      j["front"].push_back(jsonOf(runs, results[i]));
    return j.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  const std::string svg = formatSvg(OptimumPlot(task, results, trail).plot);
  if (file.ends_with(".svg")) return svg;
  const std::vector<Rows> tables = task.front > 0 ? std::vector<Rows>{frontRows(runs, results)}
                                                  : optimumTables(runs, results.front());
  return reportPage(task.name, tables, summary, differences, svg);
}

std::string optimumText(const OptimumRuns& runs, const OptimumResult& r) {
  std::string text;
  for (const Rows& rows : optimumTables(runs, r)) text += textTable(rows) + "\n";
  return text;
}

std::string optimumModel(const OptimumRuns& runs, const OptimumResult& r, const std::string& file) {
  const OptimumTask& task = runs.task();
  const auto isFound = [&](const std::string& name) {
    return std::ranges::any_of(task.parameters, [&](const auto& p) { return p.name == name; });
  };
  std::string text = fmt::format("# {} as cardan optimize found it; {}\n", task.name, r.reason);
  for (size_t g = 0; g < task.goals.size(); ++g)
    text += fmt::format("# {}: {:.8g}\n", task.goals[g].text, r.goals[g]);
  for (size_t i = 0; i < task.constraints.size(); ++i) {
    if (r.constraints[i].isViolated)
      text += fmt::format("# violated: {}, found {:.8g}\n", task.constraints[i].text,
                          r.constraints[i].value);
  }
  text += extendingModel(task.modelFile, file, task.overrides, true, isFound);
  for (size_t k = 0; k < r.x.size(); ++k) {
    const std::string note = boundText(r, k);
    text += fmt::format("  {}: {}{}\n", task.parameters[k].name, r.x[k],
                        note.empty() ? "" : "  # " + note);
  }
  return text;
}

std::string frontText(const OptimumRuns& runs, const std::vector<OptimumResult>& front) {
  return textTable(frontRows(runs, front));
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
