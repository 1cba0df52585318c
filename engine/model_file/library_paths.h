/// Where the classes of the catalogue stand in the Modelica Standard Library 4.0.
#pragma once

#include <string>
#include <vector>

namespace cardan {

/// "Revolute" -> "Modelica.Mechanics.MultiBody.Joints.Revolute"; "" of what the library has not.
std::string libraryPath(const std::string& catalogueType);

/// The enumeration of the library with these literals, as a name that goes in front of one:
/// "Modelica.Mechanics.MultiBody.Types.ResolveInFrameA"; "" if there is none.
std::string libraryEnumeration(const std::vector<std::string>& literals);

}  // namespace cardan
