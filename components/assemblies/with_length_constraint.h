/// WithLengthConstraint: what RevoluteWithLengthConstraint and PrismaticWithLengthConstraint share.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/axis_law.h"
#include "components/one_dimensional/axis.h"

namespace cardan {

/// The last joint of a joint assembly, whose coordinate q follows from the length of a rod.
///
/// The constraint itself is stated by the rod; of its two solutions the start takes the one nearest
/// to a guess. MSL keeps that branch for ever and stops where the two meet; here the coordinate
/// goes on continuously.
template <class Derived, class Law, class Axis>
class WithLengthConstraint : public ComponentOf<Derived>, public JointLawOf<Derived>, public Law {
 public:
  static constexpr int nq = 1, nv = 1;
  static constexpr Domain kDomain = Axis::domain;
  static constexpr bool kTurns = kDomain == Domain::Rotational;
  /// MSL's inner name in the assemblies.
  static constexpr const char* kName = kTurns ? "revolute" : "prismatic";

  struct Parameters {
    /// [1]  axis, any length but zero, resolved in frame_a
    Vector3d n = kTurns ? Vector3d(0, 0, 1) : Vector3d(1, 0, 0);
    double lengthConstraint = 1;  ///< [m]        of the rod
    double offset = 0;            ///< [rad | m]  between the frames where q = 0
    double guess = 0;             ///< [rad | m]  chooses the branch
    StartValue q;                 ///< [rad | m]

    /// Offset and guess; angles the file states in degrees.
    void readBranch(ParameterReader& r) {
      constexpr double unit = kTurns ? std::numbers::pi / 180 : 1;
      constexpr const char* name = kTurns ? "deg" : "m";
      double zero = offset / unit, near = guess / unit;
      r.real(kPosition + "_offset", zero, name,
             joint() + (kTurns ? "" : "'s frames") + " where " + kPosition + " = 0");
      r.real(kPosition + "_guess", near, name,
             "at the start, " + kPosition + " is the solution nearest to it");
      offset = zero * unit;
      guess = near * unit;
    }
    /// The start value, under the inner name.
    void readStart(ParameterReader& r) {
      r.begin(kName);
      r.start(kPosition, q, Axis::positionUnit, joint() + ", without " + kPosition + "_offset");
      r.end();
    }

   private:
    static std::string joint() { return std::string(kWord) + " of the " + kName + " joint"; }
  };

  explicit WithLengthConstraint(const Parameters& p) : Law(p.n, p.offset), p_(p) {}

  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    frames_.declare(
        s, *this, {{kPosition, Axis::positionUnit, kWord + (", without " + kPosition) + "_offset"}},
        {{Axis::velocity, Axis::velocityUnit, Axis::velocityWord}}, CutPolicy::never);
    frames_.declareDrive(s, kDomain, "bearing");
  }
  void describe(Variables& v) const override {
    v.start(kPosition, p_.q);
    v.scalar(
        {kWord, Axis::positionUnit, kPosition + " + " + kPosition + "_offset", Level::Position},
        [this](const auto& x) { return x.joint(frames_.joint).q[0] + p_.offset; });
    if constexpr (!kTurns) {
      v.vector({"r_rel_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
               [this](const auto& x) {
                 return (axis_.e * (x.joint(frames_.joint).q[0] + p_.offset)).eval();
               });
    }
    v.scalar({Axis::flow, Axis::flowUnit,
              std::string("driving ") + Axis::flowWord + " along the axis", Level::Force},
             [this](const auto& x) {
               const auto load = frames_.load_b(x);
               return -dot(axis_.e, kTurns ? load.t : load.f);
             });
    describe::vector(v, "e", "1", kTurns ? "unit axis of rotation" : "unit axis of translation",
                     [this] { return axis_.e; });
    if constexpr (kTurns) {
      describe::orientation(v, "R_rel", "rotation from frame_a to frame_b",
                            [this](const auto& x) { return frames_.relativeRotation(x); });
    }
    describe::truth(v, {"positiveBranch", "1", "which of the two solutions the start has taken"},
                    [this](const auto&) { return positiveBranch_; });
  }

  /// Axis n, any length but zero.
  void setAxis(const Vector3d& n) { AxisLaw::setAxis(n, this->offset_); }
  JointId joint() const { return frames_.joint; }

 protected:
  using Law::axis_;

  /// q, of the solution nearest to the guess.
  double nearest(double positive, double negative) {
    const double guess = p_.offset + p_.guess;
    positiveBranch_ = std::abs(positive - guess) <= std::abs(negative - guess);
    return (positiveBranch_ ? positive : negative) - p_.offset;
  }
  double lengthConstraint() const { return p_.lengthConstraint; }

 private:
  static constexpr const char* kWord = kTurns ? "angle" : "distance";
  inline static const std::string kPosition = Axis::position;

  Parameters p_;
  TwoTreeFrames frames_;
  bool positiveBranch_ = true;
};

}  // namespace cardan
