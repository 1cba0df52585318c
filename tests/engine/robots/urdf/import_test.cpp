// The import of URDF files: what a robot becomes, what is refused, what is said.
#include "engine/robots/import.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/engine/robots/started_robot.h"

using namespace cardan;

namespace {

std::string inRobot(const std::string& inside) {
  return "<robot name='r'>\n" + inside + "\n</robot>";
}

/// A link with mass; `more` stands in it.
std::string linkOf(const std::string& name, double mass = 1, const std::string& more = "") {
  const std::string m = std::to_string(mass);
  return "<link name='" + name + "'><inertial><origin xyz='0.2 0 0'/><mass value='" + m +
         "'/><inertia ixx='0.01' iyy='0.02' izz='0.02'/></inertial>" + more + "</link>\n";
}

std::string jointOf(const std::string& name, const std::string& type, const std::string& parent,
                    const std::string& child, const std::string& more = "<axis xyz='0 1 0'/>") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + more + "</joint>\n";
}

std::string urdfErrors(const std::string& text, const robots::ImportOptions& options = {}) {
  Diagnostics diagnostics;
  const auto robot = importRobotText(text, "r.urdf", options, diagnostics);
  CHECK(robot.has_value() == (diagnostics.errorCount() == 0));
  CHECK(!robot.has_value());
  return diagnostics.format();
}

RobotImport urdfImport(const std::string& text, const robots::ImportOptions& options = {}) {
  return test::importedRobot(text, "r.urdf", options);
}

using Started = test::StartedRobot;

bool holds(const std::vector<ImportReport::Entry>& entries, const std::string& what,
           const std::string& name) {
  return std::ranges::any_of(entries,
                             [&](const auto& e) { return e.what == what && e.name == name; });
}

/// What rounding leaves of a few operations on numbers of magnitude ten.
constexpr double kImportRounding = 1e-12;

}  // namespace

TEST_CASE("URDF import: a pendulum is written as a person would") {
  const auto robot = urdfImport(
      inRobot("<link name='base'/>\n" + linkOf("rod") +
              jointOf("hinge", "revolute", "base", "rod",
                      "<origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/><axis xyz='0 1 0'/>"
                      "<limit lower='-1' upper='2' effort='1' velocity='1'/>"
                      "<dynamics damping='0.3'/>")));
  CHECK(robot.model.text() == R"yaml(model: r
world: {g: 9.81, n: [0, 0, -1]}
components:
  base: {type: Body, m: 0, I_11: 0, I_22: 0, I_33: 0}
  hinge_origin: {type: FixedRotation, r: [0, 0, 1], n: [0, 0, 1], angle: 90}
  hinge: {type: Revolute, n: [0, 1, 0], useAxisFlange: true, phi: {fixed: true}, w: {fixed: true}}  # -1 to 2 rad
  hinge_damper: {type: Rotational.Damper, d: 0.3}
  rod: {type: Body, m: 1, r_CM: [0.2, 0, 0], I_11: 0.01, I_22: 0.02, I_33: 0.02}
connections:
  - [world.frame_b, base.frame_a]
  - [base.frame_a, hinge_origin.frame_a]
  - [hinge_origin.frame_b, hinge.frame_a]
  - [hinge.frame_b, rod.frame_a]
  - [hinge.support, hinge_damper.flange_a]
  - [hinge_damper.flange_b, hinge.axis]
)yaml");
  // J phi'' = m g l cos(phi) - d w: the axis points along -x of the world, the rod sinks.
  Started s(robot, {"hinge.phi.start=0.4", "hinge.w.start=0.7"}, {"hinge.a"});
  const double J = 0.02 + 0.2 * 0.2;
  CHECK(s["hinge.a"] ==
        doctest::Approx((9.81 * 0.2 * std::cos(0.4) - 0.3 * 0.7) / J).epsilon(kImportRounding));
}

