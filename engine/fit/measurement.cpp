#include "engine/fit/measurement.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/results/result_table.h"

namespace cardan {
namespace {

/// `j1.phi[deg]` into its name and unit; brackets of numbers are an index.
std::pair<std::string, std::string> splitUnit(const std::string& header) {
  const size_t open = header.rfind('[');
  if (open == std::string::npos || open == 0 || !header.ends_with(']')) return {header, ""};
  const std::string inside = header.substr(open + 1, header.size() - open - 2);
  if (inside.find_first_not_of("0123456789,:") == std::string::npos && inside != "1")
    return {header, ""};
  // [1] is an index, and behind another bracket, or of the time, the unit of a plain number.
  if (inside == "1" && header[open - 1] != ']') return {header, ""};
  return {header.substr(0, open), inside};
}

Unit unitOf(const std::string& text, const std::string& header, const std::string& file) {
  UnitError error;
  const std::optional<Unit> unit = parseUnit(text, error);
  if (unit) return *unit;
  throw ResultFileError(file + ":1: error: '" + text + "' of column '" + header +
                        "' is no unit: " + error.text);
}

Unit siUnitOf(const Unit& unit) {
  Unit si;
  si.dimension = unit.dimension;
  return si;
}

}  // namespace

Measurement Measurement::read(const std::string& path) {
  ResultTable table = ResultTable::read(path, {}, ResultTable::Gaps::nan);
  Measurement m;
  m.file = path;
  m.time = table.time;
  m.untimed = table.untimed;
  if (const auto [name, text] = splitUnit(table.timeName); !text.empty()) {
    const Unit unit = unitOf(text, table.timeName, path);
    if (unit.dimension != unitOf("s", table.timeName, path).dimension)
      throw ResultFileError(path + ":1: error: the first column must be a time, found '" + text +
                            "', " + unit.dimension.describe());
  }
  for (const std::string& header : table.names()) {
    auto [name, text] = splitUnit(header);
    MeasuredColumn column{std::move(name), std::nullopt, text, *table.find(header)};
    if (!text.empty()) {
      column.unit = unitOf(text, header, path);
      const Unit si = siUnitOf(*column.unit);
      for (double& x : column.values) x = convert(x, *column.unit, si);
    }
    if (m.find(column.name) != nullptr) table.twice = column.name;
    m.columns.push_back(std::move(column));
  }
  table.checkNames(path);
  return m;
}

const MeasuredColumn* Measurement::find(const std::string& name) const {
  const std::string plain = plainName(name);
  const auto found = std::ranges::find(columns, plain, &MeasuredColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

InputTable Measurement::inputs(const std::vector<std::string>& names, bool held) const {
  InputTable table{file, time, names, {}, held};
  for (const std::string& name : names) {
    std::vector<double> x = find(name)->values;
    std::vector<size_t> known;
    for (size_t i = 0; i < x.size(); ++i) {
      if (std::isfinite(x[i])) known.push_back(i);
    }
    if (known.empty())
      throw ResultFileError(file + ": error: column '" + name + "' has no values, and is an input");
    size_t next = 0;  // among the known ones
    for (size_t i = 0; i < x.size(); ++i) {
      while (next < known.size() && known[next] < i) ++next;
      if (std::isfinite(x[i])) continue;
      const size_t before = known[next > 0 ? next - 1 : 0];
      const size_t behind = next < known.size() ? known[next] : known.back();
      const double span = time[behind] - time[before];
      const bool between = before < i && i < behind && span > 0 && !held;
      x[i] = between      ? x[before] + (x[behind] - x[before]) * (time[i] - time[before]) / span
             : i < before ? x[before]
                          : x[before < i ? before : behind];
    }
    table.values.push_back(std::move(x));
  }
  return table;
}

}  // namespace cardan
