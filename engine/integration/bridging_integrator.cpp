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
  step_ = 0;
  before_ = {};
  told_.clear();
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
  if (!bridge_ || step != step_) {
    putAside();
    step_ = step;
    build();
    bridge_->start(t, y, yp, h);
  } else {
    bridge_->restart(t, y, yp, h);
  }
  if (!isBridging_) note(t, "stepping", "events came faster than a step of order one is long");
  isBridging_ = true;
}

void BridgingIntegrator::build() {
  options_.step = step_;
  bridge_ = std::make_unique<SteppingIntegrator>(system_, options_);
}

/// What the bridges so far have cost and told.
void BridgingIntegrator::putAside() {
  if (!bridge_) return;
  before_ += bridge_->statistics();
  told_ = warnings();
}

void BridgingIntegrator::note(double t, const std::string& method, const std::string& reason) {
  if (bridges_.size() < kMostListed) bridges_.push_back({t, method, reason});
}

IntegratorStatistics BridgingIntegrator::statistics() const {
  IntegratorStatistics total = method_->statistics();
  total += before_;
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
  std::vector<std::string> all = told_;
  if (!bridge_) return all;
  for (const std::string& text : bridge_->warnings()) {
    if (all.size() < kMostListed) all.push_back(text);
  }
  return all;
}

void BridgingIntegrator::exchange(StateArchive& archive) {
  archive(*this);
  // Its first factors learn the structure of the equations: those that it steps.
  RunState& state = system_.equations().state;
  const double ahead = std::exchange(state.ahead, 0.0);
  method_->exchange(archive);
  state.ahead = ahead;
  bool built = bridge_ != nullptr;
  archive(built);
  if (!built) {
    bridge_.reset();
    return;
  }
  if (archive.isReading()) build();
  bridge_->exchange(archive);
}

}  // namespace cardan
