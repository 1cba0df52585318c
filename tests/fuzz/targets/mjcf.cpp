/// Target: the text of an MJCF file, imported and, where it is small, loaded as a model. Whatever it
/// says, the import comes back with a model or with located messages.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/robots/import.h"
#include "engine/robots/mjcf/vocabulary.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/imported_robot.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"
#include "tests/fuzz/xml_text.h"

using namespace cardan;

namespace {

/// All names of the language, as its table has them, and values.
const std::vector<std::string_view>& mjcfWords() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> words{"world",
                                        "radian",
                                        "disable",
                                        "true",
                                        "false",
                                        "auto",
                                        "hinge",
                                        "slide",
                                        "ball",
                                        "free",
                                        "capsule",
                                        "box",
                                        "ellipsoid",
                                        "cylinder",
                                        "plane",
                                        "shell",
                                        "convex",
                                        "exact",
                                        "affine",
                                        "0",
                                        "1",
                                        "-1",
                                        "3",
                                        "1e9",
                                        "1e308",
                                        "1e-300",
                                        "nan",
                                        "0 0 0",
                                        "1 0 0",
                                        "0 0 0 0",
                                        "1 0 0 0",
                                        "-1 1",
                                        "0.1 0.2",
                                        "<",
                                        ">",
                                        "/>",
                                        "</",
                                        "=",
                                        "\"",
                                        "<!--",
                                        "-->",
                                        "&lt;",
                                        "null",
                                        "a b",
                                        "1e200 0 0",
                                        "include",
                                        "0 0 0 1 0 0 0 1 0 0 0 1"};
    for (const XmlVocabulary::Element& e : robots::mjcf::vocabulary().elements()) {
      words.emplace_back(e.tag);
      for (const XmlVocabulary::Attribute& a : e.attributes) words.emplace_back(a.name);
    }
    std::ranges::sort(words);
    words.erase(std::ranges::unique(words).begin(), words.end());
    return words;
  }();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const bool isPlain : {true, false}) {
    robots::ImportOptions options;
    options.friction = options.strictInertia = options.allowUnknown = !isPlain;
    options.noContacts = isPlain;
    if (!isPlain) options.limits = robots::Stops{1e4, 10};
    Diagnostics diagnostics;
    const auto robot = importRobotText(fuzz::textOf(data, size), "r.xml", options, diagnostics);
    fuzz::expectRobotOrErrors(robot, diagnostics);
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed,
                             [](std::string_view text, fuzz::Random& random) {
                               return fuzz::mutatedXml(text, mjcfWords(), random);
                             });
}
