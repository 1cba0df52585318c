// cardan check: reads, assembles and initialises a model, and explains what it found.
#include <fmt/format.h>

#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/model_options.h"
#include "engine/open_ends.h"

namespace cardan {
namespace {

constexpr const char* kCheckFooter =
    R"(Prints what the model is made of (components, the tree of joints, joints that close loops, degrees
of freedom), the start values with what was fixed and how far guesses had to move, redundant
constraints and algebraic loops. Nothing is integrated and nothing is written.

Examples:
  cardan check pendulum.yaml
  cardan check fourbar.yaml --set 'j1.phi.start=45*deg'

Exit codes: 0 the model can run, 2 it cannot.)";

/// "revolute1, revolute2" or "none".
std::string list(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string line(const char* what, const std::string& text) {
  return fmt::format("{:<20} {}\n", std::string(what) + ":", text);
}

/// What the assembly has decided, in the words of the model.
std::string describeAssembly(const Assembly& a) {
  const Blueprint& b = a.blueprint;
  auto name = [&](int edge) { return b.instanceOf(b.edges[static_cast<size_t>(edge)]).name; };
  std::vector<std::string> joints, roots, cuts;
  int rigid = 0;
  for (const Topology::TreeEdge& t : a.topology.tree) {
    const Blueprint::Edge& e = b.edges[static_cast<size_t>(t.edge)];
    if (e.isRoot) {
      roots.push_back(name(t.edge));
    } else if (e.velocities.empty()) {
      if (e.instance != 0) ++rigid;  // the world's own frame is no part
    } else {
      joints.push_back(name(t.edge));
    }
  }
  for (int cut : a.topology.cuts) cuts.push_back(name(cut));
  int own = 0, parts = 0;
  for (const Instance& i : b.instances) (i.parent < 0 ? own : parts)++;
  const Layout& l = a.layout;
  std::string text;
  text += line("components", std::to_string(own) +
                                 (parts > 0 ? fmt::format(" (with {} inner parts)", parts) : ""));
  text += line("joints in the tree", list(joints));
  text += line("joints that are cut", list(cuts));
  text += line("floating parts", list(roots));
  text += line("rigid parts", std::to_string(rigid));
  text += line("open ends", list(openEnds(b)));
  text += line("unknowns",
               fmt::format("{} (positions {}, velocities {}, of components {}, multipliers {})",
                           l.size(), l.nq, l.nv, l.nx, l.nlambda + l.nmu));
  text +=
      line("algebraic loops", list(a.signals ? a.signals->loops() : std::vector<std::string>{}));
  return text;
}

int check(const ModelOptions& o) {
  Simulation simulation = o.load(false);
  const Model& model = simulation.model();
  fmt::print("{} ({})\n", model.description().name, model.description().file);
  if (!model.description().description.empty()) {
    fmt::print("{}\n", model.description().description);
  }
  if (model.description().isLibrary()) {
    fmt::print(
        "\na library file: it defines {} and no model, so there is nothing to run;\n"
        "'include' it in a model\n",
        fmt::join(model.description().submodels, ", "));
    return kDone;
  }
  fmt::print("\n{}\n", describeAssembly(model.assembly()));
  std::fflush(stdout);
  fmt::print("{}", simulation.initialise().format());
  return kDone;
}

}  // namespace

Command addCheck(CLI::App& program) {
  CLI::App* app =
      program.add_subcommand("check", "read, assemble and initialise a model, and explain it");
  auto o = std::make_shared<ModelOptions>();
  o->add(*app);
  app->footer(kCheckFooter);
  return {app, [o] { return check(*o); }};
}

}  // namespace cardan
