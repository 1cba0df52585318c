/// Runs the program under test and keeps what it printed.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/folder.h"

namespace test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Process {
  int code = -1;
  std::string out, err;
};

/// Runs a script of the shell in `folder`; $cardan is the program.
inline Process shell(const Folder& folder, const std::string& script) {
  folder.write("script.sh", "cardan='" CARDAN_BINARY "'\n" + script);
  const std::string command =
      "cd '" + (folder / "") + "' && bash script.sh >stdout.txt 2>stderr.txt </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("stdout.txt"),
          folder.read("stderr.txt")};
}

/// `arguments` as a shell reads them; the working directory is `folder`.
inline Process runCardan(const Folder& folder, const std::string& arguments) {
  const std::string command = "cd '" + (folder / "") + "' && '" CARDAN_BINARY "' " + arguments +
                              " >stdout.txt 2>stderr.txt </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("stdout.txt"),
          folder.read("stderr.txt")};
}

}  // namespace test
