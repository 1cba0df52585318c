#include "apps/studio/server/request_head.h"

#include <doctest/doctest.h>

#include <string>

using cardan::studio::RequestHead;

TEST_CASE("RequestHead: reads method, target and fields, whose names have no capitals") {
  const auto head = RequestHead::parse(
      "POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:4823\r\nX-Token:  a b \r\nContent-Length: "
      "12\r\n\r\n");
  REQUIRE(head);
  CHECK(head->method == "POST");
  CHECK(head->target == "/api/run");
  CHECK(head->field("host") == "127.0.0.1:4823");
  CHECK(head->field("x-token") == "a b");
  CHECK(head->bodyBytes == 12);
  CHECK(!head->field("origin"));
}

TEST_CASE("RequestHead: a field that is there twice has no value") {
  const auto head = RequestHead::parse("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n");
  REQUIRE(head);
  CHECK(head->has("host"));
  CHECK(!head->field("host"));
}

TEST_CASE("RequestHead: ends with the first empty line") {
  CHECK(RequestHead::lengthIn("GET / HTTP/1.1\r\n") == 0);
  CHECK(RequestHead::lengthIn("GET / HTTP/1.1\r\n\r\nbody\r\n\r\n") == 18);
}

TEST_CASE("RequestHead: a path is what it says, without escapes; a query may have them") {
  for (const std::string path :
       {"/%61pi/save", "/ap%69/command", "/%2561pi/save", "/api%2Fsave", "/%u0061pi/save",
        "/api/save%00", "/api/save;x", "/api\\save", "/x#/../api/save", "/api/save+", "/~", "*",
        "//a@b:1/", "/a?\x7f"}) {
    INFO(path);
    CHECK(!RequestHead::parse("POST " + path + " HTTP/1.1\r\n\r\n"));
  }
  CHECK(RequestHead::parse("GET /three.min-2_0.js?%61;#x HTTP/1.1\r\n\r\n"));
}

TEST_CASE("RequestHead: what is doubtful is refused") {
  for (const std::string text :
       {"",
        "\r\n\r\n",
        "GET\r\n\r\n",
        "GET /\r\n\r\n",
        "GET  / HTTP/1.1\r\n\r\n",
        "GET / HTTP/2\r\n\r\n",
        "GET / HTTP/1.1 \r\n\r\n",
        "G T / HTTP/1.1\r\n\r\n",
        "GET x HTTP/1.1\r\n\r\n",
        "GET /\x80 HTTP/1.1\r\n\r\n",
        "POST http://127.0.0.1:4823/api/save HTTP/1.1\r\n\r\n",
        "GET /\t HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
        "GET / HTTP/1.1\r\n: a\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\x01\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1 \x0c\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 0x1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length:\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"}) {
    INFO(text);
    CHECK(!RequestHead::parse(text));
  }
  CHECK(!RequestHead::parse("GET /" + std::string(3000, 'x') + " HTTP/1.1\r\n\r\n"));
  std::string many = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 200; ++i) many += "A: b\r\n";
  CHECK(!RequestHead::parse(many + "\r\n"));
}
