#include "engine/equations/known_value.h"

#include <fmt/format.h>

#include "engine/model_file/quantities.h"

namespace cardan {

std::optional<ExpressionValue> knownValue(const YamlNode& node, int scope, const std::string& owner,
                                          const std::string& what, const std::string& unit,
                                          ParameterTable& parameters, Diagnostics& diagnostics) {
  const auto plain = withoutUnits(node, unit.empty() ? WantedUnit{} : wantedUnit(unit),
                                  [&](const SourceMark& at, const std::string& text) {
                                    diagnostics.error(at, what + " " + text);
                                  });
  if (!plain) return std::nullopt;
  Diagnostics own;
  const ParameterTable::Result r = parameters.evaluate(*plain, scope, owner, own);
  for (const Diagnostic& m : own.all()) diagnostics.error(m.at, what + ": " + m.text);
  if (!r.isKnown() || own.errorCount() > 0) {
    if (own.errorCount() == 0 && r.state == ParameterTable::Result::State::unknown) {
      diagnostics.error(node.mark(),
                        what + " must be known before the run, found " + node.describe());
    }
    return std::nullopt;
  }
  return r.value;
}

bool spreadOver(const ExpressionValue& value, int size, const YamlNode& node,
                const std::string& what, std::vector<double>& out, Diagnostics& diagnostics) {
  const std::vector<double>& elements = value.elements();
  if (elements.size() == 1 && size >= 1) {
    out.assign(size, elements.front());
    return true;
  }
  if (std::ssize(elements) == size) {
    out = elements;
    return true;
  }
  diagnostics.error(node.mark(), fmt::format("{} must have {} element{}, found {}", what, size,
                                             size == 1 ? "" : "s", elements.size()));
  return false;
}

}  // namespace cardan
