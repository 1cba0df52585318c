// cardan optimize: finds parameters of a model that make its runs best.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/extending_model.h"
#include "apps/cardan/interruption.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/optimum_book.h"
#include "apps/cardan/optimum_report.h"
#include "apps/cardan/report_page.h"
#include "apps/cardan/run_options.h"
#include "apps/cardan/sweep_run.h"
#include "apps/cosimulation/types.h"
#include "engine/model_file/model_source.h"
#include "engine/optimum/optimum.h"
#include "engine/results/output_file.h"
#include "engine/sensitivities/sensitivities.h"

namespace cardan {
namespace {

constexpr const char* kOptimizeFooter =
    R"(Goals and constraints are kept values of studies: final, min, max, mean, rms of a variable or expression,
at(x, time), first(condition), with numbers and arithmetic; parameters alone as final(L1 + L2). The search
begins at the model's values (or -p NAME=START) and stays within bounds. Its derivatives are sensitivities,
exact through events; where a model has none they are differences of runs, which the report says.

DIR/index.csv has a line a run, as studies have it. What has ended is on the disk: --resume goes the same way
and makes the runs that are missing. The optimum does not depend on -j, down to the last bit.

Examples:
  cardan optimize car.yaml -p c=100..1e4 --minimize 'rms(seat.a_0[2])' --subject-to 'max(travel) < 0.1'
  cardan optimize arm.yaml -p k=10..1e3 -p d=0..5 --minimize 'rms(e) + 0.1*rms(u)' --multistart 8 -j 2 --out runs
  cardan optimize car.yaml -p c=100..1e4 --minimize 'rms(a)' --minimize 'max(travel)' --front 11
  cardan optimize study.yaml --method global --runs 500 -o best.yaml

Exit codes: 0 found, 1 nothing was found, or not within the runs, iterations and time that were given, or a file
could not be written, 2 the task, the model or the command line is wrong, 130 stopped by Ctrl-C (what was
found so far is reported), 143, 129.)";

struct OptimizeOptions {
  ModelOptions model;  ///< path: of the study or the model
  std::vector<std::string> parameters, minimized, maximized, constraints, reports;
  std::string method, folder, output;
  std::optional<double> starts, seed, front, iterations, runs, timeLimit;
  long jobs = std::max(1L, static_cast<long>(std::thread::hardware_concurrency()));
  bool resume = false, quiet = false;
  RunOptions run;

