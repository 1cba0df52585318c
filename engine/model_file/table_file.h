/// Tables that stand in files of their own: MSL's text format, and CSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/parameter_reader.h"
#include "engine/text/diagnostics.h"

namespace cardan {

/// What a file says: a matrix, and where its rows begin.
struct TableOfFile {
  Eigen::MatrixXd values;
  std::vector<SourceMark> rows;  ///< one a row
};

/// Reads the table that `wanted` names from the file at `path`; `wanted.fileName` is not looked at.
///
/// Text as MSL has it: a first line `#1`, then tables of the form `double NAME(rows,columns)` (or
/// `float`) and their numbers row by row, separated by blanks, commas or line ends; `#` begins a
/// comment. A file .stl or .obj has a row for each triangle, of the nine coordinates of its corners.
/// MATLAB's files of versions 4 to 6 have tables by the names of their matrices.
/// Anything else is CSV: a row a line, separated by commas, semicolons (decimal commas then
/// count as points), tabs or blanks; lines with `#` at their beginning are comments.
/// Reports every mistake at its place in the file, and returns nothing then.
std::optional<TableOfFile> readTableFile(const std::string& path, const TableFile& wanted,
                                         Diagnostics& diagnostics);
/// The same from the text of a file.
std::optional<TableOfFile> parseTableFile(std::string_view text, const std::string& path,
                                          const TableFile& wanted, Diagnostics& diagnostics);

}  // namespace cardan
