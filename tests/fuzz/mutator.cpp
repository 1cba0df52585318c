#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/expression/tokens.h"
#include "engine/text/yaml_document.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/vocabulary.h"
#include "tests/fuzz/yaml_text.h"

namespace cardan::fuzz {
namespace {

/// 0 .. n - 1
size_t below(size_t n, Random& random) { return n == 0 ? 0 : random() % n; }
bool oneIn(size_t n, Random& random) { return below(n, random) == 0; }

template <class T>
const T& any(const std::vector<T>& all, Random& random) {
  return all[below(all.size(), random)];
}

YamlNode scalar(std::string text, bool quoted = false) {
  YamlNode n;
  n.kind = YamlNode::Kind::scalar;
  n.text = std::move(text);
  n.quoted = quoted;
  return n;
}

YamlNode::Entry entry(std::string key, YamlNode value) {
  YamlNode::Entry e;
  e.key = std::move(key);
  e.value = std::move(value);
  return e;
}

/// The changes of a model file.
class ModelMutation {
 public:
  ModelMutation(YamlNode root, Random& random) : root_(std::move(root)), random_(random) {}

  YamlNode run() {
    for (size_t changes = 1 + below(4, random_); changes > 0; --changes) change();
    return std::move(root_);
  }

 private:
  const Vocabulary& words_ = vocabulary();

  /// A list or map with what stands in it, by a random way down.
  YamlNode& anyNode(bool container) {
    std::vector<YamlNode*> all;
    collect(root_, container, all);
    return all.empty() ? root_ : *any(all, random_);
  }
  void collect(YamlNode& n, bool container, std::vector<YamlNode*>& all) {
    const bool isContainer = !n.items.empty() || !n.entries.empty();
    if (isContainer == container) all.push_back(&n);
    for (YamlNode& item : n.items) collect(item, container, all);
    for (YamlNode::Entry& e : n.entries) collect(e.value, container, all);
  }
  YamlNode& anyValue() { return anyNode(oneIn(3, random_)); }

  YamlNode* section(const char* name, YamlNode::Kind kind) {
    if (!root_.isMap()) return nullptr;
    for (YamlNode::Entry& e : root_.entries) {
      if (e.key != name) continue;
      return e.value.kind == kind ? &e.value : nullptr;
    }
    root_.entries.push_back(entry(name, {}));
    root_.entries.back().value.kind = kind;
    return &root_.entries.back().value;
  }

  void change() {
    switch (below(14, random_)) {
      case 0:
      case 1:
      case 2: {
        YamlNode& value = anyNode(false);
        value = scalar(word(value), oneIn(8, random_));
        break;
      }
      case 3:
        rename();
        break;
      case 4:
        remove();
        break;
      case 5:
        repeat();
        break;
      case 6: {
        const YamlNode copy = anyValue();
        anyValue() = copy;
        break;
      }
      case 7: {
        YamlNode& a = anyValue();
        YamlNode& b = anyValue();
        const YamlNode first = a;  // one may stand within the other
        const YamlNode second = b;
        b = first;
        if (!root_.isMap() || oneIn(2, random_)) break;
        anyNode(false) = second;
        break;
      }
      case 8:
        reshape(anyValue());
        break;
      case 9:
      case 10:
        addComponent();
        break;
      case 11:
        addConnection();
        break;
      case 12:
        addStatement();
        break;
      default:
        addArgument();
        break;
    }
  }

  /// Another text in place of one.
  std::string word(const YamlNode& old) {
    const auto changedNumber = [&]() -> std::string {
      char* end = nullptr;
      const double x = std::strtod(old.text.c_str(), &end);
      if (old.text.empty() || *end != '\0') return any(words_.numbers, random_);
      const double factors[] = {-1, 0, 10, 1e3, 1e-6, 1.0000001, 1e12, 0.5};
      char text[40];
      std::snprintf(text, sizeof text, "%.9g", x * factors[below(std::size(factors), random_)]);
      return text;
    };
    switch (below(9, random_)) {
      case 0:
        return any(words_.numbers, random_);
      case 1:
        return any(words_.expressions, random_);
      case 2:
        return any(words_.types, random_).name;
      case 3:
        return name();
      case 4:
        return connector();
      case 5:
        return mutatedExpression(old.text, random_);
      case 6:
        return any(words_.functions, random_) + "(" + old.text + ")";
      default:
        return changedNumber();
    }
  }

