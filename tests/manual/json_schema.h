/// A validator for JSON schemas of draft 07, as far as Cardan's own goes; what it does not know is an
/// error of the schema.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "engine/text/yaml_document.h"

namespace test {

using Json = nlohmann::ordered_json;

class JsonSchema {
 public:
  struct Fault {
    std::vector<std::string> path;  ///< keys and indices down to what is wrong
    std::string text;
  };

  explicit JsonSchema(Json schema) : root_(std::move(schema)) {}

  std::vector<Fault> check(const Json& instance) { return check(root_, instance); }
  /// Against a part of the schema.
  std::vector<Fault> check(const Json& schema, const Json& instance);

  const Json& root() const { return root_; }
  const Json& definition(const std::string& name) const { return root_["definitions"][name]; }

 private:
  using Path = std::vector<std::string>;
  void validate(const Json& schema, const Json& x, Path& path, std::vector<Fault>& faults);
  bool holds(const Json& schema, const Json& x);
  void object(const Json& schema, const Json& x, Path& path, std::vector<Fault>& faults);
  void array(const Json& schema, const Json& x, Path& path, std::vector<Fault>& faults);
  void value(const Json& schema, const Json& x, const Path& path, std::vector<Fault>& faults);
  bool matches(const std::string& text, const std::string& pattern);

  Json root_;
  std::map<std::string, std::regex> patterns_;
};

/// A YAML document as an editor takes it (YAML 1.2).
Json jsonOf(const cardan::YamlNode& node);
/// The line of what a path leads to; of a key that of the key.
int lineOf(const cardan::YamlNode& root, const std::vector<std::string>& path);

}  // namespace test
