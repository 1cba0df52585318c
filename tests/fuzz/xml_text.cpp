#include "tests/fuzz/xml_text.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace cardan::fuzz {
namespace {

/// Words, runs of blanks, and single other characters.
std::vector<std::string> piecesOf(std::string_view text) {
  const auto kind = [](char c) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0 || c == '_' || c == '.' || c == '-' || c == '+') return 1;
    return std::isspace(u) != 0 ? 2 : 0;
  };
  std::vector<std::string> pieces;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    while (kind(text[i]) != 0 && end < text.size() && kind(text[end]) == kind(text[i])) ++end;
    pieces.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return pieces;
}

}  // namespace

std::string mutatedXml(std::string_view text, std::span<const std::string_view> words,
                       Random& random) {
  std::vector<std::string> pieces = piecesOf(text);
  if (pieces.size() < 2) return "";
  const auto any = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (size_t changes = 1 + any(4); changes > 0 && !pieces.empty(); --changes) {
    const size_t i = any(pieces.size()), k = any(pieces.size());
    const auto at = pieces.begin() + static_cast<std::ptrdiff_t>(i);
    switch (any(7)) {
      case 0:
        pieces.erase(at);
        break;
      case 1:
        std::swap(pieces[i], pieces[k]);
        break;
      case 2: {
        const size_t n = std::min(1 + any(60), pieces.size() - i);
        const std::vector<std::string> part(at, at + static_cast<std::ptrdiff_t>(n));
        pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(k), part.begin(), part.end());
        break;
      }
      case 3: {
        const size_t n = std::min(1 + any(60), pieces.size() - i);
        pieces.erase(at, at + static_cast<std::ptrdiff_t>(n));
        break;
      }
      case 4:
        pieces[i] = pieces[k];
        break;
      default:
        pieces[i] = words[any(words.size())];
    }
  }
  std::string result;
  for (const std::string& p : pieces) result += p;
  return result;
}

}  // namespace cardan::fuzz
