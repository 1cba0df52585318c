#include "engine/robots/contact_entries.h"

#include <utility>

#include "engine/robots/model_values.h"

namespace cardan::robots {
namespace {

void addLaw(ArgumentList& a, const ContactLaw& law) {
  a.add("penetration", law.penetration).add("restitution", law.restitution);
  a.add("mu", law.mu).add("rolling", law.rolling);
}

YamlNode listOfPairs(const std::vector<ContactRules::Pair>& pairs, const SourceMark& at) {
  std::vector<YamlNode> items;
  for (const ContactRules::Pair& p : pairs) {
    YamlNode names = listOf({wordOf(p.a, at), wordOf(p.b, at)}, at);
    if (p.law) {
      ArgumentList item(at);
      item.addNode("between", std::move(names));
      addLaw(item, *p.law);
      names = item.map();
    }
    items.push_back(std::move(names));
  }
  return listOf(std::move(items), at);
}

}  // namespace

std::vector<ImportedModel::Entry> contactEntries(const ContactRules& rules, const SourceMark& at) {
  std::vector<ImportedModel::Entry> entries;
  const auto add = [&](const char* key, YamlNode value) {
    entries.push_back({key, std::move(value), "", at});
  };
  if (rules.law) {
    ArgumentList law(at);
    addLaw(law, *rules.law);
    add("defaults", law.map());
  }
  ArgumentList groups(at);
  for (const ContactRules::Group& g : rules.groups) {
    std::vector<YamlNode> members;
    for (const std::string& m : g.members) members.push_back(wordOf(m, at));
    groups.addNode(g.name, listOf(std::move(members), at));
  }
  if (!rules.groups.empty()) add("groups", groups.map());
  if (rules.pairs) add("pairs", listOfPairs(*rules.pairs, at));
  if (!rules.exclude.empty()) add("exclude", listOfPairs(rules.exclude, at));
  return entries;
}

}  // namespace cardan::robots
