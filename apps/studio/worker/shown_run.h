/// ShownRun: a model read, checked and run for the page, which gets its messages, its curves while they
/// grow, and then the whole moving picture.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/studio/packet.h"
#include "engine/results/rows.h"
#include "engine/simulation.h"

namespace cardan::studio {

/// The rows of a run so far, as a part of the answer from time to time.
class GrowingCurves final : public RowSink {
 public:
  explicit GrowingCurves(int socket) : socket_(socket) {}
  void begin(const std::vector<Column>& columns) override;
  void row(double time, std::span<const double> values) override;
  /// Sends what there is if it is time to.
  void sendIfDue();

 private:
  using Clock = std::chrono::steady_clock;
  int socket_;
  std::vector<Column> columns_;
  std::vector<double> times_;
  std::vector<float> values_;  ///< row by row
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(80);
};

class ShownRun {
 public:
  /// `socket`: where parts of the answer go, and from where it is cancelled.
  ShownRun(const nlohmann::ordered_json& request, int socket);
  Packet answer();

 private:
  /// The model; of a study that which it names.
  Simulation load();
  void run(Simulation& simulation);
  /// Runs; "" or why the run has failed.
  std::string runToEnd(Simulation& simulation, RowSink& rows);
  bool isCancelled() const;

  int socket_;
  std::string file_;
  std::optional<std::string> text_;
  Overrides overrides_;
  std::vector<std::string> plots_;
  RunOptions options_;
  GrowingCurves growing_;
  Diagnostics messages_;
  nlohmann::ordered_json answer_;
  std::string picture_;  ///< JSON
  std::string bytes_;
};

}  // namespace cardan::studio
