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

/// The class C under its name in model files. It compiles all of C's physics: a class is entered once,
/// in the .cpp that it is in or in the catalogue.cpp of its folder.
template <class C>
CatalogueEntry entry(std::string type, std::string description) {
  return {std::move(type), "", std::move(description),
          []() -> std::unique_ptr<Component> { return std::make_unique<C>(); }};
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
