/// XmlVocabulary: the elements and attributes that a language written in XML has, and what becomes of each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/robots/import_report.h"

namespace cardan {

/// A table as text. A line at the margin is an element, the indented ones below it its attributes:
///
///     TAGS [as KIND] [(KIND)]: KINDS AROUND IT [MARK [text]]
///       MARK ATTRIBUTE[=VALUE] ... [| text]
///       = KIND                                the attributes of that one, too
///
/// A kind is a tag, unless a tag means different things in different places; in parentheses: what is inside
/// is as in that kind. `*` among the attributes: whatever else is in it, attributes or elements, is
/// of somebody else. '#' begins a comment. Marks say what becomes of it:
///
///     +  it is read, and the import says itself where it cannot do what it says
///     -  it has no influence on the motion; of an element `text` is the reason
///     !  it is left out with a warning: `text` says what changes. Not where it has VALUE, all zeros if
///        there is none
///     x  it is an error: what would be left is another mechanism
///
/// An element without a mark is read.
class XmlVocabulary {
 public:
  /// What becomes of names that are not in the table: an error; an error where a name of the table is close, and
  /// else left out with a warning; always that.
  enum class Unknown { refused, refusedIfClose, leftOut };
  enum class Fate : char { read = '+', idle = '-', lost = '!', refused = 'x' };
  struct Attribute {
    std::string name;
    Fate fate = Fate::read;
    std::string harmless;  ///< of what is lost: the value that changes nothing; "": zeros
    std::string text;
  };
  struct Element {
    std::string tag, kind, inside;    ///< `inside`: the kind whose elements it has
    std::vector<std::string> around;  ///< kinds
    Fate fate = Fate::read;
    std::string text;
    std::vector<Attribute> attributes;
    bool isOpen = false;  ///< it may hold anything

    const Attribute* attribute(std::string_view name) const;
  };

  explicit XmlVocabulary(std::string_view table);

  const std::vector<Element>& elements() const { return elements_; }
  /// nullptr where there is none of this tag in an element of `kind` ("": the root).
  const Element* element(std::string_view tag, std::string_view kind) const;

  /// Speaks of all elements of a file whose root is known: of names that are not in the table, each with the
  /// nearest that is, and in the report of what is not read.
  void check(const XmlElement& root, Unknown unknown, ImportReport& report,
             Diagnostics& diagnostics) const;

 private:
  std::vector<Element> elements_;
};

/// A table that is part of the program: vocabulary.txt of "mjcf" or "urdf".
std::string_view embeddedVocabulary(std::string_view language);

}  // namespace cardan
