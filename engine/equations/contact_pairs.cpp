#include "engine/equations/contact_pairs.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "components/surface.h"
#include "engine/model_file/contacts.h"
#include "engine/structure/encounter_search.h"

namespace cardan {
namespace {

constexpr const char* kType = "Contact.Pair";  ///< as it is shown; no model file can name it

/// What is wrong at a place, with a material for one, is so for all pairs that have it: told once.
class Once {
 public:
  explicit Once(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void add(const std::vector<Diagnostic>& some) {
    std::set<std::string> here;
    bool isNew = true;
    for (const Diagnostic& d : some) {
      const std::string place = fmt::format("{}:{}:{}", d.at.file, d.at.line, d.at.column);
      if (d.severity != Severity::note) isNew = !told_.contains(place);
      here.insert(place);
      if (!isNew) continue;
      if (d.severity == Severity::error) diagnostics_.error(d.at, d.text, d.kind);
      if (d.severity == Severity::warning) diagnostics_.warning(d.at, d.text);
      if (d.severity == Severity::note) diagnostics_.note(d.at, d.text);
    }
    told_.merge(here);
  }

 private:
  Diagnostics& diagnostics_;
  std::set<std::string> told_;
};

/// A component between two shapes of the model, of one and the same where it must be; null: none touch.
std::unique_ptr<Component> anyPair(const FlatModel& flat) {
  const std::vector<int> shapes = shapesOf(flat);
  std::string ignored;
  for (const int a : shapes) {
    for (const int b : shapes) {
      const Surface* const other = flat.instances[b].component->surface();
      if (auto pair = flat.instances[a].component->surface()->against(*other, 1, ignored))
        return pair;
    }
  }
  return nullptr;
}

/// What materials and defaults say is wrong by their own names, and also where no pair has it.
void examineMaterials(const ContactsDescription& contacts, const FlatModel& flat,
                      const ReadComponent& examine, Once& once) {
  if (shapesOf(flat).empty()) {
    std::optional<SourceMark> at;
    if (contacts.defaults.isMap()) at = contacts.defaults.mark();
    if (!contacts.materials.empty()) at = contacts.materials.front().value.mark();
    if (at)
      once.add({{Severity::warning, *at,
                 "the model has no shapes that could touch: 'contacts' has no effect"}});
    return;
  }
  const std::unique_ptr<Component> pair = anyPair(flat);
  const auto examineOne = [&](const char* type, const std::string& name, const YamlNode& values) {
    if (!pair) return;
    const SourceMark at = values.mark();
    Diagnostics found;
    examine({name, at, type, at, argumentsOfAll(values), 0}, *pair, found);
    std::vector<Diagnostic> told = found.all();
    for (Diagnostic& d : told) {
      const size_t inPair = d.text.find("'defaults.");
      if (inPair != std::string::npos) d.text.erase(inPair + 1, std::strlen("defaults."));
    }
    once.add(told);
  };
  for (const YamlNode::Entry& m : contacts.materials) examineOne("material", m.key, m.value);
  if (contacts.defaults.isMap()) examineOne("section", "defaults", contacts.defaults);
}

void checkMaterials(const ContactsDescription& contacts, const FlatModel& flat,
                    Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const YamlNode::Entry& m : contacts.materials) known.push_back(m.key);
  for (const int i : shapesOf(flat)) {
    const std::string& name = flat.instances[i].component->surface()->material();
    if (name.empty() || findMaterial(contacts, name)) continue;
    diagnostics.error(flat.instances[i].at,
                      flat.typeAndName(i) + ": unknown material '" + name + "'" +
                          didYouMean(name, known, "'materials' of 'contacts' lists them"));
  }
}

}  // namespace

Additions makeContactPairs(const ContactsDescription& contacts, FlatModel& flat,
                           ParameterTable& parameters, const ReadComponent& read,
                           const ReadComponent& examine, Diagnostics& diagnostics) {
  checkMaterials(contacts, flat, diagnostics);
  flat.encounters = findEncounters(flat, contacts.rules, diagnostics);
  Additions all;
  Once once(diagnostics);
  examineMaterials(contacts, flat, examine, once);
  std::erase_if(flat.encounters.pairs, [&](const Encounters::Pair& pair) {
    const Instance &a = flat.instances[pair.a], &b = flat.instances[pair.b];
    const Surface &of_a = *a.component->surface(), &of_b = *b.component->surface();
    std::string why;
    auto component = of_a.against(of_b, pair.mass, why);
    if (!component) {
      if (pair.isListed) {
        diagnostics.error(pair.at,
                          "'" + shapeName(a) + "' and '" + shapeName(b) + "' cannot touch: " + why);
      }
      flat.encounters.leftOut.push_back({shapeName(a), shapeName(b), why});
      return true;
    }
    const ComponentDescription& c = parameters.add(
        {pair.name, pair.at, kType, pair.at,
         argumentsOfPair(contacts, pair.items, of_a.material(), of_b.material()), 0});
    Diagnostics found;
    read(c, *component, found);
    once.add(found.all());
    all.components.push_back({pair.name, kType, pair.at, std::move(component)});
    all.connections.push_back({pair.name + ".frame_a", a.full(of_a.connector()), pair.at, pair.at});
    all.connections.push_back({pair.name + ".frame_b", b.full(of_b.connector()), pair.at, pair.at});
    return false;
  });
  return all;
}

}  // namespace cardan
