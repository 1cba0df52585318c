/// Processes: started without a copy of this one, so that threads do not matter; and commands of the program
/// with a text to read, what they print, and an end.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace cardan {

/// Starts a program; files that are -1 are /dev/null, of standard error: this one's. Returns -1 with errno
/// where that fails.
pid_t startProcess(const std::vector<std::string>& command, const std::string& folder, int input,
                   int output, int errors);
/// A program whose standard input is a socket, for questions and answers or to notice an end.
struct ServedProcess {
  pid_t process = -1;
  int socket = -1;  ///< the other end; whoever closes it ends the process
};
/// What it prints goes to standard error. Throws std::runtime_error.
ServedProcess startServed(const std::vector<std::string>& command);
/// Waits for the end of a process, which is killed where it does not end by itself at once; its status.
int endOfProcess(pid_t process);
/// "crashed with signal 11 (Segmentation fault)"
std::string descriptionOfEnd(int status);

struct CommandResult {
  int code = -1;
  std::string output, messages;
};
/// Runs a command to its end, with `input` to read; it is killed after `timeLimit` [s].
CommandResult runCommand(const std::vector<std::string>& command, const std::string& folder,
                         const std::string& input, double timeLimit);

}  // namespace cardan
