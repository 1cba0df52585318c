// cardan-bench: the work of the bench, measured on Cardan; prints one JSON line. And draws races.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "apps/bench/cases.h"
#include "apps/bench/race_figures.h"
#include "engine/results/output_file.h"

namespace {

std::string textOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!(text << file.rdbuf())) throw std::invalid_argument(path + ": cannot read the file");
  return text.str();
}

/// cardan-bench draw RACE.csv -o DIR
int draw(int argc, char** argv) {
  CLI::App app("Draws what apps/bench/race has measured: CPU time over error, a file a case.",
               "cardan-bench draw");
  std::string table, folder;
  app.add_option("RACE", table, "table of a race (CSV)")->required()->type_name("");
  app.add_option("-o", folder, "folder of the figures (SVG)")->required()->type_name("DIR");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    for (const auto& f :
         cardan::bench::raceFigures(cardan::bench::parseRace(textOf(table), table))) {
      cardan::writeTextFile((std::filesystem::path(folder) / f.file).string(), f.svg);
      fmt::print("{}/{}\n", folder, f.file);
    }
  } catch (const std::invalid_argument& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace cardan::bench;
  if (argc > 1 && std::string(argv[1]) == "draw") return draw(argc - 1, argv + 1);
  CLI::App app(
      "Measures one case and prints a JSON line: CPU time of the integration loop alone, steps, "
      "error.",
      "cardan-bench");
  Arguments a;
  app.add_option("CASE", a.benchCase, caseNames())->required()->type_name("");
  app.add_option("N", a.n, "number of links (chain) or of loops (fourbars)")
      ->type_name("")
      ->check(CLI::Range(1, 1000000));
  app.add_option("STOP", a.stop, "simulated time, s")->type_name("");
  app.add_option("TOLERANCE", a.toleranceText, "relative tolerance")
      ->type_name("")
      ->default_str("1e-6");
  app.add_option("--references", a.references, "folder of reference files CASE_N_STOP.txt")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  std::string integrator = "ida";
  app.add_option("--integrator", integrator, "method")
      ->type_name("NAME")
      ->check(CLI::IsMember(cardan::wordsOf<cardan::IntegratorChoice>()));
  app.footer(
      "Examples:\n  cardan-bench chain 4 2 1e-8 --references ref\n  cardan-bench draw race.csv -o "
      "figures      what apps/bench/race has measured\nEnvironment: REPS, the number of repeats "
      "(5).");
  try {
    app.parse(argc, argv);
    if (a.toleranceText.empty()) a.toleranceText = "1e-6";
    a.tolerance = std::stod(a.toleranceText);
    a.integrator = cardan::choiceOf<cardan::IntegratorChoice>(integrator).value_or(a.integrator);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (const std::exception&) {
    fmt::print(stderr, "error: TOLERANCE must be a number\n");
    return 2;
  }
  try {
    fmt::print("{}\n", measure(a).json());
  } catch (const std::invalid_argument& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 1;
  }
  return 0;
}
