// Connectors of composites whose flow is a matter of equations: a source takes their place, which gives
// what the equations find.
#include <algorithm>
#include <utility>
#include <vector>

#include "engine/modelica/flattening.h"
#include "engine/modelica/flow_source.h"

namespace cardan::modelica {
namespace {

const std::vector<FlowSource>& flowSources() {
  static const std::vector<FlowSource> all = {
      {"rotational flange", "Rotational.Torque", "flange", "phi", {{"tau", "tau", 0}}},
      {"translational flange", "Translational.Force", "flange", "s", {{"f", "f", 0}}},
      {"heat port", "Thermal.PrescribedHeatFlow", "port", "T", {{"Q_flow", "Q_flow", 0}}},
      {"pin", "Analog.SignalCurrent", "n", "v", {{"i", "i", 0}}, {}, "p"},
      {"frame",
       "WorldForceAndTorque",
       "frame_b",
       "",
       {{"f", "force", 3}, {"t", "torque", 3}},
       {{"animation", "false"}, {"resolveInFrame", "frame_b"}}},
  };
  return all;
}

}  // namespace

const Instance& Flattening::ownerOf(const Component& connector) {
  const Instance* i = connector.parent;
  while (i->component && i->component->type.kind == TypeKind::bus) i = i->parent;
  return *i;
}

std::string Flattening::besides(const Component& connector, const char* word) {
  std::string name = ownerOf(connector).path;
  for (const char c : connector.path.substr(name.size())) {
    if (c != ']') name += c == '[' || c == ',' ? '_' : c;
  }
  return name + word;
}

/// What a name stands for; by indices that are not known here, all elements.
std::vector<Target> Flattening::targetsOf(const Expression& name, const Scope& scope) {
  std::vector<Target> all;
  const auto add = [&](const Expression& of) {
    const auto parts = evaluation_.spread(of, scope);
    forAll(parts ? *parts : of, [&](const Expression& one) {
      if (one.kind == ExpressionKind::name) all.push_back(evaluation_.resolve(one, scope));
    });
  };
  try {
    add(name);
  } catch (const Refusal&) {
    all.clear();
    Expression whole = name;
    for (NamePart& p : whole.name) p.subscripts.clear();
    add(whole);
  }
  return all;
}

/// Flows of connectors that the equations around them name.
void Flattening::findFlowsRead() {
  const auto read = [&](const Expression& e, const Scope& scope) {
    forNames(e, [&](const Expression& name, bool) {
      if (name.name.size() < 2) return;
      try {
        for (const Target& t : targetsOf(name, scope)) {
          if (t.component && t.component->type.kind == TypeKind::physical &&
              &ownerOf(*t.component) == scope.instance)
            flowsRead_.emplace(t.component, t.tail.substr(0, t.tail.find('[')));
        }
      } catch (const Refusal&) {
        return;  // said where it is written
      }
    });
  };
  forEvery(equations_, false, [&](const FlatEquation& e, bool) {
    for (const auto* side : {&e.equation->left, &e.equation->right}) {
      if (*side) read(**side, e.scope);
    }
    for (const FlatEquation::Branch& b : e.branches) {
      if (b.condition) read(*b.condition, e.scope);
    }
    for (const FlatEquation::Branch& b : e.inWhen) {
      if (b.condition) read(*b.condition, e.scope);
    }
  });
  const auto visit = [&](const auto& self, const Instance& instance) -> void {
    forComponents(instance, [&](const Component& c) {
      if (c.instance) self(self, *c.instance);
      if (c.value() && !c.isParameter()) read(*c.value()->expression, c.value()->scope);
    });
  };
  visit(visit, folding_.model());
}

bool Flattening::readsFlow(const Component& connector, const FlowSource& source) const {
  return std::ranges::any_of(source.flows, [&](const FlowSource::Flow& f) {
    return flowsRead_.contains({&connector, f.name});
  });
}

std::string Flattening::Driven::end() const { return name + "." + source->end; }

std::string Flattening::potentialOf(const Driven& d) {
  return toString(*translation_.tree(*d.connector, d.source->potential));
}

const FlowSource* flowSourceOf(const Component& connector) {
  if (connector.type.kind != TypeKind::physical) return nullptr;
  const std::string_view kind = physicalConnector(connector.type.fullName);
  const auto source = std::ranges::find(flowSources(), kind, &FlowSource::connector);
  return source == flowSources().end() ? nullptr : &*source;
}

void Flattening::findDrivenConnectors() {
  findFlowsRead();
  const auto isOpen = [&](const Component& c, const Instance& owner) {
    if (!c.sizes.empty() || !flowSourceOf(c)) return false;
    // Alone, or with the connector that it is in.
    for (std::string path = c.path; path.size() > owner.path.size(); path.erase(path.rfind('.'))) {
      if (!connections_.connectedInside(path, owner.path).empty()) return false;
    }
    return true;
  };
  const auto visit = [&](const auto& self, const Instance& instance) -> void {
    std::vector<const Component*> open;
    const auto look = [&](const auto& inside, const Instance& in) -> void {
      forComponents(in, [&](const Component& c) {
        if (c.type.kind == TypeKind::bus) {
          if (c.instance) inside(inside, *c.instance);
        } else if (c.instance) {
          self(self, *c.instance);
        } else if (instance.component && isOpen(c, instance)) {
          open.push_back(&c);
        }
      });
    };
    look(look, instance);
    if (open.empty()) return;
    const std::set<const Component*> tied = findRelations(instance, open);
    for (const Component* c : open) {
      const FlowSource& source = *flowSourceOf(*c);
      if (!tied.contains(c) && !readsFlow(*c, source)) continue;
      if (folding_.isFolded(instance)) notFoldable_.insert(&instance);
      driven_.push_back({c, &source, besides(*c, "_flow"), nullptr, nullptr, ""});
      translation_.addDriven(c->path);
      const std::string end = driven_.back().end();
      connections_.addEnd(end, false);
      connections_.connect(c->path, end, instance.path, c->mark());
    }
  };
  visit(visit, folding_.model());
}

void Flattening::writeDrivenConnectors() {
  for (const Driven& d : driven_) {
    const Component& c = *d.connector;
    const SourceMark at = c.mark();
    inBody(folding_.bodyOf(*c.parent), [&] {
      guarded([&] {
        const std::string connector = translation_.nameHere(c.path);
        ImportedModel::Part part{
            translation_.nameHere(d.name), d.source->type, emptyMap(at), "", at, at};
        for (const auto& [key, word] : d.source->settings)
          addEntry(part.arguments, key, textNode(word, at), at);
        for (const FlowSource::Flow& f : d.source->flows) {
          const std::string flow = connector + "." + f.name;
          addEntry(part.arguments, f.input,
                   expressionNode(d.input ? d.input : negativeOf(nameNode(flow)), at), at);
          YamlNode unknown = emptyMap(at);
          if (f.size > 0) {
            addEntry(unknown, "size", listOf({textNode(std::to_string(f.size), at)}, at), at);
          }
          if (!d.total.empty()) out_->variables.push_back({d.total, emptyMap(at), "", at});
          if (d.balance) unknown = expressionNode(d.balance, at);
          out_->variables.push_back({flow, std::move(unknown), c.element->comment, at});
        }
        if (*d.source->otherEnd) ground(part.name + "." + d.source->otherEnd, part.name, at);
        out_->components.push_back(std::move(part));
      });
    });
  }
}

}  // namespace cardan::modelica
