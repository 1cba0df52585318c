#include "engine/modelica/known_classes.h"

#include <algorithm>
#include <initializer_list>

#include "components/names.h"
#include "engine/expression/functions.h"
#include "engine/modelica/library_table.h"
#include "engine/text/joined.h"
#include "engine/text/words.h"

namespace cardan::modelica {
namespace {

/// What a row is about.
std::string_view firstWord(const LibraryRow& row) { return row[0]; }

bool isWayTo(std::string_view path, std::string_view target) {
  return target == path ||
         (target.size() > path.size() && target.starts_with(path) && target[path.size()] == '.');
}

/// The row of a section that begins with this word; null if there is none.
const LibraryRow* rowOf(const std::vector<LibraryRow>& rows, std::string_view word) {
  const auto row = std::ranges::find(rows, word, firstWord);
  return row == rows.end() ? nullptr : &*row;
}

/// The word stands in the row behind the first `skipped` ones.
bool holds(const LibraryRow& row, size_t skipped, std::string_view word) {
  return std::find(row.begin() + skipped, row.end(), word) != row.end();
}

}  // namespace

KnownClasses::KnownClasses(const Catalogue& catalogue) : catalogue_(catalogue) {
  for (const CatalogueEntry& e : catalogue) types_.insert(e.type);
}

std::string KnownClasses::catalogueType(const std::string& fullName) const {
  static const auto& others = libraryTable("other names");
  static const auto& packages = libraryTable("packages");
  if (!fullName.starts_with("Modelica.")) return "";
  if (const LibraryRow* other = rowOf(others, fullName)) return (*other)[1];
  const LibraryRow* package = rowOf(packages, ownerName(fullName));
  if (!package) return "";
  std::string type = (*package)[1] + std::string(lastName(fullName));
  // World alone stands beside the packages.
  const bool isTop = (*package)[0] == "Modelica.Mechanics.MultiBody";
  return types_.contains(type) && isTop == (type == "World") ? type : "";
}

const CatalogueEntry* KnownClasses::entry(const std::string& type) const {
  const auto found = std::ranges::find(catalogue_, type, &CatalogueEntry::type);
  return found == catalogue_.end() ? nullptr : &*found;
}

std::string libraryPath(const std::string& catalogueType) {
  if (catalogueType.starts_with("Modelica.")) return catalogueType;
  if (const LibraryRow* other = rowOf(libraryTable("other paths"), catalogueType))
    return (*other)[1];
  for (const LibraryRow& package : libraryTable("packages")) {
    const std::string& prefix = package[1];
    if (!catalogueType.starts_with(prefix)) continue;
    const std::string name = catalogueType.substr(prefix.size());
    if (holds(package, 2, name)) return package[0] + "." + name;
  }
  return "";
}

std::string libraryEnumeration(const std::vector<std::string>& literals) {
  // The smallest that has them all.
  const LibraryRow* best = nullptr;
  for (const LibraryRow& e : libraryTable("enumerations")) {
    const auto isThere = [&](const std::string& literal) { return holds(e, 1, literal); };
    if (std::ranges::all_of(literals, isThere) && (!best || e.size() < best->size())) best = &e;
  }
  return best ? best->front() : "";
}

std::optional<KnownType> knownType(const std::string& fullName) {
  static const auto& types = libraryTable("types");
  if (fullName == "Real" || fullName == "Integer" || fullName == "Boolean" || fullName == "String")
    return KnownType{fullName};
  if (!fullName.starts_with("Modelica.")) return std::nullopt;
  if (const LibraryRow* known = rowOf(types, fullName))
    return KnownType{(*known)[1], std::stoi((*known)[2])};
  // Of quantities all names are known.
  const std::string_view package = ownerName(fullName), last = lastName(fullName);
  const bool isOfUnits =
      package.starts_with("Modelica.Units.") || package.starts_with("Modelica.SIunits");
  if (!isOfUnits || package.ends_with(".Conversions") || last == "Conversions" ||
      last == "NonSIunits" || last.empty() || last[0] < 'A' || last[0] > 'Z')
    return std::nullopt;
  return KnownType{"Real"};
}

bool isKnownPackage(std::string_view fullName) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"packages", "ruled packages", "icons"},
      [&](const char* section) {
        return std::ranges::any_of(libraryTable(section), [&](const LibraryRow& package) {
          return isWayTo(fullName, package[0]);
        });
      });
}

bool isIcon(std::string_view fullName) {
  static const auto& icons = libraryTable("icons");
  return rowOf(icons, ownerName(fullName)) != nullptr;
}

bool isUndrawn(std::string_view fullName) {
  static const auto& undrawn = libraryTable("undrawn");
  return rowOf(undrawn, fullName) != nullptr;
}

bool isKnownFunction(std::string_view fullName) {
  const std::string_view package = ownerName(fullName), last = lastName(fullName);
  if (package == "Modelica.Mechanics.MultiBody.Visualizers.Colors.ColorMaps")
    return isOneOf(last, {"jet", "hot", "gray", "spring", "summer", "autumn", "winter"});
  if (package == "Modelica.Mechanics.MultiBody.Visualizers.Advanced.SurfaceCharacteristics")
    return isOneOf(last, {"rectangle", "torus"});
  return fullName.starts_with("Modelica.") && findFunction(fullName) != nullptr;
}

std::string derivedParameter(std::string_view catalogueType, std::string_view name) {
  static const auto& derived = libraryTable("derived");
  for (const LibraryRow& d : derived) {
    if (d[0] == catalogueType && d[1] == name)
      return joined(std::vector(d.begin() + 2, d.end()), " ");
  }
  return "";
}

std::string_view presentName(const std::string& catalogueType, std::string_view name) {
  static const auto& formers = libraryTable("former names");
  for (const LibraryRow& f : formers) {
    if (f[0] == name && holds(f, 2, catalogueType)) return f[1];
  }
  return name;
}

std::string_view physicalConnector(std::string_view fullName) {
  struct Known {
    std::string_view package;
    std::vector<std::string_view> names;
    std::string_view kind;
  };
  static const std::vector<Known> all = {
      {"Modelica.Mechanics.MultiBody.Interfaces",
       {"Frame", "Frame_a", "Frame_b", "Frame_resolve"},
       "frame"},
      {"Modelica.Mechanics.Rotational.Interfaces",
       {"Flange", "Flange_a", "Flange_b", "Support", "InternalSupport"},
       "rotational flange"},
      {"Modelica.Mechanics.Translational.Interfaces",
       {"Flange", "Flange_a", "Flange_b", "Support"},
       "translational flange"},
      {"Modelica.Electrical.Analog.Interfaces", {"Pin", "PositivePin", "NegativePin"}, "pin"},
      {"Modelica.Thermal.HeatTransfer.Interfaces",
       {"HeatPort", "HeatPort_a", "HeatPort_b"},
       "heat port"},
  };
  const auto known = std::ranges::find(all, ownerName(fullName), &Known::package);
  const bool isIt = known != all.end() &&
                    std::ranges::find(known->names, lastName(fullName)) != known->names.end();
  return isIt ? known->kind : "";
}

}  // namespace cardan::modelica
