/// TypeDescription: everything a class of the catalogue says about itself.
#pragma once

#include <string>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/model_file/parameter_documentation.h"

namespace cardan {

struct TypeDescription {
  struct Connector {
    std::string name;
    std::string kind;       ///< "frame", "rotational flange", "input of 3", ...
    std::string condition;  ///< "useAxisFlange: true": only with this parameter; else ""
  };
  struct Variable {
    std::string name;  ///< with its dimensions: "r_0[3]"
    std::string unit;
    std::string description;
    bool output = false;
  };

  std::vector<DocumentedParameter> parameters;
  std::vector<Connector> connectors;
  std::vector<Variable> variables;  ///< without those of the connectors
};

/// Makes one instance with default parameters and asks it; for connectors that a parameter
/// switches on, others too.
TypeDescription describeType(const CatalogueEntry& entry);

}  // namespace cardan
