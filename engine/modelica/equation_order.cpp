#include "engine/modelica/equation_order.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/modelica/scalar_expression.h"
#include "engine/text/mapped.h"

namespace cardan::modelica {
namespace {

constexpr int kMostDifferentiations = 3;
constexpr size_t kMostScalars = 20'000;

/// `start` and `fixed` of a scalar, or of its derivative.
struct ScalarStart {
  std::string start;  ///< "" if none is said
  bool isFixed = false;

  bool isSaid() const { return isFixed || !start.empty(); }
};

struct ScalarVariable {
  enum class Role { open, known, state, defined, free };  ///< free: found by what is left over
  std::string name;
  size_t entry = 0;
  bool isReal = true;
  int preference = 0;
  bool isDifferentiated = false;
  bool isRate = false;  ///< some equation says no more than that it is a rate
  Role role = Role::open;
  bool isOfTime = false;  ///< hangs on no state
  Tree definition;
  ScalarStart start, rateStart;
  bool isMoved = false;  ///< start values were added
  std::string written;   ///< its name in the model, if that is another one
};

struct ScalarEquation {
  Tree left, right;
  SourceMark at;
  std::vector<int> variables;
  bool hasRates = false;
  bool isOpaque = false;  ///< of arrays that cannot be taken apart: stays as it is
  std::string text;       ///< of an opaque one
};

/// What has been found so far, of all or for trial.
struct Progress {
  std::vector<char> isKnown, isUsed;
  std::vector<int> open;    ///< variables of an equation that are not known
  std::vector<int> degree;  ///< of a known variable: how often states in it are differentiated
  int count = 0;
};

constexpr int kOfNone = -1;      // degree of what hangs on no state
constexpr int kMixed = 1 << 20;  // degree of what hangs on states and on rates of them

using Role = ScalarVariable::Role;

class EquationOrder {
 public:
  EquationOrder(ImportedSections& model, const std::map<std::string, OrderedVariable>& variables,
                const std::set<std::string>& known, Diagnostics& diagnostics)
      : model_(model), described_(variables), known_(known), diagnostics_(diagnostics) {
    for (const auto& p : model.parameters) parameters_.insert(p.name);
  }

  void run() {
    readVariables();
    readEquations();
    if (variables_.size() > kMostScalars) return;
    findDifferentiated();
    order();
    name();
    writeStarts();
    writeRows();
    writeVariables();
    writeInitial();
  }

 private:
  // Reading ---------------------------------------------------------------------------------------

  void readVariables() {
    for (size_t i = 0; i < model_.variables.size(); ++i) {
      const auto& entry = model_.variables[i];
      OrderedVariable described;
      if (const auto found = described_.find(entry.name); found != described_.end()) {
        described = found->second;
      } else if (entry.value.isMap()) {
        if (const YamlNode* size = entry.value.find("size")) {
          for (const YamlNode& n : size->items) described.sizes.push_back(std::stoi(n.text));
        }
      }
      if (entry.value.isMap() && entry.value.find("type") && !known_.contains(entry.name)) {
        const std::string& type = entry.value.find("type")->text;
        if (type != "Boolean" && type != "Integer") continue;  // orientations
        described.isReal = false;
      }
      sizes_[entry.name] = described.sizes;
      const auto whole = nameElements(entry.name);
      const bool isUnknown = entry.value.isMap();
      first_.push_back({i, variables_.size(), whole.size()});
      for (size_t k = 0; k < whole.size(); ++k) {
        ScalarVariable v;
        v.name = whole[k];
        v.entry = i;
        v.isReal = described.isReal;
        v.preference = described.preference;
        if (known_.contains(entry.name)) v.role = Role::known;
        if (isUnknown) v.start = startOf(entry.value, described.sizes, k);
        byName_[v.name] = std::ssize(variables_);
        variables_.push_back(std::move(v));
      }
    }
  }

