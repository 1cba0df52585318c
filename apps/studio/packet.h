/// Packets: what a worker and the server say to each other, and the server to the page, as it is: three
/// numbers of 32 bits (kind, lengths), a text of JSON, and bytes that belong to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cardan::studio {

struct Packet {
  enum Kind : uint32_t {
    part = 1,    ///< more comes
    end = 2,     ///< the answer is complete
    cancel = 3,  ///< to a worker: its answer is no longer wanted
  };
  Kind kind = end;
  std::string json{};
  std::string bytes{};

  std::string format() const;
};

/// Takes the first packet from a buffer; nothing while it is incomplete. Throws std::runtime_error where
/// that is no packet.
std::optional<Packet> takePacket(std::string& buffer);

}  // namespace cardan::studio
