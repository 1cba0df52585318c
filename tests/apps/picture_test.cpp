// cardan animate and cardan plot, as the user runs them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/apps/process.h"

using test::contains;
using test::Folder;
using test::Process;
using test::runCardan;

namespace {

const char* const kArm =
    "model: Arm\n"
    "components:\n"
    "  revolute: {type: Revolute, phi: {start: 0.3, fixed: true}, w: {fixed: true}}\n"
    "  body:     {type: Body, m: 1, r_CM: [1, 0, 0]}\n"
    "connections:\n"
    "  - [world.frame_b, revolute.frame_a]\n"
    "  - [revolute.frame_b, body.frame_a]\n"
    "simulation: {stop: 1, interval: 0.01}\n";

/// Built with three.js: pages can be written.
bool hasPages(const Folder& folder) {
  return !contains(runCardan(folder, "animate arm.yaml -o probe.html").err, "without three.js");
}

}  // namespace

TEST_CASE("cardan animate: writes a page and a .glb file") {
  const Folder folder;
  folder.write("arm.yaml", kArm);
  Process p = runCardan(folder, "animate arm.yaml -o arm.glb");
  CHECK(p.code == 0);
  CHECK(p.err == "Arm: 101 frames from 14 shapes, in arm.glb\n");
  CHECK(folder.read("arm.glb").substr(0, 4) == "glTF");
  CHECK(runCardan(folder, "animate arm.yaml -o few.glb --fps 10 -q").err.empty());
  CHECK(folder.read("few.glb").size() < folder.read("arm.glb").size());
  if (!hasPages(folder)) {
    p = runCardan(folder, "animate arm.yaml");
    CHECK(p.code == 2);
    CHECK(contains(p.err, "libjs-three"));
    return;
  }
  p = runCardan(folder, "animate arm.yaml --plot revolute.phi --follow body.frame_a");
  CHECK(p.code == 0);
  const std::string page = folder.read("Arm.html");
  CHECK(page.substr(0, 15) == "<!DOCTYPE html>");
  CHECK(contains(page, "\"name\":\"revolute.phi\""));
  CHECK(page.size() < 2'000'000);
}

TEST_CASE("cardan modes: shows the modes on a page") {
  const Folder folder;
  folder.write("arm.yaml", kArm);
  if (!hasPages(folder)) return;
  Process p = runCardan(folder, "modes arm.yaml --at-equilibrium --animate arm.html");
  CHECK(p.code == 0);
  CHECK(p.err == "Arm: 1 of 1 modes, 14 shapes, in arm.html\n");
  const std::string page = folder.read("arm.html");
  CHECK(contains(page, "\"chapters\":[{\"name\":\"mode 1: 0.49815 Hz\",\"from\":0.0,\"to\":2.0}]"));
  p = runCardan(folder, "modes arm.yaml --animate arm.glb");
  CHECK(p.code == 2);
  CHECK(p.err == "error: modes are shown in a .html file, found 'arm.glb'\n");
  CHECK(runCardan(folder, "modes arm.yaml --animate arm.yaml").code == 2);
}

TEST_CASE("cardan animate: what is wrong is one clear line, and exit code 2") {
  const Folder folder;
  folder.write("arm.yaml", kArm);
  const auto wrong = [&](const std::string& arguments, const std::string& line) {
    const Process p = runCardan(folder, "animate " + arguments);
    CHECK_MESSAGE(p.code == 2, arguments);
    CHECK_MESSAGE(contains(p.err, line), p.err);
  };
  wrong("arm.yaml -o arm.mp4", "error: a picture is a .html, .glb or .png file, found 'arm.mp4'");
  wrong("arm.yaml -o a.glb --trace bdy.frame_a",
        "error: no frame 'bdy.frame_a'; did you mean 'body.frame_a'?");
  wrong("arm.yaml -o a.glb --plot revolute.psi", "no variable 'revolute.psi'");
  wrong("arm.yaml -o a.glb --from none.csv", "none.csv");
  folder.write("other.csv", "time,x\n0,1\n1,2\n");
  wrong("arm.yaml -o a.glb --from other.csv", "error: the result has no 'revolute.phi'");
  CHECK(!folder.has("a.glb"));
  folder.write("nan.csv", "time,revolute.phi\n0,1\n1,nan\n");
  wrong("arm.yaml -o a.glb --from nan.csv", "revolute.phi");
  const Process p = runCardan(folder, "animate arm.yaml -o missing/a.glb");
  CHECK(p.code == 1);
  CHECK(contains(p.err, "error: cannot write 'missing/a.glb'"));
}

