// cardan studio: a page in which a model is edited and answers at once. The server is a program of its own,
// beside the library of FMUs, as it needs libraries that no other command does.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cosimulation/program_files.h"
#include "apps/studio/worker/worker.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStudioFooter =
    R"(Serves a page on this machine and opens it in the browser: the text of a model, its messages underlined
while it is typed, the moving scene and the curves beside it, each change answered at once. A folder shows
its files; a double click on a number makes it a slider. Files are watched, so that another editor may
work on them as well. Ctrl-C ends it.

The address holds a secret of this start: without it nobody reads a file. Only this machine is answered.

Examples:
  cardan studio pendulum.yaml
  cardan studio models --no-open
  cardan studio robot.urdf --port 8000)";

struct StudioOptions {
  std::string place = ".";
  std::string host = "127.0.0.1";
  int port = 0;
  double timeLimit = 60;
  bool noOpen = false;
  bool know = false;
  bool allowFmu = false;

  int run() const;

 private:
  void check() const;
};

void StudioOptions::check() const {
  const bool isHere = host == "127.0.0.1" || host == "localhost";
  if (!isHere && !know) {
    refuse("--host '" + host +
           "' lets other machines ask; who has the address can read and write the files of the "
           "folder; say --i-know if you want that");
  }
  std::error_code none;
  if (!fs::exists(place, none)) refuse("there is no '" + place + "'");
  if (!fs::is_directory(place, none) && !fs::is_regular_file(place, none))
    refuse("'" + place + "' is neither a file nor a folder");
}

int StudioOptions::run() const {
  check();
  const fs::path server = fileOfProgram("cardan-studio");
  if (server.empty() && *CARDAN_STUDIO_MISSING != '\0')
    refuse(
        "this program was built without its studio, as packages were missing: install them (on "
        "Debian 'apt-get install " CARDAN_STUDIO_MISSING
        "') and build again with './cardan build'");
  if (server.empty()) refuse("the studio, lib/cardan/cardan-studio, is not beside this program");
  std::error_code none;
  const fs::path whole = fs::canonical(place, none);
  const bool isFolder = fs::is_directory(whole, none);
  const nlohmann::json options{{"program", fs::read_symlink("/proc/self/exe", none).string()},
                               {"folder", (isFolder ? whole : whole.parent_path()).string()},
                               {"model", isFolder ? "" : whole.filename().string()},
                               {"examples", modelsOfProgram().string()},
                               {"host", host},
                               {"port", port},
                               {"timeLimit", timeLimit},
                               {"open", !noOpen},
                               {"allowFmu", allowFmu}};
  const std::string text = options.dump();
  ::execl(server.c_str(), server.c_str(), text.c_str(), static_cast<char*>(nullptr));
  printMessages("error: cannot start '" + server.string() + "': " + std::strerror(errno));
  return kFailed;
}

}  // namespace

CommandRun addStudio(CLI::App& app) {
  auto o = std::make_shared<StudioOptions>();
  app.footer(kStudioFooter);
  addOption(app, "PLACE", o->place, "", "model file or folder; default: the current folder");
  app.add_flag("--no-open", o->noOpen, "print the address, open no browser");
  addOption(app, "--port", o->port, "N", "port of the address; default: 4823, or one that is free",
            CLI::Range(1, 65535));
  addOption(app, "--time-limit", o->timeLimit, "S",
            "[s] longest time that a run may take; default: 60", positiveNumber());
  addOption(app, "--host", o->host, "ADDRESS",
            "address to listen at; default: 127.0.0.1, this machine alone");
  app.add_flag("--i-know", o->know, "with --host: other machines may ask");
  app.add_flag("--allow-fmu", o->allowFmu,
               "run models that have FMUs (type: FMU): native code of others");
  return [o] { return o->run(); };
}

CommandRun addStudioWorker(CLI::App&) {
  return [] { return studio::serveRequests(STDIN_FILENO); };
}

}  // namespace cardan
