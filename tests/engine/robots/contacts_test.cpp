// Collision geometry of robots: which shapes become contacts, which of them touch, and how.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/model_structure.h"
#include "tests/engine/robots/started_robot.h"
#include "tests/folder.h"

using namespace cardan;

namespace {

RobotImport mjcf(const std::string& inside, const robots::ImportOptions& options = {}) {
  return test::importedRobot("<mujoco model='r'>" + inside + "</mujoco>", "r.xml", options);
}

RobotImport urdf(const std::string& inside, const robots::ImportOptions& options = {}) {
  return test::importedRobot("<robot name='r'>" + inside + "</robot>", "r.urdf", options);
}

std::string world(const std::string& inside) { return "<worldbody>" + inside + "</worldbody>"; }

std::string freeBody(const std::string& geoms, const std::string& name = "b") {
  return "<body name='" + name + "' pos='0 0 1'><freejoint/><inertial pos='0 0 0' mass='1' " +
         "diaginertia='1 1 1'/>" + geoms + "</body>";
}

/// The arguments of the component of this name; "" if there is none.
std::string shapeOf(const RobotImport& robot, const std::string& name) {
  const std::string text = robot.model.text(), begin = "  " + name + ": {type: Contact.Shape, ";
  const size_t at = text.find(begin);
  if (at == std::string::npos) return "";
  const size_t from = at + begin.size();
  return text.substr(from, text.find("}\n", from) - from);
}

std::string contactsOf(const RobotImport& robot) {
  const std::string text = robot.model.text();
  const size_t at = text.find("\ncontacts:\n");
  return at == std::string::npos ? "" : text.substr(at + 11);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool isLeftOut(const RobotImport& robot, const std::string& what, const std::string& reason) {
  return std::ranges::any_of(robot.report.notConverted(), [&](const auto& e) {
    return e.what == what && holds(e.reason, reason);
  });
}

int converted(const RobotImport& robot) {
  return std::ranges::count(robot.report.converted(), "collision", &ImportReport::Entry::what);
}

bool warns(const RobotImport& robot, const std::string& part) {
  return std::ranges::any_of(robot.report.warnings(),
                             [&](const auto& w) { return holds(w.text, part); });
}

/// Pairs that may touch, "a.b a.c ...", as the loaded model has them.
std::string pairsOf(const RobotImport& robot) {
  const Simulation s = Simulation::fromTree(catalogue(), robot.model.tree(), robot.model.files);
  std::string pairs;
  for (const std::string& name : ModelStructure::of(s).contacts)
    pairs += (pairs.empty() ? "" : " ") + name.substr(std::string("contact.").size());
  return pairs;
}

const std::string kFloor = "<geom name='floor' type='plane' size='1 1 1'/>";

std::string linkWith(const std::string& name, const std::string& collision) {
  return "<link name='" + name +
         "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>" + collision +
         "</link>";
}

std::string collision(const std::string& geometry, const std::string& name = "") {
  return "<collision" + (name.empty() ? "" : " name='" + name + "'") +
         "><origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/><geometry>" + geometry +
         "</geometry></collision>";
}

const std::string kSphere = "<sphere radius='0.1'/>";

}  // namespace

TEST_CASE("MJCF contacts: every type of geom has its shape, in the body's frame") {
  const RobotImport r = mjcf(
      "<asset><mesh name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='1 1 2'/></asset>" +
      world("<geom name='floor' type='plane' size='1 1 1' pos='0 0 -1' euler='0 30 0' rgba='1 0 0 "
            "1'/>" +
            freeBody("<geom name='s' size='0.1' pos='1 2 3'/>"
                     "<geom name='c' type='capsule' size='0.1' fromto='0 0 0 0 2 0'/>"
                     "<geom name='z' type='cylinder' size='0.1 0.3' euler='0 90 0'/>"
                     "<geom name='q' type='box' size='0.1 0.2 0.3' euler='10 20 30'/>"
                     "<geom name='e' type='ellipsoid' size='0.1 0.2 0.3'/>"
                     "<geom name='m' type='mesh' mesh='t'/>")));
  CHECK(shapeOf(r, "floor") ==
        "shape: plane, r: [0, 0, -1], n: [0.5, 0, 0.866025403784], color: [255, 0, 0]");
  CHECK(shapeOf(r, "s") == "shape: sphere, r: [1, 2, 3], radius: 0.1, animation: false");
  CHECK(shapeOf(r, "c") ==
        "shape: capsule, r: [0, 1, 0], angles: [90, 0, 0], radius: 0.1, length: 2, animation: "
        "false");
  CHECK(shapeOf(r, "z") ==
        "shape: cylinder, angles: [0, 90, 0], radius: 0.1, length: 0.6, animation: false");
  CHECK(shapeOf(r, "q") ==
        "shape: box, angles: [10, 20, 30], size: [0.2, 0.4, 0.6], animation: false");
  CHECK(shapeOf(r, "e") == "shape: ellipsoid, radii: [0.1, 0.2, 0.3], animation: false");
  // Nothing else shows a mesh without a file.
  CHECK(shapeOf(r, "m") == "shape: hull, points: [[0, 0, 0], [0, 0, 2], [0, 1, 0], [1, 0, 0]]");
  CHECK(converted(r) == 7);
  CHECK(!isLeftOut(r, "shape", ""));
  CHECK(warns(r, "contacts are Cardan's"));
  const std::string text = r.model.text();
  CHECK(holds(text, "[world.frame_b, floor.frame_a]"));
  CHECK(holds(text, "[b.frame_a, q.frame_a]"));
}

TEST_CASE(
    "MJCF contacts: a height field is ground, its rows from low y on, from zero to its rise") {
  const RobotImport r = mjcf(
      "<asset><hfield name='h' nrow='2' ncol='3' size='2 1 0.5 0.1' elevation='1 2 3 5 3 "
      "1'/></asset>" +
      world("<geom name='h' type='hfield' hfield='h' pos='0 0 1'/>" +
            freeBody("<geom name='e' type='ellipsoid' size='0.1 0.2 0.3'/>")));
  CHECK(
      shapeOf(r, "h") ==
      "shape: heights, r: [0, 0, 1], heights: [[0.5, 0.25, 0], [0, 0.125, 0.25]], spacing: [2, 2]");
  CHECK(pairsOf(r) == "h.e");
}

TEST_CASE("MJCF contacts: what has no shape is told") {
  const std::string assets =
      "<asset><mesh name='flat' vertex='0 0 0 1 0 0 0 1 0'/><hfield name='h' file='h.png' "
      "size='1 1 1 1'/></asset>";
  const RobotImport r =
      mjcf(assets + world("<geom name='h' type='hfield' hfield='h'/>" + kFloor +
                          freeBody("<geom type='mesh' mesh='flat' mass='0'/><geom name='e' "
                                   "type='ellipsoid' size='1 1 1'/><geom size='0.1' margin='0.01' "
                                   "gap='0.01'/>") +
                          freeBody("<geom type='box' size='1 1 1'/>", "other")));
  CHECK(isLeftOut(r, "collision", "no heights can be read"));
  CHECK(isLeftOut(r, "collision", "an ellipsoid touches ground alone"));
  CHECK(isLeftOut(r, "margin", "where the surfaces meet"));
  CHECK(isLeftOut(r, "gap", "where the surfaces meet"));
  CHECK(warns(r, "geom 'h' touches nothing"));
  CHECK(warns(r, "geom one of body 'b' touches nothing"));
  CHECK(pairsOf(r) == "floor.e floor.b_shape floor.other_shape b_shape.other_shape");
}

TEST_CASE("MJCF contacts: of a hull with too many faces those corners stay that hold most of it") {
  std::string ball;
  constexpr int kCorners = 1000;
  for (int i = 0; i < kCorners; ++i) {
    const double z = 1 - (2 * i + 1.0) / kCorners, phi = 2.4 * i, r = std::sqrt(1 - z * z);
    ball += std::to_string(r * std::cos(phi)) + " " + std::to_string(r * std::sin(phi)) + " " +
            std::to_string(z) + " ";
  }
  const RobotImport r =
      mjcf("<asset><mesh name='ball' vertex='" + ball + "'/></asset>" +
           world(kFloor + freeBody("<geom name='g' type='mesh' mesh='ball' mass='1'/>")));
  CHECK(pairsOf(r) == "floor.g");  // a shape with more faces would be an error
  // A hundred caps of a ball of 1 m, each of the radius a: 100 pi a^2 = 4 pi cover it once, and of a
  // triangle of three of them no point is farther inside than three caps would be, 3 a^2/2.
  const auto& all = r.report.warnings();
  const auto cut = std::ranges::find_if(all, [](const auto& w) {
    return holds(w.text, "the hulls of meshes have more than 200 faces");
  });
  REQUIRE(cut != all.end());
  const size_t by = cut->text.find(" by ");
  const double most = std::stod(cut->text.substr(by + 4));
  CHECK(most > 0);
  CHECK(most < 3 * 0.04 / 2);
  CHECK(holds(cut->text, " m at most, of 'g'"));
}

TEST_CASE("MJCF contacts: names are those of geoms, else of their bodies") {
  const RobotImport r = mjcf(world(
      "<geom type='plane' size='1 1 1'/>" +
      freeBody("<geom size='0.1'/><geom size='0.2'/><geom name='b' size='0.3'/><geom name='left "
               "foot' size='0.4'/><geom name='contact' size='0.5'/>")));
  CHECK(!shapeOf(r, "world_shape").empty());
  CHECK(holds(shapeOf(r, "b_shape"), "radius: 0.1"));
  CHECK(holds(shapeOf(r, "b_shape_2"), "radius: 0.2"));
  CHECK(holds(shapeOf(r, "b_geom"), "radius: 0.3"));
  CHECK(holds(shapeOf(r, "left_foot"), "radius: 0.4"));
  // Results of contacts begin with that word.
  CHECK(holds(shapeOf(r, "contact_geom"), "radius: 0.5"));
  CHECK(!pairsOf(r).empty());
}

TEST_CASE("MJCF contacts: which geoms touch") {
  const std::string limb =
      "<body name='limb'><joint/><geom name='l' size='.1'/><body name='hand'><geom name='h' "
      "size='.1'/><body name='tip'><joint/><geom name='t' size='.1' "
      "mass='1'/></body></body></body>";
  // Not those of one body, nor of a body and the one that carries it; what is fixed to it is it.
  CHECK(pairsOf(mjcf(world(kFloor + freeBody("<geom name='x' size='1'/>" + limb)))) ==
        "floor.x floor.l floor.h floor.t x.t");
  // The world carries all.
  CHECK(pairsOf(mjcf(world(kFloor + "<body><joint/><geom name='x' size='1'/></body>"))) ==
        "floor.x");
  CHECK(pairsOf(mjcf(world(kFloor + freeBody("<geom name='x' size='1'/>" + limb)) +
                     "<contact><exclude body1='b' body2='tip'/><exclude body1='hand' "
                     "body2='world'/></contact>")) == "floor.x floor.l floor.t");
  // By their bits.
  const std::string bits =
      world("<geom name='floor' type='plane' size='1 1 1' contype='1' conaffinity='0'/>" +
            freeBody("<geom name='x' size='1' contype='2' conaffinity='1'/>", "b") +
            freeBody("<geom name='y' size='1' contype='0' conaffinity='2'/>", "c") +
            freeBody("<geom name='z' size='1' contype='0' conaffinity='0'/>", "d"));
  const RobotImport some = mjcf(bits);
  CHECK(pairsOf(some) == "floor.x x.y");
  CHECK(shapeOf(some, "z").empty());
  // A pair goes before all.
  const RobotImport paired =
      mjcf(bits + "<contact><pair geom1='z' geom2='floor'/><pair geom1='x' geom2='x'/></contact>");
  CHECK(pairsOf(paired) == "floor.x floor.z x.y");
  CHECK(isLeftOut(paired, "collision", "it names one geom"));
  CHECK(pairsOf(mjcf(world(freeBody("<geom name='x' size='1'/>" + limb)) +
                     "<contact><pair geom1='x' geom2='l'/><exclude body1='b' "
                     "body2='tip'/></contact>")) == "x.l");
  // Six joints hold nothing, but MuJoCo does not let their bodies touch.
  std::string six;
  for (const char* axis : {"1 0 0", "0 1 0", "0 0 1"}) {
    six += "<joint type='slide' axis='" + std::string(axis) + "'/><joint axis='" + axis + "'/>";
  }
  CHECK(pairsOf(mjcf(world(kFloor + freeBody("<geom name='x' size='1'/><body>" + six +
                                             "<geom name='y' size='1'/></body>")))) ==
        "floor.x floor.y");
}

TEST_CASE("MJCF contacts: all that touches alike needs no list, and classes of geoms are groups") {
  CHECK(contactsOf(mjcf(world(kFloor + freeBody("<geom size='1'/>")))) ==
        "  defaults: {penetration: 0.000367, restitution: 0.05, mu: 1, rolling: 0}\n");
  // Friction is the larger one of both.
  CHECK(contactsOf(mjcf(world(
            kFloor +
            freeBody("<geom name='x' size='1' condim='6' friction='0.5 .1 .002'/><geom name='y' "
                     "size='1' condim='6' friction='0.5 .1 .002'/>") +
            freeBody("<geom name='z' size='1' friction='1.5'/>", "c")))) ==
        "  defaults: {penetration: 0.000367, restitution: 0.05, mu: 1, rolling: 0.002}\n"
        "  groups: {geoms1: [floor], geoms2: [x, y], geoms3: [z]}\n"
        "  pairs: [[geoms1, geoms2], {between: [geoms1, geoms3], penetration: 0.000367, "
        "restitution: 0.05, mu: 1.5, rolling: 0}, {between: [geoms2, geoms3], penetration: "
        "0.000367, restitution: 0.05, mu: 1.5, rolling: 0.002}]\n");
}

TEST_CASE("MJCF contacts: laws have the depth and the loss of MuJoCo's solver") {
  const auto law = [](const std::string& floor, const std::string& ball,
                      const std::string& option = "") {
    const std::string text =
        contactsOf(mjcf(option + world("<geom type='plane' size='1 1 1' " + floor + "/>" +
                                       freeBody("<geom size='.1' " + ball + "/>"))));
    return text.substr(0, text.find('\n') + 1);
  };
  const auto text = [](const std::string& values) { return "  defaults: {" + values + "}\n"; };
  // Depths at rest as MuJoCo 2.2.2 has them after 5 s: 0.196935, 0.273721, 0.319778, 5.34791 mm;
  // below, of the pair, with elliptic cones.
  CHECK(law("solref='0.01 0.7'", "solref='0.03 0.5' friction='0.3 .1 .2' solmix='3' condim='6'") ==
        text("penetration: 0.000197, restitution: 0.126, mu: 1, rolling: 0.2"));
  CHECK(law("solimp='.8 .9 .01 .3 3'", "solimp='.8 .9 .01 .3 3' solref='0.001 1'") ==
        text("penetration: 0.000274, restitution: 0.05, mu: 1, rolling: 0"));
  CHECK(law("solref='-3000 -40'", "solref='-3000 -40' priority='1' condim='1'") ==
        text("penetration: 0.00032, restitution: 0.292, mu: 0, rolling: 0"));
  CHECK(law("solimp='0 .99 .01'", "solimp='0 .99 .01'") ==
        text("penetration: 0.00535, restitution: 0.05, mu: 1, rolling: 0"));
  // Time constants are two steps or longer, unless the file says otherwise.
  CHECK(law("solref='1e-3 1'", "solref='1e-3 1'", "<option timestep='0.01'/>") ==
        law("", "", "<option timestep='0.01'/>"));
  CHECK(law("solref='1e-3 1'", "solref='1e-3 1'", "<option><flag refsafe='disable'/></option>") !=
        law("solref='4e-3 1'", "solref='4e-3 1'"));
  CHECK(law("condim='1'", "condim='1'") ==
        text("penetration: 0.000367, restitution: 0.05, mu: 0, rolling: 0"));
  CHECK(holds(law("condim='1'", ""), "mu: 1,"));
  // Rolling is resisted with six dimensions alone.
  CHECK(holds(law("condim='4' friction='1 .1 .2'", ""), "mu: 1, rolling: 0}"));
  CHECK(holds(law("condim='6' friction='1 .1 .2'", ""), "mu: 1, rolling: 0.2}"));
  CHECK(law("solref='1 -1'", "solref='1 -1'") == law("", ""));  // it makes no sense
  const std::string pair = contactsOf(
      mjcf(world(kFloor + freeBody("<geom name='x' size='.1'/>")) +
           "<default><pair solref='0.04 1'/></default><contact><pair geom1='floor' geom2='x' "
           "friction='0.3 0.3 0.01 0.002 0.002' condim='6'/></contact>"));
  CHECK(holds(pair,
              "{between: [floor, x], penetration: 0.000833, restitution: 0.05, mu: 0.3, "
              "rolling: 0.002}"));
}

TEST_CASE("MJCF contacts: a copy of a part has contacts of its own") {
  const RobotImport r = mjcf(world(kFloor + "<replicate count='2' offset='1 0 0'>" +
                                   freeBody("<geom name='x' size='.1'/>") + "</replicate>") +
                             "<contact><exclude body1='b0' body2='b1'/></contact>");
  CHECK(pairsOf(r) == "floor.x0 floor.x1");
}

TEST_CASE("contacts: none are there where an option or the file switches them off") {
  const std::string robot = world(kFloor + freeBody("<geom size='.1'/>"));
  robots::ImportOptions none;
  none.noContacts = true;
  const RobotImport without = mjcf(robot, none);
  CHECK(contactsOf(without).empty());
  CHECK(isLeftOut(without, "collision", "not with --no-contacts"));
  CHECK(warns(without, "bodies pass through each other"));
  const RobotImport withoutOfUrdf =
      urdf(linkWith("contact", collision("<sphere radius='0.1'/>")), none);
  CHECK(contactsOf(withoutOfUrdf).empty());
  CHECK(isLeftOut(withoutOfUrdf, "collision", "not with --no-contacts"));
  // Names of contacts begin with a word that is free where nothing can touch.
  CHECK(holds(withoutOfUrdf.model.text(), "  contact: {type: Body,"));
  CHECK(holds(urdf(linkWith("contact", collision("<sphere radius='0.1'/>"))).model.text(),
              "  contact_link: {type: Body,"));
  for (const char* flag : {"contact", "constraint"}) {
    const RobotImport off = mjcf("<option><flag " + std::string(flag) + "='disable'/></option>" +
                                 robot + "<contact><exclude body1='nobody' body2='b'/></contact>");
    CHECK(contactsOf(off).empty());
    CHECK(converted(off) == 0);
    CHECK(isLeftOut(off, "collision", "switched off"));
    CHECK(isLeftOut(off, "contact", "switched off"));
    CHECK(warns(off, "switches them off"));
  }
}

TEST_CASE("MJCF contacts: more pairs than a run carries are left out, and told") {
  const auto balls = [](int count) {
    return mjcf(world("<replicate count='" + std::to_string(count) + "' offset='1 0 0'>" +
                      freeBody("<geom name='x' size='.1'/>") + "</replicate>"));
  };
  CHECK(converted(balls(89)) == 89);   // 89 * 88/2 = 3916
  const RobotImport many = balls(91);  // 4095
  CHECK(contactsOf(many).empty());
  CHECK(warns(many, "contacts are left out: 4095 pairs of geoms may touch"));
  CHECK(isLeftOut(many, "collision", "more than 4000 pairs"));

  // What a joint ties together, what is excluded, and what is listed twice is not counted.
  std::string spheres, listed;
  for (int i = 0; i < 64; ++i) spheres += "<geom size='.1' pos='" + std::to_string(i) + " 0 0'/>";
  const std::string limbs =
      "<body name='a'><freejoint/>" + spheres + "<body name='b'><joint type='hinge'/>" + spheres +
      "<body name='c'><joint type='hinge'/>" + spheres + "</body></body></body>";
  CHECK(warns(mjcf(world(limbs)), "contacts are left out: 4096 pairs"));
  CHECK(converted(mjcf(world(limbs) + "<contact><exclude body1='c' body2='a'/></contact>")) == 192);
}

TEST_CASE("MJCF contacts: the ground touches all that touches anything") {
  robots::ImportOptions options;
  options.ground = -0.5;
  const RobotImport r =
      mjcf(world(freeBody("<geom name='x' size='.1' contype='2' conaffinity='0'/><geom name='y' "
                          "size='.1' contype='0' conaffinity='0'/>")),
           options);
  CHECK(shapeOf(r, "ground") == "shape: plane, r: [0, 0, -0.5], n: [0, 0, 1]");
  CHECK(pairsOf(r) == "ground.x");
}

TEST_CASE("MJCF contacts: what is wrong is an error at its place") {
  const auto messageOf = [](const std::string& text) {
    Diagnostics diagnostics;
    importRobotText("<mujoco>" + text + "</mujoco>", "r.xml", {}, diagnostics);
    return diagnostics.format();
  };
  const std::string two = "<geom name='x' size='1'/><geom name='x' size='1'/>";
  CHECK(holds(messageOf(world(two)), "r.xml:1:57: error: geom 'x' is defined twice"));
  CHECK(holds(messageOf(world(kFloor) + "<contact><pair geom1='floor' geom2='flor'/></contact>"),
              "error: no geom 'flor'; did you mean 'floor'?"));
  CHECK(holds(messageOf("<contact><pair geom1='floor'/></contact>"), "error: no geom 'floor'"));
  CHECK(holds(messageOf("<contact><exclude body1='world'/></contact>"), "'body2' must be given"));
  CHECK(!holds(messageOf(world(freeBody("<geom size='1e-320'/>"))), "error"));  // it is a number
  CHECK(holds(messageOf(world("<geom size='1' solref='x'/>")), "error: a geom: 'solref'"));
}

TEST_CASE("URDF contacts: collisions are shapes that touch the ground alone") {
  robots::ImportOptions options;
  const std::string robot =
      linkWith("a", collision("<box size='1 2 3'/>") +
                        collision("<cylinder radius='1' length='2'/>") +
                        collision(kSphere, "foot")) +
      linkWith("b", collision(kSphere, "a")) + linkWith("c", collision(kSphere)) +
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"
      "<joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint>";
  const RobotImport nothing = urdf(robot, options);
  CHECK(contactsOf(nothing) ==
        "  groups: {robot: [a_shape, a_shape_2, foot, a_collision, c_shape]}\n"
        "  exclude: [[robot, robot]]\n");
  CHECK(pairsOf(nothing).empty());
  CHECK(nothing.report.warnings().empty());
  CHECK(converted(nothing) == 5);
  options.floating = true;
  options.ground = 0;
  const RobotImport r = urdf(robot, options);
  CHECK(shapeOf(r, "a_shape") ==
        "shape: box, r: [0, 0, 1], angles: [0, 0, 90], size: [1, 2, 3], animation: false");
  CHECK(shapeOf(r, "a_shape_2") ==
        "shape: cylinder, r: [0, 0, 1], radius: 1, length: 2, animation: false");
  CHECK(shapeOf(r, "foot") == "shape: sphere, r: [0, 0, 1], radius: 0.1, animation: false");
  CHECK(!shapeOf(r, "a_collision").empty());
  CHECK(shapeOf(r, "ground") == "shape: plane, n: [0, 0, 1]");
  CHECK(contactsOf(r) ==
        "  groups: {robot: [a_shape, a_shape_2, foot, a_collision, c_shape]}\n"
        "  exclude: [[robot, robot]]\n");
  CHECK(pairsOf(r) ==
        "ground.a_shape ground.a_shape_2 ground.foot ground.a_collision ground.c_shape");
  options.ground.reset();
  options.selfCollisions = true;
  CHECK(pairsOf(urdf(robot, options)) == "a_shape.c_shape a_shape_2.c_shape foot.c_shape");
}

TEST_CASE("URDF contacts: links that fixed joints hold are one body where they are merged") {
  robots::ImportOptions options;
  options.ground = 0;
  options.floating = options.mergeFixed = true;
  const RobotImport r = urdf(linkWith("a", "") + linkWith("b", collision(kSphere)) +
                                 "<joint name='j' type='fixed'><origin xyz='0 2 0'/><parent "
                                 "link='a'/><child link='b'/></joint>",
                             options);
  CHECK(shapeOf(r, "a_shape") == "shape: sphere, r: [0, 2, 1], radius: 0.1, animation: false");
  CHECK(pairsOf(r) == "ground.a_shape");
}

TEST_CASE("URDF contacts: meshes are hulls; what cannot touch is told once") {
  const test::Folder folder;
  folder.write("part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\n");
  robots::ImportOptions options;
  options.ground = 0;
  options.modelFolder = folder / "";
  Diagnostics diagnostics;
  const auto r = importRobotText(
      "<robot name='r'>" +
          linkWith("a", collision("<mesh filename='part.obj' scale='1 1 2'/>") +
                            collision("<mesh filename='other.stl'/>") +
                            collision("<sphere radius='0'/>") + collision("<capsule/>")) +
          "</robot>",
      folder / "r.urdf", options, diagnostics);
  REQUIRE(r.has_value());
  CHECK(holds(shapeOf(*r, "a_shape"), "points: [[0, 0, 0], [0, 0, 2], [0, 1, 0], [1, 0, 0]]"));
  CHECK(isLeftOut(*r, "collision", "the file of the mesh is not there"));
  CHECK(isLeftOut(*r, "collision", "its sizes must be positive"));
  CHECK(isLeftOut(*r, "collision", "URDF knows no geometry <capsule>"));
  CHECK(std::ranges::count_if(r->report.warnings(), [](const auto& w) {
          return holds(w.text, "<collision> of link 'a' touches nothing");
        }) == 2);
  CHECK(urdf("<link name='a'/>").report.warnings().empty());
  CHECK(warns(urdf("<link name='a'/>", options), "it has no shapes for it"));
}
