/// Matching: which equation may determine which unknown, and what is left over.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace cardan {

/// Equations and unknowns of a bipartite graph, paired so that as many as possible have a partner.
class Matching {
 public:
  /// `unknownsOf[e]`: the unknowns that equation e contains.
  Matching(const std::vector<std::vector<int>>& unknownsOf, int unknowns)
      : unknownsOf_(unknownsOf), unknownOf_(unknownsOf.size(), -1), equationOf_(unknowns, -1) {
    // Equations with little choice first.
    std::vector<int> order(unknownsOf.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int e) { return unknownsOf[e].size(); });
    for (int e : order) {
      for (int u : unknownsOf[e]) {
        if (equationOf_[u] >= 0) continue;
        equationOf_[u] = e;
        unknownOf_[e] = u;
        break;
      }
    }
    for (int e : order) {
      if (unknownOf_[e] < 0) augment(e);
    }
  }

  bool perfect() const { return equationsLeft().empty() && unknownsLeft().empty(); }
  /// Equations and unknowns without a partner, ascending.
  std::vector<int> equationsLeft() const { return without(unknownOf_); }
  std::vector<int> unknownsLeft() const { return without(equationOf_); }
  /// Unknowns that the equation and those which compete with it for them contain: all that these
  /// equations can determine. Of an equation without a partner they are too few.
  std::vector<int> contested(int equation) const {
    std::vector<bool> seen(equationOf_.size(), false);
    std::vector<int> open{equation}, result;
    for (size_t next = 0; next < open.size(); ++next) {
      for (int u : unknownsOf_[open[next]]) {
        if (seen[u]) continue;
        seen[u] = true;
        result.push_back(u);
        if (equationOf_[u] >= 0) open.push_back(equationOf_[u]);
      }
    }
    std::ranges::sort(result);
    return result;
  }

 private:
  /// Looks for a path from the equation to a free unknown along which partners can be exchanged;
  /// breadth first, so that nothing recurses.
  bool augment(int equation) {
    std::vector<int> from(equationOf_.size(), -1);  // the equation that an unknown was reached by
    std::vector<int> open{equation};
    for (size_t next = 0; next < open.size(); ++next) {
      for (int u : unknownsOf_[open[next]]) {
        if (from[u] >= 0) continue;
        from[u] = open[next];
        if (equationOf_[u] >= 0) {
          open.push_back(equationOf_[u]);
          continue;
        }
        for (int free = u; free >= 0;) {
          const int e = from[free];
          const int before = unknownOf_[e];
          equationOf_[free] = e;
          unknownOf_[e] = free;
          free = e == equation ? -1 : before;
        }
        return true;
      }
    }
    return false;
  }
  static std::vector<int> without(const std::vector<int>& partners) {
    std::vector<int> result;
    for (size_t i = 0; i < partners.size(); ++i) {
      if (partners[i] < 0) result.push_back(i);
    }
    return result;
  }

  const std::vector<std::vector<int>>& unknownsOf_;
  std::vector<int> unknownOf_;   ///< per equation, or -1
  std::vector<int> equationOf_;  ///< per unknown, or -1
};

}  // namespace cardan
