#include "engine/text/element_name.h"

#include <string_view>

#include "engine/text/plain_number.h"

namespace cardan {

std::vector<int> takeIndices(std::string& name) {
  const size_t open = name.rfind('[');
  if (!name.ends_with(']') || open == std::string::npos || open == 0) return {};
  std::vector<int> indices;
  std::string_view rest = std::string_view(name).substr(open);
  while (rest.size() > 1) {
    rest.remove_prefix(rest.find_first_not_of(' ', 1));
    const std::string_view number = rest.substr(0, rest.find_first_of(",]"));
    indices.push_back(plainNumber<int>(number).value_or(0));
    if (indices.back() < 1) return {};
    rest.remove_prefix(number.size());
  }
  name.resize(open);
  return indices;
}

}  // namespace cardan
