// Bench for one-dimensional parts and blocks: a component with every flange at a node of its own,
// every input set by hand, its modes and its events.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "components/catalogue.h"
#include "components/component.h"

namespace cardan::bench {

struct Start {
  double start = 0;
  bool fixed = false;
};
using Matrix = std::vector<std::vector<double>>;
using Value = std::variant<bool, int, double, std::string, std::vector<double>, Matrix, Start>;
using Values = std::map<std::string, Value>;

/// Reads values by name; errors as "'name' RULE".
class Reader final : public ParameterReader {
 public:
  explicit Reader(Values values) : values_(std::move(values)) {}

  bool require(bool holds, std::string_view name, std::string_view rule) override {
    if (!holds) errors.push_back("'" + std::string(name) + "' " + std::string(rule));
    return holds;
  }
  bool isGiven(std::string_view name) const override {
    return values_.count(std::string(name)) > 0;
  }
  const WorldSettings& world() const override { return settings_; }
  void begin(std::string_view) override {}
  void end() override {}
  void finish() {
    for (const auto& [name, value] : values_) {
      if (!infos.count(name)) errors.push_back("unknown key '" + name + "'");
    }
  }

  std::vector<std::string> errors;
  std::map<std::string, ParameterInfo> infos;
  std::map<std::string, int> inputs;  ///< sizes

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override {
    const std::string name(info.name);
    CHECK_MESSAGE(infos.emplace(name, info).second, name << " is read once");
    CHECK_MESSAGE(!info.description.empty(), name << " is documented");
    if (const auto* input = std::get_if<InputTarget>(&target)) inputs[name] = input->size;
    const auto given = values_.find(name);
    if (given == values_.end()) return;
    const Value& value = given->second;
    if (auto* b = std::get_if<bool*>(&target)) {
      **b = std::get<bool>(value);
    } else if (auto* n = std::get_if<int*>(&target)) {
      **n = std::get<int>(value);
    } else if (auto* x = std::get_if<double*>(&target)) {
      const int* whole = std::get_if<int>(&value);
      **x = whole ? *whole : std::get<double>(value);
      if (**x < info.minimum || (info.minimumExcluded && **x == info.minimum)) {
        errors.push_back("'" + name + "' is out of range");
      }
    } else if (auto* text = std::get_if<std::string*>(&target)) {
      **text = std::get<std::string>(value);
    } else if (auto* list = std::get_if<std::vector<int>*>(&target)) {
      (*list)->clear();
      for (double i : std::get<std::vector<double>>(value)) (*list)->push_back(static_cast<int>(i));
    } else if (auto* choice = std::get_if<EnumerationTarget>(&target)) {
      bool known = false;
      for (size_t i = 0; i < choice->names.size(); ++i) {
        if (choice->names[i] != std::get<std::string>(value)) continue;
        choice->set(static_cast<int>(i));
        known = true;
      }
      CHECK(known);
    } else if (auto* start = std::get_if<StartTarget>(&target)) {
      start->start[0] = std::get<Start>(value).start;
      start->fixed[0] = std::get<Start>(value).fixed;
      *start->given = true;
    } else if (auto* table = std::get_if<TableTarget>(&target)) {
      if (table->isVector) {
        const auto& v = std::get<std::vector<double>>(value);
        *table->matrix =
            Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
      } else {
        const auto& m = std::get<Matrix>(value);
        const Eigen::Index columns = m.empty() ? 0 : static_cast<Eigen::Index>(m[0].size());
        table->matrix->resize(static_cast<Eigen::Index>(m.size()), columns);
        for (size_t i = 0; i < m.size(); ++i) {
          for (size_t j = 0; j < m[i].size(); ++j) {
            (*table->matrix)(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = m[i][j];
          }
        }
      }
    } else {
      FAIL("no value of this kind: " << name);
    }
  }

 private:
  Values values_;
  WorldSettings settings_;
};

/// Records what is declared.
class Declared final : public Structure {
 public:
  struct Input {
    std::string name;
    int size, offset;
    Rate rate;
  };
  std::vector<std::string> flanges;
  std::vector<Domain> domains;
  std::vector<Affine> affines;
  std::vector<std::pair<int, double>> grounds;
  std::vector<int> inertias;
  std::vector<Input> inputs;
  std::vector<UnknownInfo> unknowns;
  std::vector<Kind> kinds;
  std::vector<std::string> rows, modes;
  std::vector<int> modeStarts;
  std::vector<std::pair<int, int>> constraints;
  WorldSettings settings;

