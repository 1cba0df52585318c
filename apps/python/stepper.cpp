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
#include "engine/model_file/model_source.h"
#include "engine/motion_point.h"
#include "engine/saved_state.h"

namespace cardan::python {
namespace {

namespace py = pybind11;
using namespace py::literals;

/// What a name stands for: a variable, of no shape, or the elements of an array.
template <class Handle>
struct Named {
  std::vector<Handle> elements;
  std::vector<py::ssize_t> shape;
};

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

/// Of a number, of lists or of an array, row by row.
std::vector<double> numbersOf(const py::handle& value) {
  if (py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value) ||
      py::isinstance<py::str>(value))
    return {numberOf(value)};
  const py::array array(py::reinterpret_borrow<py::object>(value));
  std::vector<double> numbers;
  for (const py::handle x : array.attr("flat")) numbers.push_back(numberOf(x));
  return numbers;
}

/// One thread at a time: another one that comes meanwhile gets a RuntimeError, as does who comes after
/// close().
class Stepper {
 public:
  /// `inputs`: values that they have from the start on, by name. `keepsRows`: outcome() has them.
  Stepper(const LoadedModel& model, RunOptions options, const py::dict& inputs, bool keepsRows,
          const py::object& progress, const std::shared_ptr<StopFlag>& stop)
      : options_(std::move(options)), attention_(progress, stop), rows_(!options_.eventRows) {
    options_.saves = true;
    options_.progress = [this](double time) { return attention_(time); };
    {
      const py::gil_scoped_release unlocked;
      simulation_.emplace(model.simulation());
    }
    const Use s(*this);
    const auto setAll = [&] {
      for (const auto& [name, value] : inputs) setIn(*s, name.cast<std::string>(), value);
    };
    setAll();  // they are part of the start
    {
      const py::gil_scoped_release unlocked;
      s->start(options_, keepsRows ? &rows_ : nullptr);
    }
    if (options_.resume) setAll();  // a state has inputs of its own: others jump there
  }
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  void advance(const py::object& to) {
    const Use s(*this);
    const double time = numberOf(to);
    if (const std::string& why = s->report().terminated; !why.empty())
      throwRunError("the model has ended this run: " + why);
    {
      const py::gil_scoped_release unlocked;
      s->advance(time);
    }
    attention_.rethrow();
  }

  /// A number; of an array ("body.r_0") all of it.
  py::object get(const std::string& name) {
    const Use s(*this);
    const auto& [elements, shape] = variable(*s, name);
    if (shape.empty()) return py::float_(s->value(elements[0]));
    py::array_t<double> values(shape);
    double* out = values.mutable_data();
    for (const VariableHandle handle : elements) *out++ = s->value(handle);
    return values;
  }

  void set(const std::string& name, const py::object& value) { setIn(*Use(*this), name, value); }

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
    const double stop = options_.stopTime.value_or(s->source().simulation.stop);
    const bool isOurs = state.build == ours.build && state.structure == ours.structure &&
                        state.settings == ours.settings && state.startTime == ours.startTime &&
                        state.time <= stop;
    if (!isOurs) state.requireFor(s->model(), options_);
    s->restore(state.run);
  }

  /// Whether get() has a value of it.
  bool contains(const py::object& name) {
    if (!py::isinstance<py::str>(name)) return false;
    try {
      variable(*Use(*this), name.cast<std::string>());
      return true;
    } catch (const py::error_already_set& e) {
      if (!e.matches(PyExc_KeyError)) throw;
      return false;
    }
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

  /// What a name stands for among `names()`, by the rule of results; looked up once.
  template <class Handle, class Names, class Make>
  static const Named<Handle>& lookUp(std::unordered_map<std::string, Named<Handle>>& known,
                                     const std::string& name, Names names, Make make,
                                     const char* rule) {
    if (const auto found = known.find(name); found != known.end()) return found->second;
    const std::vector<std::string> all = names();
    const py::object elementsOf = py::module_::import("cardan._values").attr(rule);
    auto [places, shape] =
        elementsOf(name, all).cast<std::pair<std::vector<size_t>, std::vector<py::ssize_t>>>();
    Named<Handle> made{{}, std::move(shape)};
    for (const size_t i : places) made.elements.push_back(make(all[i]));
    return known.emplace(name, std::move(made)).first->second;
  }
  const Named<VariableHandle>& variable(Simulation& s, const std::string& name) {
    return lookUp(
        variables_, name, [&] { return s.outputs(); },
        [&](const std::string& full) { return s.variable(full); }, "output_of");
  }
  const Named<InputHandle>& input(Simulation& s, const std::string& name) {
    return lookUp(
        inputs_, name, [&] { return inputNames(s); },
        [&](const std::string& full) { return s.input(full); }, "input_of");
  }

  void setIn(Simulation& s, const std::string& name, const py::handle& value) {
    const std::vector<InputHandle>& elements = input(s, name).elements;
    const std::vector<double> values = numbersOf(value);
    if (values.size() != elements.size())
      throw py::value_error("'" + name + "' has " + std::to_string(elements.size()) +
                            " elements, found " + std::to_string(values.size()));
    bool jumps = false;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) throw py::value_error("'" + name + "' must be finite");
      jumps = jumps || !s.is(elements[i], values[i]);
    }
    if (jumps) rowBefore(s);
    for (size_t i = 0; i < values.size(); ++i) s.set(elements[i], values[i]);
  }

  /// An input jumps where there is no row yet: the run writes that of the values after it.
  void rowBefore(Simulation& s) {
    if (!rows_.hasBegun() || !options_.eventRows || rows_.last() == s.time()) return;
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
  CollectedRows rows_;
  std::optional<Simulation> simulation_;
  bool busy_ = false;
  std::optional<SavedState> head_;
  std::unordered_map<std::string, Named<VariableHandle>> variables_;
  std::unordered_map<std::string, Named<InputHandle>> inputs_;
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
      .def("__contains__", &Stepper::contains, "name"_a)
      .def("__iter__", [](Stepper& s) { return py::iter(py::cast(s.names())); })
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
