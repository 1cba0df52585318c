// cardan manpages: the help of the program and of its commands as pages of `man`.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "apps/cardan/command.h"
#include "apps/cardan/model_options.h"
#include "engine/results/output_file.h"
#include "engine/version.h"

namespace cardan {
namespace {

/// Text as roff shows it: nothing in it is an instruction, and what is typed can be copied.
std::string roff(const std::string& text) {
  static const std::map<char, const char*> kSpecial{
      {'\\', "\\(rs"}, {'-', "\\-"},   {'\'', "\\(aq"}, {'`', "\\(ga"},
      {'^', "\\(ha"},  {'~', "\\(ti"}, {'\n', " "}};
  std::string out = text.starts_with(".") ? "\\&" : "";
  for (const char c : text) {
    const auto special = kSpecial.find(c);
    out += special == kSpecial.end() ? std::string(1, c) : special->second;
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) {
  return text.empty() ? "" : "\\fI" + roff(text) + "\\fR";
}

class ManPage {
 public:
  /// `name`: with the program's before that of a command, "cardan-simulate".
  ManPage(const std::string& name, const std::string& about) {
    std::string title = roff(name);
    std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
    add(fmt::format(".TH {} 1 \"\" \"Cardan {}\" \"Cardan\"", title, version));
    add(".ad l\n.nr HY 0\n.nh");  // words that are typed stay whole
    section("NAME");
    add(roff(name) + " \\- " + roff(about));
  }

  void section(const std::string& title) { add(".SH " + title); }
  void add(const std::string& line) { text_ += line + "\n"; }
  void item(const std::string& head, const std::string& about) {
    add(".TP\n" + head + "\n" + roff(about));
  }

  void addOptions(const CLI::App& command) {
    bool titled = false;
    for (const bool positional : {true, false}) {
      for (const CLI::Option* o : command.get_options()) {
        if (o->get_positional() != positional) continue;
        if (!titled) section(positional ? "ARGUMENTS" : "OPTIONS");
        titled = true;
        item(positional ? italic(o->get_name(true)) : headOf(*o), o->get_description());
      }
      titled = false;
    }
  }

  /// What help ends with: text, lines as they are (indented), and the titles of a few paragraphs.
  void addFooter(const std::string& footer) {
    std::istringstream lines(footer);
    bool asItIs = false;
    const auto show = [&](bool wanted) {
      if (wanted != asItIs) add(wanted ? ".EX" : ".EE");
      asItIs = wanted;
    };
    section("DESCRIPTION");
    for (std::string line; std::getline(lines, line);) {
      show(line.starts_with(" "));
      if (line.empty()) {
        add(".PP");
      } else if (line == "Examples:") {
        section("EXAMPLES");
      } else if (line.starts_with("Exit codes: ")) {
        section("EXIT STATUS");
        add(roff(line.substr(line.find(':') + 2)));
      } else {
        add(roff(line));
      }
    }
    show(false);
  }

  void write(const std::string& file) const {
    std::string text = text_;
    // A paragraph that a section begins or ends with is none.
    for (const char* title : {".PP\n.SH ", ".PP\n.EX\n", "\n.PP\n\n"}) {
      for (size_t at; (at = text.find(title)) != std::string::npos;) text.erase(at, 4);
    }
    writeTextFile(file, text);
  }

 private:
  static std::string headOf(const CLI::Option& o) {
    std::vector<std::string> names;
    for (const std::string& n : o.get_snames()) names.push_back(bold("-" + n));
    for (const std::string& n : o.get_lnames()) names.push_back(bold("--" + n));
    std::string type = o.get_items_expected_max() == 0 ? "" : o.get_type_name();
    type.erase(std::min(type.find(':'), type.size()));  // what may stand there is in the text
    return fmt::format("{}{}{}", fmt::join(names, ", "), type.empty() ? "" : " ", italic(type));
  }

  std::string text_;
};

std::string pageOf(const CLI::App& command) { return "cardan-" + command.get_name(); }

void writeProgram(CLI::App& program, const std::string& folder) {
  ManPage page("cardan", "simulate multibody systems");
  page.section("SYNOPSIS");
  page.add(bold("cardan") + " [" + italic("OPTIONS") + "] " + italic("COMMAND") + " ...");
  page.addOptions(program);
  page.section("COMMANDS");
  std::vector<std::string> seeAlso;
  for (const CLI::App* c : program.get_subcommands({})) {
    if (c->get_group().empty()) continue;
    page.item(bold(c->get_name()), c->get_description());
    seeAlso.push_back(bold(pageOf(*c)) + "(1)");
  }
  page.addFooter(program.get_description() + "\n\n" + program.get_footer());
  page.section("SEE ALSO");
  page.add(fmt::format("{}", fmt::join(seeAlso, ",\n")));
  page.write(folder + "/cardan.1");
}

void writeCommand(const CLI::App& command, const std::string& folder) {
  ManPage page(pageOf(command), command.get_description());
  page.section("SYNOPSIS");
  std::string synopsis = bold("cardan " + command.get_name()) + " [" + italic("OPTIONS") + "]";
  for (const CLI::Option* o : command.get_options()) {
    if (!o->get_positional()) continue;
    const std::string name =
        italic(o->get_name(true)) + (o->get_items_expected_max() > 1 ? " ..." : "");
    synopsis += o->get_required() ? " " + name : " [" + name + "]";
  }
  page.add(synopsis);
  page.addOptions(command);
  page.addFooter(command.get_footer());
  page.section("SEE ALSO");
  page.add(bold("cardan") + "(1)");
  page.write(fmt::format("{}/{}.1", folder, pageOf(command)));
}

}  // namespace

CommandRun addManpages(CLI::App& app) {
  auto folder = std::make_shared<std::string>();
  addOption(app, "DIR", *folder, "", "folder of the pages")->required();
  return [folder, &app] {
    CLI::App& program = *app.get_parent();
    std::filesystem::create_directories(*folder);
    writeProgram(program, *folder);
    for (const CLI::App* c : program.get_subcommands({})) {
      if (!c->get_group().empty()) writeCommand(*c, *folder);
    }
    return kDone;
  };
}

}  // namespace cardan
