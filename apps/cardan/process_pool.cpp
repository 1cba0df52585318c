#include "apps/cardan/process_pool.h"

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
#include <vector>

namespace cardan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kAskStop = 100;  // [ms]

struct Child {
  pid_t process = -1;
  int pipe = -1;
  size_t piece = 0;
  Clock::time_point begun;
  std::string output;
  bool tooLong = false;
};

void writeAll(int file, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    done += n;
  }
}

/// The life of a child: the work, its output into the pipe, and an end without the parent's
/// clean-up.
[[noreturn]] void live(size_t piece, int out, const ProcessPool::Work& work) {
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) std::signal(s, SIG_DFL);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive the parent
#endif
  if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);  // stdout belongs to the parent
  }
  int code = 0;
  try {
    writeAll(out, work(piece));
  } catch (...) {
    code = 1;
  }
  ::_exit(code);
}

/// The process, or one that failed to start: its pipe is -1.
Child start(size_t piece, const ProcessPool::Work& work) {
  Child child;
  child.piece = piece;
  child.begun = Clock::now();
  int ends[2];
  if (::pipe(ends) != 0) return child;
  std::fflush(nullptr);  // or the child would write it once more
  child.process = ::fork();
  if (child.process == 0) {
    ::close(ends[0]);
    live(piece, ends[1], work);
  }
  ::close(ends[1]);
  if (child.process < 0) {
    ::close(ends[0]);
  } else {
    child.pipe = ends[0];
  }
  return child;
}

int waitFor(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string failureOf(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("crashed with signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  }
  return "";
}

}  // namespace

bool ProcessPool::run(size_t pieces, const Work& work, const Done& done,
                      const std::function<bool()>& stop) const {
  std::vector<Child> running;
  size_t next = 0;
  while (next < pieces || !running.empty()) {
    if (stop()) {
      for (Child& c : running) {
        ::kill(c.process, SIGKILL);
        waitFor(c.process);
        ::close(c.pipe);
      }
      return false;
    }
    while (next < pieces && running.size() < std::max<size_t>(1, jobs)) {
      const size_t piece = next++;
      Child child = start(piece, work);
      if (child.pipe >= 0) {
        running.push_back(std::move(child));
      } else {
        done(piece, {"", fmt::format("cannot start a process: {}", std::strerror(errno))});
      }
    }
    std::vector<pollfd> wait;
    for (const Child& c : running) wait.push_back({c.pipe, POLLIN, 0});
    if (::poll(wait.data(), wait.size(), kAskStop) < 0) continue;  // a signal: ask `stop`
    std::vector<Child> left;
    for (size_t i = 0; i < running.size(); ++i) {
      Child& c = running[i];
      bool ended = false;
      if (wait[i].revents != 0) {
        char buffer[4096];
        const ssize_t n = ::read(c.pipe, buffer, sizeof buffer);
        if (n > 0) c.output.append(buffer, n);
        ended = n == 0 || (n < 0 && errno != EINTR);
      }
      const double age = std::chrono::duration<double>(Clock::now() - c.begun).count();
      if (!ended && timeLimit > 0 && age > timeLimit) {
        ::kill(c.process, SIGKILL);
        c.tooLong = ended = true;
      }
      if (!ended) {
        left.push_back(std::move(c));
        continue;
      }
      const int status = waitFor(c.process);
      ::close(c.pipe);
      Result result{std::move(c.output), failureOf(status)};
      if (c.tooLong) {
        result.failure = fmt::format("stopped after {:g} s (--time-limit)", timeLimit);
      }
      done(c.piece, result);
    }
    running = std::move(left);
  }
  return true;
}

}  // namespace cardan
