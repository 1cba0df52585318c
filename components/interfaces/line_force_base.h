/// LineForceBase: what all forces along the line between two frames share.
#pragma once

#include <string>

#include "components/component.h"
#include "components/interfaces/line_force.h"
#include "components/laws/free_point.h"
#include "components/laws/point_motion.h"
#include "components/start_value.h"

namespace cardan {

/// Frames, guard and variables of a line force.
///
/// Guard      s = max(length, s_small), e_rel_0 = r_rel_0/s. At a length below s_small MSL stops;
///            here the force fades out, values and derivatives stay finite.
/// Free ends  a frame that nothing else places becomes a free point with R = nullRotation: the
///            root of lowest rank, taken only there. fixedRotationAtFrame_a/b, by which MSL asks
///            for this, are accepted and need not be set; where a body holds the frame they
///            change nothing.
/// Source     MSL 4.0 Interfaces.LineForceBase, PartialLineForce
struct LineForceBase {
  TwoNoTreeFrames frames;
  double s_small = 1e-10;  ///< [m]
  StartVector<3> r_rel_0;  ///< [m]  from frame_a to frame_b: the guess for a free end

  void read(ParameterReader& r);
  /// Start of r_rel_0, by itself for an inner part of that name in MSL.
  void readStart(ParameterReader& r);
  /// `massAt_a`: a point mass on the line moves with frame_a, so that a free end has a velocity.
  void declare(Structure& s, bool massAt_a = false, bool massAt_b = false);
  /// Variables length, s, r_rel_0, e_rel_0, their names after `prefix`.
  void describe(Variables& v, const std::string& prefix = "") const;

  template <class S>
  Line<S> line(const View<S>& x) const {
    return lineBetween(x.frame(frames.frame_a), x.frame(frames.frame_b), s_small);
  }
  /// The guarded length [m].
  template <class S>
  S guarded(const Line<S>& line) const {
    return max(line.s, s_small);
  }

  /// Variables r_rel_a, e_a and f, f(const View<S>&) -> S [N] > 0 where it pulls.
  template <class F>
  void describeForce(Variables& v, Level level, F f) const {
    v.vector({"r_rel_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
             [this](const auto& x) {
               const auto& a = x.frame(frames.frame_a);
               return frames::resolve2(a.R, (x.frame(frames.frame_b).r_0 - a.r_0).eval());
             });
    v.vector(
        {"e_a", "1", "direction from frame_a to frame_b, resolved in frame_a", Level::Position},
        [this](const auto& x) { return frames::resolve2(x.frame(frames.frame_a).R, line(x).e_0); });
    v.scalar({"f", "N", "force along the line, positive where it pulls the frames together", level},
             f);
  }

  /// What a damper along the line loses: d der(s)^2; `d` [N.s/m] stays where it is.
  void describeLoss(Variables& v, const double& d) const {
    v.scalar({"lossPower", "W", "power that leaves through the heat port", Level::Velocity},
             [this, &d](const auto& x) {
               const auto sd = line(x).sd;
               return d * sd * sd;
             });
  }

 private:
  void declareEnd(Structure& s, FrameId f, const std::string& name, bool mass) const;

  FreePoint freePoint_;
  PointMotionLaw pointMotion_;
};

/// Adds a point mass at r_0 with velocity v_0, resolved in world, to energy and momentum.
template <class S>
void addPointMass(MechanicalSums<S>& sum, const WorldSettings& world, double m,
                  const Vector3<S>& r_0, const Vector3<S>& v_0) {
  const Vector3<S> p_0 = v_0 * m;
  sum.kineticEnergy += 0.5 * dot(p_0, v_0);
  sum.potentialEnergy += m * world.gravityPotential(r_0);
  sum.p_0 += p_0;
  sum.L_0 += cross(r_0, p_0);
}

/// Motion of a point on the line.
template <class S>
struct LinePoint {
  Vector3<S> r_0;   ///< [m]    position, resolved in world
  Vector3<S> v_0;   ///< [m/s]  der(r_0)
  Vector3<S> ag_0;  ///< [m/s2] der(v_0) - gravity at r_0
};

/// Variables `r`, `v`, `ag` of a mass on the line, point(const View<S>&) -> LinePoint<S>.
template <class F>
void describeLinePoint(Variables& v, const std::string& prefix, const std::string& number,
                       F point) {
  const std::string CM = "CM" + number + "_0",
                    of = "of the point mass" + (number.empty() ? "" : " " + number);
  v.vector({prefix + "r_" + CM, "m", "position " + of + ", resolved in world", Level::Position},
           [point](const auto& x) { return point(x).r_0; });
  v.vector({prefix + "v_" + CM, "m/s", "velocity " + of + ", resolved in world", Level::Velocity},
           [point](const auto& x) { return point(x).v_0; });
  v.vector({prefix + "ag_" + CM, "m/s2", "acceleration " + of + " minus gravity, resolved in world",
            Level::Acceleration},
           [point](const auto& x) { return point(x).ag_0; });
}

/// A point mass at a fixed fraction of the line.
///
/// r_CM_0 = r_a + lengthFraction (r_b - r_a); by virtual work the fraction (1 - lengthFraction) of
/// its inertia and weight m (a_CM - g_0) acts at frame_a, the rest at frame_b.
/// Source  MSL 4.0 Forces.LineForceWithMass
struct MassOnLine {
  double m = 0;                 ///< [kg]
  double lengthFraction = 0.5;  ///< [1]  of the distance from frame_a to frame_b, 0..1

  void read(ParameterReader& r);
  bool at_a() const { return m > 0 && lengthFraction < 1; }
  bool at_b() const { return m > 0 && lengthFraction > 0; }

  template <class S>
  LinePoint<S> point(const View<S>& x, const TwoNoTreeFrames& frames) const {
    const FrameState<S>& a = x.frame(frames.frame_a);
    const FrameState<S>& b = x.frame(frames.frame_b);
    const double h = lengthFraction;
    LinePoint<S> p{a.r_0 + h * (b.r_0 - a.r_0), a.v_0 + h * (b.v_0 - a.v_0),
                   a.a_0 + h * (b.a_0 - a.a_0)};
    p.ag_0 -= x.world().gravityAcceleration(p.r_0);
    return p;
  }
  template <class S>
  void addInertia(View<S>& x, const TwoNoTreeFrames& frames) const {
    if (m == 0) return;
    const Vector3<S> f_0 = point(x, frames).ag_0 * m;
    x.addLoad0(frames.frame_a, {f_0 * (1 - lengthFraction), Vector3<S>::Zero()});
    x.addLoad0(frames.frame_b, {f_0 * lengthFraction, Vector3<S>::Zero()});
  }
  template <class S>
  void addSums(MechanicalSums<S>& sum, const View<S>& x, const TwoNoTreeFrames& frames) const {
    const LinePoint<S> p = point(x, frames);
    addPointMass(sum, x.world(), m, p.r_0, p.v_0);
  }
};

}  // namespace cardan
