#include "apps/cardan/parameter_schema.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "components/component.h"
#include "components/world_settings.h"
#include "engine/model_file/parameter_walk.h"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

/// What is changed of the defaults before a class reads on, to see which keys and sizes follow.
struct SchemaChange {
  enum class Kind { none, choice, larger };
  Kind kind = Kind::none;
  std::string name;  ///< of a Boolean or an enumeration
  int choice = 0;
};

const Json kNumberOrExpression = Json::array({"number", "string"});

/// A number, or an expression of this range; of a list the elements.
Json numberSchema(const ParameterInfo& info) {
  Json j{{"type", kNumberOrExpression}};
  if (info.minimum > -1e300)
    j[info.minimumExcluded ? "exclusiveMinimum" : "minimum"] = info.minimum;
  return j;
}

/// `size` elements; 0: any number of them.
Json listSchema(Json items, int size) {
  Json j{{"type", Json::array({"array", "string"})}, {"items", std::move(items)}, {"minItems", 1}};
  if (size > 0) j["minItems"] = j["maxItems"] = size;
  return j;
}

/// The words that other readers of YAML take for Booleans are no expressions.
Json booleanSchema() {
  static const Json words{"yes", "Yes", "YES", "no",   "No",   "NO",    "on",    "On",   "ON",
                          "off", "Off", "OFF", "True", "TRUE", "False", "FALSE", "true", "false"};
  return {{"type", Json::array({"boolean", "string"})}, {"not", {{"enum", words}}}};
}

/// The schema of one parameter by the kind of its target. `varies`: its size follows from others.
struct TargetSchema {
  const ParameterInfo& info;

  Json operator()(const double* x) const {
    Json j = numberSchema(info);
    // {fixed: false, start: 2}: initialisation finds it.
    j["type"].push_back("object");
    j["properties"] = {{"fixed", booleanSchema()}, {"start", numberSchema(info)}};
    j["additionalProperties"] = false;
    j["default"] = *x;
    return j;
  }
  Json operator()(const int* x) const {
    Json j = numberSchema(info);
    j["type"] = {"integer", "string"};
    j["default"] = *x;
    return j;
  }
  Json operator()(const bool* x) const {
    Json j = booleanSchema();
    j["default"] = *x;
    return j;
  }
  Json operator()(const std::string* x) const {
    return {{"type", {"string", "number", "boolean"}}, {"default", *x}};
  }
  Json operator()(const Vector3d* x) const {
    Json j = listSchema(numberSchema(info), 3);
    j["default"] = {(*x)[0], (*x)[1], (*x)[2]};
    return j;
  }
  Json operator()(const Matrix3d*) const {
    return listSchema(listSchema(numberSchema(info), 3), 3);
  }
  Json operator()(const std::array<int, 3>* x) const {
    Json item = numberSchema(info);
    item["type"] = {"integer", "string"};
    Json j = listSchema(std::move(item), 3);
    j["default"] = *x;
    return j;
  }
  Json operator()(const std::vector<int>* x) const {
    Json j = listSchema({{"type", {"integer", "string"}}}, 0);
    j["type"].push_back("integer");
    j["default"] = *x;
    return j;
  }
  Json operator()(const std::vector<std::string>* x) const {
    Json j = listSchema({{"type", {"string", "number", "boolean"}}}, 0);
    j["minItems"] = 0;
    j["default"] = *x;
    return j;
  }
  Json operator()(const EnumerationTarget& x) const {
    Json names = Json::array();
    std::string pattern;
    for (const std::string_view name : x.names) {
      names.push_back(std::string(name));
      pattern += (pattern.empty() ? "" : "|") + std::string(name);
    }
    Json j{{"anyOf",
            {{{"enum", names}}, {{"type", "string"}, {"pattern", "^=|\\.(" + pattern + ")$"}}}}};
    j["default"] = names.at(x.current);
    return j;
  }
  Json operator()(const StartTarget& x) const {
    Json value = numberSchema(info), fixed = booleanSchema();
    if (x.size > 1) {
      value = listSchema(std::move(value), x.size);
      Json list = listSchema(booleanSchema(), x.size);
      list["type"] = {"array", "boolean", "string"};
      fixed = std::move(list);
    }
    value["default"] = x.size > 1 ? Json(std::vector<double>(x.start, x.start + x.size))
                                  : Json(x.start ? *x.start : 0.0);
    fixed["default"] = x.fixed ? *x.fixed : false;
    value["description"] = info.unit.empty() || info.unit == "1"
                               ? "value at the start, or a guess"
                               : "[" + std::string(info.unit) + "] value at the start, or a guess";
    fixed["description"] = "the start must have this value; else it is a guess";
    Json select{{"enum", {"never", "avoid", "default", "prefer", "always"}},
                {"description", "how gladly a guess is kept"}};
    Json properties{
        {"start", std::move(value)},
        {"fixed", std::move(fixed)},
        {"stateSelect",
         {{"anyOf",
           {std::move(select),
            {{"type", "string"}, {"pattern", "^=|\\.(never|avoid|default|prefer|always)$"}}}}}}};
    for (const char* other : {"nominal", "min", "max", "displayUnit"}) {
      properties[other] = {{"type", {"number", "string"}},
                           {"description", "of Modelica; accepted and not used"}};
    }
    return {
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  }
  Json operator()(const InputTarget& x) const {
    Json item{{"type", kNumberOrExpression}};
    if (info.unit.empty()) item["type"] = {"boolean", "string"};
    Json j = x.size == 1 ? item : listSchema(item, x.size);
    if (x.optional && !x.value.empty())
      j["default"] = x.size == 1 ? Json(x.value[0]) : Json(x.value);
    return j;
  }
  Json operator()(const TableTarget& x) const {
    Json j = listSchema(numberSchema(info), 0);
    if (x.isVector) {
      j["type"].push_back("number");
    } else {
      j = listSchema(listSchema(numberSchema(info), 0), 0);
    }
    return j;
  }
};

/// The default is out of range, or has no elements where some are needed.
bool isNoValue(const Json& j) {
  if (!j.contains("default")) return false;
  const Json& x = j["default"];
  if (x.is_array()) return x.size() < j.value("minItems", size_t{0});
  if (!x.is_number()) return false;
  if (j["type"].is_array() && j["type"][0] == "boolean") return true;
  const double v = x;
  return (j.contains("minimum") && v < j["minimum"].get<double>()) ||
         (j.contains("exclusiveMinimum") && v <= j["exclusiveMinimum"].get<double>());
}

/// Reads nothing, changes one thing, and writes down what it is asked for.
class SchemaReader final : public ParameterWalk {
 public:
  SchemaReader(const WorldSettings& world, SchemaChange change, Json& schema)
      : ParameterWalk(world), change_(std::move(change)), open_{&schema} {}

