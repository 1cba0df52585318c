#include "engine/equations/signal_graph.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "components/names.h"
#include "engine/equations/model_equations.h"
#include "engine/equations/model_names.h"
#include "engine/model_file/parameter_binding.h"
#include "engine/structure/union_find.h"

namespace cardan {
namespace {

/// Central differences of a function over longer intervals, to improve one over a short one, in which
/// rounding shows.
struct Differences {
  static constexpr int kWide = 3;
  static constexpr double kWidth =
      20;  ///< of the first, in short intervals; the others are multiples

  double wide[kWide] = {};

  /// The extrapolated one, of order 6, unless the function changes too fast for it, or bends between:
  /// then `narrow`, which rounding has moved by `rounding`.
  double best(double narrow, double rounding) const {
    const double fourth = (4 * wide[0] - wide[1]) / 3;
    const double sixth = (15 * wide[0] - 6 * wide[1] + wide[2]) / 10;
    const double errorOfNarrow = std::abs(wide[0] - sixth) / (kWidth * kWidth) + rounding;
    return std::abs(sixth - fourth) <= errorOfNarrow ? sixth : narrow;
  }
};

}  // namespace

/// Builds a program: finds the source of every input, then the order.
class SignalGraph::Builder {
 public:
  Builder(SignalGraph& program, FlatModel& flatModel, const PotentialNetwork& network,
          const SpanningTree& spanningTree, ParameterTable& parameters, const ModelSource& model,
          const std::vector<const InputBinding*>& bindings, Diagnostics& diagnostics)
      : p_(program),
        b_(flatModel),
        network_(network),
        spanningTree_(spanningTree),
        parameters_(parameters),
        model_(model),
        bindings_(bindings),
        diagnostics_(diagnostics) {}

  void build() {
    layOut();
    collect();
    const size_t inputs = b_.inputs.size();
    for (size_t i = 0; i < inputs; ++i) bindInput(i);
    carryRates();
    order();
    findRowsOfLoads();
    findFelt();
    findAlongMotion();
  }

 private:
  struct Connected {
    std::string source;
    SourceMark at;
    int element = -1;  ///< of the input; -1: all of it
  };

  const FlatModel::Input& input(int i) const { return b_.inputs[i]; }
  const SourceMark& placeOf(int i) const { return b_.instances[input(i).instance].at; }
  std::string title(int i) const {
    const std::string& name = input(i).name;
    return b_.typeAndName(input(i).instance) + ": input '" + std::string(lastName(name)) + "'";
  }

  /// An input and an output may share their name (RealExpression.y): the output is meant as a
  /// source.
  bool isOutput(const std::string& name) const {
    const auto v = p_.table_.find(name);
    return v && p_.table_[*v].info.output;
  }

  void layOut() {
    for (const FlatModel::Input& in : b_.inputs) {
      p_.offsets_.push_back(p_.slots_);
      p_.slots_ += in.size;
    }
  }

  /// Connections by input; inputs connected with each other share their source.
  void collect() {
    connected_.resize(b_.inputs.size());
    UnionFind sets(b_.inputs.size());
    std::vector<std::pair<int, Connected>> outputs;
    for (const FlatModel::SignalConnection& c : b_.signalConnections) {
      const auto other = b_.connectors.find(c.source);
      const bool both = other != b_.connectors.end() && other->second.kind == ConnectorKind::input;
      const std::string& target = input(c.input).name;
      if (both && !isOutput(c.source) && isOutput(target) && c.element < 0) {
        outputs.emplace_back(other->second.index, Connected{target, c.at, -1});
      } else if (both && !isOutput(c.source)) {
        sets.unite(other->second.index, c.input);
      } else {
        outputs.emplace_back(c.input, Connected{c.source, c.at, c.element});
      }
    }
    for (auto& [in, c] : outputs) {
      for (int k = 0; k < std::ssize(b_.inputs); ++k) {
        const bool same = k == in;
        if (same || (c.element < 0 && sets.find(k) == sets.find(in))) {
          connected_[k].push_back(c);
        }
      }
    }
    // A binding in the file reaches the connected inputs too.
    shared_.resize(b_.inputs.size());
    for (size_t k = 0; k < b_.inputs.size(); ++k) {
      shared_[k] = bindings_[k];
      if (shared_[k] && shared_[k]->given) continue;
      for (size_t j = 0; j < b_.inputs.size(); ++j) {
        if (j != k && sets.find(j) == sets.find(k) && bindings_[j] && bindings_[j]->given) {
          shared_[k] = bindings_[j];
        }
      }
    }
  }

  SignalSource& add(int inputIndex, int element, int size) {
    SignalSource s;
    s.slot = p_.offsets_[inputIndex] + (element < 0 ? 0 : element);
    s.size = size;
    s.rate = input(inputIndex).rate == Rate::Needed;
    s.at = placeOf(inputIndex);
    s.name = input(inputIndex).name;
    p_.sources_.push_back(std::move(s));
    return p_.sources_.back();
  }

