#include "apps/cardan/fit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "apps/cardan/extending_model.h"
#include "apps/cardan/report_page.h"
#include "apps/cardan/text_table.h"
#include "engine/expression/value.h"
#include "engine/picture/plot.h"

namespace cardan {
namespace {

/// "0.31 m"
std::string withUnit(const std::string& number, const std::string& unit) {
  return unit.empty() || unit == "1" ? number : number + " " + unit;
}

/// As many digits as its error leaves, and two more.
std::string rounded(double x, double error) {
  if (!std::isfinite(x)) return fmt::format("{}", x);
  if (!(error > 0) || !std::isfinite(error) || x == 0) return fmt::format("{:.8g}", x);
  const double digits = std::floor(std::log10(std::abs(x))) - std::floor(std::log10(error)) + 3;
  return fmt::format("{:.{}g}", x, static_cast<int>(std::clamp(digits, 2.0, 15.0)));
}

std::string errorText(const FitEstimate& e) {
  if (e.atBound != 0) return "at its bound";
  return std::isfinite(e.error) ? fmt::format("{:.2g}", e.error) : "not told";
}

std::string intervalText(const FitEstimate& e) {
  if (e.atBound != 0 || !std::isfinite(e.error)) return "";
  return rounded(e.from, e.error) + " .. " + rounded(e.to, e.error);
}

std::vector<std::vector<std::string>> estimateRows(const FitTask& task, const FitResult& r) {
  std::vector<std::vector<std::string>> rows{{"parameter", "estimate", "standard error",
                                              fmt::format("{:g} % interval", 100 * task.confidence),
                                              "start"}};
  for (const FitEstimate& e : r.estimates) {
    rows.push_back({e.label, withUnit(rounded(e.value, e.error), e.unit), errorText(e),
                    intervalText(e), fmt::format("{:.6g}", e.start)});
  }
  return rows;
}

std::vector<std::vector<std::string>> signalRows(const FitResult& r) {
  std::vector<std::vector<std::string>> rows{
      {"signal", "values", "rms before", "rms after", "mean", "largest", "next alike"}};
  for (const FittedSignal& s : r.signals) {
    rows.push_back({s.variable + " of " + s.experiment, fmt::format("{}", s.time.size()),
                    withUnit(fmt::format("{:.4g}", s.rmsBefore), s.unit),
                    withUnit(fmt::format("{:.4g}", s.rmsAfter), s.unit),
                    fmt::format("{:.2g}", s.mean), fmt::format("{:.3g}", s.largest),
                    fmt::format("{:.2f}", s.correlation)});
  }
  return rows;
}

/// Remarks on the whole.
std::vector<std::string> remarks(const FitResult& r) {
  std::vector<std::string> list = r.untold;
  for (const FitEstimate& e : r.estimates) {
    if (e.atBound != 0)
      list.push_back(
          fmt::format("{} is at its {} bound: errors are those of the others, for this "
                      "value of it",
                      e.label, e.atBound < 0 ? "lower" : "upper"));
  }
  for (Eigen::Index a = 0; a < r.correlation.rows(); ++a) {
    for (Eigen::Index b = 0; b < a; ++b) {
      const auto& [ea, eb] = std::pair{r.estimates[a], r.estimates[b]};
      if (std::abs(r.correlation(a, b)) > 0.95 && std::isfinite(ea.error) &&
          std::isfinite(eb.error))
        list.push_back(fmt::format("{} and {} are correlated by {:.4f}", eb.label, ea.label,
                                   r.correlation(a, b)));
    }
  }
  list.insert(list.end(), r.bent.begin(), r.bent.end());
  for (const FittedSignal& s : r.signals) {
    const double n = static_cast<double>(s.time.size());
    const auto [low, high] = std::ranges::minmax(s.measured);
    const bool isNoise = s.rmsAfter > 1e-6 * (high - low);  // and not what runs leave open
    if (isNoise && n > 20 && s.correlation > 4 / std::sqrt(n) && s.correlation > 0.3)
      list.push_back(
          fmt::format("residuals of {} of {} follow each other ({:.2f}): the model lacks "
                      "something, and errors are too small",
                      s.variable, s.experiment, s.correlation));
  }
  for (const std::string& d : r.differences)
    list.push_back("derivatives by differences of runs, not by sensitivities: " + d);
  return list;
}

std::string summaryOf(const FitResult& r) {
  std::string text = fmt::format("{}; {} iterations, {} runs of the model", reasonOf(r.search.stop),
                                 r.search.iterations, r.runs);
  if (!r.failure.empty()) text += fmt::format("; {}", r.failure);
  if (r.starts > 1) text += fmt::format("; {} of {} starts came here", r.foundAgain, r.starts);
  if (r.sigmasKnown)
    text += fmt::format("; chi^2 by freedoms {:.4g} of {:g}", r.reducedChi2, r.freedoms);
  return text;
}

nlohmann::json numberOrNull(double x) {
  return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(nullptr);
}

Plot fitPlot(const FitTask& task, const FitResult& r) {
  Plot plot;
  plot.title = task.name;
  for (const FittedSignal& s : r.signals) {
    const std::string unit = s.unit.empty() || s.unit == "1" ? "" : " [" + s.unit + "]";
    // Values of one time stay in their order.
    PlotPanel fit{
        s.variable + unit + (r.signals.size() > 1 ? ", " + s.experiment : ""), s.unit, {}};
    PlotCurve data{.label = "measured", .x = s.time, .y = s.measured, .color = 1, .isMarked = true};
    PlotCurve curve{.label = "fit", .x = s.time, .y = s.after, .color = 0};
    curve.bandX = s.time;
    for (size_t i = 0; i < s.time.size(); ++i) {
      const double band = std::isfinite(s.band[i]) ? s.band[i] : 0;
      curve.bandLow.push_back(s.after[i] - band);
      curve.bandHigh.push_back(s.after[i] + band);
    }
    fit.curves = {std::move(data), std::move(curve)};
    if (std::ranges::all_of(s.before, [](double x) { return std::isfinite(x); }))
      fit.curves.push_back(
          {.label = "before", .x = s.time, .y = s.before, .dashed = true, .color = 2});
    PlotPanel rest{"residual" + unit, s.unit, {}};
    std::vector<double> residuals;
    for (size_t i = 0; i < s.time.size(); ++i) residuals.push_back(s.measured[i] - s.after[i]);
    rest.curves = {{.label = "measured - fit",
                    .x = s.time,
                    .y = plot.keep(std::move(residuals)),
                    .color = 1,
                    .isMarked = true}};
    plot.panels.push_back(std::move(fit));
    plot.panels.push_back(std::move(rest));
  }
  return plot;
}

std::vector<std::vector<std::string>> correlationRows(const FitResult& r) {
  std::vector<std::vector<std::string>> rows{{"correlation"}};
  for (const FitEstimate& e : r.estimates) rows[0].push_back(e.label);
  for (size_t a = 0; a < r.estimates.size(); ++a) {
    rows.push_back({r.estimates[a].label});
    for (size_t b = 0; b < r.estimates.size(); ++b)
      rows.back().push_back(fmt::format("{:.3f}", r.correlation(a, b)));
  }
  return rows;
}

}  // namespace

std::string fitText(const FitTask& task, const FitResult& r) {
  std::string text = textTable(estimateRows(task, r));
  if (r.estimates.size() > 1) text += "\n" + textTable(correlationRows(r));
  text += "\n" + textTable(signalRows(r)) + "\n" + summaryOf(r) + "\n";
  for (const std::string& remark : remarks(r)) text += "note: " + remark + "\n";
  return text;
}

std::string fitJson(const FitTask& task, const FitResult& r) {
  nlohmann::json j;
  j["model"] = task.modelFile;
  j["success"] = isFound(r.search.stop);
  j["message"] = reasonOf(r.search.stop);
  j["cost"] = r.search.cost;
  j["firstCost"] = r.search.firstCost;
  j["iterations"] = r.search.iterations;
  j["runs"] = r.runs;
  j["freedoms"] = r.freedoms;
  j["reducedChi2"] = r.reducedChi2;
  j["confidence"] = task.confidence;
  for (const FitEstimate& e : r.estimates) {
    nlohmann::json p{{"name", e.label},
                     {"unit", e.unit},
                     {"value", e.value},
                     {"start", e.start},
                     {"error", numberOrNull(e.error)},
                     {"from", numberOrNull(e.from)},
                     {"to", numberOrNull(e.to)},
                     {"low", numberOrNull(e.low)},
                     {"high", numberOrNull(e.high)},
                     {"atBound", e.atBound}};
    j["parameters"].push_back(std::move(p));
  }
  for (size_t a = 0; a < r.estimates.size(); ++a) {
    nlohmann::json row = nlohmann::json::array(), correlations = nlohmann::json::array();
    for (size_t b = 0; b < r.estimates.size(); ++b) {
      row.push_back(r.covariance(a, b));
      correlations.push_back(r.correlation(a, b));
    }
    j["covariance"].push_back(std::move(row));
    j["correlation"].push_back(std::move(correlations));
  }
  for (const FittedSignal& s : r.signals) {
    j["signals"].push_back({{"experiment", s.experiment},
                            {"variable", s.variable},
                            {"unit", s.unit},
                            {"sigma", s.sigma},
                            {"rmsBefore", numberOrNull(s.rmsBefore)},
                            {"rmsAfter", s.rmsAfter},
                            {"mean", s.mean},
                            {"largest", s.largest},
                            {"correlation", s.correlation},
                            {"time", s.time},
                            {"measured", s.measured},
                            {"fit", s.after}});
  }
  j["notes"] = remarks(r);
  j["untold"] = r.untold;
  j["bent"] = r.bent;
  j["differences"] = r.differences;
  return j.dump(1) + "\n";
}

std::string fitSvg(const FitTask& task, const FitResult& r) { return formatSvg(fitPlot(task, r)); }

std::string fitPage(const FitTask& task, const FitResult& r) {
  std::vector<std::vector<std::vector<std::string>>> tables{estimateRows(task, r)};
  if (r.estimates.size() > 1) tables.push_back(correlationRows(r));
  tables.push_back(signalRows(r));
  return reportPage(task.name, tables, summaryOf(r), remarks(r), fitSvg(task, r));
}

std::string fittedModel(const FitTask& task, const FitResult& r, const std::string& file) {
  std::vector<std::string> overrides = task.overrides;
  const auto& own = task.experiments.front().overrides;
  overrides.insert(overrides.end(), own.begin(), own.end());
  const auto isFitted = [&](const std::string& name) {
    return std::ranges::find(r.estimates, name, &FitEstimate::name) != r.estimates.end();
  };
  std::string text =
      fmt::format("# {} as cardan fit found it; {}\n", task.name, reasonOf(r.search.stop)) +
      extendingModel(task.modelFile, file, overrides, true, isFitted);
  std::string others;
  for (const FitEstimate& e : r.estimates) {
    const std::string error =
        e.atBound != 0 || std::isfinite(e.error) ? "+- " + errorText(e) : errorText(e);
    const std::string comment = e.atBound != 0 ? errorText(e) : error;
    const bool isFirst = std::ranges::find(e.experiments, 0u) != e.experiments.end();
    if (isFirst && e.name != kTimeShift) {
      text += fmt::format("  {}: {}  # {}\n", e.name, e.value, comment);
    } else {
      others += fmt::format("# {}: {}  # {}\n", e.label, e.value, comment);
    }
  }
  return text + others;
}

}  // namespace cardan
