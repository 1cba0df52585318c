/// RaceFigures: work-precision and scaling plots of a table that apps/bench/race has written.
#pragma once

#include <string>
#include <vector>

namespace cardan::bench {

/// A run of a program on a case.
struct RaceRun {
  std::string benchCase, program, method, setting;
  int n = 0;
  double stop = 0;   ///< [s] simulated
  double cpu = 0;    ///< [s]
  double error = 0;  ///< of the case's own measure
};

struct RaceTable {
  std::string about;  ///< date and machine
  std::vector<RaceRun> runs;
};

/// Throws std::invalid_argument, with file and line, where a line is no run.
RaceTable parseRace(const std::string& text, const std::string& path);

/// Those of one program on one case that no other of its runs beats in time and error at once, the most
/// exact first.
std::vector<RaceRun> bestRuns(const RaceTable& table, const std::string& benchCase, int n,
                              const std::string& program);

struct RaceFigure {
  std::string file;  ///< "chain_8.svg"
  std::string svg;
};

/// For each case CPU time over the error reached, and for chains CPU time over their links.
std::vector<RaceFigure> raceFigures(const RaceTable& table);

}  // namespace cardan::bench
