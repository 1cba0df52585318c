/// GasForce2: a rough picture of the gas force in the cylinder of a combustion engine, between two
/// flanges.
#pragma once

#include <numbers>

#include "components/component.h"
#include "components/laws/relation.h"
#include "components/one_dimensional/flanges.h"

namespace cardan {

/// Equations  x = 1 - s_rel/L;  v_rel = der(s_rel)
///            press/bar is a polynomial of x for each of: compression (v_rel < 0) and its end
///            (x >= 0.986061), expansion and its beginning (x > 0.933)
///            f = -press pi d^2/4;  flange_b.f = f = -flange_a.f
///            V = k0 + k1 (1 - x);  press V = k T;  dens = press/(R_air T)
/// Events     v_rel = 0, x = 0.986061, x = 0.933
/// Source     MSL 4.0 Examples.Loops.Utilities.GasForce2
class GasForce2 final : public ComponentOf<GasForce2> {
 public:
  void read(ParameterReader& r) override {
    r.real("L", L_, "m", "length of the cylinder", kPositive);
    r.require(r.isGiven("L"), "L", "must be given");
    r.real("d", d_, "m", "diameter of the cylinder", kPositive);
    r.require(r.isGiven("d"), "d", "must be given");
    r.real("k0", k0_, "m3", "volume at the closed end of the stroke");
    r.real("k1", k1_, "m3", "volume at the open end of the stroke, beyond k0");
    r.real("k", k_, "J/K", "gas constant of the charge: press V = k T", kPositive);
    r.start("s_rel", s_rel_, "m", "position of flange_b relative to flange_a");
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Domain::Translational);
    compression_.declare(s, "compression");
    belowEnd_.declare(s, "x < 0.986061");
    aboveBeginning_.declare(s, "x > 0.933");
  }
  void describe(Variables& v) const override {
    v.scalar({"s_rel", "m", "position of flange_b relative to flange_a", Level::Position},
             [this](const auto& x) { return flanges_.motion(x).position; });
    v.start("s_rel", s_rel_);
    v.scalar({"v_rel", "m/s", "velocity of flange_b relative to flange_a", Level::Velocity},
             [this](const auto& x) { return flanges_.motion(x).velocity; });
    v.scalar({"f", "N", "force between the flanges (= flange_b's)", Level::Position},
             [this](const auto& x) { return force(x); });
    v.scalar({"x", "1", "normalised position, 1 - s_rel/L", Level::Position},
             [this](const auto& x) { return normalised(x); });
    v.scalar({"press", "Pa", "pressure in the cylinder", Level::Position},
             [this](const auto& x) { return pressure(x); });
    v.scalar({"V", "m3", "volume", Level::Position}, [this](const auto& x) { return volume(x); });
    v.scalar({"T", "K", "temperature", Level::Position},
             [this](const auto& x) { return temperature(x); });
    v.scalar({"dens", "kg/m3", "density", Level::Position},
             [this](const auto& x) { return pressure(x) / (kR_air * temperature(x)); });
  }
  void guards(const View<double>& x, Guards& g) const override {
    const double position = normalised(x);
    compression_.guard(x, g, -flanges_.motion(x).velocity);
    belowEnd_.guard(x, g, kEndOfCompression - position);
    aboveBeginning_.guard(x, g, position - kBeginningOfExpansion);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const double position = normalised(x);
    bool changed = compression_.update(m, -flanges_.motion(x).velocity);
    changed = belowEnd_.update(m, kEndOfCompression - position) || changed;
    return aboveBeginning_.update(m, position - kBeginningOfExpansion) || changed;
  }

  template <class S>
  void physics(View<S>& x) const {
    flanges_.addFlow(x, force(x));
  }

 private:
  static constexpr double kEndOfCompression = 0.986061;         ///< [1]
  static constexpr double kBeginningOfExpansion = 0.933;        ///< [1]
  static constexpr double kR_air = 8.314462618 / 0.0289651159;  ///< [J/(kg.K)]

  /// 1 - s_rel/L: 0 at the open end of the stroke, 1 at its closed end.
  template <class S>
  S normalised(const View<S>& x) const {
    return 1.0 - flanges_.motion(x).position / L_;
  }
  template <class S>
  S pressure(const View<S>& view) const {
    const S x = normalised(view);
    if (compression_.holds(view)) {
      if (belowEnd_.holds(view))
        return 1e5 * ((((177.4132 * x - 287.2189) * x + 151.8252) * x - 24.9973) * x + 2.4);
      return 1e5 *
             ((((2836360.0 * x - 10569296.0) * x + 14761814.0) * x - 9158505.0) * x + 2129670.0);
    }
    if (aboveBeginning_.holds(view)) {
      return 1e5 *
             ((((-3929704.0 * x + 14748765.0) * x - 20747000.0) * x + 12964477.0) * x - 3036495.0);
    }
    return 1e5 * ((((145.930 * x - 131.707) * x + 17.3438) * x + 17.9272) * x + 2.4);
  }
  template <class S>
  S force(const View<S>& x) const {
    return pressure(x) * (-std::numbers::pi * d_ * d_ / 4);
  }
  template <class S>
  S volume(const View<S>& x) const {
    return k0_ + k1_ * (1.0 - normalised(x));
  }
  template <class S>
  S temperature(const View<S>& x) const {
    return pressure(x) * volume(x) / k_;
  }

  double L_ = 1;      ///< [m]    length of the cylinder
  double d_ = 1;      ///< [m]    its diameter
  double k0_ = 0.01;  ///< [m3]
  double k1_ = 1;     ///< [m3]
  double k_ = 1;      ///< [J/K]
  StartValue s_rel_;
  one_dimensional::TwoFlanges flanges_;
  one_dimensional::Relation compression_, belowEnd_, aboveBeginning_;
};

}  // namespace cardan
