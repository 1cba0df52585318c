#include <algorithm>

#include "engine/model_file/expansion.h"
#include "engine/model_file/parameter_table.h"
#include "engine/text/element_name.h"
#include "engine/text/imported_model.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

/// The place of an override in messages: itself, as far as a line can take it.
SourceMark placeOf(const std::string& override) {
  constexpr size_t kLongest = 60;
  const bool tooLong = override.size() > kLongest;
  return {"--set " + override.substr(0, kLongest) + (tooLong ? "..." : ""), 0, 0};
}

/// The part behind a dotted name that begins with `owner`; "" if it does not.
std::string restBehind(const std::string& owner, const std::string& name) {
  const bool begins =
      name.size() > owner.size() + 1 && name.starts_with(owner) && name[owner.size()] == '.';
  return begins ? name.substr(owner.size() + 1) : "";
}

/// Marks a value and everything in it as coming from the command line.
void moveToCommandLine(YamlNode& node, const std::shared_ptr<const std::string>& file) {
  node.file = file;
  node.line = node.column = 0;
  for (YamlNode& item : node.items) moveToCommandLine(item, file);
  for (YamlNode::Entry& entry : node.entries) {
    entry.keyLine = entry.keyColumn = 0;
    moveToCommandLine(entry.value, file);
  }
}

/// Replaces one element of a value written as a list, of lists where there are several indices.
void setElement(YamlNode& list, const std::vector<int>& indices, const YamlNode& value,
                const std::string& name, Diagnostics& diagnostics) {
  YamlNode* element = &list;
  for (const int index : indices) {
    if (!element->isSequence()) {
      diagnostics.error(value.mark(), "'" + name + "' must be written as a list " +
                                          (element == &list ? "for an" : "of lists for this") +
                                          " element to be set, found " + list.describe());
      return;
    }
    if (index > std::ssize(element->items)) {
      diagnostics.error(value.mark(), "'" + name + "' has " +
                                          std::to_string(element->items.size()) +
                                          " elements, found index " + std::to_string(index));
      return;
    }
    element = &element->items[index - 1];
  }
  *element = value;
}

/// Sets `a.b.c` in nested maps, made where they are missing.
void setArgument(YamlNode& arguments, const std::string& path, const YamlNode& value,
                 Diagnostics& diagnostics) {
  arguments.kind = YamlNode::Kind::map;
  const size_t dot = path.find('.');
  std::string key = path.substr(0, dot);
  const auto find = [&] {
    return std::find_if(arguments.entries.begin(), arguments.entries.end(),
                        [&](const auto& e) { return e.key == key; });
  };
  if (dot == std::string::npos) {
    const std::vector<int> indices =
        find() == arguments.entries.end() ? takeIndices(key) : std::vector<int>();
    if (!indices.empty()) {
      const auto list = find();
      if (list != arguments.entries.end()) {
        setElement(list->value, indices, value, key, diagnostics);
        return;
      }
      diagnostics.error(value.mark(), "'" + key +
                                          "' must be written as a list for an element to be set, "
                                          "found nothing");
      return;
    }
  }
  auto entry = find();
  if (entry == arguments.entries.end()) {
    YamlNode::Entry added;
    added.key = key;
    added.value.file = value.file;
    added.keyLine = value.line;
    added.keyColumn = value.column;
    entry = arguments.entries.insert(arguments.entries.end(), std::move(added));
  }
  if (dot == std::string::npos) {
    entry->keyLine = value.line;
    entry->keyColumn = value.column;
    entry->value = value;
    return;
  }
  if (!entry->value.isMap()) {
    entry->value = {};
    entry->value.file = value.file;
  }
  setArgument(entry->value, path.substr(dot + 1), value, diagnostics);
}

/// `x.start`, `x.start[2]`, `x.fixed`, `x.der.start` of an unknown of the model, `u`, `u[2]` or `u.start` of
/// an input.
/// False: there is none.
bool setStart(const std::string& name, const YamlNode& value, ModelSource& model,
              Diagnostics& diagnostics) {
  std::string whole = name;
  const std::vector<int> indices = takeIndices(whole);
  const auto put = [&](std::optional<YamlNode>& place) {
    if (!place) place.emplace();
    setElement(*place, indices, value, whole, diagnostics);
  };
  for (InputDescription& in : model.inputs) {
    if (!indices.empty() && whole == in.name) {
      put(in.start);
      return true;
    }
    if (name != in.name && restBehind(in.name, name) != "start") continue;
    in.start = value;
    return true;
  }
  for (VariableDescription& v : model.variables) {
    if (v.expression) continue;
    const std::string key = restBehind(v.name, whole);
    std::optional<YamlNode>* place = key == "start"       ? &v.start.start
                                     : key == "fixed"     ? &v.start.fixed
                                     : key == "nominal"   ? &v.nominal
                                     : key == "der.start" ? &v.rate.start
                                     : key == "der.fixed" ? &v.rate.fixed
                                                          : nullptr;
    if (!place) continue;
    put(*place);
    return true;
  }
  return false;
}

