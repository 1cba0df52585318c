// The section `contacts` of a model file, and which pairs of shapes it makes, with shapes and a law
// of contact that are there for the test alone.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "components/catalogue.h"
#include "components/parts/body.h"
#include "components/surface.h"
#include "engine/equations/model.h"
#include "engine/model_parts.h"
#include "engine/model_structure.h"
#include "engine/modelica/modelica_writer.h"
#include "engine/simulation.h"
#include "engine/text/joined.h"
#include "tests/folder.h"

namespace cardan {
namespace {

/// A pair that does nothing, and shows what it has been told.
class ToyPair final : public ComponentOf<ToyPair> {
 public:
  explicit ToyPair(double mass) : mass_(mass) {}

  void read(ParameterReader& r) override {
    r.begin("defaults");
    r.real("mu", mu_, "1", "friction");
    r.real("E", E_default_, "Pa", "stiffness of both", kPositive);
    r.end();
    r.begin("a");
    r.real("E", E_a_, "Pa", "stiffness of a", kPositive);
    r.end();
    r.begin("b");
    r.real("E", E_b_, "Pa", "stiffness of b", kPositive);
    r.end();
    r.real("mu", mu_, "1", "friction");
    r.real("k", k_, "N/m", "stiffness");
  }
  void parametersChanged() override { twice_ = 2 * mu_; }
  void declare(Structure& s) override {
    frame_a_ = s.frame("frame_a");
    frame_b_ = s.frame("frame_b");
  }
  void describe(Variables& v) const override {
    v.constant("mass", "kg", "mass", mass_);
    v.constant("twice", "1", "twice the friction", twice_);
    const FrameId a = frame_a_, b = frame_b_;
    v.scalar({"height", "m", "of b above a", Level::Position},
             [a, b](const auto& x) { return x.frame(b).r_0[1] - x.frame(a).r_0[1]; });
  }

 private:
  double mass_, mu_ = 0.1, E_a_ = 1, E_b_ = 2, E_default_ = 3, k_ = 3, twice_ = 0;
  FrameId frame_a_, frame_b_;
};

class ToyShape final : public ComponentOf<ToyShape>, public Surface {
 public:
  void read(ParameterReader& r) override {
    r.string("material", material_, "material");
    r.boolean("hollow", hollow_, "nothing can touch it");
  }
  void declare(Structure& s) override { s.frame("frame_a"); }
  const Surface* surface() const override { return this; }
  const char* connector() const override { return "frame_a"; }
  double inRadius() const override { return 1; }
  const std::string& material() const override { return material_; }
  std::unique_ptr<Component> against(const Surface& other, double mass,
                                     std::string& why) const override {
    if (!hollow_ && !static_cast<const ToyShape&>(other).hollow_)
      return std::make_unique<ToyPair>(mass);
    why = "hollow";
    return nullptr;
  }

 private:
  std::string material_;
  bool hollow_ = false;
};

/// A body with a shape.
class ToyBox final : public ComponentOf<ToyBox> {
 public:
  void read(ParameterReader& r) override { r.real("m", p_.m, "kg", "mass", kNotNegative); }
  void declare(Structure& s) override {
    s.frame("frame_a");
    s.part<Body>("body", p_);
    s.part<ToyShape>("shape");
    s.connect("frame_a", "body.frame_a");
    s.connect("frame_a", "shape.frame_a");
  }

