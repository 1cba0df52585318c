// The import of MJCF files: what a robot becomes, what is refused, what is said.
#include "engine/robots/import.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include "tests/engine/robots/started_robot.h"

using namespace cardan;

namespace {

constexpr double pi = std::numbers::pi;

RobotImport mjcfImport(const std::string& text, const robots::ImportOptions& options = {}) {
  return test::importedRobot(text, "r.xml", options);
}

struct StartedMjcf : test::StartedRobot {
  StartedMjcf(const std::string& text, const std::vector<std::string>& outputs,
              const Overrides& set = {})
      : StartedRobot(mjcfImport(text), set, outputs) {}
};

std::vector<std::string> warningsOf(const RobotImport& robot) {
  std::vector<std::string> texts;
  for (const auto& w : robot.report.warnings()) texts.push_back(w.text);
  return texts;
}

/// The moment of inertia [kg.m2] that a motor of 1 N.m feels at a hinge through the origin.
double momentOf(const std::string& geom, const std::string& axis) {
  StartedMjcf s(
      "<mujoco><option gravity='0 0 0'/><worldbody><body name='b'><joint name='h' axis='" + axis +
          "'/><geom " + geom +
          "/></body></worldbody><actuator><motor name='u' joint='h'/></actuator></mujoco>",
      {"h.a"}, {"u=1"});
  return 1 / s["h.a"];
}

}  // namespace

TEST_CASE("MJCF import: a pendulum is written as a person would") {
  const RobotImport robot = mjcfImport(R"(<mujoco model="pendulum">
  <option timestep="0.001"/>
  <worldbody>
    <body name="rod" pos="0 0 2">
      <joint name="hinge" axis="0 1 0" damping="0.1" range="-90 90"/>
      <inertial pos="0.5 0 0" mass="2" diaginertia="0.01 0.02 0.02"/>
      <site name="tip" pos="1 0 0"/>
    </body>
  </worldbody>
  <actuator><motor name="drive" joint="hinge" gear="10"/></actuator>
</mujoco>
)");
  CHECK(robot.model.text() == R"(model: pendulum
parameters:
  hinge_stop_c: 1440.4432132964  # N.m/rad
  hinge_stop_d: 54.7368421052632  # N.m.s/rad
inputs: {drive: 0}
world: {g: 9.81, n: [0, 0, -1]}
components:
  rod_origin: {type: FixedTranslation, r: [0, 0, 2]}
  hinge: {type: Revolute, n: [0, 1, 0], useAxisFlange: true, phi: {fixed: true}, w: {fixed: true}, limits: {min: -1.5707963267948966, max: 1.5707963267948966, c: hinge_stop_c, d: hinge_stop_d}}  # -1.5707963267948966 to 1.5707963267948966 rad
  rod: {type: Body, m: 2, r_CM: [0.5, 0, 0], I_11: 0.01, I_22: 0.02, I_33: 0.02}
  hinge_damper: {type: Rotational.Damper, d: 0.1}
  drive_drive: {type: Rotational.Torque2, tau: 10*drive}
connections:
  - [world.frame_b, rod_origin.frame_a]
  - [rod_origin.frame_b, hinge.frame_a]
  - [hinge.frame_b, rod.frame_a]
  - [hinge.support, hinge_damper.flange_a]
  - [hinge_damper.flange_b, hinge.axis]
  - [hinge.support, drive_drive.flange_a]
  - [drive_drive.flange_b, hinge.axis]
)");
  // What is not part of the mechanics is told.
  const auto& left = robot.report.notConverted();
  const auto isLeft = [&](const char* what) {
    return std::ranges::any_of(left, [&](const auto& e) { return e.what == what; });
  };
  CHECK(isLeft("site"));
  CHECK(robot.report.tags().at("joint").converted == 1);
  CHECK(robot.report.tags().at("site").ignored == 1);
  CHECK(robot.report.mass == 2);
}

TEST_CASE("MJCF import: what is computed is written without the rounding of it") {
  CHECK(mjcfImport(R"(<mujoco model="turned">
  <worldbody>
    <body name="part" pos="0.3 0.1 0" axisangle="0 0 1 90">
      <freejoint name="free"/>
      <inertial pos="0.1 0 0" mass="0.7" diaginertia="0.1 0.2 0.15" quat="0.5 0.5 0.5 0.5"/>
    </body>
    <body name="post" euler="30 0 45">
      <geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0" euler="0 45 0" mass="1.1" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
</mujoco>
)")
            .model.text() == R"(model: turned
world: {g: 9.81, n: [0, 0, -1]}
components:
  part_origin: {type: FixedRotation, r: [0.3, 0.1, 0], rotationType: TwoAxesVectors, n_x: [0, 1, 0], n_y: [-1, 0, 0], animation: false}
  free: {type: FreeMotion, r_rel_a: {fixed: true}, v_rel_a: {fixed: true}, angles_fixed: true, w_rel_a_fixed: true, animation: false}
  part: {type: Body, m: 0.7, r_CM: [0.1, 0, 0], I_11: 0.15, I_22: 0.1, I_33: 0.2, animation: false}
  post_origin: {type: FixedRotation, rotationType: TwoAxesVectors, n_x: [0.707106781186548, 0.612372435695794, 0.353553390593274], n_y: [-0.707106781186547, 0.612372435695795, 0.353553390593274], animation: false}
  post: {type: Body, m: 1.1, r_CM: [0.1, 0, 0], I_11: 0.00282333333333333, I_22: 0.00381333333333333, I_33: 0.00282333333333333, I_31: 0.00176, animation: false}
  post_shape: {type: Visualizers.FixedShape, r_shape: [0.029289321881, 0, 0.070710678119], lengthDirection: [0.707106781186548, 0, -0.707106781186547], length: 0.2, width: 0.1, height: 0.04, color: [180, 180, 180]}
connections:
  - [world.frame_b, part_origin.frame_a]
  - [part_origin.frame_b, free.frame_a]
  - [free.frame_b, part.frame_a]
  - [world.frame_b, post_origin.frame_a]
  - [post_origin.frame_b, post.frame_a]
  - [post.frame_a, post_shape.frame_a]
)");
}

TEST_CASE("MJCF import: bodies have the masses and moments of their geoms") {
  constexpr double kRounding = 1e-12;
  const auto near = [&](double x) { return doctest::Approx(x).epsilon(kRounding); };
  const double ball = 1000 * 4 * pi / 3 * 0.001;
  CHECK(momentOf("size='0.1'", "0 0 1") == near(0.4 * ball * 0.01));
  CHECK(momentOf("type='box' size='0.1 0.2 0.3' mass='6'", "0 0 1") ==
        near(6 * (0.04 + 0.16) / 12));
  CHECK(momentOf("type='ellipsoid' size='0.1 0.2 0.3' mass='5'", "1 0 0") == near(0.04 + 0.09));
  CHECK(momentOf("type='cylinder' size='0.1 0.3' mass='12'", "1 0 0") ==
        near(12 * (3 * 0.01 + 0.36) / 12));
  // The same from end to end, turned and away from the axis.
  CHECK(momentOf("type='cylinder' size='0.1' fromto='1 0 -0.3 1 0 0.3' mass='12'", "0 0 1") ==
        near(12 * (0.01 / 2 + 1)));
  CHECK(momentOf("type='box' size='0.1 0.2 0.3' mass='6' euler='0 90 0'", "1 0 0") ==
        near(6 * (0.04 + 0.16) / 12));
  // A capsule as a pile of discs, whose thickness goes to zero.
  const double r = 0.1, h = 0.2;
  double moment = 0, mass = 0;
  constexpr int kDiscs = 20'000;
  for (int i = 0; i < kDiscs; ++i) {
    const double dz = 2 * (h + r) / kDiscs, z = -(h + r) + (i + 0.5) * dz;
    const double beyond = std::max(0.0, std::abs(z) - h);
    const double square = r * r - beyond * beyond, dm = 1000 * pi * square * dz;
    mass += dm;
    moment += dm * (square / 4 + z * z);
  }
  const std::string capsule = "type='capsule' size='0.1 0.2'";
  CHECK(momentOf(capsule, "1 0 0") == doctest::Approx(moment).epsilon(1e-6));
  CHECK(mjcfImport("<mujoco><worldbody><body><geom " + capsule + "/></body></worldbody></mujoco>")
            .report.mass == doctest::Approx(mass).epsilon(1e-6));
}

