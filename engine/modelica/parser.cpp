#include "engine/modelica/parser.h"

#include "engine/modelica/grammar.h"

namespace cardan::modelica {

Meanwhile<int> Grammar::deeper() {
  if (depth_ >= kDeepestNesting)
    fail(now(), "nested deeper than " + std::to_string(kDeepestNesting) + " levels");
  return {depth_, depth_ + 1};
}

void Grammar::fail(const Token& token, const std::string& text) {
  diagnostics_.error({*file_, token.at.line, token.at.column}, text);
  throw SyntaxError{};
}

void Grammar::unexpected(const std::string& expected) {
  fail(now(), "expected " + expected + ", found " + now().describe());
}

bool Grammar::accept(std::string_view word) {
  if (!at(word)) return false;
  ++at_;
  return true;
}

void Grammar::expect(std::string_view word, const char* where) {
  if (accept(word)) return;
  unexpected("'" + std::string(word) + "' " + where);
}

std::string Grammar::identifier(const char* what) {
  if (now().kind != TokenKind::name) unexpected(what);
  return plainName(take().source);
}

StoredDefinition Grammar::storedDefinition() {
  StoredDefinition result;
  if (accept("within")) {
    result.within.emplace();
    if (!at(";")) result.within = typeName().parts;
    expect(";", "after 'within'");
  }
  while (now().kind != TokenKind::end) {
    const bool isFinal = accept("final");
    if (!atClass()) unexpected(isFinal ? "a class after 'final'" : "a class");
    result.classes.push_back(classDefinition());
    expect(";", "at the end of the class");
  }
  return result;
}

std::optional<StoredDefinition> parseModelica(std::string_view text, const std::string& file,
                                              Diagnostics& diagnostics) {
  const int errors = diagnostics.errorCount();
  if (text.size() > kMaxModelicaBytes) {
    diagnostics.error({file, 0, 0}, "a file must not be larger than " +
                                        std::to_string(kMaxModelicaBytes / 1'000'000) +
                                        " million bytes");
    return std::nullopt;
  }
  std::vector<Token> tokens = tokensOf(text, file, diagnostics);
  if (diagnostics.errorCount() > errors) return std::nullopt;
  try {
    return Grammar(std::move(tokens), std::make_shared<const std::string>(file), diagnostics)
        .storedDefinition();
  } catch (const SyntaxError&) {
    return std::nullopt;
  }
}

}  // namespace cardan::modelica
