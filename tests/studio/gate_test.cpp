#include "apps/studio/server/gate.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace cardan::studio;

namespace {

const std::string kToken(64, 'a');

int statusOf(const Gate& gate, const std::string& fields,
             const std::string& what = "POST /api/run") {
  const auto head = RequestHead::parse(what + " HTTP/1.1\r\n" + fields + "\r\n");
  REQUIRE(head);
  const auto refusal = gate.refusal(*head);
  return refusal ? refusal->status : 0;
}

const std::string kHost = "Host: 127.0.0.1:4823\r\n";
const std::string kRight = "X-Cardan-Token: " + kToken + "\r\n";

}  // namespace

TEST_CASE("Gate: the page itself is answered") {
  const Gate gate("127.0.0.1", 4823, kToken);
  CHECK(statusOf(gate, kHost + kRight) == 0);
  CHECK(statusOf(gate, "Host: localhost:4823\r\n" + kRight) == 0);
  CHECK(statusOf(gate, kHost + kRight + "Origin: http://127.0.0.1:4823\r\n") == 0);
  CHECK(statusOf(gate, kHost, "GET /studio.js") == 0);
  CHECK(statusOf(gate, kHost + "Sec-Fetch-Site: cross-site\r\n", "GET /") == 0);
}

TEST_CASE("Gate: another host, origin, site or method is refused, whatever the token") {
  const Gate gate("127.0.0.1", 4823, kToken);
  for (const std::string host :
       {"", "Host: evil.example:4823\r\n", "Host: 127.0.0.1\r\n", "Host: 127.0.0.1:48230\r\n",
        "Host: 127.0.0.1:4823:4823\r\n", "Host: 127.0.0.1.evil.example:4823\r\n",
        "Host: x127.0.0.1:4823\r\n", "Host: 0.0.0.0:4823\r\n", "Host: [::1]:4823\r\n",
        "Host: 127.0.0.1:4823\r\nHost: 127.0.0.1:4823\r\n"}) {
    INFO(host);
    CHECK(statusOf(gate, host + kRight) == 403);
    CHECK(statusOf(gate, host, "GET /") == 403);
  }
  for (const char* origin : {"null", "http://evil.example", "https://127.0.0.1:4823",
                             "http://127.0.0.1:4823.evil.example", "http://127.0.0.1:1", ""}) {
    INFO(origin);
    CHECK(statusOf(gate, kHost + kRight + "Origin: " + origin + "\r\n") == 403);
  }
  CHECK(statusOf(gate, kHost + kRight + "Sec-Fetch-Site: cross-site\r\n") == 403);
  for (const std::string method : {"PUT", "HEAD", "OPTIONS", "DELETE", "CONNECT", "post"}) {
    INFO(method);
    CHECK(statusOf(gate, kHost + kRight, method + " /api/run") == 405);
    CHECK(statusOf(gate, kHost + kRight, method + " /") == 405);
  }
}

TEST_CASE("Gate: without the token nothing is answered that is not in every copy of the program") {
  const Gate gate("127.0.0.1", 4823, kToken);
  for (const std::string& token : {std::string(), std::string("a"), std::string(63, 'a'),
                                   std::string(65, 'a'), std::string(63, 'a') + "b"}) {
    INFO(token);
    CHECK(statusOf(gate, kHost + "X-Cardan-Token: " + token + "\r\n") == 401);
  }
  CHECK(statusOf(gate, kHost) == 401);
  CHECK(statusOf(gate, kHost + kRight + kRight) == 401);
  // Whatever handler a target may lead to.
  for (const std::string target : {"/", "/studio.js", "//api/run", "/./api/run", "/x/../api/run",
                                   "/API/run", "/api", "/?/api/run", "/api/run?%61"}) {
    INFO(target);
    CHECK(statusOf(gate, kHost, "POST " + target) == 401);
    CHECK(statusOf(gate, kHost + kRight + "Sec-Fetch-Site: cross-site\r\n", "POST " + target) ==
          403);
  }
  CHECK(statusOf(gate, kHost, "GET /api/run") == 401);
  CHECK(statusOf(Gate("127.0.0.1", 4823, ""), kHost + "X-Cardan-Token:\r\n") == 401);
}

TEST_CASE("Gate: a body of more than 16 MB is refused by its length") {
  const Gate gate("127.0.0.1", 4823, kToken);
  CHECK(statusOf(gate, kHost + kRight + "Content-Length: 16777216\r\n") == 0);
  CHECK(statusOf(gate, kHost + kRight + "Content-Length: 16777217\r\n") == 413);
}

TEST_CASE("Gate: where it listens at all addresses, these in numbers are its own, and no names") {
  const Gate gate("0.0.0.0", 4823, kToken);
  CHECK(statusOf(gate, "Host: 192.168.0.7:4823\r\n" + kRight) == 0);
  CHECK(statusOf(gate, "Host: evil.example:4823\r\n" + kRight) == 403);
}

TEST_CASE("Gate: tokens are long, and none like another") {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(Gate::makeToken());
  CHECK(tokens.size() == 100);
  CHECK(tokens.begin()->size() == 64);
}

TEST_CASE("Gate: equal means equal") {
  CHECK(Gate::equal("abc", "abc"));
  CHECK(!Gate::equal("abd", "abc"));
  CHECK(!Gate::equal("ab", "abc"));
  CHECK(!Gate::equal("abcabc", "abc"));
  CHECK(!Gate::equal("", ""));
}
