#include "engine/model_file/bases.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "engine/model_file/sections.h"
#include "engine/text/mapped.h"
#include "engine/text/one_spelling.h"

namespace cardan {
namespace {

constexpr size_t kLongestChainOfBases = 50;

using MapEntry = YamlNode::Entry;

MapEntry* mapEntry(YamlNode& map, const std::string& key) {
  const auto found = std::ranges::find(map.entries, key, &MapEntry::key);
  return found == map.entries.end() ? nullptr : &*found;
}

std::vector<std::string> keysOfMap(const YamlNode& map) {
  return mapped(map.entries, &MapEntry::key);
}

/// True of the name itself, of its elements and of what is below: `link.r` of `link[2].r[1]`.
bool covers(std::string_view name, std::string_view setting) {
  size_t at = 0;
  for (const char c : name) {
    if (c != '[' && at < setting.size() && setting[at] == '[') {
      at = std::min(setting.find(']', at), setting.size() - 1) + 1;
    }
    if (at >= setting.size() || setting[at++] != c) return false;
  }
  return at == setting.size() || setting[at] == '.' || setting[at] == '[';
}

/// Appends the names, as `set` has them, of the keys of a map; of maps within maps, too, but for
/// components with a `type`.
void listKeys(const YamlNode& map, const std::string& prefix, std::vector<std::string>& names) {
  for (const MapEntry& e : map.entries) {
    if (e.value.isMap() && !(prefix.empty() && e.value.find("type"))) {
      listKeys(e.value, prefix + e.key + ".", names);
    } else {
      names.push_back(prefix + e.key);
    }
  }
}

/// The map `section` of a file, with what the file on top of it says.
class Merging {
 public:
  Merging(std::string base, Diagnostics& diagnostics)
      : base_(std::move(base)), diagnostics_(diagnostics) {}

  /// A model, or a submodel that both files have.
  YamlNode sections(YamlNode below, const YamlNode& above) {
    removed_.clear();
    if (MapEntry* const settings = mapEntry(below, "set")) endSettings(settings->value, above);
    for (const MapEntry& e : above.entries) {
      MapEntry* const old = mapEntry(below, e.key);
      if (!old || old->value.isNull()) {
        set(below, e);
        continue;
      }
      if (e.value.isNull()) continue;
      const bool bothMaps = old->value.isMap() && e.value.isMap();
      const bool bothLists = old->value.isSequence() && e.value.isSequence();
      if (e.key == "components" && bothMaps) {
        components(old->value, e.value);
      } else if (e.key == "submodels" && bothMaps) {
        submodels(old->value, e.value);
      } else if ((e.key == "world" || e.key == "simulation" || e.key == "contacts") && bothMaps) {
        keys(old->value, e.value, "key");
      } else if (bothMaps) {
        names(old->value, e.value, e.key == "set" ? "setting" : e.key.substr(0, e.key.size() - 1));
      } else if (bothLists && e.key != "outputs") {
        list(old->value, e.value, e.key);
      } else {
        *old = e;
      }
    }
    if (MapEntry* const connections = mapEntry(below, "connections");
        connections && !removed_.empty()) {
      drop(connections->value, [&](const YamlNode& pair) {
        return std::ranges::any_of(pair.items, [&](const YamlNode& end) { return isRemoved(end); });
      });
    }
    return below;
  }

