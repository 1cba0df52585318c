/// The files of the page, which are part of the program: its own, those of the picture, and of Debian's
/// packages with their licences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardan::studio {

struct PageFile {
  std::string target;  ///< "/editor.js"
  std::string type;
  std::string_view content;
};
std::vector<PageFile> pageFiles();

/// Content of a file by its name, of those that the build has embedded.
std::string_view studioFile(std::string_view name);

}  // namespace cardan::studio
