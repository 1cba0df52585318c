#include "apps/cardan/run_to_end.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "apps/cardan/console.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_source.h"
#include "engine/motion_point.h"

namespace cardan {
namespace {

/// How a run ended whose error is on its way.
RunStatus failed() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {RunStatus::Kind::failed, "not enough memory"};
  } catch (const std::exception& e) {
    return {RunStatus::Kind::failed, e.what()};
  }
}

RunStatus statusOf(const RunReport& report) {
  using Kind = RunStatus::Kind;
  if (!report.terminated.empty()) return {Kind::terminated, report.terminated};
  if (report.paused) return {Kind::interrupted, "its state was saved, to go on later"};
  if (report.interrupted) return {Kind::interrupted, ""};
  return {};
}

/// Runs; where it fails, the files say so.
RunStatus runIntoFiles(const FiledRun& filed, ResultFiles& files,
                       const std::function<RunReport()>& run, RunReport& report) {
  RunStatus status;
  try {
    report = run();
    status = statusOf(report);
  } catch (const SolverError&) {
    report = filed.simulation.report();
    status = failed();
  } catch (const AnalysisError&) {
    report = filed.simulation.report();
    status = failed();
  } catch (...) {
    report = filed.simulation.report();
    if (files.begun()) files.end(failed(), report);
    throw;
  }
  if (files.begun()) files.end(status, report);
  report.rows = files.rows();
  return status;
}

/// "DoublePendulum: 5001 rows to time = 3 s, 1234 steps in 0.012 s, in DoublePendulum.csv"
std::string summary(const FiledRun& filed, const RunStatus& status, const RunReport& r) {
  using Kind = RunStatus::Kind;
  std::string end;
  if (status.kind != Kind::completed) {
    const bool told = status.kind == Kind::terminated;
    end = fmt::format("{}{}{}; ", word(status.kind), told ? ": " : "", told ? status.message : "");
  }
  return fmt::format("{}: {}{} rows to time = {:.6g} s, {} steps in {:.3g} s, in {}",
                     filed.simulation.source().name, end, r.rows, r.stopTime, r.integrator.steps,
                     r.initialisationSeconds + r.integrationSeconds + r.outputSeconds,
                     shownPath(filed.output));
}

}  // namespace

std::vector<WrittenFile> filesOfResult(const std::string& output) {
  if (output == "-") return {};
  return {{output, "the result"}, {metadataPath(output), "the sidecar", " of the result"}};
}

RunStatus runToItsEnd(const FiledRun& filed, ResultFiles& files, RunOptions& options,
                      const std::function<RunReport()>& run, RunReport& report) {
  const bool mixed = filed.output == "-" && ::isatty(STDOUT_FILENO) != 0;  // among the rows
  ProgressLine progress(filed.settings.start, filed.settings.stop, !filed.quiet && !mixed);
  options.progress = [&](double time) {
    progress.update(time);
    files.flushIfDue();
    return files.interruption() == nullptr || !files.interruption()->wished();
  };
  try {
    return runIntoFiles(filed, files, run, report);
  } catch (const FileError& e) {
    if (filed.output == "-" && e.error() == EPIPE) endOfPipe();
    throw;
  }
}

void printEnd(const FiledRun& filed, const RunStatus& status, const RunReport& report) {
  if (!filed.quiet) {
    for (const std::string& w : report.warnings) printMessages("warning: " + w);
  }
  if (status.kind == RunStatus::Kind::failed)
    printMessages(filed.simulation.source().file + ": error: " + status.message);
  if (!filed.quiet) printMessages(summary(filed, status, report));
}

}  // namespace cardan
