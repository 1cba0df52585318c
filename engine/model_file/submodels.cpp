#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/model_file/known_keys.h"
#include "engine/model_file/sections.h"
#include "engine/text/one_spelling.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDeepestInclude = 50;  ///< reading recurses from file to file
constexpr size_t kMostFiles = 1000;
constexpr size_t kMostValues = 2 * kMaxYamlNodes;  ///< of all files together

size_t valuesIn(const YamlNode& node) {
  size_t n = 1;
  for (const YamlNode& item : node.items) n += valuesIn(item);
  for (const YamlNode::Entry& entry : node.entries) n += valuesIn(entry.value);
  return n;
}

/// Collects submodels from a file and what it includes.
class SubmodelReader {
 public:
  explicit SubmodelReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  Submodels take() { return std::move(submodels_); }
  std::vector<std::string> takeFiles() { return std::move(files_); }

  void readFile(const YamlNode& root, const std::string& path) {
    chain_.push_back({oneSpelling(path), path});
    done_.insert(chain_.back().canonical);
    readIncludes(root.find("include"), path);
    readDefinitions(root.find("submodels"));
    chain_.pop_back();
  }

 private:
  struct File {
    std::string canonical;
    std::string path;
  };

  void readIncludes(const YamlNode* section, const std::string& path) {
    if (!section || section->isNull()) return;
    if (section->isScalar()) {
      include(*section, path);
    } else if (isSectionList(section, "include", "of files", diagnostics_)) {
      for (const YamlNode& item : section->items) include(item, path);
    }
  }

  void include(const YamlNode& item, const std::string& from) {
    const auto text = readText(item, "an entry of 'include'", "the path of a file", diagnostics_);
    if (!text) return;
    if (text->find('\0') != std::string::npos) {
      diagnostics_.error(item.mark(), "the path of a file must not hold the character 0x00");
      return;
    }
    // Relative to the file that says so, which may be one that this file extends.
    const fs::path folder = fs::path(item.file ? *item.file : from).parent_path();
    const std::string path = (folder / *text).lexically_normal().string();
    const std::string file = oneSpelling(path);
    const auto open = std::find_if(chain_.begin(), chain_.end(),
                                   [&](const File& f) { return f.canonical == file; });
    if (open != chain_.end()) {
      std::string circle;
      for (auto f = open; f != chain_.end(); ++f) circle += f->path + " -> ";
      diagnostics_.error(item.mark(), "a file must not include itself: " + circle + path);
      return;
    }
    if (done_.count(file) > 0) return;  // two files may include the same third one
    if (chain_.size() > kDeepestInclude || done_.size() >= kMostFiles) {
      const bool deep = chain_.size() > kDeepestInclude;
      diagnostics_.error(item.mark(), deep ? "includes must not be nested deeper than " +
                                                 std::to_string(kDeepestInclude) + " files"
                                           : "a model must not include more than " +
                                                 std::to_string(kMostFiles) + " files");
      return;
    }
    std::error_code ignored;
    if (!fs::exists(path, ignored) || fs::is_directory(path, ignored)) {
      done_.insert(file);
      diagnostics_.error(item.mark(), "cannot read the included file '" + path + "'");
      return;
    }
    done_.insert(file);
    files_.push_back(path);
    const auto root = readYaml(path, diagnostics_);
    if (!root) return;
    values_ += valuesIn(*root);
    if (values_ > kMostValues) {
      diagnostics_.error(item.mark(), "the included files must not hold more than " +
                                          std::to_string(kMostValues) + " values in all");
      return;
    }
    checkTopLevel(*root, diagnostics_);
    readFile(*root, path);
  }

  void readDefinitions(const YamlNode* section) {
    if (!isSectionMap(section, "submodels", "of 'Name: {components: ...}'", diagnostics_)) return;
    for (const YamlNode::Entry& entry : section->entries) {
      if (!isName(entry.key)) {
        diagnostics_.error(
            entry.keyMark(),
            "a submodel's name must be made of letters, digits and '_', found '" + entry.key + "'");
        continue;
      }
      const auto [found, isNew] = submodels_.try_emplace(entry.key);
      if (!isNew) {
        diagnostics_.error(entry.keyMark(), "submodel '" + entry.key + "' is defined twice");
        diagnostics_.note(found->second.at, "first defined here");
        continue;
      }
      found->second.at = entry.keyMark();
      if (!isSectionMap(&entry.value, entry.key, "of parameters, components, ...", diagnostics_)) {
        if (entry.value.isNull()) {
          diagnostics_.error(entry.keyMark(),
                             "submodel '" + entry.key + "' must have 'components'");
        }
        continue;
      }
      reportDuplicateKeys(entry.value, "section", diagnostics_);
      reportUnknownKeys(entry.value, "section of submodel '" + entry.key + "':", submodelKeys(),
                        diagnostics_);
      found->second.sections = readSections(entry.value, diagnostics_);
    }
  }

  Diagnostics& diagnostics_;
  Submodels submodels_;
  std::vector<File> chain_;
  std::set<std::string> done_;
  size_t values_ = 0;
  std::vector<std::string> files_;  // included ones, as they were opened
};

}  // namespace

void checkTopLevel(const YamlNode& root, Diagnostics& diagnostics) {
  if (!root.isMap()) {
    diagnostics.error(root.mark(),
                      "a model file must be a map of sections, found " + root.describe());
    return;
  }
  reportDuplicateKeys(root, "section", diagnostics);
  reportUnknownKeys(root, "section", topLevelKeys(), diagnostics);
}

Submodels readSubmodels(const YamlNode& root, const std::string& path,
                        std::vector<std::string>& included, Diagnostics& diagnostics) {
  SubmodelReader reader(diagnostics);
  reader.readFile(root, path);
  included = reader.takeFiles();
  return reader.take();
}

}  // namespace cardan
