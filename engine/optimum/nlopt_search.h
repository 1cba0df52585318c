/// NLopt: searches without derivatives, of a library that is loaded when one of them is wanted.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/optimum/sqp.h"

namespace cardan {

/// What --method understands of them.
std::vector<std::string> nloptMethods();
/// True of those that spread over the whole of the bounds.
bool nloptNeedsBounds(const std::string& method);

struct NloptResult {
  Eigen::VectorXd x;  ///< the best that was seen, as far as constraints hold
  std::string reason;
  bool found = false;  ///< false: also where runs ended first
};

/// Smallest f with c >= 0 (the first `equalities`: = 0) within bounds. `values`: nothing ends the search. Throws
/// AnalysisError where the library is not there.
NloptResult searchByNlopt(
    const std::string& method, const Eigen::VectorXd& start, const SqpOptions& options,
    Eigen::Index constraints, long mostRuns, unsigned long seed,
    const std::function<std::optional<SmoothValues>(const Eigen::VectorXd& x)>& values);

}  // namespace cardan