  void bindInput(int i) {
    const InputBinding* binding = shared_[i];
    const auto& connections = connected_[i];
    const int size = input(i).size;
    std::vector<int> boundBy(size, 0);
    for (const Connected& c : connections) {
      for (int k = 0; k < size; ++k) {
        if (c.element < 0 || c.element == k) ++boundBy[k];
      }
      bindConnection(i, c);
    }
    const bool given = binding && binding->given;
    for (int k = 0; k < size; ++k) {
      int& n = boundBy[k];
      if (given) ++n;
      if (n > 1) {
        diagnostics_.error(connections.empty() ? placeOf(i) : connections.back().at,
                           title(i) + " is driven twice");
        return;
      }
    }
    if (!binding || (!given && !binding->optional)) {
      if (std::count(boundBy.begin(), boundBy.end(), 0) > 0) {
        diagnostics_.error(
            placeOf(i),
            title(i) + " is not bound: give it a number or an expression, or connect an output");
      }
      return;
    }
    if (binding->expression) {
      SignalSource& s = add(i, -1, size);
      s.at = binding->expression->at;
      s.expression = makeExpressionVariable(*binding->expression, p_.table_, parameters_, model_,
                                            diagnostics_);
      if (s.expression && s.expression->expression().size() != size) {
        diagnostics_.error(s.at, title(i) + " takes " + std::to_string(size) +
                                     " numbers, the expression gives " +
                                     std::to_string(s.expression->expression().size()));
      }
      return;
    }
    for (int k = 0; k < size && k < std::ssize(binding->elements); ++k) {
      if (boundBy[k] > (given ? 1 : 0)) continue;  // connected
      const InputElement& e = binding->elements[k];
      SignalSource& s = add(i, k, 1);
      if (e.expression) {
        s.at = e.expression->at;
        s.expression =
            makeExpressionVariable(*e.expression, p_.table_, parameters_, model_, diagnostics_);
        if (s.expression && s.expression->expression().size() != 1) {
          diagnostics_.error(s.at, title(i) + ": one number is needed, the expression gives " +
                                       std::to_string(s.expression->expression().size()));
        }
      } else {
        s.number = std::ssize(p_.numbers_);
        p_.numbers_.insert(p_.numbers_.end(), {e.constant, 0, 0});
      }
    }
  }

  void bindConnection(int i, const Connected& c) {
    const std::vector<VariableElement> elements = p_.table_.elements(c.source);
    if (elements.empty()) {
      diagnostics_.error(
          c.at, "'" + c.source + "' is no output, so it cannot drive '" + input(i).name + "'" +
                    diagnostics_.suggestion(c.source, [&] { return p_.table_.names(); }));
      return;
    }
    const VariableTable::Variable& v = p_.table_[elements.front().variable];
    if (!v.info.output) {
      diagnostics_.error(
          c.at,
          "'" + c.source +
              "' is a variable, not an output: use it in an expression instead of a connection");
      return;
    }
    const int wanted = c.element < 0 ? input(i).size : 1;
    if (std::ssize(elements) != wanted) {
      diagnostics_.error(c.at, title(i) + " takes " + std::to_string(wanted) + " numbers, '" +
                                   c.source + "' gives " + std::to_string(elements.size()));
      return;
    }
    SignalSource& s = add(i, c.element, wanted);
    s.variable = elements.front().variable;
    s.element = elements.size() == 1 ? elements.front().element : -1;
    s.at = c.at;
  }

  /// Derivatives in expressions that have a part in the motion: each such variable becomes a signal
  /// of its own, whose rate is read.
  void carryRates() {
    firstCarried_ = b_.inputs.size();
    std::map<std::pair<int, int>, SignalId> carried;
    int reader = 0;  // instance
    const auto signalOf = [&](const auto& self, int variable, int order) -> SignalId {
      const auto found = carried.find({variable, order});
      if (found != carried.end()) return found->second;
      const SignalId before = order > 1 ? self(self, variable, order - 1) : SignalId{};
      const SignalId id{count(b_.inputs)};
      carry(variable, before, reader);
      return carried[{variable, order}] = id;
    };
    const auto signal = [&](int variable, int order) {
      return signalOf(signalOf, variable, order);
    };
    const size_t sources = p_.sources_.size();
    for (size_t s = 0; s < sources; ++s) {
      reader = instanceOf(p_.sources_[s].slot);
      if (const auto& e = p_.sources_[s].expression) e->readRates(signal);
      if (const int v = p_.sources_[s].variable; v >= 0) readRatesOf(v, signal);
    }
    reader = 0;
    if (p_.modelEquations_) {
      p_.modelEquations_->forEachExpression([&](ExpressionVariable& e) { e.readRates(signal); });
    }
    // Relations make events, whoever reads the variable.
    for (int v = 0; v < p_.table_.size(); ++v) {
      const auto* e = p_.table_[v].expression;
      if (e && e->expression().relationCount() > 0) readRatesOf(v, signal);
    }
  }

  void readRatesOf(int v, const std::function<SignalId(int, int)>& signalOf) {
    if (auto* e = p_.table_[v].expression) e->readRates(signalOf);
  }

  /// A signal that is a variable, or the rate of the signal `before`, for the sake of its rate; it
  /// belongs to the variable's instance, or to the reader's.
  void carry(int variable, SignalId before, int reader) {
    const VariableTable::Variable& v = p_.table_[variable];
    const int instance = v.instance >= 0 ? v.instance : reader;
    const Instance& owner = b_.instances[instance];
    const int index = std::ssize(b_.inputs);
    const std::string name = before.valid() ? "der(" + v.name + ")" : v.name;
    b_.inputs.push_back({instance, owner.name + ".signal(" + name + ")", v.size, Rate::Needed});
    p_.offsets_.push_back(p_.slots_);
    p_.slots_ += v.size;
    SignalSource& s = add(index, -1, v.size);
    if (before.valid()) {
      s.rateOf = p_.offsets_[before.index];
    } else {
      s.variable = variable;
    }
    if (v.expression) s.at = v.expression->at();
  }

