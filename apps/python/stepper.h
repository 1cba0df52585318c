/// Stepper: a run that Python advances, reads, feeds, saves and restores.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "apps/python/loaded_model.h"
#include "apps/python/outcome.h"
#include "engine/saved_state.h"

namespace cardan::python {

/// One thread at a time: another one that comes meanwhile gets a RuntimeError, as does who comes after
/// close().
class Stepper {
 public:
  /// `inputs`: values that they have from the start on, by name. `keepsRows`: outcome() has them.
  Stepper(const std::shared_ptr<LoadedModel>& model, RunOptions options,
          const pybind11::dict& inputs, bool keepsRows, const pybind11::object& progress,
          const std::shared_ptr<StopFlag>& stop);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  void advance(double time);
  double time();
  /// A number; of a name of several elements ("body.r_0") an array.
  pybind11::object get(const std::string& name);
  void set(const std::string& name, const pybind11::object& value);
  /// What can be read, and what can be set.
  std::vector<std::string> names();
  std::vector<std::string> inputs();
  SavedState save();
  void restore(const SavedState& state);
  /// Why the model has ended the run; "": it has not.
  std::string terminated();
  pybind11::dict report();
  pybind11::tuple outcome(const pybind11::object& error);
  void close();

 private:
  /// The simulation in the hands of one call.
  class Use {
   public:
    explicit Use(Stepper& stepper);
    ~Use() { stepper_.busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    Simulation& operator*() const { return *stepper_.simulation_; }
    Simulation* operator->() const { return &*stepper_.simulation_; }

   private:
    Stepper& stepper_;
  };

  const std::vector<VariableHandle>& variables(Simulation& s, const std::string& name);
  const std::vector<InputHandle>& inputsOf(Simulation& s, const std::string& name);
  void rowBefore(Simulation& s);
  void setIn(Simulation& s, const std::string& name, const pybind11::object& value);

  std::shared_ptr<LoadedModel> model_;  ///< outlives the run
  RunOptions options_;
  Attention attention_;
  bool keepsRows_;
  CollectedRows rows_;
  std::optional<Simulation> simulation_;
  bool busy_ = false;
  std::optional<SavedState> head_;  ///< what does not change from one saved state to the next
  std::unordered_map<std::string, std::vector<VariableHandle>> variables_;
  std::unordered_map<std::string, std::vector<InputHandle>> inputs_;
};

}  // namespace cardan::python
