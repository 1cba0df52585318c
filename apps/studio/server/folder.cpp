#include "apps/studio/server/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "apps/cosimulation/socket_bytes.h"

namespace cardan::studio {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8;  // folders in folders
constexpr std::array<std::string_view, 6> kShown{".yaml", ".yml", ".mo", ".urdf", ".xml", ".csv"};

[[noreturn]] void refuse(const std::string& name, const char* why) {
  throw std::runtime_error("'" + name + "' " + why);
}

bool isBelow(const fs::path& path, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

}  // namespace

bool Folder::isShown(const fs::path& name) {
  return std::ranges::find(kShown, name.extension().string()) != kShown.end();
}

fs::path Folder::file(const std::string& name) const {
  const fs::path given(name);
  if (name.empty() || name.find('\0') != std::string::npos || given.is_absolute() ||
      !given.has_filename())
    refuse(name, "is no name of a file below the folder");
  for (const fs::path& part : given) {
    if (part.string().starts_with('.')) refuse(name, "is no name of a file below the folder");
  }
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(root_ / given, error);
  if (error || !isBelow(whole, root_) || whole == root_) refuse(name, "is not below the folder");
  const fs::file_status status = fs::symlink_status(whole, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse(name, "is no file");
  return whole;
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  std::error_code error;
  auto entry =
      fs::recursive_directory_iterator(root_, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::end(entry) && names.size() < kMostFiles; entry.increment(error)) {
    const fs::path& path = entry->path();
    const bool hidden = path.filename().string().starts_with('.');
    if (entry->is_directory(error) &&
        (hidden || entry.depth() >= kDeepest || path.filename() == "build"))
      entry.disable_recursion_pending();
    if (!hidden && entry->is_regular_file(error) && isShown(path))
      names.push_back(path.lexically_relative(root_).string());
  }
  std::ranges::sort(names);
  return names;
}

std::optional<std::string> Folder::readIfThere(const std::string& name) const {
  const fs::path path = file(name);
  // Not a link that has come since then, nor a pipe that would keep us waiting.
  const int f = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (f < 0 && errno == ENOENT) return std::nullopt;
  if (f < 0) throw std::runtime_error("cannot read '" + name + "': " + std::strerror(errno));
  struct stat status {};
  std::string text;
  const bool isFile = ::fstat(f, &status) == 0 && S_ISREG(status.st_mode);
  while (isFile && text.size() <= kMostBytes && readSome(f, text)) {
  }
  ::close(f);
  if (!isFile) refuse(name, "is no file");
  if (text.size() > kMostBytes) refuse(name, "has more than 16 MB");
  return text;
}

std::string Folder::read(const std::string& name) const {
  auto text = readIfThere(name);
  if (!text) refuse(name, "is not there");
  return *text;
}

std::string Folder::stampOf(const std::string& content) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : content) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:x}-{:016x}", content.size(), hash);
}

}  // namespace cardan::studio
