#include "apps/cardan/conformance_table.h"

#include <fmt/format.h>

#include "apps/cardan/markdown.h"

namespace cardan {
namespace {

std::string count(const std::optional<long>& n) { return n ? fmt::format("{}", *n) : ""; }

/// Without the place in the file: "a.yaml:3:4: error: what" -> "what".
std::string rule(const std::string& message) {
  const size_t at = message.find("error: ");
  return at == message.npos ? message : message.substr(at + 7);
}

std::string remark(const RegressionOutcome& o) {
  if (o.status == RegressionStatus::error || o.status == RegressionStatus::fail)
    return rule(o.message);
  const RegressionFigures* f = o.deciding();
  if (o.proof && f == &*o.own) {
    return fmt::format("agrees at its own {} only; {} the margin is {:.3g}",
                       o.own->step > 0 ? "step" : "tolerance", accuracyOf(*o.proof, false),
                       o.proof->margin);
  }
  if (o.proof && !o.own->pass) {
    return fmt::format("margin {:.3g} at its own {}", o.own->margin,
                       o.own->step > 0 ? "step" : "tolerance");
  }
  return "";
}

}  // namespace

std::string conformanceTable(const std::vector<RegressionCase>& cases,
                             const std::vector<RegressionOutcome>& outcomes,
                             const TubeOptions& tube) {
  long passed = 0, compared = 0;
  double worst = 0;
  std::string rows;
  bool published = false;
  for (const RegressionCase& c : cases) published = published || c.published.steps.has_value();
  for (size_t i = 0; i < cases.size(); ++i) {
    const RegressionOutcome& o = outcomes[i];
    const RegressionFigures* f = o.deciding();
    if (o.status == RegressionStatus::pass) {
      ++passed;
      worst = std::max(worst, f->margin);
    }
    const bool measured =
        f != nullptr && (o.status == RegressionStatus::pass || o.status == RegressionStatus::fail);
    if (measured) ++compared;
    rows += fmt::format("| {} | {} | {} | {} | {} |", cell(cases[i].name), word(o.status),
                        measured ? fmt::format("{:.3g}", f->margin) : "",
                        o.own ? fmt::format("{}", o.own->steps) : "",
                        o.own ? fmt::format("{}", o.own->residuals) : "");
    if (published) {
      rows += fmt::format(" {} | {} |", count(cases[i].published.steps),
                          count(cases[i].published.residuals));
    }
    rows += fmt::format(" {} |\n", cell(remark(o)));
  }
  std::string text = "# Conformance\n\n";
  text += fmt::format("{} of {} models agree with their references; worst margin {:.3g}.\n\n",
                      passed, cases.size(), worst);
  text += fmt::format(
      "Written by `cardan regress --table`. The margin is the largest deviation of any compared\n"
      "signal as a share of the tube around its reference, so that up to 1 agrees; the tube's "
      "half\n"
      "height is {:g} of the signal's range, its half width {:g} of the time (`cardan compare\n"
      "--help`). The margin is that of a run at a tenth of the model's tolerance, or of 1e-8 "
      "where\n"
      "that is less; steps and residual evaluations are those of a run at the model's own "
      "tolerance",
      tube.height, tube.width);
  text += published ? ",\nbeside what Dymola (DASSL) has needed for the published reference.\n\n"
                    : ".\n\n";
  text += "| Model | | Margin | Steps | Residuals |";
  text += published ? " Dymola's steps | Dymola's residuals |" : "";
  text += " Remark |\n|---|---|--:|--:|--:|";
  text += published ? "--:|--:|" : "";
  text += "---|\n";
  return text + rows;
}

}  // namespace cardan
