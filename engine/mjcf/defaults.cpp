#include "engine/mjcf/defaults.h"

#include <vector>

namespace cardan::mjcf {

bool isActuator(std::string_view tag) {
  for (const std::string_view known : {"general", "motor", "position", "velocity", "intvelocity",
                                       "damper", "cylinder", "muscle", "adhesion", "plugin"}) {
    if (tag == known) return true;
  }
  return false;
}

Defaults::Defaults(const XmlElement& root, ImportReport& report, Diagnostics& diagnostics) {
  for (const XmlElement& e : root.children) {
    if (e.name == "default") read(e, classes_[""], true, report, diagnostics);
  }
}

void Defaults::read(const XmlElement& element, const Class& outer, bool isTop, ImportReport& report,
                    Diagnostics& diagnostics) {
  report.use(element);
  const XmlAttribute* name = element.attribute("class");
  const std::string key = name ? name->value : "";
  if (!isTop && key.empty()) {
    diagnostics.error(element.mark(), "a <default> inside of another one must have a class");
    return;
  }
  Class own = outer;
  for (const XmlElement& e : element.children) {
    if (e.name == "default") continue;
    report.use(e);
    for (const XmlElement& inside : e.children) report.use(inside);
    for (const XmlAttribute& a : e.attributes) {
      own[e.name][a.name] = a;
      // All kinds of actuators take these from any of them.
      const bool isShared = a.name == "gear" || a.name.ends_with("range");
      if (isActuator(e.name) && isShared) own["actuator"][a.name] = a;
    }
  }
  if (!isTop && classes_.contains(key)) {
    diagnostics.error(element.mark(*name), "class '" + key + "' is defined twice");
    return;
  }
  // The first one is for all, whatever it is called.
  if (isTop) classes_[""] = own;
  if (!key.empty()) classes_[key] = own;
  for (const XmlElement& e : element.children) {
    if (e.name == "default") read(e, own, false, report, diagnostics);
  }
}

XmlElement Defaults::complete(const XmlElement& element, const std::string& around,
                              Diagnostics& diagnostics) const {
  XmlElement full;
  full.name = element.name;
  full.attributes = element.attributes;
  full.file = element.file;
  full.line = element.line;
  full.column = element.column;
  const XmlAttribute* name = element.attribute("class");
  auto found = classes_.find(name ? name->value : around);
  if (found == classes_.end()) {
    if (name) {
      std::vector<std::string> known;
      for (const auto& [k, unused] : classes_) {
        if (!k.empty()) known.push_back(k);
      }
      diagnostics.error(element.mark(*name), "no <default> has the class '" + name->value + "'" +
                                                 didYouMean(name->value, known));
    }
    found = classes_.find("");
  }
  const auto take = [&](const std::string& tag) {
    const auto attributes = found->second.find(tag);
    if (attributes == found->second.end()) return;
    for (const auto& [key, a] : attributes->second) {
      if (!full.attribute(key)) full.attributes.push_back(a);
    }
  };
  // A free joint takes nothing from those of joints.
  take(element.name);
  if (isActuator(element.name)) take("actuator");
  return full;
}

}  // namespace cardan::mjcf
