/// What `cardan optimize` says of what it has found: text, a model file, a table of a front.
#pragma once

#include <string>
#include <vector>

#include "engine/optimum/optimum.h"

namespace cardan {

std::string optimumText(const OptimumRuns& runs, const OptimumResult& result);
/// `file`: where it goes.
std::string optimumModel(const OptimumRuns& runs, const OptimumResult& result,
                         const std::string& file);
std::string frontText(const OptimumRuns& runs, const std::vector<OptimumResult>& front);
std::string frontCsv(const OptimumRuns& runs, const std::vector<OptimumResult>& front);
/// What tells a task from another one: `fingerprint` of the model's files.
std::string optimumJson(const OptimumRuns& runs, const std::string& fingerprint);

}  // namespace cardan
