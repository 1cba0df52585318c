/// make(): a component of a class of the catalogue.
#pragma once

#include "components/catalogue_entry.h"

namespace cardan {

/// Every class instantiates it in its own .cpp, where its physics is, by
/// `template std::unique_ptr<Component> make<C>();`
template <class C>
std::unique_ptr<Component> make() {
  return std::make_unique<C>();
}

}  // namespace cardan
