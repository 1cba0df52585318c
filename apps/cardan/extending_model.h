/// The beginning of a model file that extends another one: what commands write that change a model.
#pragma once

#include <functional>
#include <string>

#include "engine/model_file/simulation_settings.h"

namespace cardan {

/// Throws ModelError where the model at `path` is none that a file can extend; `what`: "a fitted model".
void checkExtensible(const std::string& path, const std::string& what);

/// `extends`, and `set` with the last of each name among `overrides` but for what `isLeftOut`; the
/// section `set` goes on, and is there in any case where `sets`. `file`: where the text goes, "-" here.
std::string extendingModel(const std::string& model, const std::string& file,
                           const Overrides& overrides, bool sets = false,
                           const std::function<bool(const std::string& name)>& isLeftOut = {});

}  // namespace cardan
