/// The section `simulation` of files that run a model: where its runs differ from what the model says.
#pragma once

#include "engine/results/run_options.h"
#include "engine/text/yaml_document.h"

namespace cardan {

/// `section`: null, or a map of start, stop, interval, tolerance, maximum_step, integrator, step, impact. What
/// is wrong is reported.
void readRunSection(const YamlNode* section, RunOptions& options, Diagnostics& diagnostics);

}  // namespace cardan
