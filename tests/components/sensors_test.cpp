// Sensors: every quantity against differences of positions and orientations of frames in analytic
// motion.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "components/component.h"
#include "components/sensors/absolute_sensor.h"
#include "components/sensors/cut_load.h"
#include "components/sensors/distance.h"
#include "components/sensors/power.h"
#include "components/sensors/relative_sensor.h"
#include "components/sensors/transform_vector.h"

namespace cardan {
namespace {

// What a component sees of the engine

struct Start {
  std::vector<double> start;
  std::vector<bool> fixed;
};
using Given =
    std::map<std::string, std::variant<bool, double, std::string, std::vector<double>, Start>>;

/// Reader of values in a map; errors in words, as a model file's would be.
class MapReader final : public ParameterReader {
 public:
  explicit MapReader(Given given) : given_(std::move(given)) {}

  bool require(bool holds, std::string_view name, std::string_view rule) override {
    if (!holds) errors.push_back("'" + std::string(name) + "' " + std::string(rule));
    return holds;
  }
  bool isGiven(std::string_view name) const override { return given_.count(std::string(name)) > 0; }
  const WorldSettings& world() const override { return world_; }
  void begin(std::string_view) override {}
  void end() override {}

  /// After read(): keys that nobody asked for are errors.
  void finish() {
    for (const auto& [name, value] : given_) {
      if (!infos.count(name)) errors.push_back("unknown key '" + name + "'");
    }
  }

  std::vector<std::string> errors;
  std::map<std::string, ParameterInfo> infos;
  std::map<std::string, InputTarget> inputs;
  WorldSettings world_;

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override {
    const std::string name(info.name);
    CHECK_MESSAGE(!infos.count(name), name << " is read once");
    CHECK_MESSAGE(!info.description.empty(), name << " is documented");
    infos[name] = info;
    if (auto* input = std::get_if<InputTarget>(&target)) inputs[name] = *input;
    if (!isGiven(name)) return;
    const auto& value = given_.at(name);
    if (auto* b = std::get_if<bool*>(&target)) {
      **b = std::get<bool>(value);
    } else if (auto* x = std::get_if<double*>(&target)) {
      **x = std::get<double>(value);
      if (**x < info.minimum) errors.push_back("'" + name + "' is too small");
    } else if (auto* i = std::get_if<std::array<int, 3>*>(&target)) {
      for (size_t k = 0; k < 3; ++k)
        (**i)[k] = static_cast<int>(std::get<std::vector<double>>(value)[k]);
    } else if (auto* e = std::get_if<EnumerationTarget>(&target)) {
      const std::string& choice = std::get<std::string>(value);
      std::string all;
      for (size_t k = 0; k < e->names.size(); ++k) {
        if (e->names[k] == choice) return e->set(static_cast<int>(k));
        all += (k ? ", " : "") + std::string(e->names[k]);
      }
      errors.push_back("'" + name + "' must be one of " + all + ", not " + choice);
    } else if (auto* s = std::get_if<StartTarget>(&target)) {
      const Start& start = std::get<Start>(value);
      for (size_t k = 0; k < start.start.size(); ++k) {
        s->start[k] = start.start[k];
        s->fixed[k] = start.fixed[k];
      }
      *s->given = true;
    }
  }

 private:
  Given given_;
};

/// Hands out ids in the order of the calls.
class ListStructure final : public Structure {
 public:
  struct Edge {
    FrameId a, b;
    const JointLaw* law;
  };
  std::vector<std::string> frames, inputs;
  std::vector<Edge> edges;
  WorldSettings settings;

  const WorldSettings& world() const override { return settings; }
  FrameId frame(const std::string& name) override {
    frames.push_back(name);
    return {static_cast<int>(frames.size()) - 1};
  }
  SignalId input(const std::string& name, int size, Rate) override {
    CHECK(size == 3);
    inputs.push_back(name);
    return {static_cast<int>(inputs.size()) - 1};
  }
  JointId joint(FrameId a, FrameId b, const JointLaw& law, std::vector<UnknownInfo> q,
                std::vector<UnknownInfo> v, CutPolicy) override {
    CHECK(static_cast<int>(q.size()) == law.positions());
    CHECK(static_cast<int>(v.size()) == law.velocities());
    edges.push_back({a, b, &law});
    return {static_cast<int>(edges.size()) - 1};
  }
  FrameId worldFrame() override { return unexpected<FrameId>(); }
  FlangeId flange(const std::string&, Domain) override { return unexpected<FlangeId>(); }
  void cut(FrameId, FrameId, const ClosureLaw&) override { unexpected<int>(); }
  JointId root(FrameId, const JointLaw&, std::vector<UnknownInfo>, std::vector<UnknownInfo>,
               RootRank) override {
    return unexpected<JointId>();
  }
  void inertia(FrameId) override { unexpected<int>(); }
  ConstraintId constraint(const std::string&, const std::string&, int, int) override {
    return unexpected<ConstraintId>();
  }
  void affine(Affine) override { unexpected<int>(); }
  void axis(FlangeId, JointId, int) override { unexpected<int>(); }
  void ground(FlangeId, double) override { unexpected<int>(); }
  void inertia(FlangeId) override { unexpected<int>(); }
  UnknownId unknown(const UnknownInfo&, cardan::Kind) override { return unexpected<UnknownId>(); }
  RowId row(const std::string&, int) override { return unexpected<RowId>(); }
  ModeId mode(const std::string&, int) override { return unexpected<ModeId>(); }
  PastId past(SignalId, ModeId, double) override { return unexpected<PastId>(); }
  ImpulseId impulse() override { return unexpected<ImpulseId>(); }
  void addPart(const std::string&, std::unique_ptr<Component>) override {
    FAIL("no parts in a sensor");
  }
  void connect(const std::string&, const std::string&) override { unexpected<int>(); }
  void error(const std::string& text) override { FAIL(text); }
  void addDriven(FlangeId, std::unique_ptr<DrivenPotential>) override { unexpected<int>(); }

