#include "apps/bench/race_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "engine/picture/plot.h"

namespace cardan::bench {
namespace {

/// Programs in the order of their curves, so that each keeps its colour.
constexpr std::array<std::pair<const char*, const char*>, 5> kPrograms{{{"cardan", "Cardan"},
                                                                        {"rbdl", "RBDL"},
                                                                        {"mujoco", "MuJoCo"},
                                                                        {"bullet", "Bullet"},
                                                                        {"simbody", "Simbody"}}};
constexpr double kScaledError = 1e-4;  // that chains of all lengths are compared at

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

double numberOf(const std::string& text, const std::string& place) {
  size_t read = 0;
  double x = 0;
  try {
    x = std::stod(text, &read);
  } catch (const std::exception&) {
  }
  if (text.empty() || read != text.size() || !std::isfinite(x))
    throw std::invalid_argument(place + "'" + text + "' is no number");
  return x;
}

/// "a chain of 8 links, 2 s"
std::string titleOf(const RaceRun& r) {
  std::string what = "A spinning body without forces";
  if (r.benchCase == "chain")
    what = r.n == 1 ? "A pendulum" : fmt::format("A chain of {} links", r.n);
  if (r.benchCase == "robot6") what = "An arm with six stiff dampers";
  if (r.benchCase == "fourbar") what = "A four-bar";
  return fmt::format("{}, {:g} s", what, r.stop);
}

/// A plot on logarithmic axes.

class Figure {
 public:
  Figure(std::string title, std::string xLabel, std::string yLabel) {
    plot_.title = std::move(title);
    plot_.xLabel = std::move(xLabel);
    plot_.xLog = plot_.yLog = true;
    plot_.panels.push_back({.yLabel = std::move(yLabel), .curves = {}});
  }
  void add(const std::string& label, size_t color, std::vector<double> x, std::vector<double> y) {
    if (x.empty()) return;
    plot_.panels[0].curves.push_back({.label = label,
                                      .x = plot_.keep(std::move(x)),
                                      .y = plot_.keep(std::move(y)),
                                      .color = color,
                                      .isMarked = true});
  }
  std::string svg() const { return formatSvg(plot_); }

 private:
  Plot plot_;
};

RaceFigure workPrecision(const RaceTable& table, const RaceRun& first) {
  Figure figure(titleOf(first), "error reached", "CPU time [ms]");
  for (size_t p = 0; p < kPrograms.size(); ++p) {
    std::vector<double> error, time;
    for (const RaceRun& r : bestRuns(table, first.benchCase, first.n, kPrograms[p].first)) {
      error.push_back(r.error);
      time.push_back(1e3 * r.cpu);
    }
    figure.add(kPrograms[p].second, p, std::move(error), std::move(time));
  }
  const bool sized = first.benchCase == "chain";
  return {first.benchCase + (sized ? fmt::format("_{}", first.n) : "") + ".svg", figure.svg()};
}

RaceFigure scaling(const RaceTable& table, const std::vector<RaceRun>& chains) {
  Figure figure("Chains, to an error of 1e-4", "links", "CPU time for a second [ms]");
  for (size_t p = 0; p < kPrograms.size(); ++p) {
    std::vector<double> links, time;
    for (const RaceRun& chain : chains) {
      double best = std::numeric_limits<double>::infinity();
      for (const RaceRun& r : bestRuns(table, "chain", chain.n, kPrograms[p].first)) {
        if (r.error <= kScaledError) best = std::min(best, 1e3 * r.cpu / r.stop);
      }
      if (!std::isfinite(best)) continue;
      links.push_back(chain.n);
      time.push_back(best);
    }
    figure.add(kPrograms[p].second, p, std::move(links), std::move(time));
  }
  return {"scaling.svg", figure.svg()};
}

}  // namespace

RaceTable parseRace(const std::string& text, const std::string& path) {
  RaceTable table;
  std::istringstream in(text);
  int number = 0;
  bool hasHeader = false;
  for (std::string line; std::getline(in, line);) {
    const std::string place = fmt::format("{}:{}: ", path, ++number);
    if (line.starts_with("# ") && table.about.empty()) table.about = line.substr(2);
    if (line.empty() || line.starts_with("#")) continue;
    const std::vector<std::string> f = fieldsOf(line);
    if (!hasHeader) {
      if (line != "case,n,stop,program,method,setting,cpu,error")
        throw std::invalid_argument(place + "no table of a race");
      hasHeader = true;
      continue;
    }
    if (f.size() != 8) throw std::invalid_argument(place + "a run has 8 fields");
    table.runs.push_back({f[0], f[3], f[4], f[5], static_cast<int>(numberOf(f[1], place)),
                          numberOf(f[2], place), numberOf(f[6], place), numberOf(f[7], place)});
  }
  if (!hasHeader) throw std::invalid_argument(path + ": no table of a race");
  return table;
}

std::vector<RaceRun> bestRuns(const RaceTable& table, const std::string& benchCase, int n,
                              const std::string& program) {
  std::vector<RaceRun> runs;
  for (const RaceRun& r : table.runs) {
    if (r.benchCase == benchCase && r.n == n && r.program == program) runs.push_back(r);
  }
  std::ranges::stable_sort(runs, [](const RaceRun& a, const RaceRun& b) {
    return a.error != b.error ? a.error < b.error : a.cpu < b.cpu;
  });
  std::vector<RaceRun> best;
  for (const RaceRun& r : runs) {
    if (best.empty() || r.cpu < best.back().cpu) best.push_back(r);
  }
  return best;
}

std::vector<RaceFigure> raceFigures(const RaceTable& table) {
  std::vector<RaceRun> cases;
  for (const RaceRun& r : table.runs) {
    const bool known = std::ranges::any_of(
        cases, [&](const RaceRun& c) { return c.benchCase == r.benchCase && c.n == r.n; });
    if (!known) cases.push_back(r);
  }
  std::vector<RaceFigure> figures;
  for (const RaceRun& c : cases) figures.push_back(workPrecision(table, c));
  std::erase_if(cases, [](const RaceRun& c) { return c.benchCase != "chain"; });
  if (cases.size() > 1) figures.push_back(scaling(table, cases));
  return figures;
}

}  // namespace cardan::bench
