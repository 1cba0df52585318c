#include "apps/studio/server/gate.h"

#include <arpa/inet.h>
#include <sys/random.h>

#include <array>
#include <stdexcept>

namespace cardan::studio {
namespace {

/// Asks for a file of the page, which any copy of the program has: there is nothing else to get.
bool isOfPage(const RequestHead& head) {
  return head.method == "GET" && !head.target.starts_with("/api/");
}

}  // namespace

std::string Gate::makeToken() {
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the system gives no random numbers");
  std::string token;
  for (const unsigned char b : bytes) {
    token += "0123456789abcdef"[b >> 4U];
    token += "0123456789abcdef"[b & 15U];
  }
  return token;
}

bool Gate::equal(std::string_view a, std::string_view b) {
  // Every character of `a`, which comes from outside, is looked at.
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^
                  static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  return difference == 0 && !b.empty();
}

/// "127.0.0.1:4823". A name that is not ours may point here all the same.
bool Gate::isOwnHost(std::string_view host) const {
  const std::string port = ":" + std::to_string(port_);
  if (!host.ends_with(port)) return false;
  const std::string name(host.substr(0, host.size() - port.size()));
  if (name == host_) return true;
  if (host_ == "127.0.0.1") return name == "localhost";
  in_addr address{};
  return host_ == "0.0.0.0" && ::inet_pton(AF_INET, name.c_str(), &address) == 1;
}

std::optional<Refusal> Gate::refusal(const RequestHead& head) const {
  const auto host = head.field("host");
  if (!host || !isOwnHost(*host)) return Refusal{403, "this is not the host that was asked for"};
  if (head.has("origin")) {
    const auto origin = head.field("origin");
    constexpr std::string_view kScheme = "http://";
    if (!origin || !origin->starts_with(kScheme) || !isOwnHost(origin->substr(kScheme.size())))
      return Refusal{403, "another page asks"};
  }
  const bool ofPage = isOfPage(head);
  if (const auto site = head.field("sec-fetch-site"); site && *site == "cross-site" && !ofPage)
    return Refusal{403, "another page asks"};
  if (head.method != "GET" && head.method != "POST") return Refusal{405, "only GET and POST"};
  if (head.bodyBytes > kMostBytes) return Refusal{413, "a body has at most 16 MB"};
  if (ofPage) return std::nullopt;
  const auto token = head.field("x-cardan-token");
  if (!token || !equal(*token, token_))
    return Refusal{401, "the token is not that of this start: open the address that it prints"};
  return std::nullopt;
}

}  // namespace cardan::studio
