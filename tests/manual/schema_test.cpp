// The schema of model files: it has every key that the loader has, takes every model that ships, and
// flags mistakes where they are.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "tests/apps/process.h"
#include "tests/manual/json_schema.h"

using namespace test;
using cardan::YamlNode;

namespace {

Json schemaOf(const std::string& model = "") {
  const Folder folder;
  const Process p = test::runCardan(folder, "schema" + (model.empty() ? "" : " '" + model + "'"));
  REQUIRE(p.code == 0);
  return Json::parse(p.out);
}

YamlNode yamlOf(const std::string& path) {
  cardan::Diagnostics diagnostics;
  auto root = cardan::readYaml(path, diagnostics);
  REQUIRE(root);
  return *root;
}

/// Models of the project, by path.
std::vector<std::string> shippedModels() {
  std::vector<std::string> paths;
  for (const char* folder : {"/models", "/tests/regression/models"}) {
    for (const auto& e :
         std::filesystem::recursive_directory_iterator(std::string(CARDAN_SOURCE_DIR) + folder)) {
      const bool study = e.path().parent_path().filename() == "studies";
      if (e.path().extension() == ".yaml" && !study) paths.push_back(e.path().string());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

std::string printed(const std::vector<JsonSchema::Fault>& faults) {
  std::string text;
  for (const JsonSchema::Fault& f : faults) {
    for (const std::string& step : f.path) text += step + "/";
    text += " " + f.text + "\n";
  }
  return text;
}

constexpr const char* kNoKey = "no_such_key";

/// A map in which every map that `schema` knows has a key that it does not; of the others only the
/// Booleans at the top, if they are `flipped`: some keys are there with them only.
void fillWithUnknown(const Json& schema, bool flipped, std::string& yaml) {
  yaml += "{" + std::string(kNoKey) + ": 1";
  for (const auto& [key, property] : schema["properties"].items()) {
    const Json& about = property.contains("default") ? property["default"] : property;
    if (about.is_boolean() && flipped) yaml += ", " + key + (about == true ? ": false" : ": true");
    if (!property.contains("properties")) continue;
    yaml += ", " + key + ": ";
    fillWithUnknown(property, false, yaml);
  }
  yaml += "}";
}

std::set<std::string> keysOf(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, unused] : object.items()) keys.insert(key);
  return keys;
}

/// "...; known keys: a, b, c" -> {a, b, c}
std::set<std::string> listedKeys(const std::string& message) {
  std::set<std::string> keys;
  const size_t at = message.find("known keys: ");
  if (at == std::string::npos) return keys;
  std::istringstream in(message.substr(at + 12));
  for (std::string key; in >> key;) {
    if (key.ends_with(',')) key.pop_back();
    keys.insert(key);
  }
  return keys;
}

/// Compares the keys of a schema with those that the loader lists, for the map at `path` ("phi.").
void compareKeys(const Json& schema, const std::string& path,
                 const std::map<std::string, std::set<std::string>>& ofLoader) {
  CAPTURE(path);
  const auto found = ofLoader.find(path);
  REQUIRE(found != ofLoader.end());
  std::set<std::string> keys = keysOf(schema["properties"]);
  if (path.empty()) {
    for (const char* ofAll : {"type", "count", "if"}) {
      if (!found->second.contains(ofAll)) keys.erase(ofAll);
    }
  }
  CHECK(keys == found->second);
  for (const auto& [key, property] : schema["properties"].items()) {
    if (property.contains("properties")) compareKeys(property, path + key + ".", ofLoader);
  }
}

/// By path what the loader lists as known where it meets the key that is none.
std::map<std::string, std::set<std::string>> keysOfLoader(const std::string& model) {
  std::map<std::string, std::set<std::string>> keys;
  try {
    cardan::Simulation::fromText(cardan::catalogue(), model);
  } catch (const cardan::ModelError& e) {
    for (const cardan::Diagnostic& d : e.diagnostics().all()) {
      const size_t at = d.text.find("unknown key '");
      if (at == std::string::npos) continue;
      const size_t first = at + 13, end = d.text.find(kNoKey, first);
      if (end != std::string::npos) keys[d.text.substr(first, end - first)] = listedKeys(d.text);
    }
  }
  return keys;
}

/// One mistake, of one kind, at the `number`-th place that a model has for it.
struct Mutation {
  const char* name;
  std::function<bool(YamlNode& root, size_t number, int& line)> apply;
};

YamlNode::Entry* entryOf(YamlNode& map, const std::string& key) {
  const auto found = std::ranges::find(map.entries, key, &YamlNode::Entry::key);
  return found == map.entries.end() ? nullptr : &*found;
}

YamlNode scalarNode(const std::string& text, const YamlNode& at, bool quoted = false) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = text;
  node.quoted = quoted;
  node.file = at.file;
  node.line = at.line;
  node.column = at.column;
  return node;
}

std::string misspelled(const std::string& word) { return word + "x"; }

/// Calls f for the parameters of all components; takes the `number`-th for which it says true.
bool atParameter(YamlNode& root, size_t number, int& line,
                 const std::function<bool(YamlNode::Entry&)>& suits,
                 const std::function<void(YamlNode::Entry&)>& change) {
  YamlNode::Entry* components = entryOf(root, "components");
  if (!components) return false;
  std::vector<YamlNode::Entry*> places;
  for (YamlNode::Entry& c : components->value.entries) {
    for (YamlNode::Entry& p : c.value.entries) {
      if (p.key != "type" && suits(p)) places.push_back(&p);
    }
  }
  if (places.empty()) return false;
  YamlNode::Entry& place = *places[number % places.size()];
  line = place.keyLine;
  change(place);
  return true;
}

bool isVectorOfThree(const YamlNode::Entry& p) {
  return p.value.isSequence() && p.value.items.size() == 3 && p.value.items[0].isScalar();
}
bool isStart(const YamlNode::Entry& p) {
  return p.value.isMap() && (p.value.find("start") || p.value.find("fixed"));
}

std::vector<Mutation> mutations() {
  const auto section = [](YamlNode& root, const char* key) -> YamlNode* {
    YamlNode::Entry* e = entryOf(root, key);
    return e ? &e->value : nullptr;
  };
  const auto component = [section](YamlNode& root, size_t number) -> YamlNode::Entry* {
    YamlNode* all = section(root, "components");
    if (!all || all->entries.empty()) return nullptr;
    return &all->entries[number % all->entries.size()];
  };
  const auto connection = [section](YamlNode& root, size_t number) -> YamlNode* {
    YamlNode* all = section(root, "connections");
    if (!all || all->items.empty()) return nullptr;
    return &all->items[number % all->items.size()];
  };
  const auto addTo = [section](const char* map, const char* key, const char* value) {
    return [=](YamlNode& root, size_t, int& line) {
      YamlNode* s = section(root, map);
      if (!s || !s->isMap()) return false;
      std::erase_if(s->entries, [&](const auto& e) { return e.key == key; });
      YamlNode::Entry e;
      e.key = key;
      e.value = scalarNode(value, *s);
      e.keyLine = line = s->line;
      s->entries.push_back(std::move(e));
      return true;
    };
  };
  const auto parameter = [](std::function<bool(YamlNode::Entry&)> suits,
                            std::function<void(YamlNode::Entry&)> change) {
    return [=](YamlNode& root, size_t number, int& line) {
      return atParameter(root, number, line, suits, change);
    };
  };
  std::vector<Mutation> all;
  all.push_back({"a section misspelled", [](YamlNode& root, size_t number, int& line) {
                   YamlNode::Entry& e = root.entries[number % root.entries.size()];
                   e.key = misspelled(e.key);
                   line = e.keyLine;
                   return true;
                 }});
  all.push_back({"a type misspelled", [component](YamlNode& root, size_t number, int& line) {
                   YamlNode::Entry* c = component(root, number);
                   YamlNode::Entry* type = c ? entryOf(c->value, "type") : nullptr;
                   if (!type) return false;
                   type->value.text = misspelled(type->value.text);
                   line = type->keyLine;
                   return true;
                 }});
  all.push_back({"a type left out", [component](YamlNode& root, size_t number, int& line) {
                   YamlNode::Entry* c = component(root, number);
                   if (!c) return false;
                   std::erase_if(c->value.entries, [](const auto& e) { return e.key == "type"; });
                   line = c->keyLine;
                   return true;
                 }});
  all.push_back({"a parameter misspelled", parameter([](auto&) { return true; },
                                                     [](auto& p) { p.key = misspelled(p.key); })});
  all.push_back({"a vector too short",
                 parameter(isVectorOfThree, [](auto& p) { p.value.items.pop_back(); })});
  all.push_back({"a vector too long", parameter(isVectorOfThree, [](auto& p) {
                   p.value.items.push_back(p.value.items[0]);
                 })});
  all.push_back({"a vector replaced by a number",
                 parameter(isVectorOfThree, [](auto& p) { p.value = scalarNode("1", p.value); })});
  all.push_back({"a start value without its map",
                 parameter(isStart, [](auto& p) { p.value = scalarNode("0.1", p.value); })});
  all.push_back({"a key of a start value misspelled", parameter(isStart, [](auto& p) {
                   p.value.entries[0].key = misspelled(p.value.entries[0].key);
                 })});
  all.push_back(
      {"'fixed' of a start value 'yes'",
       parameter([](auto& p) { return isStart(p) && p.value.find("fixed"); },
                 [](auto& p) { entryOf(p.value, "fixed")->value = scalarNode("yes", p.value); })});
  all.push_back(
      {"a negative mass or size",
       parameter(
           [](auto& p) {
             return std::set<std::string>{"m", "width", "diameter", "d", "radius", "J"}.contains(
                        p.key) &&
                    p.value.isScalar();
           },
           [](auto& p) { p.value = scalarNode("-1", p.value); })});
  all.push_back({"nothing for a value", parameter([](auto& p) { return p.value.isScalar(); },
                                                  [](auto& p) {
                                                    p.value.kind = YamlNode::Kind::null;
                                                    p.value.text.clear();
                                                  })});
  all.push_back(
      {"a connection with one end", [connection](YamlNode& root, size_t number, int& line) {
         YamlNode* c = connection(root, number);
         if (!c) return false;
         c->items.pop_back();
         line = c->line;
         return true;
       }});
  all.push_back({"a connector misspelled", [connection](YamlNode& root, size_t number, int& line) {
                   YamlNode* c = connection(root, number);
                   if (!c) return false;
                   c->items[0].text = misspelled(c->items[0].text);
                   line = c->line;
                   return true;
                 }});
  all.push_back({"a connector left out", [connection](YamlNode& root, size_t number, int& line) {
                   YamlNode* c = connection(root, number);
                   if (!c) return false;
                   c->items.pop_back();
                   line = c->line;
                   return true;
                 }});
  all.push_back({"an unknown key of the simulation", addTo("simulation", "steps", "100")});
  all.push_back({"a tolerance of 2", addTo("simulation", "tolerance", "2")});
  all.push_back({"an unknown integrator", addTo("simulation", "integrator", "euler")});
  all.push_back({"an unknown law of impact", addTo("simulation", "impact", "euler")});
  all.push_back({"an unknown key of the world", addTo("world", "gravity", "9.81")});
  all.push_back({"an unknown kind of gravity", addTo("world", "gravityType", "Uniform")});
  return all;
}

}  // namespace

