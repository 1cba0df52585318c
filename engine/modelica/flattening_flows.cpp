// Connectors of composites whose flow is a matter of equations: a source takes their place, which gives
// what the equations find.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/modelica/flattening.h"

namespace cardan::modelica {
/// A component of the catalogue that gives a flow into what it is connected with.
struct FlowSource {
  struct Flow {
    const char* name;   ///< in the connector
    const char* input;  ///< of the component; "" for none
    int size;           ///< 0: a scalar
  };
  std::string_view connector;  ///< physicalConnector()
  const char* type;
  const char* end;
  std::array<Flow, 2> flows;
  std::vector<std::pair<const char*, const char*>> settings;
};

namespace {

const std::vector<FlowSource>& flowSources() {
  static const std::vector<FlowSource> all = {
      {"rotational flange", "Rotational.Torque", "flange", {{{"tau", "tau", 0}, {"", "", 0}}}, {}},
      {"translational flange", "Translational.Force", "flange", {{{"f", "f", 0}, {"", "", 0}}}, {}},
      {"heat port",
       "Thermal.PrescribedHeatFlow",
       "port",
       {{{"Q_flow", "Q_flow", 0}, {"", "", 0}}},
       {}},
      {"frame",
       "WorldForceAndTorque",
       "frame_b",
       {{{"f", "force", 3}, {"t", "torque", 3}}},
       {{"animation", "false"}, {"resolveInFrame", "frame_b"}}},
  };
  return all;
}

/// True where the expression names `head.tail`.
bool names(const Expression& e, std::string_view head, std::string_view tail) {
  const bool isIt = e.kind == ExpressionKind::name && e.name.size() == 2 &&
                    e.name[0].name == head && e.name[1].name == tail;
  return isIt || std::ranges::any_of(e.arguments,
                                     [&](const Expression& a) { return names(a, head, tail); });
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
      return *f.name && names(where, connector.name, f.name);
    });
  };
  for (const ClassDefinition* c : instance.definitions) {
    if (std::ranges::any_of(c->equations, [&](const Equation& e) { return reads(e); })) return true;
  }
  return std::ranges::any_of(instance.components, [&](const auto& c) {
    return c->value() && c->value()->scope.instance == &instance && reads(*c->value()->expression);
  });
}

void Flattening::findDrivenConnectors() {
  const auto visit = [&](const auto& self, const Instance& instance) -> void {
    for (const auto& c : instance.components) {
      if (c->isRemoved || c->inner) continue;
      for (const auto& element : c->elements) {
        if (element->instance) self(self, *element->instance);
      }
      if (c->instance) self(self, *c->instance);
      if (c->type.kind != TypeKind::physical || !c->sizes.empty() || !instance.component) continue;
      const std::string_view kind = physicalConnector(c->type.fullName);
      const auto source = std::ranges::find(flowSources(), kind, &FlowSource::connector);
      if (source == flowSources().end() || !connections_.connectedInside(c->path).empty() ||
          !readsFlow(instance, *c, *source))
        continue;
      if (folding_.isFolded(instance)) notFoldable_.insert(&instance);
      driven_.push_back({c.get(), &*source, c->path + "_flow"});
      translation_.addDriven(c->path);
      const std::string end = driven_.back().name + "." + source->end;
      connections_.addEnd(end, false);
      connections_.connect(c->path, end, c->mark());
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
        const std::string connector = Folding::nameIn(translation_.body(), c.path);
        ImportedModel::Part part{
            Folding::nameIn(translation_.body(), d.name), d.source->type, emptyMap(at), "", at, at};
        for (const auto& [key, word] : d.source->settings)
          addEntry(part.arguments, key, textNode(word, at), at);
        for (const FlowSource::Flow& f : d.source->flows) {
          if (!*f.name) continue;
          const std::string flow = connector + "." + f.name;
          addEntry(part.arguments, f.input, expressionNode("-" + flow, at), at);
          YamlNode unknown = emptyMap(at);
          if (f.size > 0) {
            YamlNode sizes = emptyMap(at);
            sizes.kind = YamlNode::Kind::sequence;
            sizes.items.push_back(textNode(std::to_string(f.size), at));
            addEntry(unknown, "size", std::move(sizes), at);
          }
          out_->variables.push_back({flow, std::move(unknown), c.element->comment, at});
        }
        out_->components.push_back(std::move(part));
      });
    });
  }
}

}  // namespace cardan::modelica
