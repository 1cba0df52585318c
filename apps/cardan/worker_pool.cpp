#include "apps/cardan/worker_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
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

namespace cardan {
namespace {

using PoolClock = std::chrono::steady_clock;

constexpr int kAskStopEvery = 100;   // [ms]
constexpr double kShortPiece = 0.1;  // [s]  the next one then waits in the worker already

double pieceAge(PoolClock::time_point begun) {
  return std::chrono::duration<double>(PoolClock::now() - begun).count();
}

bool sendAll(int file, const std::string& text) {
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::write(file, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += n;
  }
  return true;
}

/// Takes the first line from a buffer.
std::optional<std::string> takeLine(std::string& buffer) {
  const size_t end = buffer.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = buffer.substr(0, end);
  buffer.erase(0, end + 1);
  return line;
}

/// Reads more into a buffer; false at the end of the file.
bool receive(int file, std::string& buffer) {
  char bytes[8192];
  while (true) {
    const ssize_t n = ::read(file, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    buffer.append(bytes, n);
    return true;
  }
}

struct Worker {
  pid_t process = -1;
  int toWorker = -1, fromWorker = -1;
  std::deque<long> pieces;  ///< the first one is being done
  PoolClock::time_point begun{};
  double last = 1;  ///< [s]  the last piece
  std::string buffer;
  bool tooLong = false;

  void close() const {
    ::close(toWorker);
    ::close(fromWorker);
  }
  int wait() const {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }
};

std::string endOf(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("crashed with signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  }
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

/// The life of a worker: numbers in, results out, until nobody asks any more.
[[noreturn]] void serve(int in, int out, const std::function<void()>& begin,
                        const WorkerPool::Work& work) {
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) std::signal(s, SIG_IGN);  // the parent decides
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive it
#endif
  if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);  // stdout belongs to the parent
  }
  try {
    begin();
    for (std::string buffer; receive(in, buffer);) {
      while (const auto line = takeLine(buffer)) {
        if (!sendAll(out, work(std::stol(*line)) + "\n")) ::_exit(0);
      }
    }
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

/// The pool while it runs.
class Crew {
 public:
  Crew(const WorkerPool& pool, const WorkerPool::Next& next, const std::function<void()>& begin,
       const WorkerPool::Work& work, const WorkerPool::Done& done)
      : pool_(pool), next_(next), begin_(begin), work_(work), done_(done) {}

  ~Crew() {
    for (const Worker& w : workers_) {
      ::kill(w.process, SIGKILL);
      w.wait();
      w.close();
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Gives every worker what it may have; false where there is nothing left to wait for.
  bool assign() {
    // The first piece of all workers goes before the second one of any.
    for (long i = 0; i < pool_.workers; ++i) {
      if (i >= std::ssize(workers_) && !hire()) break;
      if (workers_[i].pieces.empty()) give(workers_[i]);
    }
    for (Worker& w : workers_) {
      if (w.pieces.size() == 1 && w.last < kShortPiece) give(w);
    }
    return std::ranges::any_of(workers_, [](const Worker& w) { return !w.pieces.empty(); });
  }

  void wait() {
    std::vector<pollfd> files;
    for (const Worker& w : workers_) files.push_back({w.fromWorker, POLLIN, 0});
    if (::poll(files.data(), files.size(), kAskStopEvery) < 0) return;  // a signal
    std::vector<Worker> left;
    for (size_t i = 0; i < files.size(); ++i) {
      Worker& w = workers_[i];
      const bool lives = files[i].revents == 0 || listen(w);
      if (lives && pool_.timeLimit > 0 && !w.pieces.empty() &&
          pieceAge(w.begun) > pool_.timeLimit) {
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
    sendAll(w.toWorker, std::to_string(*piece) + "\n");  // a dead worker is seen by its silence
  }

  /// One more worker, if there is work for it.
  bool hire() {
    const auto piece = take();
    if (!piece) return false;
    again_.push_front(*piece);
    int in[2], out[2];
    if (::pipe(in) != 0) throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
    if (::pipe(out) != 0) throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
    std::fflush(nullptr);  // or the worker would write it once more
    Worker w;
    w.process = ::fork();
    if (w.process < 0) throw std::runtime_error(std::string("no process: ") + std::strerror(errno));
    if (w.process == 0) {
      ::close(in[1]);
      ::close(out[0]);
      for (const Worker& other : workers_) other.close();
      serve(in[0], out[1], begin_, work_);
    }
    ::close(in[0]);
    ::close(out[1]);
    w.toWorker = in[1];
    w.fromWorker = out[0];
    workers_.push_back(std::move(w));
    return true;
  }

  /// Takes what has come; false: the worker is gone.
  bool listen(Worker& w) {
    const bool lives = receive(w.fromWorker, w.buffer);
    while (const auto line = takeLine(w.buffer)) {
      const long piece = w.pieces.front();
      w.pieces.pop_front();
      w.last = pieceAge(w.begun);
      w.begun = PoolClock::now();
      done_(piece, *line, "");
    }
    return lives;
  }

  void bury(const Worker& w) {
    const int status = w.wait();
    w.close();
    if (w.pieces.empty()) return;
    again_.insert(again_.end(), w.pieces.begin() + 1, w.pieces.end());
    done_(w.pieces.front(), "",
          w.tooLong ? fmt::format("stopped after {:g} s (--time-limit)", pool_.timeLimit)
                    : endOf(status));
  }

  const WorkerPool& pool_;
  const WorkerPool::Next& next_;
  const std::function<void()>& begin_;
  const WorkerPool::Work& work_;
  const WorkerPool::Done& done_;
  std::vector<Worker> workers_;
  std::deque<long> again_;  ///< of workers that died before they came to them
};

}  // namespace

bool WorkerPool::run(const Next& next, const std::function<void()>& begin, const Work& work,
                     const Done& done, const std::function<bool()>& stop) const {
  Crew crew(*this, next, begin, work, done);
  while (crew.assign()) {
    if (stop()) return false;
    crew.wait();
  }
  return true;
}

}  // namespace cardan
