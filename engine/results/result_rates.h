/// ResultRates: time derivatives of signals that only results read, of any order.
#pragma once

#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/equations/signal_graph.h"

namespace cardan {

/// The motion at t + step, a moment from (t, y, yp), in the modes of now: along the rates, moved onto
/// the constraints and completed.
void findMoment(double step, double t, const std::vector<double>& y, const std::vector<double>& yp,
                const Layout& layout, Completion& completion, std::vector<double>& thereY,
                std::vector<double>& thereYp);

/// The first derivative of a signal of positions, velocities and time is directional: the signals
/// once more with the motion itself as direction. What reads accelerations or forces, and every
/// further derivative, is a central difference between two completed points of the motion a moment
/// before and after; modes stay as they are.
class ResultRates {
 public:
  ResultRates(const Equations& equations, const SignalGraph& signals);

  /// Rates and, along chains, values of these signals into `w`, which has been evaluated at (t, y,
  /// yp), y and yp complete.
  void fill(double t, const std::vector<double>& y, const std::vector<double>& yp,
            Completion& completion, Workspace<double>& w);

 private:
  /// What one order of differences needs, so that nothing is allocated while rows are written.
  struct Order {
    std::vector<double> y, yp, rates, before, after;
  };

  void rates(int order, double t, const std::vector<double>& y, const std::vector<double>& yp,
             Completion& completion, std::vector<double>& out);
  void values(int order, const std::vector<double>& rates, Workspace<double>& w) const;

  const Equations& equations_;
  const SignalGraph& signals_;
  bool differences_ = false;  ///< some rate of first order is no directional derivative
  Workspace<double> w_;
  EvaluationPoint at_;
  std::vector<Order> orders_;
  std::vector<double> rates_;
};

}  // namespace cardan
