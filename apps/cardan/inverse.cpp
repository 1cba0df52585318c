// cardan inverse: the forces that a given motion needs.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/run_options.h"
#include "engine/dynamics/inverse_dynamics.h"
#include "engine/integration/multibody_system.h"
#include "engine/results/csv_writer.h"
#include "engine/results/motion_table.h"
#include "engine/results/recorder.h"

namespace cardan {
namespace {

constexpr const char* kInverseFooter =
    R"(FILE is a result as simulate writes it, or any CSV file whose first column is the time. Columns that
are coordinates of joints are the motion (r1.phi, slider.s); velocities (r1.w, slider.v) and accelerations
(r1.a) are taken as they are where they are there, else they are derivatives of splines. Other columns do
not matter. Coordinates that loops tie to the given ones follow from these.

The result has a row for each row of FILE: the force or torque that an actuator has to add along its
coordinate to what the model's own parts do, drive(r1.phi) [N.m], drive(slider.s) [N]; and what -y asks for.
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

/// Coordinates of the model by name.
class Coordinates {
 public:
  explicit Coordinates(const Model& model)
      : layout_(model.assembly().equations->layout()), source_(model.description()) {}

  /// Index into q, or -1.
  int find(const std::string& name) const {
    const std::string full = source_.withoutAliases(name);
    for (int q = 0; q < layout_.nq; ++q) {
      if (layout_.unknowns[q].name == full) return q;
    }
    return -1;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (int q = 0; q < layout_.nq; ++q) names.push_back(layout_.unknowns[q].name);
    return names;
  }
  const Layout::Unknown& position(int q) const { return layout_.unknowns[q]; }
  const std::string& velocity(int v) const { return layout_.unknowns[layout_.nq + v].name; }

