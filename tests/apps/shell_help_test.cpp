// Pages of man and completions: all that help knows, as a reader and a shell see it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/apps/process.h"

using test::contains;
using test::Folder;
using test::Process;
using test::runCardan;
using test::shell;

namespace {

const char* const kShellModel = R"(
model: Swing
parameters: {length: 0.5}
components:
  hinge: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {fixed: true}}
  arm:   {type: BodyBox, r: [length, 0, 0], width: 0.06}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, arm.frame_a]
)";

std::vector<std::string> answerLines(const std::string& text) {
  std::vector<std::string> lines;
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

/// First words of the lines of a section of help: "Subcommands:", "Options:".
std::vector<std::string> namesIn(const std::string& help, const std::string& section) {
  std::vector<std::string> names;
  bool inside = false;
  const std::regex entry("^  (-?[a-z-][^ ]*)( .*)?");
  for (const std::string& line : answerLines(help)) {
    if (!line.starts_with(" ")) inside = line == section;
    std::smatch m;
    if (inside && std::regex_match(line, m, entry)) names.push_back(m[1]);
  }
  return names;
}

/// "-o,--output-file" -> "--output-file", "-y" -> "-y"
std::string longestName(const std::string& names) { return names.substr(names.find(',') + 1); }

/// What may stand there; descriptions taken off.
std::vector<std::string> completions(const Folder& folder, const std::string& words) {
  std::vector<std::string> found;
  for (const std::string& line : answerLines(runCardan(folder, "complete -- " + words).out))
    found.push_back(line.substr(0, line.find('\t')));
  return found;
}

bool hasName(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

bool shellIsHere(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

/// The scripts of the shells with a `cardan` in the PATH that is the one under test.
std::string withCompletion(const std::string& rest) {
  return "mkdir -p bin && ln -sf \"$cardan\" bin/cardan && PATH=$PWD/bin:$PATH\n"
         "scripts='" CARDAN_SOURCE_DIR "/apps/packages'\n" +
         rest;
}

}  // namespace

TEST_CASE("cardan manpages, complete: every command and every option that help has") {
  const Folder folder;
  REQUIRE(runCardan(folder, "manpages man").code == 0);
  const std::string help = runCardan(folder, "--help").out;
  std::vector<std::string> commands = namesIn(help, "Subcommands:");
  REQUIRE(commands.size() > 10);
  CHECK(completions(folder, "''") == commands);
  size_t pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "man"))
    pages += entry.path().extension() == ".1";
  CHECK(pages == commands.size() + 1);
  commands.emplace_back();  // the program itself
  for (const std::string& command : commands) {
    CAPTURE(command);
    const std::string page =
        folder.read("man/cardan" + (command.empty() ? "" : "-" + command) + ".1");
    const auto options = namesIn(runCardan(folder, command + " --help").out, "Options:");
    REQUIRE_FALSE(options.empty());
    const auto offered = completions(folder, command + " -");
    size_t known = 0;
    for (const std::string& names : options) {
      known += 1 + std::ranges::count(names, ',');
      CAPTURE(names);
      CHECK(hasName(offered, longestName(names)));
      CHECK(
          contains(page, std::regex_replace(longestName(names), std::regex("-"), "\\-") + "\\fR"));
    }
    CHECK(offered.size() == known);
  }
}

TEST_CASE("cardan manpages: man formats them without a warning") {
  const Folder folder;
  if (!shellIsHere("man")) {
    MESSAGE("TEST SKIPPED: man is not installed");
    return;
  }
  const Process p = shell(folder,
                          "\"$cardan\" manpages man\nexport LC_ALL=C.UTF-8 MANWIDTH=80\n"
                          "for page in man/*; do man --warnings -l -Tutf8 $page >text; done\n"
                          "man -l man/cardan-simulate.1 | col -b");
  CHECK(p.err.empty());
  CHECK(contains(p.out, "cardan-simulate - run a model and write its result"));
  CHECK(contains(p.out, "--set 'revolute1.phi.start=30*deg'"));  // as it is typed
}

