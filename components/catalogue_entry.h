/// CatalogueEntry: a class that a model file may name, as the composition root hands it to the
/// engine.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "components/component.h"

namespace cardan {

/// One class of the catalogue.
struct CatalogueEntry {
  std::string type;         ///< name in model files ("Revolute", "Rotational.Damper")
  std::string package;      ///< under which it is listed to the user ("joints")
  std::string description;  ///< one line
  std::unique_ptr<Component> (*make)();
};
using Catalogue = std::vector<CatalogueEntry>;

/// A component of class C. Defined in components/make.h, for the .cpp of C alone: whoever makes a C
/// compiles all of its physics.
template <class C>
std::unique_ptr<Component> make();

/// The class C under its name in model files.
template <class C>
CatalogueEntry entry(std::string type, std::string description) {
  return {std::move(type), "", std::move(description), &make<C>};
}

/// Classes that are listed under one heading.
inline Catalogue package(const std::string& name, Catalogue classes) {
  for (CatalogueEntry& e : classes) e.package = name;
  return classes;
}

/// Lists one after the other.
inline Catalogue joined(const std::vector<Catalogue>& lists) {
  Catalogue all;
  for (const Catalogue& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace cardan
