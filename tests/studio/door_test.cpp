#include "apps/studio/server/door.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "apps/cosimulation/socket_bytes.h"

using namespace cardan::studio;
using cardan::readSome;
using cardan::sendAll;

namespace {

/// A door that answers each request with its body.
class EchoDoor {
 public:
  EchoDoor()
      : door_("127.0.0.1", 0), gate_("127.0.0.1", door_.port(), "t"), stop_(::eventfd(0, 0)) {
    thread_ = std::thread([this] {
      door_.serve(gate_, stop_, [](int socket, const RequestHead&, const std::string& body) {
        sendAll(socket, "HTTP/1.1 200 OK\r\n\r\n" + body);
        ::close(socket);
      });
    });
  }
  ~EchoDoor() {
    const uint64_t one = 1;
    if (::write(stop_, &one, sizeof one) > 0) thread_.join();
    ::close(stop_);
  }
  EchoDoor(const EchoDoor&) = delete;
  EchoDoor& operator=(const EchoDoor&) = delete;

  int connect() const {
    const int s = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(door_.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(s, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    return s;
  }
  /// What is answered until the connection ends.
  static std::string rest(int socket) {
    std::string answer;
    while (readSome(socket, answer)) {
    }
    ::close(socket);
    return answer;
  }
  std::string ask(const std::string& body, size_t length) const {
    const int s = connect();
    sendAll(s, head(length) + body);
    return rest(s);
  }
  std::string head(size_t length) const {
    return "POST /api/x HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(door_.port()) +
           "\r\nX-Cardan-Token: t\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
  }

 private:
  Door door_;
  Gate gate_;
  int stop_;
  std::thread thread_;
};

double secondsOf(const std::function<void()>& f) {
  const auto begun = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

}  // namespace

TEST_CASE("Door: a request goes on once it is complete, however it comes") {
  const EchoDoor door;
  const std::string large(3'000'000, 'x');
  CHECK(door.ask(large, large.size()).ends_with("\r\n\r\n" + large));
  const int s = door.connect();
  for (const char c : door.head(3) + "abc") sendAll(s, std::string(1, c));
  CHECK(EchoDoor::rest(s).ends_with("abc"));
}

TEST_CASE("Door: what is no request, or too large, is refused at once and unread") {
  const EchoDoor door;
  const double took = secondsOf([&] {
    CHECK(door.ask("", size_t{1} << 30).starts_with("HTTP/1.1 413 "));
    const int s = door.connect();
    sendAll(s, "nonsense\r\n\r\n");
    CHECK(EchoDoor::rest(s).starts_with("HTTP/1.1 400 "));
    const int endless = door.connect();
    sendAll(endless, std::string(Door::kLongestHead + 1, 'x'));
    EchoDoor::rest(endless);
  });
  CHECK(took < 1);
}

TEST_CASE("Door: silence is not waited for, and a thousand silent ones keep nobody waiting") {
  const EchoDoor door;
  std::vector<int> idle;
  for (int i = 0; i < 1000; ++i) idle.push_back(door.connect());
  CHECK(secondsOf([&] { CHECK(door.ask("x", 1).ends_with("\r\n\r\nx")); }) < 1);
  CHECK(secondsOf([&] {
          for (const int s : idle) CHECK(EchoDoor::rest(s).empty());
        }) < 3);
}
