// cardan plot: draws signals of results, as SVG, as a page, or in the terminal.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/plot_results.h"
#include "engine/picture/decimation.h"
#include "engine/picture/page.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

constexpr const char* kPlotFooter =
    R"(Every -y is a panel of its own, and signals of different units are in different panels. * stands for
any characters of one name, ** goes on across dots. Units come from the sidecar NAME.meta.json. Two
rows of one time, before and after an event, are a step. A curve has at most six points a pixel, its
extremes among them, so that files stay small however long the result is. Further results are drawn
dashed, in the colour of the signal that they belong to. - reads the result from standard input.

Examples:
  cardan plot run.csv -y 'revolute*.phi;totalEnergy' -o run.svg
  cardan plot run.csv -y 'body.r_0[1]' -y 'body.v_0' -o run.html
  cardan plot run.csv -x 'body.r_0[1]' -y 'body.r_0[2]' -o path.svg
  cardan plot run.csv reference.csv -y phi --tube -o both.svg
  cardan simulate arm.yaml -o - -q | cardan plot - --plot-terminal

Exit codes: 0 done, 1 the file could not be written, 2 a file cannot be read or a signal is missing.)";

constexpr size_t kMostByDefault = 12;
constexpr size_t kMostSignals = 200;

struct PlotOptions {
  std::vector<std::string> results, signals;
  std::string x, output, title;
  bool tube = false, terminal = false;
};

std::string standardInput() {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t n = 0; (n = ::read(STDIN_FILENO, buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno != EINTR) refuse("cannot read standard input");
    if (n > 0) text.append(buffer, n);
  }
  return text;
}

/// Panels by -y, each with its patterns.
std::vector<std::vector<std::string>> patternsOf(const std::vector<std::string>& signals) {
  std::vector<std::vector<std::string>> result;
  for (const std::string& s : signals) {
    std::vector<std::string> list;
    for (const std::string_view part : splitOutsideBrackets(s, ';')) {
      if (const std::string_view one = trimmed(part); !one.empty()) list.emplace_back(one);
    }
    if (list.empty()) refuse("-y must name signals, found '" + s + "'");
    result.push_back(std::move(list));
  }
  return result;
}

class Plotter {
 public:
  explicit Plotter(const PlotOptions& o) : o_(o), patterns_(patternsOf(o.signals)) {}

  Plot make() {
    for (const std::string& path : o_.results) tables_.push_back(read(path));
    const std::string& first = o_.results.front();
    texts_ = first == "-" ? ColumnTexts() : ColumnTexts::besides(first);
    Plot plot;
    plot.title = o_.title.empty() ? defaultTitle() : o_.title;
    if (!o_.x.empty()) {
      if (!tables_[0].find(o_.x)) missing(o_.x);
      plot.xLabel = o_.x + (texts_.unit(o_.x).empty() ? "" : " " + texts_.unit(o_.x));
    }
    size_t count = 0;
    for (const auto& group : groups()) {
      PlotPanel panel;
      panel.yLabel = label(group);
      for (const std::string& name : group) {
        if (++count > kMostSignals)
          refuse(fmt::format("at most {} signals in a plot; choose fewer with -y", kMostSignals));
        curves(panel, name);
      }
      plot.panels.push_back(std::move(panel));
    }
    return plot;
  }

  /// What a page shows: curves of a scene of nothing else.
  static Scene scene(const Plot& plot) {
    Scene s;
    s.title = plot.title;
    const PlotFrame f = plotFrames(plot).front();
    s.times = {f.x_low, f.x_high};
    int panel = 0;
    for (const PlotPanel& p : plot.panels) {
      for (const PlotCurve& c : p.curves) {
        Scene::Curve curve{.name = c.label, .unit = p.unit, .description = "", .values = {}};
        for (const PlotPoint& q : decimated(c.x, c.y, f.x_low, f.x_high, 2000)) {
          curve.times.push_back(q.x);
          curve.values.push_back(static_cast<float>(q.y));
        }
        curve.panel = panel;
        curve.dashed = c.dashed;
        s.curves.push_back(std::move(curve));
      }
      ++panel;
    }
    return s;
  }

 private:
  /// "EngineV6", "17 (EngineV6)": what the file is called, and the model where that is another name.
  std::string defaultTitle() const {
    if (o_.results[0] == "-") return "";
    const std::string stem = std::filesystem::path(o_.results[0]).stem().string();
    return texts_.model.empty() || texts_.model == stem ? stem : stem + " (" + texts_.model + ")";
  }
  [[noreturn]] void missing(const std::string& name) const {
    refuse(fmt::format("no signal '{}' in {}{}", name, o_.results[0],
                       didYouMean(name, tables_[0].names())));
  }

  ResultTable read(const std::string& path) {
    const ResultTable::Wanted wanted = [&](std::string_view name) {
      if (patterns_.empty()) return true;
      const std::vector<std::string> one{std::string(name)};
      if (!o_.x.empty() && !matchingNames(one, o_.x).empty()) return true;
      for (const auto& list : patterns_) {
        for (const std::string& p : list) {
          if (!matchingNames(one, p).empty()) return true;
        }
      }
      return false;
    };
    if (path == "-") return ResultTable::parse(standardInput(), "stdin", wanted);
    return ResultTable::read(path, wanted);
  }