 private:
  template <class T>
  static T unexpected() {
    FAIL("a sensor has only frames, inputs and rigid edges");
    return T{};
  }
};

class MapVariables final : public Variables {
 public:
  struct Entry {
    VariableInfo info;
    std::vector<int> dimensions;
    std::unique_ptr<VariableFunction> f;
  };
  std::map<std::string, Entry> all;
  std::map<std::string, std::vector<double>> starts;
  std::map<std::string, std::vector<bool>> fixed;

  void alias(const std::string&, const std::string&) override {}

 protected:
  void add(VariableInfo info, std::vector<int> dimensions,
           std::unique_ptr<VariableFunction> f) override {
    const std::string name = info.name;
    CHECK(!all.count(name));
    all[name] = {std::move(info), std::move(dimensions), std::move(f)};
  }
  void addStart(const std::string& name, int element, double start, bool isFixed, bool given,
                StateSelect) override {
    CHECK_MESSAGE(all.count(name), "a start value belongs to a variable");
    CHECK((element < 0) == all.at(name).dimensions.empty());
    CHECK((given || isFixed || fixed.count(name)));  // a default 0 is no guess for an output
    starts[name].push_back(start);
    fixed[name].push_back(isFixed);
  }
  void addInitial(InitialInfo, int, std::unique_ptr<VariableFunction>) override {}
  void addMechanics(const std::vector<SignalId>&, std::unique_ptr<VariableFunction>) override {}
  MemoryId addMemory(const std::vector<double>&) override {
    FAIL("a sensor does not know the steps before");
    return {};
  }
  void setMemory(MemoryId, std::unique_ptr<VariableFunction>) override {}
};

// Frames in motion

/// c0 + c1 sin(omega t + phase), and its derivatives.
struct Wave {
  double c0 = 0, c1 = 0, omega = 0, phase = 0;
  double operator()(double t, int derivative) const {
    const double quarter = 1.5707963267948966;
    return (derivative == 0 ? c0 : 0) +
           c1 * std::pow(omega, derivative) * std::sin(omega * t + phase + derivative * quarter);
  }
};

struct Motion {
  Wave r[3], phi[3];
  frames::Sequence sequence{1, 2, 3};

  static Motion random(std::mt19937& random) {
    std::uniform_real_distribution<double> u(-1, 1);
    Motion m;
    for (int i = 0; i < 3; ++i) {
      m.r[i] = {u(random), u(random), 1 + u(random), 3 * u(random)};
      m.phi[i] = {2 * u(random), u(random), 1 + u(random), 3 * u(random)};
    }
    m.sequence = u(random) > 0 ? frames::Sequence{3, 1, 3} : frames::Sequence{2, 3, 1};
    return m;
  }
  Vector3d wave(const Wave (&w)[3], double t, int derivative) const {
    return {w[0](t, derivative), w[1](t, derivative), w[2](t, derivative)};
  }
  FrameState<double> at(double t) const {
    FrameState<double> s;
    s.r_0 = wave(r, t, 0);
    s.v_0 = wave(r, t, 1);
    s.a_0 = wave(r, t, 2);
    s.R = frames::axesRotations(sequence, wave(phi, t, 0), wave(phi, t, 1));
    s.z_a = timeDerivative(orientation(t));
    return s;
  }
  /// The same with the derivative by time in lane 0.
  FrameState<Dual> dualAt(double t) const {
    FrameState<Dual> s;
    s.r_0 = dual(wave(r, t, 0), wave(r, t, 1));
    s.v_0 = dual(wave(r, t, 1), wave(r, t, 2));
    s.a_0 = dual(wave(r, t, 2), wave(r, t, 3));
    s.R = orientation(t);
    const double h =
        1e-3;  // z_a's own derivative: no formula needed, nothing but z outputs reads it
    s.z_a = dual(
        at(t).z_a,
        (8 * (at(t + h).z_a - at(t - h).z_a) - (at(t + 2 * h).z_a - at(t - 2 * h).z_a)) / (12 * h));
    return s;
  }
  static Vector3<Dual> dual(const Vector3d& x, const Vector3d& der) {
    Vector3<Dual> y;
    for (int i = 0; i < 3; ++i) {
      y[i] = x[i];
      y[i].setLane(0, der[i]);
    }
    return y;
  }

