/// Scopes: names of a file that is read once, and of parts of it that are read several times.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/robots/mjcf/source.h"

namespace cardan::robots::mjcf {

/// What has names that others refer to.
enum class Named { body, joint, site, geom, tendon };
constexpr size_t kKindsOfNames = 5;

/// The names of one copy of a part of a file, which stand for things with longer names: what is
/// replicated gets something behind its names, what is attached something in front of them.
struct Scope {
  const Source* source = nullptr;
  int around = -1;  ///< the scope that it is in; -1: that of the robot itself
  std::string prefix, suffix;
  std::map<std::string, int> names[kKindsOfNames];  ///< by Named: indices, by the names in the file
};

class Scopes {
 public:
  explicit Scopes(const Source& source) { scopes_.emplace_back().source = &source; }

  /// A new one inside of `around`.
  int add(int around, const Source& source, const std::string& prefix, const std::string& suffix) {
    Scope scope;
    scope.source = &source;
    scope.around = around;
    scope.prefix = scopes_[around].prefix + prefix;
    scope.suffix = suffix + scopes_[around].suffix;
    scopes_.push_back(std::move(scope));
    return count() - 1;
  }
  const Scope& operator[](int scope) const { return scopes_[scope]; }
  int count() const { return std::ssize(scopes_); }

  std::string fullName(int scope, const std::string& name) const {
    return name.empty() ? "" : scopes_[scope].prefix + name + scopes_[scope].suffix;
  }
  /// False where another one has the full name.
  bool define(int scope, Named what, const std::string& name, int index) {
    const auto kind = static_cast<size_t>(what);
    scopes_[scope].names[kind].emplace(name, index);
    return full_[kind].emplace(fullName(scope, name), index).second;
  }
  /// What a name means in a scope; `isOwn`, if given, becomes true where it is of that scope itself.
  std::optional<int> find(int scope, Named what, const std::string& name,
                          bool* isOwn = nullptr) const {
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
  /// True of names that a copy of a part of this source has.
  bool isInCopy(const Source& source, Named what, const std::string& name) const {
    return std::any_of(scopes_.begin() + 1, scopes_.end(), [&](const Scope& s) {
      return s.source == &source && s.names[static_cast<size_t>(what)].contains(name);
    });
  }
  /// For messages.
  std::vector<std::string> allNames(Named what) const {
    std::vector<std::string> names;
    for (const auto& [name, unused] : full_[static_cast<size_t>(what)]) names.push_back(name);
    return names;
  }

 private:
  std::vector<Scope> scopes_;
  std::map<std::string, int> full_[kKindsOfNames];
};

}  // namespace cardan::robots::mjcf
