/// CatalogueEntry: a class that a model file may name, as the composition root hands it to the
/// engine.
#pragma once

#include <algorithm>
#include <concepts>
#include <initializer_list>
#include <iterator>
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
  bool isOpen = false;  ///< a file that a parameter names decides of further keys and connectors
};
using Catalogue = std::vector<CatalogueEntry>;

CatalogueEntry entryOf(const char* type, const char* description,
                       std::unique_ptr<Component> (*make)());

/// The class C under its name in model files. It compiles all of C's physics: a class is entered once,
/// in the .cpp that it is in or in the catalogue.cpp of its folder.
template <class C>
CatalogueEntry entry(const char* type, const char* description) {
  return entryOf(type, description,
                 []() -> std::unique_ptr<Component> { return std::make_unique<C>(); });
}

/// Classes that are listed under one heading.
Catalogue package(const std::string& name, Catalogue classes);

/// Lists one after the other.
template <std::same_as<Catalogue>... Others>
Catalogue joined(Catalogue first, Others... others) {
  first.reserve((first.size() + ... + others.size()));
  (std::ranges::move(others, std::back_inserter(first)), ...);
  return first;
}
inline Catalogue joined(std::initializer_list<Catalogue> lists) {
  Catalogue all;
  for (const Catalogue& one : lists) all.insert(all.end(), one.begin(), one.end());
  return all;
}

}  // namespace cardan
