/// Entries of a catalogue by a word that somebody looks for.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "components/catalogue_entry.h"

namespace cardan {

/// The entries whose name or description has the word in it, in small letters or capitals; of no word
/// all.
inline std::vector<const CatalogueEntry*> entriesAbout(const Catalogue& all,
                                                       std::string_view word) {
  const auto isSame = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  std::vector<const CatalogueEntry*> result;
  for (const CatalogueEntry& e : all) {
    for (const std::string& text : {e.type, e.description}) {
      if (std::ranges::search(text, word, isSame).begin() == text.end()) continue;
      result.push_back(&e);
      break;
    }
  }
  return result;
}

}  // namespace cardan