/// `contacts.defaults.mu`, `contacts.materials.rubber.mu`. False: no name of contacts.
bool setContacts(const std::string& name, const YamlNode& value, ModelSource& model,
                 Diagnostics& diagnostics) {
  const bool isPair = !restBehind("contact", name).empty();
  if (!isPair && name != "contacts" && restBehind("contacts", name).empty()) return false;
  ContactsDescription& contacts = model.contacts;
  if (const std::string key = restBehind("contacts.defaults", name); !key.empty()) {
    setArgument(contacts.defaults, key, value, diagnostics);
    return true;
  }
  std::vector<std::string> known;
  for (YamlNode::Entry& m : contacts.materials) {
    const std::string key = restBehind("contacts.materials." + m.key, name);
    known.push_back("contacts.materials." + m.key);
    if (key.empty()) continue;
    setArgument(m.value, key, value, diagnostics);
    return true;
  }
  known.emplace_back("contacts.defaults");
  diagnostics.error(value.mark(), (isPair ? "a contact has its parameters from 'contacts'"
                                          : "unknown parameter '" + name + "'") +
                                      std::string("; what can be set are the parameters in ") +
                                      joinMost(known, 10));
  return true;
}

void apply(const std::string& name, const YamlNode& value, ModelSource& model,
           Diagnostics& diagnostics) {
  const auto parameter = [&](const std::string& wanted) {
    return std::find_if(model.parameters.begin(), model.parameters.end(),
                        [&](const ModelParameter& p) { return p.name == wanted; });
  };
  // The parameter itself, before an element of one.
  std::string whole = name;
  auto found = parameter(name);
  const std::vector<int> indices =
      found == model.parameters.end() ? takeIndices(whole) : std::vector<int>();
  if (!indices.empty()) found = parameter(whole);
  if (found != model.parameters.end()) {
    if (value.isMap() || value.isNull()) {
      diagnostics.error(
          value.mark(),
          "parameter '" + name + "' must be a value or an expression, found " + value.describe());
    } else if (!indices.empty()) {
      setElement(found->expression, indices, value, whole, diagnostics);
    } else {
      found->at = value.mark();
      found->expression = value;
      found->scope = 0;
      found->failed = false;
    }
    return;
  }
  // The component with the longest name.
  ComponentDescription* owner = nullptr;
  std::string key;
  const auto consider = [&](ComponentDescription& c) {
    std::string rest = restBehind(c.name, name);
    if (rest.empty() || (owner && owner->name.size() > c.name.size())) return;
    owner = &c;
    key = std::move(rest);
  };
  consider(model.world);
  for (ComponentDescription& c : model.components) consider(c);
  if (owner) {
    setArgument(owner->arguments, key, value, diagnostics);
    return;
  }
  if (setStart(name, value, model, diagnostics) || setContacts(name, value, model, diagnostics))
    return;
  std::vector<std::string> known;
  for (const ModelParameter& p : model.parameters) known.push_back(p.name);
  for (const InputDescription& in : model.inputs) known.push_back(in.name);
  std::string hint = didYouMean(name, known);
  if (const size_t dot = name.rfind('.'); hint.empty() && dot != std::string::npos) {
    known = {model.world.name};
    for (const ComponentDescription& c : model.components) known.push_back(c.name);
    hint = didYouMean(name.substr(0, dot), known);
  }
  diagnostics.error(value.mark(), "unknown parameter '" + name + "'" + hint);
}

}  // namespace

std::vector<NamedNode> readSettings(const YamlNode* set, const Overrides& overrides,
                                    Diagnostics& diagnostics) {
  std::vector<NamedNode> settings;
  if (isSectionMap(set, "set", "of parameters and their values", diagnostics)) {
    for (const YamlNode::Entry& e : set->entries) {
      if (isName(e.key)) {
        settings.push_back({e.key, e.keyMark(), e.value});
      } else {
        diagnostics.error(e.keyMark(),
                          "'set' must name parameters as --set does, found '" + e.key + "'");
      }
    }
  }
  for (const std::string& text : overrides) {
    const SourceMark place = placeOf(text);
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos || !isName(name)) {
      diagnostics.error(place, "an override must be NAME=VALUE, found '" + text + "'");
      continue;
    }
    std::optional<YamlNode> value;
    if (YamlNode plain = textNode(text.substr(equals + 1), place);
        ParameterTable::plainNumber(plain)) {
      value = std::move(plain);
    } else {
      Diagnostics ignored;
      value = parseYaml(plain.text, place.file, ignored);
    }
    if (!value) {
      diagnostics.error(place, "the value of '" + name + "' must be a number, a list or an " +
                                   "expression, found '" + text.substr(equals + 1) + "'");
      continue;
    }
    moveToCommandLine(*value, std::make_shared<const std::string>(place.file));
    settings.push_back({name, place, std::move(*value)});
  }
  return settings;
}

void applyTo(ModelParameter& parameter, const std::vector<NamedNode>& settings) {
  for (const NamedNode& s : settings) {
    if (!s.name.starts_with(parameter.name)) continue;
    std::string name = s.name;
    const std::vector<int> indices =
        name == parameter.name ? std::vector<int>() : takeIndices(name);
    if (name != parameter.name || s.value.isMap() || s.value.isNull()) continue;
    Diagnostics ignored;
    if (!indices.empty()) {
      setElement(parameter.expression, indices, s.value, name, ignored);
    } else {
      parameter.expression = s.value;
      parameter.scope = 0;
    }
  }
}

void applySettings(const std::vector<NamedNode>& settings, ModelSource& model,
                   Diagnostics& diagnostics) {
  for (const NamedNode& s : settings) apply(s.name, s.value, model, diagnostics);
}

}  // namespace cardan
