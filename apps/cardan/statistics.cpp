#include "apps/cardan/statistics.h"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {
namespace {

std::string count(const char* what, long n, const std::string& remark = "") {
  return fmt::format("  {:<22}{:>12}{}\n", what, n, remark.empty() ? "" : "   " + remark);
}

std::string seconds(const std::string& what, double s, double total) {
  return fmt::format("  {:<22}{:>12.6f} s {:>5.1f} %\n", what, s, total > 0 ? 100 * s / total : 0);
}

std::string formatTime(double t) { return fmt::format("time = {:.6g} s", t); }

std::string perStep(long n, long steps) {
  return steps > 0
             ? fmt::format("{:.2f} a step", static_cast<double>(n) / static_cast<double>(steps))
             : "";
}

}  // namespace

std::string formatStatistics(const RunReport& r) {
  const IntegratorStatistics& s = r.integrator;
  const double total = r.initialisationSeconds + r.integrationSeconds + r.outputSeconds;
  const double known =
      s.residualSeconds + s.newtonMatrixSeconds + s.linearSolveSeconds + s.ratesSeconds;
  std::string text = "statistics\n";
  for (const MethodChange& m : r.methods) {
    text += fmt::format("  {:<22}{:>12}{}\n", "from " + formatTime(m.time), m.method,
                        m.reason.empty() ? "" : "   " + m.reason);
  }
  text += count("steps", s.steps);
  if (s.rates > 0) text += count("rates", s.rates, perStep(s.rates, s.steps));
  text += count("residuals", s.residuals, perStep(s.residuals, s.steps));
  text += count("Newton matrices", s.newtonMatrices, perStep(s.newtonMatrices, s.steps));
  text += count("Newton iterations", s.newtonIterations, perStep(s.newtonIterations, s.steps));
  text += count("error test failures", s.errorTestFailures);
  text += count("Newton failures", s.newtonFailures);
  text += count("events", r.events);
  text += count("restarts", s.restarts);
  if (r.chartChanges > 0) text += count("changes of angles", r.chartChanges);
  text += count("rows", r.rows);
  if (!r.warnings.empty()) text += count("warnings", std::ssize(r.warnings));
  text += "time\n";
  text += seconds("start values", r.initialisationSeconds, total);
  text += seconds("integration", r.integrationSeconds, total);
  if (known > 0) {
    if (s.ratesSeconds > 0) text += seconds("  rates", s.ratesSeconds, total);
    text += seconds("  residuals", s.residualSeconds, total);
    text += seconds("  Newton matrices", s.newtonMatrixSeconds, total);
    text += seconds("  linear solves", s.linearSolveSeconds, total);
    text += seconds("  other", std::max(0.0, r.integrationSeconds - known), total);
  }
  text += seconds("output rows", r.outputSeconds, total);
  text += seconds("total", total, total);
  return text;
}

}  // namespace cardan
