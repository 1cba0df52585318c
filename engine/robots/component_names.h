/// ComponentNames: names of a file as legal, unique names of components.
#pragma once

#include <map>
#include <set>
#include <string>

namespace cardan::robots {

class ComponentNames {
 public:
  /// Every character but letters, digits and '_' becomes '_', a digit in front gets a '_' before
  /// it. Where that is taken, or a word of expressions, `suffix` goes behind, and if need be _2, _3, ...
  std::string take(const std::string& nameInFile, const std::string& suffix);

 private:
  std::set<std::string> taken_{"world"};
  std::map<std::string, int> last_;  ///< number behind a name
};

/// A name with letters, digits and '_' only.
std::string legalName(const std::string& nameInFile);

}  // namespace cardan::robots
