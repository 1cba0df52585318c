#include "engine/results/result_rates.h"

#include <algorithm>

namespace cardan {

void findMoment(double step, double t, const std::vector<double>& y, const std::vector<double>& yp,
                const Layout& layout, Completion& completion, std::vector<double>& thereY,
                std::vector<double>& thereYp) {
  thereY = y;
  thereYp = yp;
  for (int i = 0; i < layout.lambdaOffset(); ++i) {
    if (layout.unknowns[i].differential) thereY[i] += step * yp[i];
  }
  completion.project(t + step, thereY);
  completion.complete(t + step, thereY, thereYp);
}

ResultRates::ResultRates(const Equations& equations, const SignalGraph& signals)
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

void ResultRates::fill(double t, const std::vector<double>& y, const std::vector<double>& yp,
                       Completion& completion, Workspace<double>& w) {
  const int order = signals_.resultOrder();
  rates(order, t, y, yp, completion, rates_);
  values(order, rates_, w);
}

/// Puts the rates into an evaluated workspace, and what follows from them.
void ResultRates::values(int order, const std::vector<double>& rates, Workspace<double>& w) const {
  for (const SignalSource& s : signals_.sources()) {
    if (s.resultOrder == 0) continue;
    for (int k = s.slot; k < s.slot + s.size; ++k) {
      w.signalRates[k] = rates[k];
    }
  }
  for (int k = 1; k <= order; ++k) signals_.evaluateResults(w.tables, k, w.signals.data());
}

void ResultRates::rates(int order, double t, const std::vector<double>& y,
                        const std::vector<double>& yp, Completion& completion,
                        std::vector<double>& out) {
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

}  // namespace cardan
