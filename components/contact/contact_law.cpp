#include "components/contact/contact_law.h"

#include <cmath>

#include "components/interfaces/describe.h"

namespace cardan::contact {

double dissipationOfRestitution(double e) {
  const double loss = 1 - e;
  // Below, the difference of the two sides, of third order in x, drowns in rounding.
  if (loss < 1e-4) return 1.5 * loss * (1 + loss);
  // In y = -ln(1 - e x) nothing is lost where x comes close to 1/e. The difference
  // y + ln(1 + x) - x (1 + e) begins at 0, falls, and then rises for good.
  const auto xOf = [e](double y) { return -std::expm1(-y) / e; };
  const auto difference = [&](double y) { return y + std::log1p(xOf(y)) - xOf(y) * (1 + e); };
  double low = -std::log1p(-0.75 * e * loss), high = 1;
  while (difference(high) <= 0) high *= 2;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) return xOf(middle);
    (difference(middle) <= 0 ? low : high) = middle;
  }
}

void ContactLaw::read(ParameterReader& r, bool ofSpheres) {
  readRigid(r);
  r.real("k", k_given_, "N/m^exponent", "stiffness: normal force k depth^exponent", kPositive);
  if (ofSpheres) {
    r.real("E_star", E_star_, "Pa",
           "instead of k: modulus of the pair, 1/E_star = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b",
           kPositive);
  }
  fromModulus_ = ofSpheres && r.isGiven("E_star");
  const bool one = rigid_ || r.isGiven("k") != fromModulus_;
  r.require(one, "k", ofSpheres ? "or 'E_star' must be given, one of them" : "must be given");
  r.real("exponent", exponent_, "1", "of the normal force; 1.5 is Hertz' law", Range{1});
  r.require(!fromModulus_ || exponent_ == 1.5, "exponent", "must be 1.5 where E_star is given");
  r.real("damping", damping_, "s/m", "a in the normal force k depth^exponent (1 + a der(depth))",
         kNotNegative);
  r.real("restitution", restitution_, "1",
         "instead of damping: speed after over speed before a free impact at v_restitution",
         kNotNegative);
  r.require(rigid_ || restitution_ > 0, "restitution", "must be greater than 0");
  r.real("v_restitution", v_restitution_, "m/s", "approach speed at which restitution is reached",
         kPositive);
  fromRestitution_ = r.isGiven("restitution") && !rigid_;
  r.require(restitution_ <= 1, "restitution", "must not be greater than 1");
  r.require(!(fromRestitution_ && r.isGiven("damping")), "damping",
            "must not be given together with restitution");
  r.require(fromRestitution_ || rigid_ || !r.isGiven("v_restitution"), "v_restitution",
            "needs a restitution");
  r.real("mu", mu_, "1", "friction coefficient", kNotNegative);
  r.real("v_creep", v_creep_, "m/s",
         "slip at which friction reaches 0.71 mu f_n; what sticks creeps more slowly", kPositive);
  r.boolean("stick", stick_, "friction sticks and slips by events, instead of v_creep");
  r.real("peak", peak_, "1", "with stick: largest friction when stuck over sliding friction",
         Range{1});
  r.require(!(stick_ && r.isGiven("v_creep")), "v_creep", "must not be given together with stick");
  r.require(stick_ || !r.isGiven("peak"), "peak", "needs stick: true");
  r.real("z_s", z_s_, "m", "with stick, not rigid: displacement by which mu f_n is held",
         kPositive);
  r.require(hasBristle() || !r.isGiven("z_s"), "z_s", "needs stick: true, and not rigid: true");
}

/// What there is of rigid surfaces, and what they have not.
void ContactLaw::readRigid(ParameterReader& r) {
  r.boolean("rigid", rigid_, "velocities jump by the restitution, instead of an elastic force");
  r.real("v_rest", v_rest_, "m/s", "with rigid: a slower approach ends at rest", kNotNegative);
  r.require(rigid_ || !r.isGiven("v_rest"), "v_rest", "needs rigid: true");
  r.require(!rigid_ || r.isGiven("restitution"), "restitution", "must be given with rigid: true");
  for (const char* name : {"k", "E_star", "exponent", "damping", "v_restitution"})
    r.require(!rigid_ || !r.isGiven(name), name, "must not be given together with rigid: true");
}

void ContactLaw::prepare(double radius) {
  if (rigid_) return;
  k_ = fromModulus_ ? 4.0 / 3.0 * E_star_ * std::sqrt(radius) : k_given_;
  a_ = fromRestitution_ ? dissipationOfRestitution(restitution_) / v_restitution_ : damping_;
}

void ContactLaw::describe(Variables& v) const {
  describe::scalar(v, "stiffness", "N/m^exponent", "k of the normal force", [this] { return k_; });
  describe::scalar(v, "dissipation", "s/m", "a of the normal force", [this] { return a_; });
}

}  // namespace cardan::contact
