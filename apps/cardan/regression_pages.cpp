#include "apps/cardan/regression_pages.h"

#include <fmt/format.h>

#include "apps/cardan/text_table.h"
#include "engine/text/escaped.h"

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

constexpr const char* kReportStyle =
    "body{font:14px/1.4 system-ui,sans-serif;margin:1.5em;color:#1d242c;background:#fff}"
    "table{border-collapse:collapse}td,th{padding:.2em .8em .2em 0;text-align:left;"
    "border-bottom:1px solid #e4e8ed;vertical-align:top}td.n{text-align:right;"
    "font-variant-numeric:tabular-nums}.pass{color:#1c7f45}.fail{color:#c0392b;font-weight:bold}"
    "svg{max-width:100%;height:auto}h2{font-size:1.1em;margin-top:1.6em}";

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

std::string regressionReport(const std::vector<RegressionCase>& cases,
                             const std::vector<RegressionOutcome>& outcomes) {
  size_t good = 0;
  for (const RegressionOutcome& o : outcomes) good += o.good();
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Regression</title>"
      "<link rel=\"icon\" href=\"data:,\"><style>{}</style></head>\n<body><h1>{} of {} models "
      "pass</h1>\n<table><tr><th></th><th>model</th><th>margin</th><th>steps</th><th>s</th>"
      "<th>worst, or why not</th></tr>\n",
      kReportStyle, good, outcomes.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    const RegressionOutcome& o = outcomes[i];
    const RegressionFigures* f = o.deciding();
    std::string name = escapedXml(cases[i].name);
    if (!o.plot.empty()) name = fmt::format("<a href=\"#case{}\">{}</a>", i, name);
    page += fmt::format("<tr><td class=\"{}\">{}</td><td>{}</td>", o.good() ? "pass" : "fail",
                        word(o.status), name);
    if (f != nullptr) {
      page += fmt::format(
          "<td class=\"n\">{:.3g}</td><td class=\"n\">{}</td><td class=\"n\">"
          "{:.3f}</td>",
          f->margin, f->steps, f->seconds);
    } else {
      page += "<td></td><td></td><td></td>";
    }
    page += "<td>" + escapedXml(o.message.empty() && f != nullptr ? f->worst : o.message) +
            "</td></tr>\n";
  }
  page += "</table>\n";
  for (size_t i = 0; i < cases.size(); ++i) {
    if (outcomes[i].plot.empty()) continue;
    // Names inside the pictures must differ from one to the next.
    std::string svg = outcomes[i].plot;
    for (const char* name : {"id=\"panel", "url(#panel"}) {
      const std::string from = name,
                        to = from.substr(0, from.size() - 5) + fmt::format("c{}-panel", i);
      for (size_t at = 0; (at = svg.find(from, at)) != std::string::npos; at += to.size())
        svg.replace(at, from.size(), to);
    }
    page += fmt::format("<h2 id=\"case{}\">{}</h2>\n<p>{}</p>\n{}", i, escapedXml(cases[i].name),
                        escapedXml(outcomes[i].message), svg);
  }
  return page + "</body></html>\n";
}

}  // namespace cardan