  std::vector<std::string> nameElements(const std::string& name) const {
    const auto all = elementsOf(nameNode(name), sizesOf());
    return mapped(all->items, &ExpressionNode::text);
  }

  std::function<std::vector<int>(const std::string&)> sizesOf() const {
    return [this](const std::string& name) {
      const auto found = sizes_.find(name);
      return found == sizes_.end() ? std::vector<int>{} : found->second;
    };
  }

  /// `start` and `fixed` of element k.
  static ScalarStart startOf(const YamlNode& map, const std::vector<int>& sizes, size_t k) {
    const auto said = [&](const char* key) -> std::string {
      const YamlNode* n = map.find(key);
      size_t rest = k;
      for (size_t d = 0; n && n->isSequence() && d < sizes.size(); ++d) {
        size_t below = 1;
        for (size_t e = d + 1; e < sizes.size(); ++e) below *= sizes[e];
        const size_t i = rest / below;
        rest %= below;
        n = i < n->items.size() ? &n->items[i] : nullptr;
      }
      return n && n->isScalar() ? n->text.substr(0, n->text.find('\n')) : "";
    };
    return {said("start"), said("fixed") == "true"};
  }

  void readEquations() {
    for (const auto& entry : model_.variables) {
      if (!entry.value.isScalar() || !sizes_.contains(entry.name)) continue;
      addEquation(entry.name + " = " + lineOf(entry.value), entry.at);
    }
    for (const auto& entry : model_.equations) addEquation(lineOf(entry.value), entry.at);
  }

  static std::string lineOf(const YamlNode& n) { return n.text.substr(0, n.text.find('\n')); }

  void addEquation(const std::string& text, const SourceMark& at) {
    const auto sides = sidesOf(text);
    ScalarEquation whole;
    whole.at = at;
    whole.isOpaque = true;
    whole.text = text;
    if (!sides) return add(std::move(whole), {});
    const auto& [left, right] = *sides;
    auto a = elementsOf(left, sizesOf()), b = elementsOf(right, sizesOf());
    // `0 = vector`: of what is made of branches.
    if (a && b && a->sizes.empty() && !b->sizes.empty() && numberIn(*a->items[0]) == 0)
      *a = {b->sizes, std::vector<Tree>(b->items.size(), a->items[0])};
    if (!a || !b || a->sizes != b->sizes) {
      whole.left = left;
      whole.right = right;
      return add(std::move(whole), {left, right});
    }
    for (size_t i = 0; i < a->items.size(); ++i) {
      ScalarEquation one{a->items[i], b->items[i], at, {}, false, false, {}};
      add(std::move(one), {a->items[i], b->items[i]});
    }
  }

  void add(ScalarEquation e, const std::vector<Tree>& sides) {
    std::set<int> all;
    for (const Tree& side : sides) {
      forAtoms(*side, [&](const ScalarAtom& a) {
        const auto named = [&](const std::string& name) {
          const auto found = byName_.find(name);
          if (found == byName_.end()) return;
          all.insert(found->second);
          e.hasRates = e.hasRates || a.order > 0;
          auto& order = orders_[found->second];
          order = std::max(order, a.order);
        };
        if (e.isOpaque && sizes_.contains(a.name) && !sizes_.at(a.name).empty()) {
          for (const std::string& name : nameElements(a.name)) named(name);
        } else {
          named(a.name);
        }
      });
    }
    e.variables.assign(all.begin(), all.end());
    equations_.push_back(std::move(e));
  }

  void findDifferentiated() {
    for (const auto& [v, order] : orders_) variables_[v].isDifferentiated = order > 0;
    solutions_.resize(equations_.size());
    for (size_t e = 0; e < equations_.size(); ++e) {
      if (const auto rate = rateIn(e)) variables_[rate->first].isRate = true;
    }
    users_.resize(variables_.size());
    for (size_t e = 0; e < equations_.size(); ++e) {
      for (const int v : equations_[e].variables) users_[v].push_back(e);
    }
  }

