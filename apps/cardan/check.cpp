// cardan check: reads, assembles and initialises a model, and explains what it found.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "apps/cardan/check_report.h"
#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_source.h"
#include "engine/model_parts.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr const char* kCheckFooter =
    R"(Prints what the model is made of (components, the tree of joints, joints that close loops, degrees
of freedom), masses, the start values with what was fixed and how far guesses had to move, redundant
constraints and algebraic loops; of long lists the first ones. What 'simulate' refuses before its first
step is refused here, too. Nothing is integrated and nothing is written. --json prints all of that as
one JSON document, and what is wrong as its 'diagnostics', each with file, line, column, end, severity,
message and hint, for editors and other programs.

Examples:
  cardan check pendulum.yaml
  cardan check pendulum.yaml --names
  cardan check fourbar.yaml --set 'j1.phi.start=45*deg'
  cardan check fourbar.yaml --json

Exit codes: 0 the model can run, 2 it cannot.)";

/// "revolute1, revolute2" or "none"; beyond `most` of them how many more there are.
std::string list(const std::vector<std::string>& names, size_t most) {
  return names.empty() ? "none" : joinMost(names, most);
}

std::string line(const char* what, const std::string& text) {
  return fmt::format("{:<20} {}\n", std::string(what) + ":", text);
}

/// What the assembly has decided, in the words of the model.
std::string describeAssembly(const ModelParts& model, const ModelStructure& s, size_t most) {
  std::vector<std::string> joints, roots;
  int rigid = 0;
  for (const ModelStructure::Branch& b : s.tree) {
    if (b.isFloating) {
      roots.push_back(b.name);
    } else if (b.freedoms > 0) {
      joints.push_back(b.name);
    } else if (b.isPart) {
      ++rigid;
    }
  }
  std::string text;
  text += line("components",
               std::to_string(s.components) +
                   (s.innerParts > 0 ? fmt::format(" (with {} inner parts)", s.innerParts) : ""));
  text += line("joints in the tree", list(joints, most));
  text += line("joints that are cut", list(s.cuts, most));
  text += line("floating parts", list(roots, most));
  text += line("rigid parts", std::to_string(rigid));
  std::vector<std::string> masses;
  double all = 0;
  for (const auto& [part, mass] : massesOf(model)) {
    masses.push_back(fmt::format("{} {:.6g}", part, mass));
    all += mass;
  }
  text += line("masses [kg]",
               list(masses, most) + (masses.size() > 1 ? fmt::format(", in all {:.6g}", all) : ""));
  text += line("open ends", list(s.openEnds, most));
  const Unknowns& u = s.unknowns;
  text += line("unknowns",
               fmt::format("{} (positions {}, velocities {}, of components {}, multipliers {})",
                           u.size(), u.nq, u.nv, u.nx, u.nlambda + u.nmu));
  if (!s.ofOwnEquations.empty()) text += line("of own equations", list(s.ofOwnEquations, most));
  text += line("algebraic loops", list(s.algebraicLoops, most));
  return text;
}

/// Pairs of shapes that may touch, and those that do not by reason: few by their names.
std::string describeContacts(const ModelStructure& s, size_t most) {
  if (s.contacts.empty() && s.contactsLeftOut.empty()) return "";
  constexpr size_t kFew = 3;
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const auto& [a, b, why] : s.contactsLeftOut) {
    auto reason = std::ranges::find(reasons, why, [](const auto& r) { return r.first; });
    if (reason == reasons.end()) reason = reasons.insert(reasons.end(), {why, {}});
    reason->second.push_back(a + " - " + b);
  }
  std::string leftOut;
  for (const auto& [why, pairs] : reasons) {
    if (!leftOut.empty()) leftOut += "; ";
    leftOut += pairs.size() > kFew ? fmt::format("{} {}", pairs.size(), why)
                                   : fmt::format("{}: {}", fmt::join(pairs, ", "), why);
  }
  const size_t n = s.contacts.size();
  return line("contacts", fmt::format("{} pair{}", n, n == 1 ? "" : "s") +
                              (n > 0 ? ": " + list(s.contacts, most) : "")) +
         (leftOut.empty() ? "" : line("contacts left out", leftOut));
}

/// The tree of joints and rigid parts, a line each, with the bodies that move along.
class Tree {
 public:
  explicit Tree(const ModelStructure& s) : structure_(s), children_(s.tree.size() + 1) {
    for (int i = 0; i < std::ssize(s.tree); ++i) children_[s.tree[i].parent + 1].push_back(i);
  }

  /// Beyond `most` lines how many more there are.
  std::string format(size_t most) const {
    std::string text = "tree (joints and rigid parts, with the bodies they carry):\n";
    size_t lines = 0;
    struct Open {
      int branch, level;
    };
    std::vector<Open> open;  // a stack, and no recursion: chains may be long
    auto add = [&](int branch, int level) {
      const auto& below = children_[branch + 1];
      for (auto b = below.rbegin(); b != below.rend(); ++b) open.push_back({*b, level});
    };
    text += line("world", structure_.bodiesOfWorld, 0);
    add(-1, 1);
    while (!open.empty()) {
      const Open o = open.back();
      open.pop_back();
      const ModelStructure::Branch& b = structure_.tree[o.branch];
      if (b.isPart && lines++ < most) {
        text += line(fmt::format("{} ({}{})", b.name, b.type, b.isFloating ? ", floating" : ""),
                     b.bodies, o.level);
      }
      add(o.branch, b.isPart ? o.level + 1 : o.level);
    }
    return text + moreLines(lines, most);
  }

