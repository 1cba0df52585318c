#include "components/contact/foundation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cardan::contact {

namespace {

using std::numbers::pi;

/// The volume of an overlap with a plane at the depth d: flat d + line d^1.5 + ball d^2.
class RestVolume {
 public:
  explicit RestVolume(const Solid& s) {
    switch (s.kind) {
      case Solid::Kind::Capsule:
        ball_ = pi * s.radius;
        [[fallthrough]];
      case Solid::Kind::Cylinder:
        line_ = 4.0 / 3 * std::sqrt(2 * s.radius) * s.length;
        break;
      case Solid::Kind::Sphere:
        ball_ = pi * s.radius;
        break;
      case Solid::Kind::Ellipsoid:
        ball_ = pi * s.radii.prod() / (s.radii.minCoeff() * s.radii.minCoeff());
        break;
      case Solid::Kind::Plane:
      case Solid::Kind::Terrain:
      case Solid::Kind::Cone:
      case Solid::Kind::Polyhedron:
        flat_ = s.restArea();
        break;
    }
  }

  double at(double depth) const {
    return flat_ * depth + line_ * depth * std::sqrt(depth) + ball_ * depth * depth;
  }
  /// By Newton's method for the root of the depth, from above: the volume is convex in it.
  double depthOf(double volume) const {
    if (!(volume > 0)) return 0;
    double s = std::sqrt(volume / flat_);
    s = std::min({s, std::cbrt(volume / line_), std::sqrt(std::sqrt(volume / ball_))});
    for (int i = 0; i < 8; ++i) {
      const double s2 = s * s;
      s -= (at(s2) - volume) / (s * (2 * flat_ + 3 * line_ * s + 4 * ball_ * s2));
    }
    return s * s;
  }

 private:
  double flat_ = 0, line_ = 0, ball_ = 0;
};

/// The one that rests on the other: it overlaps less.
const Solid& resting(const Solid& a, const Solid& b) {
  if (a.isGround() || b.isGround()) return a.isGround() ? b : a;
  constexpr double kSmall = 1e-5;
  return RestVolume(a).at(kSmall) < RestVolume(b).at(kSmall) ? a : b;
}

constexpr double kLeastSpeed = 1e-9;  ///< [m/s]  of v_s

/// [Pa/m]  of the pair, as one of the four says it.
class Stiffness {
 public:
  Stiffness(const Solid& a, const Solid& b, double weight)
      : a_(a), b_(b), weight_(weight), volume_(resting(a, b)) {}

  double of(const Foundation::Sources& from) const {
    double kappa = 0;
    if (from.ofPair.saysStiffness()) {
      kappa = of(from.ofPair, nullptr);
    } else if (from.a.saysStiffness() && from.b.saysStiffness()) {
      kappa = inSeries(of(from.a, &a_), of(from.b, &b_));
    } else if (from.a.saysStiffness() || from.b.saysStiffness()) {
      kappa = from.a.saysStiffness() ? of(from.a, &a_) : of(from.b, &b_);
    } else if (from.defaults.saysStiffness()) {
      kappa = of(from.defaults, nullptr);
    }
    // Of rigid ground alone nothing follows.
    return kappa > 0 && std::isfinite(kappa) ? kappa : byDefault();
  }
  double restDepth(double kappa) const { return volume_.depthOf(weight_ / kappa); }

 private:
  static constexpr double kLeastDepth = 1e-6, kMostDepth = 1e-3;  ///< [m]

  /// `solid`: the material is one side's; null: it is the pair's.
  double of(const Material& m, const Solid* solid) const {
    if (m.stiffness) return m.stiffness.value;
    if (!m.E) return weight_ / volume_.at(m.penetration.value);
    if (solid) return layer(m, *solid);
    return inSeries(layer(m, a_), layer(m, b_));
  }
  double byDefault() const {
    const double size = std::cbrt(resting(a_, b_).extent.prod());
    return weight_ / volume_.at(std::clamp(1e-4 * size, kLeastDepth, kMostDepth));
  }
  static double inSeries(double k_a, double k_b) { return 1 / (1 / k_a + 1 / k_b); }

