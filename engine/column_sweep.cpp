#include "engine/column_sweep.h"

#include <numeric>

namespace cardan {
namespace {

size_t place(int i) { return static_cast<size_t>(i); }

}  // namespace

ColumnSweep::ColumnSweep(int rows, int columns)
    : rows_(rows),
      columns_(columns),
      present_(place(rows) * place(columns), false),
      start_(place(columns) + 1, 0),
      groupOf_(place(columns), 0),
      sum_(rows),
      magnitude_(rows) {}

void ColumnSweep::learn(const Eigen::MatrixXd& A) {
  bool grown = version_ == 0;
  for (int c = 0; c < columns_; ++c) {
    for (int i = 0; i < rows_; ++i) {
      const size_t k = place(c) * place(rows_) + place(i);
      if (present_[k] || A(i, c) == 0) continue;
      present_[k] = grown = true;
    }
  }
  if (!grown) return;
  ++version_;
  rowIndex_.clear();
  for (int c = 0; c < columns_; ++c) {
    for (int i = 0; i < rows_; ++i) {
      if (present_[place(c) * place(rows_) + place(i)]) rowIndex_.push_back(i);
    }
    start_[place(c) + 1] = static_cast<int>(rowIndex_.size());
  }

  // Greedy, the fullest columns first (Curtis, Powell and Reid 1974).
  std::vector<int> columns(place(columns_));
  std::iota(columns.begin(), columns.end(), 0);
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
    groupOf_[place(c)] = static_cast<int>(g);
  }
  groups_ = static_cast<int>(taken.size());
  order_.resize(place(columns_));
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return groupOf_[place(a)] < groupOf_[place(b)]; });
  groupStart_.assign(place(groups_) + 1, columns_);
  for (size_t k = order_.size(); k-- > 0;) {
    groupStart_[place(groupOf_[place(order_[k])])] = static_cast<int>(k);
  }
  auto evaluations = [](int directions) { return (directions + kLanes - 1) / kLanes; };
  grouped_ = 4 * evaluations(groups_ + 1) <= 3 * evaluations(columns_);
}

}  // namespace cardan