TEST_CASE(
    "MJCF import: several joints of a body, defaults, springs and drives as MuJoCo has them") {
  StartedMjcf s(R"(<mujoco model="arm">
  <compiler angle="degree" eulerseq="zyx"/>
  <option gravity="0.5 0 -9.81"/>
  <default>
    <joint damping="0.05"/>
    <geom density="800"/>
    <default class="thin"><joint damping="0.01" armature="0.02"/><geom size="0.02"/></default>
  </default>
  <worldbody>
    <body name="base" pos="0.1 0.2 1" euler="20 10 -15">
      <joint name="yaw" axis="0 0 1" pos="0.05 0 0"/>
      <joint name="pitch" axis="0 1 0.2" pos="0 0 0.1" stiffness="3" springref="15"/>
      <geom type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.04"/>
      <geom type="box" size="0.05 0.03 0.08" pos="0.3 0.1 0" quat="0.9 0.1 0.3 -0.2"/>
      <body name="fore" pos="0.3 0.1 0" axisangle="0 1 0 30" childclass="thin">
        <joint name="elbow" axis="0 1 0" ref="10"/>
        <geom type="cylinder" fromto="0 0 0 0.25 0 0.02"/>
        <geom type="ellipsoid" size="0.04 0.02 0.03" pos="0.25 0 0" euler="30 0 20"/>
        <body name="tool" pos="0.25 0 0" zaxis="1 0 0.3">
          <inertial pos="0.02 0 0.05" quat="1 0.2 0 0.1" mass="0.4" diaginertia="0.001 0.002 0.0025"/>
          <joint name="slide" type="slide" axis="0 0.1 1" stiffness="50" damping="1"/>
          <body name="ball" pos="0 0 0.1" xyaxes="0 1 0 -1 0 0.2">
            <joint type="ball" name="wrist" damping="0" armature="0"/>
            <geom type="sphere" size="0.05" pos="0.1 0 0.03" mass="0.3"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="m1" joint="yaw" gear="2"/>
    <position name="p1" joint="elbow" kp="5"/>
    <general name="g1" joint="slide" gainprm="3" biastype="affine" biasprm="0.5 -2 -0.1"/>
  </actuator>
</mujoco>
)",
                {"yaw.a", "pitch.a", "elbow.a", "slide.a"}, {"m1=0.3", "p1=0.6", "g1=0.9"});
  // MuJoCo 2.2.2, mj_forward: qacc. It finds principal axes of tensors to 1e-6 only.
  constexpr double kPrincipalAxes = 1e-6 * 40;
  CHECK(std::abs(s["yaw.a"] - 0.618441711579) < kPrincipalAxes);
  CHECK(std::abs(s["pitch.a"] - 10.9813894897) < kPrincipalAxes);
  CHECK(std::abs(s["elbow.a"] - 38.6338014102) < kPrincipalAxes);
  CHECK(std::abs(s["slide.a"] - 15.3040938365) < kPrincipalAxes);
}

TEST_CASE("MJCF import: equalities are constraints without slack") {
  const std::string geom = "<geom type='capsule' size='0.03' fromto='0 0 0 0.5 0 0'/>";
  const auto body = [&](const char* name, const char* pos) {
    return std::string("<body name='") + name + "' pos='" + pos + "'><joint name='j" + name +
           "' axis='0 1 0'/>" + geom + "</body>";
  };
  // A free box that is welded to a pendulum is part of it.
  const std::string box = "<geom type='box' size='0.1 0.05 0.05'/>";
  StartedMjcf welded(
      "<mujoco><worldbody>" + body("c", "0 0 1") + "<body name='d' pos='0.5 0 1'><freejoint/>" +
          box + "</body></worldbody><equality><weld body1='c' body2='d'/></equality></mujoco>",
      {"jc.a"});
  StartedMjcf one("<mujoco><worldbody><body name='c' pos='0 0 1'><joint name='jc' axis='0 1 0'/>" +
                      geom + "<geom type='box' size='0.1 0.05 0.05' pos='0.5 0 0'/>" +
                      "</body></worldbody></mujoco>",
                  {"jc.a"});
  CHECK(welded["jc.a"] == doctest::Approx(one["jc.a"]).epsilon(1e-9));
  // One pendulum turns twice as fast as the other, in the same sense: 2 g r m + g r m by J (4 + 1).
  StartedMjcf geared("<mujoco><worldbody>" + body("a", "0 0 1") + body("b", "3 0 1") +
                         "</worldbody><equality><joint joint1='ja' joint2='jb' polycoef='0 2 0 0 "
                         "0'/></equality></mujoco>",
                     {"ja.a", "jb.a"});
  StartedMjcf alone("<mujoco><worldbody>" + body("a", "0 0 1") + "</worldbody></mujoco>", {"ja.a"});
  CHECK(geared["jb.a"] == doctest::Approx(alone["ja.a"] * 3 / 5).epsilon(1e-9));
  CHECK(geared["ja.a"] == doctest::Approx(2 * geared["jb.a"]).epsilon(1e-9));
  // Two pendulums with a common tip: each at rest would fall alone as the other does.
  StartedMjcf joined("<mujoco><worldbody>" + body("a", "0 0 1") + body("b", "0 1 1") +
                         "</worldbody><equality><connect body1='a' body2='b' anchor='0.5 0 "
                         "0'/></equality></mujoco>",
                     {"ja.a", "jb.a"});
  CHECK(joined["ja.a"] == doctest::Approx(alone["ja.a"]).epsilon(1e-9));
  CHECK(joined["jb.a"] == doctest::Approx(alone["ja.a"]).epsilon(1e-9));
}

TEST_CASE("MJCF import: all that is wrong in a file is named with its place") {
  Diagnostics diagnostics;
  CHECK(!importRobotText(R"(<mujoco>
  <compiler angle="grad" eulerseq="xyq" coordinate="global"/>
  <default><default class="x"/><default><joint/></default></default>
  <worldbody>
    <joint/>
    <body name="a" pos="0 0" childclass="nope"><joint axis="0 0 0" type="hing"/><geom type="boxx"/><geom type="box" size="1 -1 1"/>
      <body name="a"><freejoint/><inertial mass="-1" diaginertia="1 1"/><joint damping="-1"/></body>
      <replicate/><composite/>
      <body name="m"><geom type="mesh" mesh="q" class="z"/></body>
    </body>
  </worldbody>
  <equality><connect body1="zz" anchor="0 0 0"/><joint joint1="q"/></equality>
  <actuator><motor joint="nothing"/></actuator>
  <include file="no.xml"/>
  <worldbody><site name="s"/><body><joint name="h"/><geom size="1"/></body></worldbody>
  <tendon><fixed name="e"/><fixed><joint joint="h"/></fixed>
    <fixed springlength="2 1"><joint joint="h" coef="1"/></fixed></tendon>
  <actuator><motor joint="h" site="s"/><motor name="u" joint="h" tendon="e"/></actuator>
</mujoco>
)",
                         "r.xml", {}, diagnostics));
  const std::string all = diagnostics.format();
  for (
      const char* message :
      {"r.xml:2:20: error: 'angle' of <compiler> must be one of degree, radian, found 'grad'",
       "r.xml:2:36: error: 'eulerseq' of <compiler> must be three of x, y, z, X, Y, Z, found 'xyq'",
       "r.xml:2:53: error: coordinate=\"global\" is not supported",
       "r.xml:3:32: error: a <default> inside of another one must have a class",
       "r.xml:5:5: error: the world has no joints",
       "r.xml:6:25: error: body 'a': 'pos' of <body> must be 3 finite numbers, found '0 0'",
       "r.xml:6:42: error: no <default> has the class 'nope'",
       "r.xml:6:61: error: a joint of body 'a': 'axis' must not be the zero vector",
       "r.xml:6:74: error: 'type' of <joint> must be one of hinge, slide, ball, free, found 'hing'",
       "r.xml:6:93: error: 'type' of <geom> must be one of plane, hfield, sphere, capsule, "
       "ellipsoid, cylinder, box, mesh, sdf, found 'boxx'",
       "r.xml:6:123: error: a geom: 'size' of <geom> must be positive",
       "r.xml:7:19: error: body 'a' is defined twice",
       "r.xml:7:22: error: body 'a': only a body in <worldbody> can be free",
       "r.xml:7:50: error: body 'a': 'mass' must not be negative",
       "r.xml:7:67: error: body 'a': 'diaginertia' of <inertial> must be 3 finite numbers, found "
       "'1 1'",
       "r.xml:7:73: error: a joint of body 'a': a free body has no other joints",
       "r.xml:7:89: error: a joint of body 'a': 'damping' must not be negative",
       "r.xml:8:7: error: <replicate>: 'count' must be a number of copies",
       "r.xml:8:19: error: <composite> is not supported: it makes bodies that bend",
       "r.xml:9:46: error: a geom: no mesh 'q'",
       "r.xml:9:56: error: no <default> has the class 'z'",
       "r.xml:12:29: error: no body 'zz'",
       "r.xml:12:64: error: no joint 'q'",
       "r.xml:13:27: error: no joint 'nothing'",
       "r.xml:14:18: error: cannot read the included file 'no.xml'",
       "r.xml:16:11: error: tendon 'e' must have a <joint>",
       "r.xml:16:35: error: <joint>: 'coef' must be given",
       "r.xml:17:26: error: <fixed>: 'springlength' must not be reversed",
       "r.xml:18:13: error: <motor> must act on one joint, one tendon or one site",
       "r.xml:18:40: error: actuator 'u' must act on one joint, one tendon or one site"}) {
    CHECK_MESSAGE(all.find(message) != std::string::npos, std::string(message) << "\n" << all);
  }
}

namespace {

/// After 1 s.
std::vector<double> runOf(const std::string& text, const std::vector<std::string>& outputs,
                          const Overrides& set = {}) {
  const RobotImport robot = mjcfImport(text);
  Simulation s = Simulation::fromTree(catalogue(), robot.model.tree(), robot.model.files, set);
  RunOptions options;
  options.stopTime = 1;
  options.tolerance = 1e-10;
  options.outputs = outputs;
  Trajectory rows;
  s.run(rows, options);
  std::vector<double> last;
  for (const std::string& name : outputs) last.push_back(rows[name].back());
  return last;
}

constexpr double kRun = 1e-7;

}  // namespace

