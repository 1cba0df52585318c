// cardan equilibrium: where a model rests, and whether it stays there.
#include "engine/analysis/equilibrium.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cardan/analysis_options.h"
#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "engine/analysis/analysis_error.h"
#include "engine/analysis/modes.h"
#include "engine/integration/multibody_system.h"
#include "engine/results/output_file.h"

namespace cardan {
namespace {

constexpr const char* kEquilibriumFooter =
    R"(Looks for a pose without accelerations, from the assembled one on, and prints its coordinates with how
far they have moved, and whether it is stable.

Examples:
  cardan equilibrium pendulum.yaml
  cardan equilibrium bridge.yaml -o rest.json

Exit codes: 0 found, 1 there is none or it cannot be reached, 2 the model or the command line is
wrong.)";

struct EquilibriumOptions {
  AnalysisOptions where;
  std::string output;
};

std::string coordinatesTable(const Layout& l, const MotionPoint& before, const MotionPoint& rest) {
  std::string text;
  size_t width = 10;
  const auto shown = [&](int i) { return i < l.nq || (i >= l.xOffset() && i < l.lambdaOffset()); };
  for (int i = 0; i < l.lambdaOffset(); ++i) {
    if (shown(i)) width = std::max(width, l.unknowns[static_cast<size_t>(i)].name.size());
  }
  for (int i = 0; i < l.lambdaOffset(); ++i) {
    if (!shown(i)) continue;
    const auto k = static_cast<size_t>(i);
    const double moved = rest.y[k] - before.y[k];
    text += fmt::format("  {:<{}} = {:>15.10g} {:<6} moved by {:.4g}\n", l.unknowns[k].name, width,
                        rest.y[k], l.unknowns[k].unit, std::abs(moved) < 1e-12 ? 0 : moved);
  }
  return text;
}

std::string restJson(const Model& model, const MotionPoint& rest) {
  const Layout& l = model.assembly().layout;
  nlohmann::ordered_json values = nlohmann::ordered_json::array();
  for (int i = 0; i < l.muOffset(); ++i) {
    const Layout::Unknown& u = l.unknowns[static_cast<size_t>(i)];
    values.push_back(
        {{"name", u.name}, {"unit", u.unit}, {"value", rest.y[static_cast<size_t>(i)]}});
  }
  const nlohmann::ordered_json all{
      {"model", model.description().name}, {"time", rest.time}, {"unknowns", values}};
  return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int equilibrium(const EquilibriumOptions& o) {
  const AnalysisOptions::Place place = o.where.go();
  const Model& model = place.simulation.model();
  Equations& equations = place.simulation.system().equations();
  if (!o.output.empty() && o.output != "-")
    protectFiles({{o.output, "the result '" + o.output + "'"}}, sourcesOf(model.description()));
  const Equilibrium e = findEquilibrium(model, equations, place.point);
  if (!e.found) throw AnalysisError(explainNoEquilibrium(e));
  const LinearModel linear = linearise(model, equations, e.point);
  const ModalAnalysis a = findModes(linear);
  std::string stability = "stable, or at least without a growing motion";
  if (a.unstable > 0)
    stability = fmt::format("unstable in {} direction{}", a.unstable, a.unstable == 1 ? "" : "s");
  if (a.unstable == 0 && a.zeros > 0)
    stability += fmt::format("; free to move ({} zeros)", a.zeros);
  if (o.output != "-") {
    printOutput(fmt::format("{} rests at time = {:.6g} s, found in {} steps: {}\n{}",
                            model.description().name, e.point.time, e.iterations, stability,
                            coordinatesTable(model.assembly().layout, place.point, e.point)));
  }
  if (o.output == "-") printOutput(restJson(model, e.point));
  if (!o.output.empty() && o.output != "-") writeTextFile(o.output, restJson(model, e.point));
  o.where.printNotes(linear);
  return kDone;
}

}  // namespace

Command addEquilibrium(CLI::App& program) {
  CLI::App* app = program.add_subcommand("equilibrium", "find where a model rests");
  auto o = std::make_shared<EquilibriumOptions>();
  o->where.add(*app, false);
  app->add_option("-o,--output-file", o->output,
                  "write all unknowns there, too (JSON); - is standard output")
      ->type_name("FILE");
  app->footer(kEquilibriumFooter);
  return {app, [o] { return equilibrium(*o); }};
}

}  // namespace cardan
