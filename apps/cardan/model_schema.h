/// The JSON schema (draft 07) of model files, made from the catalogue.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace cardan {

/// Of any model file.
nlohmann::ordered_json modelSchema();

/// Of one model file at `path` and files like it: knows the submodels that it defines or includes,
/// and the connectors of its components. Throws ModelError where the file cannot be read.
nlohmann::ordered_json modelSchema(const std::string& path);
/// The same of a text that stands for the file.
nlohmann::ordered_json modelSchemaOfText(const std::string& text, const std::string& path);

}  // namespace cardan
