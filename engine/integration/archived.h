/// What an object keeps from one step to the next, as values that can be put back.
///
/// A class lists its members in `auto kept() { return std::tie(a_, b_); }`; Archived<Class> holds their
/// values.
#pragma once

#include <tuple>
#include <utility>

namespace cardan {

template <class... T>
std::tuple<T...> valuesOf(const std::tuple<T&...>& members) {
  return members;
}

template <class Class>
using Archived = decltype(valuesOf(std::declval<Class&>().kept()));

}  // namespace cardan
