// cardan check: reads, assembles and initialises a model, and explains what it found.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>

#include "apps/cardan/check_report.h"
#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "engine/equations/model.h"
#include "engine/integration/solver_error.h"
#include "engine/structure/open_ends.h"
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
std::string describeAssembly(const Model& model, size_t most) {
  const Assembly& a = model.assembly();
  const FlatModel& b = a.flatModel;
  auto name = [&](int edge) { return b.instanceOf(b.edges[edge]).name; };
  std::vector<std::string> joints, roots, cuts;
  int rigid = 0;
  for (const SpanningTree::TreeEdge& t : a.spanningTree.tree) {
    const FlatModel::Edge& e = b.edges[t.edge];
    if (e.isRoot) {
      roots.push_back(name(t.edge));
    } else if (e.velocities.empty()) {
      if (e.instance != 0) ++rigid;  // the world's own frame is no part
    } else {
      joints.push_back(name(t.edge));
    }
  }
  for (int cut : a.spanningTree.cuts) cuts.push_back(name(cut));
  int own = 0, parts = 0;
  for (const Instance& i : b.instances) {
    if (!i.name.empty()) (i.parent < 0 ? own : parts)++;  // the model's own equations are no part
  }
  const Layout& l = a.layout;
  std::string text;
  text += line("components", std::to_string(own) +
                                 (parts > 0 ? fmt::format(" (with {} inner parts)", parts) : ""));
  text += line("joints in the tree", list(joints, most));
  text += line("joints that are cut", list(cuts, most));
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
  text += line("open ends", list(openEnds(b), most));
  text += line("unknowns",
               fmt::format("{} (positions {}, velocities {}, of components {}, multipliers {})",
                           l.size(), l.nq, l.nv, l.nx, l.nlambda + l.nmu));
  std::vector<std::string> unknowns;
  for (const FlatModel::Unknown& u : b.unknowns) {
    if (b.instances[u.instance].name.empty()) unknowns.push_back(u.info.name);
  }
  if (!unknowns.empty()) text += line("of own equations", list(unknowns, most));
  text += line("algebraic loops",
               list(a.signals ? a.signals->loops() : std::vector<std::string>{}, most));
  return text;
}

/// The tree of joints and rigid parts, a line each, with the bodies that move along.
class Tree {
 public:
  explicit Tree(const Assembly& a)
      : flatModel_(a.flatModel), children_(a.spanningTree.nodes), bodies_(a.spanningTree.nodes) {
    for (const SpanningTree::TreeEdge& t : a.spanningTree.tree) {
      children_[t.near].push_back(t);
    }
    for (const FrameId f : a.flatModel.massiveFrames) {
      const size_t frame = f.index;
      bodies_[a.spanningTree.nodeOfFrame[frame]].push_back(
          instance(a.flatModel.frames[frame].instance).name);
    }
  }

  /// Beyond `most` lines how many more there are.
  std::string format(size_t most) const {
    std::string text = "tree (joints and rigid parts, with the bodies they carry):\n";
    size_t lines = 0;
    struct Open {
      SpanningTree::TreeEdge edge;
      int level;
    };
    std::vector<Open> open;  // a stack, and no recursion: chains may be long
    auto add = [&](int node, int level) {
      const auto& below = children_[node];
      for (auto t = below.rbegin(); t != below.rend(); ++t) open.push_back({*t, level});
    };
    text += line("world", 0, 0);
    add(0, 1);
    while (!open.empty()) {
      const Open o = open.back();
      open.pop_back();
      const FlatModel::Edge& e = flatModel_.edges[o.edge.edge];
      const Instance& i = instance(e.instance);
      const bool own = e.instance == 0;  // the world's own frame is no part
      if (!own && lines++ < most) {
        text += line(fmt::format("{} ({}{})", i.name, i.type, e.isRoot ? ", floating" : ""),
                     o.edge.far, o.level);
      }
      add(o.edge.far, own ? o.level : o.level + 1);
    }
    return text + moreLines(lines, most);
  }

 private:
  const Instance& instance(int i) const { return flatModel_.instances[i]; }

  std::string line(const std::string& what, int node, int level) const {
    constexpr int kDeepest = 30;  // further in, lines would be all blanks
    std::string text(2 + 2 * std::min(level, kDeepest), ' ');
    text += what;
    std::vector<std::string> others;
    for (const std::string& b : bodies_[node]) {
      if (!what.starts_with(b + " (")) others.push_back(b);
    }
    if (!others.empty()) text += fmt::format(": {}", fmt::join(others, ", "));
    return text + "\n";
  }

  const FlatModel& flatModel_;
  std::vector<std::vector<SpanningTree::TreeEdge>> children_;  // by node
  std::vector<std::vector<std::string>> bodies_;
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
std::string describeNames(const VariableTable& table) {
  std::string text = "names of results:\n";
  std::set<std::string> own;
  for (int i : table.all()) {
    const VariableTable::Variable& v = table[i];
    own.insert(v.name);
    text += "  " + v.name;
    if (!v.dimensions.empty()) text += fmt::format("[{}]", fmt::join(v.dimensions, ","));
    if (!v.info.unit.empty() && v.info.unit != "1") text += " [" + v.info.unit + "]";
    if (!v.info.description.empty()) text += "  " + v.info.description;
    text += '\n';
  }
  for (const std::string& name : table.names()) {
    const auto target = table.find(name);
    if (!own.contains(name) && target)
      text += fmt::format("  {} = {}\n", name, table[*target].name);
  }
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
      if (!initial.sharing.empty()) diagnostics.warning({d.file, 0, 0}, initial.sharing);
      report["canRun"] = true;
      report["structure"] = structureJson(simulation.model(), initial);
      if (o.names) report["names"] = namesJson(simulation.model().assembly().variables);
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
  const Model& model = simulation.model();
  const ModelSource& d = model.description();
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
  printOutput("\n" + describeAssembly(model, most));
  printOutput(describeAbsent(d, most) + "\n");
  printOutput(Tree(model.assembly()).format(most) + "\n");
  printOutput(simulation.initialise().format(most));
  simulation.start();  // what a run would refuse before its first step is refused here
  if (o.names) printOutput("\n" + describeNames(model.assembly().variables));
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
