// cardan import, and Modelica files and robots in the place of model files.
#include <doctest/doctest.h>

#include <string>

#include "tests/apps/process.h"

using test::Folder;
using test::Process;
using test::runCardan;

namespace {

const char* const kRobots = R"(package Robots
  model Arm "An arm"
    inner Modelica.Mechanics.MultiBody.World world;
    Modelica.Mechanics.MultiBody.Joints.Revolute hinge(phi(start = 0.3, fixed = true), w(fixed = true));
    Modelica.Mechanics.MultiBody.Parts.BodyBox box(r = {L, 0, 0}, width = 0.05);
    parameter Real L = 0.5 "length";
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, box.frame_a);
    annotation (experiment(StopTime = 1, Interval = 0.1));
  end Arm;
  model Heavy
    extends Arm(L = 2);
    annotation (experiment(StopTime = 1));
  end Heavy;
end Robots;
)";

const char* const kImportPendulum = R"(<robot name="pendulum">
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0.3 0 0"/><mass value="2"/><inertia ixx="0" iyy="0.1" izz="0.1"/></inertial>
    <collision/>
  </link>
  <joint name="hinge" type="continuous">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
  </joint>
</robot>
)";

}  // namespace

TEST_CASE("cardan import: what is written runs as the Modelica file does, bit for bit") {
  const Folder folder;
  folder.write("Robots.mo", kRobots);
  const Process imported = runCardan(folder, "import Robots.mo Arm -o arm.yaml");
  CAPTURE(imported.err);
  CHECK(imported.code == 0);
  CHECK(imported.out.empty());
  CHECK(folder.read("arm.yaml").starts_with("# Robots.Arm\nmodel: Arm\ndescription: An arm\n"));
  CHECK(runCardan(folder, "check arm.yaml").code == 0);
  CHECK(runCardan(folder, "simulate arm.yaml -q -o a.csv --set L=0.7").code == 0);
  CHECK(runCardan(folder, "simulate Robots.mo --class Robots.Arm -q -o b.csv --set L=0.7").code ==
        0);
  CHECK(!folder.read("a.csv").empty());
  CHECK(folder.read("a.csv") == folder.read("b.csv"));
  CHECK(runCardan(folder, "import Robots.mo Arm").out == folder.read("arm.yaml"));
  CHECK(runCardan(folder, "check Robots.mo --class Heavy").code == 0);
}

TEST_CASE("cardan import: a wrong file is exit code 2, and nothing is written") {
  const Folder folder;
  folder.write("Robots.mo", kRobots);
  folder.write("wrong.mo", "model M\n  Modelica.Fluid.Pipe pipe;\n  Real x[2] = y;\nend M;\n");
  const Process unknown = runCardan(folder, "import wrong.mo -o m.yaml");
  CHECK(unknown.code == 2);
  CHECK(
      unknown.err ==
      "wrong.mo:2:3: error: class 'Modelica.Fluid.Pipe' is not in Cardan's catalogue, and no file "
      "given defines it\nwrong.mo:3:15: error: unknown name 'y'\n2 errors\n");
  CHECK(!folder.has("m.yaml"));
  const Process several = runCardan(folder, "simulate Robots.mo");
  CHECK(several.code == 2);
  CHECK(several.err ==
        "Robots.mo:1:9: error: the file holds several models; name one of Robots.Arm, "
        "Robots.Heavy\n");
  const Process none = runCardan(folder, "check Robots.mo --class Amr");
  CHECK(none.code == 2);
  CHECK(none.err == "Robots.mo: error: no class 'Amr' in this file; did you mean 'Arm'?\n");
  CHECK(runCardan(folder, "import nothing.mo").err == "nothing.mo: error: cannot read the file\n");
  const Process component = runCardan(folder, "import Robots.mo Arm --library nowhere -o m.yaml");
  CHECK(component.code == 2);
  CHECK(component.err == "nowhere: error: library: no such folder\n");
}

TEST_CASE("cardan import: no file that was read is overwritten") {
  const Folder folder;
  folder.write("Robots.mo", kRobots);
  const Process p = runCardan(folder, "import Robots.mo Arm -o Robots.mo");
  CHECK(p.code == 2);
  CHECK(folder.read("Robots.mo") == kRobots);
  CHECK(runCardan(folder, "simulate Robots.mo --class Arm -o Robots.mo").code == 2);
  CHECK(folder.read("Robots.mo") == kRobots);
}

