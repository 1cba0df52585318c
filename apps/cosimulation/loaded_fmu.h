/// LoadedFmu: an instance of an FMU in this very process.
#pragma once

#include <memory>
#include <optional>

#include "apps/cosimulation/exchange_solver.h"

namespace cardan::cosimulation {

class LoadedFmu final : public FmuHost {
 public:
  /// `tell`: gets every message at once, as there may be no reply.
  using Tell = std::function<void(const std::string& message)>;
  explicit LoadedFmu(Tell tell = nullptr) : tell_(std::move(tell)) {}
  ~LoadedFmu() override;
  FmuReply call(const FmuRequest& request) override;

 private:
  void carryOut(const FmuRequest& request, FmuReply& reply);
  void open(const FmuOpening& opening);
  void restore(const std::string& state);

  Tell tell_;
  std::optional<FmuLibrary> library_;
  std::vector<FmuSlot> inputs_, outputs_;
  size_t outputSize_ = 0;
  std::vector<std::string> warnings_;  ///< since the last reply
  std::string last_;                   ///< message of all, of any status
  std::unique_ptr<FmiCalls> calls_;    ///< goes before the library
  bool isExchange_ = false;
  double start_ = 0;                      ///< [s]
  std::optional<ExchangeSolver> solver_;  ///< of what has none of its own, once it runs
};

}  // namespace cardan::cosimulation
