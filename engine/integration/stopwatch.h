/// Stopwatch: adds the life time of the object to a total.
#pragma once

#include <chrono>

namespace cardan {

class Stopwatch {
 public:
  Stopwatch(bool on, double& total) : total_(on ? &total : nullptr) {
    if (total_ != nullptr) begin_ = std::chrono::steady_clock::now();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    if (total_ == nullptr) return;
    *total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  double* total_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace cardan
