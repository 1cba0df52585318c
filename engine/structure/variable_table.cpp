#include "engine/structure/variable_table.h"

#include <algorithm>
#include <span>

#include "engine/structure/variable_function.h"
#include "engine/text/element_name.h"
#include "engine/text/glob.h"

namespace cardan {
namespace {

constexpr int kMostHops = 16;  ///< from alias to alias

/// The order of the model: groups of variables, in each of them instance by instance or connector
/// by connector.
enum class Group : std::uint64_t { described, coordinate, unknown, frame, flange, input, own };
std::uint64_t placeOf(Group group, int index, size_t k) {
  return static_cast<std::uint64_t>(group) << 56U | static_cast<std::uint64_t>(index) << 24U | k;
}

bool contains(const std::vector<std::string>* wanted, const std::string& name) {
  return !wanted || std::find(wanted->begin(), wanted->end(), name) != wanted->end();
}

/// A start value that says no more than any default.
bool saysNothing(bool fixed, bool given, StateSelect select) {
  return !fixed && !given && select != StateSelect::prefer && select != StateSelect::always;
}

/// `read`: as of variableFunction().
template <class F>
VariableTable::Variable scalar(std::string name, VariableInfo info, F read, int instance,
                               std::uint64_t place, bool isUnknown = false) {
  return {std::move(name), std::move(info), {},    1,        variableFunction(read),
          instance,        nullptr,         place, isUnknown};
}

}  // namespace

/// What the flat model has of each instance.
struct VariableTable::Contents {
  /// Indices into one of its lists, instance by instance.
  class List {
   public:
    template <class Part>
    List(const std::vector<Part>& all, size_t instances) : first_(instances + 1, 0) {
      for (const Part& p : all) {
        if (p.instance >= 0) ++first_[p.instance + 1];
      }
      for (size_t i = 0; i < instances; ++i) first_[i + 1] += first_[i];
      items_.resize(first_.back());
      std::vector<size_t> next(first_.begin(), first_.end() - 1);
      for (size_t k = 0; k < all.size(); ++k) {
        if (all[k].instance < 0) continue;
        items_[next[all[k].instance]++] = k;
      }
    }
    std::span<const int> of(int instance) const {
      const size_t i = instance;
      return {items_.data() + first_[i], items_.data() + first_[i + 1]};
    }

   private:
    std::vector<size_t> first_;
    std::vector<int> items_;
  };

  explicit Contents(const FlatModel& b)
      : edges(b.edges, b.instances.size()),
        unknowns(b.unknowns, b.instances.size()),
        frames(b.frames, b.instances.size()),
        flanges(b.flanges, b.instances.size()),
        inputs(b.inputs, b.instances.size()) {}

  List edges, unknowns, frames, flanges, inputs;
};

/// Takes down what one instance describes; the first time (a survey) what a start and a run need of
/// every instance goes into the table.
class VariableTable::Description final : public Variables {
 public:
  /// A start value; its variable is resolved when the names that starts use are known.
  struct Pending {
    int instance;
    int name;  ///< in names()
    Start start;
  };
  struct Described {
    VariableInfo info;
    std::vector<int> dimensions;
    std::unique_ptr<VariableFunction> function;
  };
  struct Alias {
    std::string name, target;
  };

  explicit Description(VariableTable& table) : table_(table) {}

  void ask(int instance, bool survey) {
    instance_ = instance;
    survey_ = survey;
    variables.clear();
    aliases.clear();
    nextMemory_ = survey ? std::ssize(table_.memoryStart_) : table_.firstMemory_[instance];
    if (survey) table_.firstMemory_.push_back(nextMemory_);
    table_.flatModel_.instances[instance].component->describe(*this);
  }

  void alias(const std::string& name, const std::string& target) override {
    aliases.push_back({name, target});
  }

  const std::string& startName(const Pending& p) const { return startNames_[p.name]; }
  void forgetStarts() {
    pending = {};
    startNames_ = {};
    numberOfName_ = {};
  }

