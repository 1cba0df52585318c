// The comparison against an independent one: the judge of the public conformance suite, where it
// lies beside the project, on the suite's references with all kinds of damage.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/results/tube.h"
#include "tests/folder.h"

namespace {

namespace fs = std::filesystem;
using cardan::ResultTable;
using Json = nlohmann::json;

const fs::path kJudgeAgreementSuite = fs::path(CARDAN_SOURCE_DIR) / ".." / "shared" / "conformance";

std::string shellQuoted(const fs::path& p) { return "'" + p.string() + "'"; }

std::vector<fs::path> references() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kJudgeAgreementSuite / "reference")) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void write(const fs::path& path, const ResultTable& table) {
  std::ofstream file(path);
  file.precision(17);
  file << "\"time\"";
  for (const std::string& n : table.names()) file << ",\"" << n << '"';
  for (size_t i = 0; i < table.time.size(); ++i) {
    file << '\n' << table.time[i];
    for (const std::string& n : table.names()) file << ',' << (*table.find(n))[i];
  }
  file << '\n';
}

/// Each value anew from its index, its time and itself.
ResultTable changed(const ResultTable& t, const std::function<double(double time)>& newTime,
                    const std::function<double(double time, double x)>& newValue) {
  ResultTable result;
  for (const double time : t.time) result.time.push_back(newTime(time));
  for (const std::string& n : t.names()) {
    std::vector<double>& column = result.add(n);
    const std::vector<double>& old = *t.find(n);
    for (size_t i = 0; i < old.size(); ++i) column.push_back(newValue(t.time[i], old[i]));
  }
  return result;
}

/// Rows [0, end), each `stride`-th, with `inserted` points on the line between two.
ResultTable resampled(const ResultTable& t, size_t end, size_t stride, int inserted) {
  ResultTable result;
  std::vector<std::vector<double>*> columns;
  for (const std::string& n : t.names()) columns.push_back(&result.add(n));
  auto point = [&](size_t i, size_t j, double share) {
    result.time.push_back(t.time[i] + share * (t.time[j] - t.time[i]));
    for (size_t c = 0; c < columns.size(); ++c) {
      const std::vector<double>& x = *t.find(t.names()[c]);
      columns[c]->push_back(x[i] + share * (x[j] - x[i]));
    }
  };
  for (size_t i = 0; i < end; i += stride) {
    point(i, i, 0);
    for (int k = 1; k <= inserted && i + stride < end; ++k) {
      point(i, i + stride, static_cast<double>(k) / (inserted + 1));
    }
  }
  return result;
}

struct Damage {
  std::string name;
  std::function<ResultTable(const ResultTable&)> of;
};

std::vector<Damage> damages() {
  auto same = [](double x) { return x; };
  auto value = [](double, double x) { return x; };
  auto span = [](const ResultTable& t) { return t.time.back() - t.time.front(); };
  std::vector<Damage> all{
      {"none", [=](const ResultTable& t) { return changed(t, same, value); }},
      {"denser", [](const ResultTable& t) { return resampled(t, t.time.size(), 1, 4); }},
      {"sparser", [](const ResultTable& t) { return resampled(t, t.time.size(), 3, 0); }},
      {"short", [](const ResultTable& t) { return resampled(t, t.time.size() * 2 / 3 + 1, 1, 0); }},
      {"clipped",
       [=](const ResultTable& t) {
         return changed(t, same, [](double, double x) { return std::clamp(x, -0.5, 0.5); });
       }},
      {"noisy",
       [=](const ResultTable& t) {
         return changed(t, same, [](double time, double x) {
           return x * (1 + 3e-3 * std::sin(1e5 * time)) + 1e-7 * std::cos(1e5 * time);
         });
       }},
      {"undefined",
       [=](const ResultTable& t) {
         return changed(t, same, [](double time, double x) { return time > 0.3 ? NAN : x; });
       }},
      {"missing",
       [=](const ResultTable& t) {
         ResultTable fewer;
         fewer.time = t.time;
         for (size_t i = 0; i + 1 < t.names().size(); ++i) {
           fewer.add(t.names()[i]) = *t.find(t.names()[i]);
         }
         if (t.names().size() == 1) fewer.add("other") = *t.find(t.names()[0]);
         return fewer;
       }},
  };
  for (const double share : {1.9e-4, 2.1e-4, 5e-3}) {
    all.push_back({"shifted", [=](const ResultTable& t) {
                     return changed(
                         t, [&](double x) { return x + share * span(t); }, value);
                   }});
    all.push_back({"shifted and denser", [=](const ResultTable& t) {
                     return resampled(changed(
                                          t, [&](double x) { return x - share * span(t); }, value),
                                      t.time.size(), 1, 3);
                   }});
  }
  for (const double size : {1e-4, 1e-3, 1.9e-3, 2.1e-3, 0.01}) {
    all.push_back({"scaled", [=](const ResultTable& t) {
                     return changed(t, same, [=](double, double x) { return x * (1 + size); });
                   }});
    all.push_back({"offset", [=](const ResultTable& t) {
                     return changed(t, same, [=](double, double x) { return x + size; });
                   }});
  }
  return all;
}

}  // namespace

TEST_CASE("comparison: agrees with the suite's own judge on damaged results" *
          doctest::test_suite("slow")) {
  if (!fs::exists(kJudgeAgreementSuite / "compare.py")) {
    MESSAGE("TEST SKIPPED: the conformance suite is not beside the project");
    return;
  }
  if (std::system("python3 --version > /dev/null 2>&1") != 0) {
    MESSAGE("TEST SKIPPED: the suite's judge needs python3");
    return;
  }
  const std::vector<fs::path> files = references();
  REQUIRE(files.size() >= 79);
  int passes = 0, fails = 0;
  for (const Damage& damage : damages()) {
    CAPTURE(damage.name);
    const test::Folder folder;
    for (const fs::path& file : files) {
      write(folder / file.filename().string(), damage.of(ResultTable::read(file.string())));
    }
    const fs::path verdicts = folder / "verdicts.json";
    std::system(("python3 " + shellQuoted(kJudgeAgreementSuite / "compare.py") +
                 " --batch --json " + shellQuoted(fs::path(folder / "")) + " " +
                 shellQuoted(kJudgeAgreementSuite / "reference") + " > " + shellQuoted(verdicts))
                    .c_str());
    std::ifstream text(verdicts);
    const Json judged = Json::parse(text);
    REQUIRE(judged.size() == files.size());
    for (const Json& j : judged) {
      const std::string name = j["model"];
      CAPTURE(name);
      const ResultTable result = ResultTable::read(folder / (name + ".csv"));
      const ResultTable reference =
          ResultTable::read((kJudgeAgreementSuite / "reference" / (name + ".csv")).string());
      const cardan::Comparison c = compareResults(result, reference, reference.names());
      const bool passes_ = j["status"] == "pass";
      (passes_ ? passes : fails)++;
      CHECK(c.passes() == passes_);
      const bool measured = std::all_of(c.signals.begin(), c.signals.end(), [](const auto& s) {
        return s.usable() && s.verdict != cardan::SignalComparison::Verdict::notFinite;
      });
      const double deviation = j["dev"];
      if (measured) CHECK(c.worst()->deviation == doctest::Approx(deviation).epsilon(1e-12));
    }
  }
  // Both verdicts occur often, or nothing was shown.
  CHECK(passes > 300);
  CHECK(fails > 300);
}
