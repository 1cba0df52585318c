#include "engine/modelica/circles.h"

#include <cctype>
#include <map>
#include <string>

namespace cardan::modelica {
namespace {

using Places = std::map<std::string, size_t, std::less<>>;

/// The variables that a text names, whole or an element.
std::vector<size_t> namedIn(const std::string& text, const Places& places) {
  std::vector<size_t> all;
  const auto isPart = [&](size_t k) {
    return std::isalnum(static_cast<unsigned char>(text[k])) != 0 || text[k] == '_' ||
           text[k] == '.' || text[k] == '[' || text[k] == ']';
  };
  for (size_t k = 0; k < text.size();) {
    size_t end = k;
    while (end < text.size() && isPart(end)) ++end;
    std::string name = text.substr(k, end - k);
    k = end + 1;
    while (!name.empty()) {
      if (const auto found = places.find(name); found != places.end()) {
        all.push_back(found->second);
        break;
      }
      const size_t open = name.rfind('[');
      name.erase(open == std::string::npos ? 0 : open);
    }
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
