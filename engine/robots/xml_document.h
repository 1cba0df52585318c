/// An XML file as a tree of our own, every element and attribute with its place; the only door to
/// pugixml.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/diagnostics.h"

namespace cardan {

struct XmlAttribute {
  std::string name;
  std::string value;  ///< with the characters that &lt; and the like stand for
  int line = 0;       ///< of the value's first character, 1-based
  int column = 0;     ///< 1-based, in characters
};

/// One element. Comments and processing instructions are passed over.
struct XmlElement {
  std::string name;
  std::vector<XmlAttribute> attributes;  ///< in the order of the file, no name twice
  std::vector<XmlElement> children;
  std::string text;  ///< all that stands between the children, without spaces around it
  std::shared_ptr<const std::string> file;  ///< never null in a parsed tree
  int line = 0;                             ///< of its '<'
  int column = 0;

  SourceMark mark() const { return {*file, line, column}; }
  SourceMark mark(const XmlAttribute& a) const { return {*file, a.line, a.column}; }
  /// nullptr if there is none.
  const XmlAttribute* attribute(std::string_view attributeName) const;
  /// The first child of this name; nullptr if there is none.
  const XmlElement* child(std::string_view childName) const;
};

/// What an XML file may cost; beyond it, it is an error.
inline constexpr size_t kMaxXmlBytes = 20'000'000;
inline constexpr size_t kMaxXmlElements = 200'000;
inline constexpr int kMaxXmlDepth = 100;

/// Parses an XML document (UTF-8). `path` is only the name in messages. Returns its root; nothing,
/// and has reported why, where the text is no such document.
std::optional<XmlElement> parseXml(std::string_view text, const std::string& path, Diagnostics&);

/// Reads and parses a file.
std::optional<XmlElement> readXml(const std::string& path, Diagnostics&);

}  // namespace cardan
