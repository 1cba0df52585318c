// cardan inverse: the forces that a given motion needs.
#include <fmt/format.h>

#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/run_options.h"
#include "engine/inverse_run.h"
#include "engine/model_file/model_source.h"
#include "engine/results/csv_writer.h"
#include "engine/results/motion_table.h"

namespace cardan {
namespace {

constexpr const char* kInverseFooter =
    R"(FILE is a result as simulate writes it, or any CSV file whose first column is the time. Columns that
are coordinates of joints are the motion (r1.phi, slider.s); velocities (r1.w, slider.v) and accelerations
(r1.a) are taken as they are where they are there, else they are derivatives of splines. Other columns do
not matter. Coordinates that loops tie to the given ones follow from these, and go the way that FILE says
where they are in it. Of a joint with a quaternion (Spherical, FreeMotion) all positions are given
(ball.Q[1] to ball.Q[4]), and its velocities (ball.w_rel[1]) and their rates (der(ball.w_rel[1])) where
they are there.

The result has a row for each row of FILE: the force or torque that an actuator has to add along its
coordinate to what the model's own parts do, drive(r1.phi) [N.m], drive(slider.s) [N], along the velocities
of a joint with a quaternion (drive(ball.w_rel[1])); and what -y asks for.
Actuators are the given coordinates, unless --actuator names others: if there are more than freedoms, their
forces are those of least norm.

Examples:
  cardan inverse arm.yaml --motion wanted.csv -o torques.csv
  cardan inverse fourbar.yaml --motion crank.csv --actuator crank.phi --actuator rocker.phi -y '*.f'

Exit codes: 0 done, 1 the motion cannot be made or a file could not be written, 2 the model, the motion's
file or the command line is wrong.)";

struct InverseOptions {
  ModelOptions model;
  std::string motion, output;
  std::vector<std::string> actuators, outputs;
  bool quiet = false;
};

void run(const InverseOptions& o, Simulation& simulation, const MotionTable& motion) {
  std::vector<OutputPattern> actuators, outputs;
  for (const std::string& name : o.actuators)
    actuators.push_back({name, {"--actuator " + name, 0, 0}});
  for (const std::string& p : o.outputs) outputs.push_back({p, {"-y " + p, 0, 0}});
  InverseRun inverse(simulation, motion, o.motion, actuators, outputs);
  if (!o.quiet && !inverse.note().empty()) printMessages(inverse.note());
  CsvWriter writer(o.output);
  inverse.run(writer);
  writer.close();
  if (!o.quiet && !inverse.warning().empty()) printMessages(inverse.warning());
}

int inverse(InverseOptions o) {
  Simulation& simulation = o.model.load(o.quiet);
  refuseLibrary(simulation.source());
  if (o.output.empty()) o.output = defaultOutput(simulation.source(), ".inverse.csv");
  std::vector<std::string> read = sourcesOf(simulation.source());
  read.push_back(o.motion);
  protectFiles({{o.output, "the result"}}, read);
  try {
    const ResultTable table = ResultTable::read(o.motion);
    table.checkNames(o.motion);
    const MotionTable motion(table, o.motion);
    if (motion.time().empty()) throw ResultFileError(o.motion + ": error: it has no rows");
    run(o, simulation, motion);
    if (!o.quiet) {
      printMessages(fmt::format("{}: forces at {} instants, in {}", simulation.source().name,
                                motion.time().size(), shownPath(o.output)));
    }
  } catch (const InverseError& e) {
    printMessages(simulation.source().file + ": error: " + e.what());
    return kFailed;
  }
  return kDone;
}

}  // namespace

CommandRun addInverse(CLI::App& app) {
  auto o = std::make_shared<InverseOptions>();
  o->model.add(app);
  addOption(app, "--motion", o->motion, "FILE", "motion of joints (CSV)")->required();
  addRepeatable(app, "--actuator", o->actuators, "NAME",
                "coordinate along which a force acts (repeatable); default: the given ones");
  addPatterns(app, "-y,--output-variable", o->outputs,
              "names or patterns of further results (repeatable, or separated by ;)");
  addOption(app, "-o,--output-file", o->output, "FILE",
            "result; - is standard output (default: the model's name and .inverse.csv)");
  app.add_flag("-q,--quiet", o->quiet, "print errors only");
  app.footer(kInverseFooter);
  return [o] { return inverse(*o); };
}

}  // namespace cardan
