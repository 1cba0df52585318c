// The module cardan._cardan: what the package's own Python stands on. Its names, one beside the other.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "apps/python/errors.h"
#include "apps/python/loaded_model.h"
#include "apps/python/module.h"
#include "apps/python/outcome.h"
#include "engine/integration/input_table.h"
#include "engine/model_file/model_source.h"
#include "engine/results/csv_writer.h"
#include "engine/results/output_grid.h"
#include "engine/results/run_settings.h"
#include "engine/saved_state.h"
#include "engine/version.h"

namespace {

namespace py = pybind11;
using namespace cardan;
using namespace cardan::python;

using Unlocked = py::call_guard<py::gil_scoped_release>;

template <class Choice>
void setChoice(std::optional<Choice>& choice, const std::string& what, const std::string& name) {
  choice = choiceOf<Choice>(name);
  if (choice) return;
  std::string known;
  for (const std::string& word : wordsOf<Choice>()) known += (known.empty() ? "" : ", ") + word;
  throw py::value_error(what + " must be one of " + known + ", found '" + name + "'");
}
void setIntegrator(RunOptions& o, const std::string& name) {
  setChoice(o.integrator, "integrator", name);
}
void setImpact(RunOptions& o, const std::string& name) { setChoice(o.impact, "impact", name); }

void startAt(RunOptions& o, const std::string& file, double time, bool isRow,
             const std::vector<std::string>& names, const std::vector<double>& values) {
  o.from = std::make_shared<StartPoint>(StartPoint{file, time, isRow, names, values});
  if (!o.startTime) o.startTime = time;
}

void resume(RunOptions& o, const SavedState& state) {
  if (o.startTime) throw py::value_error("a State has its own start: leave out start");
  o.resume = std::make_shared<const SavedState>(state);
  o.startTime = state.startTime;
}

void feed(RunOptions& o, const std::vector<double>& time, const std::vector<std::string>& names,
          const std::vector<std::vector<double>>& values, bool held) {
  o.inputs = std::make_shared<InputTable>(InputTable{"inputs", time, names, values, held});
}

/// Name, description, file.
py::tuple aboutOf(LoadedModel& model) {
  const ModelSource& s = model.prototype().source();
  return py::make_tuple(textOf(s.name), textOf(s.description), textOf(s.file));
}

/// What a run of the model would have: start, stop, interval, tolerance, method, the times of its rows, law of impact.
py::tuple settingsOf(LoadedModel& model, const RunOptions& options) {
  Diagnostics diagnostics;
  const RunSettings s =
      RunSettings::of(model.prototype().source().simulation, options, diagnostics);
  diagnostics.throwIfErrors();
  return py::make_tuple(s.start, s.stop, s.interval, s.tolerance, word(s.integrator), s.grid,
                        word(s.impact));
}

py::tuple run(const LoadedModel& model, const RunOptions& options, const py::object& progress,
              const std::shared_ptr<StopFlag>& stop) {
  std::optional<Simulation> simulation;
  const auto go = [&](RowSink& rows, const RunOptions& o) {
    simulation.emplace(model.simulation());
    simulation->run(rows, o);
  };
  return recorded(options, progress, stop, go,
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

void setLimits(robots::ImportOptions& o, std::pair<double, double> limits) {
  o.limits = robots::Stops{limits.first, limits.second};
}

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
      .def_property(
          "limits", [](const robots::ImportOptions&) { return py::none(); }, &setLimits);
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
      .def("set_impact", &setImpact)
      .def("start_at", &startAt)
      .def("feed", &feed)
      .def("resume", &resume);
  py::class_<OutputGrid>(m, "Grid")
      .def(py::init<double, double, double>())
      .def("time", &OutputGrid::time);
  py::class_<StopFlag, std::shared_ptr<StopFlag>>(m, "StopFlag")
      .def(py::init<>())
      .def("set", &StopFlag::set);
}

void addModel(py::module_& m) {
  ModelClass model(m, "LoadedModel");
  model.def_static("open", &LoadedModel::open, Unlocked())
      .def_static("parse", &LoadedModel::parse, Unlocked())
      .def("changed", &LoadedModel::with, Unlocked())
      .def("warnings", &LoadedModel::warnings)
      .def("about", &aboutOf)
      .def("settings", &settingsOf)
      .def("run", &run);
  addAnalysis(model, m);
  addFit(model, m);
  addOptimum(model, m);
}

}  // namespace

PYBIND11_MODULE(_cardan, m) {
  m.attr("version") = version;
  m.def("write_csv", &writeCsv);
  translateErrors();
  addOptions(m);
  addModel(m);
  addStepper(m);
  addPicture(m);
}
