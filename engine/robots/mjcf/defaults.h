/// Defaults: the attributes that elements take from classes.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/expression/value.h"
#include "engine/robots/attributes.h"
#include "engine/robots/import_report.h"
#include "engine/robots/mjcf/vocabulary.h"
#include "engine/robots/xml_document.h"

namespace cardan::robots::mjcf {

/// True of the tags of actuators.
inline bool isActuator(std::string_view tag) {
  const XmlVocabulary::Element* known = vocabulary().element(tag, "actuator");
  return known && known->kind != "plugin";
}

class Defaults {
 public:
  /// Reads all <default> of a file; what is wrong is in `diagnostics`.
  Defaults(const XmlElement& root, ImportReport& report, Diagnostics& diagnostics) {
    for (const XmlElement& e : root.children) {
      if (e.name == "default") read(e, classes_[""], true, report, diagnostics);
    }
  }

  /// The element with the attributes that it has not from its class: the one it names, else
  /// `around`, the class of the body that it is in ("": the one for all). Without its children. `tag`:
  /// under which the class has them, where that is another one.
  XmlElement complete(const XmlElement& element, const std::string& around,
                      Diagnostics& diagnostics, const std::string& tag = "") const {
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
    const auto attributes = found->second.byTag.find(tag.empty() ? element.name : tag);
    if (attributes == found->second.byTag.end()) return full;
    for (const auto& [key, a] : attributes->second) {
      if (isAlternative(key)) {
        if (hasAlternative(element)) continue;
        std::erase_if(full.attributes, [](const XmlAttribute& q) { return q.name == "quat"; });
      }
      const auto own = std::ranges::find(full.attributes, key, &XmlAttribute::name);
      if (own != full.attributes.end()) {
        if (isListOfItsOwn(key)) own->value = filled(own->value, a.value);
      } else if (key != "quat" || !hasAlternative(element)) {
        full.attributes.push_back(a);
      }
    }
    return full;
  }
  /// The actuators of a class, from the outermost class inwards: each sets what all kinds of actuators
  /// start from. An unknown class is as in complete().
  const std::vector<const XmlElement*>& actuators(const XmlElement& element) const {
    const XmlAttribute* name = element.attribute("class");
    const auto found = classes_.find(name ? name->value : "");
    return (found == classes_.end() ? classes_.at("") : found->second).actuators;
  }
  bool has(const std::string& name) const { return classes_.contains(name); }

 private:
  /// Of the orientations that stand for a quaternion the one that is said last counts, from the outermost
  /// class inwards, and before any quaternion, as in MuJoCo.
  static bool isAlternative(const std::string& name) {
    for (const char* o : {"axisangle", "xyaxes", "zaxis", "euler"}) {
      if (name == o) return true;
    }
    return false;
  }
  static bool hasAlternative(const XmlElement& e) {
    return std::ranges::any_of(e.attributes,
                               [](const XmlAttribute& a) { return isAlternative(a.name); });
  }

  /// Lists that may be shorter than they are: what is missing at their ends stays as it was.
  static bool isListOfItsOwn(std::string_view name) {
    for (const std::string_view list : {"size", "friction", "damping", "stiffness", "springdamper",
                                        "solreflimit", "solimplimit"}) {
      if (name == list) return true;
    }
    return false;
  }

  static std::string filled(const std::string& own, const std::string& before) {
    const auto some = numbersIn(own), all = numbersIn(before);
    std::string list = own;
    if (!some || !all) return list;
    for (size_t i = some->size(); i < all->size(); ++i) list += " " + formatNumber((*all)[i]);
    return list;
  }

  using Attributes = std::map<std::string, XmlAttribute>;
  struct Class {
    std::map<std::string, Attributes> byTag;
    std::vector<const XmlElement*> actuators;
  };

  void read(const XmlElement& element, const Class& outer, bool isTop, ImportReport& report,
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
      Attributes& all = own.byTag[e.name];
      if (hasAlternative(e))
        std::erase_if(all,
                      [](const auto& a) { return a.first == "quat" || isAlternative(a.first); });
      const bool turns =
          std::ranges::any_of(all, [](const auto& a) { return isAlternative(a.first); });
      for (XmlAttribute a : e.attributes) {
        if (turns && a.name == "quat") continue;
        XmlAttribute& known = all[a.name];
        if (isListOfItsOwn(a.name)) a.value = filled(a.value, known.value);
        known = std::move(a);
      }
      if (isActuator(e.name)) own.actuators.push_back(&e);
    }
    if (!isTop && classes_.contains(key)) {
      diagnostics.error(element.mark(*name), "class '" + key + "' is defined twice");
      return;
    }
    // The outermost is for all, whatever it is called.
    if (isTop) classes_[""] = classes_["main"] = own;
    if (!key.empty()) classes_[key] = own;
    for (const XmlElement& e : element.children) {
      if (e.name == "default") read(e, own, false, report, diagnostics);
    }
  }

  std::map<std::string, Class> classes_{{"", {}}, {"main", {}}};
};

}  // namespace cardan::robots::mjcf
