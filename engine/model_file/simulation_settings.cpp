#include "engine/model_file/simulation_settings.h"

#include <algorithm>

namespace cardan {
namespace {

constexpr const char* kIntegratorWords[] = {"automatic", "ida", "explicit",
                                            "stepping"};  // by the choices

}  // namespace

const char* word(IntegratorChoice choice) { return kIntegratorWords[static_cast<int>(choice)]; }

std::vector<std::string> integratorWords() {
  return {std::begin(kIntegratorWords), std::end(kIntegratorWords)};
}

std::optional<IntegratorChoice> integratorOf(const std::string& text) {
  const auto* const found = std::ranges::find(kIntegratorWords, text);
  if (found == std::end(kIntegratorWords)) return std::nullopt;
  return static_cast<IntegratorChoice>(found - kIntegratorWords);
}

}  // namespace cardan
