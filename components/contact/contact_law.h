/// ContactLaw: Hunt and Crossley's force between two surfaces at one point, and friction that is
/// smooth in the slip, or sticks and slips.
#pragma once

#include "components/contact/bristle.h"
#include "components/parameter_reader.h"
#include "components/variables.h"
#include "components/view.h"

namespace cardan::contact {

/// Where two surfaces are nearest, or overlap.
template <class S>
struct ContactPoint {
  S depth;         ///< [m]  of the overlap; < 0: minus the distance
  Vector3<S> n_0;  ///< [1]  unit normal, from frame_a's surface to frame_b's, resolved in world
  Vector3<S> r_0;  ///< [m]  where the force acts, resolved in world
  S steepness{1};  ///< [1]  growth of depth by displacement of frame_b's surface along -n_0
  Vector3<S> v_own_0 = Vector3<S>::Zero();  ///< [m/s]  of frame_a's surface relative to frame_a
};

/// What acts at such a point.
template <class S>
struct ContactForce {
  S v_depth;            ///< [m/s]  der(depth)
  Vector3<S> v_slip_0;  ///< [m/s]  of frame_b's surface on frame_a's, resolved in world
  S v_slip;             ///< [m/s]  its size
  S f_n{0};             ///< [N]    normal force, never pulling
  S f_friction{0};      ///< [N]    size of the friction
  Vector3<S> f_0 = Vector3<S>::Zero();  ///< [N]  on frame_b's side, resolved in world
  S energy{0};                          ///< [J]  stored
  S lossPower{0};                       ///< [W]  of damping and friction
};

/// Equations  f_n = k depth^exponent (1 + a v_depth) steepness, 0 where that pulls
///            f_friction = mu f_n v_slip/sqrt(v_slip^2 + v_creep^2), against the slip;
///            with stick: mu f_n against the slip, or what keeps it from beginning, up to peak mu f_n;
///            of elastic surfaces by a displacement, see Bristle
///            energy = k depth^(exponent + 1)/(exponent + 1)
///            a from a coefficient of restitution e at the approach speed v of a free impact:
///            a v (1 + e) = ln((1 + a v)/(1 - e a v))
///            rigid: f_n is what holds the surfaces apart, and they part with e of the speed at
///            which they have come together, or with none of it below v_rest
/// Source     Hunt, Crossley: Coefficient of restitution interpreted as damping in vibroimpact.
///            J. Appl. Mech. 42 (1975); the relation is the first integral of the law,
///            v/a - ln(1 + a v)/a^2 + k depth^(exponent + 1)/((exponent + 1) m) = constant
class ContactLaw {
 public:
  /// `ofSpheres`: k may follow from E_star.
  void read(ParameterReader& r, bool ofSpheres);
  /// `radius` [m]: effective radius of curvature, 1/(1/radius_a + 1/radius_b), of spheres.
  void prepare(double radius);
  void describe(Variables& v) const;

  bool isDamped() const { return a_ > 0; }
  bool isRigid() const { return rigid_; }
  double mu() const { return mu_; }
  /// [1]  of rigid surfaces, and [m/s] from which speed of approach on they have it
  double restitution() const { return restitution_; }
  double v_rest() const { return v_rest_; }
  bool sticks() const { return stick_; }
  bool sticksRigidly() const { return stick_ && rigid_; }
  bool hasBristle() const { return stick_ && !rigid_; }
  Grip grip() const { return {z_s_, peak_}; }
  /// [N]  sliding friction under the normal force f_n, and the largest one when stuck
  template <class S>
  S slidingFriction(const S& f_n) const {
    return mu_ * f_n;
  }
  template <class S>
  S largestFriction(const S& f_n) const {
    return peak_ * mu_ * f_n;
  }

  /// `pushing`: not released by the damping; `v_rel_0`: velocity of frame_b's material at the point
  /// relative to frame_a's surface there. Friction that sticks is left out.
  template <class S>
  ContactForce<S> force(const ContactPoint<S>& at, const Vector3<S>& v_rel_0, bool touching,
                        bool pushing) const {
    ContactForce<S> c = motion(at, v_rel_0);
    if (!touching) return c;
    const S depth = max(at.depth, 0.0);
    const S elastic = k_ * pow(depth, exponent_);
    const S pushed = pushing ? S(elastic * (1.0 + a_ * c.v_depth)) : S(0.0);
    c.f_n = pushed * at.steepness;
    c.energy = elastic * depth / (exponent_ + 1);
    c.lossPower = (pushed - elastic) * c.v_depth;
    return pressed(c, at);
  }
  /// Of rigid surfaces, which the force f_n [N] holds apart.
  template <class S>
  ContactForce<S> force(const ContactPoint<S>& at, const Vector3<S>& v_rel_0, const S& f_n) const {
    ContactForce<S> c = motion(at, v_rel_0);
    c.f_n = f_n;
    return pressed(c, at);
  }
  /// 1 + a v_depth: the damping pulls as hard as the spring pushes where it is 0.
  double push(double v_depth) const { return 1 + a_ * v_depth; }

 private:
  template <class S>
  static ContactForce<S> motion(const ContactPoint<S>& at, const Vector3<S>& v_rel_0) {
    ContactForce<S> c;
    const S v_n = dot(at.n_0, v_rel_0);
    c.v_depth = -v_n * at.steepness;
    c.v_slip_0 = v_rel_0 - at.n_0 * v_n;
    c.v_slip = sqrt(dot(c.v_slip_0, c.v_slip_0));
    return c;
  }
  /// With the forces that follow from f_n.
  template <class S>
  ContactForce<S> pressed(ContactForce<S> c, const ContactPoint<S>& at) const {
    c.f_0 = at.n_0 * c.f_n;
    if (stick_) return c;
    const S slip2 = dot(c.v_slip_0, c.v_slip_0);
    const S grip = mu_ * c.f_n / sqrt(slip2 + v_creep_ * v_creep_);
    c.f_friction = grip * c.v_slip;
    c.f_0 -= c.v_slip_0 * grip;
    c.lossPower += grip * slip2;
    return c;
  }

  void readRigid(ParameterReader& r);

  // Parameters
  double k_given_ = 0;        ///< [N/m^exponent]  > 0
  double E_star_ = 0;         ///< [Pa]   > 0
  double exponent_ = 1.5;     ///< [1]    >= 1
  double damping_ = 0;        ///< [s/m]  >= 0
  double restitution_ = 1;    ///< [1]    > 0, <= 1
  double v_restitution_ = 1;  ///< [m/s]  > 0
  double mu_ = 0;             ///< [1]    >= 0
  double v_creep_ = 1e-3;     ///< [m/s]  > 0
  bool rigid_ = false;
  double v_rest_ = 1e-3;  ///< [m/s]  >= 0
  bool stick_ = false;
  double peak_ = 1;    ///< [1]  >= 1
  double z_s_ = 2e-7;  ///< [m]  > 0
  bool fromModulus_ = false, fromRestitution_ = false;

  double k_ = 0;  ///< [N/m^exponent]
  double a_ = 0;  ///< [s/m]
};

/// a v of the relation above [1]: 0 for e = 1, towards 1/e for small e.
double dissipationOfRestitution(double e);

}  // namespace cardan::contact