  bool isGiven(std::string_view) const override {
    return change_.kind == SchemaChange::Kind::larger;  // sizes follow from what is given
  }
  void begin(std::string_view part) override {
    Json& properties = (*open_.back())["properties"];
    const std::string key(part);
    if (!properties.contains(key)) properties[key] = emptyObject();
    open_.push_back(&properties[key]);
    ParameterWalk::begin(part);
  }
  void end() override {
    open_.pop_back();
    ParameterWalk::end();
  }

  static Json emptyObject() {
    return {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  }
  /// The choices that there are: (name, number of choices), of Booleans 0.
  std::vector<std::pair<std::string, int>> choices;

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override {
    const std::string key(info.name), name = full(key);
    if (const auto* x = std::get_if<EnumerationTarget>(&target)) {
      choices.emplace_back(name, x->names.size());
    }
    if (std::holds_alternative<bool*>(target)) choices.emplace_back(name, 0);
    Json& properties = (*open_.back())["properties"];
    Json found = std::visit(TargetSchema{info}, target);
    if (isNoValue(found)) found.erase("default");  // it has to be given
    std::string about(info.description);
    if (!info.unit.empty() && info.unit != "1") about = "[" + std::string(info.unit) + "] " + about;
    found["description"] = about;
    if (!properties.contains(key)) {
      properties[key] = std::move(found);
    } else {
      loosen(properties[key], found, target);
    }
    change(name, target);
  }

 private:
  /// Where the size of an input or start value is another one now, it may be any.
  static void loosen(Json& known, const Json& now, const ParameterTarget& target) {
    const bool sized =
        std::holds_alternative<InputTarget>(target) || std::holds_alternative<StartTarget>(target);
    if (!sized || sizeOf(known) == sizeOf(now)) return;
    for (Json* j : {&known, known.contains("properties") ? &known["properties"]["start"] : &known,
                    known.contains("properties") ? &known["properties"]["fixed"] : &known}) {
      if (j->contains("properties")) continue;
      (*j).erase("minItems");
      (*j).erase("maxItems");
      if (!j->contains("items")) {
        (*j)["items"] = {{"type", (*j)["type"]}};
        (*j)["type"].push_back("array");
      } else {
        (*j)["type"] = {"array", "number", "boolean", "string"};
      }
      (*j).erase("default");
    }
  }
  static int sizeOf(const Json& j) {
    if (j.contains("properties")) return sizeOf(j["properties"]["start"]);
    if (!j.contains("items")) return 1;
    return j.value("maxItems", 0);
  }

  void change(const std::string& name, ParameterTarget& target) {
    if (change_.kind == SchemaChange::Kind::larger) {
      if (int** x = std::get_if<int*>(&target)) ++**x;
      // A table of zeros has the size that others ask for.
      auto* x = std::get_if<TableTarget>(&target);
      if (x && (x->matrix->size() == 0 || !x->matrix->isZero())) {
        const Eigen::Index rows = x->matrix->rows() + 1;
        const Eigen::Index columns = x->isVector ? 1 : x->matrix->cols() + 1;
        *x->matrix = Eigen::MatrixXd::Ones(rows, columns);
      }
    }
    if (change_.kind != SchemaChange::Kind::choice || name != change_.name) return;
    if (bool** x = std::get_if<bool*>(&target)) **x = !**x;
    if (auto* x = std::get_if<EnumerationTarget>(&target)) x->set(change_.choice);
  }

  SchemaChange change_;
  std::vector<Json*> open_;
};

}  // namespace

Json parameterSchema(const CatalogueEntry& entry) {
  WorldSettings world;
  world.prepare();
  Json schema = SchemaReader::emptyObject();
  const auto read = [&](const SchemaChange& change) {
    SchemaReader reader(world, change, schema);
    entry.make()->read(reader);
    return reader.choices;
  };
  const auto choices = read({});
  for (const auto& [name, count] : choices) {
    for (int i = 0; i < std::max(count, 1); ++i) read({SchemaChange::Kind::choice, name, i});
  }
  read({SchemaChange::Kind::larger, "", 0});
  return schema;
}

}  // namespace cardan
