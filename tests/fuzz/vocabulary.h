/// The words of model files: classes with their parameters and connectors, sections, functions.
#pragma once

#include <string>
#include <vector>

#include "engine/model_file/parameter_documentation.h"

namespace cardan::fuzz {

struct Vocabulary {
  struct Type {
    std::string name;
    std::vector<DocumentedParameter> parameters;
    std::vector<std::string> connectors;  ///< outputs are among them
  };
  std::vector<Type> types;            ///< of the catalogue
  std::vector<std::string> sections;  ///< keys that are no parameter of a class
  std::vector<std::string> keys;      ///< of parameters, and of what stands inside their values
  std::vector<std::string> functions;
  std::vector<std::string> operators;
  std::vector<std::string> numbers;      ///< plain, extreme and wrong ones
  std::vector<std::string> expressions;  ///< of every kind and shape, right and wrong ones
};

/// Made once, from the catalogue.
const Vocabulary& vocabulary();

/// A model with one component of the class, all parameters written out with their defaults.
std::string specimenModel(const Vocabulary::Type& type);

}  // namespace cardan::fuzz