  /// Ground is rigid.
  static double layer(const Material& m, const Solid& solid) {
    if (solid.isGround()) return std::numeric_limits<double>::infinity();
    const double nu = m.nu ? m.nu.value : 0.3;
    return m.E.value * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) / (solid.extent.minCoeff() / 2);
  }

  const Solid& a_;
  const Solid& b_;
  double weight_;
  RestVolume volume_;
};

/// What holds of the four; `both`: of what both materials say.
template <class T, class F>
T chosen(const Foundation::Sources& from, Said<T> Material::*what, T otherwise, F both) {
  const Said<T>&a = from.a.*what, &b = from.b.*what;
  if (from.ofPair.*what) return (from.ofPair.*what).value;
  if (a && b) return both(a.value, b.value);
  if (a || b) return a ? a.value : b.value;
  return from.defaults.*what ? (from.defaults.*what).value : otherwise;
}

}  // namespace

void Material::read(ParameterReader& r) {
  const auto real = [&](const char* name, Said<double>& x, const char* unit, const char* about,
                        Range range) {
    r.real(name, x.value, unit, about, range);
    x.given = r.isGiven(name);
  };
  real("penetration", penetration, "m", "depth at which the lighter of both bodies rests",
       kPositive);
  real("stiffness", stiffness, "Pa/m", "instead: pressure by depth", kPositive);
  real("E", E, "Pa", "instead: Young's modulus, of a layer half as thick as the shape", kPositive);
  real("nu", nu, "1", "Poisson's number, with E; default: 0.3", kNotNegative);
  real("restitution", restitution, "1", "speed after over speed before an impact; default: 0.3",
       Range{0.05});
  real("mu", mu, "1", "friction coefficient; default: 0.5", kNotNegative);
  real("z_s", z_s, "m", "displacement by which mu f_n is held; default: 1e-5", kPositive);
  real("v_c", v_c, "m/s", "with friction smooth: slip of 0.71 mu f_n; default: 1e-3", kPositive);
  real("rolling", rolling, "m", "lever of the rolling resistance; default: 0", kNotNegative);
  r.enumeration("friction", friction.value,
                {{"stick", Friction::stick}, {"smooth", Friction::smooth}},
                "holds by a small displacement (default), or creeps");
  friction.given = r.isGiven("friction");
  r.require(!restitution || restitution.value <= 1, "restitution", "must not be greater than 1");
  r.require(!nu || nu.value < 0.5, "nu", "must be less than 0.5");
  r.require(!nu || E.given, "nu", "needs E");
  const int ways = (penetration ? 1 : 0) + (stiffness ? 1 : 0) + (E ? 1 : 0);
  r.require(ways < 2, penetration ? "penetration" : "stiffness",
            "must be the only one of penetration, stiffness and E: each says how stiff the contact "
            "is");
}

Foundation Foundation::of(const Sources& from, const Solid& a, const Solid& b, double mass,
                          double g) {
  const Stiffness stiffness(a, b, mass * g);
  Foundation f;
  f.kappa = stiffness.of(from);
  const auto larger = [](double x, double y) { return std::max(x, y); };
  f.e = chosen(from, &Material::restitution, f.e,
               [](double x, double y) { return std::sqrt((x * x + y * y) / 2); });
  f.mu = chosen(from, &Material::mu, f.mu, [](double x, double y) { return std::sqrt(x * y); });
  f.z_s = chosen(from, &Material::z_s, f.z_s, larger);
  f.v_c = chosen(from, &Material::v_c, f.v_c, larger);
  f.rolling = chosen(from, &Material::rolling, f.rolling, larger);
  f.friction = chosen(from, &Material::friction, f.friction,
                      [](Friction x, Friction y) { return x == Friction::smooth ? x : y; });
  // A body at rest is critically damped.
  f.restitution.beta = (1 - f.e * f.e) / (1 + f.e * f.e);
  f.restitution.v_s =
      std::max(f.restitution.beta * std::sqrt(g * stiffness.restDepth(f.kappa)) / 2, kLeastSpeed);
  return f;
}

}  // namespace cardan::contact
