// cardan check --json: what editors and other programs are told of a model.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/apps/process.h"

using test::Folder;
using test::Process;
using Json = nlohmann::json;

namespace {

struct Report {
  Process process;
  Json json;
};

Report reportOf(const Folder& folder, const std::string& arguments) {
  Report r{test::runCardan(folder, "check --json " + arguments), {}};
  r.json = Json::parse(r.process.out, nullptr, false);
  CAPTURE(r.process.out);
  REQUIRE(!r.json.is_discarded());
  return r;
}

/// A place as it stands in front of a message: "m.yaml:3:4: ".
std::string placeText(const Json& j) {
  std::string text = j.value("file", "");
  if (j.contains("line"))
    text +=
        ":" + std::to_string(j["line"].get<int>()) + ":" + std::to_string(j["column"].get<int>());
  return text.empty() ? "" : text + ": ";
}

std::string messageText(const Json& j, const std::string& severity) {
  const std::string hint = j.value("hint", "");
  return placeText(j) + severity + ": " + j["message"].get<std::string>() +
         (hint.empty() ? "" : "; " + hint) + "\n";
}

/// What the command says without --json.
std::string plainText(const Json& diagnostics) {
  std::string text;
  for (const Json& d : diagnostics) {
    text += messageText(d, d["severity"]);
    for (const Json& n : d["notes"]) text += messageText(n, "note");
  }
  return text;
}

constexpr const char* kCheckJsonPendulum = R"yaml(model: Pendulum
components:
  j: {type: Revolute, phi: {start: 0.5, fixed: true}, w: {fixed: true}}
  b: {type: BodyBox, r: [0.5, 0, 0], width: 0.05}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
simulation: {stop: 1}
)yaml";

}  // namespace

TEST_CASE(
    "cardan check --json: a mistake has file, line, column, end, severity, message and hint") {
  const Folder folder;
  folder.write("m.yaml",
               "model: Wrong\ncomponents:\n"
               "  b: {type: Body, mass: 1}\n"
               "  r\xC3\xA4: {type: Revolut}\n");
  const Report r = reportOf(folder, "m.yaml");
  CHECK(r.process.code == 2);
  CHECK(r.process.err.empty());
  CHECK(r.json["file"] == "m.yaml");
  CHECK(r.json["canRun"] == false);
  CHECK(r.json["errors"] == r.json["diagnostics"].size());
  const auto find = [&](const std::string& part) {
    for (const Json& d : r.json["diagnostics"]) {
      if (d["message"].get<std::string>().find(part) != std::string::npos) return d;
    }
    return Json::object();
  };
  const Json key = find("'mass'");
  CAPTURE(r.process.out);
  CHECK(key["severity"] == "error");
  CHECK(key["file"] == "m.yaml");
  CHECK(key["line"] == 3);
  CHECK(key["column"] == 19);  // of "mass"
  CHECK(key["endLine"] == 3);
  CHECK(key["endColumn"] == 23);
  CHECK(key["message"] == "Body 'b': unknown key 'mass'");
  CHECK(key["hint"].get<std::string>().starts_with("did you mean 'm'?"));
  CHECK(key["notes"].empty());
}

TEST_CASE("cardan check --json: columns count characters, and a word ends where it ends") {
  const Folder folder;
  folder.write("m.yaml",
               "components:\n"
               "  c: {type: Blocks.Constant, k: \"2*\xC3\xA4hnlich\"}\n"
               "  d: {type: Revolut}\n");
  const Json list = reportOf(folder, "m.yaml").json["diagnostics"];
  CAPTURE(list.dump(1));
  REQUIRE(list.size() == 2);
  CHECK(list[0]["line"] == 2);
  CHECK(list[0]["endColumn"].get<int>() > list[0]["column"].get<int>());
  CHECK(list[1]["line"] == 3);
  CHECK(list[1]["column"] == 13);
  CHECK(list[1]["endColumn"] == 20);  // "Revolut"
}

TEST_CASE("cardan check --json: says what the command says without it, in the same order") {
  const Folder folder;
  folder.write("base.yaml", "submodels: {S: {parameters: {L: 1}}}\n");
  int number = 0;
  for (const char* text :
       {"components: [1, 2]\n", "components: {b: {type: Body, m: -1, I_11: x}}\nconnectoins: []\n",
        "components: {a: {type: Body}, a: {type: Body}}\n", "parameters: {L: M, M: L}\n",
        "components:\n  p[8]: {type: Body, r: [1, 0]}\n", "- a\n- b\n", "a: [1, 2\nb: 3\n",
        "include: [base.yaml, none.yaml]\ncomponents: {x: {type: S, l: 2}}\n",
        "components: {j: {type: Revolute, n: [0, 0, 0]}}\n"
        "connections: [[world.frame_b, j.frame_a], [j.frame_b, k.frame_a]]\n",
        "components: {j: {type: Revolute}}\nconnections: [[world.frame_b, j.frame_a]]\n",
        "simulation: {stop: -1, tolerance: 3}\noutputs: [none]\n"}) {
    const std::string name = "m" + std::to_string(++number) + ".yaml";
    CAPTURE(text);
    folder.write(name, text);
    const Report r = reportOf(folder, name);
    const Process plain = test::runCardan(folder, "check " + name);
    CHECK(r.process.code == plain.code);
    CHECK(r.process.code == 2);
    std::string said = plain.err;
    if (const size_t count = said.rfind(" errors\n"); count != std::string::npos)
      said.resize(said.rfind('\n', count) + 1);
    CHECK(plainText(r.json["diagnostics"]) == said);
    CHECK(!said.empty());
  }
}

