#include "tests/fuzz/yaml_text.h"

#include <cstdio>

#include "engine/model_file/sections.h"

namespace cardan::fuzz {
namespace {

constexpr int kBlockLevels = 4;  ///< lists and maps further in are written in one line

bool isPlain(const std::string& text) {
  if (isName(text)) return text != "null" && text != "Null" && text != "NULL";
  if (text.empty() || text.back() == ' ') return false;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool number =
      digit(text[0]) || (text.size() > 1 && (text[0] == '-' || text[0] == '.') && digit(text[1]));
  return number && text.find_first_not_of(
                       "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                       "UVWXYZ_.+-*/^()<> ") == std::string::npos;
}

std::string scalarText(const std::string& text, bool quoted) {
  if (!quoted && isPlain(text)) return text;
  std::string s = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      s += '\\';
      s += c;
    } else if (c == '\n') {
      s += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02X", static_cast<unsigned>(c));
      s += code;
    } else {
      s += c;
    }
  }
  return s + "\"";
}

void flow(const YamlNode& n, std::string& out) {
  const char* between = "";
  switch (n.kind) {
    case YamlNode::Kind::null:
      out += "~";
      break;
    case YamlNode::Kind::scalar:
      out += scalarText(n.text, n.quoted);
      break;
    case YamlNode::Kind::sequence:
      out += "[";
      for (const YamlNode& item : n.items) {
        out += between;
        flow(item, out);
        between = ", ";
      }
      out += "]";
      break;
    case YamlNode::Kind::map:
      out += "{";
      for (const YamlNode::Entry& e : n.entries) {
        out += between + scalarText(e.key, false) + ": ";
        flow(e.value, out);
        between = ", ";
      }
      out += "}";
      break;
  }
}

void block(const YamlNode& n, int level, std::string& out) {
  const auto value = [&](const YamlNode& v) {
    const bool nests = v.isMap() ? !v.entries.empty() : v.isSequence() && !v.items.empty();
    if (nests && level + 1 < kBlockLevels) {
      out += "\n";
      block(v, level + 1, out);
    } else {
      out += " ";
      flow(v, out);
      out += "\n";
    }
  };
  const std::string indent(static_cast<size_t>(2 * level), ' ');
  for (const YamlNode& item : n.items) {
    out += indent + "-";
    value(item);
  }
  for (const YamlNode::Entry& e : n.entries) {
    out += indent + scalarText(e.key, false) + ":";
    value(e.value);
  }
}

}  // namespace

std::string yamlText(const YamlNode& root) {
  std::string out;
  if (root.items.empty() && root.entries.empty()) {
    flow(root, out);
    return out + "\n";
  }
  block(root, 0, out);
  return out;
}

}  // namespace cardan::fuzz
