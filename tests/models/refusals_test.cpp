// What components refuse: every rule of theirs is broken by some test, and told at its place.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/model_run.h"

using namespace cardan;

namespace {

struct Refusal {
  std::string type, parameters, said;  ///< said: behind "TYPE 'c': "
};

std::string messageOfComponent(const Refusal& r) {
  return test::messageOfRun<ModelError>("components:\n  c: {type: " + r.type + ", " + r.parameters +
                                        "}\n");
}

/// Rows of points that are spread over a ball; each is a corner of their hull.
std::string pointsOnBall(int count) {
  std::string rows;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - z * z), angle = 2.399963 * i;
    rows += fmt::format("{}[{}, {}, {}]", i > 0 ? ", " : "", r * std::cos(angle),
                        r * std::sin(angle), z);
  }
  return rows;
}

const std::vector<Refusal> kRefusals{
    {"Blocks.LimPID", "yMax: 1, yMin: 2", "'yMax' must not be below yMin"},
    {"Blocks.Discrete.TransferFunction", "samplePeriod: 1, b: [1], a: [0, 1], u: 1",
     "'a' must not begin with zero"},
    {"Blocks.Discrete.StateSpace",
     "samplePeriod: 1, A: [[1, 2]], B: [[1]], C: [[1, 2]], D: [[0]], u: [1]", "'A' must be square"},
    {"Blocks.Discrete.StateSpace", "samplePeriod: 1, A: [[1]], B: [[1], [2]], C: [[1]], u: [1]",
     "'B' must have as many rows as A"},
    {"Blocks.Discrete.StateSpace", "samplePeriod: 1, A: [[1]], B: [[1]], C: [[1, 2]], u: [1]",
     "'C' must have as many columns as A"},
    {"Blocks.Discrete.StateSpace",
     "samplePeriod: 1, A: [[1]], B: [[1]], C: [[1]], D: [[1, 2]], u: [1]",
     "'D' must have the rows of C and the columns of B"},
    {"Blocks.TransferFunction", "b: [1], a: [0, 1], u: 1", "'a' must not begin with zero"},
    {"Blocks.TransferFunction", "b: [1], a: [1, 1], x_start: [1, 2], u: 1",
     "'x_start' has the wrong number of elements"},
    {"Blocks.StateSpace", "A: [[1, 2]], B: [[1]], C: [[1, 2]], u: [1]", "'A' must be square"},
    {"Blocks.StateSpace", "A: [[1]], B: [[1], [2]], C: [[1]], u: [1]",
     "'B' must have as many rows as A"},
    {"Blocks.StateSpace", "A: [[1]], B: [[1]], C: [[1]], D: [[1, 2]], u: [1]",
     "'D' must have the rows of C and the columns of B"},
    {"Blocks.Sum", "nin: 3, k: [1, 2], u: [1, 2, 3]", "'k' must have nin elements"},
    {"Blocks.PadeDelay", "delayTime: 1, n: 31, u: 1", "'n' must not be greater than 30"},
    {"Blocks.PadeDelay", "delayTime: 1, n: 2, m: 3, u: 1", "'m' must not be greater than n"},
    {"Blocks.SlewRateLimiter", "Falling: 0, u: 1", "'Falling' must be below zero"},
    {"Blocks.LimIntegrator", "outMax: 1, outMin: 1, u: 1", "'outMax' must be above outMin"},
    {"Blocks.LimIntegrator", "outMax: 2, outMin: -1, y_start: 2.5, u: 1",
     "'y_start' must lie between the limits"},
    {"Blocks.LimIntegrator", "outMax: 2, outMin: -1, y_start: -1.5, u: 1",
     "'y_start' must lie between the limits"},
    {"Blocks.Hysteresis", "uLow: 1, uHigh: 1, u: 1", "'uHigh' must be above uLow"},
    {"Blocks.ExtractSignal", "nin: 2, nout: 1, extract: [3], u: [1, 2]",
     "'extract' must be elements of the input"},
    {"Blocks.ExtractSignal", "nin: 2, nout: 2, extract: [1], u: [1, 2]",
     "'extract' must have nout elements"},
    {"Blocks.MultiSum", "nu: 3, k: [1, 2], u: [1, 2, 3]", "'k' must have nu elements"},
    {"Blocks.Pulse", "period: 1, width: 101", "'width' must be at most 100"},
    {"Blocks.CombiTable1Ds", "table: [[0, 1]], extrapolation: Periodic, u: 1",
     "'table' must have two rows at least to be periodic"},
    {"Blocks.CombiTable2Ds", "table: [[0, 1]], u1: 1, u2: 1",
     "'table' must have at least two rows and two columns"},
    {"Blocks.CombiTable2Ds",
     "table: [[0, 1, 2], [1, 2, 3], [2, 3, 4]], smoothness: MonotoneContinuousDerivative1, u1: 1, "
     "u2: 1",
     "'smoothness' must be LinearSegments, ConstantSegments or ContinuousDerivative in two "
     "dimensions"},
    {"Blocks.CombiTable2Ds", "table: [[0, 1], [1, 2]], extrapolation: Periodic, u1: 1, u2: 1",
     "'table' must have three rows and columns at least to be periodic"},
    {"Blocks.CombiTimeTable", "table: [[0, 1], [1, 2]], startTime: -1.7976931348623157e308",
     "'startTime' must not be -inf without a shiftTime"},
    {"Blocks.CombiTimeTable", "table: [[1, 1], [1, 2]], extrapolation: Periodic",
     "'table' must have a duration to be periodic"},
    {"Blocks.CombiTimeTable", "table: [[0, 1, 2], [1, 2, 3]], columns: [2, 3], offset: [1, 2, 3]",
     "'columns' must be as many as offsets"},
    {"Blocks.CombiTimeTable",
     "table: [[0, 1, 2, 3], [1, 2, 3, 4]], columns: [2, 3, 4], offset: [1, 2]",
     "'offset' must have one element or as many as columns"},
    {"BodyCylinder", "r: [0, 0, 0]",
     "'r' must give the direction of the cylinder: lengthDirection, by default r - r_shape, is the "
     "zero vector"},
    {"BodyBox", "r: [1, 0, 0], material: rubber", "'material' needs collide: true"},
    {"BodyShape", "r: [1, 0, 0], shapeType: pipe, m: 1, collide: true",
     "'collide' needs the shapeType box, cylinder or sphere"},
    {"BodyShape", "r: [1, 0, 0], width: 0, m: 1, collide: true",
     "'collide' needs a body of a length and a width"},
    {"BodyBox", "r: [1, 0, 0], height: 0, collide: true",
     "'collide' needs a body of a length and a width"},
    {"Body", "I_22: -1", "'I_22' must be at least 0, found -1"},
    {"Blocks.KinematicPTP2", "q_end: [2, 3, 4], qd_max: [1, 2], qdd_max: [1]",
     "'qd_max' must have one element or as many as the longest vector"},
    {"Constraints.Universal", "n_a: [1, 0, 0], n_b: [1, 1, 0]",
     "'n_b' must be perpendicular to n_a"},
    {"Contact.SpherePlane", "radius: 1, k: 1, v_restitution: 2",
     "'v_restitution' needs a restitution"},
    {"Contact.SpherePlane", "radius: 1, k: 1, v_rest: 2", "'v_rest' needs rigid: true"},
    {"Contact.Shape", "shape: box", "'size' must be given, greater than 0, with shape: box"},
    {"Contact.Shape", "size: [1, 0, 1]", "'size' must be given, greater than 0, with shape: box"},
    {"Contact.Shape", "shape: cone, radius: 1",
     "'length' must be given, greater than 0, with shape: cone"},
    {"Contact.Shape", "shape: ellipsoid, radii: [1, 2, 3], radius: 1",
     "'radius' is of no use with shape: ellipsoid"},
    {"Contact.Shape", "shape: sphere, radius: 1, n: [0, 1, 0]",
     "'n' is of no use with shape: sphere"},
    {"Contact.Shape", "shape: plane, n: [0, 0, 0]", "'n' must not be the zero vector"},
    {"Contact.Shape", "shape: plane, sequence: [1, 2, 4]", "'sequence' must consist of 1, 2 and 3"},
    {"Contact.Shape", "shape: heights, spacing: 1",
     "'heights' must have two rows and two columns at least, with shape: heights"},
    {"Contact.Shape", "shape: heights, heights: [[0, 1], [0, 1]]",
     "'spacing' must be given, greater than 0, with shape: heights"},
    {"Contact.Shape", "shape: heights, heights: [[0, 1], [0, 1]], spacing: [1, 1, 1]",
     "'spacing' must be one number, or one along x and one along y"},
    {"Contact.Shape", "shape: sphere, radius: 1, spacing: 1",
     "'spacing' is of no use with shape: sphere"},
    {"Contact.Shape", "shape: mesh, triangles: [[0, 0, 0, 1, 0, 0]]",
     "'triangles' must have nine numbers a row, with shape: mesh"},
    {"Contact.Shape", "shape: mesh, triangles: [[0, 0, 0, 1, 0, 0, 2, 0, 0]]",
     "'triangles' must not all be without an area"},
    {"Contact.Shape", "shape: hull",
     "'points' must have four rows at least, of three numbers each, with shape: hull"},
    {"Contact.Shape", "shape: hull, points: [[0, 0], [1, 0], [0, 1], [1, 1]]",
     "'points' must have four rows at least, of three numbers each, with shape: hull"},
    {"Contact.Shape", "shape: hull, points: [[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]]",
     "'points' must not lie in one plane"},
    {"Contact.Shape", "shape: hull, points: [" + pointsOnBall(150) + "]",
     "'points' must have a hull of at most 200 faces, this one has 296: leave points out"},
    {"Machines.DC_PermanentMagnet", "VaNominal: 1, IaNominal: 100, Ra: 0.05",
     "'VaNominal' must be greater than what falls off at the armature, Ra IaNominal"},
    {"Analog.IdealTransformer", "n: 2, considerMagnetization: true",
     "'considerMagnetization' must be false: put an inductor at port 1"},
    {"FreeMotionScalarInit", "sequence_start: [1, 1, 3]",
     "'sequence_start' must consist of 1, 2 and 3, neighbours different"},
    {"FreeMotion", "sequence_angleStates: [1, 1, 3]",
     "'sequence_angleStates' must consist of 1, 2 and 3, neighbours different"},
    {"FixedRotation", "rotationType: PlanarRotationSequence, sequence: [1, 2, 4]",
     "'sequence' must consist of 1, 2 and 3"},
    {"Spherical", "limits: {c: 3}", "'limits' must have max"},
    {"Rotational.LossyGear", "ratio: 2, lossTable: [[0, 1, 1]]",
     "'lossTable' must have five columns"},
    {"Rotational.LossyGear", "ratio: 2, lossTable: [[0, 0, 1, 0, 0]]",
     "'lossTable' must have efficiencies above zero"},
    {"Rotational.LossyGear", "ratio: 2, lossTable: [[0, 1, 0, 0, 0]]",
     "'lossTable' must have efficiencies above zero"},
};