TEST_CASE("URDF import: roll, pitch and yaw turn about fixed axes, in this order") {
  const auto robot = urdfImport(
      inRobot("<link name='a'/>" + linkOf("b") +
              jointOf("j", "fixed", "a", "b", "<origin xyz='1 2 3' rpy='0.3 -0.5 1.1'/>")));
  Started s(robot, {}, {"b.frame_a.R.T", "b.frame_a.r_0"});
  const double r = 0.3, p = -0.5, y = 1.1;
  // The x-axis of the link in the world, a row of R.T: Rz(y) Ry(p) Rx(r) e_x; then the z-axis.
  CHECK(s["b.frame_a.R.T[1,1]"] ==
        doctest::Approx(std::cos(y) * std::cos(p)).epsilon(kImportRounding));
  CHECK(s["b.frame_a.R.T[1,2]"] ==
        doctest::Approx(std::sin(y) * std::cos(p)).epsilon(kImportRounding));
  CHECK(s["b.frame_a.R.T[1,3]"] == doctest::Approx(-std::sin(p)).epsilon(kImportRounding));
  CHECK(s["b.frame_a.R.T[3,3]"] ==
        doctest::Approx(std::cos(p) * std::cos(r)).epsilon(kImportRounding));
  CHECK(s["b.frame_a.R.T[2,3]"] ==
        doctest::Approx(std::cos(p) * std::sin(r)).epsilon(kImportRounding));
  CHECK(s["b.frame_a.r_0[3]"] == 3);
}

TEST_CASE("URDF import: the frame of the inertia turns the tensor") {
  const auto robot = urdfImport(
      inRobot("<link name='a'><inertial><origin rpy='0 0 1.5707963267948966'/><mass value='2'/>"
              "<inertia ixx='1' iyy='2' izz='2.5' ixy='0.25' ixz='0' iyz='0'/></inertial></link>"));
  Started s(robot, {}, {"a.I"});
  CHECK(s["a.I[1,1]"] == doctest::Approx(2).epsilon(kImportRounding));
  CHECK(s["a.I[2,2]"] == doctest::Approx(1).epsilon(kImportRounding));
  CHECK(s["a.I[1,2]"] == doctest::Approx(-0.25).epsilon(kImportRounding));
}

