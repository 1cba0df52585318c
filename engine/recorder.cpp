#include "engine/recorder.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/output_selection.h"

namespace cardan {
namespace {

/// Variables that are needed for variable v, v among them.
void collect(const VariableTable& table, int v, std::set<int>& out, bool& derivative) {
  if (!out.insert(v).second) return;
  if (const auto* e = dynamic_cast<const ExpressionVariable*>(table[v].function.get())) {
    for (const auto& s : e->sources()) {
      derivative = derivative || s.derivative;
      collect(table, s.variable, out, derivative);
    }
  }
}

}  // namespace

Recorder::Recorder(Model& model, const std::vector<OutputPattern>& patterns,
                   Diagnostics& diagnostics)
    : model_(model),
      equations_(*model.assembly().equations),
      w_(equations_.makeWorkspace<double>()) {
  const VariableTable& table = model.assembly().variables;
  for (const NamedElement& e : selectOutputs(model, patterns, diagnostics)) add(e.name, e.of);
  // What the columns need.
  std::set<int> needed;
  for (const Item& i : items_) collect(table, i.variable, needed, flow_);
  for (int v : needed) {
    const VariableInfo& info = table[v].info;
    const bool isExpression =
        dynamic_cast<const ExpressionVariable*>(table[v].function.get()) != nullptr;
    if (info.level >= Level::Acceleration && !isExpression) complete_ = true;
    if (!info.reads.empty()) complete_ = true;
  }
  if (flow_) complete_ = true;
  if (flow_) dual_ = std::make_unique<Workspace<Dual>>(equations_.makeWorkspace<Dual>());
  if (const SignalProgram& signals = *model.assembly().signals; signals.resultOrder() > 0) {
    // Level::Acceleration of the outputs that read them has asked for completion.
    if (complete_) rates_ = std::make_unique<ResultRates>(equations_, signals);
  }
}

void Recorder::add(const std::string& name, VariableElement e) {
  const VariableTable::Variable& v = model_.assembly().variables[e.variable];
  columns_.push_back({name, v.info.unit, v.info.description, v.info.isBoolean});
  const auto [known, first] = placeOfVariable_.insert({e.variable, variables_.size()});
  if (first) {
    variables_.push_back(e.variable);
    buffers_.push_back(static_cast<int>(values_.size()));
    values_.resize(values_.size() + static_cast<size_t>(v.size));
    items_.push_back({e.variable, e.element, buffers_.back()});
  } else {
    items_.push_back({e.variable, e.element, buffers_[known->second]});
  }
}

/// The whole instant once more with time derivatives in lane 0.
void Recorder::prepareFlow(double t, const std::vector<double>& y, const std::vector<double>& yp) {
  Workspace<Dual>& d = *dual_;
  for (size_t i = 0; i < y.size(); ++i) {
    d.y[i] = Dual(y[i]);
    d.y[i].setLane(0, yp[i]);
    d.yp[i] = Dual(yp[i]);
  }
  std::copy(w_.measured.begin(), w_.measured.end(), d.measured.begin());
  d.tables.time = Dual::seed(t, 0);
  equations_.evaluate(d, {.kinematicRows = false, .connectorLoads = true, .measure = true});
}

void Recorder::follow(double t, std::span<const double> y, std::span<const double> yp) {
  if (w_.measured.empty()) return;
  std::copy(y.begin(), y.end(), w_.y.begin());
  std::copy(yp.begin(), yp.end(), w_.yp.begin());
  w_.tables.time = t;
  equations_.evaluate(w_, {.kinematicRows = false, .measure = true});
}

void Recorder::record(double t, std::vector<double>& y, std::vector<double>& yp,
                      Completion& completion, double* row) {
  completion.project(t, y);
  if (complete_) {
    completion.complete(t, y, yp);
    completion.shareReactions(t, y, yp);
  }
  std::copy(y.begin(), y.end(), w_.y.begin());
  std::copy(yp.begin(), yp.end(), w_.yp.begin());
  w_.tables.time = t;
  equations_.evaluate(w_, {.kinematicRows = false, .connectorLoads = complete_, .measure = true});
  std::unique_ptr<View<Dual>> flow;
  if (flow_) {
    prepareFlow(t, y, yp);
    flow = std::make_unique<View<Dual>>(dual_->tables);
  }
  if (rates_) rates_->fill(t, y, yp, completion, w_);
  w_.tables.flow = flow.get();
  w_.tables.connectorLoads = w_.connectorLoads.data();
  w_.tables.connectorFlows = w_.connectorFlows.data();
  const View<double> view(w_.tables);
  const VariableTable& table = model_.assembly().variables;
  for (size_t i = 0; i < variables_.size(); ++i) {
    table[variables_[i]].function->evaluate(view, values_.data() + buffers_[i]);
  }
  for (size_t c = 0; c < items_.size(); ++c) {
    row[c] = values_[static_cast<size_t>(items_[c].buffer + items_[c].element)];
  }
  w_.tables.flow = nullptr;
}

std::pair<int, double> Recorder::brokenRedundancy() const {
  constexpr double kOpen = 1e-6;  // [m, rad, m/s]: far above what the projection leaves
  const Layout& l = equations_.layout();
  for (int i = 0; i < l.nlambda; ++i) {
    const size_t k = static_cast<size_t>(i);
    if (!equations_.redundant[k]) continue;
    const double residue = l.muOfLambda[k] >= 0 ? w_.positionResidues[k] : w_.velocityResidues[k];
    if (std::abs(residue) > kOpen) return {i, residue};
  }
  return {-1, 0};
}

}  // namespace cardan
