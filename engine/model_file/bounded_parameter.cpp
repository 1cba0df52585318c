#include "engine/model_file/bounded_parameter.h"

#include <algorithm>
#include <cmath>

#include "engine/expression/constant_evaluation.h"
#include "engine/model_file/sections.h"
#include "engine/text/joined.h"

namespace cardan {

double typicalSize(double start, double low, double high) {
  constexpr double kSmallPart = 1e-4;  // of the bounds
  const double range = std::isfinite(high - low) ? high - low : 0;
  const double size = std::max(std::abs(start), kSmallPart * range);
  return size > 0 ? size : 1;
}

std::string withoutOuterBlanks(const std::string& text) { return std::string(trimmed(text)); }

bool readBounds(const std::string& text, const SourceMark& at, double& low, double& high,
                Diagnostics& diagnostics) {
  const size_t dots = text.find("..");
  const std::string from = withoutOuterBlanks(text.substr(0, dots));
  const std::string to = withoutOuterBlanks(text.substr(dots + 2));
  const auto read = [&](const std::string& part, double& bound) {
    if (part.empty()) return true;
    const auto x = readConstant(part, at, diagnostics);
    if (x) bound = *x;
    return x.has_value();
  };
  if (!read(from, low) || !read(to, high)) return false;
  if (low < high) return true;
  diagnostics.error(at, "bounds must rise, as 0.3..0.8, found '" + text + "'");
  return false;
}

std::optional<BoundedParameter> readBoundedParameter(const std::string& text, const SourceMark& at,
                                                     Diagnostics& diagnostics) {
  const size_t equals = text.find('=');
  BoundedParameter p{.name = withoutOuterBlanks(text.substr(0, equals)), .at = at};
  if (!isParameterName(p.name, at, diagnostics)) return std::nullopt;
  if (equals == std::string::npos) return p;
  std::string value = text.substr(equals + 1);
  const size_t dots = value.find("..");
  const size_t colon = value.find(':');
  if (dots == std::string::npos || colon < dots) {
    p.start = readConstant(withoutOuterBlanks(value.substr(0, colon)), at, diagnostics);
    if (!p.start) return std::nullopt;
    value = colon == std::string::npos ? "" : value.substr(colon + 1);
  }
  if (value.find("..") != std::string::npos) {
    if (!readBounds(value, at, p.low, p.high, diagnostics)) return std::nullopt;
  } else if (!withoutOuterBlanks(value).empty()) {
    diagnostics.error(
        at, "must be NAME, NAME=FROM..TO, NAME=START or NAME=START:FROM..TO, found '" + text + "'");
    return std::nullopt;
  }
  return p;
}

}  // namespace cardan