 private:
  static std::string line(const std::string& what, const std::vector<std::string>& bodies,
                          int level) {
    constexpr int kDeepest = 30;  // further in, lines would be all blanks
    std::string text(2 + 2 * std::min(level, kDeepest), ' ');
    text += what;
    std::vector<std::string> others;
    for (const std::string& b : bodies) {
      if (!what.starts_with(b + " (")) others.push_back(b);
    }
    if (!others.empty()) text += fmt::format(": {}", fmt::join(others, ", "));
    return text + "\n";
  }

  const ModelStructure& structure_;
  std::vector<std::vector<int>> children_;  // of the world, then by branch
};

/// What an `if` leaves out, and the connections that went with it.
std::string describeAbsent(const ModelSource& model, size_t most) {
  if (model.absent.empty()) return "";
  std::vector<std::string> parts, connections;
  for (const AbsentComponent& a : model.absent) parts.push_back(a.name);
  for (const ConnectionDescription& c : model.absentConnections)
    connections.push_back(c.a + " to " + c.b);
  return line("left out by 'if'", list(parts, most)) +
         line("connections left out", list(connections, most));
}

/// Everything that a result can hold, a line each.
std::string describeNames(const ModelParts& model) {
  std::string text = "names of results:\n";
  for (const ModelParts::Variable& v : model.variables()) {
    text += "  " + v.name;
    if (!v.dimensions.empty()) text += fmt::format("[{}]", fmt::join(v.dimensions, ","));
    if (!v.unit.empty() && v.unit != "1") text += " [" + v.unit + "]";
    if (!v.description.empty()) text += "  " + v.description;
    text += '\n';
  }
  for (const auto& [name, target] : model.aliases())
    text += fmt::format("  {} = {}\n", name, target);
  return text;
}

/// Of a list, where not everything is asked for.
constexpr size_t kMostListed = 200;

struct CheckOptions {
  ModelOptions model;
  bool names = false;
  bool everything = false;
  bool json = false;
};

/// Whatever is wrong or right with the model, as one document; messages go nowhere else.
int checkForPrograms(const CheckOptions& o) {
  nlohmann::ordered_json report{{"file", o.model.path == "-" ? kStandardInput : o.model.path},
                                {"canRun", false}};
  Diagnostics diagnostics;
  int code = kWrong;
  try {
    Simulation& simulation = o.model.load(diagnostics);
    const ModelSource& d = simulation.source();
    report["model"] = d.name;
    report["description"] = d.description;
    if (d.isLibrary()) {
      report["defines"] = d.submodels;
    } else {
      const InitialReport initial = simulation.initialise();
      simulation.start();  // what a run would refuse before its first step is refused here
      for (const std::string& w : initial.warnings) diagnostics.warning({d.file, 0, 0}, w);
      for (const std::string* w : {&initial.sharing, &initial.overlaps}) {
        if (!w->empty()) diagnostics.warning({d.file, 0, 0}, *w);
      }
      report["canRun"] = true;
      report["structure"] = structureJson(simulation, initial);
      if (o.names) report["names"] = namesJson(ModelParts(simulation));
    }
    code = kDone;
  } catch (const ModelError& e) {
    diagnostics.add(e.diagnostics());
  } catch (const SolverError& e) {
    diagnostics.error({o.model.path, 0, 0}, e.what());
    code = kFailed;
  }
  report["errors"] = diagnostics.errorCount();
  report["diagnostics"] = diagnosticsJson(diagnostics);
  printOutput(report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  return code;
}

int check(const CheckOptions& o) {
  if (o.json) return checkForPrograms(o);
  Simulation& simulation = o.model.load(false);
  const ModelSource& d = simulation.source();
  printOutput(fmt::format("{} ({})\n", d.name, d.file));
  if (!d.description.empty()) printOutput(d.description + "\n");
  if (d.isLibrary()) {
    printOutput(
        fmt::format("\na library file: it defines {} and no model, so there is nothing to run;\n"
                    "'include' it in a model\n",
                    fmt::join(d.submodels, ", ")));
    return kDone;
  }
  const size_t most = o.everything ? std::numeric_limits<size_t>::max() : kMostListed;
  const ModelParts parts(simulation);
  const ModelStructure structure = ModelStructure::of(simulation);
  printOutput("\n" + describeAssembly(parts, structure, most));
  printOutput(describeContacts(structure, most));
  printOutput(describeAbsent(d, most) + "\n");
  printOutput(Tree(structure).format(most) + "\n");
  printOutput(simulation.initialise().format(most));
  simulation.start();  // what a run would refuse before its first step is refused here
  if (o.names) printOutput("\n" + describeNames(parts));
  return kDone;
}

}  // namespace

CommandRun addCheck(CLI::App& app) {
  auto o = std::make_shared<CheckOptions>();
  o->model.add(app);
  app.add_flag("--names", o->names, "list all names that a result can hold, too");
  app.add_flag(
      "--all", o->everything,
      fmt::format("list all joints, states, guesses, ..., not the first {} of each", kMostListed));
  app.add_flag("--json", o->json,
               "print one JSON document: messages with their places, what the model is made of");
  app.footer(kCheckFooter);
  return [o] { return check(*o); };
}

}  // namespace cardan
