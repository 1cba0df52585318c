// cardan-studio: the server of `cardan studio`, which starts it with its options as JSON.
#include <fmt/format.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/cosimulation/child_process.h"
#include "apps/studio/server/door.h"
#include "apps/studio/server/routes.h"

namespace cardan::studio {
namespace {

/// A file that can be read once somebody wants the program to end.
int endOfServing() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, s);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

int exitCode(int file) {
  signalfd_siginfo signal{};
  return ::read(file, &signal, sizeof signal) > 0 ? 128 + static_cast<int>(signal.ssi_signo) : 1;
}

int run(const nlohmann::json& options) {
  // A text that somebody typed runs no native code of others, in none of the processes begun here.
  if (!options.at("allowFmu")) ::setenv("CARDAN_FMU", "refuse", 1);
  const int stop = endOfServing();
  const std::string host = options.at("host");
  Door door(host, options.at("port"));
  const std::string token = Gate::makeToken();
  const Gate gate(host == "localhost" ? "127.0.0.1" : host, door.port(), token);
  Routes routes({options.at("program"), options.at("folder"), options.at("model"),
                 options.at("examples"), options.at("timeLimit")});
  HttpService service(door.socket());
  routes.addTo(service);
  // Behind the # nothing is sent or written into logs.
  const std::string address = fmt::format(
      "http://{}:{}/#token={}", host == "0.0.0.0" ? "127.0.0.1" : host, door.port(), token);
  fmt::print("{}\n(Ctrl-C ends it)\n", address);
  std::fflush(stdout);
  if (options.at("open")) startProcess({"/usr/bin/xdg-open", address}, "/", -1, -1, -1);
  door.serve(gate, stop, [&](int socket, const RequestHead& head, std::string body) {
    service.answer(socket, head, std::move(body));
  });
  std::_Exit(exitCode(
      stop));  // workers end when nobody is at the other end; answers need not be waited for
}

}  // namespace
}  // namespace cardan::studio

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("'cardan studio' starts this program");
    return cardan::studio::run(nlohmann::json::parse(argv[1]));
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 1;
  }
}
