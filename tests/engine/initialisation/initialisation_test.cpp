#include "engine/initialisation/initialisation.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "components/joints/prismatic.h"
#include "components/joints/revolute.h"
#include "components/joints/spherical.h"
#include "components/parts/body.h"
#include "components/parts/fixed.h"
#include "components/parts/fixed_translation.h"
#include "engine/equations/assembly.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define CARDAN_COUNTS_ALLOCATIONS
// Eigen allocates by malloc, operator new does too: one counter sees both.
extern "C" void* __libc_malloc(size_t size) noexcept;
long allocations = 0;  // allocation_test.cpp reads it too
extern "C" void* malloc(size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
#endif

namespace cardan {
namespace {

constexpr double kGravity = 9.80665;
constexpr double kExact = 1e-13;   // residues at roundoff
constexpr double kSolved = 1e-10;  // values of a solved system of moderate condition
constexpr double kNearest = 1e-7;  // a minimum: square root of what its value is known to

/// A model of real components, assembled.
class SmallModel {
 public:
  template <class C>
  SmallModel& add(const std::string& name, const std::string& type,
                  const typename C::Parameters& p) {
    components_.push_back({name, type, {"m.yaml", ++line_, 3}, std::make_unique<C>(p)});
    return *this;
  }
  SmallModel& ground(const std::string& name = "ground") {
    components_.push_back({name, "Fixed", {"m.yaml", ++line_, 3}, std::make_unique<Fixed>()});
    return *this;
  }
  SmallModel& connect(const std::string& a, const std::string& b) {
    connections_.push_back({a, b, {}, {}});
    return *this;
  }

  Assembly& assembly() {
    if (!assembly_) {
      world_.prepare();
      Diagnostics diagnostics;
      assembly_ =
          std::make_unique<Assembly>(world_, std::move(components_), connections_, diagnostics);
      REQUIRE_MESSAGE(diagnostics.errorCount() == 0, diagnostics.format());
    }
    return *assembly_;
  }
  InitialReport start(InitialOptions options = {}) {
    Assembly& a = assembly();
    Initialisation initialisation(*a.equations, a.variables, a.flatModel, 0.0, std::move(options));
    return initialisation.solve(y, yp);
  }
  /// Messages of a start that fails.
  std::string failure() {
    try {
      start();
    } catch (const ModelError& e) {
      return e.what();
    }
    return "no error";
  }

  double value(const std::string& name,
               Purpose purpose = {.kinematicRows = true, .connectorLoads = true, .measure = true}) {
    Assembly& a = assembly();
    const auto elements = a.variables.elements(name);
    REQUIRE_MESSAGE(elements.size() == 1, name);
    EvaluationPoint at(*a.equations);
    at.setPoint(0.0, y.data(), yp.data());
    at.evaluate(purpose);
    std::vector<double> out(static_cast<size_t>(a.variables[elements[0].variable].size));
    a.variables[elements[0].variable].function->evaluate(View<double>(at.valueWorkspace().tables),
                                                         out.data());
    return out[static_cast<size_t>(elements[0].element)];
  }
  /// Largest residue of the DAE.
  double residual() {
    EvaluationPoint at(*assembly().equations);
    at.setPoint(0.0, y.data(), yp.data());
    double largest = 0;
    for (double r : at.evaluate({}).residual) largest = std::max(largest, std::abs(r));
    return largest;
  }
  double energy() {
    Assembly& a = assembly();
    EvaluationPoint at(*a.equations);
    at.setPoint(0.0, y.data(), yp.data());
    at.evaluate({});
    double sum = 0;
    for (const auto& m : a.variables.mechanics()) {
      double out[8];
      m.function->evaluate(View<double>(at.valueWorkspace().tables), out);
      sum += out[0] + out[1];
    }
    return sum;
  }

  std::vector<double> y, yp;

 private:
  WorldSettings world_;
  std::vector<NamedComponent> components_;
  std::vector<ConnectionStatement> connections_;
  std::unique_ptr<Assembly> assembly_;
  int line_ = 0;
};

StartValue given(double start, bool fixed = false,
                 StateSelect select = StateSelect::defaultSelect) {
  StartValue s(fixed);
  s.start[0] = start;
  s.given = true;
  s.stateSelect = select;
  return s;
}
Revolute::Parameters revolute(StartValue phi = {}, StartValue w = {}) {
  Revolute::Parameters p;
  p.q = phi;
  p.v = w;
  return p;
}
Body::Parameters body(const Vector3d& r_CM, double m = 1) {
  Body::Parameters p;
  p.r_CM = r_CM;
  p.m = m;
  return p;
}

/// Revolute 'j1' from the ground with a body 'b1'.
SmallModel pendulum(StartValue phi, StartValue w) {
  SmallModel m;
  m.ground()
      .add<Revolute>("j1", "Revolute", revolute(phi, w))
      .add<Body>("b1", "Body", body({0.5, 0, 0}));
  m.connect("ground.frame_b", "j1.frame_a").connect("j1.frame_b", "b1.frame_a");
  return m;
}

/// Two revolutes, two rods of 1 m, the body 'b1' at the elbow and 'tip' at the end.
SmallModel doublePendulum(StartValue phi1, StartValue phi2, const Body::Parameters& tip,
                          StartValue w1 = {}, StartValue w2 = {}) {
  SmallModel m;
  m.ground()
      .add<Revolute>("j1", "Revolute", revolute(phi1, w1))
      .add<FixedTranslation>("rod1", "FixedTranslation", {{1, 0, 0}})
      .add<Body>("b1", "Body", body({0, 0, 0}))
      .add<Revolute>("j2", "Revolute", revolute(phi2, w2))
      .add<FixedTranslation>("rod2", "FixedTranslation", {{1, 0, 0}})
      .add<Body>("tip", "Body", tip);
  m.connect("ground.frame_b", "j1.frame_a")
      .connect("j1.frame_b", "rod1.frame_a")
      .connect("rod1.frame_b", "b1.frame_a")
      .connect("rod1.frame_b", "j2.frame_a")
      .connect("j2.frame_b", "rod2.frame_a")
      .connect("rod2.frame_b", "tip.frame_a");
  return m;
}
Body::Parameters tipAt(double x, double y, bool fixX, bool fixY) {
  Body::Parameters p = body({0, 0, 0});
  p.r_0.start = {x, y, 0};
  p.r_0.fixed = {fixX, fixY, false};
  return p;
}

/// Four revolutes about z: crank, coupler, rocker over a base; the rods' bodies sit at their ends.
SmallModel fourBar(double crank, double coupler, double rocker, double base, StartValue phi,
                   StartValue w = {}, StartValue phi3 = {}, StartValue phi4 = {}) {
  SmallModel m;
  m.ground().add<FixedTranslation>("base", "FixedTranslation", {{base, 0, 0}});
  const double lengths[] = {crank, coupler, rocker};
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i + 1);
    m.add<Revolute>("j" + n, "Revolute",
                    i == 0 ? revolute(phi, w) : revolute(i == 2 ? phi3 : StartValue()));
    m.add<FixedTranslation>("rod" + n, "FixedTranslation", {{lengths[i], 0, 0}});
    m.add<Body>("b" + n, "Body", body({-lengths[i] / 2, 0, 0}));
    m.connect("j" + n + ".frame_b", "rod" + n + ".frame_a")
        .connect("rod" + n + ".frame_b", "b" + n + ".frame_a");
  }
  m.add<Revolute>("j4", "Revolute", revolute(phi4));
  m.connect("ground.frame_b", "j1.frame_a")
      .connect("ground.frame_b", "base.frame_a")
      .connect("rod1.frame_b", "j2.frame_a")
      .connect("rod2.frame_b", "j3.frame_a")
      .connect("rod3.frame_b", "j4.frame_a")
      .connect("base.frame_b", "j4.frame_b");
  return m;
}

TEST_CASE("Initialisation: a pendulum's fixed values hold, its acceleration is the closed form") {
  SmallModel m = pendulum(given(0.3, true), given(2, true));
  const InitialReport report = m.start();
  CHECK(m.value("j1.phi") == doctest::Approx(0.3).epsilon(1e-15));
  CHECK(m.value("j1.w") == doctest::Approx(2).epsilon(1e-15));
  CHECK(m.yp[0] == m.y[1]);
  CHECK(std::abs(m.value("j1.a") + kGravity * 0.5 * std::cos(0.3) / (0.001 + 0.25)) < kSolved);
  CHECK(m.residual() < kExact * 100);
  CHECK(report.degreesOfFreedom == 1);
  CHECK(report.states == std::vector<std::string>{"j1.phi", "j1.w"});
  CHECK(report.format() ==
        "degrees of freedom: 1\n"
        "fixed at the start:\n"
        "  j1.phi = 0.3 rad\n"
        "  j1.w = 2 rad/s\n"
        "states: j1.phi, j1.w\n");
}

TEST_CASE("Initialisation: a free guess is kept") {
  SmallModel m = pendulum(given(0.3), {});
  m.start();
  CHECK(m.value("j1.phi") == 0.3);
  CHECK(m.value("j1.w") == 0);
}

TEST_CASE("Initialisation: a double pendulum's accelerations fulfil Lagrange's equations") {
  const double a = 0.4, b = -1.1, wa = 1.5, wb = -0.7;
  SmallModel m = doublePendulum(given(a, true), given(b, true), body({0, 0, 0}), given(wa, true),
                                given(wb, true));
  m.start();
  // Point masses of 1 kg with I_33 = 0.001 kg.m2 at both ends of unit rods, relative angles.
  const double c = std::cos(b), s = std::sin(b), I = 0.001;
  Eigen::Matrix2d M;
  M << 3 + 2 * c + 2 * I, 1 + c + I, 1 + c + I, 1 + I;
  const Eigen::Vector2d bias(-s * wb * (2 * wa + wb), s * wa * wa);
  const Eigen::Vector2d weight(kGravity * (2 * std::cos(a) + std::cos(a + b)),
                               kGravity * std::cos(a + b));
  const Eigen::Vector2d vd = M.inverse() * (-bias - weight);
  CHECK(std::abs(m.value("j1.a") - vd[0]) < kSolved);
  CHECK(std::abs(m.value("j2.a") - vd[1]) < kSolved);
}

TEST_CASE(
    "Initialisation: a fixed tip position determines both angles, on the branch of the guess") {
  for (double elbow : {0.5, -0.5}) {
    SmallModel m = doublePendulum(given(0.2), given(elbow), tipAt(1.2, 0.9, true, true));
    const InitialReport report = m.start();
    CHECK(std::abs(m.value("tip.r_0[1]") - 1.2) < kExact);
    CHECK(std::abs(m.value("tip.r_0[2]") - 0.9) < kExact);
    const double phi2 = std::acos((1.2 * 1.2 + 0.9 * 0.9 - 2) / 2);
    CHECK(std::abs(m.value("j2.phi") - std::copysign(phi2, elbow)) < kSolved);
    CHECK(report.entries.size() >= 4);
  }
}

TEST_CASE(
    "Initialisation: where one condition leaves a choice, the start is the nearest to the guess") {
  SmallModel m = doublePendulum(given(0.2), given(0.6), tipAt(0, 1.4, false, true));
  m.start();
  const double p = m.value("j1.phi"), q = m.value("j2.phi");
  CHECK(std::abs(std::sin(p) + std::sin(p + q) - 1.4) < kExact * 10);
  // Lagrange: the way from the guess is normal to the curve of solutions.
  const Eigen::Vector2d way(p - 0.2, q - 0.6),
      normal(std::cos(p) + std::cos(p + q), std::cos(p + q));
  CHECK(std::abs(way[0] * normal[1] - way[1] * normal[0]) < kNearest);
}

/// Two prismatic joints in a row and a body whose position is fixed at 1: one of two coordinates is
/// too many.
SmallModel slides(StartValue s1, StartValue s2) {
  SmallModel m;
  Prismatic::Parameters p1, p2;
  p1.q = s1;
  p2.q = s2;
  Body::Parameters b = tipAt(1, 0, true, false);
  m.ground()
      .add<Prismatic>("p1", "Prismatic", p1)
      .add<Body>("b1", "Body", body({0, 0, 0}))
      .add<Prismatic>("p2", "Prismatic", p2)
      .add<Body>("b2", "Body", b);
  m.connect("ground.frame_b", "p1.frame_a")
      .connect("p1.frame_b", "b1.frame_a")
      .connect("p1.frame_b", "p2.frame_a")
      .connect("p2.frame_b", "b2.frame_a");
  return m;
}

TEST_CASE("Initialisation: better known guesses move last: always, prefer, explicit, default") {
  const auto always = [](double x) { return given(x, false, StateSelect::always); };
  const auto prefer = [](double x) { return given(x, false, StateSelect::prefer); };
  StartValue preferDefault;
  preferDefault.stateSelect = StateSelect::prefer;
  struct Case {
    StartValue s1, s2;
    double wanted1;
  };
  const Case cases[] = {
      {given(0.25), {}, 0.25},
      {{}, given(0.25), 0.75},
      {{}, {}, 0.5},
      {given(0.25), given(0.25), 0.5},
      {prefer(0.25), given(0.5), 0.25},
      {preferDefault, given(0.25), 0},
      {prefer(0.25), always(0.5), 0.5},
      {always(0.25), preferDefault, 0.25},
      {prefer(0.25), preferDefault, 0.25},
  };
  for (const Case& c : cases) {
    SmallModel m = slides(c.s1, c.s2);
    m.start();
    CHECK(std::abs(m.value("p1.s") - c.wanted1) < kSolved);
    CHECK(std::abs(m.value("p1.s") + m.value("p2.s") - 1) < kExact);
  }
}

TEST_CASE("Initialisation: a floating body starts with the given angles and angular velocity") {
  for (OrientationForm form : {OrientationForm::quaternions, OrientationForm::transformationMatrix,
                               OrientationForm::angles}) {
    Body::Parameters p = body({0.1, 0, 0});
    p.I_22 = 0.004;
    p.orientation.orientationStates = form;
    p.orientation.angles_start = {0.3, -0.7, 1.1};
    p.orientation.angles_fixed = p.orientation.anglesGiven = true;
    p.orientation.w_start = {1, 2, 3};
    p.orientation.w_fixed = p.orientation.wGiven = true;
    p.r_0 = StartVector<3>(true);
    p.v_0 = StartVector<3>(true);
    SmallModel m;
    m.add<Body>("b", "Body", p);
    const InitialReport report = m.start();
    CHECK(report.degreesOfFreedom == 6);
    const auto R = frames::axesRotations({1, 2, 3}, Vector3d(0.3, -0.7, 1.1), Vector3d::Zero());
    const Vector3d w = frames::resolve2(R, Vector3d(1, 2, 3));
    for (int i = 0; i < 3; ++i) {
      const std::string k = "[" + std::to_string(i + 1) + "]";
      CHECK(std::abs(m.value("b.w_a" + k) - w[i]) < kExact);
    }
    CHECK(m.residual() < kExact * 100);  // der(q) among it
  }
}

TEST_CASE("Initialisation: contradictory fixed values are named with what the others lead to") {
  SUBCASE("one value against two") {
    SmallModel m =
        doublePendulum({}, given(0, true), tipAt(2 * std::cos(0.3), 2 * std::sin(0.3), true, true));
    CHECK(m.failure() == "no error");
    SmallModel n;
    n.ground()
        .add<Revolute>("j1", "Revolute", revolute(given(0.5, true)))
        .add<FixedTranslation>("rod", "FixedTranslation", {{1, 0, 0}})
        .add<Body>("b", "Body", tipAt(std::cos(0.3), std::sin(0.3), true, true));
    n.connect("ground.frame_b", "j1.frame_a")
        .connect("j1.frame_b", "rod.frame_a")
        .connect("rod.frame_b", "b.frame_a");
    CHECK(n.failure() ==
          "m.yaml:2:3: error: Revolute 'j1': 'phi' is fixed at 0.5 but the other fixed values lead "
          "to 0.3");
  }
  SUBCASE("one against one") {
    SmallModel n;
    n.ground()
        .add<Revolute>("j1", "Revolute", revolute(given(0.5, true)))
        .add<FixedTranslation>("rod", "FixedTranslation", {{1, 0, 0}})
        .add<Body>("b", "Body", tipAt(0, 0.25, false, true));
    n.connect("ground.frame_b", "j1.frame_a")
        .connect("j1.frame_b", "rod.frame_a")
        .connect("rod.frame_b", "b.frame_a");
    CHECK(n.failure() ==
          "m.yaml:2:3: error: Revolute 'j1': 'phi' is fixed at 0.5 but the other fixed values lead "
          "to 0.25268\n"
          "m.yaml:4:3: note: Body 'b': 'r_0[2]' is fixed at 0.25 but the other fixed values lead "
          "to 0.479426");
  }
  SUBCASE("out of reach") {
    SmallModel m = doublePendulum({}, {}, tipAt(2.5, 0, true, false));
    CHECK(m.failure() ==
          "m.yaml:7:3: error: Body 'tip': 'r_0[1]' is fixed at 2.5, which cannot be reached; the "
          "nearest is 2");
  }
  SUBCASE("velocities") {
    Body::Parameters tip = body({0, 0, 0});
    tip.v_0.fixed = {false, true, false};
    tip.v_0.start = {0, 3, 0};
    SmallModel m =
        doublePendulum(given(0, true), given(0, true), tip, given(1, true), given(0, true));
    CHECK(
        m.failure() ==
        "m.yaml:2:3: error: Revolute 'j1': 'w' is fixed at 1 but the other fixed values lead to "
        "1.5\n"
        "m.yaml:5:3: note: Revolute 'j2': 'w' is fixed at 0 but the other fixed values lead to 1\n"
        "m.yaml:7:3: note: Body 'tip': 'v_0[2]' is fixed at 3 but the other fixed values lead to "
        "2");
  }
}

TEST_CASE(
    "Initialisation: a four-bar closes from a rough guess, with one freedom and three redundant "
    "rows") {
  SmallModel m = fourBar(0.4, 1.0, 0.6, 0.9, given(0.8, true), given(3, true));
  const InitialReport report = m.start();
  CHECK(m.value("j1.phi") == doctest::Approx(0.8).epsilon(1e-15));
  CHECK(m.residual() < kSolved);
  EvaluationPoint at(*m.assembly().equations);
  at.setPoint(0, m.y.data(), m.yp.data());
  const Workspace<double>& w = at.evaluate({});
  for (double g : w.positionResidues) CHECK(std::abs(g) < kExact);
  for (double g : w.velocityResidues) CHECK(std::abs(g) < kExact * 10);
  CHECK(report.degreesOfFreedom == 1);
  CHECK(report.redundantConstraints == std::vector<std::string>{"j3.displacement along z",
                                                                "j3.rotation about x",
                                                                "j3.rotation about y"});
  CHECK(report.states == std::vector<std::string>{"j1.phi", "j1.w"});
  // Nobody gave a guess for j2 and j3, and the loop has two branches.
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("may close in more than one way") != std::string::npos);
}

