/// FitReport: what a fit has found, as text, as a picture and for programs.
#pragma once

#include <string>

#include "engine/fit/fit.h"

namespace cardan {

/// For the terminal.
std::string fitText(const FitTask& task, const FitResult& result);
std::string fitJson(const FitTask& task, const FitResult& result);
/// Data, fit with its band, and residuals of every signal.
std::string fitSvg(const FitTask& task, const FitResult& result);
/// The same with all numbers.
std::string fitPage(const FitTask& task, const FitResult& result);

/// A model file that extends the model, with the parameters found. `file`: its path; `experiment`: whose
/// parameters, where there are several.
std::string fittedModel(const FitTask& task, const FitResult& result, const std::string& file);

}  // namespace cardan