TEST_CASE("cardan animate: a .png file shows one time") {
  const Folder folder;
  folder.write("arm.yaml", kArm);
  const auto wrong = [&](const std::string& arguments, const std::string& line) {
    const Process p = runCardan(folder, "animate arm.yaml -o arm.png " + arguments);
    CHECK_MESSAGE(p.code == 2, arguments);
    CHECK_MESSAGE(contains(p.err, line), p.err);
  };
  const Process p =
      runCardan(folder, "animate arm.yaml -o arm.png --at 0.5 --view iso --size 320x200");
  if (contains(p.err, "without libpng")) {
    CHECK(p.code == 2);
    return;
  }
  CHECK(p.code == 0);
  const std::string png = folder.read("arm.png");
  CHECK(png.substr(1, 3) == "PNG");
  CHECK(png.substr(16, 8) == std::string("\0\0\x01\x40\0\0\0\xc8", 8));  // width, height
  wrong("--size 320", "error: --size is WIDTHxHEIGHT with numbers from 16 to 4000, found '320'");
  wrong("--size 320x9000", "found '320x9000'");
  wrong("--at 2", "error: --at must lie within the run, from 0 to 1 s; found 2");
  wrong("--at nan", "--at");
  wrong("--view up", "--view");
}

TEST_CASE("cardan animate --from: shows a run that has been") {
  const Folder folder;
  folder.write("arm.yaml", kArm);
  REQUIRE(runCardan(folder, "simulate arm.yaml -o arm.csv -q").code == 0);
  Process p = runCardan(folder, "animate arm.yaml --from arm.csv -o again.glb");
  CHECK(p.code == 0);
  CHECK(p.err == "Arm: 101 frames from 14 shapes, in again.glb\n");
  REQUIRE(runCardan(folder, "animate arm.yaml -o run.glb").code == 0);
  CHECK(folder.read("run.glb").size() == folder.read("again.glb").size());
  // Of the 3001 rows of a longer run than the model says every fourth, or as many as are asked for.
  REQUIRE(runCardan(folder, "simulate arm.yaml -o long.csv -q --stop-time 30").code == 0);
  const std::string from = "animate arm.yaml --from long.csv -o long.glb";
  CHECK(runCardan(folder, from).err == "Arm: 751 frames from 14 shapes, in long.glb\n");
  CHECK(runCardan(folder, from + " --fps 2").err == "Arm: 61 frames from 14 shapes, in long.glb\n");
}

TEST_CASE("cardan: signals are told one by one, or as a list") {
  const Folder folder;
  folder.write("arm.yaml", kArm);
  REQUIRE(runCardan(folder,
                    "simulate arm.yaml -o a.csv -q --output-variable revolute.phi "
                    "--output-variable revolute.w")
              .code == 0);
  REQUIRE(runCardan(folder,
                    "simulate arm.yaml -o b.csv -q --output-variable 'revolute.phi; revolute.w'")
              .code == 0);
  CHECK(folder.read("a.csv") == folder.read("b.csv"));
  if (!hasPages(folder)) return;
  const Process p =
      runCardan(folder, "animate arm.yaml --plot 'revolute.phi;revolute.w' -o list.html");
  CHECK(p.code == 0);
  CHECK(contains(folder.read("list.html"), "\"name\":\"revolute.w\""));
}

TEST_CASE("cardan simulate --animate: the result is that without") {
  const Folder folder;
  folder.write("arm.yaml", kArm);
  REQUIRE(runCardan(folder, "simulate arm.yaml -o a.csv -q").code == 0);
  REQUIRE(runCardan(folder, "simulate arm.yaml -o b.csv -q --animate b.glb").code == 0);
  CHECK(folder.read("a.csv") == folder.read("b.csv"));
  CHECK(folder.read("b.glb").substr(0, 4) == "glTF");
  const Process p = runCardan(folder, "simulate arm.yaml -o c.glb --animate c.glb");
  CHECK(p.code == 2);
}

TEST_CASE("cardan plot: panels by unit, references, tubes, the terminal") {
  const Folder folder;
  folder.write("arm.yaml", kArm);
  REQUIRE(runCardan(folder, "simulate arm.yaml -o arm.csv -q").code == 0);
  Process p = runCardan(folder, "plot arm.csv -y 'revolute.*' -o arm.svg");
  CHECK(p.code == 0);
  CHECK(p.err.empty());
  const std::string svg = folder.read("arm.svg");
  CHECK(contains(svg, "revolute.phi [rad]"));
  CHECK(contains(svg, "revolute.w [rad/s]"));
  CHECK(contains(svg, "time [s]"));
  REQUIRE(runCardan(folder, "simulate arm.yaml -o other.csv -q --set body.m=2").code == 0);
  CHECK(runCardan(folder, "plot arm.csv other.csv -y revolute.phi --tube -o both.svg").code == 0);
  CHECK(contains(folder.read("both.svg"), "class=\"band\""));
  CHECK(contains(folder.read("both.svg"), "revolute.phi (other.csv)"));
  CHECK(runCardan(folder, "plot arm.csv -x revolute.phi -y revolute.w -o phase.svg").code == 0);
  CHECK(contains(folder.read("phase.svg"), "revolute.phi [rad]"));
  CHECK(runCardan(folder, "plot arm.csv -o arm.html").code == 0);
  CHECK(contains(folder.read("arm.html"), "class=\"viewer flat\""));
  CHECK(!contains(folder.read("arm.html"),
                  "@"
                  "DATA@"));
  p = test::shell(folder, "$cardan plot - -y revolute.phi --plot-terminal <arm.csv");
  CHECK(p.code == 0);
  CHECK(contains(p.out, "\xe2\xa0\x80"));
  p = test::shell(folder, "$cardan plot - -y revolute.phi -o - <arm.csv | head -c 4");
  CHECK(p.out == "<svg");
}

