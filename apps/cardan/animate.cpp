// cardan animate: shows a model moving, as a page for a browser or a .glb file, or at one time.
#include <fmt/format.h>

#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/picture_files.h"
#include "apps/cardan/run_options.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_source.h"
#include "engine/picture/replay.h"

namespace cardan {
namespace {

constexpr const char* kAnimateFooter =
    R"(The page is one file that works without a network: space plays and pauses, the mouse turns, a click
picks a shape, ? shows all keys. NAME.html#t=1.25&view=iso opens it at a time and in a view (x, y, z,
iso, home). A .glb file (glTF 2.0) holds the same motion for viewers and tools of others. A .png file
shows one time of it, from as near as all of it is seen.

A picture has at most 1000 frames, evenly spread, and those at events; --fps sets another number. Its
curves are the model's 'outputs' and those of --plot; the latter are open. Shapes from files are found
relative to the model, those of 'modelica://' below the folders of the environment's MODELICAPATH.

Examples:
  cardan animate pendulum.yaml
  cardan animate arm.yaml --set L=0.7 --plot 'revolute?.phi' --plot totalEnergy
  cardan animate arm.yaml -o arm.glb --fps 30
  cardan animate arm.yaml -o arm.png --at 0.5 --view iso --size 640x400
  cardan animate car.yaml --follow chassis.frame_a --trace wheel1.frame_a
  cardan simulate arm.yaml -o arm.csv && cardan animate arm.yaml --from arm.csv

Exit codes: 0 done, 1 the run failed (what there is of it is shown) or the file could not be written,
2 the model, a file or the command line is wrong.)";

struct AnimateOptions {
  ModelOptions model;
  RunOptions run;
  InputOptions input;
  PictureChoice picture;
  std::string from;
  bool quiet = false;
};

/// The curves: the file's own, then those asked for.
std::vector<OutputPattern> patternsOf(const ModelSource& model,
                                      const std::vector<std::string>& plots) {
  std::vector<OutputPattern> patterns = model.outputs;
  for (const std::string& p : plots) patterns.push_back({p, {}});
  return patterns;
}

void fromResult(AnimateOptions& o, Simulation& simulation, const ResultTable& result,
                PictureRecorder& recorder) {
  simulation.initialise(o.run.startTime);
  Diagnostics diagnostics;
  replay(simulation, result, patternsOf(simulation.source(), o.picture.plots), recorder, recorder,
         diagnostics);
  diagnostics.throwIfErrors();
}

/// "" or why the run has failed.
std::string fromRun(AnimateOptions& o, Simulation& simulation, PictureRecorder& recorder,
                    const RunSettings& settings) {
  if (!o.picture.plots.empty()) {
    for (const OutputPattern& p : patternsOf(simulation.source(), o.picture.plots))
      o.run.outputs.push_back(p.pattern);
  }
  ProgressLine progress(settings.start, settings.stop, !o.quiet);
  o.run.progress = [&](double time) {
    progress.update(time);
    return true;
  };
  o.run.watch = &recorder;
  std::string failure;
  try {
    simulation.run(recorder, o.run);
  } catch (const SolverError& e) {
    failure = e.what();
  }
  if (!o.quiet) {
    for (const std::string& w : simulation.report().warnings) printMessages("warning: " + w);
  }
  return failure;
}

/// A still's time is one of the run's.
void checkTime(const PictureChoice& picture, const RunSettings& settings) {
  const std::optional<double>& at = picture.still.time;
  if (!picture.isStill() || !at) return;
  if (!(*at >= settings.start && *at <= settings.stop)) {
    refuse(fmt::format("--at must lie within the run, from {} to {} s; found {}", settings.start,
                       settings.stop, *at));
  }
}

int animate(AnimateOptions o) {
  if (!o.picture.output.empty()) o.picture.check();
  Simulation& simulation = o.model.load(o.quiet);
  const ModelSource& model = simulation.source();
  refuseLibrary(model);
  if (o.picture.output.empty()) {
    o.picture.output = defaultOutput(simulation.source(), ".html");
    o.picture.check();
  }
  std::vector<std::string> read = sourcesOf(model);
  read.insert(read.end(), {o.from, o.input.file});
  o.run.inputs = o.input.read();
  protectFiles({{o.picture.output, "the picture"}}, read);
  if (o.picture.fps > 0 && !o.run.outputInterval) o.run.outputInterval = 1 / o.picture.fps;
  RunSettings settings = settingsOf(model, o.run);
  ResultTable result;
  if (!o.from.empty()) {
    result = ResultTable::read(o.from);
    // The times to be spread over are those of the result, whatever the model says of its own.
    settings.start = result.time.front();
    settings.stop = result.time.back();
  }
  checkTime(o.picture, settings);
  const auto recorder = o.picture.recorder(simulation, settings, !o.from.empty());
  std::string failure;
  if (!o.from.empty()) {
    fromResult(o, simulation, result, *recorder);
  } else {
    failure = fromRun(o, simulation, *recorder, settings);
  }
  if (!failure.empty()) printMessages(model.file + ": error: " + failure);
  recorder->finish();
  if (recorder->rows() == 0) return kFailed;
  o.picture.write(*recorder, o.quiet);
  if (!o.quiet) {
    printMessages(fmt::format("{}: {} frames from {} shapes, in {}", model.name, recorder->rows(),
                              recorder->items().size(), o.picture.output));
  }
  return failure.empty() ? kDone : kFailed;
}

}  // namespace

CommandRun addAnimate(CLI::App& app) {
  auto o = std::make_shared<AnimateOptions>();
  o->model.add(app);
  addOption(app, "-o,--output-file", o->picture.output, "FILE",
            "picture, .html, .glb or .png (default: the model's name and .html, in\n"
            "the current folder)");
  addOption(app, "--from", o->from, "RESULT", "take the motion from this result (CSV), do not run");
  addOption(app, "--fps", o->picture.fps, "X", "frames in a second of simulated time",
            positiveNumber());
  addOption(app, "--follow", o->picture.follow, "FRAME",
            "the view goes with this frame (body1.frame_a)");
  addRepeatable(app, "--trace", o->picture.traces, "FRAME",
                "this frame leaves a line (repeatable)");
  addOption(app, "--at", o->picture.still.time, "T",
            "of a .png: the time it shows [s] (default: the end of the run)");
  addOption(app, "--view", o->picture.still.view, "NAME", "of a .png: x, y, z, iso, home (default)",
            CLI::IsMember(stillViews()));
  addOption(app, "--size", o->picture.size, "WxH", "of a .png: WIDTHxHEIGHT (default 960x600)");
  addPatterns(app, "--plot", o->picture.plots,
              "names or patterns of curves to open (repeatable, or separated by ;)");
  addRunOptions(app, o->run);
  o->input.add(app);
  app.add_flag("--strict", o->run.strict,
               "redundant constraints are an error, and laws of contact that cannot be kept");
  app.add_flag("-q,--quiet", o->quiet, "print errors only");
  app.footer(kAnimateFooter);
  return [o] { return animate(*o); };
}

}  // namespace cardan
