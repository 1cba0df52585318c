#include "engine/initialisation/signal_checks.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <sstream>

#include "engine/dynamics/evaluation_point.h"
#include "engine/equations/not_finite.h"

namespace cardan {
namespace {

constexpr double kDependentLoop =
    1e-12;  // of the largest pivot: rounding of a handful of operations

/// An element of a signal that closes a loop.
struct LoopElement {
  const SignalSource* source;
  int unknown;  // index in y
};

}  // namespace

void checkSignalLoops(const Equations& equations, const SignalGraph& signals, double time,
                      const std::vector<double>& y, const std::vector<double>& yp,
                      const std::string& file, Diagnostics& diagnostics) {
  const bool any =
      std::ranges::any_of(signals.sources(), [](const SignalSource& s) { return s.loop; });
  if (!any) return;
  std::vector<LoopElement> elements;
  for (const SignalSource& s : signals.sources()) {
    for (int k = 0; s.loop && k < s.size; ++k)
      elements.push_back({&s, equations.layout().unknownOffset[s.unknown] + k});
  }
  Eigen::MatrixXd columns(std::ssize(y), std::ssize(elements));
  EvaluationPoint at(equations);
  at.setPoint(time, y.data(), yp.data());
  at.columns(
      count(elements), {},
      [&](Workspace<Dual>& w, int e, int lane, double on) {
        w.y[elements[e].unknown].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int e, int lane) {
        for (size_t row = 0; row < y.size(); ++row) columns(row, e) = w.residual[row].lane(lane);
      });
  if (!columns.allFinite()) return;  // another error, and told by name elsewhere
  const Eigen::MatrixXd free = kernel(columns, kDependentLoop);
  if (free.cols() == 0) return;

  const SignalSource* first = nullptr;
  std::string names;
  for (size_t e = 0; e < elements.size(); ++e) {
    const SignalSource* s = elements[e].source;
    if (free.row(e).cwiseAbs().maxCoeff() < 1e-9) continue;
    if (e > 0 && elements[e - 1].source == s && !names.empty()) continue;
    if (first == nullptr) first = s;
    names += (names.empty() ? "'" : ", '") + s->name + "'";
  }
  if (first == nullptr) return;
  diagnostics.error(first->at.line > 0 ? first->at : SourceMark{file, 0, 0},
                    "an algebraic loop of signals must determine its values; any value solves the "
                    "one through " +
                        names + ": break the loop, or change a gain in it");
}

void checkSignalValues(const Equations& equations, const SignalGraph& signals, double time,
                       const std::vector<double>& y, const std::vector<double>& yp,
                       Diagnostics& diagnostics) {
  Workspace<double> w = equations.makeWorkspace<double>();
  equations.evaluateAt(w, time, y, yp, {});
  const View<double> view(w.tables);
  for (const SignalSource& s : signals.sources()) {
    if (!s.expression) continue;
    const auto first = w.signals.begin() + s.slot;
    if (std::all_of(first, first + s.size, [](double x) { return std::isfinite(x); })) continue;
    // The value may be one of a signal that stands in a loop or carries a rate.
    const auto fault = s.expression->fault(view);
    std::ostringstream text;
    text << "an expression must be finite at the start, found "
         << (fault ? fault->text
                   : formatNumber(*std::find_if_not(first, first + s.size,
                                                    [](double x) { return std::isfinite(x); })))
         << " for '" << s.name << "' at time = " << time << " s";
    diagnostics.error(fault ? fault->at : s.at, text.str());
  }
  if (diagnostics.errorCount() > 0) return;
  if (const auto fault = whatIsNotFinite(equations, w)) {
    diagnostics.error(fault->at, "an expression must be finite at the start, at time = " +
                                     formatNumber(time) + " s: " + fault->text);
  }
}

}  // namespace cardan
