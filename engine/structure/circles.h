/// What hangs on itself, among things that read each other.
#pragma once

#include <cstddef>
#include <vector>

namespace cardan {

/// Of those of `left`, which read others (`reads`, by index), those that are left once what reads nothing of
/// the rest, and what nothing of the rest reads, are taken away.
inline std::vector<bool> onCircles(const std::vector<std::vector<std::size_t>>& reads,
                                   std::vector<bool> left) {
  const std::size_t n = left.size();
  std::vector<std::vector<std::size_t>> readers(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!left[i]) continue;
    for (const std::size_t r : reads[i]) readers[r].push_back(i);
  }
  // Twice the same walk: along what is read, and along who reads.
  const auto peel = [&](const auto& out, const auto& in) {
    std::vector<std::size_t> waiting(n, 0), open;
    for (std::size_t i = 0; i < n; ++i) {
      if (!left[i]) continue;
      for (const std::size_t r : out[i]) waiting[i] += left[r] ? 1 : 0;
      if (waiting[i] == 0) open.push_back(i);
    }
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      left[i] = false;
      for (const std::size_t r : in[i]) {
        if (left[r] && --waiting[r] == 0) open.push_back(r);
      }
    }
  };
  peel(reads, readers);
  peel(readers, reads);
  return left;
}

}  // namespace cardan
