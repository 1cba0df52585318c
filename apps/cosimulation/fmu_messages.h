/// Requests and replies between a run and the process of an FMU: a size, and so many bytes of an archive.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "apps/cosimulation/fmu_host.h"
#include "apps/cosimulation/socket_bytes.h"
#include "engine/integration/state_archive.h"

namespace cardan::cosimulation {

/// The end that an FMU's process reads and writes.
inline constexpr int kFmuSocket = 0;

template <class Message>
bool sendMessage(int socket, const Message& message) {
  StateArchive archive;
  archive(const_cast<Message&>(message));  // which collects only
  const std::uint64_t size = archive.bytes().size();
  std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
  return sendAll(socket, bytes += archive.bytes());
}

inline bool sendRequest(int socket, const FmuRequest& r) {
  return sendMessage(socket, r) &&
         (r.kind != FmuRequest::Kind::open || sendMessage(socket, r.opening));
}

/// A message at the beginning of `buffer`, taken off it; false: it is not whole yet.
template <class Message>
bool takeMessage(std::string& buffer, Message& message) {
  std::uint64_t size = 0;
  if (buffer.size() < sizeof size) return false;
  std::memcpy(&size, buffer.data(), sizeof size);
  if (buffer.size() - sizeof size < size) return false;
  StateArchive archive(buffer.substr(sizeof size, size));
  archive(message);
  buffer.erase(0, sizeof size + size);
  return true;
}

}  // namespace cardan::cosimulation
