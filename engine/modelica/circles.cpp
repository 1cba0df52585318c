#include "engine/modelica/circles.h"

#include <map>
#include <string>

#include "engine/expression/expression.h"
#include "engine/structure/circles.h"

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
  std::vector<std::vector<size_t>> reads(n);
  std::vector<bool> isDefined(n, false);
  for (size_t i = 0; i < n; ++i) {
    const YamlNode& value = body.variables[i].value;
    if (!value.isScalar()) continue;
    isDefined[i] = true;
    reads[i] = namedIn(value.text, places);
  }
  const std::vector<bool> isLeft = cardan::onCircles(reads, std::move(isDefined));
  std::vector<size_t> left;
  for (size_t i = 0; i < n; ++i) {
    if (isLeft[i]) left.push_back(i);
  }
  return left;
}

}  // namespace cardan::modelica
