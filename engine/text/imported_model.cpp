#include "engine/text/imported_model.h"

#include <algorithm>
#include <cctype>

#include "engine/text/joined.h"

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
  switch (n.kind) {
    case YamlNode::Kind::sequence:
      return "[" + joined(n.items, ", ", valueText) + "]";
    case YamlNode::Kind::map:
      return "{" +
             joined(n.entries, ", ",
                    [](const YamlNode::Entry& e) {
                      return keyText(e.key) + ": " + valueText(e.value);
                    }) +
             "}";
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

std::string margin(size_t indent) { return std::string(indent, ' '); }

std::string entries(const std::string& section, const std::vector<ImportedModel::Entry>& all,
                    bool oneLine, size_t indent) {
  if (all.empty()) return "";
  const bool hasComments =
      std::ranges::any_of(all, [](const auto& e) { return !e.comment.empty(); });
  if (oneLine && !hasComments) {
    const std::string line = joined(all, ", ", [](const ImportedModel::Entry& e) {
      return keyText(e.name) + ": " + valueText(e.value);
    });
    if (line.size() < 90) return margin(indent) + section + ": {" + line + "}\n";
  }
  std::string text = margin(indent) + section + ":\n";
  for (const auto& e : all) {
    text += margin(indent + 2) + keyText(e.name) + ": " + valueText(e.value) +
            commentText(e.comment) + "\n";
  }
  return text;
}

std::string listOf(const std::string& section, const std::vector<ImportedModel::Entry>& all,
                   size_t indent) {
  if (all.empty()) return "";
  std::string text = margin(indent) + section + ":\n";
  for (const auto& e : all) {
    std::string said = e.value.text;
    if (said.ends_with('\n')) said.pop_back();
    text += margin(indent + 2) + "- " + inQuotes(said) + commentText(e.comment) + "\n";
  }
  return text;
}

std::string mapsOf(const std::string& section, const std::vector<ImportedModel::Entry>& all,
                   size_t indent) {
  if (all.empty()) return "";
  std::string text = margin(indent) + section + ":\n";
  for (const auto& e : all) text += margin(indent + 2) + "- " + valueText(e.value) + "\n";
  return text;
}

std::string descriptionText(const std::string& description, size_t indent) {
  if (description.empty()) return "";
  return margin(indent) + "description: " +
         (looksOtherwise(description) ? inQuotes(description)
                                      : valueText(textNode(description, {}))) +
         "\n";
}

YamlNode sectionOf(const std::vector<ImportedModel::Entry>& all, const SourceMark& at) {
  YamlNode map = emptyMap(at);
  for (const auto& e : all) addEntry(map, e.name, e.value, e.at);
  return map;
}

YamlNode sequenceOf(const std::vector<ImportedModel::Entry>& all, const SourceMark& at) {
  YamlNode list = listOf({}, at);
  for (const auto& e : all) list.items.push_back(e.value);
  return list;
}

YamlNode withType(const ImportedModel::Part& part) {
  YamlNode map = emptyMap(part.at);
  if (!part.type.empty()) addEntry(map, "type", textNode(part.type, part.typeAt), part.typeAt);
  for (const YamlNode::Entry& e : part.arguments.entries) map.entries.push_back(e);
  return map;
}

void addSections(YamlNode& map, const ImportedSections& s, const SourceMark& at) {
  addEntry(map, "parameters", sectionOf(s.parameters, at), at);
  YamlNode parts = emptyMap(at);
  for (const ImportedModel::Part& p : s.components) addEntry(parts, p.name, withType(p), p.at);
  addEntry(map, "components", std::move(parts), at);
  YamlNode pairs = listOf({}, at);
  for (const ImportedModel::Connection& c : s.connections)
    pairs.items.push_back(listOf({textNode(c.a, c.at), textNode(c.b, c.at)}, c.at));
  addEntry(map, "connections", std::move(pairs), at);
  if (!s.connectors.empty()) addEntry(map, "connectors", sectionOf(s.connectors, at), at);
  addEntry(map, "variables", sectionOf(s.variables, at), at);
  addEntry(map, "equations", sequenceOf(s.equations, at), at);
  addEntry(map, "initial_equations", sequenceOf(s.initialEquations, at), at);
  if (!s.whens.empty()) addEntry(map, "when", sequenceOf(s.whens, at), at);
  if (!s.assertions.empty()) addEntry(map, "assert", sequenceOf(s.assertions, at), at);
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

YamlNode listOf(std::vector<YamlNode> items, const SourceMark& at) {
  YamlNode n = emptyMap(at);
  n.kind = YamlNode::Kind::sequence;
  n.items = std::move(items);
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

bool saysTheSame(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.text != b.text || a.quoted != b.quoted) return false;
  const auto same = [](const YamlNode::Entry& x, const YamlNode::Entry& y) {
    return x.key == y.key && saysTheSame(x.value, y.value);
  };
  return std::ranges::equal(a.items, b.items, saysTheSame) &&
         std::ranges::equal(a.entries, b.entries, same);
}

void addEntry(YamlNode& map, const std::string& key, YamlNode value, const SourceMark& at) {
  map.entries.push_back({key, at.line, at.column, std::move(value)});
}

std::string ImportedSections::text(size_t indent, const std::string& middle) const {
  std::string text = entries("parameters", parameters, true, indent) + middle;
  if (!components.empty()) text += margin(indent) + "components:\n";
  for (const Part& p : components) {
    text += margin(indent + 2) + keyText(p.name) + ": " + valueText(withType(p)) +
            commentText(p.comment) + "\n";
  }
  if (!connections.empty()) text += margin(indent) + "connections:\n";
  for (const Connection& c : connections)
    text += margin(indent + 2) + "- [" + keyText(c.a) + ", " + keyText(c.b) + "]\n";
  text += entries("connectors", connectors, true, indent);
  text += entries("variables", variables, false, indent);
  text += listOf("equations", equations, indent);
  text += listOf("initial_equations", initialEquations, indent);
  return text + mapsOf("when", whens, indent) + mapsOf("assert", assertions, indent);
}

void ImportedModel::checkOverrides(const std::vector<std::string>& overrides) const {
  Diagnostics diagnostics;
  for (const std::string& text : overrides) {
    const std::string first = text.substr(0, text.find_first_of(".[="));
    if (std::ranges::find(fixed, first) == fixed.end()) continue;
    diagnostics.error({"--set " + text.substr(0, text.find('=')), 0, 0},
                      "parameter '" + first + "' is fixed when the file is read");
  }
  diagnostics.throwIfErrors();
}

YamlNode ImportedModel::tree() const {
  YamlNode root = emptyMap(at);
  addEntry(root, "model", textNode(name, at), at);
  if (!description.empty()) addEntry(root, "description", textNode(description, at), at);
  if (!inputs.empty()) addEntry(root, "inputs", sectionOf(inputs, at), at);
  if (world) addEntry(root, "world", withType(*world), at);
  YamlNode types = emptyMap(at);
  for (const Submodel& s : submodels) {
    YamlNode map = emptyMap(s.at);
    addSections(map, s, s.at);
    addEntry(types, s.name, std::move(map), s.at);
  }
  if (!submodels.empty()) addEntry(root, "submodels", std::move(types), at);
  addSections(root, *this, at);
  if (!contacts.empty()) addEntry(root, "contacts", sectionOf(contacts, at), at);
  addEntry(root, "simulation", sectionOf(simulation, at), at);
  return root;
}

std::string ImportedModel::text() const {
  std::string text;
  if (const std::string comment = commentText(source); source != name && !comment.empty())
    text += comment.substr(2) + "\n";
  text += "model: " + keyText(name) + "\n" + descriptionText(description, 0);
  std::string middle = entries("inputs", inputs, true, 0);
  if (world && !world->arguments.entries.empty())
    middle += "world: " + valueText(world->arguments) + commentText(world->comment) + "\n";
  if (!submodels.empty()) middle += "submodels:\n";
  for (const Submodel& s : submodels) {
    middle += "  " + keyText(s.name) + ":\n" + descriptionText(s.description, 4) +
              s.ImportedSections::text(4);
  }
  return text + ImportedSections::text(0, middle) + entries("contacts", contacts, false, 0) +
         entries("simulation", simulation, true, 0);
}

std::optional<ImportedModel> importedModel(const Catalogue& catalogue, const ModelFormats& formats,
                                           const std::string& path, Diagnostics& warnings) {
  const auto format = std::ranges::find_if(formats, [&](const auto& f) { return f.owns(path); });
  if (format == formats.end()) return std::nullopt;
  Diagnostics diagnostics;
  std::optional<ImportedModel> model = format->read(catalogue, path, diagnostics);
  diagnostics.throwIfErrors();
  warnings.add(diagnostics);
  return model;
}

}  // namespace cardan