 private:
  Body::Parameters p_;
};

Catalogue withToys() {
  return joined(catalogue(), package("toys", {entry<ToyShape>("Toy.Shape", "a shape"),
                                              entry<ToyBox>("Toy.Box", "a body with one")}));
}

std::string contactErrors(const std::string& text) {
  Diagnostics diagnostics;
  const Model model(withToys(), text, "m.yaml", {}, diagnostics);
  return diagnostics.format();
}

/// "floor.foot floor.ball"
std::string pairsOf(const std::string& text) {
  const Simulation s = Simulation::fromText(withToys(), text, "m.yaml");
  return joined(ModelStructure::of(s).contacts, " ",
                [](const std::string& name) { return name.substr(name.find('.') + 1); });
}

std::string leftOutOf(const std::string& text) {
  const Simulation s = Simulation::fromText(withToys(), text, "m.yaml");
  return joined(ModelStructure::of(s).contactsLeftOut, "; ",
                [](const auto& l) { return l.a + " - " + l.b + ": " + l.why; });
}

std::map<std::string, double> parametersOfPairs(const std::string& text) {
  const Simulation s = Simulation::fromText(withToys(), text, "m.yaml");
  std::map<std::string, double> values;
  for (const auto& [name, value] : ModelParts(s).parameters()) {
    if (name.starts_with("contact.")) values[name] = value.real();
  }
  return values;
}

// The section stands behind it, from line 19 on.
const std::string kRobot = R"(components:
  floor: {type: Toy.Shape}
  pelvis: {type: Toy.Box, m: 5}
  hip: {type: Universal}
  thigh: {type: Toy.Box, m: 2}
  knee: {type: Revolute}
  shank: {type: Toy.Box, m: 1}
  sole: {type: Toy.Shape}
  ball: {type: Toy.Box, m: 4}
  wall: {type: Toy.Shape}
connections:
  - [world.frame_b, floor.frame_a]
  - [world.frame_b, wall.frame_a]
  - [pelvis.frame_a, hip.frame_a]
  - [hip.frame_b, thigh.frame_a]
  - [thigh.frame_a, knee.frame_a]
  - [knee.frame_b, shank.frame_a]
  - [shank.frame_a, sole.frame_a]
)";

std::string robot(const std::string& section) { return kRobot + section; }

/// The same with one more parameter of one shape.
std::string robotWith(const std::string& shape, const std::string& parameter,
                      const std::string& section) {
  std::string text = robot(section);
  const std::string whole = shape + ": {type: Toy.Shape";
  return text.insert(text.find(whole) + whole.size(), ", " + parameter);
}

}  // namespace

TEST_CASE("Contacts: without a section all shapes meet that neither a body nor a joint holds") {
  const std::string pairs =
      "floor.pelvis floor.thigh floor.shank floor.sole floor.ball pelvis.shank pelvis.sole "
      "pelvis.ball pelvis.wall thigh.ball thigh.wall shank.ball shank.wall sole.ball sole.wall "
      "ball.wall";
  CHECK(pairsOf(robot("")) == pairs);
  CHECK(pairsOf(robot("contacts:\n")) == pairs);
  CHECK(pairsOf(robot("contacts: {}\n")) == pairs);
  // The cross of the universal joint is no body.
  CHECK(leftOutOf(robot("")) ==
        "floor - wall: both fixed in the world; pelvis - thigh: joined by a joint; thigh - shank: "
        "joined by a joint; thigh - sole: joined by a joint; shank - sole: on the same body");
  // Parts that are named "shape" have their owner's name in patterns, too.
  CHECK(pairsOf(robot("contacts: {pairs: [[\"*\", floor]], exclude: [[s*, floor]]}\n")) ==
        "floor.pelvis floor.thigh floor.ball");
  CHECK(pairsOf(robot("contacts: {pairs: [[floor, ball.shape]]}\n")) == "floor.ball");
}

TEST_CASE("Contacts: groups, patterns and pairs; the order is that of the file") {
  CHECK(pairsOf(robot("contacts:\n  groups: {leg: [thigh, s*], fixed: [wall, floor]}\n"
                      "  pairs: [[fixed, leg], [leg, ball]]\n")) ==
        "floor.thigh floor.shank floor.sole thigh.ball thigh.wall shank.ball shank.wall sole.ball "
        "sole.wall");
  CHECK(pairsOf(robot("contacts: {groups: {leg: s*}, pairs: [[leg, leg]]}\n")) == "");
  CHECK(pairsOf(robot("contacts: {pairs: []}\n")) == "");
}

