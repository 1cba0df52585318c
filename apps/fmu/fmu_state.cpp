// States of an instance: taken, given back, as bytes; and derivatives at the state reached.
#include <fmt/format.h>

#include "apps/fmu/fmu_instance.h"
#include "engine/analysis/linear_model.h"
#include "engine/integration/state_archive.h"
#include "engine/motion_point.h"
#include "engine/version.h"
#include "frames/dual.h"

namespace cardan {
namespace {

/// What a state belongs to: numbers of another build are others.
std::string thisBuild() { return fmt::format("FMU of {} {} {}", version, revision, kLanes); }

}  // namespace

std::string FmuState::write(const std::string& token) const {
  StateArchive archive;
  FmuState copy = *this;
  archive(copy);
  SavedState saved;
  saved.build = thisBuild();
  saved.structure = token;
  saved.run.numbers = archive.bytes();
  return saved.write();
}

FmuState FmuState::read(std::string_view bytes, const std::string& token) {
  const SavedState saved = SavedState::read(std::string(bytes), "serialised state");
  if (saved.build != thisBuild() || saved.structure != token)
    throw FmuRefusal("the serialised state is of another FMU or another build of its library");
  StateArchive archive(saved.run.numbers);
  FmuState state;
  archive(state);
  return state;
}

FmuState FmuInstance::state() const {
  FmuState state{interface_, phase_, setup_, values_, begun_, isTerminated_, {}};
  if (begun_) state.run = simulation_->save();
  return state;
}

void FmuInstance::setState(const FmuState& state) {
  if (state.interface != interface_)
    throw FmuRefusal(
        "the state is of another kind of instance: co-simulation, that of events, or model "
        "exchange");
  if (state.values.size() != values_.size()) throw FmuRefusal("the state is of another FMU");
  const bool isOfThisRun =
      begun_ && phase_ != FmuPhase::failed && state.begun == begun_ && state.setup == setup_;
  setup_ = state.setup;
  if (state.begun) {
    values_ = *state.begun;
    if (!isOfThisRun) begin();
    run([&] { simulation_->restore(state.run); });
    warningsTold_ = simulation_->report().warnings.size();
    eventsTold_ = simulation_->report().eventRecords.size();
  }
  values_ = state.values;
  begun_ = state.begun;
  isTerminated_ = state.isTerminated;
  phase_ = state.phase;
}

void FmuInstance::directionalDerivative(References unknowns, References knowns, const double* seed,
                                        double* result) {
  require({FmuPhase::initialising, FmuPhase::stepping}, "a directional derivative");
  LinearisationOptions options;
  for (const std::uint32_t r : knowns) {
    const FmuVariable& v = variable(r);
    if (!isFed(v))
      throw FmuRefusal(
          fmt::format("'{}' is no input, by which alone there are derivatives", v.name));
    options.inputs.push_back(v.name);
  }
  for (const std::uint32_t r : unknowns) {
    const FmuVariable& v = variable(r);
    if (!v.isResult() || !v.isNumber())
      throw FmuRefusal(fmt::format("'{}' is no result that could be differentiated", v.name));
    options.outputs.push_back({v.name, {}});
  }
  std::fill_n(result, unknowns.size(), 0.0);
  if (unknowns.empty() || knowns.empty()) return;
  if (!begun_) begin();
  // The run goes on as if nobody had asked.
  const RunSnapshot before = simulation_->save();
  std::optional<LinearModel> model;
  try {
    MotionPoint point = standingPoint(*simulation_, simulation_->time());
    if (!PointEquations(*simulation_).makeConsistent(point))
      throw FmuRefusal("no consistent point is near the state that was reached");
    model = linearise(*simulation_, point, options);
  } catch (...) {
    simulation_->restore(before);
    throw;
  }
  simulation_->restore(before);
  for (size_t i = 0; i < unknowns.size(); ++i) {
    for (size_t k = 0; k < knowns.size(); ++k) result[i] += model->D(i, k) * seed[k];
  }
}

}  // namespace cardan
