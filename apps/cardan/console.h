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
/// Into a file, to stdout where `path` is "-" or empty. Throws FileError.
void writeOutput(const std::string& path, const std::string& text);
/// What messages call such a file.
std::string shownPath(const std::string& path);
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

/// Throws a ModelError with this one message.
[[noreturn]] void refuse(const std::string& text, const SourceMark& at = {});

/// "45 s", "3:07 min", "2:05 h"
std::string durationText(double seconds);

/// A line that is rewritten in place on a terminal, five times a second at most, and goes away at the end.
class RewrittenLine {
 public:
  /// It appears after `delay` [s], if that is `wanted` and stderr is a terminal.
  explicit RewrittenLine(bool wanted, double delay = 0);
  ~RewrittenLine() { clear(); }
  RewrittenLine(const RewrittenLine&) = delete;
  RewrittenLine& operator=(const RewrittenLine&) = delete;

  /// `text()` is asked where it is to be shown.
  template <class Text>
  void show(const Text& text) {
    if (isDue()) rewrite(text());
  }
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool isDue() const { return enabled_ && Clock::now() >= next_; }
  void rewrite(const std::string& text);

  bool enabled_, shown_ = false;
  Clock::time_point next_;
};

/// A line of percent, simulated time and time left; it appears after a second.
class ProgressLine {
 public:
  ProgressLine(double start, double stop, bool wanted);
  void update(double time);

 private:
  using Clock = std::chrono::steady_clock;
  double start_, stop_;
  Clock::time_point begun_ = Clock::now();
  RewrittenLine line_;
};

}  // namespace cardan
