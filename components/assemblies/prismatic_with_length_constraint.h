/// PrismaticWithLengthConstraint: the prismatic joint of a joint assembly, whose distance follows
/// from the length of a rod.
#pragma once

#include <algorithm>
#include <cmath>

#include "components/assemblies/with_length_constraint.h"
#include "components/interfaces/describe.h"

namespace cardan {

/// Unknowns   s [m], v [m/s]
/// Equations  frame_b slides along n by distance = s + s_offset;  0 = f + e.f_b
///            d^2 + B d + C = 0 at the start, of whose two solutions the one nearest to
///            s_offset + s_guess
/// Source     MSL 4.0 Joints.Internal.PrismaticWithLengthConstraint
class PrismaticWithLengthConstraint final
    : public WithLengthConstraint<PrismaticWithLengthConstraint, SlidingLaw> {
 public:
  static constexpr const char* kName = "prismatic";  ///< MSL's inner name in the assemblies
  static constexpr Domain kDomain = Domain::Translational;

  struct Parameters {
    Vector3d n{1, 0, 0};          ///< [1]  axis, any length but zero, resolved in frame_a
    double lengthConstraint = 1;  ///< [m]  of the rod
    double s_offset = 0;          ///< [m]  distance where s = 0
    double s_guess = 0;           ///< [m]  chooses the branch
    StartValue s;                 ///< [m]

    void readBranch(ParameterReader& r) {
      r.real("s_offset", s_offset, "m", "distance of the prismatic joint's frames where s = 0");
      r.real("s_guess", s_guess, "m", "at the start, s is the solution nearest to it");
    }
    /// The start value, under the inner name.
    void readStart(ParameterReader& r) {
      r.begin(kName);
      r.start("s", s, "m", "distance of the prismatic joint, without s_offset");
      r.end();
    }
  };

  explicit PrismaticWithLengthConstraint(const Parameters& p)
      : WithLengthConstraint(p.n, p.s_offset), p_(p) {}

  void declare(Structure& s) override {
    frames_.declare(s, *this, {{"s", "m", "distance, without s_offset"}},
                    {{"v", "m/s", "velocity"}}, CutPolicy::never);
    frames_.declareDrive(s, kDomain, "bearing");
  }
  void describe(Variables& v) const override {
    v.start("s", p_.s);
    v.scalar({"distance", "m", "s + s_offset", Level::Position},
             [this](const auto& x) { return x.joint(frames_.joint).q[0] + p_.s_offset; });
    v.vector({"r_rel_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
             [this](const auto& x) {
               return (axis_.e * (x.joint(frames_.joint).q[0] + p_.s_offset)).eval();
             });
    v.scalar({"f", "N", "driving force along the axis", Level::Force},
             [this](const auto& x) { return -dot(axis_.e, frames_.load_b(x).f); });
    describe::vector(v, "e", "1", "unit axis of translation", [this] { return axis_.e; });
    describeBranch(v);
  }

  /// s at which the ends of the rod, at r_a from frame_a and at r_b from frame_b, each resolved
  /// there, have the distance lengthConstraint; the nearest possible one, where there is none [m].
  double solve(const Vector3d& r_a, const Vector3d& r_b) {
    // |d e + r_b - r_a| = L is d^2 + B d + C = 0.
    const Vector3d rbra = r_b - r_a;
    const double L = p_.lengthConstraint, k1 = dot(axis_.e, rbra), C = dot(rbra, rbra) - L * L;
    const double k2 = std::sqrt(std::max(k1 * k1 - C, 0.0));
    return nearest(-k1 + k2, -k1 - k2, p_.s_offset + p_.s_guess) - p_.s_offset;
  }

  /// Effect on the coordinate of a force at r_b, resolved in frame_b: e.
  Vector3d lever(const Vector3d& /*r_b*/) const { return axis_.e; }
  static constexpr const char* kLeverUnit = "1";

 private:
  Parameters p_;
};

}  // namespace cardan
