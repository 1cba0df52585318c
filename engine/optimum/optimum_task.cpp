#include "engine/optimum/optimum_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "engine/expression/constant_evaluation.h"
#include "engine/expression/tokens.h"
#include "engine/model_file/sections.h"
#include "engine/optimum/nlopt_search.h"
#include "engine/results/model_task.h"

namespace cardan {
namespace {

constexpr double kMostStarts = 1e5;
constexpr size_t kMostParameters = 200;

/// The section `optimize` and what stands beside it.
class OptimumReader {
 public:
  OptimumReader(const YamlNode& root, Diagnostics& diagnostics) : root_(root), d_(diagnostics) {}

  OptimumTask read(const std::string& path) {
    readTask(root_, path, "key of a study with an optimum:", {"optimize"}, task_, d_);
    const YamlNode* section = root_.find("optimize");
    if (isSectionMap(section, "optimize", "of parameters and goals", d_)) readSection(*section);
    return std::move(task_);
  }

 private:
  /// A text, or a list of them.
  template <class F>
  void each(const YamlNode& map, const char* key, const char* rule, F take) {
    const YamlNode* node = map.find(key);
    if (!node) return;
    const std::string what = fmt::format("'{}'", key);
    for (const YamlNode& item : itemsOf(*node)) {
      if (const auto text = readText(item, what, rule, d_)) take(*text, item.markInText(0));
    }
  }

  void readSection(const YamlNode& map) {
    reportUnknownKeys(map, "key of optimize:",
                      {"parameters", "minimize", "maximize", "subject_to", "method", "multistart",
                       "seed", "front", "iterations", "runs"},
                      d_);
    using Text = std::string;
    const YamlNode* parameters = map.find("parameters");
    if (parameters && parameters->isMap()) {
      for (const YamlNode::Entry& e : parameters->entries)
        task_.addParameter(e.value.isNull() ? e.key : e.key + "=" + yamlText(e.value), e.keyMark(),
                           d_);
    } else {
      each(map, "parameters", "a parameter and its bounds",
           [&](const Text& text, const SourceMark& at) { task_.addParameter(text, at, d_); });
    }
    for (const bool most : {false, true}) {
      each(map, most ? "maximize" : "minimize", "an expression as rms(seat.a)",
           [&](const Text& text, const SourceMark& at) { task_.addGoal(text, most, at, d_); });
    }
    each(map, "subject_to", "a constraint as max(travel) < 0.1",
         [&](const Text& text, const SourceMark& at) { task_.addConstraint(text, at, d_); });
    each(map, "method", "a method", [&](const Text& text, const SourceMark& at) {
      task_.method = text;
      task_.methodAt = at;
    });
    const auto whole = [&](const char* key, double most, auto& x) {
      each(map, key, "a number", [&](const Text& text, const SourceMark& at) {
        const auto value = readConstant(text, at, d_);
        if (value && *value >= 0 && *value <= most && *value == std::floor(*value))
          x = static_cast<std::decay_t<decltype(x)>>(*value);
        else if (value)
          d_.error(
              at, fmt::format("'{}' must be a whole number up to {:g}, found {}", key, most, text));
      });
    };
    whole("multistart", kMostStarts, task_.starts);
    whole("seed", 9007199254740992.0, task_.seed);
    whole("front", kMostStarts, task_.front);
    whole("iterations", 1e6, task_.iterations);
    whole("runs", 1e9, task_.runs);
  }

