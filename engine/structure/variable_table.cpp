#include "engine/structure/variable_table.h"

#include <charconv>

namespace cardan {
namespace {

/// VariableFunction of a callable f(const View<S>&, S* out).
template <class F>
class Function final : public VariableFunction {
 public:
  explicit Function(F f) : f_(std::move(f)) {}
  void evaluate(const View<double>& x, double* out) const override { f_(x, out); }
  void evaluate(const View<Dual>& x, Dual* out) const override { f_(x, out); }

 private:
  F f_;
};
template <class F>
std::unique_ptr<VariableFunction> function(F f) {
  return std::make_unique<Function<F>>(std::move(f));
}

int product(const std::vector<int>& dimensions) {
  int n = 1;
  for (int d : dimensions) n *= d;
  return n;
}

}  // namespace

/// Variables that writes into a table, for one instance at a time; starts are resolved when all
/// names are known.
class VariableTable::Description final : public Variables {
 public:
  Description(VariableTable& table, const FlatModel& flatModel, Diagnostics& diagnostics)
      : table_(table), flatModel_(flatModel), diagnostics_(diagnostics) {}

  void describe(int instance) {
    instance_ = instance;
    flatModel_.instances[static_cast<size_t>(instance)].component->describe(*this);
  }

  void alias(const std::string& name, const std::string& target) override {
    table_.aliases_.insert_or_assign(full(name), full(target));
  }

  /// Start values may name coordinates and aliases, which are known only at the end.
  void resolveStarts() {
    for (const Pending& p : pending_) {
      const auto v = table_.find(p.name);
      if (!v) {
        if (p.start.fixed || p.start.given) {
          const Instance& i = flatModel_.instances[static_cast<size_t>(p.instance)];
          diagnostics_.error(i.at, flatModel_.typeAndName(p.instance) + ": start value for '" +
                                       p.name + "', which it does not have here");
        }
        continue;
      }
      Start s = p.start;
      s.of.variable = *v;
      table_.starts_.push_back(s);
    }
  }

 private:
  struct Pending {
    std::string name;
    int instance;
    Start start;
  };

  void add(VariableInfo info, std::vector<int> dimensions,
           std::unique_ptr<VariableFunction> f) override {
    std::string name = full(info.name);
    table_.add(std::move(name), std::move(info), std::move(dimensions), std::move(f), instance_);
  }
  void addStart(const std::string& name, int element, double start, bool fixed, bool given,
                StateSelect select) override {
    pending_.push_back(
        {full(name), instance_, {{-1, element < 0 ? 0 : element}, start, fixed, given, select}});
  }
  void addInitial(InitialInfo info, int size, std::unique_ptr<VariableFunction> f) override {
    table_.initials_.push_back({std::move(info), size, instance_, std::move(f)});
  }
  void addMechanics(std::unique_ptr<VariableFunction> f) override {
    table_.mechanics_.push_back(std::move(f));
  }
  MemoryId addMemory(const std::vector<double>& start) override {
    std::vector<double>& all = table_.memoryStart_;
    const MemoryId id{static_cast<int>(all.size())};
    all.insert(all.end(), start.begin(), start.end());
    return id;
  }
  void setMemory(MemoryId m, std::unique_ptr<VariableFunction> next) override {
    table_.memories_.push_back({m.index, std::move(next)});
  }

  std::string full(const std::string& name) const {
    return flatModel_.instances[static_cast<size_t>(instance_)].name + "." + name;
  }

