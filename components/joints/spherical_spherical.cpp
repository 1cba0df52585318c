#include "components/joints/spherical_spherical.h"

#include "components/interfaces/describe.h"

namespace cardan {

void SphericalSpherical::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  animation_.boolean(r, "showMass", true);
  r.boolean("computeRodLength", computeRodLength_,
            "rodLength is a guess, and the start values determine it");
  r.real("rodLength", rodLength_, "m", "distance between frame_a and frame_b", kPositive);
  r.real("m", mass_.m, "kg", "mass of a point in the middle of the rod", kNotNegative);
  animation_.length(r, "sphereDiameter", r.world().defaultJointLength);
  animation_.color(r, "sphereColor", kJointColor);
  animation_.length(r, "rodDiameter", animation_.realValue("sphereDiameter") / 2);
  animation_.color(r, "rodColor", kRodColor);
  animation_.length(r, "massDiameter", animation_.realValue("sphereDiameter"));
  animation_.color(r, "massColor", kBodyColor);
  animation_.specular(r);
  bool kinematicConstraint = true, checkTotalPower = false;
  r.boolean("kinematicConstraint", kinematicConstraint, "the rod holds the distance (always true)");
  r.require(kinematicConstraint, "kinematicConstraint", "must be true");
  r.boolean("checkTotalPower", checkTotalPower, "accepted, without effect");
  r.start("rRod_0", rRod_0_, "m", "from frame_a to frame_b, resolved in world");
}

void SphericalSpherical::declare(Structure& s) {
  frames_.declare(s);
  rod_ = s.constraint("length", 1, 0);
  if (mass_.m > 0) {
    s.inertia(frames_.frame_a);
    s.inertia(frames_.frame_b);
  }
  if (computeRodLength_) {
    L_ = s.unknown({"rodLength", "m", "distance between frame_a and frame_b", rodLength_},
                   Kind::Differential);
    constant_ = s.row("der(rodLength)");
  }
}

void SphericalSpherical::describe(Variables& v) const {
  v.start("rRod_0", rRod_0_);
  if (!computeRodLength_) {
    describe::scalar(v, "rodLength", "m", "distance between frame_a and frame_b",
                     [this] { return rodLength_; });
  }
  v.vector({"rRod_0", "m", "from frame_a to frame_b, resolved in world", Level::Position},
           [this](const auto& x) {
             return (x.frame(frames_.frame_b).r_0 - x.frame(frames_.frame_a).r_0).eval();
           });
  v.vector({"rRod_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
           [this](const auto& x) { return rRod_a(x); });
  v.vector(
      {"eRod_a", "1", "direction from frame_a to frame_b, resolved in frame_a", Level::Position},
      [this](const auto& x) { return eRod_a(x); });
  v.scalar({"constraintResidue", "m2", "rRod_0.rRod_0 - rodLength^2", Level::Position},
           [this](const auto& x) {
             const auto r = rRod_a(x);
             const auto L = length(x);
             return dot(r, r) - L * L;
           });
  v.scalar(
      {"f_rod", "N", "constraint force in the rod, positive where it pulls frame_a to frame_b",
       Level::Force},
      [this](const auto& x) { return 0.5 * dot(f_CM_a(x), eRod_a(x)) - x.multiplier(rod_, 0); });
  // MSL's r_CM_0, v_CM_0 and loads of the mass are zero where m = 0.
  const double massive = mass_.m > 0 ? 1 : 0;
  v.vector(
      {"r_CM_0", "m", "position of the point mass, resolved in world", Level::Position},
      [this, massive](const auto& x) { return (mass_.point(x, frames_).r_0 * massive).eval(); });
  v.vector(
      {"v_CM_0", "m/s", "velocity of the point mass, resolved in world", Level::Velocity},
      [this, massive](const auto& x) { return (mass_.point(x, frames_).v_0 * massive).eval(); });
  v.vector({"f_CM_a", "N", "load of the point mass, resolved in frame_a", Level::Acceleration},
           [this](const auto& x) { return f_CM_a(x); });
  v.vector({"f_CM_e", "N", "f_CM_a along the rod, resolved in frame_a", Level::Acceleration},
           [this](const auto& x) { return f_CM_e(x); });
  v.vector({"f_b_a1", "N", "force at frame_b without that in the rod, resolved in frame_a",
            Level::Acceleration},
           [this](const auto& x) { return ((f_CM_a(x) + f_CM_e(x)) * 0.5).eval(); });
  v.mechanics([this](const auto& x) {
    MechanicalSums<std::decay_t<decltype(x.time())>> sum;
    if (mass_.m > 0) mass_.addSums(sum, x, frames_);
    return sum;
  });
}

}  // namespace cardan