TEST_CASE("URDF import: a joint that follows moves with its leader and loads it") {
  // Slides of mass m1 and m2 along the vertical, s2 = k s1 + o: (m1 + k^2 m2) a1 = -(m1 + k m2) g.
  const auto slide = [](const std::string& more) { return "<axis xyz='0 0 1'/>" + more; };
  const std::string links = "<link name='base'/>" + linkOf("one", 2) + linkOf("two", 3);
  SUBCASE("slide behind slide") {
    const auto robot =
        urdfImport(inRobot(links + jointOf("s1", "prismatic", "base", "one", slide("")) +
                           jointOf("s2", "prismatic", "base", "two",
                                   slide("<mimic joint='s1' multiplier='-2' offset='0.1'/>"))));
    Started s(robot, {"s1.s.start=0.3", "s1.v.start=0.5"}, {"s1.a", "s2.a", "s2.s", "s2.v"});
    CHECK(s["s2.s"] == doctest::Approx(-0.5).epsilon(kImportRounding));
    CHECK(s["s2.v"] == doctest::Approx(-1).epsilon(kImportRounding));
    const double a = -(2 - 2 * 3) * 9.81 / (2 + 4 * 3);
    CHECK(s["s1.a"] == doctest::Approx(a).epsilon(kImportRounding));
    CHECK(s["s2.a"] == doctest::Approx(-2 * a).epsilon(kImportRounding));
  }
  SUBCASE("turn behind slide, slide behind turn, and a chain of both") {
    // phi = 4 s1 about the vertical, where gravity does nothing: J = 0.02 + 3 0.2^2.
    const auto robot = urdfImport(inRobot(
        links + linkOf("three", 1) + jointOf("s1", "prismatic", "base", "one", slide("")) +
        jointOf("t", "continuous", "base", "two", slide("<mimic joint='s1' multiplier='4'/>")) +
        jointOf("s3", "prismatic", "base", "three",
                slide("<mimic joint='t' multiplier='0.5' offset='0.2'/>"))));
    Started s(robot, {"s1.s.start=0.3"}, {"s1.a", "t.phi", "t.a", "s3.s", "s3.a"});
    const double J = 0.02 + 3 * 0.04, k = 4 * 0.5;
    const double a = -(2 + k * 1) * 9.81 / (2 + 16 * J + k * k * 1);
    CHECK(s["t.phi"] == doctest::Approx(1.2).epsilon(kImportRounding));
    CHECK(s["s3.s"] == doctest::Approx(0.8).epsilon(kImportRounding));
    CHECK(s["s1.a"] == doctest::Approx(a).epsilon(kImportRounding));
    CHECK(s["t.a"] == doctest::Approx(4 * a).epsilon(kImportRounding));
    CHECK(s["s3.a"] == doctest::Approx(2 * a).epsilon(kImportRounding));
  }
  SUBCASE("slide behind turn") {
    const auto robot =
        urdfImport(inRobot(links + jointOf("t", "revolute", "base", "one", slide("")) +
                           jointOf("s2", "prismatic", "base", "two",
                                   slide("<mimic joint='t' multiplier='0.1' offset='0.05'/>"))));
    Started s(robot, {"t.phi.start=0.5"}, {"t.a", "s2.s", "s2.a"});
    const double J = 0.02 + 2 * 0.04, a = -0.1 * 3 * 9.81 / (J + 0.01 * 3);
    CHECK(s["s2.s"] == doctest::Approx(0.1).epsilon(kImportRounding));
    CHECK(s["t.a"] == doctest::Approx(a).epsilon(kImportRounding));
    CHECK(s["s2.a"] == doctest::Approx(0.1 * a).epsilon(kImportRounding));
  }
  SUBCASE("what follows a fixed joint stands still") {
    const auto robot = urdfImport(
        inRobot(links + jointOf("f", "fixed", "base", "one", "") +
                jointOf("t", "revolute", "base", "two", "<mimic joint='f' offset='0.7'/>")));
    Started s(robot, {}, {"t.phi", "t.a"});
    CHECK(s["t.phi"] == doctest::Approx(0.7).epsilon(kImportRounding));
    CHECK(std::abs(s["t.a"]) < kImportRounding);
  }
}

TEST_CASE("URDF import: floating, planar and the free root move as bodies do") {
  const auto falls = [](const RobotImport& robot, const std::string& link) {
    Started s(robot, {}, {link + ".a_0", link + ".r_0"});
    CHECK(s[link + ".a_0[3]"] == doctest::Approx(-9.81).epsilon(kImportRounding));
    CHECK(s[link + ".r_0[1]"] == 0);
  };
  const std::string two = linkOf("base") + linkOf("b");
  falls(urdfImport(inRobot(two + jointOf("j", "floating", "base", "b", ""))), "b");
  robots::ImportOptions floating;
  floating.floating = true;
  falls(urdfImport(inRobot(two + jointOf("j", "fixed", "base", "b", "")), floating), "base");
  // In the plane across y a body falls along z, across z it does not.
  falls(urdfImport(inRobot(two + jointOf("j", "planar", "base", "b"))), "b");
  const auto flat =
      urdfImport(inRobot(two + jointOf("j", "planar", "base", "b", "<axis xyz='0 0 2'/>")));
  Started s(flat, {"j.w.start=2"}, {"b.a_0", "b.r_0"});
  CHECK(std::abs(s["b.a_0[3]"]) < kImportRounding);
  // About its centre of mass, 0.2 m away: 0.2 w^2.
  CHECK(s["b.a_0[1]"] == doctest::Approx(0.8).epsilon(kImportRounding));
  const auto acrossX = urdfImport(inRobot(two + jointOf("j", "planar", "base", "b", "")));
  falls(acrossX, "b");
}