TEST_CASE("MJCF import: springs, dampers and armatures of balls and free bodies") {
  // In its plane a ball is a hinge.
  const auto pendulum = [&](const std::string& joint) {
    return runOf("<mujoco><worldbody><body name='a' pos='0 0 2' euler='0 20 0'><joint name='j' " +
                     joint +
                     " damping='0.4' stiffness='3' armature='0.05'/><inertial pos='0.2 0 0' "
                     "mass='2' diaginertia='0.01 0.02 0.03'/></body></worldbody></mujoco>",
                 {"a.r_0[1]", "a.frame_a.R.T[1,1]", "a.frame_a.R.T[1,3]", "a.w_a[2]"});
  };
  const auto ball = pendulum("type='ball'"), hinge = pendulum("axis='0 1 0'");
  for (size_t i = 0; i < ball.size(); ++i) CHECK(std::abs(ball[i] - hinge[i]) < kRun);
  CHECK(std::abs(hinge[3]) > 1e-3);
  // A free body: (m + armature) z'' = -m g - d z' - k z from rest.
  const double m = 2, armature = 0.5, d = 0.8, k = 6, g = 9.81;
  const auto fallen = runOf(
      "<mujoco><worldbody><body name='a' pos='1 0 2' euler='0 20 30'><joint name='j' type='free' "
      "damping='0.8' stiffness='6' armature='0.5'/><inertial pos='0 0 0' mass='2' "
      "diaginertia='0.01 0.02 0.03'/></body></worldbody></mujoco>",
      {"a.r_0[1]", "a.r_0[3]", "a.v_0[3]"});
  const double delta = d / (2 * (m + armature)), w = std::sqrt(k / (m + armature) - delta * delta);
  const double rest = -m * g / k;
  const double z = rest - rest * std::exp(-delta) * (std::cos(w) + delta / w * std::sin(w));
  CHECK(std::abs(fallen[0] - 1) < kRun);
  CHECK(std::abs(fallen[1] - (2 + z)) < kRun);
}

namespace {

/// A ball of 1 kg on a hinge about y, 0.3 m from it; {JOINT} and the like are put in.
std::string armWith(const std::string& defaults, const std::string& joint,
                    const std::string& actuators) {
  return "<mujoco><option gravity='0 0 0'/><default>" + defaults +
         "</default><worldbody><body name='b'><joint name='h' axis='0 1 0' " + joint +
         "/><geom size='0.1' pos='0.3 0 0' mass='1'/></body></worldbody><actuator>" + actuators +
         "</actuator></mujoco>";
}
constexpr double kImportArm = 0.09 + 0.4 * 0.01;  ///< [kg.m2]  its moment about the hinge

}  // namespace

TEST_CASE("MJCF import: the force of a drive is that of its kind, its defaults and its limits") {
  constexpr double angle = 20 * pi / 180;  // where the file shows it
  struct Drive {
    const char *defaults, *joint, *actuator;
    double torque;  // at u = 1, der(q) = 2
  };
  const double critical = 2 * std::sqrt(20 * kImportArm);
  const Drive drives[] = {
      {"", "", "<position name='u' joint='h' kp='50' forcerange='-2 3'/>", 3},
      {"", "ref='20'", "<position name='u' joint='h' kp='50' gear='2'/>", 2 * 50 * (1 - 2 * angle)},
      {"", "", "<position name='u' joint='h' kp='20' kv='1.5'/>", 20 - 3},
      {"", "", "<position name='u' joint='h' kp='20' dampratio='0.7'/>", 20 - 0.7 * critical * 2},
      {"", "", "<position name='u' joint='h' kp='20' dampratio='0.7' gear='3'/>",
       3 * (20 - 0.7 * critical / 3 * 3 * 2)},
      {"", "range='-20 10'", "<position name='u' joint='h' kp='20' inheritrange='1'/>",
       20 * 10 * pi / 180},
      {"", "", "<motor name='u' joint='h' gear='3' ctrlrange='-0.5 0.5'/>", 1.5},
      {"", "", "<motor name='u' joint='h' gear='3' ctrllimited='false' ctrlrange='-0.5 0.5'/>", 3},
      {"", "actuatorfrcrange='-0.7 0.6'",
       "<motor name='u' joint='h' gear='3'/><motor joint='h' gear='-9'/>", 0.6},
      {"", "actuatorfrcrange='-0.7 0.6' actuatorfrclimited='false'",
       "<motor name='u' joint='h' gear='3'/>", 3},
      {"", "", "<damper name='u' joint='h' kv='3' ctrlrange='0 0.5'/>", -3 * 0.5 * 2},
      {"", "", "<general name='u' joint='h' gaintype='affine' gainprm='1 2 3' gear='0.5'/>",
       0.5 * (1 + 3 * 0.5 * 2)},
      // One entry for the defaults of all kinds; each sets what its kind implies.
      {"<position kp='20'/>", "ref='20'", "<general name='u' joint='h'/>", 20 * (1 - angle)},
      {"<general gainprm='40' biastype='affine' biasprm='0 -40 0'/>", "",
       "<position name='u' joint='h'/>", 40},
      {"<velocity kv='5'/>", "", "<general name='u' joint='h'/>", 5 - 5 * 2},
      {"<velocity kv='5'/>", "", "<motor name='u' joint='h'/>", 1},
      {"<velocity kv='5'/>", "", "<position name='u' joint='h' kp='3'/>", 3 - 5 * 2},
      {"<motor gear='3'/>", "", "<position name='u' joint='h' kp='4'/>", 12},
      {"<general gainprm='25'/><position kp='3' kv='0.2'/>", "", "<position name='u' joint='h'/>",
       3 - 0.4},
      {"<default class='c'><motor gear='3'/><default class='d'><position kp='4'/></default>"
       "</default>",
       "", "<general class='d' name='u' joint='h'/>", 12},
  };
  for (const Drive& d : drives) {
    CAPTURE(d.actuator);
    CAPTURE(d.defaults);
    StartedMjcf s(armWith(d.defaults, d.joint, d.actuator), {"h.a"}, {"u=1", "h.w.start=2"});
    CHECK(s["h.a"] * kImportArm == doctest::Approx(d.torque).epsilon(1e-12));
  }
  // What a drive adds to its joint.
  StartedMjcf s(
      armWith("", "", "<motor name='u' joint='h' gear='2' armature='0.1' damping='0.3'/>"), {"h.a"},
      {"u=1", "h.w.start=2"});
  CHECK(s["h.a"] * (kImportArm + 0.4) == doctest::Approx(2 - 0.3 * 4 * 2).epsilon(1e-12));
}

TEST_CASE("MJCF import: springdamper and stops follow from the inertia at the joint") {
  const double spring = kImportArm / (0.5 * 0.5 * 0.8 * 0.8), damping = 2 * kImportArm / 0.5;
  StartedMjcf s(armWith("", "springdamper='0.5 0.8' springref='30'", ""), {"h.a"}, {"h.w.start=2"});
  CHECK(s["h.a"] * kImportArm ==
        doctest::Approx(spring * 30 * pi / 180 - damping * 2).epsilon(1e-12));
  // The stop of a joint whose neighbour gives way: 1 / (M^-1)_11 of two rods of points.
  std::string option;
  const auto chain = [&](const std::string& range) {
    return "<mujoco><option gravity='0 0 0' " + option +
           "/><worldbody><body name='a'><joint name='j' axis='0 1 "
           "0' " +
           range +
           "/><inertial pos='0.5 0 0' mass='2' diaginertia='0 0 0'/><body pos='1 0 0'><joint "
           "name='k' "
           "axis='0 1 0' armature='0.1'/><inertial pos='0.7 0 0' mass='3' diaginertia='0 0 "
           "0'/></body>"
           "</body></worldbody></mujoco>";
  };
  const double M11 = 2 * 0.25 + 3 * 1.7 * 1.7, M12 = 3 * 0.7 * 1.7, M22 = 3 * 0.49 + 0.1;
  const double m = M11 - M12 * M12 / M22;
  const auto parameter = [](const RobotImport& robot, const std::string& name) {
    for (const auto& p : robot.model.parameters) {
      if (p.name == name) return std::stod(p.value.text);
    }
    return 0.0;
  };
  const auto check = [&](const std::string& attributes, double c, double d) {
    CAPTURE(attributes);
    const RobotImport robot = mjcfImport(chain(attributes));
    CHECK(parameter(robot, "j_stop_c") == doctest::Approx(c).epsilon(1e-12));
    CHECK(parameter(robot, "j_stop_d") == doctest::Approx(d).epsilon(1e-12));
  };
  check("range='-10 20'", m / std::pow(0.95 * 0.02, 2), 2 * m / (0.95 * 0.02));
  check("range='-10 20' solreflimit='0.1 0.8' solimplimit='0.5 0.7 0.01'",
        m / std::pow(0.7 * 0.1 * 0.8, 2), 2 * m / (0.7 * 0.1));
  check("range='-10 20' solreflimit='-500 -20'", 500 * m / (0.95 * 0.95), 20 * m / 0.95);
  // The default in place of what makes no sense; no shorter time than two steps, unless that is switched off.
  check("range='-10 20' solreflimit='0.5 -2'", m / std::pow(0.95 * 0.02, 2), 2 * m / (0.95 * 0.02));
  const std::string brief = "range='-10 20' solreflimit='0.001 0.8'";
  check(brief, m / std::pow(0.95 * 0.004 * 0.8, 2), 2 * m / (0.95 * 0.004));
  option = "timestep='0.01'";
  check(brief, m / std::pow(0.95 * 0.02 * 0.8, 2), 2 * m / (0.95 * 0.02));
  option = "><flag refsafe='disable'/></option><option";
  check(brief, m / std::pow(0.95 * 0.001 * 0.8, 2), 2 * m / (0.95 * 0.001));
  option = "";
  // In the pose of the file, beyond the upper or the lower end: pushed back by c u.
  for (const double ref : {25.0, -17.0}) {
    const double beyond = (ref > 0 ? ref - 20 : ref + 10) * pi / 180;
    StartedMjcf pushed(armWith("", "range='-10 20' ref='" + std::to_string(ref) + "'", ""),
                       {"h.a"});
    CHECK(pushed["h.a"] == doctest::Approx(-beyond / std::pow(0.95 * 0.02, 2)).epsilon(1e-9));
    REQUIRE(pushed.robot().report.warnings().size() == 1);
    CHECK(pushed.robot().report.warnings()[0].text.find("starts beyond its limits") !=
          std::string::npos);
  }
  robots::ImportOptions none;
  none.noLimits = true;
  CHECK(mjcfImport(chain("range='-10 20'"), none).model.parameters.empty());
}

