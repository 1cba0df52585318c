#include "components/one_dimensional/mass_with_stop.h"

#include <fmt/format.h>

#include <cmath>

#include "components/catalogue_entry.h"

namespace cardan::one_dimensional {
namespace {

constexpr double kAny = 1e100;      ///< [N]    more than any force
constexpr double kApproach = 1e-8;  ///< [m/s]  towards a stop; less is rounding

}  // namespace

void MassWithStopAndFriction::read(ParameterReader& r) {
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

void MassWithStopAndFriction::declare(Structure& s) {
  peak_ = 1.001;
  flanges_.declare(s, Domain::Translational);
  s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, L_});
  s.inertia(flanges_.a);
  declareFriction(s, F_Coulomb_ + F_Stribeck_);
  stop_ = s.mode("stop", 0);
  impulse_ = s.impulse();
}

void MassWithStopAndFriction::describe(Variables& v) const {
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

/// At a stop whatever pushes against it is held.
FrictionState MassWithStopAndFriction::stateAt(const View<double>& x, int stop) const {
  FrictionState f = state(x);
  if (stop > 0) f.tau0_max = kAny;
  if (stop < 0) f.tau0_min = -kAny;
  if (stop != 0) f.free = false;
  return f;
}

void MassWithStopAndFriction::guards(const View<double>& x, Guards& g) const {
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

bool MassWithStopAndFriction::transition(const View<double>& x, Modes& m) const {
  const int was = m.get(stop_), side = nearest(x);
  int is = was;
  if (was != 0 && gap(x, was) > 1.5 * hair()) is = 0;
  if (was == 0 && gap(x, side) < hair() && std::abs(slip(x).velocity) <= kApproach) is = side;
  if (is != was) m.set(stop_, is);
  return modes_.transition(m, stateAt(x, is)) || is != was;
}

bool MassWithStopAndFriction::blow(const View<double>& x, ImpactPair& b) const {
  const int side = nearest(x);
  b = {impulse_, gap(x, side) < 3 * hair(), gap(x, side), {-side * slip(x).velocity, 0, 0}, 0, 0};
  return true;
}

Catalogue massWithStop() {
  return {
      entry<MassWithStopAndFriction>("Translational.MassWithStopAndFriction",
                                     "sliding mass with Stribeck friction between two hard stops")};
}

}  // namespace cardan::one_dimensional
