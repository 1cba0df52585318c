/// Texts of XML files, changed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/text/diagnostics.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"

namespace cardan::fuzz {

/// A text a few pieces away: removed, repeated, exchanged, put in (of `words`); or whole tags.
std::string mutatedXml(std::string_view text, std::span<const std::string_view> words,
                       Random& random);

/// What is wrong with a model; "" where nothing is.
template <class Load>
std::string messagesOf(Load load) {
  try {
    load();
    return "";
  } catch (const ModelError& e) {
    expectClean(e.what());
    return e.what();
  }
}

}  // namespace cardan::fuzz
