/// What decides which parts a model has: `count`, `for`, `if`, and the indices in names.
#pragma once

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/expression/tokens.h"
#include "engine/model_file/parameter_table.h"
#include "engine/model_file/sections.h"
#include "engine/text/joined.h"

namespace cardan {

/// The indices around a statement, the innermost last: `i` is 3.
using IndexValues = std::vector<std::pair<std::string, double>>;

/// One element of an array of components.
struct ArrayElement {
  std::string suffix;  ///< "[3]", "[2,1]"; "" of what is no array
  IndexValues indices;
};

/// Evaluates what the shape of a model hinges on, while it is being expanded. Only parameters of the
/// model and of instances of submodels count: components have not been read yet.
class Repetitions {
 public:
  /// `model` gets its parameters while this is in use; both outlive it.
  Repetitions(const ModelSource& model, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), table_(model, ofParameters_) {}

  /// The elements that `count` makes of the component `name`: one for null; those of `count: [2, 3]` by
  /// rows, with the indices i and j. Nothing, and reported, where it has no such value.
  std::vector<ArrayElement> elements(const YamlNode* count, const std::string& name, int scope) {
    if (!count) return {{}};
    const std::string what = "'count' of component '" + name + "'";
    const auto refuse = [&](const YamlNode& at, const std::string& found) {
      diagnostics_.error(at.mark(),
                         what + " must be " +
                             (count->isSequence() ? "two whole numbers" : "a whole number") +
                             fmt::format(" from 0 to {}, found {}", kMostArrayElements, found));
      return std::vector<ArrayElement>{};
    };
    std::vector<int> sizes;
    for (const YamlNode& node : itemsOf(*count)) {
      if (!node.isScalar() || node.text.empty()) return refuse(node, node.describe());
      const auto value = evaluate(node.text, node.markInText(0), scope, {}, what);
      if (!value) return {};
      if (!value->isInteger() || value->integer() < 0 || value->integer() > kMostArrayElements)
        return refuse(node, value->describe());
      sizes.push_back(value->integer());
    }
    if (count->isSequence() && sizes.size() != 2) return refuse(*count, count->describe());
    double all = 1;
    for (const int n : sizes) all *= n;
    if (all > kMostArrayElements) {
      diagnostics_.error(count->mark(),
                         what + fmt::format(" must not make more than {} elements, found {:.0f}",
                                            kMostArrayElements, all));
      return {};
    }
    std::vector<ArrayElement> result;
    for (int i = 1; i <= sizes[0]; ++i) {
      if (sizes.size() == 1) {
        result.push_back({fmt::format("[{}]", i), {{"i", i}}});
        continue;
      }
      for (int j = 1; j <= sizes[1]; ++j)
        result.push_back({fmt::format("[{},{}]", i, j), {{"i", i}, {"j", j}}});
    }
    return result;
  }

  /// Value of an `if`; null is true. False, and reported, where it has none; `what` is "component 'x'".
  bool holds(const YamlNode& condition, const std::string& what, int scope,
             const IndexValues& indices) {
    if (condition.isNull()) return true;
    const std::string subject = "'if' of " + what;
    if (!condition.isScalar()) {
      diagnostics_.error(condition.mark(),
                         subject + " must be true or false, found " + condition.describe());
      return false;
    }
    const auto value = evaluate(condition.text, condition.markInText(0), scope, indices, subject);
    if (!value) return false;
    if (value->isBoolean()) return value->boolean();
    diagnostics_.error(condition.mark(),
                       subject + " must be true or false, found " + value->describe());
    return false;
  }

  /// Calls `f` for the indices of `i in 1:3, j in 1:i`, once where it is null; false, and reported, where it
  /// has no meaning.
  bool forEach(const YamlNode& clause, int scope, const IndexValues& outer,
               const std::function<void(const IndexValues&)>& f) {
    IndexValues indices = outer;
    if (clause.isNull()) {
      f(indices);
      return true;
    }
    return loop(splitOutsideBrackets(clause.text, ','), 0, clause.text, clause.markInText(0), scope,
                indices, f);
  }

