#include "engine/structure/flat_model.h"

#include <algorithm>

#include "engine/structure/union_find.h"
#include "engine/text/plain_number.h"

namespace cardan {
namespace {

/// Structure that writes into a FlatModel, for one instance at a time.
class Declaration final : public Structure {
 public:
  Declaration(FlatModel& flatModel, Diagnostics& diagnostics)
      : b_(flatModel), diagnostics_(diagnostics) {}

  void declare(int instance) {
    const int outer = instance_;
    instance_ = instance;
    at(instance).component->declare(*this);
    resolveInner(instance);
    instance_ = outer;
  }

  const WorldSettings& world() const override { return *b_.world; }

  FrameId frame(const std::string& name) override {
    const int index = addFrame(full(name), false);
    add(name, ConnectorKind::frame, index);
    return {index};
  }
  FrameId worldFrame() override {
    const int index = addFrame(full("(world)"), true);
    b_.frameConnections.emplace_back(0, index);
    return {index};
  }
  FlangeId flange(const std::string& name, Domain domain) override {
    const int index = std::ssize(b_.flanges);
    b_.flanges.push_back({instance_, full(name), domain, {}});
    add(name, ConnectorKind::flange, index);
    return {index};
  }
  SignalId input(const std::string& name, int size, Rate rate) override {
    const int index = std::ssize(b_.inputs);
    b_.inputs.push_back({instance_, full(name), size, rate});
    add(name, ConnectorKind::input, index);
    return {index};
  }

  JointId joint(FrameId a, FrameId b, const JointLaw& law, std::vector<UnknownInfo> positions,
                std::vector<UnknownInfo> velocities, CutPolicy policy) override {
    b_.edges.push_back(
        {instance_, &law, &law, a, b, std::move(positions), std::move(velocities), policy});
    return {count(b_.edges) - 1};
  }
  void cut(FrameId a, FrameId b, const ClosureLaw& closure) override {
    b_.edges.push_back({instance_, nullptr, &closure, a, b, {}, {}, CutPolicy::always});
  }
  JointId root(FrameId f, const JointLaw& law, std::vector<UnknownInfo> positions,
               std::vector<UnknownInfo> velocities, RootRank rank) override {
    b_.edges.push_back({instance_,
                        &law,
                        &law,
                        {0},
                        f,
                        std::move(positions),
                        std::move(velocities),
                        CutPolicy::normal,
                        true,
                        rank});
    return {count(b_.edges) - 1};
  }
  void inertia(FrameId f) override { b_.massiveFrames.push_back(f); }
  ConstraintId constraint(const std::string& name, const std::string& unit, int positionRows,
                          int velocityRows) override {
    b_.constraints.push_back({instance_, full(name), unit, positionRows, velocityRows});
    return {count(b_.constraints) - 1};
  }

  void affine(Affine relation) override { b_.affines.push_back(std::move(relation)); }
  void axis(FlangeId f, JointId j, int k) override { b_.axes.push_back({f, j, k}); }
  void ground(FlangeId f, double potential) override { b_.grounds.push_back({f, potential}); }
  void inertia(FlangeId f) override { b_.inertialFlanges.push_back(f); }
  void addDriven(FlangeId f, std::unique_ptr<DrivenPotential> potential) override {
    b_.driven.push_back({f, std::move(potential)});
  }

  UnknownId unknown(const UnknownInfo& info, Kind kind) override {
    b_.unknowns.push_back({instance_, info, kind});
    return {count(b_.unknowns) - 1};
  }
  RowId row(const std::string& name, int size) override {
    b_.rows.push_back({instance_, full(name), size});
    return {count(b_.rows) - 1};
  }
  ModeId mode(const std::string& name, int start) override {
    b_.modes.push_back({instance_, full(name), start, false});
    return {count(b_.modes) - 1};
  }

  NumberId number(const std::string& name, double start, bool isFollowed) override {
    const NumberId id = Structure::number(name, start, isFollowed);
    for (const ModeId half : {id.high, id.low}) b_.modes[half.index].isHalf = true;
    if (isFollowed) b_.numbers.push_back({instance_, id});
    return id;
  }

  PastId past(SignalId signal, ModeId stretch, double longest) override {
    b_.pasts.push_back({instance_, signal, stretch, longest});
    return {count(b_.pasts) - 1};
  }
  ImpulseId impulse() override {
    b_.impulses.push_back(instance_);
    return {count(b_.impulses) - 1};
  }
  OutsideId outside() override {
    b_.outsides.push_back(instance_);
    return {count(b_.outsides) - 1};
  }

