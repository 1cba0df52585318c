/// Values of the file that must be known before the run, for what has elements: start values, guesses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model_file/parameter_table.h"

namespace cardan {

/// The value of `node` as seen from `scope`, quantities in it in `unit` ("": any, in SI units), or nothing
/// after an error. `owner`: what it is of; `what`: how messages call it ("'start' of input 'u'").
std::optional<ExpressionValue> knownValue(const YamlNode& node, int scope, const std::string& owner,
                                          const std::string& what, const std::string& unit,
                                          ParameterTable& parameters, Diagnostics& diagnostics);

/// One number or Boolean for all `size` elements, or as many as there are; false after an error.
bool spreadOver(const ExpressionValue& value, int size, const YamlNode& node,
                const std::string& what, std::vector<double>& out, Diagnostics& diagnostics);

}  // namespace cardan
