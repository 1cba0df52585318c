/// HttpService: requests that the door has let in, answered by handlers; cpp-httplib, which only this file's
/// source knows, finds the handler and writes the answer.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "apps/studio/packet.h"
#include "apps/studio/server/request_head.h"

namespace cardan::studio {

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body{};
  /// In place of a body: writes pieces until it is done; a piece that cannot be written is false.
  using Write = std::function<bool(std::string_view)>;
  std::function<void(const Write&)> stream{};
};

class HttpService {
 public:
  using Handler = std::function<Reply(const std::string& body)>;

  /// `socket`: the one that is listened at, as long as it serves.
  explicit HttpService(int socket);
  ~HttpService();

  /// Files of the page, which are there as long as the program.
  void addFile(const std::string& target, std::string type, std::string_view content);
  /// POST with JSON. What it throws is a message in the reply.
  void addHandler(const std::string& target, Handler handler);

  /// Answers in a thread of its own, and closes the socket. More than kMostAtATime are turned away.
  void answer(int socket, const RequestHead& head, std::string body);

  static constexpr int kMostAtATime = 64;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace cardan::studio
