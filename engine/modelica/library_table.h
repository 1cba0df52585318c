/// LibraryTable: what is known of the Modelica Standard Library by name, as library.txt says it.
#pragma once

#include <string>
#include <vector>

namespace cardan::modelica {

/// The words of one row.
using LibraryRow = std::vector<std::string>;

/// The rows of a section of library.txt, in their order.
/// Pre: there is such a section
const std::vector<LibraryRow>& libraryTable(const std::string& section);

}  // namespace cardan::modelica