TEST_CASE("Contacts: what is listed by name meets across a joint, and exclude has the last word") {
  CHECK(pairsOf(robot("contacts: {pairs: [[thigh, shank]]}\n")) == "thigh.shank");
  CHECK(pairsOf(robot("contacts: {pairs: [[thigh, \"shan?\"]]}\n")) == "");
  CHECK(pairsOf(robot("contacts: {groups: {a: [thigh]}, pairs: [[a, shank]]}\n")) == "");
  CHECK(pairsOf(robot("contacts: {pairs: [[thigh, shank]], exclude: [[shank, thigh]]}\n")) == "");
  CHECK(leftOutOf(robot("contacts: {pairs: [[floor, s*]], exclude: [[shank, floor]]}\n")) ==
        "floor - shank: excluded");
  CHECK(contactErrors(robot("contacts: {pairs: [[sole, shank], [wall, floor]]}\n")) ==
        "m.yaml:19:20: error: 'shank' and 'sole' never touch: they are fixed to each other\n"
        "m.yaml:19:35: error: 'floor' and 'wall' never touch: both are fixed in the world");
}

TEST_CASE("Contacts: a pair has the mass of what moves together with the lighter of the two") {
  Simulation s = Simulation::fromText(withToys(), robot(""), "m.yaml");
  s.start({.outputs = {"contact.**"}});
  const auto value = [&](const std::string& name) { return s.value(s.variable(name)); };
  CHECK(value("contact.floor.sole.mass") == 8);
  CHECK(value("contact.pelvis.shank.mass") == 8);
  CHECK(value("contact.floor.ball.mass") == 4);
  CHECK(value("contact.sole.ball.mass") == 4);
  CHECK(value("contact.sole.ball.twice") == 0.2);
  // Nothing that weighs anything.
  Simulation light = Simulation::fromText(
      withToys(),
      "components: {floor: {type: Toy.Shape}, j: {type: Prismatic, n: [0, 1, 0], s: {start: 2, "
      "fixed: true}}, tip: {type: Toy.Box, m: 0}}\n"
      "connections:\n  - [world.frame_b, floor.frame_a]\n  - [world.frame_b, j.frame_a]\n"
      "  - [j.frame_b, tip.frame_a]\n"
      "outputs: [\"contact.*.*.*\", contact.floor.tip.mu]\n",
      "m.yaml");
  CHECK(ModelStructure::of(light).contacts == std::vector<std::string>{"contact.floor.tip"});
  CHECK(light.model().assembly().flatModel.encounters.pairs.at(0).mass == 1);
}

TEST_CASE("Contacts: a pair is told what its items say, its materials and the defaults") {
  std::string text = robotWith("floor", "material: steel", R"(parameters: {p: 0.25}
contacts:
  defaults: {mu: 0.5}
  materials: {rubber: {E: 5e6}, steel: {E: 1e7*2}}
  pairs:
    - [floor, "*"]
    - {between: [floor, s*], mu: 2*p, k: 7}
    - {between: [sole, floor], mu: 0.9}
)");
  text.replace(text.find("sole: {"), 7, "sole: {material: rubber, ");
  const std::map<std::string, double> p = parametersOfPairs(text);
  CHECK(p.at("contact.floor.ball.mu") == 0.5);
  CHECK(p.at("contact.floor.ball.a.E") == 2e7);
  CHECK(p.at("contact.floor.ball.b.E") == 2);
  CHECK(p.at("contact.floor.ball.k") == 3);
  CHECK(p.at("contact.floor.shank.mu") == 0.5);
  CHECK(p.at("contact.floor.shank.k") == 7);
  CHECK(p.at("contact.floor.sole.mu") == 0.9);
  CHECK(p.at("contact.floor.sole.k") == 7);
  CHECK(p.at("contact.floor.sole.a.E") == 2e7);
  CHECK(p.at("contact.floor.sole.b.E") == 5e6);
}