  const WorldSettings& world() const override { return settings; }
  FlangeId flange(const std::string& name, Domain domain) override {
    flanges.push_back(name);
    domains.push_back(domain);
    return {static_cast<int>(flanges.size()) - 1};
  }
  SignalId input(const std::string& name, int size, Rate rate) override {
    const int offset = inputs.empty() ? 0 : inputs.back().offset + inputs.back().size;
    inputs.push_back({name, size, offset, rate});
    return {static_cast<int>(inputs.size()) - 1};
  }
  ConstraintId constraint(const std::string&, const std::string&, int positionRows,
                          int velocityRows) override {
    CHECK(positionRows + velocityRows == 1);
    constraints.emplace_back(positionRows, velocityRows);
    return {static_cast<int>(constraints.size()) - 1};
  }
  void affine(Affine a) override { affines.push_back(std::move(a)); }
  void ground(FlangeId f, double potential) override { grounds.emplace_back(f.index, potential); }
  void inertia(FlangeId f) override { inertias.push_back(f.index); }
  UnknownId unknown(const UnknownInfo& info, Kind kind) override {
    unknowns.push_back(info);
    kinds.push_back(kind);
    return {static_cast<int>(unknowns.size()) - 1};
  }
  RowId row(const std::string& name, int size) override {
    CHECK(size == 1);
    rows.push_back(name);
    return {static_cast<int>(rows.size()) - 1};
  }
  ModeId mode(const std::string& name, int start) override {
    modes.push_back(name);
    modeStarts.push_back(start);
    return {static_cast<int>(modes.size()) - 1};
  }
  PastId past(SignalId, ModeId, double) override { return {}; }
  ImpulseId impulse() override { return {}; }
  FrameId frame(const std::string&) override { return unexpected<FrameId>(); }
  FrameId worldFrame() override { return unexpected<FrameId>(); }
  JointId joint(FrameId, FrameId, const JointLaw&, std::vector<UnknownInfo>,
                std::vector<UnknownInfo>, CutPolicy) override {
    return unexpected<JointId>();
  }
  void cut(FrameId, FrameId, const ClosureLaw&) override { unexpected<int>(); }
  JointId root(FrameId, const JointLaw&, std::vector<UnknownInfo>, std::vector<UnknownInfo>,
               RootRank) override {
    return unexpected<JointId>();
  }
  void inertia(FrameId) override { unexpected<int>(); }
  void axis(FlangeId, JointId, int) override { unexpected<int>(); }
  void addPart(const std::string&, std::unique_ptr<Component>) override { unexpected<int>(); }
  void connect(const std::string&, const std::string&) override { unexpected<int>(); }
  void error(const std::string& text) override { FAIL(text); }

 protected:
  void addDriven(FlangeId, std::unique_ptr<DrivenPotential>) override { unexpected<int>(); }

 private:
  template <class T>
  static T unexpected() {
    FAIL("a one-dimensional part does not declare this");
    return T{};
  }
};

class Described final : public Variables {
 public:
  struct Variable {
    VariableInfo info;
    int size = 1;
    std::unique_ptr<VariableFunction> f;
  };
  struct StartOf {
    double start;
    bool fixed, given;
  };
  struct Initial {
    InitialInfo info;
    std::unique_ptr<VariableFunction> f;
  };
  std::map<std::string, Variable> variables;
  std::map<std::string, StartOf> starts;
  std::vector<Initial> initials;
  std::vector<std::unique_ptr<VariableFunction>> energies;

  void alias(const std::string&, const std::string&) override {}

