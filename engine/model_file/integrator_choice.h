/// IntegratorChoice: which method steps a run, as a model file or a command says it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cardan {

enum class IntegratorChoice {
  automatic,      ///< the explicit method while it is the right one, IDA otherwise
  ida,            ///< implicit, of variable order
  explicitMethod  ///< explicit, of order 8
};

/// "automatic", "ida", "explicit".
const char* word(IntegratorChoice choice);
/// All words.
std::vector<std::string> integratorWords();
/// nullopt: no such word.
std::optional<IntegratorChoice> integratorOf(const std::string& word);

}  // namespace cardan
