/// The closed loop of a model and a linear feedback, as a model file that extends it.
#pragma once

#include <functional>
#include <string>

#include "engine/control/linear_feedback.h"
#include "engine/model_file/model_source.h"

namespace cardan {

/// u = u_0 - K (x - x_0), with x_0 and u_0 of the point that `model` is of: the text of a file at `path`
/// that extends that of `source` and gives its inputs these expressions; with `sample` > 0 [s] they hold
/// their values so long. An orientation counts by its small rotation from x_0. `valueOf`: of an unknown at
/// the point; `overrides`: those of the model. `observer`: not null: x - x_0 are the states of a submodel of
/// its own that follow the outputs of `model` with this gain (kalmanGain of the same `sample`). Refuses, by
/// name, inputs inside of submodels and arrays.
std::string feedbackModel(const ModelSource& source, const std::string& path,
                          const Overrides& overrides, const LinearModel& model,
                          const LinearFeedback& feedback, const LinearFeedback* observer,
                          double sample,
                          const std::function<double(const std::string& name)>& valueOf);

}  // namespace cardan