TEST_CASE("URDF import: merged links accelerate as those on fixed joints do") {
  const std::string text = inRobot(
      linkOf("base") + linkOf("arm", 2) + linkOf("tool", 0.7) + linkOf("tip", 0.3) +
      jointOf("j1", "revolute", "base", "arm", "<origin rpy='0.1 0.2 0.3'/><axis xyz='1 2 3'/>") +
      jointOf("mount", "fixed", "arm", "tool", "<origin xyz='0.1 0.2 0.3' rpy='0.5 -0.4 1'/>") +
      jointOf("j2", "revolute", "tool", "tip", "<origin xyz='0 0 0.2' rpy='1 0 0'/>"));
  robots::ImportOptions merge;
  merge.mergeFixed = true;
  const auto plain = urdfImport(text), merged = urdfImport(text, merge);
  CHECK(merged.model.components.size() + 2 == plain.model.components.size());
  const Overrides set{"j1.phi.start=0.4", "j1.w.start=1.5", "j2.phi.start=-0.8", "j2.w.start=-0.5"};
  const std::vector<std::string> outputs{"j1.a", "j2.a", "tip.r_0", "totalEnergy"};
  Started a(plain, set, outputs), b(merged, set, outputs);
  for (const char* name : {"j1.a", "j2.a", "tip.r_0[1]", "tip.r_0[3]", "totalEnergy"})
    CHECK(a[name] == doctest::Approx(b[name]).epsilon(kImportRounding));
  REQUIRE(merged.report.merged.size() == 1);
  CHECK(merged.report.merged[0] == std::pair<std::string, std::string>("tool", "arm"));
}

TEST_CASE("URDF import: stops push back beyond the limits, friction holds, both only when asked") {
  const std::string text = inRobot(
      "<link name='base'/>" + linkOf("rod") + linkOf("cart") +
      jointOf("hinge", "revolute", "base", "rod",
              "<axis xyz='0 0 1'/><limit lower='-0.5' upper='1.5'/><dynamics friction='2'/>") +
      jointOf("slide", "prismatic", "base", "cart",
              "<axis xyz='1 0 0'/><limit lower='-0.1' upper='0.2'/>"));
  const auto plain = urdfImport(text);
  CHECK(holds(plain.report.notConverted(), "limit", "hinge"));
  CHECK(holds(plain.report.notConverted(), "friction", "hinge"));
  robots::ImportOptions options;
  options.limits = robots::Stops{1000, 0};
  const auto stopped = urdfImport(text, options);
  CHECK(holds(stopped.report.converted(), "limit", "hinge"));
  CHECK(holds(stopped.report.converted(), "limit", "slide"));
  const double J = 0.02 + 0.04;
  const auto accelerations = [&](const char* phi, const char* x) {
    Started s(stopped, {std::string("hinge.phi.start=") + phi, std::string("slide.s.start=") + x},
              {"hinge.a", "slide.a"});
    return std::pair(s["hinge.a"] * J, s["slide.a"]);
  };
  CHECK(accelerations("1.4", "0.1").first == doctest::Approx(0));
  CHECK(accelerations("1.4", "0.1").second == doctest::Approx(0));
  CHECK(accelerations("1.6", "0.3").first == doctest::Approx(-100).epsilon(1e-10));
  CHECK(accelerations("1.6", "0.3").second == doctest::Approx(-100).epsilon(1e-10));
  CHECK(accelerations("-0.6", "-0.2").first == doctest::Approx(100).epsilon(1e-10));
  CHECK(accelerations("-0.6", "-0.2").second == doctest::Approx(100).epsilon(1e-10));
  options = {};
  options.friction = true;
  const auto rough = urdfImport(text, options);
  CHECK(holds(rough.report.converted(), "friction", "hinge"));
  Started s(rough, {"hinge.w.start=3"}, {"hinge.a"});
  CHECK(s["hinge.a"] * J == doctest::Approx(-2).epsilon(kImportRounding));
}

