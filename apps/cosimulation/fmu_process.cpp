#include "apps/cosimulation/fmu_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "apps/cosimulation/child_process.h"
#include "apps/cosimulation/fmu_messages.h"
#include "apps/cosimulation/program_files.h"

namespace cardan::cosimulation {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

FmuProcess::FmuProcess(double timeout) : timeout_(timeout) {
  const std::string program = fileOfProgram("cardan-fmu").string();
  if (program.empty())
    throw std::runtime_error(
        "the program that FMUs run in, lib/cardan/cardan-fmu, is not here; 'process: false' "
        "runs it in this process, which ends where the FMU crashes");
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error(std::string("no socket for its process: ") + std::strerror(errno));
  socket_ = ends[0];
  // What an FMU prints is no result: standard error.
  process_ = startProcess({program}, ".", ends[1], STDERR_FILENO, -1);
  const int error = errno;
  ::close(ends[1]);
  if (process_ >= 0) return;
  ::close(socket_);
  throw std::runtime_error("cannot start '" + program + "': " + std::strerror(error));
}

// The instance is freed by its end: it holds nothing that outlives a process.
FmuProcess::~FmuProcess() {
  ::close(socket_);
  if (process_ >= 0) endOfProcess(process_);
}

FmuReply FmuProcess::call(const FmuRequest& request) {
  if (process_ < 0) return {"its process has ended", {}, {}, {}};
  const auto deadline = Clock::now() + std::chrono::duration<double>(timeout_);
  if (!sendRequest(socket_, request)) return ended();
  FmuReply reply;
  while (!takeMessage(buffer_, reply)) {
    const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
    if (left <= 0) return tookTooLong();
    pollfd file{socket_, POLLIN, 0};
    // Longer waits come in pieces, which fit an int.
    const int wait = left < 1000 ? static_cast<int>(1000 * left) + 1 : 1000000;
    const int ready = ::poll(&file, 1, wait);
    if (ready > 0 && !readSome(socket_, buffer_)) return ended();
  }
  return reply;
}

FmuReply FmuProcess::ended() {
  const int status = endOfProcess(process_);
  process_ = -1;
  return {"its process " + descriptionOfEnd(status), {}, {}, {}};
}

FmuReply FmuProcess::tookTooLong() {
  ::kill(process_, SIGKILL);
  endOfProcess(process_);
  process_ = -1;
  return {fmt::format("it has not answered within {:g} s ('timeout')", timeout_), {}, {}, {}};
}

}  // namespace cardan::cosimulation