TEST_CASE("MJCF import: a fixed tendon pulls by the sum of its coordinates") {
  // A slide of 2 kg and a hinge of 0.3 kg.m2: L = 2 s - 0.5 phi, where s = 0.4 m, phi = 0.2 rad, v = 1 m/s,
  // w = -2 rad/s.
  constexpr double m = 2, J = 0.3, a = 2, b = -0.5, L = 0.7, speed = 3;
  const auto started = [&](const std::string& tendon, const std::string& actuator,
                           const std::string& defaults = "", const std::string& flags = "",
                           std::vector<std::string> outputs = {"s.a", "h.a"}) {
    return StartedMjcf("<mujoco><option gravity='0 0 0'>" + flags + "</option><default>" +
                           defaults +
                           R"(</default><worldbody>
  <body name="x"><joint name="s" type="slide" axis="1 0 0" ref="0.1" springref="0.3"/>
    <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>
  <body name="y"><joint name="h" axis="0 0 1" ref="-20" springref="10"/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 0.3"/></body>
</worldbody><tendon><fixed name="t" )" +
                           tendon +
                           "><joint joint='s' coef='2'/><joint joint='h' coef='-0.5'/></fixed>"
                           "</tendon><actuator>" +
                           actuator + "</actuator></mujoco>",
                       outputs,
                       {"s.s.start=0.3", "s.v.start=1",
                        "h.phi.start=" + std::to_string(0.2 + 20 * pi / 180), "h.w.start=-2"});
  };
  const auto check = [&](StartedMjcf s, double force) {
    CHECK(s["s.a"] == doctest::Approx(a * force / m).epsilon(1e-6));
    CHECK(s["h.a"] == doctest::Approx(b * force / J).epsilon(1e-6));
  };
  const double rest = a * 0.3 + b * 10 * pi / 180;  // of the springs of the joints
  check(started("stiffness='30'", ""), -30 * (L - rest));
  check(started("stiffness='30' damping='4' springlength='0.2'", ""), -30 * (L - 0.2) - 4 * speed);
  check(started("stiffness='30' springlength='0.2 0.6'", ""), -30 * (L - 0.6));
  check(started("stiffness='30' springlength='0.2 0.9'", ""), 0);
  check(started("stiffness='30' springlength='0.8 0.9'", ""), 30 * (0.8 - L));
  check(started("", "", "<tendon stiffness='5' springlength='0'/>"), -5 * L);
  check(started("stiffness='30' damping='4'", "", "", "<flag passive='disable'/>"), 0);
  // Stops: 1/(J M^-1 J') at the tendon, and what damps never pulls back.
  const double inertia = 1 / (a * a / m + b * b / J), width = 0.02 * 0.95;
  const double c = inertia / (width * width), d = 2 * inertia / width;
  check(started("range='-1 0.5'", ""), -c * (L - 0.5) - d * speed);
  check(started("range='0.5 1'", ""), 0);
  check(started("range='0.72 1'", ""), std::max(0.0, c * (0.72 - L) - d * speed));
  check(started("range='1.4 2'", ""), c * (1.4 - L) - d * speed);
  check(started("range='-1 0.5' solreflimit='-100 -7'", ""),
        -100 * inertia / (0.95 * 0.95) * (L - 0.5) - 7 * inertia / 0.95 * speed);
  check(started("range='-1 0.5'", "", "", "<flag limit='disable'/>"), 0);
  // Actuators, at rest with a bias; damped by J_i/(gear_i)^2, as in MuJoCo.
  check(started("", "<position tendon='t' kp='7' gear='3'/>"), -3 * 7 * 3 * L);
  check(started("", "<position tendon='t' kp='7' gear='3' forcerange='-2 1'/>"), -3 * 2);
  const double held = m / (a * a) + J / (b * b);
  check(started("", "<position tendon='t' kp='7' dampratio='0.5'/>"),
        -7 * L - 0.5 * 2 * std::sqrt(7 * held) * speed);
  StartedMjcf s = started("stiffness='1' springlength='0'", "", "", "", {"t", "t_force"});
  CHECK(s["t"] == doctest::Approx(L).epsilon(1e-6));
  CHECK(s["t_force"] == doctest::Approx(-L).epsilon(1e-6));
}

TEST_CASE("MJCF import: a tendon that is coupled with its own joints swings as in MuJoCo") {
  // Accelerations of mj_forward of MuJoCo 2.2.2.
  StartedMjcf s(R"(<mujoco><worldbody>
  <body pos="0 0 1"><joint name="j" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0" mass="1"/>
    <body pos="0.5 0 0"><joint name="k" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0" mass="1"/></body>
  </body></worldbody>
  <tendon><fixed name="t" stiffness="30" damping="2" springlength="0.4">
    <joint joint="j" coef="1"/><joint joint="k" coef="-0.5"/></fixed></tendon></mujoco>)",
                {"j.a", "k.a"},
                {"j.phi.start=0.2", "j.w.start=-0.5", "k.phi.start=-0.3", "k.w.start=0.8"});
  CHECK(s["j.a"] == doctest::Approx(85.0068115303152).epsilon(1e-9));
  CHECK(s["k.a"] == doctest::Approx(-200.880610101666).epsilon(1e-9));
}

TEST_CASE("MJCF import: a tendon whose length is held is a gear between two joints") {
  // Coordinates count from the pose of the file, whatever their `ref`.
  StartedMjcf s(R"(<mujoco><option gravity="0 0 0"/><worldbody>
  <body><joint name="s" type="slide" axis="1 0 0" ref="0.1"/>
    <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>
  <body><joint name="h" axis="0 0 1" ref="-20"/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 0.3"/></body>
</worldbody><tendon><fixed name="t"><joint joint="s" coef="2"/><joint joint="h" coef="-0.5"/></fixed></tendon>
<equality><tendon tendon1="t" polycoef="0.3"/></equality>
<actuator><motor name="u" joint="s"/></actuator></mujoco>)",
                {"s.s", "s.a", "h.phi", "h.a"}, {"u=5"});
  CHECK(2 * s["s.s"] - 0.5 * s["h.phi"] == doctest::Approx(0.3).epsilon(1e-9));
  CHECK(s["h.a"] == doctest::Approx(4 * s["s.a"]).epsilon(1e-9));
  CHECK(s["s.a"] == doctest::Approx(5 / (2 + 0.3 * 16)).epsilon(1e-9));
}

