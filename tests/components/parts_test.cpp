// Parts: mass properties, start values, gravity, and what each class declares and describes.
#include <doctest/doctest.h>
#include <Eigen/LU>

#include <functional>
#include <memory>
#include <numbers>
#include <set>

#include "components/interfaces/line_force.h"
#include "components/joints/cylindrical.h"
#include "components/joints/free_motion.h"
#include "components/joints/free_motion_scalar_init.h"
#include "components/joints/planar.h"
#include "components/joints/prismatic.h"
#include "components/joints/revolute.h"
#include "components/joints/spherical.h"
#include "components/joints/universal.h"
#include "components/laws/joint_axis.h"
#include "components/parts/body.h"
#include "components/parts/body_box.h"
#include "components/parts/body_cylinder.h"
#include "components/parts/body_shape.h"
#include "components/parts/fixed.h"
#include "components/parts/fixed_rotation.h"
#include "components/parts/fixed_translation.h"
#include "components/parts/normal_gravity_wgs84.h"
#include "components/parts/point_mass.h"
#include "components/parts/world.h"
#include "tests/components/fakes.h"
#include "tests/components/motions.h"

namespace cardan {
namespace {

using fake::Declared;
using fake::Described;
using fake::kAlgebra;
using fake::Reader;
using fake::Start;
using fake::Tables;
using fake::Values;
using Numbers = std::vector<double>;

/// A component read, declared and described.
template <class C>
struct Instance {
  explicit Instance(Values values = {}) : reader(std::move(values)) {
    reader.read(component);
    if (reader.errors.empty()) {
      component.declare(declared);
      component.describe(described);
    }
  }
  C component;
  Reader reader;
  Declared declared;
  Described described;
};

template <class C>
std::vector<std::string> errorsOf(Values values) {
  return Instance<C>(std::move(values)).reader.errors;
}
using Errors = std::vector<std::string>;

// Every class

template <class C>
void checkClass(const std::set<std::string>& variables, int frames) {
  const Instance<C> i;
  CHECK(i.reader.errors.empty());
  CHECK(i.declared.errors.empty());
  CHECK(static_cast<int>(i.declared.frameIndex.size() - i.declared.frameIndex.count("world")) ==
        frames);
  std::set<std::string> found;
  for (const auto& [name, info] : i.described.infos) found.insert(name);
  for (const auto& [name, target] : i.described.aliases) found.insert(name);
  for (const auto& e : i.declared.edges) {
    for (const auto& x : e.positions) found.insert(x.name);
    for (const auto& x : e.velocities) found.insert(x.name);
  }
  for (const auto& name : variables) CHECK_MESSAGE(found.count(name), name << " is a variable");
  for (const auto& [name, starts] : i.described.starts)
    CHECK_MESSAGE(found.count(name), name << " has a start value");
}

TEST_CASE("catalogue classes: parameters are read once and documented, MSL's variables are there") {
  checkClass<World>({}, 1);
  checkClass<Fixed>({}, 1);
  checkClass<FixedTranslation>({}, 2);
  checkClass<FixedRotation>({"R_rel.T", "R_rel.w", "R_rel_inv.T"}, 2);
  checkClass<Body>({"r_0", "v_0", "a_0", "w_a", "z_a", "g_0", "I", "R_start.T", "Q", "Q_start",
                    "phi", "phi_d", "phi_dd", "phi_start"},
                   1);
  checkClass<PointMass>({"r_0", "v_0", "a_0"}, 1);
  checkClass<BodyShape>({"r_0", "v_0", "a_0"}, 2);
  checkClass<BodyBox>({"r_0", "v_0", "a_0", "mo", "mi", "m", "R.T", "r_CM", "I"}, 2);
  checkClass<BodyCylinder>(
      {"r_0", "v_0", "a_0", "radius", "innerRadius", "mo", "mi", "I22", "m", "R.T", "r_CM", "I"},
      2);
  checkClass<Revolute>({"phi", "w", "a", "tau", "angle", "e", "R_rel.T"}, 2);
  checkClass<Prismatic>({"s", "v", "a", "f", "e"}, 2);
  checkClass<Spherical>(
      {"w_rel", "R_rel.T", "R_rel_inv.T", "R_rel_start.T", "Q", "phi", "phi_d", "phi_dd"}, 2);
  checkClass<FreeMotion>({"r_rel_a", "v_rel_a", "a_rel_a", "w_rel_b", "R_rel.T", "R_rel_inv.T",
                          "R_rel_start.T", "Q", "phi", "phi_d", "phi_dd"},
                         2);
  checkClass<FreeMotionScalarInit>({}, 2);
  checkClass<Cylindrical>({"s", "phi", "v", "w", "a", "wd"}, 2);
  checkClass<Universal>({"phi_a", "phi_b", "w_a", "w_b", "a_a", "a_b"}, 2);
  checkClass<Planar>({"s_x", "s_y", "phi", "v_x", "v_y", "w", "a_x", "a_y", "wd", "e"}, 2);
}

TEST_CASE("joints and rigid parts: an axis of zero length is an error") {
  const Values zero{{"n", Numbers{0, 0, 0}}};
  const Errors expected{"'n' must not be the zero vector"};
  CHECK(errorsOf<Revolute>(zero) == expected);
  CHECK(errorsOf<Prismatic>(zero) == expected);
  CHECK(errorsOf<Cylindrical>(zero) == expected);
  CHECK(errorsOf<FixedRotation>(zero) == expected);
  CHECK(errorsOf<World>(zero) == expected);
  CHECK(errorsOf<Universal>({{"n_a", Numbers{0, 0, 0}}}) ==
        Errors{"'n_a' must not be the zero vector"});
  CHECK(errorsOf<Planar>({{"n_x", Numbers{0, 0, 2}}}) ==
        Errors{"'n_x' must not be the zero vector or parallel to n"});
}

// Rigid parts

TEST_CASE("FixedRotation: the three descriptions of a quarter turn about z agree, in degrees") {
  Matrix3d expected;
  expected << 0, 1, 0, -1, 0, 0, 0, 0, 1;
  for (const Values& values : {Values{{"n", Numbers{0, 0, 5}}, {"angle", 90.0}},
                               Values{{"rotationType", std::string("TwoAxesVectors")},
                                      {"n_x", Numbers{0, 2, 0}},
                                      {"n_y", Numbers{-1, 3, 0}}},
                               Values{{"rotationType", std::string("PlanarRotationSequence")},
                                      {"sequence", Numbers{3, 3, 1}},
                                      {"angles", Numbers{60, 30, 0}}}}) {
    const Instance<FixedRotation> i(values);
    REQUIRE(i.reader.errors.empty());
    Tables<double> t(i.declared);
    const auto T = i.described.evaluate("R_rel.T", t);
    for (size_t k = 0; k < 9; ++k) {
      CHECK(T[k] == doctest::Approx(expected(static_cast<int>(k) / 3, static_cast<int>(k) % 3))
                        .epsilon(kAlgebra));
    }
  }
}

TEST_CASE("FixedRotation: n is free where it plays no part") {
  CHECK(errorsOf<FixedRotation>(
            {{"rotationType", std::string("TwoAxesVectors")}, {"n", Numbers{0, 0, 0}}})
            .empty());
  CHECK(errorsOf<FixedRotation>({{"sequence", Numbers{1, 2, 4}}}) ==
        Errors{"'sequence' must consist of 1, 2 and 3"});
}

// Mass properties

struct Moments {
  double m = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();

