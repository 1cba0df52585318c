/// Interruption: Ctrl-C, SIGTERM and SIGHUP as a wish to stop, so that a run ends with the rows so
/// far.
#pragma once

namespace cardan {

/// While it lives, the first signal only sets a flag; a second one ends the program at once. SIGHUP
/// stays ignored where it is (nohup).
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool wished() const { return signal() != 0; }
  /// The signal that came, or 0.
  int signal() const;
  /// What a program ends with that a signal has stopped: 130, 143, 129.
  int exitCode() const { return 128 + signal(); }
};

}  // namespace cardan