TEST_CASE(
    "Initialisation: the guess of a cut joint's angle counts as much as that of a joint in the "
    "tree") {
  SmallModel reference = fourBar(0.4, 1.0, 0.6, 0.9, given(0.8, true));
  reference.start();
  const double phi4 = reference.value("j4.phi");
  SmallModel m = fourBar(0.4, 1.0, 0.6, 0.9, {}, {}, {}, given(phi4));
  m.start();
  CHECK(std::abs(m.value("j4.phi") - phi4) < kSolved);
  // Fixed, it is met too.
  SmallModel n = fourBar(0.4, 1.0, 0.6, 0.9, given(0.7), {}, {}, given(phi4, true));
  n.start();
  CHECK(std::abs(n.value("j4.phi") - phi4) < kSolved);
  CHECK(std::abs(n.value("j1.phi") - 0.8) < kSolved);
}

TEST_CASE("Initialisation: a loop that starts in a dead end finds its way out") {
  // All rods stretched along x, the loop open in this direction: the residue has no slope.
  SmallModel m = fourBar(0.5, 0.5, 0.5, 0.7, {});
  m.start();
  CHECK(m.residual() < kSolved);
}

TEST_CASE(
    "Initialisation: a flat parallelogram is a singular position, its freedoms are those around "
    "it") {
  SmallModel m = fourBar(0.5, 1.0, 0.5, 1.0, given(0, true), {}, given(std::numbers::pi));
  const InitialReport report = m.start();
  CHECK(report.degreesOfFreedom == 1);
  CHECK(report.warnings.size() == 1);
}