  // Order -----------------------------------------------------------------------------------------

  /// `w = der(x)`: w and x.
  std::optional<std::pair<int, int>> rateIn(size_t e) const {
    const ScalarEquation& one = equations_[e];
    if (one.isOpaque || one.variables.size() != 2) return std::nullopt;
    const auto a = atomIn(*one.left), b = atomIn(*one.right);
    if (!a || !b || a->order + b->order != 1) return std::nullopt;
    const ScalarAtom &w = a->order == 0 ? *a : *b, &x = a->order == 0 ? *b : *a;
    return std::pair{byName_.at(w.name), byName_.at(x.name)};
  }

  /// What equation e says of variable v, if it can be solved for it; null if not.
  Tree solution(size_t e, int v) {
    auto& known = solutions_[e];
    if (const auto found = known.find(v); found != known.end()) return found->second;
    return known[v] = solve(equations_[e], variables_[v]);
  }

  static Tree solve(const ScalarEquation& e, const ScalarVariable& v) {
    if (e.isOpaque) return nullptr;
    bool isRate = false, isLeft = false, isRight = false;
    const auto look = [&](const Tree& side, bool& isThere) {
      forAtoms(*side, [&](const ScalarAtom& a) {
        isRate = isRate || (a.name == v.name && a.order > 0);
        isThere = isThere || a.name == v.name;
      });
    };
    look(e.left, isLeft);
    look(e.right, isRight);
    if (isRate) return nullptr;
    const auto isName = [&](const Tree& n) {
      return n->kind == NodeKind::name && n->text == v.name;
    };
    if (isName(e.left) && !isRight) return e.right;
    if (isName(e.right) && !isLeft) return e.left;
    if (!v.isReal) return nullptr;
    const auto a = linearIn(e.left, v.name), b = linearIn(e.right, v.name);
    if (!a || !b) return nullptr;
    const auto p = numberIn(*a->factor), q = numberIn(*b->factor);
    if (!p || !q || *p == *q) return nullptr;
    const double factor = *p - *q;
    if (factor < 0) return quotientOf(differenceOf(a->rest, b->rest), numberNode(-factor));
    return quotientOf(differenceOf(b->rest, a->rest), numberNode(factor));
  }

  enum class Phase { positions, rates, all };

  /// True if the equation may define v now. Positions: no rates that states have; rates: what is no more
  /// than a name for one.
  bool mayDefine(size_t e, int v, Phase phase) const {
    if (phase == Phase::all || !equations_[e].hasRates) return true;
    if (phase == Phase::rates) {
      const auto rate = rateIn(e);
      return rate && rate->first == v;
    }
    return std::ranges::all_of(equations_[e].variables,
                               [&](int x) { return x == v || variables_[x].isOfTime; });
  }

  /// Of v, where equation e defines it.
  int degreeOf(const Progress& p, size_t e, int v) const {
    if (const auto rate = rateIn(e); rate && rate->first == v) {
      const int of = p.degree[rate->second];
      return of == kOfNone || of == kMixed ? of : of + 1;
    }
    int degree = kOfNone;
    for (const int x : equations_[e].variables) {
      const int other = x == v ? kOfNone : p.degree[x];
      if (other == kOfNone || other == degree) continue;
      degree = degree == kOfNone ? other : kMixed;
    }
    return degree;
  }

  void makeKnown(Progress& p, int v, int degree, std::vector<size_t>& open) const {
    p.isKnown[v] = 1;
    p.degree[v] = degree;
    ++p.count;
    for (const size_t e : users_[v]) {
      --p.open[e];
      open.push_back(e);
    }
  }

