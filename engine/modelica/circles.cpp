#include "engine/modelica/circles.h"

#include <map>
#include <string>

#include "engine/expression/expression.h"

namespace cardan::modelica {
namespace {

using Places = std::map<std::string, size_t, std::less<>>;

/// The variables that an expression names, whole or an element.
std::vector<size_t> namedIn(const std::string& text, const Places& places) {
  std::vector<size_t> all;
  Diagnostics own;
  const auto parsed = parseExpression(text, {}, own);
  if (!parsed) return all;
  for (const NameReference& n : namesIn(*parsed)) {
    auto found = places.find(n.name);
    if (found == places.end()) found = places.find(n.name.substr(0, n.name.rfind('[')));
    if (found != places.end()) all.push_back(found->second);
  }
  return all;
}

}  // namespace

std::vector<size_t> onCircles(const ImportedSections& body) {
  const size_t n = body.variables.size();
  Places places;
  for (size_t i = 0; i < n; ++i) places[body.variables[i].name] = i;
  std::vector<std::vector<size_t>> reads(n), readers(n);
  std::vector<bool> isLeft(n, false);
  for (size_t i = 0; i < n; ++i) {
    const YamlNode& value = body.variables[i].value;
    if (!value.isScalar()) continue;
    isLeft[i] = true;
    reads[i] = namedIn(value.text, places);
    for (const size_t r : reads[i]) readers[r].push_back(i);
  }
  // What reads nothing of the rest goes, then what nothing of the rest reads.
  const auto peel = [&](const std::vector<std::vector<size_t>>& out,
                        const std::vector<std::vector<size_t>>& in) {
    std::vector<size_t> waiting(n, 0), open;
    for (size_t i = 0; i < n; ++i) {
      for (const size_t r : out[i]) waiting[i] += isLeft[r] ? 1 : 0;
      if (isLeft[i] && waiting[i] == 0) open.push_back(i);
    }
    while (!open.empty()) {
      const size_t i = open.back();
      open.pop_back();
      isLeft[i] = false;
      for (const size_t r : in[i]) {
        if (isLeft[r] && --waiting[r] == 0) open.push_back(r);
      }
    }
  };
  peel(reads, readers);
  peel(readers, reads);
  std::vector<size_t> left;
  for (size_t i = 0; i < n; ++i) {
    if (isLeft[i]) left.push_back(i);
  }
  return left;
}

}  // namespace cardan::modelica
