/// FmuProcess: an instance of an FMU in a process of its own, which cannot do more harm than to end.
#pragma once

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>

#include "apps/cosimulation/child_process.h"
#include "apps/cosimulation/fmu_host.h"
#include "apps/cosimulation/fmu_messages.h"
#include "apps/cosimulation/program_files.h"

namespace cardan::cosimulation {

class FmuProcess final : public FmuHost {
 public:
  /// `timeout` [s]: of every call. Throws std::runtime_error where no process can be started.
  explicit FmuProcess(double timeout) : timeout_(timeout) {
    const std::string program = fileOfProgram("cardan-fmu").string();
    if (program.empty())
      throw std::runtime_error(
          "the program that FMUs run in, lib/cardan/cardan-fmu, is not here; 'process: false' "
          "runs it in this process, which ends where the FMU crashes");
    served_ = startServed({program});
  }
  /// The instance is freed by its end: it holds nothing that outlives a process.
  ~FmuProcess() override {
    ::close(served_.socket);
    if (served_.process >= 0) endOfProcess(served_.process);
  }
  FmuProcess(const FmuProcess&) = delete;
  FmuProcess& operator=(const FmuProcess&) = delete;

  FmuReply call(const FmuRequest& request) override {
    if (served_.process < 0) return {.failure = "its process has ended"};
    const auto deadline = Clock::now() + std::chrono::duration<double>(timeout_);
    if (!sendRequest(served_.socket, request)) return ended();
    FmuReply reply;
    while (!take(reply)) {
      const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
      if (left <= 0) return tookTooLong();
      pollfd file{served_.socket, POLLIN, 0};
      // Longer waits come in pieces, which fit an int.
      const int wait = left < 1000 ? static_cast<int>(1000 * left) + 1 : 1000000;
      const int ready = ::poll(&file, 1, wait);
      if (ready > 0 && !readSome(served_.socket, buffer_)) return ended();
    }
    return reply;
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// The reply, where it has come; messages before it are noted.
  bool take(FmuReply& reply) {
    while (takeMessage(buffer_, reply)) {
      if (!reply.isMessage) return true;
      last_ = reply.failure;
    }
    return false;
  }
  FmuReply ended() {
    const int status = endOfProcess(served_.process);
    served_.process = -1;
    return {.failure = "its process " + descriptionOfEnd(status) + lastMessage(last_)};
  }
  FmuReply tookTooLong() {
    ::kill(served_.process, SIGKILL);
    endOfProcess(served_.process);
    served_.process = -1;
    return {.failure = fmt::format("it has not answered within {:g} s ('timeout')", timeout_) +
                       lastMessage(last_)};
  }

  double timeout_;
  ServedProcess served_;
  std::string buffer_, last_;  ///< what has come; the FMU's last message
};

}  // namespace cardan::cosimulation
