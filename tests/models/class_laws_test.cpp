// Laws of mechanics over every class of the catalogue, each in a model of its own with general numbers:
// what it takes at one connector it gives at the others, and both methods move it alike.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/integration/solver_error.h"
#include "tests/class_models.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

constexpr double kClassLawsTolerance = 1e-9;
constexpr double kStop = 0.04;
/// What IDA evaluates over these 0.04 s at that tolerance, with an event or two.
/// With fewer lanes a matrix is dear, and serves several steps, each in more iterations.
constexpr long kMostResiduals = kLanes < 8 ? 600 : 300;

/// Loads do not balance at their frames alone: they have inertia, or act on the world or on flanges.
const std::set<std::string> kUnbalanced{
    // inertia of their own
    "Body", "BodyShape", "BodyBox", "BodyCylinder", "BodyComposite", "PointMass", "Spring",
    "LineForceWithMass", "LineForceWithTwoMasses", "Rotor1D",
    // reactions in the world
    "WorldForce", "WorldTorque", "WorldForceAndTorque", "Fixed", "Joints.RollingWheel",
    "Joints.RollingWheelSet", "RollingConstraintVerticalWheel",
    // moments of flanges about an axis in space
    "BevelGear1D"};

/// Models that cannot move as they stand here: with fixed starts of their own, an end held in the world,
/// inputs that contradict each other or the start, a torque that acts on its own housing alone, or stuck
/// and sliding beyond count.
const std::set<std::string> kLeftOut{"World",
                                     "Fixed",
                                     "RollingWheel",
                                     "RollingWheelSet",
                                     "Examples.Loops.Utilities.GasForce2",
                                     "Rotational.Move",
                                     "Translational.Move",
                                     "Rotational.OneWayClutch",
                                     "Mounting1D",
                                     "Contact.PointSurface"};
bool isLeftOut(const CatalogueEntry& entry) { return kLeftOut.count(entry.type) > 0; }

/// A model of `entry` that moves from the start on.
std::string movingModel(const CatalogueEntry& entry) {
  std::string text = classes::modelOf(entry, false);
  const auto add = [&](const std::string& to, const std::string& start) {
    const size_t at = text.find(to);
    if (at != std::string::npos) text.insert(at + to.size(), start);
  };
  add("r0: {type: Revolute, n: [1, 2, 3], ", "phi: {start: 0.3}, w: {start: 0.9}, ");
  add("p0: {type: Prismatic, n: [3, 1, 2], ", "s: {start: 0.2}, v: {start: -0.4}, ");
  return "world: {g: 3, n: [0.3, -1, 0.2]}\n" + text +
         fmt::format("simulation: {{stop: {}, interval: 0.02, tolerance: {}}}\n", kStop,
                     kClassLawsTolerance);
}

std::vector<std::string> framesOf(const CatalogueEntry& entry) {
  const auto given = classes::kParameters.find(entry.type);
  return classes::connectorsOf(entry.type, given == classes::kParameters.end() ? "" : given->second)
      .frames;
}

Vector3d vectorAt(const Trajectory& t, const std::string& name, size_t row) {
  Vector3d v;
  for (int i = 0; i < 3; ++i) v[i] = t[fmt::format("{}[{}]", name, i + 1)][row];
  return v;
}

/// R.T of a frame: it takes vectors into it.
Matrix3d turnOf(const Trajectory& t, const std::string& frame, size_t row) {
  Matrix3d T;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) T(i, j) = t[fmt::format("{}.R.T[{},{}]", frame, i + 1, j + 1)][row];
  }
  return T;
}

