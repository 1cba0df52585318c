#include "engine/dynamics/coloured_jacobian.h"

#include "engine/structure/mixture.h"

namespace cardan {
namespace {

constexpr int kMostAlarms = 5;
constexpr int kBetweenAlarms = 20;  // matrices, at least: what single columns cost is then nothing

}  // namespace

ColouredJacobian::ColouredJacobian(Partition rows, Partition columns)
    : rowSets_(std::move(rows)),
      columnSets_(std::move(columns)),
      rows_(rowSets_.size()),
      columns_(columnSets_.size()),
      start_(columns_ + 1, 0),
      groupOf_(columns_, 0),
      share_(columns_),
      sum_(rows_),
      magnitude_(rows_) {
  size_t size = 0;
  for (const int set : columnSets_.setOf) {
    before_.push_back(size);
    size += rowSets_.members[set].size();
  }
  present_.assign(size, false);
  setGiven(0, 0);
}

/// Rows of magnitude one, then columns.
void ColouredJacobian::setShares(const BlockMatrix& A) {
  Eigen::VectorXd& largest = magnitude_;
  largest.setZero();
  for (int c = 0; c < columns_; ++c) {
    for (int i : rowsOf(c)) largest[i] = std::max(largest[i], std::abs(A(i, c)));
  }
  for (int c = 0; c < columns_; ++c) {
    double scaled = 0;
    for (int i : rowsOf(c)) {
      if (largest[i] > 0) scaled = std::max(scaled, std::abs(A(i, c)) / largest[i]);
    }
    const double share = mixtureWeight(c) / (scaled > 0 ? scaled : 1);
    share_[c] = std::isfinite(share) ? share : 1;
  }
}

void ColouredJacobian::setGiven(int first, int count) {
  own_.assign(columnSets_.sets(), {});
  widest_ = 0;
  for (int c = 0; c < columns_; ++c) {
    if (c >= first && c < first + count) continue;
    std::vector<int>& own = own_[columnSets_.setOf[c]];
    own.push_back(c);
    widest_ = std::max<int>(widest_, std::ssize(own));
  }
}

void ColouredJacobian::require(int row, int column) { present_[place(row, column)] = true; }

void ColouredJacobian::learn(const BlockMatrix& A) {
  // A pattern that does not pay only grows.
  if (plain_ || rows_ == 0 || columns_ == 0 || (version_ > 0 && !grouped_)) return;
  spoilt_ = !A.allFinite();
  if (spoilt_) return;
  bool grown = version_ == 0;
  for (int c = 0; c < columns_; ++c) {
    for (const int i : A.rowsOfColumn(c)) {
      const size_t k = place(i, c);
      if (present_[k] || A(i, c) == 0) continue;
      present_[k] = grown = true;
    }
  }
  if (!grown) {
    // Only rounding was wrong: once in a while it may be.
    grouped_ = grouped_ && (++alarms_ < kMostAlarms || fills_ > kBetweenAlarms * alarms_);
    setShares(A);
    return;
  }
  group();
  setShares(A);
}

void ColouredJacobian::adopt() {
  if (plain_ || rows_ == 0 || columns_ == 0) return;
  group();
  for (int c = 0; c < columns_; ++c) share_[c] = mixtureWeight(c);
}

/// Columns of the pattern that is present.
void ColouredJacobian::group() {
  ++version_;
  rowIndex_.clear();
  for (int c = 0; c < columns_; ++c) {
    for (const int i : rowSets_.members[columnSets_.setOf[c]]) {
      if (present_[place(i, c)]) rowIndex_.push_back(i);
    }
    start_[c + 1] = std::ssize(rowIndex_);
  }
  // Greedy, the fullest columns first (Curtis, Powell and Reid 1974).
  std::vector<int> columns;
  for (const std::vector<int>& own : own_) columns.insert(columns.end(), own.begin(), own.end());
  std::ranges::sort(columns);
  order_ = columns;
  std::stable_sort(columns.begin(), columns.end(),
                   [&](int a, int b) { return rowsOf(a).size() > rowsOf(b).size(); });
  std::vector<std::vector<bool>> taken;
  for (int c : columns) {
    size_t g = 0;
    for (; g < taken.size(); ++g) {
      if (std::ranges::none_of(rowsOf(c), [&](int i) { return taken[g][i]; })) break;
    }
    if (g == taken.size()) taken.emplace_back(rows_, false);
    for (int i : rowsOf(c)) taken[g][i] = true;
    groupOf_[c] = g;
  }
  groups_ = std::ssize(taken);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return groupOf_[a] < groupOf_[b]; });
  groupStart_.assign(groups_ + 1, std::ssize(order_));
  for (size_t k = order_.size(); k-- > 0;) {
    groupStart_[groupOf_[order_[k]]] = k;
  }
  grouped_ = 4 * evaluationsFor(groups_ + 1) <= 3 * evaluationsFor(widest_);
}

}  // namespace cardan
