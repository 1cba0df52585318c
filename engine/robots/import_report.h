/// ImportReport: what of an XML file has become part of a model, and what has not, and why.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/text/diagnostics.h"

namespace cardan {

struct XmlElement;

/// Every element is spoken of: it was used, or left out with its reason; what nobody has spoken of
/// in the end was left out because its name means nothing to the import.
class ImportReport {
 public:
  struct Entry {
    std::string what;  ///< "visual", "limit", ...
    std::string name;  ///< of the link, joint, ... that it belongs to
    int line = 0;
    std::string reason;  ///< of what was left out
  };
  struct Warning {
    std::string name;  ///< of the link or joint
    SourceMark at;
    std::string text;
  };
  struct Count {
    int converted = 0, ignored = 0;
  };
  /// Names in the file and in the model, in the order of the file.
  using Names = std::vector<std::pair<std::string, std::string>>;

  // What there is.
  std::string robot;
  int links = 0;
  std::map<std::string, int> joints;  ///< by type
  double mass = 0;                    ///< [kg]  of all links
  Names linkNames, jointNames;
  Names merged;  ///< links that have become part of another one, and of which

  /// This element has been read.
  void use(const XmlElement& element) { isUsed_[&element] = true; }
  /// This element has been read, and `what` of it has become part of the model.
  void convert(const XmlElement& element, std::string what, std::string name);
  /// This element and all in it are left out.
  void ignore(const XmlElement& element, std::string what, std::string name, std::string reason);
  /// Something of an element that has been read is left out.
  void leaveOut(const XmlElement& element, std::string what, std::string name, std::string reason);
  void warn(std::string name, const SourceMark& at, std::string text);
  /// Counts all elements. `root` is spoken of as a whole: `reason` for all that nobody knew.
  void finish(const XmlElement& root, const std::string& reason);

  const std::vector<Entry>& converted() const { return converted_; }
  const std::vector<Entry>& notConverted() const { return notConverted_; }
  const std::vector<Warning>& warnings() const { return warnings_; }
  /// Elements by tag.
  const std::map<std::string, Count>& tags() const { return tags_; }

  /// For people: a few lines.
  std::string text() const;
  /// For programs: one JSON object.
  std::string json() const;

 private:
  void count(const XmlElement& element, bool ignored, const std::string& owner,
             const std::string& reason);

  std::vector<Entry> converted_, notConverted_;
  std::vector<Warning> warnings_;
  std::unordered_map<const XmlElement*, bool> isUsed_;  ///< false: it was left out
  std::map<std::string, Count> tags_;
};

}  // namespace cardan
