// The figures of the race: what they show is what the table says, and the pages show those of theirs.
#include "apps/bench/race_figures.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

using namespace cardan::bench;

namespace {

const char* const kRace =
    "# 2026-01-02, a machine\n"
    "case,n,stop,program,method,setting,cpu,error\n"
    "chain,1,5,cardan,ida,1e-4,0.001,1e-4\n"
    "chain,1,5,cardan,ida,1e-6,0.01,1e-6\n"
    "chain,1,5,cardan,explicit,1e-5,0.02,1e-5\n"  // beaten by the line above
    "chain,1,5,rbdl,rk4,1e-2,0.1,1e-3\n"
    "chain,100,1,cardan,ida,1e-4,0.5,5e-5\n";

std::string textOfRaceFigures(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Points that are marked, in pixels.
std::vector<std::pair<double, double>> marks(const std::string& svg) {
  std::vector<std::pair<double, double>> points;
  const std::regex circle("<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"");
  for (std::sregex_iterator i(svg.begin(), svg.end(), circle), end; i != end; ++i)
    points.emplace_back(std::stod((*i)[1]), std::stod((*i)[2]));
  return points;
}

}  // namespace

TEST_CASE("race figures: a program's runs are those that none of its others beats") {
  const RaceTable table = parseRace(kRace, "race.csv");
  CHECK(table.about == "2026-01-02, a machine");
  REQUIRE(table.runs.size() == 5);
  const auto best = bestRuns(table, "chain", 1, "cardan");
  REQUIRE(best.size() == 2);
  CHECK(best[0].error == 1e-6);
  CHECK(best[1].error == 1e-4);
  CHECK(bestRuns(table, "chain", 2, "cardan").empty());
}

TEST_CASE("race figures: a decade is as long everywhere, and points lie where their numbers say") {
  const auto figures = raceFigures(parseRace(kRace, "race.csv"));
  REQUIRE(figures.size() == 3);
  CHECK(figures[0].file == "chain_1.svg");
  CHECK(figures[1].file == "chain_100.svg");
  CHECK(figures[2].file == "scaling.svg");
  const auto points = marks(figures[0].svg);
  REQUIRE(points.size() == 3);  // 1e-6 in 10 ms, 1e-4 in 1 ms, 1e-3 in 100 ms
  const double decade = (points[1].first - points[0].first) / 2;
  CHECK(decade > 100);
  // Half a tenth of a pixel is what the file rounds away, on both sides.
  CHECK(std::abs(points[2].first - points[1].first - decade) < 0.2);
  const double tenfold = points[1].second - points[0].second;
  CHECK(tenfold > 20);  // less time is lower, and y goes down
  CHECK(std::abs(points[1].second - points[2].second - 2 * tenfold) < 0.3);
  CHECK(figures[0].svg.find(">Cardan<") != std::string::npos);
  CHECK(figures[0].svg.find(">RBDL<") != std::string::npos);
  CHECK(figures[0].svg.find(">Simbody<") == std::string::npos);
}

TEST_CASE("race figures: what is no table of a race is told by its line") {
  CHECK_THROWS_WITH(parseRace("a,b\n", "x.csv"), "x.csv:1: no table of a race");
  CHECK_THROWS_WITH(parseRace("", "x.csv"), "x.csv: no table of a race");
  std::string text = kRace;
  CHECK_THROWS_WITH(parseRace(text + "chain,1\n", "x.csv"), "x.csv:8: a run has 8 fields");
  CHECK_THROWS_WITH(parseRace(text + "chain,1,5,cardan,ida,1e-4,fast,1\n", "x.csv"),
                    "x.csv:8: 'fast' is no number");
}

TEST_CASE("race figures: those of the pages are drawn from the table beside them") {
  const std::filesystem::path folder = CARDAN_SOURCE_DIR "/apps/bench/race_results";
  const auto figures = raceFigures(parseRace(textOfRaceFigures(folder / "race.csv"), "race.csv"));
  CHECK(figures.size() == 10);
  for (const RaceFigure& f : figures) {
    CAPTURE(f.file);
    CHECK(textOfRaceFigures(folder / f.file) == f.svg);
  }
}
