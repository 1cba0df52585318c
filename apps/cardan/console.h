/// What the program says: results on stdout, messages and the line of progress on stderr.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "engine/text/diagnostics.h"

namespace cardan {

/// Before anything is opened or printed: standard files that are closed are taken, so that no other
/// file gets their numbers, and writing to a closed pipe or beyond a limit is an error and no
/// signal.
void prepareStandardFiles();

/// Prints to stdout. What cannot be written is told by finishOutput(); a reader that has gone ends
/// the program as SIGPIPE does.
void printOutput(std::string_view text);
/// At the end of the program: `code`, or kFailed and a message where stdout could not be written.
int finishOutput(int code);
/// Ends the program as a closed pipe ends others.
[[noreturn]] void endOfPipe();

/// Characters in a line of the terminal that stdout is, 30 to 160; 80 where it is none.
int terminalWidth();

/// Prints to stderr as it is: a line that is rewritten in place.
void printProgress(const std::string& text);
/// Prints lines to stderr, if there is one; the words error:, warning: and note: are coloured on a
/// terminal (unless NO_COLOR is set).
void printMessages(const std::string& lines);
/// All messages of a wrong model, and how many errors there are if more than one.
void printModelError(const ModelError& error);

/// Throws a ModelError with this one message, of `file` if it is given.
[[noreturn]] void refuse(const std::string& text, const std::string& file = "");

/// "45 s", "3:07 min", "2:05 h"
std::string durationText(double seconds);

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