 private:
  frames::Orientation<Dual> orientation(double t) const {
    return frames::axesRotations(sequence, dual(wave(phi, t, 0), wave(phi, t, 1)),
                                 dual(wave(phi, t, 1), wave(phi, t, 2)));
  }
  static Vector3d timeDerivative(const frames::Orientation<Dual>& R) {
    const auto& w = frames::angularVelocity2(R);
    return {w[0].lane(0), w[1].lane(0), w[2].lane(0)};
  }
};

/// A component that was read, declared and described.
template <class Sensor>
struct SensorBench {
  explicit SensorBench(Given given = {}) : reader(std::move(given)) {
    sensor.read(reader);
    sensor.parametersChanged();
    reader.finish();
    sensor.declare(structure);
    sensor.describe(variables);
    CHECK(!sensor.evaluates());  // zero load on every frame
  }

  /// Tables of one instant; frames in the order of their declaration.
  template <class S>
  struct Instant {
    std::vector<FrameState<S>> states;
    std::vector<Wrench<S>> loads;
    std::vector<S> signals;
  };
  template <class S>
  std::vector<S> evaluate(const std::string& name, Instant<S> instant) const {
    const std::vector<int> numbers{0, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<int> signalOffset{0};
    const WorldSettings world;
    EvaluationTables<S> t;
    t.time = S(0.0);
    t.world = &world;
    t.frameNode = numbers.data();
    t.frames = instant.states.data();
    t.connectorLoads = instant.loads.data();
    t.signalOffset = signalOffset.data();
    t.signals = instant.signals.data();
    const auto& entry = variables.all.at(name);
    std::vector<S> out(entry.dimensions.empty() ? 1 : 3);
    const View<S> view(t);
    entry.f->evaluate(view, out.data());
    return out;
  }

  Sensor sensor;
  MapReader reader;
  ListStructure structure;
  MapVariables variables;
};

/// Frames in motion, and their differences in time.
struct Scene {
  std::vector<Motion> motions;  ///< of frame_a, frame_b, frame_resolve
  std::vector<std::string> names{"frame_a", "frame_b", "frame_resolve"};

  explicit Scene(unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 3; ++i) motions.push_back(Motion::random(random));
  }
  const Motion& motion(const std::string& name) const {
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return motions[i];
    }
    FAIL("no frame " << name);
    return motions[0];
  }
  FrameState<double> at(const std::string& name, double t) const {
    if (name == "world") {
      return {Vector3d::Zero(), frames::nullRotation(), Vector3d::Zero(), Vector3d::Zero(),
              Vector3d::Zero()};
    }
    return motion(name).at(t);
  }
  Vector3d resolve(const std::string& X, double t, const Vector3d& v_0) const {
    return frames::resolve2(at(X, t).R, v_0);
  }
  template <class Sensor>
  Vector3d output(const SensorBench<Sensor>& bench, const std::string& name, double t) const {
    typename SensorBench<Sensor>::template Instant<double> now;
    for (const std::string& frame : bench.structure.frames)
      now.states.push_back(motion(frame).at(t));
    const auto out = bench.evaluate(name, now);
    return out.size() == 3 ? Vector3d(out[0], out[1], out[2]) : Vector3d(out[0], 0, 0);
  }
  /// Value and, from lane 0, the derivative by time.
  template <class Sensor>
  std::pair<Vector3d, Vector3d> dualOutput(const SensorBench<Sensor>& bench,
                                           const std::string& name, double t) const {
    typename SensorBench<Sensor>::template Instant<Dual> now;
    for (const std::string& frame : bench.structure.frames)
      now.states.push_back(motion(frame).dualAt(t));
    const auto out = bench.evaluate(name, now);
    Vector3d x = Vector3d::Zero(), der = Vector3d::Zero();
    for (size_t i = 0; i < out.size(); ++i) {
      x[static_cast<Eigen::Index>(i)] = out[i].v;
      der[static_cast<Eigen::Index>(i)] = out[i].lane(0);
    }
    return {x, der};
  }
};

/// f'(t) and f''(t) by differences of fourth order.
template <class F>
Vector3d derivative(F f, double t) {
  const double h = 1e-3;
  return (8 * (f(t + h) - f(t - h)) - (f(t + 2 * h) - f(t - 2 * h))) / (12 * h);
}
template <class F>
Vector3d secondDerivative(F f, double t) {
  const double h = 3e-3;
  return (16 * (f(t + h) + f(t - h)) - (f(t + 2 * h) + f(t - 2 * h)) - 30 * f(t)) / (12 * h * h);
}
// Truncation h^4/30 f''''' and h^4/90 f'''''' with derivatives up to 2^6 times a few, rounding
// eps/h and eps/h^2.
constexpr double kFirst = 1e-9;
constexpr double kSecond = 3e-8;
constexpr double kRounding = 1e-12;

void checkClose(const Vector3d& x, const Vector3d& expected, double tolerance) {
  CHECK_MESSAGE((x - expected).norm() <= tolerance * (1 + expected.norm()),
                x.transpose() << " against " << expected.transpose());
}

/// The output is `expected`, the same as a Dual, and its lanes are the derivative by time.
template <class Sensor, class F>
void checkOutput(const Scene& scene, const SensorBench<Sensor>& bench, const std::string& name,
                 double t, F expected, double tolerance) {
  CAPTURE(name);
  checkClose(scene.output(bench, name, t), expected(t), tolerance);
  const auto [x, der] = scene.dualOutput(bench, name, t);
  checkClose(x, scene.output(bench, name, t), kRounding);
  checkClose(der, derivative([&](double s) { return scene.output(bench, name, s); }, t), kFirst);
}

const std::vector<std::string> kFramesA{"world", "frame_a", "frame_resolve"};
const std::vector<std::string> kFramesAB{"world", "frame_a", "frame_b", "frame_resolve"};
const double kTimes[] = {0.0, 0.7, 2.3};

Given everyAbsolute(const std::string& X) {
  return {{"resolveInFrame", X}, {"get_r", true},
          {"get_v", true},       {"get_a", true},
          {"get_w", true},       {"get_z", true},
          {"get_angles", true},  {"sequence", std::vector<double>{3, 1, 2}}};
}
Given everyRelative(const std::string& X, const std::string& Y) {
  return {{"resolveInFrame", X},
          {"resolveInFrameAfterDifferentiation", Y},
          {"get_r_rel", true},
          {"get_v_rel", true},
          {"get_a_rel", true},
          {"get_w_rel", true},
          {"get_z_rel", true},
          {"get_angles", true},
          {"sequence", std::vector<double>{3, 1, 2}}};
}

}  // namespace

