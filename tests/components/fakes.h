// What a component sees of the engine, for tests of single components: a reader of values in a map,
// a structure that records what is declared, variables that can be evaluated, and the tables of one
// evaluation.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "components/component.h"

namespace cardan::fake {

/// `{start:, fixed:}` of a variable.
struct Start {
  std::vector<double> start;
  bool fixed = false;
};
using Value = std::variant<bool, double, std::string, std::vector<double>, Start>;
using Values = std::map<std::string, Value>;

/// Reads values by name ("part.name" inside begin("part")); errors as "'name' RULE".
class Reader final : public ParameterReader {
 public:
  explicit Reader(Values values = {}) : values_(std::move(values)) {}

  bool require(bool holds, std::string_view name, std::string_view rule) override {
    if (!holds) errors.push_back("'" + std::string(name) + "' " + std::string(rule));
    return holds;
  }
  bool isGiven(std::string_view name) const override {
    return values_.count(path_ + std::string(name)) > 0;
  }
  const WorldSettings& world() const override { return settings; }
  void begin(std::string_view part) override { path_ += std::string(part) + "."; }
  void end() override {
    path_.pop_back();
    path_.erase(path_.find_last_of('.') + 1);
  }

  /// Reads a component and reports keys that it does not have.
  void read(Component& c) {
    c.read(*this);
    c.parametersChanged();
    for (const auto& [name, value] : values_) {
      if (!names.count(name)) errors.push_back("unknown key '" + name + "'");
    }
  }

  std::vector<std::string> errors;
  std::set<std::string> names;
  WorldSettings settings;

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override {
    const std::string name = path_ + std::string(info.name);
    CHECK_MESSAGE(names.insert(name).second, name << " is read once");
    CHECK_MESSAGE(!info.description.empty(), name << " is documented");
    const auto given = values_.find(name);
    if (given == values_.end()) return;
    const Value& value = given->second;
    if (auto* b = std::get_if<bool*>(&target)) {
      **b = std::get<bool>(value);
    } else if (auto* x = std::get_if<double*>(&target)) {
      **x = std::get<double>(value);
      if (**x < info.minimum || (info.minimumExcluded && **x == info.minimum)) {
        errors.push_back("'" + name + "' is out of range");
      }
    } else if (auto* s = std::get_if<std::string*>(&target)) {
      **s = std::get<std::string>(value);
    } else if (auto* v = std::get_if<Vector3d*>(&target)) {
      const auto& list = std::get<std::vector<double>>(value);
      for (int i = 0; i < 3; ++i) (**v)[i] = list.at(static_cast<size_t>(i));
    } else if (auto* n = std::get_if<std::array<int, 3>*>(&target)) {
      const auto& list = std::get<std::vector<double>>(value);
      for (size_t i = 0; i < 3; ++i) (**n)[i] = static_cast<int>(list.at(i));
    } else if (auto* e = std::get_if<EnumerationTarget>(&target)) {
      const auto& choice = std::get<std::string>(value);
      for (size_t i = 0; i < e->names.size(); ++i) {
        if (e->names[i] == choice) e->set(static_cast<int>(i));
      }
    } else if (auto* start = std::get_if<StartTarget>(&target)) {
      const auto& wanted = std::get<Start>(value);
      for (int i = 0; i < start->size; ++i) {
        if (!wanted.start.empty()) start->start[i] = wanted.start.at(static_cast<size_t>(i));
        start->fixed[i] = wanted.fixed;
      }
      *start->given = !wanted.start.empty();
    } else {
      FAIL("no value of this kind");
    }
  }

 private:
  Values values_;
  std::string path_;
};

/// Records what is declared.
class Declared final : public Structure {
 public:
  struct Edge {
    int a, b;
    const JointLaw* law;
    std::vector<UnknownInfo> positions, velocities;
    CutPolicy policy;
  };
  struct Cut {
    int a, b;
    const ClosureLaw* closure;
  };
  struct Root {
    int frame;
    const JointLaw* law;
    std::vector<UnknownInfo> positions, velocities;
    RootRank rank;
  };

