// Robots of MJCF and URDF files that stand on a floor by their collision geometry.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "engine/robots/import.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

test::ModelRun standingRun(const std::string& text, const std::string& file,
                           const robots::ImportOptions& options) {
  Diagnostics diagnostics;
  const auto robot = importRobotText(text, file, options, diagnostics);
  REQUIRE_MESSAGE(robot.has_value(), diagnostics.format());
  Simulation s = Simulation::fromText(catalogue(), robot->model.text(), "model.yaml");
  test::ModelRun r;
  RunOptions run;
  run.stopTime = 2;
  run.outputs = {"contact.**", "trunk.**"};
  r.report = s.run(r.rows, run);
  return r;
}

constexpr double kRobotGravity = 9.81;

}  // namespace

TEST_CASE("standing robots: a box on two capsule legs of an MJCF file comes to rest on its floor") {
  robots::ImportOptions options;
  const test::ModelRun r = standingRun(R"(<mujoco model="stander">
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="trunk" pos="0 0 0.52">
      <freejoint name="root"/>
      <geom type="box" size="0.15 0.2 0.05" mass="4"/>
      <body name="left" pos="0 0.15 -0.05">
        <joint name="hip_left" axis="0 1 0" damping="5" stiffness="200"/>
        <geom name="leg_left" type="capsule" fromto="0 -.1 -0.4 0 .1 -0.4" size="0.05" mass="1"/>
      </body>
      <body name="right" pos="0 -0.15 -0.05">
        <joint name="hip_right" axis="0 1 0" damping="5" stiffness="200"/>
        <geom name="leg_right" type="capsule" fromto=".1 0 -0.4 -.1 0 -0.4" size="0.05" mass="1"/>
      </body>
    </body>
  </worldbody>
</mujoco>
)",
                                       "stander.xml", options);
  const double weight = 6 * kRobotGravity;
  const double load = r.last("contact.floor.leg_left.f_n") + r.last("contact.floor.leg_right.f_n");
  CHECK(std::abs(load - weight) < 1e-6 * weight);
  CHECK(r.last("contact.floor.trunk_shape.f_n") == 0);
  CHECK(r.last("contact.floor.leg_left.stuck") == 1);
  // It stands by less than the depth at which one leg alone would bear all.
  const double height = r.last("trunk.frame_a.r_0[3]");
  CHECK(height < 0.5);
  CHECK(height > 0.5 - 3.67e-4);
  for (const char* v :
       {"trunk.v_0[1]", "trunk.v_0[2]", "trunk.v_0[3]", "contact.floor.leg_right.v_slip"})
    CHECK(std::abs(r.last(v)) < 1e-6);
}

TEST_CASE(
    "standing robots: limbs that hang together in the middles of their capsules do not stop") {
  // The post stands in the world: it touches the limb that hangs at its end.
  const test::ModelRun r = standingRun(R"(<mujoco model="limbs">
  <default><geom type="capsule" size="0.01"/><joint type="ball" damping="0.005"/></default>
  <worldbody>
    <body>
      <geom fromto="0 0 0 0 0 0.1"/>
      <body name="trunk" pos="0 0 0.1">
        <geom fromto="0 0 0 0 0.1 0.1"/>
        <joint name="joint_1"/>
      </body>
    </body>
  </worldbody>
</mujoco>
)",
                                       "limbs.xml", {});
  CHECK(r.report.stopTime == 2);
  CHECK(std::abs(r.last("trunk.frame_a.r_0[3]") - 0.1) < 1e-9);
  REQUIRE(!r.report.warnings.empty());
  CHECK(r.report.warnings[0].find("'body_shape' and 'trunk_shape' by 0.0195 m") !=
        std::string::npos);
}

TEST_CASE("standing robots: a table of a URDF file falls onto the ground that the import puts") {
  robots::ImportOptions options;
  options.floating = true;
  options.ground = -0.5;
  std::string legs;
  for (const char* at : {"0.4 0.3", "-0.4 0.3", "0.4 -0.3", "-0.4 -0.3"}) {
    legs += "<collision><origin xyz='" + std::string(at) +
            " -0.2'/><geometry><box size='0.05 0.05 0.4'/></geometry></collision>";
  }
  const test::ModelRun r = standingRun(
      "<robot name='table'><link name='trunk'><inertial><mass value='8'/><inertia ixx='0.4' "
      "iyy='0.6' izz='0.9'/></inertial>" +
          legs + "</link></robot>",
      "table.urdf", options);
  double load = 0;
  for (const char* leg : {"trunk_shape", "trunk_shape_2", "trunk_shape_3", "trunk_shape_4"})
    load += r.last("contact.ground." + std::string(leg) + ".f_n");
  CHECK(std::abs(load - 8 * kRobotGravity) < 1e-6 * 8 * kRobotGravity);
  CHECK(std::abs(r.last("trunk.frame_a.r_0[3]") + 0.1) < 1e-4);
}
