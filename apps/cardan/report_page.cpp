#include "apps/cardan/report_page.h"

#include <fmt/format.h>

#include "engine/text/diagnostics.h"
#include "engine/text/escaped.h"

namespace cardan {
namespace {

std::string htmlTable(const std::vector<std::vector<std::string>>& rows) {
  std::string text = "<table>";
  for (size_t r = 0; r < rows.size(); ++r) {
    text += "<tr>";
    for (const std::string& cell : rows[r])
      text += fmt::format("<{0}>{1}</{0}>", r == 0 ? "th" : "td", escapedXml(cell));
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace

std::string reportPage(const std::string& title,
                       const std::vector<std::vector<std::vector<std::string>>>& tables,
                       const std::string& summary, const std::vector<std::string>& remarks,
                       const std::string& svg) {
  constexpr const char* kStyle =
      "body{font:14px/1.4 system-ui,sans-serif;margin:1.5em;color:#1d242c;background:#fff}"
      "table{border-collapse:collapse;margin-bottom:1em}td,th{padding:.2em 1em .2em 0;"
      "text-align:left;border-bottom:1px solid #e4e8ed}svg{max-width:100%;height:auto}";
  std::string shown, notes;
  for (const auto& rows : tables) shown += htmlTable(rows);
  for (const std::string& remark : remarks) notes += "<li>" + escapedXml(remark) + "</li>";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
      "<link rel=\"icon\" href=\"data:,\"><style>{1}</style></head>\n<body><h1>{0}</h1>\n{2}"
      "<p>{3}</p><ul>{4}</ul>\n{5}</body></html>\n",
      escapedXml(title), kStyle, shown, escapedXml(summary), notes, svg);
}

void checkReports(const std::vector<std::string>& files) {
  Diagnostics diagnostics;
  for (const std::string& file : files) {
    if (!file.ends_with(".html") && !file.ends_with(".svg") && !file.ends_with(".json"))
      diagnostics.error({}, "a report is a .html, .svg or .json file, found '" + file + "'");
  }
  diagnostics.throwIfErrors();
}

}  // namespace cardan
