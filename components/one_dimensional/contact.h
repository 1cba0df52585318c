/// Elastic contact with a gap: backlash of a gear, end stop.
#pragma once

#include "components/laws/relation.h"
#include "components/one_dimensional/compliant.h"

namespace cardan::one_dimensional {

/// Backlash in series with spring and damper in parallel; it pushes only. `Limited`: the damping is never
/// larger than the spring's torque, so that the torque does not jump where they touch.
///
/// Equations  phi_diff = phi_rel - phi_rel0;  no contact: tau = 0
///            in contact: tau_c = c (phi_diff -+ b/2), tau_d = d w_rel;
///            tau = 0 where tau_c + tau_d pulls, else tau_c + tau_d, limited: tau_c + the smaller of
///            tau_c and tau_d
/// Modes      contact at +b/2, contact at -b/2
/// Energy     c (phi_diff -+ b/2)^2/2 in contact; where spring and damper would pull, the spring's is lost,
///            which lossPower, as in MSL, does not show
/// Source     MSL 4.0 Rotational.ElastoBacklash, ElastoBacklash2 (not limited)
template <bool Limited>
class Backlash final : public LossyForce<RotationalAxis, Backlash<Limited>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  LossyLoad<S> load(const View<S>& x) const {
    const S phi = phi_diff(x), tau_d = d_ * this->flanges_.motion(x).velocity;
    if (b_ <= kNoBacklash) return {c_ * phi + tau_d, tau_d};
    const int side = this->side(x);
    // Seen from the side of contact, where pushing is positive.
    const S tau_c = side * c_ * (phi - side * 0.5 * b_);
    const S d = S(side * tau_d);
    if (side == 0 || tau_c + d <= 0.0) return {S(0.0), S(0.0)};
    const S damping = Limited ? S(min(tau_c, d)) : d;
    return {side * (tau_c + damping), side * damping};
  }

 private:
  template <class S>
  S phi_diff(const View<S>& x) const {
    return this->flanges_.motion(x).position - phi_rel0_;
  }
  /// 1: in contact at +b/2, -1: at -b/2.
  template <class S>
  int side(const View<S>& x) const {
    return above_.holds(x) ? 1 : below_.holds(x) ? -1 : 0;
  }

  static constexpr double kNoBacklash = 1e-10;  ///< [rad]

  double c_ = 1e5;       ///< [N.m/rad]
  double d_ = 0;         ///< [N.m.s/rad]
  double b_ = 0;         ///< [rad]  total backlash
  double phi_rel0_ = 0;  ///< [rad]
  Relation above_, below_;
};

using ElastoBacklash = Backlash<true>;
using ElastoBacklash2 = Backlash<false>;

/// Spring and damper in parallel that push only, while s_rel < s_rel0.
///
/// Equations  in contact f_c = -c |s_rel - s_rel0|^n, f_d = d v_rel limited to |f_c|;
///            f = f_c + f_d
/// Mode       contact
/// Source     MSL 4.0 Translational.ElastoGap
class ElastoGap final : public LossyForce<TranslationalAxis, ElastoGap> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;
  bool transition(const View<double>& x, Modes& m) const override;

  template <class S>
  LossyLoad<S> load(const View<S>& x) const {
    if (!contact_.holds(x)) return {S(0.0), S(0.0)};
    const FlangeState<S> m = flanges_.motion(x);
    const S gap = m.position - s_rel0_;
    const S f_c = n_ == 1 ? S(c_ * gap) : S(-c_ * pow(S(abs(gap)), n_));
    const S limit = abs(f_c);
    const S f_d = max(S(-limit), min(limit, S(d_ * m.velocity)));
    return {f_c + f_d, f_d};
  }

 private:
  double c_ = 1;       ///< [N/m^n]
  double d_ = 1;       ///< [N.s/m]
  double s_rel0_ = 0;  ///< [m]
  double n_ = 1;       ///< [1]
  Relation contact_;
};

}  // namespace cardan::one_dimensional
