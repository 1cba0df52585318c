#include "engine/equations/input_variable.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/equations/model_names.h"
#include "engine/model_file/quantities.h"

namespace cardan {
namespace {

/// Reads the start of an input into `elements`, whose sizes become those of it where none are
/// stated; false after an error.
bool readInputStart(const InputDescription& in, ParameterTable& parameters,
                    std::vector<double>& elements, std::vector<int>& sizes,
                    Diagnostics& diagnostics) {
  const std::string what = "'start' of input '" + in.name + "'";
  const int errors = diagnostics.errorCount();
  const auto plain = withoutUnits(*in.start, in.unit.empty() ? WantedUnit{} : wantedUnit(in.unit),
                                  [&](const SourceMark& at, const std::string& text) {
                                    diagnostics.error(at, what + " " + text);
                                  });
  if (!plain) return false;
  Diagnostics own;
  const ParameterTable::Result r = parameters.evaluate(*plain, 0, in.name, own);
  for (const Diagnostic& m : own.all()) diagnostics.error(m.at, what + ": " + m.text);
  if (!r.isKnown()) {
    if (diagnostics.errorCount() == errors && r.state == ParameterTable::Result::State::unknown)
      diagnostics.error(plain->mark(),
                        what + " must be known before the run, found " + in.start->describe());
    return false;
  }
  if (r.value.type() != ValueType::real) {
    diagnostics.error(plain->mark(), what + " must be a number, found " + r.value.describe());
    return false;
  }
  const std::vector<double>& values = r.value.elements();
  if (in.size.empty()) {
    elements = values;
    sizes = dimensionsOf(r.value.shape());
  } else if (values.size() == 1) {
    std::ranges::fill(elements, values.front());
  } else if (values.size() == elements.size()) {
    elements = values;
  } else {
    diagnostics.error(plain->mark(),
                      fmt::format("{} must have {} element{}, found {}", what, elements.size(),
                                  elements.size() == 1 ? "" : "s", values.size()));
    return false;
  }
  return true;
}

}  // namespace

std::vector<GivenInput> addInputs(ModelSource& model, ParameterTable& parameters,
                                  VariableTable& table, Diagnostics& diagnostics) {
  std::vector<GivenInput> given;
  for (const InputDescription& in : model.inputs) {
    if (model.unread.contains(in.name)) continue;
    size_t size = 1;
    for (int n : in.size) size *= n;
    std::vector<double> elements(size, 0.0);
    std::vector<int> dimensions = in.size;
    if (in.start && !readInputStart(in, parameters, elements, dimensions, diagnostics)) {
      model.unread.insert(in.name);
      continue;
    }
    VariableInfo info{in.name, in.unit,
                      in.description.empty() ? "input of the model" : in.description, Level::Time};
    info.output = true;  // it may be connected
    const int variable = table.add(
        in.name, std::move(info), std::move(dimensions),
        std::make_unique<InputVariable>(std::ssize(given) * kNumbersPerInput, std::ssize(elements)),
        VariableTable::kModel);
    for (int i = 0; i < std::ssize(elements); ++i)
      given.push_back({table.nameOf({variable, i}), elements[i]});
  }
  return given;
}

}  // namespace cardan
