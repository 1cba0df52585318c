// cardan inverse: the forces that a given motion needs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/run_options.h"
#include "engine/dynamics/inverse_dynamics.h"
#include "engine/equations/model.h"
#include "engine/results/csv_writer.h"
#include "engine/results/motion_table.h"
#include "engine/results/recorder.h"
#include "engine/simulation_parts.h"

namespace cardan {
namespace {

constexpr const char* kInverseFooter =
    R"(FILE is a result as simulate writes it, or any CSV file whose first column is the time. Columns that
are coordinates of joints are the motion (r1.phi, slider.s); velocities (r1.w, slider.v) and accelerations
(r1.a) are taken as they are where they are there, else they are derivatives of splines. Other columns do
not matter. Coordinates that loops tie to the given ones follow from these. Of a joint with a quaternion
(Spherical, FreeMotion) all positions are given (ball.Q[1] to ball.Q[4]), and its velocities (ball.w_rel[1])
and their rates (der(ball.w_rel[1])) where they are there.

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

/// Unknowns of the model by name.
class Names {
 public:
  explicit Names(const Model& model)
      : layout_(model.assembly().equations->layout()), source_(model.description()) {
    for (int v = 0; v < layout_.nv; ++v) coordinates_.push_back(velocity(v).name);
    for (const Layout::TreeJoint& s : layout_.tree) {
      for (int j = 0; s.plain && j < s.nv; ++j) coordinates_[s.v + j] = position(s.q + j).name;
    }
  }

  std::vector<std::string> positions() const {
    std::vector<std::string> names;
    for (int q = 0; q < layout_.nq; ++q) names.push_back(layout_.unknowns[q].name);
    return names;
  }
  const Layout::Unknown& position(int q) const { return layout_.unknowns[q]; }
  const Layout::Unknown& velocity(int v) const { return layout_.unknowns[layout_.nq + v]; }

  /// Index into v of a coordinate: by its position where that is a scalar, else by its velocity;
  /// -1: none.
  int findCoordinate(const std::string& name) const {
    const std::string full = source_.withoutAliases(name);
    for (int v = 0; v < layout_.nv; ++v) {
      if (coordinates_[v] == full) return v;
    }
    return -1;
  }
  const std::vector<std::string>& coordinates() const { return coordinates_; }
  const Layout& layout() const { return layout_; }

 private:
  const Layout& layout_;
  const ModelSource& source_;
  std::vector<std::string> coordinates_;  ///< names, by velocity
};

std::vector<Column> columnsOf(const Names& names, const InverseDynamics& inverse,
                              const std::vector<Column>& others) {
  std::vector<Column> columns;
  for (const int v : inverse.actuators()) {
    columns.push_back({"drive(" + inverse.nameOf(v) + ")",
                       names.velocity(v).unit == "m/s" ? "N" : "N.m", "what an actuator has to add",
                       false});
  }
  columns.insert(columns.end(), others.begin(), others.end());
  return columns;
}

/// From the pose of the start to the first row in small steps, so that loops stay on their branch.
void approach(InverseDynamics& inverse, double t, const std::vector<double>& target,
              std::vector<double>& y, std::vector<double>& yp) {
  constexpr int kSteps = 50;
  const std::vector<double> zero(inverse.given().size(), 0.0);
  std::vector<double> from, here(target.size());
  for (const int q : inverse.positions()) from.push_back(y[q]);
  for (int k = 1; k <= kSteps; ++k) {
    for (size_t i = 0; i < here.size(); ++i) here[i] = from[i] + (target[i] - from[i]) * k / kSteps;
    inverse.close(t, here, zero, zero, y, yp);
  }
}

/// Columns that are not used, since loops tie them to others.
void tellFollowing(const Names& names, const std::vector<int>& all, const std::vector<int>& used) {
  std::string following, leading;
  for (const int q : all) {
    std::string& list = std::ranges::find(used, q) == used.end() ? following : leading;
    list += (list.empty() ? "'" : ", '") + names.position(q).name + "'";
  }
  if (following.empty()) return;
  printMessages(fmt::format("note: loops tie {} to {}: what the file says of {} is not used",
                            following, leading, following));
}

/// What the file says of the given coordinates, row by row.
class GivenMotion {
 public:
  /// `y`: the pose before, to which the signs of quaternions are near.
  GivenMotion(const MotionTable& motion, const Names& names, const InverseDynamics& inverse,
              const std::vector<double>& y)
      : motion_(motion) {
    const Layout& l = names.layout();
    for (const Layout::TreeJoint& s : l.tree) {
      if (!s.plain) {
        if (std::ranges::find(inverse.given(), s.v) != inverse.given().end()) addJoint(names, s, y);
        continue;
      }
      for (int j = 0; j < s.nv; ++j) {
        if (std::ranges::find(inverse.given(), s.v + j) != inverse.given().end())
          addScalar(names, s.q + j, s.v + j);
      }
    }
  }

