#include "apps/studio/server/request_head.h"

#include <algorithm>
#include <charconv>

namespace cardan::studio {
namespace {

constexpr std::string_view kEnd = "\r\n\r\n";
constexpr size_t kLongestTarget = 2000;
constexpr size_t kMostFields = 100;

bool isAmong(std::string_view some, char c) { return some.find(c) != std::string_view::npos; }

bool isAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool isTokenCharacter(char c) { return isAlphanumeric(c) || isAmong("!#$%&'*+-.^_`|~", c); }

bool isToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, isTokenCharacter);
}

/// Visible ASCII. The path is of what stands for itself alone, so that the gate reads what is answered behind
/// it: there escapes are decoded, and fragments cut.
bool isTarget(std::string_view text) {
  const auto isPlain = [](char c) { return isAlphanumeric(c) || isAmong("/-._", c); };
  return text.starts_with('/') && text.size() <= kLongestTarget &&
         std::ranges::all_of(text.substr(0, text.find('?')), isPlain) &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

bool isFieldValue(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return c == '\t' || (code >= 0x20 && code != 0x7f);
  });
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view takeLine(std::string_view& text) {
  const size_t end = text.find("\r\n");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 2);
  return line;
}

bool readRequestLine(std::string_view line, RequestHead& head) {
  const size_t first = line.find(' '), second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return false;
  head.method = line.substr(0, first);
  head.target = line.substr(first + 1, second - first - 1);
  const std::string_view version = line.substr(second + 1);
  return isToken(head.method) && isTarget(head.target) &&
         (version == "HTTP/1.1" || version == "HTTP/1.0");
}

bool readField(std::string_view line, RequestHead& head) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !isToken(line.substr(0, colon))) return false;
  std::string name(line.substr(0, colon));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!isFieldValue(value)) return false;
  head.fields.emplace_back(std::move(name), value);
  return head.fields.size() <= kMostFields;
}

bool readLength(RequestHead& head) {
  if (head.has("transfer-encoding")) return false;
  if (!head.has("content-length")) return true;
  const auto length = head.field("content-length");
  if (!length || length->empty()) return false;
  const char* end = length->data() + length->size();
  const auto read = std::from_chars(length->data(), end, head.bodyBytes);
  return read.ec == std::errc() && read.ptr == end;
}

}  // namespace

std::optional<std::string> RequestHead::field(std::string_view name) const {
  std::optional<std::string> value;
  for (const auto& [n, v] : fields) {
    if (n != name) continue;
    if (value) return std::nullopt;
    value = v;
  }
  return value;
}

bool RequestHead::has(std::string_view name) const {
  return std::ranges::any_of(fields, [&](const auto& f) { return f.first == name; });
}

size_t RequestHead::lengthIn(std::string_view came) {
  const size_t end = came.find(kEnd);
  return end == std::string_view::npos ? 0 : end + kEnd.size();
}

std::optional<RequestHead> RequestHead::parse(std::string_view text) {
  if (lengthIn(text) != text.size() || text.empty()) return std::nullopt;
  RequestHead head;
  if (!readRequestLine(takeLine(text), head)) return std::nullopt;
  while (text != "\r\n") {
    if (!readField(takeLine(text), head)) return std::nullopt;
  }
  if (!readLength(head)) return std::nullopt;
  return head;
}

}  // namespace cardan::studio