  // Order

  enum class Mark { none, active, done };
  enum class Readers { open, motion, results };  ///< of an input's rate

  void order() {
    mark_.assign(p_.sources_.size(), Mark::none);
    // Sources that write a slot.
    for (size_t s = 0; s < p_.sources_.size(); ++s) {
      for (int k = 0; k < p_.sources_[s].size; ++k) sourceOfSlot_[p_.sources_[s].slot + k] = s;
    }
    p_.rowIds_.assign(p_.sources_.size(), -1);
    inputOfSource_.clear();
    for (const SignalSource& s : p_.sources_) inputOfSource_.push_back(inputAt(s.slot));
    readers_.assign(b_.inputs.size(), Readers::open);
    for (int k : inputOfSource_) isForResults(k);
    for (size_t s = 0; s < p_.sources_.size(); ++s) {
      if (isForResults(inputOfSource_[s])) p_.sources_[s].resultOrder = orderOf(inputOfSource_[s]);
    }
    for (size_t s = 0; s < p_.sources_.size(); ++s) visit(s);
    dependence_.assign(p_.sources_.size(), std::nullopt);
    for (size_t s = 0; s < p_.sources_.size(); ++s) {
      SignalSource& source = p_.sources_[s];
      source.timeOnly = dependence(s) <= Level::Time && source.unknown < 0;
      if (source.timeOnly || source.unknown >= 0) source.resultOrder = 0;
      source.flowRate = source.resultOrder == 1 && dependence(s) <= Level::Velocity &&
                        !(dependence(s) == Level::Velocity && readsWhatForcesPlace(s));
      source.afterLoads = source.resultOrder > 0 && levelOf(s) == Level::Force;
      p_.resultOrder_ = std::max(p_.resultOrder_, source.resultOrder);
      p_.anyRates_ = p_.anyRates_ || source.rate;
      if (source.rate && source.timeOnly)
        p_.timeOrder_ = std::max(p_.timeOrder_, 1 + ratesBelow(s));
    }
    for (size_t s = 0; s < p_.sources_.size(); ++s) {
      SignalSource& source = p_.sources_[s];
      if (!source.rate || source.timeOnly || source.unknown >= 0 || source.resultOrder > 0)
        continue;
      source.alongMotion = movesAlong(s);
      if (source.alongMotion) continue;
      source.follows = dependence(s) <= Level::Velocity;
      makeUnknown(s, Kind::Differential);
    }
  }