TEST_CASE("cardan schema: has the keys that the loader has, of every type and its parts") {
  const JsonSchema schema(schemaOf());
  for (const cardan::CatalogueEntry& e : cardan::catalogue()) {
    CAPTURE(e.type);
    const bool isWorld = e.type == "World";
    const Json& definition = schema.definition(isWorld ? "the world" : e.type);
    std::map<std::string, std::set<std::string>> known;
    for (const bool flipped : {false, true}) {
      std::string value;
      fillWithUnknown(definition, flipped, value);
      const std::string model =
          isWorld ? "world: " + value + "\n"
                  : "components:\n  x: " + value.insert(1, "type: " + e.type + ", ") + "\n";
      for (auto& [path, keys] : keysOfLoader(model)) known[path].insert(keys.begin(), keys.end());
    }
    if (isWorld) known[""].insert("name");
    compareKeys(definition, "", known);
  }
}

TEST_CASE("cardan schema: has the sections and the keys of the simulation that the loader has") {
  const Json schema = schemaOf();
  // "unknown section 'no_such_key'; known are a, b"
  const auto known = [](const std::string& model) {
    std::set<std::string> keys;
    const Folder folder;
    folder.write("m.yaml", model);
    const Process p = test::runCardan(folder, "check m.yaml");
    const size_t at = p.err.find("known are ");
    REQUIRE(at != std::string::npos);
    std::istringstream in(p.err.substr(at + 10, p.err.find('\n', at) - at - 10));
    for (std::string key; in >> key;) keys.insert(key.substr(0, key.find(',')));
    return keys;
  };
  CHECK(keysOf(schema["properties"]) == known("no_such_key: 1\n"));
  CHECK(keysOf(schema["definitions"]["a submodel"]["properties"]) ==
        known("submodels: {S: {no_such_key: 1}}\n"));
  CHECK(keysOf(schema["properties"]["simulation"]["properties"]) ==
        known("simulation: {no_such_key: 1}\n"));
}

