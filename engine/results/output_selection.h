/// Which variables a result shows, and by what names.
#pragma once

#include <string>
#include <vector>

#include "engine/model_file/model_source.h"
#include "engine/structure/variable_table.h"

namespace cardan {

class Model;

/// One element of a variable, by the name it was asked by.
struct NamedElement {
  std::string name;
  VariableElement of;
};

/// Columns in the order of `patterns`, no name twice. A pattern is a name, with or without indices;
/// a glob; or either behind a `!`, which takes away what it names, wherever it stands in the list.
/// A column goes by the name it was asked by, also where the variable has another one. Without
/// anything that asks: the states, the signal outputs and the model's own variables.
/// What names nothing is an error.
std::vector<NamedElement> selectOutputs(const Model& model,
                                        const std::vector<OutputPattern>& patterns,
                                        Diagnostics& diagnostics);

}  // namespace cardan
