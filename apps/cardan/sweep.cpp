// cardan sweep: runs a model with many values of its parameters.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/interruption.h"
#include "apps/cardan/process_pool.h"
#include "apps/cardan/run_options.h"
#include "apps/cardan/sweep_files.h"
#include "apps/cardan/sweep_options.h"
#include "apps/cardan/sweep_run.h"
#include "apps/cardan/trajectory_file.h"
#include "engine/study/csv_text.h"

namespace cardan {
namespace {

using SweepClock = std::chrono::steady_clock;

constexpr const char* kSweepFooter =
    R"(The runs are all points of the grid (--vary), or of the rows of a CSV file (--list), or both crossed, and
at each of them -n samples (--sample). A study file says the same as the options, in YAML; options add
to it. Run number i depends on the study, its seed and i alone.

DIR/index.csv has a line a run: its parameters, how it ended (completed, terminated by the model, failed,
crashed) and why, its steps, and what is kept. An empty field: there is no value. timing.csv has seconds
and host of each run, study.json the study. A run that fails or crashes is a line like others. What has
ended is on the disk: after Ctrl-C, or worse, --resume makes the runs that are missing.

Kept values are taken over the rows of a run (--output-interval): final, min, max, mean, rms of a variable
or expression, at(x, time), and first(condition), whose time is exact. Vectors have a column an element;
min and max go over their elements, too.

Examples:
  cardan sweep models/studies/double_pendulum.yaml -o dp
  cardan sweep arm.yaml --vary L=0.3:0.05:1.2 --vary 'd=logspace(-3,0,7)' --keep 'max(abs(joint.tau))'
  cardan sweep arm.yaml --sample 'm=normal(1,0.05)' -n 1000 --seed 7 --method latin --keep 'rms(tip.e)'
  cardan sweep study.yaml -o dp --slurm >job.sh && sbatch job.sh
  mpirun -np 16 cardan sweep study.yaml -o dp --shard auto -j 1; cardan sweep --merge -o dp

Exit codes: 0 done, 1 all runs have failed (--strict: some) or a file could not be written, 2 the study,
the model or the command line is wrong, 130 stopped by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.)";

/// Runs of a shard that are still to be made, and how they go.
class Sweep {
 public:
  Sweep(const SweepOptions& options, const Plan& plan, const SweepModel& model, SweepFolder& folder,
        const Shard& shard)
      : options_(options),
        plan_(plan),
        model_(model),
        folder_(folder),
        shard_(shard),
        line_(!options.quiet) {
    counts_.runs = shard.runsOf(plan.runs());
    ended_ = folder.ended(plan.runs(), shard, counts_);
    before_ = counts_.ended();
  }

  /// False: stopped.
  bool run(const Interruption& interruption) {
    folder_.begin(shard_, model_.header());
    const ProcessPool pool{options_.jobs, options_.timeLimit, true};
    const bool complete =
        pool.run([this] { return next(); }, [this](long run) { return work(run); },
                 [this](long run, const std::string& output, const std::string& failure) {
                   done(run, output, failure);
                 },
                 [&] { return interruption.wished(); });
    folder_.end();
    line_.clear();
    return complete;
  }

  const SweepCounts& counts() const { return counts_; }
  /// Runs made now.
  long made() const { return counts_.ended() - before_; }
  double secondsOfRuns() const { return secondsOfRuns_; }

 private:
  std::optional<long> next() {
    for (; next_ < counts_.runs; ++next_) {
      const long run = shard_.run(next_);
      if (ended_[run]) continue;
      ++next_;
      return run;
    }
    return std::nullopt;
  }

  std::string work(long run) const {
    folder_.forget();
    const SweptRun r = model_(run);
    return fmt::format("{:.6g} {} {}", r.seconds, r.good ? statusIn(r.line) : "failed", r.line);
  }
  /// Behind the parameters, which may hold such a word as well.
  std::string statusIn(const std::string& line) const {
    const auto fields = splitCsvLine(line);
    return fields->at(1 + plan_.parameters().size());
  }

  void done(long run, const std::string& output, const std::string& failure) {
    SweptRun result;
    std::string status = "failed";
    if (failure.empty()) {
      const size_t seconds = output.find(' '), word = output.find(' ', seconds + 1);
      result.seconds = std::strtod(output.c_str(), nullptr);
      status = output.substr(seconds + 1, word - seconds - 1);
      result.line = output.substr(word + 1);
    } else {
      const bool tooLong = failure.starts_with("stopped");
      result.line = model_.lineOfFailure(run, tooLong ? "failed" : "crashed", failure);
      line_.clear();
      printMessages(fmt::format("warning: run {} {}; alone: cardan simulate {}", run + 1, failure,
                                argumentsOf(run)));
    }
    folder_.add(run, result);
    secondsOfRuns_ += result.seconds;
    counts_.count(status);
    line_.show([&] { return progress(); });
  }

