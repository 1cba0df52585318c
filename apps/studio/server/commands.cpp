#include "apps/studio/server/commands.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "apps/cosimulation/child_process.h"
#include "apps/cosimulation/scratch_folder.h"

namespace cardan::studio {
namespace {

namespace fs = std::filesystem;

struct Known {
  const char* name;
  std::vector<std::string> words;  ///< MODEL, FILE, RESULT, ARGUMENT: see lineOf()
  const char* ending = "";         ///< of the file; "": prints
  const char* type = "";
  bool ofFile = false;                ///< of what stands in the file; a text does not do
  std::vector<std::string> before{};  ///< a command that comes first, and writes RESULT
};

const std::vector<Known>& known() {
  static const std::vector<Known> commands{
      {"check", {"check", "MODEL"}},
      {"equilibrium", {"equilibrium", "MODEL"}},
      {"modes", {"modes", "MODEL"}},
      {"modes at rest", {"modes", "MODEL", "--at-equilibrium"}},
      {"moving modes",
       {"modes", "MODEL", "--at-equilibrium", "-q", "--animate", "FILE"},
       ".html",
       "text/html"},
      {"linearize", {"linearize", "MODEL", "-o", "-"}},
      {"bode",
       {"linearize", "MODEL", "-u", "ARGUMENT", "-y", "ARGUMENT", "--bode", "--picture", "FILE"},
       ".svg",
       "image/svg+xml"},
      {"why", {"simulate", "MODEL", "--why", "-o", "/dev/null"}},
      {"translation", {"import", "MODEL"}},
      {"export .csv", {"simulate", "MODEL", "-q", "-o", "FILE"}, ".csv", "text/csv"},
      {"export .html",
       {"animate", "MODEL", "-q", "-o", "FILE"},
       ".html",
       "application/octet-stream"},
      {"export .glb", {"animate", "MODEL", "-q", "-o", "FILE"}, ".glb", "model/gltf-binary"},
      {"export .svg",
       {"plot", "RESULT", "-y", "ARGUMENT", "-o", "FILE"},
       ".svg",
       "image/svg+xml",
       false,
       {"simulate", "MODEL", "-q", "-o", "RESULT"}},
      {"export .mo", {"export", "MODEL", "-q", "-o", "FILE"}, ".mo", "text/plain", true},
      {"export .fmu", {"export", "MODEL", "-q", "-o", "FILE"}, ".fmu", "application/zip", true},
  };
  return commands;
}

/// What stands behind an option: a word that is none itself.
std::string argument(const std::vector<std::string>& arguments, size_t i) {
  if (i >= arguments.size() || arguments[i].empty() || arguments[i].starts_with('-'))
    throw std::runtime_error("this needs names that are none of options");
  return arguments[i];
}

/// A command line, with what stands for files and names put in.
std::vector<std::string> lineOf(const std::vector<std::string>& words, const std::string& program,
                                const StudioCommand& command, const ModelText& model,
                                const fs::path& file) {
  std::vector<std::string> line{program};
  size_t next = 0;
  for (const std::string& w : words) {
    line.push_back(w == "MODEL"      ? (model.text ? "-" : model.path.string())
                   : w == "FILE"     ? file.string()
                   : w == "RESULT"   ? (file.parent_path() / "result.csv").string()
                   : w == "ARGUMENT" ? argument(command.arguments, next++)
                                     : w);
    if (w != "MODEL") continue;
    for (const std::string& s : model.set) line.insert(line.end(), {"--set", s});
  }
  return line;
}

std::optional<std::string> contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

StudioOutput runStudioCommand(const std::string& program, const StudioCommand& command,
                              const ModelText& model, double timeLimit) {
  const auto k = std::ranges::find(known(), command.name, &Known::name);
  if (k == known().end()) throw std::runtime_error("there is no command '" + command.name + "'");
  ModelText text = model;
  if (k->ofFile && model.text) {
    if (contentOf(model.path) != model.text)
      throw std::runtime_error("save the model first: this is made of the file");
    text.text.reset();
  }
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / (model.path.stem().string() + k->ending);
  const auto run = [&](const std::vector<std::string>& words) {
    return runCommand(lineOf(words, program, command, text, file),
                      model.path.parent_path().string(), model.text.value_or(""), timeLimit);
  };
  CommandResult r;
  if (!k->before.empty()) r = run(k->before);
  if (k->before.empty() || r.code == 0) r = run(k->words);
  StudioOutput output{r.code, r.output, r.messages, std::nullopt, k->type};
  if (*k->ending != '\0') output.file = contentOf(file);
  return output;
}

}  // namespace cardan::studio
