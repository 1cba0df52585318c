#include "engine/robots/mjcf/scopes.h"

#include <algorithm>

namespace cardan::robots::mjcf {

int Scopes::add(int around, const Source& source, const std::string& prefix,
                const std::string& suffix) {
  Scope scope;
  scope.source = &source;
  scope.around = around;
  scope.prefix = scopes_[around].prefix + prefix;
  scope.suffix = suffix + scopes_[around].suffix;
  scopes_.push_back(std::move(scope));
  return count() - 1;
}

std::string Scopes::fullName(int scope, const std::string& name) const {
  return name.empty() ? "" : scopes_[scope].prefix + name + scopes_[scope].suffix;
}

bool Scopes::define(int scope, Named what, const std::string& name, int index) {
  const auto kind = static_cast<size_t>(what);
  scopes_[scope].names[kind].emplace(name, index);
  return full_[kind].emplace(fullName(scope, name), index).second;
}

std::optional<int> Scopes::find(int scope, Named what, const std::string& name, bool* isOwn) const {
  const auto kind = static_cast<size_t>(what);
  const Source* source = scopes_[scope].source;
  for (int s = scope; s >= 0 && scopes_[s].source == source; s = scopes_[s].around) {
    const auto found = scopes_[s].names[kind].find(name);
    if (found == scopes_[s].names[kind].end()) continue;
    if (isOwn && s == scope) *isOwn = true;
    return found->second;
  }
  const auto found = full_[kind].find(name);
  if (source != scopes_[0].source || found == full_[kind].end()) return std::nullopt;
  return found->second;
}

bool Scopes::isInCopy(const Source& source, Named what, const std::string& name) const {
  return std::any_of(scopes_.begin() + 1, scopes_.end(), [&](const Scope& s) {
    return s.source == &source && s.names[static_cast<size_t>(what)].contains(name);
  });
}

std::vector<std::string> Scopes::allNames(Named what) const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : full_[static_cast<size_t>(what)]) names.push_back(name);
  return names;
}

}  // namespace cardan::robots::mjcf
