#include "apps/python/stepper.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "apps/python/errors.h"
#include "engine/motion_point.h"
#include "engine/text/diagnostics.h"

namespace cardan::python {
namespace {

namespace py = pybind11;

/// Places in `names` of a name, or of the elements of an array of this name.
std::vector<size_t> placesOf(const std::vector<std::string>& names, const std::string& name) {
  std::vector<size_t> elements;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return {i};
    if (names[i].size() > name.size() && names[i].starts_with(name) && names[i][name.size()] == '[')
      elements.push_back(i);
  }
  return elements;
}

std::vector<std::string> inputNames(Simulation& s) {
  std::vector<std::string> names;
  for (const PointInput& i : PointEquations(s).inputs()) names.push_back(i.name);
  return names;
}

double finite(const std::string& name, double value) {
  if (!std::isfinite(value)) throw py::value_error("'" + name + "' must be set to a finite number");
  return value;
}

}  // namespace

Stepper::Use::Use(Stepper& stepper) : stepper_(stepper) {
  if (stepper.busy_)
    throw std::runtime_error(
        "this run is being used elsewhere: a run is of one thread at a time, "
        "other threads need one of their own");
  if (!stepper.simulation_) throw std::runtime_error("this run is closed");
  stepper.busy_ = true;
}

Stepper::Stepper(const std::shared_ptr<LoadedModel>& model, RunOptions options,
                 const py::dict& inputs, bool keepsRows, const py::object& progress,
                 const std::shared_ptr<StopFlag>& stop)
    : model_(model),
      options_(std::move(options)),
      attention_(progress, stop),
      keepsRows_(keepsRows) {
  options_.saves = true;
  options_.progress = [this](double time) { return attention_(time); };
  {
    const py::gil_scoped_release unlocked;
    simulation_.emplace(model_->simulation());
  }
  const Use s(*this);
  for (const auto& [name, value] : inputs)
    setIn(*s, name.cast<std::string>(), py::reinterpret_borrow<py::object>(value));
  const py::gil_scoped_release unlocked;
  s->start(options_, keepsRows_ ? &rows_ : nullptr);
}

void Stepper::advance(double time) {
  const Use s(*this);
  if (!s->report().terminated.empty())
    throwRunError("the model has ended this run: " + s->report().terminated);
  {
    const py::gil_scoped_release unlocked;
    s->advance(time);
  }
  attention_.rethrow();
}

double Stepper::time() { return Use(*this)->time(); }

const std::vector<VariableHandle>& Stepper::variables(Simulation& s, const std::string& name) {
  if (const auto found = variables_.find(name); found != variables_.end()) return found->second;
  const std::vector<std::string> names = s.outputs();
  std::vector<VariableHandle> handles;
  for (const size_t i : placesOf(names, name)) handles.push_back({i});
  if (handles.empty())
    throwKeyError("'" + name + "' is not among the outputs of the run" + didYouMean(name, names) +
                  "; what is to be read is given as outputs=[...]");
  return variables_.emplace(name, std::move(handles)).first->second;
}

const std::vector<InputHandle>& Stepper::inputsOf(Simulation& s, const std::string& name) {
  if (const auto found = inputs_.find(name); found != inputs_.end()) return found->second;
  const std::vector<std::string> names = inputNames(s);
  std::vector<InputHandle> handles;
  for (const size_t i : placesOf(names, name)) handles.push_back(s.input(names[i]));
  if (handles.empty())
    throwKeyError("'" + name + "' is no input that has a number in the model" +
                  didYouMean(name, names));
  return inputs_.emplace(name, std::move(handles)).first->second;
}

py::object Stepper::get(const std::string& name) {
  const Use s(*this);
  const std::vector<VariableHandle>& handles = variables(*s, name);
  if (handles.size() == 1) return py::float_(s->value(handles[0]));
  py::array_t<double> values(static_cast<py::ssize_t>(handles.size()));
  double* const out = values.mutable_data();
  for (size_t i = 0; i < handles.size(); ++i) out[i] = s->value(handles[i]);
  return values;
}

void Stepper::setIn(Simulation& s, const std::string& name, const py::object& value) {
  const std::vector<InputHandle>& handles = inputsOf(s, name);
  std::vector<double> values;
  if (handles.size() == 1 && !py::isinstance<py::sequence>(value)) {
    values.push_back(finite(name, value.cast<double>()));
  } else {
    for (const py::handle x : value) values.push_back(finite(name, x.cast<double>()));
  }
  if (values.size() != handles.size())
    throw py::value_error("'" + name + "' has " + std::to_string(handles.size()) +
                          " elements, found " + std::to_string(values.size()));
  for (size_t i = 0; i < values.size(); ++i) s.set(handles[i], values[i]);
}

void Stepper::set(const std::string& name, const py::object& value) {
  const Use s(*this);
  if (keepsRows_ && options_.eventRows) rowBefore(*s);
  setIn(*s, name, value);
}

/// An input jumps where there is no row yet: the run writes that of the values after it.
void Stepper::rowBefore(Simulation& s) {
  if (rows_.last() == s.time()) return;
  std::vector<double> values(s.outputs().size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = s.value({i});
  rows_.row(s.time(), values);
}

std::vector<std::string> Stepper::names() { return Use(*this)->outputs(); }

std::vector<std::string> Stepper::inputs() {
  const Use s(*this);
  return inputNames(*s);
}

SavedState Stepper::save() {
  const Use s(*this);
  if (!head_) head_ = s->save(options_);
  SavedState state = *head_;
  state.run = s->save();
  state.time = s->time();
  return state;
}

void Stepper::restore(const SavedState& state) {
  const Use s(*this);
  if (!head_) head_ = s->save(options_);
  const bool isOurs = state.build == head_->build && state.structure == head_->structure &&
                      state.settings == head_->settings && state.startTime == head_->startTime;
  if (!isOurs) state.requireFor(s->model(), options_);
  s->restore(state.run);
}

std::string Stepper::terminated() { return Use(*this)->report().terminated; }

py::dict Stepper::report() { return dictOf(Use(*this)->report()); }

py::tuple Stepper::outcome(const py::object& error) {
  const Use s(*this);
  const py::tuple all = outcomeOf(rows_, s->report(), nullptr);
  return py::make_tuple(all[0], all[1], all[2], error);
}

void Stepper::close() {
  if (busy_) const Use refused(*this);
  simulation_.reset();
}

}  // namespace cardan::python
