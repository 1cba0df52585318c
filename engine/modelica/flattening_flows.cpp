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

/// True where the expression names `head.tail`.
bool names(const Expression& e, std::string_view head, std::string_view tail) {
  return anyIn(e, [&](const Expression& one) {
    return one.kind == ExpressionKind::name && one.name.size() == 2 && one.name[0].name == head &&
           one.name[1].name == tail;
  });
}

bool names(const Equation& e, std::string_view head, std::string_view tail) {
  for (const auto* side : {&e.left, &e.right}) {
    if (*side && names(**side, head, tail)) return true;
  }
  return std::ranges::any_of(e.branches, [&](const Equation::Branch& b) {
    return (b.condition && names(*b.condition, head, tail)) ||
           std::ranges::any_of(b.equations,
                               [&](const Equation& inside) { return names(inside, head, tail); });
  });
}

}  // namespace

bool Flattening::readsFlow(const Instance& instance, const Component& connector,
                           const FlowSource& source) const {
  const auto reads = [&](const auto& where) {
    return std::ranges::any_of(source.flows, [&](const FlowSource::Flow& f) {
      return names(where, connector.name, f.name);
    });
  };
  for (const Scope& text : instance.definitions) {
    if (std::ranges::any_of(text.lexical->equations, [&](const Equation& e) { return reads(e); }))
      return true;
  }
  return std::ranges::any_of(instance.components, [&](const auto& c) {
    return c->value() && c->value()->scope.instance == &instance && reads(*c->value()->expression);
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
  const auto isOpen = [&](const Component& c) {
    return !c.isRemoved && !c.inner && c.sizes.empty() && flowSourceOf(c) &&
           connections_.connectedInside(c.path).empty();
  };
  const auto visit = [&](const auto& self, const Instance& instance) -> void {
    std::vector<const Component*> open;
    for (const auto& c : instance.components) {
      if (c->isRemoved || c->inner) continue;
      for (const auto& element : c->elements) {
        if (element->instance) self(self, *element->instance);
      }
      if (c->instance) self(self, *c->instance);
      if (instance.component && isOpen(*c)) open.push_back(c.get());
    }
    if (open.empty()) return;
    const std::set<const Component*> tied = findRelations(instance, open);
    for (const Component* c : open) {
      const FlowSource& source = *flowSourceOf(*c);
      if (!tied.contains(c) && !readsFlow(instance, *c, source)) continue;
      if (folding_.isFolded(instance)) notFoldable_.insert(&instance);
      driven_.push_back({c, &source, c->path + "_flow", nullptr, nullptr, ""});
      translation_.addDriven(c->path);
      const std::string end = driven_.back().end();
      connections_.addEnd(end, false);
      connections_.connect(c->path, end, c->parent->path, c->mark());
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