TEST_CASE("AbsoluteSensor: outputs are derivatives taken in world, then resolved") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Scene scene(seed);
    const auto r_0 = [&](double t) { return scene.at("frame_a", t).r_0; };
    const auto w_0 = [&](double t) { return frames::angularVelocity1(scene.at("frame_a", t).R); };
    for (const std::string& X : kFramesA) {
      CAPTURE(X);
      const SensorBench<AbsoluteSensor> bench(everyAbsolute(X));
      CHECK(bench.structure.frames.size() == (X == "frame_resolve" ? 2 : 1));
      for (double t : kTimes) {
        const auto in_X = [&](double s, const Vector3d& v) { return scene.resolve(X, s, v); };
        checkOutput(
            scene, bench, "r", t, [&](double s) { return in_X(s, r_0(s)); }, kRounding);
        checkOutput(
            scene, bench, "v", t, [&](double s) { return in_X(s, derivative(r_0, s)); }, kFirst);
        checkOutput(
            scene, bench, "a", t, [&](double s) { return in_X(s, secondDerivative(r_0, s)); },
            kSecond);
        checkOutput(
            scene, bench, "w", t, [&](double s) { return in_X(s, w_0(s)); }, kRounding);
        checkOutput(
            scene, bench, "z", t, [&](double s) { return in_X(s, derivative(w_0, s)); }, kFirst);
      }
    }
  }
}

TEST_CASE(
    "RelativeSensor: outputs are derivatives of components in resolveInFrame, then resolved once "
    "more") {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Scene scene(seed);
    for (const std::string& X : kFramesAB) {
      for (const std::string& Y : kFramesAB) {
        CAPTURE(X);
        CAPTURE(Y);
        const SensorBench<RelativeSensor> bench(everyRelative(X, Y));
        CHECK(bench.structure.frames.size() ==
              (X == "frame_resolve" || Y == "frame_resolve" ? 3 : 2));
        const auto r_rel = [&](double t) {
          return scene.resolve(X, t, scene.at("frame_b", t).r_0 - scene.at("frame_a", t).r_0);
        };
        const auto w_rel = [&](double t) {
          return scene.resolve(X, t,
                               frames::angularVelocity1(scene.at("frame_b", t).R) -
                                   frames::angularVelocity1(scene.at("frame_a", t).R));
        };
        const auto fromXtoY = [&](double t, const Vector3d& v) {
          return frames::resolveRelative(v, scene.at(X, t).R, scene.at(Y, t).R);
        };
        for (double t : kTimes) {
          checkOutput(scene, bench, "r_rel", t, r_rel, kRounding);
          checkOutput(scene, bench, "w_rel", t, w_rel, kRounding);
          checkOutput(
              scene, bench, "v_rel", t, [&](double s) { return fromXtoY(s, derivative(r_rel, s)); },
              kFirst);
          checkOutput(
              scene, bench, "a_rel", t,
              [&](double s) { return fromXtoY(s, secondDerivative(r_rel, s)); }, kSecond);
          checkOutput(
              scene, bench, "z_rel", t, [&](double s) { return fromXtoY(s, derivative(w_rel, s)); },
              kFirst);
          if (X == Y) {  // exactly: the lanes of the position are the velocity, those of it the
                         // acceleration
            checkClose(scene.dualOutput(bench, "r_rel", t).second, scene.output(bench, "v_rel", t),
                       kRounding);
            checkClose(scene.dualOutput(bench, "v_rel", t).second, scene.output(bench, "a_rel", t),
                       kRounding);
            checkClose(scene.dualOutput(bench, "w_rel", t).second, scene.output(bench, "z_rel", t),
                       kRounding);
          }
        }
      }
    }
  }
}