TEST_CASE("Initialisation: a loop that cannot close is reported with its gap and joints") {
  SmallModel m = fourBar(0.1, 2.0, 0.1, 0.9, {});
  CHECK(m.failure() ==
        "m.yaml:9:3: error: Revolute 'j3': its loop cannot be closed: a gap of 0.9 m remains "
        "between its frames; "
        "joints of the loop: 'j3', 'j2', 'j1', 'j4'");
}

TEST_CASE("Initialisation: a joint that moves no mass is named") {
  SUBCASE("nothing on it") {
    SmallModel m = pendulum({}, {});
    m.add<Revolute>("j2", "Revolute", revolute()).connect("j1.frame_b", "j2.frame_a");
    CHECK(m.failure() ==
          "m.yaml:4:3: error: Revolute 'j2': moves no mass: nothing with inertia hangs on it along "
          "its free direction");
  }
  SUBCASE("two joints about one axis") {
    SmallModel m;
    m.ground()
        .add<Revolute>("j1", "Revolute", revolute())
        .add<Revolute>("j2", "Revolute", revolute());
    m.add<Body>("b", "Body", body({0.5, 0, 0}));
    m.connect("ground.frame_b", "j1.frame_a")
        .connect("j1.frame_b", "j2.frame_a")
        .connect("j2.frame_b", "b.frame_a");
    CHECK(m.failure() ==
          "m.yaml:2:3: error: Revolute 'j1': moves no mass in common with the joints below: they "
          "can move so that "
          "nothing with inertia moves\n"
          "m.yaml:3:3: note: Revolute 'j2' takes part in it");
  }
}

