#include "engine/study/kept_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/expression/constant_evaluation.h"
#include "engine/expression/expression.h"
#include "engine/expression/tokens.h"
#include "engine/expression/value.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

constexpr std::array<std::pair<const char*, RunScalar>, 7> kReductions{{
    {"final", RunScalar::final},
    {"min", RunScalar::min},
    {"max", RunScalar::max},
    {"mean", RunScalar::mean},
    {"rms", RunScalar::rms},
    {"at", RunScalar::at},
    {"first", RunScalar::first},
}};
constexpr const char* kUsage =
    "final(x), min(x), max(x), mean(x), rms(x), at(x, time), first(condition)";

std::optional<RunScalar> reductionOf(std::string_view name) {
  for (const auto& [text, kind] : kReductions) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

/// "_3" -> 2
std::optional<size_t> callNumber(const std::string& name) {
  if (name.size() < 2 || name[0] != '_' || name.find_first_not_of("0123456789", 1) != name.npos)
    return std::nullopt;
  return std::stoul(name.substr(1)) - 1;
}

}  // namespace

bool KeptValue::isBare() const { return callNumber(std::string(trimmed(outer))).has_value(); }

std::string KeptValues::variableFor(const std::string& argument, const SourceMark& at) {
  for (const StudyVariable& v : variables_) {
    if (v.text == argument) return v.name;
  }
  variables_.push_back({fmt::format("study_{}", variables_.size() + 1), argument, at});
  return variables_.back().name;
}

/// Takes the reductions out of a text.
class KeptValues::Scanner {
 public:
  Scanner(KeptValues& kept, KeptValue& value, Diagnostics& diagnostics)
      : kept_(kept), value_(value), diagnostics_(diagnostics) {}

  /// False: something was wrong, and has been reported.
  bool scan() {
    TokenError error;
    const std::vector<Token> tokens = splitTokens(value_.text, error);
    if (!error.text.empty()) return fail(error.offset, error.text);
    value_.outer = value_.text;
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      const bool called = tokens[i].kind == TokenKind::name && tokens[i + 1].is("(") &&
                          (i == 0 || !tokens[i - 1].is("."));
      const auto kind = called ? reductionOf(tokens[i].source) : std::nullopt;
      if (!kind) continue;
      const size_t begin = tokens[i].offset;
      const size_t open = tokens[i + 1].offset;
      const size_t close = closing(tokens, i + 1);
      if (close == std::string::npos) return fail(open, "'(' is not closed");
      std::vector<std::string_view> parts = splitOutsideBrackets(
          std::string_view(value_.text).substr(open + 1, close - open - 1), ',');
      std::ranges::transform(parts, parts.begin(), trimmed);
      const bool extremum = *kind == RunScalar::min || *kind == RunScalar::max;
      if (extremum && parts.size() == 2) continue;  // of two numbers, which may be reductions
      if (!take(*kind, parts, begin, open, close)) return false;
      while (i + 1 < tokens.size() && tokens[i + 1].offset <= close) ++i;
    }
    if (!value_.calls.empty()) return true;
    return fail(0, fmt::format("a kept value must say what of a run it is: {}; found '{}'", kUsage,
                               value_.text));
  }

 private:
  bool fail(size_t offset, const std::string& text) {
    diagnostics_.error(value_.at.behind(offset), text);
    return false;
  }

  SourceMark placeOf(std::string_view part) const {
    return value_.at.behind(part.data() - value_.text.data());
  }

  static size_t closing(const std::vector<Token>& tokens, size_t open) {
    int depth = 0;
    for (size_t i = open; i < tokens.size(); ++i) {
      if (tokens[i].is("(")) ++depth;
      if (tokens[i].is(")") && --depth == 0) return tokens[i].offset;
    }
    return std::string::npos;
  }

  bool take(RunScalar kind, const std::vector<std::string_view>& parts, size_t begin, size_t open,
            size_t close) {
    const std::string name = value_.text.substr(begin, open - begin);
    const size_t expected = kind == RunScalar::at ? 2 : 1;
    if (parts.size() != expected || parts[0].empty()) {
      return fail(begin, fmt::format("'{}' must have {}, found {}", name,
                                     expected == 2 ? "a variable and a time" : "one argument",
                                     parts[0].empty() ? 0 : parts.size()));
    }
    ReductionCall call{kind, "", 0};
    if (kind == RunScalar::at) {
      const auto at = readConstant(std::string(parts[1]), placeOf(parts[1]), diagnostics_);
      if (!at) return false;
      call.at = *at;
    }
    const auto argument = parseExpression(parts[0], placeOf(parts[0]), diagnostics_);
    if (!argument) return false;
    call.text = toString(*argument);
    call.variable = kept_.variableFor(std::string(parts[0]), placeOf(parts[0]));
    kept_.calls_.push_back(call);
    value_.calls.push_back(kept_.calls_.size() - 1);
    // As long as it was, so that places in the rest stay right.
    std::string placeholder = fmt::format("_{}", kept_.calls_.size());
    placeholder.resize(std::max(placeholder.size(), close + 1 - begin), ' ');
    value_.outer.replace(begin, close + 1 - begin, placeholder);
    return true;
  }

  KeptValues& kept_;
  KeptValue& value_;
  Diagnostics& diagnostics_;
};