TEST_CASE("MJCF import: constraints of sums and polynomials of coordinates hold") {
  // Slides of 1, 2 and 3 kg, of which a tendon holds q1 - 2 q2 + 0.5 q3: f/m - c (c f/m)/(c c/m).
  const auto slide = [](const char* name, double m) {
    return fmt::format(
        "<body name='b{0}'><joint name='{0}' type='slide' axis='1 0 0' ref='0.2'/>"
        "<inertial pos='0 0 0' mass='{1}' diaginertia='1 1 1'/></body>",
        name, m);
  };
  const std::string slides = "<mujoco><option gravity='0 0 0'/><worldbody>" + slide("x", 1) +
                             slide("y", 2) + slide("z", 3) + "</worldbody>";
  StartedMjcf sum(
      slides + R"(<tendon><fixed name="t"><joint joint="x" coef="1"/><joint joint="y" coef="-2"/>
  <joint joint="z" coef="0.5"/></fixed></tendon><equality><tendon tendon1="t" polycoef="0.1"/></equality>
  <actuator><motor name="u" joint="x"/></actuator></mujoco>)",
      {"x.s", "x.a", "y.a", "z.a"}, {"u=5", "z.s.start=0.6"});
  const double share = 5 / (1 + 4 / 2.0 + 0.25 / 3);
  CHECK(sum["x.s"] == doctest::Approx(0.1 - 0.3).epsilon(1e-9));
  CHECK(sum["x.a"] == doctest::Approx(5 - share).epsilon(1e-9));
  CHECK(sum["y.a"] == doctest::Approx(2 * share / 2).epsilon(1e-9));
  CHECK(sum["z.a"] == doctest::Approx(-0.5 * share / 3).epsilon(1e-9));
  // What of the factors is not given: the second one is 1.
  for (const auto& [tendons, equality] : std::vector<std::pair<std::string, std::string>>{
           {"", "<joint joint1='x' joint2='y' polycoef='0.1'/>"},
           {"<tendon><fixed name='t'><joint joint='x' coef='2'/></fixed><fixed name='u'><joint "
            "joint='y' coef='2'/></fixed></tendon>",
            "<tendon tendon1='t' tendon2='u' polycoef='0.2'/>"}}) {
    CAPTURE(equality);
    StartedMjcf follows(slides + tendons + "<equality>" + equality +
                            "</equality><actuator><motor name='u' joint='x'/></actuator></mujoco>",
                        {"x.s", "x.a", "y.a"}, {"u=6", "y.s.start=0.3"});
    CHECK(follows["x.s"] == doctest::Approx(0.1 + 0.3).epsilon(1e-9));
    CHECK(follows["x.a"] == doctest::Approx(2).epsilon(1e-9));
    CHECK(follows["y.a"] == doctest::Approx(2).epsilon(1e-9));
  }
  // x = 0.1 + y + 2 y^2 - y^3, and der(x) with it.
  StartedMjcf curved(
      slides + R"(<equality><joint joint1="x" joint2="y" polycoef="0.1 1 2 -1 0"/></equality>
  <actuator><motor name="u" joint="x"/></actuator></mujoco>)",
      {"x.s", "x.v", "x.a", "y.a"}, {"u=5", "y.s.start=0.3", "y.v.start=2"});
  const double slope = 1 + 4 * 0.3 - 3 * 0.09, bend = 4 - 6 * 0.3;
  const double a = (5 - bend * 4) * slope / (2 + slope * slope);
  CHECK(curved["x.s"] == doctest::Approx(0.1 + 0.3 + 0.18 - 0.027).epsilon(1e-9));
  CHECK(curved["x.v"] == doctest::Approx(2 * slope).epsilon(1e-9));
  CHECK(curved["y.a"] == doctest::Approx(a).epsilon(1e-9));
  CHECK(curved["x.a"] == doctest::Approx(slope * a + bend * 4).epsilon(1e-9));
}

TEST_CASE("MJCF import: spatial tendons around spheres and cylinders pull as in MuJoCo") {
  // Accelerations of mj_forward of MuJoCo 2.2.2.
  StartedMjcf s(R"(<mujoco><worldbody>
  <site name="a" pos="-0.3 0.05 0.1"/><site name="a2" pos="-0.2 -0.1 0.3"/><site name="x0" pos="0 -0.3 0"/>
  <body name="u"><joint name="h" axis="0 0.2 1" damping="0.01"/><joint name="k" axis="0.1 1 0"/>
    <geom name="cyl" type="cylinder" size="0.1 0.3" euler="10 5 0" contype="0" conaffinity="0"/>
    <inertial pos="0.2 0 0" mass="1" diaginertia="0.01 0.02 0.03"/><site name="b" pos="0.3 0.05 0.05"/>
    <body name="v" pos="0.5 0 0"><joint name="l" axis="0 1 0"/>
      <geom name="ball" type="sphere" size="0.08" contype="0" conaffinity="0"/>
      <inertial pos="0.2 0 0" mass="1" diaginertia="0.01 0.02 0.03"/><site name="c" pos="0.2 0.03 0.02"/>
      <site name="s" pos="0 -1 0"/></body></body>
  </worldbody><tendon>
  <spatial name="t" stiffness="200" damping="1" springlength="0.3"><site site="a"/><geom geom="cyl" sidesite="x0"/>
    <site site="b"/><geom geom="ball"/><site site="c"/></spatial>
  <spatial name="r" stiffness="150" damping="0.5" springlength="0.2"><site site="a2"/><geom geom="cyl"/><site site="c"/>
    <pulley divisor="2"/><site site="b"/><geom geom="ball" sidesite="s"/><site site="c"/></spatial>
  </tendon><actuator><position name="p" tendon="r" kp="20"/></actuator></mujoco>)",
                {"h.a", "k.a", "l.a", "t", "r"},
                {"h.phi.start=0.1", "h.w.start=-0.5", "k.phi.start=-0.2", "k.w.start=0.8",
                 "l.phi.start=0.3", "l.w.start=1.5"});
  CHECK(s["t"] == doctest::Approx(1.10543785515027).epsilon(1e-8));
  CHECK(s["r"] == doctest::Approx(1.19579090487559).epsilon(1e-8));
  CHECK(s["h.a"] == doctest::Approx(-75.635594581211).epsilon(1e-7));
  CHECK(s["k.a"] == doctest::Approx(-144.324847508214).epsilon(1e-7));
  CHECK(s["l.a"] == doctest::Approx(321.850374148229).epsilon(1e-7));
}

TEST_CASE("MJCF import: a thread holds from its range on, by the mass that hangs on it") {
  const auto hanging = [](const std::string& tendon, const std::string& more = "") {
    return "<mujoco><worldbody><site name='q' pos='0 0 3'/><body name='b' pos='0 0 1'><joint "
           "name='h' "
           "type='slide' axis='0 0 1' springref='-0.5'/><inertial pos='0 0 0' mass='2' "
           "diaginertia='1 1 1'/>"
           "<site name='p'/></body></worldbody><tendon><spatial name='t' " +
           tendon + "><site site='p'/><site site='q'/></spatial></tendon>" + more + "</mujoco>";
  };
  const double width = 0.02 * 0.95, c = 2 / (width * width);
  CHECK(StartedMjcf(hanging("range='0 1.9'"), {"h.a"})["h.a"] ==
        doctest::Approx(c * 0.1 / 2 - 9.81).epsilon(1e-9));
  CHECK(StartedMjcf(hanging("range='0 2.1'"), {"h.a"})["h.a"] == doctest::Approx(-9.81));
  // At rest where the springs of joints are: 2.5 m.
  CHECK(StartedMjcf(hanging("stiffness='6'"), {"h.a"})["h.a"] ==
        doctest::Approx(-6 * 0.5 / 2 - 9.81).epsilon(1e-9));
  // Held, it is a rod; pulled, it lifts.
  CHECK(std::abs(StartedMjcf(hanging("", "<equality><tendon tendon1='t'/></equality>"),
                             {"h.a"})["h.a"]) < 1e-9);
  CHECK(StartedMjcf(hanging("", "<actuator><motor name='u' tendon='t' gear='-3'/></actuator>"),
                    {"h.a"}, {"u=5"})["h.a"] == doctest::Approx(15 / 2.0 - 9.81).epsilon(1e-9));
  // What does nothing is not there.
  CHECK(mjcfImport(hanging("")).model.text().find("t_line") == std::string::npos);
}

TEST_CASE("MJCF import: what a tendon along a path cannot be is told") {
  const auto text = [](const std::string& path, const std::string& more = "") {
    return "<mujoco><worldbody><body name='b'><joint name='h'/><geom name='g' size='0.1'/><geom "
           "name='x' "
           "type='box' size='1 1 1' contype='0' conaffinity='0'/><site name='p' pos='0.5 0 "
           "0'/><site "
           "name='i' pos='0.05 0 0'/></body><site name='q' pos='1 0 "
           "0'/></worldbody><tendon><spatial name='t' "
           "stiffness='3'>" +
           path + "</spatial></tendon>" + more + "</mujoco>";
  };
  const RobotImport robot =
      mjcfImport(text("<site site='p'/><geom geom='g' sidesite='i'/><site site='q'/>",
                      "<equality><tendon tendon1='t'/></equality><actuator><motor name='u' "
                      "tendon='t'/></actuator>"));
  CHECK(warningsOf(robot) ==
        std::vector<std::string>{
            "tendon 't' is left out: it runs inside of a geom, where its 'sidesite' is",
            "<tendon> is left out: it holds a tendon that is left out",
            "actuator 'u' is left out: it pulls a tendon that is left out"});
  CHECK(
      warningsOf(
          mjcfImport(
              "<mujoco><asset><mesh name='m' file='none.stl'/></asset><worldbody><site name='w' "
              "pos='1 1 1'/><geom name='g' type='sphere' mesh='m' contype='0' "
              "conaffinity='0'/><body "
              "name='b'><joint name='h'/><inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/><site "
              "name='p'/></body></worldbody><tendon><spatial name='t' stiffness='3'><site "
              "site='w'/>"
              "<geom geom='g'/><site site='p'/></spatial></tendon></mujoco>"))
          .back() == "tendon 't' is left out: geom 'g' has no known size");
  for (const auto& [path, message] : std::vector<std::pair<std::string, std::string>>{
           {"<site site='p'/>", "tendon 't' must lead from a site to a site"},
           {"<site site='p'/><geom geom='g'/>", "tendon 't' must lead from a site to a site"},
           {"<site site='p'/><geom geom='x'/><site site='q'/>",
            "a <geom> must be a sphere or a cylinder, and stand between two sites"},
           {"<site site='p'/><geom geom='g'/><pulley divisor='2'/><site site='p'/><site site='q'/>",
            "tendon 't' must lead from a site to a site"},
           {"<geom geom='g'/><site site='q'/>", "and stand between two sites"},
           {"<site site='p'/><geom geom='nn'/><site site='q'/>", "no geom 'nn'"},
           {"<site site='p'/><pulley divisor='0'/><site site='q'/><site site='p'/>",
            "'divisor' must be greater than zero"}}) {
    CAPTURE(path);
    Diagnostics diagnostics;
    CHECK(!importRobotText(text(path), "r.xml", {}, diagnostics));
    CHECK(diagnostics.format().find(message) != std::string::npos);
  }
}

