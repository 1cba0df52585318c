#include "tests/manual/json_schema.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

namespace test {
namespace {

const std::set<std::string> kAnnotations{"$schema", "title",       "description",
                                         "default", "definitions", "enumDescriptions"};
const std::set<std::string> kKeywords{"$ref",
                                      "type",
                                      "enum",
                                      "const",
                                      "properties",
                                      "required",
                                      "items",
                                      "minItems",
                                      "maxItems",
                                      "minimum",
                                      "exclusiveMinimum",
                                      "maximum",
                                      "pattern",
                                      "anyOf",
                                      "allOf",
                                      "not",
                                      "exclusiveMaximum",
                                      "propertyNames",
                                      "if",
                                      "then",
                                      "else",
                                      "additionalProperties"};

bool isOfType(const Json& x, const std::string& type) {
  if (type == "null") return x.is_null();
  if (type == "boolean") return x.is_boolean();
  if (type == "string") return x.is_string();
  if (type == "array") return x.is_array();
  if (type == "object") return x.is_object();
  if (type == "number") return x.is_number();
  if (type == "integer") {
    return x.is_number_integer() ||
           (x.is_number_float() && x.get<double>() == std::floor(x.get<double>()));
  }
  throw std::logic_error("no type of JSON: " + type);
}

}  // namespace

std::vector<JsonSchema::Fault> JsonSchema::check(const Json& schema, const Json& instance) {
  std::vector<Fault> faults;
  Path path;
  validate(schema, instance, path, faults);
  return faults;
}

bool JsonSchema::holds(const Json& schema, const Json& x) { return check(schema, x).empty(); }

bool JsonSchema::matches(const std::string& text, const std::string& pattern) {
  auto found = patterns_.find(pattern);
  if (found == patterns_.end()) found = patterns_.emplace(pattern, std::regex(pattern)).first;
  return std::regex_search(text, found->second);
}

void JsonSchema::validate(const Json& schema, const Json& x, Path& path,
                          std::vector<Fault>& faults) {
  for (const auto& [key, unused] : schema.items()) {
    if (!kAnnotations.contains(key) && !kKeywords.contains(key))
      throw std::logic_error("unknown keyword " + key);
  }
  if (schema.contains("$ref")) {
    const std::string prefix = "#/definitions/", target = schema["$ref"];
    if (!target.starts_with(prefix)) throw std::logic_error("unknown reference " + target);
    validate(root_["definitions"].at(target.substr(prefix.size())), x, path, faults);
    return;
  }
  value(schema, x, path, faults);
  if (x.is_object()) object(schema, x, path, faults);
  if (x.is_array()) array(schema, x, path, faults);
  if (schema.contains("allOf")) {
    for (const Json& s : schema["allOf"]) validate(s, x, path, faults);
  }
  if (schema.contains("anyOf") &&
      std::ranges::none_of(schema["anyOf"], [&](const Json& s) { return holds(s, x); })) {
    // What is wrong inside, where one of them at least is of this kind.
    std::vector<Fault> inner;
    for (const Json& s : schema["anyOf"]) {
      std::vector<Fault> own;
      validate(s, x, path, own);
      for (Fault& f : own) {
        if (f.path.size() > path.size()) inner.push_back(std::move(f));
      }
    }
    faults.push_back({path, "none of anyOf holds"});
    faults.insert(faults.end(), inner.begin(), inner.end());
  }
  if (schema.contains("not") && holds(schema["not"], x)) faults.push_back({path, "not"});
  if (schema.contains("if")) {
    const char* branch = holds(schema["if"], x) ? "then" : "else";
    if (schema.contains(branch)) validate(schema[branch], x, path, faults);
  }
}

void JsonSchema::value(const Json& schema, const Json& x, const Path& path,
                       std::vector<Fault>& faults) {
  const auto fail = [&](const std::string& text) { faults.push_back({path, text}); };
  if (schema.contains("type")) {
    const Json& type = schema["type"];
    const bool fine =
        type.is_string() ? isOfType(x, type) : std::ranges::any_of(type, [&](auto& t) {
          return isOfType(x, t.template get<std::string>());
        });
    if (!fine) fail("is of another type than " + type.dump());
  }
  if (schema.contains("enum") && std::ranges::find(schema["enum"], x) == schema["enum"].end())
    fail("is none of the choices");
  if (schema.contains("const") && schema["const"] != x) fail("is another value");
  if (schema.contains("pattern") && x.is_string() && !matches(x, schema["pattern"]))
    fail("does not match " + schema["pattern"].get<std::string>().substr(0, 60));
  if (!x.is_number()) return;
  const double v = x;
  if (schema.contains("minimum") && v < schema["minimum"].get<double>()) fail("too small");
  if (schema.contains("maximum") && v > schema["maximum"].get<double>()) fail("too large");
  if (schema.contains("exclusiveMinimum") && v <= schema["exclusiveMinimum"].get<double>())
    fail("too small");
  if (schema.contains("exclusiveMaximum") && v >= schema["exclusiveMaximum"].get<double>())
    fail("too large");
}

void JsonSchema::object(const Json& schema, const Json& x, Path& path, std::vector<Fault>& faults) {
  static const Json kNothing = Json::object();
  const Json& properties = schema.contains("properties") ? schema["properties"] : kNothing;
  if (schema.contains("required")) {
    for (const Json& key : schema["required"]) {
      if (!x.contains(key.get<std::string>()))
        faults.push_back({path, "has no " + key.get<std::string>()});
    }
  }
  for (const auto& [key, member] : x.items()) {
    path.push_back(key);
    if (schema.contains("propertyNames") && !holds(schema["propertyNames"], key))
      faults.push_back({path, "is no name"});
    if (properties.contains(key)) {
      validate(properties[key], member, path, faults);
    } else if (schema.contains("additionalProperties")) {
      const Json& others = schema["additionalProperties"];
      if (others.is_object()) validate(others, member, path, faults);
      if (others == false) faults.push_back({path, "is no known key"});
    }
    path.pop_back();
  }
}

void JsonSchema::array(const Json& schema, const Json& x, Path& path, std::vector<Fault>& faults) {
  if (schema.contains("minItems") && x.size() < schema["minItems"].get<size_t>())
    faults.push_back({path, "has too few elements"});
  if (schema.contains("maxItems") && x.size() > schema["maxItems"].get<size_t>())
    faults.push_back({path, "has too many elements"});
  if (!schema.contains("items")) return;
  for (size_t i = 0; i < x.size(); ++i) {
    path.push_back(std::to_string(i));
    validate(schema["items"], x[i], path, faults);
    path.pop_back();
  }
}

Json jsonOf(const cardan::YamlNode& node) {
  if (node.isNull()) return nullptr;
  if (node.isSequence()) {
    Json list = Json::array();
    for (const cardan::YamlNode& item : node.items) list.push_back(jsonOf(item));
    return list;
  }
  if (node.isMap()) {
    Json map = Json::object();
    for (const cardan::YamlNode::Entry& e : node.entries) map[e.key] = jsonOf(e.value);
    return map;
  }
  if (node.quoted) return node.text;
  if (node.text == "true" || node.text == "false") return node.text == "true";
  static const std::regex number(R"(^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$)");
  if (!std::regex_match(node.text, number)) return node.text;
  const char* begin = node.text.data() + (node.text[0] == '+' ? 1 : 0);
  const char* end = node.text.data() + node.text.size();
  double x = 0;
  std::from_chars(begin, end, x);
  if (x == std::floor(x) && std::abs(x) < 1e15) return static_cast<long long>(x);
  return x;
}

int lineOf(const cardan::YamlNode& root, const std::vector<std::string>& path) {
  const cardan::YamlNode* node = &root;
  int line = root.line;
  for (const std::string& step : path) {
    if (node->isMap()) {
      const auto* entry = node->findEntry(step);
      if (!entry) return line;
      line = entry->keyLine;
      node = &entry->value;
    } else {
      node = &node->items.at(std::stoul(step));
      line = node->line;
    }
  }
  return line;
}

}  // namespace test
