#include "engine/integration/charts.h"

#include <algorithm>

namespace cardan {

Charts::Charts(const Layout& layout) {
  for (const Layout::TreeJoint& s : layout.tree) {
    if (!s.law) continue;
    const ChartOfEdge c = s.law->chart();
    if (c.chart) places_.push_back({c.chart, s.q + c.first, c.size});
  }
  guess_.resize(static_cast<size_t>(layout.nq));
}

void Charts::reset() const {
  for (const Place& p : places_) p.chart->reset();
}

void Charts::start(const double* y) {
  changes_ = 0;
  for (const Place& p : places_) p.chart->arrive(y + p.q);
}

void Charts::renew(IdaIntegrator& integrator) {
  if (places_.empty()) return;
  const double* now = integrator.y().data();
  due_.clear();
  for (const Place& p : places_) {
    if (p.chart->arrive(now + p.q)) due_.push_back(p);
  }
  if (due_.empty()) return;
  for (const Place& p : due_) {
    p.chart->renew(now + p.q);
    p.chart->middle(guess_.data() + p.q);
  }
  // From the newest point to the oldest, each on the branch of the one before.
  integrator.mapHistory([this](double* y) {
    for (const Place& p : due_) {
      double* q = y + p.q;
      p.chart->translate(guess_.data() + p.q, q);
      std::copy_n(q, p.nq, guess_.data() + p.q);
    }
  });
  changes_ += static_cast<long>(due_.size());
}

}  // namespace cardan