TEST_CASE(
    "MJCF import: actuators with states integrate or follow their input, within their range") {
  const auto after = [](const std::string& actuator, double u) {
    return runOf(
        "<mujoco><option gravity='0 0 0'/><worldbody><body name='b'><joint name='h' type='slide' "
        "axis='1 0 0'/><inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/></body></worldbody>"
        "<actuator>" +
            actuator + "</actuator></mujoco>",
        {"u_state", "h.v"}, {"u=" + std::to_string(u)});
  };
  const auto check = [](const std::vector<double>& found, double state, double speed) {
    CHECK(std::abs(found[0] - state) < kRun);
    CHECK(std::abs(found[1] - speed) < kRun);
  };
  // m v' = 3 x: x = u t, x = u t up to a limit, x = u (1 - exp(-t/T)).
  const std::string at = " name='u' joint='h' gainprm='3' dyntype='";
  check(after("<general" + at + "integrator'/>", 0.8), 0.8, 1.5 * 0.4);
  check(after("<general" + at + "integrator' ctrlrange='-1 0.5'/>", 0.8), 0.5, 1.5 * 0.25);
  check(after("<general" + at + "integrator' actrange='-1 0.2'/>", 0.8), 0.2,
        1.5 * (0.2 * 0.25 / 2 + 0.2 * 0.75));
  const double T = 0.4, f = std::exp(-1 / T);
  for (const char* filter : {"filter", "filterexact"})
    check(after("<general" + at + filter + "' dynprm='0.4'/>", 0.8), 0.8 * (1 - f),
          1.5 * 0.8 * (1 - T * (1 - f)));
  check(after("<cylinder name='u' joint='h' timeconst='0.4' area='3'/>", 0.8), 0.8 * (1 - f),
        1.5 * 0.8 * (1 - T * (1 - f)));
  // m v' = k (u t - s): v = u (1 - cos(w t)).
  check(after("<intvelocity name='u' joint='h' kp='8'/>", 0.8), 0.8, 0.8 * (1 - std::cos(2)));
}

TEST_CASE("MJCF import: what a tendon, a drive or a body loses is told") {
  const RobotImport robot = mjcfImport(R"(<mujoco><compiler alignfree="true"/>
  <option><flag sleep="enable"/></option><default><motor damping="0.1 2"/></default><worldbody>
  <body name="b" sleep="init"><joint name="h" ref="90"/><geom size="0.1" pos="0.5 0 0"/></body>
  <body name="f" pos="0 0 9"><joint type="free" damping="1"/><geom size="0.1" pos="0.3 0 0" contype="0"/></body>
  <body name="g" pos="0 0 8"><joint type="free"/><geom size="0.1" pos="0.3 0 0" conaffinity="0"/></body></worldbody>
  <tendon><fixed name="t" stiffness="3 1" damping="0 0 2" range="-1 1"><joint joint="h" coef="1"/></fixed></tendon>
  <actuator><motor name="u" joint="h"/></actuator></mujoco>)");
  std::vector<std::string> texts = warningsOf(robot);
  std::erase_if(texts, [](const std::string& t) { return t.starts_with("contacts"); });
  const std::string linear = "' only the first number counts, as if it were linear";
  CHECK(texts ==
        std::vector<std::string>{
            "body 'b': 'sleep' is left out: it is awake from the start",
            "body 'f': 'alignfree' is left out: springs, dampers and armature of its joint act at "
            "its frame, not at its centre of mass",
            "tendon 't': of 'stiffness" + linear, "tendon 't': of 'damping" + linear,
            "tendon 't' starts beyond its limits, at 1.5707963267948966, not in -1 to 1",
            "actuator 'u': of 'damping" + linear});
}

TEST_CASE("MJCF import: a tendon gives way to names of joints, drives and words of expressions") {
  const auto named = [](const std::string& name) {
    return mjcfImport(R"(<mujoco><worldbody><body name="b"><joint name="if"/><geom size="0.1"/>
  <site name="s"/></body></worldbody><tendon><fixed name=")" +
                      name + R"(" stiffness="3" springlength="0"><joint joint="if" coef="1"/>
  <joint joint="if" coef="1.5"/></fixed></tendon>
  <actuator><motor name="u" joint="if"/><motor name="v" site="s"/></actuator></mujoco>)");
  };
  for (const char* name : {"u", "v", "b", "pi", "time", "if"}) {
    CAPTURE(name);
    const std::string text = named(name).model.text(), tendon = std::string(name) + "_tendon";
    CHECK(text.find(tendon + ": 2.5*if_joint.phi") != std::string::npos);
    CHECK(text.find(tendon + "_force: -3*" + tendon) != std::string::npos);
    CHECK(text.find("inputs: {u: 0, v: 0}") != std::string::npos);
    test::StartedRobot started(named(name), {}, {tendon});
  }
  CHECK(named("t").model.text().find("t_force: -3*t") != std::string::npos);
}

TEST_CASE("MJCF import: a fluid acts on the boxes of inertias as in MuJoCo") {
  // Accelerations of mj_forward of MuJoCo 2.2.2.
  const auto started = [](const std::string& option) {
    return StartedMjcf(
        "<mujoco><option gravity='0 0 0' " + option + R"(/><worldbody>
  <body name="b" pos="0 0 1" euler="20 -30 40"><freejoint name="f"/>
    <inertial pos="0.1 0.2 -0.05" euler="15 25 35" mass="3" diaginertia="0.05 0.04 0.02"/>
    <body name="c" pos="0.3 0 0"><joint name="h" axis="0 1 0"/>
      <inertial pos="0 0 0.1" mass="1" diaginertia="0.02 0.03 0.04"/></body></body>
  <body><geom size="1"/></body></worldbody></mujoco>)",
        {"b.a_0", "b.z_a", "h.a"},
        {"f.v_rel_a.start=[1.5864421501276207, -1.0515726451174188, 1.2756944290617591]",
         "f.w_rel_a_start=[0.7, -1.5, 0.9]", "h.w.start=2.5"});
  };
  StartedMjcf s = started("density='900' viscosity='0.7' wind='0.4 -0.3 0.2'");
  const std::pair<const char*, double> expected[] = {
      {"b.a_0[1]", 6.53595195239}, {"b.a_0[2]", 16.960459752},  {"b.a_0[3]", -57.2623378351},
      {"b.z_a[1]", 214.053963156}, {"b.z_a[2]", 431.758182209}, {"b.z_a[3]", -64.0445809111},
      {"h.a", -649.321183646}};
  for (const auto& [name, value] : expected) {
    CAPTURE(name);
    CHECK(s[name] == doctest::Approx(value).epsilon(1e-6));  // MuJoCo's principal axes
  }
  CHECK(started("wind='1 2 3'")["h.a"] == doctest::Approx(0.891467).epsilon(1e-5));
}

TEST_CASE("MJCF import: density and viscosity of a fluid slow a pendulum down") {
  // 0.1 m off the hinge a box with the edges 0.6 m, 0.4 m and 0.2 m: it moves along x and turns about y.
  constexpr double m = 2, r = 0.1, x = 0.6, y = 0.4, z = 0.2, w = 2.5;
  constexpr double d = (x + y + z) / 3, J = m * (x * x + z * z) / 12 + m * r * r;
  const auto torque = [&](const std::string& option) {
    StartedMjcf s("<mujoco><option gravity='0 0 0' " + option +
                      "/><worldbody><body><joint name='h' axis='0 1 0'/><geom type='box' "
                      "size='0.3 0.2 0.1' pos='0 0 0.1' mass='2'/></body></worldbody></mujoco>",
                  {"h.a"}, {"h.w.start=2.5"});
    return J * s["h.a"];
  };
  const auto near = [](double t) { return doctest::Approx(t).epsilon(1e-9); };
  const double viscous = -0.7 * pi * d * (3 * r * r + d * d) * w;
  const double dense =
      -900 * w * w * (y * z / 2 * r * r * r + y * (std::pow(x, 4) + std::pow(z, 4)) / 64);
  CHECK(torque("viscosity='0.7'") == near(viscous));
  CHECK(torque("density='900'") == near(dense));
  CHECK(torque("density='900' viscosity='0.7'") == near(dense + viscous));
}

TEST_CASE("MJCF import: a motor at a site pushes and turns along the axes of the site") {
  // Accelerations of mj_forward of MuJoCo 2.2.2.
  StartedMjcf s(R"(<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="b" euler="20 -30 40"><freejoint name="f"/>
    <inertial pos="0.1 0.2 -0.05" mass="3" diaginertia="0.05 0.04 0.02"/>
    <site name="rotor" pos="0.1 -0.2 0.3" euler="10 20 30"/></body></worldbody>
  <actuator><motor name="u" site="rotor" gear="0 0.5 2 0.1 0 -0.02" ctrlrange="0 3"/>
    <general name="v" site="rotor" gear="0 0 1" gainprm="4" forcerange="-6 6"/>
    <position name="w" site="rotor"/></actuator></mujoco>)",
                {"b.a_0", "b.z_a"}, {"u=5", "v=-2"});
  const std::pair<const char*, double> expected[] = {
      {"b.a_0[1]", -5.21246038132}, {"b.a_0[2]", -0.179665342651}, {"b.a_0[3]", -1.33333688191},
      {"b.z_a[1]", -7.99650333384}, {"b.z_a[2]", -1.84318288854},  {"b.z_a[3]", -19.9447509775}};
  for (const auto& [name, value] : expected) {
    CAPTURE(name);
    CHECK(s[name] == doctest::Approx(value).epsilon(1e-9));
  }
  REQUIRE(s.robot().report.warnings().size() == 1);
  CHECK(s.robot().report.warnings()[0].text ==
        "actuator 'w' is left out: at a site only forces that do not depend on a length or speed "
        "are supported");
}