TEST_CASE("cardan import: a robot that is written runs as the URDF file does, bit for bit") {
  const Folder folder;
  folder.write("pendulum.urdf", kImportPendulum);
  const Process imported = runCardan(folder, "import pendulum.urdf -o p.yaml --json p.json");
  CHECK(imported.code == 0);
  CHECK(imported.out.empty());
  CHECK(imported.err ==
        "pendulum: 2 links, 1 joint (1 continuous), 2 kg\n"
        "converted:\n"
        "     2 link\n"
        "     1 inertial\n"
        "     1 joint\n"
        "not converted:\n"
        "     1 collision: it has no geometry (line 5)\n");
  CHECK(folder.read("p.json").find("\"mass\": 2.0") != std::string::npos);
  CHECK(runCardan(folder, "simulate p.yaml -q -o a.csv --set hinge.phi.start=0.3").code == 0);
  CHECK(runCardan(folder, "simulate pendulum.urdf -q -o b.csv --set hinge.phi.start=0.3").code ==
        0);
  CHECK(!folder.read("a.csv").empty());
  CHECK(folder.read("a.csv") == folder.read("b.csv"));
  CHECK(runCardan(folder, "import pendulum.urdf").out == folder.read("p.yaml"));
  const Process floating = runCardan(folder, "check pendulum.urdf --floating");
  CHECK(floating.code == 2);  // its base has no mass
  CHECK(floating.err.find("moves no mass") != std::string::npos);
  CHECK(runCardan(folder, "import pendulum.urdf -o pendulum.urdf").code == 2);
  CHECK(runCardan(folder, "import pendulum.urdf -o q.yaml --json pendulum.urdf").code == 2);
  CHECK(!folder.has("q.yaml"));
  CHECK(folder.read("pendulum.urdf") == kImportPendulum);
}

TEST_CASE("cardan import: a wrong robot is exit code 2, and nothing is written") {
  const Folder folder;
  folder.write("wrong.urdf", "<robot><link name='a'/>\n<link name='a'/></robot>");
  const Process wrong = runCardan(folder, "import wrong.urdf -o w.yaml --json w.json");
  CHECK(wrong.code == 2);
  CHECK(wrong.err ==
        "wrong.urdf:2:1: error: link 'a' is there twice\nwrong.urdf:1:8: note: first here\n");
  CHECK(!folder.has("w.yaml"));
  CHECK(!folder.has("w.json"));
  CHECK(runCardan(folder, "simulate wrong.urdf -o w.csv").code == 2);
  folder.write("m.yaml", "model: M\n");
  CHECK(runCardan(folder, "check m.yaml --floating").err ==
        "error: --floating, --package, --merge-fixed, --friction, --limits, --no-limits, "
        "--contacts, --no-contacts, --ground, --self-collisions, --allow-unknown and "
        "--strict-inertia are for robots (.urdf, .xml), and 'm.yaml' is none\n");
  folder.write("p.urdf", kImportPendulum);
  for (const char* limits : {"0", "x", "1,", "1,-2", "nan", "1,2,3"})
    CHECK(runCardan(folder, std::string("check p.urdf --limits ") + limits).code == 2);
  CHECK(runCardan(folder, "check p.urdf --limits 1e4,10").code == 0);
  CHECK(runCardan(folder, "check p.urdf --package nowhere").code == 2);
}

