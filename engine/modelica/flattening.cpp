#include "engine/modelica/flattening.h"

#include <algorithm>
#include <charconv>

#include "engine/modelica/array_parts.h"
#include "engine/modelica/catalogue_inputs.h"
#include "engine/text/words.h"

namespace cardan::modelica {
namespace {

/// Attributes that say how tools show and scale a variable.
bool isForShow(std::string_view name) {
  return isOneOf(name, {"unit", "displayUnit", "quantity", "min", "max", "nominal", "unbounded"});
}

Refusal wrongFixed(const SourceMark& at, const std::string& path, bool isArray, const Value& v) {
  return {at, "'fixed' of '" + path + "' must be true or false" +
                  (isArray ? " for each of its elements" : "") + ", found " + v.describe()};
}

Refusal wrongCount(const SourceMark& at, const std::string& path) {
  return {at, "'start' and 'fixed' of '" + path + "' must have as many elements as it has"};
}

/// Truths as 1 and 0.
Value numbersOf(Value v) {
  for (Value& item : v.items) item = numbersOf(std::move(item));
  return v.kind == Value::Kind::boolean ? Value::real(v.number) : v;
}

/// True of `(start = 0)`, also of parts: guesses that no equation needs.
bool isGuess(const Modifier& m, bool isOfPart = true) {
  if (m.value || m.redeclaration || m.parts.empty()) return false;
  return std::ranges::all_of(m.parts, [&](const auto& part) {
    const auto& [name, inner] = part;
    if (name == "start" || name == "stateSelect" || isForShow(name)) return true;
    const bool isFalse = inner.value && inner.value->expression->kind == ExpressionKind::boolean &&
                         inner.value->expression->number == 0;
    return (name == "fixed" && isFalse) || (isOfPart && isGuess(inner, false));
  });
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
    if (flattening.notFoldable().empty() && !flattening.hasFixedParameters()) {
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
  registerInputs(model);
  evaluation_.countBy([this](const std::string& path) { return connectionsOf(path); });
  gatherEquations(model);
  findSplit();
  findDrivenConnectors();
  findGivenInputs();
  markDefined(equations_);
  forEvery(equations_, false, [&](const FlatEquation& e, bool) {
    markOutputs(*e.equation, e.scope);
    markLeft(*e.equation, e.scope);
  });
  connections_.finish();
  findExports();
  writeConnections();
  writeParameters(model);
  writeRelations();
  solveDefinitions();
  findAccelerations();
  writeUnited();
  std::vector<ImportedModel::Part> ties = std::exchange(model_.components, {});
  writeComponents(model);
  writeDrivenConnectors();
  std::ranges::move(ties, std::back_inserter(model_.components));
  findElementwise();
  const auto inItsBody = [&](const FlatEquation& e, auto write) {
    inBody(folding_.bodyOf(*e.scope.instance), [&] { guarded([&] { write(e); }); });
  };
  for (const FlatEquation& e : equations_) inItsBody(e, [&](const auto& f) { writeEquation(f); });
  writeCircles();
  for (const FlatEquation& e : initialEquations_)
    inItsBody(e, [&](const auto& f) { writeInitial(f); });
  for (const FlatEquation& e : ofNothing_)
    inItsBody(e, [&](const auto& f) { requireNothing(*f.equation->right, f.scope); });
  writeDelays();
  if (isOrdered_ && diagnostics_.errorCount() == 0) writeOrdered();
  writeExperiment(c);
  writeSubmodels();
  joinArrays(model_);
  return std::move(model_);
}

/// Tells the connections which connectors are a component's own.
void Flattening::registerConnectors(const Instance& instance) {
  forComponents(instance, [&](const Component& c) {
    if (!c.elements.empty() ||
        (!c.sizes.empty() && !c.type.isSimple() && c.name.find('[') == std::string::npos))
      return;
    if (c.instance) registerConnectors(*c.instance);
    if (c.type.isSimple() && c.value() && !c.isParameter())
      connections_.addVariable(c.path, c.isInput() || c.isOutput());
    if (c.type.kind != TypeKind::catalogue) return;
    const CatalogueEntry* entry = lookup_.known().entry(c.type.catalogueType);
    if (!entry) return;
    const auto given = [&](const std::string& name) {
      return evaluation_.known(c.modifier.inside(name));
    };
    const CatalogueInputs inputs = signalInputsOf(*entry, given);
    findMissingConnectors(c, inputs.values);
    keys_[c.path] = inputs.keys;
    startSizes_[c.path] = inputs.starts;
    for (const std::string& name : inputs.texts) {
      report(c.modifier.inside(name)->value->mark(),
             "'" + c.name + "." + name + "' must not be given a text");
    }
    for (const std::string& input : inputs.names) {
      inputPaths_.insert(c.path + "." + input);
      connections_.addEnd(c.path + "." + input, true);
    }
  });
}

/// Inputs of the model itself come from outside: they are sources to what is connected with them.
void Flattening::registerInputs(const Instance& model) {
  for (const auto& c : model.components) {
    if (!isModelInput(*c)) continue;
    std::vector<std::string> paths{c->path};
    for (int i = 1; c->sizes.size() == 1 && i <= c->sizes[0]; ++i)
      paths.push_back(c->path + "[" + std::to_string(i) + "]");
    for (const std::string& path : paths) {
      connections_.addVariable(path, true);
      if (c->type.kind == TypeKind::boolean) translation_.addBooleanInput(path);
    }
  }
}

bool Flattening::isModelInput(const Component& c) const {
  return c.parent == &folding_.model() && !c.isRemoved && !c.inner && !c.value() &&
         (c.type.kind == TypeKind::real || c.type.kind == TypeKind::integer ||
          c.type.kind == TypeKind::boolean) &&
         !c.isParameter() && c.isInput();
}

/// Connectors that MSL's classes have under a condition that is false here.
void Flattening::findMissingConnectors(const Component& c,
                                       const std::map<std::string, Value>& values) {
  struct Conditional {
    const char* connector;
    const char* flag;
  };
  static constexpr Conditional all[] = {{"support", "useSupport"},   {"heatPort", "useHeatPort"},
                                        {"axis", "useAxisFlange"},   {"support", "useAxisFlange"},
                                        {"supportR", "useSupportR"}, {"supportT", "useSupportT"}};
  for (const Conditional& one : all) {
    const auto flag = values.find(one.flag);
    if (flag != values.end() && flag->second == Value::boolean(false))
      missingConnectors_[c.path + "." + one.connector] = one.flag;
  }
}

void Flattening::writeParameters(const Instance& model) {
  for (const auto& c : model.components) {
    const bool isFinal = c->element->isFinal || c->modifier.isFinal;
    const bool isRead = !translation_.isWritten(*c) && !Translation::isFree(*c);
    if (c->isParameter() && (isFinal || isRead)) model_.fixed.push_back(c->name);
    if (!translation_.isWritten(*c)) continue;
    writtenParameters_.push_back(c.get());
    guarded([&] {
      model_.parameters.push_back({c->name, parameterValue(*c), c->element->comment, c->mark()});
    });
  }
}

/// The structure hangs on a parameter that has been written as if it could be changed.
bool Flattening::hasFixedParameters() const {
  return std::ranges::any_of(writtenParameters_,
                             [&](const Component* c) { return evaluation_.isStructural(*c); });
}

/// What a parameter is given, or is by default; one number of an array for each of its elements.
YamlNode Flattening::parameterValue(const Component& c) {
  YamlNode value = translation_.node(*c.value());
  if (c.modifier.isEach && value.isScalar() && !c.sizes.empty()) {
    evaluation_.structural(*c.value());
    value = translation_.node(evaluation_.valueOf(c), c.mark());
  }
  return value;
}

/// The start finds it for each composite that has one.
void Flattening::writeFreeParameter(const Component& c) {
  if (out_ != &model_) notFoldable_.insert(&translation_.body());
  model_.parameters.push_back(
      {c.path, arguments(c.modifier, c.mark()), c.element->comment, c.mark()});
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
      writePart(c);
      return;
    case TypeKind::real:
    case TypeKind::integer:
    case TypeKind::boolean:
    case TypeKind::enumeration:
    case TypeKind::orientation:
      if (!c.isParameter()) guarded([&] { writeVariable(c); });
      if (Translation::isFree(c)) guarded([&] { writeFreeParameter(c); });
      return;
    case TypeKind::physical:
      writeConnectorStarts(c);
      return;
    case TypeKind::connector:
      if (c.instance) writeComponents(*c.instance);
      return;
    case TypeKind::bus:
      if (!c.instance) return;
      forComponents(*c.instance, [&](const Component& inner) {
        const bool isOwn = inner.type.kind == TypeKind::connector || inner.type.kind == c.type.kind;
        if (isOwn && inner.instance) writeComponent(inner);
      });
      return;
    case TypeKind::record:
      if (c.instance && !c.isParameter()) writeComponents(*c.instance);
      return;
    case TypeKind::text:
      if (!c.isParameter())
        report(c.mark(),
               "variable '" + c.path + "' must be a number, a Boolean or of an enumeration",
               ErrorKind::unsupported);
      return;
    default:
      return;
  }
}

/// A component of the catalogue, the World among them.
void Flattening::writePart(const Component& c) {
  const bool isWorld = c.type.catalogueType == "World";
  ImportedModel::Part part{isWorld ? c.path : translation_.nameHere(c.path),
                           c.type.catalogueType,
                           {},
                           c.element->comment,
                           c.mark(),
                           c.typeScope.mark(c.element->type.at)};
  part.arguments = arguments(withoutGuesses(c), c.mark());
  const auto onFile = evaluation_.known(c.modifier.find("tableOnFile"));
  const bool isOfColumns =
      part.type.starts_with("Blocks.CombiTable1D") || part.type == "Blocks.CombiTimeTable";
  // MSL has columns = 2:size(table, 2), and two of them where the table is in a file.
  if (isOfColumns && onFile && onFile->number != 0 && !part.arguments.find("columns"))
    addEntry(part.arguments, "columns", listOf({textNode("2", part.at)}, part.at), part.at);
  guarded([&] { addDrivenInputs(c, part.arguments); });
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

/// Inputs that a variable of a composite drives, elements of vectors as a list.
void Flattening::addDrivenInputs(const Component& c, YamlNode& arguments) {
  const auto driven = inputs_.find(c.path);
  if (driven == inputs_.end()) return;
  std::map<std::string, std::map<size_t, YamlNode>> vectors;
  for (const auto& [input, variable] : driven->second) {
    YamlNode value = expressionNode(translation_.signal(variable), c.mark());
    const size_t open = input.find('[');
    size_t index = 0;
    if (open != std::string::npos) {
      std::from_chars(input.data() + open + 1, input.data() + input.size(), index);
      vectors[input.substr(0, open)][index] = std::move(value);
    } else {
      addEntry(arguments, input, std::move(value), c.mark());
    }
  }
  for (auto& [whole, elements] : vectors) {
    if (elements.rbegin()->first != elements.size()) {
      refuseUnsupported(c.mark(), "of input '" + c.path + "." + whole +
                                      "' variables must give all elements, from the first");
    }
    YamlNode list = listOf({}, c.mark());
    for (auto& [index, value] : elements) list.items.push_back(std::move(value));
    addEntry(arguments, whole, std::move(list), c.mark());
  }
}

/// Guesses of variables that a class of the library has and the catalogue's has not are left out.
Modifier Flattening::withoutGuesses(const Component& c) {
  Modifier all = c.modifier;
  const auto keys = keys_.find(c.path);
  if (keys == keys_.end()) return all;
  for (auto& [name, variable] : all.parts) {
    const auto size = startSizes_[c.path].find(name);
    if (size != startSizes_[c.path].end()) giveElements(variable, size->second);
  }
  std::erase_if(all.parts, [&](const auto& part) {
    const auto& [name, m] = part;
    if (keys->second.contains(name) || !isGuess(m)) return false;
    if (!didYouMean(name, {keys->second.begin(), keys->second.end()}).empty()) return false;
    diagnostics_.warning(m.at, c.type.catalogueType + " '" + c.path +
                                   "' takes no start value for '" + name + "', which is left out");
    return true;
  });
  return all;
}

/// `each start = x` of a vector, and `fixed` of what is one, as lists of their elements.
void Flattening::giveElements(Modifier& variable, int size) {
  for (auto& [name, said] : variable.parts) {
    if (!said.value || size == 1 || (name != "fixed" && (name != "start" || !said.isEach)))
      continue;
    const Expression& e = *said.value->expression;
    Expression list = made(ExpressionKind::array, e.at);
    if (name == "start") {
      list.arguments.assign(size, e);
    } else if (const auto v = evaluation_.known(*said.value); v && v->isArray()) {
      for (const Value& item : evaluation_.structural(*said.value).items) {
        const bool isTruth = item.kind == Value::Kind::boolean;
        list.arguments.push_back(numberAt(e.at, item.number));
        if (isTruth) list.arguments.back().kind = ExpressionKind::boolean;
      }
    } else {
      continue;
    }
    Equation& kept = separated_.emplace_back();
    kept.right = std::move(list);
    said.value = Binding{&*kept.right, said.value->scope, {}};
  }
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
    refuseUnsupported(m.at, "'" + name +
                                "' has a value, and attributes besides, which a model file "
                                "cannot say of one parameter");
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
      refuseUnsupported(m.at, "'" + name + "' must be redeclared as another class's name");
    }
    type = *e.definition->base;
    arguments = &e.definition->baseModification;
  }
  const Scope& scope = m.redeclarationScope;
  const Entity found = lookup_.find(type, scope);
  if (!found.isWhole()) {
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

/// Variables of composites: unknowns, until an equation defines them.
void Flattening::writeVariable(const Component& c) {
  const bool isSignal = c.type.isSignal() || c.element->isInput || c.element->isOutput;
  if (isModelInput(c) && connections_.sourceOf(c.path) == c.path) {
    YamlNode all = attributesOf(c), said = emptyMap(c.mark());
    const Modifier* start = c.modifier.find("start");
    if (c.type.kind == TypeKind::boolean && start && start->value) {
      std::erase_if(all.entries, [](const auto& e) { return e.key == "start"; });
      const Value number = numbersOf(evaluation_.structural(*start->value));
      addEntry(all, "start", translation_.node(number, start->at), start->at);
    }
    for (const char* key : {"size", "start"}) {
      if (const YamlNode* value = all.find(key)) addEntry(said, key, *value, c.mark());
    }
    model_.inputs.push_back({c.path, std::move(said), c.element->comment, c.mark()});
    return;
  }
  if (isSignal && !c.value() && !defined_.contains(&c)) {  // connected
    writeSignalStart(c);
    return;
  }
  if (c.isEmpty() || translation_.aliasOf(c)) return;  // its value stands for it
  const std::string name = translation_.nameHere(c.path);
  if (split_.contains(&c)) {
    const YamlNode all = attributesOf(c);
    for (int i = 0; i < c.sizes[0]; ++i) {
      YamlNode one = emptyMap(c.mark());
      for (const auto& entry : all.entries) {
        const bool isList = entry.value.isSequence() && i < std::ssize(entry.value.items);
        if (entry.key != "size")
          addEntry(one, entry.key, isList ? entry.value.items[i] : entry.value, c.mark());
      }
      out_->variables.push_back({name + "[" + std::to_string(i + 1) + "]", std::move(one),
                                 i == 0 ? c.element->comment : "", c.mark()});
    }
    return;
  }
  YamlNode attributes = attributesOf(c);  // may be refused: then there is no variable
  variables_[&c] = out_->variables.size();
  out_->variables.push_back({name, std::move(attributes), c.element->comment, c.mark()});
  if (!c.value()) return;
  const Binding& value = *c.value();
  requireKind(c, *value.expression, value.scope);
  define(c, translation_.tree(value), value.mark(), readsRate(*value.expression, value.scope));
}

/// What a declaration, its type and all who modify it say of a variable.
YamlNode Flattening::attributesOf(const Component& c) {
  YamlNode map = emptyMap(c.mark());
  const char* type = c.type.kind == TypeKind::orientation   ? "Frames.Orientation"
                     : c.type.kind == TypeKind::integer     ? "Integer"
                     : c.type.kind == TypeKind::enumeration ? "Integer"
                     : c.type.kind == TypeKind::boolean     ? "Boolean"
                                                            : nullptr;
  if (type) addEntry(map, "type", textNode(type, c.mark()), c.mark());
  if (!c.sizes.empty()) {
    YamlNode sizes = listOf({}, c.mark());
    for (const int n : c.sizes) sizes.items.push_back(textNode(std::to_string(n), c.mark()));
    addEntry(map, "size", std::move(sizes), c.mark());
  }
  for (const char* key : {"start", "fixed", "nominal", "min", "max", "stateSelect"}) {
    const Modifier* said = c.modifier.find(key);
    if (!said || !said->value) continue;
    requireElements(c, key, *said);
    YamlNode value = translation_.node(*said->value);
    // One number is for all elements.
    if (std::string_view(key) == "nominal" && !value.isScalar()) continue;
    addEntry(map, key, std::move(value), said->at);
  }
  // A literal is its place, the first one where none is said.
  if (c.type.kind == TypeKind::enumeration) {
    const Modifier* said = c.modifier.find("start");
    const Value first = Value::real(1);
    const Value start = said && said->value ? placesOf(evaluation_.value(*said->value)) : first;
    std::erase_if(map.entries, [](const auto& e) { return e.key == "start"; });
    addEntry(map, "start", translation_.node(start, said ? said->at : c.mark()), c.mark());
  }
  return map;
}

/// A list of `start` or `fixed` has one element for each of the variable.
void Flattening::requireElements(const Component& c, std::string_view key, const Modifier& said) {
  const bool isFixed = key == "fixed";
  const std::optional<Value> v =
      isFixed || key == "start" ? evaluation_.known(*said.value) : std::nullopt;
  if (!v || (!isFixed && !v->isArray())) return;
  if (v->isArray() && v->sizes() != c.sizes) throw wrongCount(c.mark(), c.path);
  const auto requireTruth = [&](const auto& self, const Value& one) -> void {
    for (const Value& item : one.items) self(self, item);
    if (one.isArray() || one.kind == Value::Kind::boolean || !isFixed) return;
    throw wrongFixed(said.at, c.path, !c.sizes.empty(), one);
  };
  requireTruth(requireTruth, *v);
}

/// A signal that is connected is that of the component on the other side.
void Flattening::writeSignalStart(const Component& c) {
  const Modifier* start = c.modifier.find("start");
  const Modifier* fixed = c.modifier.find("fixed");
  if (fixed) {
    writeFixedStart({c.path, translation_.tree(c, ""), c.sizes, c.mark()}, c.modifier);
  } else if (start && start->value) {
    warnOfGuess(c.path, "", *start);
  }
}

void Flattening::warnOfGuess(const std::string& path, const std::string& variable,
                             const Modifier& start) {
  const std::optional<Value> v = evaluation_.known(*start.value);
  if (v && v->isNumber() && v->number == 0) return;  // what it is without
  diagnostics_.warning(
      start.at, "'" + path + "' is what its parts connect with it, and takes no start value" +
                    (variable.empty() ? "" : " for '" + variable + "'") + ", which is left out");
}

/// Variables of a composite's connector are those of the components that it is connected with.
void Flattening::writeConnectorStarts(const Component& c) {
  for (const auto& [variable, said] : c.modifier.parts) {
    if (!said.find("fixed")) {
      const Modifier* start = said.find("start");
      if (start && start->value) warnOfGuess(c.path, variable, *start);
      continue;
    }
    const bool isPosition = variable == "r_0";
    guarded([&, &name = variable, &modifier = said] {
      writeFixedStart({c.path + "." + name, translation_.tree(c, name),
                       isPosition ? std::vector<int>{3} : std::vector<int>{}, modifier.at},
                      modifier);
    });
  }
}

/// A variable that is known otherwise, and where it starts besides, is a condition of the start.
void Flattening::writeFixedStart(const Started& variable, const Modifier& said) {
  const Modifier* fixed = said.find("fixed");
  if (!fixed || !fixed->value) return;
  const Value isFixed = evaluation_.value(*fixed->value);
  const Modifier* start = said.find("start");
  const auto holds = [&](const Value& v) {
    if (v.kind != Value::Kind::boolean)
      throw wrongFixed(fixed->at, variable.path, !variable.sizes.empty(), v);
    return v.number != 0;
  };
  if (variable.sizes.empty()) {
    if (!holds(isFixed)) return;
    const Tree value = start && start->value ? translation_.tree(*start->value) : numberNode(0);
    addInitial(variable.name, value, variable.at);
    return;
  }
  if (!isFixed.isArray() && !holds(isFixed)) return;
  const Value all = start && start->value ? evaluation_.structural(*start->value) : Value::real(0);
  // Along each dimension what is said of the whole, or of the element.
  const auto part = [&](const Value& v, size_t dimension, int i) -> const Value& {
    if (!v.isArray()) return v;
    if (std::ssize(v.items) != variable.sizes[dimension])
      throw wrongCount(variable.at, variable.path);
    return v.items[i];
  };
  const auto each = [&](const auto& self, std::vector<int> indices, const Value& from,
                        const Value& isHeld) -> void {
    const size_t dimension = indices.size();
    if (dimension == variable.sizes.size()) {
      if (holds(isHeld)) addInitial(elementNode(variable.name, indices), treeOf(from), variable.at);
      return;
    }
    indices.push_back(0);
    for (int i = 0; i < variable.sizes[dimension]; ++i) {
      ++indices.back();
      self(self, indices, part(from, dimension, i), part(isHeld, dimension, i));
    }
  };
  each(each, {}, all, isFixed);
}

/// What functions and indices ask for, and the components of delays.
void Flattening::writeDelays() {
  for (const Translation::Requirement& r : translation_.requirements()) {
    inBody(*r.body, [&] { addAssertion(expressionNode(r.holds, r.at), r.text, r.at, r.warns); });
  }
  for (const Translation::Delay& d : translation_.delays()) {
    inBody(*d.body, [&] {
      if (!d.longest) {
        addPart(d.name, "Blocks.FixedDelay", {{"delayTime", d.time}, {"u", d.input}}, d.at);
      } else {
        addPart(d.name, "Blocks.VariableDelay",
                {{"delayMax", d.longest}, {"delayTime", d.time}, {"u", d.input}}, d.at);
      }
    });
  }
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
