#include "components/parts/rotor_1d.h"

#include "components/interfaces/coordinate.h"
#include "components/interfaces/picture.h"
#include "components/laws/joint_axis.h"

namespace cardan {

using one_dimensional::RotationalAxis;

void Rotor1D::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  r.real("J", J_, "kg.m2", "moment of inertia about the axis of rotation", kNotNegative);
  r.vector("n", n_, "1", "axis of rotation, resolved in frame_a");
  animation_.vector(r, "r_center", Vector3d::Zero(), "m",
                    "from frame_a to the middle of the cylinder, resolved in frame_a");
  animation_.length(r, "cylinderLength", 2 * r.world().defaultJointLength,
                    "length of the cylinder along the axis; default: 2 world.defaultJointLength");
  animation_.length(r, "cylinderDiameter", 2 * r.world().defaultJointWidth,
                    "diameter of the cylinder; default: 2 world.defaultJointWidth");
  animation_.color(r, "cylinderColor", kRodColor, "cylinder");
  animation_.specular(r);
  StateSelect select = StateSelect::defaultSelect;
  readStateSelect(r, "stateSelect", select);
  r.boolean(
      "exact", exact_,
      "the carrier's angular acceleration acts on the rotor (only with driveTrainMechanics3D)");
  start_.read<RotationalAxis>(r);
  start_.select(select);
  r.require(n_.norm() > 0, "n", "must not be the zero vector");
}

void Rotor1D::parametersChanged() { e_ = n_.normalized(); }

void Rotor1D::declare(Structure& s) {
  flanges_.declare(s, Domain::Rotational);
  s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, 0});
  s.inertia(flanges_.a);
  housing_.declare(s);
}

void Rotor1D::describe(Variables& v) const {
  one_dimensional::describeMotion<RotationalAxis>(
      v, start_, " of the rotor relative to frame_a",
      [this](const auto& x) { return x.flange(flanges_.a); });
  v.mechanics([this](const auto& x) {
    using S = std::decay_t<decltype(x.time())>;
    MechanicalSums<S> sum;
    const S w = x.flange(flanges_.a).velocity;
    sum.kineticEnergy = 0.5 * J_ * w * w;
    if (housing_.effects3D) {
      const auto& R = x.frame(housing_.frame_a).R;
      sum.kineticEnergy += J_ * w * dot(e_, frames::angularVelocity2(R));
      sum.L_0 = frames::resolve1(R, Vector3<S>(e_ * (J_ * w)));
    }
    return sum;
  });
}

void Rotor1D::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  const double length = animation_.realValue("cylinderLength");
  Shape rotor = picture::pin("cylinder", housing_.frame_a, e_, length,
                             animation_.realValue("cylinderDiameter"),
                             animation_.colorValue("cylinderColor"), animation_.specularValue());
  rotor.r_shape = Vector3d(animation_.vectorValue("r_center") - e_ * (length / 2));
  // A line on it turns with the rotor.
  rotor.extra = 1.0;
  Vector3d u1, u2;
  acrossOf(e_, u1, u2);
  rotor.widthDirection =
      PictureValue::vector(Level::Position, [this, u1, u2](const View<double>& x) {
        const double phi = x.flange(flanges_.a).position;
        return Vector3d(u1 * std::cos(phi) + u2 * std::sin(phi));
      });
  s.add(std::move(rotor));
}

}  // namespace cardan