/// Sums of the forces and moments at all frames of 'c', over the sizes of what is summed.
double imbalanceOf(const Trajectory& t, const std::vector<std::string>& frames) {
  double worst = 0;
  for (size_t row = 0; row < t.time().size(); ++row) {
    Vector3d f = Vector3d::Zero(), m = Vector3d::Zero();
    double size = 1;
    for (const std::string& name : frames) {
      const std::string c = "c." + name;
      Matrix3d T;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) T(i, j) = t[fmt::format("{}.R.T[{},{}]", c, i + 1, j + 1)][row];
      }
      const Vector3d f_0 = T.transpose() * vectorAt(t, c + ".f", row);
      const Vector3d m_0 =
          T.transpose() * vectorAt(t, c + ".t", row) + vectorAt(t, c + ".r_0", row).cross(f_0);
      f += f_0;
      m += m_0;
      size = std::max({size, f_0.norm(), m_0.norm()});
    }
    worst = std::max({worst, f.norm() / size, m.norm() / size});
  }
  return worst;
}

/// A place in which everything stands turned and shifted, gravity and all.
struct Elsewhere {
  Matrix3d R =
      (Eigen::AngleAxisd(0.7, Vector3d::UnitX()) * Eigen::AngleAxisd(-0.4, Vector3d::UnitY()) *
       Eigen::AngleAxisd(1.1, Vector3d::UnitZ()))
          .toRotationMatrix();  ///< from the axes of old to those of world
  Vector3d r{0.8, -1.3, 0.6};   ///< [m]
  std::string angles = "[0.7, -0.4, 1.1]";

  static std::string list(const Vector3d& v) {
    return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
  }

  std::string moved(std::string text) const {
    const auto replace = [&](const std::string& what, const std::string& with) {
      for (size_t at = text.find(what); at != std::string::npos;
           at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    };
    replace("n: [0.3, -1, 0.2]}", "n: " + list(R * Vector3d(0.3, -1, 0.2)) + "}");
    replace("world.frame_b", "place.frame_b");
    replace("components:\n",
            fmt::format("components:\n  place: {{type: FixedRotation, r: {}, rotationType: "
                        "PlanarRotationSequence, sequence: [1, 2, 3], angles: [\"0.7*180/pi\", "
                        "\"-0.4*180/pi\", \"1.1*180/pi\"]}}\n",
                        list(r)));
    replace("connections:\n", "connections:\n  - [world.frame_b, place.frame_a]\n");
    for (int k = 1; k < 5; ++k) {
      replace(fmt::format("r_0: {{start: [1, 2, {}]}}", k),
              fmt::format("r_0: {{start: {}}}, angles_start: {}", list(r + R * Vector3d(1, 2, k)),
                          angles));
    }
    return text;
  }
};

/// They know the axes of world, and may: forces resolved there, and a ground at y = 0.
const std::set<std::string> kInWorld{"WorldForce",
                                     "WorldTorque",
                                     "WorldForceAndTorque",
                                     "Joints.RollingWheel",
                                     "Joints.RollingWheelSet",
                                     "RollingConstraintVerticalWheel"};

}  // namespace

TEST_CASE("catalogue: turned and shifted in space, gravity and all, every class moves as before") {
  const Elsewhere place;
  int compared = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    if (isLeftOut(entry) || framesOf(entry).empty()) continue;
    INFO(entry.type);
    const std::string text = movingModel(entry);
    std::vector<std::string> outputs{"r0.phi", "r0.w", "r0.a", "p0.s", "p0.v", "p0.a"};
    std::vector<std::string> vectors;
    if (kInWorld.count(entry.type) > 0) continue;
    for (size_t k = 1; k < framesOf(entry).size(); ++k) {
      for (const char* v : {".r_0", ".v_0", ".a_0"})
        vectors.push_back(fmt::format("body{}{}", k, v));
    }
    for (size_t k = 1; k < framesOf(entry).size(); ++k)
      outputs.push_back(fmt::format("body{}.frame_a.R.T", k));
    outputs.insert(outputs.end(), vectors.begin(), vectors.end());
    try {
      const test::ModelRun here = test::runModel(text, {.outputs = outputs}),
                           there = test::runModel(place.moved(text), {.outputs = outputs});
      // Where it starts is for the start to find, from guesses that weigh otherwise in other axes.
      double apart = std::abs(here.first("p0.s") - there.first("p0.s"));
      double worst = 0;
      for (const std::string& v : vectors) {
        const Vector3d a = vectorAt(here.rows, v, 0), b = vectorAt(there.rows, v, 0);
        const double difference =
            (place.R * a + (v.ends_with("r_0") ? place.r : Vector3d(0, 0, 0)) - b).norm();
        (v.ends_with("r_0") ? apart : worst) =
            std::max(v.ends_with("r_0") ? apart : worst, difference / std::max(1.0, a.norm()));
      }
      for (size_t k = 1; k < framesOf(entry).size(); ++k) {
        const std::string T = fmt::format("body{}.frame_a", k);
        apart = std::max(
            apart,
            (turnOf(here.rows, T, 0) * place.R.transpose() - turnOf(there.rows, T, 0)).norm());
      }
      if (apart > 1e-9) continue;
      for (const char* v : {"r0.w", "r0.a", "p0.v", "p0.a"}) {
        worst = std::max(worst, std::abs(here.first(v) - there.first(v)) /
                                    std::max(1.0, std::abs(here.first(v))));
      }
      CHECK(worst < 1e-7);
      ++compared;
    } catch (const std::exception& e) {
      FAIL_CHECK(std::string(e.what()));
    }
  }
  CHECK(compared > 50);
}