  void add(CLI::App& command);
  OptimumTask task(Diagnostics& diagnostics) const;
};

void OptimizeOptions::add(CLI::App& command) {
  model
      .addStudy(command,
                "study with a section 'optimize', model file (YAML; - is\n"
                "standard input), Modelica file (.mo) or robot (.urdf, .xml)")
      ->required();
  addRepeatable(command, "-p,--parameter", parameters, "NAME[=BOUNDS]",
                "parameter to be found, named as in --set: L=0.3..0.8, L=0.5:0.3..0.8 (start\n"
                "and bounds), j1.phi.start (repeatable)");
  addRepeatable(command, "--minimize", minimized, "EXPRESSION",
                "what is to be small: 'rms(seat.a)'");
  addRepeatable(command, "--maximize", maximized, "EXPRESSION", "what is to be large");
  addRepeatable(command, "--subject-to", constraints, "CONSTRAINT",
                "what holds there: 'max(x) < 0.1', 'final(x) == 1' (repeatable)");
  addOption(command, "--method", method, "NAME",
            "local (default); of NLopt global, direct, isres, crs (all over the bounds),\n"
            "cobyla, bobyqa (without derivatives)",
            CLI::IsMember(optimumMethods()).description(""));
  addOption(command, "--multistart", starts, "N", "searches, all over the bounds (default: 1)",
            wholeNumberWithin(1, 1e5));
  addOption(command, "--front", front, "N", "points of the front of two goals",
            wholeNumberWithin(2, 1e5));
  addOption(command, "--seed", seed, "N", "of further starts and methods (default: 1)",
            wholeNumberWithin(0, 9007199254740992.0));
  addOption(command, "--iterations", iterations, "N", "of a search, at most (default: 200)",
            wholeNumberWithin(1, 1e6));
  addOption(command, "--runs", runs, "N", "of a method of NLopt, at most",
            wholeNumberWithin(1, 1e9));
  addOption(command, "--time-limit", timeLimit, "S", "the best until then is what is found [s]",
            positiveNumber());
  addOption(command, "-j,--jobs", jobs, "N", "runs at a time (default: one for each processor)",
            CLI::Range(1L, 4096L).description(""));
  addOption(command, "--out", folder, "DIR", "folder for index.csv, the line of every run");
  command.add_flag("--resume", resume, "go on with the runs that are in the folder");
  model.addFormats(command);
  addRunOptions(command, run);
  addOption(command, "-o,--output-file", output, "FILE",
            "the optimum: a file that extends the model");
  addRepeatable(command, "--report", reports, "FILE",
                "report with a picture (.html, .svg) or for programs (.json) (repeatable)");
  command.add_flag("-q,--quiet", quiet, "print errors only");
}

OptimumTask OptimizeOptions::task(Diagnostics& d) const {
  OptimumTask t = model.task<OptimumTask>(OptimumTask::isOptimum, d);
  for (const std::string& p : parameters) t.addParameter(p, {"-p " + p, 0, 0}, d);
  for (const std::string& g : minimized) t.addGoal(g, false, {"--minimize " + g, 0, 0}, d);
  for (const std::string& g : maximized) t.addGoal(g, true, {"--maximize " + g, 0, 0}, d);
  for (const std::string& c : constraints) t.addConstraint(c, {"--subject-to " + c, 0, 0}, d);
  if (!method.empty()) t.method = method;
  const auto put = [](const std::optional<double>& from, auto& to) {
    if (from) to = static_cast<std::decay_t<decltype(to)>>(*from);
  };
  put(starts, t.starts);
  put(seed, t.seed);
  put(front, t.front);
  put(iterations, t.iterations);
  put(runs, t.runs);
  putInto(run, t.settings);
  t.check(d);
  d.throwIfErrors();
  return t;
}

std::string runsText(const OptimumBook& book) {
  std::string text = fmt::format("{} runs of the model", book.runs());
  if (book.failed() > 0)
    text += fmt::format(", {} of them failed, the last: {}", book.failed(), book.failure());
  return text;
}

/// Why one search has ended.
std::string endText(const OptimumResult& r) {
  std::string text = fmt::format("{}; {} iterations; ", r.reason, r.iterations);
  if (r.found && r.starts > 1)
    text += fmt::format("{} of {} starts came here; ", r.foundAgain, r.starts);
  return text;
}

void protect(const OptimizeOptions& o, const std::vector<std::string>& sources) {
  std::vector<WrittenFile> written{{o.output, "the optimum"}};
  for (const std::string& r : o.reports) written.push_back({r, "the report"});
  protectFiles(written, sources);
}

int runOptimize(const OptimizeOptions& o) {
  checkReports(o.reports);
  if (!o.output.empty()) checkExtensible(o.model.path, "an optimum");
  Diagnostics diagnostics, warnings;
  OptimumTask task = o.task(diagnostics);
  if (task.front > 0 && !o.output.empty())
    refuse("a front is no one model: -o is for a single optimum");
  if (task.modelFile == "-" && !o.folder.empty())
    refuse("runs of standard input cannot be gone on with: --out is for a model file");
  const DerivativeTools derivatives = derivativeTools(allTypes());
  ModelTree tree(task.modelFile, o.model, warnings);
  const OptimumRuns runs(task, allTypes(), std::move(tree.root), std::move(tree.files),
                         derivatives);
  refuseLibrary(runs.source());
  warnings.add(runs.warnings());
  if (!o.quiet) printMessages(warnings.format());
  const std::vector<std::string> sources = sourcesOf(runs.source());
  if (task.name.empty()) task.name = runs.source().name;
  protect(o, sources);
  const Interruption interruption;
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> most(o.timeLimit.value_or(INFINITY));
  const auto begun = Clock::now();
  bool timeIsUp = false;
  const auto stop = [&] {
    timeIsUp = timeIsUp || Clock::now() - begun > most;
    return timeIsUp || interruption.wished();
  };
  OptimumBook book(runs, o.jobs, stop, o.folder,
                   optimumJson(runs, fmt::format("{:016x}", fingerprintOf(sources))), o.resume);
  RewrittenLine line(!o.quiet);
  OptimumTrail trail(task);
  Optimum optimum(
      runs,
      [&](const std::vector<OptimumRun>& some) {
        std::vector<OptimumOutcome> outcomes = book(some);
        trail.add(some, outcomes);
        return outcomes;
      },
      [&](const Optimum::Progress& p) {
        line.show([&] {
          return fmt::format("{} runs, iteration {}: {:.6g}{}{}", book.runs(), p.iteration,
                             p.objective, p.meetsConstraints ? "" : ", constraints not met",
                             book.failed() > 0 ? fmt::format(", {} failed", book.failed()) : "");
        });
      });
  std::vector<OptimumResult> results =
      task.front > 0 ? optimum.front() : std::vector{optimum.run()};
  for (OptimumResult& r : results) {
    if (timeIsUp && r.isStopped)
      r.reason = fmt::format("the {:g} s of --time-limit were over", *o.timeLimit);
  }
  const bool found = std::ranges::all_of(results, &OptimumResult::found);
  const std::string tables =
      task.front > 0 ? frontText(runs, results) + "\n" : optimumText(runs, results.front());
  if (task.front > 0 && !o.folder.empty())
    writeTextFile(o.folder + "/front.csv", frontCsv(runs, results));
  const bool isKnown = results.front().isKnown();
  if (!o.output.empty() && isKnown)
    writeTextFile(o.output, optimumModel(runs, results.front(), o.output));
  book.finish();
  line.clear();
  const std::string summary = (task.front > 0 ? "" : endText(results.front())) + runsText(book);
  std::string notes;
  for (const std::string& d : optimum.differences())
    notes += "note: derivatives by differences of runs, not by sensitivities: " + d + "\n";
  for (const std::string& r : o.reports)
    writeTextFile(r, optimumReport(runs, results, trail, summary, optimum.differences(), r));
  if (!o.quiet) printOutput(tables + summary + "\n" + notes);
  if (!o.output.empty() && !isKnown)
    printMessages("error: no run has come to its end: '" + o.output + "' is not written");
  return interruption.wished() ? interruption.exitCode() : found ? kDone : kFailed;
}

}  // namespace

CommandRun addOptimize(CLI::App& app) {
  auto o = std::make_shared<OptimizeOptions>();
  o->add(app);
  app.footer(kOptimizeFooter);
  return [o] { return runOptimize(*o); };
}

}  // namespace cardan
