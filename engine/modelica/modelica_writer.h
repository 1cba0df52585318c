/// A model file as a Modelica model (specification 3.6, Modelica Standard Library 4.0).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/model_file/model_source.h"
#include "engine/text/yaml_document.h"

namespace cardan {

/// What is known of a loaded model, and its file does not say.
struct ModelFacts {
  const ModelSource* model = nullptr;  ///< flat, with the values of its parameters
  /// Sizes of a variable of the model by its name: {} of a scalar, {3}.
  std::function<std::vector<int>(const std::string&)> sizesOf;
  /// "frame", "rotational flange", "translational flange", "pin", "heat port", "input of 3", "output": what a
  /// type has by this name; "" if nothing.
  std::function<std::string(const std::string& type, const std::string& connector)> connectorKind;
  std::vector<std::string> shapes{};  ///< components that others may touch, by their names in full
};

/// The text of the Modelica file. Nothing, and reported by name and place, where the model has what
/// Modelica has no class or word for.
std::optional<std::string> modelicaText(const Catalogue& catalogue, const YamlNode& root,
                                        const std::string& path, const ModelFacts& facts,
                                        Diagnostics& diagnostics);

}  // namespace cardan
