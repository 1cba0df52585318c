/// Mutations that keep a text well formed, or nearly so, and thus reach what stands behind the
/// parser.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace cardan::fuzz {

using Random = std::minstd_rand;

/// A model file a few changes away: keys, types and values replaced, parts of the tree removed,
/// repeated, exchanged, components of the catalogue added and connected. Empty where the text is no
/// YAML.
std::string mutatedModel(std::string_view text, Random& random);

/// An expression or equation a few tokens away.
std::string mutatedExpression(std::string_view text, Random& random);

/// A table of numbers a few fields, rows or columns away.
std::string mutatedTable(std::string_view text, Random& random);

/// `NAME=VALUE`, a line each, a few of them changed.
std::string mutatedOverrides(std::string_view text, Random& random);

/// Serves LLVMFuzzerCustomMutator: mostly `mutated`, now and then plain bytes.
size_t mutateInPlace(uint8_t* data, size_t size, size_t most, unsigned seed,
                     std::string (*mutated)(std::string_view, Random&));

}  // namespace cardan::fuzz