TEST_CASE("cardan schema: every default is a value that it allows") {
  JsonSchema schema(schemaOf());
  int defaults = 0;
  const std::function<void(const Json&)> walk = [&](const Json& object) {
    for (const auto& [key, property] : object["properties"].items()) {
      CAPTURE(key);
      if (property.contains("default")) {
        ++defaults;
        CHECK(printed(schema.check(property, property["default"])) == "");
      }
      if (property.contains("properties")) walk(property);
    }
  };
  for (const cardan::CatalogueEntry& e : cardan::catalogue()) {
    CAPTURE(e.type);
    walk(schema.definition(e.type == "World" ? "the world" : e.type));
  }
  CHECK(defaults > 1000);
}

TEST_CASE("cardan schema: every model that ships passes") {
  JsonSchema schema(schemaOf());
  const std::vector<std::string> paths = shippedModels();
  CHECK(paths.size() > 100);
  for (const std::string& path : paths) {
    CAPTURE(path);
    CHECK(printed(schema.check(jsonOf(yamlOf(path)))) == "");
  }
}

TEST_CASE("cardan schema: of sixty models with a mistake 95 % are flagged on its line") {
  const std::vector<Mutation> kinds = mutations();
  std::vector<std::string> paths;
  for (const std::string& path : shippedModels()) {
    if (path.find("/models/loops/") != std::string::npos ||
        path.find("/models/elementary/") != std::string::npos ||
        path.find("/models/robots/") != std::string::npos) {
      paths.push_back(path);
    }
  }
  JsonSchema general(schemaOf());
  std::map<std::string, JsonSchema> ofModel;
  int mutants = 0, flagged = 0;
  std::string missed;
  for (size_t k = 0; mutants < 60 && k < 2000; ++k) {
    // A stride that has nothing in common with the number of kinds.
    const std::string& path = paths[(7 * k + k / paths.size()) % paths.size()];
    const Mutation& kind = kinds[static_cast<size_t>(mutants) % kinds.size()];
    YamlNode root = yamlOf(path);
    const bool own = root.find("submodels") || root.find("include");
    int line = 0;
    if (!kind.apply(root, k / 3, line)) continue;
    ++mutants;
    JsonSchema* schema = &general;
    if (own) {
      schema = &ofModel.try_emplace(path, ofModel.contains(path) ? Json() : schemaOf(path))
                    .first->second;
    }
    const auto faults = schema->check(jsonOf(root));
    const bool found = std::ranges::any_of(
        faults, [&](const JsonSchema::Fault& f) { return lineOf(root, f.path) == line; });
    flagged += found;
    if (!found) missed += std::string(kind.name) + " in " + path + "\n" + printed(faults);
  }
  CAPTURE(missed);
  REQUIRE(mutants == 60);
  CHECK(flagged >= 57);
}