  /// Defines what follows from what is known; `open`: equations to look at, with those that follow.
  void propagate(Progress& p, std::vector<size_t>& open, Phase phase, bool isTrial) {
    for (size_t k = 0; k < open.size(); ++k) {
      const size_t e = open[k];
      if (p.isUsed[e] || p.open[e] != 1) continue;
      const auto v =
          *std::ranges::find_if(equations_[e].variables, [&](int x) { return !p.isKnown[x]; });
      if (!mayDefine(e, v, phase) || !solution(e, v)) continue;
      const int degree = degreeOf(p, e, v);
      // A potential that other potentials and their rates give is a state, not a rate of one.
      if (phase != Phase::all && variables_[v].isDifferentiated && degree == kMixed) continue;
      p.isUsed[e] = 1;
      if (!isTrial) {
        variables_[v].role = Role::defined;
        variables_[v].definition = solution(e, v);
        variables_[v].isOfTime = std::ranges::all_of(
            equations_[e].variables, [&](int x) { return x == v || variables_[x].isOfTime; });
      }
      makeKnown(p, v, degree, open);
    }
  }

  std::vector<size_t> allEquations() const {
    std::vector<size_t> all(equations_.size());
    for (size_t e = 0; e < all.size(); ++e) all[e] = e;
    return all;
  }

  void propagateAll(Progress& p, Phase phase, bool isTrial, std::vector<size_t> open) {
    propagate(p, open, Phase::positions, isTrial);
    for (int before = -1; before != p.count;) {
      before = p.count;
      propagate(p, open, phase, isTrial);
    }
  }

  /// How much would be known if v were.
  int gain(const Progress& now, int v, Phase phase) {
    Progress trial = now;
    std::vector<size_t> open;
    makeKnown(trial, v, 0, open);
    propagateAll(trial, phase, true, open);
    return trial.count;
  }

  void take(Progress& p, int v, Role role, Phase phase) {
    variables_[v].role = role;
    std::vector<size_t> open;
    makeKnown(p, v, 0, open);
    propagateAll(p, phase, false, allEquations());
  }

  void order() {
    Progress p;
    p.isKnown.assign(variables_.size(), 0);
    p.isUsed.assign(equations_.size(), 0);
    p.degree.assign(variables_.size(), kOfNone);
    for (const ScalarEquation& e : equations_) p.open.push_back(std::ssize(e.variables));
    std::vector<size_t> open;
    for (size_t v = 0; v < variables_.size(); ++v) {
      if (variables_[v].role != Role::known) continue;
      variables_[v].isOfTime = true;
      makeKnown(p, v, kOfNone, open);
    }
    propagateAll(p, Phase::rates, false, allEquations());
    while (const auto v = nextState(p)) take(p, *v, Role::state, Phase::rates);
    propagateAll(p, Phase::all, false, allEquations());
    while (const auto v = nextFree(p)) take(p, *v, Role::free, Phase::all);
    for (size_t e = 0; e < equations_.size(); ++e) {
      if (!p.isUsed[e]) rows_.push_back(e);
    }
  }

  std::optional<int> nextState(const Progress& p) {
    std::optional<int> best;
    std::tuple<int, bool, int, bool, bool> bestKey;
    for (int v = 0; v < std::ssize(variables_); ++v) {
      const ScalarVariable& x = variables_[v];
      if (p.isKnown[v] || !x.isDifferentiated) continue;
      const std::tuple key{x.preference, !x.isRate, gain(p, v, Phase::rates), x.start.isFixed,
                           !x.start.start.empty()};
      if (best && key <= bestKey) continue;
      best = v;
      bestKey = key;
    }
    return best;
  }

  /// Of the equation with the fewest variables that are not known, the one that leads farthest.
  std::optional<int> nextFree(const Progress& p) {
    std::optional<size_t> equation;
    const auto isCandidate = [&](int v) { return !p.isKnown[v] && variables_[v].isReal; };
    for (size_t e = 0; e < equations_.size(); ++e) {
      if (p.isUsed[e] || p.open[e] == 0 || (equation && p.open[e] >= p.open[*equation]) ||
          std::ranges::none_of(equations_[e].variables, isCandidate))
        continue;
      equation = e;
    }
    std::optional<int> best;
    if (!equation) return best;
    int most = -1;
    for (const int v : equations_[*equation].variables) {
      if (!isCandidate(v)) continue;
      const int n = gain(p, v, Phase::all);
      if (n <= most) continue;
      most = n;
      best = v;
    }
    return best;
  }