TEST_CASE("MJCF import: flags switch parts of the physics off") {
  struct Off {
    const char *flag, *gone;
  };
  for (const Off& off : {Off{"actuation", "inputs"},
                         {"equality", "Spherical"},
                         {"constraint", "Spherical"},
                         {"constraint", "limits"},
                         {"limit", "limits"},
                         {"spring", "c: 3"},
                         {"damper", "d: 4"},
                         {"passive", "c: 3"},
                         {"passive", "d: 4"},
                         {"gravity", "9.81"},
                         {"clampctrl", "min("},
                         {"gravity", "WorldForce"}}) {
    const auto text = [](const std::string& flags) {
      return mjcfImport(
                 "<mujoco><option><flag " + flags +
                 "/></option><worldbody><body name='b' gravcomp='0.5'><joint name='h' range='-1 1' "
                 "stiffness='3' damping='4'/><geom size='0.1'/></body></worldbody>"
                 "<equality><connect body1='b' anchor='0 0 0'/></equality>"
                 "<actuator><motor joint='h' ctrlrange='-1 1'/></actuator></mujoco>")
          .model.text();
    };
    CAPTURE(off.flag);
    CHECK(text("").find(off.gone) != std::string::npos);
    CHECK(text(std::string(off.flag) + "='disable'").find(off.gone) == std::string::npos);
  }
}

TEST_CASE("MJCF import: gravcomp holds a share of the weight") {
  StartedMjcf s(
      "<mujoco><worldbody><body gravcomp='0.7'><joint name='h' axis='0 1 0'/><geom size='0.1' "
      "pos='0.3 0 0' mass='2'/></body></worldbody></mujoco>",
      {"h.a"});
  CHECK(s["h.a"] == doctest::Approx(0.3 * 9.81 * 0.3 / kImportArm).epsilon(1e-12));
}

TEST_CASE("MJCF import: shells, bounds and totals of mass") {
  const auto near = [](double x) { return doctest::Approx(x).epsilon(1e-12); };
  const std::string shell = " shellinertia='true' mass='6'";
  CHECK(momentOf("size='0.1'" + shell, "0 0 1") == near(4 * 0.01));
  // Six plates; a tube and two lids; a tube and two half balls.
  CHECK(momentOf("type='box' size='0.1 0.1 0.1'" + shell, "0 0 1") == near(5.0 / 18 * 6 * 0.04));
  const double tube = 2 * 0.1 * 0.6, lids = 2 * 0.01, ball = 4 * 0.01;  // areas by pi
  CHECK(momentOf("type='cylinder' size='0.1 0.3'" + shell, "0 0 1") ==
        near(6 * (tube * 0.01 + lids * 0.005) / (tube + lids)));
  CHECK(momentOf("type='cylinder' size='0.1 0.3'" + shell, "1 0 0") ==
        near(6 * (tube * (0.005 + 0.03) + lids * (0.0025 + 0.09)) / (tube + lids)));
  const double cap = 2.0 / 3 * 0.01 + 0.09 + 0.3 * 0.1;  // half a shell's centre is r/2 outside
  CHECK(momentOf("type='capsule' size='0.1 0.3'" + shell, "1 0 0") ==
        near(6 * (tube * (0.005 + 0.03) + ball * cap) / (tube + ball)));
  // A round ellipsoid is a ball; a long thin one has the area of Thomsen's formula to 1 %.
  CHECK(momentOf("type='ellipsoid' size='0.1 0.1 0.1'" + shell, "0 0 1") == near(4 * 0.01));
  const auto mass = [](const std::string& compiler, const std::string& geoms) {
    return mjcfImport("<mujoco><compiler " + compiler + "/><worldbody><body><joint/>" + geoms +
                      "</body></worldbody></mujoco>")
        .report.mass;
  };
  CHECK(mass("", "<geom size='0.1' shellinertia='true' density='3'/>") == near(3 * 4 * pi * 0.01));
  CHECK(mass("settotalmass='14'", "<geom size='0.1'/>") == near(14));
  CHECK(mass("boundmass='14'", "<geom size='0.1'/>") == near(14));
  // The moments go with the mass; a bound acts on each principal one.
  const auto moment = [](const std::string& compiler, const std::string& axis) {
    StartedMjcf s(
        "<mujoco><option gravity='0 0 0'/><compiler " + compiler +
            "/><worldbody><body><joint name='h' axis='" + axis +
            "'/><inertial pos='0 0 0' mass='2' quat='1 1 0 0' diaginertia='0.1 0.2 0.25'/>"
            "</body></worldbody><actuator><motor name='u' joint='h'/></actuator></mujoco>",
        {"h.a"}, {"u=1"});
    return 1 / s["h.a"];
  };
  CHECK(moment("settotalmass='14'", "0 0 1") == near(0.2 * 7));
  CHECK(moment("boundinertia='0.15'", "1 0 0") == near(0.15));
  CHECK(moment("boundinertia='0.15'", "0 1 0") == near(0.25));
  CHECK(moment("balanceinertia='true'", "0 1 0") == near(0.25));
}

TEST_CASE("MJCF import: a mesh has the mass of what its triangles enclose") {
  const auto near = [](double x) { return doctest::Approx(x).epsilon(1e-6); };  // single precision
  // A cube of 1 m, and the same with a pyramid cut out of its upper side down to its middle.
  const std::string corners = "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 0.5 0.5 0.5";
  const std::string sides = "0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7";
  const std::string top = " 4 5 6 4 6 7", notch = " 4 5 8 5 6 8 6 7 8 7 4 8";
  struct Shape {
    std::string mesh, geom;
    double mass, moment;  // about the z axis through the origin
  };
  const auto inlined = [&](const std::string& faces, const std::string& more) {
    return "vertex='" + corners + "'" + (faces.empty() ? "" : " face='" + faces + "'") + more;
  };
  const double cube = 1.0 / 6 + 0.5;  // about an edge, by the mass
  // The pyramid of height 1/2 on a square of 1: 1/6, moment about its axis by the mass 1/10.
  const double notched = cube - 1.0 / 6 * (0.1 + 0.5);
  const Shape shapes[] = {
      {inlined(sides + top, ""), "density='3'", 3, 3 * cube},
      {inlined(sides + top, ""), "mass='3'", 3, 3 * cube},
      {inlined("", ""), "density='3'", 3, 3 * cube},
      {inlined(sides + notch, " inertia='exact'"), "density='3'", 2.5, 3 * notched},
      {inlined(sides + notch, " inertia='convex'"), "density='3'", 3, 3 * cube},
      {inlined(sides + top, " inertia='shell'"), "density='3'", 18, 18 * (5.0 / 18 + 0.5)},
      {inlined(sides + top, " scale='2 1 1'"), "density='3'", 6, 6 * (5.0 / 12 + 1 + 0.25)},
      {inlined(sides + top, " scale='-1 1 1' inertia='exact'"), "density='3'", 3, 3 * cube},
      {inlined(sides + top, " refpos='0.5 0.5 0'"), "density='3'", 3, 3.0 / 6},
      {inlined(sides + top, " refquat='1 0 1 0'"), "density='3' pos='1 0 0'", 3,
       3 * (1.0 / 6 + 0.25 + 0.25)},
      {inlined(sides + top, ""), "type='box' density='3'", 3, 3 * cube},
      {inlined(sides + top, ""), "type='sphere' density='3'", 3 * pi / 6, 3 * pi / 6 * (0.1 + 0.5)},
      {inlined(sides + top, ""), "type='sphere' density='3' fitscale='2'", 24 * pi / 6,
       24 * pi / 6 * (0.4 + 0.5)},
  };
  for (const Shape& shape : shapes) {
    CAPTURE(shape.mesh);
    CAPTURE(shape.geom);
    const bool isMesh = shape.geom.find("type") == std::string::npos;
    StartedMjcf s(
        "<mujoco><option gravity='0 0 0'/><asset><mesh name='m' " + shape.mesh +
            "/></asset><worldbody><body><joint name='h'/><geom mesh='m' " +
            (isMesh ? "type='mesh' " : "") + shape.geom +
            "/></body></worldbody><actuator><motor name='u' joint='h'/></actuator></mujoco>",
        {"h.a"}, {"u=1"});
    CHECK(s.robot().report.mass == near(shape.mass));
    CHECK(1 / s["h.a"] == near(shape.moment));
  }
}

TEST_CASE("MJCF import: a geom with a mesh and no type is the sphere that fits it") {
  const auto geom = [](const std::string& type) {
    return mjcfImport(
               "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3 1 1 1'/></asset>"
               "<worldbody><body name='b'><joint/><geom mesh='m' " +
               type + "/></body></worldbody></mujoco>")
        .model.text();
  };
  CHECK(geom("") == geom("type='sphere'"));
  CHECK(geom("") != geom("type='mesh'"));
}

