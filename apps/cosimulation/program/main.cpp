// cardan-fmu: the process that an FMU runs in. It is started with a socket as its standard input and ends
// when nobody holds the other end any longer.
#include <poll.h>
#include <unistd.h>

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

int main() {
  std::thread(endWithOtherSide).detach();
  LoadedFmu fmu;
  std::string buffer;
  while (true) {
    FmuRequest request;
    receive(buffer, request);
    if (request.kind == FmuRequest::Kind::open) receive(buffer, request.opening);
    if (!sendMessage(kFmuSocket, fmu.call(request))) ::_exit(0);
  }
}
