#include "engine/results/result_table.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "engine/expression/units.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

[[noreturn]] void fail(const std::string& path, size_t line, const std::string& what) {
  std::string text = path;
  if (line > 0) text += ":" + std::to_string(line);
  throw ResultFileError(text + ": error: " + what);
}

void failUnlessText(const std::string& path, std::string_view beginning) {
  if (beginning.substr(0, 4096).find('\0') != beginning.npos) {
    fail(path, 1, "the file must be a CSV file, found bytes that are no text");
  }
}

// Beyond it, it is an error instead of an exhausted memory: numbers take up to four times as much.
constexpr size_t kMaxBytes = 2'000'000'000;
constexpr size_t kMaxColumns = 1'000'000;

std::string readWhole(const std::string& path) {
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  errno = 0;
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  std::string text;
  if (file) {
    char buffer[1 << 16];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;) {
      text.append(buffer, n);
      if (text.size() > kMaxBytes) fail(path, 0, "the file must not be larger than 2 GB");
      if (text.size() == n) failUnlessText(path, text);  // before all of it is read
    }
  }
  if (!file || std::ferror(file.get()) != 0) {
    fail(path, 0, std::string("cannot read the file: ") + std::strerror(errno));
  }
  return text;
}

/// Takes the first line off `rest`, without its end.
std::string_view takeLine(std::string_view& rest) {
  const size_t end = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// What separates the fields: the first of ; tab , that stands neither in quotes nor in brackets.
char separatorOf(std::string_view header) {
  bool quoted = false;
  int depth = 0;
  std::string found;
  for (const char c : header) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (depth <= 0 && (c == ',' || c == ';' || c == '\t')) found += c;
  }
  for (const char c : {';', '\t'}) {
    if (found.find(c) != std::string::npos) return c;
  }
  return ',';
}

/// Fields of the header: quotes off, a doubled quote inside is one; unquoted brackets keep their
/// commas.
std::vector<std::string> splitHeader(std::string_view line, char separator) {
  std::vector<std::string> names(1);
  bool quoted = false;
  int depth = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        names.back() += line[++i];
      } else {
        quoted = !quoted;
      }
      continue;
    }
    if (!quoted && c == '[') ++depth;
    if (!quoted && c == ']') --depth;
    if (c == separator && !quoted && depth <= 0) {
      names.emplace_back();
      depth = 0;
    } else {
      names.back() += c;
    }
  }
  if (names.size() > 1 && trimmed(names.back()).empty())
    names.pop_back();  // a separator at the end
  for (std::string& n : names) n = plainName(n);
  return names;
}

std::optional<double> number(std::string_view field, bool decimalComma) {
  field = trimmed(field);
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"') {
    field = trimmed(field.substr(1, field.size() - 2));
  }
  if (field == "true" || field == "True") return 1;
  if (field == "false" || field == "False") return 0;
  if (field.starts_with('+')) field.remove_prefix(1);
  std::string point;
  if (decimalComma && field.find(',') != std::string_view::npos) {
    point = field;
    std::replace(point.begin(), point.end(), ',', '.');
    field = point;
  }
  double x = 0;
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, x);
  if (field.empty() || stop != end) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too small for a double is zero, too large is infinite.
    const bool small = field.find("e-") != field.npos || field.find("E-") != field.npos;
    return small ? 0.0 : std::copysign(INFINITY, field.front() == '-' ? -1.0 : 1.0);
  }
  if (error != std::errc()) return std::nullopt;
  return x;
}

bool isGap(std::string_view field) {
  field = trimmed(field);
  constexpr std::string_view kWords[] = {"", "\"\"", "NA", "N/A", "null", "-"};
  return std::ranges::find(kWords, field) != std::end(kWords);
}

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// A field as a message shows it.
std::string shown(std::string_view field) {
  constexpr size_t kLongest = 40;
  field = trimmed(field);
  std::string text;
  for (const char c : field.substr(0, kLongest)) {
    text += isControl(c) ? '?' : c;
  }
  if (field.size() > kLongest) text += "...";
  return "'" + text + "'";
}

/// What the first line says.
struct Header {
  std::vector<std::string> names;
  char separator;

  bool decimalComma() const { return separator == ';'; }
};

Header takeHeader(std::string_view& rest, const std::string& path) {
  const std::string_view line = takeLine(rest);
  const size_t separators =
      std::ranges::count_if(line, [](char c) { return c == ',' || c == ';' || c == '\t'; });
  if (separators > kMaxColumns) {
    fail(path, 1, "the file must not have more than " + std::to_string(kMaxColumns) + " columns");
  }
  Header header{{}, separatorOf(line)};
  header.names = splitHeader(line, header.separator);
  if (number(header.names.front(), header.decimalComma()) || header.names.front().empty()) {
    fail(path, 1, "a CSV file of results must begin with a line of names, found " + shown(line));
  }
  for (const std::string& name : header.names) {
    if (std::ranges::any_of(name, isControl))
      fail(path, 1,
           "the name of a column must be text, found control characters in " + shown(name));
  }
  if (header.names.size() < 2) {
    fail(path, 1,
         "a CSV file of results must have a time and further columns, found " + shown(line));
  }
  return header;
}