TEST_CASE("Contacts: a law that is missing is an error of a pair that is listed by name") {
  const std::string text = robotWith(
      "floor", "hollow: true", "contacts: {pairs: [[floor, \"*\"]], exclude: [[floor, s*]]}\n");
  CHECK(pairsOf(text) == "");
  CHECK(leftOutOf(text).ends_with("floor - thigh: hollow; floor - ball: hollow"));
  CHECK(contactErrors(robotWith("floor", "hollow: true", "contacts: {pairs: [[ball, floor]]}\n")) ==
        "m.yaml:19:20: error: 'floor' and 'ball' cannot touch: hollow");
}

TEST_CASE("Contacts errors: names, keys and values, each at its place, and once") {
  const auto errors = [](const std::string& section) {
    return contactErrors(robot("contacts: " + section + "\n"));
  };
  CHECK(errors("3") ==
        "m.yaml:19:11: error: 'contacts' must be a map of defaults, materials, groups, pairs, "
        "exclude, found '3'");
  CHECK(errors("{pair: []}") ==
        "m.yaml:19:12: error: unknown key of contacts: 'pair'; did you mean 'pairs'? known are "
        "defaults, exclude, groups, materials, pairs");
  CHECK(errors("{groups: {a: [flor], b: [x_*]}, pairs: [[a, b], [a, sol]], exclude: [[b, c]]}") ==
        "m.yaml:19:25: error: no shape matches 'flor'; did you mean 'floor'? shapes are floor, "
        "pelvis, thigh, shank, sole, ball, wall\n"
        "m.yaml:19:36: error: no shape matches 'x_*'; shapes are floor, pelvis, thigh, shank, "
        "sole, ball, wall\n"
        "m.yaml:19:63: error: no shape matches 'sol'; did you mean 'sole'? shapes are floor, "
        "pelvis, thigh, shank, sole, ball, wall\n"
        "m.yaml:19:84: error: no shape matches 'c'; shapes are floor, pelvis, thigh, shank, sole, "
        "ball, wall");
  CHECK(errors("{groups: {a: []}, pairs: [floor, [floor], {mu: 1}, {between: floor}]}") ==
        "m.yaml:19:24: error: a shape in 'contacts' must be a name or a pattern, as 'foot_*', "
        "found a list of 0\n"
        "m.yaml:19:37: error: a pair must be a list of two shapes, groups or patterns, as [foot, "
        "floor], found 'floor'\n"
        "m.yaml:19:44: error: a pair must be a list of two shapes, groups or patterns, as [foot, "
        "floor], found a list of 1\n"
        "m.yaml:19:53: error: a pair with parameters must have 'between', as {between: [foot, "
        "floor], ...}, found none\n"
        "m.yaml:19:72: error: a pair must be a list of two shapes, groups or patterns, as [foot, "
        "floor], found 'floor'");
  CHECK(errors("{defaults: 1, materials: {m: 2}}") ==
        "m.yaml:19:22: error: 'defaults' of 'contacts' must be a map of parameters of contacts, "
        "found '1'\n"
        "m.yaml:19:40: error: material 'm' must be a map of parameters of contacts, found '2'");
  CHECK(errors("{pairs: [{between: [floor, ball], a: {E: 2}}]}") ==
        "m.yaml:19:45: error: a pair must not have a key 'a': what it is made of stands under "
        "'materials' and 'defaults' of 'contacts'");
  // Of all the pairs that have it once.
  CHECK(errors("{defaults: {nu: 1}}") ==
        "m.yaml:19:23: error: section 'defaults': unknown key 'nu'; did you mean 'mu'? known keys: "
        "E, mu");
  CHECK(errors("{pairs: [{between: [floor, s*], k: [1]}, {between: [floor, ball], K: 1}]}") ==
        "m.yaml:19:46: error: Contact.Pair 'contact.floor.shank': 'k' must be a number, found a "
        "list of 1\n"
        "m.yaml:19:77: error: Contact.Pair 'contact.floor.ball': unknown key 'K'; did you mean "
        "'k'? known keys: a, b, defaults, k, mu");
  CHECK(contactErrors("submodels: {S: {contacts: {}}}\n")
            .starts_with("m.yaml:1:17: error: unknown section of submodel 'S': 'contacts'"));
}

