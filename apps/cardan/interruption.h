/// Interruption: Ctrl-C and SIGTERM as a wish to stop, so that a run ends with the rows so far.
#pragma once

namespace cardan {

/// While it lives, the first signal only sets a flag; a second one ends the program at once.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool wished() const;
};

}  // namespace cardan
