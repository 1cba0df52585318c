#include "engine/motion_point.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "engine/dynamics/evaluation_point.h"
#include "engine/equations/equations.h"
#include "engine/equations/model.h"
#include "engine/equations/model_inputs.h"
#include "engine/integration/changing_modes.h"
#include "engine/integration/charts.h"
#include "engine/integration/row_choice.h"
#include "engine/results/output_selection.h"
#include "engine/results/recorder.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"
#include "engine/structure/central_difference.h"

namespace cardan {
namespace {

/// A derivative that only a result reads is no function of the states here.
bool readsDerivatives(const VariableTable& table, int variable) {
  std::vector<int> open{variable};
  std::set<int> seen{variable};
  while (!open.empty()) {
    const ExpressionVariable* e = table[open.back()].expression;
    open.pop_back();
    if (!e) continue;
    for (const ExpressionVariable::Source& s : e->sources()) {
      if (s.derivative > 0) return true;
      if (seen.insert(s.variable).second) open.push_back(s.variable);
    }
  }
  return false;
}

/// f(view), everything being as at the point.
template <class F>
void lookAt(Equations& equations, const MotionPoint& point, F f) {
  EvaluationPoint at(equations);
  at.setPoint(point.time, point.y.data(), point.yp.data());
  at.evaluateWithFlow();
  f(View<double>(at.valueWorkspace().tables));
}

/// f(e, view) for each expression with conditions.
template <class F>
void forEachCondition(const Model& model, Equations& equations, const MotionPoint& point, F f) {
  lookAt(equations, point, [&](const View<double>& view) {
    model.forEachExpression([&](const ExpressionVariable& e) {
      if (e.expression().relationCount() > 0) f(e, view);
    });
  });
}

}  // namespace

MotionPoint standingPoint(Simulation& simulation, double time) {
  MotionPoint point{time, simulation.y(), simulation.yp()};
  Equations& equations = *simulation.parts().equations;
  if (Charts charts(equations); charts.any()) {
    Workspace<double> w = equations.makeWorkspace<double>();
    equations.evaluateAt(w, point.time, point.y, point.yp);
    charts.takeNames(simulation.model().assembly().variables, View<double>(w.tables), point.y);
    Completion(equations).complete(point.time, point.y, point.yp);
  }
  return point;
}

RegularAngles::RegularAngles(Simulation& simulation, MotionPoint& point, double least)
    : point_(simulation),
      equations_(*simulation.parts().equations),
      references_(equations_.state.charts),
      y_(point.y),
      renewed_(Charts(equations_).renew(point.y, least)) {}

RegularAngles::~RegularAngles() { equations_.state.charts = references_; }

void RegularAngles::leave(MotionPoint& point) {
  if (renewed_.empty()) return;
  const std::vector<double> here = equations_.state.charts;
  equations_.state.charts = references_;
  Charts(equations_).tell(here, y_, point.y);
  // Rates of angles are other ones, too, if there are any at this place.
  MotionPoint whole = point;
  const bool isWhole = point_.makeConsistent(whole);
  for (const int i : renewed_)
    point.yp[i] = isWhole && std::isfinite(whole.yp[i]) ? whole.yp[i] : 0;
}

PointEquations::PointEquations(Simulation& simulation)
    : model_(simulation.model()), equations_(*simulation.parts().equations) {}

const ModelSource& PointEquations::source() const { return model_.description(); }
const Unknowns& PointEquations::unknowns() const { return model_.assembly().layout; }
const std::vector<double>& PointEquations::nominals() const { return equations_.state.nominals; }
double PointEquations::typicalTime() const { return equations_.state.scales.time; }

std::vector<PointJoint> PointEquations::joints() const {
  const FlatModel& flat = model_.assembly().flatModel;
  const Layout& l = model_.assembly().layout;
  std::vector<PointJoint> joints;
  for (const Layout::TreeJoint& s : l.tree) {
    joints.push_back({s.law ? flat.instanceOf(flat.edges[s.edge]).name : "", s.q, l.nq + s.v, s.nq,
                      s.nv, s.plain});
  }
  return joints;
}

std::vector<PointInput> PointEquations::inputs() const {
  const VariableTable& table = model_.assembly().variables;
  std::vector<PointInput> inputs;
  for (const ModelInput& i : modelInputs(model_.assembly())) {
    const auto elements = table.elements(i.name);
    inputs.push_back(
        {i.name, elements.empty() ? "" : table[elements.front().variable].info.unit, i.number});
  }
  return inputs;
}

double PointEquations::input(const PointInput& input) const {
  return equations_.state.inputs[input.number];
}

std::vector<PointStart> PointEquations::starts() const {
  const VariableTable& table = model_.assembly().variables;
  std::vector<PointStart> starts;
  for (const VariableTable::Start& s : table.starts())
    starts.push_back({table.nameOf(s.of), s.fixed, s.select});
  return starts;
}

std::vector<std::string> PointEquations::modes() const {
  const FlatModel& flat = model_.assembly().flatModel;
  std::vector<std::string> modes;
  for (size_t i = 0; i < flat.modes.size(); ++i) {
    if (flat.modes[i].isHalf) continue;
    modes.push_back(fmt::format("{} = {}", flat.modes[i].name, equations_.state.modes[i]));
  }
  return modes;
}

std::vector<std::string> PointEquations::bends(const MotionPoint& point) const {
  constexpr double kTie =
      1e-9;  // in units of the expression: a rest that was looked for is as near
  std::vector<std::string> texts;
  std::vector<double> sides;
  forEachCondition(model_, equations_, point, [&](const ExpressionVariable& e, const auto& view) {
    sides.resize(e.expression().relationCount());
    e.relationResiduals(view, sides.data());
    const auto isBend = [&](size_t k) {
      return std::abs(sides[k]) <= kTie && !e.relationIsOfTime(k);
    };
    bool bends = false;
    for (size_t k = 0; k < sides.size(); ++k) bends = bends || isBend(k);
    if (bends && std::ranges::find(texts, e.text()) == texts.end()) texts.push_back(e.text());
  });
  return texts;
}

std::vector<std::string> PointEquations::otherConditions(const MotionPoint& point, bool take) {
  std::vector<RelationState>& all = equations_.state.relations;
  std::vector<std::string> changed;
  if (all.empty()) return changed;
  std::vector<RelationState> now = all;
  forEachCondition(model_, equations_, point, [&](const ExpressionVariable& e, const auto& view) {
    std::vector<RelationState> states(e.expression().relationCount());
    e.relationStates(view, states.data());
    for (size_t k = 0; k < states.size(); ++k) {
      RelationState& state = now[e.firstRelation() + k];
      if (e.relationIsOfTime(k) || state == kOpenRelation || state == states[k]) continue;
      state = states[k];
      changed.push_back(e.expression().placeOfRelation(k).text);
    }
  });
  if (take && !changed.empty()) {
    all = now;
    ++equations_.state.changes;
  }
  return changed;
}

std::vector<std::string> PointEquations::otherModes(const MotionPoint& point, bool take) {
  std::vector<std::string> names;
  std::vector<int> all = equations_.state.modes;
  ChangingModes modes(all);
  lookAt(equations_, point, [&](const View<double>& view) {
    for (const Instance& i : equations_.flatModel().instances) {
      if (i.component->transition(view, modes)) names.push_back(i.name);
    }
  });
  if (take && !names.empty()) {
    equations_.state.modes = all;
    ++equations_.state.changes;
  }
  return names;
}

struct PointEquations::Branch {
  std::vector<int> modes;
  std::vector<RelationState> relations;
};

std::shared_ptr<const PointEquations::Branch> PointEquations::branch() const {
  return std::make_shared<Branch>(equations_.state.modes, equations_.state.relations);
}

void PointEquations::takeBranch(const Branch& branch) {
  equations_.state.modes = branch.modes;
  equations_.state.relations = branch.relations;
  ++equations_.state.changes;
}

std::vector<PointOutput> PointEquations::outputs(const std::vector<OutputPattern>& patterns,
                                                 Diagnostics& diagnostics) const {
  const VariableTable& table = model_.assembly().variables;
  std::vector<PointOutput> outputs;
  for (NamedElement& e : selectOutputs(
           model_, patterns.empty() ? model_.description().outputs : patterns, diagnostics)) {
    outputs.push_back({std::move(e.name), table[e.of.variable].info.unit, e.of.variable,
                       e.of.element, readsDerivatives(table, e.of.variable)});
  }
  return outputs;
}

bool PointEquations::makeConsistent(MotionPoint& point) {
  Completion completion(equations_);
  return completion.project(point.time, point.y) &&
         completion.complete(point.time, point.y, point.yp);
}

struct PointDerivatives::Work {
  EvaluationPoint at;

