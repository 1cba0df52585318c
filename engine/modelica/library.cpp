#include "engine/modelica/library.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/modelica/parser.h"
#include "engine/text/one_spelling.h"

namespace cardan::modelica {
namespace {

namespace fs = std::filesystem;

std::string joinedName(const std::string& package, const std::string& name) {
  return package.empty() ? name : package + "." + name;
}

bool isFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace

void Library::addFolder(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    diagnostics_.error({folder, 0, 0}, "library: no such folder");
    failed_ = true;
    return;
  }
  // The folder of a package itself stands for the one around it.
  fs::path root = fs::path(folder).lexically_normal();
  if (!root.has_filename()) root = root.parent_path();
  while (isFile(root / "package.mo")) {
    const fs::path above = fs::absolute(root, error).parent_path();
    if (error || above == root) break;
    root = above;
  }
  if (std::find(roots_.begin(), roots_.end(), root.string()) == roots_.end())
    roots_.push_back(root.string());
}

std::vector<ClassDefinition*> Library::readText(std::string_view text, const std::string& name) {
  auto stored = parseModelica(text, name, diagnostics_);
  if (!stored) {
    failed_ = true;
    return {};
  }
  std::string within;
  if (stored->within) {
    for (const std::string& part : *stored->within) within = joinedName(within, part);
  }
  return add(std::move(*stored), within, true);
}

std::vector<ClassDefinition*> Library::readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path)) {
    diagnostics_.error({path, 0, 0}, "cannot read the file");
    failed_ = true;
    return {};
  }
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  read_.insert(oneSpelling(path));
  files_.push_back(path);
  std::error_code error;
  const fs::path folder = fs::absolute(path, error).parent_path();
  if (isFile(folder / "package.mo"))
    addFolder(fs::path(path).has_parent_path() ? fs::path(path).parent_path().string()
                                               : std::string("."));
  std::vector<ClassDefinition*> classes = readText(text, path);
  if (fs::path(path).filename() == "package.mo") {
    for (const ClassDefinition* c : classes) folders_[c->fullName] = folder.string();
  }
  return classes;
}

std::vector<ClassDefinition*> Library::add(StoredDefinition stored, const std::string& within,
                                           bool isGiven) {
  std::vector<ClassDefinition*> result;
  for (const std::shared_ptr<ClassDefinition>& c : stored.classes) {
    const std::string fullName = joinedName(within, c->name);
    if (const auto known = classes_.find(fullName); known != classes_.end()) {
      if (!isGiven) continue;
      diagnostics_.error(c->mark(c->at), "class '" + fullName + "' is defined twice");
      diagnostics_.note(known->second->mark(known->second->at), "first defined here");
      failed_ = true;
      continue;
    }
    owned_.push_back(c);
    place(*c, nullptr, fullName);
    result.push_back(c.get());
  }
  return result;
}

void Library::place(ClassDefinition& c, ClassDefinition* parent, const std::string& fullName) {
  c.parent = parent;
  c.fullName = fullName;
  classes_.emplace(fullName, &c);
  for (const auto& [name, inner] : c.classes) place(*inner, &c, fullName + "." + name);
}

void Library::load(const std::string& path, const std::string& within) {
  if (!read_.insert(oneSpelling(path)).second) return;
  std::ifstream file(path, std::ios::binary);
  if (!file) return;
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  files_.push_back(path);
  auto stored = parseModelica(text, path, diagnostics_);
  if (!stored) {
    failed_ = true;
    return;
  }
  add(std::move(*stored), within, false);
}

/// Where the top-level package may be: `Name`, `Name 4.0.0`.
std::vector<std::string> Library::topFolders(const std::string& name) const {
  std::vector<std::string> found;
  for (const std::string& root : roots_) {
    std::error_code error;
    if (isFile(fs::path(root) / name / "package.mo")) {
      found.push_back((fs::path(root) / name).string());
      continue;
    }
    std::vector<std::string> versions;
    for (const auto& entry : fs::directory_iterator(root, error)) {
      const std::string folder = entry.path().filename().string();
      if (folder.starts_with(name + " ") && isFile(entry.path() / "package.mo"))
        versions.push_back(entry.path().string());
    }
    if (!versions.empty()) found.push_back(*std::max_element(versions.begin(), versions.end()));
  }
  return found;
}

void Library::loadMember(const std::string& folder, const std::string& within,
                         const std::string& name) {
  const fs::path file = fs::path(folder) / (name + ".mo");
  const fs::path package = fs::path(folder) / name / "package.mo";
  if (isFile(package)) {
    folders_[joinedName(within, name)] = (fs::path(folder) / name).string();
    load(package.string(), within);
  } else if (isFile(file)) {
    load(file.string(), within);
  }
}

const ClassDefinition* Library::find(const std::string& fullName) {
  if (const auto known = classes_.find(fullName); known != classes_.end()) return known->second;
  if (roots_.empty() && folders_.empty()) return nullptr;
  if (!asked_.insert(fullName).second) return nullptr;
  const size_t dot = fullName.rfind('.');
  if (dot == std::string::npos) {
    for (const std::string& folder : topFolders(fullName)) {
      folders_.emplace(fullName, folder);
      load((fs::path(folder) / "package.mo").string(), "");
    }
    if (!classes_.contains(fullName)) {
      for (const std::string& root : roots_) loadMember(root, "", fullName);
    }
  } else {
    const std::string package = fullName.substr(0, dot);
    find(package);
    if (const auto folder = folders_.find(package); folder != folders_.end())
      loadMember(folder->second, package, fullName.substr(dot + 1));
  }
  const auto now = classes_.find(fullName);
  return now == classes_.end() ? nullptr : now->second;
}

std::optional<std::string> Library::resource(const std::string& uri) {
  constexpr std::string_view kFile = "file://", kModelica = "modelica://";
  if (uri.starts_with(kFile)) return uri.substr(kFile.size());
  if (!uri.starts_with(kModelica)) return uri;
  const std::string rest = uri.substr(kModelica.size());
  std::string package = rest.substr(0, rest.find('/'));
  const std::string inside = rest.substr(std::min(package.size() + 1, rest.size()));
  find(package);
  for (;;) {  // what is not a folder of its own stands in a file of the one around it
    if (const auto folder = folders_.find(package); folder != folders_.end()) {
      std::error_code error;
      const fs::path path = fs::absolute(fs::path(folder->second) / inside, error);
      return path.lexically_normal().string();
    }
    const size_t dot = package.rfind('.');
    if (dot == std::string::npos) return std::nullopt;
    package.resize(dot);
  }
}

}  // namespace cardan::modelica
