/// BlockMatrix: a matrix without elements between rows and columns of different sets.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

namespace cardan {

/// The numbers 0, 1, ... sorted into sets.
struct Partition {
  Partition() = default;
  /// `setOf`: per number, 0 .. sets - 1.
  Partition(std::vector<int> setOf, int sets);
  static Partition whole(int size) { return {std::vector<int>(size, 0), 1}; }
  /// These of its numbers, as 0, 1, ...
  Partition some(const std::vector<int>& which) const;
  Partition range(int first, int size) const;
  /// Those of another one behind its own.
  Partition with(const Partition& other) const;

  int size() const { return std::ssize(setOf); }
  int sets() const { return std::ssize(members); }

  std::vector<int> setOf;                 ///< per number
  std::vector<int> place;                 ///< likewise, within its set
  std::vector<std::vector<int>> members;  ///< per set, ascending
  int widest = 0;                         ///< members of the largest set
};

/// Where elements are: block s has the rows and columns of set s, in their order; it is kept column by column,
/// one block behind the other.
class BlockShape {
 public:
  BlockShape() = default;
  /// As many sets of rows as of columns.
  BlockShape(Partition rows, Partition columns);

  int rows() const { return rows_.size(); }
  int cols() const { return columns_.size(); }
  int blocks() const { return columns_.sets(); }
  Eigen::Index size() const { return size_; }  ///< elements that are kept
  const Partition& rowSets() const { return rows_; }
  const Partition& columnSets() const { return columns_; }
  const std::vector<int>& rowsOf(int block) const { return rows_.members[block]; }
  const std::vector<int>& columnsOf(int block) const { return columns_.members[block]; }
  const std::vector<int>& rowsOfColumn(int j) const { return rowsOf(columns_.setOf[j]); }
  const std::vector<int>& columnsOfRow(int i) const { return columnsOf(rows_.setOf[i]); }
  /// Where a column begins: the rows of its set follow.
  Eigen::Index start(int column) const { return start_[column]; }
  /// Pre: row and column are of one set.
  Eigen::Index place(int row, int column) const { return start_[column] + rows_.place[row]; }

 protected:
  Partition rows_, columns_;
  std::vector<Eigen::Index> first_;  ///< per set
  std::vector<Eigen::Index> start_;  ///< per column
  Eigen::Index size_ = 0;
};

/// With one set it is a full matrix.
class BlockMatrix : public BlockShape {
 public:
  BlockMatrix() = default;
  /// The elements are open.
  explicit BlockMatrix(BlockShape shape) : BlockShape(std::move(shape)), values_(size()) {}
  BlockMatrix(Partition rows, Partition columns)
      : BlockMatrix(BlockShape(std::move(rows), std::move(columns))) {}
  static BlockMatrix zero(Partition rows, Partition columns);

  double& operator()(int row, int column) { return values_[place(row, column)]; }
  double operator()(int row, int column) const { return values_[place(row, column)]; }
  double* data() { return values_.data(); }  ///< by places
  const double* data() const { return values_.data(); }
  Eigen::Map<Eigen::MatrixXd> block(int set) {
    return {data() + first_[set], std::ssize(rowsOf(set)), std::ssize(columnsOf(set))};
  }
  Eigen::Map<const Eigen::MatrixXd> block(int set) const {
    return {data() + first_[set], std::ssize(rowsOf(set)), std::ssize(columnsOf(set))};
  }
  /// The rows of its set alone.
  auto column(int j) { return values_.segment(start_[j], std::ssize(rowsOfColumn(j))); }
  auto column(int j) const { return values_.segment(start_[j], std::ssize(rowsOfColumn(j))); }

  void setZero() { values_.setZero(); }
  bool allFinite() const { return values_.allFinite(); }
  /// Multiplies rows and columns by these.
  void scale(const Eigen::VectorXd& ofRows, const Eigen::VectorXd& ofColumns);
  /// y += factor A x; y has the rows first.
  void addTimes(const Eigen::VectorXd& x, double factor, Eigen::VectorXd& y) const;
  /// y = A' x; x has the rows first.
  void transposeTimes(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  /// Rows and columns that are of one set.
  Eigen::MatrixXd part(const std::vector<int>& rows, const std::vector<int>& columns) const;
  Eigen::MatrixXd dense() const;

 private:
  Eigen::VectorXd values_;
};

}  // namespace cardan