  std::vector<std::pair<std::string, std::string>> components() {
    std::vector<std::pair<std::string, std::string>> result{{"world", "World"}};
    const YamlNode* all = root_.find("components");
    if (!all) return result;
    for (const YamlNode::Entry& e : all->entries) {
      const YamlNode* type = e.value.find("type");
      result.emplace_back(e.key, type ? type->text : "");
    }
    return result;
  }
  std::string connector() {
    const auto [name, typeName] = any(components(), random_);
    for (const Vocabulary::Type& type : words_.types) {
      if (type.name == typeName && !type.connectors.empty())
        return name + "." + any(type.connectors, random_);
    }
    const char* usual[] = {"frame_a", "frame_b", "flange_a", "axis", "y", "u[1]", "x[99999999999]"};
    return name + "." + usual[below(std::size(usual), random_)];
  }
  /// Of a variable, parameter or component.
  std::string name() {
    std::vector<std::string> names{"time", "world.g", "world.driveTrainMechanics3D"};
    for (const char* s : {"parameters", "variables", "submodels"}) {
      const YamlNode* all = root_.find(s);
      if (!all) continue;
      for (const YamlNode::Entry& e : all->entries) names.push_back(e.key);
    }
    for (const auto& [component, type] : components()) {
      const char* usual[] = {"phi", "w", "a",        "s",         "v",   "r_0[1]", "v_0",
                             "y",   "m", "phi[2,3]", "frame_a.f", "R.T", "Q",      "r_0[0]"};
      names.push_back(component);
      names.push_back(component + "." + usual[below(std::size(usual), random_)]);
    }
    std::string result = any(names, random_);
    return oneIn(4, random_) ? "der(" + result + ")" : result;
  }

  void rename() {
    YamlNode& owner = anyNode(true);
    if (owner.entries.empty()) return;
    std::string& key = owner.entries[below(owner.entries.size(), random_)].key;
    switch (below(4, random_)) {
      case 0:
        key = any(words_.sections, random_);
        break;
      case 1:
        key = name();
        break;
      default:
        key = any(words_.keys, random_);
        break;
    }
  }

  void remove() {
    YamlNode& owner = anyNode(true);
    if (!owner.entries.empty()) {
      owner.entries.erase(owner.entries.begin() +
                          static_cast<std::ptrdiff_t>(below(owner.entries.size(), random_)));
    } else if (!owner.items.empty()) {
      owner.items.erase(owner.items.begin() +
                        static_cast<std::ptrdiff_t>(below(owner.items.size(), random_)));
    }
  }

  void repeat() {
    YamlNode& owner = anyNode(true);
    if (!owner.entries.empty()) {
      YamlNode::Entry copy = owner.entries[below(owner.entries.size(), random_)];
      if (!oneIn(4, random_)) copy.key += std::to_string(below(3, random_));
      owner.entries.push_back(std::move(copy));
    } else if (!owner.items.empty()) {
      const YamlNode copy = owner.items[below(owner.items.size(), random_)];
      for (size_t n = oneIn(8, random_) ? 40 : 1; n > 0; --n) owner.items.push_back(copy);
    }
  }

  void reshape(YamlNode& n) {
    YamlNode old = n;
    n = {};
    switch (below(5, random_)) {
      case 0:
        break;  // nothing
      case 1:
        n.kind = YamlNode::Kind::sequence;
        for (size_t k = below(5, random_); k > 0; --k) n.items.push_back(old);
        break;
      case 2:
        n.kind = YamlNode::Kind::map;
        n.entries.push_back(entry(any(words_.keys, random_), old));
        break;
      case 3:
        n.kind = YamlNode::Kind::map;
        n.entries.push_back(entry("start", old));
        n.entries.push_back(entry("fixed", scalar(oneIn(2, random_) ? "true" : "false")));
        break;
      default:
        n = old.items.empty() ? old.entries.empty() ? scalar("") : old.entries[0].value
                              : old.items[0];
        break;
    }
  }

  void addComponent() {
    YamlNode* all = section("components", YamlNode::Kind::map);
    if (!all || all->entries.size() > 40) return;
    const Vocabulary::Type& type = any(words_.types, random_);
    YamlNode component;
    component.kind = YamlNode::Kind::map;
    component.entries.push_back(entry("type", scalar(type.name)));
    for (const DocumentedParameter& p : type.parameters) {
      if (p.name.find('.') != std::string::npos || !oneIn(3, random_)) continue;
      component.entries.push_back(entry(p.name, value(p)));
    }
    const std::string name = "n" + std::to_string(all->entries.size());
    all->entries.push_back(entry(name, std::move(component)));
    for (const std::string& c : type.connectors) {
      if (!oneIn(3, random_)) connect(name + "." + c, connector());
    }
  }

