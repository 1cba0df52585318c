#include "engine/text/imported_model.h"

#include <algorithm>
#include <cctype>

namespace cardan {
namespace {

/// True of words that YAML, or a reader of it, would take for something else.
bool needsQuotes(const std::string& text) {
  if (text.empty()) return true;
  if (text.find_first_of(",[]{}#&*!|>'\"%@`\n\t") != std::string::npos) {
    // A product needs none; an alias would begin with the star.
    const bool onlyStars = text.find_first_of(",[]{}#&!|>'\"%@`\n\t") == std::string::npos;
    if (!onlyStars || text[0] == '*') return true;
  }
  if (text.find(": ") != std::string::npos || text.back() == ':') return true;
  if (text.front() == ' ' || text.back() == ' ' || text.front() == '=' || text.front() == '?')
    return true;
  return text.front() == '-' && text.size() > 1 && text[1] == ' ';
}

/// A text that must not be read as a number, Boolean or nothing.
bool looksOtherwise(const std::string& text) {
  std::string word = text;
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* w : {"true", "false", "yes", "no", "on", "off", "null", "~", "y", "n"}) {
    if (word == w) return true;
  }
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.' ||
                           text[0] == '-' || text[0] == '+');
}

std::string inQuotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      result += c;
    }
  }
  return result + "\"";
}

std::string keyText(const std::string& key) {
  const bool isNothing = key == "null" || key == "Null" || key == "NULL";
  return key.find_first_of("[],") == std::string::npos && !isNothing ? key : inQuotes(key);
}

std::string valueText(const YamlNode& n) {
  std::string text;
  switch (n.kind) {
    case YamlNode::Kind::sequence:
      for (const YamlNode& item : n.items) text += (text.empty() ? "" : ", ") + valueText(item);
      return "[" + text + "]";
    case YamlNode::Kind::map:
      for (const YamlNode::Entry& e : n.entries)
        text += (text.empty() ? "" : ", ") + keyText(e.key) + ": " + valueText(e.value);
      return "{" + text + "}";
    case YamlNode::Kind::null:
      return "{}";
    case YamlNode::Kind::scalar:
      break;
  }
  std::string said = n.text;
  if (!n.quoted && said.ends_with('\n')) said.pop_back();
  const bool quotes = needsQuotes(said) || (n.quoted && looksOtherwise(said));
  return quotes ? inQuotes(said) : said;
}

/// One line of what the author of the model said.
std::string commentText(const std::string& comment) {
  std::string text = comment.substr(0, comment.find('\n'));
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  return text.empty() ? "" : "  # " + text;
}

std::string entries(const std::string& section, const std::vector<ImportedModel::Entry>& all,
                    bool oneLine) {
  if (all.empty()) return "";
  const bool hasComments =
      std::ranges::any_of(all, [](const auto& e) { return !e.comment.empty(); });
  if (oneLine && !hasComments) {
    std::string line;
    for (const auto& e : all)
      line += (line.empty() ? "" : ", ") + keyText(e.name) + ": " + valueText(e.value);
    if (line.size() < 90) return section + ": {" + line + "}\n";
  }
  std::string text = section + ":\n";
  for (const auto& e : all) {
    text += "  " + keyText(e.name) + ": " + valueText(e.value) + commentText(e.comment) + "\n";
  }
  return text;
}

std::string listOf(const std::string& section, const std::vector<ImportedModel::Entry>& all) {
  if (all.empty()) return "";
  std::string text = section + ":\n";
  for (const auto& e : all) {
    std::string said = e.value.text;
    if (said.ends_with('\n')) said.pop_back();
    text += "  - " + inQuotes(said) + commentText(e.comment) + "\n";
  }
  return text;
}

YamlNode sectionOf(const std::vector<ImportedModel::Entry>& all, const SourceMark& at) {
  YamlNode map = emptyMap(at);
  for (const auto& e : all) addEntry(map, e.name, e.value, e.at);
  return map;
}

YamlNode sequenceOf(const std::vector<ImportedModel::Entry>& all, const SourceMark& at) {
  YamlNode list = emptyMap(at);
  list.kind = YamlNode::Kind::sequence;
  for (const auto& e : all) list.items.push_back(e.value);
  return list;
}

