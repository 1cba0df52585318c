#include "engine/inverse_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/equations/model.h"
#include "engine/model_parts.h"
#include "engine/results/motion_table.h"
#include "engine/results/recorder.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"

namespace cardan {
namespace {

/// Unknowns of the model by name.
class MotionNames {
 public:
  explicit MotionNames(const Model& model)
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

/// Along a given motion conditions are what they are at each instant; but not those on loads, which come after
/// it, and what events of a run set is not known. Throws where what moves reads such.
void refuseWhatRunsDecide(const Model& model) {
  const VariableTable& table = model.assembly().variables;
  const auto isOfLoads = [&](int v) {
    const ExpressionVariable* e = table[v].expression;
    return (e ? e->level() : table[v].info.level) == Level::Force;
  };
  const auto look = [&](const ExpressionVariable& e) {
    std::vector<int> loads;
    for (const ExpressionVariable::Source& s : e.sources()) {
      if (isOfLoads(s.variable)) loads.push_back(s.variable);
    }
    for (int k = 0; k < e.expression().relationCount(); ++k) {
      if (loads.empty() || !e.relationReads(k, loads)) continue;
      throw InverseError("inverse dynamics takes no conditions on forces, found '" +
                         e.expression().placeOfRelation(k).text + "'");
    }
  };
  const auto lookAt = [&](int v) {
    if (model.whens().held.holds(v)) {
      throw InverseError("inverse dynamics takes nothing that events of a run set, found '" +
                         table[v].name + "'");
    }
    if (table[v].expression) look(*table[v].expression);
  };
  for (const SignalSource& s : model.assembly().signals->sources()) {
    if (!s.felt) continue;
    std::vector<int> read;
    if (s.variable >= 0) read.push_back(s.variable);
    if (s.expression) {
      look(*s.expression);
      for (const ExpressionVariable::Source& r : s.expression->sources())
        read.push_back(r.variable);
    }
    forEachRead(table, read, lookAt);
  }
}

std::vector<Column> columnsOf(const MotionNames& names, const InverseDynamics& inverse,
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

/// Columns that are not the motion, since loops tie them to others.
std::string noteOfFollowing(const MotionNames& names, const std::vector<int>& all,
                            const std::vector<int>& used) {
  std::string following, leading;
  for (const int q : all) {
    std::string& list = std::ranges::find(used, q) == used.end() ? following : leading;
    list += (list.empty() ? "'" : ", '") + names.position(q).name + "'";
  }
  if (following.empty()) return "";
  return fmt::format(
      "note: loops tie {} to {}: what the file says of {} only tells which way the loops close",
      following, leading, following);
}

/// Columns that are the velocity or the acceleration of a coordinate under another name, or a multiple of it:
/// of the parts that hang on a flange each has its own.
class OtherNames {
 public:
  OtherNames(const MotionTable& motion, const Model& model, const Equations& equations)
      : layout_(equations.layout()), equations_(equations), table_(model.assembly().variables) {
    for (const std::string& name : motion.names()) {
      const auto elements = table_.elements(name);
      if (elements.size() != 1) continue;
      const Level level = table_[elements[0].variable].info.level;
      if (level == Level::Velocity || level == Level::Acceleration)
        columns_.emplace_back(name, elements[0]);
    }
  }

  struct Column {
    std::string name;
    double factor = 1;  ///< of the coordinate's own
  };
  /// Of the scalar coordinate with position q and velocity v; `own` where there is none.
  Column velocity(int q, int v, const std::string& own) const { return find(q, v, false, own); }
  Column acceleration(int q, int v, const std::string& own) const { return find(q, v, true, own); }

 private:
  /// At an arbitrary point the column is a multiple of the wanted rate, and hangs on nothing else.
  Column find(int q, int v, bool isAcceleration, const std::string& own) const {
    constexpr double kSame = 1e-12;  // some roundings
    if (columns_.empty()) return {own, 1};
    Workspace<Dual> w = equations_.makeWorkspace<Dual>();
    for (size_t i = 0; i < w.y.size(); ++i) {
      w.y[i] = Dual(layout_.unknowns[i].start + 0.1 + 0.01 * static_cast<double>(i % 7));
      w.yp[i] = Dual(0.3 + 0.01 * static_cast<double>(i % 5));
      w.y[i].setLane(1, 1 + 0.3 * static_cast<double>(i % 11));
      w.yp[i].setLane(1, 2 + 0.7 * static_cast<double>(i % 13));
    }
    const int velocity = layout_.nq + v;
    w.yp[q] = w.y[velocity];
    Dual& wanted = isAcceleration ? w.yp[velocity] : w.y[velocity];
    for (Dual* x : isAcceleration ? std::vector{&wanted} : std::vector{&wanted, &w.yp[q]}) {
      x->setLane(0, 1);
      x->setLane(1, 0);
    }
    equations_.evaluate(w, {.kinematicRows = false, .measure = true});
    for (const auto& [name, e] : columns_) {
      std::vector<Dual> out(table_[e.variable].size);
      table_[e.variable].function->evaluate(View<Dual>(w.tables), out.data());
      const Dual& x = out[e.element];
      if (x.lane(0) != 0 && x.lane(1) == 0 &&
          std::abs(x.v - x.lane(0) * wanted.v) <= kSame * std::abs(x.v))
        return {name, x.lane(0)};
    }
    return {own, 1};
  }

  const Layout& layout_;
  const Equations& equations_;
  const VariableTable& table_;
  std::vector<std::pair<std::string, VariableElement>> columns_;
};

/// What the file says of the given coordinates, row by row.
class GivenMotion {
 public:
  /// `y`: the pose before, to which the signs of quaternions are near.
  GivenMotion(const MotionTable& motion, const MotionNames& names, const OtherNames& others,
              const InverseDynamics& inverse, const std::vector<double>& y)
      : motion_(motion), others_(others) {
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
  void addScalar(const MotionNames& names, int q, int v) {
    const std::string& position = names.position(q).name;
    const size_t dot = position.rfind('.');
    OtherNames::Column speed{names.velocity(v).name}, rate{position.substr(0, dot + 1) + "a"};
    if (!motion_.has(speed.name)) speed = others_.velocity(q, v, speed.name);
    if (!motion_.has(rate.name)) rate = others_.acceleration(q, v, rate.name);
    MotionTable::Coordinate c = motion_.coordinate(position, speed.name, rate.name);
    for (double& x : c.v) x /= speed.factor;
    for (double& x : c.a) x /= motion_.has(rate.name) ? rate.factor : speed.factor;
    q_.push_back(std::move(c.q));
    v_.push_back(std::move(c.v));
    a_.push_back(std::move(c.a));
  }

  /// Of a joint with a quaternion. Its velocities, where the file has none, are those of splines
  /// through the positions.
  void addJoint(const MotionNames& names, const Layout::TreeJoint& s,
                const std::vector<double>& y) {
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
  const OtherNames& others_;
  std::vector<std::vector<double>> q_, v_, a_;  ///< by columns
};

/// What the file says of coordinates that loops tie to the given ones: which way a loop closes.
class TiedMotion {
 public:
  /// `all`: positions that the file gives; `used`: those that are given ones.
  TiedMotion(const MotionTable& motion, const MotionNames& names, const std::vector<int>& all,
             const std::vector<int>& used)
      : names_(names), time_(motion.time()) {
    for (const Layout::TreeJoint& s : names.layout().tree) {
      for (int q = s.q; s.plain && q < s.q + s.nq; ++q) {
        if (std::ranges::find(all, q) == all.end() || std::ranges::find(used, q) != used.end())
          continue;
        const std::vector<double>& x = motion.column(names.position(q).name);
        const auto [low, high] = std::ranges::minmax(x);
        tied_.push_back({q, &x, high - low});
      }
    }
  }

  /// y with them as guesses; false: there are none.
  bool guess(size_t row, std::vector<double>& y) const {
    for (const Tied& x : tied_) y[x.q] = (*x.column)[row];
    return !tied_.empty();
  }
  /// The loops are closed near to what the file says.
  bool confirms(size_t row, const std::vector<double>& y) const {
    return std::ranges::all_of(tied_, [&](const Tied& x) {
      return std::abs(y[x.q] - (*x.column)[row]) <= kConfirmed * x.range;
    });
  }
  void compare(size_t row, const std::vector<double>& y) {
    for (const Tied& x : tied_) {
      const double by = std::abs(y[x.q] - (*x.column)[row]);
      if (by <= std::max(kTold, most_)) continue;
      most_ = by;
      warning_ = fmt::format(
          "warning: loops make of '{}' something else than the file says: it differs by {:.3g} {} "
          "at time = {:g} s",
          names_.position(x.q).name, by, names_.position(x.q).unit, time_[row]);
    }
  }
  const std::string& warning() const { return warning_; }

 private:
  static constexpr double kConfirmed = 0.05;  // of its range
  static constexpr double kTold = 1e-3;       // [rad | m]

  struct Tied {
    int q;
    const std::vector<double>* column;
    double range;
  };
  const MotionNames& names_;
  const std::vector<double>& time_;
  std::vector<Tied> tied_;
  double most_ = 0;
  std::string warning_;
};

}  // namespace

struct InverseRun::Parts {
  Simulation& simulation;
  const MotionTable& motion;
  MotionNames names;
  std::unique_ptr<Recorder> recorder;
  std::optional<Completion> completion;
  std::optional<InverseDynamics> inverse;
  std::optional<TiedMotion> tied;
  std::string note;
};

InverseRun::InverseRun(Simulation& simulation, const MotionTable& motion, const std::string& file,
                       const std::vector<OutputPattern>& actuators,
                       const std::vector<OutputPattern>& outputs)
    : parts_(new Parts{simulation, motion, MotionNames(simulation.model()), {}, {}, {}, {}, {}}) {
  const MotionNames& names = parts_->names;
  Diagnostics diagnostics;
  refuseOutside(simulation, "its outputs are known along a run only, not along a given motion",
                diagnostics);
  std::vector<int> all, acting;
  for (int q = 0; q < names.layout().nq; ++q) {
    if (motion.has(names.position(q).name)) all.push_back(q);
  }
  if (all.empty()) {
    diagnostics.error({file, 0, 0}, fmt::format("none of its columns is a coordinate of the "
                                                "model; these are {}",
                                                fmt::join(names.positions(), ", ")));
  }
  for (const OutputPattern& actuator : actuators) {
    const std::string& name = actuator.pattern;
    const int v = names.findCoordinate(name);
    if (v < 0) {
      diagnostics.error(actuator.at,
                        "no coordinate '" + name + "'" + didYouMean(name, names.coordinates()));
    } else if (std::ranges::find(acting, v) == acting.end()) {
      acting.push_back(v);
    }
  }
  diagnostics.throwIfErrors();
  refuseWhatRunsDecide(simulation.model());
  simulation.initialise();
  Equations& equations = *simulation.parts().equations;
  std::ranges::fill(equations.state.relations, kOpenRelation);
  ++equations.state.changes;
  if (!outputs.empty()) {
    parts_->recorder =
        std::make_unique<Recorder>(simulation.model(), equations, outputs, diagnostics);
  }
  diagnostics.throwIfErrors();
  parts_->completion.emplace(equations);
  InverseDynamics& inverse =
      parts_->inverse.emplace(equations, all, simulation.source().simulation.start, simulation.y());
  parts_->note = noteOfFollowing(names, all, inverse.positions());
  parts_->tied.emplace(motion, names, all, inverse.positions());
  if (!acting.empty()) inverse.setActuators(acting);
}

InverseRun::~InverseRun() = default;

const std::string& InverseRun::note() const { return parts_->note; }
const std::string& InverseRun::warning() const { return parts_->tied->warning(); }

void InverseRun::run(RowSink& sink) {
  auto& [simulation, motion, names, recorder, completion, inverse, tied, note] = *parts_;
  std::vector<double> y = simulation.y(), yp = simulation.yp(), q, v, a;
  const OtherNames others(motion, simulation.model(), *simulation.parts().equations);
  const GivenMotion given(motion, names, others, *inverse, y);
  /// Where the loops close as the file says; false: they do not.
  const auto solveAsGiven = [&](size_t row) {
    std::vector<double> there = y, rates = yp;
    if (!tied->guess(row, there)) return false;
    try {
      inverse->solve(motion.time()[row], q, v, a, there, rates);
    } catch (const InverseError&) {
      return false;
    }
    if (!tied->confirms(row, there)) return false;
    y = std::move(there);
    yp = std::move(rates);
    return true;
  };
  const size_t forces = inverse->actuators().size();
  std::vector<double> line(forces + (recorder ? recorder->columns().size() : 0));
  for (size_t row = 0; row < motion.time().size(); ++row) {
    const double t = motion.time()[row];
    given.take(row, q, v, a);
    if (!solveAsGiven(row)) {
      if (row == 0) approach(*inverse, t, q, y, yp);
      inverse->solve(t, q, v, a, y, yp);
    }
    tied->compare(row, y);
    if (row == 0)
      sink.begin(
          columnsOf(names, *inverse, recorder ? recorder->columns() : std::vector<Column>{}));
    std::copy_n(inverse->forces().data(), forces, line.begin());
    if (recorder) {
      std::vector<double> y1 = y, yp1 = yp;
      recorder->record(t, y1, yp1, *completion, line.data() + forces, true);
    }
    sink.row(t, line);
  }
}

}  // namespace cardan
