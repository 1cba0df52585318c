/// Runs the program under test and keeps what it printed.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace test {

inline std::string readFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A folder of its own, gone at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cardan_cli_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return *this / name;
  }
  std::string read(const std::string& name) const { return readFile(path_ / name); }
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }

 private:
  std::filesystem::path path_;
};

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
inline Process cardan(const Folder& folder, const std::string& arguments) {
  const std::string command = "cd '" + (folder / "") + "' && '" CARDAN_BINARY "' " + arguments +
                              " >stdout.txt 2>stderr.txt </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("stdout.txt"),
          folder.read("stderr.txt")};
}

}  // namespace test
