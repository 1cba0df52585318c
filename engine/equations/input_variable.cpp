#include "engine/equations/input_variable.h"

#include "engine/equations/known_value.h"
#include "engine/equations/model_names.h"
#include "engine/structure/variable_function.h"

namespace cardan {
namespace {

/// Reads the start of an input into `elements`, whose sizes become those of it where none are
/// stated; false after an error.
bool readInputStart(const InputDescription& in, ParameterTable& parameters,
                    std::vector<double>& elements, std::vector<int>& sizes,
                    Diagnostics& diagnostics) {
  const std::string what = "'start' of input '" + in.name + "'";
  const auto value = knownValue(*in.start, 0, in.name, what, in.unit, parameters, diagnostics);
  if (!value) return false;
  if (value->type() != ValueType::real) {
    diagnostics.error(in.start->mark(), what + " must be a number, found " + value->describe());
    return false;
  }
  if (!in.size.empty()) {
    const int size = static_cast<int>(std::ssize(elements));
    if (size == 0 && value->size() == 1) return true;
    return spreadOver(*value, size, *in.start, what, elements, diagnostics);
  }
  elements = value->elements();
  sizes = dimensionsOf(value->shape());
  return true;
}

}  // namespace

std::vector<GivenInput> addInputs(ModelSource& model, ParameterTable& parameters,
                                  VariableTable& table, Diagnostics& diagnostics) {
  std::vector<GivenInput> given;
  for (const InputDescription& in : model.inputs) {
    if (model.unread.contains(in.name)) continue;
    std::vector<double> elements(elementCount(in.size), 0.0);
    std::vector<int> dimensions = in.size;
    if (in.start && !readInputStart(in, parameters, elements, dimensions, diagnostics)) {
      model.unread.insert(in.name);
      continue;
    }
    VariableInfo info{in.name, in.unit,
                      in.description.empty() ? "input of the model" : in.description, Level::Time};
    info.output = true;  // it may be connected
    const int variable =
        table.add(in.name, std::move(info), std::move(dimensions),
                  variableFunction([first = std::ssize(given) * kNumbersPerInput,
                                    n = std::ssize(elements)](const auto& x, auto* out) {
                    const double* numbers = x.tables().inputs + first;
                    for (int i = 0; i < n; ++i)
                      out[i] = inputAt(numbers + i * kNumbersPerInput, x.time());
                  }),
                  VariableTable::kModel);
    for (int i = 0; i < std::ssize(elements); ++i)
      given.push_back({table.nameOf({variable, i}), elements[i]});
  }
  return given;
}

}  // namespace cardan