TEST_CASE("URDF import: shapes lie where URDF says, by their middle") {
  const auto robot = urdfImport(inRobot(
      "<material name='red'><color rgba='1 0 0 1'/></material><link name='a'>"
      "<visual><origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/><geometry><box size='0.4 0.2 "
      "0.1'/></geometry><material name='red'/></visual>"
      "<visual><origin xyz='0 0 1'/><geometry><cylinder radius='0.1' length='0.6'/></geometry>"
      "</visual><visual><geometry><sphere radius='0.1'/></geometry></visual>"
      "<visual><geometry><mesh filename='package://nowhere/x.stl'/></geometry></visual></link>"));
  const std::string text = robot.model.text();
  CHECK(text.find("a_shape: {type: Visualizers.FixedShape, r_shape: [1, -0.2, 0], lengthDirection: "
                  "[0, 1, 0], widthDirection: [-1, 0, 0], length: 0.4, width: 0.2, height: 0.1, "
                  "color: [255, 0, 0]}") != std::string::npos);
  CHECK(text.find("a_shape2: {type: Visualizers.FixedShape, shapeType: cylinder, r_shape: [0, 0, "
                  "0.7], lengthDirection: [0, 0, 1], widthDirection: [1, 0, 0], length: 0.6, "
                  "width: 0.2, height: 0.2, color: [180, 180, 180]}") != std::string::npos);
  CHECK(text.find("a_shape3: {type: Visualizers.FixedShape, shapeType: sphere, r_shape: [-0.1, 0, "
                  "0], length: 0.2") != std::string::npos);
  CHECK(holds(robot.report.notConverted(), "visual", "a"));
  Simulation::fromTree(catalogue(), robot.model.tree(), robot.model.files);
}

TEST_CASE("URDF import: an inertia that no body has is told, mended where it must be, or refused") {
  const std::string text = inRobot(
      "<link name='negative'><inertial><mass value='1'/><inertia ixx='-0.001' iyy='0.02' "
      "izz='0.02' "
      "ixy='0' ixz='0' iyz='0'/></inertial></link>"
      "<link name='thin'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.02' izz='0.05'/>"
      "</inertial></link><link name='empty'><inertial><mass value='0'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link>" +
      jointOf("a", "fixed", "negative", "thin", "") + jointOf("b", "fixed", "thin", "empty", ""));
  const auto robot = urdfImport(text);
  REQUIRE(robot.report.warnings().size() == 3);
  CHECK(robot.report.warnings()[0].text ==
        "link 'negative': no principal moment of inertia may be negative, found -0.001, 0.02, 0.02 "
        "kg.m2; the nearest possible tensor is taken, 0, 0.02, 0.02");
  CHECK(robot.report.warnings()[1].text ==
        "link 'thin': no principal moment of inertia may exceed the sum of the others, found 0.01, "
        "0.02, 0.05 kg.m2; it is kept: the equations of motion bear it");
  CHECK(
      robot.report.warnings()[2].text ==
      "link 'empty': a link without mass must have no inertia, found principal moments of 1, 1, 1 "
      "kg.m2; it keeps them");
  CHECK(robot.model.text().find("negative: {type: Body, m: 1, I_11: 0, I_22: 0.02, I_33: 0.02}") !=
        std::string::npos);
  robots::ImportOptions strict;
  strict.strictInertia = true;
  const std::string refused = urdfErrors(text, strict);
  CHECK(std::ranges::count(refused, '\n') == 2);
  CHECK(
      refused.starts_with("r.urdf:2:50: error: link 'negative': no principal moment of inertia "
                          "may be negative, found -0.001, 0.02, 0.02 kg.m2\n"));
}

TEST_CASE("URDF import: names become legal and unique, links first") {
  const auto robot =
      urdfImport(inRobot(linkOf("world") + linkOf("1 arm-a") + linkOf("_1_arm_a") +
                         linkOf("\xC3\xA4") + jointOf("1 arm-a", "revolute", "world", "1 arm-a") +
                         jointOf("j.1", "revolute", "world", "_1_arm_a") +
                         jointOf("j_1", "revolute", "world", "\xC3\xA4")));
  using Names = ImportReport::Names;
  CHECK(robot.report.linkNames == Names{{"world", "world_link"},
                                        {"1 arm-a", "_1_arm_a"},
                                        {"_1_arm_a", "_1_arm_a_link"},
                                        {"\xC3\xA4", "_"}});
  CHECK(robot.report.jointNames ==
        Names{{"1 arm-a", "_1_arm_a_joint"}, {"j.1", "j_1"}, {"j_1", "j_1_joint"}});
  const Simulation loaded =
      Simulation::fromTree(catalogue(), robot.model.tree(), robot.model.files);
  // What is written reads as what was imported.
  const Simulation written = Simulation::fromText(catalogue(), robot.model.text());
  CHECK(loaded.y().size() == written.y().size());
  CHECK(urdfImport("<robot name='null'><link name='a'/></robot>")
            .model.text()
            .starts_with("model: \"null\"\n"));
  CHECK(urdfImport("<robot name='&#10;x'><link name='a'/></robot>")
            .model.text()
            .starts_with("model: _x\n"));
  CHECK(urdfImport(inRobot("<link name='null'/>")).model.text().find("\"null\": {type: Body") !=
        std::string::npos);
}