TEST_CASE("cardan schema MODEL: knows its submodels and its connectors") {
  const std::string path = CARDAN_SOURCE_DIR "/models/elementary/submodel.yaml";
  JsonSchema schema(schemaOf(path));
  const YamlNode right = yamlOf(path);
  CHECK(printed(schema.check(jsonOf(right))) == "");
  const auto faultsOf = [&](const std::string& component, const std::string& connection) {
    Json model = jsonOf(right);
    if (!component.empty()) model["components"]["more"] = Json::parse(component);
    if (!connection.empty()) model["connections"].push_back(Json::parse(connection));
    return schema.check(model).size();
  };
  CHECK(faultsOf(R"({"type": "Link", "L": 2})", "") == 0);
  CHECK(faultsOf(R"({"type": "Link", "length": 2})", "") > 0);
  CHECK(faultsOf(R"({"type": "Lnk"})", "") > 0);
  CHECK(faultsOf("", R"(["link1.frame_a", "world.frame_b"])") == 0);
  CHECK(faultsOf("", R"(["link1.frame_c", "world.frame_b"])") > 0);
  CHECK(faultsOf("", R"(["new_one.frame_c", "world.frame_b"])") ==
        0);  // a part still to be written
  // What a submodel of the file itself may connect is proposed, and what else stands there passes.
  const std::string own = CARDAN_SOURCE_DIR "/models/loops/engine_v6.yaml";
  const Json all = schemaOf(own),
             link = all["allOf"][0]["properties"]["submodels"]["properties"]["Cylinder"];
  const auto proposed = link["properties"]["connections"]["items"]["items"]["anyOf"][0]["enum"]
                            .get<std::set<std::string>>();
  CHECK(proposed.contains("joint.frame_ia"));
  CHECK(proposed.contains("gas.flange_a"));
  CHECK(link["properties"]["connectors"]["additionalProperties"]["anyOf"][0]["enum"]
            .get<std::set<std::string>>() == proposed);
}

