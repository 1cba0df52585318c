/// The page of `cardan regress --report`.
#pragma once

#include <string>
#include <vector>

#include "apps/cardan/regression_case.h"
#include "apps/cardan/regression_run.h"

namespace cardan {

/// HTML without links to anything: a row for each case, and the plots of those that differ.
std::string regressionReport(const std::vector<RegressionCase>& cases,
                             const std::vector<RegressionOutcome>& outcomes);

}  // namespace cardan
