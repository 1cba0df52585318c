#include "engine/integration/bridge.h"

#include <algorithm>
#include <utility>

namespace cardan {

double Bridge::note(double t, bool isMechanical, double longest) {
  if (!isMechanical) count_ = 0;
  if (!isMechanical || isOn()) return kNever;
  const double oldest = std::exchange(times_[next_], t);
  next_ = (next_ + 1) % kCrowd;
  count_ = std::min(count_ + 1, kCrowd + 1);
  const double took = count_ > kCrowd ? t - oldest : kNever;
  if (took < longest) {
    ++crowding_;
  } else if (!comesAgain(t)) {
    crowding_ = 0;
  }
  return took;
}

void Bridge::begin(double t, double step) {
  const double least = kFirst * step, most = kMost * step;
  span_ = comesAgain(t) ? std::clamp(2 * span_, least, most) : least;
  step_ = step;
  end_ = t + span_;
  count_ = 0;
}

void Bridge::leave() { left_ = std::exchange(end_, kNever); }

}  // namespace cardan