  // Rates -----------------------------------------------------------------------------------------

  /// Elements of arrays that are states, or of which others are defined, have names of their own; not
  /// so where an equation is about the array as a whole.
  void name() {
    std::set<int> whole;
    for (const ScalarEquation& e : equations_) {
      if (e.isOpaque) whole.insert(e.variables.begin(), e.variables.end());
    }
    for (const auto& [entry, first, count] : first_) {
      if (count < 2) continue;
      const auto isUnknown = [&](size_t k) {
        const Role r = variables_[first + k].role;
        return r == Role::state || r == Role::free || r == Role::open;
      };
      size_t unknown = 0, states = 0;
      for (size_t k = 0; k < count; ++k) {
        unknown += isUnknown(k) ? 1 : 0;
        states += variables_[first + k].role == Role::state ? 1 : 0;
      }
      const bool isAlone = unknown == count && (states == 0 || whole.contains(first));
      if (unknown == 0 || isAlone) continue;
      for (size_t k = 0; k < count; ++k) {
        if (isUnknown(k)) variables_[first + k].written = plainName(variables_[first + k].name, "");
      }
    }
  }

  /// "r[1,2]" -> "r_1_2", another one where that is taken.
  std::string plainName(std::string name, const std::string& ending) {
    if (name.ends_with(']')) {
      const size_t open = name.rfind('[');
      name.pop_back();
      name[open] = '_';
      std::ranges::replace(name, ',', '_');
    }
    name += ending;
    const auto isTaken = [&](const std::string& n) {
      return sizes_.contains(n) || byName_.contains(n) || parameters_.contains(n);
    };
    while (isTaken(name)) name += "_";
    sizes_[name] = {};
    return name;
  }

  const std::string& nameOf(int v) const {
    const ScalarVariable& x = variables_[v];
    return x.written.empty() ? x.name : x.written;
  }

  std::optional<int> own(const std::string& name) const {
    const auto found = byName_.find(name);
    return found == byName_.end() ? std::nullopt : std::optional(found->second);
  }

  /// The expression with rates of states in place of all rates, and other names for what is one.
  Tree rewritten(const Tree& e) {
    return replaced(e, [&](const ScalarAtom& a) -> Tree {
      const auto v = own(a.name);
      return v ? meaning(*v, a.order) : nullptr;
    });
  }

  Tree meaning(int v, int order) {
    const ScalarVariable& x = variables_[v];
    if (x.role == Role::known) return order > 0 ? numberNode(0) : nameNode(x.name);
    if (x.role != Role::defined) return atomNode({nameOf(v), order});
    if (order == 0) {
      const Tree& d = definition(v);
      const auto atom = atomIn(*d);
      const bool isOther = atom && atom->order == 0;
      // An element is not named in the list of the elements.
      const bool isBeside = x.entry == defining_ && x.name.ends_with(']');
      return numberIn(*d) || isOther || isBeside ? d : nameNode(x.name);
    }
    Tree rate = rate_(v);
    for (int k = 1; rate && k < order; ++k) rate = rateOf(rate);
    return rate ? rate : atomNode({x.name, order});
  }

  /// What defines v, rewritten.
  const Tree& definition(int v) {
    if (const auto found = final_.find(v); found != final_.end()) return found->second;
    const Tree raw = variables_[v].definition;
    const auto atom = atomIn(*raw);
    const auto of = atom ? own(atom->name) : std::nullopt;
    // A name for the rate of what is defined is its expression.
    if (of && atom->order == 1 && variables_[*of].role == Role::defined) {
      if (const Tree rate = expressionOfRate(*of)) return final_[v] = rate;
    }
    const size_t around = std::exchange(defining_, variables_[v].entry);
    Tree d = rewritten(raw);
    defining_ = around;
    return final_[v] = std::move(d);
  }

