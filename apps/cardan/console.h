/// What the program says on stderr: messages, in colour on a terminal, and the line of progress.
#pragma once

#include <chrono>
#include <string>

#include "engine/diagnostics.h"

namespace cardan {

/// Prints lines to stderr; the words error:, warning: and note: are coloured on a terminal
/// (unless NO_COLOR is set).
void printMessages(const std::string& lines);
/// All messages of a wrong model, and how many errors there are if more than one.
void printModelError(const ModelError& error);

/// A line of percent, simulated time and time left, rewritten in place on a terminal; it appears
/// after a second and goes away at the end.
class ProgressLine {
 public:
  ProgressLine(double start, double stop, bool wanted);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(double time);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  double start_, stop_;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point begun_, next_;
};

}  // namespace cardan