  void addPart(const std::string& name, std::unique_ptr<Component> component) override {
    const int index = std::ssize(b_.instances);
    b_.instances.push_back(
        {full(name), at(instance_).type, at(instance_).at, component.get(), instance_});
    b_.owned.push_back(std::move(component));
    declare(index);
  }
  void connect(const std::string& a, const std::string& b) override {
    inner_.push_back({instance_, full(a), full(b)});
  }
  void error(const std::string& text) override {
    diagnostics_.error(at(instance_).at, b_.typeAndName(instance_) + ": " + text);
  }

 private:
  struct Inner {
    int instance;
    std::string a, b;
  };

  Instance& at(int i) { return b_.instances[i]; }
  std::string full(const std::string& name) { return at(instance_).full(name); }
  int addFrame(const std::string& name, bool internal) {
    b_.frames.push_back({instance_, name, {}, internal});
    return std::ssize(b_.frames) - 1;
  }
  void add(const std::string& name, ConnectorKind kind, int index) {
    b_.connectors.insert_or_assign(full(name), FlatModel::ConnectorRef{kind, index});
  }

  /// Connections that a composite states among its parts and own connectors. Own frames and flanges
  /// stand for the parts' connectors of their set: what the user sees there is the sum of the loads
  /// inside.
  void resolveInner(int instance) {
    std::vector<std::pair<int, int>> frames, flanges;
    for (const Inner& c : inner_) {
      if (c.instance != instance) continue;
      const auto a = b_.connectors.find(c.a), b = b_.connectors.find(c.b);
      if (a == b_.connectors.end() && b != b_.connectors.end() &&
          b->second.kind == ConnectorKind::input) {
        // A variable, found when all are described.
        b_.signalConnections.push_back({c.a, b->second.index, -1, at(instance).at});
        continue;
      }
      if (a == b_.connectors.end() || b == b_.connectors.end() ||
          a->second.kind != b->second.kind) {
        diagnostics_.error(at(instance).at, b_.typeAndName(instance) +
                                                ": cannot connect its parts '" + c.a + "' and '" +
                                                c.b + "'");
        continue;
      }
      switch (a->second.kind) {
        case ConnectorKind::frame:
          frames.emplace_back(a->second.index, b->second.index);
          break;
        case ConnectorKind::flange:
          flanges.emplace_back(a->second.index, b->second.index);
          break;
        case ConnectorKind::input:
          b_.signalConnections.push_back({c.a, b->second.index, -1, at(instance).at});
          break;
      }
    }
    std::erase_if(inner_, [&](const Inner& c) { return c.instance == instance; });
    unite(instance, frames, b_.frames, b_.frameConnections);
    unite(instance, flanges, b_.flanges, b_.flangeConnections);
  }

  template <class Connector>
  static void unite(int instance, const std::vector<std::pair<int, int>>& pairs,
                    std::vector<Connector>& all, std::vector<std::pair<int, int>>& connections) {
    if (pairs.empty()) return;
    std::vector<int> members;
    const auto place = [&](int m) -> int {
      return std::ranges::find(members, m) - members.begin();
    };
    for (auto [a, b] : pairs) {
      connections.emplace_back(a, b);
      for (int m : {a, b}) {
        if (place(m) == std::ssize(members)) members.push_back(m);
      }
    }
    UnionFind sets(members.size());
    for (auto [a, b] : pairs) sets.unite(place(a), place(b));
    for (int own : members) {
      Connector& connector = all[own];
      if (connector.instance != instance) continue;
      for (int other : members) {
        if (all[other].instance != instance && sets.find(place(own)) == sets.find(place(other)))
          connector.inner.push_back(other);
      }
    }
  }

  FlatModel& b_;
  Diagnostics& diagnostics_;
  int instance_ = -1;
  std::vector<Inner> inner_;
};

const char* kindWord(ConnectorKind k) {
  switch (k) {
    case ConnectorKind::frame:
      return "a frame";
    case ConnectorKind::flange:
      return "a flange";
    case ConnectorKind::input:
      return "a signal input";
  }
  return "";
}

const char* domainWord(Domain d) {
  switch (d) {
    case Domain::Rotational:
      return "a rotational flange";
    case Domain::Translational:
      return "a translational flange";
    case Domain::Electrical:
      return "an electrical pin";
    case Domain::Thermal:
      return "a heat port";
  }
  return "";
}

/// The connectors and components of a flat model by name.
class Connectors {
 public:
  explicit Connectors(const FlatModel& b) : b_(b) {
    for (size_t i = 0; i < b_.instances.size(); ++i)
      instances_.insert_or_assign(b_.instances[i].name, i);
  }

