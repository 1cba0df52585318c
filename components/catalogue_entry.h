/// CatalogueEntry: a class that a model file may name, as the composition root hands it to the
/// engine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "components/component.h"

namespace cardan {

/// One class of the catalogue.
struct CatalogueEntry {
  std::string type;         ///< name in model files ("Revolute", "Rotational.Damper")
  std::string package;      ///< folder of the catalogue ("joints")
  std::string description;  ///< one line
  std::unique_ptr<Component> (*make)();
};
using Catalogue = std::vector<CatalogueEntry>;

/// A component of class C. Defined in components/make.h, for the .cpp of C alone: whoever makes a C
/// compiles all of its physics.
template <class C>
std::unique_ptr<Component> make();

}  // namespace cardan