void KeptValues::add(const std::string& name, const std::string& text, const SourceMark& at,
                     Diagnostics& diagnostics) {
  KeptValue value{name.empty() ? text : name, at, text, "", {}};
  const auto same = std::ranges::find(values_, value.name, &KeptValue::name);
  if (same != values_.end()) {
    diagnostics.error(value.at, "kept value '" + value.name + "' is given twice");
    diagnostics.note(same->at, "first given here");
    return;
  }
  if (!Scanner(*this, value, diagnostics).scan()) return;
  const auto tree = parseExpression(value.outer, value.at, diagnostics);
  if (!tree) return;
  value.tree = std::make_shared<Expression>(*tree);
  values_.push_back(std::move(value));
}

void ReducedRun::begin(const std::vector<Column>& columns) {
  states_.clear();
  for (const ReductionCall& call : kept_.calls()) {
    State state;
    for (size_t c = 0; c < columns.size(); ++c) {
      const std::string& name = columns[c].name;
      if (name != call.variable && !name.starts_with(call.variable + "[")) continue;
      state.columns.push_back(c);
      state.isBoolean = columns[c].isBoolean;
    }
    state.values.assign(sizeOf(call, state), 0.0);
    states_.push_back(std::move(state));
  }
  any_ = false;
}

size_t ReducedRun::sizeOf(const ReductionCall& call, const State& state) const {
  const bool one =
      call.kind == RunScalar::min || call.kind == RunScalar::max || call.kind == RunScalar::first;
  return one ? std::min<size_t>(1, state.columns.size()) : state.columns.size();
}

void ReducedRun::row(double time, std::span<const double> values) {
  if (!any_) {
    begun_ = time_ = time;
    last_.assign(values.begin(), values.end());
  }
  for (size_t i = 0; i < states_.size(); ++i) {
    const ReductionCall& call = kept_.calls()[i];
    State& s = states_[i];
    if (call.kind == RunScalar::first || call.kind == RunScalar::final) {
      reduce(call, s, time, values);
    } else if (isOwnEvent_ ? jumps(s, values) : isPending_) {
      reduce(call, s, time_, last_);
      if (isOwnEvent_) reduce(call, s, time, values);
    }
  }
  isPending_ = !isOwnEvent_;
  isOwnEvent_ = false;
  any_ = true;
  time_ = time;
  std::ranges::copy(values, last_.begin());
}

void ReducedRun::event(const std::vector<std::string>& changed) {
  const auto isKept = [&](const std::string& text) {
    return std::ranges::any_of(kept_.calls(), [&](const ReductionCall& call) {
      return call.kind == RunScalar::first && call.text == text;
    });
  };
  isOwnEvent_ = any_ && !changed.empty() && std::ranges::all_of(changed, isKept);
}

/// From the last row to this one, at one instant: by more than what completing it again changes.
bool ReducedRun::jumps(const State& state, std::span<const double> values) const {
  constexpr double kJump = 1e-6;  // relative
  return std::ranges::any_of(state.columns, [&](size_t c) {
    const double largest = std::max({state.largest, std::abs(values[c]), std::abs(last_[c])});
    return std::abs(values[c] - last_[c]) > kJump * largest;
  });
}

bool ReducedRun::wantsGrid() const {
  return std::ranges::any_of(
      kept_.calls(), [](const ReductionCall& call) { return call.kind != RunScalar::final; });
}

void ReducedRun::reduce(const ReductionCall& call, State& s, double time,
                        std::span<const double> values) {
  if (s.before.empty()) {
    for (const size_t c : s.columns) s.before.push_back(values[c]);
    s.time = time;
  }
  const double step = time - s.time;
  const bool isBetween = call.kind == RunScalar::at && s.time < call.at && call.at < time;
  for (size_t k = 0; k < s.columns.size(); ++k) {
    const double x = values[s.columns[k]], before = std::exchange(s.before[k], x);
    double& result = s.values[std::min(k, s.values.size() - 1)];
    s.largest = std::max(s.largest, std::abs(x));
    switch (call.kind) {
      case RunScalar::final:
        result = x;
        break;
      case RunScalar::min:
        result = s.found || k > 0 ? std::min(result, x) : x;
        break;
      case RunScalar::max:
        result = s.found || k > 0 ? std::max(result, x) : x;
        break;
      case RunScalar::mean:
        result += step * (x + before) / 2;
        break;
      case RunScalar::rms:  // the square is one of a line
        result += step * (x * x + x * before + before * before) / 3;
        break;
      case RunScalar::at:
        if (time == call.at) {
          result = x;
        } else if (isBetween) {
          result = before + (x - before) * (call.at - s.time) / step;
        }
        break;
      case RunScalar::first:
        if (!s.found && x != 0) result = time;
        break;
    }
  }
  switch (call.kind) {
    case RunScalar::at:
      s.found = s.found || time == call.at || isBetween;
      break;
    case RunScalar::first:
      s.found = s.found || values[s.columns[0]] != 0;
      break;
    default:
      s.found = true;
  }
  s.time = time;
}

