/// Bytes through a socket between processes, whole or as they come.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

namespace cardan {

/// Writes all of it; false where nobody reads any longer.
inline bool sendAll(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(n);
  }
  return true;
}

/// Reads what there is, of any file, into a buffer, at least one byte; false at the end.
inline bool readSome(int file, std::string& buffer) {
  char bytes[1 << 16];
  while (true) {
    const ssize_t n = ::read(file, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    buffer.append(bytes, n);
    return true;
  }
}

}  // namespace cardan