TEST_CASE("cardan check --json: tells of a model that can run what it is made of") {
  const Folder folder;
  folder.write("m.yaml", kCheckJsonPendulum);
  const Report r = reportOf(folder, "m.yaml --names");
  CHECK(r.process.code == 0);
  CHECK(r.json["canRun"] == true);
  CHECK(r.json["model"] == "Pendulum");
  CHECK(r.json["errors"] == 0);
  CHECK(r.json["diagnostics"].empty());
  const Json& s = r.json["structure"];
  CHECK(s["components"] == 3);  // the world is one
  CHECK(s["degreesOfFreedom"] == 1);
  CHECK(s["unknowns"]["positions"] == 1);
  REQUIRE(s["tree"].size() >= 1);
  CHECK(s["tree"][0]["component"] == "j");
  CHECK(s["tree"][0]["type"] == "Revolute");
  CHECK(s["tree"][0]["parent"] == "world");
  CHECK(s["tree"][0]["freedoms"] == 1);
  CHECK(s["loops"].empty());
  bool found = false;
  for (const Json& e : s["start"]) {
    if (e["name"] != "j.phi") continue;
    found = true;
    CHECK(e["unit"] == "rad");
    CHECK(e["kind"] == "fixed");
    CHECK(e["wanted"] == 0.5);
    CHECK(e["reached"] == 0.5);
  }
  CHECK(found);
  bool named = false;
  for (const Json& n : r.json["names"])
    named = named || (n["name"] == "j.phi" && n["unit"] == "rad" && n["description"] == "angle");
  CHECK(named);
}

TEST_CASE("cardan check --json: a loop, its cut and its redundant equations are there") {
  const Folder folder;
  const Report r = reportOf(folder, "'" CARDAN_SOURCE_DIR "/models/loops/fourbar.yaml'");
  CHECK(r.process.code == 0);
  const Json& loops = r.json["structure"]["loops"];
  REQUIRE(loops.size() == 1);
  CHECK(loops[0]["cut"] == "last_joint");
  CHECK(loops[0]["joints"].size() == 4);
  CHECK(loops[0]["closureEquations"] == 5);
  CHECK(loops[0]["redundant"].size() == 3);
}

TEST_CASE("cardan check --json: warnings leave the model able to run") {
  const Folder folder;
  std::string text = kCheckJsonPendulum;
  text.insert(text.find("w: {fixed"), "useAxisFlange: true, ");
  text.insert(text.find("connections:"), "  s: {type: Rotational.Spring, c: 1}\n");
  text.insert(text.find("simulation:"), "  - [j.axis, s.flange_b]\n");
  folder.write("m.yaml", text);
  const Report r = reportOf(folder, "m.yaml");
  CHECK(r.process.code == 0);
  CHECK(r.process.err.empty());
  CHECK(r.json["canRun"] == true);
  CHECK(r.json["errors"] == 0);
  CHECK(plainText(r.json["diagnostics"]) == test::runCardan(folder, "check m.yaml").err);
  REQUIRE(r.json["diagnostics"].size() == 1);
  CHECK(r.json["diagnostics"][0]["severity"] == "warning");
}

TEST_CASE("cardan check --json: is one document whatever is read") {
  const Folder folder;
  SUBCASE("a file that is not there") {
    const Report r = reportOf(folder, "none.yaml");
    CHECK(r.process.code == 2);
    CHECK(r.json["errors"] == 1);
    CHECK(!r.json["diagnostics"][0].contains("line"));
  }
  SUBCASE("bytes that are no text") {
    folder.write("m.yaml", "components: {\xFF\xFE: {type: \xC3}}\n");
    const Report r = reportOf(folder, "m.yaml");
    CHECK(r.process.code == 2);
    CHECK(r.json["errors"].get<int>() >= 1);
  }
  SUBCASE("a library file") {
    folder.write("m.yaml", "submodels: {S: {components: {b: {type: Body, m: 1}}}}\n");
    const Report r = reportOf(folder, "m.yaml");
    CHECK(r.process.code == 0);
    CHECK(r.json["defines"] == Json::array({"S"}));
    CHECK(r.json["canRun"] == false);
  }
  SUBCASE("standard input") {
    folder.write("m.yaml", kCheckJsonPendulum);
    const Process p = test::shell(folder, "$cardan check --json - < m.yaml");
    CHECK(p.code == 0);
    CHECK(Json::parse(p.out)["file"] == "stdin");
  }
  SUBCASE("a robot with what cannot be said") {
    const Report r = reportOf(folder, "'" CARDAN_SOURCE_DIR "/models/robots/picker.urdf'");
    CHECK(r.process.code == 0);
    CHECK(r.process.err.empty());
    CHECK(r.json["canRun"] == true);
  }
}
