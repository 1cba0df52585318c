/// What `simulate --why` prints.
#pragma once

#include <string>

#include "engine/integration/run_report.h"

namespace cardan {

/// What limited the steps of a run, and what to do about it.
std::string whyText(const StepExplanation& e);

}  // namespace cardan
