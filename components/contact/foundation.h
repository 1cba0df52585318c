/// Foundation: how stiff, lossy and rough two shapes are to each other.
#pragma once

#include "components/contact/bristle.h"
#include "components/contact/pressure.h"
#include "components/contact/solid.h"
#include "components/parameter_reader.h"

namespace cardan::contact {

enum class Friction { stick, smooth };

/// A parameter that need not be given.
template <class T>
struct Said {
  T value{};
  bool given = false;

  explicit operator bool() const { return given; }
};

/// What one of the two materials, the pair itself or the model's defaults say.
struct Material {
  Said<double> penetration;  ///< [m]     depth at which the lighter body rests
  Said<double> stiffness;    ///< [Pa/m]
  Said<double> E, nu;        ///< [Pa], [1]  of a layer as thick as half of the shape
  Said<double> restitution;  ///< [1]     0.05 .. 1
  Said<double> mu;           ///< [1]
  Said<Friction> friction;
  Said<double> z_s;      ///< [m]    see Bristle
  Said<double> v_c;      ///< [m/s]  slip at which smooth friction reaches 0.71 mu f_n
  Said<double> rolling;  ///< [m]    lever of rolling resistance

  void read(ParameterReader& r);
  bool saysStiffness() const { return penetration || stiffness || E; }
};

/// Equations  kappa, modulus of the foundation [Pa/m]: stiffness;  E (1 - nu)/((1 + nu)(1 - 2 nu))/h;
///            or m g/V(penetration), V the volume of the shape's overlap with a plane at that depth
///            Of two materials: compliances 1/kappa add, and of what only one of them says, that
///            holds; else mu = sqrt(mu_a mu_b), e^2 = (e_a^2 + e_b^2)/2, the larger of the others
struct Foundation {
  double kappa = 0;  ///< [Pa/m]
  double e = 0.3, mu = 0.5, z_s = 1e-5, v_c = 1e-3, rolling = 0;
  Friction friction = Friction::stick;
  Restitution restitution;

  bool sticks() const { return mu > 0 && friction == Friction::stick; }
  Grip grip() const { return {z_s, 1, true}; }

  /// What the pair itself says goes before both materials, these before the defaults.
  struct Sources {
    Material ofPair, a, b, defaults;
  };
  /// `mass` [kg]: of the lighter side; `g` [m/s2].
  static Foundation of(const Sources& from, const Solid& a, const Solid& b, double mass, double g);
};

}  // namespace cardan::contact
