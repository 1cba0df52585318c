/// RequestHead: the head of an HTTP request, read strictly: what is doubtful is refused, so that nothing behind
/// it reads it otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cardan::studio {

struct RequestHead {
  std::string method;
  std::string target;  ///< "/api/run?x": its path has no escapes
  std::vector<std::pair<std::string, std::string>> fields;  ///< names in small letters
  uint64_t bodyBytes = 0;

  /// The value of a field; nothing where it is not there or there twice.
  std::optional<std::string> field(std::string_view name) const;
  bool has(std::string_view name) const;

  /// `text`: to the empty line, which ends it. Nothing where it is not as RFC 9112 has it, or a body has no
  /// length in bytes.
  static std::optional<RequestHead> parse(std::string_view text);
  /// The length of the head at the begin of what came, with its empty line; 0 while it is incomplete.
  static size_t lengthIn(std::string_view came);
};

}  // namespace cardan::studio
