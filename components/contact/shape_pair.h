/// ShapePair: what acts between two shapes.
#pragma once

#include "components/component.h"
#include "components/contact/bristle.h"
#include "components/contact/foundation.h"
#include "components/contact/touch.h"
#include "components/interfaces/two_no_tree_frames.h"
#include "components/laws/relation.h"

namespace cardan::contact {

class SolidShape;

/// frame_a, frame_b: the frames of the shapes A and B.
///
/// Equations  normal load of `press` with the damping of Restitution; f_n its part along n_0
///            friction at the centre of the normal forces c, of radius of gyration r_g about n_0, by
///            one limit for slip and spin: with u = (v_slip, r_g w_n),
///            f = -mu f_n hold_t, t = -mu f_n r_g hold_n;  hold from Bristle(u), or smooth:
///            u/sqrt(u.u + v_c^2)
///            rolling resistance  t = -rolling f_n w_t/sqrt(w_t.w_t + (v_c/size)^2)
/// Unknowns   with friction that sticks: see Bristle
/// Modes      touching: the gap is negative
/// Loads      f_0, t_0 on A at c, the opposite on B
/// Source     pressure fields as in Patch; the coupling of slip and spin after Contensou's
class ShapePair final : public ComponentOf<ShapePair> {
 public:
  /// `mass` [kg]: of what moves with the lighter of the two.
  ShapePair(const SolidShape& a, const SolidShape& b, double mass) : a_(a), b_(b), mass_(mass) {}

  void read(ParameterReader& r) override;
  void parametersChanged() override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;
  void guards(const View<double>& x, Guards& g) const override;
  void follow(const View<double>& x, Modes& m) const override;
  bool transition(const View<double>& x, Modes& m) const override;
  bool rests(const View<double>& x) const override { return !touching_.holds(x); }

  template <class S>
  void physics(View<S>& x) const {
    const bool sticks = foundation_.sticks();
    if (x.isStriking() || !touching_.holds(x)) {
      if (sticks) bristle_.restingRows(x, foundation_.grip());
      return;
    }
    const Touch<S> c = touch(x);
    if (x.ahead() > 0 && !(c.overlap > 0)) {
      if (sticks) bristle_.restingRows(x, foundation_.grip());
      return;
    }
    if (sticks) bristle_.rows(x, Slip<S>{c.u_0, c.n_0, c.w_0}, foundation_.grip());
    // B's body takes the opposite of what acts on A; a connector's load is the opposite of that.
    const Vector3<S> arm = c.c_0 - x.frame(frames_.frame_b).r_0;
    frames_.addBalanced(x, {c.f_0, c.t_0 + cross(arm, c.f_0)});
  }

 private:
  /// All at one instant, resolved in world.
  template <class S>
  struct Touch {
    Vector3<S> n_0 = Vector3<S>::Zero();  ///< [1]      from B to A
    Vector3<S> c_0 = Vector3<S>::Zero();  ///< [m]      centre of the normal forces
    Vector3<S> u_0 = Vector3<S>::Zero();  ///< [m/s]    slip of A on B, and along n_0 r_g w_n
    Vector3<S> w_0 = Vector3<S>::Zero();  ///< [rad/s]  at which the plane of contact turns
    Vector3<S> f_0 = Vector3<S>::Zero();  ///< [N]      on A
    Vector3<S> t_0 = Vector3<S>::Zero();  ///< [N.m]    about c_0
    S f_n{0};                             ///< [N]
    S f_friction{0};                      ///< [N]
    S lossPower{0};                       ///< [W]
    S area{0};                            ///< [m2]
    double overlap = 0;                   ///< [m]      > 0 where they press each other
  };
  /// The ellipse that would have the same second moments about c_0 if it were pressed evenly, resolved
  /// in world: a face of w by d that is pressed evenly has half axes of w/sqrt(3) and d/sqrt(3).
  struct Patch {
    Vector3d n_0 = Vector3d::Zero();                         ///< [1]
    Vector3d major_0 = Vector3d::Zero(), minor_0 = major_0;  ///< [m]  half axes; apart: zero
  };
  /// A's frame, and where B is in it.
  template <class S>
  struct Placed {
    Matrix3<S> T;    ///< [1]  v_A = T v_0
    Vector3<S> r_0;  ///< [m]  A's origin
    RelativePose<S> pose;
  };

  template <class S>
  static Vector3<S> arm(const FrameState<S>& frame, const SolidShape& shape);
  template <class S>
  Placed<S> place(const View<S>& x) const;
  template <class S>
  RelativeVelocity<S> motionOf(const View<S>& x, const Placed<S>& p) const;
  template <class S>
  Touch<S> touch(const View<S>& x) const;
  template <class S>
  RelativePose<S> together(RelativePose<S> pose) const;
  template <class S>
  Touch<S> seen(const View<S>& x) const;
  Patch patch(const View<double>& x) const;
  template <class S>
  void addFriction(const View<S>& x, const NormalLoad<S>& l, const RelativeVelocity<S>& motion,
                   const Matrix3<S>& T, Touch<S>& c) const;
  template <class S>
  S energyAt(const View<S>& x) const;
  template <class To>
  void tellDepth(To& to, double overlap) const;
  double overlapAt(const View<double>& x, const Touch<double>& c) const;
  double gapAt(const View<double>& x) const;
  Dual gapAt(const View<Dual>& x) const;
  double size() const;

  static constexpr double kTouch = 5e-11;  ///< [1]  of the size: an overlap that is felt

  const SolidShape& a_;
  const SolidShape& b_;
  double mass_ = 1, g_ = 9.81;
  double most_ = 0;  ///< [m]  overlap of which the law has a meaning
  Foundation::Sources sources_;
  Foundation foundation_;
  TwoNoTreeFrames frames_;
  one_dimensional::Relation touching_;
  Bristle bristle_;
};

}  // namespace cardan::contact
