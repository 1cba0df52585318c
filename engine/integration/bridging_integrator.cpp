#include "engine/integration/bridging_integrator.h"

#include <algorithm>
#include <utility>

#include "engine/integration/multibody_system.h"
#include "engine/integration/state_archive.h"

namespace cardan {
namespace {

constexpr std::size_t kMostListed = 200;  // changes of the method, after which no more are kept

}  // namespace

BridgingIntegrator::BridgingIntegrator(std::unique_ptr<Integrator> method, MultibodySystem& system,
                                       const IntegratorOptions& options)
    : system_(system), options_(options), method_(std::move(method)) {}

void BridgingIntegrator::start(double t, std::span<const double> y, std::span<const double> yp,
                               double h) {
  isBridging_ = false;
  bridge_.reset();
  bridges_.clear();
  method_->start(t, y, yp, h);
}

void BridgingIntegrator::restart(double t, std::span<const double> y, std::span<const double> yp,
                                 double h) {
  const double step = system_.equations().state.ahead;
  if (!(step > 0)) {
    method_->restart(t, y, yp, h);
    if (isBridging_) note(t, "", "events have come to rest, or may be slow enough again");
    isBridging_ = false;
    return;
  }
  if (bridge_) {
    bridge_->setStep(step);
    bridge_->restart(t, y, yp, h);
  } else {
    build(step);
    bridge_->start(t, y, yp, h);
  }
  if (!isBridging_) note(t, "stepping", "events came faster than a step of order one is long");
  isBridging_ = true;
}

/// Pre: RunState::ahead > 0, as it sees which surfaces are pushed apart
void BridgingIntegrator::build(double step) {
  IntegratorOptions options = options_;
  options.step = step;
  bridge_ = std::make_unique<SteppingIntegrator>(system_, options);
}

void BridgingIntegrator::note(double t, const std::string& method, const std::string& reason) {
  if (bridges_.size() < kMostListed) bridges_.push_back({t, method, reason});
}

IntegratorStatistics BridgingIntegrator::statistics() const {
  IntegratorStatistics total = method_->statistics();
  return bridge_ ? total += bridge_->statistics() : total;
}

/// A change back has the name of the method that was in force.
std::vector<MethodChange> BridgingIntegrator::methods() const {
  std::vector<MethodChange> all = method_->methods();
  all.insert(all.end(), bridges_.begin(), bridges_.end());
  std::ranges::stable_sort(all, {}, &MethodChange::time);
  std::string own;
  for (MethodChange& change : all) {
    if (change.method.empty()) change.method = own;
    if (change.method != "stepping") own = change.method;
  }
  return all;
}

std::vector<std::string> BridgingIntegrator::warnings() const {
  return bridge_ ? bridge_->warnings() : std::vector<std::string>();
}

void BridgingIntegrator::exchange(StateArchive& archive) {
  archive(*this);
  // Its first factors learn the structure of the equations: those that it steps.
  RunState& state = system_.equations().state;
  const double ahead = std::exchange(state.ahead, 0.0);
  method_->exchange(archive);
  bool built = bridge_ != nullptr;
  archive(built);
  if (!built) bridge_.reset();
  if (built) {
    state.ahead = ahead > 0 ? ahead : 1;  // [s]  of any length: surfaces are pushed apart
    if (archive.isReading()) build(state.ahead);
    bridge_->exchange(archive);
  }
  state.ahead = ahead;
}

}  // namespace cardan