  /// What a source is computed from: other sources, the rates of some, and the variables of
  /// components.
  struct Origins {
    std::set<int> signals, rates;
    std::vector<int> variables;
    bool open = false;  ///< a derivative that only results read
  };
  Origins originsOf(int s) const {
    const SignalSource& source = p_.sources_[s];
    Origins o;
    std::vector<int> next;
    std::set<int> seen;
    const auto addInput = [&](int k, std::set<int>& to) {
      for (int i = 0; i < input(k).size; ++i) {
        const auto found = sourceOfSlot_.find(p_.offsets_[k] + i);
        if (found != sourceOfSlot_.end()) to.insert(found->second);
      }
    };
    const auto addSources = [&](const ExpressionVariable& e) {
      for (const ExpressionVariable::Source& x : e.sources()) {
        if (x.derivative > 0) {
          if (x.rate.valid()) addInput(x.rate.index, o.rates);
          o.open = o.open || !x.rate.valid();
        } else if (seen.insert(x.variable).second) {
          next.push_back(x.variable);
        }
      }
    };
    if (source.rateOf >= 0) o.rates.insert(sourceOfSlot_.at(source.rateOf));
    if (source.variable >= 0) next.push_back(source.variable);
    if (source.expression) addSources(*source.expression);
    while (!next.empty()) {
      const int v = next.back();
      next.pop_back();
      const VariableTable::Variable& variable = p_.table_[v];
      if (variable.expression) {
        addSources(*variable.expression);
        continue;
      }
      const std::optional<int> derived = derivedInput(variable);
      if (derived) addInput(*derived, o.rates);
      for (SignalId in : variable.info.reads) addInput(in.index, o.signals);
      if (!derived) o.variables.push_back(v);
    }
    return o;
  }
  /// The input whose rate this variable of a component is (Der), where the motion reads it.
  std::optional<int> derivedInput(const VariableTable::Variable& v) const {
    if (v.info.level != Level::Acceleration || v.instance < 0) return std::nullopt;
    for (int k : inputOfSource_) {
      if (input(k).instance == v.instance && readers_[k] == Readers::motion && isDerivative(k))
        return k;
    }
    return std::nullopt;
  }
  static Level levelOfRate(Level level) {
    switch (level) {
      case Level::Constant:
      case Level::Time:
        return Level::Time;
      case Level::Position:
        return Level::Velocity;
      default:
        return std::max(level, Level::Acceleration);
    }
  }
  /// Pre: timeOnly. How many derivatives it contains, one of the other.
  int ratesBelow(int s) {
    if (const auto known = ratesBelow_.find(s); known != ratesBelow_.end()) return known->second;
    const Origins o = originsOf(s);
    int most = 0;
    for (int other : o.signals) most = std::max(most, ratesBelow(other));
    for (int other : o.rates) most = std::max(most, 1 + ratesBelow(other));
    return ratesBelow_[s] = most;
  }
  /// Source s reads parts that forces alone place: these have velocities, but no accelerations.
  bool readsWhatForcesPlace(int s) {
    std::vector<int> open{s};
    for (size_t k = 0; k < open.size(); ++k) {
      const Origins o = originsOf(open[k]);
      for (int v : o.variables) {
        const int instance = p_.table_[v].instance;
        if (instance < 0) continue;
        for (int i : withComposite(instance))
          if (MotionFlow::isPlacedByForces(b_, network_, spanningTree_, i)) return true;
      }
      for (int other : o.signals)
        if (std::ranges::find(open, other) == open.end()) open.push_back(other);
    }
    return false;
  }
  /// True: the motion itself tells the rate of source s, which an expression or a Der reads. A signal
  /// that prescribes a motion has to be a follower, as the force that moves it acts on the flange
  /// alone.
  bool movesAlong(int s) {
    const int k = inputOfSource_[s];
    if (spanningTree_.nodes == 0 || (k < firstCarried_ && !isDerivative(k))) return false;
    return dependence_[s] <= Level::Velocity && readsKnownMotion(s);
  }
  bool readsKnownMotion(int s) {
    const SignalSource& source = p_.sources_[s];
    if (source.timeOnly) return true;
    if (const auto known = knownMotion_.find(s); known != knownMotion_.end()) return known->second;
    const Origins o = originsOf(s);
    return knownMotion_[s] =
               !o.open && source.unknown < 0 &&
               std::ranges::all_of(o.rates, [&](int r) { return p_.sources_[r].timeOnly; }) &&
               std::ranges::all_of(o.variables, [&](int v) { return isKnownAlongMotion(v); }) &&
               std::ranges::all_of(o.signals, [&](int r) { return readsKnownMotion(r); });
  }
  bool isKnownAlongMotion(int v) const {
    const VariableTable::Variable& variable = p_.table_[v];
    // Sums over the model, memories.
    if (variable.instance <= 0 && variable.info.level > Level::Time) return false;
    if (variable.info.remembers) return false;
    if (variable.instance < 0 || variable.info.level == Level::Constant) return true;
    for (int i : withComposite(variable.instance)) {
      if (!MotionFlow::isKnown(b_, network_, spanningTree_, i)) return false;
    }
    // Algebraic unknowns have no rates of their own.
    bool algebraic = false, itself = false;
    for (const FlatModel::Unknown& u : b_.unknowns) {
      if (u.instance != variable.instance) continue;
      const std::string name = b_.instances[u.instance].full(u.info.name);
      const bool isThis = name == variable.name || name.starts_with(variable.name + "[");
      if (isThis && u.kind == Kind::Algebraic) return false;
      itself = itself || isThis;
      algebraic = algebraic || u.kind == Kind::Algebraic;
    }
    return itself || !algebraic;
  }
  std::vector<int> withComposite(int instance) const {
    std::vector<bool> some(b_.instances.size(), false);
    some[instance] = true;
    some = b_.withComposites(std::move(some));
    std::vector<int> result;
    for (size_t i = 0; i < some.size(); ++i) {
      if (some[i]) result.push_back(i);
    }
    return result;
  }
  /// What the rates along the motion are computed from.
  void findAlongMotion() {
    std::set<int> needed;
    std::vector<int> open;
    for (size_t s = 0; s < p_.sources_.size(); ++s) {
      if (p_.sources_[s].alongMotion) open.push_back(s);
    }
    std::vector<bool> instances(b_.instances.size(), false);
    while (!open.empty()) {
      const int s = open.back();
      open.pop_back();
      if (!needed.insert(s).second) continue;
      const Origins o = originsOf(s);
      p_.alongReadsRates_ = p_.alongReadsRates_ || !o.rates.empty();
      open.insert(open.end(), o.signals.begin(), o.signals.end());
      for (int v : o.variables) {
        if (p_.table_[v].instance >= 0) instances[p_.table_[v].instance] = true;
      }
    }
    if (needed.empty()) return;
    std::ranges::copy_if(p_.order_, std::back_inserter(p_.along_),
                         [&](int s) { return needed.contains(s); });
    p_.motion_ = MotionFlow(b_, b_.withComposites(std::move(instances)));
  }

  int inputAt(int slot) const {
    for (size_t i = 0; i < b_.inputs.size(); ++i) {
      if (slot >= p_.offsets_[i] && slot < p_.offsets_[i] + input(i).size) return i;
    }
    return 0;
  }

  /// True if variable v is one of this instance's, or an expression of such.
  bool comesFrom(int v, int instance) const {
    bool found = false;
    forEachRead(p_.table_, {v},
                [&](int read) { found = found || p_.table_[read].instance == instance; });
    return found;
  }

  /// True if the rate of input k is read by variables of its component alone (Der).
  bool isDerivative(int k) const {
    return input(k).rate == Rate::Needed && !b_.instances[input(k).instance].component->evaluates();
  }
  /// True if source s reads a variable of the component that input k belongs to.
  bool reads(size_t s, int k) const {
    return std::ranges::any_of(variablesOf(p_.sources_[s]),
                               [&](int v) { return comesFrom(v, input(k).instance); });
  }

  /// True if equations of the file, or their `when`, read a variable of this instance.
  bool equationsRead(int instance) const {
    bool found = false;
    if (!p_.modelEquations_) return found;
    p_.modelEquations_->forEachExpression([&](const ExpressionVariable& e) {
      for (const auto& x : e.sources()) found = found || comesFrom(x.variable, instance);
    });
    return found;
  }

