#include "engine/study/axis_values.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/expression/constant_evaluation.h"
#include "engine/expression/value.h"
#include "engine/results/model_task.h"
#include "engine/results/output_grid.h"
#include "engine/study/call_text.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

using Texts = std::vector<std::string>;

/// a, a + step, ... up to b, as the decimals that are meant.
Texts steps(double a, double step, double b, const SourceMark& at, Diagnostics& diagnostics) {
  const auto fail = [&](const std::string& rule) {
    diagnostics.error(at, fmt::format("a range {}, found {}:{}:{}", rule, a, step, b));
    return Texts{};
  };
  if (step == 0) return fail("must have a step other than 0");
  const double sign = step > 0 ? 1 : -1;
  if (sign * (b - a) < 0) return fail("must lead from its first value to its last");
  constexpr double kRounding = 1e-9;  // of a step
  const double count = std::floor((b - a) / step + kRounding) + 1;
  if (count > kMostRuns) return fail(fmt::format("must not have more than {:g} values", kMostRuns));
  Texts values;
  const OutputGrid grid(sign * a, sign * b, sign * step);
  for (long k = 0; k < static_cast<long>(count); ++k) {
    values.push_back(formatNumber(sign * grid.time(k) + 0.0));
  }
  return values;
}

Texts readRange(const std::vector<std::string_view>& parts, const std::string& text,
                const SourceMark& at, Diagnostics& diagnostics) {
  std::vector<double> x;
  for (const std::string_view part : parts) {
    const std::string_view p = trimmed(part);
    const auto value = readConstant(std::string(p), at.behind(p.data() - text.data()), diagnostics);
    if (!value) return {};
    x.push_back(*value);
  }
  return x.size() == 2 ? steps(x[0], 1, x[1], at, diagnostics)
                       : steps(x[0], x[1], x[2], at, diagnostics);
}

Texts readSpace(const CallText& call, const SourceMark& at, Diagnostics& diagnostics) {
  const double n = call.arguments.size() == 3 ? call.arguments[2] : 0;
  if (!(n >= 1 && n <= kMostRuns) || n != std::floor(n)) {
    diagnostics.error(at, fmt::format("'{}' takes the first value, the last one and how many there "
                                      "are, as in {}(-3, 0, 7)",
                                      call.name, call.name));
    return {};
  }
  const double a = call.arguments[0], b = call.arguments[1];
  Texts values;
  for (double k = 0; k < n; ++k) {
    const double x = k == n - 1 && n > 1 ? b : a + (n > 1 ? k * (b - a) / (n - 1) : 0);
    const double value = call.name == "logspace" ? std::pow(10.0, x) : x;
    if (!std::isfinite(value)) {
      diagnostics.error(at, "'" + call.name + "' must give finite numbers");
      return {};
    }
    values.push_back(formatNumber(value));
  }
  return values;
}

Texts readText(const YamlNode& node, Diagnostics& diagnostics) {
  const SourceMark at = node.markInText(0);
  const std::string& text = node.text;
  const std::vector<std::string_view> ranges = splitOutsideBrackets(text, ':');
  if (ranges.size() == 2 || ranges.size() == 3) return readRange(ranges, text, at, diagnostics);
  if (text.starts_with("linspace(") || text.starts_with("logspace(")) {
    if (!looksLikeCall(text)) {
      diagnostics.error(at, "the values must be as in logspace(-3, 0, 7), found '" + text + "'");
      return {};
    }
    const auto call = readCall(text, at, diagnostics);
    return call ? readSpace(*call, at, diagnostics) : Texts{};
  }
  Texts values;
  for (const std::string_view part : splitOutsideBrackets(text, ',')) {
    const std::string_view p = trimmed(part);
    if (p.empty()) {
      diagnostics.error(at.behind(p.data() - text.data()), "a value is missing in '" + text + "'");
      return {};
    }
    values.emplace_back(p);
  }
  return values;
}

}  // namespace

std::vector<std::string> readAxisValues(const YamlNode& node, Diagnostics& diagnostics) {
  if (node.isScalar() && !node.text.empty()) return readText(node, diagnostics);
  Texts values;
  if (node.isSequence() && !node.items.empty()) {
    for (const YamlNode& item : node.items) values.push_back(yamlText(item));
    return values;
  }
  diagnostics.error(node.mark(),
                    "the values must be a range 'from:step:to', linspace(...), logspace(...) or a "
                    "list, found " +
                        node.describe());
  return {};
}

}  // namespace cardan
