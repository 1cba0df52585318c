#include "tests/layering/passages.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <unordered_map>

namespace {

// Passages are compared from where so many tokens agree: fewer than ten lines have, of which each says
// something else, and so many that few places agree by chance.
constexpr int kSeed = 30;

std::uint64_t seedAt(const SourceTokens& source, int from) {
  std::uint64_t hash = 0;
  for (int i = from; i < from + kSeed; ++i)
    hash = (hash ^ static_cast<std::uint32_t>(source.meaning(i, from))) * 0x9E3779B97F4A7C15u +
           (hash >> 29);
  return hash;
}

// How many tokens from two places on say the same.
int commonLength(const SourceTokens& source, int one, int other) {
  int length = 0;
  while (other + length < source.size() &&
         source.meaning(one + length, one) == source.meaning(other + length, other))
    ++length;
  return length;
}

// The lines of which all tokens are among `length` ones from the line `first` on.
Passage wholeLines(const SourceTokens& source, int first, int length) {
  const int end = source.lines()[first].begin + length;
  int last = source.lineOf(end);  // a file is closed by a token of its own, hence there is one
  return {first, last - 1};
}

int counted(const SourceTokens& source, const Passage& passage) {
  int count = 0;
  for (int i = passage.first; i <= passage.last; ++i) count += source.lines()[i].counts ? 1 : 0;
  return count;
}

}  // namespace

std::vector<Repetition> repetitions(const SourceTokens& source, int least) {
  std::vector<Repetition> found;
  std::unordered_map<std::uint64_t, std::vector<int>> places;  // lines, by what they begin with
  std::unordered_map<int, int> known;  // by distance: up to which token a repetition was found
  const auto& lines = source.lines();
  for (int line = 0; line < static_cast<int>(lines.size()); ++line) {
    const int begin = lines[line].begin;
    if (!lines[line].counts || begin + kSeed > source.size()) continue;
    std::vector<int>& before = places[seedAt(source, begin)];
    for (auto other = before.rbegin(); other != before.rend(); ++other) {
      const int distance = begin - lines[*other].begin;
      if (const auto it = known.find(distance); it != known.end() && begin < it->second) break;
      const int length = commonLength(source, lines[*other].begin, begin);
      if (length >= distance) continue;  // a list of equal rows
      const Repetition repetition{wholeLines(source, line, length),
                                  wholeLines(source, *other, length), 0};
      const int count =
          std::min(counted(source, repetition.here), counted(source, repetition.there));
      if (count < least) continue;
      found.push_back({repetition.here, repetition.there, count});
      known[distance] = begin + length;
      break;
    }
    before.push_back(line);
  }
  return found;
}

std::vector<Explanation> explanationsOf(const std::string& text) {
  std::vector<Explanation> explanations;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t tilde = line.find(" ~ "), colon = line.find(": ", tilde);
    const std::size_t bar = line.rfind(" | ");
    if (tilde == std::string::npos || colon == std::string::npos || bar == std::string::npos ||
        bar < colon) {
      explanations.push_back({"", "", line});
      continue;
    }
    explanations.push_back({line.substr(0, tilde), line.substr(tilde + 3, colon - tilde - 3),
                            line.substr(colon + 2, bar - colon - 2)});
  }
  return explanations;
}

std::vector<std::string> unexplained(const SourceTokens& source, int least,
                                     std::vector<Explanation> explanations) {
  std::vector<std::string> errors;
  const auto& lines = source.lines();
  const auto explains = [&](const Explanation& it, const Repetition& repetition) {
    const auto& [here, there, count] = repetition;
    if (it.here != lines[there.first].file || it.there != lines[here.first].file) return false;
    return std::any_of(lines.begin() + there.first, lines.begin() + there.last + 1,
                       [&](const SourceTokens::Line& line) { return line.text == it.line; });
  };
  const auto place = [&](int line) {
    return lines[line].file + ":" + std::to_string(lines[line].number);
  };
  for (const Repetition& repetition : repetitions(source, least)) {
    bool known = false;
    for (Explanation& it : explanations)
      if (explains(it, repetition)) known = it.met = true;
    if (!known)
      errors.push_back(place(repetition.here.first) +
                       ": error: " + std::to_string(repetition.lines) + " lines, to " +
                       std::to_string(lines[repetition.here.last].number) + ", stand at " +
                       place(repetition.there.first) + " already, but for what names are called");
  }
  for (const Explanation& it : explanations) {
    if (it.met) continue;
    errors.push_back(it.there.empty() ? "error: no explanation: " + it.line
                                      : it.there + ": error: an explanation of what stands in " +
                                            it.here + " too meets nothing: " + it.line);
  }
  return errors;
}
