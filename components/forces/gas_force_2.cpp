#include "components/forces/gas_force_2.h"

#include <numbers>

namespace cardan {
namespace {

constexpr double kEndOfCompression = 0.986061;         // [1]
constexpr double kBeginningOfExpansion = 0.933;        // [1]
constexpr double kR_air = 8.314462618 / 0.0289651159;  // [J/(kg.K)]

}  // namespace

template <class S>
S GasForce2::force(const View<S>& x) const {
  return pressure(x) * (-std::numbers::pi * d_ * d_ / 4);
}
template double GasForce2::force(const View<double>&) const;
template Dual GasForce2::force(const View<Dual>&) const;

void GasForce2::read(ParameterReader& r) {
  r.real("L", L_, "m", "length of the cylinder", kPositive);
  r.require(r.isGiven("L"), "L", "must be given");
  r.real("d", d_, "m", "diameter of the cylinder", kPositive);
  r.require(r.isGiven("d"), "d", "must be given");
  r.real("k0", k0_, "m3", "volume at the closed end of the stroke");
  r.real("k1", k1_, "m3", "volume at the open end of the stroke, beyond k0");
  r.real("k", k_, "J/K", "gas constant of the charge: press V = k T", kPositive);
  r.start("s_rel", s_rel_, "m", "position of flange_b relative to flange_a");
}

void GasForce2::declare(Structure& s) {
  flanges_.declare(s, Domain::Translational);
  compression_.declare(s, "compression");
  belowEnd_.declare(s, "x < 0.986061");
  aboveBeginning_.declare(s, "x > 0.933");
}

void GasForce2::describe(Variables& v) const {
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

void GasForce2::guards(const View<double>& x, Guards& g) const {
  const double position = normalised(x);
  compression_.guard(x, g, -flanges_.motion(x).velocity);
  belowEnd_.guard(x, g, kEndOfCompression - position);
  aboveBeginning_.guard(x, g, position - kBeginningOfExpansion);
}

bool GasForce2::transition(const View<double>& x, Modes& m) const {
  const double position = normalised(x);
  bool changed = compression_.update(m, -flanges_.motion(x).velocity);
  changed = belowEnd_.update(m, kEndOfCompression - position) || changed;
  return aboveBeginning_.update(m, position - kBeginningOfExpansion) || changed;
}

}  // namespace cardan
