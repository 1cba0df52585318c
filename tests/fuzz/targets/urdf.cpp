/// Target: the text of a URDF file, imported and, where it is small, loaded as a model. Whatever it
/// says, the import comes back with a model or with located messages.
#include <cctype>
#include <iterator>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "engine/urdf/import.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"

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

/// Words, runs of blanks, and single other characters.
std::vector<std::string> piecesOf(std::string_view text) {
  const auto kind = [](char c) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0 || c == '_' || c == '.' || c == '-' || c == '+') return 1;
    return std::isspace(u) != 0 ? 2 : 0;
  };
  std::vector<std::string> pieces;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    while (kind(text[i]) != 0 && end < text.size() && kind(text[end]) == kind(text[i])) ++end;
    pieces.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return pieces;
}

/// A text a few pieces away: removed, repeated, exchanged, put in; or whole tags.
std::string mutatedUrdf(std::string_view text, fuzz::Random& random) {
  std::vector<std::string> pieces = piecesOf(text);
  if (pieces.size() < 2) return "";
  const auto any = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (size_t changes = 1 + any(4); changes > 0 && !pieces.empty(); --changes) {
    const size_t i = any(pieces.size()), k = any(pieces.size());
    const auto at = pieces.begin() + static_cast<std::ptrdiff_t>(i);
    switch (any(7)) {
      case 0:
        pieces.erase(at);
        break;
      case 1:
        std::swap(pieces[i], pieces[k]);
        break;
      case 2: {
        const size_t n = std::min(1 + any(60), pieces.size() - i);
        const std::vector<std::string> part(at, at + static_cast<std::ptrdiff_t>(n));
        pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(k), part.begin(), part.end());
        break;
      }
      case 3: {
        const size_t n = std::min(1 + any(60), pieces.size() - i);
        pieces.erase(at, at + static_cast<std::ptrdiff_t>(n));
        break;
      }
      case 4:
        pieces[i] = pieces[k];
        break;
      default:
        pieces[i] = kUrdfWords[any(std::size(kUrdfWords))];
    }
  }
  std::string result;
  for (const std::string& p : pieces) result += p;
  return result;
}

/// What is wrong with a model; "" where nothing is.
template <class Load>
std::string messagesOf(Load load) {
  try {
    load();
    return "";
  } catch (const ModelError& e) {
    fuzz::expectClean(e.what());
    return e.what();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMostComponents = 60;
  for (const bool isPlain : {true, false}) {
    urdf::ImportOptions options;
    options.floating = options.mergeFixed = options.friction = !isPlain;
    if (!isPlain) options.limits = urdf::Stops{1e4, 10};
    Diagnostics diagnostics;
    const auto robot = urdf::importText(fuzz::textOf(data, size), "r.urdf", options, diagnostics);
    fuzz::expectClean(diagnostics.format());
    fuzz::expect(robot.has_value() == (diagnostics.errorCount() == 0), "a robot, or an error");
    if (!robot) continue;
    fuzz::expect(!robot->report.json().empty() && !robot->report.text().empty(), "a report");
    if (robot->model.components.size() > kMostComponents) continue;
    const std::string asTree = messagesOf(
        [&] { return Simulation::fromTree(catalogue(), robot->model.tree(), robot->model.files); });
    const std::string asText =
        messagesOf([&] { return Simulation::fromText(catalogue(), robot->model.text()); });
    fuzz::expect(asTree.empty() == asText.empty(), "what is written reads as it is",
                 asTree + "\n" + asText);
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed, mutatedUrdf);
}
