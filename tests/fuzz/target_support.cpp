#include "tests/fuzz/target_support.h"

#include <algorithm>

#include "tests/fuzz/fuzz_target.h"

namespace cardan::fuzz {

bool readsDevices(std::string_view text) {
  for (const std::string_view folder : {"/dev", "/proc", "/sys", "..", "/etc"}) {
    if (text.find(folder) != std::string_view::npos && text.find("include") != text.npos)
      return true;
  }
  return false;
}

void expectClean(std::string_view messages) {
  const auto isControl = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 && c != '\n' && c != '\t') || code == 0x7F;
  };
  expect(std::none_of(messages.begin(), messages.end(), isControl),
         "messages hold no control characters", messages);
  expect(messages.find("a mistake in this program") == messages.npos,
         "an input never shows a mistake in this program", messages);
}

}  // namespace cardan::fuzz
