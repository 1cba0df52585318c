// What a row finds out depends on what its columns read; what they show does not.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

/// Frames are carried another way, and the sums of loads are in another order.
constexpr double kRounding = 1e-9;
constexpr int kAlone = 8;  // columns of a model that are asked for alone

Trajectory rowsOf(const std::string& path, const std::vector<std::string>& outputs) {
  Simulation s(catalogue(), path);
  Trajectory t;
  s.run(t, {.stopTime = 0.02, .outputInterval = 0.005, .outputs = outputs});
  return t;
}

}  // namespace

TEST_CASE("Recorder: what is asked for alone has the value that it has among all others") {
  int compared = 0;
  for (const char* folder :
       {"contact", "elementary", "loops", "machines", "spinning", "vehicles"}) {
    const std::string path = std::string(CARDAN_SOURCE_DIR "/models/") + folder;
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    for (const std::string& file : files) {
      CAPTURE(file);
      const Trajectory all = rowsOf(file, {"**"});
      const std::vector<Column>& columns = all.columns();
      const size_t step = std::max<size_t>(1, columns.size() / kAlone);
      for (size_t c = compared % step; c < columns.size(); c += step) {
        const std::string& name = columns[c].name;
        CAPTURE(name);
        const Trajectory alone = rowsOf(file, {name});
        REQUIRE(alone.time() == all.time());
        double size = 1, worst = 0;
        for (size_t i = 0; i < all.time().size(); ++i) {
          size = std::max(size, std::abs(all[name][i]));
          worst = std::max(worst, std::abs(alone[name][i] - all[name][i]));
        }
        CHECK(worst < kRounding * size);
        ++compared;
      }
    }
  }
  CHECK(compared > 100);
}
