/// What a regression leaves to be read: a table as a Markdown page (models/CONFORMANCE.md), and an HTML page.
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
/// HTML without links to anything: a row for each case, and the plots of those that differ.
std::string regressionReport(const std::vector<RegressionCase>& cases,
                             const std::vector<RegressionOutcome>& outcomes);

}  // namespace cardan
