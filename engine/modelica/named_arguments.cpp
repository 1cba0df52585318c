#include "engine/modelica/named_arguments.h"

#include <algorithm>

#include "components/names.h"
#include "engine/expression/orientation_functions.h"
#include "engine/text/mapped.h"
#include "engine/text/words.h"

namespace cardan::modelica {
namespace {

/// Inputs of functions by their names, in their order.
std::vector<std::string> inputsOf(std::string_view function) {
  if (const OrientationFunction* f = findOrientationFunction(function))
    return mapped(f->parameters, &OrientationFunction::Parameter::name);
  const std::string_view last = lastName(function);
  if (last == "length" || last == "normalize") return {"v"};
  if (last == "norm") return {"v", "p"};
  if (last == "smooth") return {"p", "expr"};
  if (last == "homotopy") return {"actual", "simplified"};
  if (last == "atan2") return {"u1", "u2"};
  const bool isOfOne = isOneOf(last, {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
                                      "tanh", "exp", "log", "log10"});
  return isOfOne ? std::vector<std::string>{"u"} : std::vector<std::string>();
}

}  // namespace

std::optional<Expression> inOrder(const Expression& call, std::string_view function) {
  const std::vector<std::string> inputs = inputsOf(function);
  const size_t positional = call.arguments.size() - call.argumentNames.size();
  std::vector<const Expression*> places(inputs.size());
  if (positional > inputs.size()) return std::nullopt;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    size_t place = i;
    if (i >= positional) {
      const auto found = std::ranges::find(inputs, call.argumentNames[i - positional]);
      if (found == inputs.end()) return std::nullopt;
      place = found - inputs.begin();
    }
    if (places[place]) return std::nullopt;
    places[place] = &call.arguments[i];
  }
  Expression ordered = call;
  ordered.argumentNames.clear();
  ordered.arguments.clear();
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (!places[i]) return std::nullopt;
    ordered.arguments.push_back(*places[i]);
  }
  return ordered;
}

}  // namespace cardan::modelica
