/// LineForceWithTwoMasses: the line between two frames as a place for translational parts, with or
/// without two masses.
#pragma once

#include "components/animation.h"
#include "components/forces/line_animation.h"
#include "components/forces/line_flanges.h"
#include "components/interfaces/picture.h"

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
  void read(ParameterReader& r) override {
    animation_.boolean(r, "animate", true, "the line is shown");
    animation_.boolean(r, "animateMasses", true, "the masses are shown");
    r.real("m_a", m_a_, "kg", "mass on the line near frame_a", kNotNegative);
    r.real("m_b", m_b_, "kg", "mass on the line near frame_b", kNotNegative);
    r.real("L_a", L_a_, "m", "from frame_a to mass a, positive towards frame_b");
    L_b_ = L_a_;
    r.real("L_b", L_b_, "m", "from frame_b to mass b, positive towards frame_a; default: L_a");
    animation_.specular(r);
    animation_.length(r, "cylinderDiameter_a", r.world().defaultForceWidth,
                      "diameter of the cylinder at frame_a; default: world.defaultForceWidth");
    animation_.length(r, "cylinderLength_a", 2 * L_a_,
                      "length of the cylinder at frame_a; default: 2 L_a");
    animation_.color(r, "color_a", kRodColor, "cylinder at frame_a");
    animation_.real(r, "diameterFraction", 0.8,
                    "diameter of the cylinder at frame_b by cylinderDiameter_a");
    animation_.length(r, "cylinderLength_b", 2 * L_b_,
                      "length of the cylinder at frame_b; default: 2 L_b");
    animation_.color(r, "color_b", {100, 100, 100}, "cylinder at frame_b");
    animation_.real(r, "massDiameterFaction", 1.7,  // MSL's spelling
                    "diameter of the masses by cylinderDiameter_a");
    animation_.color(r, "massColor", kBodyColor, "masses");
    line_.read(r);
    line_.readStart(r);
  }
  void declare(Structure& s) override {
    line_.declare(s, m_a_ > 0, m_b_ > 0);
    flanges_.declare(s, line_);
  }
  void describe(Variables& v) const override {
    line_.describe(v);
    flanges_.describe(v);
    describeLinePoint(v, "", "1", [this](const auto& x) { return point1(x); });
    describeLinePoint(v, "", "2", [this](const auto& x) { return point2(x); });
    v.vector({"aux1_0", "N", "auxiliary force 1, resolved in world", Level::Acceleration},
             [this](const auto& x) { return aux1(x, point1(x), point2(x)); });
    v.vector(
        {"aux2_0", "N", "auxiliary force 2: the part of 1 across the line", Level::Acceleration},
        [this](const auto& x) { return across(x, aux1(x, point1(x), point2(x))); });
    v.mechanics([this](const auto& x) {
      MechanicalSums<std::decay_t<decltype(x.time())>> sum;
      const auto p1 = point1(x), p2 = point2(x);
      addPointMass(sum, x.world(), m_a_, p1.r_0, p1.v_0);
      addPointMass(sum, x.world(), m_b_, p2.r_0, p2.v_0);
      return sum;
    });
  }
  void picture(Shapes& s) const override {
    if (!animation_.shown("animate")) return;
    const auto cylinder = [&](const char* name, auto from, auto to, double diameter,
                              const char* color) {
      Shape c =
          picture::onLine(name, "cylinder", line_.frames.frame_a, line_.frames.frame_b, from, to);
      picture::setDiameter(c, diameter);
      c.color = picture::rgb(animation_.colorValue(color));
      c.specular = animation_.specularValue();
      s.add(std::move(c));
    };
    const double diameter = animation_.realValue("cylinderDiameter_a");
    const double a = animation_.realValue("cylinderLength_a");
    const double b = animation_.realValue("cylinderLength_b");
    cylinder(
        "cylinder_a", [](const View<double>&, double) { return 0.0; },
        [a](const View<double>&, double) { return a; }, diameter, "color_a");
    cylinder(
        "cylinder_b", [b](const View<double>&, double length) { return length - b; },
        [](const View<double>&, double length) { return length; },
        diameter * animation_.realValue("diameterFraction"), "color_b");
    if (!animation_.shown("animateMasses")) return;
    const double mass = diameter * animation_.realValue("massDiameterFaction");
    if (m_a_ > 0) {
      picture::massOnLine(s, animation_, line_.frames, "sphere_a", mass,
                          [L = L_a_](const View<double>&, double) { return L; });
    }
    if (m_b_ > 0) {
      picture::massOnLine(s, animation_, line_.frames, "sphere_b", mass,
                          [L = L_b_](const View<double>&, double length) { return length - L; });
    }
  }

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