TEST_CASE("URDF import: every element is counted, as converted or as left out") {
  const auto robot = urdfImport(inRobot(
      linkOf("a", 1, "<collision><geometry><box size='1 1 1'/></geometry></collision><frob/>") +
      "<gazebo reference='a'><material>Red</material></gazebo><transmission name='t'/>"));
  const auto& tags = robot.report.tags();
  int converted = 0, ignored = 0;
  for (const auto& [tag, n] : tags) {
    converted += n.converted;
    ignored += n.ignored;
  }
  CHECK(converted == 9);  // robot, link, inertial, origin, mass, inertia, collision, geometry, box
  CHECK(ignored == 4);    // frob, gazebo, material, transmission
  CHECK(tags.at("box").converted == 1);
  CHECK(holds(robot.report.notConverted(), "frob", "a"));
  CHECK(holds(robot.report.notConverted(), "gazebo", "a"));
  CHECK(holds(robot.report.notConverted(), "transmission", "t"));
  CHECK(robot.report.text() ==
        "r: 1 link, 0 joints, 1 kg\n"
        "converted:\n"
        "     1 link\n"
        "     1 inertial\n"
        "     1 collision\n"
        "not converted:\n"
        "     1 frob: its name means nothing here (line 2)\n"
        "     1 gazebo: settings of another simulator (line 3)\n"
        "     1 transmission: what drives a joint is no part of its mechanics: connect a drive to "
        "its axis (line 3)");
}

TEST_CASE("URDF import: a slip of a name is an error, a name of other programs is told") {
  const auto messages = [](const std::string& inside, bool allowUnknown) {
    robots::ImportOptions options;
    options.allowUnknown = allowUnknown;
    Diagnostics diagnostics;
    importRobotText(inRobot(linkOf("a", 1) + linkOf("b", 1) + inside), "r.urdf", options,
                    diagnostics);
    return diagnostics.format();
  };
  struct Name {
    const char *inside, *message;
    bool isError;
  };
  for (const Name& n :
       {Name{"<dynamics dampng='3'/>",
             "<dynamics> has no attribute 'dampng'; did you mean 'damping'?", true},
        {"<dynamic damping='3'/>", "<joint> has no element <dynamic>; did you mean 'dynamics'?",
         true},
        {"<dynamics rotor='3'/>", "<dynamics> has no attribute 'rotor'; it is left out", false},
        {"<hardwareInterface/>", "<joint> has no element <hardwareInterface>; it is left out",
         false}}) {
    CAPTURE(n.inside);
    const std::string joint = jointOf("j", "revolute", "a", "b", n.inside);
    const std::string found = messages(joint, false), allowed = messages(joint, true);
    CHECK_MESSAGE(found.find((n.isError ? "error: " : "warning: ") + std::string(n.message)) !=
                      std::string::npos,
                  found);
    CHECK_MESSAGE(allowed.find("warning: <") != std::string::npos, allowed);
    CHECK_MESSAGE(allowed.find("error") == std::string::npos, allowed);
  }
}

