#include "apps/cosimulation/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "apps/cosimulation/socket_bytes.h"

extern char** environ;

namespace cardan {
namespace {

constexpr size_t kMostOutput = 64U << 20;  // [bytes]
constexpr int kToEnd = 200;                // [ms]  of a process that has nothing left to do

/// Ends of a pipe of a child, closed when they go.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

/// Reads what a command prints until it is silent, and gives it its input meanwhile. False: too long.
bool converse(Pipe& input, Pipe& output, Pipe& errors, std::string_view text, CommandResult& result,
              std::chrono::steady_clock::time_point deadline) {
  ::fcntl(input.ends[0], F_SETFL, O_NONBLOCK);
  while (output.ends[0] >= 0 || errors.ends[0] >= 0) {
    if (text.empty()) input.close(0);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || result.output.size() > kMostOutput) return false;
    pollfd files[]{
        {output.ends[0], POLLIN, 0}, {errors.ends[0], POLLIN, 0}, {input.ends[0], POLLOUT, 0}};
    if (::poll(files, 3, static_cast<int>(left.count()) + 1) < 0) continue;
    if (files[0].revents != 0 && !readSome(output.ends[0], result.output)) output.close(0);
    if (files[1].revents != 0 && !readSome(errors.ends[0], result.messages)) errors.close(0);
    if (files[2].revents != 0) {
      const ssize_t n = ::send(input.ends[0], text.data(), text.size(), MSG_NOSIGNAL);
      if (n > 0) text.remove_prefix(n);
      if (n < 0 && errno != EAGAIN && errno != EINTR) text = {};
    }
  }
  return true;
}

}  // namespace

pid_t startProcess(const std::vector<std::string>& command, const std::string& folder, int input,
                   int output, int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  const auto connect = [&](int file, int as, int how) {
    if (file >= 0) {
      posix_spawn_file_actions_adddup2(&actions, file, as);
    } else {
      posix_spawn_file_actions_addopen(&actions, as, "/dev/null", how, 0);
    }
  };
  connect(input, STDIN_FILENO, O_RDONLY);
  connect(output, STDOUT_FILENO, O_WRONLY);
  if (errors >= 0) connect(errors, STDERR_FILENO, O_WRONLY);
  // Ctrl-C in the terminal is for the server, which ends them; they die of what kills others.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, standard;
  sigemptyset(&none);
  sigemptyset(&standard);
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&standard, s);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  std::vector<char*> words;
  for (const std::string& w : command) words.push_back(const_cast<char*>(w.c_str()));
  words.push_back(nullptr);
  pid_t process = -1;
  const int error = ::posix_spawn(&process, words[0], &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  errno = error;
  return error == 0 ? process : -1;
}

ServedProcess startServed(const std::vector<std::string>& command) {
  Pipe ends;
  ServedProcess served;
  served.process = startProcess(command, ".", ends.ends[1], STDERR_FILENO, -1);
  if (served.process < 0)
    throw std::runtime_error("cannot start '" + command[0] + "': " + std::strerror(errno));
  std::swap(served.socket, ends.ends[0]);
  return served;
}

int endOfProcess(pid_t process) {
  int status = 0;
  for (int waited = 0; waited < kToEnd; waited += 5) {
    if (::waitpid(process, &status, WNOHANG) == process) return status;
    ::usleep(5000);
  }
  ::kill(process, SIGKILL);
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string descriptionOfEnd(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("crashed with signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

CommandResult runCommand(const std::vector<std::string>& command, const std::string& folder,
                         const std::string& input, double timeLimit) {
  Pipe in, out, errors;
  const auto deadline = std::chrono::steady_clock::now() +
                        std::chrono::milliseconds(static_cast<long>(1000 * timeLimit));
  const pid_t process = startProcess(command, folder, in.ends[1], out.ends[1], errors.ends[1]);
  if (process < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  for (Pipe* p : {&in, &out, &errors}) p->close(1);
  CommandResult result;
  const bool inTime = converse(in, out, errors, input, result, deadline);
  if (!inTime) ::kill(process, SIGKILL);
  const int status = endOfProcess(process);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (!inTime) {
    result.messages +=
        fmt::format("stopped after {:g} s (--time-limit), or it printed too much\n", timeLimit);
  } else if (result.code < 0) {
    result.messages += descriptionOfEnd(status) + "\n";
  }
  return result;
}

}  // namespace cardan
