/// What every fuzz target is made of: the interface of libFuzzer, which replay.cpp serves as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// Tries one input; returns 0, or does not return where the input shows a mistake.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
/// Changes an input in place with the structure of its language in mind; returns the new size.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed);
/// The fuzzer's own mutation of bytes.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace cardan::fuzz {

inline std::string_view textOf(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// What must hold whatever the input; ends the program where it does not, as a crash does.
inline void expect(bool holds, std::string_view claim, std::string_view fact = {}) {
  if (holds) return;
  std::fprintf(stderr, "expected: %s\n%s\n", std::string(claim).c_str(), std::string(fact).c_str());
  std::abort();
}

}  // namespace cardan::fuzz
