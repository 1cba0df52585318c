#include "apps/cardan/console.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "apps/cardan/command.h"
#include "engine/results/output_file.h"

namespace cardan {
namespace {

int outputError = 0;  // errno of the first text that stdout did not take

bool stderrIsTerminal() { return isatty(STDERR_FILENO) != 0; }

bool useColor() {
  const char* no = std::getenv("NO_COLOR");
  return stderrIsTerminal() && (no == nullptr || *no == '\0');
}

/// The first "error: " at the beginning or after "file:line:col: ", in colour.
std::string colored(std::string_view line) {
  struct Word {
    std::string_view text;
    const char* color;
  };
  for (const Word& w : {Word{"error:", "\033[1;31m"}, Word{"warning:", "\033[1;35m"},
                        Word{"note:", "\033[1;36m"}}) {
    size_t at = line.starts_with(w.text) ? 0 : line.find(": " + std::string(w.text));
    if (at == std::string_view::npos) continue;
    if (at > 0) at += 2;
    return std::string(line.substr(0, at)) + w.color + std::string(w.text) + "\033[0m" +
           std::string(line.substr(at + w.text.size()));
  }
  return std::string(line);
}

}  // namespace

std::string durationText(double seconds) {
  const long s = static_cast<long>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

void prepareStandardFiles() {
  // Opened the wrong way round, so that using them is the error it was.
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    const int flags = file == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", flags) != file) std::_Exit(kFailed);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void printOutput(std::string_view text) {
  errno = 0;
  const bool good =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (good) return;
  if (errno == EPIPE) endOfPipe();
  if (outputError == 0) outputError = errno != 0 ? errno : EIO;
}

void writeOutput(const std::string& path, const std::string& text) {
  path.empty() || path == "-" ? printOutput(text) : writeTextFile(path, text);
}

std::string shownPath(const std::string& path) { return path == "-" ? "standard output" : path; }

int finishOutput(int code) {
  if (outputError == 0) return code;
  printMessages(std::string("error: ") + cannotWrite("-", outputError).what());
  return code == kDone ? kFailed : code;
}

void endOfPipe() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  std::_Exit(128 + SIGPIPE);
}

int terminalWidth() {
  winsize w{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 30)
    return std::min<int>(w.ws_col, 160);
  return 80;
}

void printProgress(const std::string& text) {
  // Without an error of its own: who has closed stderr wants no messages.
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void printMessages(const std::string& lines) {
  const bool color = useColor();
  std::string_view rest = lines;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    printProgress((color ? colored(line) : std::string(line)) + "\n");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void printModelError(const ModelError& error) {
  printMessages(error.what());
  const int count = error.diagnostics().errorCount();
  if (count > 1) printProgress(fmt::format("{} errors\n", count));
}

void refuse(const std::string& text, const SourceMark& at) {
  Diagnostics diagnostics;
  diagnostics.error(at, text);
  throw ModelError(std::move(diagnostics));
}

RewrittenLine::RewrittenLine(bool wanted, double delay)
    : enabled_(wanted && stderrIsTerminal()),
      next_(Clock::now() + std::chrono::milliseconds(static_cast<long>(1000 * delay))) {}

void RewrittenLine::rewrite(const std::string& text) {
  printProgress("\r\033[K" + text);
  next_ = Clock::now() + std::chrono::milliseconds(200);
  shown_ = true;
}

void RewrittenLine::clear() {
  if (!shown_) return;
  printProgress("\r\033[K");
  next_ = Clock::now();
  shown_ = false;
}

ProgressLine::ProgressLine(double start, double stop, bool wanted)
    : start_(start), stop_(stop), line_(wanted && stop > start, 1) {}

void ProgressLine::update(double time) {
  line_.show([&] {
    const double share = std::clamp((time - start_) / (stop_ - start_), 0.0, 1.0);
    const double elapsed = std::chrono::duration<double>(Clock::now() - begun_).count();
    const std::string left =
        share > 0.001 ? ", " + durationText(elapsed * (1 - share) / share) + " left" : "";
    return fmt::format("{:3.0f} %  time = {:.6g} s{}", 100 * share, time, left);
  });
}

}  // namespace cardan
