#include "engine/modelica/tokens.h"

#include "engine/text/text_places.h"

namespace cardan::modelica {

std::string Token::describe() const {
  constexpr size_t most = 40;
  switch (kind) {
    case TokenKind::string:
      return "a string";
    case TokenKind::end:
      return "the end of the file";
    default:
      if (source.size() <= most) return "'" + std::string(source) + "'";
      return "'" + std::string(source.substr(0, most)) + "...'";
  }
}

std::vector<Token> tokensOf(std::string_view text, const std::string& file,
                            Diagnostics& diagnostics) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  const TextPlaces places(text, file);
  TokenError error;
  std::vector<Token> tokens;
  for (cardan::Token& t : splitTokens(text, error, Dialect::modelica)) {
    const auto [line, column] = places.place(t.offset);
    tokens.push_back({std::move(t), {line, column}});
  }
  if (!error.text.empty()) diagnostics.error(places.mark(error.offset), error.text);
  return tokens;
}

std::string plainName(std::string_view text) {
  std::string name(text);
  if (!name.starts_with('\'')) return name;
  name = name.substr(1, name.size() - 2);
  constexpr std::string_view digits = "0123456789";
  std::string signs;  // of a name of nothing else, such as '*': different ones stay different
  for (char& c : name) {
    const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (isLetter || digits.find(c) != digits.npos) continue;
    signs += c == '_' ? "_" : "_sign" + std::to_string(static_cast<unsigned char>(c));
    c = '_';
  }
  if (name.find_first_not_of('_') == name.npos && !signs.empty()) name = signs;
  if (name.empty() || digits.find(name[0]) != digits.npos) name.insert(0, "_");
  return isModelicaWord(name) || name == "time" ? name + "_" : name;
}

}  // namespace cardan::modelica