  Tree rateOf(const Tree& e) {
    return rateOfScalar(e, [&](const ScalarAtom& a) -> Tree {
      if (parameters_.contains(a.name.substr(0, a.name.find('[')))) return numberNode(0);
      const auto v = own(a.name);
      if (v && variables_[*v].role == Role::defined && a.order == 0) return meaning(*v, 1);
      if (v && variables_[*v].role == Role::known) return numberNode(0);
      return atomNode({a.name, a.order + 1});
    });
  }

  Tree expressionOfRate(int v) {
    if (const auto found = rates_.find(v); found != rates_.end()) return found->second;
    rates_[v] = nullptr;
    return rates_[v] = rateOf(definition(v));
  }

  /// The rate of a defined variable by a name, or as what it is where that is short.
  Tree rate_(int v) {
    const Tree rate = expressionOfRate(v);
    if (!rate) return nullptr;
    const Tree inner =
        rate->kind == NodeKind::unary && rate->op == Operator::negate ? rate->arguments[0] : rate;
    if (numberIn(*rate) || atomIn(*inner)) return rate;
    if (const auto found = namesOfRates_.find(v); found != namesOfRates_.end())
      return nameNode(nameOf(found->second));
    int named = -1;
    for (int w = 0; w < std::ssize(variables_) && named < 0; ++w) {
      const ScalarVariable& x = variables_[w];
      if (x.role != Role::defined || !x.isRate) continue;
      const auto atom = atomIn(*x.definition);
      if (atom && atom->order == 1 && atom->name == variables_[v].name) named = w;
    }
    if (named < 0) {
      ScalarVariable x;
      x.name = plainName(variables_[v].name, "_der");
      x.role = Role::defined;
      x.entry = kOfRate;
      named = std::ssize(variables_);
      byName_[x.name] = named;
      final_[named] = rate;
      variables_.push_back(std::move(x));
    }
    namesOfRates_[v] = named;
    return nameNode(nameOf(named));
  }

  // Rows ------------------------------------------------------------------------------------------

  /// States with the orders of their rates, and free variables, that an expression hangs on.
  void reach(const Tree& e, std::set<ScalarAtom>& found, std::set<int>& seen) {
    forAtoms(*e, [&](const ScalarAtom& a) {
      const auto v = own(a.name);
      const auto written = v ? v : byWritten(a.name);
      if (!written) return;
      if (variables_[*written].role != Role::defined) {
        if (variables_[*written].role != Role::known) found.insert(a);
      } else if (seen.insert(*written).second) {
        reach(definition(*written), found, seen);
      }
    });
  }

  std::optional<int> byWritten(const std::string& name) const {
    for (int v = 0; v < std::ssize(variables_); ++v) {
      if (variables_[v].written == name) return v;
    }
    return std::nullopt;
  }

  std::set<ScalarAtom> reached(const Tree& e) {
    std::set<ScalarAtom> found;
    std::set<int> seen;
    reach(e, found, seen);
    return found;
  }

