#include "engine/results/recorder.h"

#include <algorithm>
#include <limits>

#include "engine/equations/model.h"
#include "engine/integration/undecided.h"
#include "engine/results/output_selection.h"
#include "engine/text/meanwhile.h"

namespace cardan {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Variables that are needed for these, these among them, and the highest level of what they
/// differentiate.
void collect(const VariableTable& table, const std::vector<int>& variables, std::set<int>& out,
             std::optional<Level>& derivative) {
  forEachRead(table, variables, [&](int next) {
    out.insert(next);
    const ExpressionVariable* e = table[next].expression;
    for (size_t i = 0; e && i < e->sources().size(); ++i) {
      const ExpressionVariable::Source& s = e->sources()[i];
      if (s.derivative == 0) continue;
      const VariableTable::Variable& of = table[s.variable];
      const Level level = of.expression ? of.expression->level() : of.info.level;
      derivative = std::max(derivative.value_or(level), level);
    }
  });
}

}  // namespace

Recorder::Recorder(const Model& model, Equations& equations,
                   const std::vector<OutputPattern>& patterns, Diagnostics& diagnostics,
                   RowWatch* watch)
    : model_(model), equations_(equations), watch_(watch), w_(equations_.makeWorkspace<double>()) {
  const VariableTable& table = model.assembly().variables;
  for (const NamedElement& e : selectOutputs(model, patterns, diagnostics)) add(e.name, e.of);
  // What the columns need.
  std::set<int> needed;
  std::optional<Level> differentiated;
  if (watch_) {
    complete_ = watch_->level() >= Level::Acceleration;
    for (const int v : watch_->variables()) bufferOf(v);
  }
  collect(table, variables_, needed, differentiated);
  bool remembers = false;
  for (int v : needed) {
    const VariableInfo& info = table[v].info;
    remembers = remembers || info.remembers;
    if (info.level >= Level::Acceleration && !table[v].expression) complete_ = true;
    if (!info.reads.empty()) complete_ = true;
  }
  model.forEachExpression([&](const ExpressionVariable& e) {
    for (const auto& s : e.sources()) remembers = remembers || table[s.variable].info.remembers;
  });
  if (remembers || !equations_.layout().cutJoints.empty())
    continuation_ = std::make_unique<Continuation>(equations_, remembers ? &table : nullptr);
  for (int v : needed) {
    const ExpressionVariable* e = table[v].expression;
    if (!e) continue;
    for (const ExpressionVariable::Source& s : e->sources()) {
      if (s.derivative == 0 || s.rate.index >= 0) continue;
      const ExpressionVariable* of = table[s.variable].expression;
      const bool takes = of && of->takesDerivatives();
      nested_ = nested_ || takes || s.derivative > 1;
      if (s.derivative == 1 && !(takes && of->derivativeBeyond(Level::Velocity))) continue;
      const Level level = of ? of->level() : table[s.variable].info.level;
      if (s.derivative > 1 && !takes && level <= Level::Velocity) continue;
      diagnostics.error(e->at(), "the derivative of '" + table[s.variable].name +
                                     "' is not available, as it contains derivatives of its own of "
                                     "accelerations, forces or derivatives: use a chain of "
                                     "Blocks.Der");
    }
  }
  flow_ = differentiated.has_value();
  byDifferences_ =
      flow_ && (nested_ || *differentiated >= Level::Acceleration || equations_.layout().nx > 0);
  carried_ = equations_.positionsWithoutInertia();
  if (flow_ || !carried_.empty()) complete_ = true;
  if (flow_) dual_ = std::make_unique<Workspace<Dual>>(equations_.makeWorkspace<Dual>());
  for (auto& d : dualOfMoments_) {
    if (nested_) d = std::make_unique<Workspace<Dual>>(equations_.makeWorkspace<Dual>());
  }
  if (const SignalGraph& signals = *model.assembly().signals; signals.resultOrder() > 0) {
    // Level::Acceleration of the outputs that read them has asked for completion.
    if (complete_) rates_ = std::make_unique<ResultRates>(equations_, signals);
  }
  chooseFrames(needed);
}

