/// LineForceWithTwoMasses: the line between two frames as a place for translational parts, with or
/// without two masses.
#pragma once

#include "components/animation.h"
#include "components/forces/line_flanges.h"

namespace cardan {

/// Masses at fixed distances L_a from frame_a and L_b from frame_b on the line (cylinder and rod
/// of a strut). e = e_rel_0 turns with what of v_b - v_a is across the line; virtual work gives:
///
/// Equations  r_CM1_0 = r_a + e L_a;  r_CM2_0 = r_b - e L_b
///            ag_CMi_0 = der(der(r_CMi_0)) - g_0(r_CMi_0)
///            aux1_0 = (ag_CM1_0 m_a L_a - ag_CM2_0 m_b L_b)/length
///            aux2_0 = aux1_0 - (aux1_0.e) e
///            frame_a.f = m_a ag_CM1_0 - aux2_0 + e flange_b.f
///            frame_b.f = m_b ag_CM2_0 + aux2_0 - e flange_b.f
///            flange_a.s = 0;  flange_b.s = length
/// Source     MSL 4.0 Forces.LineForceWithTwoMasses; force at flange_a as in LineForceWithMass
class LineForceWithTwoMasses final : public ComponentOf<LineForceWithTwoMasses> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

  template <class S>
  void physics(View<S>& x) const {
    if (m_a_ > 0 || m_b_ > 0) {
      const LinePoint<S> p1 = point1(x), p2 = point2(x);
      const Vector3<S> aux2_0 = across(x, aux1(x, p1, p2));
      x.addLoad0(line_.frames.frame_a, {p1.ag_0 * m_a_ - aux2_0, Vector3<S>::Zero()});
      x.addLoad0(line_.frames.frame_b, {p2.ag_0 * m_b_ + aux2_0, Vector3<S>::Zero()});
    }
    flanges_.transmit(x, line_);
  }

 private:
  /// Motion of the point at distance L from the end `f` towards the other end.
  template <class S>
  LinePoint<S> point(const View<S>& x, FrameId f, double L) const {
    const FrameState<S>& a = x.frame(line_.frames.frame_a);
    const FrameState<S>& b = x.frame(line_.frames.frame_b);
    const Line<S> line = line_.line(x);
    const S s = line_.guarded(line);
    const Vector3<S> ed_0 = (b.v_0 - a.v_0 - line.e_0 * line.sd) / s;
    const Vector3<S> edd_0 = (b.a_0 - a.a_0 - line.e_0 * line.sdd - ed_0 * (2.0 * line.sd)) / s;
    const FrameState<S>& end = x.frame(f);
    LinePoint<S> p{end.r_0 + line.e_0 * L, end.v_0 + ed_0 * L, end.a_0 + edd_0 * L};
    p.ag_0 -= x.world().gravityAcceleration(p.r_0);
    return p;
  }
  template <class S>
  LinePoint<S> point1(const View<S>& x) const {
    return point(x, line_.frames.frame_a, L_a_);
  }
  template <class S>
  LinePoint<S> point2(const View<S>& x) const {
    return point(x, line_.frames.frame_b, -L_b_);
  }
  template <class S>
  Vector3<S> aux1(const View<S>& x, const LinePoint<S>& p1, const LinePoint<S>& p2) const {
    return (p1.ag_0 * (m_a_ * L_a_) - p2.ag_0 * (m_b_ * L_b_)) / line_.guarded(line_.line(x));
  }
  /// The part of v_0 across the line.
  template <class S>
  Vector3<S> across(const View<S>& x, const Vector3<S>& v_0) const {
    const Vector3<S> e_0 = line_.line(x).e_0;
    return v_0 - e_0 * dot(v_0, e_0);
  }

  double m_a_ = 0, m_b_ = 0;  ///< [kg]
  double L_a_ = 0, L_b_ = 0;  ///< [m]  from frame_a and from frame_b, positive towards the other
  Animation animation_;
  LineForceBase line_;
  LineFlanges flanges_;
};

}  // namespace cardan
