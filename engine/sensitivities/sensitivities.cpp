#include "engine/sensitivities/sensitivities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/derivative_tools.h"
#include "engine/integration/rigid_surfaces.h"
#include "engine/model_parts.h"
#include "engine/results/output_selection.h"
#include "engine/results/run_settings.h"
#include "engine/sensitivities/parameter_value.h"
#include "engine/sensitivities/sensitivity_run.h"
#include "engine/sensitivities/varied_parameter.h"
#include "engine/simulation_parts.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr double kStep = 0x1p-17;       // of a parameter: its neighbours' distance
constexpr double kRoughStep = 0x1p-22;  // the same of one on one side
constexpr size_t kMostListed = 8;

/// A Boolean, or an Integer of the model's own.
bool onlyJumps(const Model& model, const VariableElement& e, const std::string& name) {
  if (model.assembly().variables[e.variable].info.isBoolean) return true;
  for (const WhenClauses::Clause& clause : model.whens().clauses) {
    for (const WhenClauses::Branch& b : clause) {
      for (const WhenClauses::Assignment& a : b.set) {
        if (a.isInteger && (a.name == name || name.starts_with(a.name + "["))) return true;
      }
    }
  }
  return false;
}

}  // namespace

Sensitivities::Sensitivities(Simulation& nominal, const Load& load,
                             const std::vector<std::string>& parameters,
                             const std::vector<std::string>& outputs, const Catalogue& catalogue,
                             const std::vector<double>& sizes, bool roughly)
    : nominal_(nominal) {
  Diagnostics diagnostics;
  refuseWhatIsNotFollowed(diagnostics);
  findOutputs(outputs, diagnostics);
  std::set<std::string> taken;
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (!taken.insert(parameters[k]).second) continue;
    addParameter(parameters[k], k < sizes.size() ? sizes[k] : 0, roughly, load, catalogue,
                 diagnostics);
  }
  diagnostics.throwIfErrors();
}

Sensitivities::~Sensitivities() = default;

/// A delay reads derivatives of the past, and an impulse has its own: neither is kept.
void Sensitivities::refuseWhatIsNotFollowed(Diagnostics& diagnostics) const {
  const FlatModel& b = nominal_.model().assembly().flatModel;
  for (const FlatModel::Past& past : b.pasts) {
    diagnostics.error(b.instances[past.instance].at,
                      b.typeAndName(past.instance) +
                          ": sensitivities are not followed through a "
                          "delay");
  }
  refuseOutside(nominal_, "sensitivities are not followed through it", diagnostics);
  for (const RigidSurface& surface : rigidSurfacesOf(*nominal_.parts().equations)) {
    const int instance = static_cast<int>(surface.instance);
    diagnostics.error(b.instances[instance].at,
                      b.typeAndName(instance) +
                          ": sensitivities are not followed through impacts "
                          "of rigid bodies; give the contact a stiffness");
  }
}

void Sensitivities::findOutputs(const std::vector<std::string>& outputs, Diagnostics& diagnostics) {
  const Model& model = nominal_.model();
  const SourceMark file{model.description().file, 0, 0};
  std::vector<OutputPattern> patterns;
  for (const std::string& p : outputs) patterns.push_back({p, file});
  std::vector<std::string> leftOut;
  for (const NamedElement& e : selectOutputs(
           model, outputs.empty() ? model.description().outputs : patterns, diagnostics)) {
    if (!onlyJumps(model, e.of, e.name)) {
      outputs_.push_back(e.name);
    } else if (std::ranges::find(outputs, e.name) != outputs.end()) {
      diagnostics.error(file, "output '" + e.name +
                                  "' only jumps (a Boolean or an Integer): it has no derivatives");
    } else {
      leftOut.push_back(e.name);
    }
  }
  if (!leftOut.empty()) {
    warnings_.push_back("left out, as they only jump: " + joinMost(leftOut, kMostListed));
  }
  if (outputs_.empty() && diagnostics.errorCount() == 0)
    diagnostics.error(file, "no output is left that has derivatives");
}

bool Sensitivities::sameStructure(const Model& other) const {
  const Layout& a = nominal_.model().assembly().layout;
  const Layout& b = other.assembly().layout;
  return a.size() == b.size() && a.nq == b.nq && a.nlambda == b.nlambda && a.nmu == b.nmu &&
         nominal_.model().relations() == other.relations() &&
         std::ranges::equal(a.unknowns, b.unknowns, {}, &Layout::Unknown::name,
                            &Layout::Unknown::name);
}