TEST_CASE("cardan import: options of contacts go together, or are refused") {
  const Folder folder;
  folder.write("p.urdf",
               "<robot name='p'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
               "izz='1'/></inertial>\n<collision><geometry><sphere "
               "radius='0.1'/></geometry></collision></link></robot>");
  folder.write("m.xml", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  const auto messageOf = [&](const std::string& arguments) {
    const Process p = runCardan(folder, "check " + arguments);
    CHECK(p.code == 2);
    return p.err;
  };
  CHECK(messageOf("p.urdf --contacts --no-contacts") ==
        "error: --contacts and --no-contacts must not both be given\n");
  for (const char* option : {"--ground", "--self-collisions"})
    CHECK(messageOf("p.urdf --no-contacts " + std::string(option)) ==
          "error: --ground and --self-collisions need contacts: leave --no-contacts out\n");
  CHECK(
      messageOf("m.xml --self-collisions") ==
      "error: --self-collisions is for robots in URDF, and 'm.xml' is none: MJCF says itself what "
      "touches\n");
  CHECK(messageOf("p.urdf --ground low").find("must be a height [m], found 'low'") !=
        std::string::npos);
  for (const std::string ground : {"--ground", "--ground=0", "--ground 0"}) {
    const Process p = runCardan(folder, "import p.urdf --floating " + ground);
    CHECK(p.out.find("ground: {type: Contact.Shape, shape: plane, n: [0, 0, 1]}") !=
          std::string::npos);
  }
  const Process low =
      runCardan(folder, "import p.urdf -o p.yaml --json p.json --floating --ground -0.4");
  CHECK(low.code == 0);
  CHECK(low.err.find("     1 collision\n") != std::string::npos);
  CHECK(folder.read("p.json").find("\"what\": \"collision\"") != std::string::npos);
  CHECK(folder.read("p.yaml").find("shape: plane, r: [0, 0, -0.4]") != std::string::npos);
  CHECK(runCardan(folder, "import p.urdf --contacts").out ==
        runCardan(folder, "import p.urdf").out);
  CHECK(runCardan(folder, "import p.urdf --no-contacts").out.find("Contact.") == std::string::npos);
  CHECK(runCardan(folder, "simulate p.yaml -q -o a.csv").code == 0);
  CHECK(runCardan(folder, "simulate p.urdf --floating --ground -0.4 -q -o b.csv").code == 0);
  CHECK(folder.read("a.csv") == folder.read("b.csv"));
}

TEST_CASE("cardan import: an MJCF file and what it includes run as what is written of them") {
  const Folder folder;
  folder.write("inside.xml", R"(<mujoco><worldbody><body name="rod" pos="0 0 1">
  <joint name="hinge" axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0.5 0 0"/>
</body></worldbody></mujoco>
)");
  folder.write("arm.xml", R"(<mujoco model="arm">
  <include file="inside.xml"/>
  <actuator><motor name="drive" joint="hinge"/></actuator>
</mujoco>
)");
  const Process imported = runCardan(folder, "import arm.xml -o arm.yaml --json arm.json");
  CAPTURE(imported.err);
  REQUIRE(imported.code == 0);
  CHECK(folder.read("arm.json").find("\"actuator\"") != std::string::npos);
  CHECK(runCardan(folder, "simulate arm.yaml -q -o a.csv --stop-time 1 --set drive=0.5").code == 0);
  CHECK(runCardan(folder, "simulate arm.xml -q -o b.csv --stop-time 1 --set drive=0.5").code == 0);
  CHECK(folder.read("a.csv") == folder.read("b.csv"));
  CHECK(runCardan(folder, "import arm.xml -o inside.xml").code == 2);
  CHECK(runCardan(folder, "check arm.xml --floating").code == 2);
  CHECK(runCardan(folder, "check arm.xml --no-limits --limits 100").code == 2);
}

TEST_CASE("cardan import: meshes are named from the model's folder on") {
  const Folder folder;
  const Process p = shell(folder, R"sh(
mkdir -p robot_description/urdf robot_description/meshes models
printf 'solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n' \
  >robot_description/meshes/part.stl
cat >robot_description/urdf/r.urdf <<'URDF'
<robot name="r"><link name="a">
<visual><geometry><mesh filename="package://robot_description/meshes/part.stl" scale="2 2 2"/></geometry></visual>
<visual><geometry><mesh filename="../meshes/part.stl"/></geometry></visual>
<visual><geometry><mesh filename="package://other/part.stl"/></geometry></visual>
<visual><geometry><mesh filename="../meshes/part.dae"/></geometry></visual>
</link></robot>
URDF
"$cardan" import robot_description/urdf/r.urdf -o models/r.yaml --package other=robot_description/meshes
"$cardan" animate models/r.yaml -o r.glb && "$cardan" animate robot_description/urdf/r.urdf -o s.glb
)sh");
  CAPTURE(p.err);
  CHECK(p.code == 0);
  const std::string text = folder.read("models/r.yaml");
  CHECK(
      text.find("shapeType: ../robot_description/meshes/part.stl, length: 2, width: 2, height: 2, "
                "extra: 1") != std::string::npos);
  CHECK(text.find("a_shape3: {type: Visualizers.FixedShape, shapeType: "
                  "../robot_description/meshes/part.stl") != std::string::npos);
  CHECK(p.err.find("of meshes") == std::string::npos);  // all are of a kind that is read
  CHECK(p.err.find("warning") == std::string::npos);    // every file is found again
}
