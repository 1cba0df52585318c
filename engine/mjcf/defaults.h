/// Defaults: the attributes that elements take from classes.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/text/import_report.h"
#include "engine/text/xml_document.h"

namespace cardan::mjcf {

class Defaults {
 public:
  /// Reads all <default> of a file; what is wrong is in `diagnostics`.
  Defaults(const XmlElement& root, ImportReport& report, Diagnostics& diagnostics);

  /// The element with the attributes that it has not from its class: the one it names, else
  /// `around`, the class of the body that it is in ("": the one for all). Without its children.
  XmlElement complete(const XmlElement& element, const std::string& around,
                      Diagnostics& diagnostics) const;
  bool has(const std::string& name) const { return classes_.contains(name); }

 private:
  using Attributes = std::map<std::string, XmlAttribute>;
  using Class = std::map<std::string, Attributes>;  ///< by tag

  void read(const XmlElement& element, const Class& outer, bool isTop, ImportReport& report,
            Diagnostics& diagnostics);

  std::map<std::string, Class> classes_{{"", {}}};
};

/// True of the tags of actuators, which share most attributes.
bool isActuator(std::string_view tag);

}  // namespace cardan::mjcf
