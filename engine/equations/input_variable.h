/// Inputs that the model file declares, and the numbers that inputs have while a run goes on.
#pragma once

#include <string>
#include <vector>

#include "engine/model_file/parameter_table.h"
#include "engine/structure/variable_table.h"

namespace cardan {

/// An input that has a number has three: its value at an instant, its slope [1/s] and that instant
/// [s]. RunState::inputs holds those of all of them.
inline constexpr int kNumbersPerInput = 3;

template <class S>
S inputAt(const double* numbers, const S& time) {
  return numbers[1] == 0 ? S(numbers[0]) : numbers[0] + numbers[1] * (time - numbers[2]);
}

/// One number of an input of the file.
struct GivenInput {
  std::string name;  ///< "u1", "push[2]"
  double start = 0;
};

/// Puts the inputs of `model` into `table`, and returns their numbers, those of RunState::inputs
/// that come first. Those that are wrong go to `model.unread`.
std::vector<GivenInput> addInputs(ModelSource& model, ParameterTable& parameters,
                                  VariableTable& table, Diagnostics& diagnostics);

}  // namespace cardan
