// The laws of relative motion: one set of claims over every joint and rigid part.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "components/assemblies/prismatic_with_length_constraint.h"
#include "components/assemblies/revolute_with_length_constraint.h"
#include "components/joints/revolute.h"
#include "components/laws/orientation_coordinates.h"
#include "tests/components/specimens.h"

namespace cardan {
namespace {

using fake::along;
using fake::kAlgebra;
using fake::Path;
using fake::rates;
using fake::uniform;
using fake::uniformVector;
using fake::valueOf;
using fake::values;

constexpr int kMaxPositions = 12;

/// A law, and the component that it lives in.
template <class L>
struct Of {
  std::string name;
  const L* law;
};
struct Laws {
  std::vector<std::unique_ptr<fake::Specimen>> specimens;
  std::vector<Of<JointLaw>> joints;
  std::vector<Of<ClosureLaw>>
      closures;  ///< of joints that are cut, and of edges that only close loops
};

void collect(const std::string& name, const fake::Specimen& s, Laws& laws) {
  for (const auto& e : s.declared.edges) {
    laws.joints.push_back({name, e.law});
    laws.closures.push_back({name, e.law});
  }
  for (const auto& c : s.declared.cuts) laws.closures.push_back({name, c.closure});
  for (const auto& r : s.declared.roots) {
    // A point without mass has no velocities of its own: they are der(q), which the engine gives.
    if (r.law->positions() > 0 && r.law->velocities() == 0) continue;
    laws.joints.push_back({name + " as a root", r.law});
  }
  for (const auto& [part, inner] : s.parts) collect(name + "." + part, *inner, laws);
}

/// The laws of all classes of the catalogue, with parameters of all kinds.
const Laws& laws() {
  static const Laws all = [] {
    Laws list;
    for (const CatalogueEntry& entry : catalogue()) {
      for (int number = 0; number < fake::kVariations; ++number) {
        auto s = fake::specimen(entry, number);
        if (!s) continue;
        collect(entry.type + ", variation " + std::to_string(number), *s, list);
        list.specimens.push_back(std::move(s));
      }
    }
    return list;
  }();
  return all;
}

TEST_CASE("laws: the catalogue has them of every kind") {
  const auto count = [](const auto& list, auto is) {
    return std::ranges::count_if(list, [&](const auto& of) { return is(*of.law); });
  };
  const auto& joints = laws().joints;
  CHECK(count(joints, [](const JointLaw& l) { return l.velocities() == 0; }) > 10);
  CHECK(count(joints, [](const JointLaw& l) { return l.velocities() == 1; }) > 10);
  CHECK(count(joints, [](const JointLaw& l) { return l.velocities() == 3; }) > 5);
  for (int nq : {6, 7, 12}) {  // angles, quaternion, matrix
    CHECK(count(joints,
                [&](const JointLaw& l) { return l.velocities() == 6 && l.positions() == nq; }) > 0);
  }
  CHECK(count(joints, [](const JointLaw& l) { return l.chart().chart != nullptr; }) > 0);
  CHECK(count(laws().closures,
              [](const ClosureLaw& l) { return !dynamic_cast<const JointLaw*>(&l); }) > 5);
}

/// Coordinates with their time derivatives in lane 0; qd = der(q) as doubles.
struct State {
  Dual q[kMaxPositions], v[6], vd[6];
  double qv[kMaxPositions], qd[kMaxPositions], vv[6], vdv[6];

