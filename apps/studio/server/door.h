/// Door: the listening socket, and the connections that have not yet said all that they want. One thread waits
/// for all of them, so that a thousand idle ones cost nothing; a request that is complete and allowed goes on.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <string_view>

#include "apps/studio/server/gate.h"

namespace cardan::studio {

class Door {
 public:
  /// Answers a complete request on its socket, which it closes; must not keep the caller waiting.
  using Answer = std::function<void(int socket, RequestHead head, std::string body)>;

  static constexpr size_t kMostWaiting = 64;  ///< connections; the one that waits longest gives way
  static constexpr size_t kLongestHead = 32U << 10;
  static constexpr auto kPatience = std::chrono::seconds(2);       ///< for a head
  static constexpr auto kBodyPatience = std::chrono::seconds(20);  ///< for a body

  /// Listens; `port` 0: the usual one, or one that is free. Throws std::runtime_error.
  Door(const std::string& host, int port);
  ~Door();
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  int port() const { return port_; }
  int socket() const { return listening_; }
  /// Until `stop`, a file, can be read.
  void serve(const Gate& gate, int stop, const Answer& answer);

 private:
  using Clock = std::chrono::steady_clock;
  struct Visitor {
    int socket = -1;
    Clock::time_point deadline;
    std::string came;
    RequestHead head;
    size_t headBytes = 0;  ///< 0: the head is incomplete
  };
  enum class Next { wait, answered, gone };

  bool listenAt(const std::string& host, int port);
  void admit();
  Next hear(Visitor& visitor, const Gate& gate, const Answer& answer);
  Next readHead(Visitor& visitor, const Gate& gate);
  static void refuse(const Visitor& visitor, const Refusal& refusal);
  void dismissIdle();

  int listening_ = -1;
  int port_ = 0;
  std::list<Visitor> visitors_;  ///< who came first is first
};

}  // namespace cardan::studio
