#include "engine/text/text_places.h"

#include <algorithm>
#include <cstdio>

#include "engine/text/utf8.h"

namespace cardan {

TextPlaces::TextPlaces(std::string_view text, const std::string& path)
    : path_(std::make_shared<const std::string>(path)), size_(text.size()) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lineStarts_.push_back(i + 1);
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continuations_.push_back(i);
  }
}

int TextPlaces::column(int line, std::size_t at) const {
  const auto first = std::ranges::lower_bound(continuations_, start(line));
  const auto last = std::lower_bound(first, continuations_.end(), at);
  return static_cast<int>(static_cast<std::ptrdiff_t>(at - start(line)) - (last - first)) + 1;
}

std::pair<int, int> TextPlaces::place(std::size_t at) const {
  at = std::min(at, size_);
  const auto next = std::ranges::upper_bound(lineStarts_, at);
  const int line = static_cast<int>(next - lineStarts_.begin());
  return {line, column(line, at)};
}

SourceMark TextPlaces::mark(std::size_t at) const {
  const auto [line, column] = place(at);
  return {*path_, line, column};
}

bool checkText(std::string_view text, const TextPlaces& places, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8Length(text, i);
    if (length == 0) {
      diagnostics.error(places.mark(i), "the file must be UTF-8 text, found another byte");
      return false;
    }
    if ((c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7F) {
      char code[8];
      std::snprintf(code, sizeof code, "0x%02X", c);
      diagnostics.error(places.mark(i),
                        std::string("the file must be text, found the control character ") + code);
      return false;
    }
    i += length;
  }
  return true;
}

}  // namespace cardan
