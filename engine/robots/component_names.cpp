#include "engine/robots/component_names.h"

#include <algorithm>

#include "engine/expression/functions.h"
#include "engine/text/utf8.h"

namespace cardan::robots {

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
  if (isReserved(name)) taken_.insert(name);
  if (taken_.contains(name)) name += suffix;
  if (!taken_.insert(name).second) {
    const std::string base = name;
    int& number = last_[base];  // from where the last one left off
    number = std::max(number, 1);
    do name = base + "_" + std::to_string(++number);
    while (!taken_.insert(name).second);
  }
  return name;
}

}  // namespace cardan::robots
