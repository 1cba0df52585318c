/// Disjoint sets of the numbers 0..n-1.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace cardan {

class UnionFind {
 public:
  explicit UnionFind(size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  /// Smallest member of i's set.
  int find(int i) {
    while (at(i) != i) i = at(i) = at(at(i));
    return i;
  }
  /// False if a and b were in one set already.
  bool unite(int a, int b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    at(std::max(a, b)) = std::min(a, b);
    return true;
  }

 private:
  int& at(int i) { return parent_[i]; }
  std::vector<int> parent_;
};

}  // namespace cardan
