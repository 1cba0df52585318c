#include "components/catalogue.h"

#include "components/catalogue_folders.h"

namespace cardan {

CatalogueEntry entryOf(const char* type, const char* description,
                       std::unique_ptr<Component> (*make)()) {
  return {type, "", description, make};
}

Catalogue package(const std::string& name, Catalogue classes) {
  for (CatalogueEntry& e : classes) e.package = name;
  return classes;
}

const Catalogue& catalogue() {
  static const Catalogue all =
      joined(folders::parts(), folders::joints(), folders::assemblies(), folders::rolling(),
             folders::constraints(), folders::forces(), folders::contact(), folders::sensors(),
             folders::rotational(), folders::translational(), folders::blocks(),
             folders::electrical(), folders::thermal(), folders::visualizers());
  return all;
}

}  // namespace cardan