  /// The names that `link[i+1].frame_a` and `link[2:n].frame_a` stand for. None, and reported, where an
  /// index has no value.
  std::vector<std::string> names(const std::string& text, const SourceMark& at, int scope,
                                 const IndexValues& indices) {
    std::vector<std::string> result{""};
    const auto append = [&](const std::vector<std::string>& tails) {
      std::vector<std::string> longer;
      for (const std::string& head : result) {
        for (const std::string& tail : tails) longer.push_back(head + tail);
      }
      result = std::move(longer);
    };
    for (size_t i = 0; i < text.size();) {
      const size_t open = std::min(text.find('[', i), text.size());
      append({text.substr(i, open - i)});
      if (open == text.size()) break;
      const size_t close = closingBracket(text, open);
      if (close == std::string::npos) break;
      std::vector<std::string> inside =
          indexTexts(std::string_view(text).substr(open + 1, close - open - 1), at.behind(open + 1),
                     scope, indices, text.substr(0, open));
      for (std::string& one : inside) one = "[" + one + "]";
      if (result.size() * inside.size() > kMostArrayElements) {
        diagnostics_.error(at, fmt::format("'{}' must not stand for more than {} elements", text,
                                           kMostArrayElements));
        return {};
      }
      append(inside);
      if (inside.size() > 1 && !isRoomFor(static_cast<double>(result.size()), at)) return {};
      i = close + 1;
    }
    return result;
  }

  /// An expression with numbers in the place of indices: `L[i]*link[n-1].w` -> `L[3]*link[4].w`.
  std::string written(const std::string& text, const SourceMark& at, int scope,
                      const IndexValues& indices) {
    if (!mayHaveIndices(text, indices)) return text;
    TokenError error;
    const std::vector<Token> tokens = splitTokens(text, error);
    if (!error.text.empty()) return text;
    std::string result;
    size_t done = 0;
    const auto copyUpTo = [&](size_t end) {
      result += text.substr(done, end - done);
      done = end;
    };
    for (size_t k = 0; k + 1 < tokens.size(); ++k) {
      const Token& t = tokens[k];
      const size_t offset = t.offset;
      const bool isPart = k > 0 && tokens[k - 1].is(".");
      if (t.kind == TokenKind::name && !isPart && !tokens[k + 1].is(".") &&
          !tokens[k + 1].is("(") && !tokens[k + 1].is("[")) {
        if (const double* x = indexValue(t.source, indices)) {
          copyUpTo(offset);
          result += indexText(*x);
          done = offset + t.source.size();
        }
      } else if (t.is("[") && k > 0 && tokens[k - 1].kind == TokenKind::name && offset >= done) {
        // An index in the middle of a name chooses a component.
        const size_t close = closingBracket(text, offset);
        if (close == std::string::npos || close + 1 >= text.size() || text[close + 1] != '.')
          continue;
        const std::string_view inside =
            std::string_view(text).substr(offset + 1, close - offset - 1);
        if (inside.find_first_not_of("0123456789,") == std::string_view::npos) continue;
        const std::vector<std::string> literal = indexTexts(
            inside, at.behind(offset + 1), scope, indices, std::string(tokens[k - 1].source));
        if (literal.size() != 1) {
          if (literal.size() > 1) {
            diagnostics_.error(at.behind(offset),
                               "an expression must not use several elements at once, "
                               "found '" +
                                   std::string(tokens[k - 1].source) + "[" + std::string(inside) +
                                   "]'");
          }
          continue;
        }
        copyUpTo(offset + 1);
        result += literal[0];
        done = close;
        while (k + 2 < tokens.size() && tokens[k + 1].offset < close) ++k;
      }
    }
    copyUpTo(text.size());
    return result;
  }
  /// The same of all texts below a value.
  void write(YamlNode& node, int scope, const IndexValues& indices) {
    if (node.isScalar() && !ParameterTable::plainNumber(node)) {
      if (mayHaveIndices(node.text, indices)) {
        const bool isMarked = node.text.starts_with('=');
        node.text =
            (isMarked ? "=" : "") + written(node.text.substr(isMarked ? 1 : 0),
                                            node.markInText(isMarked ? 1 : 0), scope, indices);
      }
    }
    for (YamlNode& item : node.items) write(item, scope, indices);
    for (YamlNode::Entry& entry : node.entries) write(entry.value, scope, indices);
  }

