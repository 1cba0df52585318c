#include "engine/diagnostics.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace cardan {
namespace {

/// Of more errors the first are kept, the others counted: nobody reads them, and each costs memory.
constexpr int kMostErrors = 1000;

const char* word(Severity s) {
  switch (s) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "";
}

/// Messages by place, each with its notes behind it.
std::vector<Diagnostic> sorted(const std::vector<Diagnostic>& all) {
  std::vector<std::vector<Diagnostic>> groups;
  for (const Diagnostic& d : all) {
    if (d.severity == Severity::note && !groups.empty()) {
      groups.back().push_back(d);
    } else {
      groups.push_back({d});
    }
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return std::tie(a[0].at.file, a[0].at.line, a[0].at.column) <
           std::tie(b[0].at.file, b[0].at.line, b[0].at.column);
  });
  std::vector<Diagnostic> result;
  for (const auto& group : groups) result.insert(result.end(), group.begin(), group.end());
  return result;
}

std::string lower(std::string_view s) {
  std::string r(s);
  std::transform(r.begin(), r.end(), r.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return r;
}

/// Edit distance with transpositions of neighbours (optimal string alignment).
size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
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

std::string Diagnostics::format() const {
  std::string s;
  for (const Diagnostic& d : sorted(all_)) s += d.format() + "\n";
  if (errors_ > kMostErrors) {
    s += "and " + std::to_string(errors_ - kMostErrors) + " more errors\n";
  }
  if (!s.empty()) s.pop_back();
  return s;
}

void Diagnostics::throwIfErrors() const {
  if (errors_ > 0) throw ModelError(*this);
}

ModelError::ModelError(Diagnostics diagnostics)
    : std::runtime_error(diagnostics.format()), diagnostics_(std::move(diagnostics)) {}

std::string didYouMean(std::string_view name, const std::vector<std::string>& known) {
  const std::string wanted = lower(name);
  const std::string* best = nullptr;
  size_t bestDistance = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string& k : known) {
    if (k.size() > wanted.size() + bestDistance || wanted.size() > k.size() + bestDistance)
      continue;
    const size_t d = distance(wanted, lower(k));
    if (d < bestDistance && d < name.size()) {
      bestDistance = d;
      best = &k;
    }
  }
  return best ? "; did you mean '" + *best + "'?" : "";
}

}  // namespace cardan