std::vector<std::optional<double>> ReducedRun::valueOf(size_t call) const {
  State s = states_[call];
  if (any_ && kept_.calls()[call].kind != RunScalar::first)
    reduce(kept_.calls()[call], s, time_, last_);
  std::vector<std::optional<double>> result;
  for (size_t k = 0; k < s.values.size(); ++k) {
    double x = s.values[k];
    const double duration = time_ - begun_;
    const RunScalar kind = kept_.calls()[call].kind;
    if (kind == RunScalar::mean) x = duration > 0 ? x / duration : last_[s.columns[k]];
    if (kind == RunScalar::rms)
      x = duration > 0 ? std::sqrt(x / duration) : std::abs(last_[s.columns[k]]);
    result.emplace_back(x);
    if (!s.found || !std::isfinite(x)) result.back().reset();
  }
  return result;
}

std::vector<std::string> ReducedRun::names() const {
  std::vector<std::string> names;
  for (const KeptValue& v : kept_.values()) {
    const size_t size = v.isBare() ? states_[v.calls[0]].values.size() : 1;
    for (size_t k = 0; k < size; ++k) {
      names.push_back(size == 1 ? v.name : fmt::format("{}[{}]", v.name, k + 1));
    }
  }
  return names;
}

void ReducedRun::check(const std::map<std::string, ExpressionValue>& parameters,
                       const std::function<std::string(const std::string&)>& unseen,
                       Diagnostics& diagnostics) const {
  for (const KeptValue& v : kept_.values()) {
    for (const size_t c : v.calls) {
      const State& s = states_[c];
      const bool isFirst = kept_.calls()[c].kind == RunScalar::first;
      if (isFirst && (!s.isBoolean || s.columns.size() != 1)) {
        diagnostics.error(v.at,
                          "'first' must have a condition, as in first(revolute1.phi > 1), "
                          "found '" +
                              v.text + "'");
      } else if (const std::string text = isFirst ? unseen(kept_.calls()[c].variable) : "";
                 !text.empty()) {
        diagnostics.error(v.at,
                          "'first' must have a condition whose change is an event, as those of "
                          "< <= > >= are; that of '" +
                              text + "' is none, so that only rows would show it");
      } else if (!v.isBare() && s.values.size() != 1) {
        diagnostics.error(v.at, fmt::format("inside an expression a reduction must be of a scalar, "
                                            "found a vector of {} in '{}'; index it, as in x[1]",
                                            s.values.size(), v.text));
      }
    }
    if (v.isBare()) continue;
    std::vector<std::string> known;
    for (const auto& [name, value] : parameters) known.push_back(name);
    for (const NameReference& n : namesIn(*v.tree)) {
      if (callNumber(n.name) || parameters.contains(n.name) ||
          parameters.contains(n.name.substr(0, n.name.rfind('['))))
        continue;
      diagnostics.error(n.at, "'" + n.name + "' is no parameter of the model; outside of " +
                                  "reductions there are parameters only" +
                                  didYouMean(n.name, known));
    }
  }
}

std::optional<double> ReducedRun::evaluate(
    const KeptValue& value, const std::map<std::string, ExpressionValue>& parameters) const {
  for (const size_t c : value.calls) {
    if (!valueOf(c).at(0)) return std::nullopt;
  }
  Diagnostics ignored;
  const NameLookup lookup = [&](const std::string& name) -> std::optional<ExpressionValue> {
    if (const auto call = callNumber(name)) return ExpressionValue(*valueOf(*call).at(0));
    const auto found = parameters.find(name);
    if (found == parameters.end()) return std::nullopt;
    return found->second;
  };
  const auto result = evaluateConstant(*value.tree, lookup, ignored);
  if (!result || result->size() != 1 || !std::isfinite(result->elements()[0])) return std::nullopt;
  return result->elements()[0];
}

std::vector<std::optional<double>> ReducedRun::results(
    const std::map<std::string, ExpressionValue>& parameters) const {
  std::vector<std::optional<double>> all;
  for (const KeptValue& v : kept_.values()) {
    if (v.isBare()) {
      const auto values = valueOf(v.calls[0]);
      all.insert(all.end(), values.begin(), values.end());
    } else {
      all.push_back(evaluate(v, parameters));
    }
  }
  return all;
}

}  // namespace cardan