  VariableTable& table_;
  const FlatModel& flatModel_;
  Diagnostics& diagnostics_;
  int instance_ = -1;
  std::vector<Pending> pending_;
};

VariableTable::VariableTable(const FlatModel& b, Diagnostics& diagnostics) {
  Description description(*this, b, diagnostics);
  for (size_t i = 0; i < b.instances.size(); ++i) description.describe(static_cast<int>(i));

  auto prefix = [&](int instance) { return b.instances[static_cast<size_t>(instance)].name + "."; };
  for (size_t e = 0; e < b.edges.size(); ++e) {
    const FlatModel::Edge& edge = b.edges[e];
    const JointId j{static_cast<int>(e)};
    auto coordinate = [&](const UnknownInfo& u, auto read, Level level) {
      const std::string name = prefix(edge.instance) + u.name;
      if (!elements(name).empty()) return;
      add(name, {u.name, u.unit, u.description, level}, {}, function(read), edge.instance);
    };
    for (size_t i = 0; i < edge.positions.size(); ++i) {
      coordinate(
          edge.positions[i],
          [j, i](const auto& x, auto* out) {
            const auto* q = x.joint(j).q;
            out[0] = q ? q[i] : 0.0 * x.time();
          },
          Level::Position);
    }
    for (size_t i = 0; i < edge.velocities.size(); ++i) {
      coordinate(
          edge.velocities[i],
          [j, i](const auto& x, auto* out) {
            const auto* v = x.joint(j).v;
            out[0] = v ? v[i] : 0.0 * x.time();
          },
          Level::Velocity);
    }
  }
  for (size_t u = 0; u < b.unknowns.size(); ++u) {
    const FlatModel::Unknown& unknown = b.unknowns[u];
    const UnknownId id{static_cast<int>(u)};
    const std::string name = prefix(unknown.instance) + unknown.info.name;
    if (find(name)) continue;
    const Level level = unknown.kind == Kind::Differential ? Level::Position : Level::Acceleration;
    add(name, {unknown.info.name, unknown.info.unit, unknown.info.description, level}, {},
        function([id](const auto& x, auto* out) { out[0] = x.unknown(id); }), unknown.instance);
  }
  for (size_t k = 0; k < b.frames.size(); ++k) {
    const FlatModel::Frame& frame = b.frames[k];
    if (frame.internal) continue;
    const FrameId f{static_cast<int>(k)};
    auto vector = [&](const char* name, const char* unit, const char* text, Level level, auto get) {
      add(frame.name + "." + name, {name, unit, text, level}, {3},
          function([get, f](const auto& x, auto* out) {
            const auto v = get(x, f);
            for (int i = 0; i < 3; ++i) out[i] = v[i];
          }),
          frame.instance);
    };
    vector("r_0", "m", "position of the frame's origin, resolved in world", Level::Position,
           [](const auto& x, FrameId id) { return x.frame(id).r_0; });
    vector("R.w", "rad/s", "angular velocity of the frame, resolved in the frame", Level::Velocity,
           [](const auto& x, FrameId id) { return frames::angularVelocity2(x.frame(id).R); });
    vector("f", "N", "force on the component at the frame, resolved in the frame", Level::Force,
           [](const auto& x, FrameId id) {
             return frames::resolve2(x.frame(id).R, x.connectorLoad(id).f_0);
           });
    vector("t", "N.m", "torque on the component at the frame, resolved in the frame", Level::Force,
           [](const auto& x, FrameId id) {
             return frames::resolve2(x.frame(id).R, x.connectorLoad(id).t_0);
           });
    add(frame.name + ".R.T",
        {"R.T", "1", "transformation from world to the frame", Level::Position}, {3, 3},
        function([f](const auto& x, auto* out) {
          const auto& T = frames::to_T(x.frame(f).R);
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) out[3 * i + j] = T(i, j);
          }
        }),
        frame.instance);
  }
  addFlanges(b);
  addInputs(b);
  description.resolveStarts();
}

/// Signals that come in at connectors ("torque.tau").
void VariableTable::addInputs(const FlatModel& b) {
  for (size_t k = 0; k < b.inputs.size(); ++k) {
    const FlatModel::Input& input = b.inputs[k];
    if (find(input.name)) continue;
    const SignalId id{static_cast<int>(k)};
    VariableInfo info{input.name, "", "input", Level::Time};
    info.reads = {id};
    std::vector<int> dimensions;
    if (input.size > 1) dimensions = {input.size};
    add(input.name, std::move(info), std::move(dimensions),
        function([id, n = input.size](const auto& x, auto* out) {
          for (int i = 0; i < n; ++i) out[i] = x.input(id, i);
        }),
        input.instance);
  }
}

/// Potential and flow of every one-dimensional connector ("inertia.flange_a.phi", ".tau").
void VariableTable::addFlanges(const FlatModel& b) {
  struct Names {
    const char *potential, *potentialUnit, *flow, *flowUnit;
  };
  static constexpr Names kNames[] = {{"phi", "rad", "tau", "N.m"},
                                     {"s", "m", "f", "N"},
                                     {"v", "V", "i", "A"},
                                     {"T", "K", "Q_flow", "W"}};
  for (size_t k = 0; k < b.flanges.size(); ++k) {
    const FlatModel::Flange& flange = b.flanges[k];
    const Names& n = kNames[static_cast<size_t>(flange.domain)];
    const FlangeId f{static_cast<int>(k)};
    if (!find(flange.name + "." + n.potential)) {
      const bool motion =
          flange.domain == Domain::Rotational || flange.domain == Domain::Translational;
      add(flange.name + "." + n.potential,
          {n.potential, n.potentialUnit, "potential of the flange",
           motion ? Level::Position : Level::Acceleration},
          {}, function([f](const auto& x, auto* out) { out[0] = x.flange(f).position; }),
          flange.instance);
    }
    if (!find(flange.name + "." + n.flow)) {
      add(flange.name + "." + n.flow,
          {n.flow, n.flowUnit, "flow into the component at the flange", Level::Force}, {},
          function([f](const auto& x, auto* out) { out[0] = x.connectorFlow(f); }),
          flange.instance);
    }
  }
}