 protected:
  void add(VariableInfo info, std::vector<int> dimensions,
           std::unique_ptr<VariableFunction> f) override {
    const std::string name = info.name;
    CHECK_MESSAGE(!variables.count(name), name << " is described once");
    CHECK_MESSAGE(!info.description.empty(), name << " is documented");
    int size = 1;
    for (int n : dimensions) size *= n;
    variables[name] = {std::move(info), size, std::move(f)};
  }
  void addStart(const std::string& name, int, double start, bool fixed, bool given,
                StateSelect) override {
    starts[name] = {start, fixed, given};
  }
  void addInitial(InitialInfo info, int size, std::unique_ptr<VariableFunction> f) override {
    CHECK(size == 1);
    initials.push_back({std::move(info), std::move(f)});
  }
  void addMechanics(const std::vector<SignalId>&, std::unique_ptr<VariableFunction> f) override {
    energies.push_back(std::move(f));
  }
  MemoryId addMemory(const std::vector<double>&) override {
    FAIL("a one-dimensional part does not know the steps before");
    return {};
  }
  void setMemory(MemoryId, std::unique_ptr<VariableFunction>) override {}
};

/// Numbers of one evaluation.
template <class S>
struct Numbers {
  S time = 0.0;
  std::vector<FlangeState<S>> flanges;
  std::vector<S> inputs, inputRates, y, yp, residual, multipliers;
  std::vector<S> flows, positionResidues, velocityResidues;
};

/// Crossings, time events and ends that a component reports.
struct Events final : Guards {
  void crossing(double g) override { crossings.push_back(g); }
  void timeEvent(double t) override { times.push_back(t); }
  void terminate(const std::string& why) override { ends.push_back(why); }
  std::vector<double> crossings, times;
  std::vector<std::string> ends;
};

/// A class of the catalogue: Class<"Blocks.Gain">.
template <size_t N>
struct Type {
  consteval Type(const char (&t)[N]) { std::copy_n(t, N, text); }
  char text[N];
};
template <Type type>
struct Class {
  static std::unique_ptr<Component> make() {
    for (const CatalogueEntry& e : catalogue()) {
      if (e.type == type.text) return e.make();
    }
    FAIL("no class " << type.text);
    return nullptr;
  }
};
template <class C>
std::unique_ptr<Component> make() {
  if constexpr (requires { C::make(); }) {
    return C::make();
  } else {
    return std::make_unique<C>();
  }
}

/// A component that was read, declared and described; its numbers are set by hand.
template <class C>
class Bench {
 public:
  explicit Bench(Values values = {}) : reader(std::move(values)) {
    component.read(reader);
    component.parametersChanged();
    reader.finish();
    if (!reader.errors.empty()) return;
    component.declare(declared);
    component.describe(described);
    for (const auto& input : declared.inputs) {
      CHECK_MESSAGE(reader.inputs.count(input.name), input.name << " can be bound");
      CHECK(reader.inputs[input.name] == input.size);
      signalOffset_.push_back(input.offset);
    }
    modes = declared.modeStarts;
    const size_t flanges = declared.flanges.size(), n = declared.unknowns.size();
    for (size_t i = 0; i < 100; ++i) counted_.push_back(static_cast<int>(i));
    CHECK(n == declared.rows.size());
    const int signals =
        declared.inputs.empty() ? 0 : declared.inputs.back().offset + declared.inputs.back().size;
    x.flanges.assign(flanges, {0, 0, 0});
    x.inputs.assign(static_cast<size_t>(signals), 0);
    x.inputRates = x.inputs;
    x.y.assign(n, 0);
    x.yp = x.residual = x.y;
    x.multipliers.assign(declared.constraints.size(), 0);
  }

  /// Flange by its name.
  FlangeState<double>& flange(const std::string& name) { return x.flanges[flangeIndex(name)]; }
  size_t flangeIndex(const std::string& name) const {
    for (size_t i = 0; i < declared.flanges.size(); ++i) {
      if (declared.flanges[i] == name) return i;
    }
    FAIL("no flange " << name);
    return 0;
  }
  double flow(const std::string& name) const { return x.flows[flangeIndex(name)]; }

  /// physics() at x; flows, rows and residues are in x then.
  void evaluate() { evaluateAt(x); }
  template <class S>
  void evaluateAt(Numbers<S>& numbers) {
    prepare(numbers);
    EvaluationTables<S> t = tables(numbers);
    View<S> view(t);
    component.evaluate(view);
  }
  std::vector<double> values(const std::string& name) { return valuesAt(name, x); }
  double value(const std::string& name) { return values(name).at(0); }
  /// Values with derivatives by time in lane 0: time itself and flanges, inputs, unknowns with
  /// their rates.
  std::vector<Dual> alongTime(const std::string& name) {
    Numbers<Dual> n = dual();
    n.time.setLane(0, 1);
    for (size_t i = 0; i < x.flanges.size(); ++i) {
      n.flanges[i].position.setLane(0, x.flanges[i].velocity);
      n.flanges[i].velocity.setLane(0, x.flanges[i].acceleration);
    }
    for (size_t i = 0; i < x.inputs.size(); ++i) n.inputs[i].setLane(0, x.inputRates[i]);
    for (size_t i = 0; i < x.y.size(); ++i) n.y[i].setLane(0, x.yp[i]);
    return valuesAt(name, n);
  }
  Numbers<Dual> dual() const {
    Numbers<Dual> n;
    n.time = x.time;
    for (const auto& f : x.flanges) n.flanges.push_back({f.position, f.velocity, f.acceleration});
    auto copy = [](const std::vector<double>& from, std::vector<Dual>& to) {
      to.assign(from.begin(), from.end());
    };
    copy(x.inputs, n.inputs);
    copy(x.inputRates, n.inputRates);
    copy(x.y, n.y);
    copy(x.yp, n.yp);
    copy(x.multipliers, n.multipliers);
    return n;
  }
  double initial(size_t i) {
    prepare(x);
    EvaluationTables<double> t = tables(x);
    double g = 0;
    described.initials.at(i).f->evaluate(View<double>(t), &g);
    return g;
  }
  /// Kinetic and potential energy.
  std::pair<double, double> energy() {
    prepare(x);
    EvaluationTables<double> t = tables(x);
    double sums[8];
    described.energies.at(0)->evaluate(View<double>(t), sums);
    return {sums[0], sums[1]};
  }
  Events events() {
    prepare(x);
    EvaluationTables<double> t = tables(x);
    Events e;
    component.guards(View<double>(t), e);
    return e;
  }
  /// One call of transition().
  bool transition() {
    prepare(x);
    EvaluationTables<double> t = tables(x);
    ModeList list{modes};
    return component.transition(View<double>(t), list);
  }
  /// Transitions at x until nothing changes.
  void settle() {
    for (int i = 0; i < 10; ++i) {
      if (!transition()) return;
    }
    FAIL("the modes do not settle");
  }
  /// Goes to `time` and settles.
  void at(double time) {
    x.time = time;
    settle();
  }
  int mode(const std::string& name) const {
    for (size_t i = 0; i < modes.size(); ++i) {
      if (declared.modes[i] == name) return modes[i];
    }
    FAIL("no mode " << name);
    return 0;
  }