TEST_CASE("Initialisation: a fixed acceleration is met by a velocity that was only a guess") {
  Revolute::Parameters p = revolute(given(0.3, true), given(1));
  SmallModel m;
  Body::Parameters b = body({0.5, 0, 0});
  b.a_0.start = {-3, 0, 0};
  b.a_0.fixed = {true, false, false};
  m.ground()
      .add<Revolute>("j1", "Revolute", p)
      .add<FixedTranslation>("rod", "FixedTranslation", {{1, 0, 0}})
      .add<Body>("b", "Body", b);
  m.connect("ground.frame_b", "j1.frame_a")
      .connect("j1.frame_b", "rod.frame_a")
      .connect("rod.frame_b", "b.frame_a");
  m.start();
  CHECK(std::abs(m.value("b.a_0[1]") + 3) < 1e-9);
  CHECK(m.value("j1.w") > 0);
  CHECK(m.residual() < 1e-9);
}

/// Residues that state a value of one variable.
struct Wish final : VariableFunction {
  const VariableFunction* variable = nullptr;
  int element = 0;
  double wanted = 0;
  void evaluate(const View<double>& x, double* out) const override { as(x, out); }
  void evaluate(const View<Dual>& x, Dual* out) const override { as(x, out); }
  template <class S>
  void as(const View<S>& x, S* out) const {
    S values[16];
    variable->evaluate(x, values);
    out[0] = values[element] - wanted;
  }
};

