/// The subcommands of the program, one file each.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>

#include "apps/cardan/later.h"

namespace cardan {

/// Exit codes of the program; one that a signal has stopped ends with 128 and the signal's number.
enum ExitCode {
  kDone = 0,
  kFailed = 1,  ///< the run or the comparison failed, or a file could not be written
  kWrong = 2,   ///< the model, a file to compare or the command line is wrong
};

/// What a command does once its options are read; returns the exit code. Errors leave it as exceptions.
using CommandRun = std::function<int()>;

/// Every command: the end of its function's name, its name, and what it does; "": help does not say it,
/// as shells and packages use it.
#define CARDAN_COMMANDS(COMMAND)                                                              \
  COMMAND(Simulate, "simulate", "run a model and write its result")                           \
  COMMAND(Animate, "animate", "show a model moving, in a page or as .glb")                    \
  COMMAND(Plot, "plot", "draw signals of results")                                            \
  COMMAND(Check, "check", "read, assemble and initialise a model, and explain it")            \
  COMMAND(Components, "components", "list the component types, or explain one")               \
  COMMAND(Compare, "compare", "compare a result with a reference, signal by signal")          \
  COMMAND(Regress, "regress", "run models and compare them with their references")            \
  COMMAND(Import, "import", "write a Modelica model or a robot (URDF, MJCF) as a model file") \
  COMMAND(Export, "export", "write a model as a Modelica model or an FMU")                    \
  COMMAND(Sweep, "sweep", "run a model with many values of its parameters")                   \
  COMMAND(Linearize, "linearize", "write a model near a point as matrices A, B, C, D")        \
  COMMAND(Lqr, "lqr", "find the linear feedback that holds a model at a point")               \
  COMMAND(Modes, "modes", "eigenvalues, frequencies and damping near a point")                \
  COMMAND(Equilibrium, "equilibrium", "find where a model rests")                             \
  COMMAND(Inverse, "inverse", "find the forces that a given motion needs")                    \
  COMMAND(Sensitivities, "sensitivities",                                                     \
          "run a model with the derivatives of its results by parameters")                    \
  COMMAND(Fit, "fit", "find parameters of a model from measurements")                         \
  COMMAND(Optimize, "optimize", "find parameters of a model that make its runs best")         \
  COMMAND(Studio, "studio", "edit a model in a page that answers while one types")            \
  COMMAND(Watch, "watch", "run a command again whenever a model changes")                     \
  COMMAND(Schema, "schema", "print a JSON schema of model files, for editors")                \
  COMMAND(StudioWorker, "studio-worker", "")                                                  \
  COMMAND(Complete, "complete", "")                                                           \
  COMMAND(Manpages, "manpages", "")

/// Adds the options of a command to it.
#define CARDAN_DECLARE_COMMAND(Name, name, text) CARDAN_LATER CommandRun add##Name(CLI::App& app);
CARDAN_COMMANDS(CARDAN_DECLARE_COMMAND)
#undef CARDAN_DECLARE_COMMAND

}  // namespace cardan
