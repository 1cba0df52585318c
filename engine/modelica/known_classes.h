/// What a Modelica model may name without any library, and what a model is written with: the classes of the
/// catalogue by their paths in the Modelica Standard Library (3.2.3, 4.0, 4.1), its types, constants and
/// connectors. Its tables are in library.txt.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "components/catalogue_entry.h"

namespace cardan::modelica {

/// Names of the catalogue, by their paths in the library.
class KnownClasses {
 public:
  explicit KnownClasses(const Catalogue& catalogue);

  /// "Modelica.Mechanics.MultiBody.Joints.Revolute" -> "Revolute"; "" for what the catalogue has
  /// not.
  std::string catalogueType(const std::string& fullName) const;
  const CatalogueEntry* entry(const std::string& type) const;

 private:
  const Catalogue& catalogue_;
  std::unordered_set<std::string> types_;
};

/// "Revolute" -> "Modelica.Mechanics.MultiBody.Joints.Revolute"; "" of what the library has not.
std::string libraryPath(const std::string& catalogueType);

/// The enumeration of the library with these literals, as a name that goes in front of one:
/// "Modelica.Mechanics.MultiBody.Types.ResolveInFrameA"; "" if there is none.
std::string libraryEnumeration(const std::vector<std::string>& literals);

/// What a known type is: Real and its like, with how many elements.
struct KnownType {
  std::string base;  ///< "Real", "Integer", "Boolean", "String", "Orientation"
  int size = 0;      ///< 0: a scalar
};
/// Of "Modelica.Units.SI.Mass", "Modelica.Mechanics.MultiBody.Types.Axis".
std::optional<KnownType> knownType(const std::string& fullName);

/// True of packages that are known without a library, and of the ways to them.
bool isKnownPackage(std::string_view fullName);
/// True of functions that expressions know, or that a catalogue's class takes by `redeclare`.
bool isKnownFunction(std::string_view fullName);
/// True of classes without content: icons.
bool isIcon(std::string_view fullName);

/// True of pictures that are not drawn.
bool isUndrawn(std::string_view fullName);

/// A parameter that the library derives from others, as an expression over the parameters of the
/// component ("I" of BodyCylinder); "" if there is none. Parameters that are not given are derived
/// likewise.
std::string derivedParameter(std::string_view catalogueType, std::string_view name);

/// The name that a class of the catalogue has for what was called `name` before version 4 of the library;
/// `name` itself where it is called so still; "" for what has had no effect for long, and is no more.
std::string_view presentName(const std::string& catalogueType, std::string_view name);

/// "frame", "rotational flange", ... of a connector with flow variables, by its full name.
std::string_view physicalConnector(std::string_view fullName);

}  // namespace cardan::modelica
