// identification: how often intervals of fits hold the truth, as a table of all cases.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "apps/cardan/process_pool.h"
#include "tests/identification/coverage.h"

namespace {

using namespace cardan::identification;

constexpr long kPiece = 20;  // draws

double percent(long part, long whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print(const IdentificationCase& one, const Coverage& c) {
  fmt::print("{}, {} draws, {} lost, {:.1f} ms a fit{}\n", one.name, c.draws, c.lost,
             1e3 * c.seconds / static_cast<double>(c.draws), isGood(c) ? "" : "  OUTSIDE");
  for (size_t k = 0; k < one.sought.size(); ++k) {
    const Sought& s = one.sought[k];
    const std::string name =
        s.name + (s.experiment ? fmt::format(" of run{}", *s.experiment + 1) : "");
    fmt::print("  {:<24} {:6.1f} % {:6.2f} %\n", name, percent(c.inside[k], c.draws),
               percent(c.far[k], c.draws));
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Fits parameters that are known to measurements with noise, draw by draw.",
               "identification");
  long first = 1, draws = 1000, jobs = 1;
  std::string only;
  app.add_option("--draws", draws, "of each case")->check(CLI::Range(1, 1000000));
  app.add_option("--first", first, "number of the first draw")->check(CLI::Range(1, 1000000));
  app.add_option("--jobs", jobs, "processes at a time")->check(CLI::Range(1, 1000));
  app.add_option("--only", only, "cases with this in their name");
  app.footer(
      "A line a parameter: intervals of 95 % that hold the truth, estimates beyond three standard "
      "errors.\nExit codes: 0 all within 92 to 98 % and 1 %, 1 some not, 2 the command line is "
      "wrong.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  bool good = true;
  for (const IdentificationCase& one : identificationCases()) {
    if (one.name.find(only) == std::string::npos) continue;
    Coverage all;
    const cardan::ProcessPool pool{jobs, 600};
    pool.run(
        cardan::ProcessPool::upTo((draws + kPiece - 1) / kPiece),
        [&](long i) {
          return coverage(one, first + kPiece * i, std::min(kPiece, draws - kPiece * i)).text();
        },
        [&](long i, const std::string& output, const std::string& failure) {
          if (failure.empty()) return all.add(Coverage::of(output));
          fmt::print("draws from {}: {}\n", first + kPiece * i, failure);
          good = false;
        },
        [] { return false; });
    if (all.draws > 0) print(one, all);
    good = good && all.draws > 0 && isGood(all);
  }
  return good ? 0 : 1;
}
