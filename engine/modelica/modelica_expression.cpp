#include "engine/modelica/modelica_expression.h"

#include <algorithm>

#include "components/names.h"
#include "engine/expression/functions.h"
#include "engine/expression/value.h"

namespace cardan {
namespace {

bool isOpening(const Token& t) { return t.isOneOf({"(", "[", "{"}); }
bool isClosing(const Token& t) { return t.isOneOf({")", "]", "}"}); }

/// A sign behind one of these has to stand in parentheses.
bool isOperatorSymbol(const Token& t) {
  return t.isOneOf({"+", "-", "*", "/", "^", ".+", ".-", ".*", "./", ".^"});
}

/// Symbols with a space on both sides.
bool isSpacedSymbol(const Token& t) {
  return t.isOneOf({"+", "-", ".+", ".-", "<", "<=", ">", ">=", "==", "<>", "!=", "="}) ||
         (t.kind == TokenKind::keyword && !t.isOneOf({"true", "false"}));
}

}  // namespace

void ModelicaExpressions::refuse(size_t token, const std::string& text) {
  diagnostics_.error(at_.behind(tokens_[token].offset), text);
}

size_t ModelicaExpressions::closingToken(size_t open) const {
  int depth = 0;
  for (size_t k = open; k < tokens_.size(); ++k) {
    if (isOpening(tokens_[k])) ++depth;
    if (isClosing(tokens_[k]) && --depth == 0) return k;
  }
  return tokens_.size() - 1;
}

/// Behind a name, number, call or bracket with all that belongs to it.
size_t ModelicaExpressions::endOfOperand(size_t from) const {
  size_t k = from;
  while (k + 1 < tokens_.size() && tokens_[k].isOneOf({"-", "+"})) ++k;
  if (isOpening(tokens_[k])) {
    k = closingToken(k) + 1;
  } else {
    ++k;
  }
  while (k + 1 < tokens_.size()) {
    if (isOpening(tokens_[k]) && !tokens_[k].is("{")) {
      k = closingToken(k) + 1;
    } else if (tokens_[k].is(".")) {
      k += 2;
    } else {
      break;
    }
  }
  return std::min(k, tokens_.size() - 1);
}

std::string ModelicaExpressions::functionName(const std::string& written) const {
  if (written == "dot") return "";
  const std::string last(lastName(written));
  if (written.starts_with("Frames.")) return "Modelica.Mechanics.MultiBody." + written;
  if (written.starts_with("Modelica.")) return written;
  if (written == "length" || written == "norm") return "Modelica.Math.Vectors.length";
  if (written == "normalize") return "Modelica.Math.Vectors.normalize";
  if (last.starts_with("from_") || last.starts_with("to_"))
    return "Modelica.Units.Conversions." + last;
  return written;
}

/// The parts of a name; `k` is behind it then.
std::vector<ModelicaExpressions::Part> ModelicaExpressions::partsFrom(size_t& k) {
  std::vector<Part> parts;
  while (true) {
    Part part{std::string(tokens_[k].source), ""};
    ++k;
    if (tokens_[k].is("[")) {
      const size_t close = closingToken(k);
      part.index = "[" + range(k + 1, close, true) + "]";
      k = close + 1;
    }
    parts.push_back(part);
    if (!tokens_[k].is(".") || k + 1 >= tokens_.size()) return parts;
    ++k;
  }
}

/// A name with its indices, in Modelica's words; `k` is behind it then.
std::string ModelicaExpressions::name(size_t& k, bool isIndex) {
  const size_t first = k;
  const std::vector<Part> parts = partsFrom(k);
  std::string whole;
  for (const Part& p : parts) whole += (whole.empty() ? "" : ".") + p.name + p.index;
  if (tokens_[k].is("(")) {
    const std::string function = functionName(whole);
    if (function.empty()) refuse(first, "Modelica has no function '" + whole + "'; write a*b");
    return function;
  }
  if (parts.size() == 1 && indices_.contains(parts[0].name)) return whole;
  if (whole == "time") return whole;
  double constant = 0;
  if (findConstant(whole, constant)) {
    if (whole.starts_with("Modelica.")) return whole;
    const std::string word = whole == "deg" ? "D2R" : whole;
    constants_.insert(word);
    return word;
  }
  if (parts.size() == 1) {
    const auto value = names_.values.find(parts[0].name);
    if (value != names_.values.end()) return value->second + parts[0].index;
  }
  // The longest beginning that is something here.
  std::string beginning, rest;
  std::string found;
  for (size_t n = parts.size(); n > 0 && found.empty(); --n) {
    std::string head, tail;
    for (size_t i = 0; i < parts.size(); ++i) {
      std::string& side = i < n ? head : tail;
      if (i > 0) side += ".";
      side += parts[i].name;
      if (i + 1 != n) side += parts[i].index;
    }
    const std::string& index = parts[n - 1].index;
    if (const auto with = names_.identifiers.find(head + index); with != names_.identifiers.end()) {
      found = with->second + tail;
    } else if (const auto plain = names_.identifiers.find(head);
               plain != names_.identifiers.end()) {
      found = plain->second + index + tail;
      if (isIndex && parts.size() == 1) wholeNumbers_.insert(plain->second);
    }
  }
  if (found.empty()) {
    refuse(first, "'" + whole + "' has no name in Modelica" +
                      (names_.isModel ? ""
                                      : ": a class does not see what is around it; make it a "
                                        "parameter of the submodel"));
  }
  return found;
}

/// What stands between brackets, with these; a vector as YAML writes it, `[a, b]`, is none with `;`.
std::string ModelicaExpressions::bracketed(size_t open, size_t close, bool isIndex) {
  bool isMatrix = false;
  int depth = 0;
  for (size_t i = open; i < close; ++i) {
    if (isOpening(tokens_[i])) ++depth;
    if (isClosing(tokens_[i])) --depth;
    isMatrix = isMatrix || (depth == 1 && tokens_[i].is(";"));
  }
  const bool isVector = tokens_[open].is("[") && !isMatrix;
  return (isVector ? "{" : std::string(tokens_[open].source)) + range(open + 1, close, isIndex) +
         (isVector ? "}" : std::string(tokens_[close].source));
}

std::string ModelicaExpressions::range(size_t from, size_t to, bool isIndex) {
  std::string result;
  size_t operand = 0;  // where what was written last begins
  const auto spaced = [&](const std::string& word) {
    if (!result.empty() && result.back() != ' ' && result.back() != '(') result += " ";
    result += word + " ";
  };
  for (size_t k = from; k < to;) {
    const Token& t = tokens_[k];
    const bool isAtStart = k == from || isOpening(tokens_[k - 1]) ||
                           tokens_[k - 1].isOneOf({",", ";", ":"}) ||
                           isSpacedSymbol(tokens_[k - 1]);
    if (t.kind == TokenKind::name && t.source == "in" && indices_.contains("in")) {
      result += " in ";
      operand = result.size();
      ++k;
    } else if (t.kind == TokenKind::name) {
      operand = result.size();
      result += name(k, isIndex);
    } else if (t.kind == TokenKind::number) {
      const bool isWhole = t.source.find_first_not_of("0123456789") == std::string_view::npos;
      result += isWhole ? std::string(t.source) : formatNumber(t.number);
      ++k;
    } else if (t.kind == TokenKind::string) {
      result += quotedText(t.text);
      ++k;
    } else if (t.isOneOf({"-", "+"}) && k > from && isOperatorSymbol(tokens_[k - 1])) {
      const size_t end = std::min(endOfOperand(k + 1), to);
      result += "(" + std::string(t.source) + range(k + 1, end, isIndex) + ")";
      k = end;
    } else if (t.isOneOf({"-", "+"}) && isAtStart) {
      result += t.source;
      ++k;
    } else if (isOpening(t)) {
      const size_t close = closingToken(k);
      const bool isCall = k > from && tokens_[k - 1].kind == TokenKind::name;
      if (t.is("[") && k > from && isClosing(tokens_[k - 1])) {
        // Behind an expression Modelica has indices where that stands in parentheses.
        const bool isEnclosed = result[operand] == '(' && result.back() == ')';
        if (!isEnclosed) result = result.substr(0, operand) + "(" + result.substr(operand) + ")";
        result += "[" + range(k + 1, close, true) + "]";
      } else {
        if (!isCall) operand = result.size();
        result += bracketed(k, close, isIndex);
      }
      k = close + 1;
    } else if (isSpacedSymbol(t) && !(isIndex && t.kind == TokenKind::symbol)) {
      spaced(t.is("!=") ? "<>" : std::string(t.source));
      ++k;
    } else {
      result += t.source;
      if (t.is(",") || t.is(";")) result += isIndex ? "" : " ";
      ++k;
    }
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::string ModelicaExpressions::translated(const std::string& text, const SourceMark& at,
                                            const std::set<std::string>& indices) {
  TokenError error;
  tokens_ = splitTokens(text, error);
  at_ = at;
  indices_ = indices;
  return range(0, tokens_.size() - 1, false);
}

void ModelicaExpressions::countAsWhole(const std::string& text) {
  TokenError error;
  for (const Token& t : splitTokens(text, error)) {
    if (t.kind == TokenKind::name) wholeNumbers_.insert(std::string(t.source));
  }
}

}  // namespace cardan
