/// ResultRates: time derivatives of signals that only results read, of any order.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/equations/signal_graph.h"

namespace cardan {

/// The motion at t + step, a moment from (t, y, yp), in the modes of now: along the rates, moved onto
/// the constraints and completed.
inline void findMoment(double step, double t, const std::vector<double>& y,
                       const std::vector<double>& yp, const Layout& layout, Completion& completion,
                       std::vector<double>& thereY, std::vector<double>& thereYp) {
  thereY = y;
  thereYp = yp;
  for (int i = 0; i < layout.lambdaOffset(); ++i) {
    if (layout.unknowns[i].differential) thereY[i] += step * yp[i];
  }
  completion.project(t + step, thereY);
  completion.complete(t + step, thereY, thereYp);
}

/// The first derivative of a signal of positions, velocities and time is directional: the signals
/// once more with the motion itself as direction. What reads accelerations or forces, and every
/// further derivative, is a central difference between two completed points of the motion a moment
/// before and after; modes stay as they are.
class ResultRates {
 public:
  ResultRates(const Equations& equations, const SignalGraph& signals)
      : equations_(equations),
        signals_(signals),
        w_(equations.makeWorkspace<double>()),
        at_(equations),
        orders_(signals.resultOrder() + 1),
        rates_(signals.slots(), 0.0) {
    for (const SignalSource& s : signals.sources()) {
      differences_ = differences_ || (s.resultOrder == 1 && !s.flowRate);
    }
    for (Order& o : orders_) o.rates = o.before = o.after = rates_;
  }

  /// Rates and, along chains, values of these signals into `w`, which has been evaluated at (t, y,
  /// yp), y and yp complete.
  void fill(double t, const std::vector<double>& y, const std::vector<double>& yp,
            Completion& completion, Workspace<double>& w) {
    const int order = signals_.resultOrder();
    rates(order, t, y, yp, completion, rates_);
    values(order, rates_, w);
  }

 private:
  /// What one order of differences needs, so that nothing is allocated while rows are written.
  struct Order {
    std::vector<double> y, yp, rates, before, after;
  };

  void rates(int order, double t, const std::vector<double>& y, const std::vector<double>& yp,
             Completion& completion, std::vector<double>& out) {
    if (order == 0) return;
    at_.setPoint(t, y.data(), yp.data());
    const Workspace<Dual>& flow = at_.alongTheFlow();
    for (const SignalSource& s : signals_.sources()) {
      if (!s.flowRate) continue;
      for (int k = s.slot; k < s.slot + s.size; ++k) {
        out[k] = flow.signals[k].lane(0);
      }
    }
    // Positions without inertia that accelerations move have no velocity that the flow could carry.
    const bool open = std::ranges::any_of(at_.carried(), [&](int i) {
      return std::ranges::find(completion.openRates(), i) != completion.openRates().end();
    });
    if (order == 1 && !differences_ && !open) return;

    Order& o = orders_[order];
    const double h = equations_.state.scales.moment(t, order);
    for (double side : {-h, h}) {
      findMoment(side, t, y, yp, equations_.layout(), completion, o.y, o.yp);
      rates(order - 1, t + side, o.y, o.yp, completion, o.rates);
      equations_.evaluateAt(w_, t + side, o.y, o.yp);
      values(order, o.rates, w_);
      std::copy(w_.signals.begin(), w_.signals.end(), (side < 0 ? o.before : o.after).begin());
    }
    for (const SignalSource& s : signals_.sources()) {
      if (s.resultOrder == 0 || s.resultOrder > order || (s.flowRate && !open)) continue;
      for (int k = s.slot; k < s.slot + s.size; ++k) {
        out[k] = (o.after[k] - o.before[k]) / (2 * h);
      }
    }
  }
  /// Puts the rates into an evaluated workspace, and what follows from them.
  void values(int order, const std::vector<double>& rates, Workspace<double>& w) const {
    for (const SignalSource& s : signals_.sources()) {
      if (s.resultOrder == 0) continue;
      for (int k = s.slot; k < s.slot + s.size; ++k) {
        w.signalRates[k] = rates[k];
      }
    }
    for (int k = 1; k <= order; ++k) signals_.evaluateResults(w.tables, k, w.signals.data());
  }

  const Equations& equations_;
  const SignalGraph& signals_;
  bool differences_ = false;  ///< some rate of first order is no directional derivative
  Workspace<double> w_;
  EvaluationPoint at_;
  std::vector<Order> orders_;
  std::vector<double> rates_;
};

}  // namespace cardan
