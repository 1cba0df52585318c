#include "engine/structure/block_matrix.h"

#include <algorithm>
#include <utility>

namespace cardan {
namespace {

/// Those elements of x, in room that only grows. (Eigen's indexed views copy their indices.)
Eigen::VectorBlock<Eigen::VectorXd> gathered(Eigen::VectorXd& room, const std::vector<int>& of,
                                             const Eigen::VectorXd& x) {
  if (room.size() < std::ssize(of)) room.resize(std::ssize(of));
  for (size_t i = 0; i < of.size(); ++i) room[i] = x[of[i]];
  return room.head(std::ssize(of));
}

}  // namespace

Partition::Partition(std::vector<int> ofNumbers, int sets)
    : setOf(std::move(ofNumbers)), members(sets) {
  for (int i = 0; i < size(); ++i) {
    std::vector<int>& set = members[setOf[i]];
    place.push_back(std::ssize(set));
    set.push_back(i);
    widest = std::max<int>(widest, std::ssize(set));
  }
}

Partition Partition::some(const std::vector<int>& which) const {
  std::vector<int> of;
  for (const int i : which) of.push_back(setOf[i]);
  return {std::move(of), sets()};
}

Partition Partition::range(int first, int size) const {
  return {{setOf.begin() + first, setOf.begin() + first + size}, sets()};
}

Partition Partition::with(const Partition& other) const {
  std::vector<int> of = setOf;
  of.insert(of.end(), other.setOf.begin(), other.setOf.end());
  return {std::move(of), sets()};
}

BlockShape::BlockShape(Partition rows, Partition columns)
    : rows_(std::move(rows)), columns_(std::move(columns)), start_(columns_.size()) {
  for (int s = 0; s < blocks(); ++s) {
    first_.push_back(size_);
    for (const int j : columnsOf(s)) {
      start_[j] = size_;
      size_ += std::ssize(rowsOf(s));
    }
  }
}

BlockMatrix BlockMatrix::zero(Partition rows, Partition columns) {
  BlockMatrix A(std::move(rows), std::move(columns));
  A.setZero();
  return A;
}

void BlockMatrix::scale(const Eigen::VectorXd& ofRows, const Eigen::VectorXd& ofColumns) {
  for (int s = 0; s < blocks(); ++s) {
    const std::vector<int>& rows = rowsOf(s);
    double* a = block(s).data();
    for (const int j : columnsOf(s)) {
      for (const int i : rows) {
        *a = ofRows[i] * *a * ofColumns[j];
        ++a;
      }
    }
  }
}

void BlockMatrix::addTimes(const Eigen::VectorXd& x, double factor, Eigen::VectorXd& y) const {
  if (blocks() == 1) {
    y.head(rows()).noalias() += factor * block(0) * x.head(cols());
    return;
  }
  thread_local Eigen::VectorXd in, out;  // of a block
  for (int s = 0; s < blocks(); ++s) {
    const auto own = gathered(in, columnsOf(s), x);
    auto result = gathered(out, rowsOf(s), y);
    result.noalias() += factor * block(s) * own;
    for (int i = 0; i < result.size(); ++i) y[rowsOf(s)[i]] = result[i];
  }
}

void BlockMatrix::transposeTimes(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  if (blocks() == 1) {
    y.head(cols()).noalias() = block(0).transpose() * x.head(rows());
    return;
  }
  thread_local Eigen::VectorXd in, out;
  for (int s = 0; s < blocks(); ++s) {
    const auto own = gathered(in, rowsOf(s), x);
    auto result = gathered(out, columnsOf(s), y);
    result.noalias() = block(s).transpose() * own;
    for (int j = 0; j < result.size(); ++j) y[columnsOf(s)[j]] = result[j];
  }
}

Eigen::MatrixXd BlockMatrix::part(const std::vector<int>& rows,
                                  const std::vector<int>& columns) const {
  return Eigen::MatrixXd::NullaryExpr(
      std::ssize(rows), std::ssize(columns),
      [&](Eigen::Index i, Eigen::Index j) { return (*this)(rows[i], columns[j]); });
}

Eigen::MatrixXd BlockMatrix::dense() const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(rows(), cols());
  for (int s = 0; s < blocks(); ++s) all(rowsOf(s), columnsOf(s)) = block(s);
  return all;
}

}  // namespace cardan