  /// Velocity and position rows are taken before their regularisation.
  static const Dual& row(const PointDerivatives& d, const Workspace<Dual>& w, int row) {
    if (row < d.firstVelocityRow_) return w.residual[row];
    if (row < d.columns()) return w.velocityResidues[d.activeRows_[row - d.firstVelocityRow_]];
    return w.positionResidues[d.positionRows_[row - d.columns()]];
  }
};

PointDerivatives::PointDerivatives(const PointEquations& equations,
                                   const std::vector<PointInput>& inputs)
    : model_(equations.model_),
      equations_(equations.equations_),
      work_(new Work{EvaluationPoint(equations_)}) {
  for (const PointInput& i : inputs) inputs_.push_back(i.number);
  const Layout& l = equations_.layout();
  for (int i = 0; i < l.lambdaOffset(); ++i) unknowns_.push_back(i);
  firstVelocityRow_ = l.lambdaOffset();
  for (int k = 0; k < l.nlambda; ++k) {
    if (equations_.state.redundant[k]) continue;
    unknowns_.push_back(l.lambdaOffset() + k);
    activeRows_.push_back(k);
    if (l.muOfLambda[k] >= 0) positionRows_.push_back(k);
  }
  for (const Layout::TreeJoint& s : l.tree) {
    for (int i = s.nv; i < s.nq; ++i) edgeRows_.push_back(s.q + i);
  }
}

PointDerivatives::~PointDerivatives() = default;

template <class Seed>
void PointDerivatives::sweep(int count, double* out, Seed seed) {
  work_->at.columns(count, {}, seed, [&](const Workspace<Dual>& w, int, int lane) {
    for (int i = 0; i < rows(); ++i) *out++ = Work::row(*this, w, i).lane(lane);
  });
}

/// Derivative of f() by input k at the point that f evaluates at, element by element.
template <class F>
auto PointDerivatives::byInput(size_t k, F f) {
  double& input = equations_.state.inputs[inputs_[k]];
  const auto set = [&](double value) {
    input = value;
    ++equations_.state.changes;  // what was found before it changed is out of date
  };
  const double here = input;
  const Eigen::VectorXd rates =
      centralDifference(0x1p-7 * std::max(1.0, std::abs(here)), [&](double change) {
        set(here + change);
        return Eigen::VectorXd(f());
      });
  set(here);
  return rates;
}

void PointDerivatives::byUnknowns(const MotionPoint& point, double* K) {
  work_->at.setPoint(point.time, point.y.data(), point.yp.data());
  sweep(columns(), K, [&](Workspace<Dual>& w, int c, int lane, double on) {
    w.y[unknowns_[c]].setLane(lane, on);
  });
}

void PointDerivatives::at(const MotionPoint& point, double* E, double* K, double* U, double* F) {
  byUnknowns(point, K);
  sweep(firstVelocityRow_, E,
        [](Workspace<Dual>& w, int c, int lane, double on) { w.yp[c].setLane(lane, on); });
  const auto rowValues = [&] {
    Eigen::VectorXd values(rows());
    for (int i = 0; i < rows(); ++i) values[i] = Work::row(*this, work_->at.dualWorkspace(), i).v;
    return values;
  };
  Eigen::VectorXd::Map(F, rows()) = rowValues();
  for (size_t k = 0; k < inputs_.size(); ++k) {
    Eigen::VectorXd::Map(U + k * rows(), rows()) = byInput(k, [&] {
      work_->at.evaluateDual({});
      return rowValues();
    });
  }
}

void PointDerivatives::ofOutputs(const MotionPoint& point, const std::vector<PointOutput>& outputs,
                                 int directions, const double* y, const double* yp, double* out,
                                 double* values) {
  const VariableTable& table = model_.assembly().variables;
  const Eigen::Index ny = std::ssize(outputs), n = std::ssize(point.y);
  work_->at.setPoint(point.time, point.y.data(), point.yp.data());
  Workspace<Dual>& w = work_->at.dualWorkspace();
  std::vector<Dual> all;
  const auto evaluate = [&](auto take) {
    equations_.evaluate(w, {.kinematicRows = false, .connectorLoads = true, .measure = true});
    const View<Dual> view(w.tables);
    const std::uint64_t pass = w.expressions.newPass();
    for (Eigen::Index i = 0; i < ny; ++i) {
      const VariableTable::Variable& v = table[outputs[i].variable];
      all.resize(v.size);
      if (v.expression) {
        v.expression->evaluateIn(pass, view, all.data());
      } else {
        v.function->evaluate(view, all.data());
      }
      take(i, all[outputs[i].element]);
    }
  };
  for (int c0 = 0; c0 < directions; c0 += kLanes) {
    const int c1 = std::min(directions, c0 + kLanes);
    for (int c = c0; c < c1; ++c) {
      for (Eigen::Index i = 0; i < n; ++i) {
        w.y[i].setLane(c - c0, y[c * n + i]);
        w.yp[i].setLane(c - c0, yp[c * n + i]);
      }
    }
    evaluate([&](Eigen::Index i, const Dual& x) {
      for (int c = c0; c < c1; ++c) out[c * ny + i] = x.lane(c - c0);
    });
  }
  // What an output reads of an input itself.
  Eigen::Map<Eigen::VectorXd> here(values, ny);
  const auto valuesHere = [&]() -> Eigen::VectorXd {
    evaluate([&](Eigen::Index i, const Dual& x) { here[i] = x.v; });
    return here;
  };
  const Eigen::Index first = directions - std::ssize(inputs_);
  for (size_t k = 0; k < inputs_.size(); ++k)
    Eigen::VectorXd::Map(out + (first + k) * ny, ny) += byInput(k, valuesHere);
  valuesHere();
}

struct PointRows::Parts {
  Equations& equations;
  Recorder recorder;
  Completion completion{equations};
  std::vector<double> row = std::vector<double>(recorder.columns().size());
  std::optional<RowChoice> rows{};
};

PointRows::PointRows(Simulation& simulation, const std::vector<OutputPattern>& patterns,
                     RowWatch* watch, Diagnostics& diagnostics)
    : parts_(new Parts{*simulation.parts().equations,
                       Recorder(simulation.model(), *simulation.parts().equations, patterns,
                                diagnostics, watch)}) {}

PointRows::~PointRows() = default;

const std::vector<Column>& PointRows::columns() const { return parts_->recorder.columns(); }

void PointRows::chooseRows(const MotionPoint& point) {
  if (!parts_->rows) parts_->rows.emplace(parts_->equations);
  parts_->rows->choose(point.time, point.y.data());
}

std::span<const double> PointRows::at(MotionPoint& point) {
  parts_->recorder.record(point.time, point.y, point.yp, parts_->completion, parts_->row.data());
  return parts_->row;
}

}  // namespace cardan
