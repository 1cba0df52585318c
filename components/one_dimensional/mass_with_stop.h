/// Sliding mass with Stribeck friction between two hard stops.
#pragma once

#include <cmath>

#include "components/one_dimensional/friction.h"

namespace cardan::one_dimensional {

/// Mass of length L that slides with friction from smin to smax, where it comes to rest at once.
///
/// Equations  flange_a.s = s - L/2;  flange_b.s = s + L/2;  m der(v) = flange_a.f + flange_b.f - f;
///            sliding forward f = F_prop v + F_Coulomb + F_Stribeck exp(-fexp v);
///            stuck a = 0, f up to 1.001 (F_Coulomb + F_Stribeck), and any that keeps it off a stop
/// Mode       stop: -1 at smin, 1 at smax, 0 between them
/// Blows      at a stop its velocity jumps to zero, and that of all that it is rigidly connected to
/// Source     MSL 4.0 Translational.MassWithStopAndFriction
class MassWithStopAndFriction final
    : public CoulombFriction<TranslationalAxis, MassWithStopAndFriction> {
 public:
  static constexpr bool stops = true;

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;
  bool blow(const View<double>& x, ImpactPair& b) const override;

  template <class S>
  void physics(View<S>& x) const {
    CoulombFriction::physics(x);
    x.addFlow(flanges_.a, m_ * x.flange(flanges_.a).acceleration);
    if (x.isStriking()) x.addFlow(flanges_.a, S(nearest(x) * x.impulse(impulse_)[0]));
  }

  template <class S>
  FlangeState<S> slip(const View<S>& x) const {
    FlangeState<S> m = x.flange(flanges_.a);
    m.position += 0.5 * L_;
    return m;
  }
  template <class S>
  void load(View<S>& x, const S& f) const {
    x.addFlow(flanges_.a, f);
  }
  template <class S>
  S sliding(const View<S>&, const S& v) const {
    return F_prop_ * v + F_Coulomb_ + F_Stribeck_ * exp(-fexp_ * v);
  }
  template <class S>
  bool pressed(const View<S>&) const {
    return F_Coulomb_ + F_Stribeck_ > 0 || F_prop_ > 0;
  }

 private:
  /// Side of the stop that is nearer.
  template <class S>
  int nearest(const View<S>& x) const {
    return slip(x).position > 0.5 * (smin_ + smax_) ? 1 : -1;
  }
  /// [m]  to the stop on this side
  double gap(const View<double>& x, int side) const {
    const double s = slip(x).position;
    return side > 0 ? smax_ - 0.5 * L_ - s : s - 0.5 * L_ - smin_;
  }
  double hair() const { return 1e-9 * (smax_ - smin_); }
  FrictionState stateAt(const View<double>& x, int stop) const;

  double m_ = 1;            ///< [kg]
  double L_ = 0;            ///< [m]
  double smax_ = 25;        ///< [m]  for the right end
  double smin_ = -25;       ///< [m]  for the left end
  double F_prop_ = 1;       ///< [N.s/m]
  double F_Coulomb_ = 5;    ///< [N]
  double F_Stribeck_ = 10;  ///< [N]
  double fexp_ = 2;         ///< [s/m]
  double v_small_ = 1e-3;   ///< [m/s]  MSL's; the reversal of the slip is noticed without it
  MotionStart start_;
  TwoFlanges flanges_;
  ModeId stop_;
  ImpulseId impulse_;
};

}  // namespace cardan::one_dimensional