TEST_CASE("RelativeSensor: resolveInFrameAfterDifferentiation is resolveInFrame by default") {
  const Scene scene(5);
  for (const std::string& X : kFramesAB) {
    Given given = everyRelative(X, X);
    given.erase("resolveInFrameAfterDifferentiation");
    const SensorBench<RelativeSensor> bench(given), both(everyRelative(X, X));
    CHECK(bench.reader.errors.empty());
    for (const char* name : {"v_rel", "a_rel", "z_rel"}) {
      CHECK(scene.output(bench, name, 0.4) == scene.output(both, name, 0.4));
    }
  }
}

TEST_CASE("AbsoluteSensor, RelativeSensor: the angles give the orientation back") {
  const Scene scene(6);
  for (double t : kTimes) {
    const frames::Sequence sequence{3, 1, 2};
    const auto& R_a = scene.at("frame_a", t).R;
    const auto R_rel = frames::relativeRotation(R_a, scene.at("frame_b", t).R);
    const auto T = [&](const Vector3d& angles) {
      return frames::to_T(frames::axesRotations(sequence, angles, Vector3d::Zero()));
    };
    const Given given{{"sequence", std::vector<double>{3, 1, 2}}, {"guessAngle1", 0.3}};
    const Vector3d absolute =
        scene.output(SensorBench<AbsoluteSensor>(everyAbsolute("world")), "angles", t);
    const Vector3d relative =
        scene.output(SensorBench<RelativeSensor>(everyRelative("world", "world")), "angles", t);
    CHECK((T(absolute) - frames::to_T(R_a)).norm() < kRounding);
    CHECK((T(relative) - frames::to_T(R_rel)).norm() < kRounding);
    CHECK((T(scene.output(SensorBench<AbsoluteAngles>(given), "angles", t)) - frames::to_T(R_a))
              .norm() < kRounding);
    CHECK((T(scene.output(SensorBench<RelativeAngles>(given), "angles", t)) - frames::to_T(R_rel))
              .norm() < kRounding);
  }
}

TEST_CASE("AbsoluteAngles: guessAngle1 picks the solution") {
  const Scene scene(7);
  const SensorBench<AbsoluteAngles> near(Given{{"guessAngle1", 0.0}}),
      far(Given{{"guessAngle1", 3.0}});
  const Vector3d a = scene.output(near, "angles", 0), b = scene.output(far, "angles", 0);
  CHECK(std::abs(std::abs(a[0] - b[0]) - 3.14159265358979) < kRounding);
}

TEST_CASE("AbsolutePosition, AbsoluteVelocity, AbsoluteAngularVelocity: as AbsoluteSensor") {
  const Scene scene(8);
  for (const std::string& X : kFramesA) {
    const SensorBench<AbsoluteSensor> all(everyAbsolute(X));
    const Given given{{"resolveInFrame", X}};
    for (double t : kTimes) {
      CHECK(scene.output(SensorBench<AbsolutePosition>(given), "r", t) ==
            scene.output(all, "r", t));
      CHECK(scene.output(SensorBench<AbsoluteVelocity>(given), "v", t) ==
            scene.output(all, "v", t));
      CHECK(scene.output(SensorBench<AbsoluteAngularVelocity>(given), "w", t) ==
            scene.output(all, "w", t));
    }
  }
}

TEST_CASE("RelativePosition, RelativeAngularVelocity: as RelativeSensor") {
  const Scene scene(9);
  for (const std::string& X : kFramesAB) {
    const SensorBench<RelativeSensor> all(everyRelative(X, X));
    const Given given{{"resolveInFrame", X}};
    for (double t : kTimes) {
      CHECK(scene.output(SensorBench<RelativePosition>(given), "r_rel", t) ==
            scene.output(all, "r_rel", t));
      CHECK(scene.output(SensorBench<RelativeAngularVelocity>(given), "w_rel", t) ==
            scene.output(all, "w_rel", t));
    }
  }
}

