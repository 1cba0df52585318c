// cardan complete: what may stand at the end of a command line, for the completions of shells.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cosimulation/types.h"
#include "engine/model_parts.h"

namespace cardan {
namespace {

bool takesSeveral(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

/// The words that an option is limited to: its check says them of a word that is none of them.
std::vector<std::string> choicesOf(CLI::Option& option) {
  constexpr std::string_view kBegin = " not in {";
  std::string text;
  try {
    std::string none = "-1";
    text = (*option.get_validator(0))(none);
  } catch (const CLI::Error&) {  // it has no check
  }
  const size_t begin = text.find(kBegin), end = text.find('}', std::min(begin, text.size()));
  if (end == std::string::npos) return {};
  const size_t first = begin + kBegin.size();
  return CLI::detail::split(text.substr(first, end - first), ',');
}

/// A command line that is being written, as far as it can be understood.
class CommandLine {
 public:
  /// `words` behind the program's name; the last one is unfinished.
  CommandLine(CLI::App& program, const std::vector<std::string>& words)
      : program_(program), command_(&program), last_(words.empty() ? "" : words.back()) {
    for (size_t i = 0; i + 1 < words.size(); ++i) read(words[i]);
    const size_t equals = last_.find('=');
    if (!onlyWords_ && !option_ && last_.starts_with("--") && equals != std::string::npos) {
      option_ = command_->get_option_no_throw(last_.substr(0, equals));
      before_ = last_.substr(0, equals + 1);
      last_.erase(0, equals + 1);
    }
  }

  void print() {
    if (option_) {
      printValues(*option_, option_->get_type_name());
    } else if (!onlyWords_ && last_.starts_with("-")) {
      printOptions();
    } else if (command_ == &program_) {
      for (const CLI::App* c : program_.get_subcommands({})) {
        if (!c->get_group().empty()) print(c->get_name(), c->get_description());
      }
    } else if (CLI::Option* const positional = positionalAt(positionals_)) {
      printValues(*positional, positional->get_name(true));
    }
  }

 private:
  void read(const std::string& word) {
    if (option_) {
      option_ = nullptr;  // its value
    } else if (word == "--") {
      onlyWords_ = true;
    } else if (!onlyWords_ && word.size() > 1 && word.front() == '-') {
      option_ = command_->get_option_no_throw(word);
      // What it may go without it does not wait for.
      if (option_ && option_->get_items_expected_min() == 0) option_ = nullptr;
    } else if (command_ == &program_) {
      for (CLI::App* c : program_.get_subcommands({})) {
        if (c->get_name() == word) command_ = c;
      }
    } else {
      if (model_.empty() && std::filesystem::is_regular_file(word)) model_ = word;
      ++positionals_;
    }
  }

  CLI::Option* positionalAt(int number) const {
    for (CLI::Option* o : command_->get_options()) {
      if (o->get_positional() && (number-- == 0 || takesSeveral(*o))) return o;
    }
    return nullptr;
  }

  void print(const std::string& word, std::string about = "") const {
    if (!word.starts_with(last_)) return;
    std::ranges::replace(about, '\n', ' ');
    printOutput(before_ + word + (about.empty() ? "\n" : "\t" + about + "\n"));
  }

  void printOptions() const {
    for (const CLI::Option* o : command_->get_options()) {
      for (const std::string& name : o->get_lnames()) print("--" + name, o->get_description());
      if (!o->get_lnames().empty() && last_.size() != 1) continue;
      for (const std::string& name : o->get_snames()) print("-" + name, o->get_description());
    }
  }

  /// `type`: what help calls them.
  void printValues(CLI::Option& option, const std::string& type) {
    const std::vector<std::string> choices = choicesOf(option);
    for (const std::string& word : choices) print(word);
    if (!choices.empty()) return;
    if (type == "TYPE") {
      for (const CatalogueEntry& e : allTypes()) print(e.type, e.description);
    } else if (type.starts_with("NAME=") && !type.ends_with("=DIR")) {
      printNames(true, "=");
    } else if (option.check_name("--parameter")) {
      printNames(true, "");
    } else if (type == "GLOB" || type == "GLOBS") {
      printNames(false, "");
    } else if (type == "DIR") {
      printOutput(":folder\n");  // the shell knows them
    } else if (type == "FILE" || (option.get_positional() && type != "CLASS")) {
      printOutput(":file\n");
    }
  }

  /// Names of parameters, or of results, of the model on the line; none where it is wrong: who types is
  /// not to be disturbed. Up to the next dot, as shells complete paths: there can be a hundred thousand.
  void printNames(bool parameters, const std::string& end) const {
    if (model_.empty()) return;
    std::set<std::string> branches;
    const auto add = [&](const std::string& name) {
      if (!name.starts_with(last_)) return;
      const size_t dot = name.find('.', last_.size());
      branches.insert(dot == std::string::npos ? name + end : name.substr(0, dot + 1));
    };
    try {
      const Simulation simulation = Simulation::open(allTypes(), formats({}, {}), model_);
      const ModelParts model(simulation);
      if (parameters) {
        for (const auto& p : model.ownParameters()) add(p.first);
        for (const auto& p : model.parameters()) add(p.first);
      } else {
        for (const ModelParts::Variable& v : model.variables()) add(v.name);
        for (const auto& a : model.aliases()) add(a.first);
      }
    } catch (const ModelError&) {
    }
    for (const std::string& b : branches) print(b);
  }

  CLI::App& program_;
  CLI::App* command_;
  CLI::Option* option_ = nullptr;  ///< whose value comes next
  bool onlyWords_ = false;         ///< behind --
  int positionals_ = 0;
  std::string model_;   ///< the first file among them
  std::string last_;    ///< what the user has of the last word
  std::string before_;  ///< of the last word, before that: "--set="
};

}  // namespace

CommandRun addComplete(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  addOption(app, "WORDS", *words, "",
            "behind --: the words of a command line, the last one unfinished");
  return [words, &app] {
    CommandLine(*app.get_parent(), *words).print();
    return kDone;
  };
}

}  // namespace cardan
