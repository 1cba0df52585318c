#include "components/assemblies/spherical_spherical.h"

#include "components/interfaces/picture.h"
#include "components/interfaces/total_power.h"

namespace cardan {

void SphericalSpherical::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  animation_.boolean(r, "showMass", true, "the point mass is shown");
  r.boolean("computeRodLength", rod_.computeRodLength,
            "rodLength is a guess, and the start values determine it");
  r.real("rodLength", rod_.rodLength, "m", "distance between frame_a and frame_b", kPositive);
  r.real("m", mass_.m, "kg", "mass of a point in the middle of the rod", kNotNegative);
  animation_.sphere(r, r.world().defaultJointLength, "world.defaultJointLength", kJointColor);
  animation_.length(r, "rodDiameter", animation_.realValue("sphereDiameter") / 2,
                    "diameter of the rod; default: sphereDiameter/2");
  animation_.color(r, "rodColor", kRodColor, "rod");
  animation_.length(r, "massDiameter", animation_.realValue("sphereDiameter"),
                    "diameter of the point mass; default: sphereDiameter");
  animation_.color(r, "massColor", kBodyColor, "point mass");
  animation_.specular(r);
  rod_.readLast(r);
}

void SphericalSpherical::declare(Structure& s) {
  rod_.declare(s);
  distance_ = s.constraint("length", "m", 1, 0);
  if (mass_.m > 0) {
    s.inertia(rod_.frames.frame_a);
    s.inertia(rod_.frames.frame_b);
  }
}

void SphericalSpherical::describe(Variables& v) const {
  rod_.describe(v);
  v.scalar(
      {"f_rod", "N", "constraint force in the rod, positive where it is pressed", Level::Force},
      [this](const auto& x) {
        return 0.5 * dot(f_CM_a(x), rod_.eRod_a(x)) - x.multiplier(distance_, 0);
      });
  // MSL's r_CM_0, v_CM_0 and loads of the mass are zero where m = 0.
  const double massive = mass_.m > 0 ? 1 : 0;
  v.vector({"r_CM_0", "m", "position of the point mass, resolved in world", Level::Position},
           [this, massive](const auto& x) {
             return (mass_.point(x, rod_.frames).r_0 * massive).eval();
           });
  v.vector({"v_CM_0", "m/s", "velocity of the point mass, resolved in world", Level::Velocity},
           [this, massive](const auto& x) {
             return (mass_.point(x, rod_.frames).v_0 * massive).eval();
           });
  v.vector({"f_CM_a", "N", "load of the point mass, resolved in frame_a", Level::Acceleration},
           [this](const auto& x) { return f_CM_a(x); });
  v.vector({"f_CM_e", "N", "f_CM_a along the rod, resolved in frame_a", Level::Acceleration},
           [this](const auto& x) { return f_CM_e(x); });
  v.vector({"f_b_a1", "N", "force at frame_b without that in the rod, resolved in frame_a",
            Level::Acceleration},
           [this](const auto& x) { return ((f_CM_a(x) + f_CM_e(x)) * 0.5).eval(); });
  describeTotalPower(v, rod_.checkTotalPower, [this](const auto& x) {
    return framePower(x, {rod_.frames.frame_a, rod_.frames.frame_b}) + massPower(x);
  });
  v.mechanics([this](const auto& x) {
    MechanicalSums<std::decay_t<decltype(x.time())>> sum;
    if (mass_.m > 0) mass_.addSums(sum, x, rod_.frames);
    return sum;
  });
}

void SphericalSpherical::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  const FrameId a = rod_.frames.frame_a, b = rod_.frames.frame_b;
  picture::rod(s, animation_, "shape_rod", a, b, "rodDiameter", "rodColor");
  picture::sphere(s, animation_, a, "shape_a");
  picture::sphere(s, animation_, b, "shape_b");
  if (!animation_.shown("showMass") || mass_.m == 0) return;
  Shape mass = picture::sphereOnLine("shape_mass", a, b, animation_.realValue("massDiameter"),
                                     [](const View<double>&, double length) { return length / 2; });
  mass.color = picture::rgb(animation_.colorValue("massColor"));
  mass.specular = animation_.specularValue();
  s.add(std::move(mass));
}

}  // namespace cardan