  /// True if the rate of input k has no part in the motion: only results read it, directly or
  /// through further derivatives.
  bool isForResults(int k) {
    Readers& known = readers_[k];
    if (known != Readers::open) return known == Readers::results;
    known = Readers::motion;  // for a circle
    if (k >= firstCarried_ || !isDerivative(k)) return false;
    if (equationsRead(input(k).instance)) return false;
    for (int v = 0; v < p_.table_.size(); ++v) {
      // Relations make events.
      const auto* e = p_.table_[v].expression;
      if (e && e->expression().relationCount() > 0 && comesFrom(v, input(k).instance)) return false;
    }
    for (size_t s = 0; s < p_.sources_.size(); ++s) {
      if (reads(s, k) && !isForResults(inputOfSource_[s])) return false;
    }
    known = Readers::results;
    return true;
  }
  /// Derivatives up to that of input k, which isForResults, as far as they are for results too.
  int orderOf(int k) const {
    int before = 0;
    for (size_t s = 0; s < p_.sources_.size(); ++s) {
      if (inputOfSource_[s] != k) continue;
      for (size_t other = 0; other < b_.inputs.size(); ++other) {
        if (readers_[other] == Readers::results && reads(s, other))
          before = std::max(before, orderOf(other));
      }
    }
    return before + 1;
  }

  void visit(int s) {
    Mark& m = mark_[s];
    if (m == Mark::done) return;
    SignalSource& source = p_.sources_[s];
    if (m == Mark::active) {
      // A cycle: this signal becomes an unknown, known while the others are evaluated.
      if (source.unknown < 0) makeUnknown(s, Kind::Algebraic);
      source.loop = true;
      return;
    }
    m = Mark::active;
    for (int other : readsOf(s)) visit(other);
    m = Mark::done;
    if (levelOf(s) == Level::Force && source.unknown < 0 && source.resultOrder == 0)
      makeUnknown(s, source.rate ? Kind::Differential : Kind::Algebraic);
    p_.order_.push_back(s);
  }

  /// What moves reads some sources; these read others. Whatever is left is evaluated only where all
  /// are: at rows and events, whose conditions may read it.
  void findFelt() {
    const std::vector<bool> moving = movingInstances();
    std::vector<int> open;
    for (size_t s = 0; s < p_.sources_.size(); ++s) {
      const SignalSource& source = p_.sources_[s];
      const bool isRate = source.rate && source.resultOrder == 0;
      // Equations of the file read variables by name.
      if (p_.modelEquations_ || source.unknown >= 0 || isRate || moving[instanceOf(source.slot)])
        open.push_back(s);
    }
    // Relations make events.
    for (int v = 0; v < p_.table_.size(); ++v) {
      const auto* e = p_.table_[v].expression;
      if (e && e->expression().relationCount() > 0) readsOfVariable(v, open);
    }
    while (!open.empty()) {
      const int s = open.back();
      open.pop_back();
      if (std::exchange(p_.sources_[s].felt, true)) continue;
      const std::vector<int> read = readsOf(s);
      open.insert(open.end(), read.begin(), read.end());
    }
    for (size_t s = 0; s < p_.sources_.size(); ++s) {
      if (p_.sources_[s].unknown >= 0) p_.unknown_.push_back(s);
    }
    std::ranges::copy_if(p_.order_, std::back_inserter(p_.felt_),
                         [&](int s) { return p_.sources_[s].felt; });
    std::ranges::copy_if(p_.order_, std::back_inserter(p_.time_),
                         [&](int s) { return p_.sources_[s].timeOnly; });
  }

  /// Per instance: it, or a part of the same composite, does more with an input than to compute
  /// variables.
  std::vector<bool> movingInstances() const {
    std::vector<bool> moving(b_.instances.size(), false);
    for (size_t i = 0; i < moving.size(); ++i) {
      const Component* c = b_.instances[i].component;
      moving[i] = c->evaluates();
    }
    for (const auto& u : b_.unknowns) moving[u.instance] = true;
    for (const auto& m : b_.modes) moving[m.instance] = true;
    for (const auto& past : b_.pasts) moving[past.instance] = true;
    for (const auto& d : b_.driven) moving[b_.flanges[d.flange.index].instance] = true;
    for (const int i : b_.impulses) moving[i] = true;
    return b_.withComposites(std::move(moving));
  }

