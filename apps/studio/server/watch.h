/// Watch: tells when files below a folder change, whoever changes them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cardan::studio {

class Watch {
 public:
  /// Begins at once, in a thread of its own.
  explicit Watch(std::filesystem::path root);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  struct Changes {
    long number = 0;  ///< of the last one
    std::vector<std::string> names;
  };
  /// What has changed after change number `since`; waits for it, but no longer than `patience`.
  Changes changesSince(long since, std::chrono::milliseconds patience);

 private:
  void listen();
  void addFolder(const std::filesystem::path& folder);
  void note(const std::string& name);
  void readEvents();

  std::filesystem::path root_;
  int events_ = -1, stop_ = -1;
  std::map<int, std::filesystem::path> folders_;  ///< by the number of its watch
  std::mutex mutex_;
  std::condition_variable changed_;
  long number_ = 0;
  std::map<std::string, long> changes_;  ///< the last one of each name
  std::thread thread_;
};

}  // namespace cardan::studio