TEST_CASE("Initialisation: an unknown parameter is found from an initial equation") {
  // Gravity such that the pendulum starts with a given angular acceleration.
  SmallModel m = pendulum(given(0.3, true), given(0, true));
  Assembly& a = m.assembly();
  double g = kGravity;
  auto* world = const_cast<WorldSettings*>(a.flatModel.world);
  Wish wish;
  wish.variable = a.variables[*a.variables.find("j1.a")].function.get();
  wish.wanted = -5;
  InitialOptions options;
  options.parameters.push_back({"g", &g, 3.0, [&] {
                                  world->g = g;
                                  world->prepare();
                                }});
  options.equations.push_back({"j1.a = -5", Level::Acceleration, &wish, {}});
  const InitialReport report = m.start(options);
  CHECK(std::abs(g - 5 * 0.251 / (0.5 * std::cos(0.3))) < 1e-8);
  CHECK(report.parameters.at(0).reached == g);
  CHECK(m.residual() < 1e-9);
}

/// One step of Runge-Kutta in q and v, back onto the constraints.
void rungeKutta(SmallModel& m, Completion& completion, double h) {
  const Layout& l = m.assembly().layout;
  const size_t n = static_cast<size_t>(l.nq + l.nv);
  const std::vector<double> y0 = m.y;
  std::vector<double> sum(n, 0.0);
  const double shift[] = {0.5, 0.5, 1, 0}, weight[] = {1, 2, 2, 1};
  for (int k = 0; k < 4; ++k) {
    REQUIRE(completion.complete(0, m.y, m.yp));
    for (size_t i = 0; i < n; ++i) {
      sum[i] += weight[k] * m.yp[i];
      m.y[i] = y0[i] + h * shift[k] * m.yp[i];
    }
  }
  for (size_t i = 0; i < n; ++i) m.y[i] = y0[i] + h / 6 * sum[i];
  REQUIRE(completion.project(0, m.y));
  REQUIRE(completion.complete(0, m.y, m.yp));
}

