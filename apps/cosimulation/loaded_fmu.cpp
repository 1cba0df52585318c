#include "apps/cosimulation/loaded_fmu.h"

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
    return;
  }
  if (r.kind == Kind::restore) return calls_->restore(r.state);
  if (r.kind != Kind::begin) calls_->setNumbers(inputs_, r.inputs.data());
  if (r.kind == Kind::begin) calls_->exitInitialisation();
  if (r.kind == Kind::step) calls_->step(r.time, r.length);
  reply.outputs.resize(outputSize_);
  calls_->getNumbers(outputs_, reply.outputs.data());
}

void LoadedFmu::open(const FmuOpening& o) {
  inputs_ = o.inputs;
  outputs_ = o.outputs;
  for (const FmuSlot& s : outputs_) outputSize_ += s.size;
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
