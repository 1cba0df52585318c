#include "engine/equations/model.h"

#include <fmt/format.h>

#include "components/catalogue_search.h"
#include "engine/equations/contact_pairs.h"
#include "engine/equations/equations.h"
#include "engine/equations/model_names.h"
#include "engine/equations/own_unknowns.h"
#include "engine/equations/solvability.h"
#include "engine/equations/when_binding.h"
#include "engine/structure/reading_order.h"
#include "engine/structure/variable_function.h"

namespace cardan {
namespace {

const CatalogueEntry* findType(const Catalogue& catalogue, const std::string& type) {
  for (const CatalogueEntry& e : catalogue) {
    if (e.type == type) return &e;
  }
  return nullptr;
}

std::string lastName(const std::string& type) {
  const size_t dot = type.rfind('.');
  return dot == std::string::npos ? type : type.substr(dot + 1);
}

/// The entry of a type; a full MSL path is taken by its last one or two names, or by what follows
/// MultiBody in it.
const CatalogueEntry* resolveType(const Catalogue& catalogue, const std::string& type) {
  if (const CatalogueEntry* e = findType(catalogue, type)) return e;
  const size_t dot = type.rfind('.');
  if (dot == std::string::npos || dot == 0) return nullptr;
  const size_t before = type.rfind('.', dot - 1);
  const std::string two = before == std::string::npos ? type : type.substr(before + 1);
  if (const CatalogueEntry* e = findType(catalogue, two)) return e;
  const std::string package = "MultiBody.";
  const size_t inPackage = type.find(package);
  if (inPackage == std::string::npos) return nullptr;
  if (const CatalogueEntry* e = findType(catalogue, type.substr(inPackage + package.size())))
    return e;
  return findType(catalogue, lastName(type));
}

/// "; did you mean 'Rotational.Inertia'?": types of that last name in other packages, else the
/// closest one, the file's own submodels among them, else those that speak of such a thing.
std::string suggestType(const Catalogue& catalogue, const std::vector<std::string>& submodels,
                        const std::string& type) {
  constexpr size_t kMostMeant = 4;
  std::vector<std::string> types = submodels, meant;
  const std::string last = lastName(type);
  for (const CatalogueEntry& e : catalogue) {
    types.push_back(e.type);
    if (lastName(e.type) == last) meant.push_back(e.type);
  }
  if (meant.empty()) {
    if (std::string closest = didYouMean(type, types); !closest.empty()) return closest;
    if (last.size() > 2) {
      for (const CatalogueEntry* e : entriesAbout(catalogue, last)) meant.push_back(e->type);
    }
  }
  if (meant.empty()) return "; 'cardan components' lists all";
  const bool isTooMuch = meant.size() > kMostMeant;
  if (isTooMuch) meant.resize(kMostMeant);
  return fmt::format("; did you mean '{}'?{}", fmt::join(meant, "' or '"),
                     isTooMuch ? " 'cardan components " + last + "' lists more" : "");
}

void checkSubmodelNames(const Catalogue& catalogue, const ModelSource& model,
                        Diagnostics& diagnostics) {
  for (const SubmodelName& s : model.submodelPlaces) {
    if (!findType(catalogue, s.name)) continue;
    diagnostics.error(s.at, "submodel name '" + s.name +
                                "' is taken: it is a type of the catalogue; give the submodel "
                                "another one");
  }
}

/// What the file says about one of its own variables.
///
/// An orientation stands for two: its T and its w.
struct Definition {
  std::string name;
  SourceMark at;
  int scope = 0;
  std::optional<Expression> expression;
  std::vector<int> size;
  std::string type{};  ///< that the file states; "": any
};

/// Per definition those that its names stand for; an orientation R is R.T and R.w.
std::vector<std::set<size_t>> readsOf(const std::vector<Definition>& definitions,
                                      const ModelSource& model) {
  std::unordered_map<std::string, size_t> byName;
  for (size_t i = 0; i < definitions.size(); ++i) byName.emplace(definitions[i].name, i);
  const auto insert = [&](const std::string& name, std::set<size_t>& out) {
    if (const auto i = byName.find(name); i != byName.end()) out.insert(i->second);
  };
  const auto find = [&](const std::string& name, int scope, std::set<size_t>& out) {
    for (int s = scope; s >= 0; s = model.scopes[s].parent) {
      const std::string full = model.scopes[s].prefix + name;
      const size_t before = out.size();
      for (size_t end = full.size(); end != std::string::npos && end > 0;
           end = full.rfind('[', end - 1)) {
        insert(full.substr(0, end), out);
      }
      insert(full + ".T", out);
      insert(full + ".w", out);
      if (out.size() > before) return;
    }
  };
  std::vector<std::set<size_t>> reads;
  for (const Definition& d : definitions) {
    std::set<size_t>& own = reads.emplace_back();
    for (const NameReference& n : namesIn(*d.expression)) {
      if (n.derivativeOrder >= 0) find(n.name, d.scope, own);
    }
  }
  return reads;
}

/// What the model defines outright: by expressions of variables, and by its equations.
std::vector<Definition> definitionsOf(ModelSource& model, const OwnEquations& own,
                                      Diagnostics& diagnostics) {
  std::vector<Definition> definitions;
  for (const VariableDescription& v : model.variables) {
    if (!v.expression || model.unread.contains(v.name)) continue;
    if (auto e = v.expression->readTree(diagnostics)) {
      definitions.push_back({v.name, v.at, v.expression->scope, std::move(e), v.size});
    } else {
      model.unread.insert(v.name);
    }
  }
  for (const OwnEquations::Definition& d : own.definitions()) {
    const VariableDescription& v = model.variables[d.variable];
    const Expression& right = d.equation.right;
    const SourceMark& at = d.equation.left.at();
    if (isOrientation(v.type)) {
      definitions.push_back({v.name + ".T", at, d.scope, right.as("Frames.to_T"), {3, 3}});
      definitions.push_back({v.name + ".w", at, d.scope, right.as("Frames.angularVelocity2"), {3}});
      continue;
    }
    definitions.push_back({v.name, at, d.scope, right, v.size, v.type});
  }
  return definitions;
}

/// What needs a function of MSL that expressions do not have is left out with a warning: the model runs
/// without it.
void leaveOutUnsupported(const Diagnostics& found, const std::string& what,
                         Diagnostics& diagnostics) {
  for (const Diagnostic& m : found.all()) {
    if (m.kind == ErrorKind::unsupported) {
      diagnostics.warning(m.at, m.text + ": " + what);
    } else {
      diagnostics.error(m.at, m.text);
    }
  }
}

/// The variable of a definition, or null where its expression is wrong.
std::unique_ptr<ExpressionVariable> readDefinition(const Definition& d, const VariableTable& table,
                                                   ParameterTable& parameters, ModelSource& model,
                                                   Diagnostics& diagnostics) {
  Diagnostics own;
  auto e = makeExpressionVariable(*d.expression, d.scope, table, parameters, model, own,
                                  ExpressionPlace::variable);
  leaveOutUnsupported(own, "variable '" + d.name + "' is left out", diagnostics);
  return e;
}

}  // namespace

Model::Model(const Catalogue& catalogue, const std::string& path, const Overrides& overrides,
             Diagnostics& diagnostics)
    : description_(loadModel(path, overrides, diagnostics)) {
  build(catalogue, diagnostics);
}

Model::Model(const Catalogue& catalogue, std::string_view text, const std::string& path,
             const Overrides& overrides, Diagnostics& diagnostics)
    : description_(parseModel(text, path, overrides, diagnostics)) {
  build(catalogue, diagnostics);
}

Model::Model(const Catalogue& catalogue, const ModelDocument& document,
             const std::vector<std::string>& files, const Overrides& overrides,
             Diagnostics& diagnostics)
    : description_(document.model(overrides, diagnostics)) {
  description_.included.insert(description_.included.end(), files.begin() + 1, files.end());
  build(catalogue, diagnostics);
}

void Model::read(const ComponentDescription& c, Component& component, Diagnostics& diagnostics) {
  ParameterBinding binding(c, *parameters_, world_, diagnostics);
  component.read(binding);
  component.parametersChanged();
  binding.finish();
  description_.included.insert(description_.included.end(), binding.files().begin(),
                               binding.files().end());
  for (const InputBinding& in : binding.inputBindings())
    inputs_.insert_or_assign(c.name + "." + in.name, in);
  for (FreeParameter p : binding.unknownParameters()) {
    p.name = c.name + "." + p.name;
    freeParameters_.push_back({std::move(p), &component});
  }
}

std::vector<NamedComponent> Model::readComponents(const Catalogue& catalogue,
                                                  Diagnostics& diagnostics) {
  std::map<std::string, NamedComponent> made;
  parameters_->readComponents([&](const ComponentDescription& c) {
    const CatalogueEntry* entry = resolveType(catalogue, c.type);
    if (!entry) {
      if (!c.type.empty()) {
        diagnostics.error(c.typeAt, "component '" + c.name + "': unknown type '" + c.type + "'" +
                                        suggestType(catalogue, description_.submodels, c.type));
      }
      description_.unread.insert(c.name);
      return;
    }
    std::unique_ptr<Component> component = entry->make();
    read(c, *component, diagnostics);
    if (const WorldSettings* settings = component->worldSettings()) {
      if (c.name == description_.world.name) world_ = *settings;
    }
    made.insert_or_assign(c.name, NamedComponent{c.name, entry->type, c.at, std::move(component)});
  });
  std::vector<NamedComponent> result;
  auto take = [&](const std::string& name) {
    const auto i = made.find(name);
    if (i == made.end()) return;
    result.push_back(std::move(i->second));
    made.erase(i);
  };
  take(description_.world.name);
  for (const ComponentDescription& c : description_.components) take(c.name);
  return result;
}

/// The unknowns of the file's own equations, as one more component.
void Model::makeEquations(std::vector<NamedComponent>& components, Diagnostics& diagnostics) {
  own_ = OwnEquations(description_, diagnostics);
  std::vector<ModelEquations::Unknown> unknowns =
      makeUnknowns(own_, description_, *parameters_, diagnostics);
  const bool events = !description_.whens.empty() || !description_.assertions.empty();
  if (unknowns.empty() && own_.rows().empty() && !events) return;
  const SourceMark at = !unknowns.empty()      ? unknowns.front().at
                        : !own_.rows().empty() ? own_.rows().front().equation.left.at()
                                               : SourceMark{description_.file, 0, 0};
  auto equations = std::make_unique<ModelEquations>(std::move(unknowns));
  equations_ = equations.get();
  components.push_back({"", "the model's equations", at, std::move(equations)});
}

Additions Model::makeContacts(FlatModel& flat, Diagnostics& diagnostics) {
  const int errors = diagnostics.errorCount();
  Additions all;
  // Of a model with gaps nobody knows what moves together.
  const bool isWhole = description_.unread.empty();
  if (isWhole) {
    all = makeContactPairs(
        description_.contacts, flat, *parameters_,
        [this](const ComponentDescription& c, Component& component, Diagnostics& found) {
          read(c, component, found);
        },
        [this](const ComponentDescription& c, Component& component, Diagnostics& found) {
          ParameterBinding binding(c, *parameters_, world_, found);
          component.read(binding);
          binding.finish();
        },
        diagnostics);
  }
  if (!isWhole || diagnostics.errorCount() > errors) description_.unread.insert("contact");
  return all;
}

void Model::build(const Catalogue& catalogue, Diagnostics& diagnostics) {
  checkSubmodelNames(catalogue, description_, diagnostics);
  parameters_ = std::make_unique<ParameterTable>(description_, diagnostics);
  for (size_t i = 0; i < description_.parameters.size(); ++i) parameters_->parameter(i);
  std::vector<NamedComponent> components = readComponents(catalogue, diagnostics);

  // Connections with a component that could not be made say nothing new; inputs that they bind are
  // no error.
  std::vector<ConnectionStatement> connections;
  std::set<std::string> bound;
  for (const ConnectionDescription& c : description_.connections) {
    if (!description_.isUnread(c.a) && !description_.isUnread(c.b)) {
      connections.push_back({c.a, c.b, c.aAt, c.bAt});
    } else {
      for (const std::string& end : {c.a, c.b}) bound.insert(end.substr(0, end.find_last_of('[')));
      bound.insert({c.a, c.b});
    }
  }
  const InputBinding elsewhere{"", 1, true, false, {}, {}, {}};

  makeEquations(components, diagnostics);

  const SignalContext context{*parameters_,
                              description_,
                              [&](const std::string& name) -> const InputBinding* {
                                if (bound.contains(name)) return &elsewhere;
                                const auto i = inputs_.find(name);
                                return i == inputs_.end() ? nullptr : &i->second;
                              },
                              [this, &diagnostics](VariableTable& table, FlatModel& flat) {
                                addVariables(table, diagnostics);
                                bindEquations(table, flat, diagnostics);
                                bindWhens(*whens_, own_, description_, table, *parameters_,
                                          diagnostics);
                                whens_->held.resolve();
                                if (equations_) equations_->happens(whens_.get());
                                addPictureInputs(table, diagnostics);
                              },
                              equations_,
                              &given_,
                              [&](FlatModel& flat) { return makeContacts(flat, diagnostics); },
                              !description_.unread.empty()};
  assembly_ =
      std::make_unique<Assembly>(world_, std::move(components), connections, diagnostics, &context);
  bindInitialEquations(diagnostics);
  if (complete()) {
    assembly_->equations->state.held = whens_->held.start();
    bindReinits(*whens_, *assembly_->equations, assembly_->variables, diagnostics);
  }
  if (complete()) {
    watchBends();
    forEachExpression([this](ExpressionVariable& e) {
      const int count = e.expression().relationCount();
      if (count == 0) return;
      e.setFirstRelation(relations_);
      relations_ += count;
    });
  }
}

/// Kinks and jumps of expressions are events where the motion can feel them: in inputs, in equations, and in the
/// variables that these read. Of conditions, of what pre() asks for and of what they read only jumps are: what
/// bends does not pass a limit by that. Other variables are results alone; where these compare what jumps, that
/// is an event, too.
void Model::watchBends() {
  std::map<ExpressionVariable*, bool> felt;  // with kinks
  const auto feel = [&](auto& self, ExpressionVariable& e, bool kinks) -> void {
    const auto [known, isNew] = felt.try_emplace(&e, kinks);
    if (!isNew && (known->second || !kinks)) return;
    known->second = kinks;
    for (const ExpressionVariable::Source& s : e.sources()) {
      if (auto* inner = assembly_->variables[s.variable].expression) self(self, *inner, kinks);
    }
  };
  const auto feelVariable = [&](int variable, bool kinks) {
    if (variable < 0) return;
    if (auto* e = assembly_->variables[variable].expression) feel(feel, *e, kinks);
  };
  for (SignalSource& s : assembly_->signals->sources()) {
    if (s.resultOrder > 0) continue;
    if (s.expression) feel(feel, *s.expression, true);
    feelVariable(s.variable, true);
  }
  whens_->forEachExpression([&](ExpressionVariable& e, bool switches) {
    if (switches) return feel(feel, e, false);
    for (const ExpressionVariable::Source& s : e.sources()) feelVariable(s.variable, false);
  });
  for (const HeldValues::Before& b : whens_->held.befores()) feelVariable(b.of, false);
  if (equations_) {
    for (ModelEquations::Row& r : equations_->rows()) {
      feel(feel, *r.left, true);
      feel(feel, *r.right, true);
    }
  }
  forEachExpression([&](ExpressionVariable& e) {
    if (!felt.contains(&e) && e.comparesJumps()) feel(feel, e, false);
  });
  for (const auto& [e, kinks] : felt) {
    e->watchBends(kinks);
    if (kinks && e->expression().bendsUnseen()) assembly_->equations->bendsUnseen = true;
  }
}

/// Reports a name of the model's own that a component has already: it would hide what is meant.
bool Model::isTaken(const std::string& name, const std::string& by, const SourceMark& at,
                    const VariableTable& table, Diagnostics& diagnostics) const {
  const bool parameter = parameters_->isPublished(name);
  const auto v = table.find(name);
  const ComponentDescription* owner = parameters_->ownerOf(name);
  if (!owner || !(parameter || (v && table[*v].instance >= 0))) return false;
  diagnostics.error(at, "name '" + name + "' is taken: component '" + owner->name + "' has a " +
                            (parameter ? "parameter" : "variable") +
                            " of this name; give the model's " + by + " another one");
  diagnostics.note(owner->at, "'" + owner->name + "' stands here");
  return true;
}

/// Parameters of the model are results too ("rh1[1]"), and those that initialisation finds; those
/// of components where `outputs` name them.
void Model::addParameters(VariableTable& table) {
  for (const FreeParameterOfComponent& p : freeParameters_) {
    // Not a number yet for expressions that read it.
    table.add(
        p.parameter.name,
        {p.parameter.name, "", "parameter found from the initial conditions", Level::Constant}, {},
        variableFunction([x = p.parameter.target](const auto&, auto* out) { *out = *x; }),
        VariableTable::kModel);
  }
  const auto add = [&table](const std::string& name, std::vector<int> dimensions, bool isBoolean,
                            std::vector<double> elements, const char* description) {
    if (table.find(name)) return;
    VariableInfo info{name, "", description, Level::Constant};
    info.isBoolean = isBoolean;
    table.add(name, std::move(info), std::move(dimensions),
              variableFunction(
                  [x = std::move(elements)](const auto&, auto* out) { std::ranges::copy(x, out); }),
              VariableTable::kParameter);
  };
  const auto addValue = [&add](const std::string& name, const ExpressionValue& value,
                               const char* description) {
    if (value.isString()) return;
    add(name, dimensionsOf(value.shape()), value.isBoolean(), value.elements(), description);
  };
  for (const auto& [name, value] : ownParameters()) addValue(name, value, "parameter of the model");

  std::set<std::string> asked;
  for (const OutputPattern& p : description_.outputs) {
    const std::string name = description_.withoutAliases(p.pattern);
    asked.insert(name);
    if (name.ends_with(']')) asked.insert(name.substr(0, name.rfind('[')));
  }
  parameters_->forEachComponent([&](const ComponentDescription& c, const auto& values) {
    const auto first = asked.lower_bound(c.name + ".");
    if (first == asked.end() || !first->starts_with(c.name + ".")) return;
    for (const ParameterTable::Published* p : values) {
      const std::string name = c.name + "." + p->key;
      if (asked.contains(name)) addValue(name, p->value, "parameter of a component");
    }
  });
  // Inputs that no equation reads, as lengths of visualizers, where they are numbers.
  for (const auto& [name, input] : inputs_) {
    if (!asked.contains(name) || input.expression || input.elements.empty()) continue;
    std::vector<double> elements;
    for (const InputElement& e : input.elements) {
      if (!e.expression) elements.push_back(e.constant);
    }
    if (elements.size() < input.elements.size()) continue;
    std::vector<int> dimensions;
    if (elements.size() > 1) dimensions.push_back(elements.size());
    add(name, std::move(dimensions), false, std::move(elements), "input of a component");
  }
}

void Model::addVariables(VariableTable& table, Diagnostics& diagnostics) {
  for (const ModelParameter& p : description_.parameters)
    isTaken(p.name, "parameter", p.at, table, diagnostics);
  for (const VariableDescription& v : description_.variables) {
    if (isTaken(v.name, "variable", v.at, table, diagnostics)) description_.unread.insert(v.name);
  }
  for (const InputDescription& in : description_.inputs) {
    if (isTaken(in.name, "input", in.at, table, diagnostics)) description_.unread.insert(in.name);
  }
  given_ = addInputs(description_, *parameters_, table, diagnostics);
  addParameters(table);
  whens_ = std::make_unique<WhenClauses>(table);
  table.keepHeld(&whens_->held);
  addDiscretes(*whens_, own_, description_, table, *parameters_, diagnostics);

  const std::vector<Definition> definitions = definitionsOf(description_, own_, diagnostics);
  ReadingOrder order(readsOf(definitions, description_));
  for (std::optional<size_t> i; (i = order.next());) {
    const Definition& d = definitions[*i];
    auto e = readDefinition(d, table, *parameters_, description_, diagnostics);
    if (!e) {
      description_.unread.insert(d.name);
      continue;
    }
    std::vector<int> dimensions = dimensionsOf(e->expression().shape());
    if (!d.size.empty() && d.size != dimensions) {
      diagnostics.error(d.at, "'" + d.name + "' has another size than its expression");
    }
    VariableInfo info{d.name, "", "variable of the model", Level::Force};
    info.isBoolean = e->expression().isBoolean();
    if (!d.type.empty() && info.isBoolean != (d.type == "Boolean")) {
      diagnostics.error(d.at, "variable '" + d.name + "' has the type " + d.type +
                                  ", its equation gives a " +
                                  (info.isBoolean ? "Boolean" : "number"));
    }
    ExpressionVariable* const expression = e.get();
    const int added = table.add(d.name, std::move(info), std::move(dimensions), std::move(e),
                                VariableTable::kModel, expression);
    if (d.type == "Integer") whens_->held.addDiscreteType(added);
  }
  for (size_t i : order.left()) {
    description_.unread.insert(definitions[i].name);
    diagnostics.error(definitions[i].at,
                      "variable '" + definitions[i].name + "' depends on itself");
  }
  addStarts(table, diagnostics);
}

/// Start values of the unknowns; those of variables that equations define outright are conditions at
/// the start, or what pre() begins with where they change at events alone.
void Model::addStarts(VariableTable& table, Diagnostics& diagnostics) {
  const auto add = [&table](int variable, const ModelEquations::StartValues& s,
                            std::optional<Level> level, const SourceMark& at) {
    for (int i = 0; s.any() && i < std::ssize(s.start); ++i)
      table.addStart({{variable, i}, s.start[i], s.fixed[i], s.given, s.select, level, at});
  };
  if (equations_) {
    for (const ModelEquations::Unknown& u : equations_->unknowns()) {
      if (const auto v = table.find(u.name)) add(*v, u.start, {}, u.at);
      if (const auto v = table.find(u.derivativeName(1)); v && u.order > 0)
        add(*v, u.rateStart, {}, u.at);
    }
  }
  for (const OwnEquations::Definition& d : own_.definitions()) {
    const VariableDescription& v = description_.variables[d.variable];
    if (!v.hasStart() || description_.unread.contains(v.name)) continue;
    const auto found = table.find(v.name);
    if (!found || v.rate.start || v.rate.fixed) {
      diagnostics.error(v.at, "variable '" + v.name + "' is defined by '" +
                                  toString(d.equation.left) + " = " + toString(d.equation.right) +
                                  "', so that its derivative is no state with a start value");
      continue;
    }
    const VariableTable::Variable& variable = table[*found];
    std::optional sizes = variable.dimensions;
    const ModelEquations::StartValues start =
        readStart(v, v.start, v.name, sizes, *parameters_, diagnostics, variable.info.isBoolean);
    HeldValues& held = whens_->held;
    held.beginAt(v.name, start.start);
    const bool isDiscrete = variable.info.isBoolean || v.type == "Integer" ||
                            (held.isDiscrete(*found) && held.hasBefore(v.name));
    if (!isDiscrete) {
      add(*found, start, variable.expression->level(), v.at);
    }
  }
}

/// The file's equations between unknowns, once all names are known.
void Model::bindEquations(VariableTable& table, FlatModel& flat, Diagnostics& diagnostics) {
  if (!equations_) return;
  int instance = 0;
  while (flat.instances[instance].component != equations_) ++instance;
  bool all = true;
  for (const OwnEquations::Row& r : own_.rows()) {
    const auto bound = [&](const Expression& e) {
      return makeExpressionVariable(e, r.scope, table, *parameters_, description_, diagnostics);
    };
    ModelEquations::Row row;
    row.left = bound(r.equation.left);
    row.right = bound(r.equation.right);
    all = all && row.left && row.right;
    if (!row.left || !row.right) continue;
    const int left = row.left->expression().size(), right = row.right->expression().size();
    row.size = left;
    row.text = row.left->text() + " = " + row.right->text();
    if (left != right) {
      diagnostics.error(r.equation.left.at(),
                        fmt::format("both sides of an equation must have the same number of "
                                    "elements, found {} and {}",
                                    left, right));
      all = false;
      continue;
    }
    row.id.index = std::ssize(flat.rows);
    flat.rows.push_back({instance, "equation", row.size});
    equations_->rows().push_back(std::move(row));
  }
  if (all && description_.unread.empty() && diagnostics.errorCount() == 0)
    checkSolvable(*equations_, table, diagnostics);
}

/// Expressions that only a picture reads become variables, with the input's name.
void Model::addPictureInputs(VariableTable& table, Diagnostics& diagnostics) {
  for (const auto& [name, input] : inputs_) {
    if (table.find(name)) continue;
    std::optional<SourceExpression> source = input.expression;
    const auto first = std::ranges::find_if(
        input.elements, [](const InputElement& e) { return e.expression.has_value(); });
    if (!source && first != input.elements.end()) {
      std::string list;
      for (const InputElement& e : input.elements) {
        list += list.empty() ? "{" : ", ";
        list += e.expression ? e.expression->text : fmt::format("{}", e.constant);
      }
      source = SourceExpression{list + "}", first->expression->at, first->expression->scope};
    }
    if (!source) continue;
    Diagnostics own;
    auto e = makeExpressionVariable(*source, table, *parameters_, description_, own);
    leaveOutUnsupported(own, "'" + name + "' is left out of pictures", diagnostics);
    if (!e) continue;
    if (e->expression().size() != input.size) {
      diagnostics.error(
          input.at, fmt::format("'{}' must have {} element{}, its expression has {}", name,
                                input.size, input.size == 1 ? "" : "s", e->expression().size()));
      continue;
    }
    VariableInfo info{name, "", "input of a component", Level::Force};
    ExpressionVariable* const expression = e.get();
    std::vector<int> dimensions;
    if (input.size > 1) dimensions = {input.size};
    pictureInputs_[name] = table.add(name, std::move(info), std::move(dimensions), std::move(e),
                                     VariableTable::kParameter, expression);
  }
}

std::optional<Model::PictureInput> Model::pictureInput(const std::string& name) const {
  const auto input = inputs_.find(name);
  if (input == inputs_.end()) return std::nullopt;
  if (const auto v = pictureInputs_.find(name); v != pictureInputs_.end())
    return PictureInput{{}, v->second};
  PictureInput result;
  for (const InputElement& e : input->second.elements) result.numbers.push_back(e.constant);
  return result;
}

/// What one side of an initial equation is alone begins at the value of the other; nothing: it is not held.
std::optional<HeldStart> Model::heldStart(InitialEquationOfFile& e, bool leftIsHeld) const {
  HeldStart start{&e, e.left.get(), e.right.get(), {}, false};
  if (!leftIsHeld) std::swap(start.held, start.value);
  for (const int slot : start.held->expression().slotsAsTheyAre()) {
    if (slot < 0) return std::nullopt;
    const ExpressionVariable::Source& source = start.held->sources()[start.held->sourceOf(slot)];
    start.places.push_back(whens_->held.placesOf(source.variable, start.held->elementOf(slot)));
    if (source.derivative > 0 || start.places.back().empty()) return std::nullopt;
    const auto described = [&](const VariableDescription& v) {
      const std::string& name = assembly_->variables[source.variable].name;
      return v.type == "Integer" && (name == v.name || name == "pre(" + v.name + ")");
    };
    start.isInteger = start.isInteger || std::ranges::any_of(description_.variables, described);
  }
  return start;
}

/// "pre(on) = x > 3", "n = 3": where what changes at events alone begins. Of two of them that are equal one may
/// be said by another equation.
void Model::findHeldStarts(Diagnostics& diagnostics) {
  std::set<int> said;
  const auto isOpen = [&](const std::optional<HeldStart>& s) {
    return s && std::ranges::all_of(s->places, [&](const std::vector<int>& places) {
             return !said.contains(places.front());
           });
  };
  for (const bool isEither : {false, true}) {
    for (const auto& e : initialEquations_) {
      std::optional<HeldStart> left = heldStart(*e, true), right = heldStart(*e, false);
      if (e->isDone || (left && right) != isEither) continue;
      if (isOpen(left)) {
        begin(std::move(*left), said, diagnostics);
      } else if (isOpen(right)) {
        begin(std::move(*right), said, diagnostics);
      }
    }
  }
}

void Model::begin(HeldStart start, std::set<int>& said, Diagnostics& diagnostics) {
  const BoundExpression &held = start.held->expression(), &value = start.value->expression();
  if (held.isBoolean() != value.isBoolean()) {
    diagnostics.error(start.equation->at,
                      fmt::format("'{}' is {}, found {}", start.held->text(),
                                  held.isBoolean() ? "a Boolean" : "a number",
                                  value.isBoolean() ? "a Boolean" : "a number"));
    return;
  }
  start.equation->isDone = std::ranges::all_of(
      start.held->sources(),
      [&](const ExpressionVariable::Source& s) { return whens_->held.isFree(s.variable); });
  for (size_t i = 0; i < start.places.size(); ++i) {
    said.insert(start.places[i].begin(), start.places[i].end());
    for (const int place : start.places[i]) {
      if (value.isConstant()) whens_->held.beginAt(place, value.constant().elements()[i]);
    }
  }
  heldStarts_.push_back(std::move(start));
}

void Model::bindInitialEquations(Diagnostics& diagnostics) {
  for (const SourceEquation& e : description_.initialEquations) {
    const std::optional<Equation> equation = e.readTree(diagnostics);
    if (!equation) continue;
    auto row = std::make_unique<InitialEquationOfFile>();
    row->text = e.text;
    row->at = e.at;
    row->left = makeExpressionVariable(equation->left, e.scope, assembly_->variables, *parameters_,
                                       description_, diagnostics);
    row->right = makeExpressionVariable(equation->right, e.scope, assembly_->variables,
                                        *parameters_, description_, diagnostics);
    if (!row->left || !row->right) continue;
    if (row->size() != row->right->expression().size() || row->size() > 16) {
      diagnostics.error(e.at,
                        "both sides of an initial equation must have the same size, at most 16");
      continue;
    }
    const HeldValues& held = whens_->held;
    row->isDiscrete = held.isDiscrete(*row->left) && held.isDiscrete(*row->right);
    initialEquations_.push_back(std::move(row));
  }
  findHeldStarts(diagnostics);
  for (const auto& row : initialEquations_) {
    for (const ExpressionVariable* side : {row->left.get(), row->right.get()}) {
      const auto open = side->derivativeBeyond(Level::Velocity);
      if (!open) continue;
      diagnostics.error(row->at, "the derivative of '" + assembly_->variables[open->variable].name +
                                     "' is not available in an initial equation: it depends on "
                                     "accelerations or forces, or contains a derivative itself");
    }
  }
}

void Model::checkOutputs(Diagnostics& diagnostics) const {
  if (!assembly_) return;
  const VariableTable& table = assembly_->variables;
  for (const OutputPattern& p : description_.outputs) {
    if (p.pattern.find_first_of("*?!") != std::string::npos || description_.isUnread(p.pattern))
      continue;
    if (table.elements(description_.withoutAliases(p.pattern)).empty()) {
      diagnostics.error(p.at, "no variable '" + p.pattern + "'" +
                                  diagnostics.suggestion(p.pattern, [&] { return table.names(); }));
    }
  }
}

const std::string* Model::nameInModel(const std::string& freeParameter) const {
  for (const VariableDescription& v : description_.variables) {
    if (v.isParameter && v.expression && v.expression->text == freeParameter) return &v.name;
  }
  return nullptr;
}

std::vector<std::pair<std::string, ExpressionValue>> Model::ownParameters() const {
  std::vector<std::pair<std::string, ExpressionValue>> result;
  for (size_t i = 0; i < description_.parameters.size(); ++i) {
    const ParameterTable::Result r = parameters_->parameter(i);
    if (r.isKnown()) result.emplace_back(description_.parameters[i].name, r.value);
  }
  return result;
}

std::vector<std::pair<std::string, double>> Model::foundParameters() const {
  std::vector<std::pair<std::string, double>> result;
  for (const FreeParameterOfComponent& p : freeParameters_) {
    if (const std::string* name = nameInModel(p.parameter.name)) {
      result.emplace_back(*name, *p.parameter.target);
    }
    result.emplace_back(p.parameter.name, *p.parameter.target);
  }
  return result;
}

}  // namespace cardan
