// cardan import, and Modelica files in the place of model files.
#include <doctest/doctest.h>

#include <string>

#include "tests/apps/process.h"

using test::cardan;
using test::Folder;
using test::Process;

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

}  // namespace

TEST_CASE("cardan import: what is written runs as the Modelica file does, bit for bit") {
  const Folder folder;
  folder.write("Robots.mo", kRobots);
  const Process imported = cardan(folder, "import Robots.mo Arm -o arm.yaml");
  CAPTURE(imported.err);
  CHECK(imported.code == 0);
  CHECK(imported.out.empty());
  CHECK(folder.read("arm.yaml").starts_with("# Robots.Arm\nmodel: Arm\ndescription: An arm\n"));
  CHECK(cardan(folder, "check arm.yaml").code == 0);
  CHECK(cardan(folder, "simulate arm.yaml -q -o a.csv --set L=0.7").code == 0);
  CHECK(cardan(folder, "simulate Robots.mo --class Robots.Arm -q -o b.csv --set L=0.7").code == 0);
  CHECK(!folder.read("a.csv").empty());
  CHECK(folder.read("a.csv") == folder.read("b.csv"));
  CHECK(cardan(folder, "import Robots.mo Arm").out == folder.read("arm.yaml"));
  CHECK(cardan(folder, "check Robots.mo --class Heavy").code == 0);
}

TEST_CASE("cardan import: a wrong file is exit code 2, and nothing is written") {
  const Folder folder;
  folder.write("Robots.mo", kRobots);
  folder.write("wrong.mo", "model M\n  Modelica.Fluid.Pipe pipe;\n  Real x[2] = y;\nend M;\n");
  const Process unknown = cardan(folder, "import wrong.mo -o m.yaml");
  CHECK(unknown.code == 2);
  CHECK(
      unknown.err ==
      "wrong.mo:2:3: error: class 'Modelica.Fluid.Pipe' is not in Cardan's catalogue, and no file "
      "given defines it\nwrong.mo:3:15: error: unknown name 'y'\n2 errors\n");
  CHECK(!folder.has("m.yaml"));
  const Process several = cardan(folder, "simulate Robots.mo");
  CHECK(several.code == 2);
  CHECK(several.err ==
        "Robots.mo:1:9: error: the file holds several models; name one of Robots.Arm, "
        "Robots.Heavy\n");
  const Process none = cardan(folder, "check Robots.mo --class Amr");
  CHECK(none.code == 2);
  CHECK(none.err == "Robots.mo: error: no class 'Amr' in this file; did you mean 'Arm'?\n");
  CHECK(cardan(folder, "import nothing.mo").err == "nothing.mo: error: cannot read the file\n");
  const Process component = cardan(folder, "import Robots.mo Arm --library nowhere -o m.yaml");
  CHECK(component.code == 2);
  CHECK(component.err == "nowhere: error: library: no such folder\n");
}

TEST_CASE("cardan import: no file that was read is overwritten") {
  const Folder folder;
  folder.write("Robots.mo", kRobots);
  const Process p = cardan(folder, "import Robots.mo Arm -o Robots.mo");
  CHECK(p.code == 2);
  CHECK(folder.read("Robots.mo") == kRobots);
  CHECK(cardan(folder, "simulate Robots.mo --class Arm -o Robots.mo").code == 2);
  CHECK(folder.read("Robots.mo") == kRobots);
}