/// [s] The unit of a time in the head of its column, `time [ms]`; 1 where that says none.
double secondsIn(const std::string& head) {
  const size_t open = head.rfind('[');
  if (open == head.npos || !head.ends_with(']')) return 1;
  UnitError error;
  const auto unit =
      parseUnit(std::string_view(head).substr(open + 1, head.size() - open - 2), error);
  const auto seconds = parseUnit("s", error);
  return unit && unit->dimension == seconds->dimension ? convert(1, *unit, *seconds) : 1;
}

/// The fields of a row, as many as the header has.
void split(std::string_view row, const Header& header, const std::string& path, size_t line,
           std::vector<std::string_view>& fields) {
  fields.clear();
  const size_t most = header.names.size() + 1;  // fields beyond are only counted
  for (size_t end; fields.size() < most && (end = row.find(header.separator)) != row.npos;
       row.remove_prefix(end + 1)) {
    fields.push_back(row.substr(0, end));
  }
  const size_t further = std::count(row.begin(), row.end(), header.separator);
  fields.push_back(row);
  if (fields.size() == most && further == 0 && trimmed(fields.back()).empty()) fields.pop_back();
  if (fields.size() == header.names.size()) return;
  fail(path, line,
       "a row must have " + std::to_string(header.names.size()) +
           " fields as the header has, found " + std::to_string(fields.size() + further));
}

}  // namespace

std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != ' ' && c != '\'' && c != '\t' && c != '\r') plain += c;
  }
  return plain;
}

std::vector<double>& ResultTable::add(const std::string& name) {
  byName_.emplace(plainName(name), names_.size());
  names_.push_back(name);
  return values_.emplace_back();
}

const std::vector<double>* ResultTable::find(std::string_view name) const {
  const auto found = byName_.find(plainName(name));
  return found == byName_.end() ? nullptr : &values_[found->second];
}

void ResultTable::checkNames(const std::string& path) const {
  if (!twice.empty()) fail(path, 1, "'" + twice + "' is the name of several columns");
}

ResultTable ResultTable::read(const std::string& path, const Wanted& wanted, Gaps gaps) {
  return parse(readWhole(path), path, wanted, gaps);
}

ResultTable ResultTable::parse(std::string_view text, const std::string& path, const Wanted& wanted,
                               Gaps gaps) {
  std::string_view rest = text;
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  if (trimmed(rest).empty() || rest.find_first_not_of(" \t\r\n") == rest.npos) {
    fail(path, 0, "the file is empty");
  }
  failUnlessText(path, rest);
  const Header header = takeHeader(rest, path);
  const std::vector<std::string>& names = header.names;

  ResultTable table;
  table.timeName = names[0];
  struct Chosen {
    size_t field;
    std::vector<double> values;
  };
  std::vector<Chosen> columns;
  std::map<std::string_view, size_t> first;
  for (size_t i = 1; i < names.size(); ++i) {
    const bool isFirst = first.emplace(names[i], i).second;
    if (!isFirst) table.twice = names[i];
    if (!isFirst || (wanted && !wanted(names[i]))) continue;
    columns.push_back({i, {}});
  }

  size_t line = 1;
  std::vector<std::string_view> fields;
  while (!rest.empty()) {
    const std::string_view row = takeLine(rest);
    ++line;
    if (trimmed(row).empty()) continue;
    split(row, header, path, line, fields);
    auto read = [&](size_t field) {
      const std::optional<double> x = number(fields[field], header.decimalComma());
      if (!x && gaps == Gaps::nan && isGap(fields[field])) return std::nan("");
      if (!x) {
        fail(path, line, "'" + names[field] + "' must be a number, found " + shown(fields[field]));
      }
      return *x;
    };
    const double t = read(0);
    if (gaps == Gaps::nan && std::isnan(t)) {
      ++table.untimed;
      continue;
    }
    if (!std::isfinite(t)) fail(path, line, "the time must be finite");
    if (!table.time.empty() && t < table.time.back()) {
      fail(path, line, "the time must not fall, found " + shown(fields[0]) + " after a later one");
    }
    table.time.push_back(t);
    for (Chosen& c : columns) c.values.push_back(read(c.field));
  }
  if (table.time.empty()) fail(path, 0, "the file has a header but no rows");
  if (const double unit = secondsIn(table.timeName); unit != 1) {
    for (double& t : table.time) t *= unit;
  }
  for (Chosen& c : columns) table.add(names[c.field]) = std::move(c.values);
  return table;
}

}  // namespace cardan
