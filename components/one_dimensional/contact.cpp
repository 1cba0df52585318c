#include "components/one_dimensional/contact.h"

#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"

namespace cardan::one_dimensional {

template <bool Limited>
void Backlash<Limited>::read(ParameterReader& r) {
  r.real("c", c_, "N.m/rad", "spring constant", kPositive);
  r.real("d", d_, "N.m.s/rad", "damping constant", kNotNegative);
  r.real("b", b_, "rad", "total backlash", kNotNegative);
  r.real("phi_rel0", phi_rel0_, "rad", "relative angle of the unstretched spring");
  this->readMotion(r);
}

template <bool Limited>
void Backlash<Limited>::declare(Structure& s) {
  LossyForce<RotationalAxis, Backlash>::declare(s);
  above_.declare(s, "above");
  below_.declare(s, "below");
}

template <bool Limited>
void Backlash<Limited>::describe(Variables& v) const {
  LossyForce<RotationalAxis, Backlash>::describe(v);
  v.mechanics([this](const auto& x) {
    const bool plays = b_ > kNoBacklash;
    const int side = plays ? this->side(x) : 1;
    return springEnergy(plays && side == 0 ? 0.0 : c_,
                        phi_diff(x) - (plays ? 0.5 * side * b_ : 0.0));
  });
}

template <bool Limited>
void Backlash<Limited>::guards(const View<double>& x, Guards& g) const {
  const double phi = b_ > kNoBacklash ? phi_diff(x) : 0.0;
  above_.guard(x, g, phi - 0.5 * b_);
  below_.guard(x, g, -phi - 0.5 * b_);
}

template <bool Limited>
bool Backlash<Limited>::transition(const View<double>& x, Modes& m) const {
  if (b_ <= kNoBacklash) return false;
  const double phi = phi_diff(x);
  const bool above = above_.update(m, phi - 0.5 * b_);
  return below_.update(m, -phi - 0.5 * b_) || above;
}

template class Backlash<true>;
template class Backlash<false>;

void ElastoGap::read(ParameterReader& r) {
  r.real("c", c_, "N/m", "spring constant", kNotNegative);
  r.real("d", d_, "N.s/m", "damping constant", kNotNegative);
  r.real("s_rel0", s_rel0_, "m", "relative position of the unstretched spring");
  r.real("n", n_, "1", "exponent of the spring force", Range{1});
  readMotion(r);
}

void ElastoGap::declare(Structure& s) {
  LossyForce::declare(s);
  contact_.declare(s, "contact");
}

void ElastoGap::describe(Variables& v) const {
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

void ElastoGap::guards(const View<double>& x, Guards& g) const {
  contact_.guard(x, g, s_rel0_ - flanges_.motion(x).position);
}

bool ElastoGap::transition(const View<double>& x, Modes& m) const {
  return contact_.update(m, s_rel0_ - flanges_.motion(x).position);
}

Catalogue elastoBacklash() {
  return {entry<ElastoBacklash>("Rotational.ElastoBacklash",
                                "backlash in series with spring and damper")};
}

Catalogue elastoBacklash2() {
  return {entry<ElastoBacklash2>(
      "Rotational.ElastoBacklash2",
      "backlash in series with spring and damper, whose torque jumps at touch")};
}

Catalogue elastoGap() {
  return {entry<ElastoGap>("Translational.ElastoGap",
                           "spring and damper that push only while they touch")};
}

}  // namespace cardan::one_dimensional
