#include "apps/cardan/example_picture.h"

#include <algorithm>
#include <vector>

#include "apps/cosimulation/types.h"
#include "engine/picture/picture_recorder.h"
#include "engine/picture/plot.h"
#include "engine/picture/scene.h"
#include "engine/picture/still.h"
#include "engine/results/rows.h"
#include "engine/simulation.h"

namespace cardan {
namespace {

constexpr int kWidth = 480, kHeight = 300;  // [pixels] of a still
constexpr double kShownTime = 0.3;          // [s]
constexpr size_t kMostCurves = 4;

bool isOf(const std::string& component, const std::string& name) {
  return name == component || name.starts_with(component + ".");
}

/// The shapes of the example; "" where the component has none.
std::string drawShapes(const std::string& text, const std::string& component) {
  Simulation simulation = Simulation::fromText(allTypes(), text);
  Diagnostics diagnostics;
  PictureOptions options;
  PictureRecorder recorder(simulation, std::move(options), diagnostics);
  RunOptions run;
  run.watch = &recorder;
  simulation.run(recorder, run);
  recorder.finish();
  const Scene scene = makeScene(recorder, {}, diagnostics);
  const bool seen = std::ranges::any_of(scene.items, [&](const Scene::Item& i) {
    return isOf(component, scene.components[i.component].name);
  });
  if (!seen) return "";
  return formatPng(
      drawStill(scene, {.time = kShownTime, .view = "iso", .width = kWidth, .height = kHeight}));
}

bool varies(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  return high - low > 1e-9;
}

/// Outputs of x, then its other variables, that are scalars: those that vary, else the first.
std::vector<std::string> shownCurves(const TypeDescription& type, const Trajectory& rows) {
  std::vector<std::string> candidates, shown;
  for (const bool output : {true, false}) {
    for (const TypeDescription::Variable& v : type.variables) {
      if (v.output != output) continue;
      const size_t bracket = v.name.find('[');
      const std::string name = "x." + v.name.substr(0, bracket);
      for (const Column& c : rows.columns()) {
        if (c.name == name || c.name.starts_with(name + "[")) candidates.push_back(c.name);
      }
    }
  }
  if (candidates.empty()) {
    for (const Column& c : rows.columns()) candidates.push_back(c.name);
  }
  for (const std::string& name : candidates) {
    if (shown.size() < kMostCurves && varies(rows[name])) shown.push_back(name);
  }
  if (shown.empty() && !candidates.empty()) shown.push_back(candidates.front());
  return shown;
}

/// Curves of x, a panel a unit; where it has none, of what it is connected to. "" without any.
std::string drawCurves(const std::string& text, const TypeDescription& type) {
  Simulation simulation = Simulation::fromText(allTypes(), text);
  RunOptions run;
  run.outputs = {type.variables.empty() ? "*.*" : "x.**"};
  Trajectory rows;
  try {
    simulation.run(rows, run);
  } catch (const ModelError&) {  // nothing has a name like these
    return "";
  }
  Plot plot;
  std::vector<std::string> units;
  for (const std::string& name : shownCurves(type, rows)) {
    const auto column = std::ranges::find(rows.columns(), name, &Column::name);
    const auto known = std::ranges::find(units, column->unit);
    const size_t panel = known - units.begin();
    if (known == units.end()) {
      units.push_back(column->unit);
      const bool plain = column->unit.empty() || column->unit == "1";
      plot.panels.push_back(
          {.yLabel = plain ? "" : "[" + column->unit + "]", .unit = column->unit, .curves = {}});
    }
    std::vector<PlotCurve>& curves = plot.panels[panel].curves;
    curves.push_back({.label = name, .x = rows.time(), .y = rows[name], .color = curves.size()});
  }
  return plot.panels.empty() ? "" : formatSvg(plot);
}

}  // namespace

ExamplePicture drawExample(const std::string& text, const std::string& component,
                           const TypeDescription& type) {
  if (canWritePng()) {
    if (std::string png = drawShapes(text, component); !png.empty())
      return {".png", std::move(png)};
  }
  if (std::string svg = drawCurves(text, type); !svg.empty()) return {".svg", std::move(svg)};
  return {};
}

}  // namespace cardan
