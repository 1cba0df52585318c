#include "components/parts/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"

namespace cardan {
namespace {

/// What rounding may leave of an element of I that should be zero [kg.m2]: measured against the
/// tensor, and against the body's mass at a metre or at its centre of mass, if that is farther.
double rounding(const BodyBase& b) {
  return 1e-10 * b.I.cwiseAbs().maxCoeff() + 1e-15 * b.m * std::max(1.0, b.r_CM.squaredNorm());
}

}  // namespace

void Body::Parameters::readMass(ParameterReader& r) {
  r.vector("r_CM", r_CM, "m", "from frame_a to the centre of mass, resolved in frame_a");
  r.real("m", m, "kg", "mass", kNotNegative);
  r.real("I_11", I_11, "kg.m2",
         "element of the inertia tensor about the centre of mass, resolved in frame_a");
  r.real("I_22", I_22, "kg.m2", "element of the inertia tensor");
  r.real("I_33", I_33, "kg.m2", "element of the inertia tensor");
  r.real("I_21", I_21, "kg.m2", "element of the inertia tensor");
  r.real("I_31", I_31, "kg.m2", "element of the inertia tensor");
  r.real("I_32", I_32, "kg.m2", "element of the inertia tensor");
  // The triangle inequality of principal inertias is not asked for: models use simplified tensors.
  const BodyBase b{m, r_CM, I()};
  bool notNegative = true;
  for (const auto& [name, value] :
       {std::pair{"I_11", I_11}, std::pair{"I_22", I_22}, std::pair{"I_33", I_33}}) {
    const bool allowed = value >= -rounding(b);
    notNegative = notNegative && allowed;
    r.require(allowed, name, fmt::format("must be at least 0, found {:g}", value));
  }
  r.require(!notNegative || b.smallestInertia() >= -rounding(b), "I_11",
            fmt::format("to I_32 must be a positive semidefinite inertia tensor, its smallest "
                        "eigenvalue is {:g} kg.m2",
                        b.smallestInertia()));
}

void Body::Parameters::readStart(ParameterReader& r) {
  r.start("r_0", r_0, "m", "position of frame_a, resolved in world");
  r.start("v_0", v_0, "m/s", "velocity of frame_a, resolved in world");
  r.start("a_0", a_0, "m/s2", "acceleration of frame_a, resolved in world");
  orientation.readStart(r, "0");
}

void Body::Parameters::readStates(ParameterReader& r) {
  orientation.readStates(r);
  for (StartVector<3>* s : {&r_0, &v_0}) {
    if (s->stateSelect == StateSelect::defaultSelect) s->stateSelect = orientation.priority();
  }
}

Matrix3d Body::Parameters::I() const {
  Matrix3d I;
  I << I_11, I_21, I_31, I_21, I_22, I_32, I_31, I_32, I_33;
  return I;
}

void Body::Parameters::setI(const Matrix3d& I) {
  I_11 = I(0, 0);
  I_22 = I(1, 1);
  I_33 = I(2, 2);
  I_21 = I(1, 0);
  I_31 = I(2, 0);
  I_32 = I(2, 1);
}

void Body::setParameters(const Parameters& p) {
  p_ = p;
  parametersChanged();
}

void Body::parametersChanged() { mass_ = {p_.m, p_.r_CM, p_.I()}; }

void Body::read(ParameterReader& r) {
  animation_.boolean(r, "animation", true);
  p_.readMass(r);
  p_.readStart(r);
  animation_.sphere(r, r.world().defaultBodyDiameter, "world.defaultBodyDiameter", kBodyColor);
  animation_.length(
      r, "cylinderDiameter", animation_.realValue("sphereDiameter") / 3,
      "diameter of the cylinder from frame_a to the centre of mass; default: sphereDiameter/3");
  animation_.color(r, "cylinderColor", animation_.colorValue("sphereColor"), "cylinder",
                   "sphereColor");
  animation_.specular(r);
  p_.readStates(r);
}

void Body::declare(Structure& s) {
  frame_.declare(s);
  if (p_.m > 0 || p_.I().trace() > 0) s.inertia(frame_.frame_a);

  rootLaw_ = p_.orientation.freeMotionLaw();
  std::vector<UnknownInfo> positions, velocities;
  addVector(positions, "r_0", "m", "position of frame_a");
  addVector(velocities, "v_0", "m/s", "velocity of frame_a");
  positions.insert(positions.end(), rootLaw_.positions.begin(), rootLaw_.positions.end());
  addVector(velocities, "w_a", "rad/s", "angular velocity, resolved in frame_a");
  root_ = s.root(frame_.frame_a, *rootLaw_.law, std::move(positions), std::move(velocities),
                 p_.orientation.enforceStates ? RootRank::enforced : RootRank::body);
}

void Body::describe(Variables& v) const {
  const FrameId a = frame_.frame_a;
  v.start("r_0", p_.r_0);
  v.start("v_0", p_.v_0);
  v.start("a_0", p_.a_0);
  v.start("w_a", p_.orientation.wStart());
  v.start("z_a", p_.orientation.zStart());
  frame_.describeMotion(v);
  v.vector({"w_a", "rad/s", "angular velocity of frame_a, resolved in frame_a", Level::Velocity},
           [a](const auto& x) { return frames::angularVelocity2(x.frame(a).R); });
  v.vector({"z_a", "rad/s2", "angular acceleration of frame_a, resolved in frame_a",
            Level::Acceleration},
           [a](const auto& x) { return x.frame(a).z_a; });
  v.vector({"g_0", "m/s2", "gravity at the centre of mass, resolved in world", Level::Position},
           [this, a](const auto& x) {
             return x.world().gravityAcceleration(mass_.centreOfMass(x.frame(a)));
           });
  describe::matrix(v, "I", "kg.m2", "inertia tensor about the centre of mass",
                   [this] { return p_.I(); });
  p_.orientation.describeOrientation(
      v, "R_start", [a](const auto& x) { return x.frame(a).R; },
      [a](const auto& x) { return x.frame(a).z_a; },
      [this](const auto& x) {
        const auto* q = x.joint(root_).q;
        return q ? q + 3 : q;
      });
  v.mechanics([this, a](const auto& x) { return mass_.sums(a, x); });
}

void Body::picture(Shapes& s) const {
  if (!animation_.shown()) return;
  const double sphere = animation_.realValue("sphereDiameter");
  const double diameter = animation_.realValue("cylinderDiameter"), l = p_.r_CM.norm();
  if (l > sphere / 2) {
    Shape rod = picture::rod("cylinder", frame_.frame_a, p_.r_CM, diameter,
                             animation_.colorValue("cylinderColor"), animation_.specularValue());
    if (diameter > 1.1 * sphere) rod.length = l - sphere / 2;
    s.add(std::move(rod));
  }
  if (sphere > 0) picture::sphere(s, animation_, frame_.frame_a, "sphere", p_.r_CM);
}

}  // namespace cardan
