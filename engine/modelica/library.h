/// Library: the classes of all files at hand, by their full names; files are read when a name asks
/// for them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/modelica/syntax.h"

namespace cardan::modelica {

class Library {
 public:
  /// `diagnostics` outlives the library, and gets the mistakes of all files that are read.
  explicit Library(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// A folder with packages in it, or the folder of a package.
  void addFolder(const std::string& folder);
  /// Reads a file, and makes the package around it known. Its classes, in their order; none after a
  /// mistake.
  std::vector<ClassDefinition*> readFile(const std::string& path);
  /// The same from a text.
  std::vector<ClassDefinition*> readText(std::string_view text, const std::string& name);

  /// The class of this full name, or null.
  const ClassDefinition* find(const std::string& fullName);
  /// The path of `modelica://Package.Inner/Resources/file`; of any other text itself. Nothing where no
  /// folder of that package is known.
  std::optional<std::string> resource(const std::string& uri);
  /// Files that were read.
  const std::vector<std::string>& files() const { return files_; }
  /// True if a file had a mistake.
  bool hasFailed() const { return failed_; }

 private:
  std::vector<ClassDefinition*> add(StoredDefinition stored, const std::string& within,
                                    bool isGiven);
  void place(ClassDefinition& c, ClassDefinition* parent, const std::string& fullName);
  void load(const std::string& path, const std::string& within);
  void loadMember(const std::string& folder, const std::string& within, const std::string& name);
  std::vector<std::string> topFolders(const std::string& name) const;

  Diagnostics& diagnostics_;
  std::vector<std::string> roots_;              ///< folders with packages in them
  std::map<std::string, std::string> folders_;  ///< of packages, by full name
  std::map<std::string, ClassDefinition*, std::less<>> classes_;
  std::vector<std::shared_ptr<ClassDefinition>> owned_;
  std::set<std::string> asked_;  ///< names that were looked for in files
  std::set<std::string> read_;   ///< files that were read, as canonical paths
  std::vector<std::string> files_;
  bool failed_ = false;
};

}  // namespace cardan::modelica