  void take(size_t row, std::vector<double>& q, std::vector<double>& v,
            std::vector<double>& a) const {
    const auto at = [row](const std::vector<std::vector<double>>& columns,
                          std::vector<double>& values) {
      values.clear();
      for (const std::vector<double>& column : columns) values.push_back(column[row]);
    };
    at(q_, q);
    at(v_, v);
    at(a_, a);
  }

 private:
  void addScalar(const Names& names, int q, int v) {
    const std::string& position = names.position(q).name;
    const size_t dot = position.rfind('.');
    MotionTable::Coordinate c =
        motion_.coordinate(position, names.velocity(v).name, position.substr(0, dot + 1) + "a");
    q_.push_back(std::move(c.q));
    v_.push_back(std::move(c.v));
    a_.push_back(std::move(c.a));
  }

  /// Of a joint with a quaternion. Its velocities, where the file has none, are those of splines
  /// through the positions.
  void addJoint(const Names& names, const Layout::TreeJoint& s, const std::vector<double>& y) {
    const size_t rows = motion_.time().size(), first = q_.size();
    for (int j = 0; j < s.nq; ++j) q_.push_back(motion_.column(names.position(s.q + j).name));
    const size_t Q = first + s.nq - 4;
    std::vector<double> before(y.begin() + s.q + s.nq - 4, y.begin() + s.q + s.nq);
    for (size_t row = 0; row < rows; ++row) {
      // Q and -Q are one orientation: that is taken which is nearer to the row before.
      double product = 0, square = 0;
      for (size_t k = 0; k < 4; ++k) {
        product += q_[Q + k][row] * before[k];
        square += q_[Q + k][row] * q_[Q + k][row];
      }
      if (!(square > 0)) {
        throw InverseError(
            fmt::format("at time = {} s the motion gives no direction: '{}' and the rest of its "
                        "quaternion are zero",
                        motion_.time()[row], names.position(s.q + s.nq - 4).name));
      }
      const double factor = (product < 0 ? -1 : 1) / std::sqrt(square);
      for (size_t k = 0; k < 4; ++k) before[k] = q_[Q + k][row] *= factor;
    }
    std::vector<std::vector<double>> v;
    std::string given, missing;
    for (int j = 0; j < s.nv; ++j) {
      const std::string& name = names.velocity(s.v + j).name;
      (motion_.has(name) ? given : missing) = name;
      if (motion_.has(name)) v.push_back(motion_.column(name));
    }
    if (!given.empty() && !missing.empty()) {
      throw InverseError(fmt::format(
          "the motion gives '{}' and not '{}': those of a joint with a quaternion belong together",
          given, missing));
    }
    if (v.empty()) v = velocitiesOf(s, first);
    for (int j = 0; j < s.nv; ++j) {
      const std::string rate = "der(" + names.velocity(s.v + j).name + ")";
      a_.push_back(motion_.has(rate) ? motion_.column(rate) : motion_.slopes(v[j]));
      v_.push_back(std::move(v[j]));
    }
  }

  /// What the kinematic rows say of slopes of the positions: something(q, der(q)) - v.
  std::vector<std::vector<double>> velocitiesOf(const Layout::TreeJoint& s, size_t first) const {
    std::vector<std::vector<double>> slopes;
    for (int j = 0; j < s.nq; ++j) slopes.push_back(motion_.slopes(q_[first + j]));
    const std::vector<double> still(s.nv, 0.0);
    std::vector<double> q(s.nq), qd(s.nq), rows(s.nq);
    std::vector<std::vector<double>> v(s.nv);
    for (size_t row = 0; row < motion_.time().size(); ++row) {
      for (size_t j = 0; j < q.size(); ++j) {
        q[j] = q_[first + j][row];
        qd[j] = slopes[j][row];
      }
      s.law->kinematics(q.data(), qd.data(), still.data(), rows.data());
      for (size_t j = 0; j < v.size(); ++j) v[j].push_back(rows[j]);
    }
    return v;
  }

