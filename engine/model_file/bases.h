/// `extends: other.yaml`: a model file that says what is different from another one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/text/diagnostics.h"
#include "engine/text/yaml_document.h"

namespace cardan {

/// The tree of a model file with those that it extends below it; every value keeps the place where
/// it is written. `path` is that of `root`; the files read are appended to `included`.
///
/// Parameters, variables and submodels are replaced name by name; a component with a `type` is
/// replaced, one without is changed key by key, as are `world` and `simulation`; null removes.
/// Connections and equations are added, a connection is taken away by `{remove: [a, b]}`; `outputs`
/// are replaced. `root` without `extends` is returned as it is.
YamlNode withBases(YamlNode root, const std::string& path, std::vector<std::string>& included,
                   Diagnostics& diagnostics);

}  // namespace cardan
