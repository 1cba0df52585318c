/// Tables as text, and cells of those in Markdown.
#pragma once

#include <string>
#include <vector>

namespace cardan {

/// Columns as wide as their widest cell, up to `widest`, two blanks between them; each line begins with
/// `indent`. Pre: all rows are as long as the first
std::string textTable(const std::vector<std::vector<std::string>>& rows,
                      const std::string& indent = "", size_t widest = std::string::npos);
/// `text` as one cell: nothing in it ends the cell or the line.
std::string cell(std::string text);

}  // namespace cardan
