/// Work that may crash or never end, each piece in a process of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace cardan {

struct ProcessPool {
  long jobs = 1;         ///< processes at a time
  double timeLimit = 0;  ///< [s]  of a piece; 0: none

  /// What became of a piece.
  struct Result {
    std::string output;   ///< what the work returned
    std::string failure;  ///< not empty: why there is none, "crashed with signal 11 (...)"
  };
  using Work = std::function<std::string(size_t piece)>;
  using Done = std::function<void(size_t piece, const Result&)>;

  /// Calls `work` for 0 .. pieces-1, each in a copy of this process, and `done` here, in the order
  /// in which they end. `stop` is asked now and then: true ends the processes that run and starts
  /// no more. Returns false if it was stopped.
  /// Pre: this process has one thread
  bool run(size_t pieces, const Work& work, const Done& done,
           const std::function<bool()>& stop) const;
};

}  // namespace cardan
