#include "engine/motion_exchange.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/equations/model.h"
#include "engine/integration/event_system.h"
#include "engine/integration/given_steps.h"
#include "engine/results/run_options.h"
#include "engine/run.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"

namespace cardan {
namespace {

/// The states are put back onto constraints that they miss by more, in tolerances: it takes an event, and
/// moves the motion along the constraints by as much, relative.
constexpr double kDrift = 10;

}  // namespace

struct MotionExchange::Parts final : RunCompanion {
  explicit Parts(Simulation& s) : simulation(s) {}

  std::unique_ptr<Integrator> makeIntegrator(IntegratorChoice /*choice*/, MultibodySystem& system,
                                             const IntegratorOptions& options) override {
    auto made = std::make_unique<GivenSteps>(system, options);
    steps = made.get();
    hasFixedStep = options.step > 0;
    return made;
  }
  Run& run() { return *simulation.parts().run; }
  std::string obstacle() const;

  Simulation& simulation;
  GivenSteps* steps = nullptr;  ///< the run's
  bool hasFixedStep = false;
};

std::string MotionExchange::Parts::obstacle() const {
  const FlatModel& flat = simulation.model().assembly().flatModel;
  if (!flat.outsides.empty())
    return flat.typeAndName(flat.outsides.front()) + " is stepped by a program of its own";
  if (hasFixedStep) return "its steps have one length ('integrator: stepping')";
  if (!simulation.source().inputs.empty() && simulation.parts().equations->signals().readsRates())
    return "its motion reads rates of signals, and inputs have none that are told";
  return steps->obstacle();
}

MotionExchange::MotionExchange(Simulation& simulation)
    : parts_(std::make_unique<Parts>(simulation)) {}

MotionExchange::~MotionExchange() = default;

std::vector<int> MotionExchange::states(const Simulation& simulation) {
  return GivenSteps::statesOf(simulation.model().assembly().layout);
}

std::string MotionExchange::start(const RunOptions& given) {
  SimulationParts& all = parts_->simulation.parts();
  all.run.reset();
  all.events = std::make_unique<EventSystem>(*all.model, *all.equations, true);
  RunOptions options = given;
  options.companion = parts_.get();
  parts_->simulation.start(options);
  return parts_->obstacle();
}

int MotionExchange::margins() const {
  const int crossings = parts_->simulation.parts().events->crossings();
  return crossings > 0 ? crossings + 1 : 0;
}

std::vector<double> MotionExchange::nominals() const {
  std::vector<double> nominals;
  for (const int i : parts_->steps->places())
    nominals.push_back(parts_->simulation.parts().equations->state.nominals[i]);
  return nominals;
}

void MotionExchange::setTime(double time) {
  parts_->steps->put(time);
  parts_->run().look();
}

void MotionExchange::setStates(std::span<const double> states) {
  parts_->steps->put(states);
  parts_->run().look();
}

std::span<const double> MotionExchange::states() const { return parts_->steps->states(); }

bool MotionExchange::complete() { return parts_->steps->complete(); }

bool MotionExchange::rates(std::span<double> rates) {
  if (!complete()) return false;
  double* out = rates.data();
  for (const int i : parts_->steps->places()) *out++ = parts_->steps->yp()[i];
  return true;
}

bool MotionExchange::margins(std::span<double> margins) {
  return parts_->steps->margins(margins.data());
}

bool MotionExchange::passStep() {
  return parts_->run().passStep() || parts_->steps->drift() > kDrift;
}

MotionExchange::Event MotionExchange::passEvent() {
  const std::vector<double> before(states().begin(), states().end());
  const bool happened = parts_->run().passEvent();
  parts_->simulation.finish();
  return {!std::ranges::equal(before, states()), happened, parts_->run().nextEvent()};
}

}  // namespace cardan
