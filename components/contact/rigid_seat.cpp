#include "components/contact/rigid_seat.h"

#include <fmt/format.h>

#include <cmath>

#include "components/laws/stick_slip.h"

namespace cardan::contact {
namespace {

/// True in the pass that follows a blow (Component::blow): velocities have just jumped. (Asked for,
/// like isQuiet, by the mode that no component has.)
bool isStruck(const Modes& m) { return m.get(ModeId{}) == 3; }

/// The bits of the mobility [1/kg] of surfaces whose normal forces are open against each other; 0: of
/// these they are not. (Asked for by another mode that no component has.)
int openMobility(const Modes& m) { return m.get(ModeId{-2}); }

}  // namespace

void RigidSeat::guards(const View<double>& x, Guards& g, const SeatState& f) const {
  double g1 = 1, g2 = 1;
  switch (x.mode(mode_)) {
    case Resting:
      g1 = f.f_n + stick_slip::slackOf(f.f_n);
      break;
    case Released:
      g1 = 2 * hair(f) - f.gap;
      g2 = f.v + kApproach;
      break;
    default:
      g1 = f.gap;
      break;
  }
  g.crossing(g1);
  g.crossing(g2);
  // Far more than what resting gives way by.
  if (f.gap < -1e-3 * f.size) {
    g.fail(
        fmt::format("rigid surfaces overlap by {:.6g} m: they must not at the start, and nothing "
                    "else may push them together",
                    -f.gap));
  }
}

bool RigidSeat::transition(Modes& m, const SeatState& f) const {
  const int was = m.get(mode_);
  int is = was;
  const bool still = std::abs(f.v) <= kApproach;
  if (was == Resting) {
    if (f.v > stick_slip::kJump) is = Apart;  // somebody else's blow
    if (f.f_n < -0.5 * stick_slip::slackOf(f.f_n)) is = Released;
    if (f.gap > kOpen * f.size) is = Apart;  // what guesses at the start had together
  } else if (was == Released) {
    if (f.gap > 1.5 * hair(f)) is = Apart;
  } else if (was == Unknown) {
    is = isClosed(f) && still ? Resting : Apart;
  }
  if (isStruck(m) && isClosed(f)) is = still ? Resting : Apart;
  // Nothing says yet how they share the load, of which each bears some.
  const int shared = m.get(shared_);
  int shares = 0;
  if (is == Resting && shared != 0) {
    shares = shared;
  } else if (is == Resting && was == Resting) {
    shares = openMobility(m);
  }
  if (is == was && shares == shared) return false;
  m.set(mode_, is);
  m.set(shared_, shares);
  return true;
}

}  // namespace cardan::contact
