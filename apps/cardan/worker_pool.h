/// Many small pieces of work in a few processes: a crash costs the piece at which it happens.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace cardan {

struct WorkerPool {
  long workers = 1;
  double timeLimit = 0;  ///< [s]  of a piece; 0: none

  /// The numbers of the pieces, one after another, as long as there are some.
  using Next = std::function<std::optional<long>()>;
  /// Does a piece, in a worker: a copy of this process that does many. What it returns has no line
  /// ends.
  using Work = std::function<std::string(long piece)>;
  /// `failure`: not empty: why there is no output, "crashed with signal 11 (...)".
  using Done =
      std::function<void(long piece, const std::string& output, const std::string& failure)>;

  /// Calls `done` here, in the order in which pieces end. `begin` is called in every worker first.
  /// `stop` is asked now and then: true ends the workers and what they do. Returns false then.
  /// Pre: this process has one thread
  bool run(const Next& next, const std::function<void()>& begin, const Work& work, const Done& done,
           const std::function<bool()>& stop) const;
};

}  // namespace cardan