/// Motion alone is found of the frames that are read; forces need all.
void Recorder::chooseFrames(const std::set<int>& needed) {
  if (watch_ || flow_ || rates_ || equations_.signals().readsLoads()) return;
  const VariableTable& table = model_.assembly().variables;
  std::vector<bool> reads(equations_.flatModel().instances.size(), false);
  for (const int v : needed) {
    const VariableTable::Variable& of = table[v];
    if (of.expression || of.info.level <= Level::Time) continue;
    // Instance 0 is the world: its variables may be sums over all bodies.
    if (of.info.level >= Level::Force || of.instance <= 0) return;
    reads[of.instance] = true;
  }
  unknownsAlone_ = equations_.layout().cutJoints.empty() && std::ranges::all_of(needed, [&](int v) {
                     const VariableTable::Variable& of = table[v];
                     return of.expression || of.isUnknown || of.info.level == Level::Constant;
                   });
  if (!unknownsAlone_) motion_.emplace(equations_, std::move(reads));
}

void Recorder::add(const std::string& name, VariableElement e) {
  const VariableTable::Variable& v = model_.assembly().variables[e.variable];
  columns_.push_back({name, v.info.unit, v.info.description, v.info.isBoolean});
  items_.push_back({e.variable, e.element, bufferOf(e.variable)});
}

/// Where the variable's elements are among the values, from now on if not yet.
int Recorder::bufferOf(int variable) {
  const auto [place, first] = placeOfVariable_.insert({variable, variables_.size()});
  if (first) {
    variables_.push_back(variable);
    buffers_.push_back(std::ssize(values_));
    values_.resize(values_.size() + model_.assembly().variables[variable].size);
  }
  return buffers_[place->second];
}

/// The motion a moment before and after, in the modes of now.
void Recorder::findMoments(double t, const std::vector<double>& y, const std::vector<double>& yp,
                           Completion& completion) {
  if (moments_.distance > 0) return;
  const double h = equations_.state.scales.moment(t);
  for (int side : {0, 1}) {
    findMoment(side == 0 ? -h : h, t, y, yp, equations_.layout(), completion, moments_.y[side],
               moments_.yp[side]);
  }
  moments_.distance = 2 * h;
}

/// Velocities of positions without inertia into w_.
void Recorder::findVelocities(double t, const std::vector<double>& y, const std::vector<double>& yp,
                              Completion& completion, bool consistent) {
  if (carried_.empty()) return;
  if (consistent) {
    std::vector<double> there = y, rates = yp;
    completion.complete(t, there, rates);
  }
  const std::vector<int> open = completion.openRates();
  for (int i : carried_) {
    if (std::ranges::find(open, i) == open.end()) continue;
    findMoments(t, y, yp, completion);
    w_.yp[i] = moments_.rate(i);
  }
}

/// A whole instant once more with time derivatives in lane 0: of unknown i, and of its rate.
template <class F, class G>
void Recorder::evaluateFlow(Workspace<Dual>& d, double t, const std::vector<double>& y,
                            const std::vector<double>& yp, F rate, G rateOfRate) {
  const Layout& l = equations_.layout();
  for (int i = 0; i < std::ssize(y); ++i) {
    const bool isState = i < l.lambdaOffset() && l.unknowns[i].differential;
    d.y[i] = Dual(y[i]);
    d.yp[i] = Dual(yp[i]);
    d.y[i].setLane(0, isState ? yp[i] : rate(i));
    d.yp[i].setLane(0, rateOfRate(i));
  }
  d.tables.time = Dual::seed(t, 0);
  equations_.evaluate(d, {.kinematicRows = false, .connectorLoads = true, .measure = true});
}

