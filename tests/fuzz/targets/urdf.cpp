/// Target: the text of a URDF file, imported and, where it is small, loaded as a model. Whatever it
/// says, the import comes back with a model or with located messages.
#include <string>
#include <string_view>

#include "engine/robots/import.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/imported_robot.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"
#include "tests/fuzz/xml_text.h"

using namespace cardan;

namespace {

constexpr std::string_view kUrdfWords[] = {
    "robot",     "link",      "joint",      "inertial",
    "origin",    "mass",      "inertia",    "visual",
    "collision", "geometry",  "box",        "cylinder",
    "sphere",    "mesh",      "parent",     "child",
    "axis",      "dynamics",  "limit",      "mimic",
    "name",      "type",      "xyz",        "rpy",
    "value",     "ixx",       "ixy",        "size",
    "radius",    "length",    "scale",      "damping",
    "friction",  "lower",     "upper",      "filename",
    "material",  "color",     "rgba",       "multiplier",
    "offset",    "revolute",  "continuous", "fixed",
    "floating",  "prismatic", "planar",     "0",
    "1",         "-1",        "1e9",        "1e308",
    "1e-300",    "nan",       "inf",        "0 0 0",
    "1 0 0",     "0 0 1 1",   "1e200 0 0",  "${x}",
    "<",         ">",         "/>",         "</",
    "=",         "\"",        "<!--",       "-->",
    "&lt;",      "&#10;",     "&#xD800;",   "world",
    "null",      "a b",       "xacro:if",   "package://a/b.stl"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const bool isPlain : {true, false}) {
    robots::ImportOptions options;
    options.floating = options.mergeFixed = options.friction = !isPlain;
    options.noContacts = isPlain;
    if (!isPlain) options.limits = robots::Stops{1e4, 10};
    Diagnostics diagnostics;
    const auto robot = importRobotText(fuzz::textOf(data, size), "r.urdf", options, diagnostics);
    fuzz::expectRobotOrErrors(robot, diagnostics);
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed,
                             [](std::string_view text, fuzz::Random& random) {
                               return fuzz::mutatedXml(text, kUrdfWords, random);
                             });
}