  /// A value for a parameter: its default, or something else of its kind.
  YamlNode value(const DocumentedParameter& p) {
    if (!p.choices.empty()) return scalar(any(p.choices, random_));
    Diagnostics ignored;
    auto usual = parseYaml(p.defaultValue.empty() ? "1" : p.defaultValue, "", ignored);
    if (!usual || oneIn(6, random_)) return scalar(any(words_.expressions, random_));
    if (p.type == "boolean" && oneIn(2, random_)) {
      usual->text = usual->text == "true" ? "false" : "true";
    }
    if (!oneIn(2, random_)) return *usual;
    YamlNode* change = &*usual;
    while (!change->items.empty() || !change->entries.empty()) {
      change = change->items.empty()
                   ? &change->entries[below(change->entries.size(), random_)].value
                   : &change->items[below(change->items.size(), random_)];
    }
    if (p.type == "integer" || p.type == "number" || !oneIn(3, random_)) {
      *change = scalar(any(words_.numbers, random_));
    } else {
      *change = scalar(word(*change));
    }
    return *usual;
  }

  void addArgument() {
    YamlNode* all = section("components", YamlNode::Kind::map);
    if (!all || all->entries.empty()) return;
    YamlNode& component = all->entries[below(all->entries.size(), random_)].value;
    const YamlNode* name = component.find("type");
    for (const Vocabulary::Type& type : words_.types) {
      if (!name || type.name != name->text || type.parameters.empty()) continue;
      const DocumentedParameter& p = any(type.parameters, random_);
      std::erase_if(component.entries, [&](const auto& e) { return e.key == p.name; });
      component.entries.push_back(entry(p.name, value(p)));
      return;
    }
  }

  void addConnection() { connect(connector(), connector()); }

  void connect(const std::string& a, const std::string& b) {
    YamlNode* all = section("connections", YamlNode::Kind::sequence);
    if (!all) return;
    YamlNode pair;
    pair.kind = YamlNode::Kind::sequence;
    pair.items = {scalar(a), scalar(b)};
    all->items.push_back(std::move(pair));
  }

  void addStatement() {
    const auto text = [&] {
      return mutatedExpression(oneIn(2, random_) ? any(words_.expressions, random_) : name(),
                               random_);
    };
    switch (below(5, random_)) {
      case 0:
        if (YamlNode* all = section("parameters", YamlNode::Kind::map))
          all->entries.push_back(entry("p" + std::to_string(below(4, random_)), scalar(text())));
        break;
      case 1:
        if (YamlNode* all = section("variables", YamlNode::Kind::map))
          all->entries.push_back(entry("v" + std::to_string(below(4, random_)), scalar(text())));
        break;
      case 2:
        if (YamlNode* all = section("equations", YamlNode::Kind::sequence)) {
          if (YamlNode* variables = section("variables", YamlNode::Kind::map)) {
            YamlNode size;
            size.kind = YamlNode::Kind::map;
            size.entries.push_back(entry("size", scalar(any(words_.numbers, random_))));
            const std::string own = "e" + std::to_string(below(3, random_));
            variables->entries.push_back(entry(own, size));
            all = section("equations", YamlNode::Kind::sequence);  // may have moved
            if (!all) break;
            const std::string left = oneIn(2, random_) ? own : "der(" + own + ")";
            all->items.push_back(scalar(left + " = " + text(), true));
          }
        }
        break;
      case 3:
        if (YamlNode* all = section("initial_equations", YamlNode::Kind::sequence))
          all->items.push_back(scalar(name() + " = " + text(), true));
        break;
      default:
        if (YamlNode* all = section("outputs", YamlNode::Kind::sequence))
          all->items.push_back(scalar(oneIn(3, random_) ? "*" : name() + "*", true));
        break;
    }
  }

  YamlNode root_;
  Random& random_;
};

/// Lines and fields of a text.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string joined(const std::vector<std::string>& parts, char separator) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

}  // namespace

std::string mutatedModel(std::string_view text, Random& random) {
  Diagnostics ignored;
  auto root = parseYaml(text, "", ignored);
  if (!root) return "";
  return yamlText(ModelMutation(std::move(*root), random).run());
}

std::string mutatedExpression(std::string_view text, Random& random) {
  const Vocabulary& words = vocabulary();
  TokenError error;
  std::vector<std::string> tokens;
  for (const Token& t : splitTokens(text, error)) tokens.emplace_back(t.source);
  const auto at = [&] {
    return tokens.begin() + static_cast<std::ptrdiff_t>(below(tokens.size() + 1, random));
  };
  for (size_t changes = 1 + below(3, random); changes > 0; --changes) {
    switch (below(8, random)) {
      case 0:
        tokens.insert(at(), any(words.operators, random));
        break;
      case 1:
        tokens.insert(at(), any(words.numbers, random));
        break;
      case 2:
        if (!tokens.empty())
          tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(below(tokens.size(), random)));
        break;
      case 3: {  // a function around a part
        size_t first = below(tokens.size() + 1, random);
        size_t last = below(tokens.size() + 1, random);
        if (last < first) std::swap(first, last);
        const bool call = !oneIn(4, random);
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(last), ")");
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(first),
                      call ? any(words.functions, random) + "(" : "(");
        break;
      }
      case 4: {  // a part again
        if (tokens.empty()) break;
        const size_t first = below(tokens.size(), random);
        const size_t count = 1 + below(std::min<size_t>(tokens.size() - first, 12), random);
        const std::vector<std::string> part(
            tokens.begin() + static_cast<std::ptrdiff_t>(first),
            tokens.begin() + static_cast<std::ptrdiff_t>(first + count));
        const auto where = at();
        tokens.insert(where, part.begin(), part.end());
        break;
      }
      case 5:
        if (!tokens.empty()) tokens[below(tokens.size(), random)] = any(words.operators, random);
        break;
      case 6:
        tokens.insert(at(), any(words.expressions, random));
        break;
      default:
        if (!tokens.empty()) tokens[below(tokens.size(), random)] = any(words.numbers, random);
        break;
    }
  }
  std::string result;
  for (const std::string& t : tokens) {
    const bool wordAfterWord = !result.empty() && !t.empty() &&
                               std::isalnum(static_cast<unsigned char>(t[0])) &&
                               std::isalnum(static_cast<unsigned char>(result.back()));
    if (wordAfterWord) result += ' ';
    result += t;
  }
  return result;
}

