/// Files of linear models: JSON, MATLAB's level 4 (.mat), CSV.
#pragma once

#include <string>

#include "engine/analysis/linear_model.h"

namespace cardan {

/// Everything, numbers as the shortest decimals that read back as the same double.
std::string linearModelJson(const LinearModel& model);

/// A, B, C, D and, where there is one, the descriptor's E_full, A_full, B_full as matrices of
/// doubles; names and units of states, inputs and outputs as matrices of characters.
/// Source  MathWorks, MAT-File Format: level 4
std::string linearModelMat(const LinearModel& model);

/// One table: a row for the rate of each state and for each output, a column for each state and
/// input.
std::string linearModelCsv(const LinearModel& model);

}  // namespace cardan