 private:
  /// Takes from a `set` what the file on top says itself, but not what its `set` removes.
  static void endSettings(YamlNode& settings, const YamlNode& above) {
    const YamlNode* const own = above.find("set");
    std::vector<std::string> said;
    for (const MapEntry& e : above.entries) {
      if (!e.value.isMap()) continue;
      if (e.key == "components") {
        listKeys(e.value, "", said);
      } else if (e.key == "contacts" || e.key == "world") {
        const YamlNode* const name = e.value.find("name");
        listKeys(e.value, (name ? name->text : e.key) + ".", said);
      } else if (e.key == "parameters" || e.key == "variables" || e.key == "inputs" ||
                 e.key == "set") {
        std::ranges::copy(keysOfMap(e.value), std::back_inserter(said));
      }
    }
    const auto isRemoved = [&](const std::string& name) {
      const YamlNode* const value = own ? own->find(name) : nullptr;
      return value && value->isNull();
    };
    std::erase_if(settings.entries, [&](const MapEntry& e) {
      return !isRemoved(e.key) && std::ranges::any_of(said, [&](const std::string& name) {
        return covers(name, e.key);
      });
    });
  }

  /// True, and taken away or reported, if the entry says null.
  bool removes(YamlNode& below, const MapEntry& e, const std::string& noun) {
    if (!e.value.isNull()) return false;
    MapEntry* const old = mapEntry(below, e.key);
    if (old) {
      below.entries.erase(below.entries.begin() + (old - below.entries.data()));
    } else {
      diagnostics_.error(e.keyMark(), "'" + e.key + "' cannot be removed: '" + base_ + "' has no " +
                                          noun + " of this name" +
                                          didYouMean(e.key, keysOfMap(below)));
    }
    return true;
  }

  void set(YamlNode& below, const MapEntry& e) {
    if (MapEntry* const old = mapEntry(below, e.key)) {
      *old = e;
    } else {
      below.entries.push_back(e);
    }
  }

  void names(YamlNode& below, const YamlNode& above, const std::string& noun) {
    for (const MapEntry& e : above.entries) {
      if (!removes(below, e, noun)) set(below, e);
    }
  }

  /// Maps within maps, too.
  void keys(YamlNode& below, const YamlNode& above, const std::string& noun) {
    for (const MapEntry& e : above.entries) {
      if (removes(below, e, noun)) continue;
      MapEntry* const old = mapEntry(below, e.key);
      if (old && old->value.isMap() && e.value.isMap()) {
        keys(old->value, e.value, noun);
      } else {
        set(below, e);
      }
    }
  }

  void components(YamlNode& below, const YamlNode& above) {
    for (const MapEntry& e : above.entries) {
      if (e.value.isNull()) removed_.push_back(e.key);
      if (removes(below, e, "component")) continue;
      MapEntry* const old = mapEntry(below, e.key);
      if (!e.value.isMap() || e.value.find("type")) {
        set(below, e);
      } else if (old && old->value.isMap()) {
        keys(old->value, e.value, "key");
      } else {
        diagnostics_.error(e.keyMark(), "component '" + e.key +
                                            "' must have a 'type', or be one of '" + base_ + "'" +
                                            didYouMean(e.key, keysOfMap(below)));
      }
    }
  }

  void submodels(YamlNode& below, const YamlNode& above) {
    for (const MapEntry& e : above.entries) {
      if (removes(below, e, "submodel")) continue;
      MapEntry* const old = mapEntry(below, e.key);
      if (old && old->value.isMap() && e.value.isMap()) {
        YamlNode merged = Merging(base_, diagnostics_).sections(std::move(old->value), e.value);
        mapEntry(below, e.key)->value = std::move(merged);
      } else {
        set(below, e);
      }
    }
  }

  void list(YamlNode& below, const YamlNode& above, const std::string& section) {
    for (const YamlNode& item : above.items) {
      const YamlNode* const removed = item.isMap() ? item.find("remove") : nullptr;
      if (!removed || section != "connections") {
        below.items.push_back(item);
        continue;
      }
      const auto ends = [](const YamlNode& pair) {
        std::vector<std::string> names = mapped(pair.items, &YamlNode::text);
        std::ranges::sort(names);
        return names;
      };
      const auto same = [&](const YamlNode& pair) { return ends(pair) == ends(*removed); };
      if (!removed->isSequence() || removed->items.size() != 2) {
        diagnostics_.error(removed->mark(),
                           "'remove' must be followed by a connection, as [a.frame_b, b.frame_a], "
                           "found " +
                               removed->describe());
      } else if (drop(below, same) == 0) {
        diagnostics_.error(removed->mark(), "the connection cannot be removed: '" + base_ +
                                                "' does not connect '" + removed->items[0].text +
                                                "' with '" + removed->items[1].text + "'");
      }
    }
  }