TEST_CASE("cardan schema: does not overwrite the model, and says what cannot be read") {
  const Folder folder;
  folder.write("m.yaml", "components: {}\n");
  CHECK(test::runCardan(folder, "schema m.yaml -o m.yaml").code == 2);
  CHECK(folder.read("m.yaml") == "components: {}\n");
  const Process p = test::runCardan(folder, "schema none.yaml");
  CHECK(p.code == 2);
  CHECK(p.err.find("none.yaml") != std::string::npos);
  CHECK(test::runCardan(folder, "schema m.yaml -o m.schema.json").code == 0);
  CHECK(folder.has("m.schema.json"));
}

TEST_CASE("test of schemas: the validator notices every kind of fault") {
  const auto faults = [](const char* schema, const char* instance) {
    return JsonSchema(Json::parse(schema)).check(Json::parse(instance)).size();
  };
  CHECK(faults(R"({"type": "integer"})", "2") == 0);
  CHECK(faults(R"({"type": "integer"})", "2.5") == 1);
  CHECK(faults(R"({"type": ["array", "null"], "items": {"minimum": 1}})", "[1, 0]") == 1);
  CHECK(faults(R"({"properties": {"a": {"const": 1}}, "additionalProperties": false})",
               R"({"a": 2, "b": 1})") == 2);
  CHECK(faults(R"({"if": {"required": ["a"]}, "else": {"required": ["b"]}})", R"({"c": 1})") == 1);
  CHECK(faults(R"({"not": {"pattern": "^x"}})", R"("xy")") == 1);
  CHECK(faults(R"({"anyOf": [{"enum": [1]}, {"type": "string"}]})", "2") == 1);
  CHECK_THROWS(faults(R"({"contains": 1})", "2"));
}
