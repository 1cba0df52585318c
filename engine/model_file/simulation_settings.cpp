#include "engine/model_file/simulation_settings.h"

namespace cardan {
namespace {

constexpr IntegratorChoice kChoices[] = {IntegratorChoice::automatic, IntegratorChoice::ida,
                                         IntegratorChoice::explicitMethod,
                                         IntegratorChoice::stepping};

}  // namespace

const char* word(IntegratorChoice choice) {
  switch (choice) {
    case IntegratorChoice::automatic:
      return "automatic";
    case IntegratorChoice::ida:
      return "ida";
    case IntegratorChoice::explicitMethod:
      return "explicit";
    case IntegratorChoice::stepping:
      return "stepping";
  }
  return "";
}

std::vector<std::string> integratorWords() {
  std::vector<std::string> words;
  for (const IntegratorChoice c : kChoices) words.emplace_back(word(c));
  return words;
}

std::optional<IntegratorChoice> integratorOf(const std::string& text) {
  for (const IntegratorChoice c : kChoices) {
    if (text == word(c)) return c;
  }
  return std::nullopt;
}

}  // namespace cardan
