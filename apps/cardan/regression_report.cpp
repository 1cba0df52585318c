#include "apps/cardan/regression_report.h"

#include <fmt/format.h>

#include "engine/text/escaped.h"

namespace cardan {
namespace {

constexpr const char* kReportStyle =
    "body{font:14px/1.4 system-ui,sans-serif;margin:1.5em;color:#1d242c;background:#fff}"
    "table{border-collapse:collapse}td,th{padding:.2em .8em .2em 0;text-align:left;"
    "border-bottom:1px solid #e4e8ed;vertical-align:top}td.n{text-align:right;"
    "font-variant-numeric:tabular-nums}.pass{color:#1c7f45}.fail{color:#c0392b;font-weight:bold}"
    "svg{max-width:100%;height:auto}h2{font-size:1.1em;margin-top:1.6em}";

}  // namespace

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