TEST_CASE("RelativeVelocity: differentiates in frame_a, whatever resolveInFrame is") {
  const Scene scene(10);
  const auto r_a = [&](double t) {
    return scene.resolve("frame_a", t, scene.at("frame_b", t).r_0 - scene.at("frame_a", t).r_0);
  };
  for (const std::string& X : kFramesAB) {
    CAPTURE(X);
    const SensorBench<RelativeVelocity> bench(Given{{"resolveInFrame", X}});
    const SensorBench<RelativeSensor> same(everyRelative("frame_a", X)), other(everyRelative(X, X));
    for (double t : kTimes) {
      checkOutput(
          scene, bench, "v_rel", t,
          [&](double s) {
            return frames::resolveRelative(derivative(r_a, s), scene.at("frame_a", s).R,
                                           scene.at(X, s).R);
          },
          kFirst);
      checkClose(scene.output(bench, "v_rel", t), scene.output(same, "v_rel", t), kRounding);
      const double difference =
          (scene.output(bench, "v_rel", t) - scene.output(other, "v_rel", t)).norm();
      CHECK((X == "frame_a" ? difference < kRounding : difference > 1e-3));
    }
  }
}

TEST_CASE("Distance: length between the origins, smooth at zero") {
  const Scene scene(11);
  const SensorBench<Distance> bench;
  const auto expected = [&](double t) {
    return Vector3d((scene.at("frame_b", t).r_0 - scene.at("frame_a", t).r_0).norm(), 0, 0);
  };
  for (double t : kTimes) checkOutput(scene, bench, "distance", t, expected, kRounding);

  const double small = 1e-3;
  const SensorBench<Distance> smoothed(Given{{"s_small", small}});
  const auto along = [&](double s, double ds) {
    SensorBench<Distance>::Instant<Dual> now;
    now.states.assign(2, Motion{}.dualAt(0));
    now.states[1].r_0 =
        Motion::dual(Vector3d(0.6 * s, 0.8 * s, 0), Vector3d(0.6 * ds, 0.8 * ds, 0));
    return smoothed.evaluate("distance", now)[0];
  };
  CHECK(along(0, 1).v == 0);
  CHECK(along(0, 1).lane(0) == 0);
  CHECK(along(small / 2, 1).v ==
        doctest::Approx(small * 11 / 32));    // s^2/(2 small) (3 - s^2/small^2)
  for (double side : {1 - 1e-9, 1 + 1e-9}) {  // same value and slope on both sides
    CHECK(along(small * side, 1).v == doctest::Approx(small));
    CHECK(along(small * side, 1).lane(0) == doctest::Approx(1));
  }
}

TEST_CASE(
    "CutForce, CutTorque, CutForceAndTorque: load on the sensor at frame_a, resolved and signed") {
  const Scene scene(12);
  const Wrench<double> load{{1, -2, 3}, {4, 5, -6}};
  const auto check = [&]<class Sensor>(Sensor*, const char* name, const Vector3d& expected_0) {
    for (const std::string& X : kFramesA) {
      for (bool positive : {true, false}) {
        const SensorBench<Sensor> bench(Given{{"resolveInFrame", X}, {"positiveSign", positive}});
        CHECK(bench.structure.frames.size() == (X == "frame_resolve" ? 3 : 2));
        typename SensorBench<Sensor>::template Instant<double> now;
        for (const std::string& frame : bench.structure.frames)
          now.states.push_back(scene.motion(frame).at(0.3));
        now.loads = {load, -load, {Vector3d::Zero(), Vector3d::Zero()}};
        const auto out = bench.evaluate(name, now);
        checkClose({out[0], out[1], out[2]},
                   scene.resolve(X, 0.3, expected_0) * (positive ? 1 : -1), kRounding);
        CHECK(bench.variables.all.at(name).info.level == Level::Force);
      }
    }
  };
  check(static_cast<CutForce*>(nullptr), "force", load.f_0);
  check(static_cast<CutTorque*>(nullptr), "torque", load.t_0);
  check(static_cast<CutForceAndTorque*>(nullptr), "force", load.f_0);
  check(static_cast<CutForceAndTorque*>(nullptr), "torque", load.t_0);
}

TEST_CASE("Power: what the load at frame_a does as frame_a moves") {
  const Scene scene(13);
  const SensorBench<Power> bench;
  SensorBench<Power>::Instant<double> now;
  now.states = {scene.at("frame_a", 0.3), scene.at("frame_a", 0.3)};
  now.loads = {{{1, -2, 3}, {4, 5, -6}}, {{-1, 2, -3}, {-4, -5, 6}}};
  const auto& a = now.states[0];
  // In the frame itself, as MSL has it.
  const double expected =
      frames::resolve2(a.R, now.loads[0].f_0).dot(frames::resolve2(a.R, a.v_0)) +
      frames::resolve2(a.R, now.loads[0].t_0).dot(frames::angularVelocity2(a.R));
  CHECK(bench.evaluate("power", now)[0] == doctest::Approx(expected).epsilon(kRounding));
}

