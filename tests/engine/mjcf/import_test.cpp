// The import of MJCF files: what a robot becomes, what is refused, what is said.
#include "engine/robot_import.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "components/catalogue.h"
#include "engine/simulation.h"

using namespace cardan;

namespace {

constexpr double pi = std::numbers::pi;

RobotImport mjcfImport(const std::string& text, const urdf::ImportOptions& options = {}) {
  Diagnostics diagnostics;
  auto robot = importRobotText(text, "r.xml", options, diagnostics);
  REQUIRE_MESSAGE(robot.has_value(), diagnostics.format());
  return std::move(*robot);
}

/// The robot at its start, with `set` as behind --set.
class StartedMjcf {
 public:
  StartedMjcf(const std::string& text, const std::vector<std::string>& outputs,
              const Overrides& set = {})
      : robot_(mjcfImport(text)),
        simulation_(
            Simulation::fromTree(catalogue(), robot_.model.tree(), robot_.model.files, set)) {
    RunOptions options;
    options.stopTime = 1;
    options.outputs = outputs;
    simulation_.start(options);
  }
  double operator[](const std::string& name) {
    return simulation_.value(simulation_.variable(name));
  }
  const RobotImport& robot() const { return robot_; }

 private:
  RobotImport robot_;
  Simulation simulation_;
};

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
inputs: {drive: 0}
world: {g: 9.81, n: [0, 0, -1]}
components:
  rod_origin: {type: FixedTranslation, r: [0, 0, 2]}
  hinge: {type: Revolute, n: [0, 1, 0], useAxisFlange: true, phi: {fixed: true}, w: {fixed: true}}  # -1.5707963267948966 to 1.5707963267948966 rad
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
  CHECK(isLeft("range"));
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
      <geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0" euler="0 45 0" mass="1.1"/>
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
      <replicate/>
      <body name="m"><geom type="mesh" mesh="q" class="z"/></body>
    </body>
  </worldbody>
  <equality><connect body1="zz" anchor="0 0 0"/><joint joint1="q"/></equality>
  <actuator><motor joint="nothing"/></actuator>
  <include file="no.xml"/>
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
       "r.xml:6:93: error: a geom: unknown type 'boxx'; did you mean 'box'?",
       "r.xml:6:123: error: a geom: 'size' of <geom> must be positive",
       "r.xml:7:19: error: body 'a' is defined twice",
       "r.xml:7:22: error: body 'a': only a body in <worldbody> can be free",
       "r.xml:7:50: error: body 'a': 'mass' must not be negative",
       "r.xml:7:67: error: body 'a': 'diaginertia' of <inertial> must be 3 finite numbers, found "
       "'1 1'",
       "r.xml:7:73: error: a joint of body 'a': a free body has no other joints",
       "r.xml:7:89: error: a joint of body 'a': 'damping' must not be negative",
       "r.xml:8:7: error: <replicate> makes bodies, and is not supported",
       "r.xml:9:22: error: body 'm' must have an <inertial>",
       "r.xml:9:56: error: no <default> has the class 'z'",
       "r.xml:12:29: error: no body 'zz'",
       "r.xml:12:64: error: no joint 'q'",
       "r.xml:13:27: error: no joint 'nothing'",
       "r.xml:14:18: error: cannot read the included file 'no.xml'"}) {
    CHECK_MESSAGE(all.find(message) != std::string::npos, message);
  }
}

TEST_CASE("MJCF import: springs, dampers and armatures of balls and free bodies") {
  const auto run = [](const std::string& text, const std::vector<std::string>& outputs) {
    const RobotImport robot = mjcfImport(text);
    Simulation s = Simulation::fromTree(catalogue(), robot.model.tree(), robot.model.files);
    RunOptions options;
    options.stopTime = 1;
    options.tolerance = 1e-10;
    options.outputs = outputs;
    Trajectory rows;
    s.run(rows, options);
    std::vector<double> last;
    for (const std::string& name : outputs) last.push_back(rows[name].back());
    return last;
  };
  constexpr double kRun = 1e-7;
  // In its plane a ball is a hinge.
  const auto pendulum = [&](const std::string& joint) {
    return run("<mujoco><worldbody><body name='a' pos='0 0 2' euler='0 20 0'><joint name='j' " +
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
  const auto fallen = run(
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
