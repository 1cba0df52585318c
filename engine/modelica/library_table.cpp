#include "engine/modelica/library_table.h"

#include <map>
#include <sstream>

#include "engine/modelica/embedded_modelica.h"

namespace cardan::modelica {
namespace {

using LibrarySections = std::map<std::string, std::vector<LibraryRow>>;

LibrarySections readSections() {
  LibrarySections all;
  std::vector<LibraryRow>* rows = nullptr;
  std::istringstream text{std::string(embeddedModelica("library.txt"))};
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.ends_with(':')) {
      line.pop_back();
      rows = &all[line];
      continue;
    }
    const bool goesOn = line.starts_with(' ');
    LibraryRow& row = goesOn ? rows->back() : rows->emplace_back();
    std::istringstream words(line);
    for (std::string word; words >> word;) row.push_back(word == "\"\"" ? "" : word);
  }
  return all;
}

}  // namespace

const std::vector<LibraryRow>& libraryTable(const std::string& section) {
  static const LibrarySections all = readSections();
  return all.at(section);
}

}  // namespace cardan::modelica