YamlNode withType(const ImportedModel::Part& part) {
  YamlNode map = emptyMap(part.at);
  if (!part.type.empty()) addEntry(map, "type", textNode(part.type, part.typeAt), part.typeAt);
  for (const YamlNode::Entry& e : part.arguments.entries) map.entries.push_back(e);
  return map;
}

}  // namespace

YamlNode emptyMap(const SourceMark& at) {
  YamlNode n;
  n.kind = YamlNode::Kind::map;
  n.file = std::make_shared<const std::string>(at.file);
  n.line = at.line;
  n.column = at.column;
  return n;
}

YamlNode textNode(const std::string& text, const SourceMark& at) {
  YamlNode n = emptyMap(at);
  n.kind = YamlNode::Kind::scalar;
  n.text = text;
  return n;
}

YamlNode expressionNode(const std::string& text, const SourceMark& at) {
  const bool isPlain = std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
  });
  return textNode(isPlain ? text : text + "\n", at);
}

void addEntry(YamlNode& map, const std::string& key, YamlNode value, const SourceMark& at) {
  map.entries.push_back({key, at.line, at.column, std::move(value)});
}

YamlNode ImportedModel::tree() const {
  YamlNode root = emptyMap(at);
  addEntry(root, "model", textNode(name, at), at);
  if (!description.empty()) addEntry(root, "description", textNode(description, at), at);
  addEntry(root, "parameters", sectionOf(parameters, at), at);
  if (world) addEntry(root, "world", withType(*world), at);
  YamlNode parts = emptyMap(at);
  for (const Part& p : components) addEntry(parts, p.name, withType(p), p.at);
  addEntry(root, "components", std::move(parts), at);
  YamlNode pairs = emptyMap(at);
  pairs.kind = YamlNode::Kind::sequence;
  for (const Connection& c : connections) {
    YamlNode pair = emptyMap(c.at);
    pair.kind = YamlNode::Kind::sequence;
    pair.items = {textNode(c.a, c.at), textNode(c.b, c.at)};
    pairs.items.push_back(std::move(pair));
  }
  addEntry(root, "connections", std::move(pairs), at);
  addEntry(root, "variables", sectionOf(variables, at), at);
  addEntry(root, "equations", sequenceOf(equations, at), at);
  addEntry(root, "initial_equations", sequenceOf(initialEquations, at), at);
  if (!whens.empty()) addEntry(root, "when", sequenceOf(whens, at), at);
  if (!assertions.empty()) addEntry(root, "assert", sequenceOf(assertions, at), at);
  addEntry(root, "simulation", sectionOf(simulation, at), at);
  return root;
}

std::string ImportedModel::text() const {
  std::string text;
  if (const std::string comment = commentText(source); source != name && !comment.empty())
    text += comment.substr(2) + "\n";
  text += "model: " + keyText(name) + "\n";
  if (!description.empty()) {
    const YamlNode line = textNode(description, {});
    text +=
        "description: " + (looksOtherwise(description) ? inQuotes(description) : valueText(line)) +
        "\n";
  }
  text += entries("parameters", parameters, true);
  if (world && !world->arguments.entries.empty())
    text += "world: " + valueText(world->arguments) + commentText(world->comment) + "\n";
  if (!components.empty()) text += "components:\n";
  for (const Part& p : components) {
    text += "  " + keyText(p.name) + ": " + valueText(withType(p)) + commentText(p.comment) + "\n";
  }
  if (!connections.empty()) text += "connections:\n";
  for (const Connection& c : connections)
    text += "  - [" + keyText(c.a) + ", " + keyText(c.b) + "]\n";
  text += entries("variables", variables, false);
  text += listOf("equations", equations);
  text += listOf("initial_equations", initialEquations);
  if (!whens.empty()) text += "when:\n";
  for (const Entry& w : whens) text += "  - " + valueText(w.value) + "\n";
  if (!assertions.empty()) text += "assert:\n";
  for (const Entry& a : assertions) text += "  - " + valueText(a.value) + "\n";
  text += entries("simulation", simulation, true);
  return text;
}

}  // namespace cardan