TEST_CASE("URDF import: a quaternion turns as roll, pitch and yaw do") {
  // Half a turn of 0.3 rad about (1, 2, 2) / 3, and the same by its angles.
  const double c = std::cos(0.15), s = std::sin(0.15) / 3;
  const double x = s, y = 2 * s, z = 2 * s;
  const auto text = [](double v) { return std::to_string(v); };
  const double roll = std::atan2(2 * (c * x + y * z), 1 - 2 * (x * x + y * y)),
               pitch = std::asin(2 * (c * y - z * x)),
               yaw = std::atan2(2 * (c * z + x * y), 1 - 2 * (y * y + z * z));
  const auto momentsOf = [&](const std::string& origin) {
    Diagnostics diagnostics;
    const auto robot =
        importRobotText(inRobot("<link name='a'><inertial><origin " + origin +
                                "/><mass value='1'/><inertia ixx='1' iyy='2' "
                                "izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial></link>"),
                        "r.urdf", {}, diagnostics);
    REQUIRE_MESSAGE(robot.has_value(), diagnostics.format());
    std::vector<double> moments;
    for (const char* key : {"I_11", "I_22", "I_33", "I_21", "I_31", "I_32"})
      moments.push_back(std::stod(robot->model.components[0].arguments.find(key)->text));
    return moments;
  };
  const auto byQuaternion = momentsOf("quat_xyzw='" + text(x) + " " + text(y) + " " + text(z) +
                                      " " + text(c) + "'"),
             byAngles = momentsOf("rpy='" + text(roll) + " " + text(pitch) + " " + text(yaw) + "'");
  for (size_t i = 0; i < byAngles.size(); ++i)
    CHECK(std::abs(byQuaternion[i] - byAngles[i]) < 1e-5);  // six decimals
}

TEST_CASE("URDF import: a wrong shape costs the shape, not the robot") {
  const auto robot = urdfImport(inRobot(
      "<link name='a'><visual><geometry><sphere radius='big'/></geometry></visual></link>"));
  REQUIRE(robot.report.warnings().size() == 1);
  CHECK(robot.report.warnings()[0].text ==
        "link 'a': 'radius' of <sphere> must be a finite number, found 'big'; it is left out");
  CHECK(holds(robot.report.notConverted(), "visual", "a"));
}

TEST_CASE("URDF import: what moves without mass is told") {
  const auto robot =
      urdfImport(inRobot("<link name='a'/><link name='b'/>" + linkOf("c") +
                         jointOf("j", "revolute", "a", "b") + jointOf("k", "revolute", "a", "c")));
  REQUIRE(robot.report.warnings().size() == 1);
  CHECK(robot.report.warnings()[0].name == "b");
}