  std::string argumentsOf(long run) const {
    std::string text = model_.files().back();
    for (const std::string& o : plan_.overrides(run)) text += " --set '" + o + "'";
    return text;
  }

  std::string progress() const {
    const double elapsed = std::chrono::duration<double>(SweepClock::now() - begun_).count();
    const long left = counts_.runs - counts_.ended();
    const std::string time =
        made() > 0 && elapsed > 1
            ? ", " +
                  durationText(elapsed / static_cast<double>(made()) * static_cast<double>(left)) +
                  " left"
            : "";
    const std::string failed = counts_.failed > 0 ? fmt::format(", {} failed", counts_.failed) : "";
    const double share = static_cast<double>(counts_.ended()) / static_cast<double>(counts_.runs);
    return fmt::format("{:3.0f} %  {} of {} runs{}{}", std::floor(100 * share), counts_.ended(),
                       counts_.runs, failed, time);
  }

  const SweepOptions& options_;
  const Plan& plan_;
  const SweepModel& model_;
  SweepFolder& folder_;
  Shard shard_;
  std::vector<bool> ended_;
  SweepCounts counts_;
  long before_ = 0, next_ = 0;
  double secondsOfRuns_ = 0;
  SweepClock::time_point begun_ = SweepClock::now();
  RewrittenLine line_;
};

/// "10000 runs: 9990 completed, 7 terminated, 3 failed"
std::string endsOf(const SweepCounts& c) {
  std::string text = fmt::format("{} run{}", c.runs, c.runs == 1 ? "" : "s");
  const char* separator = ": ";
  const auto add = [&](long n, const char* what) {
    if (n == 0) return;
    text += fmt::format("{}{} {}", separator, n, what);
    separator = ", ";
  };
  add(c.completed, "completed");
  add(c.terminated, "terminated by the model");
  add(c.failed, "failed");
  add(c.runs - c.ended(), "not made");
  return text;
}

int exitCodeOf(const SweepCounts& c, bool strict) {
  if (c.ended() < c.runs || (strict && c.failed > 0)) return kFailed;
  return c.runs > 0 && c.failed == c.runs ? kFailed : kDone;
}

int merge(const SweepOptions& o) {
  if (o.output.empty()) refuse("--merge needs the folder of the study: -o DIR");
  const SweepFolder folder(o.output);
  const SweepCounts counts = folder.merge();
  if (!o.quiet) printMessages(fmt::format("{}; in {}", endsOf(counts), folder.indexPath()));
  return exitCodeOf(counts, o.strict);
}

int dryRun(const Plan& plan) {
  std::string text = "\"run\"";
  for (const std::string& p : plan.parameters()) text += "," + csvText(p);
  text += '\n';
  for (long run = 0; run < plan.runs(); ++run) {
    text += std::to_string(run + 1);
    for (const std::string& v : plan.values(run)) text += "," + csvValue(v);
    text += '\n';
    if (text.size() < 1 << 16 && run + 1 < plan.runs()) continue;
    printOutput(text);
    text.clear();
  }
  return kDone;
}

/// A batch script: tasks of five minutes or more, as far as the runs last so long, a thousand at
/// most.
int printSlurmScript(const SweepOptions& o, const Plan& plan, const SweepModel& model,
                     const std::string& name) {
  constexpr double kTaskSeconds = 300, kMostTasks = 1000;
  double seconds = 0, runs = 0;
  const std::set<long> probes{0, plan.runs() / 2, plan.runs() - 1};
  auto probe = probes.begin();
  const Interruption interruption;
  const bool complete = ProcessPool{1, o.timeLimit, true}.run(
      [&]() -> std::optional<long> {
        if (probe == probes.end()) return std::nullopt;
        return *probe++;
      },
      [&](long run) { return std::to_string(model(run).seconds); },
      [&](long, const std::string& output, const std::string& failure) {
        seconds += failure.empty() ? std::strtod(output.c_str(), nullptr) : 0;
        ++runs;
      },
      [&] { return interruption.wished(); });
  if (!complete) return interruption.exitCode();
  const double each = seconds / runs, total = each * static_cast<double>(plan.runs());
  const double tasks = std::clamp(std::floor(total / kTaskSeconds), 1.0,
                                  std::min(kMostTasks, static_cast<double>(plan.runs())));
  const double minutes = std::ceil(3 * total / tasks / 60) + 10;  // other machines, other loads
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::string word = name;
  std::replace_if(
      word.begin(), word.end(), [](char c) { return c == ' ' || c == '/'; }, '_');
  const std::string command = fmt::format("{} sweep", ignored ? "cardan" : program.string());
  std::string folder = o.output;
  printOutput(
      fmt::format("#!/bin/bash\n"
                  "# {} run{} of about {:.2g} s each: {:.0f} task{} of about {}.\n"
                  "#   job=$(sbatch --parsable THIS_FILE)\n"
                  "#   sbatch --dependency=afterany:$job --wrap '{} --merge -o {}'\n"
                  "# A task that is started again makes the runs that are missing.\n"
                  "#SBATCH --job-name={}\n"
                  "#SBATCH --array=1-{:.0f}\n"
                  "#SBATCH --ntasks=1\n"
                  "#SBATCH --cpus-per-task=1\n"
                  "#SBATCH --time={:.0f}\n"
                  "#SBATCH --requeue\n"
                  "{} {} -o {} --shard auto -j 1 --resume --quiet\n",
                  plan.runs(), plan.runs() == 1 ? "" : "s", each, tasks, tasks == 1 ? "" : "s",
                  durationText(std::max(1.0, total / tasks)), command, folder, word, tasks, minutes,
                  command, o.forShell(), folder));
  return kDone;
}

int sweepRuns(const SweepOptions& o, const Study& study, const Plan& plan, const SweepModel& model,
              const Shard& shard) {
  SweepFolder folder(o.output);
  std::vector<WrittenFile> written;
  for (const char* file : {"/index.csv", "/timing.csv", "/study.json"})
    written.push_back({o.output + file, "the result"});
  std::vector<std::string> read = model.files();
  read.push_back(o.model.path);
  if (study.list) read.push_back(study.list->file);
  protectFiles(written, read);
  folder.open(formatStudy(study, plan, model), study, shard, o.resume);
  if (folder.isFinished()) {
    const SweepCounts counts = folder.merge();
    if (!o.quiet) printMessages(fmt::format("{}; all in {}", endsOf(counts), folder.indexPath()));
    return exitCodeOf(counts, o.strict);
  }
  const Interruption interruption;
  const auto begun = SweepClock::now();
  Sweep sweep(o, plan, model, folder, shard);
  const bool complete = sweep.run(interruption);
  if (shard.isWhole()) {
    folder.merge();
  } else if (complete) {
    folder.finishTrajectories(shard);
  }
  if (!o.quiet) {
    const double seconds = std::chrono::duration<double>(SweepClock::now() - begun).count();
    const std::string what =
        shard.isWhole() ? model.name()
                        : fmt::format("{}, shard {} of {}", model.name(), shard.part, shard.parts);
    printMessages(fmt::format("{}: {}; {} made in {:.3g} s, {} at a time ({:.3g} s of runs), in {}",
                              what, endsOf(sweep.counts()), sweep.made(), seconds, o.jobs,
                              sweep.secondsOfRuns(),
                              shard.isWhole() ? folder.indexPath() : folder.path()));
  }
  if (!complete) {
    printMessages("stopped before all runs were made; --resume makes the others");
    return interruption.exitCode();
  }
  return exitCodeOf(sweep.counts(), o.strict);
}

int sweep(SweepOptions o) {
  if (o.merge) return merge(o);
  if (o.model.path.empty()) {
    printMessages("error: a study or a model is missing\ntry: cardan sweep --help");
    return kWrong;
  }
  Diagnostics diagnostics;
  const Study study = o.study(diagnostics);
  const Plan plan(study, diagnostics);
  if (study.format == TrajectoryFormat::hdf5 && !knowsHdf5())
    diagnostics.error(study.formatAt, kHdf5Missing);
  diagnostics.throwIfErrors();
  Shard shard;
  if (!o.shard.empty()) {
    try {
      shard = readShard(o.shard, [](const char* name) { return std::getenv(name); });
    } catch (const std::invalid_argument& e) {
      refuse(std::string("--shard: ") + e.what());
    }
  }
  SweepModel model(study, plan, o.model);
  const std::string name = study.name.empty() ? model.name() : study.name;
  if (o.output.empty()) {
    o.output = name + ".sweep";
    std::replace(o.output.begin(), o.output.end(), '/', '_');
  }
  if (!o.quiet && !model.warnings().all().empty()) printMessages(model.warnings().format());
  if (o.dryRun) return dryRun(plan);
  if (o.slurm) return printSlurmScript(o, plan, model, name);
  model.writeTrajectoriesTo(o.output);
  return sweepRuns(o, study, plan, model, shard);
}

}  // namespace

CommandRun addSweep(CLI::App& app) {
  auto o = std::make_shared<SweepOptions>();
  o->add(app);
  app.footer(kSweepFooter);
  return [o] { return sweep(*o); };
}

}  // namespace cardan
