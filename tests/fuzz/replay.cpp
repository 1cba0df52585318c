/// Runs a target over inputs that are there, where libFuzzer is not: `replay TARGET FOLDER|FILE...`
/// tries each file, `--mutants=N` before them also N mutants of each, the same ones every time.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/fuzz_target.h"

#define TARGET(name)                                           \
  extern "C" int name##_try(const uint8_t* data, size_t size); \
  extern "C" size_t name##_mutate(uint8_t* data, size_t size, size_t most, unsigned seed);
CARDAN_FUZZ_TARGETS
#undef TARGET

namespace {

struct Target {
  std::string_view name;
  int (*tryInput)(const uint8_t* data, size_t size);
  size_t (*mutate)(uint8_t* data, size_t size, size_t most, unsigned seed);
};
constexpr Target kTargets[] = {
#define TARGET(name) {#name, name##_try, name##_mutate},
    CARDAN_FUZZ_TARGETS
#undef TARGET
};

namespace fs = std::filesystem;

/// Files of a folder in the order of their names, which is the same on every machine.
std::vector<fs::path> inputsIn(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<uint8_t> bytesOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::cerr << "cannot read " << path << "\n";
    std::exit(2);
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return {text.begin(), text.end()};
}

}  // namespace

/// One byte removed, inserted or changed.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most) {
  static std::minstd_rand random;
  const auto byte = [] { return static_cast<uint8_t>(random()); };
  const size_t at = size > 0 ? random() % size : 0;
  if (size > 0 && random() % 3 == 0) {
    std::copy(data + at + 1, data + size, data + at);
    return size - 1;
  }
  if (size < most && (size == 0 || random() % 2 == 0)) {
    std::copy_backward(data + at, data + size, data + size + 1);
    data[at] = byte();
    return size + 1;
  }
  if (size > 0) data[at] = byte();
  return size;
}

int main(int argc, char** argv) {
  constexpr size_t kLongestMutant = 20'000;
  unsigned mutants = 0;
  size_t inputs = 0;
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  const Target* const target =
      std::ranges::find_if(kTargets, [&](const Target& t) { return t.name == wanted; });
  if (target == std::end(kTargets)) {
    std::cerr << "no target '" << wanted << "'; there are";
    for (const Target& t : kTargets) std::cerr << " " << t.name;
    std::cerr << "\n";
    return 2;
  }
  for (int i = 2; i < argc; ++i) {
    const std::string_view argument = argv[i];
    constexpr std::string_view option = "--mutants=";
    if (argument.starts_with(option)) {
      const char* end = argument.data() + argument.size();
      if (std::from_chars(argument.data() + option.size(), end, mutants).ptr != end) return 2;
      continue;
    }
    for (const fs::path& path : inputsIn(argument)) {
      const std::vector<uint8_t> input = bytesOf(path);
      std::cerr << path.string() << std::endl;  // what a crash is due to
      target->tryInput(input.data(), input.size());
      ++inputs;
      for (unsigned k = 0; k < mutants && input.size() < kLongestMutant; ++k) {
        std::vector<uint8_t> mutant(kLongestMutant);
        std::copy(input.begin(), input.end(), mutant.begin());
        mutant.resize(target->mutate(mutant.data(), input.size(), kLongestMutant, 1000 + k));
        target->tryInput(mutant.data(), mutant.size());
      }
    }
  }
  if (inputs == 0) {
    std::cerr << "no inputs\n";
    return 2;
  }
  std::cout << inputs << " inputs, " << mutants << " mutants of each\n";
  return 0;
}
