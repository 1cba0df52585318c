#include "engine/equations/contact_pairs.h"

#include <set>

#include "components/surface.h"
#include "engine/model_file/contacts.h"
#include "engine/structure/encounter_search.h"

namespace cardan {
namespace {

constexpr const char* kType = "Contact.Pair";  ///< as it is shown; no model file can name it

/// What is wrong with a material is so for all pairs that have it: told once.
class Once {
 public:
  explicit Once(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void add(const Diagnostics& some, const std::string& pair) {
    bool isNew = true;
    for (const Diagnostic& d : some.all()) {
      std::string key = d.format();
      for (const std::string& place : {pair, std::string("'a."), std::string("'b.")})
        if (const size_t at = key.find(place); at != std::string::npos) key.erase(at, place.size());
      if (d.severity != Severity::note) isNew = told_.insert(key).second;
      if (!isNew) continue;
      if (d.severity == Severity::error) diagnostics_.error(d.at, d.text, d.kind);
      if (d.severity == Severity::warning) diagnostics_.warning(d.at, d.text);
      if (d.severity == Severity::note) diagnostics_.note(d.at, d.text);
    }
  }

 private:
  Diagnostics& diagnostics_;
  std::set<std::string> told_;
};

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
                           Diagnostics& diagnostics) {
  checkMaterials(contacts, flat, diagnostics);
  flat.encounters = findEncounters(flat, contacts.rules, diagnostics);
  Additions all;
  Once once(diagnostics);
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
    once.add(found, pair.name);
    all.components.push_back({pair.name, kType, pair.at, std::move(component)});
    all.connections.push_back({pair.name + ".frame_a", a.full(of_a.connector()), pair.at, pair.at});
    all.connections.push_back({pair.name + ".frame_b", b.full(of_b.connector()), pair.at, pair.at});
    return false;
  });
  return all;
}

}  // namespace cardan
