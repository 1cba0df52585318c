/// A report as a page: tables, remarks and a picture.
#pragma once

#include <string>
#include <vector>

namespace cardan {

/// The HTML file, which needs nothing else. `tables`: rows of cells, the first of each its header; `svg`: the
/// picture.
std::string reportPage(const std::string& title,
                       const std::vector<std::vector<std::vector<std::string>>>& tables,
                       const std::string& summary, const std::vector<std::string>& remarks,
                       const std::string& svg);

/// Refuses files that are none of .html, .svg and .json.
void checkReports(const std::vector<std::string>& files);

}  // namespace cardan
