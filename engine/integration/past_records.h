/// PastRecords: writes down what signals were, as the run goes on, for the delays that read it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/equations/equations.h"
#include "engine/integration/integrator.h"

namespace cardan {

/// At every accepted step the signals are looked at inside it, on the integrator's own polynomial, as
/// often as it takes to be as exact as the states are. What jumps, or may, begins a new stretch.
class PastRecords {
 public:
  explicit PastRecords(Equations& equations);

  /// Relative, of the run.
  void setTolerance(double tolerance) { tolerance_ = tolerance; }

  bool any() const { return !equations_.flatModel().pasts.empty(); }
  /// At the consistent start.
  void begin(double t, const std::vector<double>& y, const std::vector<double>& yp);
  /// The integrator has come to time().
  void follow(const Integrator& integrator);
  /// An event has been handled at (t, y, yp); `changed`: components and conditions that did.
  void passEvent(double t, const std::vector<double>& y, const std::vector<double>& yp,
                 const std::vector<std::string>& changed);
  /// [s] No step from here goes farther.
  double longestStep() const;

 private:
  using Nodes = std::array<double, 6>;

  double& signal(size_t i);
  void record(const Integrator& integrator, double from, double to, int depth);
  bool fits(const Integrator& integrator, double from, double to);
  Nodes polynomial(size_t i) const;

  Equations& equations_;
  double tolerance_ = 1e-8;
  Workspace<double> w_;
  std::vector<double> y_, yp_;
  std::vector<Nodes> values_;        ///< per record: at the nodes
  std::vector<Past::Piece> pieces_;  ///< per record: what is tried
  std::vector<double> farthest_;     ///< [s]  per record: that is read
  std::vector<double> tried_;        ///< per record: what the step has read of itself there
};

}  // namespace cardan
