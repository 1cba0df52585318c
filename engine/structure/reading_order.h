/// ReadingOrder: an order in which each thing comes after those that it reads.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace cardan {

/// Things are numbered, and taken in the order of their numbers as far as they are ready, and again, until
/// none is left that can be.
class ReadingOrder {
 public:
  /// `reads[i]`: what thing i reads, each once.
  explicit ReadingOrder(const std::vector<std::set<std::size_t>>& reads)
      : missing_(reads.size()), readers_(reads.size()) {
    for (std::size_t i = 0; i < reads.size(); ++i) {
      missing_[i] = reads[i].size();
      for (const std::size_t k : reads[i]) readers_[k].push_back(i);
      if (reads[i].empty()) ready_.insert(i);
    }
  }

  /// Nothing: no other is ready.
  std::optional<std::size_t> next() {
    if (ready_.empty()) return std::nullopt;
    auto i = ready_.lower_bound(at_);
    if (i == ready_.end()) i = ready_.begin();
    at_ = *i;
    ready_.erase(i);
    for (const std::size_t k : readers_[at_]) {
      if (--missing_[k] == 0) ready_.insert(k);
    }
    return at_;
  }
  /// Those that never got ready: what reads itself, and what reads that.
  std::vector<std::size_t> left() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < missing_.size(); ++i) {
      if (missing_[i] > 0) result.push_back(i);
    }
    return result;
  }

 private:
  std::vector<std::size_t> missing_;               ///< per thing: how many it waits for
  std::vector<std::vector<std::size_t>> readers_;  ///< per thing: those that wait for it
  std::set<std::size_t> ready_;
  std::size_t at_ = 0;
};

}  // namespace cardan
