// cardan-fmu: the process that an FMU runs in. It is started with a socket as its standard input and ends
// when nobody holds the other end any longer; with the name of a folder it does nothing but to remove that then.
#include <poll.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "apps/cosimulation/fmu_messages.h"
#include "apps/cosimulation/loaded_fmu.h"

using namespace cardan::cosimulation;

namespace {

template <class Message>
void receive(std::string& buffer, Message& message) {
  while (!takeMessage(buffer, message)) {
    if (!cardan::readSome(kFmuSocket, buffer)) ::_exit(0);
  }
}

/// Also in the middle of a step that takes for ever.
void endWithOtherSide() {
  pollfd file{kFmuSocket, 0, 0};
  while (::poll(&file, 1, -1) <= 0) {
  }
  ::_exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) {
    std::string nothing;
    while (cardan::readSome(kFmuSocket, nothing)) {
    }
    std::error_code ignored;
    std::filesystem::remove_all(argv[1], ignored);
    return 0;
  }
  std::thread(endWithOtherSide).detach();
  LoadedFmu fmu([](const std::string& message) {
    FmuReply told;
    told.isMessage = true;
    told.failure = message;
    sendMessage(kFmuSocket, told);
  });
  std::string buffer;
  while (true) {
    FmuRequest request;
    receive(buffer, request);
    if (request.kind == FmuRequest::Kind::open) receive(buffer, request.opening);
    if (!sendMessage(kFmuSocket, fmu.call(request))) ::_exit(0);
  }
}
