#include "components/laws/stick_slip.h"

namespace cardan {

using namespace stick_slip;

void SlipModes::declare(Structure& s) {
  mode_ = s.mode("mode", Unknown);
  starting_ = s.mode("starting", 0);
  shared_ = s.mode("shared", 0);
  direction_.declare(s);
  jam_.declareApart(s, "jam", {0, 0, 0});
}

void SlipModes::guards(const View<double>& x, Guards& g, const SlipState& f) const {
  const Vector3d d = direction_(x);
  double g1 = 1, g2 = 1;
  if (mode(x) == Sliding) {
    g1 = HeldDirection::guard(d, f.w);
  } else if (x.mode(starting_) != 0) {
    g1 = kSmallSlip - d.dot(f.w);
    g2 = kSmallSlip + d.dot(f.w);
  } else if (mode(x) == Stuck) {
    g1 = f.tau0_max + slackOf(f.tau0_max) - f.tau.norm();
  }
  g.crossing(g1);
  g.crossing(g2);
}

bool SlipModes::set(Modes& m, int mode, bool starting, const Vector3d& direction) const {
  const bool same = m.get(mode_) == mode && (m.get(starting_) != 0) == starting;
  const bool free = mode == Stuck && !starting;
  if (same && (free || direction_.get(m) == direction)) return false;
  if (!free) stopSharing(m);
  m.set(mode_, mode);
  m.set(starting_, starting ? 1 : 0);
  if (!free) direction_.hold(m, direction);
  return true;
}

bool SlipModes::forget(Modes& m) const {
  if (m.get(mode_) == Unknown && m.get(starting_) == 0) return false;
  m.set(mode_, Unknown);
  m.set(starting_, 0);
  stopSharing(m);
  return true;
}

void SlipModes::stopSharing(Modes& m) const { share(m, 0, {0, 0, 0}); }

bool SlipModes::share(Modes& m, int shared, const Vector3d& from) const {
  m.set(shared_, shared);
  for (int i = 0; i < 3; ++i) jam_.hold(m, i, from[i]);
  return true;
}

bool SlipModes::hold(Modes& m, const SlipState& f, bool sticks, const Vector3d& tau,
                     const Vector3d& direction) const {
  if (f.isStruck()) return transition(m, f);
  bool jams = false;
  for (int i = 0; sticks && i < 3; ++i) {
    jams = jams || jam_.get(m, i) != tau[i];
    jam_.hold(m, i, tau[i]);
  }
  return set(m, Stuck, !sticks, direction) || jams;
}

bool SlipModes::transition(Modes& m, const SlipState& f) const {
  const int mode = m.get(mode_);
  const double speed = f.w.norm();
  const Vector3d d = direction_.get(m);
  const auto slide = [&] { return set(m, Sliding, false, f.w / speed); };
  const auto stick = [&] { return set(m, Stuck, false, d); };
  const double along = d.dot(f.w), onward = d.dot(f.a);
  if (mode == Sliding) {
    if (along >= 0.5 * kSmallSlip && HeldDirection::agrees(d, f.w)) return false;
    return speed > kJump ? slide() : stick();
  }
  if (mode != Stuck) return speed > kSmallSlip ? slide() : stick();
  if (m.get(starting_) == 0) {
    if (f.isStruck()) return slide();
    // What else holds the element moves it on: a driven joint, a dead point.
    const bool mayShare = m.isUndetermined() && m.get(shared_) == 0;
    const double drift = mayShare ? kDrift : 0;
    if (m.contradiction() > drift && f.a.norm() > kMoved * m.contradiction())
      return set(m, Stuck, true, f.a.normalized());
    if (mayShare) {
      m.set(shared_, 1);
      return true;
    }
    if (f.tau.norm() > f.tau0_max && f.tau.norm() > 0)
      return m.get(shared_) == 2 ? share(m, 1, {0, 0, 0}) : set(m, Stuck, true, f.tau.normalized());
    return m.isQuiet() && m.get(shared_) == 1 && f.creeps && share(m, 2, f.tau);
  }
  if (along > 0.75 * kSmallSlip) return slide();
  // As with friction about one axis: the start of sliding ends where the slip turns back; by more
  // than what the sharing of loads makes it creep, else both modes would refuse.
  const double rest = tied(speed);
  const bool turnsBack = along < -0.75 * kSmallSlip && !(onward > -rest);
  const bool goesOn =
      along > -kJump && !turnsBack && onward + f.tau0_max > f.tau0 - slackOf(f.tau0_max) - rest;
  return goesOn ? false : stick();
}

}  // namespace cardan