  JointState<Dual> dual() const { return {q, v, vd}; }
  JointState<double> plain() const { return {qv, vv, vdv}; }
  void split() {
    for (int i = 0; i < kMaxPositions; ++i) {
      qv[i] = value(q[i]);
      qd[i] = q[i].lane(0);
    }
    for (int i = 0; i < 6; ++i) {
      vv[i] = value(v[i]);
      vdv[i] = value(vd[i]);
    }
  }
};

/// A state on a smooth path: polynomials where q are plain coordinates, else the coordinates of a
/// smooth free motion.
State stateOf(const JointLaw& law, std::mt19937& random, const frames::Orientation<double>& base,
              double size) {
  State s;
  for (int i = 0; i < kMaxPositions; ++i) s.q[i] = Dual(0.1 * (i + 1));
  for (int i = 0; i < 6; ++i) s.v[i] = s.vd[i] = Dual(0);
  if (law.plainCoordinates()) {
    for (int i = 0; i < law.velocities(); ++i) {
      const double v = uniform(random), vd = uniform(random);
      s.q[i] = along(size, v);
      s.v[i] = along(v, vd);
      s.vd[i] = Dual(vd);
    }
  } else {
    Path path(random);
    path.base = base;
    law.measure(path.relative(), s.q, s.v, s.vd);
  }
  s.split();
  return s;
}

/// Calls f(law, name, state, motion of frame_a) for every law over nasty and random states.
void overAll(const std::function<void(const JointLaw&, const State&, const FrameState<Dual>&,
                                      std::mt19937&)>& f) {
  std::mt19937 random(1);
  const double pi = 3.14159265358979323846;
  for (const Of<JointLaw>& l : laws().joints) {
    CAPTURE(l.name);
    for (const auto& base : fake::nastyRotations()) {
      for (double size : {0.0, 1e-9, pi, -pi, 7.5}) {
        CAPTURE(size);
        f(*l.law, stateOf(*l.law, random, base, size), Path(random).frame(), random);
        if (!l.law->plainCoordinates()) break;
      }
    }
  }
}

TEST_CASE("JointLaw: backward undoes forward") {
  overAll([](const JointLaw& law, const State& s, const FrameState<Dual>& a_, std::mt19937&) {
    const FrameState<double> a = valueOf(a_);
    FrameState<double> b, back;
    law.forward(a, s.plain(), b);
    law.backward(b, s.plain(), back);
    CHECK(fake::distance(a, back) < 10 * kAlgebra);
  });
}

TEST_CASE("JointLaw: v_0, a_0, w and z of the carried frame are time derivatives") {
  overAll([](const JointLaw& law, const State& s, const FrameState<Dual>& a, std::mt19937&) {
    for (bool forward : {true, false}) {
      CAPTURE(forward);
      FrameState<Dual> b;
      if (forward) {
        law.forward(a, s.dual(), b);
      } else {
        law.backward(a, s.dual(), b);
      }
      CHECK((rates(b.r_0) - values(b.v_0)).norm() < 10 * kAlgebra);
      CHECK((rates(b.v_0) - values(b.a_0)).norm() < 100 * kAlgebra);
      const Vector3<Dual> w = frames::angularVelocity2(b.R);
      CHECK((rates(w) - values(b.z_a)).norm() < 100 * kAlgebra);
      const auto& T = frames::to_T(b.R);
      Matrix3d T_value, der_T;
      for (int i = 0; i < 9; ++i) {
        T_value(i / 3, i % 3) = value(T(i / 3, i % 3));
        der_T(i / 3, i % 3) = T(i / 3, i % 3).lane(0);
      }
      CHECK((frames::TransformationMatrices::angularVelocity2(T_value, der_T) - values(w)).norm() <
            100 * kAlgebra);
    }
  });
}

TEST_CASE("JointLaw: kinematics rows vanish along the path, and hold -v") {
  overAll([](const JointLaw& law, const State& s, const FrameState<Dual>&, std::mt19937&) {
    double rows[kMaxPositions], shifted[kMaxPositions], v[6];
    law.kinematics(s.qv, s.qd, s.vv, rows);
    for (int i = 0; i < law.positions(); ++i) CHECK(std::abs(rows[i]) < 10 * kAlgebra);
    for (int i = 0; i < 6; ++i) v[i] = s.vv[i] + 1 + i;
    law.kinematics(s.qv, s.qd, v, shifted);
    for (int i = 0; i < law.positions(); ++i) {
      CHECK(shifted[i] - rows[i] ==
            doctest::Approx(i < law.velocities() ? -1.0 - i : 0).epsilon(kAlgebra));
    }
  });
}

TEST_CASE("JointLaw: project is the transpose of the velocity map (virtual power)") {
  overAll(
      [](const JointLaw& law, const State& s, const FrameState<Dual>& a_, std::mt19937& random) {
        const FrameState<double> a = valueOf(a_);
        const Wrench<double> load{uniformVector(random), uniformVector(random)};
        FrameState<double> b, moved;
        law.forward(a, s.plain(), b);
        double tau[6];
        law.project(a, b, s.plain(), load, tau);
        for (int j = 0; j < law.velocities(); ++j) {
          double v[6];
          for (int i = 0; i < 6; ++i) v[i] = s.vv[i] + (i == j ? 1 : 0);
          law.forward(a, {s.qv, v, s.vdv}, moved);
          const Vector3d w_0 = frames::angularVelocity1(moved.R) - frames::angularVelocity1(b.R);
          CHECK(tau[j] == doctest::Approx(load.f_0.dot(moved.v_0 - b.v_0) + load.t_0.dot(w_0))
                              .epsilon(10 * kAlgebra));
        }
      });
}

TEST_CASE("JointLaw: measure inverts the motion, on the branch of the guess") {
  overAll([](const JointLaw& law, const State& s, const FrameState<Dual>& a_, std::mt19937&) {
    const FrameState<double> a = valueOf(a_);
    FrameState<double> b;
    law.forward(a, s.plain(), b);
    double q[kMaxPositions], v[6] = {}, vd[6] = {};
    for (int i = 0; i < kMaxPositions; ++i) q[i] = s.qv[i] + 1e-3;
    law.measure(relativeMotion(a, b), q, v, vd);
    for (int i = 0; i < law.positions(); ++i) CHECK(std::abs(q[i] - s.qv[i]) < 100 * kAlgebra);
    for (int i = 0; i < law.velocities(); ++i) {
      CHECK(std::abs(v[i] - s.vv[i]) < 10 * kAlgebra);
      CHECK(std::abs(vd[i] - s.vdv[i]) < 100 * kAlgebra);
    }
  });
}

TEST_CASE("JointLaw: closure rows vanish on the motion, and so do their rates") {
  overAll([](const JointLaw& law, const State& s, const FrameState<Dual>& a_, std::mt19937&) {
    const FrameState<double> a = valueOf(a_);
    FrameState<double> b;
    law.forward(a, s.plain(), b);
    const auto m = relativeMotion(a, b);
    ClosureRows<double> rows;
    law.closure(m, rows);
    CHECK(rows.count == law.closures());
    for (int i = 0; i < rows.count; ++i) {
      const auto& row = rows.rows[i];
      CAPTURE(i);
      CHECK(std::abs(row.g) < 10 * kAlgebra);
      CHECK(std::abs(row.lin.dot(m.v_rel) + row.ang.dot(frames::angularVelocity2(m.R_rel))) <
            100 * kAlgebra);
      CHECK(!law.closureName(i).empty());
    }
  });
}

TEST_CASE(
    "ClosureLaw: lin and ang of a row are the derivative of its residue, also off the motion") {
  std::mt19937 random(2);
  for (const Of<ClosureLaw>& l : laws().closures) {
    CAPTURE(l.name);
    for (const auto& base : fake::nastyRotations()) {
      Path path(random);
      path.base = base;
      const RelativeMotion<Dual> m = path.relative();
      ClosureRows<Dual> rows;
      l.law->closure(m, rows);
      CHECK(rows.count == l.law->closures());
      for (int i = 0; i < rows.count; ++i) {
        CHECK(!l.law->closureName(i).empty());
        const auto& row = rows.rows[i];
        CAPTURE(i);
        const double rate = values(row.lin).dot(values(m.v_rel)) +
                            values(row.ang).dot(values(frames::angularVelocity2(m.R_rel)));
        // Near the flipped axis the stereographic residue is large, and so is what rounding does to
        // it.
        const double size = 1 + row.g.v * row.g.v;
        CHECK(std::abs(rate - row.g.lane(0)) < 1000 * kAlgebra * size);
      }
    }
  }
}

TEST_CASE("RevoluteWithLengthConstraint, PrismaticWithLengthConstraint: solve() closes the rod") {
  std::mt19937 random(3);
  for (int k = 0; k < 200; ++k) {
    const Vector3d n = uniformVector(random), r_b = uniformVector(random);
    // A length that some angle and some distance reach.
    const double angle = 3 * uniform(random), distance = uniform(random);
    const auto R = frames::planarRotation(n.normalized().eval(), angle, 0.0);
    const Vector3d r_a = uniformVector(random);
    RevoluteWithLengthConstraint::Parameters turn;
    turn.n = n;
    turn.offset = 0.3;
    turn.guess = angle - turn.offset;
    turn.lengthConstraint = (r_b - frames::resolve2(R, r_a)).norm();
    CHECK(RevoluteWithLengthConstraint(turn).solve(r_a, r_b) ==
          doctest::Approx(turn.guess).epsilon(1e-6));
    PrismaticWithLengthConstraint::Parameters slide;
    slide.n = n;
    slide.offset = 0.3;
    slide.guess = distance - slide.offset;
    slide.lengthConstraint = (n.normalized() * distance + r_b - r_a).norm();
    CHECK(PrismaticWithLengthConstraint(slide).solve(r_a, r_b) ==
          doctest::Approx(slide.guess).epsilon(1e-6));
  }
}

TEST_CASE("Revolute: a flipped axis is no closure") {
  const Revolute law;
  RelativeMotion<double> m{frames::planarRotation(Vector3d(1, 0, 0), 3.0, 0.0), Vector3d::Zero(),
                           Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};
  ClosureRows<double> rows;
  law.closure(m, rows);
  CHECK(std::hypot(rows.rows[3].g, rows.rows[4].g) > 10);  // 2 tan(3/2)
}

TEST_CASE("JointLaw: Dual is double with differences") {
  overAll([](const JointLaw& law, const State& s, const FrameState<Dual>& a_,
             std::mt19937& random) {
    // One direction: all coordinates vary, independently of what is a motion.
    const FrameState<double> a = valueOf(a_);
    const double h = 1e-6;
    double d[kMaxPositions + 12];
    for (double& x : d) x = uniform(random);
    const auto at = [&](double t, FrameState<double>& b, double* tau, double* rows) {
      double q[kMaxPositions], v[6], vd[6];
      for (int i = 0; i < kMaxPositions; ++i) q[i] = s.qv[i] + t * d[i];
      for (int i = 0; i < 6; ++i) {
        v[i] = s.vv[i] + t * d[kMaxPositions + i];
        vd[i] = s.vdv[i] + t * d[kMaxPositions + 6 + i];
      }
      law.forward(a, {q, v, vd}, b);
      law.project(a, b, {q, v, vd}, {Vector3d(1, 2, 3), Vector3d(-2, 1, 1)}, tau);
      law.kinematics(q, s.qd, v, rows);
    };
    FrameState<double> b0, b1, b2;
    double tau0[6] = {}, tau1[6] = {}, tau2[6] = {};
    double rows0[kMaxPositions] = {}, rows1[kMaxPositions] = {}, rows2[kMaxPositions] = {};
    at(0, b0, tau0, rows0);
    at(h, b1, tau1, rows1);
    at(-h, b2, tau2, rows2);

    Dual q[kMaxPositions], qd[kMaxPositions], v[6], vd[6], tau[6], rows[kMaxPositions];
    for (int i = 0; i < kMaxPositions; ++i) {
      q[i] = along(s.qv[i], d[i]);
      qd[i] = Dual(s.qd[i]);
    }
    for (int i = 0; i < 6; ++i) {
      v[i] = along(s.vv[i], d[kMaxPositions + i]);
      vd[i] = along(s.vdv[i], d[kMaxPositions + 6 + i]);
    }
    const FrameState<Dual> constant{a.r_0, a.R, a.v_0, a.a_0, a.z_a};
    FrameState<Dual> b;
    law.forward(constant, {q, v, vd}, b);
    law.project(
        constant, b, {q, v, vd},
        {Vector3<Dual>(Dual(1), Dual(2), Dual(3)), Vector3<Dual>(Dual(-2), Dual(1), Dual(1))}, tau);
    law.kinematics(q, qd, v, rows);
    CHECK(fake::distance(valueOf(b), b0) < 10 * kAlgebra);
    const double tolerance = 1e-7;  // h^2 f'''/6 and eps/h
    CHECK((rates(b.a_0) - (b1.a_0 - b2.a_0) / (2 * h)).norm() < tolerance);
    CHECK((rates(b.z_a) - (b1.z_a - b2.z_a) / (2 * h)).norm() < tolerance);
    CHECK((rates(b.v_0) - (b1.v_0 - b2.v_0) / (2 * h)).norm() < tolerance);
    CHECK((rates(b.r_0) - (b1.r_0 - b2.r_0) / (2 * h)).norm() < tolerance);
    for (int i = 0; i < law.velocities(); ++i) {
      CHECK(std::abs(tau[i].v - tau0[i]) < 10 * kAlgebra);
      CHECK(std::abs(tau[i].lane(0) - (tau1[i] - tau2[i]) / (2 * h)) < tolerance);
    }
    for (int i = 0; i < law.positions(); ++i) {
      CHECK(std::abs(rows[i].v - rows0[i]) < 10 * kAlgebra);
      CHECK(std::abs(rows[i].lane(0) - (rows1[i] - rows2[i]) / (2 * h)) < tolerance);
    }
  });
}

TEST_CASE("nearestAngles: a first angle that passes pi keeps its triple, turn after turn") {
  for (const frames::Sequence& sequence :
       {frames::Sequence{1, 2, 3}, {3, 2, 1}, {3, 1, 3}, {1, 2, 1}}) {
    Vector3d guess(0, 0.4, 0.9);
    for (int k = -200; k <= 200; ++k) {
      const double turn = 0.1 * (k < 0 ? k + 200 : 200 - k);  // up to 20 rad, and back
      const Vector3d phi(turn, 0.4 + 0.3 * std::sin(turn), 0.9 - turn);
      const auto R = frames::axesRotations(sequence, phi, Vector3d(0, 0, 0));
      guess = nearestAngles(R, sequence, guess);
      CHECK((guess - phi).norm() < 100 * kAlgebra);
    }
  }
}

TEST_CASE("angleMotion: phi_d and phi_dd are derivatives of phi, for every sequence of axes") {
  std::mt19937 random(3);
  for (const frames::Sequence& sequence :
       {frames::Sequence{1, 2, 3}, {3, 1, 3}, {2, 3, 1}, {1, 2, 1}}) {
    const Vector3d phi(0.4, 0.9, -0.6), phi_d = uniformVector(random),
                                        phi_dd = uniformVector(random);
    const auto R = frames::axesRotations(sequence, along(phi, phi_d), along(phi_d, phi_dd));
    const auto m = angleMotion(valueOf(R), rates(frames::angularVelocity2(R)), sequence, phi);
    CHECK((m.phi - phi).norm() < kAlgebra);
    CHECK((m.phi_d - phi_d).norm() < kAlgebra);
    CHECK((m.phi_dd - phi_dd).norm() < 10 * kAlgebra);
  }
}

}  // namespace
}  // namespace cardan
