#include "engine/modelica/flattening.h"

#include <algorithm>

#include "engine/modelica/array_parts.h"
#include "engine/modelica/catalogue_inputs.h"

namespace cardan::modelica {
namespace {

/// Attributes that say how tools show and scale a variable.
bool isForShow(std::string_view name) {
  for (const std::string_view n :
       {"unit", "displayUnit", "quantity", "min", "max", "nominal", "unbounded"}) {
    if (n == name) return true;
  }
  return false;
}

}  // namespace

void Flattening::report(const SourceMark& at, const std::string& text, ErrorKind kind) {
  if (reported_.insert(Diagnostic{Severity::error, at, text}.format()).second)
    diagnostics_.error(at, text, kind);
}

ImportedModel flattened(const Instance& model, Lookup& lookup, Evaluation& evaluation,
                        Diagnostics& diagnostics) {
  std::set<const Instance*> excluded;
  while (true) {
    Diagnostics own;
    const Folding folding(model, excluded);
    Flattening flattening(lookup, evaluation, folding, own);
    ImportedModel result = flattening.flatten();
    if (flattening.notFoldable().empty()) {
      diagnostics.add(own);
      return result;
    }
    excluded.insert(flattening.notFoldable().begin(), flattening.notFoldable().end());
  }
}

ImportedModel Flattening::flatten() {
  const Instance& model = folding_.model();
  const ClassDefinition& c = *model.definition;
  model_.name = c.name;
  model_.source = c.fullName;
  model_.description = c.comment.substr(0, c.comment.find('\n'));
  model_.at = c.mark(c.at);
  registerConnectors(model);
  gatherEquations(model);
  for (const FlatEquation& e : equations_) findGivenInputs(e, e);
  markDefined(equations_);
  connections_.finish();
  findExports();
  writeConnections();
  writeParameters(model);
  writeComponents(model);
  const auto inItsBody = [&](const FlatEquation& e, auto write) {
    inBody(folding_.bodyOf(*e.scope.instance), [&] { guarded([&] { write(e); }); });
  };
  for (const FlatEquation& e : equations_) inItsBody(e, [&](const auto& f) { writeEquation(f); });
  for (const FlatEquation& e : initialEquations_)
    inItsBody(e, [&](const auto& f) { writeInitial(f); });
  writeExperiment(c);
  writeSubmodels();
  joinArrays(model_);
  return std::move(model_);
}

/// Tells the connections which connectors are a component's own.
void Flattening::registerConnectors(const Instance& instance) {
  const auto visit = [&](const auto& self, const Component& c) -> void {
    if (c.isRemoved || c.inner) return;
    for (const auto& element : c.elements) self(self, *element);
    if (!c.elements.empty() ||
        (!c.sizes.empty() && !c.type.isSimple() && c.name.find('[') == std::string::npos))
      return;
    if (c.instance) registerConnectors(*c.instance);
    if (c.type.isSimple() && c.value() && !c.isParameter()) connections_.addVariable(c.path);
    if (c.type.kind != TypeKind::catalogue) return;
    const CatalogueEntry* entry = lookup_.known().entry(c.type.catalogueType);
    if (!entry) return;
    const auto given = [&](const std::string& name) -> std::optional<Value> {
      const Modifier* m = &c.modifier;
      for (size_t from = 0; m && from <= name.size();) {
        const size_t dot = std::min(name.find('.', from), name.size());
        m = m->find(name.substr(from, dot - from));
        from = dot + 1;
      }
      if (!m || !m->value) return std::nullopt;
      try {
        return evaluation_.value(*m->value);
      } catch (const Refusal&) {
        return std::nullopt;
      }
    };
    for (const std::string& input : signalInputsOf(*entry, given)) {
      inputPaths_.insert(c.path + "." + input);
      connections_.addEnd(c.path + "." + input, true);
    }
  };
  for (const auto& c : instance.components) visit(visit, *c);
}

void Flattening::writeParameters(const Instance& model) {
  for (const auto& c : model.components) {
    if (!translation_.isWritten(*c)) {
      if (!Translation::isFree(*c)) continue;
      guarded([&] {
        model_.parameters.push_back(
            {c->name, arguments(c->modifier, c->mark()), c->element->comment, c->mark()});
      });
      continue;
    }
    guarded([&] {
      model_.parameters.push_back({c->name, parameterValue(*c), c->element->comment, c->mark()});
    });
  }
}

/// What a parameter is given, or is by default; one number of an array for each of its elements.
YamlNode Flattening::parameterValue(const Component& c) {
  YamlNode value = translation_.node(*c.value());
  if (c.modifier.isEach && value.isScalar() && !c.sizes.empty())
    value = translation_.node(evaluation_.valueOf(c), c.mark());
  return value;
}

void Flattening::writeComponents(const Instance& instance) {
  for (const auto& c : instance.components) {
    if (c->isRemoved || c->inner) continue;
    if (!c->elements.empty()) {
      for (const auto& element : c->elements) writeComponent(*element);
    } else if (c->sizes.empty() || c->type.isSimple()) {
      writeComponent(*c);
    }
  }
}

void Flattening::writeComponent(const Component& c) {
  if (c.element->isOuter && !c.element->isInner) return;
  switch (c.type.kind) {
    case TypeKind::composite:
      if (c.instance && folding_.isFolded(*c.instance)) {
        writeFolded(c);
      } else if (c.instance) {
        writeComponents(*c.instance);
      }
      return;
    case TypeKind::catalogue:
      break;
    case TypeKind::real:
    case TypeKind::integer:
    case TypeKind::boolean:
    case TypeKind::orientation:
      if (!c.isParameter()) guarded([&] { writeVariable(c); });
      return;
    case TypeKind::record:
      if (c.instance && !c.isParameter()) writeComponents(*c.instance);
      return;
    case TypeKind::text:
    case TypeKind::enumeration:
      if (!c.isParameter())
        report(c.mark(), "variable '" + c.path + "' must be a number or a Boolean",
               ErrorKind::unsupported);
      return;
    default:
      return;
  }
  const bool isWorld = c.type.catalogueType == "World";
  ImportedModel::Part part{isWorld ? c.path : Folding::nameIn(translation_.body(), c.path),
                           c.type.catalogueType,
                           {},
                           c.element->comment,
                           c.mark(),
                           c.typeScope.mark(c.element->type.at)};
  part.arguments = arguments(c.modifier, c.mark());
  if (const auto driven = inputs_.find(c.path); driven != inputs_.end()) {
    for (const auto& [input, variable] : driven->second) {
      guarded([&, &key = input, &value = variable] {
        addEntry(part.arguments, key,
                 expressionNode(Folding::nameIn(translation_.body(), value), c.mark()), c.mark());
      });
    }
  }
  guarded([&] { addGivenInputs(c, part.arguments); });
  if (!isWorld) {
    out_->components.push_back(std::move(part));
    return;
  }
  for (const Instance* i = &translation_.body(); i != &folding_.model(); i = &folding_.around(*i))
    notFoldable_.insert(i);
  if (model_.world) {
    report(c.mark(),
           "a model must have one World, found '" + model_.world->name + "' and '" + c.path + "'");
    return;
  }
  part.type.clear();
  if (c.path != "world") {
    YamlNode::Entry name{"name", part.at.line, part.at.column, textNode(c.path, part.at)};
    part.arguments.entries.insert(part.arguments.entries.begin(), std::move(name));
  }
  model_.world = std::move(part);
}

/// Of a catalogue's component, or of a part inside one.
YamlNode Flattening::arguments(const Modifier& m, const SourceMark& at) {
  YamlNode map = emptyMap(at);
  YamlNode redeclarations = emptyMap(at);
  for (const auto& [name, part] : m.parts) {
    if (isForShow(name)) continue;
    guarded([&, &key = name, &modifier = part] {
      if (modifier.redeclaration) {
        if (auto value = redeclared(key, modifier))
          addEntry(redeclarations, key, std::move(*value), modifier.at);
      } else if (auto value = argument(key, modifier)) {
        addEntry(map, key, std::move(*value), modifier.at);
      }
    });
  }
  if (!redeclarations.entries.empty()) addEntry(map, "redeclare", std::move(redeclarations), at);
  return map;
}

std::optional<YamlNode> Flattening::argument(const std::string& name, const Modifier& m) {
  const bool hasParts =
      std::ranges::any_of(m.parts, [](const auto& p) { return !isForShow(p.first); });
  if (m.value && hasParts) {
    throw Refusal{m.at,
                  "'" + name +
                      "' has a value, and attributes besides, which a model file "
                      "cannot say of one parameter",
                  ErrorKind::unsupported};
  }
  if (m.value) return translation_.node(*m.value);
  if (!hasParts) return std::nullopt;
  return arguments(m, m.at);
}

/// A function or class that takes another's place: {type: name, arguments}.
std::optional<YamlNode> Flattening::redeclared(const std::string& name, const Modifier& m) {
  const Element& e = *m.redeclaration;
  TypeName type = e.type;
  const Modification* arguments = &e.modification;
  if (e.definition) {
    if (!e.definition->isShort || !e.definition->base) {
      throw Refusal{m.at, "'" + name + "' must be redeclared as another class's name",
                    ErrorKind::unsupported};
    }
    type = *e.definition->base;
    arguments = &e.definition->baseModification;
  }
  const Scope& scope = m.redeclarationScope;
  size_t used = 0;
  const Entity found = lookup_.find(type.parts, type.isGlobal, scope, used);
  if (!found || used < type.parts.size()) {
    throw Refusal{scope.mark(type.at), "class '" + type.format() +
                                           "' is not in Cardan's catalogue, and no file given "
                                           "defines it"};
  }
  YamlNode map = emptyMap(m.at);
  addEntry(map, "type", textNode(found.fullName, scope.mark(type.at)), scope.mark(type.at));
  for (const Argument& a : arguments->arguments) {
    if (a.name.size() != 1 || !a.modification.value) continue;
    addEntry(map, a.name[0], translation_.node(Binding{&*a.modification.value, scope, {}}),
             scope.mark(a.at));
  }
  return map;
}

/// Variables of composites: by their value, or unknowns of equations.
void Flattening::writeVariable(const Component& c) {
  const bool isSignal = c.type.isSignal() || c.element->isInput || c.element->isOutput;
  if (isSignal && !c.value() && !defined_.contains(&c)) return;  // connected
  if (c.value()) {
    out_->variables.push_back({Folding::nameIn(translation_.body(), c.path),
                               expressionNode(translation_.text(*c.value()), c.value()->mark()),
                               c.element->comment, c.mark()});
    return;
  }
  YamlNode map = emptyMap(c.mark());
  if (c.type.kind == TypeKind::orientation) {
    addEntry(map, "type", textNode("Frames.Orientation", c.mark()), c.mark());
  }
  if (!c.sizes.empty()) {
    YamlNode sizes = emptyMap(c.mark());
    sizes.kind = YamlNode::Kind::sequence;
    for (const int n : c.sizes) sizes.items.push_back(textNode(std::to_string(n), c.mark()));
    addEntry(map, "size", std::move(sizes), c.mark());
  }
  for (const char* key : {"start", "fixed", "nominal"}) {
    const Modifier* said = c.modifier.find(key);
    if (!said || !said->value) continue;
    if (std::string(key) == "nominal" && !c.sizes.empty()) continue;
    addEntry(map, key, translation_.node(*said->value), said->at);
  }
  variables_[&c] = out_->variables.size();
  out_->variables.push_back(
      {Folding::nameIn(translation_.body(), c.path), std::move(map), c.element->comment, c.mark()});
}

void Flattening::writeExperiment(const ClassDefinition& c) {
  const Scope scope{&c, nullptr, nullptr};
  const auto set = [&](const char* from, const char* to) {
    for (const auto& [name, expression] : c.experiment) {
      if (name != from) continue;
      guarded([&, &e = expression] {
        const Value v = evaluation_.value(e, scope);
        if (!v.isNumber())
          throw Refusal{scope.mark(e.at), std::string("experiment: '") + from +
                                              "' must be a number, found " + v.describe()};
        const YamlNode node = e.kind == ExpressionKind::number
                                  ? textNode(e.text, scope.mark(e.at))
                                  : translation_.node(v, scope.mark(e.at));
        model_.simulation.push_back({to, node, "", scope.mark(e.at)});
      });
    }
  };
  set("StartTime", "start");
  set("StopTime", "stop");
  set("Interval", "interval");
  set("Tolerance", "tolerance");
}

}  // namespace cardan::modelica
