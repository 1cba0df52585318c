/// SparseLu: LU factors of a sparse matrix, by KLU.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace cardan {

class SparseLu {
 public:
  SparseLu();
  ~SparseLu();

  static constexpr int kLeast = 40;  ///< rows
  /// True: a matrix of n rows with so many elements is better factorised here than densely.
  static bool pays(int n, size_t elements) {
    return n >= kLeast && static_cast<double>(elements) < 0.25 * n * n;
  }

  /// The pattern of the matrices to come: n columns, rows start[c] .. start[c + 1] of `rows`.
  void analyse(std::span<const int> start, std::span<const int> rows);
  /// `values`: in the order of `rows`; rows and columns of magnitude 1. The pivots of the factors
  /// before serve again where they are still good. False: singular.
  bool factor(std::span<double> values);
  /// Smallest pivot of the last factors relative to the largest.
  double pivotRatio() const;
  /// Replaces b by the solution.
  void solve(std::span<double> b);

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
  std::vector<int> start_, rows_;
};

}  // namespace cardan