TEST_CASE(
    "Completion: accelerations of a four-bar are the slope of its motion, which keeps the energy") {
  SmallModel m = fourBar(0.4, 1.0, 0.6, 0.9, given(0.8, true), given(3, true));
  m.start();
  Completion completion(*m.assembly().equations);
  const std::vector<double> y0 = m.y, yp0 = m.yp;
  const size_t nq = static_cast<size_t>(m.assembly().layout.nq);
  const double h = 1e-3, small = 1e-4, energy = m.energy();
  rungeKutta(m, completion, small);
  const std::vector<double> ahead = m.y;
  m.y = y0;
  rungeKutta(m, completion, -small);
  for (size_t i = nq; i < 2 * nq; ++i) {
    // Central difference: small^2/6 times the third derivative of v, some thousand rad/s4.
    CHECK(std::abs((ahead[i] - m.y[i]) / (2 * small) - yp0[i]) < 1e-4);
  }
  m.y = y0;
  for (int k = 0; k < 300; ++k) rungeKutta(m, completion, h);
  CHECK(std::abs(m.energy() - energy) < 1e-8);  // (h w)^4 of the method
}

TEST_CASE("Completion: equals the initialisation and allocates nothing") {
  SmallModel m = fourBar(0.4, 1.0, 0.6, 0.9, given(0.8, true), given(3, true));
  m.start();
  Completion completion(*m.assembly().equations);
  std::vector<double> y = m.y, yp = m.yp;
  const Layout& l = m.assembly().layout;
  auto disturb = [&] {
    y = m.y;
    for (int i = l.nq; i < l.nq + l.nv; ++i) yp[static_cast<size_t>(i)] = 0;
    for (int i = l.lambdaOffset(); i < l.size(); ++i) y[static_cast<size_t>(i)] = 7;
  };
  // The first time shows where its matrices have elements.
  disturb();
  completion.project(0, y);
  completion.complete(0, y, yp);
  disturb();
#ifdef CARDAN_COUNTS_ALLOCATIONS
  const long before = allocations;
#endif
  const bool projected = completion.project(0, y);
  const bool completed = completion.complete(0, y, yp);
#ifdef CARDAN_COUNTS_ALLOCATIONS
  CHECK(allocations == before);
#endif
  CHECK(projected);
  CHECK(completed);
  for (size_t i = 0; i < y.size(); ++i) {
    CHECK(std::abs(y[i] - m.y[i]) < kSolved);
    CHECK(std::abs(yp[i] - m.yp[i]) < kSolved);
  }
}