/// What stands for a quaternion counts before any quaternion (MuJoCo 2.2.2 and 3).
TEST_CASE("MJCF import: of orientations of any kind the innermost class or element has its own") {
  const std::string kinds[] = {"quat='1 0.2 0.3 0'", "axisangle='1 1 0 50'", "xyaxes='0 1 0 0 0 1'",
                               "zaxis='1 1 0'", "euler='90 20 0'"};
  const auto with = [](const std::string& outer, const std::string& inner, const std::string& own) {
    return mjcfImport("<mujoco><default><geom " + outer + "/><default class='c'><geom " + inner +
                      "/></default></default><worldbody><body name='b'><joint/><geom class='c' "
                      "type='box' size='.1 .2 .3' " +
                      own + "/></body></worldbody></mujoco>")
        .model.text();
  };
  for (const std::string& a : kinds) {
    const std::string plain = with("", "", a);
    CHECK(with(a, "", "") == plain);
    for (const std::string& b : kinds) {
      CAPTURE(a);
      CAPTURE(b);
      const bool yields = a == kinds[0] && b != kinds[0];
      const std::string one = yields ? with("", "", b) : plain;
      CHECK(with(b, a, "") == one);
      CHECK(with(b, "", a) == one);
      CHECK(with("", b, a) == one);
      CHECK(with(a, b, a) == one);
    }
  }
}

TEST_CASE("MJCF import: meshes of files, replicas and parts of other files") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("cardan_mjcf_" + std::to_string(getpid()));
  fs::create_directories(folder / "arm" / "parts");
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
  };
  // A tetrahedron with three edges of 1 m along the axes: volume 1/6, moment about z 1/30 ... by density.
  const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  std::string obj, stl(84, ' '), msh;
  const auto bytes = [](auto x) {
    return std::string(reinterpret_cast<const char*>(&x), sizeof x);
  };
  for (const std::int32_t n : {4, 0, 0, 4}) msh += bytes(n);
  for (const auto& c : corners) {
    obj += "v " + std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]) +
           "\n";
    for (const float x : c) msh += bytes(x);
  }
  stl.replace(80, 4, bytes(std::uint32_t{4}));
  for (const auto& f : faces) {
    obj += "f";
    stl += std::string(12, '\0');
    for (const int k : f) {
      obj += " " + std::to_string(k + 1);
      msh += bytes(std::int32_t{k});
      for (const float x : corners[k]) stl += bytes(x);
    }
    obj += "\n";
    stl += std::string(2, '\0');
  }
  write("arm/parts/t.obj", obj);
  write("arm/parts/p.obj", obj.substr(0, obj.find('f')));
  write("arm/parts/t.stl", stl);
  write("arm/parts/t.msh", msh);
  write("arm/arm.xml", R"(<mujoco model="arm">
  <compiler angle="radian" meshdir="parts"/>
  <default><joint damping="0.25"/></default>
  <asset><mesh file="t.obj"/></asset>
  <worldbody><body name="link" pos="0 0 1"><joint name="j" axis="0 1 0" range="-1 1"/>
    <geom type="mesh" mesh="t"/></body><body name="other"><joint name="k"/><geom size="1"/></body>
  </worldbody>
  <tendon><fixed name="t" damping="3"><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><motor name="m" joint="j"/><motor name="n" joint="k"/></actuator>
</mujoco>)");
  for (const char* file : {"t.obj", "t.stl", "t.msh", "p.obj"}) {
    CAPTURE(file);
    write("mesh.xml",
          std::string("<mujoco><compiler assetdir='arm/parts'/><asset><mesh name='t' file='") +
              file +
              "'/></asset><worldbody><body><joint name='h'/><geom type='mesh' "
              "mesh='t' density='60'/></body></worldbody></mujoco>");
    Diagnostics diagnostics;
    const auto robot = importRobot((folder / "mesh.xml").string(), {}, diagnostics);
    REQUIRE_MESSAGE(robot.has_value(), diagnostics.format());
    CHECK(robot->report.mass == doctest::Approx(10).epsilon(1e-6));
  }
  write("robot.xml", R"(<mujoco>
  <asset><model name="a" file="arm/arm.xml"/></asset>
  <worldbody>
    <body name="base"><joint name="b"/><geom size="0.1"/>
      <replicate count="3" offset="2 0 0" euler="0 0 90" sep="_">
        <attach model="a" body="link" prefix="left_"/>
        <body name="tip"><joint name="t"/><geom size="0.1"/></body>
      </replicate>
    </body>
  </worldbody>
  <actuator><motor name="d" joint="t"/><position name="e" joint="t_1"/>
    <motor name="f" tendon="left_t_1"/></actuator>
</mujoco>)");
  Diagnostics diagnostics;
  const auto robot = importRobot((folder / "robot.xml").string(), {}, diagnostics);
  REQUIRE_MESSAGE(robot.has_value(), diagnostics.format());
  const std::string text = robot->model.text();
  for (const char* part :
       {"left_link_0:", "left_link_2:", "left_j_1:", "tip_2:", "t_0:", "left_m_0: 0", "left_m_2: 0",
        "d_1: 0", "e: 0", "tau: f}", "d: 0.25", "min: -1, max: 1", "left_t_2_force:"})
    CHECK_MESSAGE(text.find(part) != std::string::npos, std::string(part) << "\n" << text);
  // Of the other file only what refers to the part that is here.
  CHECK(text.find("left_n") == std::string::npos);
  CHECK(robot->report.links == 7);
  CHECK(robot->model.files.size() == 2);
  // Each copy 2 m on from the one before, which has turned by 90 degrees: at 0, 2, 2 + 2i.
  Simulation s = Simulation::fromTree(catalogue(), robot->model.tree(), robot->model.files);
  RunOptions options;
  options.stopTime = 1;
  options.outputs = {"tip_1.r_0[1]", "tip_1.r_0[2]", "tip_2.r_0[1]", "tip_2.r_0[2]",
                     "left_link_2.r_0[3]"};
  s.start(options);
  const double places[] = {2, 0, 2, 2, 1};
  for (size_t i = 0; i < std::size(places); ++i)
    CHECK(s.value(s.variable(options.outputs[i])) == doctest::Approx(places[i]));
  write("self.xml", "<mujoco><asset><model name='s' file='self.xml'/></asset></mujoco>");
  CHECK(!importRobot((folder / "self.xml").string(), {}, diagnostics));
  fs::remove_all(folder);
}

TEST_CASE("MJCF import: a constraint that the pose of the file violates moves its follower") {
  const std::string geom = "<geom type='box' size='0.1 0.2 0.3' pos='0.3 0.1 0' mass='1'/>";
  const auto started = [&](const std::string& equality) {
    return StartedMjcf(
        "<mujoco><worldbody><site name='s' pos='0 0 2'/><body name='a' pos='0 0 "
        "1'><freejoint/><site "
        "name='t' pos='0 0 0.1'/>" +
            geom + "</body><body name='b' pos='0 0 2'><freejoint/>" + geom +
            "</body></worldbody><equality>" + equality + "</equality></mujoco>",
        {"a.r_0[3]", "b.r_0[3]", "b.a_0[3]", "a.a_0[3]"});
  };
  StartedMjcf welded = started("<weld body1='a' body2='b' relpose='0 0 1.2 1 0 0 0'/>");
  CHECK(welded["a.r_0[3]"] == doctest::Approx(1));
  CHECK(welded["b.r_0[3]"] == doctest::Approx(2.2));
  CHECK(welded["b.a_0[3]"] == doctest::Approx(-9.81));
  StartedMjcf held = started("<weld site1='s' site2='t'/>");
  CHECK(held["a.r_0[3]"] == doctest::Approx(1.9));
  CHECK(std::abs(held["a.a_0[3]"]) < 1e-9);
  StartedMjcf hung = started("<connect site1='s' site2='t'/>");
  CHECK(hung["a.r_0[3]"] == doctest::Approx(1.9));
  // Two rods on hinges 1 m apart, whose tips the file shows 0.2 m from each other: both rods of the second
  // body's chain give way.
  StartedMjcf loop(
      "<mujoco><worldbody><body name='a'><joint name='i' axis='0 1 0'/><geom type='capsule' "
      "size='0.05' fromto='0 0 0 0 0 0.5'/><site name='s' pos='0 0 0.5'/></body><body name='b' "
      "pos='1 0 0'><joint name='j' axis='0 "
      "1 0'/><geom type='capsule' size='0.05' fromto='0 0 0 0 0 0.5'/><body name='c' pos='0 0 0.5'>"
      "<joint name='k' axis='0 1 0'/><geom type='capsule' size='0.05' fromto='0 0 0 -0.8 0 "
      "0'/><site name='t' pos='-0.8 0 0'/></body>"
      "</body></worldbody><equality><connect site1='s' site2='t'/></equality></mujoco>",
      {"c.frame_a.r_0[1]", "c.frame_a.r_0[3]", "i.phi"});
  CHECK(loop["i.phi"] == 0);
  // The middle hinge is 0.5 m from the second base and 0.8 m from the first tip.
  const double x = loop["c.frame_a.r_0[1]"], z = loop["c.frame_a.r_0[3]"];
  CHECK(std::hypot(x - 1, z) == doctest::Approx(0.5));
  CHECK(std::hypot(x, z - 0.5) == doctest::Approx(0.8));
}
