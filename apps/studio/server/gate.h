/// Gate: who may ask. A page of somebody else in the same browser, a name that was made to point here (DNS
/// rebinding) and other users of this machine are turned away before anything of a request is looked at.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/studio/server/request_head.h"

namespace cardan::studio {

struct Refusal {
  int status = 403;
  std::string why;
};

class Gate {
 public:
  static constexpr uint64_t kMostBytes = 16U << 20;  // of a body

  /// `host`: that it listens at; "127.0.0.1" also answers to "localhost", 0.0.0.0 to any address in numbers.
  Gate(std::string host, int port, std::string token)
      : host_(std::move(host)), port_(port), token_(std::move(token)) {}

  /// Why a request is not answered; nothing: it is.
  std::optional<Refusal> refusal(const RequestHead& head) const;

  /// What the page has to send: 256 bits of the system, in hexadecimal digits.
  static std::string makeToken();
  /// In a time that does not tell how much of it is right.
  static bool equal(std::string_view a, std::string_view b);

 private:
  bool isOwnHost(std::string_view host) const;

  std::string host_;
  int port_;
  std::string token_;
};

}  // namespace cardan::studio
