/// Workers: processes that read, check and run models. Some wait already when a request comes; one that
/// crashes, or takes too long, is ended, and another one takes its place.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "apps/studio/packet.h"

namespace cardan::studio {

/// The wish that an answer is not waited for any longer; may come from any thread.
class Cancellation {
 public:
  Cancellation();
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

  void wish();
  int file() const { return file_; }  ///< can be read once it is wished

 private:
  int file_;
};

class Workers {
 public:
  /// `program`: cardan; `folder`: where its names of files begin; `timeLimit` [s]: of an answer.
  Workers(std::string program, std::string folder, double timeLimit);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Takes a packet of the answer; false: nobody wants more.
  using Take = std::function<bool(const Packet& packet)>;
  /// Asks a worker, and hands on its answer, from its parts to its end. Returns "", or why there is no
  /// end: "crashed with signal 11 (Segmentation fault)".
  std::string ask(const std::string& request, const Cancellation& cancellation, const Take& take);

  /// Processes that there are, for tests.
  std::vector<pid_t> processes();

 private:
  struct Worker {
    pid_t process = -1;
    int socket = -1;
    int answers = 0;
    std::string buffer;
  };
  using Clock = std::chrono::steady_clock;

  Worker hire() const;
  Worker take();
  void giveBack(Worker worker);
  /// Ends it; what it died of.
  static std::string bury(Worker& worker);
  std::string listen(Worker& worker, const Cancellation& cancellation, const Take& take) const;

  std::string program_, folder_;
  double timeLimit_;
  std::mutex mutex_;
  std::condition_variable free_;
  std::vector<Worker> waiting_;
  std::vector<pid_t> all_;
  int busy_ = 0;
};

}  // namespace cardan::studio