TEST_CASE("Contacts errors: an unknown material, and a component with the name of the results") {
  CHECK(contactErrors(robotWith("sole", "material: ruber",
                                "contacts: {materials: {rubber: {E: 1}, unused: {F: 2}}}\n")) ==
        "m.yaml:8:3: error: Toy.Shape 'sole': unknown material 'ruber'; did you mean 'rubber'? "
        "'materials' of 'contacts' lists them\n"
        "m.yaml:19:49: error: material 'unused': unknown key 'F'; known keys: E, mu");
  const std::string taken =
      "is taken: in a model with shapes 'contact' is for the results of their contacts; give the "
      "component another one";
  for (const std::string name : {"contact", "contact.b", "contact[2]"}) {
    CAPTURE(name);
    const std::string shape = name == "contact" ? "Toy.Box" : "Toy.Shape";
    const std::string model = "components:\n  " + name +
                              ": {type: Body}\n  s: {type: Toy.Shape}\nconnections:\n  - [" + name +
                              ".frame_a, s.frame_a]\n";
    CHECK(contactErrors(model) == "m.yaml:2:3: error: component name '" + name + "' " + taken);
  }
  CHECK(contactErrors("components: {contact: {type: Body}}\n") == "");
  // Where nothing touches, nobody reads what is said of it.
  CHECK(contactErrors("components: {b: {type: Body}}\ncontacts: {defaults: {muu: 1}}\n") ==
        "m.yaml:2:22: warning: the model has no shapes that could touch: 'contacts' has no effect");
  CHECK(contactErrors("components: {contacts: {type: Toy.Box}}\n") == "");
}

TEST_CASE("Contacts: of a model with gaps nothing is said about pairs") {
  CHECK(contactErrors(robot("contacts: {groups: {a: [gone]}}\noutputs: [contact.floor.ball.mass]\n")
                          .replace(0, 11, "components:\n  gone: {type: Toi.Shape}"))
            .find("gone': unknown type") != std::string::npos);
}

TEST_CASE("Contacts: a file changes the section of the one that it extends key by key") {
  const test::Folder folder;
  folder.write("base.yaml", robot("contacts:\n  defaults: {mu: 0.5}\n"
                                  "  groups: {leg: [s*], other: [ball]}\n"
                                  "  pairs: [[leg, floor]]\n"));
  folder.write("m.yaml",
               "extends: base.yaml\ncontacts:\n  defaults: {mu: 0.7}\n"
               "  groups: {leg: [thigh], other: null}\n");
  const Simulation s(withToys(), folder / "m.yaml");
  CHECK(ModelStructure::of(s).contacts == std::vector<std::string>{"contact.floor.thigh"});
  for (const auto& [name, value] : ModelParts(s).parameters()) {
    if (name == "contact.floor.thigh.mu") CHECK(value.real() == 0.7);
  }
}

TEST_CASE("Contacts: a model with shapes has no counterpart in Modelica") {
  const Simulation s = Simulation::fromText(withToys(), kRobot, "m.yaml");
  Diagnostics diagnostics;
  ModelFacts facts;
  facts.model = &s.source();
  facts.sizesOf = [](const std::string&) { return std::vector<int>{}; };
  facts.connectorKind = [](const std::string&, const std::string&) { return "frame"; };
  facts.shapes = {"sole"};
  const auto root = parseYaml(kRobot, "m.yaml", diagnostics);
  REQUIRE(root);
  CHECK_FALSE(modelicaText(withToys(), *root, "m.yaml", facts, diagnostics));
  CHECK(diagnostics.all().at(0).format() ==
        "m.yaml:8:3: error: component 'sole': contacts have no Modelica counterpart");
}

}  // namespace cardan