  const WorldSettings& world() const override { return settings; }
  FrameId frame(const std::string& name) override {
    CHECK(frameIndex.emplace(name, static_cast<int>(frameIndex.size())).second);
    return {frameIndex.at(name)};
  }
  FrameId worldFrame() override {
    return {frameIndex.emplace("world", static_cast<int>(frameIndex.size())).first->second};
  }
  FlangeId flange(const std::string& name, Domain) override {
    flanges.push_back(name);
    return {static_cast<int>(flanges.size()) - 1};
  }
  SignalId input(const std::string& name, int, Rate) override {
    inputs.push_back(name);
    return {static_cast<int>(inputs.size()) - 1};
  }
  JointId joint(FrameId a, FrameId b, const JointLaw& law, std::vector<UnknownInfo> positions,
                std::vector<UnknownInfo> velocities, CutPolicy policy) override {
    CHECK(static_cast<int>(positions.size()) == law.positions());
    CHECK(static_cast<int>(velocities.size()) == law.velocities());
    edges.push_back({a.index, b.index, &law, std::move(positions), std::move(velocities), policy});
    return {jointCount++};
  }
  void cut(FrameId a, FrameId b, const ClosureLaw& closure) override {
    cuts.push_back({a.index, b.index, &closure});
  }
  JointId root(FrameId f, const JointLaw& law, std::vector<UnknownInfo> positions,
               std::vector<UnknownInfo> velocities, RootRank rank) override {
    CHECK(static_cast<int>(positions.size()) == law.positions());
    CHECK(static_cast<int>(velocities.size()) == law.velocities());
    roots.push_back({f.index, &law, std::move(positions), std::move(velocities), rank});
    return {jointCount++};
  }
  void inertia(FrameId f) override { masses.push_back(f.index); }
  ConstraintId constraint(const std::string&, const std::string&, int, int) override {
    return {constraintCount++};
  }
  void affine(Affine) override {}
  void axis(FlangeId, JointId, int) override {}
  void ground(FlangeId, double) override {}
  void inertia(FlangeId) override {}
  UnknownId unknown(const UnknownInfo& info, Kind) override {
    unknowns.push_back(info);
    return {static_cast<int>(unknowns.size()) - 1};
  }
  RowId row(const std::string&, int) override { return {rowCount++}; }
  ModeId mode(const std::string&, int) override { return {modeCount++}; }
  PastId past(SignalId, ModeId, double) override { return {}; }
  ImpulseId impulse() override { return {}; }
  void addPart(const std::string& name, std::unique_ptr<Component> component) override {
    parts[name] = std::move(component);
  }
  void connect(const std::string& a, const std::string& b) override {
    connections.emplace_back(a, b);
  }
  void error(const std::string& text) override { errors.push_back(text); }

  std::vector<std::pair<int, std::unique_ptr<DrivenPotential>>> drivenPotentials;
  WorldSettings settings;
  std::map<std::string, int> frameIndex;
  std::vector<std::string> flanges, inputs, errors;
  std::vector<Edge> edges;
  std::vector<Cut> cuts;
  std::vector<Root> roots;
  std::vector<UnknownInfo> unknowns;
  std::vector<int> masses;
  std::map<std::string, std::unique_ptr<Component>> parts;
  std::vector<std::pair<std::string, std::string>> connections;
  int jointCount = 0, constraintCount = 0, rowCount = 0, modeCount = 0;

 protected:
  void addDriven(FlangeId f, std::unique_ptr<DrivenPotential> potential) override {
    drivenPotentials.emplace_back(f.index, std::move(potential));
  }
};

/// The tables of one evaluation: every frame a node of its own, joints without coordinates unless
/// set.
template <class S>
struct Tables {
  explicit Tables(const Declared& declared)
      : settings(declared.settings),
        frames(declared.frameIndex.size()),
        loads(frames.size()),
        connectorLoads(frames.size()),
        joints(static_cast<size_t>(declared.jointCount), JointState<S>{nullptr, nullptr, nullptr}) {
    for (size_t i = 0; i < frames.size(); ++i) {
      nodes.push_back(static_cast<int>(i));
      frames[i] = {Vector3<S>::Zero(), frames::nullRotation<S>(), Vector3<S>::Zero(),
                   Vector3<S>::Zero(), Vector3<S>::Zero()};
      loads[i].setZero();
      connectorLoads[i].setZero();
    }
    tables.time = S(0);
    tables.world = &settings;
    tables.frameNode = nodes.data();
    tables.frames = frames.data();
    tables.loads = loads.data();
    tables.connectorLoads = connectorLoads.data();
    tables.joints = joints.data();
  }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  View<S> view() { return View<S>(tables); }