int VariableTable::add(std::string name, VariableInfo info, std::vector<int> dimensions,
                       std::unique_ptr<VariableFunction> f, int instance,
                       ExpressionVariable* expression) {
  const int index = size();
  const int n = product(dimensions);
  byName_.insert_or_assign(name, index);
  variables_.push_back({std::move(name), std::move(info), std::move(dimensions), n, std::move(f),
                        instance, expression});
  return index;
}

std::optional<int> VariableTable::find(std::string_view name) const {
  std::string current(name);
  for (int hops = 0; hops < 16; ++hops) {
    if (const auto v = byName_.find(current); v != byName_.end()) return v->second;
    const auto a = aliases_.find(current);
    if (a == aliases_.end()) return std::nullopt;
    current = a->second;
  }
  return std::nullopt;
}

std::vector<VariableElement> VariableTable::elements(std::string_view name) const {
  std::vector<VariableElement> result;
  if (const auto v = find(name)) {
    for (int i = 0; i < (*this)[*v].size; ++i) result.push_back({*v, i});
    return result;
  }
  // "body.r_0[1]", "R.T[1,2]": the last brackets index an element.
  if (name.empty() || name.back() != ']') return result;
  const size_t open = name.rfind('[');
  if (open == std::string_view::npos) return result;
  // An alias may name one element ("phi[1]").
  const auto v = find(name.substr(0, open));
  if (!v) return result;
  const Variable& variable = (*this)[*v];
  int element = 0;
  size_t dimension = 0;
  const char* p = name.data() + open + 1;
  const char* end = name.data() + name.size() - 1;
  while (p < end) {
    int index = 0;
    const auto [next, error] = std::from_chars(p, end, index);
    if (error != std::errc() || dimension >= variable.dimensions.size() || index < 1 ||
        index > variable.dimensions[dimension]) {
      return {};
    }
    element = element * variable.dimensions[dimension] + index - 1;
    ++dimension;
    p = next;
    if (p < end && *p == ',') ++p;
    while (p < end && *p == ' ') ++p;
  }
  if (dimension == variable.dimensions.size()) result.push_back({*v, element});
  return result;
}

std::string VariableTable::nameOf(VariableElement e) const {
  const Variable& v = (*this)[e.variable];
  if (v.dimensions.empty()) return v.name;
  std::string indices;
  int rest = e.element;
  for (size_t d = v.dimensions.size(); d-- > 0;) {
    indices = std::to_string(rest % v.dimensions[d] + 1) + (indices.empty() ? "" : "," + indices);
    rest /= v.dimensions[d];
  }
  return v.name + "[" + indices + "]";
}

std::vector<VariableElement> VariableTable::matching(std::string_view glob) const {
  std::vector<VariableElement> result = elements(glob);
  if (!result.empty()) return result;
  for (int i = 0; i < size(); ++i) {
    const Variable& v = (*this)[i];
    const bool whole = matchesGlob(v.name, glob);
    for (int k = 0; k < v.size; ++k) {
      if (whole || matchesGlob(nameOf({i, k}), glob)) result.push_back({i, k});
    }
  }
  for (const auto& [alias, target] : aliases_) {
    (void)target;
    if (!matchesGlob(alias, glob)) continue;
    for (VariableElement e : elements(alias)) {
      bool known = false;
      for (VariableElement r : result)
        known = known || (r.variable == e.variable && r.element == e.element);
      if (!known) result.push_back(e);
    }
  }
  return result;
}

std::vector<std::string> VariableTable::names() const {
  std::vector<std::string> result;
  for (const auto& [name, index] : byName_) result.push_back(name);
  for (const auto& [name, target] : aliases_) result.push_back(name);
  return result;
}

bool matchesGlob(std::string_view text, std::string_view glob) {
  // Every star takes as little as it can. What the last * cannot mend no earlier * of the same name
  // can, and the dots leave those of other names no choice; then the last ** takes one more.
  constexpr size_t kNone = std::string_view::npos;
  struct Star {
    size_t glob = kNone;  // behind the star
    size_t text = 0;      // where its characters end
  };
  Star one, all;
  size_t t = 0, g = 0;
  while (true) {
    if (g < glob.size() && glob[g] == '*') {
      const bool crosses = g + 1 < glob.size() && glob[g + 1] == '*';
      while (g < glob.size() && glob[g] == '*') ++g;
      (crosses ? all : one) = {g, t};
      if (crosses) one = {};
    } else if (t < text.size() && g < glob.size() &&
               (glob[g] == '?' ? text[t] != '.' : glob[g] == text[t])) {
      ++t;
      ++g;
    } else if (t == text.size() && g == glob.size()) {
      return true;
    } else if (one.glob != kNone && one.text < text.size() && text[one.text] != '.') {
      t = ++one.text;
      g = one.glob;
    } else if (all.glob != kNone && all.text < text.size()) {
      t = ++all.text;
      g = all.glob;
      one = {};
    } else {
      return false;
    }
  }
}

}  // namespace cardan