  std::unique_ptr<Component> made = make<C>();
  Component& component = *made;
  Reader reader;
  Declared declared;
  Described described;
  Numbers<double> x;
  std::vector<int> modes;

 private:
  struct ModeList final : Modes {
    explicit ModeList(std::vector<int>& m) : modes(m) {}
    int get(ModeId m) const override { return m.valid() ? modes[static_cast<size_t>(m.index)] : 0; }
    void set(ModeId m, int mode) override { modes[static_cast<size_t>(m.index)] = mode; }
    std::vector<int>& modes;
  };

  template <class S>
  void prepare(Numbers<S>& n) const {
    n.flows.assign(n.flanges.size(), S(0.0));
    n.residual.assign(n.y.size(), S(0.0));
    n.positionResidues.assign(n.multipliers.size(), S(0.0));
    n.velocityResidues = n.positionResidues;
  }
  template <class S>
  EvaluationTables<S> tables(Numbers<S>& n) {
    EvaluationTables<S> t;
    t.time = n.time;
    t.world = &declared.settings;
    t.unknownOffset = t.rowOffset = t.flangeNode = t.constraintOffset = counted_.data();
    t.y = n.y.data();
    t.yp = n.yp.data();
    t.residual = n.residual.data();
    t.signalOffset = signalOffset_.data();
    t.signals = n.inputs.data();
    t.signalRates = n.inputRates.data();
    t.flanges = n.flanges.data();
    t.flangeLoads = n.flows.data();
    t.connectorFlows = connectorFlowsOf(n);
    t.multipliers = n.multipliers.data();
    t.positionResidues = n.positionResidues.data();
    t.velocityResidues = n.velocityResidues.data();
    t.modes = modes.data();
    return t;
  }
  /// The same list again would count twice; a sensor reads what was set by hand.
  template <class S>
  S* connectorFlowsOf(Numbers<S>& n) {
    if (component.evaluates()) return nullptr;
    auto& list = sensed<S>();
    list.assign(n.flanges.size(), S(0.0));
    for (size_t i = 0; i < list.size() && i < given.size(); ++i) list[i] = given[i];
    return list.data();
  }
  template <class S>
  std::vector<S>& sensed() {
    if constexpr (std::is_same_v<S, double>)
      return sensed_;
    else
      return sensedDual_;
  }
  template <class S>
  std::vector<S> valuesAt(const std::string& name, Numbers<S>& n) {
    REQUIRE_MESSAGE(described.variables.count(name), "no variable " << name);
    prepare(n);
    EvaluationTables<S> t = tables(n);
    const auto& variable = described.variables.at(name);
    std::vector<S> out(static_cast<size_t>(variable.size));
    variable.f->evaluate(View<S>(t), out.data());
    return out;
  }

 public:
  std::vector<double> given;  ///< flows at the connectors, of parts without physics

 private:
  std::vector<int> counted_, signalOffset_;
  std::vector<double> sensed_;
  std::vector<Dual> sensedDual_;
};

/// |x - expected| <= tolerance (1 + |expected|)
inline void checkClose(double x, double expected, double tolerance = 1e-12) {
  CHECK_MESSAGE(std::abs(x - expected) <= tolerance * (1 + std::abs(expected)),
                x << " against " << expected);
}

}  // namespace cardan::bench