  const YamlNode& root_;
  Diagnostics& d_;
  OptimumTask task_;
};

}  // namespace

std::vector<std::string> optimumMethods() {
  std::vector<std::string> words = nloptMethods();
  words.insert(words.begin(), "local");
  return words;
}

OptimumTask OptimumTask::read(const YamlNode& root, const std::string& path,
                              Diagnostics& diagnostics) {
  return OptimumReader(root, diagnostics).read(path);
}

void OptimumTask::addParameter(const std::string& text, const SourceMark& at,
                               Diagnostics& diagnostics) {
  if (auto p = readBoundedParameter(text, at, diagnostics)) parameters.push_back(std::move(*p));
}

/// The number of a kept value, which may be there already.
std::optional<size_t> OptimumTask::keep(const std::string& text, const SourceMark& at,
                                        Diagnostics& diagnostics) {
  const auto& values = kept.values();
  const size_t known = std::ranges::find(values, text, &KeptValue::name) - values.begin();
  if (known < values.size()) return known;
  kept.add("", text, at, diagnostics);
  if (values.size() == known) return std::nullopt;
  return known;
}

void OptimumTask::addGoal(const std::string& text, bool isMaximised, const SourceMark& at,
                          Diagnostics& diagnostics) {
  if (const auto k = keep(withoutOuterBlanks(text), at, diagnostics))
    goals.push_back({(isMaximised ? "maximize " : "minimize ") + text, at, *k, isMaximised});
}

void OptimumTask::addConstraint(const std::string& text, const SourceMark& at,
                                Diagnostics& diagnostics) {
  TokenError error;
  int depth = 0;
  std::vector<int> sides;  // of the relations: -1: <, 1: >, 0: =
  std::vector<std::string> parts, signs;
  size_t from = 0;
  for (const Token& t : splitTokens(text, error)) {
    if (t.is("(") || t.is("[") || t.is("{")) ++depth;
    if (t.is(")") || t.is("]") || t.is("}")) --depth;
    const bool less = t.is("<") || t.is("<="), more = t.is(">") || t.is(">=");
    if (depth > 0 || (!less && !more && !t.is("==") && !t.is("="))) continue;
    sides.push_back(less ? -1 : more ? 1 : 0);
    signs.emplace_back(t.source);
    parts.push_back(withoutOuterBlanks(text.substr(from, t.offset - from)));
    from = t.offset + t.source.size();
  }
  parts.push_back(withoutOuterBlanks(text.substr(from)));
  const bool isRange = sides.size() == 2 && sides[0] == sides[1] && sides[0] != 0;
  if (sides.size() != 1 && !isRange) {
    diagnostics.error(
        at, "a constraint must be as max(travel) < 0.1, or 0 < max(travel) < 0.1, found '" + text +
                "'");
    return;
  }
  for (size_t i = 0; i < sides.size(); ++i)
    relate(isRange ? parts[i] + " " + signs[i] + " " + parts[i + 1] : text, parts[i], sides[i],
           parts[i + 1], at, diagnostics);
}

/// What is constant of it becomes the bound of the other side.
void OptimumTask::relate(const std::string& text, const std::string& left, int side,
                         const std::string& right, const SourceMark& at, Diagnostics& diagnostics) {
  Diagnostics notConstant;
  const auto high = readConstant(right, at, notConstant);
  const auto low = high ? std::nullopt : readConstant(left, at, notConstant);
  const auto k = keep(high  ? left
                      : low ? right
                            : "(" + left + ") - (" + right + ")",
                      at, diagnostics);
  if (k) constraints.push_back({text, at, *k, low ? -side : side, high ? *high : low.value_or(0)});
}

void OptimumTask::check(Diagnostics& diagnostics) const {
  const std::vector<std::string> methods = optimumMethods();
  const auto demand = [&](bool good, const SourceMark& at, const std::string& text) {
    if (!good) diagnostics.error(at, text);
  };
  demand(!parameters.empty(), {},
         "an optimum must have parameters: -p NAME=FROM..TO, or 'parameters' of the section "
         "'optimize'");
  demand(parameters.size() <= kMostParameters, {},
         fmt::format("an optimum must not have more than {} parameters", kMostParameters));
  demand(!goals.empty() || diagnostics.errorCount() > 0, {},
         "an optimum must have a goal: --minimize 'rms(seat.a)' or --maximize");
  demand(goals.size() < 2 || front > 0, goals.empty() ? SourceMark{} : goals.back().at,
         "two goals are a front (--front N) or one with weights: --minimize '0.3*rms(a) + "
         "0.7*max(b)'");
  demand(front == 0 || (goals.size() == 2 && front > 1), {},
         "a front must have two goals and at least two points");
  demand(front == 0 || method == "local", methodAt, "a front is looked for by the method 'local'");
  demand(std::ranges::find(methods, method) != methods.end(), methodAt,
         fmt::format("'method' must be one of {}, found '{}'{}", fmt::join(methods, ", "), method,
                     didYouMean(method, methods)));
  demand(starts > 0, {}, "there must be at least one start");
  std::map<std::string, SourceMark> places;
  for (const BoundedParameter& p : parameters) {
    demand(places.try_emplace(p.name, p.at).second, p.at,
           "parameter '" + p.name + "' must not be given twice");
    const bool bounded = std::isfinite(p.low) && std::isfinite(p.high);
    demand(bounded || (starts < 2 && !nloptNeedsBounds(method)), p.at,
           fmt::format("several starts and global methods spread over bounds, and '{0}' has none: "
                       "{0}=FROM..TO",
                       p.name));
  }
}

}  // namespace cardan
