/// Sliding mass with Stribeck friction between two hard stops.
#include <fmt/format.h>

#include <cmath>

#include "components/catalogue_entry.h"
#include "components/one_dimensional/friction.h"

namespace cardan::one_dimensional {
namespace {

constexpr double kAny = 1e100;      ///< [N]    more than any force
constexpr double kApproach = 1e-8;  ///< [m/s]  towards a stop; less is rounding

}  // namespace

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

  void read(ParameterReader& r) override {
    r.real("m", m_, "kg", "mass", kNotNegative);
    r.real("L", L_, "m", "length from flange_a to flange_b");
    r.real("smax", smax_, "m", "stop for the right end of the mass");
    r.real("smin", smin_, "m", "stop for the left end of the mass");
    r.require(smax_ - smin_ > std::abs(L_), "smax", "must be more than smin + L");
    r.real("F_prop", F_prop_, "N.s/m", "friction over speed", kNotNegative);
    r.real("F_Coulomb", F_Coulomb_, "N", "Coulomb friction", kNotNegative);
    r.real("F_Stribeck", F_Stribeck_, "N", "friction on top of it at rest", kNotNegative);
    r.real("fexp", fexp_, "s/m", "decay of F_Stribeck with speed", kNotNegative);
    r.real("v_small", v_small_, "m/s", "slip near to zero; not needed", kNotNegative);
    heat_.read(r);
    start_.read<TranslationalAxis>(r);
  }
  void declare(Structure& s) override {
    peak_ = 1.001;
    flanges_.declare(s, Domain::Translational);
    s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, L_});
    s.inertia(flanges_.a);
    declareFriction(s, F_Coulomb_ + F_Stribeck_);
    stop_ = s.mode("stop", 0);
    impulse_ = s.impulse();
  }
  void describe(Variables& v) const override {
    describeMotion<TranslationalAxis>(v, start_, "", [this](const auto& x) { return slip(x); });
    describeFriction(v);
    v.scalar({"stopped", "1", "-1 at smin, 1 at smax, 0 between them", Level::Time},
             [this](const auto& x) { return x.mode(stop_) + 0.0 * x.time(); });
    v.mechanics([this](const auto& x) {
      MechanicalSums<std::decay_t<decltype(x.time())>> sum;
      const auto& speed = x.flange(flanges_.a).velocity;
      sum.kineticEnergy = 0.5 * m_ * speed * speed;
      return sum;
    });
  }
  void guards(const View<double>& x, Guards& g) const override {
    const int stop = x.mode(stop_);
    modes_.guards(x, g, stateAt(x, stop));
    if (stop == 0) {
      g.crossing(gap(x, 1));
      g.crossing(gap(x, -1));
    } else {
      const bool holds = modes_.sense(x) == 0;
      g.crossing(2 * hair() - gap(x, stop));
      g.crossing(holds ? 1 : 2 * kApproach - stop * slip(x).velocity);
    }
    const double beyond = -gap(x, nearest(x));
    if (beyond > 1e-6 * (smax_ - smin_)) {
      g.fail(
          fmt::format("the mass is {:.6g} m beyond its stop: it must not be at the start, and "
                      "nothing else may hold it there",
                      beyond));
    }
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const int was = m.get(stop_), side = nearest(x);
    int is = was;
    if (was != 0 && gap(x, was) > 1.5 * hair()) is = 0;
    if (was == 0 && gap(x, side) < hair() && std::abs(slip(x).velocity) <= kApproach) is = side;
    if (is != was) m.set(stop_, is);
    FrictionState now = stateAt(x, is);
    now.w_before = stick_slip::entered(
        m, now.w, [this](const View<double>& before) { return slip(before).velocity; });
    return modes_.transition(m, now) || is != was;
  }
  bool blow(const View<double>& x, ImpactPair& b) const override {
    const int side = nearest(x);
    b = {impulse_, gap(x, side) < 3 * hair(), gap(x, side), {-side * slip(x).velocity, 0, 0}};
    return true;
  }

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
  /// At a stop whatever pushes against it is held.
  FrictionState stateAt(const View<double>& x, int stop) const {
    FrictionState f = state(x);
    if (stop > 0) f.tau0_max = kAny;
    if (stop < 0) f.tau0_min = -kAny;
    if (stop != 0) f.free = false;
    return f;
  }

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

Catalogue massWithStop() {
  return {
      entry<MassWithStopAndFriction>("Translational.MassWithStopAndFriction",
                                     "sliding mass with Stribeck friction between two hard stops")};
}

}  // namespace cardan::one_dimensional
