/// SphericalSpherical: a rod of fixed length between two points, with a point mass in its middle.
#pragma once

#include "components/animation.h"
#include "components/assemblies/rod.h"
#include "components/component.h"
#include "components/interfaces/line_force_base.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/total_power.h"

namespace cardan {

/// Equations  |rRod_0| = rodLength;  t_a = t_b = 0
///            f_a = (f_CM - f_CM_e)/2 + f_rod eRod;  f_b = (f_CM + f_CM_e)/2 - f_rod eRod
///            f_CM = m (a_CM - g_0);  f_CM_e = (f_CM.eRod) eRod
/// Source     MSL 4.0 Joints.SphericalSpherical
class SphericalSpherical final : public ComponentOf<SphericalSpherical> {
 public:
  struct Parameters {
    double rodLength = 1;  ///< [m]   > 0
    double m = 0;          ///< [kg]  of a point in the middle, >= 0
  };

  SphericalSpherical() = default;
  explicit SphericalSpherical(const Parameters& p) {
    rod_.rodLength = p.rodLength;
    mass_.m = p.m;
  }

  void read(ParameterReader& r) override {
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
  void declare(Structure& s) override {
    rod_.declare(s);
    distance_ = s.constraint("length", "m", 1, 0);
    if (mass_.m > 0) {
      s.inertia(rod_.frames.frame_a);
      s.inertia(rod_.frames.frame_b);
    }
  }
  void describe(Variables& v) const override {
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
  void picture(Shapes& s) const override {
    if (!animation_.shown()) return;
    const FrameId a = rod_.frames.frame_a, b = rod_.frames.frame_b;
    picture::rod(s, animation_, "shape_rod", a, b, "rodDiameter", "rodColor");
    picture::sphere(s, animation_, a, "shape_a");
    picture::sphere(s, animation_, b, "shape_b");
    if (!animation_.shown("showMass") || mass_.m == 0) return;
    Shape mass =
        picture::sphereOnLine("shape_mass", a, b, animation_.realValue("massDiameter"),
                              [](const View<double>&, double length) { return length / 2; });
    mass.color = picture::rgb(animation_.colorValue("massColor"));
    mass.specular = animation_.specularValue();
    s.add(std::move(mass));
  }

  template <class S>
  void physics(View<S>& x) const {
    const FrameState<S>& a = x.frame(rod_.frames.frame_a);
    const FrameState<S>& b = x.frame(rod_.frames.frame_b);
    const Vector3<S> r_0 = b.r_0 - a.r_0;
    const S distance = frames::length(r_0);
    // Ends that meet (a bad guess) have no direction; values stay finite there.
    const Vector3<S> e_0 = r_0 / max(distance, 1e-10);
    const S gv = dot(e_0, (b.v_0 - a.v_0).eval()) - rod_.lengthRate(x);
    x.constrain(distance_, 0, S(distance - rod_.length(x)), gv);
    x.react(distance_, 0, rod_.frames.frame_b, {e_0, Vector3<S>::Zero()});
    x.react(distance_, 0, rod_.frames.frame_a, {-e_0, Vector3<S>::Zero()});
    mass_.addInertia(x, rod_.frames);
  }

  /// Power of the inertia and weight of the point mass [W].
  template <class S>
  S massPower(const View<S>& x) const {
    if (mass_.m == 0) return S(0);
    const LinePoint<S> p = mass_.point(x, rod_.frames);
    return -mass_.m * dot(p.ag_0, p.v_0);
  }

 private:
  /// Load of the point mass, resolved in frame_a.
  template <class S>
  Vector3<S> f_CM_a(const View<S>& x) const {
    return frames::resolve2(x.frame(rod_.frames.frame_a).R,
                            (mass_.point(x, rod_.frames).ag_0 * mass_.m).eval());
  }
  template <class S>
  Vector3<S> f_CM_e(const View<S>& x) const {
    const Vector3<S> e_a = rod_.eRod_a(x);
    return e_a * dot(f_CM_a(x), e_a);
  }

  Rod rod_;
  MassOnLine mass_;  ///< in the middle
  Animation animation_;

  ConstraintId distance_;
};

}  // namespace cardan
