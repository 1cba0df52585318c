#include "engine/modelica/known_classes.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <vector>

#include "components/names.h"
#include "engine/expression/functions.h"

namespace cardan::modelica {
namespace {

/// A package of the library, and what stands in front of its classes' names in the catalogue.
struct PackageOfLibrary {
  std::string_view name;
  std::string_view prefix;
};
constexpr PackageOfLibrary kPackagesOfLibrary[] = {
    {"Modelica.Mechanics.MultiBody", ""},
    {"Modelica.Mechanics.MultiBody.Parts", ""},
    {"Modelica.Mechanics.MultiBody.Joints", ""},
    {"Modelica.Mechanics.MultiBody.Joints.Assemblies", ""},
    {"Modelica.Mechanics.MultiBody.Joints.Constraints", "Constraints."},
    {"Modelica.Mechanics.MultiBody.Forces", ""},
    {"Modelica.Mechanics.MultiBody.Sensors", ""},
    {"Modelica.Mechanics.MultiBody.Visualizers", "Visualizers."},
    {"Modelica.Mechanics.MultiBody.Visualizers.Advanced", "Visualizers.Advanced."},
    {"Modelica.Mechanics.MultiBody.Examples.Loops.Utilities", "Examples.Loops.Utilities."},
    {"Modelica.Mechanics.Rotational.Components", "Rotational."},
    {"Modelica.Mechanics.Rotational.Sensors", "Rotational."},
    {"Modelica.Mechanics.Rotational.Sources", "Rotational."},
    {"Modelica.Mechanics.Translational.Components", "Translational."},
    {"Modelica.Mechanics.Translational.Sensors", "Translational."},
    {"Modelica.Mechanics.Translational.Sources", "Translational."},
    {"Modelica.Blocks.Continuous", "Blocks."},
    {"Modelica.Blocks.Discrete", "Blocks."},
    {"Modelica.Blocks.Logical", "Blocks."},
    {"Modelica.Blocks.Math", "Blocks."},
    {"Modelica.Blocks.Math.UnitConversions", "Blocks."},
    {"Modelica.Blocks.Nonlinear", "Blocks."},
    {"Modelica.Blocks.Routing", "Blocks."},
    {"Modelica.Blocks.Sources", "Blocks."},
    {"Modelica.Blocks.Tables", "Blocks."},
    {"Modelica.Electrical.Analog.Basic", "Analog."},
    {"Modelica.Electrical.Analog.Ideal", "Analog."},
    {"Modelica.Electrical.Analog.Semiconductors", "Analog."},
    {"Modelica.Electrical.Analog.Sensors", "Analog."},
    {"Modelica.Electrical.Analog.Sources", "Analog."},
    {"Modelica.Electrical.Machines.BasicMachines.DCMachines", "Machines."},
    {"Modelica.Thermal.HeatTransfer.Components", "Thermal."},
    {"Modelica.Thermal.HeatTransfer.Sensors", "Thermal."},
    {"Modelica.Thermal.HeatTransfer.Sources", "Thermal."},
    {"Modelica.Thermal.HeatTransfer.Celsius", "Thermal.Celsius."},
};

/// Packages whose content is known by rules, but for those of library.mo.
constexpr std::string_view kRuledPackages[] = {
    "Modelica.Units.SI",
    "Modelica.Units.NonSI",
    "Modelica.Units.Conversions",
    "Modelica.SIunits",
    "Modelica.SIunits.Conversions",
    "Modelica.SIunits.Conversions.NonSIunits",
    "Modelica.Icons",
    "Modelica.Mechanics.MultiBody.Frames",
    "Modelica.Mechanics.MultiBody.Frames.Quaternions",
    "Modelica.Mechanics.MultiBody.Frames.TransformationMatrices",
    "Modelica.Mechanics.MultiBody.Visualizers.Advanced.SurfaceCharacteristics",
    "Modelica.Mechanics.MultiBody.Visualizers.Internal",
    "Modelica.Mechanics.MultiBody.Visualizers.Colors.ColorMaps",
    "Modelica.Mechanics.Translational.Types",
};

/// Classes that have, or had, another name than in the catalogue.
const std::map<std::string_view, std::string_view> kOtherNames = {
    {"Modelica.Electrical.Analog.Basic.EMF", "Analog.RotationalEMF"},
    {"Modelica.Blocks.Tables.CombiTable1D", "Blocks.CombiTable1Dv"},
    {"Modelica.Blocks.Tables.CombiTable2D", "Blocks.CombiTable2Ds"},
    {"Modelica.Blocks.Discrete.TransferFunction", "Blocks.Discrete.TransferFunction"},
    {"Modelica.Blocks.Discrete.StateSpace", "Blocks.Discrete.StateSpace"},
    {"Modelica.Mechanics.MultiBody.Joints.RollingWheel", "Joints.RollingWheel"},
    {"Modelica.Mechanics.MultiBody.Joints.RollingWheelSet", "Joints.RollingWheelSet"},
};

const std::map<std::string_view, KnownType> kMultiBodyTypes = {
    {"Axis", {"Real", 3}},     {"AxisLabel", {"String"}},  {"RotationSequence", {"Integer", 3}},
    {"Color", {"Real", 3}},    {"RealColor", {"Real", 3}}, {"SpecularCoefficient", {"Real"}},
    {"ShapeType", {"String"}}, {"ShapeExtra", {"Real"}},
};

constexpr std::string_view kIconPackages[] = {
    "Modelica.Icons.",
    "Modelica.Blocks.Icons.",
    "Modelica.Mechanics.Rotational.Icons.",
    "Modelica.Mechanics.Translational.Icons.",
    "Modelica.Mechanics.MultiBody.Icons.",
    "Modelica.Electrical.Analog.Icons.",
    "Modelica.Electrical.Machines.Icons.",
    "Modelica.Thermal.HeatTransfer.Icons.",
};

struct Derived {
  std::string_view type, name, expression;
};

/// Parameters that the library derives from others.
constexpr Derived kDerived[] = {
    {"BodyShape", "body.m", "m"},
    {"BodyShape", "body.r_CM", "r_CM"},
    {"BodyShape", "body.I_11", "I_11"},
    {"BodyShape", "body.I_22", "I_22"},
    {"BodyShape", "body.I_33", "I_33"},
    {"BodyShape", "body.I_21", "I_21"},
    {"BodyShape", "body.I_31", "I_31"},
    {"BodyShape", "body.I_32", "I_32"},
    {"BodyShape", "frameTranslation.r", "r"},
    {"BodyCylinder", "body.m", "m"},
    {"BodyCylinder", "frameTranslation.r", "r"},
    {"BodyBox", "body.m", "m"},
    {"BodyBox", "frameTranslation.r", "r"},
    {"BodyCylinder", "r_shape", "{0, 0, 0}"},
    {"BodyCylinder", "lengthDirection", "r - r_shape"},
    {"BodyCylinder", "length", "norm(r - r_shape)"},
    {"BodyCylinder", "diameter", "length/20"},
    {"BodyCylinder", "innerDiameter", "0"},
    {"BodyCylinder", "density", "7700"},
    {"BodyCylinder", "m", "density*pi*length/4*(diameter^2 - innerDiameter^2)"},
    {"BodyCylinder", "I11", "density*pi*length/32*(diameter^4 - innerDiameter^4)"},
    {"BodyCylinder", "I22",
     "density*pi*length/48*(diameter^2*(length^2 + 0.75*diameter^2)"
     " - innerDiameter^2*(length^2 + 0.75*innerDiameter^2))"},
    {"BodyCylinder", "I",
     "Frames.resolveDyade1(Frames.from_nxy(lengthDirection, {0, 1, 0}),"
     " diagonal({I11, I22, I22}))"},
    {"BodyBox", "r_shape", "{0, 0, 0}"},
    {"BodyBox", "lengthDirection", "r - r_shape"},
    {"BodyBox", "widthDirection", "{0, 1, 0}"},
    {"BodyBox", "length", "norm(r - r_shape)"},
    {"BodyBox", "width", "length/20"},
    {"BodyBox", "height", "width"},
    {"BodyBox", "innerWidth", "0"},
    {"BodyBox", "innerHeight", "innerWidth"},
    {"BodyBox", "density", "7700"},
    {"BodyBox", "m", "density*length*(width*height - innerWidth*innerHeight)"},
    {"BodyBox", "I11",
     "density*length/12*(width*height*(width^2 + height^2)"
     " - innerWidth*innerHeight*(innerWidth^2 + innerHeight^2))"},
    {"BodyBox", "I22",
     "density*length/12*(width*height*(length^2 + height^2)"
     " - innerWidth*innerHeight*(length^2 + innerHeight^2))"},
    {"BodyBox", "I33",
     "density*length/12*(width*height*(length^2 + width^2)"
     " - innerWidth*innerHeight*(length^2 + innerWidth^2))"},
    {"BodyBox", "I",
     "Frames.resolveDyade1(Frames.from_nxy(lengthDirection, widthDirection),"
     " diagonal({I11, I22, I33}))"},
    {"JointUPS", "nAxis_ia", "{1, 0, 0}"},
    {"JointUPS", "eAxis_ia", "normalize(nAxis_ia)"},
    {"JointUSR", "rRod1_ia", "{1, 0, 0}"},
    {"JointUSR", "eRod1_ia", "normalize(rRod1_ia)"},
    {"JointUSP", "rRod1_ia", "{1, 0, 0}"},
    {"JointUSP", "eRod1_ia", "normalize(rRod1_ia)"},
};

bool isWayTo(std::string_view path, std::string_view target) {
  return target == path ||
         (target.size() > path.size() && target.starts_with(path) && target[path.size()] == '.');
}

std::string_view packageOf(std::string_view fullName) {
  const size_t dot = fullName.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : fullName.substr(0, dot);
}

}  // namespace

KnownClasses::KnownClasses(const Catalogue& catalogue) : catalogue_(catalogue) {
  for (const CatalogueEntry& e : catalogue) types_.insert(e.type);
}

std::string KnownClasses::catalogueType(const std::string& fullName) const {
  if (!fullName.starts_with("Modelica.")) return "";
  if (const auto other = kOtherNames.find(fullName); other != kOtherNames.end())
    return std::string(other->second);
  const std::string_view package = packageOf(fullName);
  for (const PackageOfLibrary& p : kPackagesOfLibrary) {
    if (p.name != package) continue;
    std::string type = std::string(p.prefix) + std::string(lastName(fullName));
    if (!types_.contains(type)) return "";
    // World alone stands beside the packages.
    const bool isTop = package == "Modelica.Mechanics.MultiBody";
    return isTop == (type == "World") ? type : "";
  }
  return "";
}

const CatalogueEntry* KnownClasses::entry(const std::string& type) const {
  for (const CatalogueEntry& e : catalogue_) {
    if (e.type == type) return &e;
  }
  return nullptr;
}

std::optional<KnownType> knownType(const std::string& fullName) {
  if (fullName == "Real" || fullName == "Integer" || fullName == "Boolean" || fullName == "String")
    return KnownType{fullName};
  const std::string_view package = packageOf(fullName), last = lastName(fullName);
  if (package == "Modelica.Mechanics.MultiBody.Types") {
    const auto known = kMultiBodyTypes.find(last);
    if (known != kMultiBodyTypes.end()) return known->second;
    return std::nullopt;
  }
  if (package == "Modelica.Mechanics.MultiBody.Frames" && last == "Orientation")
    return KnownType{"Orientation"};
  if (package == "Modelica.Mechanics.MultiBody.Frames.Quaternions" && last == "Orientation")
    return KnownType{"Real", 4};
  if (fullName == "Modelica.Electrical.Machines.Thermal.LinearTemperatureCoefficient20")
    return KnownType{"Real"};
  if (package.starts_with("Modelica.Units.") || package.starts_with("Modelica.SIunits")) {
    if (package.ends_with(".Conversions") || last == "Conversions" || last == "NonSIunits" ||
        last.empty() || last[0] < 'A' || last[0] > 'Z')
      return std::nullopt;
    return KnownType{"Real"};
  }
  return std::nullopt;
}

bool isKnownPackage(std::string_view fullName) {
  for (const PackageOfLibrary& p : kPackagesOfLibrary) {
    if (isWayTo(fullName, p.name)) return true;
  }
  for (const std::string_view p : kRuledPackages) {
    if (isWayTo(fullName, p)) return true;
  }
  for (const std::string_view p : kIconPackages) {
    if (isWayTo(fullName, p.substr(0, p.size() - 1))) return true;
  }
  return false;
}

bool isIcon(std::string_view fullName) {
  for (const std::string_view p : kIconPackages) {
    if (fullName.starts_with(p) && fullName.find('.', p.size()) == std::string_view::npos)
      return true;
  }
  return false;
}

bool isUndrawn(std::string_view fullName) {
  static constexpr std::string_view all[] = {
      "Modelica.Mechanics.MultiBody.Visualizers.Advanced.Vector",
      "Modelica.Mechanics.MultiBody.Visualizers.Internal.FixedLines",
      "Modelica.Mechanics.MultiBody.Visualizers.Internal.Lines",
      "Modelica.Mechanics.MultiBody.Visualizers.Ground",
  };
  return std::ranges::find(all, fullName) != std::end(all);
}

bool isKnownFunction(std::string_view fullName) {
  const std::string_view package = packageOf(fullName), last = lastName(fullName);
  const auto isOneOf = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, last) != names.end();
  };
  if (package == "Modelica.Mechanics.MultiBody.Visualizers.Colors.ColorMaps")
    return isOneOf({"jet", "hot", "gray", "spring", "summer", "autumn", "winter"});
  if (package == "Modelica.Mechanics.MultiBody.Visualizers.Advanced.SurfaceCharacteristics")
    return isOneOf({"rectangle", "torus"});
  return fullName.starts_with("Modelica.") && findFunction(fullName) != nullptr;
}

std::string_view derivedParameter(std::string_view catalogueType, std::string_view name) {
  for (const Derived& d : kDerived) {
    if (d.type == catalogueType && d.name == name) return d.expression;
  }
  return "";
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
  const std::string_view package = packageOf(fullName), last = lastName(fullName);
  for (const Known& k : all) {
    if (k.package != package) continue;
    for (const std::string_view name : k.names) {
      if (name == last) return k.kind;
    }
  }
  return "";
}

}  // namespace cardan::modelica
