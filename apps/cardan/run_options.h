/// The options of every command that runs a model.
#pragma once

#include <CLI/App.hpp>

#include "engine/results/run_settings.h"
#include "engine/simulation.h"

namespace cardan {

/// Start, stop, interval, tolerance and step.
void addRunOptions(CLI::App& command, RunOptions& run);

/// Throws ModelError for a file of submodels, in which nothing would move.
void refuseLibrary(const ModelSource& model);

/// NAME.`ending` in the current folder, where the user says nothing.
std::string defaultOutput(const Model& model, const std::string& ending);

}  // namespace cardan