  std::vector<Described> variables;
  std::vector<Alias> aliases;
  std::vector<Pending> pending;

 private:
  void add(VariableInfo info, std::vector<int> dimensions,
           std::unique_ptr<VariableFunction> f) override {
    variables.push_back({std::move(info), std::move(dimensions), std::move(f)});
  }
  void addStart(const std::string& name, int element, double start, bool fixed, bool given,
                StateSelect select) override {
    if (!survey_) return;
    const auto [number, isNew] = numberOfName_.try_emplace(name, std::ssize(startNames_));
    if (isNew) startNames_.push_back(name);
    pending.push_back({instance_,
                       number->second,
                       {{-1, element < 0 ? 0 : element}, start, fixed, given, select, {}, {}}});
  }
  void addInitial(InitialInfo info, int size, std::unique_ptr<VariableFunction> f) override {
    if (!survey_) return;
    table_.initials_.push_back({std::move(info), size, instance_, std::move(f)});
  }
  void addMechanics(const std::vector<SignalId>& reads,
                    std::unique_ptr<VariableFunction> f) override {
    if (!survey_) return;
    table_.mechanics_.push_back({instance_, std::move(f)});
    table_.mechanicsRead_.insert(table_.mechanicsRead_.end(), reads.begin(), reads.end());
  }
  MemoryId addMemory(const std::vector<double>& start) override {
    const MemoryId id{nextMemory_};
    nextMemory_ += std::ssize(start);
    std::vector<double>& all = table_.memoryStart_;
    if (survey_) all.insert(all.end(), start.begin(), start.end());
    return id;
  }
  void setMemory(MemoryId m, std::unique_ptr<VariableFunction> next) override {
    if (survey_) table_.memories_.push_back({m.index, std::move(next)});
  }