/// Loads the model's neighbours: one on each side, two on one where the other is out of range; roughly
/// one alone.
void Sensitivities::addParameter(const std::string& name, double least, bool roughly,
                                 const Load& load, const Catalogue& catalogue,
                                 Diagnostics& diagnostics) {
  const SourceMark file{nominal_.source().file, 0, 0};
  const ModelParameterValue found = parameterValue(nominal_, name, catalogue);
  if (!found.value) {
    diagnostics.error(file, found.wrong);
    return;
  }
  const double value = *found.value, typical = std::max(std::abs(value), least);
  const double size = typical > 0 ? typical : 1;
  const double step = value + (roughly ? kRoughStep : kStep) * size - value;
  std::string refusal;
  Parameter parameter{value, {}};
  const auto add = [&](double steps, double weight) {
    try {
      Simulation neighbour = load({fmt::format("{}={:.17g}", name, value + steps * step)});
      if (!sameStructure(neighbour.model())) {
        refusal = "it changes what the model is made of";
        return false;
      }
      if (neighbour.source().simulation.start != nominal_.source().simulation.start) {
        refusal = "it changes when the run starts, and sensitivities are not followed through that";
        return false;
      }
      parameter.neighbours.push_back({std::move(neighbour), steps * step, weight / step});
      return true;
    } catch (const ModelError& e) {
      refusal = e.diagnostics().all().empty() ? e.what() : e.diagnostics().all().front().text;
      return false;
    }
  };
  const double share = roughly ? 1 : 0.5;
  const bool above = add(1, share), below = !(roughly && above) && add(-1, -share);
  if (roughly) {
    parameter.ownWeight = (above ? -1 : 1) / step;
  } else if (above != below) {
    const double side = above ? 1 : -1;
    parameter.neighbours.front().weight = 2 * side / step;
    parameter.ownWeight = -1.5 * side / step;
    if (!add(2 * side, -0.5 * side)) parameter.neighbours.clear();
  }
  if (parameter.neighbours.size() < (roughly ? 1 : 2)) {
    diagnostics.error(file, fmt::format("parameter '{}' cannot be varied about its value {}: {}",
                                        name, formatNumber(value), refusal));
    return;
  }
  VariedParameter& varied = parameters_.emplace_back();
  varied.name = name;
  varied.unit = found.unit;
  varied.size = size;
  neighbours_.push_back(std::move(parameter));
}

RunReport Sensitivities::run(RowSink& sink, RunOptions options) {
  Diagnostics diagnostics;
  const RunSettings settings = RunSettings::of(nominal_.source().simulation, options, diagnostics);
  const SourceMark file{nominal_.source().file, 0, 0};
  if (settings.integrator == IntegratorChoice::stepping)
    diagnostics.error(settings.integratorAt,
                      "sensitivities need a method that finds events: 'stepping' does not; 'ida', "
                      "'explicit' and 'automatic' do");
  diagnostics.throwIfErrors();
  options.outputs = outputs_;
  std::vector<OutputPattern> patterns;
  for (const std::string& name : outputs_) patterns.push_back({name, file});
  const auto prepare = [&] {
    const Equations& run = *nominal_.parts().equations;
    auto self = std::make_unique<ModelVariant>(nominal_.model(), run, patterns, diagnostics);
    variants_.clear();
    for (size_t j = 0; j < parameters_.size(); ++j) {
      parameters_[j].points.clear();
      if (neighbours_[j].ownWeight != 0)
        parameters_[j].points.push_back({self.get(), 0, neighbours_[j].ownWeight});
      for (Neighbour& n : neighbours_[j].neighbours) {
        Simulation& s = n.simulation;
        s.parts().equations->state.inputs = run.state.inputs;
        s.initialise(settings.start);
        variants_.push_back(
            std::make_unique<ModelVariant>(s.model(), *s.parts().equations, patterns, diagnostics));
        variants_.back()->startY = s.y();
        variants_.back()->countAs(run.state, nominal_.y(), variants_.back()->startY);
        parameters_[j].points.push_back({variants_.back().get(), n.shift, n.weight});
      }
    }
    return self;
  };
  SensitivityRun companion(*nominal_.parts().equations, parameters_, sink, prepare);
  companion.setSpan(settings.start, settings.stop, settings.tolerance);
  options.companion = &companion;
  return nominal_.run(companion, options);
}

DerivativeTools derivativeTools(const Catalogue& catalogue) {
  return {[&](const Simulation& simulation, const std::string& name) {
            return parameterValue(simulation, name, catalogue);
          },
          [&](Simulation& nominal, const Sensitivities::Load& load,
              const std::vector<std::string>& parameters, const std::vector<double>& sizes,
              const std::vector<std::string>& outputs, RowSink* rows, const RunOptions& options) {
            Sensitivities s(nominal, load, parameters, outputs, catalogue, sizes);
            if (rows) s.run(*rows, options);
          }};
}

}  // namespace cardan