/// A box above a floor under this section `contacts`, in the second line.
std::string messageOfContacts(const std::string& contacts) {
  return test::messageOfRun<ModelError>("contacts:\n  " + contacts + R"(
components:
  floor: {type: Contact.Shape, shape: plane, n: [0, 1, 0]}
  box: {type: Contact.Shape, size: [1, 1, 1], material: rubber}
  body: {type: Body, m: 1, I_11: 1, I_22: 1, I_33: 1, r_0: {start: [0, 1, 0]}}
connections: [[world.frame_b, floor.frame_a], [body.frame_a, box.frame_a]]
)");
}

/// What a section says, and the message.
const std::vector<std::pair<std::string, std::string>> kContactRefusals{
    {"{materials: {rubber: {}}, defaults: {restitution: 1.1}}",
     "model.yaml:2:53: error: section 'defaults': 'restitution' must not be greater than 1"},
    {"{materials: {rubber: {restitution: 0}}}",
     "model.yaml:2:38: error: material 'rubber': 'restitution' must be at least 0.05, found 0"},
    {"{materials: {rubber: {E: 1e6, nu: 0.5}}}",
     "model.yaml:2:37: error: material 'rubber': 'nu' must be less than 0.5"},
    {"{materials: {rubber: {}}, pairs: [{between: [box, floor], nu: 0.3}]}",
     "model.yaml:2:65: error: Contact.Pair 'contact.floor.box': 'nu' needs E"},
    {"{materials: {rubber: {}}, defaults: {penetration: 1e-4, E: 1e6}}",
     "model.yaml:2:53: error: section 'defaults': 'penetration' must be the only one of "
     "penetration, stiffness and E: each says how stiff the contact is"},
    {"{materials: {rubber: {}}, pairs: [{between: [box, floor], stiffness: 1e6, E: 1e6}]}",
     "model.yaml:2:72: error: Contact.Pair 'contact.floor.box': 'stiffness' must be the only one "
     "of penetration, stiffness and E: each says how stiff the contact is"},
    {"{materials: {rubber: {mu: -1, frction: smooth}}}",
     "model.yaml:2:29: error: material 'rubber': 'mu' must be at least 0, found -1\n"
     "model.yaml:2:33: error: material 'rubber': unknown key 'frction'; did you mean 'friction'? "
     "known keys: E, friction, mu, nu, penetration, restitution, rolling, stiffness, v_c, z_s"},
    // Also where no shape has it.
    {"{materials: {rubber: {}, cork: {a: 1}}, defaults: {mu: -1}}",
     "model.yaml:2:35: error: material 'cork': unknown key 'a'; did you mean 'E' (instead: "
     "Young's modulus, of a layer half as thick as the shape)? known keys: E, friction, mu, nu, "
     "penetration, restitution, rolling, stiffness, v_c, z_s\n"
     "model.yaml:2:58: error: section 'defaults': 'mu' must be at least 0, found -1"},
    {"{materials: {rubbr: {}}}",
     "model.yaml:5:3: error: Contact.Shape 'box': unknown material 'rubber'; did you mean "
     "'rubbr'? 'materials' of 'contacts' lists them"},
    {"{materials: {rubber: {}}, pairs: [[box, box]], exclude: [[box, flor]]}",
     "model.yaml:2:66: error: no shape matches 'flor'; did you mean 'floor'? shapes are floor, "
     "box"},
};

