/// Elastic contact with a gap: backlash of a gear, end stop.
#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"
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
/// Modes      contact at +b/2, contact at -b/2; released: it would pull; limited: the damping is
/// Energy     c (phi_diff -+ b/2)^2/2 in contact; where spring and damper would pull, the spring's is lost,
///            which lossPower, as in MSL, does not show
/// Source     MSL 4.0 Rotational.ElastoBacklash, ElastoBacklash2 (not limited)
template <bool Limited>
class Backlash final : public LossyForce<RotationalAxis, Backlash<Limited>> {
 public:
  void read(ParameterReader& r) override {
    r.real("c", c_, "N.m/rad", "spring constant", kPositive);
    r.real("d", d_, "N.m.s/rad", "damping constant", kNotNegative);
    r.real("b", b_, "rad", "total backlash", kNotNegative);
    r.real("phi_rel0", phi_rel0_, "rad", "relative angle of the unstretched spring");
    this->readMotion(r);
  }
  void declare(Structure& s) override {
    LossyForce<RotationalAxis, Backlash>::declare(s);
    above_.declare(s, "above");
    below_.declare(s, "below");
    released_.declare(s, "released");
    limited_.declare(s, "limited");
  }
  void describe(Variables& v) const override {
    LossyForce<RotationalAxis, Backlash>::describe(v);
    v.mechanics([this](const auto& x) {
      const bool plays = b_ > kNoBacklash;
      const int side = plays ? this->side(x) : 1;
      return springEnergy(plays && side == 0 ? 0.0 : c_,
                          phi_diff(x) - (plays ? 0.5 * side * b_ : 0.0));
    });
  }
  void guards(const View<double>& x, Guards& g) const override {
    const double phi = b_ > kNoBacklash ? phi_diff(x) : 0.0;
    above_.guard(x, g, phi - 0.5 * b_);
    below_.guard(x, g, -phi - 0.5 * b_);
    const int side = this->side(x);
    if (!bends(side)) {
      g.crossing(1);
      g.crossing(1);
      return;
    }
    const auto [spring, damper] = push(x, side);
    released_.guard(x, g, -spring - damper, spring);
    limited_.guard(x, g, Limited ? damper - spring : -1, spring);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    if (b_ <= kNoBacklash) return false;
    const double phi = phi_diff(x);
    const bool above = above_.update(m, phi - 0.5 * b_);
    const bool below = below_.update(m, -phi - 0.5 * b_);
    const int side = above_.isSet(m) ? 1 : below_.isSet(m) ? -1 : 0;
    const auto [spring, damper] = bends(side) ? push(x, side) : Push<double>{1, 0};
    const bool released = released_.update(m, -spring - damper, spring);
    const bool limited = limited_.update(m, Limited ? damper - spring : -1, spring);
    return above || below || released || limited;
  }

  template <class S>
  LossyLoad<S> load(const View<S>& x) const {
    if (b_ <= kNoBacklash) {
      const S tau_d = d_ * this->flanges_.motion(x).velocity;
      return {c_ * phi_diff(x) + tau_d, tau_d};
    }
    const int side = this->side(x);
    if (side == 0 || released_.beyond(x)) return {S(0.0), S(0.0)};
    const auto [spring, damper] = push(x, side);
    const S damping = limited_.beyond(x) ? spring : damper;
    return {side * (spring + damping), side * damping};
  }

 private:
  /// Torques of spring and damper, seen from the side of contact, where pushing is positive.
  template <class S>
  struct Push {
    S spring, damper;
  };
  template <class S>
  Push<S> push(const View<S>& x, int side) const {
    return {S(side * c_ * (phi_diff(x) - side * 0.5 * b_)),
            S(side * d_ * this->flanges_.motion(x).velocity)};
  }
  /// The law bends in contact, where there is a damper.
  bool bends(int side) const { return side != 0 && d_ > 0; }
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
  Kink released_, limited_;
};

