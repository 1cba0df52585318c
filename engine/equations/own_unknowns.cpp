#include "engine/equations/own_unknowns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/equations/known_value.h"
#include "engine/equations/model_names.h"

namespace cardan {
namespace {

constexpr int kMostUnknowns = 25'000;  ///< their matrices are full

StateSelect readStateSelect(const VariableDescription& v, Diagnostics& diagnostics) {
  static constexpr std::array<std::string_view, 5> kWords{"never", "avoid", "default", "prefer",
                                                          "always"};
  const auto word = std::ranges::find(kWords, v.stateSelect);
  if (word != kWords.end()) return static_cast<StateSelect>(word - kWords.begin());
  diagnostics.error(v.at, "'stateSelect' of variable '" + v.name +
                              "' must be never, avoid, default, prefer or always, found '" +
                              v.stateSelect + "'");
  return StateSelect::defaultSelect;
}

}  // namespace

std::optional<std::vector<int>> statedSizes(const VariableDescription& v) {
  return v.size.empty() ? std::nullopt : std::optional(v.size);
}

bool isOrientation(const std::string& type) {
  return type == "Frames.Orientation" || type.ends_with(".Frames.Orientation");
}

ModelEquations::StartValues readStart(const VariableDescription& v, const StartDescription& s,
                                      const std::string& name,
                                      std::optional<std::vector<int>>& sizes,
                                      ParameterTable& parameters, Diagnostics& diagnostics,
                                      bool isBoolean) {
  ModelEquations::StartValues result;
  const std::string start = "'start' of variable '" + name + "'";
  const std::string fixed = "'fixed' of variable '" + name + "'";
  const bool isOfRate = &s != &v.start;
  if (!isOfRate && !v.stateSelect.empty()) result.select = readStateSelect(v, diagnostics);
  std::optional<ExpressionValue> value;
  if (s.start) {
    // What a rate is measured in stands nowhere in the file.
    const std::string unit = isOfRate ? "" : v.unit;
    value = knownValue(*s.start, v.scope, v.name, start, unit, parameters, diagnostics);
    const bool fits = value && value->isBoolean() == isBoolean && !value->isString();
    if (value && !fits) {
      diagnostics.error(s.start->mark(), start + " must be " +
                                             (isBoolean ? "true or false" : "a number") +
                                             ", found " + value->describe());
      value.reset();
    }
    if (value && value->size() == 0) {
      diagnostics.error(s.start->mark(), start + " must have an element at least");
      value.reset();
    }
    if (value && !sizes) sizes = dimensionsOf(value->shape());
  }
  if (!sizes) sizes.emplace();
  const int size = elementCount(*sizes);
  result.start.assign(size, 0.0);
  result.fixed.assign(size, false);
  if (value) result.given = spreadOver(*value, size, *s.start, start, result.start, diagnostics);
  if (!s.fixed) return result;
  const auto flags = knownValue(*s.fixed, v.scope, v.name, fixed, "", parameters, diagnostics);
  if (!flags) return result;
  if (flags->type() != ValueType::boolean) {
    diagnostics.error(s.fixed->mark(),
                      fixed + " must be true or false, found " + flags->describe());
    return result;
  }
  std::vector<double> all;
  if (spreadOver(*flags, size, *s.fixed, fixed, all, diagnostics)) {
    for (size_t i = 0; i < all.size(); ++i) result.fixed[i] = all[i] != 0;
  }
  return result;
}

namespace {

void checkType(const VariableDescription& v, Diagnostics& diagnostics) {
  if (isOrientation(v.type)) {
    diagnostics.error(v.at, "orientation '" + v.name + "' needs an equation '" + v.name +
                                " = ...': implicit equations for orientations are not supported");
  } else if (v.type == "Integer" || v.type == "Boolean") {
    diagnostics.error(v.at, "variable '" + v.name + "': only what 'when' sets has the type " +
                                v.type + ", and no 'when' sets it");
  } else if (!v.type.empty() && v.type != "Real") {
    diagnostics.error(v.at, "variable '" + v.name + "': unknown type '" + v.type +
                                "'; it is a number, an array of them, or Frames.Orientation");
  }
}

void readNominal(const VariableDescription& v, double& nominal, ParameterTable& parameters,
                 Diagnostics& diagnostics) {
  const std::string what = "'nominal' of variable '" + v.name + "'";
  const auto n = knownValue(*v.nominal, v.scope, v.name, what, v.unit, parameters, diagnostics);
  if (!n) return;
  if (n->type() == ValueType::real && n->elements().size() == 1 && n->elements().front() > 0) {
    nominal = n->elements().front();
  } else {
    diagnostics.error(v.nominal->mark(),
                      what + " must be a number greater than 0, found " + n->describe());
  }
}

}  // namespace

std::vector<ModelEquations::Unknown> makeUnknowns(const OwnEquations& equations, ModelSource& model,
                                                  ParameterTable& parameters,
                                                  Diagnostics& diagnostics) {
  std::vector<ModelEquations::Unknown> result;
  int elements = 0;
  for (const size_t i : equations.unknowns()) {
    const VariableDescription& v = model.variables[i];
    const int errors = diagnostics.errorCount();
    checkType(v, diagnostics);
    ModelEquations::Unknown u;
    u.name = v.name;
    u.at = v.at;
    u.unit = v.unit;
    u.description = v.description;
    u.order = equations.order(i);
    std::optional<std::vector<int>> sizes = statedSizes(v);
    if (diagnostics.errorCount() == errors) {
      u.start = readStart(v, v.start, v.name, sizes, parameters, diagnostics);
      if (v.rate.start || v.rate.fixed) {
        if (u.order == 0) {
          diagnostics.error(v.at, "variable '" + v.name +
                                      "' has a start value for its derivative, which no equation "
                                      "of the model contains");
        } else {
          u.rateStart = readStart(v, v.rate, "der(" + v.name + ")", sizes, parameters, diagnostics);
        }
      }
      u.dimensions = *sizes;
    }
    u.size = elementCount(u.dimensions);
    if (v.nominal) readNominal(v, u.nominal, parameters, diagnostics);
    elements += std::min(u.size, kMostUnknowns + 1 - elements);
    if (elements > kMostUnknowns) {
      diagnostics.error(v.at, fmt::format("the variables that equations define must not have more "
                                          "than {} elements in all, '{}' has {}",
                                          kMostUnknowns, v.name, u.size));
      model.unread.insert(v.name);
      break;
    }
    if (diagnostics.errorCount() > errors) {
      model.unread.insert(v.name);
      continue;
    }
    model.unknowns.insert(v.name);
    result.push_back(std::move(u));
  }
  return result;
}

}  // namespace cardan