/// The flow of the row: rates of states are known, others are differences.
void Recorder::prepareFlow(double t, const std::vector<double>& y, const std::vector<double>& yp,
                           Completion& completion) {
  if (byDifferences_) findMoments(t, y, yp, completion);
  evaluateFlow(
      *dual_, t, y, w_.yp, [&](int i) { return byDifferences_ ? moments_.rate(i) : kUnknown; },
      [&](int i) { return byDifferences_ ? moments_.secondRate(i) : kUnknown; });
}

/// The flows of the moments beside t, for derivatives of what takes derivatives itself. There only
/// the rates of states are known, and of positions without inertia.
void Recorder::prepareMomentFlows(double t) {
  for (int side : {0, 1}) {
    const std::vector<double>& yp = moments_.yp[side];
    evaluateFlow(
        *dualOfMoments_[side], t + (side == 0 ? -1 : 1) * moments_.distance / 2, moments_.y[side],
        yp,
        [&](int i) { return std::ranges::find(carried_, i) != carried_.end() ? yp[i] : kUnknown; },
        [](int) { return kUnknown; });
  }
}

/// Shows the watch what it wants to see of the row.
void Recorder::look(double t, const View<double>& view) {
  const VariableTable& table = model_.assembly().variables;
  watched_.clear();
  for (const int v : watch_->variables()) {
    const double* first = values_.data() + bufferOf(v);
    watched_.insert(watched_.end(), first, first + table[v].size);
  }
  watch_->look(t, view, watched_);
}

void Recorder::record(double t, std::vector<double>& y, std::vector<double>& yp,
                      Completion& completion, double* row, bool consistent) {
  if (continuation_) continuation_->recall(t);
  if (!consistent) completion.project(t, y, Completion::Care::row);
  if (complete_) {
    if (!consistent) completion.complete(t, y, yp);
    completion.shareReactions(t, y, yp);
  }
  std::copy(y.begin(), y.end(), w_.y.begin());
  std::copy(yp.begin(), yp.end(), w_.yp.begin());
  w_.tables.time = t;
  moments_.distance = 0;
  findVelocities(t, y, yp, completion, consistent);
  if (unknownsAlone_) {
    equations_.evaluate(w_, {.motion = false});
  } else if (motion_) {
    motion_->evaluate(w_);
  } else {
    equations_.evaluate(w_, {.kinematicRows = false, .connectorLoads = complete_, .measure = true});
  }
  std::optional<View<Dual>> flow, before, after;
  if (flow_) {
    prepareFlow(t, y, yp, completion);
    flow.emplace(dual_->tables);
  }
  if (nested_) {
    // They hang on the flow, one on the other: ExpressionVariable finds second derivatives with them.
    prepareMomentFlows(t);
    dual_->tables.flow = &after.emplace(dualOfMoments_[1]->tables);
    dualOfMoments_[1]->tables.flow = &before.emplace(dualOfMoments_[0]->tables);
  }
  if (rates_) rates_->fill(t, y, yp, completion, w_);
  w_.tables.flow = flow ? &*flow : nullptr;
  const View<double> view(w_.tables);
  const VariableTable& table = model_.assembly().variables;
  const std::uint64_t pass = w_.expressions.newPass();
  const Meanwhile meant(w_.expressions.reading, Reading::meant);  // rows are, too
  for (size_t i = 0; i < variables_.size(); ++i) {
    const VariableTable::Variable& v = table[variables_[i]];
    double* out = values_.data() + buffers_[i];
    if (v.expression) {
      v.expression->evaluateIn(pass, view, out);
      throwIfUndecided(*v.expression, pass, view);
    } else {
      v.function->evaluate(view, out);
    }
  }
  for (size_t c = 0; c < items_.size(); ++c) {
    row[c] = values_[items_[c].buffer + items_[c].element];
  }
  if (watch_) look(t, view);
  w_.tables.flow = nullptr;
  if (nested_) dual_->tables.flow = dualOfMoments_[1]->tables.flow = nullptr;
  if (continuation_) continuation_->recallNewest();
}

}  // namespace cardan