  VariableTable& table_;
  int instance_ = -1;
  bool survey_ = true;
  int nextMemory_ = 0;
  std::vector<std::string> startNames_;
  std::unordered_map<std::string, int> numberOfName_;
};

VariableTable::VariableTable(const FlatModel& b, Diagnostics& diagnostics)
    : flatModel_(b),
      contents_(std::make_unique<Contents>(b)),
      description_(std::make_unique<Description>(*this)),
      isDescribed_(b.instances.size(), false),
      isKnown_(b.instances.size(), false) {
  const std::scoped_lock lock(asking_);
  const int instances = std::ssize(b.instances);
  for (int i = 0; i < instances; ++i) instances_.insert_or_assign(b.instances[i].name, i);
  for (int i = 0; i < instances; ++i) survey(i);
  resolveStarts(diagnostics);
}

VariableTable::~VariableTable() = default;

/// Takes what every model needs of an instance, and the variables that its start values name.
void VariableTable::survey(int instance) {
  Description& d = *description_;
  const size_t firstStart = d.pending.size();
  d.ask(instance, true);
  hasOutputs_.push_back(
      std::ranges::any_of(d.variables, [](const auto& v) { return v.info.output; }));
  // What an instance says of the variables of its parts comes before those.
  const auto isOfPart = [&](const std::string& name) {
    const size_t dot = name.find('.');
    return dot != std::string::npos &&
           instances_.contains(full(instance, std::string_view(name).substr(0, dot)));
  };
  const bool speaksOfParts =
      std::ranges::any_of(d.variables, [&](const auto& v) { return isOfPart(v.info.name); }) ||
      std::ranges::any_of(d.aliases, [&](const auto& a) { return isOfPart(a.name); });
  std::vector<std::string> wanted;
  for (size_t p = firstStart; p < d.pending.size(); ++p) {
    const Start& s = d.pending[p].start;
    const std::string& name = d.startName(d.pending[p]);
    if (saysNothing(s.fixed, s.given, s.select)) continue;
    if (wanted.empty() || !contains(&wanted, name)) wanted.push_back(name);
  }
  if (wanted.empty() && !speaksOfParts) return;
  putDescribed(instance, speaksOfParts ? nullptr : &wanted);
  putCoordinates(instance, &wanted);
  putUnknowns(instance, &wanted);
}

/// Start values may name coordinates, aliases and variables of parts. One that says nothing matters
/// only where another one has been said of the same variable.
void VariableTable::resolveStarts(Diagnostics& diagnostics) {
  for (const Description::Pending& p : description_->pending) {
    const bool silent = saysNothing(p.start.fixed, p.start.given, p.start.select);
    if (silent && !isKnown_[p.instance]) continue;
    const std::string& name = description_->startName(p);
    std::optional<int> v = findKnown(full(p.instance, name));
    if (!v && !silent) v = findAsking(full(p.instance, name));
    if (v) {
      Start s = p.start;
      s.of.variable = *v;
      starts_.push_back(s);
    } else if (p.start.fixed || p.start.given) {
      const Instance& i = flatModel_.instances[p.instance];
      diagnostics.error(i.at, flatModel_.typeAndName(p.instance) + ": start value for '" +
                                  full(p.instance, name) + "', which it does not have here");
    }
  }
  description_->forgetStarts();
}

std::string VariableTable::full(int instance, std::string_view name) const {
  const std::string& owner = flatModel_.instances[instance].name;
  if (owner.empty()) return std::string(name);
  std::string result;
  result.reserve(owner.size() + 1 + name.size());
  return result.append(owner).append(1, '.').append(name);
}

/// Puts everything of an instance in; what is there already stays.
void VariableTable::describe(int instance) const {
  const size_t i = instance;
  if (isDescribed_[i]) return;
  isDescribed_[i] = true;
  description_->ask(instance, false);
  putDescribed(instance, nullptr);
  putCoordinates(instance, nullptr);
  putUnknowns(instance, nullptr);
  putConnectors(instance);
}

void VariableTable::describeAll() const {
  for (size_t i = 0; i < isDescribed_.size(); ++i) describe(i);
}

/// Those that a variable of this name may belong to: "a" and "a.b" of "a.b.c", and the model's own
/// equations.
void VariableTable::describeOwners(std::string_view name) const {
  if (const auto own = instances_.find(""); own != instances_.end()) describe(own->second);
  for (size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    if (const auto i = instances_.find(name.substr(0, dot)); i != instances_.end())
      describe(i->second);
  }
}

/// Those whose names a glob may match, as far as its first letters tell.
void VariableTable::describeMatching(std::string_view glob) const {
  const std::string_view letters = glob.substr(0, glob.find_first_of("*?"));
  for (size_t i = 0; i < isDescribed_.size(); ++i) {
    const std::string prefix = flatModel_.instances[i].full("");
    const size_t n = std::min(prefix.size(), letters.size());
    if (letters.substr(0, n) == std::string_view(prefix).substr(0, n)) describe(i);
  }
}

/// What the last answer holds: all of it, or the variables and aliases of the wanted names.
void VariableTable::putDescribed(int instance, const std::vector<std::string>* wanted) const {
  for (const Description::Alias& a : description_->aliases) {
    if (contains(wanted, a.name))
      aliases_.insert_or_assign(full(instance, a.name), full(instance, a.target));
  }
  std::vector<Description::Described>& all = description_->variables;
  for (size_t k = 0; k < all.size(); ++k) {
    if (!contains(wanted, all[k].info.name)) continue;
    const int size = elementCount(all[k].dimensions);
    std::string name = full(instance, all[k].info.name);
    put({std::move(name), std::move(all[k].info), std::move(all[k].dimensions), size,
         std::move(all[k].function), instance, nullptr, placeOf(Group::described, instance, k)});
  }
}

/// Coordinates of joints that the component does not describe itself.
void VariableTable::putCoordinates(int instance, const std::vector<std::string>* wanted) const {
  for (int e : contents_->edges.of(instance)) {
    const FlatModel::Edge& edge = flatModel_.edges[e];
    const JointId j{e};
    size_t k = 0;
    const auto coordinates = [&](const std::vector<UnknownInfo>& all, Level level, auto of) {
      for (size_t i = 0; i < all.size(); ++i) {
        const UnknownInfo& u = all[i];
        const std::uint64_t place = placeOf(Group::coordinate, e, k++);
        if (!contains(wanted, u.name)) continue;
        std::string name = full(instance, u.name);
        if (hasName(name, !wanted) || !elementsOf(name, !wanted).empty()) continue;
        const auto read = [j, i, of](const auto& x, auto* out) {
          const auto* values = of(x.joint(j));
          out[0] = values ? values[i] : 0.0 * x.time();
        };
        put(scalar(std::move(name), {u.name, u.unit, u.description, level}, read, instance, place,
                   true));
      }
    };
    coordinates(edge.positions, Level::Position, [](const auto& joint) { return joint.q; });
    coordinates(edge.velocities, Level::Velocity, [](const auto& joint) { return joint.v; });
  }
}

/// A name that a component has given already; `all`: those of all instances that may are there.
bool VariableTable::hasName(const std::string& name, bool all) const {
  return all ? findAsking(name).has_value() : aliases_.contains(name) || findKnown(name);
}

void VariableTable::putUnknowns(int instance, const std::vector<std::string>* wanted) const {
  for (int u : contents_->unknowns.of(instance)) {
    const FlatModel::Unknown& unknown = flatModel_.unknowns[u];
    const UnknownId id{u};
    if (!contains(wanted, unknown.info.name)) continue;
    std::string name = full(instance, unknown.info.name);
    if (hasName(name, !wanted)) continue;
    const Level level = unknown.kind != Kind::Algebraic ? Level::Position : Level::Acceleration;
    put(scalar(
        std::move(name), {unknown.info.name, unknown.info.unit, unknown.info.description, level},
        [id](const auto& x, auto* out) { out[0] = x.unknown(id); }, instance,
        placeOf(Group::unknown, u, 0)));
  }
}

void VariableTable::putConnectors(int instance) const {
  for (int k : contents_->frames.of(instance)) putFrame(k);
  for (int k : contents_->flanges.of(instance)) putFlange(k);
  for (int k : contents_->inputs.of(instance)) putInput(k);
}

/// Place, motion and load of a frame.
void VariableTable::putFrame(int index) const {
  const FlatModel::Frame& frame = flatModel_.frames[index];
  if (frame.internal) return;
  const FrameId f{index};
  size_t k = 0;
  auto vector = [&](const char* name, const char* unit, const char* text, Level level, auto get) {
    put({frame.name + "." + name,
         {name, unit, text, level},
         {3},
         3,
         variableFunction([get, f](const auto& x, auto* out) {
           const auto v = get(x, f);
           for (int i = 0; i < 3; ++i) out[i] = v[i];
         }),
         frame.instance,
         nullptr,
         placeOf(Group::frame, index, k++)});
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
  put({frame.name + ".R.T",
       {"R.T", "1", "transformation from world to the frame", Level::Position},
       {3, 3},
       9,
       variableFunction([f](const auto& x, auto* out) {
         const auto& T = frames::to_T(x.frame(f).R);
         for (int i = 0; i < 3; ++i) {
           for (int j = 0; j < 3; ++j) out[3 * i + j] = T(i, j);
         }
       }),
       frame.instance,
       nullptr,
       placeOf(Group::frame, index, k)});
}

/// A signal that comes in at a connector ("torque.tau").
void VariableTable::putInput(int index) const {
  const FlatModel::Input& input = flatModel_.inputs[index];
  if (hasName(input.name, true)) return;
  const SignalId id{index};
  VariableInfo info{input.name, "", "input", Level::Time};
  info.reads = {id};
  std::vector<int> dimensions;
  if (input.size > 1) dimensions = {input.size};
  put({input.name, std::move(info), std::move(dimensions), input.size,
       variableFunction([id, n = input.size](const auto& x, auto* out) {
         for (int i = 0; i < n; ++i) out[i] = x.input(id, i);
       }),
       input.instance, nullptr, placeOf(Group::input, index, 0)});
}

/// Potential and flow of a one-dimensional connector ("inertia.flange_a.phi", ".tau").
void VariableTable::putFlange(int index) const {
  struct Names {
    const char *potential, *potentialUnit, *flow, *flowUnit;
  };
  static constexpr Names kNames[] = {{"phi", "rad", "tau", "N.m"},
                                     {"s", "m", "f", "N"},
                                     {"v", "V", "i", "A"},
                                     {"T", "K", "Q_flow", "W"}};
  const FlatModel::Flange& flange = flatModel_.flanges[index];
  const Names& n = kNames[static_cast<size_t>(flange.domain)];
  const FlangeId f{index};
  const auto add = [&](const char* name, const char* unit, const char* text, Level level, size_t k,
                       auto get) {
    std::string fullName = flange.name + "." + name;
    if (hasName(fullName, true)) return;
    put(scalar(std::move(fullName), {name, unit, text, level}, get, flange.instance,
               placeOf(Group::flange, index, k)));
  };
  const bool motion = flange.domain == Domain::Rotational || flange.domain == Domain::Translational;
  add(n.potential, n.potentialUnit, "potential of the flange",
      motion ? Level::Position : Level::Acceleration, 0,
      [f](const auto& x, auto* out) { out[0] = x.flange(f).position; });
  add(n.flow, n.flowUnit, "flow into the component at the flange", Level::Force, 1,
      [f](const auto& x, auto* out) { out[0] = x.connectorFlow(f); });
}

/// The later one of the same name is the one that is found by it. What comes before the rest of its
/// instance comes with it once more.
int VariableTable::put(Variable variable) const {
  if (early_.contains(variable.place)) return -1;
  if (variable.instance >= 0) {
    const size_t i = variable.instance;
    if (!isDescribed_[i]) early_.insert(variable.place);
    isKnown_[i] = true;
  }
  const int index = size_;
  const auto [block, at] = blockOf(index);
  if (!blocks_[block]) {
    blocks_[block] = std::make_unique<Variable[]>(size_t{1} << (block + size_t{kFirstBlock}));
  }
  Variable& kept = blocks_[block][at];
  kept = std::move(variable);
  const auto [named, isNew] = byName_.try_emplace(kept.name, index);
  if (!isNew && (*this)[named->second].place < kept.place) named->second = index;
  size_ = index + 1;
  return index;
}

int VariableTable::add(std::string name, VariableInfo info, std::vector<int> dimensions,
                       std::unique_ptr<VariableFunction> f, int instance,
                       ExpressionVariable* expression) {
  const std::scoped_lock lock(asking_);
  const int n = elementCount(dimensions);
  return put({std::move(name), std::move(info), std::move(dimensions), n, std::move(f), instance,
              expression, placeOf(Group::own, own_++, 0)});
}

std::optional<int> VariableTable::findKnown(std::string_view name) const {
  for (int hops = 0; hops < kMostHops; ++hops) {
    if (const auto v = byName_.find(name); v != byName_.end()) return v->second;
    const auto a = aliases_.find(name);
    if (a == aliases_.end()) return std::nullopt;
    name = a->second;
  }
  return std::nullopt;
}

std::optional<int> VariableTable::findAsking(std::string_view name) const {
  for (int hops = 0; hops < kMostHops; ++hops) {
    const auto early = byName_.find(name);
    if (early != byName_.end()) {
      // The innermost instance of the name, where what is behind it has no dot.
      const int instance = (*this)[early->second].instance;
      const size_t owner = instance < 0 ? 0 : flatModel_.instances[instance].name.size();
      if (owner < name.size() && name.find('.', owner + 1) == std::string_view::npos)
        return early->second;
    }
    describeOwners(name);
    if (const auto v = byName_.find(name); v != byName_.end()) return v->second;
    const auto a = aliases_.find(name);
    if (a == aliases_.end()) return std::nullopt;
    name = a->second;
  }
  return std::nullopt;
}

std::optional<int> VariableTable::find(std::string_view name) const {
  const std::scoped_lock lock(asking_);
  return findAsking(name);
}

std::vector<VariableElement> VariableTable::elements(std::string_view name) const {
  const std::scoped_lock lock(asking_);
  return elementsOf(name, true);
}

std::vector<VariableElement> VariableTable::knownElements(std::string_view name) const {
  const std::scoped_lock lock(asking_);
  return elementsOf(name, false);
}

std::vector<VariableElement> VariableTable::elementsOf(std::string_view name, bool ask) const {
  const auto named = [&](std::string_view n) { return ask ? findAsking(n) : findKnown(n); };
  std::vector<VariableElement> result;
  if (const auto v = named(name)) {
    for (int i = 0; i < (*this)[*v].size; ++i) result.push_back({*v, i});
    return result;
  }
  // "body.r_0[1]", "R.T[1,2]": the last brackets index an element.
  std::string whole(name);
  const std::vector<int> indices = takeIndices(whole);
  // An alias may name one element ("phi[1]").
  const auto v = indices.empty() ? std::nullopt : named(whole);
  if (!v || indices.size() != (*this)[*v].dimensions.size()) return result;
  int element = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    const int count = (*this)[*v].dimensions[d];
    if (indices[d] > count) return result;
    element = element * count + indices[d] - 1;
  }
  result.push_back({*v, element});
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
  const std::scoped_lock lock(asking_);
  std::vector<VariableElement> result = elementsOf(glob, true);
  if (!result.empty()) return result;
  describeMatching(glob);
  const std::string_view beginning = glob.substr(0, glob.find_first_of("*?"));
  // The name of an element ends with its bracket.
  const bool byElement = glob.find_last_of("*?]") + 1 == glob.size();
  const auto some = [&](int i) {
    const Variable& v = (*this)[i];
    if (!v.name.starts_with(beginning) && !beginning.starts_with(v.name)) return false;
    bool any = matchesGlob(v.name, glob);
    for (int k = 0; byElement && k < v.size && !any; ++k) any = matchesGlob(nameOf({i, k}), glob);
    return any;
  };
  for (int i : inOrder(some)) {
    const Variable& v = (*this)[i];
    const bool whole = matchesGlob(v.name, glob);
    for (int k = 0; k < v.size; ++k) {
      if (whole || (byElement && matchesGlob(nameOf({i, k}), glob))) result.push_back({i, k});
    }
  }
  for (const auto& [alias, target] : aliases_) {
    (void)target;
    if (!matchesGlob(alias, glob)) continue;
    for (VariableElement e : elementsOf(alias, true)) {
      bool known = false;
      for (VariableElement r : result)
        known = known || (r.variable == e.variable && r.element == e.element);
      if (!known) result.push_back(e);
    }
  }
  return result;
}

/// Of what is there, those that are wanted, in the order of the model.
template <class Wanted>
std::vector<int> VariableTable::inOrder(Wanted wanted) const {
  std::vector<int> result;
  for (int i = 0; i < size_; ++i) {
    if (wanted(i)) result.push_back(i);
  }
  std::ranges::sort(result, {}, [this](int i) { return (*this)[i].place; });
  return result;
}

std::vector<int> VariableTable::all() const {
  const std::scoped_lock lock(asking_);
  describeAll();
  return inOrder([](int) { return true; });
}

std::vector<int> VariableTable::results() const {
  const std::scoped_lock lock(asking_);
  for (size_t i = 0; i < hasOutputs_.size(); ++i) {
    if (hasOutputs_[i]) describe(i);
  }
  return inOrder([this](int i) { return (*this)[i].info.output || (*this)[i].instance == kModel; });
}

std::vector<std::string> VariableTable::names() const {
  const std::scoped_lock lock(asking_);
  describeAll();
  std::vector<std::string> result;
  for (const auto& [name, index] : byName_) result.emplace_back(name);
  std::sort(result.begin(), result.end());
  for (const auto& [name, target] : aliases_) result.push_back(name);
  return result;
}

}  // namespace cardan
