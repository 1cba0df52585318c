/// The validation suite, where it lies beside the project: motion and reactions against tables of
/// another program and against theory, at the suite's own limits.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "components/catalogue.h"
#include "engine/results/result_table.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

namespace fs = std::filesystem;

const fs::path kValidationSuite = fs::path(CARDAN_SOURCE_DIR) / ".." / "shared" / "validation";

/// What the suite's README states for each kind of quantity; limits.csv has the exceptions.
struct Kind {
  const char* ending;  ///< of the group's name
  const char* name;
  double limit;
};
constexpr std::array<Kind, 9> kKinds{{{"motion.r", "position", 1e-5},
                                      {"motion.v", "velocity", 2e-5},
                                      {"motion.a", "acceleration", 1e-4},
                                      {"Q", "rotation", 1e-5},
                                      {"motion.w", "angular velocity", 2e-5},
                                      {"motion.z", "angular acceleration", 2e-4},
                                      {".force", "force", 1e-4},
                                      {".torque", "torque", 1e-4},
                                      {"", "signal", 1e-6}}};
constexpr double kValidationTolerance = 1e-10;  // of a case that has none of its own

const Kind& kindOf(const std::string& group) {
  return *std::ranges::find_if(kKinds, [&](const Kind& k) { return group.ends_with(k.ending); });
}

/// (case, kind or group) -> limit; "tolerance" among the kinds: that of the run.
using Limits = std::map<std::pair<std::string, std::string>, double>;

Limits readLimits() {
  Limits limits;
  std::ifstream file(kValidationSuite / "limits.csv");
  std::string line;
  REQUIRE(std::getline(file, line));
  REQUIRE(line.starts_with("case,kind,limit,"));
  while (std::getline(file, line)) {
    const size_t a = line.find(','), b = line.find(',', a + 1);
    REQUIRE(b != std::string::npos);
    limits[{line.substr(0, a), line.substr(a + 1, b - a - 1)}] = std::stod(line.substr(b + 1));
  }
  return limits;
}

double limitOf(const Limits& limits, const std::string& name, const std::string& group) {
  const Kind& kind = kindOf(group);
  for (const std::string& key : {group, std::string(kind.name)}) {
    if (const auto i = limits.find({name, key}); i != limits.end()) return i->second;
  }
  return kind.limit;
}

/// Rows of `t` at the times of the reference, the last of several at one time.
std::vector<size_t> rowsAt(const std::vector<double>& times, const std::vector<double>& t) {
  const double same = 1e-9 * (times.back() - times.front());
  std::vector<size_t> rows;
  size_t i = 0;
  for (double at : times) {
    while (i + 1 < t.size() && t[i + 1] <= at + same) ++i;
    REQUIRE(std::abs(t[i] - at) <= same);
    rows.push_back(i);
  }
  return rows;
}

/// One model against the reference of its name up to a '-'.
void judge(const fs::path& model, const Limits& limits) {
  const std::string file =
      fs::relative(model, kValidationSuite / "models").replace_extension().string();
  const std::string name = file.substr(0, file.find('-'));
  CAPTURE(file);
  const ResultTable reference =
      ResultTable::read((kValidationSuite / "reference" / (name + ".csv")).string());
  REQUIRE(reference.time.size() > 10);
  REQUIRE(!reference.names().empty());

  RunOptions options;
  const auto own = limits.find({name, "tolerance"});
  options.tolerance = own == limits.end() ? kValidationTolerance : own->second;
  Trajectory result;
  Simulation(catalogue(), model.string()).run(result, options);
  const std::vector<size_t> rows = rowsAt(reference.time, result.time());

  std::map<std::string, std::vector<std::string>> groups;
  for (const std::string& n : reference.names()) groups[n.substr(0, n.find('['))].push_back(n);
  for (const auto& [group, members] : groups) {
    CAPTURE(group);
    const bool rotation = std::string(kindOf(group).name) == "rotation";
    double scale = 0;
    std::vector<double> error(rows.size(), 0), flipped(rows.size(), 0);
    for (const std::string& n : members) {
      const std::vector<double>&wanted = *reference.find(n), &found = result[n];
      const auto [least, most] = std::ranges::minmax(wanted);
      scale = std::max({scale, std::abs(least), std::abs(most), most - least});
      for (size_t i = 0; i < rows.size(); ++i) {
        REQUIRE(std::isfinite(found[rows[i]]));
        error[i] = std::max(error[i], std::abs(found[rows[i]] - wanted[i]));
        flipped[i] = std::max(flipped[i], std::abs(found[rows[i]] + wanted[i]));
      }
    }
    double worst = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      worst = std::max(worst, rotation ? std::min(error[i], flipped[i]) : error[i]);
    }
    CHECK(worst / (scale < 1e-6 ? 1 : scale) <= limitOf(limits, name, group));
  }
}

/// All models in `folder` of the suite, at least `least` of them.
void judgeAll(const fs::path& folder, size_t least) {
  if (!fs::exists(kValidationSuite)) {
    MESSAGE("TEST SKIPPED: the validation suite is not beside the project");
    return;
  }
  const Limits limits = readLimits();
  std::vector<fs::path> models;
  for (const fs::directory_entry& e :
       fs::directory_iterator(kValidationSuite / "models" / folder)) {
    if (e.path().extension() == ".yaml") models.push_back(e.path());
  }
  std::ranges::sort(models);
  REQUIRE(models.size() >= least);
  for (const fs::path& model : models) judge(model, limits);
}

}  // namespace

TEST_CASE("validation: motion and reactions of joints, springs and drives are those of ADAMS") {
  judgeAll("adams", 20);
}
TEST_CASE("validation: a cart-pole of light parts and a bicycle move as theory says") {
  judgeAll("", 2);
}
