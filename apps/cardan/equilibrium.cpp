// cardan equilibrium: where a model rests, and whether it stays there.
#include "engine/analysis/equilibrium.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cardan/analysis_options.h"
#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "engine/model_file/model_source.h"
#include "engine/motion_point.h"
#include "engine/structure/unknowns.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr const char* kEquilibriumFooter =
    R"(Looks for a pose without accelerations, downhill from the assembled one on, and prints its coordinates
with how far they have moved, and whether it is stable. Velocities are zero there, but for those that
drives prescribe and those of --steady: then the rest of the model rests in a steady motion.

With --free the coordinates that are not named are held where the start puts them, unless loops tie
them to others. What an actuator has to add to hold them, or to keep a speed, is printed as
drive(joint.phi), which is what cardan inverse calls it.

Examples:
  cardan equilibrium pendulum.yaml
  cardan equilibrium governor.yaml --steady bearing.w
  cardan equilibrium vehicle.yaml --free 'suspension*.s' -o rest.json

Exit codes: 0 found, 1 there is none or it cannot be reached, 2 the model or the command line is
wrong.)";

constexpr size_t kMostNames = 8;

struct EquilibriumCommand {
  AnalysisOptions where;
  std::string output;
};

std::string coordinatesTable(const Unknowns& l, const MotionPoint& before,
                             const MotionPoint& rest) {
  std::string text;
  size_t width = 10;
  const auto shown = [&](int i) { return i < l.nq || (i >= l.xOffset() && i < l.lambdaOffset()); };
  for (int i = 0; i < l.lambdaOffset(); ++i) {
    if (shown(i)) width = std::max(width, l.unknowns[i].name.size());
  }
  for (int i = 0; i < l.lambdaOffset(); ++i) {
    if (!shown(i)) continue;
    const size_t k = i;
    const double moved = rest.y[k] - before.y[k];
    text += fmt::format("  {:<{}} = {:>15.10g} {:<6} moved by {:.4g}", l.unknowns[k].name, width,
                        rest.y[k], l.unknowns[k].unit, std::abs(moved) < 1e-12 ? 0 : moved);
    if (std::abs(rest.yp[k]) > 1e-9 && l.unknowns[k].differential)
      text += fmt::format(", moves at {:.8g} {}/s", rest.yp[k], l.unknowns[k].unit);
    text += "\n";
  }
  return text;
}

std::string drivesTable(const Equilibrium& e) {
  std::string text;
  size_t width = 10;
  for (const HoldingForce& f : e.held) width = std::max(width, f.name.size());
  for (const bool keeps : {false, true}) {
    std::string lines;
    for (const HoldingForce& f : e.held) {
      if (f.keeps == keeps)
        lines += fmt::format("  {:<{}} = {:>15.10g} {}\n", f.name, width, f.value, f.unit);
    }
    if (!lines.empty()) text += (keeps ? "speeds kept by\n" : "held by\n") + lines;
  }
  return text;
}

std::string restJson(const PointEquations& equations, const Equilibrium& e) {
  const Unknowns& l = equations.unknowns();
  nlohmann::ordered_json values = nlohmann::ordered_json::array();
  for (int i = 0; i < l.muOffset(); ++i) {
    const Unknowns::Unknown& u = l.unknowns[i];
    values.push_back({{"name", u.name}, {"unit", u.unit}, {"value", e.point.y[i]}});
  }
  nlohmann::ordered_json all{
      {"model", equations.source().name}, {"time", e.point.time}, {"unknowns", values}};
  for (const HoldingForce& f : e.held)
    all["drives"].push_back({{"name", f.name}, {"unit", f.unit}, {"value", f.value}});
  return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string stabilityText(const Equilibrium& e) {
  if (e.turning) return "what acts turns with the motion, so that nothing is said of its stability";
  std::string text = "stable, or at least without a growing motion";
  if (e.unstable > 0)
    text = fmt::format("unstable in {} direction{}", e.unstable, e.unstable == 1 ? "" : "s");
  if (e.unstable == 0 && e.zeros > 0) text += fmt::format("; free to move ({} zeros)", e.zeros);
  return text;
}

/// Velocities of the start that the equilibrium does not have.
void tellStopped(const PointEquations& equations, const MotionPoint& start,
                 const MotionPoint& rest) {
  const Unknowns& l = equations.unknowns();
  constexpr double kMoves = 1e-8;  // in the model's own units
  std::vector<std::string> stopped;
  for (int i = l.nq; i < l.xOffset(); ++i) {
    const size_t k = i;
    const double least = kMoves * equations.nominal(i);
    if (std::abs(start.y[k]) > least && std::abs(rest.y[k]) <= least)
      stopped.push_back("'" + l.unknowns[k].name + "'");
  }
  if (stopped.empty()) return;
  printMessages(
      fmt::format("note: taken as zero, though not so at the start: {}; --steady keeps "
                  "speeds that are named",
                  joinMost(stopped, kMostNames)));
}

int equilibrium(const EquilibriumCommand& o) {
  const AnalysisOptions::Place place = o.where.go();
  const PointEquations equations(place.simulation);
  protectFiles({{o.output, "the result"}}, sourcesOf(equations.source()));
  const Equilibrium e = findEquilibrium(place.simulation, place.point, o.where.rest);
  if (!e.found) throw AnalysisError(explainNoEquilibrium(e));
  if (o.output != "-") {
    printOutput(fmt::format(
        "{} {} at time = {:.6g} s, found in {} steps: {}\n{}{}", equations.source().name,
        e.moves ? "moves steadily" : "rests", e.point.time, e.iterations, stabilityText(e),
        coordinatesTable(equations.unknowns(), place.point, e.point), drivesTable(e)));
  }
  if (!o.output.empty()) writeOutput(o.output, restJson(equations, e));
  if (!o.where.quiet) tellStopped(equations, place.point, e.point);
  o.where.printUnfit(e);
  o.where.printFrozen(equations.modes());
  return kDone;
}

}  // namespace

CommandRun addEquilibrium(CLI::App& app) {
  auto o = std::make_shared<EquilibriumCommand>();
  o->where.add(app, false);
  addPatterns(app, "--free", o->where.rest.free,
              "coordinates that may move, the others are held (repeatable, or separated\n"
              "by ;); default: all");
  addOption(app, "-o,--output-file", o->output, "FILE",
            "write all unknowns there, too (JSON); - is standard output");
  app.footer(kEquilibriumFooter);
  return [o] { return equilibrium(*o); };
}

}  // namespace cardan
