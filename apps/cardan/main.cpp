// The command line of Cardan: puts the commands together and turns errors into exit codes.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdlib>
#include <exception>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/lanes.h"
#include "engine/integration/solver_error.h"
#include "engine/motion_point.h"
#include "engine/results/output_file.h"
#include "engine/results/result_table.h"
#include "engine/version.h"

namespace cardan {
namespace {

constexpr const char* kFooter = R"(A first run:
  cardan check models/elementary/pendulum.yaml       what the model is made of
  cardan simulate models/elementary/pendulum.yaml    writes Pendulum.csv
  cardan animate models/elementary/pendulum.yaml     writes Pendulum.html, to see it move
  cardan sweep models/studies/double_pendulum.yaml   runs it with many values of its parameters
  cardan components Revolute                         what a type understands
  cardan regress models                              nothing has moved
  cardan simulate --help                             all options of a command

Exit codes: 0 done, 1 the run or the comparison failed, 2 the model, a file or the command line is wrong,
130 stopped by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP.)";

std::string versionText() {
  const std::string r = revision;
  return std::string("cardan ") + version + (r.empty() ? "" : " (" + r + ")");
}

/// Arguments too many: unknown options, each with the one that is close, else the words left over.
std::vector<std::string> explainExtras(const CLI::App& command) {
  std::vector<std::string> known, options, words;
  for (const CLI::Option* o : command.get_options()) {
    for (const std::string& name : o->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& argument : command.remaining()) {
    const std::string name = argument.substr(0, argument.find('='));
    if (argument == "--") continue;
    if (command.get_option_no_throw(name)) {
      words.push_back("unexpected argument '" + name + "': behind -- are files, not options");
    } else if (argument.starts_with("-")) {
      options.push_back("unknown option '" + name + "'" + didYouMean(name, known));
    } else {
      words.push_back("unexpected argument '" + argument + "'");
    }
  }
  return options.empty() ? words : options;  // a word behind an unknown option is its value
}

int reportParseError(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<CLI::App*> parsed = program.get_subcommands();
  const CLI::App& command = parsed.empty() ? program : *parsed.front();
  std::vector<std::string> messages;
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
    messages = explainExtras(command);
  if (messages.empty()) messages.emplace_back(error.what());
  for (const std::string& m : messages) printMessages("error: " + m);
  const std::string name = parsed.empty() ? "cardan" : "cardan " + command.get_name();
  printMessages(fmt::format("try: {} --help", name));
  return kWrong;
}

/// The first word, if it is no command: CLI11 would only say that one is missing.
bool rejectUnknownCommand(const CLI::App& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  std::vector<std::string> known;
  for (const CLI::App* s : program.get_subcommands({})) {
    if (s->get_name() == argv[1]) return false;
    if (!s->get_group().empty()) known.push_back(s->get_name());
  }
  printMessages(std::string("error: unknown command '") + argv[1] + "'" +
                didYouMean(argv[1], known));
  printMessages(fmt::format("commands: {}", fmt::join(known, ", ")));
  return true;
}

int runCommand(const CommandRun& run) {
  try {
    return run();
  } catch (const ModelError& e) {
    printModelError(e);
    return kWrong;
  } catch (const ResultFileError& e) {
    printMessages(e.what());
    return kWrong;
  } catch (const FileError& e) {
    printMessages(std::string("error: ") + e.what());
  } catch (const SolverError& e) {
    printMessages(std::string("error: ") + e.what());
  } catch (const AnalysisError& e) {
    printMessages(std::string("error: ") + e.what());
  } catch (const std::bad_alloc&) {
    printMessages("error: not enough memory");
  } catch (const std::exception& e) {
    printMessages(std::string("error: unexpected: ") + e.what() +
                  "\nThis is a mistake in the program; please report it, with the model.");
  }
  return kFailed;
}

void addCommand(CLI::App& app, CommandRun (*add)(CLI::App&),
                std::map<CLI::App*, CommandRun>& commands) {
  if (app.get_description().empty()) app.group("");
  if (add) {
    commands[&app] = add(app);
    return;
  }
  app.set_help_flag();
  app.allow_extras();
  commands[&app] = [&app]() -> int {
    requireWhole("'cardan " + app.get_name() + "'");
    return kWrong;
  };
}

int run(int argc, char** argv) {
  CLI::App program(
      "Cardan simulates multibody systems with the semantics of Modelica's MultiBody library.",
      "cardan");
  program.get_formatter()->column_width(34);
  program.set_version_flag("--version", versionText(), "print the version");
  std::string lanes;
  program
      .add_option(
          kLanesOption, lanes,
          "doubles in a register: of the programs for 2, 4 and 8 that a portable build has, "
          "not the widest that this machine can run")
      ->type_name("N");
  program.require_subcommand(1);
  program.footer(kFooter);
  std::map<CLI::App*, CommandRun> commands;
  // Of a command that is asked for, no other needs its options; those without a text tell of all.
  const std::string asked = argc > 1 ? argv[1] : "";
  bool isCommand = false;
#define CARDAN_IS_COMMAND(Name, name, text) isCommand = isCommand || (asked == name && *text);
  CARDAN_COMMANDS(CARDAN_IS_COMMAND)
#undef CARDAN_IS_COMMAND
#define CARDAN_ADD_COMMAND(Name, name, text)                                            \
  if (CLI::App& app = *program.add_subcommand(name, text); !isCommand || asked == name) \
    addCommand(app, add##Name, commands);
  CARDAN_COMMANDS(CARDAN_ADD_COMMAND)
#undef CARDAN_ADD_COMMAND
  if (argc < 2) {
    printMessages(program.help());
    return kWrong;
  }
  if (rejectUnknownCommand(program, argc, argv)) return kWrong;
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    std::ostringstream text;
    const int code = program.exit(e, text, text);
    printOutput(text.str());
    return code;
  } catch (const CLI::ParseError& e) {
    return reportParseError(program, e);
  }
  for (const auto& [app, run] : commands) {
    if (program.got_subcommand(app)) return runCommand(run);
  }
  return kWrong;
}

}  // namespace
}  // namespace cardan

int main(int argc, char** argv) {
  cardan::prepareStandardFiles();
  if (const std::string error = cardan::becomeProgramFor(argc, argv); !error.empty()) {
    cardan::printMessages("error: " + error);
    return cardan::finishOutput(cardan::kWrong);
  }
  const int code = cardan::finishOutput(cardan::run(argc, argv));
#ifdef NDEBUG
  std::_Exit(code);  // everything is written; nobody needs a large model taken apart
#else
  return code;
#endif
}
