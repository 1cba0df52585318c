#include "engine/text/message_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace cardan {
namespace {

/// Messages by place, each with its notes behind it.
std::vector<Diagnostic> messagesByPlace(const std::vector<Diagnostic>& all) {
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

/// The text without what tells the elements of an array apart: `Body 'b[3]': ...`; "" of texts that
/// name no element.
std::string ofAnyElement(const std::string& text) {
  std::string result;
  bool hasIndex = false;
  for (size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] != '[') continue;
    const size_t close = text.find_first_not_of("0123456789,", i + 1);
    if (close == std::string::npos || close == i + 1 || text[close] != ']') continue;
    hasIndex = true;
    i = close - 1;
  }
  return hasIndex ? result : "";
}

/// Messages of one line that differ in the element of an array alone, from the fourth of them on, become
/// a count behind the first; one that is there already is left out.
std::vector<Diagnostic> gatheredMessages(const std::vector<Diagnostic>& all) {
  constexpr int kFew = 4;
  const auto keyOf = [](const Diagnostic& d) {
    const std::string text = ofAnyElement(d.text);
    return text.empty() || d.severity == Severity::note
               ? std::string()
               : d.at.file + ":" + std::to_string(d.at.line) +
                     (d.severity == Severity::error ? ":error:" : ":warning:") + text;
  };
  std::map<std::string, int> counts;
  for (const Diagnostic& d : all) {
    if (const std::string key = keyOf(d); !key.empty()) ++counts[key];
  }
  std::vector<Diagnostic> result;
  std::set<std::string> said;
  bool isNoteLeftOut = false;
  for (const Diagnostic& d : all) {
    if (d.severity == Severity::note) {
      if (!isNoteLeftOut) result.push_back(d);
      continue;
    }
    const std::string key = keyOf(d);
    const auto count = counts.find(key);
    const bool isOneOfMany = !key.empty() && count->second >= kFew;
    isNoteLeftOut = !said.insert(isOneOfMany ? key : d.format()).second;
    if (isNoteLeftOut) continue;
    result.push_back(d);
    if (isOneOfMany)
      result.back().text += " (and " + std::to_string(count->second - 1) + " more like this)";
  }
  return result;
}

}  // namespace

std::vector<Diagnostic> inReadingOrder(const std::vector<Diagnostic>& all) {
  return gatheredMessages(messagesByPlace(all));
}

std::string firstErrorOf(const ModelError& e) {
  for (const Diagnostic& d : e.diagnostics().all()) {
    if (d.severity == Severity::error) return d.text;
  }
  return e.what();
}

std::string Diagnostics::format() const {
  std::string s;
  for (const Diagnostic& d : inReadingOrder(all_)) s += d.format() + "\n";
  const auto kept = std::count_if(all_.begin(), all_.end(),
                                  [](const auto& d) { return d.severity == Severity::error; });
  if (errors_ > kept) s += "and " + std::to_string(errors_ - kept) + " more errors\n";
  if (!s.empty()) s.pop_back();
  return s;
}

}  // namespace cardan
