#include "engine/model_file/contacts.h"

#include <algorithm>
#include <optional>

#include "engine/model_file/known_keys.h"
#include "engine/model_file/sections.h"

namespace cardan {
namespace {

using Entry = YamlNode::Entry;

// Keys of a pair's component that are not an item's to give.
constexpr const char* kMaterialA = "a";
constexpr const char* kMaterialB = "b";
constexpr const char* kDefaults = "defaults";

class ContactsReader {
 public:
  ContactsReader(const YamlNode& section, Diagnostics& diagnostics)
      : section_(section), diagnostics_(diagnostics) {}

  ContactsDescription read() {
    reportDuplicateKeysBelow(section_, diagnostics_);
    reportUnknownKeys(section_, "key of contacts:", contactsKeys(), diagnostics_);
    const YamlNode* const defaults = section_.find("defaults");
    if (isMap(defaults, "defaults", "of parameters of contacts")) contacts_.defaults = *defaults;
    readMaterials(section_.find("materials"));
    readGroups(section_.find("groups"));
    readPairs(section_.find("pairs"));
    const YamlNode* const exclude = section_.find("exclude");
    if (isList(exclude, "exclude")) {
      for (const YamlNode& pair : exclude->items) {
        if (auto item = readItem(pair)) contacts_.rules.exclude.push_back(std::move(*item));
      }
    }
    return std::move(contacts_);
  }

 private:
  bool isMap(const YamlNode* node, const std::string& name, const std::string& rule) {
    return isSectionMap(node, name + "' of 'contacts", rule, diagnostics_);
  }
  bool isList(const YamlNode* node, const std::string& name) {
    return isSectionList(node, name + "' of 'contacts", "of [shape, shape]", diagnostics_);
  }

  void readMaterials(const YamlNode* materials) {
    if (!isMap(materials, "materials", "of 'name: {...}'")) return;
    for (const Entry& m : materials->entries) {
      if (m.value.isMap()) {
        contacts_.materials.push_back(m);
      } else {
        diagnostics_.error(m.value.mark(), "material '" + m.key +
                                               "' must be a map of parameters of contacts, found " +
                                               m.value.describe());
      }
    }
  }

  void readGroups(const YamlNode* groups) {
    if (!isMap(groups, "groups", "of 'name: [shape, shape]'")) return;
    for (const Entry& g : groups->entries) {
      EncounterRules::Group group{g.key, {}};
      const std::vector<YamlNode> single{g.value};
      for (const YamlNode& shape : g.value.items.empty() ? single : g.value.items) {
        if (auto choice = readChoice(shape)) group.shapes.push_back(std::move(*choice));
      }
      contacts_.rules.groups.push_back(std::move(group));
    }
  }

  void readPairs(const YamlNode* pairs) {
    if (!isList(pairs, "pairs")) return;
    contacts_.rules.pairs.emplace();
    for (const YamlNode& node : pairs->items) {
      const YamlNode* const between = node.isMap() ? node.find("between") : nullptr;
      if (node.isMap() && !between) {
        diagnostics_.error(node.mark(),
                           "a pair with parameters must have 'between', as {between: "
                           "[foot, floor], ...}, found none");
        continue;
      }
      auto item = readItem(between ? *between : node);
      if (!item) continue;
      YamlNode keys = node;
      std::erase_if(keys.entries, [](const Entry& e) { return e.key == "between"; });
      std::erase_if(keys.entries, [&](const Entry& e) { return isOwn(e); });
      contacts_.rules.pairs->push_back(std::move(*item));
      contacts_.keys.push_back(std::move(keys));
    }
  }

  bool isOwn(const Entry& e) {
    if (e.key != kMaterialA && e.key != kMaterialB && e.key != kDefaults) return false;
    diagnostics_.error(e.keyMark(), "a pair must not have a key '" + e.key +
                                        "': what it is made of stands under 'materials' and "
                                        "'defaults' of 'contacts'");
    return true;
  }

  std::optional<EncounterRules::Item> readItem(const YamlNode& pair) {
    if (!pair.isSequence() || pair.items.size() != 2) {
      diagnostics_.error(pair.mark(),
                         "a pair must be a list of two shapes, groups or patterns, as [foot, "
                         "floor], found " +
                             pair.describe());
      return std::nullopt;
    }
    auto a = readChoice(pair.items[0]), b = readChoice(pair.items[1]);
    if (!a || !b) return std::nullopt;
    return EncounterRules::Item{std::move(*a), std::move(*b), pair.mark()};
  }

  std::optional<EncounterRules::Choice> readChoice(const YamlNode& node) {
    auto text =
        readText(node, "a shape in 'contacts'", "a name or a pattern, as 'foot_*'", diagnostics_);
    if (!text) return std::nullopt;
    return EncounterRules::Choice{std::move(*text), node.mark()};
  }

  const YamlNode& section_;
  Diagnostics& diagnostics_;
  ContactsDescription contacts_;
};

}  // namespace

ContactsDescription readContacts(const YamlNode* section, Diagnostics& diagnostics) {
  if (!isSectionMap(section, "contacts", "of defaults, materials, groups, pairs, exclude",
                    diagnostics))
    return {};
  return ContactsReader(*section, diagnostics).read();
}

const YamlNode* findMaterial(const ContactsDescription& contacts, const std::string& name) {
  const auto found = std::ranges::find(contacts.materials, name, &Entry::key);
  return found == contacts.materials.end() ? nullptr : &found->value;
}

YamlNode argumentsOfPair(const ContactsDescription& contacts, const std::vector<int>& items,
                         const std::string& material_a, const std::string& material_b) {
  YamlNode arguments;
  arguments.kind = YamlNode::Kind::map;
  for (auto item = items.rbegin(); item != items.rend(); ++item) {
    for (const Entry& e : contacts.keys[*item].entries) {
      if (!arguments.find(e.key)) arguments.entries.push_back(e);
    }
  }
  const auto add = [&](const char* key, const YamlNode* map) {
    if (map) arguments.entries.push_back({key, map->line, map->column, *map});
  };
  add(kMaterialA, findMaterial(contacts, material_a));
  add(kMaterialB, findMaterial(contacts, material_b));
  add(kDefaults, contacts.defaults.isMap() ? &contacts.defaults : nullptr);
  return arguments;
}

YamlNode argumentsOfAll(const YamlNode& defaults) {
  ContactsDescription contacts;
  contacts.defaults = defaults;
  return argumentsOfPair(contacts, {}, "", "");
}

}  // namespace cardan
