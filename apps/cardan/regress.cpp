// cardan regress: runs models and compares them with their references.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/interruption.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/process_pool.h"
#include "apps/cardan/regression_case.h"
#include "apps/cardan/regression_pages.h"
#include "apps/cardan/regression_run.h"
#include "engine/results/output_file.h"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRegressFooter =
    R"(Runs every model (of a folder: all below it; default: the current folder) in a process of its own and
compares it with its reference: reference/NAME.csv beside the model, or with --references DIR there, in
DIR/NAME.csv or in the layout the Modelica Association publishes (A.B.C in DIR/A/B/C/C.csv, only the
signals of a comparisonSignals.txt beside it). NAME is that of the file or of the model.

Each model runs twice. A run at its own tolerance gives steps, time and a first comparison. A run at a
tenth of that tolerance, or of 1e-8 where that is less, is the proof: it decides. Where only the first
run agrees the model passes, and its line says so. --own and --tolerance make one run of it. Of the
integrator stepping the proof has half the step in place of a tighter tolerance.
The margin is the largest deviation as a share of the tube's half height (see `cardan compare --help`).

A corpus.csv beside the models or one folder up may give, by model, the columns compare_until,
tolerance, quarantined_signals (not compared), dymola_steps and dymola_residual_evals (for --table).

--update writes references instead: about 200 rows of a run at a hundredth of the tolerance (or of
1e-8), if a run with ten times that tolerance and other, bounded steps agrees with it to a tenth of the
tube; of the integrator stepping, of a run with half the step, if one with the step itself does.

Examples:
  cardan regress models
  cardan regress models/robots/arm6.yaml --update
  cardan regress models --references ~/MAP-LIB_ReferenceResults --jobs 4 --table CONFORMANCE.md

Exit codes: 0 all pass, 1 a model differs, cannot run or has no usable reference, 2 the command line is
wrong or a path holds no model (the others run nevertheless), 130 stopped by Ctrl-C, 143 by SIGTERM,
129 by SIGHUP.)";

struct RegressOptions {
  std::vector<std::string> paths;
  std::string references, table;
  RegressionSettings settings;
  long jobs = std::max(1L, static_cast<long>(std::thread::hardware_concurrency()));
  std::string report;
  double timeLimit = 600;  // [s]
  bool json = false;
  bool quiet = false;
};

/// "margin 0.0123 (revolute1.w at 0.45 s)  665 steps  0.012 s"
std::string figures(const RegressionOutcome& o) {
  const RegressionFigures* f = o.deciding();
  if (f == nullptr) return "";
  std::string text = fmt::format("margin {:<9.3g} {:>7} steps {:>9.3f} s", f->margin, o.own->steps,
                                 o.own->seconds);
  if (!f->worst.empty()) text += fmt::format("  {}", f->worst);
  if (o.proof && f == &*o.own) {
    text += fmt::format("  ({}; margin {:.3g} {})", accuracyOf(*o.own, true), o.proof->margin,
                        accuracyOf(*o.proof, false));
  } else if (o.proof && o.proof->pass && !o.own->pass) {
    text += fmt::format("  (margin {:.3g} {})", o.own->margin, accuracyOf(*o.own, true));
  }
  return text;
}

std::string line(const RegressionCase& c, const RegressionOutcome& o, size_t width) {
  std::string text = fmt::format("{:<5}  {:<{}}", word(o.status), c.name, width);
  if (o.status == RegressionStatus::pass || o.status == RegressionStatus::fail)
    text += "  " + figures(o);
  if (o.status != RegressionStatus::pass) text += "  " + o.message;
  return text + "\n";
}

struct Summary {
  long passed = 0, failed = 0, errors = 0, written = 0, ownOnly = 0;
  double margin = 0;
  std::string worst;

  Summary(const std::vector<RegressionCase>& cases,
          const std::vector<RegressionOutcome>& outcomes) {
    for (size_t i = 0; i < cases.size(); ++i) {
      const RegressionOutcome& o = outcomes[i];
      (o.status == RegressionStatus::pass    ? passed
       : o.status == RegressionStatus::fail  ? failed
       : o.status == RegressionStatus::wrote ? written
                                             : errors)++;
      if (o.status != RegressionStatus::pass) continue;
      const RegressionFigures* f = o.deciding();
      if (o.proof && f == &*o.own) ++ownOnly;
      if (f->margin >= margin) {
        margin = f->margin;
        worst = cases[i].name;
      }
    }
  }

