/// Matching: which equation may determine which unknown, and what is left over.
#pragma once

#include <vector>

namespace cardan {

/// Equations and unknowns of a bipartite graph, paired so that as many as possible have a partner.
class Matching {
 public:
  /// `unknownsOf[e]`: the unknowns that equation e contains.
  Matching(const std::vector<std::vector<int>>& unknownsOf, int unknowns);

  bool perfect() const { return equationsLeft().empty() && unknownsLeft().empty(); }
  /// Equations and unknowns without a partner, ascending.
  std::vector<int> equationsLeft() const { return without(unknownOf_); }
  std::vector<int> unknownsLeft() const { return without(equationOf_); }
  /// Unknowns that the equation and those which compete with it for them contain: all that these
  /// equations can determine. Of an equation without a partner they are too few.
  std::vector<int> contested(int equation) const;

 private:
  bool augment(int equation);
  static std::vector<int> without(const std::vector<int>& partners);

  const std::vector<std::vector<int>>& unknownsOf_;
  std::vector<int> unknownOf_;   ///< per equation, or -1
  std::vector<int> equationOf_;  ///< per unknown, or -1
};

}  // namespace cardan
