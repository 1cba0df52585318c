/// Tokens of a Modelica file, with their places.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/expression/tokens.h"
#include "engine/text/diagnostics.h"

namespace cardan::modelica {

/// A place in a file, 1-based, columns in characters.
struct Position {
  int line = 0;
  int column = 0;
};

struct Token : cardan::Token {
  Position at;

  /// For messages: `'x'`, `a string`, `the end of the file`.
  std::string describe() const;
};

/// A file of Modelica may have as many bytes.
inline constexpr size_t kMaxModelicaBytes = 50'000'000;

/// The tokens of `text`, the last one being the end; comments are left out. Reports the first
/// character that begins none, and ends there.
std::vector<Token> tokensOf(std::string_view text, const std::string& file, Diagnostics&);

/// A name as a model file can have it: 'x 1' in quotes is x_1, 'time' time_.
std::string plainName(std::string_view text);

}  // namespace cardan::modelica
