/// Defaults: the attributes that elements take from classes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/robots/import_report.h"
#include "engine/robots/xml_document.h"

namespace cardan::robots::mjcf {

class Defaults {
 public:
  /// Reads all <default> of a file; what is wrong is in `diagnostics`.
  Defaults(const XmlElement& root, ImportReport& report, Diagnostics& diagnostics);

  /// The element with the attributes that it has not from its class: the one it names, else
  /// `around`, the class of the body that it is in ("": the one for all). Without its children. `tag`:
  /// under which the class has them, where that is another one.
  XmlElement complete(const XmlElement& element, const std::string& around,
                      Diagnostics& diagnostics, const std::string& tag = "") const;
  /// The actuators of a class, from the outermost class inwards: each sets what all kinds of actuators
  /// start from. An unknown class is as in complete().
  const std::vector<const XmlElement*>& actuators(const XmlElement& element) const;
  bool has(const std::string& name) const { return classes_.contains(name); }

 private:
  using Attributes = std::map<std::string, XmlAttribute>;
  struct Class {
    std::map<std::string, Attributes> byTag;
    std::vector<const XmlElement*> actuators;
  };

  void read(const XmlElement& element, const Class& outer, bool isTop, ImportReport& report,
            Diagnostics& diagnostics);

  std::map<std::string, Class> classes_{{"", {}}, {"main", {}}};
};

/// True of the tags of actuators.
bool isActuator(std::string_view tag);

}  // namespace cardan::robots::mjcf
