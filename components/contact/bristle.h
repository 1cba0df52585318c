/// Bristle: Coulomb friction between elastic surfaces that stick by a small elastic displacement.
#pragma once

#include "components/component.h"
#include "components/laws/held_direction.h"

namespace cardan::contact {

/// How two surfaces slip on each other, at one instant; vectors are resolved in world.
template <class S>
struct Slip {
  /// [m/s]  Of one surface on the other, across the normal; with Grip::spins its part along the
  /// normal is the spin times a radius.
  Vector3<S> v_0;
  Vector3<S> n_0;  ///< [1]      normal
  Vector3<S> w_0;  ///< [rad/s]  at which the plane of contact turns, about the normal as well
};

/// How firmly two surfaces stick.
struct Grip {
  double z_s;          ///< [m]  displacement by which they hold the sliding friction mu f_n
  double peak;         ///< [1]  largest friction when stuck over sliding friction
  bool spins = false;  ///< they hold a spin, too, by one limit for slip and spin
};

/// The surfaces hold each other by bristles, whose displacement z is a state: a vector across the normal,
/// and with Grip::spins a number z_n along it, which no turn of the normal mixes with that. Friction per
/// sliding friction mu f_n is `hold`:
///
/// Equations  stuck:    der(z) = v_slip,  hold = (z + T v_slip)/z_s, of a size of at most peak
///            yielding: der(z) = v_slip without its part along z,  hold alike, of a size of at most 1
///            sliding:  hold = v_slip/|v_slip|;  z rests, as it does apart
///            der(z) as an observer on the plane of contact sees it;  T = 1 ms. Where the normal turns
///            otherwise than Slip::w_0 says, z turns after it within T, and keeps its size.
/// Modes      stuck until |hold| = peak, when z becomes hold z_s/|hold|; yielding until |hold| < 1, or
///            until the slip is fast, two times v_s = z_s/T: then sliding, until it is slower than
///            v_s. Each depends on states alone, so that contacts which hold a body together choose
///            none for each other, and shares of loads follow from the displacements.
/// Source     Dahl's and LuGre's bristle (Canudas de Wit et al., IEEE Trans. Autom. Control 40
///            (1995)), elasto-plastic as in Dupont et al., IEEE Trans. Autom. Control 47 (2002),
///            with the plastic part by events: below the limit nothing creeps.
class Bristle {
 public:
  void declare(Structure& s, const Grip& grip);
  void describe(Variables& v, const Grip& grip) const;

  /// The surfaces hold each other, and have not given way.
  template <class S>
  bool isStuck(const View<S>& x) const {
    return x.mode(mode_) == Stuck;
  }
  /// Friction per sliding friction against the slip.
  template <class S>
  Vector3<S> hold(const View<S>& x, const Vector3<S>& slip, const Vector3<S>& n_0,
                  const Grip& grip) const {
    const int mode = x.mode(mode_);
    if (mode == Sliding) return slip / sqrt(max(dot(slip, slip), 0.25 * slow(grip) * slow(grip)));
    const Vector3<S> s = load(displacement(x, n_0, grip), slip, grip);
    const S size2 = dot(s, s);
    const double most = mode == Stuck ? grip.peak : 1;
    return value(size2) <= most * most ? s : Vector3<S>(s * (most / sqrt(size2)));
  }
  /// Rows of z where the surfaces touch.
  template <class S>
  void rows(View<S>& x, const Slip<S>& slip, const Grip& grip) const {
    const int mode = x.mode(mode_);
    if (mode != Stuck && mode != Yielding) {
      restingRows(x, grip);
      return;
    }
    const Vector3<S> z = vector(x), &n = slip.n_0;
    const S up = dot(n, z), z_n = grip.spins ? x.unknown(z_n_) : S(0.0);
    const Vector3<S> across = z - n * up;
    const S size2 = max(dot(across, across), 0.25 * grip.z_s * grip.z_s);
    S rate_n = dot(n, slip.v_0);
    Vector3<S> rate = slip.v_0 - n * rate_n + cross(slip.w_0, z);
    rate -= (n - across * (up / size2)) * (up / kT);
    if (mode == Yielding && !(x.ahead() > 0)) {
      const Vector3<S> all = across + n * z_n;
      const S size = sqrt(max(dot(all, all), 0.25 * grip.z_s * grip.z_s));
      const Vector3<S> e = all / size;
      const S less = dot(e, slip.v_0) + (size - grip.z_s) / kT;
      rate -= across * (less / size);
      rate_n -= z_n * (less / size);
    }
    for (int i = 0; i < 3; ++i) x.row(row_, i) = x.rate(z_[i]) - rate[i];
    if (grip.spins) x.row(spin_) = x.rate(z_n_) - rate_n;
  }
  /// Rows of z that rests, as it does apart.
  template <class S>
  void restingRows(View<S>& x, const Grip& grip) const {
    for (int i = 0; i < 3; ++i) x.row(row_, i) = x.rate(z_[i]);
    if (grip.spins) x.row(spin_) = x.rate(z_n_);
  }
  void guards(const View<double>& x, Guards& g, const Vector3d& slip, const Vector3d& n_0,
              const Grip& grip) const;
  /// True if something changed.
  bool transition(const View<double>& x, Modes& m, const Vector3d& slip, const Vector3d& n_0,
                  const Grip& grip) const;
  /// Where nobody looks for the limit (View::ahead): stuck throughout, with a hold of at most peak, or 1
  /// where they yield; here z comes back to what holds so much, the return map of plasticity. `touch`:
  /// the surfaces do.
  void follow(const View<double>& x, Modes& m, bool touch, const Vector3d& slip,
              const Vector3d& n_0, const Grip& grip) const;
  /// Apart.
  bool forget(Modes& m) const;

 private:
  static constexpr int Apart = 0, Stuck = 1, Yielding = 2, Sliding = 3;
  static constexpr double kT = 1e-3;       ///< [s]
  static constexpr double kBeyond = 1e-9;  ///< [1]  of peak: the limit is passed
  static constexpr double kBack = 1e-6;    ///< [1]  of the limit: they hold less
  static constexpr double kClear = 1e-6;   ///< [1]  of the slow speed: at the event it is clear

  /// What they would hold without a limit, per sliding friction.
  template <class S>
  static Vector3<S> load(const Vector3<S>& z, const Vector3<S>& slip, const Grip& grip) {
    return (z + slip * kT) / grip.z_s;
  }
  static double slow(const Grip& grip) { return grip.z_s / kT; }
  template <class S>
  Vector3<S> vector(const View<S>& x) const {
    return {x.unknown(z_[0]), x.unknown(z_[1]), x.unknown(z_[2])};
  }
  /// Across the normal, and what is along it.
  template <class S>
  Vector3<S> displacement(const View<S>& x, const Vector3<S>& n_0, const Grip& grip) const {
    const Vector3<S> z = vector(x);
    const S up = dot(n_0, z);
    return z - n_0 * (grip.spins ? S(up - x.unknown(z_n_)) : up);
  }
  bool slide(Modes& m, const Vector3d& slip) const;
  void clear(const View<double>& x, Modes& m, const Grip& grip) const;
  void place(Modes& m, const Vector3d& z, const Vector3d& n_0, const Grip& grip) const;

  UnknownId z_[3], z_n_;
  RowId row_, spin_;
  ModeId mode_;
  HeldDirection direction_;
};

}  // namespace cardan::contact
