#include "apps/cardan/process_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <vector>

#include "apps/cosimulation/child_process.h"
#include "apps/cosimulation/socket_bytes.h"

namespace cardan {
namespace {

using PoolClock = std::chrono::steady_clock;

constexpr int kAskStopEvery = 100;   // [ms]
constexpr double kShortPiece = 0.1;  // [s]  the next one then waits in the process already

/// Takes the first line from a buffer.
std::optional<std::string> takeLine(std::string& buffer) {
  const size_t end = buffer.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = buffer.substr(0, end);
  buffer.erase(0, end + 1);
  return line;
}

/// A process of the pool, as its parent sees it: numbers of pieces go to it, lines come back.
struct Worker {
  pid_t process = -1;
  int socket = -1;
  std::deque<long> pieces;  ///< the first one is being done
  PoolClock::time_point begun = PoolClock::now();
  double last = 1;  ///< [s]  the last piece
  std::string buffer;
  bool tooLong = false;

  /// Of the piece that is being done.
  double age() const { return std::chrono::duration<double>(PoolClock::now() - begun).count(); }
  /// Waits for its end; returns the status.
  int end() const {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    ::close(socket);
    return status;
  }
};

/// The pool while it runs.
class Crew {
 public:
  Crew(const ProcessPool& pool, const ProcessPool::Next& next, const ProcessPool::Work& work,
       const ProcessPool::Done& done)
      : pool_(pool), next_(next), work_(work), done_(done) {}

  ~Crew() {
    for (const Worker& w : workers_) {
      ::kill(w.process, SIGKILL);
      w.end();
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Gives every worker what it may have; false where there is nothing left to wait for.
  bool assign() {
    // The first piece of all workers goes before the second one of any.
    for (Worker& w : workers_) {
      if (w.pieces.empty()) give(w);
    }
    while (std::ssize(workers_) < pool_.jobs && hire()) {
    }
    for (Worker& w : workers_) {
      if (w.pieces.size() == 1 && w.last < kShortPiece) give(w);
    }
    return std::ranges::any_of(workers_, [](const Worker& w) { return !w.pieces.empty(); });
  }

  void wait() {
    std::vector<pollfd> files;
    for (const Worker& w : workers_) files.push_back({w.socket, POLLIN, 0});
    if (::poll(files.data(), files.size(), kAskStopEvery) < 0) return;  // a signal
    std::vector<Worker> left;
    for (size_t i = 0; i < files.size(); ++i) {
      Worker& w = workers_[i];
      const bool lives = files[i].revents == 0 || listen(w);
      if (lives && pool_.timeLimit > 0 && !w.pieces.empty() && w.age() > pool_.timeLimit) {
        ::kill(w.process, SIGKILL);
        w.tooLong = true;
      }
      if (lives && !w.tooLong) {
        left.push_back(std::move(w));
      } else {
        bury(w);
      }
    }
    workers_ = std::move(left);
  }

 private:
  std::optional<long> take() {
    if (again_.empty()) return next_();
    const long piece = again_.front();
    again_.pop_front();
    return piece;
  }

  void give(Worker& w) {
    const auto piece = take();
    if (!piece) return;
    if (w.pieces.empty()) w.begun = PoolClock::now();
    w.pieces.push_back(*piece);
    sendAll(w.socket, std::to_string(*piece) + "\n");  // a dead worker is seen by its silence
  }

  /// One more worker, if there is work for it.
  bool hire() {
    const auto piece = take();
    if (!piece) return false;
    Worker w;
    w.pieces.push_back(*piece);
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return refuse(*piece, "pipe");
    std::fflush(nullptr);  // or the worker would write it once more
    w.process = ::fork();
    if (w.process == 0) {
      ::close(ends[0]);
      for (const Worker& other : workers_) ::close(other.socket);
      serve(ends[1], *piece);
    }
    ::close(ends[1]);
    w.socket = ends[0];
    if (w.process < 0) {
      ::close(w.socket);
      return refuse(*piece, "process");
    }
    workers_.push_back(std::move(w));
    return true;
  }

  /// A piece that found no worker, for a reason in errno.
  bool refuse(long piece, const char* missing) {
    const std::string why = std::strerror(errno);
    if (pool_.reuse) throw std::runtime_error(fmt::format("no {}: {}", missing, why));
    done_(piece, "", "cannot start a process: " + why);
    return true;
  }

  /// The life of a worker: a piece, then others as numbers in, results out, until nobody asks.
  [[noreturn]] void serve(int parent, long piece) const {
    for (const int s : {SIGINT, SIGTERM, SIGHUP}) std::signal(s, SIG_IGN);  // the parent decides
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive it
#endif
    if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) {
      ::dup2(nowhere, STDOUT_FILENO);  // stdout belongs to the parent
    }
    try {
      std::string asked = std::to_string(piece) + "\n";
      do {
        while (const auto line = takeLine(asked)) {
          if (!sendAll(parent, work_(std::stol(*line)) + "\n")) ::_exit(0);
        }
      } while (pool_.reuse && readSome(parent, asked));
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }

  /// Takes what has come; false: the worker is gone, or goes.
  bool listen(Worker& w) {
    const bool lives = readSome(w.socket, w.buffer);
    bool used = false;
    while (const auto line = takeLine(w.buffer)) {
      const long piece = w.pieces.front();
      w.pieces.pop_front();
      w.last = w.age();
      w.begun = PoolClock::now();
      used = true;
      done_(piece, *line, "");
    }
    return lives && (pool_.reuse || !used);
  }

  void bury(const Worker& w) {
    const int status = w.end();
    if (w.pieces.empty()) return;
    again_.insert(again_.end(), w.pieces.begin() + 1, w.pieces.end());
    done_(w.pieces.front(), "",
          w.tooLong ? fmt::format("stopped after {:g} s (--time-limit)", pool_.timeLimit)
                    : descriptionOfEnd(status));
  }

  const ProcessPool& pool_;
  const ProcessPool::Next& next_;
  const ProcessPool::Work& work_;
  const ProcessPool::Done& done_;
  std::vector<Worker> workers_;
  std::deque<long> again_;  ///< of workers that died before they came to them
};

}  // namespace

ProcessPool::Next ProcessPool::upTo(long pieces) {
  return [pieces, next = 0L]() mutable {
    return next < pieces ? std::optional(next++) : std::nullopt;
  };
}

bool ProcessPool::run(const Next& next, const Work& work, const Done& done,
                      const std::function<bool()>& stop) const {
  Crew crew(*this, next, work, done);
  while (crew.assign()) {
    if (stop()) return false;
    crew.wait();
  }
  return true;
}

}  // namespace cardan