  void add(double dm, const Vector3d& r) {
    m += dm;
    first += dm * r;
    second += dm * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
  }
  Vector3d centre() const { return first / m; }
  /// About the centre of mass.
  Matrix3d inertia() const {
    const Vector3d c = centre();
    return second - m * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
  }
};

/// Adds sign * density over a box from `origin` by Gauss points: two per direction integrate
/// quadratics exactly.
void addBox(Moments& sum, double density, const Vector3d& origin, const Matrix3d& edges) {
  const double g = 0.5 / std::sqrt(3.0);
  for (double x : {0.5 - g, 0.5 + g}) {
    for (double y : {0.5 - g, 0.5 + g}) {
      for (double z : {0.5 - g, 0.5 + g}) {
        sum.add(density * std::abs(edges.determinant()) / 8, origin + edges * Vector3d(x, y, z));
      }
    }
  }
}

TEST_CASE("BodyBox: mass, centre and inertia equal the integrals over its walls") {
  BodyBox::Parameters p;
  p.r = {0.3, 0.6, -0.6};
  p.r_shape = {0.03, 0.06, -0.06};
  p.lengthDirection = p.r;
  p.widthDirection = {1, 2, 0};  // not across r: its part across r counts
  p.length = 0.8;
  p.width = 0.2;
  p.height = 0.1;
  p.innerWidth = 0.15;
  p.innerHeight = 0.04;
  p.density = 1000;

  const Vector3d x = p.r.normalized();
  const Vector3d y = (p.widthDirection - x * x.dot(p.widthDirection)).normalized();
  const Vector3d z = cross(x, y);
  Moments sum;
  const auto wall = [&](double y1, double y2, double z1, double z2) {
    Matrix3d edges;
    edges << x * p.length, y * (y2 - y1), z * (z2 - z1);
    addBox(sum, p.density, p.r_shape + y * y1 + z * z1, edges);
  };
  wall(-0.1, 0.1, 0.02, 0.05);
  wall(-0.1, 0.1, -0.05, -0.02);
  wall(0.075, 0.1, -0.02, 0.02);
  wall(-0.1, -0.075, -0.02, 0.02);

  const SolidMass b = p.mass();
  CHECK(b.m == doctest::Approx(sum.m).epsilon(kAlgebra));
  CHECK((b.r_CM - sum.centre()).norm() < kAlgebra);
  CHECK((b.I - sum.inertia()).norm() < kAlgebra * b.I.norm() * 10);
}

TEST_CASE("BodyCylinder: mass, centre and inertia equal the integrals in polar coordinates") {
  BodyCylinder::Parameters p;
  p.r = {0.2, -0.4, 0.4};
  p.r_shape = {-0.02, 0.04, -0.04};
  p.lengthDirection = p.r;
  p.length = 0.7;
  p.diameter = 0.3;
  p.innerDiameter = 0.1;
  p.density = 500;

  Vector3d y, z;
  const Vector3d x = p.r.normalized();
  acrossOf(x, y, z);
  Moments sum;
  // Gauss points of degree 3 along the length and of degree 3 in the radius (the integrand r, r^3
  // is of degree 3); equally spaced angles are exact for cos^2.
  const double g = 0.5 / std::sqrt(3.0), R = 0.15, Ri = 0.05;
  const int n = 8;
  for (double l : {0.5 - g, 0.5 + g}) {
    for (double s : {0.5 - g, 0.5 + g}) {
      const double radius = Ri + s * (R - Ri);
      for (int k = 0; k < n; ++k) {
        const double phi = 2 * std::numbers::pi * k / n;
        const double volume = p.length / 2 * (R - Ri) / 2 * radius * 2 * std::numbers::pi / n;
        sum.add(p.density * volume,
                p.r_shape + x * (l * p.length) + (y * std::cos(phi) + z * std::sin(phi)) * radius);
      }
    }
  }
  const CylinderMass c = p.mass();
  CHECK(c.m == doctest::Approx(sum.m).epsilon(kAlgebra));
  CHECK((c.r_CM - sum.centre()).norm() < kAlgebra);
  CHECK((c.I - sum.inertia()).norm() < kAlgebra * c.I.norm() * 10);
}

TEST_CASE("BodyBox and BodyCylinder: measures follow r as in MSL, and are checked") {
  const Instance<BodyBox> box({{"r", Numbers{0, 2, 0}}});
  Tables<double> t(box.declared);
  CHECK(box.described.evaluate("m", t)[0] == doctest::Approx(7700 * 2 * 0.1 * 0.1));
  CHECK(box.described.vector("r_CM", t).isApprox(Vector3d(0, 1, 0)));
  const Instance<BodyCylinder> cylinder({{"r", Numbers{0, 2, 0}}});
  CHECK(cylinder.described.evaluate("m", t)[0] ==
        doctest::Approx(7700 * 2 * std::numbers::pi * 0.05 * 0.05));
  CHECK(errorsOf<BodyBox>({{"innerWidth", 1.0}}) ==
        Errors{"'innerWidth' must not be greater than width",
               "'innerHeight' must not be greater than height"});
  CHECK(errorsOf<BodyCylinder>({{"diameter", 0.1}, {"innerDiameter", 0.1}}) ==
        Errors{"'innerDiameter' must be less than diameter"});
  CHECK(errorsOf<BodyBox>({{"r", Numbers{0, 0, 0}}, {"width", 1.0}}) ==
        Errors{"'r' must give the direction of the box: lengthDirection, by default r - r_shape, "
               "is the zero vector"});
}

TEST_CASE("BodyBox: consists of body and frameTranslation under MSL's names") {
  const Instance<BodyBox> i;
  CHECK(i.declared.parts.size() == 2);
  CHECK(dynamic_cast<const Body*>(i.declared.parts.at("body").get()));
  CHECK(dynamic_cast<const FixedTranslation*>(i.declared.parts.at("frameTranslation").get()));
  CHECK(i.declared.connections.size() == 3);
  CHECK(i.described.aliases.at("r_0") == "body.r_0");
}

TEST_CASE(
    "Body: the inertia tensor must be positive semidefinite, the triangle inequality is not asked "
    "for") {
  CHECK(errorsOf<Body>({{"I_11", 1.0}, {"I_22", 1.0}, {"I_21", 1.5}}) ==
        Errors{"'I_11' to I_32 must be a positive semidefinite inertia tensor, its smallest "
               "eigenvalue is -0.5 kg.m2"});
  CHECK(errorsOf<Body>({{"I_11", 1.0}, {"I_22", 1.0}, {"I_33", 5.0}}).empty());
  CHECK(errorsOf<Body>({{"I_11", 1.0}, {"I_22", 1.0}, {"I_21", 1.0}, {"I_33", 0.0}}).empty());
  CHECK(errorsOf<Body>({{"m", -1.0}}) == Errors{"'m' is out of range"});
}

// Body

const Values kBody{{"m", 2.0},     {"r_CM", Numbers{0.1, -0.3, 0.2}},
                   {"I_11", 0.3},  {"I_22", 0.4},
                   {"I_33", 0.35}, {"I_21", 0.05},
                   {"I_31", 0.02}, {"I_32", -0.04}};

TEST_CASE("Body: its load is the rate of momentum less gravity, and gives the energy its power") {
  Instance<Body> i(kBody);
  REQUIRE(i.reader.errors.empty());
  std::mt19937 random(4);
  for (int trial = 0; trial < 20; ++trial) {
    Tables<Dual> t(i.declared);
    fake::Path path(random);
    path.base = fake::nastyRotations()[static_cast<size_t>(trial % 8)];
    t.frames[0] = path.frame();
    View<Dual> x = t.view();
    i.component.evaluate(x);
    const auto sums = i.described.sums(t);
    const Vector3d f = fake::values(t.loads[0].f_0), torque = fake::values(t.loads[0].t_0);
    const FrameState<double> a = fake::valueOf(t.frames[0]);
    const Vector3d g(0, -9.80665, 0);
    const Vector3d r_C = a.r_0 + frames::resolve1(a.R, Vector3d(0.1, -0.3, 0.2));

    const Vector3d der_p(sums[2].lane(0), sums[3].lane(0), sums[4].lane(0));
    const Vector3d der_L(sums[5].lane(0), sums[6].lane(0), sums[7].lane(0));
    CHECK((f - (der_p - 2 * g)).norm() < 100 * kAlgebra);
    CHECK((torque + cross(a.r_0, f) - (der_L - cross(r_C, 2 * g))).norm() < 100 * kAlgebra);
    const double power = f.dot(a.v_0) + torque.dot(frames::angularVelocity1(a.R));
    CHECK(power == doctest::Approx(sums[0].lane(0) + sums[1].lane(0)).epsilon(100 * kAlgebra));
  }
}

TEST_CASE("PointMass: its load is the rate of momentum less gravity; no torque") {
  Instance<PointMass> i({{"m", 3.0}});
  std::mt19937 random(5);
  Tables<Dual> t(i.declared);
  t.frames[0] = fake::Path(random).frame();
  View<Dual> x = t.view();
  i.component.evaluate(x);
  const auto sums = i.described.sums(t);
  const Vector3d der_p(sums[2].lane(0), sums[3].lane(0), sums[4].lane(0));
  CHECK((fake::values(t.loads[0].f_0) - (der_p - 3 * Vector3d(0, -9.80665, 0))).norm() <
        10 * kAlgebra);
  CHECK(fake::values(t.loads[0].t_0).norm() == 0);
  CHECK(i.declared.roots.at(0).rank == RootRank::pointMass);
}

TEST_CASE("Body: its root has the coordinates that the user asks for, started from angles_start") {
  struct Case {
    Values values;
    size_t positions;
    std::string first;
    RootRank rank;
  };
  for (const Case& c :
       {Case{{}, 7, "Q[1]", RootRank::body},
        Case{{{"useQuaternions", false}}, 6, "phi[1]", RootRank::body},
        Case{{{"orientationStates", std::string("transformationMatrix")}, {"enforceStates", true}},
             12,
             "T[1,1]",
             RootRank::enforced},
        Case{{{"orientationStates", std::string("angles")}}, 6, "phi[1]", RootRank::body}}) {
    Values values = c.values;
    values["angles_start"] = Numbers{0.3, -0.2, 0.9};
    const Instance<Body> i(values);
    REQUIRE(i.declared.roots.size() == 1);
    const auto& root = i.declared.roots[0];
    REQUIRE(root.positions.size() == c.positions);
    CHECK(root.positions[3].name == c.first);
    CHECK(root.velocities[3].name == "w_a[1]");
    CHECK(root.rank == c.rank);
    // The law at these coordinates has the start orientation.
    std::vector<double> q;
    for (const auto& info : root.positions) q.push_back(info.start);
    const double zero[6] = {};
    const FrameState<double> world{Vector3d::Zero(), frames::nullRotation(), Vector3d::Zero(),
                                   Vector3d::Zero(), Vector3d::Zero()};
    FrameState<double> a;
    root.law->forward(world, {q.data(), zero, zero}, a);
    const auto R =
        frames::axesRotations(frames::kCardanSequence, Vector3d(0.3, -0.2, 0.9), Vector3d::Zero());
    CHECK((frames::to_T(a.R) - frames::to_T(R)).norm() < kAlgebra);
  }
}

TEST_CASE(
    "Body: start rows: orientation as rotation vector, w_0 and z_0 turned by the start "
    "orientation") {
  const Instance<Body> i({{"angles_start", Numbers{0.5, 0, 0}},
                          {"angles_fixed", true},
                          {"w_0_start", Numbers{0, 2, 0}},
                          {"w_0_fixed", true},
                          {"r_0", Start{{1, 2, 3}, true}}});
  REQUIRE(i.described.initials.size() == 1);
  const auto& row = i.described.initials[0];
  CHECK(row.info.fixed);
  CHECK(row.info.given);
  CHECK(row.info.name == "angles_start");
  Tables<double> t(i.declared);
  double out[3];
  t.frames[0].R = frames::axisRotation(1, 0.5, 0.0);
  row.f->evaluate(t.view(), out);
  CHECK(Vector3d(out[0], out[1], out[2]).norm() < kAlgebra);
  t.frames[0].R = frames::axisRotation(1, 2.0, 0.0);
  row.f->evaluate(t.view(), out);
  CHECK(out[0] == doctest::Approx(1.5));

  const auto& w = i.described.starts.at("w_a");
  REQUIRE(w.size() == 3);
  CHECK(w[1].start == doctest::Approx(2 * std::cos(0.5)));
  CHECK(w[2].start == doctest::Approx(-2 * std::sin(0.5)));
  CHECK(w[0].fixed);
  CHECK(!i.described.starts.at("z_a")[0].fixed);
  CHECK(i.described.starts.at("r_0")[2].start == 3);
  CHECK(i.described.starts.at("r_0")[2].select == StateSelect::avoid);
}

TEST_CASE("Body: Q follows the coordinates where it is a root, phi the orientation on its branch") {
  const Instance<Body> i({{"useQuaternions", false}});
  Tables<double> t(i.declared);
  const Vector3d phi(0.1, 0.2, 7.0);
  t.frames[0].R = frames::axesRotations(frames::kCardanSequence, phi, Vector3d(1, 2, 3));
  // The start, nothing else yet, says which branch: it is the one nearest to zero.
  const Vector3d wrapped(phi[0], phi[1], phi[2] - 2 * std::numbers::pi);
  CHECK((i.described.vector("phi", t) - wrapped).norm() < kAlgebra);
  const double q[6] = {0, 0, 0, phi[0], phi[1], phi[2]};
  t.joints[0].q = q;
  CHECK((i.described.vector("phi", t) - wrapped).norm() < kAlgebra);
  CHECK((i.described.vector("phi_d", t) - Vector3d(1, 2, 3)).norm() < 10 * kAlgebra);
  const auto Q = i.described.evaluate("Q", t);
  CHECK((frames::Quaternions::to_T(Vector4d(Q[0], Q[1], Q[2], Q[3])) - frames::to_T(t.frames[0].R))
            .norm() < kAlgebra);
}

// World

TEST_CASE("World: defaults of animation follow nominalLength") {
  const Instance<World> i({{"nominalLength", 10.0}, {"defaultJointWidth", 0.3}});
  const WorldSettings& w = i.component.settings();
  CHECK(i.component.worldSettings() == &w);
  CHECK(w.defaultJointLength == doctest::Approx(1));
  CHECK(w.defaultJointWidth == doctest::Approx(0.3));
  CHECK(w.defaultAxisLength == doctest::Approx(2));
  CHECK(w.defaultBodyDiameter == doctest::Approx(10.0 / 9));
  CHECK(w.defaultArrowDiameter == doctest::Approx(0.25));
}

TEST_CASE("World: gravity is g along n of any length, and points to the origin for PointGravity") {
  const Instance<World> uniform({{"g", 10.0}, {"n", Numbers{0, 0, -3}}});
  CHECK(uniform.component.settings()
            .gravityAcceleration(Vector3d(1, 2, 3))
            .isApprox(Vector3d(0, 0, -10)));
  const Instance<World> point({{"gravityType", std::string("PointGravity")}, {"mu", 4.0}});
  CHECK(point.component.settings()
            .gravityAcceleration(Vector3d(0, 2, 0))
            .isApprox(Vector3d(0, -1, 0)));
}

TEST_CASE("World: a redeclared gravity field replaces its own") {
  const Instance<World> i(
      {{"gravityType", std::string("NoGravity")},
       {"redeclare.gravityAcceleration.type",
        std::string("Modelica.Mechanics.MultiBody.Examples.Elementary.Utilities."
                    "theoreticalNormalGravityWGS84")},
       {"redeclare.gravityAcceleration.phi", 90.0}});
  CHECK(i.reader.errors.empty());
  const Vector3d g = i.component.settings().gravityAcceleration(Vector3d(0, 0, 0));
  CHECK(g[1] == doctest::Approx(-9.8321849378).epsilon(1e-9));
  CHECK(errorsOf<World>({{"redeclare.gravityAcceleration.type", std::string("other")}}) ==
        Errors{"'type' must be standardGravityAcceleration or theoreticalNormalGravityWGS84"});
}

TEST_CASE("World: of every kind of gravity the acceleration is the fall of the potential") {
  WorldSettings none, uniform, point, field;
  none.gravityType = GravityType::NoGravity;
  uniform.n = Vector3d(1, -2, 0.5);
  point.gravityType = GravityType::PointGravity;
  field.field = std::make_shared<NormalGravityWGS84>(48);
  for (WorldSettings* w : {&none, &uniform, &point, &field}) {
    w->prepare();
    for (const Vector3d& r :
         {Vector3d(0.1, 0.2, 0.3), Vector3d(1, 1e5, -7), Vector3d(3e6, -2e6, 7e6)}) {
      const Vector3d g = w->gravityAcceleration(r);
      for (int i = 0; i < 3; ++i) {
        Vector3<Dual> moved = r.cast<Dual>();
        moved[i].setLane(0, 1);
        CHECK(w->gravityPotential(moved).lane(0) == doctest::Approx(-g[i]).epsilon(1e-13));
      }
    }
  }
}

TEST_CASE("NormalGravityWGS84: tabulated values at the ellipsoid and above") {
  CHECK(-NormalGravityWGS84(0).acceleration(Vector3d(5, 0, 7))[1] ==
        doctest::Approx(9.7803253359).epsilon(1e-10));
  CHECK(-NormalGravityWGS84(45).acceleration(Vector3d(0, 0, 0))[1] ==
        doctest::Approx(9.80619777).epsilon(1e-8));
  // Free-air gradient at the equator 2 g_e (1 + f + m)/a = 3.0877e-6 1/s2; the second order is 3
  // g_e/a^2 = 7.2e-13.
  const double g = -NormalGravityWGS84(0).acceleration(Vector3d(0, 1e4, 0))[1];
  CHECK(g == doctest::Approx(9.7803253359 - 3.0877e-2 + 7.2e-5).epsilon(1e-7));
  const Vector3<Dual> slope =
      NormalGravityWGS84(0).acceleration(fake::along(Vector3d(0, 0, 0), Vector3d(0, 1, 0)));
  CHECK(slope[1].lane(0) == doctest::Approx(3.0877e-6).epsilon(1e-4));
}

// Joints

TEST_CASE("Revolute: tau is the torque of the drive; axis and support are there on demand") {
  const Instance<Revolute> i({{"useAxisFlange", true}, {"n", Numbers{0, 0, 2}}});
  CHECK(i.declared.flanges == std::vector<std::string>{"axis", "support"});
  CHECK(i.declared.edges.at(0).policy == CutPolicy::never);
  Tables<double> t(i.declared);
  t.frames[1].R = frames::axisRotation(1, std::numbers::pi / 2, 0.0);
  t.connectorLoads[1].t_0 = {0, -5, 0};  // along z of frame_b, which points to -y of the world
  CHECK(i.described.evaluate("tau", t)[0] == doctest::Approx(-5));
  CHECK(Instance<Revolute>({{"cut", true}}).declared.edges.at(0).policy == CutPolicy::always);
  CHECK(Instance<Revolute>().declared.edges.at(0).policy == CutPolicy::normal);
}

TEST_CASE("FreeMotion: adds no closure, and its variables come from the frames alone") {
  const Instance<FreeMotion> i;
  CHECK(i.declared.edges.at(0).law->closures() == 0);
  std::mt19937 random(6);
  Tables<double> t(i.declared);
  t.frames[0] = fake::valueOf(fake::Path(random).frame());
  const auto m = fake::valueOf(fake::Path(random).relative());
  carryForward(t.frames[0], m, t.frames[1]);
  CHECK((i.described.vector("r_rel_a", t) - m.r_rel).norm() < 10 * kAlgebra);
  CHECK((i.described.vector("v_rel_a", t) - m.v_rel).norm() < 10 * kAlgebra);
  CHECK((i.described.vector("a_rel_a", t) - m.a_rel).norm() < 100 * kAlgebra);
  CHECK((i.described.vector("w_rel_b", t) - frames::angularVelocity2(m.R_rel)).norm() <
        10 * kAlgebra);
}

TEST_CASE(
    "FreeMotionScalarInit: outputs exist where their use_... says so, with start values of their "
    "own") {
  const Instance<FreeMotionScalarInit> i({{"use_angle", true},
                                          {"use_angle_d", true},
                                          {"use_v", true},
                                          {"angle_2", Start{{0.7}, true}},
                                          {"angle_2_stateSelect", std::string("always")}});
  CHECK(i.described.infos.count("angle_1"));
  CHECK(i.described.infos.count("angle_d_3"));
  CHECK(!i.described.infos.count("angle_dd_1"));
  CHECK(!i.described.infos.count("v_rel_a_1"));  // needs use_r
  CHECK(i.described.infos.at("angle_2").output);
  CHECK(i.described.starts.at("angle_2")[0].fixed);
  CHECK(i.declared.edges.at(0).positions.at(4).name == "phi[2]");
  CHECK(i.declared.edges.at(0).positions.at(4).start == doctest::Approx(0.7));
  Tables<double> t(i.declared);
  t.frames[1].R =
      frames::axesRotations(frames::kCardanSequence, Vector3d(0.3, 0.4, 0.5), Vector3d(1, 2, 3));
  CHECK(i.described.evaluate("angle_2", t)[0] == doctest::Approx(0.4));
  CHECK(i.described.evaluate("angle_d_3", t)[0] == doctest::Approx(3));
}

TEST_CASE("Spherical: policy and coordinates follow enforceStates and useQuaternions") {
  CHECK(Instance<Spherical>().declared.edges.at(0).policy == CutPolicy::normal);
  const Instance<Spherical> i(
      {{"enforceStates", true}, {"useQuaternions", false}, {"z_rel_a_fixed", true}});
  CHECK(i.declared.edges.at(0).policy == CutPolicy::never);
  CHECK(i.declared.edges.at(0).positions.size() == 3);
  REQUIRE(i.described.initials.size() == 2);
  CHECK(i.described.initials[0].info.name == "z_rel_a_start");
  CHECK(i.described.initials[0].info.fixed);
}

TEST_CASE("Planar: its inner axes are right-handed and across n") {
  Instance<Planar> i({{"n", Numbers{0, 1, 0}}, {"n_x", Numbers{0, 1, 1}}});
  const auto axisOf = [&](const char* part) {
    Declared declared;
    Described described;
    Component& c = *i.declared.parts.at(part);
    c.declare(declared);
    c.describe(described);
    Tables<double> t(declared);
    return described.vector("e", t);
  };
  CHECK(axisOf("prismatic_x").isApprox(Vector3d(0, 0, 1)));
  CHECK(axisOf("prismatic_y").isApprox(Vector3d(1, 0, 0)));
  CHECK(axisOf("revolute").isApprox(Vector3d(0, 1, 0)));
}

// Seams

TEST_CASE("lineBetween: sd and sdd are derivatives of s, and the guard keeps zero length finite") {
  std::mt19937 random(7);
  const FrameState<Dual> a = fake::Path(random).frame(), b = fake::Path(random).frame();
  const auto line = lineBetween(a, b, 1e-10);
  CHECK(line.s.lane(0) == doctest::Approx(line.sd.v).epsilon(10 * kAlgebra));
  CHECK(line.sd.lane(0) == doctest::Approx(line.sdd.v).epsilon(10 * kAlgebra));
  const auto none = lineBetween(a, a, 1e-10);
  CHECK(none.s.v == 0);
  CHECK(none.e_0[0].v == 0);
  CHECK(isfinite(none.sdd));
}

}  // namespace
}  // namespace cardan
