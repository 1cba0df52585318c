#include "apps/cardan/campbell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "engine/analysis/mode_tracks.h"
#include "engine/model_file/model_source.h"
#include "engine/motion_point.h"
#include "engine/picture/plot.h"
#include "engine/results/model_task.h"
#include "engine/study/axis_values.h"
#include "engine/study/csv_text.h"

namespace cardan {
namespace {

constexpr double kDamped = 1e-9;  // a damping ratio that is worth a panel

/// A parameter and the values that it takes, as texts and as numbers.
struct Axis {
  std::string name;
  std::vector<std::string> texts;
  std::vector<double> numbers;
};

Axis axisOf(const std::string& vary) {
  Diagnostics diagnostics;
  const SourceMark at{"--vary " + vary, 0, 0};
  Axis axis;
  const size_t equals = vary.find('=');
  if (equals == std::string::npos || equals == 0)
    refuse("must be NAME=VALUES, found '" + vary + "'", at);
  axis.name = vary.substr(0, equals);
  YamlNode values;
  values.kind = YamlNode::Kind::scalar;
  values.text = vary.substr(equals + 1);
  values.file = std::make_shared<const std::string>(at.file);
  axis.texts = readAxisValues(values, diagnostics);
  for (const std::string& text : axis.texts) {
    char* end = nullptr;
    axis.numbers.push_back(std::strtod(text.c_str(), &end));
    if (end == text.c_str() || *end != '\0' || !std::isfinite(axis.numbers.back()))
      diagnostics.error(at, "the values of an axis must be numbers, found '" + text + "'");
  }
  diagnostics.throwIfErrors();
  return axis;
}

/// The modes at all values; `where` is loaded once for each.
ModeTracks follow(const Axis& axis, const AnalysisOptions& where, std::string& name,
                  std::vector<std::string>& files) {
  ModeTracks tracks;
  for (size_t i = 0; i < axis.texts.size(); ++i) {
    AnalysisOptions here = where;
    here.model.overrides.push_back(axis.name + "=" + axis.texts[i]);
    here.quiet = where.quiet || i > 0;
    try {
      const AnalysisOptions::Place place = here.go();
      const ModelSource& source = place.simulation.source();
      const LinearModel linear = linearise(place.simulation, place.point);
      tracks.add(linear, findModes(linear), PointEquations(place.simulation).nominals());
      here.printNotes(linear);
      name = source.name;
      files = sourcesOf(source);
    } catch (const AnalysisError& e) {
      throw AnalysisError(fmt::format("at {} = {}: {}", axis.name, axis.texts[i], e.what()));
    }
  }
  return tracks;
}

std::string csvOf(const Axis& axis, const ModeTracks& tracks) {
  std::string text = csvText(axis.name);
  std::vector<std::vector<double>> columns;
  for (size_t k = 0; k < tracks.tracks().size(); ++k) {
    const ModeTracks::Track& track = tracks.tracks()[k];
    text += fmt::format(",\"mode{0}.frequency\",\"mode{0}.damping\"", k + 1);
    columns.push_back(track.frequencies());
    columns.push_back(track.dampingRatios());
  }
  text += '\n';
  for (size_t i = 0; i < axis.numbers.size(); ++i) {
    text += fmt::format("{}", axis.numbers[i]);
    for (const auto& column : columns)
      text += std::isfinite(column[i]) ? fmt::format(",{}", column[i] == 0 ? 0.0 : column[i]) : ",";
    text += '\n';
  }
  return text;
}

/// A curve of its own for each stretch on which a mode is there.
struct Stretch {
  size_t track;
  std::vector<double> x, frequency, damping;
};
std::vector<Stretch> stretchesOf(const Axis& axis, const ModeTracks& tracks) {
  std::vector<Stretch> stretches;
  for (size_t k = 0; k < tracks.tracks().size(); ++k) {
    const std::vector<double> f = tracks.tracks()[k].frequencies(),
                              d = tracks.tracks()[k].dampingRatios();
    bool open = false;
    for (size_t i = 0; i < f.size(); ++i) {
      const bool there = std::isfinite(f[i]);
      if (there && !open) stretches.push_back({k, {}, {}, {}});
      open = there;
      if (!there) continue;
      stretches.back().x.push_back(axis.numbers[i]);
      stretches.back().frequency.push_back(f[i]);
      stretches.back().damping.push_back(d[i]);
    }
  }
  return stretches;
}

std::string pictureOf(const Axis& axis, const ModeTracks& tracks, const CampbellOptions& o,
                      const std::string& name) {
  const std::vector<Stretch> stretches = stretchesOf(axis, tracks);
  Plot plot;
  plot.title = name;
  plot.xLabel = axis.name;
  PlotPanel frequencies{.yLabel = "frequency [Hz]", .unit = "Hz", .curves = {}, .mark = {}},
      dampings{.yLabel = "damping ratio", .unit = "1", .curves = {}, .mark = {}};
  double highest = 0, mostDamped = 0;
  size_t before = tracks.tracks().size();
  for (const Stretch& s : stretches) {
    const auto label = s.track == before
                           ? std::string()
                           : fmt::format("{}: {}", s.track + 1, tracks.tracks()[s.track].name);
    before = s.track;
    const size_t color = s.track;
    const bool isMarked = s.x.size() == 1;
    frequencies.curves.push_back({label, s.x, s.frequency, false, color, isMarked});
    dampings.curves.push_back({label, s.x, s.damping, false, color, isMarked});
    for (const double f : s.frequency) highest = std::max(highest, f);
    for (const double d : s.damping) mostDamped = std::max(mostDamped, std::abs(d));
  }
  // Lines of excitation, as far as there are modes.
  std::vector<std::vector<double>> x, y;
  for (const double order : o.excitations) {
    const double slope = order / (2 * std::numbers::pi);
    x.emplace_back();
    y.emplace_back();
    const auto [least, most] = std::ranges::minmax(axis.numbers);
    const double top = slope != 0 ? highest / slope : most;
    for (const double at : {least, std::clamp(top, least, most)}) {
      x.back().push_back(at);
      y.back().push_back(slope * at);
    }
  }
  for (size_t i = 0; i < x.size(); ++i) {
    frequencies.curves.push_back({fmt::format("order {:g}", o.excitations[i]), x[i], y[i], true,
                                  tracks.tracks().size() + i});
  }
  plot.panels.push_back(std::move(frequencies));
  if (mostDamped > kDamped) plot.panels.push_back(std::move(dampings));
  return formatSvg(plot);
}

void checkExcitations(const CampbellOptions& o, bool drawn) {
  Diagnostics diagnostics;
  for (const double order : o.excitations) {
    if (!std::isfinite(order) || order <= 0)
      diagnostics.error({}, fmt::format("--excitation must be a positive number, found {}", order));
  }
  if (!o.excitations.empty() && !drawn)
    diagnostics.error({}, "--excitation is a line in a diagram: it needs -o with a .svg file");
  diagnostics.throwIfErrors();
}

}  // namespace

void CampbellOptions::add(CLI::App& command) {
  CLI::Option* const varied =
      addOption(command, "--vary", vary, "NAME=VALUES",
                "the modes over values of a parameter: speed=0:10:1000 (from, step, to),\n"
                "linspace(0,1,11), logspace(-3,0,7), 1,2,5; NAME as in --set");
  addOption(command, "-o,--output-file", output, "FILE",
            "their diagram (.svg) or its numbers (.csv; - is standard output, and the\n"
            "default)")
      ->needs(varied);
  addRepeatable(command, "--excitation", excitations, "K",
                "line of an order k in the diagram: k times the parameter, as a speed in rad/s\n"
                "(repeatable)")
      ->needs(varied);
}

int drawCampbell(const CampbellOptions& o, const AnalysisOptions& where) {
  const Axis axis = axisOf(o.vary);
  if (const std::string* set = overrideOf(axis.name, where.model.overrides))
    refuse("parameter '" + axis.name + "' varies: it must not be set, found '" + *set + "'",
           {"--vary " + o.vary});
  const bool toStdout = o.output.empty() || o.output == "-";
  const bool drawn = o.output.ends_with(".svg");
  if (!toStdout && !drawn && !o.output.ends_with(".csv"))
    refuse("modes over a parameter go to a .svg or a .csv file, found '" + o.output + "'");
  checkExcitations(o, drawn);
  std::string name;
  std::vector<std::string> files;
  const ModeTracks tracks = follow(axis, where, name, files);
  if (tracks.tracks().empty())
    throw AnalysisError("no mode oscillates at any value of '" + axis.name + "'");
  protectFiles({{o.output, "the result"}}, files);
  writeOutput(o.output, drawn ? pictureOf(axis, tracks, o, name) : csvOf(axis, tracks));
  if (!where.quiet && !toStdout) {
    printMessages(fmt::format("{}: {} modes at {} values of {}, in {}", name,
                              tracks.tracks().size(), tracks.points(), axis.name, o.output));
  }
  return kDone;
}

}  // namespace cardan
