#include "engine/text/diagnostics.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <utility>

namespace cardan {
namespace {

/// Of more errors the first are kept, the others counted: nobody reads them, and each costs memory.
constexpr int kMostErrors = 1000;

const char* word(Severity s) {
  return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "note";
}

std::string lower(std::string_view s) {
  std::string r(s);
  std::transform(r.begin(), r.end(), r.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return r;
}

/// Edit distance with transpositions of neighbours (optimal string alignment), or `limit` where it
/// is not less: only the diagonal band that can stay below is computed.
size_t distance(const std::string& a, const std::string& b, size_t limit) {
  const size_t apart = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (apart >= limit) return limit;
  std::vector<size_t> older, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = std::min(j, limit);
  for (size_t i = 1; i <= a.size(); ++i) {
    const size_t from = i > limit ? i - limit : 1;
    const size_t to = std::min(b.size(), i + limit);
    std::fill(row.begin(), row.end(), limit);
    if (i < limit) row[0] = i;
    size_t best = row[0];
    for (size_t j = from; j <= to; ++j) {
      const size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + cost, limit});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], older[j - 2] + 1);
      }
      best = std::min(best, row[j]);
    }
    if (best >= limit) return limit;
    older = std::exchange(last, row);
  }
  return std::min(last[b.size()], limit);
}

/// Which characters are in a word, as bits; upper and lower case are one.
std::uint64_t charactersOf(std::string_view s) {
  std::uint64_t bits = 0;
  for (const char c : s)
    bits |=
        std::uint64_t{1} << (static_cast<unsigned>(std::tolower(static_cast<unsigned char>(c))) %
                             64U);
  return bits;
}

/// Control characters of an input as a terminal can show them.
std::string legible(std::string text) {
  const auto isControl = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 && c != '\n' && c != '\t') || code == 0x7F;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    if (!isControl(text[i])) continue;
    const auto code = static_cast<unsigned char>(text[i]);
    const char* digits = "0123456789ABCDEF";
    text.replace(i, 1, std::string{'\\', 'x', digits[code >> 4], digits[code & 15]});
    i += 3;
  }
  return text;
}

}  // namespace

std::string Diagnostic::format() const {
  std::string s = at.file;
  if (at.line > 0) s += ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  return legible(s + (s.empty() ? "" : ": ") + word(severity) + ": " + text);
}

void Diagnostics::error(const SourceMark& at, std::string text, ErrorKind kind) {
  if (++errors_ <= kMostErrors) all_.push_back({Severity::error, at, std::move(text), kind});
}
void Diagnostics::warning(const SourceMark& at, std::string text) {
  all_.push_back({Severity::warning, at, std::move(text), ErrorKind::general});
}
void Diagnostics::note(const SourceMark& at, std::string text) {
  if (errors_ <= kMostErrors)
    all_.push_back({Severity::note, at, std::move(text), ErrorKind::general});
}

void Diagnostics::add(const Diagnostics& others) {
  all_.insert(all_.end(), others.all_.begin(), others.all_.end());
  errors_ += others.errors_;
}

void Diagnostics::throwIfErrors() const {
  if (errors_ > 0) throw ModelError(*this);
}

ModelError::ModelError(Diagnostics diagnostics)
    : std::runtime_error(diagnostics.format()), diagnostics_(std::move(diagnostics)) {}

std::string didYouMean(std::string_view name, const std::vector<std::string>& known) {
  constexpr size_t kLongestName = 200;  // longer ones are no slip of the finger
  if (name.size() > kLongestName) return "";
  const std::string wanted = lower(name);
  const std::uint64_t characters = charactersOf(name);
  const std::string* best = nullptr;
  size_t bestDistance = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string& k : known) {
    if (k == name) continue;  // it has been refused
    if (k.size() > wanted.size() + bestDistance || wanted.size() > k.size() + bestDistance)
      continue;
    // One edit brings in and takes away one character at most.
    const size_t differing = std::popcount(characters ^ charactersOf(k));
    if (differing >= 2 * bestDistance) continue;
    const size_t d = distance(wanted, lower(k), bestDistance);
    if (d < bestDistance && d < name.size()) {
      bestDistance = d;
      best = &k;
    }
  }
  return best ? "; did you mean '" + *best + "'?" : "";
}

std::string didYouMean(std::string_view name, const std::vector<std::string>& known,
                       const std::string& list) {
  const std::string hint = didYouMean(name, known);
  return (hint.empty() ? "; " : hint + " ") + list;
}

}  // namespace cardan
