/// Tables as text.
#pragma once

#include <string>
#include <vector>

namespace cardan {

/// Columns as wide as their widest cell, two blanks between them. Pre: all rows are as long as the first
std::string textTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace cardan