TEST_CASE("cardan complete: values by what an option takes") {
  const Folder folder;
  folder.write("swing.yaml", kShellModel);
  const auto types = completions(folder, "components ''");
  CHECK(types.size() > 100);
  CHECK(completions(folder, "components Revolut") ==
        std::vector<std::string>{"Revolute", "RevolutePlanarLoopConstraint"});
  const std::vector<std::string> integrators = completions(folder, "simulate --integrator ''");
  CHECK(std::set<std::string>(integrators.begin(), integrators.end()) ==
        std::set<std::string>{"automatic", "explicit", "ida", "stepping"});
  CHECK(completions(folder, "simulate --integrator=ex") ==
        std::vector<std::string>{"--integrator=explicit"});
  CHECK(completions(folder, "export swing.yaml --fmi ''") == std::vector<std::string>{"2", "3"});
  CHECK(completions(folder, "simulate ''") == std::vector<std::string>{":file"});
  CHECK(completions(folder, "simulate swing.yaml -o ''") == std::vector<std::string>{":file"});
  CHECK(completions(folder, "simulate --library ''") == std::vector<std::string>{":folder"});
  CHECK(completions(folder, "simulate swing.yaml --stop-time ''").empty());
  CHECK(completions(folder, "simulate swing.yaml --set ''") ==
        std::vector<std::string>{"arm.", "hinge.", "length=", "world."});
  CHECK(completions(folder, "simulate swing.yaml --set=arm.dens") ==
        std::vector<std::string>{"--set=arm.density="});
  CHECK(completions(folder, "simulate -q swing.yaml --output-variable hinge.ph") ==
        std::vector<std::string>{"hinge.phi"});
  CHECK(completions(folder, "sensitivities swing.yaml -p le") ==
        std::vector<std::string>{"length"});
}

TEST_CASE("cardan complete: a line that cannot be understood is no error, and says nothing") {
  const Folder folder;
  folder.write("wrong.yaml", "components: {x: {type: Nothing}}\n");
  for (const char* words :
       {"simulate wrong.yaml --set ''", "simulate --set ''", "nothing x ''", "--lanes", "-- --"}) {
    CAPTURE(words);
    const Process p = runCardan(folder, std::string("complete -- ") + words);
    CHECK(p.code == 0);
    CHECK(p.err.empty());
  }
  CHECK(runCardan(folder, "complete").code == 0);
}

TEST_CASE("completion in bash: commands, options, files, and names behind an equals sign") {
  const Folder folder;
  folder.write("swing.yaml", kShellModel);
  const auto inBash = [&](const std::string& words, int current) {
    const Process p =
        shell(folder, withCompletion("source \"$scripts/cardan.bash\"\nCOMP_WORDS=(cardan " +
                                     words + ") COMP_CWORD=" + std::to_string(current) +
                                     "\n_cardan cardan\necho \"${COMPREPLY[*]}\"\n"));
    CHECK(p.err.empty());
    return p.out;
  };
  CHECK(inBash("simu", 1) == "simulate\n");
  CHECK(inBash("simulate --stop", 2) == "--stop-time\n");
  CHECK(inBash("simulate swin", 2) == "swing.yaml\n");
  CHECK(inBash("simulate swing.yaml --set arm.dens", 4) == "arm.density=\n");
  CHECK(inBash("simulate swing.yaml --set = arm.dens", 5) == "arm.density=\n");
  CHECK(inBash("simulate swing.yaml --set length = 1 --integrator = ex", 9) == "explicit\n");
  CHECK(inBash("simulate swing.yaml --integrator =", 4) == "automatic ida explicit stepping\n");
  CHECK(inBash("components ElasticHing", 2) == "\n");
}

TEST_CASE("completion in zsh and fish: they read the same answers") {
  const Folder folder;
  folder.write("swing.yaml", kShellModel);
  const bool zsh = shellIsHere("zsh"), fish = shellIsHere("fish");
  if (zsh) {
    const Process p = shell(
        folder,
        withCompletion(
            "zsh -fc 'compadd() { print -l -- ${(P)@[-1]} }; _files() { print files }\n"
            "complete_with() { words=(cardan \"${@:2}\"); CURRENT=$#words; . $1 }\n"
            "complete_with \"$1\" simu; complete_with \"$1\" simulate \"\"\n"
            "complete_with \"$1\" simulate swing.yaml --set arm.dens' x \"$scripts/cardan.zsh\""));
    CHECK(p.err.empty());
    CHECK(p.out == "simulate\nfiles\narm.density=\n");
  }
  if (fish) {
    const Process p =
        shell(folder,
              withCompletion("export HOME=$PWD\nfish --no-config -c \"source $scripts/cardan.fish\n"
                             "complete -C 'cardan simu'; complete -C 'cardan simulate swin'\n"
                             "complete -C 'cardan simulate swing.yaml --set arm.dens'\""));
    CHECK(p.err.empty());
    CHECK(p.out == "simulate\trun a model and write its result\nswing.yaml\narm.density=\n");
  }
  if (!zsh && !fish) MESSAGE("TEST SKIPPED: neither zsh nor fish is installed");
}