  /// Connector of this name; one element of a vector input may be named by its index
  /// ("force.force[2]").
  const FlatModel::ConnectorRef* find(const std::string& name, int& element) const {
    auto i = b_.connectors.find(name);
    if (i == b_.connectors.end() && name.ends_with(']')) {
      const size_t open = name.rfind('[');
      i = b_.connectors.find(name.substr(0, open));
      if (i == b_.connectors.end() || i->second.kind != ConnectorKind::input) return nullptr;
      const std::string_view inside = std::string_view(name).substr(open + 1);
      element = plainNumber<int>(inside.substr(0, inside.size() - 1)).value_or(0) - 1;
      if (element < 0 || element >= b_.inputs[i->second.index].size) return nullptr;
    }
    return i == b_.connectors.end() ? nullptr : &i->second;
  }
  std::string describe(const FlatModel::ConnectorRef& r, const std::string& name) const {
    return "'" + name + "', " +
           (r.kind == ConnectorKind::flange ? domainWord(b_.flanges[r.index].domain)
                                            : kindWord(r.kind));
  }
  /// Instance whose name is the longest prefix of `name`, or -1.
  int owner(const std::string& name) const {
    for (size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0;
         dot = name.rfind('.', dot - 1)) {
      const auto i = instances_.find(std::string_view(name).substr(0, dot));
      if (i != instances_.end()) return i->second;
    }
    return -1;
  }
  /// Connectors of an instance, without its name in front.
  std::vector<std::string> of(int instance) const {
    const std::string prefix = b_.instances[instance].name + ".";
    std::vector<std::string> own;
    for (auto i = b_.connectors.lower_bound(prefix);
         i != b_.connectors.end() && i->first.starts_with(prefix); ++i) {
      if (owner(i->first) == instance) own.push_back(i->first.substr(prefix.size()));
    }
    return own;
  }

 private:
  const FlatModel& b_;
  std::map<std::string, int, std::less<>> instances_;  ///< by name
};

/// Resolves the user's connections.
class Connecting {
 public:
  Connecting(FlatModel& b, Diagnostics& diagnostics)
      : b_(b), connectors_(b), diagnostics_(diagnostics) {}

  void connect(const ConnectionStatement& c) {
    if (c.a == c.b) {
      diagnostics_.error(c.at_b, "'" + c.a + "' is connected to itself");
      return;
    }
    int element_a = -1, element_b = -1;
    const auto a = connectors_.find(c.a, element_a), b = connectors_.find(c.b, element_b);
    // A name that is no connector may be an output: a signal connection, resolved with the
    // variables.
    if (!a || !b) {
      const auto& known = a ? a : b;
      if (!known || known->kind != ConnectorKind::input) {
        b_.otherConnections.push_back(c);
      } else {
        b_.signalConnections.push_back(
            {a ? c.b : c.a, known->index, a ? element_a : element_b, a ? c.at_b : c.at_a});
      }
    } else if (a->kind != b->kind) {
      diagnostics_.error(c.at_b, "cannot connect " + connectors_.describe(*a, c.a) + ", with " +
                                     connectors_.describe(*b, c.b));
    } else if (a->kind == ConnectorKind::frame) {
      b_.frameConnections.emplace_back(a->index, b->index);
    } else if (a->kind == ConnectorKind::flange) {
      const Domain da = b_.flanges[a->index].domain;
      const Domain db = b_.flanges[b->index].domain;
      if (da != db) {
        diagnostics_.error(c.at_b, "cannot connect '" + c.a + "', " + domainWord(da) + ", with '" +
                                       c.b + "', " + domainWord(db));
      } else {
        b_.flangeConnections.emplace_back(a->index, b->index);
      }
    } else {
      b_.signalConnections.push_back({c.a, b->index, element_b, c.at_a});
    }
  }

 private:
  FlatModel& b_;
  Connectors connectors_;
  Diagnostics& diagnostics_;
};

/// Tells what is wrong with connections that are none.
class WrongConnections {
 public:
  WrongConnections(const FlatModel& b, const std::function<bool(const std::string&)>& isOutput,
                   Diagnostics& diagnostics)
      : b_(b), connectors_(b), isOutput_(isOutput), diagnostics_(diagnostics) {}

  void report(const ConnectionStatement& c) {
    const std::string a = describe(c.a), b = describe(c.b);
    if (a.empty()) unknown(c.a, c.at_a);
    if (b.empty()) unknown(c.b, c.at_b);
    if (a.empty() || b.empty()) return;
    diagnostics_.error(c.at_b, "cannot connect " + a + ", with " + b + inputBeside(c));
  }

