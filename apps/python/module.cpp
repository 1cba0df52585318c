// The module cardan._cardan: what the package's own Python stands on. Its names, one beside the other.
#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/analysis.h"
#include "apps/python/errors.h"
#include "apps/python/loaded_model.h"
#include "apps/python/outcome.h"
#include "apps/python/picture.h"
#include "apps/python/stepper.h"
#include "engine/integration/input_table.h"
#include "engine/model_file/model_source.h"
#include "engine/results/csv_writer.h"
#include "engine/results/output_grid.h"
#include "engine/results/run_settings.h"
#include "engine/version.h"

namespace {

namespace py = pybind11;
using namespace py::literals;
using namespace cardan;
using namespace cardan::python;

using Unlocked = py::call_guard<py::gil_scoped_release>;

void setIntegrator(RunOptions& o, const std::string& name) {
  o.integrator = integratorOf(name);
  if (o.integrator) return;
  std::string known;
  for (const std::string& word : integratorWords()) known += (known.empty() ? "" : ", ") + word;
  throw py::value_error("integrator must be one of " + known + ", found '" + name + "'");
}

void startAt(RunOptions& o, const std::string& file, double time, bool isRow,
             const std::vector<std::string>& names, const std::vector<double>& values) {
  o.from = std::make_shared<StartPoint>(StartPoint{file, time, isRow, names, values});
}

void feed(RunOptions& o, const std::vector<double>& time, const std::vector<std::string>& names,
          const std::vector<std::vector<double>>& values, bool held) {
  o.inputs = std::make_shared<InputTable>(InputTable{"inputs", time, names, values, held});
}

/// What a run of the model would have: start, stop, interval, tolerance, method, the times of its rows.
py::tuple settingsOf(LoadedModel& model, const RunOptions& options) {
  Diagnostics diagnostics;
  const RunSettings s =
      RunSettings::of(model.prototype().source().simulation, options, diagnostics);
  diagnostics.throwIfErrors();
  return py::make_tuple(s.start, s.stop, s.interval, s.tolerance, word(s.integrator), s.grid);
}

py::tuple run(const LoadedModel& model, RunOptions options, const py::object& progress,
              const std::shared_ptr<StopFlag>& stop) {
  CollectedRows rows;
  Attention attention(progress, stop);
  options.progress = [&](double time) { return attention(time); };
  std::optional<Simulation> simulation;
  return runUnlocked(
      rows, attention,
      [&] {
        simulation.emplace(model.simulation());
        simulation->run(rows, options);
      },
      [&] { return simulation ? simulation->report() : RunReport(); });
}

/// The rows as the program writes them. `columns`: name and whether it is a Boolean.
void writeCsv(const std::string& path, const std::vector<std::pair<std::string, bool>>& columns,
              const py::array_t<double, py::array::c_style | py::array::forcecast>& values) {
  const auto rows = values.unchecked<2>();
  if (rows.shape(1) != std::ssize(columns) + 1)
    throw py::value_error("the values must have a column more than there are names, time");
  const py::gil_scoped_release unlocked;
  std::vector<Column> all;
  for (const auto& [name, isBoolean] : columns) all.push_back({name, "", "", isBoolean});
  CsvWriter writer(path);
  writer.begin(all);
  for (py::ssize_t i = 0; i < rows.shape(0); ++i)
    writer.row(rows(i, 0), {rows.data(i, 0) + 1, all.size()});
  writer.close();
}

py::bytes bytesOf(const SavedState& state) { return state.write(); }
SavedState stateOf(const py::bytes& bytes) { return SavedState::read(bytes, "state"); }

void addOptions(py::module_& m) {
  py::class_<modelica::ImportOptions>(m, "ModelicaOptions")
      .def(py::init<>())
      .def_readwrite("class_name", &modelica::ImportOptions::className)
      .def_readwrite("libraries", &modelica::ImportOptions::libraries);
  py::class_<robots::ImportOptions>(m, "RobotOptions")
      .def(py::init<>())
      .def_readwrite("floating", &robots::ImportOptions::floating)
      .def_readwrite("merge_fixed", &robots::ImportOptions::mergeFixed)
      .def_readwrite("friction", &robots::ImportOptions::friction)
      .def_readwrite("strict_inertia", &robots::ImportOptions::strictInertia)
      .def_readwrite("no_limits", &robots::ImportOptions::noLimits)
      .def_readwrite("no_contacts", &robots::ImportOptions::noContacts)
      .def_readwrite("self_collisions", &robots::ImportOptions::selfCollisions)
      .def_readwrite("ground", &robots::ImportOptions::ground)
      .def_readwrite("allow_unknown", &robots::ImportOptions::allowUnknown)
      .def_readwrite("packages", &robots::ImportOptions::packages)
      .def("set_limits", [](robots::ImportOptions& o, double stiffness, double damping) {
        o.limits = robots::Stops{stiffness, damping};
      });
  py::class_<RunOptions>(m, "RunOptions")
      .def(py::init<>())
      .def_readwrite("start", &RunOptions::startTime)
      .def_readwrite("stop", &RunOptions::stopTime)
      .def_readwrite("interval", &RunOptions::outputInterval)
      .def_readwrite("tolerance", &RunOptions::tolerance)
      .def_readwrite("max_step", &RunOptions::maximumStep)
      .def_readwrite("step", &RunOptions::step)
      .def_readwrite("outputs", &RunOptions::outputs)
      .def_readwrite("event_rows", &RunOptions::eventRows)
      .def_readwrite("timing", &RunOptions::timing)
      .def_readwrite("strict", &RunOptions::strict)
      .def("set_integrator", &setIntegrator)
      .def("start_at", &startAt)
      .def("feed", &feed)
      .def("resume", [](RunOptions& o, const SavedState& state) {
        o.resume = std::make_shared<const SavedState>(state);
      });
  py::class_<OutputGrid>(m, "Grid")
      .def(py::init<double, double, double>())
      .def("time", &OutputGrid::time);
  py::class_<StopFlag, std::shared_ptr<StopFlag>>(m, "StopFlag")
      .def(py::init<>())
      .def("set", &StopFlag::set);
}

void addModel(py::module_& m) {
  py::class_<LoadedModel, std::shared_ptr<LoadedModel>>(m, "LoadedModel")
      .def_static("open", &LoadedModel::open, Unlocked())
      .def_static("parse", &LoadedModel::parse, Unlocked())
      .def("changed", &LoadedModel::with, Unlocked())
      .def("warnings", &LoadedModel::warnings)
      .def("about",
           [](LoadedModel& model) {
             const ModelSource& s = model.prototype().source();
             return py::make_tuple(textOf(s.name), textOf(s.description), textOf(s.file));
           })
      .def("settings", &settingsOf)
      .def("run", &run)
      .def("check", &check)
      .def("parameters", &parameters)
      .def("inputs", &inputs)
      .def("variables", &variables)
      .def("equilibrium", &equilibrium)
      .def("linearize", &linearize)
      .def("modes", &modes)
      .def("inverse", &inverse)
      .def("sensitivities", &sensitivities);
  py::class_<Where>(m, "Where")
      .def(py::init<std::optional<double>, bool, std::vector<std::string>,
                    std::vector<std::string>>());
}

void addState(py::module_& m) {
  py::class_<SavedState>(m, "State",
                         "A run as it stands: what Stepper.save() gives. It can be pickled.")
      .def_readonly("time", &SavedState::time, "Time reached [s].")
      .def_readonly("model", &SavedState::model, "Name of the model.")
      .def("to_bytes", &bytesOf, "As `cardan simulate --save-state` writes it.")
      .def_static("from_bytes", &stateOf, "data"_a)
      .def("__repr__",
           [](const SavedState& s) {
             return "<cardan.State of " + s.model + " at " +
                    py::str(py::float_(s.time)).cast<std::string>() + " s>";
           })
      .def(py::pickle(&bytesOf, &stateOf));
}

void addStepper(py::module_& m) {
  py::class_<Stepper>(m, "Stepper", R"(A run that is advanced by hand: what Model.start() gives.

s[name] reads an output where the run stands, s[name] = value sets an input of the model from then on;
arrays ("body.r_0") are NumPy arrays. One thread at a time; close() gives its memory back.)")
      .def(py::init<const std::shared_ptr<LoadedModel>&, RunOptions, const py::dict&, bool,
                    const py::object&, const std::shared_ptr<StopFlag>&>())
      .def("advance", &Stepper::advance, "time"_a,
           "On to `time` [s], events included; less far where the model ends the run.")
      .def_property_readonly("time", &Stepper::time, "Time reached [s].")
      .def_property_readonly("names", &Stepper::names, "What can be read.")
      .def_property_readonly("inputs", &Stepper::inputs, "What can be set.")
      .def_property_readonly("terminated", &Stepper::terminated,
                             "Why the model has ended the run; '': it has not.")
      .def("__getitem__", &Stepper::get, "name"_a)
      .def("__setitem__", &Stepper::set, "name"_a, "value"_a)
      .def("save", &Stepper::save, "The run as it stands, to be restored, pickled or written.")
      .def("restore", &Stepper::restore, "state"_a,
           "Goes back to a state that a run of the same model and options has saved, bit for bit.")
      .def("close", &Stepper::close, "Ends the run. Nothing but close() can be called then.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](Stepper& s, const py::args&) { s.close(); })
      .def("_report", &Stepper::report)
      .def("_outcome", &Stepper::outcome);
}

void addPicture(py::module_& m) {
  py::class_<Picture>(m, "Picture")
      .def(py::init<const std::shared_ptr<LoadedModel>&, std::string, std::vector<std::string>,
                    int>())
      .def("run", &Picture::run)
      .def("write", &Picture::write);
}

}  // namespace

PYBIND11_MODULE(_cardan, m) {
  m.attr("version") = version;
  translateErrors();
  addOptions(m);
  addModel(m);
  addState(m);
  addStepper(m);
  addPicture(m);
  m.def("write_csv", &writeCsv);
}