 private:
  static constexpr int kMostArrayElements = 100'000;  ///< of one array
  static constexpr double kMostPasses =
      3e6;  ///< of all loops, with the names that ranges stand for

  static bool isLiteralIndex(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  /// The ']' of the '[' at `open`; npos if there is none.
  static size_t closingBracket(std::string_view text, size_t open) {
    int depth = 0;
    for (size_t i = open; i < text.size(); ++i) {
      if (text[i] == '[') ++depth;
      if (text[i] == ']' && --depth == 0) return i;
    }
    return std::string_view::npos;
  }

  static std::string indexText(double x) {
    return x < 0 ? "(" + formatNumber(x) + ")" : formatNumber(x);
  }

  static const double* indexValue(std::string_view name, const IndexValues& indices) {
    const auto found = std::find_if(indices.rbegin(), indices.rend(),
                                    [&](const auto& index) { return index.first == name; });
    return found == indices.rend() ? nullptr : &found->second;
  }

  /// The first name and the index expression behind it are worth a look.
  static bool mayHaveIndices(std::string_view text, const IndexValues& indices) {
    for (const auto& [name, value] : indices) {
      if (text.find(name) != std::string_view::npos) return true;
    }
    return text.find("].") != std::string_view::npos;
  }

  std::optional<ExpressionValue> evaluate(const std::string& text, const SourceMark& at, int scope,
                                          const IndexValues& indices, const std::string& what) {
    table_.addParameters();
    const int before = diagnostics_.errorCount();
    const size_t beforeParameters = ofParameters_.all().size();
    const ParameterTable::Result result =
        table_.evaluateText({written(text, at, scope, indices), at, scope}, what, diagnostics_);
    if (result.isKnown()) return result.value;
    if (diagnostics_.errorCount() == before) {
      std::string why = "; it hinges on what has no value yet";
      if (ofParameters_.all().size() > beforeParameters)
        why = ": " + ofParameters_.all()[beforeParameters].text;
      diagnostics_.error(at, what + " must follow from parameters of the model alone" + why);
    }
    return std::nullopt;
  }
  std::optional<std::vector<double>> range(std::string_view text, const SourceMark& at, int scope,
                                           const IndexValues& indices, const std::string& what) {
    const std::vector<std::string_view> parts = splitOutsideBrackets(text, ':');
    std::vector<double> bounds;
    for (const std::string_view part : parts) {
      const SourceMark place = at.behind(part.data() - text.data());
      if (parts.size() > 3 || trimmed(part).empty()) {
        diagnostics_.error(place, what + " must be a number or a range, as 1:n or 1:2:n, found '" +
                                      std::string(trimmed(text)) + "'");
        return std::nullopt;
      }
      if (isLiteralIndex(trimmed(part)) && trimmed(part).size() < 9) {
        bounds.push_back(std::stod(std::string(trimmed(part))));
        continue;
      }
      const auto value = evaluate(std::string(part), place, scope, indices, what);
      if (!value) return std::nullopt;
      if (parts.size() == 1 && value->isVector()) {
        if (!isRoomFor(static_cast<double>(value->size()), place)) return std::nullopt;
        return value->elements();
      }
      if (!value->isScalar()) {
        diagnostics_.error(
            place, what + " must be a number or a range, as 1:n, found " + value->describe());
        return std::nullopt;
      }
      bounds.push_back(value->real());
    }
    if (bounds.size() == 1) return bounds;
    const double step = bounds.size() == 3 ? bounds[1] : 1;
    const double last = bounds.back();
    if (step == 0) {
      diagnostics_.error(at, what + " must not go by steps of 0");
      return std::nullopt;
    }
    const double steps = std::floor((last - bounds[0]) / step * (1 + 1e-12));
    if (steps + 1 > kMostPasses || !std::isfinite(steps)) {
      diagnostics_.error(at,
                         what + fmt::format(" must not have more than {:.0f} values", kMostPasses));
      return std::nullopt;
    }
    if (!isRoomFor(steps + 1, at)) return std::nullopt;
    std::vector<double> values;
    for (int k = 0; k <= steps; ++k) values.push_back(bounds[0] + k * step);
    return values;
  }
  /// What stands in one pair of brackets, as literal indices: "1,2", one for each element of a range.
  std::vector<std::string> indexTexts(std::string_view inside, const SourceMark& at, int scope,
                                      const IndexValues& indices, const std::string& name) {
    std::vector<std::string> texts{""};
    for (const std::string_view part : splitOutsideBrackets(inside, ',')) {
      const SourceMark place = at.behind(part.data() - inside.data());
      const auto values = range(part, place, scope, indices, "the index of '" + name + "'");
      if (!values) return {};
      std::vector<std::string> longer;
      for (const std::string& text : texts) {
        for (const double x : *values) {
          if (x < 1 || x > 1e9 || x != std::trunc(x)) {
            diagnostics_.error(place, "the index of '" + name +
                                          "' must be a whole number from 1, found " +
                                          formatNumber(x));
            return {};
          }
          longer.push_back(fmt::format("{}{}{:.0f}", text, text.empty() ? "" : ",", x));
          if (longer.size() > kMostArrayElements) {
            diagnostics_.error(place,
                               fmt::format("the index of '{}' must not stand for more than {} "
                                           "elements",
                                           name, kMostArrayElements));
            return {};
          }
        }
      }
      texts = std::move(longer);
    }
    return texts;
  }
  /// False, and reported, where all ranges of a model together are too long.
  bool isRoomFor(double passes, const SourceMark& at) {
    passes_ += passes;
    if (passes_ <= kMostPasses) return true;
    diagnostics_.error(at,
                       fmt::format("a model must not have more than {:.0f} values in all ranges, "
                                   "each counted as often as it is gone through",
                                   kMostPasses));
    return false;
  }
  bool loop(const std::vector<std::string_view>& clauses, size_t k, std::string_view whole,
            const SourceMark& at, int scope, IndexValues& indices,
            const std::function<void(const IndexValues&)>& f) {
    if (k == clauses.size()) {
      f(indices);
      return true;
    }
    const std::string_view clause = clauses[k];
    const SourceMark place = at.behind(trimmed(clause).data() - whole.data());
    const size_t in = clause.find(" in ");
    const std::string_view name = trimmed(clause.substr(0, in));
    if (in == std::string_view::npos || !isName(name) || isKeyword(name) ||
        name.find_first_of(".[") != std::string_view::npos) {
      diagnostics_.error(
          trimmed(clause).empty() ? at : place,
          "'for' must be like 'i in 1:3', found '" + std::string(trimmed(clause)) + "'");
      return false;
    }
    const std::string_view text = clause.substr(in + 4);
    const auto values = range(text, at.behind(text.data() - whole.data()), scope, indices,
                              "the range of '" + std::string(name) + "'");
    if (!values) return false;
    for (const double x : *values) {
      indices.emplace_back(name, x);
      const bool isFine = loop(clauses, k + 1, whole, at, scope, indices, f);
      indices.pop_back();
      if (!isFine) return false;
    }
    return true;
  }

  Diagnostics& diagnostics_;
  Diagnostics ofParameters_;  ///< reported again where the parameter is evaluated for good
  ParameterTable table_;
  double passes_ = 0;  ///< values of all ranges so far, and the names they were written into
};

}  // namespace cardan
