#include "apps/studio/server/door.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "apps/cosimulation/socket_bytes.h"

namespace cardan::studio {
namespace {

constexpr int kUsualPort = 4823;
constexpr int kPortsTried = 10;
constexpr int kTick = 200;      // [ms]
constexpr int kBacklog = 1024;  // connections that the system keeps until they are admitted

}  // namespace

Door::Door(const std::string& host, int port) {
  if (port > 0) {
    if (listenAt(host, port)) return;
  } else {
    // The usual one, so that what the browser keeps of texts is found again.
    for (int p = kUsualPort; p < kUsualPort + kPortsTried; ++p) {
      if (listenAt(host, p)) return;
    }
    if (listenAt(host, 0)) return;
  }
  throw std::runtime_error("cannot listen at " + host +
                           (port > 0 ? ":" + std::to_string(port) : "") + ": " +
                           std::strerror(errno));
}

Door::~Door() {
  for (const Visitor& v : visitors_) ::close(v.socket);
  if (listening_ >= 0) ::close(listening_);
}

bool Door::listenAt(const std::string& host, int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (::inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host.c_str(), &address.sin_addr) !=
      1) {
    errno = EINVAL;
    return false;
  }
  const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  socklen_t size = sizeof address;
  if (::bind(s, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(s, kBacklog) != 0) {
    const int why = errno;
    ::close(s);
    errno = why;
    return false;
  }
  ::getsockname(s, reinterpret_cast<sockaddr*>(&address), &size);
  listening_ = s;
  port_ = ntohs(address.sin_port);
  return true;
}

void Door::admit() {
  const int s = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (s < 0) return;
  const int on = 1;
  ::setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (visitors_.size() >= kMostWaiting) {
    ::close(visitors_.front().socket);
    visitors_.pop_front();
  }
  visitors_.push_back({s, Clock::now() + kPatience, {}, {}, 0});
}

void Door::refuse(const Visitor& visitor, const Refusal& refusal) {
  const std::string text =
      "HTTP/1.1 " + std::to_string(refusal.status) +
      " Refused\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " +
      std::to_string(refusal.why.size() + 1) +
      "\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n" + refusal.why + "\n";
  sendAll(visitor.socket, text);
  ::shutdown(visitor.socket, SHUT_WR);
}

Door::Next Door::readHead(Visitor& v, const Gate& gate) {
  const size_t length = RequestHead::lengthIn(v.came);
  if (length == 0 && v.came.size() <= kLongestHead) return Next::wait;
  const auto head = length > 0 && length <= kLongestHead
                        ? RequestHead::parse(std::string_view(v.came).substr(0, length))
                        : std::nullopt;
  const std::optional<Refusal> refusal =
      head ? gate.refusal(*head) : Refusal{400, "this is no request that can be understood"};
  if (refusal) {
    refuse(v, *refusal);
    return Next::gone;
  }
  v.head = *head;
  v.headBytes = length;
  if (v.head.bodyBytes > 0) v.deadline = Clock::now() + kBodyPatience;
  return Next::wait;
}

Door::Next Door::hear(Visitor& v, const Gate& gate, const Answer& answer) {
  char bytes[1 << 16];
  const ssize_t n = ::recv(v.socket, bytes, sizeof bytes, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return Next::wait;
  if (n <= 0) return Next::gone;
  v.came.append(bytes, n);
  if (v.headBytes == 0 && readHead(v, gate) == Next::gone) return Next::gone;
  if (v.headBytes == 0 || v.came.size() - v.headBytes < v.head.bodyBytes) return Next::wait;
  answer(v.socket, std::move(v.head), v.came.substr(v.headBytes, v.head.bodyBytes));
  return Next::answered;
}

void Door::dismissIdle() {
  const auto now = Clock::now();
  std::erase_if(visitors_, [now](const Visitor& v) {
    if (v.deadline > now) return false;
    ::close(v.socket);
    return true;
  });
}

void Door::serve(const Gate& gate, int stop, const Answer& answer) {
  while (true) {
    std::vector<pollfd> files{{stop, POLLIN, 0}, {listening_, POLLIN, 0}};
    for (const Visitor& v : visitors_) files.push_back({v.socket, POLLIN, 0});
    if (::poll(files.data(), files.size(), kTick) < 0 && errno != EINTR) return;
    if (files[0].revents != 0) return;
    // Those who have something to say before those who only come.
    size_t i = 2;
    for (auto v = visitors_.begin(); v != visitors_.end(); ++i) {
      const Next next = files[i].revents == 0 ? Next::wait : hear(*v, gate, answer);
      if (next == Next::gone) ::close(v->socket);
      v = next == Next::wait ? std::next(v) : visitors_.erase(v);
    }
    if (files[1].revents != 0) admit();
    dismissIdle();
  }
}

}  // namespace cardan::studio
