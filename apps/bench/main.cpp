// cardan-bench: the work of the bench, measured on Cardan; prints one JSON line.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <exception>
#include <stdexcept>

#include "apps/bench/cases.h"

int main(int argc, char** argv) {
  using namespace cardan::bench;
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
      ->check(CLI::IsMember(cardan::integratorWords()));
  app.footer(
      "Example: cardan-bench chain 4 2 1e-8 --references ref\nEnvironment: REPS, the number of "
      "repeats (5).");
  try {
    app.parse(argc, argv);
    if (a.toleranceText.empty()) a.toleranceText = "1e-6";
    a.tolerance = std::stod(a.toleranceText);
    a.integrator = cardan::integratorOf(integrator).value_or(a.integrator);
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