TEST_CASE("CutForce, Power, ...: a rigid edge without offset") {
  const Scene scene(14);
  const SensorBench<CutForce> bench;
  REQUIRE(bench.structure.edges.size() == 1);
  const JointLaw& law = *bench.structure.edges[0].law;
  CHECK(law.positions() == 0);
  CHECK(law.closures() == 6);
  const FrameState<double> a = scene.at("frame_a", 0.3);
  FrameState<double> b, back;
  law.forward(a, {}, b);
  law.backward(b, {}, back);
  for (const FrameState<double>& same : {b, back}) {
    CHECK(same.r_0 == a.r_0);
    CHECK(same.v_0 == a.v_0);
    CHECK(same.a_0 == a.a_0);
    CHECK(same.z_a == a.z_a);
    CHECK(frames::to_T(same.R) == frames::to_T(a.R));
  }
  ClosureRows<double> rows;
  law.closure(relativeMotion(a, b), rows);
  REQUIRE(rows.count == 6);
  for (const auto& row : rows.rows) CHECK(std::abs(row.g) < kRounding);
  CHECK(law.closureName(1) == "displacement along y");
  CHECK(law.closureName(5) == "rotation about z");
}

TEST_CASE("Rigid edge: the velocity form of every closure row is the derivative of its residue") {
  const Scene scene(15);
  const SensorBench<Power> bench;
  const JointLaw& law = *bench.structure.edges.at(0).law;
  const double t = 0.3;
  const auto m =
      relativeMotion(scene.motion("frame_a").dualAt(t), scene.motion("frame_b").dualAt(t));
  const auto now = relativeMotion(scene.at("frame_a", t), scene.at("frame_b", t));
  ClosureRows<Dual> dual;
  ClosureRows<double> rows;
  law.closure(m, dual);
  law.closure(now, rows);
  for (int i = 0; i < 6; ++i) {
    const double gv =
        rows.rows[i].lin.dot(now.v_rel) + rows.rows[i].ang.dot(frames::angularVelocity2(now.R_rel));
    CHECK(dual.rows[i].g.lane(0) == doctest::Approx(gv).epsilon(kRounding));
  }
}

TEST_CASE("TransformAbsoluteVector, TransformRelativeVector: r_out is r_in in another frame") {
  const Scene scene(16);
  const Vector3d r_in(1, -2, 3);
  const auto check = [&]<class Sensor>(Sensor*, const std::vector<std::string>& frameNames,
                                       size_t own) {
    for (const std::string& in : frameNames) {
      for (const std::string& out : frameNames) {
        const SensorBench<Sensor> bench(Given{{"frame_r_in", in}, {"frame_r_out", out}});
        CHECK(bench.structure.frames.size() ==
              own + (in == "frame_resolve" || out == "frame_resolve"));
        CHECK(bench.structure.inputs == std::vector<std::string>{"r_in"});
        CHECK(bench.variables.all.at("r_out").info.reads.size() == 1);
        typename SensorBench<Sensor>::template Instant<double> now;
        for (const std::string& frame : bench.structure.frames)
          now.states.push_back(scene.motion(frame).at(0.3));
        now.signals = {r_in[0], r_in[1], r_in[2]};
        const auto r_out = bench.evaluate("r_out", now);
        checkClose({r_out[0], r_out[1], r_out[2]},
                   frames::resolveRelative(r_in, scene.at(in, 0.3).R, scene.at(out, 0.3).R),
                   kRounding);
      }
      CHECK(SensorBench<Sensor>(Given{{"frame_r_in", in}}).structure.frames.size() ==
            own + (in == "frame_resolve"));
    }
  };
  check(static_cast<TransformAbsoluteVector*>(nullptr), kFramesA, 1);
  check(static_cast<TransformRelativeVector*>(nullptr), kFramesAB, 2);
}

TEST_CASE("AbsoluteSensor, RelativeSensor: outputs exist only where asked for") {
  CHECK(SensorBench<AbsoluteSensor>().variables.all.empty());
  CHECK(SensorBench<RelativeSensor>().variables.all.empty());
  for (const char* name : {"r", "v", "a", "angles", "w", "z"}) {
    const SensorBench<AbsoluteSensor> bench(Given{{std::string("get_") + name, true}});
    REQUIRE(bench.variables.all.size() == 1);
    CHECK(bench.variables.all.count(name));
    CHECK(bench.variables.all.begin()->second.info.output);
  }
  for (const char* name : {"r_rel", "v_rel", "a_rel", "angles", "w_rel", "z_rel"}) {
    const SensorBench<RelativeSensor> bench(Given{{std::string("get_") + name, true}});
    REQUIRE(bench.variables.all.size() == 1);
    CHECK(bench.variables.all.count(name));
    CHECK(bench.variables.all.begin()->second.info.output);
  }
}