std::string mutatedTable(std::string_view text, Random& random) {
  std::vector<std::string> lines = split(text, '\n');
  const std::vector<std::string> fields{
      "0",     "-1",     "1e400",     "1e-400", "nan", "inf",        "true", "\"a[1,2]\"",
      "\"",    "",       " 1 ",       "1,5",    "x",   "-inf",       "+1",   "1e5",
      "0x1",   "1e",     "a.b[1, 2]", "'q'",    "\t",  "\"a\"\"b\"", "---",  ";",
      "1e308", "-1e308", "1e-9",      "2\r",    "[",   "]"};
  for (size_t changes = 1 + below(3, random); changes > 0; --changes) {
    const size_t row = below(lines.size(), random);
    const char separator = oneIn(6, random) ? ';' : oneIn(6, random) ? '\t' : ',';
    switch (below(7, random)) {
      case 0:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(row), std::string(lines[row]));
        break;
      case 1:
        if (lines.size() > 1) lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(row));
        break;
      case 2:
        std::swap(lines[row], lines[below(lines.size(), random)]);
        break;
      case 3:
        for (std::string& line : lines) std::replace(line.begin(), line.end(), ',', separator);
        break;
      case 4:  // another column
        for (std::string& line : lines) line += separator + fields[below(fields.size(), random)];
        break;
      default: {
        std::vector<std::string> parts = split(lines[row], separator);
        parts[below(parts.size(), random)] = fields[below(fields.size(), random)];
        lines[row] = joined(parts, separator);
        break;
      }
    }
  }
  return joined(lines, '\n');
}

std::string mutatedOverrides(std::string_view text, Random& random) {
  const Vocabulary& words = vocabulary();
  std::vector<std::string> lines = split(text, '\n');
  for (size_t changes = 1 + below(3, random); changes > 0; --changes) {
    std::string& line = lines[below(lines.size(), random)];
    const size_t equals = std::min(line.find('='), line.size());
    const std::string name = line.substr(0, equals);
    const std::string value = line.substr(std::min(equals + 1, line.size()));
    switch (below(7, random)) {
      case 0:
        line = name + "=" + any(words.expressions, random);
        break;
      case 1:
        line = name + "=" + any(words.numbers, random);
        break;
      case 2:
        line = name + "[" + any(words.numbers, random) + "]=" + value;
        break;
      case 3:
        line = name + "." + any(words.keys, random) + "=" + value;
        break;
      case 4:
        line = name.substr(0, name.rfind('.')) + "." + any(words.keys, random) + "=" + value;
        break;
      case 5: {
        const std::string copy = line;
        lines.push_back(copy);
        break;
      }
      default: {
        const std::string changed = mutatedModel(value, random);
        line = name + "=" + (changed.empty() ? mutatedExpression(value, random) : changed);
        std::erase(line, '\n');
        break;
      }
    }
  }
  return joined(lines, '\n');
}

size_t mutateInPlace(uint8_t* data, size_t size, size_t most, unsigned seed,
                     std::string (*mutated)(std::string_view, Random&)) {
  Random random(seed + 1);
  random.discard(3);  // seeds next to each other begin alike
  if (!oneIn(8, random)) {
    const std::string text = mutated(textOf(data, size), random);
    if (!text.empty() && text.size() <= most) {
      std::memcpy(data, text.data(), text.size());
      return text.size();
    }
  }
  return LLVMFuzzerMutate(data, size, most);
}

}  // namespace cardan::fuzz
