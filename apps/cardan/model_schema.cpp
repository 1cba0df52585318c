#include "apps/cardan/model_schema.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "apps/cardan/parameter_schema.h"
#include "apps/cosimulation/types.h"
#include "engine/model_file/known_keys.h"
#include "engine/model_file/sections.h"
#include "engine/model_file/simulation_settings.h"
#include "engine/model_file/type_description.h"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

// As isName() has it.
constexpr const char* kPart = R"([A-Za-z_][A-Za-z0-9_]*(\[\d+(,\d+)*\])?)";
std::string namePattern() { return std::string("^") + kPart + R"((\.)" + kPart + ")*$"; }

std::string escaped(const std::string& text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view(".[]()*+?^$|\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::string joinedPattern(const std::set<std::string>& names) {
  std::string pattern;
  for (const std::string& name : names) pattern += (pattern.empty() ? "" : "|") + escaped(name);
  return pattern;
}

Json described(Json schema, const std::string& description) {
  schema["description"] = description;
  return schema;
}

Json ref(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }

/// Map of names that are the reader's own.
Json namedMap(Json values, const std::string& description) {
  return {{"description", description},
          {"type", {"object", "null"}},
          {"propertyNames", {{"pattern", namePattern()}}},
          {"additionalProperties", std::move(values)}};
}

Json listOf(Json items, const std::string& description) {
  return {{"description", description}, {"type", {"array", "null"}}, {"items", std::move(items)}};
}

/// Names of a component that a connection may name: connectors and outputs.
std::set<std::string> endsOf(const TypeDescription& t) {
  std::set<std::string> ends;
  for (const TypeDescription::Connector& c : t.connectors) ends.insert(c.name);
  for (const TypeDescription::Variable& v : t.variables) {
    if (v.output) ends.insert(v.name.substr(0, v.name.find('[')));
  }
  return ends;
}

/// An input of the model alone has no dot.
Json anyEnd() {
  return {{"type", "string"}, {"pattern", R"(^[A-Za-z_]([A-Za-z0-9_]*(\[.*\])?$|.*\..+))"}};
}

/// One of these names, or what `other` says.
Json oneOf(const std::set<std::string>& names, Json other) {
  return {{"anyOf", {{{"enum", names}}, std::move(other)}}};
}

Json assertionSchema() {
  return {{"type", "object"},
          {"description", "a condition that must hold, and what is said where it does not"},
          {"properties",
           {{"condition", {{"type", {"string", "boolean"}}}}, {"message", {{"type", "string"}}}}},
          {"required", {"condition", "message"}},
          {"additionalProperties", false}};
}

/// Keys of laws of contact are those of the shapes' pairs, which are not known here.
Json contactsSchema() {
  const Json text{{"type", "string"}};
  const Json parameters{{"type", "object"}};
  const Json two{{"type", "array"}, {"items", text}, {"minItems", 2}, {"maxItems", 2}};
  const Json item{{"type", {"array", "object"}},
                  {"items", text},
                  {"minItems", 2},
                  {"maxItems", 2},
                  {"properties", {{"between", two}}},
                  {"required", {"between"}}};
  const Json group{{"anyOf", {text, {{"type", "array"}, {"items", text}}}}};
  const auto mapOf = [](const Json& values, const char* about) {
    return Json{
        {"description", about}, {"type", {"object", "null"}}, {"additionalProperties", values}};
  };
  return {
      {"type", {"object", "null"}},
      {"description", "which shapes touch, and what they are made of"},
      {"properties",
       {{"defaults", described({{"type", {"object", "null"}}}, "parameters of all contacts")},
        {"materials", mapOf(parameters, "parameters of contacts, by the names of materials")},
        {"groups", mapOf(group, "lists of shapes, as names and patterns")},
        {"pairs", listOf(item, "[a, b] or {between: [a, b], ...}, of shapes, groups or patterns")},
        {"exclude", listOf(two, "pairs that do not touch")}}},
      {"additionalProperties", false}};
}

/// What the schema says of types and connectors, in general or of one model.
class SchemaWriter {
 public:
  SchemaWriter() {
    for (const CatalogueEntry& e : allTypes()) ends_[e.type] = endsOf(describeType(e));
  }

  void readModel(const std::optional<YamlNode>& root, const std::string& path) {
    Diagnostics ignored;  // a model that is being written has mistakes
    std::vector<std::string> included;
    submodels_ = readSubmodels(*root, path, included, ignored);
    model_ = readSections(*root, ignored);
    if (const YamlNode* w = root->find("world")) {
      if (const YamlNode* name = w->find("name"); name && isName(name->text))
        worldName_ = name->text;
    }
    ofModel_ = true;
    extends_ = root->find("extends") != nullptr;
  }

  Json write() {
    Json properties = Json::object();
    for (const std::string& key : topLevelKeys()) properties[key] = sectionSchema(key);
    Json definitions = Json::object();
    definitions["the world"] = world();
    definitions["a component"] = componentSchema();
    definitions["a connection"] = connectionSchema(anyEnd());
    definitions["a submodel"] = submodelSchema();
    for (const auto& [name, submodel] : submodels_) definitions[name] = instanceSchema(submodel);
    for (const CatalogueEntry& e : allTypes()) {
      if (definitions.contains(e.type)) continue;
      Json schema = parameterSchema(e);
      schema["title"] = e.type + ": " + e.description;
      Json& own = schema["properties"];
      // Of every component, whatever its type.
      for (const char* key : {"type", "count", "if"}) {
        if (!own.contains(key)) own[key] = Json::object();
      }
      if (e.isOpen) {
        schema["additionalProperties"] = valueSchema();
        own["parameters"] = {{"type", "object"},
                             {"description", "parameters, by the file's names"}};
      }
      definitions[e.type] = std::move(schema);
    }
    // Types are known where no submodels of other files can come in.
    const Json strictType{
        {"type", "object"}, {"required", {"type"}}, {"properties", {{"type", typeSchema()}}}};
    Json known{{"connections", {{"items", connectionSchema(knownEnd())}}}};
    if (!extends_) known["components"] = {{"additionalProperties", strictType}};
    for (const auto& [name, submodel] : submodels_)
      known["submodels"]["properties"][name] = endsOfSubmodel(submodel);
    const Json strict{{"properties", std::move(known)}};
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", "Cardan model file"},
                {"type", "object"},
                {"properties", std::move(properties)},
                {"additionalProperties", false}};
    if (ofModel_) {
      schema["allOf"] = {strict};
    } else {
      schema["if"] = {{"anyOf",
                       {{{"required", {"submodels"}}},
                        {{"required", {"include"}}},
                        {{"required", {"extends"}}}}}};
      schema["else"] = strict;
    }
    schema["definitions"] = std::move(definitions);
    return schema;
  }

 private:
  /// A number, text, Boolean or array of these.
  Json valueSchema() const { return {{"type", {"number", "string", "boolean", "array"}}}; }

  Json typeSchema() const {
    Json types = Json::array(), texts = Json::array();
    for (const auto& [name, submodel] : submodels_) {
      types.push_back(name);
      texts.push_back("submodel");
    }
    for (const CatalogueEntry& e : allTypes()) {
      types.push_back(e.type);
      texts.push_back(e.description);
    }
    Json path{{"type", "string"}, {"pattern", R"(^(Modelica\.|.*MultiBody\.))"}};
    return {{"description", "type of the component: `cardan components` lists them"},
            {"anyOf", {{{"enum", types}, {"enumDescriptions", texts}}, std::move(path)}}};
  }

  /// By its type a component knows its parameters.
  Json componentSchema() const {
    Json choices = Json::array();
    const auto add = [&](const std::string& type) {
      choices.push_back(
          {{"if", {{"properties", {{"type", {{"const", type}}}}}}}, {"then", ref(type)}});
    };
    for (const auto& [name, submodel] : submodels_) add(name);
    for (const CatalogueEntry& e : allTypes()) {
      if (!submodels_.contains(e.type)) add(e.type);
    }
    return {
        {"type", "object"},
        {"required", {"type"}},
        {"properties", {{"type", {{"type", "string"}, {"description", "type of the component"}}}}},
        {"allOf", std::move(choices)}};
  }

  /// Of the components of a model, or of a submodel: "joint.frame_a".
  std::set<std::string> endsIn(const ModelSections& sections) const {
    std::set<std::string> ends;
    for (const ComponentDescription& c : sections.components) {
      if (const auto s = submodels_.find(c.type); s != submodels_.end()) {
        for (const NamedNode& end : s->second.sections.connectors)
          ends.insert(c.name + "." + end.name);
      } else if (const auto t = ends_.find(c.type); t != ends_.end()) {
        for (const std::string& end : t->second) ends.insert(c.name + "." + end);
      }
    }
    return ends;
  }

  static Json connectionSchema(Json end) {
    return {{"type", {"array", "object"}},
            {"description", "two connectors that are one, as [a.frame_b, b.frame_a]"},
            {"items", std::move(end)},
            {"minItems", 2},
            {"maxItems", 2}};
  }

  /// Frames and flanges are those that types of the catalogue, or components of the model, have; of one
  /// that extends another those of its own file are proposed. Other ends are outputs, some of which are
  /// there only with a parameter: they pass.
  Json knownEnd() const {
    Json end = anyEnd();
    const std::string frameOrFlange = R"((frame|flange)[^.]*$)";
    if (ofModel_) {
      std::set<std::string> instances{worldName_}, names = endsIn(model_);
      for (const ComponentDescription& c : model_.components) instances.insert(c.name);
      names.insert(worldName_ + ".frame_b");
      if (!extends_)
        end["not"] = {{"pattern", "^(" + joinedPattern(instances) + R"()\.)" + frameOrFlange}};
      return oneOf(names, std::move(end));
    }
    std::set<std::string> all;
    for (const auto& [type, ends] : ends_) all.insert(ends.begin(), ends.end());
    std::erase_if(all, [](const std::string& name) {
      return !name.starts_with("frame") && !name.starts_with("flange");
    });
    end["not"] = {{"pattern", R"(\.(?!()" + joinedPattern(all) + ")$)" + frameOrFlange}};
    return end;
  }

  /// What its connections and connectors may name, for editors to propose.
  Json endsOfSubmodel(const Submodel& submodel) const {
    const std::set<std::string> names = endsIn(submodel.sections);
    return {{"properties",
             {{"connections", {{"items", connectionSchema(oneOf(names, anyEnd()))}}},
              {"connectors", {{"additionalProperties", oneOf(names, Json::object())}}}}}};
  }

  Json parametersSchema() const {
    Json free{{"type", "object"},
              {"description", "found from the conditions at the start"},
              {"required", {"fixed"}},
              {"properties",
               {{"fixed", {{"const", false}}}, {"start", {{"type", {"number", "string"}}}}}},
              {"additionalProperties", false}};
    return namedMap({{"anyOf", {valueSchema(), std::move(free)}}},
                    "names with values, which expressions may use and --set overrides");
  }

  static Json variablesSize() {
    return described({{"type", {"integer", "array"}},
                      {"minimum", 1},
                      {"maximum", 1000},
                      {"items", {{"minimum", 1}, {"maximum", 1000}}},
                      {"minItems", 1},
                      {"maxItems", 2}},
                     "elements: one number or two");
  }

  Json variablesSchema() const {
    Json properties = Json::object();
    for (const std::string& key : variableKeys()) properties[key] = Json::object();
    properties["size"] = variablesSize();
    for (const char* key : {"start", "fixed", "nominal", "min", "max"})
      properties[key] = valueSchema();
    properties["start"]["description"] = "value at the start, or a guess";
    properties["stateSelect"] =
        described({{"enum", {"never", "avoid", "default", "prefer", "always"}}},
                  "how gladly a guess is kept");
    properties["der"] = {{"type", "object"},
                         {"description", "start of the derivative"},
                         {"properties", {{"start", valueSchema()}, {"fixed", valueSchema()}}},
                         {"additionalProperties", false}};
    properties["unit"] = described({{"type", "string"}}, "of the result");
    properties["description"] = described({{"type", "string"}}, "of the result");
    properties["type"] = described(
        {{"type", "string"}, {"pattern", R"((^|\.)Frames\.Orientation$|^(Real|Integer|Boolean)$)"}},
        "Frames.Orientation; of what `when` sets Real, Integer or Boolean");
    Json own{{"type", "object"},
             {"description", "a variable that `equations` define"},
             {"properties", std::move(properties)},
             {"additionalProperties", false}};
    return namedMap({{"anyOf", {valueSchema(), std::move(own)}}},
                    "named results, as expressions, and unknowns of `equations`");
  }

  Json inputsSchema() const {
    Json properties = Json::object();
    for (const std::string& key : inputKeys())
      properties[key] = described({{"type", "string"}}, "");
    properties["start"] = valueSchema();
    properties["start"]["description"] = "until something feeds it; default: 0";
    properties["size"] = variablesSize();
    properties["unit"]["description"] = "of its numbers";
    properties["description"]["description"] = "a text for the reader";
    Json own{{"type", "object"},
             {"description", "an input of the model"},
             {"properties", std::move(properties)},
             {"additionalProperties", false}};
    return namedMap({{"anyOf", {valueSchema(), std::move(own)}}},
                    "numbers that come from outside while the model runs");
  }

  Json simulationSchema() const {
    Json properties = Json::object();
    const auto number = [&](const char* key, const char* text, bool positive) {
      properties[key] = described({{"type", {"number", "string"}}}, text);
      if (positive) properties[key]["exclusiveMinimum"] = 0;
    };
    number("start", "[s] time at which the run starts; default: 0", false);
    number("stop", "[s] time at which it ends; default: one second later", false);
    number("interval", "[s] between two rows; default: a 500th of the run", true);
    number("tolerance", "relative tolerance of the integration", true);
    properties["tolerance"]["default"] = SimulationSettings{}.tolerance;
    properties["tolerance"]["exclusiveMaximum"] = 1;
    properties["integrator"] =
        described({{"enum", wordsOf<IntegratorChoice>()}}, "which method steps the model");
    properties["impact"] = described({{"enum", wordsOf<ImpactLaw>()}},
                                     "law of impact of rigid surfaces; default: moreau");
    number("step", "[s] length of all steps of the integrator 'stepping', which needs it", true);
    return {{"type", {"object", "null"}},
            {"description", "time of the run, output interval, tolerance, method"},
            {"properties", std::move(properties)},
            {"additionalProperties", false}};
  }

  /// A branch of `when`; the first one has the others.
  Json whenSchema(bool first) const {
    const Json one{{"type", {"string", "boolean"}}};
    const Json expression{{"type", {"string", "number", "boolean"}}};
    Json properties{
        {"condition",
         described({{"anyOf", {one, {{"type", "array"}, {"items", one}}}}},
                   "a Boolean expression, or a list of them: it happens where one becomes true")},
        {"set", namedMap(expression, "discrete variables and their new values")},
        {"reinit", namedMap(expression, "states and their new values")},
        {"assert", assertionSchema()},
        {"terminate", described({{"type", "string"}}, "why the run ends here")}};
    if (first)
      properties["elsewhen"] =
          listOf(whenSchema(false), "further branches; the first true one counts");
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", {"condition"}},
            {"anyOf",
             {{{"required", {"set"}}},
              {{"required", {"reinit"}}},
              {{"required", {"assert"}}},
              {{"required", {"terminate"}}}}},
            {"additionalProperties", false}};
  }

  /// A section that the model and submodels have, or nothing in particular where it is not known here.
  Json sectionSchema(const std::string& key) const {
    const Json text{{"type", "string"}};
    const Json equation{{"type", {"string", "object"}}, {"pattern", "="}};
    if (key == "model") return described({{"type", {"string", "number"}}}, "name of the model");
    if (key == "description")
      return described({{"type", {"string", "number", "null"}}}, "a text for the reader");
    if (key == "parameters") return parametersSchema();
    if (key == "set") {
      return described({{"type", {"object", "null"}}},
                       "parameters of the model and of components, by the names that --set has");
    }
    if (key == "components")
      return namedMap(ref("a component"), "the parts of the model, each with its type");
    if (key == "connections") return listOf(ref("a connection"), "pairs of connectors");
    if (key == "contacts") return contactsSchema();
    if (key == "inputs") return inputsSchema();
    if (key == "variables") return variablesSchema();
    if (key == "equations")
      return listOf(equation, "\"left = right\", for variables without expression");
    if (key == "initial_equations")
      return listOf(equation, "\"left = right\", further conditions at the start");
    if (key == "when")
      return listOf(whenSchema(true), "what happens where a condition becomes true");
    if (key == "assert") return listOf(assertionSchema(), "what must hold at all times");
    if (key == "simulation") return simulationSchema();
    if (key == "outputs")
      return listOf(
          text, "columns of the result: names and patterns (* in a name, ** across dots, ! not)");
    if (key == "world") return ref("the world");
    if (key == "include") {
      return described({{"type", {"array", "string", "null"}}, {"items", text}},
                       "files whose submodels are brought in");
    }
    if (key == "submodels") return namedMap(ref("a submodel"), "types made of components");
    if (key == "connectors") {
      return namedMap({{"type", "string"}, {"pattern", namePattern()}},
                      "names by which an instance is connected: name: part.connector");
    }
    return Json::object();
  }

  Json submodelSchema() const {
    Json properties = Json::object();
    for (const std::string& key : submodelKeys()) properties[key] = sectionSchema(key);
    return {
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  }

  Json instanceSchema(const Submodel& submodel) const {
    Json properties{{"type", Json::object()}};
    for (const NamedNode& p : submodel.sections.parameters) {
      properties[p.name] = valueSchema();
      if (p.value.isScalar()) properties[p.name]["description"] = "default: " + p.value.text;
    }
    return {
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  }

  Json world() const {
    const auto entry = std::ranges::find(allTypes(), "World", &CatalogueEntry::type);
    Json schema = parameterSchema(*entry);
    schema["type"] = {"object", "null"};
    schema["description"] = "the World: gravity, defaults of animation";
    schema["properties"]["name"] = {
        {"type", "string"},
        {"pattern", namePattern()},
        {"description", "the world's own name, by which it is connected"},
        {"default", "world"}};
    return schema;
  }

  std::map<std::string, std::set<std::string>> ends_;  ///< by type
  bool ofModel_ = false;
  bool extends_ = false;  ///< another model: not all of it stands in its file
  ModelSections model_;
  std::string worldName_ = "world";
  Submodels submodels_;
};

Json schemaOf(const std::optional<YamlNode>& root, const std::string& path,
              const Diagnostics& diagnostics) {
  diagnostics.throwIfErrors();
  SchemaWriter writer;
  writer.readModel(root, path);
  return writer.write();
}

}  // namespace

Json modelSchema() { return SchemaWriter().write(); }

Json modelSchema(const std::string& path) {
  Diagnostics diagnostics;
  return schemaOf(readYaml(path, diagnostics), path, diagnostics);
}

Json modelSchemaOfText(const std::string& text, const std::string& path) {
  Diagnostics diagnostics;
  return schemaOf(parseYaml(text, path, diagnostics), path, diagnostics);
}

}  // namespace cardan
