#include "engine/results/output_selection.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "engine/equations/equations.h"
#include "engine/equations/model.h"
#include "engine/text/glob.h"

namespace cardan {
namespace {

struct ByPlace {
  bool operator()(const VariableElement& a, const VariableElement& b) const {
    return std::tie(a.variable, a.element) < std::tie(b.variable, b.element);
  }
};
using Elements = std::set<VariableElement, ByPlace>;

/// Finds what patterns name.
class NameSearch {
 public:
  explicit NameSearch(const Model& model)
      : description_(model.description()), table_(model.assembly().variables) {}

  std::vector<NamedElement> operator()(const std::string& pattern) {
    return isGlob(pattern) ? byGlob(pattern) : byName(pattern);
  }

  /// Of all variables, other names among them; in the order of the letters.
  const std::vector<std::string>& names() {
    if (names_.empty()) {
      names_ = table_.names();
      std::sort(names_.begin(), names_.end());
    }
    return names_;
  }

 private:
  std::string indices(VariableElement e) const {
    return table_.nameOf(e).substr(table_[e.variable].name.size());
  }

  /// Kept as it was written.
  std::vector<NamedElement> byName(const std::string& name) const {
    std::vector<NamedElement> chosen;
    const std::vector<VariableElement> found = table_.elements(description_.withoutAliases(name));
    for (const VariableElement e : found) {
      chosen.push_back({found.size() > 1 ? name + indices(e) : name, e});
    }
    return chosen;
  }

  /// Own names first, then other ones, then those below the connectors of submodels.
  std::vector<NamedElement> byGlob(const std::string& glob) {
    std::vector<NamedElement> chosen;
    Elements known;
    auto add = [&](const std::string& name) {
      for (const NamedElement& e : byName(name)) {
        const bool asked = matchesGlob(name, glob) || matchesGlob(e.name, glob);
        if (asked && known.insert(e.of).second) chosen.push_back(e);
      }
    };
    bool others = false;
    for (const VariableElement e : table_.matching(glob)) {
      const std::string& own = table_[e.variable].name;
      if (!matchesGlob(own, glob) && !matchesGlob(own + indices(e), glob)) {
        others = true;
      } else if (known.insert(e).second) {
        chosen.push_back({own + indices(e), e});
      }
    }
    if (others) {
      for (const std::string& name : names()) add(name);
    }
    for (const auto& [connector, target] : description_.connectorAliases) {
      for (auto name = std::lower_bound(names().begin(), names().end(), target);
           name != names().end() && name->starts_with(target); ++name) {
        const std::string rest = name->substr(target.size());
        if (rest.empty() || rest[0] == '.') add(connector + rest);
      }
    }
    return chosen;
  }

  const ModelSource& description_;
  const VariableTable& table_;
  std::vector<std::string> names_;  // filled where they are needed
};

std::vector<NamedElement> defaultOutputs(const Model& model) {
  const VariableTable& table = model.assembly().variables;
  std::vector<NamedElement> chosen;
  for (const Layout::Unknown& u : model.assembly().equations->layout().unknowns) {
    if (!u.differential) continue;
    for (const VariableElement e : table.elements(u.name)) chosen.push_back({table.nameOf(e), e});
  }
  for (int v : table.results()) {
    for (int k = 0; k < table[v].size; ++k) chosen.push_back({table.nameOf({v, k}), {v, k}});
  }
  return chosen;
}

/// With every * as **.
std::string acrossDots(const std::string& glob) {
  std::string wide;
  for (const char c : glob) wide += c == '*' ? "**" : std::string(1, c);
  return wide;
}

}  // namespace

std::vector<NamedElement> selectOutputs(const Model& model,
                                        const std::vector<OutputPattern>& patterns,
                                        Diagnostics& diagnostics) {
  std::vector<NamedElement> chosen;
  Elements excluded;
  NameSearch find(model);
  bool asks = false;
  for (const OutputPattern& p : patterns) {
    const bool excludes = p.pattern.starts_with('!');
    const std::string pattern = excludes ? p.pattern.substr(1) : p.pattern;
    const std::vector<NamedElement> found = find(pattern);
    if (found.empty()) {
      std::string hint;
      if (isGlob(pattern)) {
        if (!find(acrossDots(pattern)).empty()) {
          hint = "; '*' stays within one name, '**' goes on across its dots";
        }
      } else {
        hint = diagnostics.suggestion(
            pattern, [&]() -> auto& { return find.names(); });
      }
      diagnostics.error(p.at, "no variable '" + pattern + "'" + hint);
      continue;
    }
    asks = asks || !excludes;
    for (const NamedElement& e : found) {
      if (excludes) {
        excluded.insert(e.of);
      } else {
        chosen.push_back(e);
      }
    }
  }
  if (!asks) chosen = defaultOutputs(model);
  std::set<std::string> names;
  std::erase_if(chosen, [&](const NamedElement& e) {
    return excluded.contains(e.of) || !names.insert(e.name).second;
  });
  return chosen;
}

}  // namespace cardan