  void writeRows() {
    struct Row {
      Tree left, right;
      SourceMark at;
    };
    std::vector<Row> rows;
    std::vector<ImportedSections::Entry> out;
    std::map<std::string, int> highest;
    for (const size_t e : rows_) {
      const ScalarEquation& one = equations_[e];
      if (one.isOpaque) {
        out.push_back({"", expressionNode(one.text, one.at), "", one.at});
        continue;
      }
      rows.push_back({rewritten(one.left), rewritten(one.right), one.at});
      for (const Tree& side : {rows.back().left, rows.back().right}) {
        for (const ScalarAtom& a : reached(side))
          highest[a.name] = std::max(highest[a.name], a.order);
      }
    }
    for (Row& r : rows) {
      const std::string said = toString(*r.left) + " = " + toString(*r.right);
      for (int n = 0; n < kMostDifferentiations; ++n) {
        const Tree residual = differenceOf(r.left, r.right);
        const std::set<ScalarAtom> atoms = reached(residual);
        if (atoms.empty()) {
          diagnostics_.error(r.at, "the equations are too many: '" + said +
                                       "' has nothing left to determine, as the others determine "
                                       "all of it");
          break;
        }
        const bool isOfHighest = std::ranges::any_of(
            atoms, [&](const ScalarAtom& a) { return a.order == highest[a.name]; });
        const Tree rate = isOfHighest ? nullptr : rateOf(residual);
        if (!rate) break;
        // What holds between states holds from the start, and its rate is zero.
        model_.initialEquations.push_back({"", equationNode(r.left, r.right, r.at), "", r.at});
        r.left = rewritten(rate);
        r.right = numberNode(0);
      }
      out.push_back({"", equationNode(r.left, r.right, r.at), "", r.at});
    }
    model_.equations = std::move(out);
  }

  // Writing ---------------------------------------------------------------------------------------

  /// Where a variable that is no state starts is where its state does.
  void writeStarts() {
    const size_t count = variables_.size();
    for (size_t v = 0; v < count; ++v) {
      const ScalarVariable& x = variables_[v];
      if (x.role != Role::defined || !x.start.isSaid() || !x.isReal) continue;
      const auto atom = atomIn(*definition(v));
      const auto of = atom && atom->order <= 1 ? unknownNamed(atom->name) : std::nullopt;
      if (of) {
        ScalarStart& other = atom->order == 0 ? variables_[*of].start : variables_[*of].rateStart;
        const bool isElement =
            variables_[*of].name.ends_with(']') && variables_[*of].written.empty();
        if (!isElement && (x.start.isFixed ? !other.isFixed : !other.isSaid())) {
          other = x.start;
          variables_[*of].isMoved = true;
          continue;
        }
      }
      if (!x.start.isFixed) continue;
      const SourceMark& at = model_.variables[x.entry].at;
      const std::string start = x.start.start.empty() ? "0" : x.start.start;
      model_.initialEquations.push_back({"", expressionNode(x.name + " = " + start, at), "", at});
    }
  }

  std::optional<int> unknownNamed(const std::string& name) const {
    const auto v = own(name);
    const auto found = v ? v : byWritten(name);
    const bool isUnknown = found && variables_[*found].role == Role::state;
    return isUnknown ? found : std::nullopt;
  }

  YamlNode unknownMap(const ScalarVariable& x, const SourceMark& at) const {
    const auto add = [&](YamlNode& map, const ScalarStart& s) {
      if (!s.start.empty()) addEntry(map, "start", expressionNode(s.start, at), at);
      if (s.isFixed) addEntry(map, "fixed", textNode("true", at), at);
    };
    YamlNode map = emptyMap(at);
    add(map, x.start);
    if (x.rateStart.isSaid()) {
      YamlNode rate = emptyMap(at);
      add(rate, x.rateStart);
      addEntry(map, "der", std::move(rate), at);
    }
    const YamlNode& entry = model_.variables[x.entry].value;
    for (const char* key : {"nominal", "min", "max", "stateSelect"}) {
      const YamlNode* said = entry.isMap() ? entry.find(key) : nullptr;
      if (said && said->isScalar()) addEntry(map, key, *said, at);
    }
    return map;
  }