std::string textOfRefusals(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// String literals from `at` to the ) that closes the call there; those that stand side by side as one.
std::vector<std::string> literalsOfCall(const std::string& text, size_t at) {
  std::vector<std::string> list;
  bool continues = false;
  for (int depth = 1; depth > 0 && at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == '"') {
      std::string literal;
      while (text[++at] != '"') {
        if (text[at] == '\\') literal += text[at++];
        literal += text[at];
      }
      if (continues) {
        list.back() += literal;
      } else {
        list.push_back(literal);
      }
      continues = true;
    } else if (c != ' ' && c != '\n') {
      continues = false;
    }
  }
  return list;
}

/// The longest part of a rule between numbers and names that it is told with, which stand in braces.
std::string longestPiece(const std::string& rule) {
  std::string longest, piece;
  bool inside = false;
  for (const char c : rule + "{") {
    if (c == '{') {
      if (piece.size() > longest.size()) longest = piece;
      piece.clear();
    }
    inside = inside ? c != '}' : c == '{';
    if (!inside && c != '}') piece += c;
  }
  return longest;
}

/// All files below `folder` in one text, literals that stand side by side joined.
std::string joinedSources(const std::string& folder) {
  std::string all;
  for (const auto& f : std::filesystem::recursive_directory_iterator(
           std::string(CARDAN_SOURCE_DIR) + "/" + folder)) {
    if (f.path().extension() == ".cpp" || f.path().extension() == ".h")
      all += textOfRefusals(f.path());
  }
  std::string joined;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] == '"' && i > 0 && all[i - 1] != '\\') {
      const size_t next = all.find_first_not_of(" \n", i + 1);
      if (next != std::string::npos && next > i + 1 && all[next] == '"' &&
          all.find('\n', i) < next) {
        i = next;
        continue;
      }
    }
    joined += all[i];
  }
  return joined;
}

}  // namespace

