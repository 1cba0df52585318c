/// The table of a regression as a Markdown page (models/CONFORMANCE.md).
#pragma once

#include <string>
#include <vector>

#include "apps/cardan/regression_case.h"
#include "apps/cardan/regression_run.h"

namespace cardan {

/// Every case with its worst margin, and steps and residual evaluations beside the published ones.
/// Holds no times and no paths, so that a second run on another machine writes the same page.
std::string conformanceTable(const std::vector<RegressionCase>& cases,
                             const std::vector<RegressionOutcome>& outcomes,
                             const TubeOptions& tube);

}  // namespace cardan