  std::string format(size_t total, double seconds, long jobs) const {
    std::string text;
    if (written > 0) {
      text = fmt::format("{} of {} references written", written, total);
    } else {
      text = fmt::format("{} of {} models pass", passed, total);
      if (ownOnly > 0) text += fmt::format(" ({} at the model's own accuracy only)", ownOnly);
    }
    if (failed > 0) text += fmt::format(", {} differ", failed);
    if (errors > 0) text += fmt::format(", {} cannot be run or compared", errors);
    if (passed > 0) text += fmt::format("; worst margin {:.3g} ({})", margin, worst);
    return text + fmt::format("; {:.1f} s, {} at a time\n", seconds, jobs);
  }
};

Json resultJson(const std::vector<RegressionCase>& cases,
                const std::vector<RegressionOutcome>& outcomes, const Summary& s, double seconds,
                const std::vector<std::string>& problems) {
  Json models = Json::array();
  for (size_t i = 0; i < cases.size(); ++i) {
    Json j{{"name", cases[i].name}, {"model", cases[i].model}, {"reference", cases[i].reference}};
    j.update(outcomeJson(outcomes[i]));
    models.push_back(std::move(j));
  }
  return {{"models", std::move(models)},
          {"summary",
           {{"models", cases.size()},
            {"passed", s.passed},
            {"failed", s.failed},
            {"errors", s.errors},
            {"written", s.written},
            {"worstMargin", s.margin},
            {"worstModel", s.worst},
            {"seconds", seconds}}},
          {"problems", problems}};
}

/// Lines of models in their order, each as soon as all before it have ended.
class OrderedLines {
 public:
  OrderedLines(const std::vector<RegressionCase>& cases, bool failuresOnly)
      : cases_(cases), outcomes_(cases.size()), failuresOnly_(failuresOnly) {
    for (const RegressionCase& c : cases) width_ = std::max(width_, c.name.size());
    width_ = std::min<size_t>(width_, 76);
  }

  void set(size_t i, RegressionOutcome outcome) {
    outcomes_[i] = std::move(outcome);
    ++ended_;
  }
  void print() {
    for (; next_ < cases_.size() && outcomes_[next_]; ++next_) {
      if (failuresOnly_ && outcomes_[next_]->good()) continue;
      clearProgress();
      printOutput(line(cases_[next_], *outcomes_[next_], width_));
    }
    if (ended_ < cases_.size())
      progress_.show([&] { return fmt::format("{} of {}", ended_, cases_.size()); });
  }
  void clearProgress() { progress_.clear(); }
  /// What has ended; the rest is an error.
  std::vector<RegressionOutcome> outcomes() const {
    std::vector<RegressionOutcome> all;
    for (const auto& o : outcomes_) {
      RegressionOutcome never;
      never.message = "not run";
      all.push_back(o.value_or(never));
    }
    return all;
  }

 private:
  const std::vector<RegressionCase>& cases_;
  std::vector<std::optional<RegressionOutcome>> outcomes_;
  bool failuresOnly_;
  RewrittenLine progress_{true};

  size_t width_ = 0, next_ = 0, ended_ = 0;
};

/// A table or a report replaces no file that this command reads.
void protectTable(const RegressOptions& o, const std::vector<RegressionCase>& cases) {
  if (o.table.empty() && o.report.empty()) return;
  std::vector<std::string> read;
  for (const RegressionCase& c : cases) {
    read.insert(read.end(), {c.model, c.reference});
    read.insert(read.end(), c.besides.begin(), c.besides.end());
  }
  protectFiles({{o.table, "--table"}, {o.report, "--report"}}, read);
  if (isModelName(o.table) && std::filesystem::exists(o.table)) {  // an included file, perhaps
    refuse("--table '" + o.table + "' is a YAML file: it would be overwritten");
  }
}

/// References that two models would write.
std::set<std::string> sharedReferences(const std::vector<RegressionCase>& cases) {
  std::set<std::string> all, shared;
  for (const RegressionCase& c : cases) {
    if (!all.insert(c.reference).second) shared.insert(c.reference);
  }
  return shared;
}

RegressionOutcome withoutReferenceOfItsOwn(const RegressionCase& c) {
  RegressionOutcome outcome;
  outcome.message =
      "no reference written: '" + c.reference + "' would be that of another model, too";
  return outcome;
}

