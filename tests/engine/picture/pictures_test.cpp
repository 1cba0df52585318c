// RunPicture: the picture of a run, as a program that embeds the engine asks for it.
#include "engine/picture/pictures.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/picture/gltf.h"
#include "engine/picture/page.h"
#include "engine/picture/picture_recorder.h"
#include "engine/picture/scene.h"
#include "tests/folder.h"

using namespace cardan;

namespace {

const char* const kSwing = R"yaml(
model: Swing
components:
  hinge: {type: Revolute, n: [0, 0, 1], phi: {start: 1, fixed: true}, w: {fixed: true}}
  bob: {type: BodyBox, r: [0.5, 0, 0]}
connections:
  - [world.frame_b, hinge.frame_a]
  - [hinge.frame_b, bob.frame_a]
simulation: {stop: 1, interval: 0.05}
outputs: [hinge.phi, hinge.w]
)yaml";

Scene sceneByHand(const std::vector<std::string>& trace) {
  Simulation s = Simulation::fromText(catalogue(), kSwing);
  Diagnostics diagnostics;
  PictureRecorder recorder(s, {.frames = trace, .stop = 1}, diagnostics);
  RunOptions options;
  options.watch = &recorder;
  s.run(recorder, options);
  recorder.finish();
  return makeScene(recorder, {"", trace}, diagnostics);
}

std::string errorOf(RunPicture& picture, const std::string& path) {
  try {
    picture.write(path);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("RunPicture: its files are those of the scene of the run, its rows those of the run") {
  const test::Folder folder;
  Simulation plain = Simulation::fromText(catalogue(), kSwing);
  Trajectory expected;
  plain.run(expected);
  Simulation s = Simulation::fromText(catalogue(), kSwing);
  RunPicture picture(s, {.trace = {"bob.frame_b"}});
  Trajectory rows;
  CHECK(picture.run(rows).rows == std::ssize(expected.time()));
  CHECK(rows["hinge.phi"] == expected["hinge.phi"]);
  const Scene scene = sceneByHand({"bob.frame_b"});
  picture.write(folder / "swing.glb");
  CHECK(test::readFile(folder / "swing.glb") == formatGlb(scene));
  if (canDrawPages()) {
    picture.write(folder / "swing.html", {}, {"hinge.*"});
    CHECK(test::readFile(folder / "swing.html") == formatPage(scene, {"hinge.phi", "hinge.w"}));
  }
  if (canWritePng()) {
    const StillOptions still{.time = 0.5, .view = "iso", .width = 64, .height = 40};
    picture.write(folder / "swing.png", still);
    CHECK(test::readFile(folder / "swing.png") == formatPng(drawStill(scene, still)));
  }
  CHECK(picture.warnings().all().empty());
}

TEST_CASE("RunPicture: what cannot be shown is an error") {
  const test::Folder folder;
  Simulation s = Simulation::fromText(catalogue(), kSwing);
  RunPicture picture(s);
  CHECK_THROWS_AS(picture.write(folder / "swing.glb"), std::logic_error);
  CHECK(errorOf(picture, "swing.gif")
            .find("a picture is a .html, .glb or .png file, found "
                  "'swing.gif'") != std::string::npos);
  RunPicture wrong(s, {.follow = "bob.frame_c"});
  Trajectory rows;
  CHECK_THROWS_AS(wrong.run(rows), ModelError);
}
