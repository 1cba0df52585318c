/// ColouredJacobian: a sparse matrix of derivatives, several of its columns in one direction of a
/// dual.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "components/view.h"
#include "engine/structure/block_matrix.h"

namespace cardan {

/// Fills a matrix by evaluations with kLanes directions each. Columns of different sets share no row and go
/// together in one direction; so do others that share none, once a first pass has shown where the matrix
/// has elements. One more direction,
/// a mixture of all columns, tells when the matrix has got others since; they are learnt by a pass
/// over single columns. Elements that are written into the matrix otherwise belong to the pattern
/// only where require() has declared them.
class ColouredJacobian {
 public:
  ColouredJacobian() = default;
  explicit ColouredJacobian(BlockShape shape);
  ColouredJacobian(Partition rows, Partition columns)
      : ColouredJacobian(BlockShape(std::move(rows), std::move(columns))) {}

  /// Learns nothing: columns stay alone, and no element depends on the points that were evaluated before.
  void stayPlain() { plain_ = true; }

  /// Element (row, column) belongs to the pattern, whatever it is. To be called before learn().
  void require(int row, int column);

  /// Columns first .. first + count - 1 are written into A by others, before every fill().
  void setGiven(int first, int count);

  /// A (rows x columns) by
  ///   seed(column, lane, weight)  adds a direction to a lane,
  ///   clear(column, lane)         takes all of it away,
  ///   evaluate()                  evaluates with the directions that are set,
  ///   element(row, lane)          reads a result.
  /// Elements outside of the pattern are left alone. False: the pattern was not known, or is not
  /// any more: A is right and wants to be learnt.
  template <class Seed, class Clear, class Evaluate, class Element>
  bool fill(BlockMatrix& A, Seed seed, Clear clear, Evaluate evaluate, Element element) {
    ++fills_;
    if (grouped_ && !spoilt_ && fillGroups(A, seed, clear, evaluate, element)) return true;
    spoilt_ = false;
    for (int k0 = 0; k0 < widest_; k0 += kLanes) {
      const auto members = [&](const std::vector<int>& own, auto visit) {
        const int k1 = std::min<int>(std::ssize(own), k0 + kLanes);
        for (int k = k0; k < k1; ++k) visit(own[k], k - k0);
      };
      for (const std::vector<int>& own : own_)
        members(own, [&](int c, int lane) { seed(c, lane, 1.0); });
      evaluate();
      for (size_t s = 0; s < own_.size(); ++s) {
        double* columns[kLanes];
        members(own_[s], [&](int c, int lane) { columns[lane] = A.data() + A.start(c); });
        const std::vector<int>& rows = A.rowsOf(s);
        for (size_t i = 0; i < rows.size(); ++i)
          members(own_[s], [&](int, int lane) { columns[lane][i] = element(rows[i], lane); });
      }
      for (const std::vector<int>& own : own_) members(own, clear);
    }
    return false;
  }
  /// The required elements are all, until a fill() tells otherwise.
  void adopt();
  /// f(row, column, place) for the elements of the pattern; their places in a matrix of its shape.
  template <class F>
  void forEachElement(F f) const {
    for (int c = 0; c < columns_; ++c) {
      for (int k = start_[c]; k < start_[c + 1]; ++k) f(rowIndex_[k], c, places_[k]);
    }
  }
  /// Adds the elements of A that are not zero to the pattern and groups the columns anew. Gives up
  /// grouping where false alarms repeat. An A that is not finite teaches nothing.
  void learn(const BlockMatrix& A);

  /// True: grouping saves evaluations, so that the pattern is in use.
  bool grouped() const { return grouped_; }
  int groups() const { return groups_; }
  /// Evaluations of the next fill(), unless it finds something new.
  int evaluations() const { return evaluationsFor(grouped_ ? groups_ + 1 : widest_); }
  /// The pattern, column by column: elements start()[c] .. start()[c + 1] of rows().
  const std::vector<int>& start() const { return start_; }
  const std::vector<int>& rows() const { return rowIndex_; }
  /// Counts how often the pattern has changed.
  int version() const { return version_; }

  /// What it has learnt. Of one that has the same size; its matrices become zero first, where they are
  /// not of that pattern.
  auto kept() {
    return std::tie(present_, grouped_, spoilt_, groups_, version_, start_, rowIndex_, places_,
                    groupOf_, order_, groupStart_, fills_, alarms_, share_);
  }

 private:
  static int evaluationsFor(int directions) { return (directions + kLanes - 1) / kLanes; }
  void setShares(const BlockMatrix& A);
  void group();
  std::span<const int> rowsOf(int column) const {
    const size_t c = column;
    return {rowIndex_.begin() + start_[c], rowIndex_.begin() + start_[c + 1]};
  }

  template <class Seed, class Clear, class Evaluate, class Element>
  bool fillGroups(BlockMatrix& A, Seed seed, Clear clear, Evaluate evaluate, Element element) {
    for (int g0 = 0; g0 <= groups_; g0 += kLanes) {
      const int g1 = std::min(groups_, g0 + kLanes);
      const bool last = groups_ < g0 + kLanes;  // the mixture comes after all groups
      auto members = [&](auto visit) {
        for (int k = groupStart_[g0]; k < groupStart_[g1]; ++k) {
          visit(order_[k], groupOf_[order_[k]] - g0);
        }
      };
      members([&](int c, int lane) { seed(c, lane, 1.0); });
      const int mixture = groups_ - g0;
      for (int c = 0; last && c < columns_; ++c) seed(c, mixture, share_[c]);
      evaluate();
      double* const values = A.data();
      members([&](int c, int lane) {
        for (int k = start_[c]; k < start_[c + 1]; ++k)
          values[places_[k]] = element(rowIndex_[k], lane);
      });
      const bool good = !last || agrees(A, [&](int i) { return element(i, mixture); });
      members(clear);
      for (int c = 0; last && c < columns_; ++c) clear(c, mixture);
      if (!good) return false;
    }
    setShares(A);
    return true;
  }

  template <class Element>
  bool agrees(const BlockMatrix& A, Element mixture) {
    // Rounding: what is smaller than this in its row would not be missed.
    constexpr double kNegligible = 1e-11;
    sum_.setZero();
    magnitude_.setZero();
    forEachElement([&](int i, int c, Eigen::Index place) {
      const double part = A.data()[place] * share_[c];
      sum_[i] += part;
      magnitude_[i] += std::abs(part);
    });
    for (int i = 0; i < rows_; ++i) {
      if (!(std::abs(mixture(i) - sum_[i]) <= kNegligible * magnitude_[i])) return false;
    }
    return true;
  }

  BlockShape shape_;
  int rows_ = 0, columns_ = 0;
  std::vector<std::vector<int>> own_;  ///< per set: columns that are not given
  int widest_ = 0;                     ///< most of them
  bool plain_ = false, grouped_ = false;
  bool spoilt_ = false;  ///< the last pass has left elements behind that are not finite
  int groups_ = 0;
  int version_ = 0;
  std::vector<bool> present_;  ///< by places
  std::vector<int> start_, rowIndex_;
  std::vector<Eigen::Index> places_;     ///< of the elements in rowIndex_
  std::vector<int> groupOf_;             ///< per column
  std::vector<int> order_, groupStart_;  ///< columns by groups
  long fills_ = 0;
  int alarms_ = 0;             ///< in which nothing new was found
  std::vector<double> share_;  ///< per column, in the mixture
  Eigen::VectorXd sum_, magnitude_;
};

}  // namespace cardan