/// True: all have run.
bool runAll(const RegressOptions& o, const std::vector<RegressionCase>& cases, OrderedLines& lines,
            const Interruption& interruption) {
  const std::set<std::string> shared =
      o.settings.update ? sharedReferences(cases) : std::set<std::string>{};
  const ProcessPool pool{o.jobs, o.timeLimit};
  return pool.run(
      ProcessPool::upTo(std::ssize(cases)),
      [&](long i) {
        const RegressionCase& c = cases[i];
        return outcomeJson(shared.contains(c.reference) ? withoutReferenceOfItsOwn(c)
                                                        : runCase(c, o.settings))
            .dump(-1, ' ', false, Json::error_handler_t::replace);
      },
      [&](long i, const std::string& output, const std::string& failure) {
        RegressionOutcome outcome;
        outcome.message = failure;
        if (failure.empty()) outcome = outcomeOf(Json::parse(output));
        lines.set(i, std::move(outcome));
        if (!o.json) lines.print();
      },
      [&] { return interruption.wished(); });
}

int regress(const RegressOptions& o) {
  const auto begun = std::chrono::steady_clock::now();
  if (!o.references.empty() && !o.settings.update && !std::filesystem::is_directory(o.references))
    refuse("--references '" + o.references + "' is no folder");
  const RegressionCases found =
      findCases(o.paths.empty() ? std::vector<std::string>{"."} : o.paths, o.references);
  for (const std::string& p : found.problems) printMessages(fmt::format("error: {}", p));
  if (found.cases.empty()) {
    if (found.problems.empty()) printMessages("error: there is no model to run");
    return kWrong;
  }

  protectTable(o, found.cases);
  OrderedLines lines(found.cases, o.quiet);
  const Interruption interruption;
  const bool complete = runAll(o, found.cases, lines, interruption);
  lines.clearProgress();

  const std::vector<RegressionOutcome> outcomes = lines.outcomes();
  const Summary summary(found.cases, outcomes);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  if (o.json) {
    printOutput(resultJson(found.cases, outcomes, summary, seconds, found.problems)
                    .dump(2, ' ', false, Json::error_handler_t::replace) +
                "\n");
  } else {
    printOutput(summary.format(found.cases.size(), seconds, o.jobs));
  }
  if (!complete) {
    printMessages("stopped before all models had run");
    return interruption.exitCode();
  }
  if (!o.table.empty()) {
    writeTextFile(o.table, conformanceTable(found.cases, outcomes, o.settings.tube));
  }
  if (!o.report.empty()) writeTextFile(o.report, regressionReport(found.cases, outcomes));
  if (!found.problems.empty()) return kWrong;
  const bool good = std::all_of(outcomes.begin(), outcomes.end(),
                                [](const RegressionOutcome& x) { return x.good(); });
  return good ? kDone : kFailed;
}

}  // namespace

CommandRun addRegress(CLI::App& app) {
  auto o = std::make_shared<RegressOptions>();
  addOption(app, "MODEL|FOLDER", o->paths, "", "model files, and folders of them");
  addOption(app, "--references", o->references, "DIR", "folder of the references");
  app.add_flag("--update", o->settings.update, "write the references");
  addOption(app, "--tolerance", o->settings.tolerance, "X", "make one run, with this tolerance",
            positiveNumber());
  addIntegrator(app, o->settings.integrator);
  addChoice(app, "--impact", o->settings.impact, "law of impact of rigid surfaces");
  addOption(app, "--step", o->settings.step, "S",
            "length of all steps of the integrator 'stepping'", positiveNumber());
  app.add_flag("--own", o->settings.ownOnly, "make one run, with the model's own tolerance");
  addOption(app, "--until", o->settings.until, "S",
            "compare up to this time only (default: as corpus.csv says, else all)", finiteNumber());
  addOption(app, "-j,--jobs", o->jobs, "N", "models at a time (default: one for each processor)",
            CLI::Range(1, 1000));
  addOption(app, "--time-limit", o->timeLimit, "S",
            fmt::format("for each model (default: {:g})", o->timeLimit), positiveNumber());
  addOption(app, "--table", o->table, "FILE", "write a Markdown page with a row for each model");
  addOption(app, "--report", o->report, "FILE",
            "write an HTML page with a row for each model, and plots of what differs");
  app.add_flag("--json", o->json, "print JSON");
  app.add_flag("-q,--quiet", o->quiet, "print only the models that do not pass");
  app.footer(kRegressFooter);
  return [o] {
    o->settings.draw = !o->report.empty();
    return regress(*o);
  };
}

}  // namespace cardan
