#include "engine/picture/replay.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/dynamics/completion.h"
#include "engine/integration/row_choice.h"
#include "engine/results/recorder.h"

namespace cardan {
namespace {

/// Elements of y that a replay reads.
std::vector<size_t> readElements(const Equations& equations, Level level) {
  const Layout& layout = equations.layout();
  std::vector<size_t> result;
  for (int i = 0; i < std::ssize(layout.unknowns); ++i) {
    const bool position = i < layout.nq;
    if (position || (level > Level::Position && layout.unknowns[i].differential))
      result.push_back(i);
  }
  return result;
}

}  // namespace

std::vector<std::string> neededToReplay(const Equations& equations, Level level) {
  std::vector<std::string> names;
  for (const size_t i : readElements(equations, level))
    names.push_back(equations.layout().unknowns[i].name);
  return names;
}

void replay(const Model& model, Equations& equations, std::vector<double> y, std::vector<double> yp,
            const ResultTable& result, const std::vector<OutputPattern>& patterns, RowWatch& watch,
            RowSink& sink, Diagnostics& diagnostics) {
  const std::vector<size_t> elements = readElements(equations, watch.level());
  std::vector<const std::vector<double>*> columns;
  std::string missing;
  int count = 0;
  for (const std::string& name : neededToReplay(equations, watch.level())) {
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
  Recorder recorder(model, equations, patterns, diagnostics, &watch);
  if (diagnostics.errorCount() > 0) return;
  RowChoice rows(equations);
  Completion completion(equations);
  std::vector<double> row(recorder.columns().size());
  sink.begin(recorder.columns());
  for (size_t k = 0; k < result.time.size(); ++k) {
    for (size_t i = 0; i < elements.size(); ++i) {
      const double x = (*columns[i])[k];
      if (!std::isfinite(x)) {
        diagnostics.error({}, fmt::format("row {} of the result: '{}' is not a finite number",
                                          k + 1, equations.layout().unknowns[elements[i]].name));
        return;
      }
      y[elements[i]] = x;
    }
    rows.choose(result.time[k], y.data());
    recorder.record(result.time[k], y, yp, completion, row.data());
    sink.row(result.time[k], row);
  }
}

}  // namespace cardan
