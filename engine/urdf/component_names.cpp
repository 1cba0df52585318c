#include "engine/urdf/component_names.h"

#include "engine/text/utf8.h"

namespace cardan::urdf {

std::string legalName(const std::string& nameInFile) {
  constexpr size_t kLongest = 150;  // a model file takes 200, and something may come behind
  std::string name;
  for (size_t i = 0; i < nameInFile.size() && name.size() < kLongest;) {
    const char c = nameInFile[i];
    const bool digit = c >= '0' && c <= '9';
    const bool legal = digit || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (name.empty() && digit) name += '_';
    name += legal ? c : '_';
    const size_t length = utf8Length(nameInFile, i);
    i += length > 0 ? length : 1;
  }
  return name.empty() ? "_" : name;
}

std::string ComponentNames::take(const std::string& nameInFile, const std::string& suffix) {
  std::string name = legalName(nameInFile);
  if (taken_.contains(name)) name += suffix;
  const std::string base = name;
  for (int k = 2; !taken_.insert(name).second; ++k) name = base + "_" + std::to_string(k);
  return name;
}

}  // namespace cardan::urdf
