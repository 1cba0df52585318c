/// A YAML file as a tree of our own, every value with its place; the only door to yaml-cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/diagnostics.h"

namespace cardan {

/// One value of a YAML file.
struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  struct Entry;

  Kind kind = Kind::null;
  std::string text;             ///< of a scalar, without quotes
  bool quoted = false;          ///< the scalar stood in quotes or in a block of text
  std::vector<YamlNode> items;  ///< of a sequence
  std::vector<Entry> entries;   ///< of a map, in the order of the file, also keys given twice
  std::shared_ptr<const std::string> file;  ///< never null in a parsed tree
  int line = 0;                             ///< 1-based, 0 where unknown
  int column = 0;                           ///< 1-based, in characters

  bool isNull() const { return kind == Kind::null; }
  bool isScalar() const { return kind == Kind::scalar; }
  bool isSequence() const { return kind == Kind::sequence; }
  bool isMap() const { return kind == Kind::map; }

  SourceMark mark() const { return markAt(line, column); }
  SourceMark markAt(int atLine, int atColumn) const {
    return {file ? *file : std::string(), atLine, atColumn};
  }
  /// The place of a character of `text`, as far as it is known (not in blocks of text).
  SourceMark markInText(size_t offset) const;

  /// The entry of this key, the first if there are several; nullptr if there is none.
  const Entry* findEntry(std::string_view key) const;
  /// Its value.
  const YamlNode* find(std::string_view key) const;

  /// What this is, for messages: `nothing`, `'text'`, `a list of 2`, `a map`.
  std::string describe() const;
};

struct YamlNode::Entry {
  std::string key;
  int keyLine = 0;
  int keyColumn = 0;
  YamlNode value;

  SourceMark keyMark() const { return value.markAt(keyLine, keyColumn); }
};

/// What a model file may cost; beyond it, it is an error instead of an exhausted memory or stack.
inline constexpr size_t kMaxYamlBytes = 20'000'000;
inline constexpr size_t kMaxYamlNodes = 1'000'000;  ///< with aliases expanded
inline constexpr int kMaxYamlDepth = 100;

/// Parses one YAML document. `path` is only the name in messages.
/// Returns nothing, and has reported why, where the text is not such a document.
///
/// Beyond YAML, a name with an index needs no quotes in a list or map: `[path.q[i+1], gain.u]`.
/// Aliases are expanded, `<<: *link` adds what the map itself does not say. Not accepted: tags, several documents, keys that are no plain words,
/// tabs in the indentation, control characters, anything but UTF-8.
std::optional<YamlNode> parseYaml(std::string_view text, const std::string& path, Diagnostics&);

/// Reads and parses a file.
std::optional<YamlNode> readYaml(const std::string& path, Diagnostics&);

/// Reports keys of this map that are given twice: `NOUN 'x' is given twice`, and where first.
void reportDuplicateKeys(const YamlNode& map, std::string_view noun, Diagnostics&);
/// The same for this node and everything below it.
void reportDuplicateKeysBelow(const YamlNode& node, Diagnostics&);

}  // namespace cardan