TEST_CASE("Completion: projection brings disturbed coordinates back onto the constraints") {
  SmallModel m = fourBar(0.4, 1.0, 0.6, 0.9, given(0.8, true), given(3, true));
  m.start();
  Completion completion(*m.assembly().equations);
  for (size_t i = 0; i < m.y.size(); ++i) m.y[i] += 1e-4 * std::sin(double(i + 1));
  REQUIRE(completion.project(0, m.y));
  EvaluationPoint at(*m.assembly().equations);
  at.setPoint(0, m.y.data(), m.yp.data());
  const Workspace<double>& w = at.evaluate({});
  for (double g : w.positionResidues) CHECK(std::abs(g) < kExact);
  for (double g : w.velocityResidues) CHECK(std::abs(g) < kExact);
}

TEST_CASE("Completion: projection ends well however small the error of a quaternion is") {
  SmallModel m;
  m.add<Body>("b", "Body", body({0, 0, 0}));
  m.start();
  const std::vector<double> exact = m.y;
  Completion completion(*m.assembly().equations);
  for (double error = 1e-2; error > 1e-17; error *= 0.7) {
    CAPTURE(error);
    m.y = exact;
    for (size_t i = 3; i < 7; ++i) m.y[i] += error * static_cast<double>(i);
    CHECK(completion.project(0, m.y));
  }
}

TEST_CASE("Completion: projection gives a quaternion its length back") {
  SmallModel m;
  m.add<Body>("b", "Body", body({0, 0, 0}));
  m.start();
  for (int i = 3; i < 7; ++i) m.y[static_cast<size_t>(i)] += 0.01 * i;
  const std::vector<double> before = m.y;
  Completion completion(*m.assembly().equations);
  REQUIRE(completion.project(0, m.y));
  double length = 0, old = 0;
  for (size_t i = 3; i < 7; ++i) {
    length += m.y[i] * m.y[i];
    old += before[i] * before[i];
  }
  CHECK(std::abs(length - 1) < 1e-15);
  for (size_t i = 3; i < 7; ++i) CHECK(std::abs(m.y[i] - before[i] / std::sqrt(old)) < kSolved);
}

}  // namespace
}  // namespace cardan