  WorldSettings settings;
  std::vector<int> nodes;
  std::vector<FrameState<S>> frames;
  std::vector<Wrench<S>> loads, connectorLoads;
  std::vector<JointState<S>> joints;
  EvaluationTables<S> tables;
};

/// Keeps what is described and evaluates it.
class Described final : public Variables {
 public:
  struct StartOf {
    double start;
    bool fixed, given;
    StateSelect select;
  };
  struct Initial {
    InitialInfo info;
    int size;
    std::unique_ptr<VariableFunction> f;
  };

  void alias(const std::string& name, const std::string& target) override {
    aliases[name] = target;
  }

  /// Values of variable `name`, in the order of its elements.
  template <class S>
  std::vector<S> evaluate(const std::string& name, Tables<S>& t) const {
    REQUIRE_MESSAGE(functions.count(name), "no variable " << name);
    int size = 1;
    for (int n : dimensions.at(name)) size *= n;
    std::vector<S> out(static_cast<size_t>(size));
    t.tables.memory = memory.data();
    functions.at(name)->evaluate(t.view(), out.data());
    return out;
  }
  template <class S>
  Vector3<S> vector(const std::string& name, Tables<S>& t) const {
    const auto v = evaluate(name, t);
    REQUIRE(v.size() == 3);
    return {v[0], v[1], v[2]};
  }
  /// Kinetic and potential energy, p_0 (3), L_0 (3).
  template <class S>
  std::array<S, 8> sums(Tables<S>& t) const {
    REQUIRE(mechanics.size() == 1);
    std::array<S, 8> out;
    mechanics[0]->evaluate(t.view(), out.data());
    return out;
  }

  std::map<std::string, VariableInfo> infos;
  std::map<std::string, std::vector<int>> dimensions;
  std::map<std::string, std::unique_ptr<VariableFunction>> functions;
  std::map<std::string, std::vector<StartOf>> starts;
  std::map<std::string, std::string> aliases;
  std::vector<Initial> initials;
  std::vector<std::unique_ptr<VariableFunction>> mechanics;
  std::vector<double> memory;  ///< of all variables, as at the start
  std::vector<std::pair<MemoryId, std::unique_ptr<VariableFunction>>> nextMemories;

 protected:
  void add(VariableInfo info, std::vector<int> size, std::unique_ptr<VariableFunction> f) override {
    const std::string name = info.name;
    CHECK_MESSAGE(infos.emplace(name, std::move(info)).second, name << " is described once");
    CHECK_MESSAGE(!infos.at(name).description.empty(), name << " is documented");
    dimensions[name] = std::move(size);
    functions[name] = std::move(f);
  }
  void addStart(const std::string& name, int, double start, bool fixed, bool given,
                StateSelect select) override {
    starts[name].push_back({start, fixed, given, select});
  }
  void addInitial(InitialInfo info, int size, std::unique_ptr<VariableFunction> f) override {
    initials.push_back({std::move(info), size, std::move(f)});
  }
  void addMechanics(const std::vector<SignalId>&, std::unique_ptr<VariableFunction> f) override {
    mechanics.push_back(std::move(f));
  }
  MemoryId addMemory(const std::vector<double>& start) override {
    const MemoryId id{static_cast<int>(memory.size())};
    memory.insert(memory.end(), start.begin(), start.end());
    return id;
  }
  void setMemory(MemoryId m, std::unique_ptr<VariableFunction> next) override {
    nextMemories.emplace_back(m, std::move(next));
  }
};

}  // namespace cardan::fake