  void writeVariables() {
    std::vector<ImportedSections::Entry> out;
    size_t next = 0;
    for (size_t i = 0; i < model_.variables.size(); ++i) {
      ImportedSections::Entry entry = std::move(model_.variables[i]);
      if (next == first_.size() || first_[next].entry != i) {
        out.push_back(std::move(entry));
        continue;
      }
      const auto& [unused, first, count] = first_[next++];
      const SourceMark at = entry.at;
      bool isChanged = false;
      for (size_t k = first; k < first + count; ++k) {
        const ScalarVariable& x = variables_[k];
        isChanged = isChanged || x.role == Role::defined || x.isMoved || !x.written.empty();
      }
      // The map is still needed of what has names of its own.
      model_.variables[i] = entry;
      Trees items;
      for (size_t k = first; isChanged && k < first + count; ++k) {
        const ScalarVariable& x = variables_[k];
        if (x.role == Role::defined) {
          items.push_back(definition(static_cast<int>(k)));
        } else if (count == 1) {
          entry.value = unknownMap(x, at);
        } else {
          if (!x.written.empty()) out.push_back({x.written, unknownMap(x, at), "", at});
          items.push_back(nameNode(nameOf(static_cast<int>(k))));
        }
      }
      if (!items.empty()) {
        const Tree all = listOf(std::move(items), sizes_[entry.name]);
        // Booleans and Integers begin at their start for pre(), and are equations beside it.
        if (!variables_[first].isReal && entry.value.isMap()) {
          model_.equations.push_back({"", equationNode(nameNode(entry.name), all, at), "", at});
        } else {
          entry.value = expressionNode(all, at);
        }
      }
      out.push_back(std::move(entry));
    }
    for (size_t v = 0; v < variables_.size(); ++v) {
      if (variables_[v].entry != kOfRate) continue;
      const Tree d = definition(static_cast<int>(v));
      out.push_back({variables_[v].name, expressionNode(d, {}), "", {}});
    }
    model_.variables = std::move(out);
  }

  /// An array of its elements, row by row.
  static Tree listOf(Trees items, const std::vector<int>& sizes) {
    if (sizes.empty()) return items[0];
    Trees rows;
    for (auto row = items.begin(); sizes.size() == 2 && row != items.end(); row += sizes[1])
      rows.push_back(treeOf(NodeKind::array, Trees(row, row + sizes[1])));
    return treeOf(NodeKind::array, rows.empty() ? std::move(items) : std::move(rows));
  }

  /// Rates in initial equations are those of states, too.
  void writeInitial() {
    for (auto& entry : model_.initialEquations) {
      const auto sides = sidesOf(lineOf(entry.value));
      if (!sides) continue;
      const auto a = elementsOf(sides->first, sizesOf()), b = elementsOf(sides->second, sizesOf());
      if (!a || !b || !a->sizes.empty() || !b->sizes.empty()) continue;
      entry.value = equationNode(rewritten(a->items[0]), rewritten(b->items[0]), entry.at);
    }
  }

  static constexpr size_t kOfRate = static_cast<size_t>(-1);

  struct Elements {
    size_t entry, first, count;
  };

  ImportedSections& model_;
  const std::map<std::string, OrderedVariable>& described_;
  const std::set<std::string>& known_;
  Diagnostics& diagnostics_;
  std::set<std::string> parameters_;
  std::map<std::string, std::vector<int>> sizes_;
  std::deque<ScalarVariable> variables_;  ///< grows while others of it are looked at
  std::vector<Elements> first_;           ///< of the entries, in their order
  std::unordered_map<std::string, int> byName_;
  std::map<int, int> orders_;
  std::vector<ScalarEquation> equations_;
  std::vector<std::vector<size_t>> users_;  ///< equations, by variable
  std::vector<std::map<int, Tree>> solutions_;
  std::vector<size_t> rows_;
  std::map<int, Tree> final_, rates_;
  size_t defining_ = kOfRate;  ///< the entry whose definition is written
  std::map<int, int> namesOfRates_;
};

}  // namespace

void orderEquations(ImportedSections& model,
                    const std::map<std::string, OrderedVariable>& variables,
                    const std::set<std::string>& known, Diagnostics& diagnostics) {
  EquationOrder(model, variables, known, diagnostics).run();
}

}  // namespace cardan::modelica