  const MotionTable& motion_;
  std::vector<std::vector<double>> q_, v_, a_;  ///< by columns
};

void run(const InverseOptions& o, Simulation& simulation, const MotionTable& motion) {
  const Model& model = simulation.model();
  const Names names(model);
  Diagnostics diagnostics;
  std::vector<int> all, actuators;
  for (int q = 0; q < names.layout().nq; ++q) {
    if (motion.has(names.position(q).name)) all.push_back(q);
  }
  if (all.empty()) {
    diagnostics.error({o.motion, 0, 0}, fmt::format("none of its columns is a coordinate of the "
                                                    "model; these are {}",
                                                    fmt::join(names.positions(), ", ")));
  }
  for (const std::string& name : o.actuators) {
    const int v = names.findCoordinate(name);
    if (v < 0) {
      diagnostics.error({"--actuator " + name, 0, 0},
                        "no coordinate '" + name + "'" + didYouMean(name, names.coordinates()));
    } else if (std::ranges::find(actuators, v) == actuators.end()) {
      actuators.push_back(v);
    }
  }
  diagnostics.throwIfErrors();
  simulation.initialise();
  Equations& equations = *simulation.parts().equations;
  std::vector<OutputPattern> patterns;
  for (const std::string& p : o.outputs) patterns.push_back({p, {"-y " + p, 0, 0}});
  std::unique_ptr<Recorder> recorder;
  if (!patterns.empty())
    recorder = std::make_unique<Recorder>(model, equations, patterns, diagnostics);
  diagnostics.throwIfErrors();
  Completion completion(equations);
  InverseDynamics inverse(equations, all, simulation.source().simulation.start, simulation.y());
  if (!o.quiet) tellFollowing(names, all, inverse.positions());
  if (!actuators.empty()) inverse.setActuators(actuators);

  std::vector<double> y = simulation.y(), yp = simulation.yp(), q, v, a;
  const GivenMotion given(motion, names, inverse, y);
  given.take(0, q, v, a);
  approach(inverse, motion.time()[0], q, y, yp);
  CsvWriter writer(o.output);
  writer.begin(columnsOf(names, inverse, recorder ? recorder->columns() : std::vector<Column>{}));
  const size_t forces = inverse.actuators().size();
  std::vector<double> line(forces + (recorder ? recorder->columns().size() : 0));
  for (size_t row = 0; row < motion.time().size(); ++row) {
    const double t = motion.time()[row];
    given.take(row, q, v, a);
    inverse.solve(t, q, v, a, y, yp);
    std::copy_n(inverse.forces().data(), forces, line.begin());
    if (recorder) {
      std::vector<double> y1 = y, yp1 = yp;
      recorder->record(t, y1, yp1, completion, line.data() + forces, true);
    }
    writer.row(t, line);
  }
  writer.close();
}

int inverse(InverseOptions o) {
  Simulation& simulation = o.model.load(o.quiet);
  refuseLibrary(simulation.source());
  if (o.output.empty()) o.output = defaultOutput(simulation.source(), ".inverse.csv");
  if (o.output != "-") {
    std::vector<std::string> read = sourcesOf(simulation.source());
    read.push_back(o.motion);
    protectFiles({{o.output, "the result '" + o.output + "'"}}, read);
  }
  try {
    const MotionTable motion(ResultTable::read(o.motion), o.motion);
    if (motion.time().empty()) throw ResultFileError(o.motion + ": error: it has no rows");
    run(o, simulation, motion);
    if (!o.quiet) {
      printMessages(fmt::format("{}: forces at {} instants, in {}", simulation.source().name,
                                motion.time().size(),
                                o.output == "-" ? "standard output" : o.output));
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
  app.add_option("--motion", o->motion, "motion of joints (CSV)")->required()->type_name("FILE");
  app.add_option("--actuator", o->actuators,
                 "coordinate along which a force acts (repeatable); default: the given ones")
      ->type_name("NAME")
      ->allow_extra_args(false);
  addPatterns(app, "-y,--output-variable", o->outputs,
              "names or patterns of further results (repeatable, or separated by ;)");
  app.add_option("-o,--output-file", o->output,
                 "result; - is standard output (default: the model's name and .inverse.csv)")
      ->type_name("FILE");
  app.add_flag("-q,--quiet", o->quiet, "print errors only");
  app.footer(kInverseFooter);
  return [o] { return inverse(*o); };
}

}  // namespace cardan
