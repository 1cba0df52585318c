/// RigidSeat: whether two rigid surfaces are apart, or one of them rests on the other.
#pragma once

#include "components/component.h"
#include "components/laws/held.h"
#include "components/laws/stick_slip.h"

namespace cardan::contact {

/// The normal motion of two rigid surfaces, at one instant.
struct SeatState {
  double gap;           ///< [m]    between the surfaces
  double v;             ///< [m/s]  its derivative
  double f_n;           ///< [N]    normal force, where one rests
  double size;          ///< [m]    of the surfaces
  double v_before = 0;  ///< [m/s]  v with which an event was entered
};

/// Modes   apart; released: still close, after they rested, or as joints hold both (Modes::isGuided), or
///         overlapping by what the integration left;
///         resting: the gap is held by a force, also where what is apart has come so close without a blow
/// Held    mobility [1/kg]: rests together with others, whose shares of the load nothing else
///         determines, the same for all that share (Modes::openMobility); 0: does not
/// Blows   where closed surfaces approach each other their velocities jump (Component::blow); what
///         does not part then rests, until it would have to be pulled
class RigidSeat {
 public:
  void declare(Structure& s) {
    mode_ = s.mode("seat", Unknown);
    mobility_.declareApart(s, "sharedMobility", {0});
  }

  template <class S>
  bool rests(const View<S>& x) const {
    return x.mode(mode_) == Resting;
  }
  bool rests(const Modes& m) const { return m.get(mode_) == Resting; }
  /// Rests, and knows of none to share a load with.
  template <class S>
  bool restsAlone(const View<S>& x) const {
    return rests(x) && mobility_(x) == 0;
  }
  static bool isClosed(const SeatState& f) { return f.gap < kHair; }
  /// The force f_n that keeps the gap as it is: zero of this is its law. `a`: second derivative of the
  /// gap. Of seats that rest on the same body each gives way a little by its force: of all shares
  /// that hold the body these have the least sum of squares. What overlaps from the start stays so:
  /// four feet that go back by four different ways would fight each other.
  template <class S>
  S held(const View<S>& x, const S& gap, const S& v, const S& a, const S& f_n) const {
    const S back = gap < -kGivenBack ? S(-kGivenBack) : gap;
    const S hold = a + 2 * kBack * v + kBack * kBack * back;
    const double mobility = mobility_(x);
    return mobility != 0 ? S(hold + kGive * mobility * f_n) : hold;
  }
  /// The same of one that rests alone and sticks, whose friction shares a load as stick_slip::sharedRow says: a
  /// joint holds the same motion, against which it does not go back, else one would fight the other.
  template <class S>
  S pinned(const S& v, const S& a) const {
    return a + stick_slip::kHold * v;
  }
  void guards(const View<double>& x, Guards& g, const SeatState& f) const;
  bool transition(Modes& m, const SeatState& f) const;
  /// Nobody looks for instants, and a step was taken to where the surfaces overlap by `depth` [m].
  void follow(Modes& m, double depth, bool isPushed) const;
  /// What is closed rests, or may part; true if that is a change.
  bool rest(Modes& m, const SeatState& f, bool rests) const;

  static constexpr double kApproach = ImpactPair::kApproach;  ///< [m/s]
  /// [m/s]  normal velocity of what rests that comes of the integration alone
  static constexpr double kDrift = 1e-4;

 private:
  static constexpr int Apart = 0, Released = 1, Resting = 2, Unknown = 3;
  static constexpr double kBack = 10;  ///< [1/s]  at which a gap goes back to nothing
  static constexpr double kGivenBack =
      1e-7;  ///< [m]  of an overlap, at the most: more is none of the integration
  static constexpr double kGive = 1e-8;  ///< [1]  of the mobility
  // Positions are as exact as the integration makes them, however small the surfaces are.
  static constexpr double kHair = 1e-9;  ///< [m]  gap that is none
  static constexpr double kOpen = 1e-5;  ///< [m]  gap that nothing rests at
  static constexpr double kPull = 1e3;   ///< [m/s2]  as what parts is pulled back, at the most

  ModeId mode_;
  Held mobility_;
};

}  // namespace cardan::contact
