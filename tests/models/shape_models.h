/// Models of shapes that touch, as texts.
#pragma once

#include <fmt/format.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/models/model_run.h"

namespace test {

inline constexpr double kShapesG = 9.81;                      ///< [m/s2]
inline constexpr double kShapesTolerance = 1e-8;              ///< of the integration
inline constexpr double kShapesRun = 1e3 * kShapesTolerance;  ///< of values that it touches
inline const std::array<std::string, 3> kShapesMethods{"ida", "explicit", "automatic"};

inline std::string listOf(const Eigen::Vector3d& v) {
  return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
}

/// A free body about its centre of mass, which a shape of the same name rides on.
struct FreeShape {
  std::string name;
  std::string shape = "size: [0.1, 0.1, 0.1]";  ///< parameters of Contact.Shape
  double m = 1;                                 ///< [kg]
  Eigen::Vector3d I = Eigen::Vector3d::Constant(0.01 / 6);
  Eigen::Vector3d r{0, 0, 0.05}, v{0, 0, 0}, w{0, 0, 0}, angles{0, 0, 0};
};

/// z is up; a plane z = 0 is `floor`.
struct ShapeModel {
  std::string contacts = "{defaults: {stiffness: 1e8}}";
  std::string world = fmt::format("g: {}, n: [0, 0, -1]", kShapesG);
  std::string components{}, connections{};

  ShapeModel& component(const std::string& text) {
    components += "  " + text + "\n";
    return *this;
  }
  ShapeModel& connect(const std::string& a, const std::string& b) {
    connections += "  - [" + a + ", " + b + "]\n";
    return *this;
  }
  /// A shape that stands in the world.
  ShapeModel& fixed(const std::string& name, const std::string& shape) {
    component(name + ": {type: Contact.Shape, " + shape + "}");
    return connect("world.frame_b", name + ".frame_a");
  }
  ShapeModel& floor() { return fixed("floor", "shape: plane"); }
  ShapeModel& add(const FreeShape& s) {
    component(s.name + ": {type: Contact.Shape, " + s.shape + "}");
    component(fmt::format(
        "{}_: {{type: Body, m: {}, r_CM: [0, 0, 0], I_11: {}, I_22: {}, I_33: {}, r_0: {{start: "
        "{}, fixed: true}}, v_0: {{start: {}, fixed: true}}, angles_start: {}, angles_fixed: true, "
        "w_0_start: {}, w_0_fixed: true}}",
        s.name, s.m, s.I[0], s.I[1], s.I[2], listOf(s.r), listOf(s.v), listOf(s.angles),
        listOf(s.w)));
    return connect(s.name + "_.frame_a", s.name + ".frame_a");
  }
  /// The floor is an incline now, down along x.
  ShapeModel& tilt(double alpha) {
    world = fmt::format("g: {}, n: [{}, 0, {}]", kShapesG, std::sin(alpha), -std::cos(alpha));
    return *this;
  }

  std::string text() const {
    return fmt::format("world: {{{}}}\ncontacts: {}\ncomponents:\n{}connections:\n{}", world,
                       contacts, components, connections);
  }
  ModelRun run(const std::string& method, double stop, int rows, const std::string& outputs,
               double tolerance = kShapesTolerance) const {
    return runModel(text() + fmt::format("simulation: {{stop: {}, interval: {}, tolerance: {}, "
                                         "integrator: {}}}\noutputs: [{}]\n",
                                         stop, stop / rows, tolerance, method, outputs));
  }
};

/// Corners of an icosahedron with edges of this length, as parameter.
inline std::string icosahedron(double edge) {
  const double a = edge / 2, b = a * std::numbers::phi;
  std::string rows;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double x : {-a, a}) {
      for (const double y : {-b, b}) {
        Eigen::Vector3d p = Eigen::Vector3d::Zero();
        p[(axis + 1) % 3] = x;
        p[(axis + 2) % 3] = y;
        rows += (rows.empty() ? "" : ", ") + listOf(p);
      }
    }
  }
  return "shape: hull, points: [" + rows + "]";
}

}  // namespace test