/// Spring and damper in parallel that push only, while s_rel < s_rel0.
///
/// Equations  in contact f_c = -c |s_rel - s_rel0|^n, f_d = d v_rel limited to |f_c|;
///            f = f_c + f_d
/// Modes      contact; pressing, pulling: f_d is limited while the sides approach, or part
/// Source     MSL 4.0 Translational.ElastoGap
class ElastoGap final : public LossyForce<TranslationalAxis, ElastoGap> {
 public:
  void read(ParameterReader& r) override {
    r.real("c", c_, "N/m", "spring constant", kNotNegative);
    r.real("d", d_, "N.s/m", "damping constant", kNotNegative);
    r.real("s_rel0", s_rel0_, "m", "relative position of the unstretched spring");
    r.real("n", n_, "1", "exponent of the spring force", Range{1});
    readMotion(r);
  }
  void declare(Structure& s) override {
    LossyForce::declare(s);
    contact_.declare(s, "contact");
    pressing_.declare(s, "pressing");
    pulling_.declare(s, "pulling");
  }
  void describe(Variables& v) const override {
    LossyForce::describe(v);
    describe::truth(v, {"contact", "1", "the sides touch", Level::Time},
                    [this](const auto& x) { return contact_.holds(x); });
    v.mechanics([this](const auto& x) {
      MechanicalSums<std::decay_t<decltype(x.time())>> sum;
      const auto gap = flanges_.motion(x).position - s_rel0_;
      if (contact_.holds(x)) sum.potentialEnergy = c_ / (n_ + 1) * pow(abs(gap), n_ + 1);
      return sum;
    });
  }
  void guards(const View<double>& x, Guards& g) const override {
    contact_.guard(x, g, s_rel0_ - flanges_.motion(x).position);
    if (!contact_.holds(x) || !(d_ > 0)) {
      g.crossing(1);
      g.crossing(1);
      return;
    }
    const auto [f_c, f_d] = forces(x);
    pressing_.guard(x, g, f_c - f_d, f_c);
    pulling_.guard(x, g, f_c + f_d, f_c);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const bool contact = contact_.update(m, s_rel0_ - flanges_.motion(x).position);
    const auto [f_c, f_d] = contact_.isSet(m) && d_ > 0 ? forces(x) : LossyLoad<double>{-1, 0};
    const bool pressing = pressing_.update(m, f_c - f_d, f_c);
    return pulling_.update(m, f_c + f_d, f_c) || pressing || contact;
  }

  template <class S>
  LossyLoad<S> load(const View<S>& x) const {
    if (!contact_.holds(x)) return {S(0.0), S(0.0)};
    const auto [f_c, damper] = forces(x);
    const S f_d = pressing_.beyond(x) ? f_c : pulling_.beyond(x) ? S(-f_c) : damper;
    return {S(f_c + f_d), f_d};
  }

 private:
  /// Forces in contact of the spring, negative, and of the damper without a limit.
  template <class S>
  LossyLoad<S> forces(const View<S>& x) const {
    const FlangeState<S> m = flanges_.motion(x);
    const S gap = m.position - s_rel0_;
    return {n_ == 1 ? S(c_ * gap) : S(-c_ * pow(S(abs(gap)), n_)), S(d_ * m.velocity)};
  }

  double c_ = 1;       ///< [N/m^n]
  double d_ = 1;       ///< [N.s/m]
  double s_rel0_ = 0;  ///< [m]
  double n_ = 1;       ///< [1]
  Relation contact_;
  Kink pressing_, pulling_;
};

Catalogue elastoBacklash() {
  return {entry<Backlash<true>>("Rotational.ElastoBacklash",
                                "backlash in series with spring and damper")};
}

Catalogue elastoBacklash2() {
  return {entry<Backlash<false>>(
      "Rotational.ElastoBacklash2",
      "backlash in series with spring and damper, whose torque jumps at touch")};
}

Catalogue elastoGap() {
  return {entry<ElastoGap>("Translational.ElastoGap",
                           "spring and damper that push only while they touch")};
}

}  // namespace cardan::one_dimensional
