/// The subcommands of the program, one file each.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>

namespace cardan {

/// Exit codes of the program; one that a signal has stopped ends with 128 and the signal's number.
enum ExitCode {
  kDone = 0,
  kFailed = 1,  ///< the run or the comparison failed, or a file could not be written
  kWrong = 2,   ///< the model, a file to compare or the command line is wrong
};

/// A subcommand: its options, and what it does; errors leave run() as exceptions.
struct Command {
  CLI::App* app;
  std::function<int()> run;  ///< returns the exit code
};

Command addSimulate(CLI::App& program);
Command addAnimate(CLI::App& program);
Command addPlot(CLI::App& program);
Command addCheck(CLI::App& program);
Command addComponents(CLI::App& program);
Command addCompare(CLI::App& program);
Command addRegress(CLI::App& program);
Command addLinearize(CLI::App& program);
Command addModes(CLI::App& program);
Command addEquilibrium(CLI::App& program);
Command addImport(CLI::App& program);
Command addExport(CLI::App& program);
Command addSweep(CLI::App& program);
Command addSchema(CLI::App& program);
Command addInverse(CLI::App& program);
Command addSensitivities(CLI::App& program);

}  // namespace cardan
