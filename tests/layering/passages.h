/// Passages that stand twice in the sources: equal but for what their names are called.
#pragma once

#include <string>
#include <vector>

#include "tests/layering/source_tokens.h"

struct Passage {
  int first;  ///< into SourceTokens::lines
  int last;
};

struct Repetition {
  Passage here;
  Passage there;
  int lines;  ///< that count
};

/// Every passage of at least `least` lines that stood before, as far as both are equal.
std::vector<Repetition> repetitions(const SourceTokens& source, int least);

/// Why a repetition may stand: two files, and a line that the first place must have.
struct Explanation {
  std::string here;
  std::string there;
  std::string line;
  bool met = false;
};

/// Reads "FILE ~ FILE: a line of the passage | why"; blank lines and those with # say nothing.
std::vector<Explanation> explanationsOf(const std::string& text);

/// What is wrong, as "file:line: error: ..." each: repetitions that nothing explains, and explanations
/// of what is not there.
std::vector<std::string> unexplained(const SourceTokens& source, int least,
                                     std::vector<Explanation> explanations);
