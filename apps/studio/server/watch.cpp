#include "apps/studio/server/watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cstring>

#include "apps/studio/server/folder.h"

namespace cardan::studio {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFolders = 500;
constexpr uint32_t kOfInterest =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR;

}  // namespace

Watch::Watch(fs::path root)
    : root_(std::move(root)),
      events_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      stop_(::eventfd(0, EFD_CLOEXEC)) {
  addFolder(root_);
  thread_ = std::thread([this] { listen(); });
}

Watch::~Watch() {
  const uint64_t one = 1;
  if (::write(stop_, &one, sizeof one) > 0) thread_.join();
  ::close(events_);
  ::close(stop_);
}

void Watch::addFolder(const fs::path& folder) {
  if (folders_.size() >= kMostFolders) return;
  const int w = ::inotify_add_watch(events_, folder.c_str(), kOfInterest);
  if (w < 0) return;
  folders_[w] = folder;
  std::error_code error;
  for (const fs::directory_entry& e : fs::directory_iterator(folder, error)) {
    if (e.is_directory(error) && !e.is_symlink(error) &&
        !e.path().filename().string().starts_with('.') && e.path().filename() != "build")
      addFolder(e.path());
  }
}

void Watch::note(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  changes_[name] = ++number_;
  changed_.notify_all();
}

void Watch::readEvents() {
  alignas(inotify_event) char bytes[1 << 14];
  const ssize_t n = ::read(events_, bytes, sizeof bytes);
  for (ssize_t at = 0; at < n;) {
    const auto* event = reinterpret_cast<const inotify_event*>(bytes + at);
    at += static_cast<ssize_t>(sizeof(inotify_event)) + event->len;
    const auto folder = folders_.find(event->wd);
    if (folder == folders_.end()) continue;
    if ((event->mask & IN_IGNORED) != 0) {
      folders_.erase(folder);
      continue;
    }
    if (event->len == 0 || event->name[0] == '.') continue;
    const fs::path path = folder->second / event->name;
    if ((event->mask & IN_ISDIR) != 0) {
      if ((event->mask & (IN_CREATE | IN_MOVED_TO)) != 0) addFolder(path);
      note("");  // the list of files may be another one
    } else if (Folder::isShown(path)) {
      note(path.lexically_relative(root_).string());
    }
  }
}

void Watch::listen() {
  while (true) {
    pollfd files[]{{stop_, POLLIN, 0}, {events_, POLLIN, 0}};
    if (::poll(files, 2, -1) < 0) continue;
    if (files[0].revents != 0) return;
    readEvents();
  }
}

Watch::Changes Watch::changesSince(long since, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return number_ > since; });
  Changes result{number_, {}};
  for (const auto& [name, number] : changes_) {
    if (number > since) result.names.push_back(name);
  }
  return result;
}

}  // namespace cardan::studio