TEST_CASE("cardan plot: another program renders what it draws, in the size that it says") {
  if (std::system("command -v rsvg-convert >/dev/null 2>&1") != 0) {
    MESSAGE("TEST SKIPPED: rsvg-convert is not installed (librsvg2-bin)");
    return;
  }
  const Folder folder;
  folder.write("arm.yaml", kArm);
  REQUIRE(runCardan(folder, "simulate arm.yaml -o arm.csv -q").code == 0);
  REQUIRE(
      runCardan(folder, "simulate arm.yaml -o other.csv -q --set revolute.phi.start=0.5").code ==
      0);
  REQUIRE(runCardan(folder, "plot arm.csv other.csv --tube -y 'revolute.*' -o two.svg").code == 0);
  CHECK(runCardan(folder, "compare arm.csv other.csv --plot differ.svg").code == 1);
  for (const std::string name : {"two", "differ"}) {
    CAPTURE(name);
    const Process p = test::shell(folder, "rsvg-convert " + name + ".svg -o " + name + ".png");
    CAPTURE(p.err);
    CHECK(p.code == 0);
    CHECK(p.err.empty());
    const std::string svg = folder.read(name + ".svg"), png = folder.read(name + ".png");
    const auto sizeOf = [&](const std::string& key) {
      return std::stod(svg.substr(svg.find(key + "=\"") + key.size() + 2));
    };
    const auto pixels = [&](size_t at) {
      double n = 0;
      for (size_t i = at; i < at + 4; ++i) n = 256 * n + static_cast<unsigned char>(png.at(i));
      return n;
    };
    CHECK(png.substr(1, 3) == "PNG");
    CHECK(pixels(16) == sizeOf("width"));
    CHECK(pixels(20) == sizeOf("height"));
    // Curves, letters and bands are in it: nothing of one colour is so long.
    CHECK(png.size() > 8000);
  }
}

TEST_CASE("cardan plot: what is wrong is one clear line, and exit code 2") {
  const Folder folder;
  folder.write("r.csv", "time,alpha,beta\n0,1,2\n1,2,3\n");
  const auto wrong = [&](const std::string& arguments, const std::string& line) {
    const Process p = runCardan(folder, "plot " + arguments);
    CHECK_MESSAGE(p.code == 2, arguments);
    CHECK_MESSAGE(contains(p.err, line), p.err);
  };
  wrong("r.csv -y alpa -o x.svg", "error: no signal 'alpa' in r.csv; did you mean 'alpha'?");
  wrong("r.csv -o x.png", "error: a plot is a .svg or .html file, found 'x.png'");
  wrong("r.csv -y ';' -o x.svg", "error: -y must name signals, found ';'");
  wrong("r.csv", "error: say where to draw");
  wrong("r.csv --tube -o x.svg", "--tube needs a reference");
  wrong("r.csv -o r.csv", "a plot is a .svg or .html file");
  wrong("none.csv -o x.svg", "none.csv");
  CHECK(runCardan(folder, "plot r.csv -o missing/x.svg").code == 1);
}

TEST_CASE("cardan compare --plot, cardan regress --report: draw what differs") {
  const Folder folder;
  folder.write("ref.csv", "time,x,y\n0,0,1\n1,1,1\n2,4,1\n");
  folder.write("run.csv", "time,x,y\n0,0,1\n1,1.5,1\n2,4,1\n");
  CHECK(runCardan(folder, "compare run.csv ref.csv --plot x.svg").code == 1);
  const std::string svg = folder.read("x.svg");
  CHECK(contains(svg, "data-name=\"x\""));
  CHECK(!contains(svg, "data-name=\"y\""));
  CHECK(contains(svg, "class=\"band\""));
  CHECK(runCardan(folder, "compare run.csv ref.csv --plot ref.csv").code == 2);
  folder.write("arm.yaml", kArm);
  REQUIRE(runCardan(folder, "regress arm.yaml --update").code == 0);
  CHECK(runCardan(folder, "regress arm.yaml --report good.html").code == 0);
  CHECK(contains(folder.read("good.html"), "1 of 1 models pass"));
  std::string changed = kArm;
  changed.replace(changed.find("start: 0.3"), 10, "start: 0.5");
  folder.write("arm.yaml", changed);
  CHECK(runCardan(folder, "regress arm.yaml --report bad.html").code == 1);
  CHECK(contains(folder.read("bad.html"), "0 of 1 models pass"));
  CHECK(contains(folder.read("bad.html"), "<svg"));
}