TEST_CASE("catalogue: what a class takes at one frame it gives at the others") {
  int balanced = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    const std::vector<std::string> frames = framesOf(entry);
    if (frames.size() < 2 || isLeftOut(entry)) continue;
    INFO(entry.type);
    std::vector<std::string> outputs;
    for (const std::string& f : frames) {
      for (const char* v : {".r_0", ".f", ".t", ".R.T"}) outputs.push_back("c." + f + v);
    }
    double worst = 0;
    try {
      worst = imbalanceOf(test::runModel(movingModel(entry), {.outputs = outputs}).rows, frames);
    } catch (const std::exception& e) {
      FAIL_CHECK(std::string(e.what()));
      continue;
    }
    // Accelerations solved for through matrices of condition 1e3 or so.
    const bool balances = worst < 1e-8;
    CHECK_MESSAGE(balances == (kUnbalanced.count(entry.type) == 0), "imbalance " << worst);
    balanced += balances ? 1 : 0;
  }
  CHECK(balanced > 30);
}

TEST_CASE("catalogue: the explicit method moves every class as IDA does") {
  int compared = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    if (isLeftOut(entry)) continue;
    INFO(entry.type);
    const std::string text = movingModel(entry);
    std::vector<std::string> outputs{"r0.phi", "r0.w", "r0.a", "p0.s", "p0.v", "p0.a"};
    for (size_t k = 1; k < framesOf(entry).size(); ++k)
      outputs.push_back(fmt::format("body{}.v_0", k));
    try {
      const auto ida =
          test::runModel(text, {.integrator = IntegratorChoice::ida, .outputs = outputs});
      const IntegratorStatistics& effort = ida.report.integrator;
      CHECK(effort.residuals < kMostResiduals);
      CHECK(effort.newtonMatrices <= effort.steps + effort.newtonFailures +
                                         effort.errorTestFailures + 2 * effort.restarts + 2);
      std::optional<test::ModelRun> other;
      try {
        other = test::runModel(
            text, {.integrator = IntegratorChoice::explicitMethod, .outputs = outputs});
      } catch (const ModelError& e) {
        CHECK(std::string(e.what()).find("cannot step this model") != std::string::npos);
        continue;
      }
      for (const Column& c : ida.rows.columns()) {
        CAPTURE(c.name);
        const double size = std::max(1.0, std::abs(ida.last(c.name)));
        // Accelerations are of the motion, whose error a stiff spring multiplies.
        const double allowed = (c.name.ends_with(".a") ? 1e5 : 1e3) * kClassLawsTolerance;
        CHECK(std::abs(ida.last(c.name) - other->last(c.name)) < allowed * size);
      }
      ++compared;
    } catch (const std::exception& e) {
      FAIL_CHECK(std::string(e.what()));
    }
  }
  CHECK(compared > 150);
}
