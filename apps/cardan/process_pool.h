/// Pieces of work that may crash or never end, in other processes: a crash costs one piece.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace cardan {

struct ProcessPool {
  long jobs = 1;         ///< processes at a time
  double timeLimit = 0;  ///< [s]  of a piece; 0: none
  bool reuse = false;    ///< a process does many pieces, one after another; else each has its own

  /// The numbers of the pieces, one after another, as long as there are some.
  using Next = std::function<std::optional<long>()>;
  /// 0 .. pieces-1
  static Next upTo(long pieces);
  /// Does a piece, in a copy of this process. What it returns has no line ends.
  using Work = std::function<std::string(long piece)>;
  /// `failure`: not empty: why there is no output, "crashed with signal 11 (...)".
  using Done =
      std::function<void(long piece, const std::string& output, const std::string& failure)>;

  /// Calls `done` here, in the order in which pieces end. `stop` is asked now and then: true ends
  /// the processes and what they do. Returns false then.
  /// Pre: this process has one thread
  /// Throws std::runtime_error where processes that are to be reused cannot be started; of the
  /// others that is the failure of a piece.
  bool run(const Next& next, const Work& work, const Done& done,
           const std::function<bool()>& stop) const;
};

}  // namespace cardan
