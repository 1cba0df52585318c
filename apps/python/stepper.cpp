// Stepper: a run that Python advances, reads, feeds, saves and restores.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apps/python/errors.h"
#include "apps/python/module.h"
#include "apps/python/outcome.h"
#include "engine/motion_point.h"
#include "engine/saved_state.h"

namespace cardan::python {
namespace {

namespace py = pybind11;
using namespace py::literals;

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

/// Raises TypeError where it is none.
double numberOf(const py::handle& value) {
  const double x = PyFloat_AsDouble(value.ptr());
  if (x == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return x;
}

/// One thread at a time: another one that comes meanwhile gets a RuntimeError, as does who comes after
/// close().
class Stepper {
 public:
  /// `inputs`: values that they have from the start on, by name. `keepsRows`: outcome() has them.
  Stepper(const LoadedModel& model, RunOptions options, const py::dict& inputs, bool keepsRows,
          const py::object& progress, const std::shared_ptr<StopFlag>& stop)
      : options_(std::move(options)), attention_(progress, stop), keepsRows_(keepsRows) {
    options_.saves = true;
    options_.progress = [this](double time) { return attention_(time); };
    {
      const py::gil_scoped_release unlocked;
      simulation_.emplace(model.simulation());
    }
    const Use s(*this);
    for (const auto& [name, value] : inputs) setIn(*s, name.cast<std::string>(), value);
    const py::gil_scoped_release unlocked;
    s->start(options_, keepsRows_ ? &rows_ : nullptr);
  }
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  void advance(double time) {
    const Use s(*this);
    if (const std::string& why = s->report().terminated; !why.empty())
      throwRunError("the model has ended this run: " + why);
    {
      const py::gil_scoped_release unlocked;
      s->advance(time);
    }
    attention_.rethrow();
  }

  /// A number; of a name of several elements ("body.r_0") an array.
  py::object get(const std::string& name) {
    const Use s(*this);
    const std::vector<VariableHandle>& handles = variables(*s, name);
    if (handles.size() == 1) return py::float_(s->value(handles[0]));
    py::array_t<double> values(std::ssize(handles));
    double* out = values.mutable_data();
    for (const VariableHandle handle : handles) *out++ = s->value(handle);
    return values;
  }

  void set(const std::string& name, const py::object& value) {
    const Use s(*this);
    if (keepsRows_ && options_.eventRows) rowBefore(*s);
    setIn(*s, name, value);
  }

  SavedState save() {
    const Use s(*this);
    SavedState state = head(*s);
    state.run = s->save();
    state.time = s->time();
    return state;
  }

  void restore(const SavedState& state) {
    const Use s(*this);
    const SavedState& ours = head(*s);
    const bool isOurs = state.build == ours.build && state.structure == ours.structure &&
                        state.settings == ours.settings && state.startTime == ours.startTime;
    if (!isOurs) state.requireFor(s->model(), options_);
    s->restore(state.run);
  }

  double time() { return Use(*this)->time(); }
  std::vector<std::string> names() { return Use(*this)->outputs(); }
  std::vector<std::string> inputs() { return inputNames(*Use(*this)); }
  std::string terminated() { return Use(*this)->report().terminated; }
  bool interrupted() { return Use(*this)->report().interrupted; }
  py::dict report() { return dictOf(Use(*this)->report()); }
  py::tuple outcome(const py::object& error) {
    return outcomeOf(rows_, Use(*this)->report(), error);
  }
  void close() {
    if (busy_) const Use refused(*this);
    simulation_.reset();
  }

 private:
  /// The simulation in the hands of one call.
  class Use {
   public:
    explicit Use(Stepper& stepper) : stepper_(stepper) {
      if (stepper.busy_)
        throw std::runtime_error(
            "this run is being used elsewhere: a run is of one thread at a "
            "time, other threads need one of their own");
      if (!stepper.simulation_) throw std::runtime_error("this run is closed");
      stepper.busy_ = true;
    }
    ~Use() { stepper_.busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    Simulation& operator*() const { return *stepper_.simulation_; }
    Simulation* operator->() const { return &*stepper_.simulation_; }

   private:
    Stepper& stepper_;
  };

  /// Handles of a name, or of its elements, among `names()`; looked up once.
  template <class Handle, class Names, class Make>
  static const std::vector<Handle>& handles(
      std::unordered_map<std::string, std::vector<Handle>>& known, const std::string& name,
      Names names, Make make, const std::string& otherwise) {
    if (const auto found = known.find(name); found != known.end()) return found->second;
    const std::vector<std::string> all = names();
    std::vector<Handle> made;
    for (const size_t i : placesOf(all, name)) made.push_back(make(all[i]));
    if (made.empty()) throw py::key_error("'" + name + "' " + otherwise + didYouMean(name, all));
    return known.emplace(name, std::move(made)).first->second;
  }
  const std::vector<VariableHandle>& variables(Simulation& s, const std::string& name) {
    return handles(
        variables_, name, [&] { return s.outputs(); },
        [&](const std::string& full) { return s.variable(full); },
        "is not among the outputs of the run: what is to be read is given as outputs=[...]");
  }
  const std::vector<InputHandle>& inputsOf(Simulation& s, const std::string& name) {
    return handles(
        inputs_, name, [&] { return inputNames(s); },
        [&](const std::string& full) { return s.input(full); },
        "is no input that has a number in the model");
  }

  void setIn(Simulation& s, const std::string& name, const py::handle& value) {
    const std::vector<InputHandle>& handles = inputsOf(s, name);
    std::vector<double> values;
    if (handles.size() == 1 && !py::isinstance<py::sequence>(value)) {
      values.push_back(numberOf(value));
    } else {
      for (const py::handle x : value) values.push_back(numberOf(x));
    }
    if (values.size() != handles.size())
      throw py::value_error("'" + name + "' has " + std::to_string(handles.size()) +
                            " elements, found " + std::to_string(values.size()));
    for (const double x : values) {
      if (!std::isfinite(x)) throw py::value_error("'" + name + "' must be finite");
    }
    for (size_t i = 0; i < values.size(); ++i) s.set(handles[i], values[i]);
  }

  /// An input jumps where there is no row yet: the run writes that of the values after it.
  void rowBefore(Simulation& s) {
    if (rows_.last() == s.time()) return;
    std::vector<double> values(s.outputs().size());
    for (size_t i = 0; i < values.size(); ++i) values[i] = s.value({i});
    rows_.row(s.time(), values);
  }

  /// What does not change from one saved state to the next.
  const SavedState& head(Simulation& s) {
    if (!head_) head_ = s.save(options_);
    return *head_;
  }

  RunOptions options_;
  Attention attention_;
  bool keepsRows_;
  CollectedRows rows_;
  std::optional<Simulation> simulation_;
  bool busy_ = false;
  std::optional<SavedState> head_;
  std::unordered_map<std::string, std::vector<VariableHandle>> variables_;
  std::unordered_map<std::string, std::vector<InputHandle>> inputs_;
};

py::bytes bytesOf(const SavedState& state) { return state.write(); }
SavedState stateOf(const py::bytes& bytes) { return SavedState::read(bytes, "state"); }
std::string shown(const SavedState& s) {
  return "<cardan.State of " + s.model + " at " + py::str(py::float_(s.time)).cast<std::string>() +
         " s>";
}

void addState(py::module_& m) {
  py::class_<SavedState>(m, "State",
                         "A run as it stands: what Stepper.save() gives. It can be pickled.")
      .def_readonly("time", &SavedState::time, "Time reached [s].")
      .def_readonly("model", &SavedState::model, "Name of the model.")
      .def("to_bytes", &bytesOf, "As `cardan simulate --save-state` writes it.")
      .def_static("from_bytes", &stateOf, "data"_a)
      .def("__repr__", &shown)
      .def(py::pickle(&bytesOf, &stateOf));
}

}  // namespace

void addStepper(py::module_& m) {
  addState(m);
  py::class_<Stepper>(m, "Stepper", R"(A run that is advanced by hand: what Model.start() gives.

s[name] reads an output where the run stands, s[name] = value sets an input of the model from then on;
arrays ("body.r_0") are NumPy arrays. One thread at a time; close() gives its memory back.)")
      .def(py::init<const LoadedModel&, RunOptions, const py::dict&, bool, const py::object&,
                    const std::shared_ptr<StopFlag>&>())
      .def("advance", &Stepper::advance, "time"_a,
           "On to `time` [s], events included; less far where the model ends the run.")
      .def_property_readonly("time", &Stepper::time, "Time reached [s].")
      .def_property_readonly("names", &Stepper::names, "What can be read.")
      .def_property_readonly("inputs", &Stepper::inputs, "What can be set.")
      .def_property_readonly("terminated", &Stepper::terminated,
                             "Why the model has ended the run; '': it has not.")
      .def("__getitem__", &Stepper::get, "name"_a)
      .def("__setitem__", &Stepper::set, "name"_a, "value"_a)
      .def("save", &Stepper::save, "The run as it stands, to be restored or pickled.")
      .def("restore", &Stepper::restore, "state"_a,
           "Goes back to a state that a run of the same model and options has saved, bit for bit.")
      .def("close", &Stepper::close, "Ends the run. Nothing but close() can be called then.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](Stepper& s, const py::args&) { s.close(); })
      .def_property_readonly("_interrupted", &Stepper::interrupted)
      .def("_report", &Stepper::report)
      .def("_outcome", &Stepper::outcome);
}

}  // namespace cardan::python
