// Composites as instances of submodels: what of them is named from outside, what they are given, and
// which of them are the same.
#include <algorithm>

#include "engine/modelica/array_parts.h"
#include "engine/modelica/flattening.h"

namespace cardan::modelica {
namespace {

/// True of values that mean the same inside and around a submodel: numbers, true and false, lists of
/// them.
bool isPlain(const YamlNode& n) {
  if (n.isSequence()) return std::ranges::all_of(n.items, isPlain);
  if (!n.isScalar()) return false;
  return n.text == "true" || n.text == "false" ||
         n.text.find_first_not_of("0123456789.-+eE") == std::string::npos;
}

}  // namespace

/// Connectors of folded composites that stand for one of a part.
void Flattening::findExports() {
  std::vector<const Instance*> inner;
  const auto visit = [&](const auto& self, const Instance& instance) -> void {
    forComponents(instance, [&](const Component& c) {
      if (c.instance) self(self, *c.instance);
    });
    if (folding_.isFolded(instance)) inner.push_back(&instance);
  };
  visit(visit, folding_.model());
  for (const Instance* instance : inner) {
    for (const auto& c : instance->components) {
      const bool isConnector = c->type.kind == TypeKind::physical || c->type.isSignal();
      if (!isConnector || c->isRemoved || c->inner || !c->sizes.empty()) continue;
      const std::string end = connections_.innerEnd(c->path);
      if (end.empty()) continue;
      const std::string target = nameOutside(end, *instance);
      exportedEnds_[c->path] = end;
      if (!exports_[instance].emplace(target, c->path).second) continue;
      bodies_[instance].connectors.push_back(
          {c->name, textNode(Folding::nameIn(*instance, target), c->mark()), c->element->comment,
           c->mark()});
    }
  }
}

/// The full name of a connector with which a body names it: by the connectors of submodels on the way.
std::string Flattening::nameOutside(const std::string& end, const Instance& body) const {
  std::string name = end;
  for (const Instance* i = &folding_.bodyOf(end); i != &body; i = &folding_.around(*i)) {
    const auto exports = exports_.find(i);
    if (exports == exports_.end()) continue;
    const auto exported = exports->second.find(name);
    if (exported != exports->second.end()) name = exported->second;
  }
  return name;
}

void Flattening::writeConnections() {
  const auto bodyOf = [&](const std::string& path) { return folding_.bodyOf(path).path; };
  const auto isExported = [&](const std::string& end) {
    const Instance& body = folding_.bodyOf(end);
    return folding_.isFolded(body) && nameOutside(end, folding_.around(body)) != end;
  };
  const auto endOf = [&](const std::string& connector) {
    const auto exported = exportedEnds_.find(connector);
    return exported == exportedEnds_.end() ? connector : exported->second;
  };
  const auto bind = [&](const std::string& input, const std::string& variable, const SourceMark&) {
    const size_t dot = input.rfind('.');
    if (dot != std::string::npos) inputs_[input.substr(0, dot)][input.substr(dot + 1)] = variable;
  };
  for (const Connections::Connection& one :
       connections_.write(diagnostics_, {bodyOf, isExported, endOf}, bind)) {
    const Instance& body = folding_.common(one.a, one.b);
    inBody(body, [&] {
      out_->connections.push_back({Folding::nameIn(body, nameOutside(one.a, body)),
                                   Folding::nameIn(body, nameOutside(one.b, body)), one.at});
    });
  }
}

void Flattening::writeFolded(const Component& c) {
  const Instance& instance = *c.instance;
  Folded folded{&instance, out_, out_->components.size(), {}};
  writeFoldedParameters(instance, folded);
  YamlNode arguments = emptyMap(c.mark());
  for (const FoldedParameter& p : folded.parameters) {
    if (!p.isOwn) addEntry(arguments, p.name, p.value, p.at);
  }
  out_->components.push_back({translation_.nameHere(c.path), "", std::move(arguments),
                              c.element->comment, c.mark(), c.typeScope.mark(c.element->type.at)});
  folded_.push_back(std::move(folded));
  inBody(instance, [&] { writeComponents(instance); });
}

void Flattening::writeFoldedParameters(const Instance& instance, Folded& folded) {
  for (const auto& c : instance.components) {
    if (c->isRemoved || !translation_.isWritten(*c)) continue;
    writtenParameters_.push_back(c.get());
    FoldedParameter p{
        c->name, {}, c->value()->scope.instance == &instance, {}, c->element->comment, c->mark()};
    guarded([&] {
      inBody(p.isOwn ? instance : folding_.around(instance), [&] { p.value = parameterValue(*c); });
      if (p.isOwn) {
        folded.parameters.push_back(std::move(p));
        return;
      }
      const auto& said = c->element->modification.value;
      try {
        if (!said) throw Refusal{};
        inBody(instance, [&] { p.declared = translation_.node(Binding{&*said, c->scope, {}}); });
      } catch (const Refusal&) {
        p.declared = translation_.node(evaluation_.valueOf(*c), c->mark());
      }
      folded.parameters.push_back(std::move(p));
    });
  }
}

/// "Link", or another name where that is taken.
std::string Flattening::nameOfGroup(const Instance& instance, std::set<std::string>& taken) const {
  const std::string& base = instance.definition->name;
  std::string name = base;
  for (int n = 2; lookup_.known().entry(name) || taken.contains(name); ++n)
    name = base + "_" + std::to_string(n);
  taken.insert(name);
  return name;
}

/// Folded composites with the same content are instances of one submodel; what is alone is not folded.
void Flattening::writeSubmodels() {
  if (folded_.empty() || !notFoldable_.empty()) return;
  std::map<std::pair<const ClassDefinition*, std::string>, Group> groups;
  std::set<std::string> taken;
  for (auto f = folded_.rbegin(); f != folded_.rend(); ++f) {  // the inner ones have their types
    ImportedSections& sections = bodies_[f->instance];
    if (sections.components.empty()) notFoldable_.insert(f->instance);  // equations alone
    std::string said = sections.text(0);
    for (const FoldedParameter& p : f->parameters) said += p.name + "\n";
    Group& group = groups[{f->instance->definition, said}];
    if (group.instances.empty()) {
      const ClassDefinition& c = *f->instance->definition;
      static_cast<ImportedSections&>(group.submodel) = sections;
      group.submodel.name = nameOfGroup(*f->instance, taken);
      group.submodel.description = c.comment.substr(0, c.comment.find('\n'));
      group.submodel.at = c.mark(c.at);
    }
    group.instances.insert(group.instances.begin(), &*f);
    f->around->components[f->index].type = group.submodel.name;
  }
  std::vector<Group*> ordered;
  for (auto& [key, group] : groups) {
    if (group.instances.size() == 1) notFoldable_.insert(group.instances[0]->instance);
    setDefaults(group);
    ordered.push_back(&group);
  }
  std::ranges::sort(ordered, {}, [](const Group* g) { return g->instances[0]; });
  for (Group* g : ordered) {
    // With what the instances in it are given, now that this is known.
    g->submodel.components = bodies_[g->instances[0]->instance].components;
    joinArrays(g->submodel);
    model_.submodels.push_back(std::move(g->submodel));
  }
}

void Flattening::setDefaults(Group& group) {
  std::vector<ImportedModel::Entry>& defaults = group.submodel.parameters;
  const size_t count = group.instances[0]->parameters.size();
  for (size_t k = 0; k < count; ++k) {
    const FoldedParameter* chosen = nullptr;
    for (const Folded* f : group.instances) {
      const FoldedParameter& p = f->parameters[k];
      if (p.isOwn && chosen && !saysTheSame(chosen->value, p.value))
        notFoldable_.insert(f->instance);  // the class is another one there
      if (p.isOwn && !chosen) chosen = &p;
    }
    const FoldedParameter& first = group.instances[0]->parameters[k];
    defaults.push_back(
        {first.name, chosen ? chosen->value : first.declared, first.comment, first.at});
  }
  for (const Folded* f : group.instances) trimArguments(*f, defaults);
}

/// An instance need not be given what its class says as well.
void Flattening::trimArguments(const Folded& folded,
                               const std::vector<ImportedModel::Entry>& defaults) {
  YamlNode& arguments = folded.around->components[folded.index].arguments;
  for (size_t k = 0; k < defaults.size(); ++k) {
    const FoldedParameter& p = folded.parameters[k];
    if (p.isOwn || !isPlain(p.value) || !saysTheSame(p.value, defaults[k].value)) continue;
    std::erase_if(arguments.entries, [&](const auto& e) { return e.key == p.name; });
  }
}

}  // namespace cardan::modelica
