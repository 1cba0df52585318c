/// The sections that the model and submodels have in common, as written, their shape checked.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model_file/model_source.h"
#include "engine/text/listing.h"

namespace cardan {

/// `name: value` with the place of the name.
struct NamedNode {
  std::string name;
  SourceMark at;
  YamlNode value;
};

template <class T>
struct Repetition;

/// A statement, or several of them under a `for` or an `if`.
template <class T>
struct Repeatable {
  T one;
  std::shared_ptr<const Repetition<T>> several;  ///< in place of `one`
};

/// `{for: "i in 1:3", if: "i > 1", ...: statements}`
template <class T>
struct Repetition {
  YamlNode indices;    ///< of `for`; null: none
  YamlNode condition;  ///< of `if`; null: none
  std::vector<Repeatable<T>> statements;
};

/// What `parameters`, `components`, ... of a model or submodel say. Names and scopes are its own;
/// components keep their `count` and `if` among the arguments.
struct ModelSections {
  std::vector<NamedNode> parameters;
  std::vector<ComponentDescription> components;
  std::vector<Repeatable<ConnectionDescription>> connections;
  std::vector<NamedNode> connectors;  ///< of a submodel; a name, or `{count: n, connector: name}`
  std::vector<InputDescription> inputs;  ///< of a model
  std::vector<VariableDescription> variables;
  std::vector<Repeatable<SourceEquation>> equations;
  std::vector<Repeatable<SourceEquation>> initialEquations;
  std::vector<WhenDescription> whens;
  std::vector<AssertDescription> assertions;
};

/// A type that `submodels` defines.
struct Submodel {
  SourceMark at;
  ModelSections sections;
};
using Submodels = std::map<std::string, Submodel>;

/// True of `body`, `cylinder1.piston`, `sine1[1]`, `R.T[1,2]`.
bool isName(std::string_view text);
/// The same of a parameter's name; others are reported.
bool isParameterName(const std::string& name, const SourceMark& at, Diagnostics& diagnostics);

/// True also where indices are expressions or ranges: `link[i+1].frame_a`, `link[2:n].frame_a`.
bool isIndexedName(std::string_view text);

/// The text of a node that must be one word or text; reports others: "WHAT must be RULE, found
/// ...".
std::optional<std::string> readText(const YamlNode& node, const std::string& what,
                                    const std::string& rule, Diagnostics& diagnostics);

/// The text of a node as an expression or equation.
template <class Tree>
SourceText<Tree> readSource(const YamlNode& node) {
  SourceText<Tree> source{onOneLine(node.text), node.markInText(0)};
  source.read();
  return source;
}

/// The items of a list, or the value that stands for a list of one.
inline std::span<const YamlNode> itemsOf(const YamlNode& node) {
  return node.isSequence() ? std::span(node.items) : std::span(&node, 1);
}

/// `true` or `false`.
inline bool isBooleanWord(const YamlNode& node) {
  return node.isScalar() && (node.text == "true" || node.text == "false");
}

/// Reports keys of a map that are not among `known`: "unknown NOUN 'x'; did you mean ...".
void reportUnknownKeys(const YamlNode& map, const std::string& noun,
                       const std::vector<std::string>& known, Diagnostics& diagnostics);

/// True if it is a map; reports other things as "'NAME' must be a map RULE, found ...". Nothing at
/// all is fine (false).
bool isSectionMap(const YamlNode* node, const std::string& name, const std::string& rule,
                  Diagnostics& diagnostics);
/// The same for lists.
bool isSectionList(const YamlNode* node, const std::string& name, const std::string& rule,
                   Diagnostics& diagnostics);

/// Reports a setting of `simulation` that is none of the words.
void reportSetting(const YamlNode& node, const std::string& key,
                   const std::vector<std::string>& words, Diagnostics& diagnostics);
/// One of `simulation` that is a word; others are reported.
template <class Choice>
std::optional<Choice> readSetting(const YamlNode& node, const std::string& key,
                                  Diagnostics& diagnostics) {
  std::optional<Choice> found = node.isScalar() ? choiceOf<Choice>(node.text) : std::nullopt;
  if (!found) reportSetting(node, key, wordsOf<Choice>(), diagnostics);
  return found;
}

/// Reads `when` and `assert`.
std::vector<WhenDescription> readWhens(const YamlNode* section, Diagnostics& diagnostics);
std::vector<AssertDescription> readAssertions(const YamlNode* section, Diagnostics& diagnostics);

/// Reads the common sections of a model or submodel.
ModelSections readSections(const YamlNode& map, Diagnostics& diagnostics);

/// Checks the keys at the top of a model file.
void checkTopLevel(const YamlNode& root, Diagnostics& diagnostics);

/// Reads `submodels`, and the submodels of `include`d files, whose paths are `included` then;
/// `path` is that of the including file.
Submodels readSubmodels(const YamlNode& root, const std::string& path,
                        std::vector<std::string>& included, Diagnostics& diagnostics);

}  // namespace cardan
