// What is asked of a model beside its runs: structure, a point of it, the forces of a motion.
#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cosimulation/types.h"
#include "apps/python/errors.h"
#include "apps/python/module.h"
#include "apps/python/outcome.h"
#include "engine/analysis/equilibrium.h"
#include "engine/analysis/linear_model.h"
#include "engine/analysis/modes.h"
#include "engine/control/linear_feedback.h"
#include "engine/inverse_run.h"
#include "engine/model_file/model_source.h"
#include "engine/model_parts.h"
#include "engine/model_structure.h"
#include "engine/motion_point.h"
#include "engine/results/motion_table.h"
#include "engine/sensitivities/sensitivities.h"

namespace cardan::python {
namespace {

namespace py = pybind11;
using namespace py::literals;

/// Which point of a model is looked at.
struct Where {
  std::optional<double> at;  ///< [s]  of the run; none: its start
  bool rests = false;        ///< at the equilibrium that is found from there
  std::vector<std::string> free, steady;
  std::map<std::string, double> values;  ///< of the unknowns there; none: what the run has
};

/// A simulation of its own, and the point of it that is looked at.
struct Place {
  Simulation simulation;
  MotionPoint point;
  std::optional<Equilibrium> rest{};
};

/// Goes there. Without Python's lock.
Place goTo(const LoadedModel& model, const Where& where, Attention& attention) {
  Place place{model.simulation(), {}};
  Simulation& s = place.simulation;
  const SimulationSettings& settings = s.source().simulation;
  place.point.time = where.at.value_or(settings.start);
  if (place.point.time > settings.start) {
    if (settings.integrator == IntegratorChoice::stepping)
      throw AnalysisError(
          "the way to this time needs a method that is as exact as its tolerance: "
          "'stepping' is not");
    RunOptions options{.stopTime = place.point.time};
    options.progress = [&](double time) { return attention(time); };
    s.start(options);
    s.advance(place.point.time);
    if (s.time() < place.point.time && !s.report().interrupted)
      throw AnalysisError("the model ends the run before this time: " + s.report().terminated);
  } else if (place.point.time == settings.start) {
    s.initialise();
  } else {
    throw AnalysisError(
        "the time at which the model is looked at lies before the start of its run");
  }
  if (!where.values.empty()) {
    StartPoint there{"equilibrium", place.point.time, false, {}, {}};
    for (const auto& [name, value] : where.values) {
      there.names.push_back(name);
      there.values.push_back(value);
    }
    s.startFrom(there, there.time);
  }
  place.point = standingPoint(s, place.point.time);
  return place;
}

/// What `f` makes of that place, without Python's lock.
template <class F>
auto at(const LoadedModel& model, const Where& where, F f) {
  Attention attention;
  std::optional<decltype(f(std::declval<Place&>()))> result;
  {
    const py::gil_scoped_release unlocked;
    Place place = goTo(model, where, attention);
    if (!place.simulation.report().interrupted) {
      if (where.rests) {
        place.rest = findEquilibrium(place.simulation, place.point, {where.free, where.steady});
        if (!place.rest->found) throw AnalysisError(explainNoEquilibrium(*place.rest));
        place.point = place.rest->point;
      }
      result.emplace(f(place));
    }
  }
  attention.rethrow();
  return std::move(*result);
}

py::list namesOf(const std::vector<std::string>& names) {
  py::list all;
  for (const std::string& name : names) all.append(textOf(name));
  return all;
}

py::list signalsOf(const std::vector<LinearSignal>& signals) {
  py::list all;
  for (const LinearSignal& s : signals)
    all.append(py::make_tuple(textOf(s.name), textOf(s.unit), s.value));
  return all;
}

py::object valueOf(const ExpressionValue& v) {
  if (v.isString()) return textOf(v.string());
  if (v.isBoolean()) return py::bool_(v.boolean());
  if (v.isScalar()) return py::float_(v.real());
  std::vector<py::ssize_t> shape{v.rows()};
  if (v.shape().isMatrix()) shape.push_back(v.columns());
  py::array_t<double> values(shape);
  std::copy(v.elements().begin(), v.elements().end(), values.mutable_data());
  py::object shown = values;
  if (v.type() == ValueType::boolean) shown = values.attr("astype")("bool");
  shown.attr("setflags")("write"_a = false);  // written to, it would be no value of the model
  return shown;
}

std::vector<OutputPattern> patternsOf(const std::vector<std::string>& names) {
  std::vector<OutputPattern> patterns;
  for (const std::string& name : names) patterns.push_back({name, {}});
  return patterns;
}

py::dict check(LoadedModel& model) {
  std::optional<InitialReport> start;
  std::optional<ModelStructure> s;
  {
    const py::gil_scoped_release unlocked;
    Simulation simulation = model.simulation();
    start = simulation.initialise();
    s = ModelStructure::of(simulation);
  }
  py::list joints, values, loops;
  for (const ModelStructure::Branch& b : s->tree) {
    const bool hasParent = b.parent >= 0 && s->tree[b.parent].isPart;
    joints.append(py::make_tuple(textOf(b.name), textOf(b.type), b.freedoms,
                                 hasParent ? textOf(s->tree[b.parent].name) : py::str("world"),
                                 namesOf(b.bodies)));
  }
  for (const InitialReport::Entry& e : start->entries)
    values.append(py::make_tuple(textOf(e.name), textOf(e.unit),
                                 e.kind == InitialReport::Kind::fixed, e.wanted, e.reached));
  for (const LoopReport& l : start->loops) loops.append(textOf(l.format()));
  return py::dict("degrees_of_freedom"_a = start->degreesOfFreedom, "components"_a = s->components,
                  "unknowns"_a = s->unknowns.size(), "states"_a = namesOf(start->states),
                  "tree"_a = joints, "cuts"_a = namesOf(s->cuts), "loops"_a = loops,
                  "redundant"_a = namesOf(start->redundantConstraints), "start"_a = values,
                  "contacts"_a = namesOf(s->contacts), "warnings"_a = namesOf(start->warnings),
                  "text"_a = textOf(start->format()));
}

py::dict parameters(LoadedModel& model) {
  const ModelParts parts(model.prototype());
  py::dict all;
  for (const auto& [name, value] : parts.ownParameters()) all[textOf(name)] = valueOf(value);
  for (const auto& [name, value] : parts.parameters()) all[textOf(name)] = valueOf(value);
  return all;
}

py::dict inputs(LoadedModel& model) {
  const PointEquations equations(model.prototype());
  py::dict all;
  for (const PointInput& i : equations.inputs())
    all[textOf(i.name)] = py::make_tuple(equations.input(i), textOf(i.unit));
  return all;
}

py::dict variables(LoadedModel& model) {
  py::dict all;
  for (const ModelParts::Variable& v : ModelParts(model.prototype()).variables())
    all[textOf(v.name)] =
        py::make_tuple(textOf(v.unit), textOf(v.description), py::tuple(py::cast(v.dimensions)));
  return all;
}

/// Names of what a point of the model consists of; multipliers of positions are no part of it.
std::vector<std::string> unknowns(LoadedModel& model) {
  const Unknowns unknowns = PointEquations(model.prototype()).unknowns();
  std::vector<std::string> names;
  for (int i = 0; i < unknowns.muOffset(); ++i) names.push_back(unknowns.unknowns[i].name);
  return names;
}

py::dict equilibrium(const LoadedModel& model, const Where& where) {
  const auto [e, unknowns] = at(model, where, [](Place& place) {
    return std::pair(*place.rest, PointEquations(place.simulation).unknowns());
  });
  py::list values, held;
  for (int i = 0; i < unknowns.muOffset(); ++i) {
    const Unknowns::Unknown& u = unknowns.unknowns[i];
    values.append(py::make_tuple(textOf(u.name), textOf(u.unit), e.point.y[i]));
  }
  for (const HoldingForce& f : e.held)
    held.append(py::make_tuple(textOf(f.name), textOf(f.unit), f.value));
  py::list warnings;
  if (const std::string text = warningOfUnfit(e); !text.empty()) warnings.append(textOf(text));
  return py::dict("time"_a = e.point.time, "values"_a = values, "held"_a = held,
                  "warnings"_a = warnings, "unstable"_a = e.unstable, "zeros"_a = e.zeros,
                  "moves"_a = e.moves, "turning"_a = e.turning, "iterations"_a = e.iterations);
}

py::dict linearize(const LoadedModel& model, const Where& where,
                   const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs) {
  const LinearModel m = at(model, where, [&](Place& place) {
    return linearise(place.simulation, place.point,
                     {.inputs = inputs, .outputs = patternsOf(outputs)});
  });
  return py::dict("time"_a = m.time, "kind"_a = word(m.kind), "states"_a = signalsOf(m.states),
                  "inputs"_a = signalsOf(m.inputs), "outputs"_a = signalsOf(m.outputs), "A"_a = m.A,
                  "B"_a = m.B, "C"_a = m.C, "D"_a = m.D, "frozen"_a = namesOf(m.frozen),
                  "bends"_a = namesOf(m.bends), "warnings"_a = namesOf(m.warnings),
                  "_sizes"_a = m.sizes, "_rate_of"_a = m.rateOf);
}

/// What a feedback or an observer is found of; names for errors.
LinearModel plantOf(const std::vector<std::string>& states, const Eigen::MatrixXd& A,
                    const Eigen::VectorXd& sizes, const std::vector<int>& rateOf) {
  LinearModel m;
  for (const std::string& name : states) m.states.push_back({.name = name, .unit = ""});
  m.A = A;
  m.sizes = sizes;
  m.rateOf = rateOf;
  return m;
}

py::dict modes(const LoadedModel& model, const Where& where) {
  const auto [linear, analysis] = at(model, where, [](Place& place) {
    LinearModel m = linearise(place.simulation, place.point);
    ModalAnalysis a = findModes(m);
    return std::pair(std::move(m), std::move(a));
  });
  py::list all;
  for (const EigenMode& m : analysis.modes) {
    py::dict shares;
    for (const auto& [name, share] : m.participation) shares[textOf(name)] = share;
    all.append(py::make_tuple(m.eigenvalue, m.frequency(), m.dampingRatio(), m.timeConstant(),
                              shares, m.shape));
  }
  return py::dict("time"_a = linear.time, "kind"_a = word(linear.kind), "modes"_a = all,
                  "states"_a = signalsOf(linear.states), "zeros"_a = analysis.zeros,
                  "free_movements"_a = namesOf(analysis.freeMovements),
                  "unstable"_a = analysis.unstable, "warnings"_a = namesOf(linear.warnings));
}

py::tuple inverse(const LoadedModel& model, const std::vector<double>& time,
                  const std::map<std::string, std::vector<double>>& motion,
                  const std::vector<std::string>& actuators,
                  const std::vector<std::string>& outputs) {
  CollectedRows rows;
  std::vector<std::string> notes;
  const std::string name = "motion";
  {
    const py::gil_scoped_release unlocked;
    ResultTable table;
    table.time = time;
    for (const auto& [column, values] : motion) table.add(column) = values;
    const MotionTable moved(std::move(table), name);
    Simulation simulation = model.simulation();
    InverseRun run(simulation, moved, name, patternsOf(actuators), patternsOf(outputs));
    run.run(rows);
    for (const std::string& text : {run.note(), run.warning()})
      if (!text.empty()) notes.push_back(text);
  }
  return py::make_tuple(outcomeOf(rows, {}), namesOf(notes));
}

py::tuple sensitivities(const LoadedModel& model, const std::vector<std::string>& parameters,
                        const RunOptions& options, const py::object& progress) {
  std::optional<Simulation> simulation;
  std::vector<std::string> warnings;
  const auto load = [&](const Overrides& more) { return model.reloaded(more); };
  const auto go = [&](RowSink& rows, const RunOptions& o) {
    simulation.emplace(model.simulation());
    Sensitivities of(*simulation, load, parameters, o.outputs, allTypes());
    warnings = of.warnings();
    of.run(rows, o);
  };
  return recorded(options, progress, nullptr, go, [&] {
    RunReport r = simulation ? simulation->report() : RunReport();
    r.warnings.insert(r.warnings.end(), warnings.begin(), warnings.end());
    return r;
  });
}

}  // namespace

void addAnalysis(ModelClass& model, py::module_& m) {
  py::class_<Where>(m, "Where")
      .def(py::init<std::optional<double>, bool, std::vector<std::string>, std::vector<std::string>,
                    std::map<std::string, double>>());
  // Gains, cost and poles.
  m.def("lqr",
        [](const std::vector<std::string>& states, const Eigen::MatrixXd& A,
           const Eigen::MatrixXd& B, const Eigen::VectorXd& sizes, const std::vector<int>& rateOf,
           const Eigen::MatrixXd& Q, const Eigen::MatrixXd& R, double sample) {
          LinearModel plant = plantOf(states, A, sizes, rateOf);
          plant.B = B;
          const LinearFeedback f = quadraticFeedback(plant, {Q, R}, sample);
          return py::make_tuple(f.K, f.cost, f.poles);
        });
  // Gains, covariance and poles.
  m.def("kalman",
        [](const std::vector<std::string>& states, const Eigen::MatrixXd& A,
           const Eigen::MatrixXd& C, const Eigen::VectorXd& sizes, const std::vector<int>& rateOf,
           const Eigen::MatrixXd& Q, const Eigen::MatrixXd& R, double sample) {
          LinearModel plant = plantOf(states, A, sizes, rateOf);
          plant.C = C;
          const LinearFeedback f = kalmanGain(plant, {Q, R}, sample);
          return py::make_tuple(Eigen::MatrixXd(f.K.transpose()), f.cost, f.poles);
        });
  model.def("check", &check)
      .def("parameters", &parameters)
      .def("inputs", &inputs)
      .def("variables", &variables)
      .def("unknowns", &unknowns)
      .def("equilibrium", &equilibrium)
      .def("linearize", &linearize)
      .def("modes", &modes)
      .def("inverse", &inverse)
      .def("sensitivities", &sensitivities);
}

}  // namespace cardan::python
