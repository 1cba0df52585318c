#include "apps/studio/server/workers.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "apps/cosimulation/child_process.h"
#include "apps/cosimulation/socket_bytes.h"

namespace cardan::studio {
namespace {

constexpr size_t kReady = 2;                              // that wait for requests
constexpr int kMostBusy = 6;                              // at a time; further requests wait
constexpr int kAnswersOfOne = 2000;                       // then a fresh one takes its place
constexpr auto kToStop = std::chrono::milliseconds(300);  // after a cancellation

}  // namespace

Cancellation::Cancellation() : file_(::eventfd(0, EFD_CLOEXEC)) {}
Cancellation::~Cancellation() { ::close(file_); }

void Cancellation::wish() {
  const uint64_t one = 1;
  while (::write(file_, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

Workers::Workers(std::string program, std::string folder, double timeLimit)
    : program_(std::move(program)), folder_(std::move(folder)), timeLimit_(timeLimit) {
  while (waiting_.size() < kReady) waiting_.push_back(hire());
  for (const Worker& w : waiting_) all_.push_back(w.process);
}

Workers::~Workers() {
  for (Worker& w : waiting_) bury(w);
}

std::vector<pid_t> Workers::processes() {
  const std::scoped_lock lock(mutex_);
  return all_;
}

Workers::Worker Workers::hire() const {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
  Worker w;
  w.socket = ends[0];
  w.process = startProcess({program_, "studio-worker"}, folder_, ends[1], -1, -1);
  ::close(ends[1]);
  if (w.process < 0) {
    ::close(w.socket);
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  }
  return w;
}

Workers::Worker Workers::take() {
  std::unique_lock lock(mutex_);
  free_.wait(lock, [&] { return busy_ < kMostBusy; });
  Worker w;
  while (w.process < 0 && !waiting_.empty()) {
    w = std::move(waiting_.back());
    waiting_.pop_back();
    pollfd file{w.socket, POLLIN, 0};
    if (::poll(&file, 1, 0) == 0) break;
    // Who says something without being asked has died while it waited.
    std::erase(all_, w.process);
    bury(w);
    w = Worker();
  }
  if (w.process < 0) {
    w = hire();
    all_.push_back(w.process);
  }
  ++busy_;
  // The next one starts while this one works.
  if (waiting_.empty()) {
    waiting_.push_back(hire());
    all_.push_back(waiting_.back().process);
  }
  return w;
}

void Workers::giveBack(Worker worker) {
  const std::scoped_lock lock(mutex_);
  --busy_;
  free_.notify_one();
  const bool stays =
      worker.socket >= 0 && ++worker.answers < kAnswersOfOne && waiting_.size() < kReady;
  if (stays) {
    waiting_.push_back(std::move(worker));
    return;
  }
  std::erase(all_, worker.process);
  if (worker.socket >= 0) bury(worker);
}

std::string Workers::bury(Worker& worker) {
  ::close(worker.socket);
  worker.socket = -1;
  // A crash has happened already; else it is ended here.
  const int status = endOfProcess(worker.process);
  return descriptionOfEnd(status);
}

std::string Workers::listen(Worker& worker, const Cancellation& cancellation,
                            const Take& take) const {
  auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(timeLimit_));
  bool cancelled = false;
  while (true) {
    while (const auto packet = takePacket(worker.buffer)) {
      const bool wanted = cancelled || take(*packet);
      if (packet->kind == Packet::end) return cancelled ? "cancelled" : "";
      if (!wanted) return bury(worker), "cancelled";
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      ::kill(worker.process, SIGKILL);
      bury(worker);
      return cancelled ? "cancelled"
                       : fmt::format("stopped after {:g} s (--time-limit)", timeLimit_);
    }
    pollfd files[]{{worker.socket, POLLIN, 0}, {cancelled ? -1 : cancellation.file(), POLLIN, 0}};
    if (::poll(files, 2, static_cast<int>(left.count()) + 1) < 0) continue;
    if (files[1].revents != 0) {
      cancelled = true;
      deadline = std::min(deadline, Clock::now() + kToStop);
      sendAll(worker.socket, Packet{Packet::cancel, "", ""}.format());
    }
    if (files[0].revents != 0 && !readSome(worker.socket, worker.buffer)) return bury(worker);
  }
}

std::string Workers::ask(const std::string& request, const Cancellation& cancellation,
                         const Take& take) {
  Worker worker = this->take();
  std::string why;
  try {
    sendAll(worker.socket, Packet{Packet::end, request, ""}.format());
    why = listen(worker, cancellation, take);
  } catch (const std::exception& e) {
    if (worker.socket >= 0) bury(worker);
    why = e.what();
  }
  giveBack(std::move(worker));
  return why;
}

}  // namespace cardan::studio
