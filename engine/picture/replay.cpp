#include "engine/picture/replay.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/motion_point.h"
#include "engine/simulation.h"
#include "engine/structure/unknowns.h"

namespace cardan {
namespace {

/// Elements of y that a replay reads.
std::vector<size_t> readElements(const Unknowns& layout, Level level) {
  std::vector<size_t> result;
  for (int i = 0; i < std::ssize(layout.unknowns); ++i) {
    const bool position = i < layout.nq;
    if (position || (level > Level::Position && layout.unknowns[i].differential))
      result.push_back(i);
  }
  return result;
}

}  // namespace

std::vector<std::string> neededToReplay(Simulation& simulation, Level level) {
  const PointEquations equations(simulation);
  std::vector<std::string> names;
  for (const size_t i : readElements(equations.unknowns(), level))
    names.push_back(equations.unknowns().unknowns[i].name);
  return names;
}

void replay(Simulation& simulation, const ResultTable& result,
            const std::vector<OutputPattern>& patterns, RowWatch& watch, RowSink& sink,
            Diagnostics& diagnostics) {
  const PointEquations equations(simulation);
  const std::vector<size_t> elements = readElements(equations.unknowns(), watch.level());
  std::vector<const std::vector<double>*> columns;
  std::string missing;
  int count = 0;
  for (const std::string& name : neededToReplay(simulation, watch.level())) {
    columns.push_back(result.find(name));
    if (columns.back()) continue;
    if (++count <= 5) missing += (missing.empty() ? "'" : ", '") + name + "'";
  }
  if (count > 0) {
    diagnostics.error({},
                      fmt::format("the result has no {}{}: it does not say where the model "
                                  "was; name {} with --output-variable when it is written",
                                  missing, count > 5 ? ", ..." : "", count > 1 ? "them" : "it"));
    return;
  }
  PointRows rows(simulation, patterns, &watch, diagnostics);
  if (diagnostics.errorCount() > 0) return;
  MotionPoint point = standingPoint(simulation, 0);  // a result has angles as they are called
  sink.begin(rows.columns());
  for (size_t k = 0; k < result.time.size(); ++k) {
    for (size_t i = 0; i < elements.size(); ++i) {
      const double x = (*columns[i])[k];
      if (!std::isfinite(x)) {
        diagnostics.error({}, fmt::format("row {} of the result: '{}' is not a finite number",
                                          k + 1, equations.unknowns().unknowns[elements[i]].name));
        return;
      }
      point.y[elements[i]] = x;
    }
    point.time = result.time[k];
    rows.chooseRows(point);
    sink.row(point.time, rows.at(point));
  }
}

}  // namespace cardan
