#include "apps/studio/packet.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>

namespace cardan::studio {
namespace {

constexpr size_t kHead = 3 * sizeof(uint32_t);
constexpr size_t kLongest = 1U << 30;  // [bytes]

}  // namespace

std::string Packet::format() const {
  const std::array<uint32_t, 3> head{kind, static_cast<uint32_t>(json.size()),
                                     static_cast<uint32_t>(bytes.size())};
  std::string text(kHead, '\0');
  std::memcpy(text.data(), head.data(), kHead);
  text += json;
  text += bytes;
  return text;
}

std::optional<Packet> takePacket(std::string& buffer) {
  if (buffer.size() < kHead) return std::nullopt;
  std::array<uint32_t, 3> head{};
  std::memcpy(head.data(), buffer.data(), kHead);
  const auto [kind, json, bytes] = head;
  if (kind < Packet::part || kind > Packet::cancel || json > kLongest || bytes > kLongest)
    throw std::runtime_error("what came is no packet");
  if (buffer.size() - kHead < size_t{json} + bytes) return std::nullopt;
  Packet p{static_cast<Packet::Kind>(kind), buffer.substr(kHead, json),
           buffer.substr(kHead + json, bytes)};
  buffer.erase(0, kHead + json + bytes);
  return p;
}

}  // namespace cardan::studio
