/// A YAML tree as text that parses back to the same tree.
#pragma once

#include <string>

#include "engine/text/yaml_document.h"

namespace cardan::fuzz {

std::string yamlText(const YamlNode& root);

}  // namespace cardan::fuzz