 private:
  const Layout& layout_;
  const ModelSource& source_;
};

std::vector<Column> columnsOf(const Coordinates& coordinates, const std::vector<int>& actuators,
                              const std::vector<Column>& others) {
  std::vector<Column> columns;
  for (const int q : actuators) {
    const Layout::Unknown& u = coordinates.position(q);
    columns.push_back({"drive(" + u.name + ")", u.unit == "m" ? "N" : "N.m",
                       "what an actuator has to add", false});
  }
  columns.insert(columns.end(), others.begin(), others.end());
  return columns;
}

/// From the pose of the start to the first row in small steps, so that loops stay on their branch.
void approach(InverseDynamics& inverse, double t, const std::vector<int>& given,
              const std::vector<double>& target, std::vector<double>& y, std::vector<double>& yp) {
  constexpr int kSteps = 50;
  const std::vector<double> zero(given.size(), 0.0);
  std::vector<double> from, here(given.size());
  for (const int q : given) from.push_back(y[q]);
  for (int k = 1; k <= kSteps; ++k) {
    for (size_t i = 0; i < given.size(); ++i)
      here[i] = from[i] + (target[i] - from[i]) * k / kSteps;
    inverse.close(t, here, zero, zero, y, yp);
  }
}

/// Columns that are not used, since loops tie them to others.
void tellFollowing(const Coordinates& coordinates, const std::vector<int>& all,
                   const std::vector<int>& used) {
  std::string following, leading;
  for (const int q : all) {
    std::string& names = std::ranges::find(used, q) == used.end() ? following : leading;
    names += (names.empty() ? "'" : ", '") + coordinates.position(q).name + "'";
  }
  if (following.empty()) return;
  printMessages(fmt::format("note: loops tie {} to {}: what the file says of {} is not used",
                            following, leading, following));
}

void run(const InverseOptions& o, Simulation& simulation, const MotionTable& motion) {
  const Model& model = simulation.model();
  const Coordinates coordinates(model);
  Diagnostics diagnostics;
  std::vector<int> given, actuators;
  for (const std::string& name : coordinates.names()) {
    if (motion.has(name)) given.push_back(coordinates.find(name));
  }
  if (given.empty()) {
    diagnostics.error({o.motion, 0, 0}, fmt::format("none of its columns is a coordinate of the "
                                                    "model; these are {}",
                                                    fmt::join(coordinates.names(), ", ")));
  }
  for (const std::string& name : o.actuators) {
    const int q = coordinates.find(name);
    if (q < 0) {
      diagnostics.error({"--actuator " + name, 0, 0},
                        "no coordinate '" + name + "'" + didYouMean(name, coordinates.names()));
    } else if (std::ranges::find(actuators, q) == actuators.end()) {
      actuators.push_back(q);
    }
  }
  diagnostics.throwIfErrors();
  const InitialReport initial = simulation.initialise();
  Equations& equations = simulation.system().equations();
  std::vector<OutputPattern> patterns;
  for (const std::string& p : o.outputs) patterns.push_back({p, {"-y " + p, 0, 0}});
  std::unique_ptr<Recorder> recorder;
  if (!patterns.empty())
    recorder = std::make_unique<Recorder>(model, equations, patterns, diagnostics);
  diagnostics.throwIfErrors();
  Completion completion(equations, initial.redundantRows);
  InverseDynamics inverse(equations, given, simulation.model().description().simulation.start,
                          simulation.y());
  if (!o.quiet) tellFollowing(coordinates, given, inverse.given());
  given = inverse.given();
  if (!actuators.empty()) inverse.setActuators(actuators);

  std::vector<MotionTable::Coordinate> columns;
  for (const int q : given) {
    const std::string& position = coordinates.position(q).name;
    const size_t dot = position.rfind('.');
    columns.push_back(motion.coordinate(position, coordinates.velocity(inverse.velocityOf(q)),
                                        position.substr(0, dot + 1) + "a"));
  }
  std::vector<double> y = simulation.y(), yp = simulation.yp();
  std::vector<double> q(given.size()), v(given.size()), a(given.size());
  const auto take = [&](size_t row) {
    for (size_t i = 0; i < given.size(); ++i) {
      q[i] = columns[i].q[row];
      v[i] = columns[i].v[row];
      a[i] = columns[i].a[row];
    }
  };
  take(0);
  approach(inverse, motion.time()[0], given, q, y, yp);
  CsvWriter writer(o.output);
  actuators = inverse.actuators();
  writer.begin(
      columnsOf(coordinates, actuators, recorder ? recorder->columns() : std::vector<Column>{}));
  std::vector<double> line(actuators.size() + (recorder ? recorder->columns().size() : 0));
  for (size_t row = 0; row < motion.time().size(); ++row) {
    const double t = motion.time()[row];
    take(row);
    inverse.solve(t, q, v, a, y, yp);
    std::copy_n(inverse.forces().data(), actuators.size(), line.begin());
    if (recorder) {
      std::vector<double> y1 = y, yp1 = yp;
      recorder->record(t, y1, yp1, completion, line.data() + actuators.size(), true);
    }
    writer.row(t, line);
  }
  writer.close();
}

int inverse(InverseOptions o) {
  Simulation& simulation = o.model.load(o.quiet);
  refuseLibrary(simulation.model().description());
  if (o.output.empty()) o.output = defaultOutput(simulation.model(), ".inverse.csv");
  if (o.output != "-") {
    std::vector<std::string> read = sourcesOf(simulation.model().description());
    read.push_back(o.motion);
    protectFiles({{o.output, "the result '" + o.output + "'"}}, read);
  }
  try {
    const MotionTable motion(ResultTable::read(o.motion));
    if (motion.time().empty()) throw ResultFileError(o.motion + ": error: it has no rows");
    run(o, simulation, motion);
    if (!o.quiet) {
      printMessages(fmt::format("{}: forces at {} instants, in {}",
                                simulation.model().description().name, motion.time().size(),
                                o.output == "-" ? "standard output" : o.output));
    }
  } catch (const ResultFileError& e) {
    printMessages(e.what());
    return kWrong;
  } catch (const InverseError& e) {
    printMessages(simulation.model().description().file + ": error: " + e.what());
    return kFailed;
  }
  return kDone;
}

}  // namespace

Command addInverse(CLI::App& program) {
  CLI::App* app = program.add_subcommand("inverse", "find the forces that a given motion needs");
  auto o = std::make_shared<InverseOptions>();
  o->model.add(*app);
  app->add_option("--motion", o->motion, "motion of joints (CSV)")->required()->type_name("FILE");
  app->add_option("--actuator", o->actuators,
                  "coordinate along which a force acts (repeatable); default: the given ones")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app->add_option("-y,--output-variable", o->outputs,
                  "name or pattern of further results (repeatable)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  app->add_option("-o,--output-file", o->output,
                  "result; - is standard output (default: the model's name and .inverse.csv)")
      ->type_name("FILE");
  app->add_flag("-q,--quiet", o->quiet, "print errors only");
  app->footer(kInverseFooter);
  return {app, [o] { return inverse(*o); }};
}

}  // namespace cardan
