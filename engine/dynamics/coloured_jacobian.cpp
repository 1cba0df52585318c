#include "engine/dynamics/coloured_jacobian.h"

#include "engine/structure/mixture.h"

namespace cardan {
namespace {

constexpr int kMostAlarms = 5;
constexpr int kBetweenAlarms = 20;  // matrices, at least: what single columns cost is then nothing

}  // namespace

ColouredJacobian::ColouredJacobian(BlockShape shape)
    : shape_(std::move(shape)),
      rows_(shape_.rows()),
      columns_(shape_.cols()),
      present_(shape_.size(), false),
      start_(columns_ + 1, 0),
      groupOf_(columns_, 0),
      share_(columns_),
      sum_(rows_),
      magnitude_(rows_) {
  setGiven(0, 0);
}

/// Rows of magnitude one, then columns.
void ColouredJacobian::setShares(const BlockMatrix& A) {
  Eigen::VectorXd& largest = magnitude_;
  largest.setZero();
  forEachElement([&](int i, int, Eigen::Index place) {
    largest[i] = std::max(largest[i], std::abs(A.data()[place]));
  });
  for (int c = 0; c < columns_; ++c) {
    double scaled = 0;
    for (int k = start_[c]; k < start_[c + 1]; ++k) {
      const double size = largest[rowIndex_[k]];
      if (size > 0) scaled = std::max(scaled, std::abs(A.data()[places_[k]]) / size);
    }
    const double share = mixtureWeight(c) / (scaled > 0 ? scaled : 1);
    share_[c] = std::isfinite(share) ? share : 1;
  }
}

void ColouredJacobian::setGiven(int first, int count) {
  own_.assign(shape_.blocks(), {});
  widest_ = 0;
  for (int c = 0; c < columns_; ++c) {
    if (c >= first && c < first + count) continue;
    std::vector<int>& own = own_[shape_.columnSets().setOf[c]];
    own.push_back(c);
    widest_ = std::max<int>(widest_, std::ssize(own));
  }
}

void ColouredJacobian::require(int row, int column) { present_[shape_.place(row, column)] = true; }

void ColouredJacobian::learn(const BlockMatrix& A) {
  // A pattern that does not pay only grows.
  if (plain_ || rows_ == 0 || columns_ == 0 || (version_ > 0 && !grouped_)) return;
  spoilt_ = !A.allFinite();
  if (spoilt_) return;
  bool grown = version_ == 0;
  for (int c = 0; c < columns_; ++c) {
    const Eigen::Index first = shape_.start(c), count = A.column(c).size();
    for (Eigen::Index k = first; k < first + count; ++k) {
      if (present_[k] || A.data()[k] == 0) continue;
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
  places_.clear();
  for (int c = 0; c < columns_; ++c) {
    Eigen::Index place = shape_.start(c);
    for (const int i : shape_.rowsOfColumn(c)) {
      if (present_[place]) {
        rowIndex_.push_back(i);
        places_.push_back(place);
      }
      ++place;
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
