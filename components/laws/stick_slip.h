/// Stick and slip of Coulomb friction: what counts as no slip, and the modes of a friction whose
/// slip is a vector.
#pragma once

#include <cmath>

#include "components/component.h"
#include "components/laws/held_direction.h"

namespace cardan {

namespace stick_slip {

/// [rad/s | m/s]  a slip below counts as none; small against any tolerance, large against rounding
inline constexpr double kSmallSlip = 1e-8;
/// [rad/s | m/s]  a stuck element that slips more has been struck, if it has not crept there
inline constexpr double kJump = 1e-6;
/// [rad/s | m/s]  a stuck element that slips more does not stick: no integration leaves as much
inline constexpr double kCreptMost = 1e-2;
inline double sizeOf(double w) { return std::abs(w); }
inline double sizeOf(const Vector3d& w) { return w.norm(); }
/// What the slip `w` was when the event was entered, by slipAt(View); zero where that is not known, and not
/// asked where nobody could have struck.
template <class W, class SlipAt>
W entered(const Modes& m, const W& w, const SlipAt& slipAt) {
  return m.before() && sizeOf(w) > kJump ? W(slipAt(*m.before())) : W(0 * w);
}
/// True of a stuck element that slips by `speed`, by `jump` more or less than when the event was entered.
inline bool isStruck(double speed, double jump) {
  return speed > kJump && (jump > kJump || speed > kCreptMost);
}
/// A stuck element takes part in a contradiction of the equations if it leaves this part of it.
inline constexpr double kMoved = 1e-6;
/// A contradiction that comes of what the integration leaves of slips and gaps alone.
inline constexpr double kDrift = 1e-4;
/// Of elements that stick together on the same motion, friction over its limit is what their slip
/// accelerates by, in units of kCreep: their share of the load is then definite. The creep is held
/// down by kHold.
inline constexpr double kCreep = 1e-8;  ///< [rad/s2 | m/s2]
inline constexpr double kHold = 10;     ///< [1/s]
/// What holds a slip w leaves of its rate: stuck and about to slide are as good.
inline double tied(double w) { return 2 * (kCreep + kHold * w); }
/// Distance by which a limit must be passed before it is an event.
inline double slackOf(double limit) { return 1e-9 * (std::abs(limit) + 1e-3); }

/// What is zero in an element that sticks together with others; linear in the rate, whatever the limit is.
template <class S>
S sharedRow(const S& tau, const S& limit, const S& w, const S& a) {
  constexpr double kLeast = 1e-6;  // [N.m | N]
  return a + kHold * w - kCreep * tau / max(limit, kLeast);
}

}  // namespace stick_slip

/// Slip, friction against it and what limits that, at one instant.
struct SlipState {
  Vector3d w;                  ///< [rad/s | m/s]    slip
  Vector3d a;                  ///< [rad/s2 | m/s2]  its derivative
  Vector3d tau;                ///< [N.m | N]        friction
  double tau0 = 0;             ///< [N.m | N]        sliding friction
  double tau0_max = 0;         ///< [N.m | N]        largest friction when stuck
  bool creeps = true;          ///< what it shares with others it does by stick_slip::sharedRow
  Vector3d w_before{0, 0, 0};  ///< [rad/s | m/s]  slip with which an event was entered

  bool isStruck() const { return stick_slip::isStruck(w.norm(), (w - w_before).norm()); }
};

/// Modes of Coulomb friction against a slip in any direction.
///
/// mode        0 stuck, 1 sliding, 3 not yet known
/// starting    stuck, but the friction's limit was passed: sliding friction acts along `direction`,
///             the slip is still about zero
/// shared      stuck together with others, or where joints hold the same motion: see
///             stick_slip::sharedRow, which counts from `jam`: the friction of surfaces that jam, or the share
///             with which an event has ended, so that what rests does not creep (2 then, else 1). Where a share
///             comes to its limit all of it is shared anew
/// direction   when sliding: the slip's, as it was not long ago; it tells a slip that turns from one
///             that passes through zero
///
/// Crossings: in sliding the slip 60 degrees away from `direction`, where it has turned, or has come
/// to rest and would go back; in starting the slip along `direction` away from zero by a hair; when
/// stuck the friction against its limit.
class SlipModes {
 public:
  static constexpr int Stuck = 0, Sliding = 1, Unknown = 3;

  void declare(Structure& s);

  template <class S>
  int mode(const View<S>& x) const {
    return x.mode(mode_);
  }
  /// Sliding friction acts, along the unit vector against().
  template <class S>
  bool isLoose(const View<S>& x) const {
    return mode(x) == Sliding || x.mode(starting_) != 0;
  }
  template <class S>
  bool isShared(const View<S>& x) const {
    return x.mode(shared_) != 0;
  }
  bool isShared(const Modes& m) const { return m.get(shared_) != 0; }
  void stopSharing(Modes& m) const;
  /// The friction without what jams: what shares a load.
  template <class S>
  Vector3<S> shared(const View<S>& x, const Vector3<S>& tau) const {
    return {tau[0] - jam_(x, 0), tau[1] - jam_(x, 1), tau[2] - jam_(x, 2)};
  }
  /// Direction of the slip `w`. It goes on smoothly where the slip passes through zero, and where that is
  /// not large against what a solver leaves of it, its direction is the one that it began with.
  template <class S>
  Vector3<S> against(const View<S>& x, const Vector3<S>& w) const {
    const Vector3d d = direction_(x);
    if (mode(x) != Sliding) return {S(d[0]), S(d[1]), S(d[2])};
    const double along = d[0] * value(w[0]) + d[1] * value(w[1]) + d[2] * value(w[2]);
    constexpr double kOwn = stick_slip::kJump;
    const S held = kOwn * kOwn * kOwn / (dot(w, w) + kOwn * kOwn);
    const Vector3<S> to = (along < 0 ? -1.0 : 1.0) * w + d.template cast<S>() * held;
    return to / frames::length(to);
  }

  void guards(const View<double>& x, Guards& g, const SlipState& f) const;
  bool transition(Modes& m, const SlipState& f) const;
  /// Stuck by the friction `tau`, or about to slip along the unit vector `direction`; what slips already does
  /// as its slip tells. What shares a load by other friction than this jams. True if that is a change.
  bool hold(Modes& m, const SlipState& f, bool sticks, const Vector3d& tau,
            const Vector3d& direction) const;
  /// Not yet known, as at the start; true if that is a change.
  bool forget(Modes& m) const;

 private:
  bool set(Modes& m, int mode, bool starting, const Vector3d& direction) const;
  bool share(Modes& m, int shared, const Vector3d& from) const;

  ModeId mode_, starting_, shared_;
  HeldDirection direction_;
  Held jam_;  ///< [N.m | N]
};

}  // namespace cardan
