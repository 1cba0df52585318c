#include "components/joints/universal_spherical.h"

#include "components/interfaces/describe.h"
#include "components/joints/revolute.h"

namespace cardan {

void UniversalSpherical::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  animation_.boolean(r, "showUniversalAxes", true);
  r.boolean("computeRodLength", computeRodLength_,
            "rRod_ia is a direction, and the start values determine the rod's length");
  r.vector("n1_a", n1_a_, "1", "axis 1 of the universal joint, resolved in frame_a");
  r.vector("rRod_ia", rRod_ia_, "m", "from frame_a to frame_b, resolved in frame_ia");
  animation_.length(r, "sphereDiameter", r.world().defaultJointLength);
  animation_.color(r, "sphereColor", kJointColor);
  animation_.string(r, "rodShapeType", "cylinder");
  animation_.length(r, "rodWidth", animation_.realValue("sphereDiameter") / 2);
  animation_.length(r, "rodHeight", animation_.realValue("rodWidth"));
  animation_.real(r, "rodExtra", 0);
  animation_.color(r, "rodColor", kRodColor);
  animation_.length(r, "cylinderLength", r.world().defaultJointLength);
  animation_.length(r, "cylinderDiameter", r.world().defaultJointWidth);
  animation_.color(r, "cylinderColor", kJointColor);
  animation_.specular(r);
  bool kinematicConstraint = true, checkTotalPower = false;
  r.boolean("kinematicConstraint", kinematicConstraint, "the rod holds the distance (always true)");
  r.require(kinematicConstraint, "kinematicConstraint", "must be true");
  r.boolean("checkTotalPower", checkTotalPower, "accepted, without effect");
  r.start("rRod_0", rRod_0_, "m", "from frame_a to frame_b, resolved in world");
  r.start("rRod_a", rRod_a_, "m", "from frame_a to frame_b, resolved in frame_a");
  const bool axis = r.require(n1_a_.norm() > 0, "n1_a", "must not be the zero vector");
  const bool rod = r.require(rRod_ia_.norm() > 0, "rRod_ia", "must not be the zero vector");
  if (axis && rod &&
      r.require(cross(n1_a_.normalized(), rRod_ia_.normalized()).norm() > 1e-10, "n1_a",
                "must not be parallel to rRod_ia")) {
    parametersChanged();
  }
}

void UniversalSpherical::parametersChanged() {
  rodLength_ = rRod_ia_.norm();
  eRod_ia_ = rRod_ia_ / rodLength_;
  e2_ia_ = cross(n1_a_, eRod_ia_).normalized();
  e3_ia_ = cross(eRod_ia_, e2_ia_);
}

void UniversalSpherical::declare(Structure& s) {
  frames_.declare(s);
  frame_ia_ = s.frame("frame_ia");
  Revolute::Parameters axis1, axis2;
  axis1.n = n1_a_;
  axis2.n = e2_ia_;
  s.part("revolute_1", std::make_unique<Revolute>(axis1));
  s.part("revolute_2", std::make_unique<Revolute>(axis2));
  s.connect("frame_a", "revolute_1.frame_a");
  s.connect("revolute_1.frame_b", "revolute_2.frame_a");
  s.connect("revolute_2.frame_b", "frame_ia");
  rod_ = s.constraint("rod", 3, 0);
  if (computeRodLength_) {
    L_ = s.unknown({"rodLength", "m", "distance between frame_a and frame_b", rodLength_},
                   Kind::Differential);
    constant_ = s.row("der(rodLength)");
  }
}

void UniversalSpherical::describe(Variables& v) const {
  v.start("rRod_0", rRod_0_);
  v.start("rRod_a", rRod_a_);
  if (!computeRodLength_) {
    describe::scalar(v, "rodLength", "m", "distance between frame_a and frame_b",
                     [this] { return rodLength_; });
  }
  describe::vector(v, "eRod_ia", "1", "direction of the rod, resolved in frame_ia",
                   [this] { return eRod_ia_; });
  describe::vector(v, "e2_ia", "1", "axis 2 of the universal joint, resolved in frame_ia",
                   [this] { return e2_ia_; });
  describe::vector(v, "e3_ia", "1", "perpendicular to eRod_ia and e2_ia, resolved in frame_ia",
                   [this] { return e3_ia_; });
  v.vector({"rRod_0", "m", "from frame_a to frame_b, resolved in world", Level::Position},
           [this](const auto& x) {
             return (x.frame(frames_.frame_b).r_0 - x.frame(frames_.frame_a).r_0).eval();
           });
  v.vector({"rRod_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
           [this](const auto& x) { return rRod_a(x); });
  v.vector(
      {"eRod_a", "1", "direction from frame_a to frame_b, resolved in frame_a", Level::Position},
      [this](const auto& x) { return (rRod_a(x) / length(x)).eval(); });
  v.scalar({"constraintResidue", "m2", "rRod_0.rRod_0 - rodLength^2", Level::Position},
           [this](const auto& x) {
             const auto r = rRod_a(x);
             const auto L = length(x);
             return dot(r, r) - L * L;
           });
  v.scalar({"f_rod", "N", "force in the rod, positive where it is pressed", Level::Force},
           [this](const auto& x) { return -dot(eRod_ia_, f_b_ia(x)); });
  v.vector({"f_b_a1", "N", "force at frame_b without that along the rod, resolved in frame_a",
            Level::Force},
           [this](const auto& x) {
             const auto f_ia = f_b_ia(x);
             const auto R =
                 frames::relativeRotation(x.frame(frames_.frame_a).R, x.frame(frame_ia_).R);
             return frames::resolve1(R, (f_ia - eRod_ia_ * dot(eRod_ia_, f_ia)).eval());
           });
}

}  // namespace cardan