  /// Slots' sources that source s reads.
  std::vector<int> readsOf(int s) {
    std::vector<int> result;
    const SignalSource& source = p_.sources_[s];
    for (int v : variablesOf(source)) {
      readsOfVariable(v, result);
    }
    return result;
  }
  std::vector<int> variablesOf(const SignalSource& s) const {
    if (s.variable >= 0) return {s.variable};
    std::vector<int> result;
    if (s.expression) {
      for (const auto& x : s.expression->sources()) result.push_back(x.variable);
    }
    return result;
  }
  void readsOfVariable(int v, std::vector<int>& out) {
    forEachRead(p_.table_, {v}, [&](int read) {
      for (SignalId in : p_.table_[read].info.reads) {
        for (int k = 0; k < input(in.index).size; ++k) {
          const auto it = sourceOfSlot_.find(p_.offsets_[in.index] + k);
          if (it != sourceOfSlot_.end() &&
              std::find(out.begin(), out.end(), it->second) == out.end()) {
            out.push_back(it->second);
          }
        }
      }
    });
  }
  Level levelOfVariable(int v) const {
    const VariableTable::Variable& variable = p_.table_[v];
    const auto* e = variable.expression;
    return e ? e->level() : variable.info.level;
  }
  Level levelOf(int s) const {
    const SignalSource& source = p_.sources_[s];
    if (source.expression) return std::max(Level::Time, source.expression->level());
    return source.variable >= 0 ? levelOfVariable(source.variable) : Level::Constant;
  }
  /// Level of a source and of everything that it reads.
  Level dependence(int s) {
    if (const auto known = dependence_[s]) return *known;
    dependence_[s] = Level::Acceleration;  // for a circle through a rate
    Level level = Level::Time;
    if (p_.sources_[s].loop) {
      level = Level::Force;
    } else {
      const Origins o = originsOf(s);
      if (o.open) level = Level::Acceleration;
      for (int v : o.variables) level = std::max(level, p_.table_[v].info.level);
      for (int other : o.signals) level = std::max(level, dependence(other));
      for (int other : o.rates) level = std::max(level, levelOfRate(dependence(other)));
    }
    dependence_[s] = level;
    return level;
  }

  void makeUnknown(int s, Kind kind) {
    SignalSource& source = p_.sources_[s];
    const int instance = instanceOf(source.slot);
    source.unknown = std::ssize(b_.unknowns);
    p_.rowIds_[s] = std::ssize(b_.rows);
    const std::string name = source.name.substr(b_.instances[instance].name.size() + 1);
    for (int k = 0; k < source.size; ++k) {
      b_.unknowns.push_back({instance,
                             {source.size == 1 ? name : name + "[" + std::to_string(k + 1) + "]",
                              "1", "signal in an algebraic loop", 0, 1},
                             kind});
    }
    b_.rows.push_back({instance, source.name, source.size});
    if (levelOf(s) != Level::Force) return;
    for (int v : variablesOf(source)) readsLoadsOf(v);
  }
  /// The motion feels variable v, of Level::Force.
  void readsLoadsOf(int v) {
    p_.readsLoads_ = true;
    forEachRead(p_.table_, {v}, [&](int read) {
      const VariableTable::Variable& variable = p_.table_[read];
      if (variable.info.level == Level::Force && !variable.expression)
        p_.readsFrameLoads_ = p_.readsFrameLoads_ || !isOneDimensional(variable.instance);
    });
  }
  /// Equations of the file that read loads are rows behind them.
  void findRowsOfLoads() {
    if (!p_.modelEquations_) return;
    for (ModelEquations::Row& r : p_.modelEquations_->rows()) {
      r.readsLoads = std::max(r.left->level(), r.right->level()) == Level::Force;
      if (!r.readsLoads) continue;
      for (const auto* side : {r.left.get(), r.right.get()}) {
        for (const auto& x : side->sources()) readsLoadsOf(x.variable);
      }
    }
  }
  /// True if neither the instance nor what it is a part of has frames.
  bool isOneDimensional(int instance) const {
    if (instance <= 0) return false;
    return std::none_of(b_.frames.begin() + 1, b_.frames.end(), [&](const FlatModel::Frame& f) {
      return b_.wholeOf(f.instance) == b_.wholeOf(instance);
    });
  }
  int instanceOf(int slot) const { return input(inputAt(slot)).instance; }

