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

/// An input of the file: a variable whose elements are numbers that come from outside.
class InputVariable final : public VariableFunction {
 public:
  /// `first`: index of its first number in RunState::inputs.
  InputVariable(int first, int size) : first_(first), size_(size) {}
  void evaluate(const View<double>& x, double* out) const override { read(x, out); }
  void evaluate(const View<Dual>& x, Dual* out) const override { read(x, out); }

 private:
  template <class S>
  void read(const View<S>& x, S* out) const {
    const double* numbers = x.tables().inputs + first_;
    for (int i = 0; i < size_; ++i) out[i] = inputAt(numbers + i * kNumbersPerInput, x.time());
  }

  int first_, size_;
};

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
