#include "components/contact/rigid_seat.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace cardan::contact {
void RigidSeat::guards(const View<double>& x, Guards& g, const SeatState& f) const {
  double g1 = 1, g2 = 1;
  switch (x.mode(mode_)) {
    case Resting:
      g1 = f.f_n + stick_slip::slackOf(f.f_n);
      break;
    case Released:
      g1 = 2 * kHair - f.gap;
      g2 = f.v + kApproach;
      break;
    default:
      g1 = f.gap;
      break;
  }
  g.crossing(g1);
  g.crossing(g2);
  // Far more than what resting gives way by: a start may not have it; later it is a violation.
  if (f.gap < -std::max(1e-3 * f.size, kOpen)) {
    const std::string what = fmt::format(
        "rigid surfaces overlap by {:.6g} m: they must not at the start, and nothing else may push "
        "them together",
        -f.gap);
    g.violate(-f.gap / f.size, what);
    g.fail(what);
  }
}

bool RigidSeat::transition(Modes& m, const SeatState& f) const {
  const int was = m.get(mode_);
  int is = was;
  const bool still = std::abs(f.v) <= kApproach;
  if (was == Resting) {
    // Somebody else's blow. From an overlap what is slow may not come apart before it closes again.
    if (stick_slip::isStruck(f.v, std::abs(f.v - f.v_before)))
      is = f.gap + 0.5 * f.v * f.v / kPull < 0 ? Released : Apart;
    if (f.f_n < -0.5 * stick_slip::slackOf(f.f_n)) is = Released;
    if (m.isGuided()) is = Released;
    if (f.gap > kOpen) is = Apart;  // what guesses at the start had together
  } else if (was == Released) {
    if (f.gap > 1.5 * kHair) is = Apart;
  } else {
    is = !isClosed(f) || !still ? Apart : m.isGuided() ? Released : Resting;
  }
  // Nothing says yet how they share the load, of which each bears some.
  const double before = mobility_.get(m);
  double mobility = 0;
  if (is == Resting && before != 0) {
    mobility = before;
  } else if (is == Resting && was == Resting) {
    mobility = m.openMobility();
  }
  if (is == was && mobility == before) return false;
  m.set(mode_, is);
  mobility_.hold(m, 0, mobility);
  return true;
}

void RigidSeat::follow(Modes& m, double depth, bool isPushed) const {
  m.set(mode_, isPushed ? Resting : -depth < kHair ? Released : Apart);
  mobility_.hold(m, 0, 0);
}

bool RigidSeat::rest(Modes& m, const SeatState& f, bool rests) const {
  const int was = m.get(mode_);
  const int is = rests ? Resting : isClosed(f) ? Released : Apart;
  if (is == was || (!rests && was != Resting)) return false;
  m.set(mode_, is);
  return true;
}

}  // namespace cardan::contact