TEST_CASE("refusals: components say which rule of theirs a parameter breaks") {
  for (const Refusal& r : kRefusals) {
    CAPTURE(r.type);
    CAPTURE(r.parameters);
    const std::string message = messageOfComponent(r);
    CHECK_MESSAGE(message.find("error: " + r.type + " 'c': " + r.said) != std::string::npos,
                  "found: " << message);
    CHECK(message.starts_with("model.yaml:2:"));
  }
}

TEST_CASE("refusals: materials, defaults and pairs of contacts are told where they are written") {
  for (const auto& [contacts, message] : kContactRefusals)
    CHECK(messageOfContacts(contacts) == message);
}

TEST_CASE("refusals: every rule that a component states is quoted by a test") {
  const std::string tests = joinedSources("tests");
  int rules = 0;
  for (const auto& f : std::filesystem::recursive_directory_iterator(
           std::string(CARDAN_SOURCE_DIR) + "/components")) {
    if (f.path().extension() != ".cpp" && f.path().extension() != ".h") continue;
    const std::string text = textOfRefusals(f.path());
    for (size_t at = text.find("require("); at != std::string::npos;
         at = text.find("require(", at)) {
      at += 8;
      const std::vector<std::string> literals = literalsOfCall(text, at);
      if (literals.empty()) continue;
      const std::string rule = longestPiece(literals.back());
      ++rules;
      CHECK_MESSAGE(tests.find(rule) != std::string::npos,
                    f.path().filename().string() << ": no test breaks '" << rule << "'");
    }
  }
  CHECK(rules > 50);
}
