/// FmuProcess: an instance of an FMU in a process of its own, which cannot do more harm than to end.
#pragma once

#include <string>

#include "apps/cosimulation/child_process.h"
#include "apps/cosimulation/fmu_host.h"

namespace cardan::cosimulation {

class FmuProcess final : public FmuHost {
 public:
  /// `timeout` [s]: of every call. Throws std::runtime_error where no process can be started.
  explicit FmuProcess(double timeout);
  ~FmuProcess() override;
  FmuProcess(const FmuProcess&) = delete;
  FmuProcess& operator=(const FmuProcess&) = delete;

  FmuReply call(const FmuRequest& request) override;

 private:
  bool take(FmuReply& reply);
  FmuReply ended();
  FmuReply tookTooLong();

  double timeout_;
  ServedProcess served_;
  std::string buffer_, last_;  ///< what has come; the FMU's last message
};

}  // namespace cardan::cosimulation
