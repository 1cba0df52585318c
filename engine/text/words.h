/// Words: whether a text is one of some.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace cardan {

inline bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

}  // namespace cardan