  /// Names of the first result, a list a panel.
  std::vector<std::vector<std::string>> groups() const {
    std::vector<std::vector<std::string>> result;
    const auto add = [&](const std::vector<std::string>& names) {
      std::vector<std::pair<std::string, size_t>> panelOf;  // by unit
      for (const std::string& name : names) {
        const std::string unit = texts_.unit(name);
        auto known = std::ranges::find(panelOf, unit, &std::pair<std::string, size_t>::first);
        if (known == panelOf.end()) {
          panelOf.emplace_back(unit, result.size());
          result.emplace_back();
          known = panelOf.end() - 1;
        }
        result[known->second].push_back(name);
      }
    };
    if (patterns_.empty()) {
      std::vector<std::string> all = tables_[0].names();
      std::erase(all, o_.x);
      if (all.size() > kMostByDefault) all.resize(kMostByDefault);
      add(all);
    }
    for (const auto& list : patterns_) {
      std::vector<std::string> names;
      for (const std::string& p : list) {
        const auto found = matchingNames(tables_[0].names(), p);
        if (found.empty()) {
          // What was not asked for was not read: once more, for the names.
          if (o_.results[0] != "-") tables_[0] = ResultTable::read(o_.results[0]);
          missing(p);
        }
        for (const std::string& name : found) {
          if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        }
      }
      add(names);
    }
    return result;
  }
  /// "angle [rad]" where all signals have one description, else the unit.
  std::string label(const std::vector<std::string>& names) const {
    const std::string unit = texts_.unit(names[0]);
    if (names.size() == 1) return names[0] + (unit.empty() ? "" : " " + unit);
    return unit;
  }

  void curves(PlotPanel& panel, const std::string& name) {
    const size_t color = panel.curves.size() / tables_.size();
    std::vector<PlotCurve> added;
    for (size_t k = 0; k < tables_.size(); ++k) {
      const ResultTable& t = tables_[k];
      const std::vector<double>* y = t.find(name);
      if (!y) refuse(fmt::format("no signal '{}' in {}", name, o_.results[k]));
      const std::vector<double>* x = o_.x.empty() ? &t.time : t.find(o_.x);
      if (!x) refuse(fmt::format("no signal '{}' in {}", o_.x, o_.results[k]));
      const std::string file = std::filesystem::path(o_.results[k]).filename().string();
      added.push_back({.label = k == 0 ? name : name + " (" + file + ")",
                       .x = *x,
                       .y = *y,
                       .dashed = k > 0,
                       .color = color});
      if (o_.tube && k > 0 && o_.x.empty()) {
        const Comparison c = compareResults(tables_[0], t, {name}, TubeOptions());
        addTube(added.back(), t, c.signals[0], c, TubeOptions());
      }
    }
    panel.unit = texts_.units.contains(name) ? texts_.units.at(name) : "";
    for (PlotCurve& c : added) panel.curves.push_back(std::move(c));
  }

  const PlotOptions& o_;
  std::vector<std::vector<std::string>> patterns_;
  mutable std::deque<ResultTable> tables_;
  ColumnTexts texts_;
};

int plot(const PlotOptions& o) {
  const bool html = o.output.ends_with(".html");
  if (o.output.empty() && !o.terminal)
    refuse("say where to draw: -o FILE.svg, -o FILE.html or --plot-terminal");
  if (!o.output.empty() && !html && !o.output.ends_with(".svg") && o.output != "-")
    refuse("a plot is a .svg or .html file, found '" + o.output + "'");
  if (o.tube && o.results.size() < 2) refuse("--tube needs a reference beside the result");
  protectFiles({{o.output, "the plot"}}, o.results);
  Plotter plotter(o);
  const Plot plot = plotter.make();
  if (o.terminal) printOutput(formatBraille(plot, terminalWidth()));
  if (!o.output.empty())
    writeOutput(o.output, html ? formatCurvePage(Plotter::scene(plot)) : formatSvg(plot));
  return kDone;
}

}  // namespace

CommandRun addPlot(CLI::App& app) {
  auto o = std::make_shared<PlotOptions>();
  addOption(app, "RESULT", o->results, "", "result (CSV), and further ones to lay beside it")
      ->required();
  addRepeatable(app, "-y", o->signals, "GLOBS",
                "names or patterns, separated by ; (repeatable: a panel each; default: the\n"
                "first 12 signals)");
  addOption(app, "-x", o->x, "NAME", "signal along the horizontal axis (default: time)");
  app.add_flag("--tube", o->tube,
               "lay around each reference the tube that 'cardan compare' judges by");
  addOption(app, "-o,--output-file", o->output, "FILE",
            "plot, .svg or .html; - is standard output");
  addOption(app, "--title", o->title, "TEXT", "heading (default: the names of result and model)");
  app.add_flag("--plot-terminal", o->terminal, "draw small curves in the terminal");
  app.footer(kPlotFooter);
  return [o] { return plot(*o); };
}

}  // namespace cardan