  SignalGraph& p_;
  FlatModel& b_;
  const PotentialNetwork& network_;
  const SpanningTree& spanningTree_;
  ParameterTable& parameters_;
  const ModelSource& model_;
  const std::vector<const InputBinding*>& bindings_;
  Diagnostics& diagnostics_;
  std::vector<std::vector<Connected>> connected_;
  std::vector<const InputBinding*> shared_;
  std::map<int, int> sourceOfSlot_;
  std::vector<Mark> mark_;
  std::vector<int> inputOfSource_;
  std::vector<Readers> readers_;                  ///< per input
  std::vector<std::optional<Level>> dependence_;  ///< per source, once known
  std::map<int, int> ratesBelow_;                 ///< of sources, once known
  std::map<int, bool> knownMotion_;
  int firstCarried_ = 0;  ///< inputs from here on carry variables
};

SignalGraph::SignalGraph(FlatModel& flatModel, const PotentialNetwork& network,
                         const SpanningTree& spanningTree, const VariableTable& table,
                         ParameterTable& parameters, const ModelSource& model,
                         const std::vector<const InputBinding*>& bindings,
                         ModelEquations* modelEquations, std::vector<GivenInput> given,
                         Diagnostics& diagnostics)
    : table_(table), modelEquations_(modelEquations), given_(std::move(given)) {
  for (const GivenInput& g : given_) numbers_.insert(numbers_.end(), {g.start, 0, 0});
  Builder(*this, flatModel, network, spanningTree, parameters, model, bindings, diagnostics)
      .build();
  for (const SignalSource& s : sources_) {
    if (s.variable >= 0) longest_ = std::max<size_t>(longest_, table[s.variable].size);
  }
}

template <class S>
void SignalGraph::valueOf(const SignalSource& s, const View<S>& view, S* out) const {
  if (s.number >= 0) {
    out[0] = inputAt(view.tables().inputs + s.number, view.time());
  } else if (s.rateOf >= 0) {
    std::copy_n(view.tables().signalRates + s.rateOf, s.size, out);
  } else if (s.expression) {
    s.expression->evaluate(view, out);
  } else if (s.element < 0) {
    table_[s.variable].function->evaluate(view, out);
  } else {
    std::vector<S>& scratch = view.tables().expressions->scratch;
    scratch.resize(longest_);
    table_[s.variable].function->evaluate(view, scratch.data());
    out[0] = scratch[s.element];
  }
}

template <class S>
void SignalGraph::evaluate(EvaluationTables<S>& tables, S* values, S* rates, SignalsOfTime& ofTime,
                           Scope scope) const {
  const View<S> view(tables);
  for (int i : unknown_) {
    const SignalSource& s = sources_[i];
    std::copy_n(tables.y + tables.unknownOffset[s.unknown], s.size, values + s.slot);
  }
  // Rates first: outputs of derivatives read them.
  if (anyRates_) writeRates(tables, rates, ofTime);
  const std::vector<int>& order = scope == Scope::time     ? time_
                                  : scope == Scope::motion ? felt_
                                                           : order_;
  // A limiter's frozen branch may leave the domain of the block behind it.
  tables.expressions->withinBranches(
      [&] {
        for (int i : order) {
          const SignalSource& s = sources_[i];
          if (s.unknown < 0 && !s.afterLoads) valueOf(s, view, values + s.slot);
        }
      },
      [&] {
        return std::ranges::all_of(order, [&](int i) {
          const SignalSource& s = sources_[i];
          return std::all_of(values + s.slot, values + s.slot + s.size,
                             [](const S& x) { return std::isfinite(value(x)); });
        });
      });
}

template <class S>
void SignalGraph::writeRates(EvaluationTables<S>& tables, S* rates, SignalsOfTime& ofTime) const {
  // Second derivatives of signals of time are asked for where time itself is differentiated
  // (accelerations of prescribed motions), and by what reads their rates along the motion.
  bool moving = alongReadsRates_;
  if constexpr (!std::is_same_v<S, double>) {
    for (int l = 0; l < kLanes; ++l) moving = moving || tables.time.lane(l) != 0;
  }
  const int order = timeOrder_ > 0 && moving ? timeOrder_ + 1 : timeOrder_;
  if (order > 0 && (ofTime.at != value(tables.time) || ofTime.order < order)) {
    findMoment(tables, value(tables.time), order, ofTime);
    ofTime.at = value(tables.time);
    ofTime.order = order;
  }
  for (const SignalSource& s : sources_) {
    if (!s.rate || s.alongMotion) continue;
    for (int k = s.slot; k < s.slot + s.size; ++k) {
      if (s.unknown >= 0) {
        rates[k] = tables.yp[tables.unknownOffset[s.unknown] + k - s.slot];
      } else if (s.resultOrder > 0) {
        rates[k] = S(std::numeric_limits<double>::quiet_NaN());
      } else {
        rates[k] = S(ofTime.moments[timeOrder_ - 1].values[k].lane(0));
        if constexpr (!std::is_same_v<S, double>) {
          if (moving) rates[k].d += ofTime.moments[timeOrder_].rates[k].lane(0) * tables.time.d;
        }
      }
    }
  }
  if (!along_.empty()) writeRatesAlongMotion(tables, rates, ofTime);
}

/// Sources of time alone once more, as functions of time; from the second derivative on by
/// differences of exact first ones: those that are values themselves as exactly as can be.
template <class S>
void SignalGraph::findMoment(const EvaluationTables<S>& tables, double time, int order,
                             SignalsOfTime& ofTime) const {
  if (std::ssize(ofTime.moments) < order) ofTime.moments.resize(order);
  SignalsOfTime::Moment& m = ofTime.moments[order - 1];
  m.values.resize(slots_, Dual(0));
  m.rates.resize(slots_, Dual(0));
  if (order > 1) {
    const std::vector<Dual>& lower = ofTime.moments[order - 2].values;
    const double h = ofTime.scales.moment(time);
    const auto forEachRate = [&](double at, auto f) {
      findMoment(tables, at, order - 1, ofTime);
      for (int i : time_) {
        const SignalSource& s = sources_[i];
        for (int k = s.slot; s.rate && k < s.slot + s.size; ++k) f(m.rates[k], lower[k].lane(0));
      }
    };
    std::vector<Differences> around(order > timeOrder_ ? 0 : slots_);
    for (int i = 0; !around.empty() && i < Differences::kWide; ++i) {
      const double w = (i + 1) * Differences::kWidth * h;
      for (double side : {-1.0, 1.0}) {
        forEachRate(time + side * w, [&](Dual& r, double there) {
          around[&r - m.rates.data()].wide[i] += side * there / (2 * w);
        });
      }
    }
    forEachRate(time - h, [](Dual& r, double before) { r.setLane(0, -before); });
    forEachRate(time + h, [&](Dual& r, double after) {
      const double rounding =
          std::numeric_limits<double>::epsilon() * (std::abs(r.lane(0)) + std::abs(after)) / h;
      r.setLane(0, (r.lane(0) + after) / (2 * h));
      if (!around.empty()) r.setLane(0, around[&r - m.rates.data()].best(r.lane(0), rounding));
    });
    forEachRate(time, [](Dual& r, double first) { r.v = first; });
  }
  EvaluationTables<Dual> t;
  t.world = tables.world;
  t.time = Dual::seed(time, 0);
  t.signalOffset = tables.signalOffset;
  t.signals = m.values.data();
  t.signalRates = m.rates.data();
  t.modes = tables.modes;
  t.relations = tables.relations;
  t.expressions = &ofTime.expressions;
  t.inputs = tables.inputs;
  ofTime.expressions.held = tables.expressions->held;
  const View<Dual> view(t);
  for (int i : time_) valueOf(sources_[i], view, m.values.data() + sources_[i].slot);
}

/// Directional derivatives along the motion, by the chain rule: x -> f(x) has the rate f'(x) x', and
/// that changes with x and x' by f'(x) dx' + (f'(x + h x') - f'(x - h x')) dx/(2 h).
template <class S>
void SignalGraph::writeRatesAlongMotion(const EvaluationTables<S>& tables, S* rates,
                                        SignalsOfTime& ofTime) const {
  MotionFlow::Numbers& n = ofTime.alongMotion;
  const auto evaluate = [&](auto along, auto take) {
    motion_.fill(tables, slots_, n, along);
    for (const SignalSource& s : sources_) {
      if (!alongReadsRates_ || !s.rate || !s.timeOnly) continue;
      for (int k = s.slot; k < s.slot + s.size; ++k) {
        const double second = ofTime.moments[timeOrder_].rates[k].lane(0);
        n.signalRates[k] = along(rates[k], S(second));
      }
    }
    const View<Dual> view(n.tables);
    for (int i : along_) {
      const SignalSource& s = sources_[i];
      valueOf(s, view, n.signals.data() + s.slot);
      for (int k = s.slot; s.alongMotion && k < s.slot + s.size; ++k) take(rates[k], n.signals[k]);
    }
  };
  evaluate(
      [](const S& x, const S& rate) {
        Dual d(value(x));
        d.setLane(0, value(rate));
        return d;
      },
      [](S& rate, const Dual& f) { rate = S(f.lane(0)); });
  if constexpr (!std::is_same_v<S, double>) {
    evaluate([](const S& x, const S& rate) { return Dual(x.v, rate.d); },
             [](S& rate, const Dual& f) { rate.d += f.d; });
    const double h = ofTime.scales.moment(value(tables.time));
    for (double side : {h, -h}) {
      evaluate([&](const S& x, const S& rate) { return Dual(x.v + side * rate.v, x.d); },
               [&](S& rate, const Dual& f) { rate.d += 1 / (2 * side) * f.d; });
    }
  }
}

void SignalGraph::evaluateResults(const EvaluationTables<double>& tables, int order,
                                  double* values) const {
  // A view only reads here; it holds a reference because components write through it.
  const View<double> view(const_cast<EvaluationTables<double>&>(tables));
  for (const SignalSource& s : sources_) {
    if (s.resultOrder == order) valueOf(s, view, values + s.slot);
  }
}

template <class S>
void SignalGraph::rows(EvaluationTables<S>& tables) const {
  View<S> view(tables);
  for (int i : unknown_) {
    const SignalSource& s = sources_[i];
    const int offset = tables.unknownOffset[s.unknown];
    const int row = tables.rowOffset[rowIds_[i]];
    valueOf(s, view, tables.residual + row);
    for (int k = 0; k < s.size; ++k)
      tables.residual[row + k] = tables.y[offset + k] - tables.residual[row + k];
  }
  if (modelEquations_) modelEquations_->rowsOfLoads(view);
}

bool SignalGraph::timeOnly() const {
  return std::ranges::all_of(sources_, [](const SignalSource& s) { return s.timeOnly || !s.felt; });
}

bool SignalGraph::readsAccelerations() const {
  return std::ranges::any_of(sources_, [&](const SignalSource& s) {
    if (!s.felt || s.afterLoads || s.resultOrder > 0) return false;
    const Level level = s.expression      ? s.expression->level()
                        : s.variable >= 0 ? table_[s.variable].info.level
                                          : Level::Constant;
    return level >= Level::Acceleration || s.unknown >= 0 || s.alongMotion;
  });
}

std::vector<bool> SignalGraph::instancesRead(size_t instances, Scope scope) const {
  std::vector<bool> read(instances, false);
  std::vector<int> from;
  const auto add = [&](const ExpressionVariable& e) {
    for (const ExpressionVariable::Source& s : e.sources()) from.push_back(s.variable);
  };
  for (const SignalSource& s : sources_) {
    if (scope != Scope::results && !s.felt) continue;
    if (s.variable >= 0) from.push_back(s.variable);
    if (s.expression) add(*s.expression);
  }
  if (modelEquations_) modelEquations_->forEachExpression(add);
  forEachRead(table_, from, [&](int v) {
    const VariableTable::Variable& variable = table_[v];
    if (variable.expression || variable.info.level <= Level::Time) return;
    if (variable.instance == 0)
      read.assign(instances, true);  // the world's are sums over all bodies
    if (variable.instance > 0) read[variable.instance] = true;
  });
  return read;
}

std::vector<std::string> SignalGraph::loops() const {
  std::vector<std::string> names;
  for (const SignalSource& s : sources_) {
    if (s.loop) names.push_back(s.name);
  }
  return names;
}

template void SignalGraph::evaluate(EvaluationTables<double>&, double*, double*, SignalsOfTime&,
                                    Scope) const;
template void SignalGraph::evaluate(EvaluationTables<Dual>&, Dual*, Dual*, SignalsOfTime&,
                                    Scope) const;
template void SignalGraph::rows(EvaluationTables<double>&) const;
template void SignalGraph::rows(EvaluationTables<Dual>&) const;

}  // namespace cardan
