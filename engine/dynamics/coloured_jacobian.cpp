#include "engine/dynamics/coloured_jacobian.h"

namespace cardan {
namespace {

constexpr int kMostAlarms = 5;

size_t place(int i) { return static_cast<size_t>(i); }

}  // namespace

ColouredJacobian::ColouredJacobian(int rows, int columns)
    : rows_(rows),
      columns_(columns),
      firstGiven_(columns),
      present_(place(rows) * place(columns), false),
      start_(place(columns) + 1, 0),
      groupOf_(place(columns), 0),
      share_(columns),
      sum_(rows),
      magnitude_(rows) {}

/// Rows of magnitude one, then columns; a little different for all, so that no two elements cancel.
void ColouredJacobian::setShares(const Eigen::MatrixXd& A) {
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
    const double share = (0.6 + 0.4 * std::sin(1.0 + 2.3 * c)) / (scaled > 0 ? scaled : 1);
    share_[c] = std::isfinite(share) ? share : 1;
  }
}

void ColouredJacobian::setGiven(int first, int count) {
  firstGiven_ = count > 0 ? first : columns_;
  givenCount_ = count;
}

void ColouredJacobian::require(int row, int column) {
  present_[place(column) * place(rows_) + place(row)] = true;
}

void ColouredJacobian::learn(const Eigen::MatrixXd& A) {
  // A pattern that does not pay only grows.
  if (rows_ == 0 || columns_ == 0 || (version_ > 0 && !grouped_)) return;
  spoilt_ = !A.allFinite();
  if (spoilt_) return;
  bool grown = version_ == 0;
  for (int c = 0; c < columns_; ++c) {
    for (int i = 0; i < rows_; ++i) {
      const size_t k = place(c) * place(rows_) + place(i);
      if (present_[k] || A(i, c) == 0) continue;
      present_[k] = grown = true;
    }
  }
  if (!grown) {
    // Only rounding was wrong: once in a while it may be.
    grouped_ = grouped_ && ++alarms_ < kMostAlarms;
    setShares(A);
    return;
  }
  ++version_;
  rowIndex_.clear();
  for (int c = 0; c < columns_; ++c) {
    for (int i = 0; i < rows_; ++i) {
      if (present_[place(c) * place(rows_) + place(i)]) rowIndex_.push_back(i);
    }
    start_[place(c) + 1] = std::ssize(rowIndex_);
  }

  setShares(A);

  // Greedy, the fullest columns first (Curtis, Powell and Reid 1974).
  std::vector<int> columns;
  for (int c = 0; c < columns_; ++c) {
    if (c < firstGiven_ || c >= firstGiven_ + givenCount_) columns.push_back(c);
  }
  order_ = columns;
  std::stable_sort(columns.begin(), columns.end(),
                   [&](int a, int b) { return rowsOf(a).size() > rowsOf(b).size(); });
  std::vector<std::vector<bool>> taken;
  for (int c : columns) {
    size_t g = 0;
    for (; g < taken.size(); ++g) {
      if (std::ranges::none_of(rowsOf(c), [&](int i) { return taken[g][place(i)]; })) break;
    }
    if (g == taken.size()) taken.emplace_back(place(rows_), false);
    for (int i : rowsOf(c)) taken[g][place(i)] = true;
    groupOf_[place(c)] = g;
  }
  groups_ = std::ssize(taken);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return groupOf_[place(a)] < groupOf_[place(b)]; });
  groupStart_.assign(place(groups_) + 1, std::ssize(order_));
  for (size_t k = order_.size(); k-- > 0;) {
    groupStart_[place(groupOf_[place(order_[k])])] = k;
  }
  grouped_ = 4 * evaluationsFor(groups_ + 1) <= 3 * evaluationsFor(columns_ - givenCount_);
}

}  // namespace cardan
