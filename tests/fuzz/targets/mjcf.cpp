/// Target: the text of an MJCF file, imported and, where it is small, loaded as a model. Whatever it
/// says, the import comes back with a model or with located messages.
#include <string>
#include <string_view>

#include "engine/robot_import.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/imported_robot.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"
#include "tests/fuzz/xml_text.h"

using namespace cardan;

namespace {

constexpr std::string_view kMjcfWords[] = {
    "mujoco",    "worldbody", "body",       "joint",       "freejoint",   "geom",      "inertial",
    "default",   "class",     "childclass", "compiler",    "option",      "equality",  "connect",
    "weld",      "actuator",  "motor",      "position",    "general",     "asset",     "mesh",
    "frame",     "include",   "name",       "type",        "pos",         "quat",      "euler",
    "axisangle", "xyaxes",    "zaxis",      "axis",        "size",        "fromto",    "mass",
    "density",   "range",     "limited",    "ref",         "springref",   "stiffness", "damping",
    "armature",  "polycoef",  "anchor",     "relpose",     "gear",        "gainprm",   "biasprm",
    "angle",     "radian",    "eulerseq",   "diaginertia", "fullinertia", "hinge",     "slide",
    "ball",      "free",      "capsule",    "ellipsoid",   "cylinder",    "box",       "plane",
    "0",         "1",         "-1",         "1e9",         "1e308",       "1e-300",    "nan",
    "0 0 0",     "1 0 0",     "0 0 0 0",    "1 0 0 0",     "1e200 0 0",   "<",         ">",
    "/>",        "</",        "=",          "\"",          "<!--",        "-->",       "&lt;",
    "world",     "null",      "a b",        "body1",       "joint1"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const bool isPlain : {true, false}) {
    urdf::ImportOptions options;
    options.friction = options.strictInertia = !isPlain;
    if (!isPlain) options.limits = urdf::Stops{1e4, 10};
    Diagnostics diagnostics;
    const auto robot = importRobotText(fuzz::textOf(data, size), "r.xml", options, diagnostics);
    fuzz::expectRobotOrErrors(robot, diagnostics);
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed,
                             [](std::string_view text, fuzz::Random& random) {
                               return fuzz::mutatedXml(text, kMjcfWords, random);
                             });
}
