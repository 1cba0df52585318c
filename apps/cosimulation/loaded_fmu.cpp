#include "apps/cosimulation/loaded_fmu.h"

#include <fmt/format.h>

#include <utility>

namespace cardan::cosimulation {
namespace {

constexpr size_t kMostWarnings = 100;  // of one call: who tells more says nothing new

}  // namespace

LoadedFmu::~LoadedFmu() = default;

FmuReply LoadedFmu::call(const FmuRequest& request) {
  FmuReply reply;
  try {
    carryOut(request, reply);
  } catch (const std::exception& e) {
    reply.failure = e.what() + lastMessage(last_);
  } catch (...) {
    reply.failure = "it has thrown something that nobody knows";
  }
  reply.warnings = std::exchange(warnings_, {});
  return reply;
}

void LoadedFmu::carryOut(const FmuRequest& r, FmuReply& reply) {
  using Kind = FmuRequest::Kind;
  if (r.kind == Kind::open) return open(r.opening);
  if (!calls_) throw FmuFailure("it has no instance");
  if (r.kind == Kind::save) {
    reply.state = calls_->save();
    if (solver_) reply.state += fmt::format(" {}", solver_->nextStep());
    return;
  }
  if (r.kind == Kind::restore) return restore(r.state);
  const auto setInputs = [&] { calls_->setNumbers(inputs_, r.inputs.data()); };
  if (r.kind == Kind::begin) {
    calls_->exitInitialisation();
    if (isExchange_) solver_.emplace(*calls_).begin(start_);
  } else if (r.kind == Kind::step && isExchange_) {
    solver_->step(r.time, r.length, setInputs);
  } else {
    setInputs();
    if (r.kind == Kind::step) calls_->step(r.time, r.length);
  }
  reply.outputs.resize(outputSize_);
  calls_->getNumbers(outputs_, reply.outputs.data());
}

/// Behind the state of an FMU stands what its solver knows.
void LoadedFmu::restore(const std::string& state) {
  if (!isExchange_) return calls_->restore(state);
  const size_t end = state.rfind(' ');
  if (end == std::string::npos) throw FmuFailure("its state is not whole");
  calls_->restore(state.substr(0, end));
  solver_.emplace(*calls_).setNextStep(std::stod(state.substr(end)));
}

void LoadedFmu::open(const FmuOpening& o) {
  inputs_ = o.inputs;
  outputs_ = o.outputs;
  for (const FmuSlot& s : outputs_) outputSize_ += s.size;
  isExchange_ = o.isExchange;
  start_ = o.start;
  library_.emplace(o.library);
  const auto log = [this](int status, std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    if (text.empty()) return;
    last_ = text;
    if (tell_) tell_(text);
    if (status >= kFmiWarning && warnings_.size() < kMostWarnings)
      warnings_.push_back(std::move(text));
  };
  calls_ = o.version == 2 ? fmi2Calls(*library_, o, log) : fmi3Calls(*library_, o, log);
  for (const FmuSetting& s : o.settings) calls_->set(s);
  calls_->enterInitialisation(o.start);
}

}  // namespace cardan::cosimulation