TEST_CASE("URDF import: what is no robot is refused where it stands") {
  const std::string ab = "<link name='a'/><link name='b'/>";
  const auto j = [](const std::string& more) { return jointOf("j", "revolute", "a", "b", more); };
  const auto errors = [](const std::string& inside) { return urdfErrors(inRobot(inside)); };
  CHECK(urdfErrors("<mechanism/>") ==
        "r.urdf:1:1: error: a URDF file must hold a <robot>, found <mechanism>");
  CHECK(errors("") == "r.urdf:1:1: error: <robot> must hold a <link>, found none");
  CHECK(
      errors("<xacro:macro name='m'/>") ==
      "r.urdf:2:1: error: this is a template of a URDF file, found <xacro:macro>; expand it first: "
      "xacro FILE > robot.urdf");
  CHECK(errors("<link/>") == "r.urdf:2:1: error: every <link> must have a name");
  CHECK(errors("<link name='a'/>\n<link name='a'/>") ==
        "r.urdf:3:1: error: link 'a' is there twice\nr.urdf:2:1: note: first here");
  CHECK(errors(ab + "\n" + jointOf("j", "revolute", "a", "b") + jointOf("j", "fixed", "a", "b"))
            .find("r.urdf:4:1: error: joint 'j' is there twice") != std::string::npos);
  CHECK(errors("<link name='arm'/>\n" + jointOf("j", "fixed", "arm", "ram")) ==
        "r.urdf:3:63: error: joint 'j': no link 'ram'; did you mean 'arm'?");
  CHECK(errors(ab + "\n<joint name='j' type='fixed'><parent link='a'/></joint>") ==
        "r.urdf:3:1: error: joint 'j' must have a <child link=\"...\"/>");
  CHECK(errors(ab + "\n" + jointOf("j", "revolve", "a", "b")) ==
        "r.urdf:3:23: error: joint 'j': unknown type 'revolve'; did you mean 'revolute'? known are "
        "revolute, continuous, prismatic, fixed, floating, planar");
  CHECK(errors(ab + "\n<joint name='j'><parent link='a'/><child link='b'/></joint>")
            .starts_with("r.urdf:3:1: error: joint 'j' must have a type; known are revolute"));
  CHECK(errors(ab + "<link name='c'/>\n" + jointOf("j", "fixed", "a", "c") +
               jointOf("k", "fixed", "b", "c")) ==
        "r.urdf:4:61: error: joint 'k': link 'c' must have one parent, found a second one, 'b'\n"
        "r.urdf:3:61: note: the first one, 'a', is given by joint 'j'");
  CHECK(errors("<link name='a'/>\n<link name='b'/>") ==
        "r.urdf:3:1: error: a robot must hang together, but no joint carries link 'b'\n"
        "r.urdf:2:1: note: nor this one, 'a'");
  CHECK(errors("<link name='r'/>" + ab + "\n" + jointOf("j", "fixed", "a", "b") +
               jointOf("k", "fixed", "b", "a")) ==
        "r.urdf:3:1: error: joints must form a tree, but joints 'k', 'j' form a loop");
  CHECK(errors("<link name='a'/>\n" + jointOf("j", "fixed", "a", "a")) ==
        "r.urdf:3:1: error: joints must form a tree, but joint 'j' carries its own link");
  CHECK(errors(ab + j("\n<axis xyz='0 0 0'/>")) ==
        "r.urdf:3:12: error: joint 'j': 'xyz' of <axis> must not be the zero vector");
  for (const char* wrong :
       {"1 0", "1 0 0 0", "a b c", "nan 0 0", "inf 0 0", "1,0,0", "1e999 0 0", "0x1 0 0", ""}) {
    CHECK(errors(ab + j("\n<axis xyz='" + std::string(wrong) + "'/>")) ==
          "r.urdf:3:12: error: joint 'j': 'xyz' of <axis> must be three finite numbers, found '" +
              std::string(wrong) + "'");
  }
  CHECK(errors(ab + j("\n<origin rpy='0 0 ${pi}'/>")) ==
        "r.urdf:3:14: error: joint 'j': 'rpy' of <origin> must be three finite numbers, found '0 0 "
        "${pi}'; expand the file first: xacro FILE > robot.urdf");
  CHECK(errors(ab + j("\n<dynamics damping='-1'/>")) ==
        "r.urdf:3:20: error: joint 'j': 'damping' of <dynamics> must not be negative, found '-1'");
  CHECK(errors("<link name='a'><inertial>\n<mass value='-2'/><inertia/></inertial></link>") ==
        "r.urdf:3:14: error: link 'a': 'value' of <mass> must not be negative, found '-2'");
  CHECK(
      errors("<link name='a'>\n<inertial><mass value='2'/></inertial></link>") ==
      "r.urdf:3:1: error: link 'a': <inertial> must hold <mass> and <inertia>, found no <inertia>");
  CHECK(errors(ab + j("\n<mimic joint='k'/>")) ==
        "r.urdf:3:15: error: joint 'j': no joint 'k' that it could follow");
  CHECK(errors(ab + j("\n<mimic joint='j'/>")) ==
        "r.urdf:3:15: error: joint 'j' must not follow itself");
  CHECK(errors(ab + "<link name='c'/>" + j("\n<mimic joint='k'/>") +
               jointOf("k", "revolute", "a", "c", "<mimic joint='j'/>")) ==
        "r.urdf:3:15: error: joint 'j' must not follow itself");
  CHECK(errors(ab + "<link name='c'/>" + j("\n<mimic joint='k'/>") +
               jointOf("k", "planar", "a", "c")) ==
        "r.urdf:3:15: error: joint 'j' cannot follow joint 'k', which is planar: it has more than "
        "one coordinate");
}
