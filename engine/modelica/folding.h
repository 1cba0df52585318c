/// Folding: which composites of a model are written as instances of submodels.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/modelica/instance.h"

namespace cardan::modelica {

/// What cannot stand in a submodel, because it names something around it; thrown.
struct NotFoldable {
  const Instance* instance = nullptr;
};

/// The model itself and every folded composite is a body: what is in it is named from there.
class Folding {
 public:
  /// Folds composites of classes that the model has twice or more, but none of `excluded`.
  Folding(const Instance& model, const std::set<const Instance*>& excluded);

  const Instance& model() const { return model_; }
  bool isFolded(const Instance& instance) const { return byPath_.contains(instance.path); }
  /// The body that an instance is in, or is.
  const Instance& bodyOf(const Instance& instance) const;
  /// The innermost body around what has this full name.
  const Instance& bodyOf(std::string_view path) const;
  /// The body around a folded composite.
  const Instance& around(const Instance& folded) const { return bodyOf(*folded.parent); }
  /// The innermost body around both.
  const Instance& common(std::string_view a, std::string_view b) const;
  /// True of what is inside a body, by full name.
  static bool isInside(std::string_view path, const Instance& body);
  /// The name as the body has it; throws NotFoldable for what is outside.
  static std::string nameIn(const Instance& body, const std::string& path);

 private:
  const Instance& model_;
  std::map<std::string, const Instance*, std::less<>> byPath_;  ///< folded ones
};

}  // namespace cardan::modelica
