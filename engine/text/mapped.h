/// Mapped: a list of what a function makes of each element of another one.
#pragma once

#include <functional>
#include <type_traits>
#include <vector>

namespace cardan {

template <class Range, class F>
auto mapped(const Range& all, F f) {
  std::vector<std::decay_t<decltype(std::invoke(f, *std::begin(all)))>> results;
  for (const auto& one : all) results.push_back(std::invoke(f, one));
  return results;
}

}  // namespace cardan
