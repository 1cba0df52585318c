#include "apps/cardan/interruption.h"

#include <csignal>

namespace cardan {
namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void wishStop(int signal) { received = signal; }

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

bool isIgnored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

Interruption::Interruption() {
  received = 0;
  struct sigaction action {};
  action.sa_handler = wishStop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int s : kSignals) {
    if (s != SIGHUP || !isIgnored(s)) sigaction(s, &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (const int s : kSignals) {
    if (!isIgnored(s)) std::signal(s, SIG_DFL);
  }
}

int Interruption::signal() const { return received; }

}  // namespace cardan
