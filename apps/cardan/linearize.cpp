// cardan linearize: a model near a point as matrices A, B, C, D.
#include <fmt/format.h>

#include <memory>

#include "apps/cardan/analysis_options.h"
#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/loop_views.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/run_options.h"
#include "engine/analysis/linear_model_files.h"
#include "engine/control/held_inputs.h"
#include "engine/model_file/model_source.h"

namespace cardan {
namespace {

constexpr const char* kLinearizeFooter =
    R"(Writes dx/dt = A x + B u, y = C x + D u with the names, units and values of states, inputs and
outputs: derivatives of the model's own equations, no differences. What constraints leave free
becomes states, coordinates with stateSelect prefer or always first. The report says whether the
point is an equilibrium, a steady motion or an instant of a motion, and what that means for A.
Inputs are signal inputs that have a number in the model file. With --bode, --nyquist, --step or
--root-locus curves and their numbers are shown, and the matrices are written only where -o says so.

Examples:
  cardan linearize pendulum.yaml -o pendulum.json
  cardan linearize crane.yaml -u motor.f -y 'load.*' -o crane.mat
  cardan linearize bicycle.yaml --at 2 --descriptor -o bicycle.mat
  cardan linearize crane.yaml -u motor.f -y load.phi --bode --picture bode.svg

Exit codes: 0 done, 1 the point cannot be reached or linearised, 2 the model or the command line is
wrong.)";

struct LinearizeOptions {
  AnalysisOptions where;
  LinearisationOptions what;
  std::vector<std::string> outputs;
  std::string output;
  LoopViews views;
  double sample = 0;  ///< [s]  0: none
};

std::string linearText(const LinearModel& m, const std::string& path) {
  if (path.ends_with(".mat")) return linearModelMat(m);
  return path.ends_with(".csv") ? linearModelCsv(m) : linearModelJson(m);
}

int linearize(LinearizeOptions o) {
  if (!o.output.empty() && o.output != "-" && !o.output.ends_with(".json") &&
      !o.output.ends_with(".mat") && !o.output.ends_with(".csv")) {
    refuse("-o: '" + o.output + "' ends neither in .json nor in .mat nor in .csv");
  }
  o.views.check();
  if (o.sample > 0 && o.what.descriptor) refuse("--descriptor is of rates: not with --sample");
  for (const std::string& pattern : o.outputs) o.what.outputs.push_back({pattern, {}});
  const AnalysisOptions::Place place = o.where.go();
  const ModelSource& source = place.simulation.source();
  if (o.output.empty() && !o.views.any()) o.output = defaultOutput(source, ".linear.json");
  protectFiles({{o.output, "the result"}, {o.views.picture, "the picture"}}, sourcesOf(source));
  LinearModel m = linearise(place.simulation, place.point, o.what);
  if (o.sample > 0) m = sampled(m, o.sample);
  if (o.views.any()) o.views.show(m);
  if (o.output.empty()) {
    o.where.printNotes(m);
    return kDone;
  }
  writeOutput(o.output, linearText(m, o.output));
  o.where.printNotes(m);
  if (!o.where.quiet) {
    printMessages(fmt::format("{} at time = {:.6g} s: {}, {} states, {} inputs, {} outputs, in {}",
                              m.name, m.time, word(m.kind), m.states.size(), m.inputs.size(),
                              m.outputs.size(), shownPath(o.output)));
  }
  return kDone;
}

}  // namespace

CommandRun addLinearize(CLI::App& app) {
  auto o = std::make_shared<LinearizeOptions>();
  o->where.add(app);
  addRepeatable(app, "-u,--input", o->what.inputs, "NAME",
                "input of the linear model (repeatable)");
  addPatterns(app, "-y,--output", o->outputs,
              "names or patterns of its outputs (repeatable, or separated by ;); default: "
              "the\nmodel's 'outputs'");
  addOption(app, "-o,--output-file", o->output, "FILE",
            "result: .json, .mat (MATLAB, Octave, scipy) or .csv; - is standard output, JSON\n"
            "(default: the model's name and .linear.json, in the current folder)");
  app.add_flag("--descriptor", o->what.descriptor,
               "write E x' = A x + B u of all unknowns and multipliers, too (.json, .mat)");
  addOption(app, "--sample", o->sample, "S",
            "x[k+1] = A x[k] + B u[k] in place of rates: inputs are held so long [s]",
            positiveNumber());
  o->views.add(app);
  app.footer(kLinearizeFooter);
  return [o] { return linearize(*o); };
}

}  // namespace cardan
