// Patterns of names: what * and ** take, against a matcher that tries everything.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "engine/text/glob.h"

using namespace cardan;

namespace {

/// By definition, in exponential time.
bool matches(std::string_view text, std::string_view glob) {
  if (glob.empty()) return text.empty();
  if (glob[0] != '*') {
    if (text.empty() || (glob[0] == '?' ? text[0] == '.' : glob[0] != text[0])) return false;
    return matches(text.substr(1), glob.substr(1));
  }
  size_t stars = 0;
  while (stars < glob.size() && glob[stars] == '*') ++stars;
  for (size_t n = 0; n <= text.size(); ++n) {
    if (matches(text.substr(n), glob.substr(stars))) return true;
    if (n < text.size() && stars == 1 && text[n] == '.') return false;
  }
  return false;
}

}  // namespace

TEST_CASE("glob: * stays within one name, ** crosses dots, ? is one character of a name") {
  CHECK(matchesGlob("revolute1.phi", "revolute*.phi"));
  CHECK_FALSE(matchesGlob("revolute1.axis.phi", "revolute*.phi"));
  CHECK(matchesGlob("revolute1.axis.phi", "revolute**.phi"));
  CHECK(matchesGlob("revolute1.axis.phi", "**.phi"));
  CHECK_FALSE(matchesGlob("phi", "**.phi"));
  CHECK(matchesGlob("a.b.c", "**"));
  CHECK_FALSE(matchesGlob("a.b", "a?b"));
  CHECK(matchesGlob("a.r[1,2]", "a.r[*]"));
  CHECK(matchesGlob("a.r[1,2]", "a.r[?,?]"));
  CHECK_FALSE(matchesGlob("a.r1", "a.r[1]"));
  CHECK(matchesGlob("", "*"));
  CHECK_FALSE(matchesGlob("", "?"));
}

TEST_CASE("glob: agrees with the definition on random names") {
  std::mt19937 random(1);
  auto word = [&](const char* letters, unsigned count, unsigned longest) {
    std::string text;
    for (size_t n = random() % (longest + 1); n > 0; --n) text += letters[random() % count];
    return text;
  };
  for (int i = 0; i < 20000; ++i) {
    const std::string text = word("ab.", 3, 8), glob = word("ab.?**", 6, 7);
    CAPTURE(text);
    CAPTURE(glob);
    CHECK(matchesGlob(text, glob) == matches(text, glob));
  }
}
