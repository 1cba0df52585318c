/// SourceText: an expression or equation as a model file has it, and what it reads as.
#pragma once

#include <concepts>
#include <optional>
#include <string>

#include "engine/expression/expression.h"
#include "engine/text/diagnostics.h"

namespace cardan {

/// A text is read once: copies of it (in each instance of a submodel) share the tree.
template <class Tree>
struct SourceText {
  std::string text;
  SourceMark at;  ///< of its first character
  int scope = 0;
  std::optional<Tree> tree = {};  ///< nothing: not read yet, or there is none

  /// Reads the text if it has not been read; what is wrong with it is told by those who need it.
  void read() {
    Diagnostics ignored;
    tree = readTree(ignored);
  }
  /// The tree; where there is none `diagnostics` gets to know why.
  std::optional<Tree> readTree(Diagnostics& diagnostics) const {
    if (tree) return tree;
    if constexpr (std::same_as<Tree, Equation>) {
      return parseEquation(text, at, diagnostics);
    } else {
      return parseExpression(text, at, diagnostics);
    }
  }
};

using SourceExpression = SourceText<Expression>;
using SourceEquation = SourceText<Equation>;

}  // namespace cardan
