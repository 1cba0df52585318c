#include "engine/study/distribution.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "engine/expression/value.h"
#include "engine/study/call_text.h"

namespace cardan {
namespace {

struct KindInfo {
  const char* name;
  Distribution::Kind kind;
  size_t arguments;
  const char* usage;
};

constexpr std::array<KindInfo, 4> kKinds{{
    {"uniform", Distribution::Kind::uniform, 2, "uniform(least, most)"},
    {"normal", Distribution::Kind::normal, 2, "normal(mean, standard deviation)"},
    {"lognormal", Distribution::Kind::lognormal, 2,
     "lognormal(mean, standard deviation) of the logarithm"},
    {"triangular", Distribution::Kind::triangular, 3, "triangular(least, most frequent, most)"},
}};

/// What is wrong with the parameters, or "".
std::string mistakeIn(const Distribution& d) {
  const auto [a, b, c] = d.parameters;
  switch (d.kind) {
    case Distribution::Kind::uniform:
      return a <= b ? "" : "the least value must not be greater than the most";
    case Distribution::Kind::normal:
    case Distribution::Kind::lognormal:
      return b >= 0 ? "" : "the standard deviation must not be negative";
    case Distribution::Kind::triangular:
      return a <= b && b <= c ? "" : "the values must be in the order least, most frequent, most";
  }
  return "";
}

}  // namespace

double normalQuantile(double p) {
  if (p > 0.5) return -normalQuantile(1 - p);
  // To 4.5e-4: Abramowitz, Stegun, Handbook of Mathematical Functions, 26.2.23
  const double t = std::sqrt(-2 * std::log(p));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  // Halley's method, of third order: 1e-10, then rounding.
  for (int i = 0; i < 2; ++i) {
    const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double newton = error / density;
    x -= newton / (1 + x * newton / 2);
  }
  return x;
}

double Distribution::quantile(double u) const {
  const auto [a, b, c] = parameters;
  switch (kind) {
    case Kind::uniform:
      return a + u * (b - a);
    case Kind::normal:
      return a + b * normalQuantile(u);
    case Kind::lognormal:
      return std::exp(a + b * normalQuantile(u));
    case Kind::triangular:
      if (c == a) return a;
      return u < (b - a) / (c - a) ? a + std::sqrt(u * (c - a) * (b - a))
                                   : c - std::sqrt((1 - u) * (c - a) * (c - b));
  }
  return 0;
}

std::optional<Distribution> Distribution::read(const std::string& text, const SourceMark& at,
                                               Diagnostics& diagnostics) {
  constexpr const char* kList =
      "there are uniform(least, most), normal(mean, standard deviation), lognormal(...) and "
      "triangular(least, most frequent, most)";
  if (!looksLikeCall(text)) {
    diagnostics.error(at,
                      fmt::format("a sample must be a distribution, found '{}'; {}", text, kList));
    return std::nullopt;
  }
  const auto call = readCall(text, at, diagnostics);
  if (!call) return std::nullopt;
  for (const KindInfo& k : kKinds) {
    if (call->name != k.name) continue;
    if (call->arguments.size() != k.arguments) {
      diagnostics.error(at, fmt::format("'{}' takes {} numbers, found {}; it is {}", k.name,
                                        k.arguments, call->arguments.size(), k.usage));
      return std::nullopt;
    }
    Distribution d{k.kind, {}};
    for (size_t i = 0; i < k.arguments; ++i) d.parameters[i] = call->arguments[i];
    if (const std::string mistake = mistakeIn(d); !mistake.empty()) {
      diagnostics.error(at, fmt::format("{}: {}, found '{}'", k.name, mistake, text));
      return std::nullopt;
    }
    return d;
  }
  diagnostics.error(
      at,
      fmt::format("unknown distribution '{}'{}", call->name,
                  didYouMean(call->name, {"uniform", "normal", "lognormal", "triangular"}, kList)));
  return std::nullopt;
}

}  // namespace cardan
