#include "engine/model_file/simulation_settings.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace cardan {
namespace {

// By the choices.
constexpr const char* kIntegrators[] = {"automatic", "ida", "explicit", "stepping"};
constexpr const char* kLaws[] = {"moreau", "newton", "poisson"};

template <class Choice>
constexpr const auto& wordsOfAll() {
  if constexpr (std::is_same_v<Choice, ImpactLaw>) {
    return kLaws;
  } else {
    return kIntegrators;
  }
}

}  // namespace

const char* word(IntegratorChoice choice) { return kIntegrators[static_cast<int>(choice)]; }
const char* word(ImpactLaw law) { return kLaws[static_cast<int>(law)]; }

template <class Choice>
std::vector<std::string> wordsOf() {
  return {std::begin(wordsOfAll<Choice>()), std::end(wordsOfAll<Choice>())};
}

template <class Choice>
std::optional<Choice> choiceOf(const std::string& word) {
  const auto& all = wordsOfAll<Choice>();
  const auto* const found = std::ranges::find(all, word);
  if (found == std::end(all)) return std::nullopt;
  return static_cast<Choice>(found - std::begin(all));
}

template std::vector<std::string> wordsOf<IntegratorChoice>();
template std::vector<std::string> wordsOf<ImpactLaw>();
template std::optional<IntegratorChoice> choiceOf(const std::string&);
template std::optional<ImpactLaw> choiceOf(const std::string&);

}  // namespace cardan