 private:
  /// "'s.y', an output"; "" for what is neither a connector nor an output.
  std::string describe(const std::string& name) const {
    int element = -1;
    if (const auto* connector = connectors_.find(name, element))
      return connectors_.describe(*connector, name);
    return isOutput_(name) ? "'" + name + "', an output" : "";
  }

  /// Where two outputs meet, the input that may have been meant.
  std::string inputBeside(const ConnectionStatement& c) const {
    if (!isOutput_(c.a) || !isOutput_(c.b)) return "";
    std::vector<std::string> inputs;
    for (const std::string& end : {c.b, c.a}) {
      const int instance = connectors_.owner(end);
      for (const std::string& n : connectors_.of(instance)) {
        const std::string full = b_.instances[instance].name + "." + n;
        if (b_.connectors.find(full)->second.kind == ConnectorKind::input) inputs.push_back(full);
      }
      if (!inputs.empty()) break;
    }
    return std::string(": a connection leads from an output to an input") +
           (inputs.size() == 1 ? "; did you mean '" + inputs[0] + "'?" : "");
  }

  /// Reports a connection's end that names nothing.
  void unknown(const std::string& name, const SourceMark& at) {
    const int instance = connectors_.owner(name);
    if (instance < 0) {
      const auto instances = [&] {
        std::vector<std::string> names;
        for (const Instance& i : b_.instances) {
          if (i.parent < 0) names.push_back(i.name);
        }
        return names;
      };
      const size_t dot = name.rfind('.');
      const std::string component = dot == std::string::npos ? name : name.substr(0, dot);
      diagnostics_.error(at, "no component '" + component + "' for the connector '" + name + "'" +
                                 diagnostics_.suggestion(component, instances));
      return;
    }
    const std::string& prefix = b_.instances[instance].name;
    const std::vector<std::string> own = connectors_.of(instance);
    std::string list;
    for (const std::string& n : own) list += (list.empty() ? "" : ", ") + n;
    const std::string last = name.size() > prefix.size() ? name.substr(prefix.size() + 1) : name;
    diagnostics_.error(
        at, b_.typeAndName(instance) + ": no connector '" + last + "'" +
                didYouMean(last, own, "it has " + (list.empty() ? std::string("none") : list)));
  }

  const FlatModel& b_;
  Connectors connectors_;
  const std::function<bool(const std::string&)>& isOutput_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<bool> FlatModel::withComposites(std::vector<bool> some) const {
  std::vector<int> whole(some.size());
  for (int i = 0; i < std::ssize(some); ++i) {
    const int parent = instances[i].parent;
    whole[i] = parent < 0 ? i : whole[parent];
    if (some[i]) some[whole[i]] = true;
  }
  for (size_t i = 0; i < some.size(); ++i) some[i] = some[whole[i]];
  return some;
}

std::string FlatModel::typeAndName(int instance) const {
  const Instance& i = instances[instance];
  return i.name.empty() ? i.type : i.type + " '" + i.name + "'";
}

FlatModel makeFlatModel(const WorldSettings& world, std::vector<NamedComponent> components,
                        const std::vector<ConnectionStatement>& connections,
                        Diagnostics& diagnostics, const MakeAdditions& additions) {
  FlatModel b;
  b.world = &world;
  b.frames.push_back({-1, "(world)", {}, true});
  const auto add = [&](std::vector<NamedComponent>& some,
                       const std::vector<ConnectionStatement>& theirs) {
    const int first = std::ssize(b.instances);
    for (NamedComponent& c : some) {
      b.instances.push_back({c.name, c.type, c.at, c.component.get(), -1});
      b.owned.push_back(std::move(c.component));
    }
    Declaration declaration(b, diagnostics);
    for (int i = first; i < first + std::ssize(some); ++i) declaration.declare(i);
    Connecting connecting(b, diagnostics);
    for (const ConnectionStatement& c : theirs) connecting.connect(c);
  };
  add(components, connections);
  if (!additions) return b;
  Additions more = additions(b);
  add(more.components, more.connections);
  return b;
}

void checkConnections(const FlatModel& flatModel,
                      const std::function<bool(const std::string&)>& isOutput,
                      Diagnostics& diagnostics) {
  if (flatModel.otherConnections.empty()) return;
  WrongConnections wrong(flatModel, isOutput, diagnostics);
  for (const ConnectionStatement& c : flatModel.otherConnections) wrong.report(c);
}

}  // namespace cardan
