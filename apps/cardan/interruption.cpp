#include "apps/cardan/interruption.h"

#include <csignal>

namespace cardan {
namespace {

volatile std::sig_atomic_t stopWished = 0;

extern "C" void wishStop(int) { stopWished = 1; }

}  // namespace

Interruption::Interruption() {
  stopWished = 0;
  struct sigaction action {};
  action.sa_handler = wishStop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interruption::wished() const { return stopWished != 0; }

}  // namespace cardan
