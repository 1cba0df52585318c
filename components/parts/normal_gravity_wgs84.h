/// NormalGravityWGS84: gravity of the WGS84 ellipsoid of the earth, as World's gravity field.
#pragma once

#include <cmath>
#include <numbers>

#include "components/world_settings.h"

namespace cardan {

/// Gravity at geodetic latitude phi along -y; the height above the ellipsoid is r_0[2].
///
/// At the ellipsoid Somigliana's closed formula, g_e (1 + k sin^2 phi)/sqrt(1 - e^2 sin^2 phi);
/// above it the free-air correction of second order,
/// 1 - 2 (1 + f + m - 2 f sin^2 phi) h/a + 3 (h/a)^2.
///
/// Source  WGS84 (NIMA TR8350.2);
///         MSL 4.0 Examples.Elementary.Utilities.theoreticalNormalGravityWGS84, whose last term
///         has the other sign (1e-13 of g at a height of one metre)
class NormalGravityWGS84 final : public GravityField {
 public:
  /// phi [deg] geodetic latitude.
  explicit NormalGravityWGS84(double phi) {
    constexpr double b = 6356752.3142;    // [m] semi-minor axis
    constexpr double g_e = 9.7803253359;  // [m/s2] at the equator
    constexpr double g_p = 9.8321849378;  // [m/s2] at the poles
    constexpr double e2 = 8.1819190842622e-2 * 8.1819190842622e-2;
    constexpr double f = 1 / 298.257223563;  // flattening
    constexpr double w = 7292115e-11;        // [rad/s] rotation of the earth
    constexpr double GM = 3986004.418e8;     // [m3/s2]
    constexpr double m = w * w * a_ * a_ * b / GM;
    constexpr double k = b * g_p / (a_ * g_e) - 1;
    const double s = std::sin(phi * std::numbers::pi / 180);
    g_ = g_e * (1 + k * s * s) / std::sqrt(1 - e2 * s * s);
    slope_ = 2 * (1 + f + m - 2 * f * s * s);
  }

  Vector3<double> acceleration(const Vector3<double>& r_0) const override { return at(r_0); }
  Vector3<Dual> acceleration(const Vector3<Dual>& r_0) const override { return at(r_0); }
  double potential(const Vector3<double>& r_0) const override { return workTo(r_0); }
  Dual potential(const Vector3<Dual>& r_0) const override { return workTo(r_0); }

 private:
  template <class S>
  Vector3<S> at(const Vector3<S>& r_0) const {
    const S h = r_0[1] / a_;
    return {S(0), S(-g_ * (1.0 - h * (slope_ - 3.0 * h))), S(0)};
  }
  template <class S>
  S workTo(const Vector3<S>& r_0) const {
    const S h = r_0[1] / a_;
    return g_ * r_0[1] * (1.0 - h * (0.5 * slope_ - h));
  }

  static constexpr double a_ = 6378137.0;  ///< [m] semi-major axis
  double g_;                               ///< [m/s2] at the ellipsoid
  double slope_;                           ///< [1] of the first-order correction by h/a
};

}  // namespace cardan