TEST_CASE("AbsoluteSensor, RelativeSensor: outputs state what they read") {
  const SensorBench<AbsoluteSensor> a(everyAbsolute("world"));
  const SensorBench<RelativeSensor> b(everyRelative("frame_b", "frame_b"));
  for (const char* name : {"r", "angles"})
    CHECK(a.variables.all.at(name).info.level == Level::Position);
  for (const char* name : {"v", "w"}) CHECK(a.variables.all.at(name).info.level == Level::Velocity);
  for (const char* name : {"a", "z"})
    CHECK(a.variables.all.at(name).info.level == Level::Acceleration);
  for (const char* name : {"r_rel", "angles"})
    CHECK(b.variables.all.at(name).info.level == Level::Position);
  for (const char* name : {"v_rel", "w_rel"})
    CHECK(b.variables.all.at(name).info.level == Level::Velocity);
  for (const char* name : {"a_rel", "z_rel"})
    CHECK(b.variables.all.at(name).info.level == Level::Acceleration);
}

TEST_CASE("Sensors: outputs take start values where they exist") {
  const Start start{{0.1, 0.2, 0.3}, {true, false, true}};
  const SensorBench<AbsoluteSensor> absolute(Given{{"get_v", true}, {"v", start}});
  CHECK(absolute.reader.errors.empty());
  CHECK(absolute.variables.starts.at("v") == start.start);
  CHECK(absolute.variables.fixed.at("v") == start.fixed);
  const SensorBench<RelativeSensor> relative(Given{{"get_angles", true}, {"angles", start}});
  CHECK(relative.variables.fixed.at("angles") == start.fixed);
  const SensorBench<Distance> distance(Given{{"distance", Start{{2}, {true}}}});
  CHECK(distance.variables.starts.at("distance") == std::vector<double>{2});
  CHECK(SensorBench<CutForce>(Given{{"force", start}}).variables.starts.at("force") == start.start);

  CHECK(SensorBench<AbsoluteSensor>(Given{{"v", start}}).reader.errors ==
        std::vector<std::string>{"unknown key 'v'"});
  CHECK(SensorBench<RelativeSensor>(Given{{"v_rel", start}}).reader.errors ==
        std::vector<std::string>{"unknown key 'v_rel'"});
}

TEST_CASE("Sensors: wrong parameters are errors in words") {
  using Errors = std::vector<std::string>;
  CHECK(SensorBench<AbsoluteSensor>(Given{{"resolveInFrame", std::string("frame_b")}})
            .reader.errors ==
        Errors{"'resolveInFrame' must be one of world, frame_a, frame_resolve, not frame_b"});
  CHECK(SensorBench<CutForce>(Given{{"resolveInFrame", std::string("frame_b")}}).reader.errors ==
        Errors{"'resolveInFrame' must be one of world, frame_a, frame_resolve, not frame_b"});
  CHECK(SensorBench<RelativeSensor>(Given{{"resolveInFrame", std::string("frame_c")}})
            .reader.errors ==
        Errors{
            "'resolveInFrame' must be one of world, frame_a, frame_b, frame_resolve, not frame_c"});
  CHECK(SensorBench<Distance>(Given{{"s_small", 0.0}}).reader.errors ==
        Errors{"'s_small' is too small"});

  const auto sequence = [](std::vector<double> axes) {
    return Given{{"sequence", axes}, {"get_angles", true}};
  };
  for (const auto& axes : {std::vector<double>{1, 1, 3}, {2, 3, 3}, {1, 1, 1}}) {
    const Errors equal{"'sequence' must not have equal neighbours"};
    CHECK(SensorBench<AbsoluteSensor>(sequence(axes)).reader.errors == equal);
    CHECK(SensorBench<RelativeSensor>(sequence(axes)).reader.errors == equal);
    CHECK(SensorBench<AbsoluteAngles>(Given{{"sequence", axes}}).reader.errors == equal);
    CHECK(SensorBench<RelativeAngles>(Given{{"sequence", axes}}).reader.errors == equal);
  }
  for (const auto& axes : {std::vector<double>{0, 1, 3}, {1, 4, 3}}) {
    CHECK(SensorBench<AbsoluteSensor>(sequence(axes)).reader.errors ==
          Errors{"'sequence' must hold axes 1, 2 or 3"});
  }
  CHECK(SensorBench<AbsoluteSensor>(sequence({3, 1, 3})).reader.errors.empty());
}

TEST_CASE("Sensors: arrows are inputs with World's defaults") {
  const SensorBench<AbsoluteSensor> a;
  CHECK(a.reader.inputs.at("arrowDiameter").value == std::vector<double>{1.0 / 40});
  CHECK(a.reader.inputs.at("arrowColor").value == std::vector<double>{255, 255, 0});
  CHECK(a.reader.inputs.at("specularCoefficient").value == std::vector<double>{0.7});
  const SensorBench<CutForceAndTorque> cut;
  CHECK(cut.reader.inputs.at("N_to_m").value == std::vector<double>{1000});
  CHECK(cut.reader.inputs.at("torqueColor").value == std::vector<double>{0, 128, 0});
  CHECK(cut.structure.inputs.empty());
}

}  // namespace cardan
