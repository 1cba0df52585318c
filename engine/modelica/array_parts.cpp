#include "engine/modelica/array_parts.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/expression/tokens.h"

namespace cardan::modelica {
namespace {

using Part = ImportedSections::Part;

/// True of expressions in which `i` or `j` is a name: in an array they would be the index.
bool readsIndex(std::string_view text) {
  TokenError error;
  return std::ranges::any_of(splitTokens(text, error), [](const cardan::Token& t) {
    return t.kind == cardan::TokenKind::name && (t.source == "i" || t.source == "j");
  });
}

bool readsIndex(const YamlNode& n) {
  return readsIndex(n.text) ||
         std::ranges::any_of(n.items, [](const YamlNode& item) { return readsIndex(item); }) ||
         std::ranges::any_of(n.entries, [](const auto& e) { return readsIndex(e.value); });
}

/// The name without its last index where that is `[n]`; "" otherwise.
std::string arrayName(const std::string& name, size_t n) {
  const std::string index = "[" + std::to_string(n) + "]";
  return name.ends_with(index) ? name.substr(0, name.size() - index.size()) : "";
}

}  // namespace

void joinArrays(ImportedSections& sections) {
  std::vector<Part> joined;
  std::vector<Part>& all = sections.components;
  for (size_t k = 0; k < all.size();) {
    const std::string base = arrayName(all[k].name, 1);
    size_t count = 1;
    bool isAlike = !base.empty() && !readsIndex(all[k].arguments);
    while (!base.empty() && k + count < all.size() &&
           arrayName(all[k + count].name, count + 1) == base) {
      const Part& other = all[k + count];
      isAlike =
          isAlike && other.type == all[k].type && saysTheSame(other.arguments, all[k].arguments);
      ++count;
    }
    if (isAlike && count > 1) {
      Part one = all[k];
      one.name = base;
      addEntry(one.arguments, "count", textNode(std::to_string(count), one.at), one.at);
      joined.push_back(std::move(one));
    } else {
      for (size_t i = k; i < k + count; ++i) joined.push_back(std::move(all[i]));
    }
    k += count;
  }
  all = std::move(joined);
}

}  // namespace cardan::modelica
