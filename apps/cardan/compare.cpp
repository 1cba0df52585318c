// cardan compare: two results, signal by signal.
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/cardan/command.h"
#include "apps/cardan/comparison_report.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/plot_results.h"
#include "engine/results/output_file.h"
#include "engine/results/tube.h"

namespace cardan {
namespace {

constexpr const char* kCompareFooter =
    R"(Every signal of the REFERENCE has to stay inside a tube around it. Its half height is the tolerance
times the signal's range (for a signal that hardly moves: times a hundredth of the largest value in its
vector; never less than the floor), its half width the time tolerance times the span of time, ten times
that for Integer and Boolean signals. The tube is laid around the curve with more points; at an event
(two rows of one time) it holds all values between. Deviations are printed relative to the range.
A result with more rows than the reference must not be farther from the two rows around it than that goes
from a row to the next anywhere, for longer than --longest-gap. One without rows where the reference has
some is not comparable if the gap is long (--longest-gap), or longer than those between its other rows,
and the reference moves in it.

Both files are CSV as Cardan, Dymola, OpenModelica, FMPy and the Reference-FMUs write it: a header with
names, quoted or not, the time in the first column; comma, semicolon or tab.

Examples:
  cardan compare Pendulum.csv reference/pendulum.csv
  cardan compare run.csv reference.csv --signals 'revolute*.phi' --until 2.5 --tolerance 1e-4
  cardan compare run.csv reference.csv --signals '!**.frame_a.f[*]'

Exit codes: 0 equal (all signals inside), 1 different (a signal outside, not finite, or not covering the
reference's time), 2 unusable (a file cannot be read, a signal is missing, no signal is chosen).)";

struct CompareOptions {
  std::string result, reference;
  std::vector<std::string> signals;
  TubeOptions tube;
  std::string plot;  ///< where the picture goes, or ""
  bool json = false;
  bool quiet = false;
};

/// The signals that do not pass, with their tubes; all of them, where all pass.
void draw(const CompareOptions& o, const ResultTable& result, const ResultTable& reference,
          const Comparison& c) {
  Plot plot =
      comparisonPlot(result, reference, c, o.tube, !c.passes(), ColumnTexts::besides(o.result));
  plot.title = std::filesystem::path(o.result).filename().string() + " and " +
               std::filesystem::path(o.reference).filename().string();
  writeTextFile(o.plot, formatSvg(plot));
}

int exitCode(const Comparison& c) {
  if (!c.usable()) return kWrong;
  return c.passes() ? kDone : kFailed;
}

int compare(const CompareOptions& o) {
  if (!o.plot.empty()) {
    if (!o.plot.ends_with(".svg")) refuse("--plot draws a .svg file, found '" + o.plot + "'");
    protectFiles({{o.plot, "--plot"}}, {o.result, o.reference});
  }
  const ResultTable reference = ResultTable::read(o.reference);
  reference.checkNames(o.reference);
  const std::vector<std::string> signals = chooseSignals(reference, o.signals);
  if (signals.empty()) refuse("--signals leaves no signal to compare");
  std::set<std::string, std::less<>> wanted;
  for (const std::string& s : signals) wanted.insert(plainName(s));
  const ResultTable result =
      ResultTable::read(o.result, [&](std::string_view name) { return wanted.contains(name); });
  result.checkNames(o.result);
  const Comparison c = compareResults(result, reference, signals, o.tube);
  if (!o.plot.empty()) draw(o, result, reference, c);
  if (o.json) {
    printOutput(comparisonJson(c).dump(2) + "\n");
  } else {
    printOutput(formatComparison(c, o.quiet));
  }
  return exitCode(c);
}

}  // namespace

CommandRun addCompare(CLI::App& app) {
  auto o = std::make_shared<CompareOptions>();
  addOption(app, "RESULT", o->result, "", "result to judge (CSV)")->required();
  addOption(app, "REFERENCE", o->reference, "", "what it has to agree with (CSV)")->required();
  addRepeatable(app, "--signals", o->signals, "GLOB",
                "names or patterns of the reference's signals to compare: * stays within one\n"
                "name, ** crosses dots, a ! before takes away (repeatable, or separated by\n"
                "commas; default: all)");
  addOption(app, "--tolerance", o->tube.height, "X",
            fmt::format("half height of the tube, relative to the signal's range\n"
                        "(default: {})",
                        o->tube.height),
            positiveNumber());
  addOption(app, "--time-tolerance", o->tube.width, "X",
            fmt::format("half width of the tube, relative to the span of time\n"
                        "(default: {})",
                        o->tube.width),
            positiveNumber());
  addOption(app, "--floor", o->tube.floor, "X",
            fmt::format("smallest half height, in the signal's unit (default: {})", o->tube.floor),
            positiveNumber());
  addOption(app, "--longest-gap", o->tube.gap, "X",
            fmt::format("longest time without a row of the result, relative to the span of\n"
                        "time (default: {})",
                        o->tube.gap),
            positiveNumber());
  addOption(app, "--until", o->tube.until, "S", "compare up to this time only", finiteNumber());
  addOption(app, "--plot", o->plot, "FILE",
            "draw the signals that do not pass, with their tubes (.svg); all, where all\n"
            "pass");
  app.add_flag("--json", o->json, "print JSON");
  app.add_flag("-q,--quiet", o->quiet, "print only the signals that do not pass");
  app.footer(kCompareFooter);
  return [o] { return compare(*o); };
}

}  // namespace cardan
