#include "engine/model_file/sections.h"

namespace cardan {
namespace {

bool isText(const YamlNode* node) { return node && node->isScalar() && !node->text.empty(); }

std::optional<AssertDescription> readAssertion(const YamlNode& node, Diagnostics& diagnostics) {
  if (!node.isMap()) {
    diagnostics.error(node.mark(), "an assertion must be {condition: ..., message: ...}, found " +
                                       node.describe());
    return std::nullopt;
  }
  reportDuplicateKeysBelow(node, diagnostics);
  reportUnknownKeys(node, "key of an assertion", {"condition", "message"}, diagnostics);
  const YamlNode* condition = node.find("condition");
  const YamlNode* message = node.find("message");
  if (!isText(condition) || !isText(message)) {
    diagnostics.error(node.mark(), std::string("an assertion must have a ") +
                                       (isText(condition) ? "'message'" : "'condition'"));
    return std::nullopt;
  }
  return AssertDescription{readSource<Expression>(*condition), message->text};
}

/// `{v: "-0.8*pre(v)"}`
std::vector<WhenBranchDescription::Assignment> readAssignments(const YamlNode* map,
                                                               const std::string& key,
                                                               Diagnostics& diagnostics) {
  std::vector<WhenBranchDescription::Assignment> result;
  if (!map) return result;
  if (!map->isMap()) {
    diagnostics.error(map->mark(),
                      "'" + key + "' must be a map of 'name: value', found " + map->describe());
    return result;
  }
  reportDuplicateKeysBelow(*map, diagnostics);
  for (const YamlNode::Entry& entry : map->entries) {
    if (!isName(entry.key)) {
      diagnostics.error(entry.keyMark(),
                        "'" + key + "' must name variables, found '" + entry.key + "'");
      continue;
    }
    if (!isText(&entry.value)) {
      diagnostics.error(entry.value.mark(), "'" + key + "' of '" + entry.key +
                                                "' must be an expression, found " +
                                                entry.value.describe());
      continue;
    }
    result.push_back({entry.key, entry.keyMark(), readSource<Expression>(entry.value)});
  }
  return result;
}

std::optional<WhenBranchDescription> readBranch(const YamlNode& node, bool isFirst,
                                                Diagnostics& diagnostics) {
  const std::string what = isFirst ? "'when'" : "'elsewhen'";
  if (!node.isMap()) {
    diagnostics.error(
        node.mark(), what + " must be a list of maps with a 'condition', found " + node.describe());
    return std::nullopt;
  }
  std::vector<std::string> known{"assert", "condition", "reinit", "set", "terminate"};
  if (isFirst) known.insert(known.begin() + 2, "elsewhen");
  reportUnknownKeys(node, "key of " + what, known, diagnostics);
  const YamlNode* condition = node.find("condition");
  if (!condition) {
    diagnostics.error(node.mark(), what + " must have a 'condition'");
    return std::nullopt;
  }
  if (condition->isSequence() && condition->items.empty()) {
    diagnostics.error(condition->mark(), "'condition' of " + what + " must not be an empty list");
    return std::nullopt;
  }
  WhenBranchDescription b;
  b.at = condition->mark();
  for (const YamlNode& c : itemsOf(*condition)) {
    if (!isText(&c)) {
      diagnostics.error(c.mark(), "'condition' of " + what +
                                      " must be an expression or a list of them, found " +
                                      c.describe());
      return std::nullopt;
    }
    b.conditions.push_back(readSource<Expression>(c));
  }
  b.set = readAssignments(node.find("set"), "set", diagnostics);
  b.reinit = readAssignments(node.find("reinit"), "reinit", diagnostics);
  if (const YamlNode* a = node.find("assert")) {
    if (auto read = readAssertion(*a, diagnostics)) b.assertions.push_back(std::move(*read));
  }
  if (const YamlNode* t = node.find("terminate")) {
    b.terminate =
        readText(*t, "'terminate'", "a text that says why the run ends", diagnostics).value_or("");
  }
  if (!node.find("set") && !node.find("reinit") && !node.find("assert") &&
      !node.find("terminate")) {
    diagnostics.error(node.mark(),
                      what + " must do something: 'set', 'reinit', 'assert' or 'terminate'");
  }
  return b;
}

}  // namespace

std::vector<WhenDescription> readWhens(const YamlNode* section, Diagnostics& diagnostics) {
  std::vector<WhenDescription> result;
  if (!isSectionList(section, "when", "of {condition: ..., set: ..., reinit: ...}", diagnostics))
    return result;
  for (const YamlNode& item : section->items) {
    WhenDescription w;
    if (auto first = readBranch(item, true, diagnostics)) w.branches.push_back(std::move(*first));
    const YamlNode* more = item.isMap() ? item.find("elsewhen") : nullptr;
    if (more && isSectionList(more, "elsewhen", "of further branches", diagnostics)) {
      for (const YamlNode& node : more->items) {
        if (auto next = readBranch(node, false, diagnostics))
          w.branches.push_back(std::move(*next));
      }
    }
    if (!w.branches.empty()) result.push_back(std::move(w));
  }
  return result;
}

std::vector<AssertDescription> readAssertions(const YamlNode* section, Diagnostics& diagnostics) {
  std::vector<AssertDescription> result;
  if (!isSectionList(section, "assert", "of {condition: ..., message: ...}", diagnostics))
    return result;
  for (const YamlNode& item : section->items) {
    if (auto read = readAssertion(item, diagnostics)) result.push_back(std::move(*read));
  }
  return result;
}

}  // namespace cardan
