#include "apps/cardan/regression_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "engine/results/result_table.h"
#include "engine/study/csv_text.h"
#include "engine/text/plain_number.h"
#include "engine/text/yaml_document.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

/// A line without its end and a byte order mark.
bool getLine(std::istream& file, std::string& line) {
  if (!std::getline(file, line)) return false;
  if (line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
  if (line.ends_with('\r')) line.pop_back();
  return true;
}

/// What the text says about itself without being read as YAML.
struct Heading {
  std::string name;      // of the model, "" where it has none
  bool isModel = false;  // has a name or components of its own
};

Heading headingOf(const fs::path& path) {
  Heading heading;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored) || fs::file_size(path, ignored) > kMaxYamlBytes) {
    return heading;
  }
  std::ifstream file(path);
  for (std::string line; getLine(file, line);) {
    if (line.starts_with("components:")) heading.isModel = true;
    if (!line.starts_with("model:")) continue;
    heading.isModel = true;
    heading.name = line.substr(6, line.find(" #") == line.npos ? line.npos : line.find(" #") - 6);
    std::erase_if(heading.name, [](char c) { return c == ' ' || c == '"' || c == '\''; });
  }
  return heading;
}

/// Names separated by blanks, semicolons, or commas outside of brackets.
std::set<std::string> namesIn(const std::string& cell) {
  std::set<std::string> names;
  std::string name;
  int depth = 0;
  for (const char c : cell + ";") {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == ' ' || c == ';' || c == '|' || (c == ',' && depth <= 0)) {
      if (!name.empty()) names.insert(plainName(name));
      name.clear();
    } else {
      name += c;
    }
  }
  return names;
}

/// corpus.csv: a row for every model, its cells by the names of the columns.
class Corpus {
 public:
  explicit Corpus(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    if (!getLine(file, line)) return;
    const std::vector<std::string> columns =
        splitCsvLine(line).value_or(std::vector<std::string>());
    while (getLine(file, line)) {
      const std::vector<std::string> cells =
          splitCsvLine(line).value_or(std::vector<std::string>());
      std::map<std::string, std::string> row;
      for (size_t i = 0; i < std::min(columns.size(), cells.size()); ++i)
        row[columns[i]] = cells[i];
      rows_[row["model"]] = row;
    }
  }

  void apply(const std::string& model, RegressionCase& c) const {
    const auto row = rows_.find(model);
    if (row == rows_.end()) return;
    auto cell = [&](const char* column) {
      const auto found = row->second.find(column);
      return found == row->second.end() ? std::string() : found->second;
    };
    c.until = plainNumber<double>(cell("compare_until"));
    c.tolerance = plainNumber<double>(cell("tolerance"));
    c.quarantined = namesIn(cell("quarantined_signals"));
    c.published = {plainNumber<long>(cell("dymola_steps")),
                   plainNumber<long>(cell("dymola_residual_evals"))};
  }

 private:
  std::map<std::string, std::map<std::string, std::string>> rows_;
};

/// Each corpus.csv is read once.
class Corpora {
 public:
  void apply(const fs::path& model, const std::vector<std::string>& names, RegressionCase& c) {
    for (const fs::path& folder : {model.parent_path(), model.parent_path() / ".."}) {
      const fs::path path = folder / "corpus.csv";
      std::error_code ignored;
      if (!fs::is_regular_file(path, ignored)) continue;
      const auto known = corpora_.try_emplace(path.string(), path).first;
      c.besides.push_back(path.string());
      for (auto name = names.rbegin(); name != names.rend(); ++name) known->second.apply(*name, c);
      return;
    }
  }

 private:
  std::map<std::string, Corpus> corpora_;
};

/// A.B.C -> A/B/C/C.csv
fs::path publishedPlace(const std::string& name) {
  fs::path path;
  size_t begin = 0;
  for (size_t end; (end = name.find('.', begin)) != name.npos; begin = end + 1) {
    path /= name.substr(begin, end - begin);
  }
  const std::string last = name.substr(begin);
  return path / last / (last + ".csv");
}

std::vector<std::string> readComparisonSignals(const fs::path& path) {
  std::vector<std::string> signals;
  std::ifstream file(path);
  for (std::string line; getLine(file, line);) {
    const std::string name = plainName(line);
    if (!name.empty() && name != "time") signals.push_back(name);
  }
  return signals;
}

void findReference(const fs::path& model, const std::vector<std::string>& names,
                   const std::string& references, RegressionCase& c) {
  std::vector<fs::path> places;
  if (references.empty()) {
    for (const std::string& n : names) {
      places.push_back(model.parent_path() / "reference" / (n + ".csv"));
    }
  } else {
    const fs::path root = references;
    for (const std::string& n : names) places.push_back(root / (n + ".csv"));
    places.push_back(root / (c.name + ".csv"));
    for (const std::string& n : names) places.push_back(root / publishedPlace(n));
  }
  c.reference = places.front().string();
  for (const fs::path& place : places) {
    std::error_code ignored;
    if (!fs::is_regular_file(place, ignored)) continue;
    c.reference = place.string();
    c.hasReference = true;
    const fs::path signals = place.parent_path() / "comparisonSignals.txt";
    if (!fs::is_regular_file(signals, ignored)) return;
    c.signals = readComparisonSignals(signals);
    c.besides.push_back(signals.string());
    return;
  }
}

}  // namespace

bool isModelName(const std::string& path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

RegressionCases findCases(const std::vector<std::string>& paths, const std::string& references) {
  RegressionCases result;
  Corpora corpora;
  std::set<std::string> seen;
  auto add = [&](const fs::path& model, const std::string& shown, const Heading& heading) {
    if (!seen.insert(fs::weakly_canonical(model).string()).second) return;
    RegressionCase c;
    c.name = shown;
    c.model = model.string();
    std::vector<std::string> names{model.stem().string()};
    if (!heading.name.empty() && heading.name != names.front()) names.push_back(heading.name);
    corpora.apply(model, names, c);
    findReference(model, names, references, c);
    result.cases.push_back(std::move(c));
  };
  for (const std::string& text : paths) {
    const fs::path path = text;
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      if (fs::exists(path, error)) {
        add(path, path.stem().string(), headingOf(path));
      } else {
        result.problems.push_back("no file or folder '" + text + "'");
      }
      continue;
    }
    std::vector<fs::path> files;
    for (auto entry = fs::recursive_directory_iterator(
             path, fs::directory_options::skip_permission_denied, error);
         !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (isModelName(entry->path().string()) && entry->is_regular_file(error))
        files.push_back(entry->path());
    }
    std::sort(files.begin(), files.end());
    bool found = false;
    for (const fs::path& file : files) {
      const Heading heading = headingOf(file);
      if (!heading.isModel) continue;
      found = true;
      add(file, (file.parent_path() / file.stem()).lexically_relative(path).generic_string(),
          heading);
    }
    if (!found) result.problems.push_back("no model in the folder '" + text + "'");
  }
  return result;
}

}  // namespace cardan
