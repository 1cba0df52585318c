#include "engine/integration/charts.h"

#include <algorithm>

namespace cardan {

Charts::Charts(Equations& equations) : equations_(equations) {
  const Layout& layout = equations.layout();
  for (const Layout::TreeJoint& s : layout.tree) {
    if (!s.law || s.chart < 0) continue;
    const OrientationChart c = s.law->chart();
    places_.push_back({c.chart, s.q + c.first, c.size, s.chart});
  }
  guess_.resize(layout.nq);
}

bool Charts::areDue(std::span<const double> y) const {
  return std::ranges::any_of(places_, [&](const Place& p) { return p.chart->isDue(&y[p.q]); });
}

void Charts::renew(Integrator& integrator) {
  if (places_.empty()) return;
  const double* now = integrator.y().data();
  due_.clear();
  for (const Place& p : places_) {
    if (p.chart->isDue(now + p.q)) due_.push_back(p);
  }
  if (due_.empty()) return;
  std::vector<double>& references = equations_.state.charts;
  before_ = references;
  for (const Place& p : due_) {
    p.chart->renew(now + p.q, references.data() + p.reference);
    p.chart->middle(guess_.data() + p.q);
  }
  // From the newest point to the oldest, each on the branch of the one before.
  integrator.mapHistory([&](double* y) {
    for (const Place& p : due_) {
      double* q = y + p.q;
      p.chart->translate(before_.data() + p.reference, references.data() + p.reference,
                         guess_.data() + p.q, q);
      std::copy_n(q, p.nq, guess_.data() + p.q);
    }
  });
  changes_ += std::ssize(due_);
}

}  // namespace cardan
