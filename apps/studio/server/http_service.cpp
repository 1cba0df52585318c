#include "apps/studio/server/http_service.h"

#include <fcntl.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "apps/cosimulation/socket_bytes.h"

namespace cardan::studio {
namespace {

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src "
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
constexpr timeval kWritePatience{10, 0};

/// A request that is in memory already; the answer goes to the socket.
class Conversation final : public httplib::Stream {
 public:
  Conversation(std::string request, int socket) : request_(std::move(request)), socket_(socket) {}

  bool is_readable() const override { return at_ < request_.size(); }
  bool is_writable() const override { return !broken_; }
  ssize_t read(char* to, size_t size) override {
    const size_t n = request_.copy(to, size, at_);
    at_ += n;
    return static_cast<ssize_t>(n);
  }
  ssize_t write(const char* from, size_t size) override {
    if (!sendAll(socket_, {from, size})) broken_ = true;
    return broken_ ? -1 : static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  socket_t socket() const override { return socket_; }

 private:
  std::string request_;
  size_t at_ = 0;
  int socket_;
  bool broken_ = false;
};

/// What httplib gets to read: of what the door has read no more than what matters.
std::string normalised(const RequestHead& head, const std::string& body) {
  return head.method + " " + head.target +
         " HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

void fill(httplib::Response& response, Reply reply) {
  response.status = reply.status;
  if (!reply.stream) {
    response.set_content(std::move(reply.body), reply.type);
    return;
  }
  response.set_chunked_content_provider(
      reply.type, [stream = std::move(reply.stream)](size_t, httplib::DataSink& sink) {
        stream([&](std::string_view piece) { return sink.write(piece.data(), piece.size()); });
        sink.done();
        return true;
      });
}

Reply replyOf(const HttpService::Handler& handler, const std::string& body) {
  try {
    return handler(body);
  } catch (const std::exception& e) {
    const nlohmann::json message{{"error", e.what()}};
    return {.status = 400,
            .body = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
  }
}

}  // namespace

class HttpService::Server final : public httplib::Server {
 public:
  explicit Server(int socket) {
    svr_sock_ = socket;  // or it would take itself for one that is shutting down
    set_default_headers({{"Content-Security-Policy", kPolicy},
                         {"X-Content-Type-Options", "nosniff"},
                         {"Referrer-Policy", "no-referrer"},
                         {"Cross-Origin-Opener-Policy", "same-origin"},
                         {"Cross-Origin-Resource-Policy", "same-origin"},
                         {"Cache-Control", "no-store"}});
  }

  void converse(int socket, std::string request) {
    Conversation conversation(std::move(request), socket);
    bool closed = false;
    process_request(conversation, true, closed, nullptr);
  }

  std::atomic<int> busy{0};
};

HttpService::HttpService(int socket) : server_(std::make_unique<Server>(socket)) {}
HttpService::~HttpService() = default;

void HttpService::addFile(const std::string& target, std::string type, std::string_view content) {
  server_->Get(target, [type = std::move(type), content](const auto&, httplib::Response& response) {
    response.set_content(content.data(), content.size(), type);
  });
}

void HttpService::addHandler(const std::string& target, Handler handler) {
  server_->Post(target, [handler = std::move(handler)](const httplib::Request& request,
                                                       httplib::Response& response) {
    fill(response, replyOf(handler, request.body));
  });
}

void HttpService::answer(int socket, const RequestHead& head, std::string body) {
  if (server_->busy >= kMostAtATime) {
    sendAll(socket, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    ::close(socket);
    return;
  }
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) & ~O_NONBLOCK);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &kWritePatience, sizeof kWritePatience);
  ++server_->busy;
  std::thread([server = server_.get(), socket, request = normalised(head, body)]() mutable {
    server->converse(socket, std::move(request));
    ::shutdown(socket, SHUT_WR);
    ::close(socket);
    --server->busy;
  }).detach();
}

}  // namespace cardan::studio