  /// Takes pairs away, those in `for` and `if`, too; how many.
  size_t drop(YamlNode& list, const std::function<bool(const YamlNode&)>& isDropped) {
    size_t count = 0;
    for (YamlNode& item : list.items) {
      MapEntry* const inside = item.isMap() ? mapEntry(item, "connect") : nullptr;
      if (!inside || inside->value.items.empty()) continue;
      if (!inside->value.items[0].isScalar()) {
        count += drop(inside->value, isDropped);
      } else if (isDropped(inside->value)) {
        inside->value.items.clear();
        ++count;
      }
    }
    return count + std::erase_if(list.items, [&](const YamlNode& item) {
             return item.isSequence() && isDropped(item);
           });
  }

  bool isRemoved(const YamlNode& end) const {
    return std::ranges::any_of(removed_, [&](const std::string& name) {
      return end.text.starts_with(name) && end.text.size() > name.size() &&
             (end.text[name.size()] == '.' || end.text[name.size()] == '[');
    });
  }

  std::string base_;
  Diagnostics& diagnostics_;
  std::vector<std::string> removed_;  ///< components
};

}  // namespace

YamlNode withBases(YamlNode root, const std::string& path, std::vector<std::string>& included,
                   Diagnostics& diagnostics) {
  struct ExtendingFile {
    YamlNode tree;
    std::string base;  ///< file below it
  };
  std::vector<ExtendingFile> levels;
  std::vector<std::string> chain{path};
  std::vector<std::string> spellings{oneSpelling(path)};
  YamlNode lowest = std::move(root);
  while (const YamlNode* node = lowest.isMap() ? lowest.find("extends") : nullptr) {
    const auto text = readText(*node, "'extends'", "the path of a model file", diagnostics);
    if (!text) break;
    const std::filesystem::path folder = std::filesystem::path(chain.back()).parent_path();
    const std::string file = (folder / *text).lexically_normal().string();
    const auto open = std::ranges::find(spellings, oneSpelling(file));
    if (open != spellings.end() || chain.size() > kLongestChainOfBases) {
      std::string circle;
      for (size_t k = open - spellings.begin(); k < chain.size(); ++k) circle += chain[k] + " -> ";
      diagnostics.error(node->mark(),
                        open != spellings.end()
                            ? "a file must not extend itself: " + circle + file
                            : "files must not extend each other in a chain of more than " +
                                  std::to_string(kLongestChainOfBases));
      break;
    }
    std::error_code ignored;
    if (text->find('\0') != std::string::npos || !std::filesystem::is_regular_file(file, ignored)) {
      diagnostics.error(node->mark(), "cannot read the extended file '" + file + "'");
      break;
    }
    auto base = readYaml(file, diagnostics);
    if (!base) break;
    checkTopLevel(*base, diagnostics);
    included.push_back(file);
    chain.push_back(file);
    spellings.push_back(oneSpelling(file));
    levels.push_back({std::move(lowest), file});
    lowest = std::move(*base);
    if (!lowest.isMap()) break;
  }
  const auto withoutKey = [](YamlNode& map, std::string_view key) {
    std::erase_if(map.entries, [&](const MapEntry& e) { return e.key == key; });
  };
  withoutKey(lowest, "extends");
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    withoutKey(level->tree, "extends");
    withoutKey(lowest, "model");
    lowest = Merging(level->base, diagnostics).sections(std::move(lowest), level->tree);
  }
  return lowest;
}

}  // namespace cardan
