#include "components/forces/line_force_with_two_masses.h"

#include "components/forces/line_animation.h"
#include "components/interfaces/picture.h"

namespace cardan {

void LineForceWithTwoMasses::read(ParameterReader& r) {
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

void LineForceWithTwoMasses::declare(Structure& s) {
  line_.declare(s, m_a_ > 0, m_b_ > 0);
  flanges_.declare(s, line_);
}

void LineForceWithTwoMasses::describe(Variables& v) const {
  line_.describe(v);
  flanges_.describe(v);
  describeLinePoint(v, "", "1", [this](const auto& x) { return point1(x); });
  describeLinePoint(v, "", "2", [this](const auto& x) { return point2(x); });
  v.vector({"aux1_0", "N", "auxiliary force 1, resolved in world", Level::Acceleration},
           [this](const auto& x) { return aux1(x, point1(x), point2(x)); });
  v.vector({"aux2_0", "N", "auxiliary force 2: the part of 1 across the line", Level::Acceleration},
           [this](const auto& x) { return across(x, aux1(x, point1(x), point2(x))); });
  v.mechanics([this](const auto& x) {
    MechanicalSums<std::decay_t<decltype(x.time())>> sum;
    const auto p1 = point1(x), p2 = point2(x);
    addPointMass(sum, x.world(), m_a_, p1.r_0, p1.v_0);
    addPointMass(sum, x.world(), m_b_, p2.r_0, p2.v_0);
    return sum;
  });
}

void LineForceWithTwoMasses::picture(Shapes& s) const {
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

}  // namespace cardan
